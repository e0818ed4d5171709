"""What causal models share: who sees whom, where a token stands, and what a cache remembers.

A causal model never lets a position see a later one, whatever mask it is given: padding and the
seams of packed texts are ANDed onto the pattern, and take nobody's place.
"""

from collections.abc import Sequence
from typing import NamedTuple, Self

import torch
import torch.nn.functional as F
from torch import Tensor

from companion.models.memory import Memory
from companion.models.transformer import sdpa_mask


class Cache(NamedTuple):
    """What a causal model keeps of the positions that it has read; start with `Cache.empty()`."""

    keys: tuple[Tensor, ...]  # of each layer, (batch, heads, past, head width)
    values: tuple[Tensor, ...]  # the same
    real: Tensor | None  # bool, (batch, past), False at padding; None: nothing was padding

    @classmethod
    def empty(cls) -> Self:
        """Nothing has been read."""
        return cls((), (), None)

    @property
    def past(self) -> int:
        """How many positions have been read."""
        return self.keys[0].shape[2] if self.keys else 0

    def memories(self, layers: int, heads: int, head_width: int) -> list[Memory]:
        """One memory a layer, for one pass; the cache itself stays as it is.

        ValueError: the cache was filled by a model of another shape.
        """
        if not self.keys:
            return [Memory() for _ in range(layers)]
        found = (len(self.keys), self.keys[0].shape[1], self.keys[0].shape[3])
        if found != (layers, heads, head_width):
            raise ValueError(
                f"the cache holds (layers, heads, head width) = {found}, and this model has "
                f"{(layers, heads, head_width)}: it goes on with what it has read itself"
            )
        return [Memory(*pair) for pair in zip(self.keys, self.values, strict=True)]


class Sight(NamedTuple):
    """Who sees whom in one pass."""

    pattern: Tensor  # the SDPA mask, bool, (batch or 1, 1, length, past + length)
    mask: Tensor | None  # the same; None where `is_causal` says it, or where all of it is True
    is_causal: bool  # for `scaled_dot_product_attention`, which is faster without a mask
    real: Tensor | None  # bool, (batch, past + length); None: nothing is padding
    positions: Tensor  # int64, (length,) or (batch, length): each token's place in its text


def sight(attention_mask: Tensor | None, input_ids: Tensor, cache: Cache | None) -> Sight:
    """The causal pattern of `input_ids`, (batch, length), with padding and seams ANDed on.

    `attention_mask` is (batch, length), of these ids alone: the cache remembers the rest; or
    (batch, length, length) for packed texts, without a cache. A token's position is the number of
    tokens before it that it may see: padding on the left moves no text, and a packed text begins
    at 0.

    ValueError: see `sdpa_mask`; a cache with a mask for packed texts, or one of another batch.
    """
    batch, length = input_ids.shape
    past = 0 if cache is None else cache.past
    if cache is not None and cache.keys and len(cache.keys[0]) != batch:
        raise ValueError(
            f"the cache is of {len(cache.keys[0])} rows, and input_ids have {batch}: a cache goes "
            "on with the rows that it was made from"
        )
    mask = sdpa_mask(attention_mask, batch, length)
    place = torch.arange(past + length, device=input_ids.device)
    not_later = place <= place[past:, None]  # (length, past + length)
    if mask is not None and attention_mask is not None and attention_mask.ndim == 3:
        if cache is not None:
            raise ValueError("a cache goes on with one text a row, not with packed ones")
        mask = mask & not_later  # (batch, 1, length, length)
        positions = (mask[:, 0] & (place < place[:, None])).sum(dim=-1)  # (batch, length)
        return Sight(mask, mask, False, None, positions)
    if mask is None and (cache is None or cache.real is None):
        pattern = not_later[None, None]
        needless = past == 0 or length == 1
        mask = None if needless else pattern
        return Sight(pattern, mask, needless and length > 1, None, place[past:])
    now = torch.ones_like(input_ids, dtype=torch.bool) if mask is None else mask[:, 0, 0]
    before = cache.real if cache is not None else None
    real = F.pad(now, (past, 0), value=True) if before is None else torch.cat([before, now], dim=1)
    positions = (real.cumsum(dim=1) - 1).clamp(min=0)[:, past:]  # (batch, length)
    pattern = real[:, None, None, :] & not_later
    return Sight(pattern, pattern, False, real, positions)


def remember(memories: Sequence[Memory], seen: Sight) -> Cache:
    """The cache after a pass."""
    keys = tuple(memory.keys for memory in memories if memory.keys is not None)
    values = tuple(memory.values for memory in memories if memory.values is not None)
    return Cache(keys, values, seen.real)
