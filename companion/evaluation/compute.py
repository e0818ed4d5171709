"""What a pass through a model costs, counted and not timed."""

from collections.abc import Callable

import torch
from torch.utils.flop_counter import FlopCounterMode


def multiply_adds(call: Callable[..., object], *arguments: object) -> int:
    """Multiplications, each with its addition, of the products of matrices in `call(*arguments)`.

    Convolutions and attention are such products too. Run it on the meta device for what does not
    fit into memory: shapes are all that is counted.
    Sums, norms and activations are left out, as usual; they are about one in a hundred.
    """
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        call(*arguments)
    return int(counter.get_total_flops()) // 2  # the counter takes a product and its sum for two
