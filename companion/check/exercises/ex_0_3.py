"""0.3: undo a shuffle."""

import torch

from companion.check.call import Call
from companion.check.compare import changed_gap, first_place, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

PERM = torch.tensor([[2, 0, 3, 1], [1, 2, 0, 3]])
RIGHT = torch.tensor([[1, 3, 0, 2], [2, 0, 1, 3]])
TRIED = "perm = 2, 0, 3, 1; 1, 2, 0, 3"
KNOWN = {
    tuple(
        PERM.flatten().tolist()
    ): "the shuffle itself; sorting its places twice also gives it back",
    tuple(PERM.flip(1).flatten().tolist()): "the order turned round",
    tuple((3 - PERM).flatten().tolist()): "counting the cards from the other end",
    (0, 1, 2, 3, 0, 1, 2, 3): "the cards in order, and not where they lie",
    tuple((3 - RIGHT).flatten().tolist()): "counting the places from the other end",
    tuple(RIGHT.flip(1).flatten().tolist()): "the cards from the last to the first",
}


@prop("it returns whole numbers of the shape of perm", "what comes back, and of which shape?")
def structure(inverse: Call, generator: torch.Generator) -> Gap | None:
    return not_a_tensor(inverse(PERM), (2, 4), "whole numbers", TRIED)


@prop(
    "entry c of a row is the place where card c lies",
    "in the row that is wrong: where does each card lie?",
)
def values(inverse: Call, generator: torch.Generator) -> Gap | None:
    found = inverse(PERM)
    if not torch.equal(found, RIGHT):
        row, card = first_place(found != RIGHT)
        return Gap(
            TRIED,
            f"{found[row].tolist()} for row {row}; card {card} lies at place "
            f"{int(RIGHT[row, card])}",
            KNOWN.get(tuple(found.flatten().tolist()), ""),
        )
    return None


@prop("each row is undone by itself", "does your code look at one row at a time?")
def rows(inverse: Call, generator: torch.Generator) -> Gap | None:
    for b, n in ((5, 6), (1, 1), (6, 3), (2, 9), (1, 300)):
        perm = torch.stack([torch.randperm(n, generator=generator) for _ in range(b)])
        found = inverse(perm)
        tried = f"{b} shuffled rows of {n} cards"
        if gap := not_a_tensor(found, (b, n), "whole numbers", tried):
            return gap
        for row in range(b):
            inside = bool(((found[row] >= 0) & (found[row] < n)).all())
            if not inside or perm[row][found[row]].tolist() != list(range(n)):
                return Gap(f"{tried}; row {row} is {perm[row][:6].tolist()}", "row not in order")
    return None


@prop("it is an index: numbers of torch.long", "which type does an index need?")
def as_index(inverse: Call, generator: torch.Generator) -> Gap | None:
    found = inverse(PERM)
    return None if found.dtype == torch.long else Gap(TRIED, f"numbers of {found.dtype}")


@prop("perm stays as it was", "which line writes into perm?")
def inputs(inverse: Call, generator: torch.Generator) -> Gap | None:
    inverse(PERM)
    return changed_gap(inverse, TRIED)


EXERCISE = Exercise(
    id="0.3",
    title="Undo a shuffle",
    kind="implement",
    level=2,
    minutes=8,
    place="class",
    needs=("inverse",),
    properties=(structure, values, rows, as_index, inputs),
    fact="one index shuffles the pieces of a picture, and its inverse restores them",
    hints=(
        "Where to look. Write two lines below each other: 0, 1, 2, 3 and 2, 0, 3, 1. They say: at "
        "place 0 lies card 2. Now sort the *columns* by the lower number. What does the upper "
        "line say then?",
        "The idea. Sorting the cards moves each to its place. The question is not what comes out "
        "(0, 1, 2, 3), but where each card came from. PyTorch can tell that without a loop.",
        "The shape of the answer. One line: a function that returns the *places* in the order in "
        "which sorting would visit them, along each row. (Another way: make an empty tensor and "
        "write the numbers 0 to N − 1 into it, at the places that perm names.)",
    ),
    transfer="What is the inverse of the inverse? Say it in cards.",
)
