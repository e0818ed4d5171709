"""What attention remembers of positions that were read before."""

import torch
from torch import Tensor


class Memory:
    """Keys and values of one layer, (batch, heads, past, head width); `extend` adds to them."""

    def __init__(self, keys: Tensor | None = None, values: Tensor | None = None) -> None:
        """None: nothing was seen before."""
        self.keys, self.values = keys, values

    def extend(self, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """All keys and values so far, these included."""
        if self.keys is not None and self.values is not None:
            keys = torch.cat([self.keys, keys], dim=2)
            values = torch.cat([self.values, values], dim=2)
        self.keys, self.values = keys, values
        return keys, values
