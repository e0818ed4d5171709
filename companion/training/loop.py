"""The training loop: one step after the other, until the last or until somebody stops it."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn
from tqdm.auto import tqdm

from companion.training.checkpoints import load_checkpoint, save_checkpoint, whole_checkpoints
from companion.training.config import TrainingConfig
from companion.training.log import Log, LogLine
from companion.training.objective import MaskedBatch, MaskedWords
from companion.training.optimizers import schedule, set_learning_rates
from companion.training.state import collect_state, restore_state

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}


class Score(NamedTuple):
    """How a model does on held-out text."""

    loss: float  # nats a blank
    accuracy: float


class Watcher(NamedTuple):
    """What a run does besides training: both are called with the model in eval mode."""

    evaluate: Callable[[nn.Module], Score]
    film: Callable[[nn.Module, int, float], None]  # model, steps so far, seconds so far


def train(
    model: nn.Module,
    objective: MaskedWords,
    optimizers: Sequence[torch.optim.Optimizer],
    config: TrainingConfig,
    watcher: Watcher,
    *,
    folder: Path,
    device: torch.device,
    identity: dict[str, Any],
    until: int | None = None,
) -> None:
    """Train `model` in place, from the newest checkpoint of `folder` if there is one.

    Args:
        folder: for log.csv and the checkpoints.
        identity: what makes this run this run; a checkpoint with another one is refused.
        until: stop after this step, for tests; None: run to the end of the schedule.
    """
    model.to(device)
    scaler = torch.amp.GradScaler(device.type, enabled=config.run.precision == "fp16")
    log = Log(folder / "log.csv")
    step, seconds = 0, 0.0
    found = whole_checkpoints(folder / "checkpoints")
    if found:
        state, facts = load_checkpoint(found[-1])
        check_identity(facts["identity"], identity, found[-1])
        restore_state(model, optimizers, scaler, state, facts)
        step, seconds = facts["step"], facts["seconds"]
    log.cut_after(step)
    if step == 0 and 0 in config.run.film:
        watcher.film(model.eval(), 0, 0.0)

    size, steps = config.run.batch_size, config.schedule.steps
    an_epoch = len(objective.rows.input_ids) // size  # steps; rows that are left over wait a turn
    order = objective.order(step // an_epoch)
    loss_sum, loss_count = 0.0, 0
    model.train()
    bar = tqdm(total=steps, initial=step, unit="step", desc="training", dynamic_ncols=True)
    while step < min(steps, steps if until is None else until):
        started = time.perf_counter()
        epoch, place = divmod(step, an_epoch)
        if place == 0:
            order = objective.order(epoch)
        factor = schedule(step, config.schedule)
        set_learning_rates(optimizers, factor)
        batch = objective.batch(order[place * size : (place + 1) * size], epoch)
        loss_sum += take_step(model, batch, objective, optimizers, scaler, config, device)
        loss_count += 1
        step += 1
        seconds += time.perf_counter() - started
        bar.update()

        is_last = step == steps
        saves = step % config.run.checkpoint_every == 0 or is_last
        if step % config.run.evaluate_every == 0 or is_last:
            score = watcher.evaluate(model.eval())
            model.train()
        else:
            score = None
        # A checkpoint has its line, so that a resumed run writes the same means as an unbroken one.
        if score or saves or step % config.run.log_every == 0:
            loss = loss_sum / loss_count
            log.append(LogLine(step, step / an_epoch, seconds, factor, loss, *(score or ())))
            bar.set_postfix_str(
                f"loss {loss:.3f}" + (f", held out {score.accuracy:.1%}" if score else "")
            )
            loss_sum, loss_count = 0.0, 0
        if step in config.run.film:
            watcher.film(model.eval(), step, seconds)
            model.train()
        if saves:
            state, facts = collect_state(model, optimizers, scaler)
            facts |= {"seconds": seconds, "identity": identity}
            save_checkpoint(folder / "checkpoints", step, state, facts)
    bar.close()
    model.eval()


def take_step(
    model: nn.Module,
    batch: MaskedBatch,
    objective: MaskedWords,
    optimizers: Sequence[torch.optim.Optimizer],
    scaler: torch.amp.GradScaler,
    config: TrainingConfig,
    device: torch.device,
) -> float:
    """One update from one batch; returns its loss.

    The parts' losses are shares of one mean, so their gradients add up to that of the batch.
    """
    total = batch.scored
    loss_of_batch = 0.0
    for part in batch.split(config.micro_batch_size):
        part = part.to(device)
        with torch.autocast(
            device.type, DTYPES[config.run.precision], enabled=config.run.precision != "fp32"
        ):
            loss = objective.loss(model, part, total)  # float32 whatever the logits are
        scaler.scale(loss).backward()  # type: ignore[no-untyped-call]
        loss_of_batch += loss.item()
    for optimizer in optimizers:
        scaler.unscale_(optimizer)
    if config.optimizer.clip:
        nn.utils.clip_grad_norm_(model.parameters(), config.optimizer.clip)
    for optimizer in optimizers:
        scaler.step(optimizer)  # left out where fp16 gradients overflowed
        optimizer.zero_grad()
    scaler.update()
    return loss_of_batch


def check_identity(saved: dict[str, Any], ours: dict[str, Any], path: Path) -> None:
    """Refuse to go on from a checkpoint of a run with other settings or other text."""
    for name in sorted(saved.keys() | ours.keys()):
        if saved.get(name) != ours.get(name):
            raise ValueError(
                f"{path} was made with {name} = {saved.get(name)!r}, and now it is "
                f"{ours.get(name)!r}. Use the settings of the first start, or another folder."
            )
