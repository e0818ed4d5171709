"""One process or several: which one this is, and how a model is spread over them.

`torchrun` starts the processes and numbers them; the rest is PyTorch's own. DDP keeps a whole copy
of the model in each (Li et al. 2020, arXiv 2006.15704), FSDP2 a share of every parameter (Zhao et
al. 2023, arXiv 2304.11277). With one process nothing is wrapped.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any, NamedTuple

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.distributed_c10d import Store
from torch.distributed.fsdp import FSDPModule, fully_shard
from torch.distributed.rendezvous import rendezvous
from torch.nn.parallel import DistributedDataParallel

SET_BY_TORCHRUN = ("RANK", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")
PATIENCE = timedelta(seconds=5)  # for process 0 to fail over what another one has failed over


class Processes(NamedTuple):
    """This process, and how many there are."""

    number: int  # from 0; process 0 writes and speaks
    total: int
    device: torch.device

    @property
    def is_first(self) -> bool:
        """Whether this is the process that writes and speaks."""
        return self.number == 0

    def sum(self, *values: float) -> list[float]:
        """Each value summed over all processes, which must all ask."""
        if self.total == 1:
            return list(values)
        sums = torch.tensor(values, dtype=torch.float64, device=self.device)
        dist.all_reduce(sums)
        return sums.tolist()

    def gather(self, value: Any) -> list[Any]:
        """The values of all processes by number; they must all ask."""
        if self.total == 1:
            return [value]
        values = [None] * self.total
        dist.all_gather_object(values, value)
        return values


@contextmanager
def joined() -> Iterator[Processes]:
    """The processes that torchrun started, or this one alone; their group is left at the end.

    An error in one ends them all, and one of them raises it: process 0 if it meets the error
    itself. The others exit with status 1 and without a word.

    Raises:
        ValueError: several processes that torchrun did not start, or more than there are GPUs.
    """
    number, total = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    if total == 1:
        yield Processes(0, 1, torch.device("cuda" if torch.cuda.is_available() else "cpu"))
        return
    if missing := [name for name in SET_BY_TORCHRUN if name not in os.environ]:
        raise ValueError(
            f"WORLD_SIZE is {total}, and {missing[0]} is not set: start the processes with torchrun"
        )
    store, *_ = next(rendezvous("env://"))
    try:
        device = own_device()
        backend = "nccl" if device.type == "cuda" else "gloo"
        dist.init_process_group(backend, store=store, rank=number, world_size=total)
        yield Processes(number, total, device)
    except BaseException:
        if speaks(store, number):
            raise
        time.sleep(PATIENCE.total_seconds())  # torchrun ends all when the first one has ended
        raise SystemExit(1) from None
    finally:
        if dist.is_initialized():
            dist.destroy_process_group()


def own_device() -> torch.device:
    """The GPU of this process, or the CPU where there is none."""
    if not torch.cuda.is_available():
        return torch.device("cpu")
    here, gpus = int(os.environ["LOCAL_WORLD_SIZE"]), torch.cuda.device_count()
    if here > gpus:
        raise ValueError(f"{here} processes share {gpus} GPUs: start at most {gpus} on a machine")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    return device


def speaks(store: Store, number: int) -> bool:
    """Whether this process, which has failed, is the one that says so.

    What is wrong with a config all of them find; what happens to one, the others notice only as a
    lost connection, and later.
    """
    if number > 0:
        with suppress(RuntimeError):  # nobody has failed so far
            store.wait(["failures"], PATIENCE)
    try:
        return store.add("failures", 1) == 1
    except RuntimeError:  # the store is gone, and the process that kept it
        return False


def spread(model: nn.Module, processes: Processes, *, fsdp: bool) -> nn.Module:
    """`model` on this process's device: a copy in each process, or with `fsdp` a share.

    Its gradients are means over the processes. Build optimisers afterwards: a share has other
    parameters.
    """
    model.to(processes.device)
    if processes.total == 1:
        return model
    if not fsdp:
        on_gpu = processes.device.type == "cuda"
        return DistributedDataParallel(model, [processes.device] if on_gpu else None)
    mesh = init_device_mesh(processes.device.type, (processes.total,))
    for module in model.modules():
        if isinstance(module, nn.ModuleList):  # the blocks: one whole at a time
            for block in module:
                fully_shard(block, mesh=mesh)
    # What is left whole after a forward would be no parameter that an optimiser knows.
    fully_shard(model, mesh=mesh, reshard_after_forward=True)
    return model


def bare(model: nn.Module) -> nn.Module:
    """The model itself. A shared one answers when all processes ask the same number of times."""
    return model.module if isinstance(model, DistributedDataParallel) else model


@contextmanager
def exchanging(model: nn.Module, now: bool) -> Iterator[None]:
    """Inside: backward averages all gradients so far over the processes, or only collects them."""
    if isinstance(model, FSDPModule):
        model.set_requires_gradient_sync(now)
    if isinstance(model, DistributedDataParallel) and not now:
        with model.no_sync():
            yield
    else:
        yield
