"""4.1: who may look where: full, causal, prefix, and never at padding."""

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, first_place, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

THREE = torch.ones(1, 3, dtype=torch.bool)
LEFT = torch.tensor([[False, True, True, True]])
RIGHT = torch.tensor([[True, True, True, False]])


def _reference(kind: str, real: Tensor, prefix: int) -> Tensor:
    table = [
        [
            [
                bool(row[j])
                and (kind == "full" or j <= i or (kind == "prefix" and max(i, j) < prefix))
                for j in range(len(row))
            ]
            for i in range(len(row))
        ]
        for row in real.tolist()
    ]
    return torch.tensor(table, dtype=torch.bool)


def _compare(found: object, kind: str, real: Tensor, prefix: int, shown: str) -> Gap | None:
    """A gap where the mask differs from what it should be; `shown` says what was tried."""
    batch, length = real.shape
    tried = f'"{kind}"' + (f" with prefix={prefix}" if kind == "prefix" else "") + f", {shown}"
    if gap := not_a_tensor(found, (batch, length, length), "bool", tried):
        return gap
    assert isinstance(found, Tensor)
    wanted = _reference(kind, real, prefix)
    if torch.equal(found, wanted):
        return None
    all_real = _reference(kind, torch.ones_like(real), prefix)
    known = {
        "True where one may not look": ~wanted,
        "the row of a padding place is empty: only its column should be": wanted & real[:, :, None],
        "padding stands in the rows, not in the columns": all_real & real[:, :, None],
        "rows and columns exchanged: the upper triangle": wanted.mT,
        "a place does not see itself": wanted & ~torch.eye(length, dtype=torch.bool),
        "padding is ignored": all_real,
        "padding and pattern joined by OR": all_real | real[:, None, :],
        "padding takes the place of the pattern": real[:, None, :].expand_as(wanted),
    }
    mistake = next((why for why, table in known.items() if torch.equal(found, table)), "")
    row, i, j = first_place(found != wanted)
    says = "may" if found[row, i, j] else "may not"
    in_row = f" in row {row}" if batch > 1 else ""
    return Gap(tried, f"place {i} {says} look at place {j}{in_row}", mistake)


@prop("it returns a bool for each pair of places", "what comes back, and of which shape?")
def structure(may_attend: Call, generator: torch.Generator) -> Gap | None:
    found = may_attend("causal", THREE)
    return not_a_tensor(found, (1, 3, 3), "bool", '"causal", three real places')


@prop("causal: itself and what came before", "is row i about the place that looks?")
def causal(may_attend: Call, generator: torch.Generator) -> Gap | None:
    for length in (3, 1, 6):
        real = torch.ones(1, length, dtype=torch.bool)
        if gap := _compare(may_attend("causal", real), "causal", real, 0, f"{length} real places"):
            return gap
    return None


@prop("full: everywhere", "who may look where in BERT?")
def full(may_attend: Call, generator: torch.Generator) -> Gap | None:
    for length in (3, 1, 6):
        real = torch.ones(1, length, dtype=torch.bool)
        if gap := _compare(may_attend("full", real), "full", real, 0, f"{length} real places"):
            return gap
    return None


@prop(
    "prefix: the first places look at each other, the rest is causal",
    "which places are in the prefix: both of a pair, or one of them?",
)
def prefix(may_attend: Call, generator: torch.Generator) -> Gap | None:
    for length, size in ((4, 2), (4, 0), (4, 1), (4, 3), (4, 4), (1, 1), (6, 5)):
        real = torch.ones(1, length, dtype=torch.bool)
        found = may_attend("prefix", real, size)
        if gap := _compare(found, "prefix", real, size, f"{length} real places"):
            return gap
    found = may_attend("causal", THREE, 2)
    if gap := _compare(found, "causal", THREE, 2, "three real places, and a prefix of 2 given"):
        return gap._replace(ask="what is prefix used for?")
    return None


@prop(
    "nobody looks at padding, on either side",
    "which entries does padding decide: a row or a column?",
)
def padding(may_attend: Call, generator: torch.Generator) -> Gap | None:
    for real, side in ((RIGHT, "right"), (LEFT, "left")):
        for kind, size in (("full", 0), ("causal", 0), ("prefix", 2), ("prefix", 3)):
            found = may_attend(kind, real, size)
            shown = f"four places, padding on the {side}"
            if gap := _compare(found, kind, real, size, shown):
                return gap
    return None


@prop("it holds for any batch", "does each row have its own padding?")
def any_batch(may_attend: Call, generator: torch.Generator) -> Gap | None:
    for batch, length in ((3, 4), (7, 3), (2, 9), (4, 1), (1, 140)):
        real = torch.rand(batch, length, generator=generator) < 0.6
        real[0] = batch == 1  # a row of padding alone, where there are others
        real[-1, 0], real[-1, 1:] = False, True
        size = int(torch.randint(length + 1, (), generator=generator))
        for kind in ("full", "causal", "prefix"):
            found = may_attend(kind, real, size)
            if gap := _compare(found, kind, real, size, f"a batch of {batch} rows of {length}"):
                return gap
    return None


@prop("real stays as it was", "which line writes into an input?")
def inputs(may_attend: Call, generator: torch.Generator) -> Gap | None:
    for kind in ("full", "causal", "prefix"):
        may_attend(kind, LEFT, 2)
        if gap := changed_gap(may_attend, f'"{kind}", padding on the left'):
            return gap
    return None


EXERCISE = Exercise(
    id="4.1",
    title="Who may look where",
    kind="implement",
    level=1,
    minutes=8,
    place="class",
    needs=("may_attend",),
    properties=(structure, causal, full, prefix, padding, any_batch, inputs),
    twins=("companion.models.patterns.attention_pattern",),
    fact="these few lines are the whole difference between BERT's network and GPT's",
    hints=(
        "Where to look. Think of one table: a row for each place that looks, a column for each "
        "place that is looked at. Which entries does each kind allow?",
        "The idea. Compare two vectors of places, one lying and one standing: a comparison of a "
        "row with a column gives the whole table. Padding forbids columns, in every row.",
        "The shape of the answer. A table of shape (length, length) for the kind; for a prefix "
        "one more condition, joined by `|`; then `&` with real, which needs a dimension more.",
    ),
    transfer="With which prefix is the prefix mask the causal one, and with which the full one?",
)
