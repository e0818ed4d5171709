"""2.2: labels: the original id where a token is selected, -100 elsewhere."""

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, first_place, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

# Selected: 11 is hidden (4), 13 is replaced by 50, 15 is kept as it is.
IDS = torch.tensor([[2, 11, 12, 13, 14, 15, 3]])
CORRUPTED = torch.tensor([[2, 4, 12, 50, 14, 15, 3]])
SELECTED = torch.tensor([[False, True, False, True, False, True, False]])
RIGHT = [-100, 11, -100, 13, -100, 15, -100]
TRIED = f"ids {IDS[0].tolist()}, seen as {CORRUPTED[0].tolist()}, places 1, 3 and 5 selected"
KNOWN: dict[tuple[int, ...], str] = {
    (-100, 11, -100, 13, -100, -100, -100): "labels where the text looks different",
    (-100, 4, -100, 50, -100, 15, -100): "labels taken from the corrupted text",
    (0, 11, 0, 13, 0, 15, 0): "0 in place of -100",
    (-1, 11, -1, 13, -1, 15, -1): "-1 in place of -100",
    (2, -100, 12, -100, 14, -100, 3): "the two cases exchanged",
    (2, 11, 12, 13, 14, 15, 3): "labels everywhere",
    (-100, 11, -100, -100, -100, -100, -100): "labels at [MASK] alone",
}
ASK_WHERE = "which of the three inputs says at which places a label is due?"


def _known(labels: Tensor) -> str:
    return KNOWN.get(tuple(int(x) for x in labels[0]), "")


@prop("it returns one whole number for every token", "what comes back, and of which shape?")
def structure(make_labels: Call, generator: torch.Generator) -> Gap | None:
    labels = make_labels(IDS, CORRUPTED, SELECTED)
    if gap := not_a_tensor(labels, (1, 7), "whole numbers", TRIED):
        return gap
    return (
        None
        if labels.dtype == torch.long
        else Gap(TRIED, f"numbers of {labels.dtype}; cross-entropy wants torch.long")
    )


@prop(
    "a selected token's label is its original id, however it looks now",
    "which of the three inputs still knows what stood there?",
)
def selected(make_labels: Call, generator: torch.Generator) -> Gap | None:
    labels = make_labels(IDS, CORRUPTED, SELECTED)
    wrong = SELECTED & (labels != IDS)
    if wrong.any():
        place = first_place(wrong)[1]
        return Gap(
            TRIED,
            f"label {int(labels[0, place])} at place {place}, where {int(IDS[0, place])} stood",
            _known(labels),
            ask="" if int(labels[0, place]) != -100 else ASK_WHERE,
        )
    return None


@prop("the label of every other token is -100", "which label does the loss skip?")
def others(make_labels: Call, generator: torch.Generator) -> Gap | None:
    labels = make_labels(IDS, CORRUPTED, SELECTED)
    wrong = ~SELECTED & (labels != -100)
    if wrong.any():
        place = first_place(wrong)[1]
        return Gap(
            TRIED,
            f"label {int(labels[0, place])} at place {place}, which is not selected",
            _known(labels),
        )
    return None


@prop("where nothing is selected, all labels are -100", "is a row without targets a special case?")
def nothing(make_labels: Call, generator: torch.Generator) -> Gap | None:
    labels = make_labels(IDS, IDS, torch.zeros_like(SELECTED))
    if gap := not_a_tensor(labels, (1, 7), "whole numbers", "nothing selected"):
        return gap
    return Gap("nothing selected", f"{labels[0].tolist()}") if (labels != -100).any() else None


@prop("it holds for any batch", "does your code look at the values of ids, or at the selection?")
def any_batch(make_labels: Call, generator: torch.Generator) -> Gap | None:
    for shape in ((3, 8), (1, 1), (40, 30)):
        # 0 is an id as any other, and large vocabularies have 100,000 of them.
        ids = torch.randint(0, 100_000, shape, generator=generator)
        ids[:, ::3] %= 5
        chosen = torch.rand(shape, generator=generator) < 0.3
        seen = torch.where(chosen, torch.randint(0, 40, shape, generator=generator), ids)
        labels = make_labels(ids, seen, chosen)
        gap = not_a_tensor(labels, shape, "whole numbers", f"ids of shape {shape}")
        if gap:
            return gap
        right = [i if c else -100 for i, c in zip(ids.flatten(), chosen.flatten(), strict=True)]
        wrong = labels.flatten() != torch.tensor([int(value) for value in right])
        if wrong.any():
            wrong = wrong.view(shape)
            row, place = first_place(wrong)
            state = "selected" if chosen[row, place] else "not selected"
            return Gap(
                f"ids of shape {shape}; at row {row}, place {place} stands {int(ids[row, place])}, "
                f"{state}",
                f"its label is {int(labels[row, place])}",
                ask=_where(wrong),
            )
    return None


def _where(wrong: Tensor) -> str:
    """A question about the places that are wrong, if they lie in a telling way."""
    if len(wrong) > 1 and not wrong[0].any() and wrong[1:].any(-1).all():
        return "do all rows get their labels?"
    if wrong.shape[1] > 2 and not wrong[:, 1:-1].any():
        return "do both ends of a row get their labels?"
    return ""


@prop("its inputs stay as they were", "which line writes into an input? Would a copy help?")
def inputs(make_labels: Call, generator: torch.Generator) -> Gap | None:
    make_labels(IDS, CORRUPTED, SELECTED)
    return changed_gap(make_labels, TRIED)


EXERCISE = Exercise(
    id="2.2",
    title="Make the labels",
    kind="implement",
    level=1,
    minutes=6,
    place="class",
    needs=("make_labels",),
    properties=(structure, selected, others, nothing, any_batch, inputs),
    fact=(
        "a program that looks for changed tokens loses one in ten labels: those of the tokens that "
        "were kept"
    ),
    hints=(
        "Where to look. One of the three inputs is not needed at all. Which one would still be "
        "right if the text had been corrupted in another way?",
        "The idea. Two cases, told apart by `selected` alone. In one case the label is what stood "
        "there first. In the other it is the number that PyTorch's cross-entropy skips.",
        "The shape of the answer. One line is enough. PyTorch can fill the places where a bool "
        "tensor is True, and give back a new tensor. Think about which places are to be filled: "
        "the selected ones or the others?",
    ),
    transfer=(
        "A colleague computes accuracy as (prediction == labels).float().mean(). Why is it far "
        "too low?"
    ),
)
