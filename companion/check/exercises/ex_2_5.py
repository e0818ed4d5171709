"""2.5, find the bug: the loss is 0.000, and at [MASK] nothing is right."""

import torch

from companion.check.call import Call
from companion.check.compare import changed_gap, first_place, kind_of, not_a_tensor, shares_memory
from companion.check.exercise import Exercise, Gap, prop

MASK = 4
IDS = torch.tensor([[2, 11, 12, 13, 3], [2, 21, 22, 23, 3]])
SELECTED = torch.tensor([[False, True, False, True, False], [False, False, True, False, False]])
OTHER = 99_999  # another id of [MASK], in another vocabulary
MANY = (torch.arange(600) * 163 % 99_991 + 5).view(20, 30)
TRIED = f"ids {IDS[0].tolist()}, places 1 and 3 selected"


@prop("it returns two tensors of the shape of ids", "what comes back, and in which order?")
def structure(mask_batch: Call, generator: torch.Generator) -> Gap | None:
    out = mask_batch(IDS, SELECTED, MASK)
    if not isinstance(out, tuple | list) or len(out) != 2:
        ask = "is there a return at the end of the function?" if out is None else ""
        return Gap(TRIED, f"{kind_of(out)}, and not the pair (corrupted, labels)", ask=ask)
    for value in out:
        if gap := not_a_tensor(value, (2, 5), "whole numbers", TRIED):
            return gap
    return None


@prop("every selected token is [MASK] in the first one", "which of the two does the model see?")
def corrupted(mask_batch: Call, generator: torch.Generator) -> Gap | None:
    seen, labels = mask_batch(IDS, SELECTED, MASK)
    if (seen[SELECTED] != MASK).any():
        swapped = torch.equal(labels, IDS.masked_fill(SELECTED, MASK))
        return Gap(TRIED, f"{seen[0].tolist()}", "the two in the wrong order" if swapped else "")
    seen, _ = mask_batch(MANY, MANY > 0, OTHER)
    if (seen != OTHER).any():
        return Gap(
            f"20 rows of 30 tokens, all selected, mask_id {OTHER}",
            f"{OTHER} stands at {int((seen == OTHER).sum())} of 600 places",
            ask="where in your code does mask_id stand?",
        )
    return None


@prop("the other tokens stay in it", "which places may change?")
def others(mask_batch: Call, generator: torch.Generator) -> Gap | None:
    seen, _ = mask_batch(IDS, SELECTED, MASK)
    wrong = ~SELECTED & (seen != IDS)
    return Gap(TRIED, f"{seen[0].tolist()}") if wrong.any() else None


@prop(
    "the label of a selected token is its original id",
    "when is the last moment at which the original can still be read?",
)
def labels_of_selected(mask_batch: Call, generator: torch.Generator) -> Gap | None:
    _, labels = mask_batch(IDS, SELECTED, MASK)
    wrong = SELECTED & (labels != IDS)
    if not wrong.any():
        return None
    row, place = first_place(wrong)
    got = int(labels[row, place])
    mistake = "reading a label after the original was overwritten" if got == MASK else ""
    return Gap(TRIED, f"label {got} where {int(IDS[row, place])} stood", mistake)


@prop("the label of every other token is -100", "which label does the loss skip?")
def labels_of_others(mask_batch: Call, generator: torch.Generator) -> Gap | None:
    _, labels = mask_batch(IDS, SELECTED, MASK)
    wrong = ~SELECTED & (labels != -100)
    if wrong.any():
        row, place = first_place(wrong)
        return Gap(TRIED, f"label {int(labels[row, place])} at place {place} of row {row}")
    return None


@prop(
    "what counts is `selected`, and not how a token looks",
    "what if a text holds [MASK] already?",
)
def selection_decides(mask_batch: Call, generator: torch.Generator) -> Gap | None:
    # Place 1 is [MASK] and not selected; place 3 is [MASK] and selected.
    ids, chosen = torch.tensor([[2, MASK, 12, MASK, 3]]), torch.tensor([[0, 0, 1, 1, 0]]).bool()
    _, labels = mask_batch(ids, chosen, MASK)
    if labels.tolist() != [[-100, -100, 12, MASK, -100]]:
        return Gap(
            f"ids {ids[0].tolist()}, places 2 and 3 selected", f"labels {labels[0].tolist()}"
        )
    _, labels = mask_batch(MANY, MANY > 0, MASK)
    if (labels != MANY).any():
        return Gap(
            "20 rows of 30 tokens, all selected",
            f"{int((labels == MANY).sum())} of 600 labels are right",
        )
    return None


@prop(
    "the text that it was given stays as it was: the next epoch needs it",
    "do two names stand for one tensor here?",
)
def inputs(mask_batch: Call, generator: torch.Generator) -> Gap | None:
    mask_batch(IDS, SELECTED, MASK)
    gap = changed_gap(mask_batch, TRIED)
    if gap is not None and mask_batch.changed[0] != "selected":
        gap = gap._replace(mistake="a second name, or a shallow copy, of the same numbers")
    return gap


@prop("the result shares no memory with the input", "is the first result a tensor of its own?")
def own_memory(mask_batch: Call, generator: torch.Generator) -> Gap | None:
    seen, labels = mask_batch(IDS, SELECTED & False, MASK)
    for name, value in (("the first", seen), ("the second", labels)):
        if shares_memory(value, mask_batch.given):
            return Gap(
                "nothing selected",
                f"{name} result is ids itself: who writes into it changes the text",
            )
    return None


EXERCISE = Exercise(
    id="2.5",
    title="The perfect loss",
    kind="bug",
    level=2,
    minutes=10,
    place="class",
    needs=("mask_batch",),
    properties=(
        structure,
        corrupted,
        others,
        labels_of_selected,
        labels_of_others,
        selection_decides,
        inputs,
        own_memory,
    ),
    fact="a loss that is too good is a symptom; look at the answers beside it",
    hints=(
        "Where to look. The symptom is in the labels: they say [MASK] where a word should stand. "
        "Which line makes the labels, and what does it read?",
        "The idea. `a = b` makes a second name for the same numbers. Whoever writes through one "
        "name changes what the other one shows. A view or a slice does the same.",
        "The shape of the answer. One line has to change: the one that begins the corrupted text. "
        "It needs numbers of its own. Tensors have a method for that, and its name is short.",
    ),
    transfer=(
        "The same function is called again in the next epoch. With the bug still in it, what "
        "does the model see then?"
    ),
)
