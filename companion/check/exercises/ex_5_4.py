"""5.4: back into the order of the picture, with a mask token wherever nothing was kept."""

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, gradients_of, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

# Five patches; 3 and 1 are kept, in this order. Vectors say what they are: 100 is [CLS].
ENCODED = torch.tensor([[[100.0, 100.0], [3.0, 30.0], [1.0, 10.0]]])
BLANK = torch.tensor([-1.0, -2.0])
RESTORE = torch.tensor([[2, 1, 4, 0, 3]])
TRIED = "five patches, of which 3 and 1 are kept, in this order"


def _reference(encoded: Tensor, blank: Tensor, restore: Tensor) -> Tensor:
    rows = []
    for row, places in zip(encoded, restore.tolist(), strict=True):
        kept = row[1:]
        found = [kept[place] if place < len(kept) else blank for place in places]
        rows.append(torch.stack([row[0], *found]))
    return torch.stack(rows)


def _wrong_ways(encoded: Tensor, blank: Tensor, restore: Tensor) -> dict[str, Tensor]:
    batch, kept = encoded.shape[0], encoded.shape[1] - 1
    patches, width = restore.shape[1], encoded.shape[2]
    blanks = blank.expand(batch, patches - kept, width)

    def taken(x: Tensor, index: Tensor) -> Tensor:
        return x.gather(1, index[:, :, None].expand(-1, -1, width))

    cls, rest = encoded[:, :1], encoded[:, 1:]
    shuffled = torch.cat([rest, blanks], 1)
    return {
        "not put back into order": torch.cat([cls, shuffled], 1),
        "the mask tokens come before the kept ones": torch.cat(
            [cls, taken(torch.cat([blanks, rest], 1), restore)], 1
        ),
        "shuffled once more: the order, not its inverse": torch.cat(
            [cls, taken(shuffled, restore.argsort(1))], 1
        ),
        "[CLS] is moved like a patch": torch.cat(
            [
                taken(torch.cat([encoded, blanks], 1), restore),
                torch.cat([encoded, blanks], 1)[:, -1:],
            ],
            1,
        ),
        "[CLS] stands at the end": torch.cat([taken(shuffled, restore), cls], 1),
        "zeros in place of the mask token": _reference(encoded, torch.zeros_like(blank), restore),
    }


def _compare(unshuffle: Call, encoded: Tensor, restore: Tensor, tried: str) -> Gap | None:
    blank = BLANK if encoded.shape[2] == 2 else torch.linspace(-3, -1, encoded.shape[2])
    wanted = _reference(encoded, blank, restore)
    found = unshuffle(encoded, blank, restore)
    if gap := not_a_tensor(found, tuple(wanted.shape), "floats", tried):
        return gap
    if torch.allclose(found, wanted, atol=1e-6):
        return None
    ways = _wrong_ways(encoded, blank, restore)
    mistake = next((w for w, one in ways.items() if torch.allclose(found, one, atol=1e-6)), "")
    is_wrong = (found - wanted).abs().amax(2) > 1e-6
    row, place = (int(one) for one in is_wrong.nonzero()[0])
    who = "[CLS] (place 0)" if place == 0 else f"patch {place - 1} (place {place})"
    got = f"{[round(x, 2) for x in found[row, place].tolist()[:3]]} for {who}"
    return Gap(
        tried, f"{got}, not {[round(x, 2) for x in wanted[row, place].tolist()[:3]]}", mistake
    )


@prop("it returns [CLS] and a vector for every patch", "how many vectors does the decoder read?")
def structure(unshuffle: Call, generator: torch.Generator) -> Gap | None:
    found = unshuffle(ENCODED, BLANK, RESTORE)
    return not_a_tensor(found, (1, 6, 2), "floats", TRIED)


