"""Looking at a model without changing it."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def examined(model: nn.Module) -> Iterator[None]:
    """Inside: no dropout and no gradients. Afterwards every part is in the mode it was in."""
    was_training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        for module in was_training:
            module.training = True
