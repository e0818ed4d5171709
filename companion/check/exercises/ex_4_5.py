"""4.5, find the bug: padding takes the place of the causal mask."""

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, first_place, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

RIGHT = torch.tensor([[True, True, True, False]])
TRIED = "real = True, True, True, False"


def _compare(found: object, real: Tensor, tried: str) -> Gap | None:
    """The first pair of places that differs from the causal mask without padding."""
    batch, length = real.shape
    if gap := not_a_tensor(found, (batch, length, length), "bool", tried):
        return gap
    assert isinstance(found, Tensor)
    place = torch.arange(length)
    causal = (place[None, :] <= place[:, None]).expand(batch, length, length)
    wanted = causal & real[:, None, :]
    if torch.equal(found, wanted):
        return None
    known = {
        "padding takes the place of the causal mask": real[:, None, :].expand_as(causal),
        "OR: padding or causal": causal | real[:, None, :],
        "the row of a padding place is empty: only its column should be": wanted & real[:, :, None],
        "padding stands in the rows, not in the columns": causal & real[:, :, None],
        "rows and columns exchanged": wanted.mT,
        "padding is ignored": causal,
    }
    mistake = next((why for why, table in known.items() if torch.equal(found, table)), "")
    row, i, j = first_place(found != wanted)
    says = "may" if found[row, i, j] else "may not"
    in_row = f" in row {row}" if batch > 1 else ""
    return Gap(tried, f"place {i} {says} look at place {j}{in_row}", mistake)


@prop("it returns a bool for each pair of places", "what comes back, and of which shape?")
def structure(training_mask: Call, generator: torch.Generator) -> Gap | None:
    return not_a_tensor(training_mask(RIGHT), (1, 4, 4), "bool", TRIED)


@prop("without padding it is causal", "what did the function do before you came?")
def no_padding(training_mask: Call, generator: torch.Generator) -> Gap | None:
    for batch, length in ((1, 4), (3, 2), (1, 1)):
        real = torch.ones(batch, length, dtype=torch.bool)
        if gap := _compare(training_mask(real), real, f"{batch} rows of {length} real places"):
            return gap
    return None


@prop("nobody looks at padding", "which column belongs to the padding?")
def blind(training_mask: Call, generator: torch.Generator) -> Gap | None:
    found = training_mask(RIGHT)
    if found[0, :, 3].any():
        gap = _compare(found, RIGHT, TRIED)
        assert gap is not None
        who = int(found[0, :, 3].nonzero()[0, 0])
        return gap._replace(got=f"place {who} may look at place 3, which is padding")
    return None


@prop("with padding it is still causal", "do both conditions hold at once, for every pair?")
def causal(training_mask: Call, generator: torch.Generator) -> Gap | None:
    return _compare(training_mask(RIGHT), RIGHT, TRIED)


@prop("padding may stand on the left, or in between", "does your code trust a side?")
def either_side(training_mask: Call, generator: torch.Generator) -> Gap | None:
    for row in ([0, 0, 1, 1, 1], [1, 0, 1, 1], [0, 1, 1, 0], [0, 0, 0], [0]):
        real = torch.tensor([row]).bool()
        words = ", ".join(str(bool(one)) for one in row)
        if gap := _compare(training_mask(real), real, f"real = {words}"):
            return gap
    return None


@prop("it holds for any batch", "does each row have its own padding?")
def any_batch(training_mask: Call, generator: torch.Generator) -> Gap | None:
    for batch, length in ((2, 3), (5, 8), (8, 5), (1, 60)):
        real = torch.rand(batch, length, generator=generator) < 0.6
        real[0, 0], real[-1, -1] = False, False
        if batch > 2:
            real[1] = False
        if gap := _compare(training_mask(real), real, f"{batch} rows of {length} places"):
            return gap
    return None


@prop("real stays as it was", "which line writes into an input?")
def inputs(training_mask: Call, generator: torch.Generator) -> Gap | None:
    training_mask(RIGHT)
    return changed_gap(training_mask, TRIED)


EXERCISE = Exercise(
    id="4.5",
    title="Below the record",
    kind="bug",
    level=2,
    minutes=10,
    place="class",
    needs=("training_mask",),
    properties=(structure, no_padding, blind, causal, either_side, any_batch, inputs),
    twins=("companion.models.patterns.attention_pattern",),
    fact=(
        "this bug has stood in public training code; its loss was 3.93 where that of the "
        "reference was 7.49"
    ),
    hints=(
        "Where to look. Without padding nothing leaks. So look at the branch that runs only where "
        "there is padding.",
        "The idea. Two conditions must hold at once: the place is not later, and it is real. The "
        "line makes the second one, and forgets the first.",
        "The shape of the answer. One line: the mask that was there, joined with the one of the "
        "padding by the operator for 'both'.",
    ),
    transfer="A batch without padding trains well, one with padding too well. How would you test?",
)