@prop("[CLS] stays in front", "which vector is never moved?")
def cls(unshuffle: Call, generator: torch.Generator) -> Gap | None:
    found = unshuffle(ENCODED, BLANK, RESTORE)
    if torch.allclose(found[0, 0], ENCODED[0, 0]):
        return None
    gap = _compare(unshuffle, ENCODED, RESTORE, TRIED)
    return gap


@prop("kept patches stand at their places", "where does patch 3, the first kept one, belong?")
def kept(unshuffle: Call, generator: torch.Generator) -> Gap | None:
    found, wanted = unshuffle(ENCODED, BLANK, RESTORE), _reference(ENCODED, BLANK, RESTORE)
    places = [2, 4]  # of patches 1 and 3
    if torch.allclose(found[0, places], wanted[0, places], atol=1e-6):
        return None
    return _compare(unshuffle, ENCODED, RESTORE, TRIED)


@prop("a mask token stands at every other place", "what fills the places of hidden patches?")
def blanks(unshuffle: Call, generator: torch.Generator) -> Gap | None:
    return _compare(unshuffle, ENCODED, RESTORE, TRIED)


@prop("each picture has an order of its own", "do all rows get the places of the first one?")
def rows(unshuffle: Call, generator: torch.Generator) -> Gap | None:
    encoded = torch.cat([ENCODED, ENCODED + 200, ENCODED + 400])
    restore = torch.tensor([[2, 1, 4, 0, 3], [0, 1, 2, 3, 4], [4, 3, 2, 1, 0]])
    return _compare(unshuffle, encoded, restore, "three pictures with different orders")


@prop("it holds for any picture", "is a number of the example written down?")
def any_picture(unshuffle: Call, generator: torch.Generator) -> Gap | None:
    for batch, patches, kept, width in ((2, 16, 4, 3), (1, 1, 1, 5), (3, 6, 6, 4), (7, 9, 1, 2)):
        encoded = torch.randn(batch, 1 + kept, width, generator=generator)
        restore = torch.stack([torch.randperm(patches, generator=generator) for _ in range(batch)])
        tried = f"a batch of {batch}: {patches} patches, {kept} kept, width {width}"
        if gap := _compare(unshuffle, encoded, restore, tried):
            return gap
    return None


@prop("gradients reach encoder and mask token", "does a number leave PyTorch on its way?")
def gradient(unshuffle: Call, generator: torch.Generator) -> Gap | None:
    encoded = ENCODED.clone().requires_grad_()
    blank = BLANK.clone().requires_grad_()
    tried = "vectors that ask for a gradient"
    found = unshuffle(encoded, blank, RESTORE)
    given = gradients_of(found, unshuffle.given[:2], tried)
    if isinstance(given, Gap):
        return given
    if not (given[0] == 1).all():
        return Gap(tried, "no gradient of 1 for each encoded value")
    if not (given[1].reshape(-1) == 3).all():
        return Gap(tried, "the mask token's gradient is not that of three places")
    return None


@prop("its inputs stay as they were", "which line writes into an input?")
def inputs(unshuffle: Call, generator: torch.Generator) -> Gap | None:
    unshuffle(ENCODED, BLANK, RESTORE)
    return changed_gap(unshuffle, TRIED)


EXERCISE = Exercise(
    id="5.4",
    title="Back into order",
    kind="implement",
    level=2,
    minutes=10,
    place="class",
    needs=("unshuffle",),
    properties=(structure, cls, kept, blanks, rows, any_picture, gradient, inputs),
    fact="one and the same vector stands at every hidden place: positions alone tell them apart",
    hints=(
        "Where to look. restore speaks of patches. Which vector of `encoded` is none?",
        "The idea. Set [CLS] aside. Put mask tokens behind the kept vectors until there are as "
        "many as patches. Then take them in the order that restore names, and put [CLS] in "
        "front again.",
        "The shape of the answer. Four lines: a number of blanks; cat; gather along dimension 1 "
        "with an index as wide as the vectors; cat.",
    ),
    transfer="What would happen if the mask token were put in front of the encoder instead?",
)
