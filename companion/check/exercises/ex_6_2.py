"""6.2: the mean over the scored places, and over nothing else."""

import math

import torch

from companion.check.call import Call
from companion.check.compare import changed_gap, gradients_of, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

VALUES = torch.tensor([[1.0, 2.0, 30.0], [40.0, 6.0, 50.0]])
SCORED = torch.tensor([[True, True, False], [False, True, False]])
TRIED = "values 1 2 30 / 40 6 50, of which 1, 2 and 6 are scored"
NOTHING = "three values, none of them scored"


def _known() -> dict[float, str]:
    return {
        float(VALUES.mean()): "all values are counted",
        9 / 6: "divided by the number of all values",
        9.0: "a sum, not a mean",
        float(VALUES[~SCORED].mean()): "the others, not the scored ones",
        (1.5 + 6) / 2: "a mean of the rows' means",
        2.0: "the middle one",
    }


@prop("it returns one number", "what comes back from your function?")
def structure(masked_mean: Call, generator: torch.Generator) -> Gap | None:
    return not_a_tensor(masked_mean(VALUES, SCORED), (), "floats", TRIED)


@prop("it is the mean over the scored places", "what do you add up, and by what do you divide?")
def value(masked_mean: Call, generator: torch.Generator) -> Gap | None:
    found = float(masked_mean(VALUES, SCORED))
    if math.isclose(found, 3.0, rel_tol=1e-6):
        return None
    near = (why for x, why in _known().items() if math.isclose(x, found, rel_tol=1e-4))
    mistake = next(near, "")
    if not mistake and math.isclose(found, 3.0, rel_tol=1e-3):
        mistake = "something small is added below the line, and shifts every mean"
    return Gap(TRIED, f"{found:.6f}, not 3", mistake)


@prop("nothing scored gives 0", "what is the mean of nothing, so that training goes on?")
def nothing(masked_mean: Call, generator: torch.Generator) -> Gap | None:
    for values in (torch.tensor([1.0, 2.0, 3.0]), torch.zeros(0)):
        found = masked_mean(values, torch.zeros_like(values).bool())
        tried = NOTHING if len(values) else "no values at all"
        if gap := not_a_tensor(found, (), "floats", tried):
            return gap
        if float(found) != 0:
            mistake = "0 divided by 0 is NaN" if math.isnan(float(found)) else ""
            return Gap(tried, f"{float(found)}, not 0", mistake)
    return None


@prop("NaN and inf at unscored places stay out", "is something multiplied that should be left out?")
def stays_out(masked_mean: Call, generator: torch.Generator) -> Gap | None:
    for other in (math.nan, math.inf, -math.inf):
        values = VALUES.masked_fill(~SCORED, other)
        found = float(masked_mean(values, SCORED))
        if not math.isclose(found, 3.0, rel_tol=1e-6):
            mistake = f"{other} times 0 is NaN" if math.isnan(found) else ""
            return Gap(f"the example, with {other} at all unscored places", f"{found}", mistake)
    return None


@prop("what is scored may be NaN, and shows", "is a fault hidden that should be seen?")
def shows(masked_mean: Call, generator: torch.Generator) -> Gap | None:
    values = VALUES.clone()
    values[0, 0] = math.nan
    found = float(masked_mean(values, SCORED))
    if math.isnan(found):
        return None
    return Gap("the example, with NaN at a scored place", f"{found:.4f}: the fault is hidden")


@prop("gradients are 1 over the number, at scored places alone", "where does the gradient go?")
def gradient(masked_mean: Call, generator: torch.Generator) -> Gap | None:
    values = VALUES.clone().requires_grad_()
    given = gradients_of(masked_mean(values, SCORED), masked_mean.given[:1], TRIED)
    if isinstance(given, Gap):
        return given
    if not torch.allclose(given[0], SCORED / 3):
        return Gap(TRIED, f"gradients {[round(x, 3) for x in given[0].flatten().tolist()]}")
    empty = torch.zeros_like(SCORED)
    given = gradients_of(masked_mean(values, empty), masked_mean.given[:1], NOTHING)
    if isinstance(given, Gap):
        return given._replace(ask="does your answer for nothing still hang on the values?")
    if not (given[0] == 0).all():
        return Gap(NOTHING, f"gradients {given[0].flatten().tolist()}, not 0")
    nan = VALUES.masked_fill(~SCORED, math.nan).requires_grad_()
    given = gradients_of(masked_mean(nan, SCORED), masked_mean.given[:1], "NaN at unscored places")
    if isinstance(given, Gap):
        return given
    if not torch.allclose(given[0], SCORED / 3):
        return Gap("NaN at unscored places", "other gradients than without")
    return None


@prop("it holds for any shape", "is a number of the example written down?")
def any_shape(masked_mean: Call, generator: torch.Generator) -> Gap | None:
    for shape in ((1,), (7,), (4, 33), (3, 5, 2), (1, 1, 1, 1)):
        values = 10 * torch.randn(shape, generator=generator)
        scored = torch.rand(shape, generator=generator) < 0.4
        scored.view(-1)[0] = True
        found, wanted = float(masked_mean(values, scored)), float(values[scored].double().mean())
        if not math.isclose(found, wanted, rel_tol=1e-4, abs_tol=1e-5):
            return Gap(f"values of shape {shape}", f"{found:.5f}, not {wanted:.5f}")
    return None


@prop("its inputs stay as they were", "which line writes into an input?")
def inputs(masked_mean: Call, generator: torch.Generator) -> Gap | None:
    masked_mean(VALUES, SCORED)
    return changed_gap(masked_mean, TRIED)


EXERCISE = Exercise(
    id="6.2",
    title="One mean for all",
    kind="implement",
    level=1,
    minutes=8,
    place="class",
    needs=("masked_mean",),
    properties=(structure, value, nothing, stays_out, shows, inputs, gradient, any_shape),
    twins=("companion.losses.masked_mean",),
    fact="every loss of this course is this mean over something: words, pairs, tokens, patches",
    hints=(
        "Where to look. Two places can give NaN: a value that is multiplied by 0, and a sum that "
        "is divided by 0.",
        "The idea. Pick the scored values out, so that the others are gone. Divide their sum by "
        "their number, but never by less than 1.",
        "The shape of the answer. Two lines: a pick by bool; a sum, divided by the larger of a "
        "number and 1.",
    ),
    transfer="Why is a small number added below the line, as BERT's own code does, not the same?",
)
