"""One process or many: joining those that `torchrun` started, and one model over all of them.

DDP keeps a copy of the model in every process; FSDP2 keeps a share of every tensor. Both average
gradients over processes, so that a loss which is already a share of the whole step's mean has to be
multiplied by their number first.
"""

import copy
import os
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, NamedTuple

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.distributed_c10d import Store
from torch.distributed.fsdp import FSDPModule, fully_shard
from torch.distributed.rendezvous import rendezvous
from torch.nn.parallel import DistributedDataParallel

SET_BY_TORCHRUN = ("RANK", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")
PATIENCE = 5.0  # seconds, for the first process to fail over what another one has


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
    """Join the processes that `torchrun` started, for as long as the block runs; else be alone.

    An error in one ends them all, and one of them raises it: the first if it meets it too. The
    others exit with status 1 and without a word.

    Raises:
        ValueError: several processes that torchrun did not start, or more than there are GPUs.
    """
    total = int(os.environ.get("WORLD_SIZE", "1"))
    if total == 1:
        yield Processes(0, 1, torch.device("cuda" if torch.cuda.is_available() else "cpu"))
        return
    if missing := [name for name in SET_BY_TORCHRUN if name not in os.environ]:
        raise ValueError(
            f"WORLD_SIZE is {total}, and {missing[0]} is not set: start the processes with torchrun"
        )
    number = int(os.environ["RANK"])
    store, *_ = next(rendezvous("env://"))
    try:
        device = own_device()
        backend = "nccl" if device.type == "cuda" else "gloo"
        dist.init_process_group(backend, store=store, rank=number, world_size=total)
        yield Processes(number, total, device)
        dist.barrier()  # nobody hangs up while another one is still writing
        dist.destroy_process_group()
    except BaseException:
        # The group is left as it is: to take it down, NCCL would wait for the others.
        if speaks(store, number):
            raise
        time.sleep(PATIENCE)  # torchrun ends all when the first one has ended
        raise SystemExit(1) from None


def own_device() -> torch.device:
    """The GPU of this process, or the CPU where there is none."""
    if not torch.cuda.is_available():
        return torch.device("cpu")
    here, gpus = int(os.environ["LOCAL_WORLD_SIZE"]), torch.cuda.device_count()
    if here > gpus:
        raise ValueError(
            f"{here} processes were started on a machine with {gpus} GPUs: start one for each"
        )
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    return device


def speaks(store: Store, number: int) -> bool:
    """Whether this process, which has failed, is the one that says so.

    What is wrong with a config all of them find; what happens to one, the others notice only as a
    lost connection, and later.
    """
    deadline = time.monotonic() + (PATIENCE if number else 0.0)
    try:
        while time.monotonic() < deadline and not store.check(["failures"]):
            time.sleep(0.05)
        return store.add("failures", 1) == 1
    except RuntimeError:  # the store is gone, and the process that kept it
        return False


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
