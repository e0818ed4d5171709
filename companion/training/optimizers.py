"""Which parameter goes to which optimiser, and how the learning rate moves."""

import math
from collections import defaultdict
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from companion.models.modern_bert import GatedFeedForward
from companion.models.transformer import SelfAttention
from companion.training.config import OptimizerConfig, ScheduleConfig
from companion.training.muon import Muon


def build_optimizers(model: nn.Module, config: OptimizerConfig) -> list[torch.optim.Optimizer]:
    """AdamW for all, or Muon for the matrices inside blocks and AdamW for the rest.

    Biases and LayerNorms are not decayed: pulling a LayerNorm's weight to 0 silences its layer.
    Embeddings stay with AdamW: they hold one vector for each token, and are no map from vectors to
    vectors whose directions could be evened out.
    """
    parts = stacked_matrices(model)
    matrices: dict[int, list[nn.Parameter]] = defaultdict(list)
    decayed, others = [], []
    for name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        if (
            config.muon_learning_rate is not None
            and ".blocks." in f".{name}"
            and parameter.ndim == 2
        ):
            matrices[parts.get(parameter, 1)].append(parameter)
        elif parameter.ndim >= 2:
            decayed.append(parameter)
        else:
            others.append(parameter)
    optimizers: list[torch.optim.Optimizer] = [
        torch.optim.AdamW(
            [
                {"params": decayed, "weight_decay": config.weight_decay},
                {"params": others, "weight_decay": 0.0},
            ],
            lr=config.learning_rate,
            betas=(config.beta1, config.beta2),
            eps=config.epsilon,
            fused=True,
        )
    ]
    if matrices:
        assert config.muon_learning_rate is not None
        groups = [{"params": params, "parts": count} for count, params in matrices.items()]
        optimizers.append(
            Muon(
                groups,
                config.muon_learning_rate,
                momentum=config.muon_momentum,
                weight_decay=config.weight_decay,
            )
        )
    set_learning_rates(optimizers, 1.0)
    return optimizers


def stacked_matrices(model: nn.Module) -> dict[Tensor, int]:
    """The parameters that hold several matrices, one on top of the other, and how many."""
    parts: dict[Tensor, int] = {}
    for module in model.modules():
        if isinstance(module, SelfAttention):
            parts[module.qkv.weight] = 3  # query, key, value
        if isinstance(module, GatedFeedForward):
            parts[module.up.weight] = 2  # signal, gate
    return parts


def schedule(step: int, config: ScheduleConfig) -> float:
    """What every learning rate is multiplied with at `step`, counted from 0.

    Up in a straight line for `warmup` steps, then level, then down over the last `decay` of all
    steps, or over all after the warm-up if these are fewer: one step more would have `final`. With
    "linear-from-0" the last step itself has it, as in BERT's code.
    """
    up = (step + 1) / max(1, config.warmup)
    if config.shape == "linear-from-0":
        # As in BERT's code, whose step 1 is our step 0.
        down = 1 - (step + 1) / config.steps
        return up if step + 1 < config.warmup else config.final + (1 - config.final) * down
    falling = min(config.decay * config.steps, config.steps - config.warmup)
    left = min(1.0, (config.steps - step) / max(1.0, falling))
    if config.shape == "cosine":
        left = (1 - math.cos(math.pi * left)) / 2
    return min(up, config.final + (1 - config.final) * left)


def set_learning_rates(optimizers: Sequence[torch.optim.Optimizer], factor: float) -> None:
    """Set each group's rate to its own first one times `factor`."""
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            # The rate that the group was built with: kept beside it, and so in the checkpoint.
            group.setdefault("initial_lr", group["lr"])
            group["lr"] = group["initial_lr"] * factor
