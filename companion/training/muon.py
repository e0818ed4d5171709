"""Muon: momentum whose direction is made orthogonal, for the matrices inside blocks.

Source: Jordan et al. 2024 ("Muon: an optimizer for hidden layers in neural networks") and Liu et
al. 2025, arXiv 2502.16982. `torch.optim.Muon` rounds to bfloat16 on the way, which processors
without bfloat16 units do very slowly; here the dtype is the weight's own.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn
from torch.distributed.tensor import DTensor, distribute_tensor

# A quintic with a steep slope at zero: five rounds bring all but the smallest singular values to
# between about 0.7 and 1.2, which trains as well as exactly 1 (Jordan et al.).
ROUNDS, A, B, C = 5, 3.4445, -4.7750, 2.0315


class Muon(torch.optim.Optimizer):
    """SGD with Nesterov momentum; each matrix's update has all its singular values near 1.

    Args:
        matrices: groups of parameters (or one group), each (rows, columns). A group may set
            "parts": how many matrices of equal size stand on top of each other in one parameter,
            such as query, key and value. Each is made orthogonal by itself. Default: 1.
        lr: for a square matrix; a tall one gets sqrt(rows / columns) times that.
        momentum: how much of the past the direction keeps.
        weight_decay: decoupled; each step shrinks weights by lr·weight_decay.
    """

    def __init__(
        self,
        matrices: Iterable[Any],
        lr: float,
        *,
        momentum: float = 0.95,
        weight_decay: float = 0.0,
    ) -> None:
        defaults = {"lr": lr, "momentum": momentum, "weight_decay": weight_decay, "parts": 1}
        super().__init__(matrices, defaults)
        for group in self.param_groups:
            for matrix in group["params"]:
                shape = tuple(matrix.shape)
                if len(shape) != 2 or shape[0] % group["parts"]:
                    raise ValueError(
                        f"Muon is for matrices that divide into {group['parts']} parts, not for a "
                        f"parameter of shape {shape}: give that one to AdamW"
                    )

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        """Update every matrix that has a gradient."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            # Matrices of one shape go through the rounds together: few large products.
            same_shape = defaultdict(list)
            for matrix in group["params"]:
                if matrix.grad is not None:
                    same_shape[matrix.shape].append(matrix)
            for shape, matrices in same_shape.items():
                rows, columns = shape[0] // group["parts"], shape[1]
                directions = [in_full(self._direction(m, group["momentum"])) for m in matrices]
                stack = torch.stack(directions).view(-1, rows, columns)
                updates = orthogonal(stack).reshape(len(matrices), *shape)
                size = group["lr"] * math.sqrt(max(1.0, rows / columns))
                for matrix, update in zip(matrices, updates, strict=True):
                    matrix.mul_(1 - group["lr"] * group["weight_decay"])
                    matrix.add_(shared_as(matrix, update), alpha=-size)
        return loss

    def _direction(self, matrix: nn.Parameter, momentum: float) -> Tensor:
        """Nesterov: the gradient, drawn towards its running mean."""
        state = self.state[matrix]
        if "momentum" not in state:
            state["momentum"] = torch.zeros_like(matrix)
        assert matrix.grad is not None
        state["momentum"].lerp_(matrix.grad, 1 - momentum)
        return torch.lerp(matrix.grad, state["momentum"], momentum)


def in_full(matrix: Tensor) -> Tensor:
    """All of a matrix: under FSDP each process holds some of its rows."""
    return matrix.full_tensor() if isinstance(matrix, DTensor) else matrix


def shared_as(matrix: Tensor, update: Tensor) -> Tensor:
    """This process's rows of `update`, where `matrix` is shared out; every process has it all."""
    if not isinstance(matrix, DTensor):
        return update
    return distribute_tensor(update, matrix.device_mesh, matrix.placements, src_data_rank=None)


def orthogonal(matrices: Tensor) -> Tensor:
    """Each of `matrices`, (n, rows, columns), with its singular values moved to near 1.

    Directions stay, sizes go: U·S·Vᵀ becomes about U·Vᵀ, by products alone and without an SVD. A
    matrix of zeros stays zero.
    """
    is_tall = matrices.shape[1] > matrices.shape[2]
    x = matrices.mT if is_tall else matrices  # rows first: the smaller of the two products
    x = x / x.norm(dim=(1, 2), keepdim=True).clamp(min=1e-7)  # no singular value above 1
    for _ in range(ROUNDS):
        gram = x @ x.mT  # (n, rows, rows)
        x = torch.baddbmm(x, torch.baddbmm(gram, gram, gram, beta=B, alpha=C), x, beta=A)
    return x.mT if is_tall else x
