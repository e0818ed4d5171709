"""All that a run must remember to go on as if it had never stopped."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_state_dict, set_state_dict

# By parameter names, whole and on the CPU.
OPTIONS = StateDictOptions(full_state_dict=True, cpu_offload=True)


def collect_state(
    model: nn.Module, optimizers: Sequence[torch.optim.Optimizer], scaler: torch.amp.GradScaler
) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Tensors by name, and what is not a tensor, fit for JSON."""
    whole: Any = get_state_dict(model, list(optimizers), options=OPTIONS)
    weights, moments = whole
    state: dict[str, Tensor] = {f"model.{name}": value for name, value in weights.items()}
    for name, values in moments["state"].items():
        state |= {f"optimizer.{name}.{key}": value for key, value in values.items()}
    state["random.cpu"] = torch.get_rng_state()
    if torch.cuda.is_available():
        state["random.cuda"] = torch.cuda.get_rng_state()
    return state, {"optimizer": moments["param_groups"], "scaler": scaler.state_dict()}


def restore_state(
    model: nn.Module,
    optimizers: Sequence[torch.optim.Optimizer],
    scaler: torch.amp.GradScaler,
    state: Mapping[str, Tensor],
    facts: Mapping[str, Any],
) -> None:
    """Put everything back in place.

    Raises:
        ValueError: the state belongs to another model or to other optimisers.
    """
    weights: dict[str, Any] = {
        n.removeprefix("model."): v for n, v in state.items() if n.startswith("model.")
    }
    moments: dict[str, Any] = defaultdict(dict)
    for long_name, value in state.items():
        if long_name.startswith("optimizer."):
            name, _, key = long_name.removeprefix("optimizer.").rpartition(".")
            moments[name][key] = value
    try:
        set_state_dict(
            model,
            list(optimizers),
            model_state_dict=weights,
            optim_state_dict={"state": dict(moments), "param_groups": facts["optimizer"]},
            options=OPTIONS,
        )
        scaler.load_state_dict(facts["scaler"])
        torch.set_rng_state(state["random.cpu"])
    except (KeyError, RuntimeError) as error:
        raise ValueError(f"the checkpoint belongs to another model: {error}") from error
    if torch.cuda.is_available() and "random.cuda" in state:
        torch.cuda.set_rng_state(state["random.cuda"])
