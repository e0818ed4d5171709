"""5.5: the scrambled picture: positions that are given out after patches were dropped."""

from collections.abc import Callable

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, gradients_of, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

Embed = Callable[[Tensor], Tensor]
PATCHES = torch.tensor([[[1.0], [2.0], [3.0], [4.0]]])
POSITIONS = torch.tensor([[10.0], [20.0], [30.0], [40.0]])
KEEP = torch.tensor([[2, 0]])
TRIED = "patches 1 2 3 4 at positions 10 20 30 40; patches 2 and 0 are kept"


def _double(patches: Tensor) -> Tensor:
    """An embedding for the small example."""
    return 2 * patches


def _reference(patches: Tensor, embed: Embed, positions: Tensor, keep: Tensor) -> Tensor:
    placed = embed(patches) + positions
    return torch.stack([row[chosen] for row, chosen in zip(placed, keep, strict=True)])


def _compare(
    embed_kept: Call,
    patches: Tensor,
    embed: Embed,
    positions: Tensor,
    keep: Tensor,
    tried: str,
) -> Gap | None:
    wanted = _reference(patches, embed, positions, keep)
    found = embed_kept(patches, embed, positions, keep)
    if gap := not_a_tensor(found, tuple(wanted.shape), "floats", tried):
        return gap
    if torch.allclose(found, wanted, atol=1e-5):
        return None
    bare = _reference(patches, embed, 0 * positions, keep)
    ordered = keep.sort(dim=1).values
    known = {
        "kept patches get the positions 0, 1, 2 ...": bare + positions[: keep.shape[1]],
        "no position is added": bare,
        "the kept patches are sorted": _reference(patches, embed, positions, ordered),
        "positions of the first picture for all": bare + positions[keep[:1]],
        "sorted, with the positions 0, 1, 2 ...": _reference(
            patches,
            embed,
            0 * positions,
            ordered,
        )
        + positions[: keep.shape[1]],
    }
    mistake = next((w for w, one in known.items() if torch.allclose(found, one, atol=1e-5)), "")
    row, place = (int(one) for one in ((found - wanted).abs().amax(2) > 1e-5).nonzero()[0])
    number = int(keep[row, place])
    shown = f"{float(found[row, place, 0]):.4g}, not {float(wanted[row, place, 0]):.4g}"
    return Gap(tried, f"{shown}, for kept patch {place}, which is number {number}", mistake)


@prop("it returns a vector for each kept patch", "what comes back, and of which shape?")
def structure(embed_kept: Call, generator: torch.Generator) -> Gap | None:
    found = embed_kept(PATCHES, _double, POSITIONS, KEEP)
    return not_a_tensor(found, (1, 2, 1), "floats", TRIED)


@prop("each kept patch has its own position", "which position does patch 2 get?")
def positions(embed_kept: Call, generator: torch.Generator) -> Gap | None:
    return _compare(embed_kept, PATCHES, _double, POSITIONS, KEEP, TRIED)


@prop("kept patches stay in the order of keep", "who else uses that order?")
def order(embed_kept: Call, generator: torch.Generator) -> Gap | None:
    for keep in ([[3, 1, 2]], [[1, 3, 0, 2]]):
        index = torch.tensor(keep)
        tried = f"patches 1 2 3 4 at positions 10 20 30 40, keep {keep[0]}"
        if gap := _compare(embed_kept, PATCHES, _double, POSITIONS, index, tried):
            return gap
    return None


@prop("each picture keeps patches of its own", "do all pictures get the same ones?")
def rows(embed_kept: Call, generator: torch.Generator) -> Gap | None:
    patches = torch.cat([PATCHES, PATCHES + 4, PATCHES + 8])
    keep = torch.tensor([[2, 0], [1, 3], [3, 2]])
    return _compare(embed_kept, patches, _double, POSITIONS, keep, "three pictures")


@prop("it holds for any picture", "is a number of the example written down?")
def any_picture(embed_kept: Call, generator: torch.Generator) -> Gap | None:
    for batch, count, kept, values, width in ((2, 16, 4, 12, 8), (1, 9, 9, 3, 5), (4, 6, 1, 2, 2)):
        weight = torch.randn(values, width, generator=generator)
        keep = torch.stack(
            [torch.randperm(count, generator=generator)[:kept] for _ in range(batch)]
        )
        patches = torch.randn(batch, count, values, generator=generator)
        places = torch.randn(count, width, generator=generator)

        def embed(x: Tensor, weight: Tensor = weight) -> Tensor:
            return x @ weight

        tried = f"a batch of {batch}: {count} patches, {kept} kept, width {width}"
        if gap := _compare(embed_kept, patches, embed, places, keep, tried):
            return gap
    return None


@prop("gradients reach the kept patches alone", "does a hidden patch enter the sum?")
def gradient(embed_kept: Call, generator: torch.Generator) -> Gap | None:
    patches = PATCHES.clone().requires_grad_()
    given = gradients_of(embed_kept(patches, _double, POSITIONS, KEEP), embed_kept.given[:1], TRIED)
    if isinstance(given, Gap):
        return given
    if given[0].flatten().tolist() != [2.0, 0.0, 2.0, 0.0]:
        return Gap(TRIED, f"gradients {given[0].flatten().tolist()}, not [2, 0, 2, 0]")
    return None


@prop("its inputs stay as they were", "which line writes into an input?")
def inputs(embed_kept: Call, generator: torch.Generator) -> Gap | None:
    embed_kept(PATCHES, _double, POSITIONS, KEEP)
    return changed_gap(embed_kept, TRIED)


EXERCISE = Exercise(
    id="5.5",
    title="The scrambled picture",
    kind="bug",
    level=2,
    minutes=10,
    place="class",
    needs=("embed_kept",),
    properties=(structure, positions, order, rows, any_picture, inputs, gradient),
    fact="a patch must carry its place before it is dealt: afterwards nobody knows where it lay",
    hints=(
        "Where to look. Follow patch 2 of the example through the lines. Which row of positions "
        "is added to it, and which one belongs to it?",
        "The idea. After the patches were picked, their numbers 0, 1, 2 ... are those of the "
        "short row. The places in the picture are known before.",
        "The shape of the answer. The same two lines, in the other order; the positions are then "
        "added to all patches.",
    ),
    transfer="Sorting keep makes the picture look better, and is still wrong. When does it show?",
)
