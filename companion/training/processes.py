"""One process or many: joining those that `torchrun` started, and one model over all of them.

DDP keeps a copy of the model in every process; FSDP2 keeps a share of every tensor. Both average
gradients over processes, so that a loss which is already a share of the whole step's mean has to be
multiplied by their number first.
"""

import copy
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, NamedTuple

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FSDPModule, fully_shard
from torch.nn.parallel import DistributedDataParallel


class Processes(NamedTuple):
    """Which one this is, of how many, and where it computes."""

    number: int
    total: int
    device: torch.device

    @property
    def is_first(self) -> bool:
        """Whether this one writes files and prints."""
        return self.number == 0

    def sum(self, value: float) -> float:
        """The sum of a number over all processes."""
        if self.total == 1:
            return value
        summed = torch.tensor(value, dtype=torch.float64, device=self.device)
        dist.all_reduce(summed)
        return summed.item()

    def gather(self, value: Any) -> list[Any]:
        """What each process has, in their order."""
        if self.total == 1:
            return [value]
        found: list[Any] = [None] * self.total
        dist.all_gather_object(found, value)
        return found


@contextmanager
def joined() -> Iterator[Processes]:
    """Join the processes that `torchrun` started, for as long as the block runs; else be alone."""
    total = int(os.environ.get("WORLD_SIZE", "1"))
    has_gpu = torch.cuda.is_available()
    if total == 1:
        yield Processes(0, 1, torch.device("cuda" if has_gpu else "cpu"))
        return
    device = torch.device("cpu")
    if has_gpu:
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if has_gpu else "gloo")
    try:
        yield Processes(dist.get_rank(), total, device)
        dist.barrier()  # nobody hangs up while another one is still writing
    finally:
        dist.destroy_process_group()


class Spread(NamedTuple):
    """A model over all processes."""

    model: nn.Module  # to be trained
    spare: nn.Module | None  # under FSDP, in the first process: a whole one, to be looked at


def spread(model: nn.Module, processes: Processes, *, fsdp: bool) -> Spread:
    """Wrap `model` for training in several processes; one process trains it as it is.

    Under FSDP each block is gathered by itself when it is needed; what is left, embeddings and
    heads, makes one more group.
    """
    model.to(processes.device)
    if processes.total == 1:
        return Spread(model, None)
    if not fsdp:
        ids = [processes.device.index] if processes.device.type == "cuda" else None
        return Spread(DistributedDataParallel(model, device_ids=ids), None)
    spare = copy.deepcopy(model) if processes.is_first else None
    mesh = init_device_mesh(processes.device.type, (processes.total,))
    for module in list(model.modules()):
        if isinstance(module, nn.ModuleList):
            for block in module:
                fully_shard(block, mesh=mesh)
    fully_shard(model, mesh=mesh)
    return Spread(model, spare)


def whole(model: nn.Module, spare: nn.Module | None) -> nn.Module:
    """The model with all its weights, for the first process to look at, in eval mode.

    Under FSDP all processes must call this together, and only the first may use what comes back.
    """
    if isinstance(model, FSDPModule):
        options = StateDictOptions(full_state_dict=True, cpu_offload=True)
        state = get_model_state_dict(model, options=options)
        if spare is None:
            return model
        spare.load_state_dict(state)
        return spare.eval()
    return (model.module if isinstance(model, DistributedDataParallel) else model).eval()


def syncing(model: nn.Module, is_last: bool) -> AbstractContextManager[Any]:
    """Gradients are summed over processes at the last part of a batch alone: once is enough."""
    if isinstance(model, FSDPModule):
        model.set_requires_gradient_sync(is_last)
    elif isinstance(model, DistributedDataParallel) and not is_last:
        return model.no_sync()
    return nullcontext()
