"""All that a run must remember to go on as if it had never stopped."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_state_dict, set_state_dict

from companion.training.processes import Processes

# By parameter names, whole and on the CPU.
OPTIONS = StateDictOptions(full_state_dict=True, cpu_offload=True)


def collect_state(
    model: nn.Module,
    optimizers: Sequence[torch.optim.Optimizer],
    scaler: torch.amp.GradScaler,
    processes: Processes,
) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Tensors by name, and what is not a tensor, fit for JSON; all processes must call it together.

    Weights are whole only in what the first process gets.
    """
    whole: Any = get_state_dict(model, list(optimizers), options=OPTIONS)
    weights, moments = whole
    state: dict[str, Tensor] = {f"model.{name}": value for name, value in weights.items()}
    for name, values in moments.get("state", {}).items():
        state |= {f"optimizer.{name}.{key}": value for key, value in values.items()}
    cuda = torch.cuda.get_rng_state() if torch.cuda.is_available() else None
    for number, (own, own_cuda) in enumerate(processes.gather((torch.get_rng_state(), cuda))):
        state[f"random.cpu.{number}"] = own
        if own_cuda is not None:
            state[f"random.cuda.{number}"] = own_cuda
    groups = moments.get("param_groups", [])
    return state, {"optimizer": groups, "scaler": scaler.state_dict()}


def restore_state(
    model: nn.Module,
    optimizers: Sequence[torch.optim.Optimizer],
    scaler: torch.amp.GradScaler,
    state: Mapping[str, Tensor],
    facts: Mapping[str, Any],
    processes: Processes,
) -> None:
    """Put everything back in place; every process gives the whole state.

    It may come from another number of processes. One that had no random state then keeps the one
    that it has: dropout drops other values, and that is all.

    Raises:
        ValueError: the state belongs to another model or to other optimisers.
    """
    # In the order of their names: tensors are shared out among processes one after the other, and
    # the order in which a file is read may differ from process to process.
    state = dict(sorted(state.items()))
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
    except (KeyError, RuntimeError) as error:
        raise ValueError(f"the checkpoint belongs to another model: {error}") from error
    cpu, cuda = (f"random.{kind}.{processes.number}" for kind in ("cpu", "cuda"))
    if cpu in state:
        torch.set_rng_state(state[cpu])
    if torch.cuda.is_available() and cuda in state:
        torch.cuda.set_rng_state(state[cuda])
