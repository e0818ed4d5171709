"""1.6, find the bug: padding on the left moves a sentence."""

import torch

from companion.check.call import Call
from companion.check.compare import changed_gap, first_place, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

LEFT = torch.tensor([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]]).bool()
TRIED = "mask 0, 0, 1, 1, 1"
KNOWN = {
    (0, 1, 2, 3, 4): "counting places of the row, and not real tokens",
    (-1, -1, 0, 1, 2): "padding is negative: no table has such a row",
    (0, 0, 1, 2, 3): "counting from 1",
    (1, 1, 0, 1, 2): "padding is 1 here, as in some libraries; in the task it is 0",
    (4, 3, 2, 1, 0): "counting from the end",
    (0, 0, 2, 3, 4): "the place in the row, with padding at 0",
}


@prop("it returns a whole number for each place", "what comes back, and of which shape?")
def structure(position_ids: Call, generator: torch.Generator) -> Gap | None:
    found = position_ids(LEFT)
    if gap := not_a_tensor(found, (2, 5), "whole numbers", f"{TRIED}; 1, 1, 1, 1, 1"):
        return gap
    if found.dtype not in (torch.long, torch.int32):
        return Gap(TRIED, f"numbers of {found.dtype}; an index needs torch.long")
    return None


@prop("real tokens count 0, 1, 2 and so on", "what is the number of the first real token?")
def real(position_ids: Call, generator: torch.Generator) -> Gap | None:
    found = position_ids(LEFT)
    for row, wanted in ((0, [0, 1, 2]), (1, [0, 1, 2, 3, 4])):
        got = found[row][LEFT[row]].tolist()
        if got != wanted:
            tried = TRIED if row == 0 else "mask 1, 1, 1, 1, 1"
            whole = tuple(found[row].tolist())
            return Gap(tried, f"{list(whole)}", KNOWN.get(whole, "") if row == 0 else "")
    return None


@prop("padding has position 0", "what stands at the places where mask is False?")
def padding(position_ids: Call, generator: torch.Generator) -> Gap | None:
    found = position_ids(LEFT)
    if (found[~LEFT] != 0).any():
        whole = tuple(found[0].tolist())
        return Gap(TRIED, f"{list(whole)}", KNOWN.get(whole, ""))
    return None


@prop("padding may stand on either side, and in between", "does your code trust that it is left?")
def anywhere(position_ids: Call, generator: torch.Generator) -> Gap | None:
    for row in ([1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 1, 0, 1], [0, 0, 0], [1]):
        mask = torch.tensor([row]).bool()
        found = position_ids(mask)
        count, wanted = 0, []
        for is_real in row:
            wanted.append(count if is_real else 0)
            count += is_real
        tried = f"mask {', '.join(str(x) for x in row)}"
        if gap := not_a_tensor(found, (1, len(row)), "whole numbers", tried):
            return gap
        if found[0].tolist() != wanted:
            return Gap(tried, f"{found[0].tolist()}, not {wanted}")
    return None


@prop("it holds for any batch", "does each row count by itself?")
def any_batch(position_ids: Call, generator: torch.Generator) -> Gap | None:
    for shape in ((4, 9), (9, 4), (30, 50), (1, 3000)):
        mask = torch.rand(shape, generator=generator) < 0.7
        found = position_ids(mask)
        wanted = torch.zeros(shape, dtype=torch.long)
        for row in range(shape[0]):
            wanted[row, mask[row]] = torch.arange(int(mask[row].sum()))
        if gap := not_a_tensor(found, shape, "whole numbers", f"a mask of shape {shape}"):
            return gap
        if not torch.equal(found.long(), wanted):
            row, place = first_place(found.long() != wanted)
            tried = f"a mask of shape {shape}, row {row}, place {place}"
            return Gap(tried, f"{int(found[row, place])}, not {int(wanted[row, place])}")
    return None


@prop("the mask stays as it was", "which line writes into mask?")
def inputs(position_ids: Call, generator: torch.Generator) -> Gap | None:
    position_ids(LEFT)
    return changed_gap(position_ids, TRIED)


EXERCISE = Exercise(
    id="1.6",
    title="The sentence that moved",
    kind="bug",
    level=2,
    minutes=10,
    place="home",
    needs=("position_ids",),
    properties=(structure, real, padding, anywhere, any_batch, inputs),
    fact=(
        "BERT was trained with padding on the right, where the two countings agree; models that "
        "write text are padded on the left, and must count real tokens"
    ),
    hints=(
        "Where to look. The faulty line knows how long the mask is, but not what is in it.",
        "The idea. The position of a real token is the number of real tokens before it. A sum "
        "that runs along the row counts them, the token itself included.",
        "The shape of the answer. One line: a running sum along dimension 1, less one, and made 0 "
        "where mask is False. Multiplying by a bool tensor does that.",
    ),
    transfer="Rows are packed: two texts one after the other. Where should the second one start?",
)
