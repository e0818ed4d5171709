"""4.4: does a model know the token that it is to say?"""

import math
from typing import Any

import torch
from torch import Tensor, nn

from companion.check.call import Call
from companion.check.compare import changed_gap, kind_of, one_number
from companion.check.exercise import Exercise, Gap, prop

IDS = torch.tensor([[5, 6, 7, 8, 9]])
TRIED = "ids 5, 6, 7, 8, 9, t = 2, other = 1"
TABLE = torch.arange(200.0)  # a look-up, which wants whole numbers


class _LookUp(nn.Module):
    """Each token by itself."""

    def forward(self, ids: Tensor) -> Tensor:
        return torch.stack([TABLE[ids], 3.0 - ids], dim=-1)


class _Back(nn.Module):
    """Each token and all before it."""

    def forward(self, ids: Tensor) -> Tensor:
        return torch.stack([ids.cumsum(1) * 1.0, 3.0 - ids], dim=-1)


class _Ahead(nn.Module):
    """The token after the next counts for a little, the next for more; far numbers for all."""

    def forward(self, ids: Tensor) -> Tensor:
        floats = nn.functional.pad(TABLE[ids], (0, 2))
        one, two = floats[:, 1:-1], floats[:, 2:]
        place = torch.arange(1, ids.shape[1] + 1)
        return torch.stack(
            [floats[:, :-2], 0.1 * one / place, -0.3 * one - 0.01 * two * place], dim=-1
        )


class _Average(nn.Module):
    """Everything sees everything; the first place most."""

    def forward(self, ids: Tensor) -> Tensor:
        weights = 1 / torch.arange(1.0, ids.shape[1] + 1)
        return (ids.float().mean(1, keepdim=True) * weights)[..., None] + ids[..., None]


class _Wild(_Ahead):
    """Looks ahead, and has dropout and a part of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.dropout = nn.Dropout(0.5)

    def forward(self, ids: Tensor) -> Tensor:
        return torch.as_tensor(self.dropout(super().forward(ids)))


def _reference(model: nn.Module, ids: Tensor, t: int, other: int) -> float:
    changed = torch.tensor([[other if p == t + 1 else int(x) for p, x in enumerate(ids[0])]])
    before, after = model(ids), model(changed)
    return max(float((after[0, p] - before[0, p]).abs().max()) for p in range(t + 1))


def _shown(number: float | None) -> str:
    return "no number" if number is None else f"{number:.4g}"


@prop("it returns one number, not below 0", "what comes back from your function?")
def structure(future_leak: Call, generator: torch.Generator) -> Gap | None:
    value: Any = future_leak(_Ahead().eval(), IDS, 2, 1)
    if value is None:
        return Gap(TRIED, "None", ask="is there a return at the end of the function?")
    number = one_number(value)
    if number is None:
        return Gap(TRIED, f"{kind_of(value)}, and not one number")
    return Gap(TRIED, f"{number:.3g}", "no absolute value") if number < 0 else None


@prop("a model that looks at itself, or back, has 0", "which places do you compare?")
def none(future_leak: Call, generator: torch.Generator) -> Gap | None:
    for name, model in (("at each token by itself", _LookUp()), ("back", _Back())):
        found = one_number(future_leak(model.eval(), IDS, 2, 1))
        if found is None or not abs(found) < 1e-6:
            known = {
                7.0: "the changed place itself is compared",
                6.0: "the token at place t is changed, not the one after it",
            }
            mistake = next((why for x, why in known.items() if x == found), "")
            return Gap(f"{TRIED}, a model that looks {name}", f"{_shown(found)}, not 0", mistake)
    return None


@prop("it is the largest change at places 0 to t", "largest, mean or sum? Over which numbers?")
def largest(future_leak: Call, generator: torch.Generator) -> Gap | None:
    for name, model in (("looks ahead", _Ahead()), ("averages over the row", _Average())):
        for t, other in ((2, 1), (0, 30), (3, 2)):
            found = one_number(future_leak(model.eval(), IDS, t, other))
            wanted = _reference(model, IDS, t, other)
            if found is None or not abs(found - wanted) < 1e-5:
                tried = f"ids 5 to 9, t = {t}, other = {other}, a model that {name}"
                before = _reference(model, IDS, t - 1, other) if t else math.nan
                mistake = "the token at place t is changed, not the one after it"
                is_it = found is not None and abs(found - before) < 1e-5
                return Gap(tried, f"{_shown(found)}, not {wanted:.4g}", mistake if is_it else "")
    return None


@prop("it holds for any row, place and token", "is a length, a place or an id written down?")
def any_row(future_leak: Call, generator: torch.Generator) -> Gap | None:
    # A token that comes again, an id of 0, and a place far to the right.
    cases = [([4, 4, 4, 4], 0, 9), ([3, 7, 5], 1, 0), (list(range(20, 34)), 11, 90)]
    for length in (2, 3, 8, 12):
        for _ in range(3):
            row = torch.randint(50, (length,), generator=generator).tolist()
            t = int(torch.randint(length - 1, (), generator=generator))
            cases.append((row, t, row[t + 1] + 1 + int(torch.randint(40, (), generator=generator))))
    for row, t, other in cases:
        for model in (_Ahead().eval(), _Average().eval()):
            ids = torch.tensor([row])
            found = one_number(future_leak(model, ids, t, other))
            wanted = _reference(model, ids, t, other)
            if found is None or not abs(found - wanted) < 1e-4:
                tried = f"ids {row}, t = {t}, other = {other}"
                return Gap(tried, f"{_shown(found)}, not {wanted:.4g}")
    return None


@prop("dropout is off while you measure", "which mode of a module switches dropout off?")
def dropout(future_leak: Call, generator: torch.Generator) -> Gap | None:
    for _ in range(3):
        found = one_number(future_leak(_Wild().train(), IDS, 2, 1))
        wanted = _reference(_Wild().eval(), IDS, 2, 1)
        if found is None or not abs(found - wanted) < 1e-5:
            tried = f"{TRIED}, a model in training mode"
            return Gap(tried, f"{_shown(found)}, not {wanted:.4g}", "dropout was on")
    return None


@prop("the model is left in the mode that it was in", "which mode did it have before you came?")
def mode(future_leak: Call, generator: torch.Generator) -> Gap | None:
    for name, training in (("training", True), ("eval", False)):
        model = _Wild().train(training)
        future_leak(model, IDS, 2, 1)
        if model.training != training or model.dropout.training != training:
            return Gap(f"a model in {name} mode", "another mode afterwards")
    return None


@prop("ids stay as they were", "which line writes into an input?")
def inputs(future_leak: Call, generator: torch.Generator) -> Gap | None:
    future_leak(_Ahead().eval(), IDS, 2, 1)
    return changed_gap(future_leak, TRIED)


EXERCISE = Exercise(
    id="4.4",
    title="Does it know the future?",
    kind="implement",
    level=2,
    minutes=10,
    place="class",
    needs=("future_leak",),
    properties=(structure, none, largest, any_row, dropout, mode, inputs),
    fact="one changed token finds every leak, however it came about; keep this as a test",
    hints=(
        "Where to look. You need two outputs of the same model: for the row as it is, and for a "
        "copy with one token changed. Which token, and which places do you then compare?",
        "The idea. Copy ids before you write into them. `model.training` says which mode a model "
        "is in, `model.eval()` switches dropout off.",
        "The shape of the answer. The difference of two tensors of shape (1, length, width), cut "
        "after place t, its absolute value, the largest number of all.",
    ),
    transfer="A leak jumps over one place: t knows token t + 2, not t + 1. Does your test see it?",
)
