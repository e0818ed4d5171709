"""The training loop: one step after the other, until the last or until somebody stops it."""

import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import torch
from torch import Tensor, nn
from torch.distributed.tensor import DTensor
from tqdm.auto import tqdm

from companion.training.checkpoints import load_checkpoint, save_checkpoint, whole_checkpoints
from companion.training.config import TrainingConfig
from companion.training.log import Log, LogLine
from companion.training.optimizers import schedule, set_learning_rates
from companion.training.processes import Processes, syncing, whole
from companion.training.state import collect_state, restore_state

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}


class Score(NamedTuple):
    """How a model does on held-out data."""

    loss: float  # nats a blank, or the mean squared error at hidden patches
    accuracy: float | None = None  # where there are right answers

    def in_words(self) -> str:
        """For the progress bar."""
        return f"{self.loss:.4f}" if self.accuracy is None else f"{self.accuracy:.1%}"


class Batch(Protocol):
    """Rows or pictures of one step, or a part of them."""

    @property
    def examples(self) -> int:
        """How many rows or pictures there are."""

    @property
    def scored(self) -> int:
        """How many positions count in the loss."""

    def split(self, size: int) -> Sequence[Any]:
        """Parts of at most `size` rows."""

    def to(self, device: torch.device) -> Any:
        """The same on another device."""


class Objective(Protocol):
    """What is asked of a model, and what its answers cost."""

    def __len__(self) -> int:
        """How many examples, rows or pictures, there are."""

    def order(self, epoch: int) -> Tensor:
        """The numbers of all examples, (examples,), in the order of this epoch."""

    def batch(self, numbers: Tensor, epoch: int) -> Batch:
        """The examples of these numbers, as this epoch shows them."""

    # Names may differ: they are given by place.
    def loss(self, model: nn.Module, part: Any, scored: int, examples: int, /) -> Tensor:
        """This part's share of the loss of a step of `scored` positions in `examples` examples."""


class Watcher(Protocol):
    """What looks at a run from outside; the model comes in eval mode."""

    def go_on_from(self, step: int) -> None:
        """The run starts after `step` updates, 0 or those of a checkpoint."""

    def evaluate(self, model: nn.Module) -> Score:
        """Score the model on held-out data, for the log."""

    def film(self, model: nn.Module, step: int, seconds: float) -> None:
        """Write down what the model says after `step` updates and `seconds` of training."""


def train(
    model: nn.Module,
    objective: Objective,
    optimizers: Sequence[torch.optim.Optimizer],
    config: TrainingConfig,
    watcher: Watcher | None,
    *,
    folder: Path,
    processes: Processes,
    identity: dict[str, Any],
    spare: nn.Module | None = None,
) -> None:
    """Train `model` in place, from the newest checkpoint of `folder` if there is one.

    Args:
        model: on its device; over several processes, what `spread` returned, and `spare` with it.
        watcher: of the first process; the others have none.
        folder: for log.csv and the checkpoints; all processes read it, the first one writes.
        identity: what makes this run this run; a checkpoint with another one is refused.

    Raises:
        FloatingPointError: the loss or its gradient is no number any more.
        ValueError: a checkpoint that is damaged or of another run.
    """
    scaler = torch.amp.GradScaler(processes.device.type, enabled=config.run.precision == "fp16")
    log = Log(folder / "log.csv")
    step, seconds = 0, 0.0
    found = whole_checkpoints(folder / "checkpoints")
    newest = processes.gather(found[-1].name if found else "none")
    if len(set(newest)) > 1:
        raise ValueError(
            f"the processes find different checkpoints in {folder} ({', '.join(newest)}): they "
            "must share that folder"
        )
    if found:
        state, facts = load_checkpoint(
            found[-1], facts=("identity", "optimizer", "scaler", "seconds")
        )
        check_identity(facts["identity"], identity, found[-1])
        restore_state(model, optimizers, scaler, state, facts, processes)
        step, seconds = facts["step"], facts["seconds"]
    if watcher:
        log.cut_after(step)
        watcher.go_on_from(step)
    if step == 0 and 0 in config.run.film:
        looked_at = whole(model, spare)
        if watcher:
            watcher.film(looked_at, 0, 0.0)

    size, steps = config.run.batch_size, config.schedule.steps
    an_epoch = len(objective) // size  # steps; examples that are left over wait a turn
    order = None
    losses: list[float] = []
    model.train()
    is_silent = not processes.is_first
    with tqdm(total=steps, initial=step, unit="step", dynamic_ncols=True, disable=is_silent) as bar:
        while step < steps:
            started = time.perf_counter()
            epoch, place = divmod(step, an_epoch)
            if order is None or place == 0:
                order = objective.order(epoch)
            factor = schedule(step, config.schedule)
            set_learning_rates(optimizers, factor)
            numbers = order[place * size : (place + 1) * size]  # (rows of the step,)
            ours = numbers.tensor_split(processes.total)[processes.number]
            batch = objective.batch(ours, epoch)
            losses.append(take_step(model, batch, objective, optimizers, scaler, config, processes))
            step += 1
            seconds += time.perf_counter() - started
            bar.update()

            is_last = step == steps
            saves = step % config.run.checkpoint_every == 0 or is_last
            score = None
            if step % config.run.evaluate_every == 0 or is_last:
                looked_at = whole(model, spare)
                if watcher:
                    score = watcher.evaluate(looked_at)
                model.train()
            # A checkpoint has its line: a resumed run logs the same means as an unbroken one.
            if score or saves or step % config.run.log_every == 0:
                loss = sum(losses) / len(losses)
                losses = []
                if watcher:
                    log.append(
                        LogLine(step, step / an_epoch, seconds, factor, loss, *(score or ()))
                    )
                right = f", held out {score.in_words()}" if score else ""
                bar.set_postfix_str(f"loss {loss:.4g}{right}")
            if step in config.run.film:
                looked_at = whole(model, spare)
                if watcher:
                    watcher.film(looked_at, step, seconds)
                model.train()
            if saves:
                state, facts = collect_state(model, optimizers, scaler, processes)
                facts |= {"seconds": seconds, "identity": identity}
                if processes.is_first:
                    save_checkpoint(folder / "checkpoints", step, state, facts)
    model.eval()


