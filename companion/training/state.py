"""All that a run must remember to go on as if it had never stopped."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.distributed.checkpoint.state_dict import (
    StateDictOptions,
    get_model_state_dict,
    get_state_dict,
    set_state_dict,
)

from companion.training.processes import Processes

# By parameter names, whole and on the CPU; of several processes, process 0 alone gets it.
OPTIONS = StateDictOptions(full_state_dict=True, cpu_offload=True)


def collect_state(
    model: nn.Module,
    optimizers: Sequence[torch.optim.Optimizer],
    scaler: torch.amp.GradScaler,
    processes: Processes,
) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Tensors by name, and what is not a tensor, fit for JSON.

    All processes must ask; what process 0 gets is complete.
    """
    both: Any = get_state_dict(model, list(optimizers), options=OPTIONS)
    weights, moments = both
    state: dict[str, Tensor] = {f"model.{name}": value for name, value in weights.items()}
    for name, values in moments.get("state", {}).items():
        state |= {f"optimizer.{name}.{key}": value for key, value in values.items()}
    for number, random in enumerate(processes.gather(random_state())):
        state |= {f"random.{number}.{kind}": value for kind, value in random.items()}
    return state, {"optimizer": moments.get("param_groups"), "scaler": scaler.state_dict()}


def restore_state(
    model: nn.Module,
    optimizers: Sequence[torch.optim.Optimizer],
    scaler: torch.amp.GradScaler,
    state: Mapping[str, Tensor],
    facts: Mapping[str, Any],
    processes: Processes,
) -> None:
    """Put everything back in place; every process gives the whole state.

    It need not come from as many processes, nor from the same kind of share. One that had no
    random state then keeps the one that it has: dropout drops other values, and that is all.

    Raises:
        ValueError: the state belongs to another model or to other optimisers.
    """
    # A file gives its tensors in any order, and shares must go round in one order everywhere.
    ordered = sorted(state.items())
    weights: dict[str, Any] = {
        n.removeprefix("model."): v for n, v in ordered if n.startswith("model.")
    }
    moments: dict[str, Any] = defaultdict(dict)
    for long_name, value in ordered:
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
    of_this_one = f"random.{processes.number}."
    if f"{of_this_one}cpu" in state:
        torch.set_rng_state(state[f"{of_this_one}cpu"])
    if torch.cuda.is_available() and f"{of_this_one}cuda" in state:
        torch.cuda.set_rng_state(state[f"{of_this_one}cuda"])


def whole_weights(model: nn.Module) -> dict[str, Any]:
    """The parameters by name, on the CPU. All processes must ask; process 0 gets them."""
    return get_model_state_dict(model, options=OPTIONS)


def random_state() -> dict[str, Tensor]:
    """What the next random numbers of this process depend on."""
    random = {"cpu": torch.get_rng_state()}
    if torch.cuda.is_available():
        random["cuda"] = torch.cuda.get_rng_state()
    return random
