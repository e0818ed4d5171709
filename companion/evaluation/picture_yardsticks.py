"""Three ways to fill in hidden patches without a network: what any model of pictures must beat.

Patches are those of `companion.models.patchify`, (pictures, patches, p·p·channels), float in 0 to
1; `hidden` is bool, (pictures, patches), True = hidden.
"""

import torch
from torch import Tensor

from companion.masking import mask_pictures

POWERS = (1.0, 2.0, 3.0, 4.0, 6.0)
SAMPLE = 500  # pictures of training on which the power is chosen
CHUNK = 64  # pictures at a time: their distances to thousands of others fit into memory


def mean_image(known: Tensor) -> Tensor:
    """The mean of the pictures `known`, the same for everybody: (1, patches, p·p·channels)."""
    return known.mean(dim=0, keepdim=True)


def distance_weighted(
    patches: Tensor, hidden: Tensor, grid: tuple[int, int], *, channels: int, power: float
) -> Tensor:
    """Each pixel is a mean of the kept patches' colours, near ones counting more.

    A kept patch at distance d, from its middle to the pixel, has the weight 1 / d**power: inverse
    distance weighting (Shepard 1968). What comes back has the shape of `patches`, kept ones too.

    grid: rows and columns of patches. channels: of a pixel.
    """
    count, places, values = patches.shape
    side = int((values // channels) ** 0.5)
    colours = patches.view(count, places, side * side, channels).mean(dim=2)
    # Kept patches alone: (pictures, kept, channels) and their middles, in patches.
    middles, pixels = _middles(grid), _pixels(grid, side)  # (places, 2), (places·p·p, 2)
    distances = torch.cdist(pixels, middles)  # (places·p·p, places): never 0 for an even side
    nearness = distances.clamp(min=0.5 / side) ** -power
    weights = nearness[None] * (~hidden)[:, None, :]  # (pictures, places·p·p, places)
    weights = weights / weights.sum(dim=2, keepdim=True)
    return (weights @ colours).reshape(count, places, values)


def best_power(
    known: Tensor, grid: tuple[int, int], *, channels: int, ratio: float, seed: int = 0
) -> float:
    """The power of `distance_weighted` with the smallest error on pictures of training."""
    sample = known[:SAMPLE]
    hidden = mask_pictures(
        range(len(sample)), sample.shape[1], seed=seed, epoch=0, ratio=ratio
    ).hidden

    def error(power: float) -> float:
        filled = distance_weighted(sample, hidden, grid, channels=channels, power=power)
        return float((filled - sample)[hidden].square().mean())

    return min(POWERS, key=error)


def look_up(known: Tensor, patches: Tensor, hidden: Tensor) -> Tensor:
    """In place of each picture that one of `known` which is nearest at the kept patches.

    Nearest by squared differences. What comes back has the shape of `patches`, kept ones too.
    """
    found = []
    squares = known.square().sum(dim=2)  # (known, patches)
    for part, cover in zip(torch.split(patches, CHUNK), torch.split(hidden, CHUNK), strict=True):
        seen = (~cover).to(part.dtype)
        # |a - b|² over kept places, without |a|², which is the same for all known pictures.
        products = torch.einsum("npv,kpv->nk", part * seen[:, :, None], known)
        apart = seen @ squares.T - 2 * products  # (pictures, known)
        found.append(known[apart.argmin(dim=1)])
    return torch.cat(found)


def _middles(grid: tuple[int, int]) -> Tensor:
    """Row and column of each patch's middle, in patches: (patches, 2)."""
    rows, columns = grid
    places = torch.cartesian_prod(torch.arange(rows), torch.arange(columns))
    return places.float().view(-1, 2) + 0.5


def _pixels(grid: tuple[int, int], side: int) -> Tensor:
    """Row and column of each pixel's middle, in patches, patch by patch: (patches·p·p, 2)."""
    inside = torch.cartesian_prod(torch.arange(side), torch.arange(side)).float().view(-1, 2)
    corners = _middles(grid) - 0.5
    return (corners[:, None] + (inside + 0.5) / side).reshape(-1, 2)