def take_step(
    model: nn.Module,
    batch: Batch,
    objective: Objective,
    optimizers: Sequence[torch.optim.Optimizer],
    scaler: torch.amp.GradScaler,
    config: TrainingConfig,
    processes: Processes,
) -> float:
    """One update from this process's share of a batch; returns the loss of the whole batch.

    The parts' losses are shares of one mean, so their gradients add up to that of the batch.
    """
    precision, device = config.run.precision, processes.device
    scored = int(processes.sum(batch.scored))
    examples = int(processes.sum(batch.examples))
    largest = -(-examples // processes.total)  # examples that a process has at most
    passes = -(-largest // config.micro_batch_size)
    loss_of_batch = 0.0
    parts = batch.split(config.micro_batch_size)
    for number in range(passes):
        # Gradients are averaged over processes, and these losses are shares of one mean. A process
        # that has a part less goes along with its last one, which then counts as nothing.
        weight = processes.total if number < len(parts) else 0
        part = parts[min(number, len(parts) - 1)].to(device)
        with syncing(model, number == passes - 1):
            with torch.autocast(device.type, DTYPES[precision], enabled=precision != "fp32"):
                loss = objective.loss(model, part, scored, examples)  # float32 at least
            scaler.scale(loss * weight).backward()  # type: ignore[no-untyped-call]
        loss_of_batch += loss.item() if weight else 0.0
    loss_of_batch = processes.sum(loss_of_batch)
    for optimizer in optimizers:
        scaler.unscale_(optimizer)
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    norm = nn.utils.get_total_norm(gradients)
    norm = norm.full_tensor() if isinstance(norm, DTensor) else norm
    is_finite = bool(norm.isfinite())
    # In fp16 gradients may overflow now and then, and a smaller scale helps; nothing mends a loss.
    may_overflow = precision == "fp16" and scaler.get_scale() >= 1
    if not math.isfinite(loss_of_batch) or not (is_finite or may_overflow):
        raise FloatingPointError(
            f"the loss is {loss_of_batch} and the gradient's norm {norm.item()}: the run has "
            "diverged. Lower the learning rates, or set optimizer.clip"
        )
    # Where fp16 gradients overflowed, the step is left out, for all optimisers at once.
    if is_finite:
        if config.optimizer.clip:
            nn.utils.clip_grads_with_norm_(model.parameters(), config.optimizer.clip, norm)
        for optimizer in optimizers:
            scaler.step(optimizer)
    for optimizer in optimizers:
        optimizer.zero_grad()
    scaler.update()  # lowers the scale after an overflow
    return loss_of_batch


def check_identity(saved: dict[str, Any], ours: dict[str, Any], path: Path) -> None:
    """Refuse to go on from a checkpoint of a run with other settings or other data."""
    for name in sorted(saved.keys() | ours.keys()):
        before, now = (repr(one[name]) if name in one else "not set" for one in (saved, ours))
        if before != now:
            raise ValueError(
                f"{path} was made with {name} = {before}, and now it is {now}. Use the settings of "
                "the first start, or another folder."
            )
