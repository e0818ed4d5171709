"""5.2: a picture cut into patches."""

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, first_place, gradients_of, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop


def _numbered(batch: int, channels: int, height: int, width: int) -> Tensor:
    """Every value says where it is: 1000·channel + 100·row + column, pictures 10,000 apart."""
    one = 1000 * torch.arange(channels)[:, None, None] + 100 * torch.arange(height)[:, None]
    one = one + torch.arange(width)
    return (10_000 * torch.arange(batch)[:, None, None, None] + one).float()


def _reference(images: Tensor, p: int) -> Tensor:
    batch, channels = images.shape[:2]
    cut = images.unfold(2, p, p).unfold(3, p, p)  # (batch, channels, rows, columns, p, p)
    return cut.permute(0, 2, 3, 4, 5, 1).reshape(batch, -1, p * p * channels)


def _wrong_ways(images: Tensor, p: int) -> dict[str, Tensor]:
    batch, channels, height, width = images.shape
    shape = batch, height // p * (width // p), p * p * channels
    cut = images.unfold(2, p, p).unfold(3, p, p)  # (batch, channels, rows, columns, p, p)
    return {
        "reshape alone: a patch is torn out of a line of the picture": images.reshape(shape),
        "channels last and reshape: a patch is torn out of a line": images.permute(
            0, 2, 3, 1
        ).reshape(shape),
        "the channels come first in each patch": cut.permute(0, 2, 3, 1, 4, 5).reshape(shape),
        "patches go down first, then to the right": cut.permute(0, 3, 2, 4, 5, 1).reshape(shape),
        "inside a patch rows and columns are exchanged": cut.permute(0, 2, 3, 5, 4, 1).reshape(
            shape
        ),
        "rows and columns are exchanged, of patches and inside them": cut.permute(
            0, 3, 2, 5, 4, 1
        ).reshape(shape),
    }


def _compare(patchify: Call, images: Tensor, p: int) -> Gap | None:
    tried = f"images of shape {tuple(images.shape)}, patches of {p}"
    found, wanted = patchify(images, p), _reference(images, p)
    if gap := not_a_tensor(found, tuple(wanted.shape), "floats", tried):
        return gap
    if torch.equal(found.to(wanted.dtype), wanted):
        return None
    ways = _wrong_ways(images, p)
    mistake = next((why for why, one in ways.items() if torch.equal(found.to(one), one)), "")
    b, n, k = first_place(found != wanted)
    place = _where(float(wanted[b, n, k])) if images.max() >= 1 else "another value"
    got = f"place {k} of patch {n} has {_where(float(found[b, n, k]))}"
    return Gap(tried, f"{got}; {place} belongs there", mistake)


def _where(value: float) -> str:
    """The place in the picture that a value of `_numbered` names."""
    number = round(value) % 10_000
    return f"(row {number % 1000 // 100}, column {number % 100}, channel {number // 1000})"


@prop("it returns a row of patches for each picture", "how many patches, and how long is each?")
def structure(patchify: Call, generator: torch.Generator) -> Gap | None:
    for shape, p in (((1, 1, 4, 4), 2), ((2, 3, 4, 6), 2)):
        images = _numbered(*shape)
        wanted = tuple(_reference(images, p).shape)
        found = patchify(images, p)
        tried = f"images of shape {shape}, patches of {p}"
        if gap := not_a_tensor(found, wanted, "floats", tried):
            return gap
    return None


@prop("a patch is a square of the picture", "which pixels stand in the first patch?")
def squares(patchify: Call, generator: torch.Generator) -> Gap | None:
    return _compare(patchify, _numbered(1, 1, 4, 4), 2)


@prop("the channels of a pixel stand together", "which of row, column, channel moves fastest?")
def channels(patchify: Call, generator: torch.Generator) -> Gap | None:
    return _compare(patchify, _numbered(1, 3, 4, 4), 2)


@prop("pictures need not be square", "where do height and width enter?")
def not_square(patchify: Call, generator: torch.Generator) -> Gap | None:
    for shape, p in (((1, 1, 2, 6), 2), ((1, 2, 9, 6), 3), ((1, 3, 4, 8), 2)):
        if gap := _compare(patchify, _numbered(*shape), p):
            return gap
    return None


@prop("each picture stays by itself", "does a picture run on into the next one?")
def batch(patchify: Call, generator: torch.Generator) -> Gap | None:
    return _compare(patchify, _numbered(3, 2, 4, 6), 2)


@prop("it holds for any size", "is a number of the example written down?")
def any_size(patchify: Call, generator: torch.Generator) -> Gap | None:
    for batch, channels, rows, columns, p in ((2, 5, 3, 2, 4), (1, 1, 1, 1, 3), (2, 3, 7, 5, 1)):
        images = torch.rand(batch, channels, rows * p, columns * p, generator=generator)
        if gap := _compare(patchify, images, p):
            return gap._replace(got="other values than those of the picture's patches")
    return None


@prop("gradients flow back to the pixels", "does a number leave PyTorch on its way?")
def gradient(patchify: Call, generator: torch.Generator) -> Gap | None:
    images = torch.rand(1, 2, 4, 4, generator=generator).requires_grad_()
    tried = "pictures that ask for a gradient"
    given = gradients_of(patchify(images, 2), patchify.given[:1], tried)
    if isinstance(given, Gap):
        return given
    return None if (given[0] == 1).all() else Gap(tried, "another gradient than 1 for each value")


@prop("the pictures stay as they were", "which line writes into an input?")
def inputs(patchify: Call, generator: torch.Generator) -> Gap | None:
    patchify(_numbered(2, 3, 4, 4), 2)
    return changed_gap(patchify, "two pictures of 4 by 4 pixels")


EXERCISE = Exercise(
    id="5.2",
    title="Cut a picture into patches",
    kind="implement",
    level=2,
    minutes=10,
    place="class",
    needs=("patchify",),
    properties=(structure, squares, channels, not_square, batch, any_size, gradient, inputs),
    twins=("companion.models.patches.patchify",),
    fact="cutting loses nothing: the same moves backwards give the picture again",
    hints=(
        "Where to look. An axis of height pixels is two axes in one: which row of patches, and "
        "which line inside the patch. The same goes for the width.",
        "The idea. First split both axes in two. Then bring the six axes into the order in which "
        "they are to be read, and join them to three.",
        "The shape of the answer. Three moves: reshape to (batch, channels, rows, p, columns, p); "
        "permute; reshape to three axes.",
    ),
    transfer="In which order would you permute to get the picture back?",
)
