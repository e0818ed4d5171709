"""The loop: objective, accumulation, resuming, checkpoints, logs."""

import contextlib
import dataclasses
import itertools
import json
from pathlib import Path

import pytest
import torch
from torch import nn

from companion.data import load_tokenizer, pack_rows
from companion.losses import mlm_loss
from companion.models import ModernBertConfig, ModernBertForMaskedLM
from companion.training import checkpoints, read_log
from companion.training.checkpoints import load_checkpoint, save_checkpoint
from companion.training.config import (
    DataConfig,
    MaskingConfig,
    ModelConfig,
    OptimizerConfig,
    RunConfig,
    ScheduleConfig,
    TrainingConfig,
)
from companion.training.loop import Score, check_identity, take_step, train
from companion.training.objective import MaskedWords
from companion.training.optimizers import build_optimizers, schedule
from companion.training.processes import Processes
from companion.training.state import restore_state

TOKENIZER = load_tokenizer()
ALONE = Processes(0, 1, torch.device("cpu"))
SIZES = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 24,
    "global_attn_every_n_layers": 1,
    "embedding_dropout": 0.1,  # so that random states matter
}


def rows_of(number: int = 21, length: int = 16):
    generator = torch.Generator().manual_seed(0)
    text = torch.randint(5, 200, (number * length,), generator=generator)
    texts = list(text.split(11))
    return pack_rows(texts, length=length, cls_id=2, sep_id=3, pad_id=0)


def model_of() -> ModernBertForMaskedLM:
    torch.manual_seed(0)
    return ModernBertForMaskedLM(ModernBertConfig(vocab_size=TOKENIZER.vocab_size, **SIZES))


def config_of(**run) -> TrainingConfig:
    run = {"batch_size": 6, "log_every": 3, "evaluate_every": 4, "checkpoint_every": 5} | run
    return TrainingConfig(
        model=ModelConfig("ModernBertForMaskedLM", SIZES),
        data=DataConfig(["wiki"], 16),
        masking=MaskingConfig(rate=0.3),
        optimizer=OptimizerConfig(0.01, muon_learning_rate=0.02),
        schedule=ScheduleConfig(steps=12, warmup=3),
        run=RunConfig(**run),
    )


class Killed(BaseException):
    """What stops a run in a test."""


class Spy(MaskedWords):
    """Notes which rows make each step and in which epoch, and at what rates; may stop the run."""

    def __init__(self, config: TrainingConfig, until: int | None) -> None:
        super().__init__(rows_of(), TOKENIZER, config.masking, config.run.seed)
        self.until = until
        self.asked: list[tuple[list[int], int]] = []
        self.optimizers: list[torch.optim.Optimizer] = []
        self.rates: list[list[float]] = []

    def batch(self, numbers: torch.Tensor, epoch: int):
        if len(self.asked) == self.until:
            raise Killed
        self.asked.append((numbers.tolist(), epoch))
        self.rates.append([group["lr"] for o in self.optimizers for group in o.param_groups])
        return super().batch(numbers, epoch)


class Counter:
    """A watcher that notes what it is called for, always with a model in eval mode."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int]] = []

    def go_on_from(self, step: int) -> None:
        self.calls.append(("go on", step))

    def evaluate(self, model: nn.Module) -> Score:
        assert not model.training
        self.calls.append(("evaluate", 0))
        return Score(1.5, 0.25)

    def film(self, model: nn.Module, step: int, seconds: float) -> None:
        assert not model.training
        assert seconds > 0 or step == 0
        self.calls.append(("film", step))


def start(
    folder: Path, config: TrainingConfig | None = None, until: int | None = None
) -> tuple[nn.Module, Spy, Counter]:
    """Train a tiny model in `folder`, from its newest checkpoint, for at most `until` steps."""
    config = config or config_of()
    folder.mkdir(parents=True, exist_ok=True)
    model, spy, watcher = model_of(), Spy(config, until), Counter()
    spy.optimizers = build_optimizers(model, config.optimizer)
    identity = {"rate": config.masking.rate}
    with contextlib.suppress(Killed):
        train(
            model, spy, spy.optimizers, config, watcher,
            folder=folder, processes=ALONE, identity=identity,
        )  # fmt: skip
    return model, spy, watcher


def run(folder: Path, config: TrainingConfig | None = None, until: int | None = None) -> nn.Module:
    return start(folder, config, until)[0]


def same_weights(one: nn.Module, other: nn.Module) -> bool:
    pairs = zip(one.state_dict().items(), other.state_dict().values(), strict=True)
    return all(torch.equal(a, b) for (_, a), b in pairs)


# Objective


def test_a_row_has_one_mask_an_epoch_whatever_the_batch():
    objective = MaskedWords(rows_of(), TOKENIZER, MaskingConfig(rate=0.3), seed=1)
    whole = objective.batch(torch.arange(20), epoch=2)
    alone = objective.batch(torch.tensor([13, 4]), epoch=2)
    for all_rows, two_rows in zip(whole[:3], alone[:3], strict=True):
        assert torch.equal(all_rows[[13, 4]], two_rows)
    assert not torch.equal(objective.batch(torch.arange(20), epoch=3).labels, whole.labels)
    other_seed = MaskedWords(rows_of(), TOKENIZER, MaskingConfig(rate=0.3), seed=2)
    assert not torch.equal(other_seed.batch(torch.arange(20), epoch=2).labels, whole.labels)


def test_every_epoch_reads_every_row_in_another_order():
    objective = MaskedWords(rows_of(), TOKENIZER, MaskingConfig(), seed=0)
    first, second = objective.order(0), objective.order(1)
    count = len(objective.rows.input_ids)
    assert first.sort().values.tolist() == second.sort().values.tolist() == list(range(count))
    assert not torch.equal(first, second)
    assert torch.equal(first, objective.order(0))


@pytest.mark.parametrize("size", [1, 2, 4])
def test_parts_of_a_batch_give_its_loss_and_gradient(size):
    objective = MaskedWords(rows_of(), TOKENIZER, MaskingConfig(rate=0.3), seed=1)
    batch = objective.batch(torch.arange(6), epoch=0)
    model = model_of().eval()
    selected = batch.labels != -100
    logits = model(batch.corrupted, batch.attention_mask).mlm_logits
    expected = mlm_loss(logits, batch.labels)
    expected.backward()
    gradients = [p.grad.clone() for p in model.parameters()]
    model.zero_grad()
    parts = batch.split(size)
    assert [len(part.labels) for part in parts] == [size] * (6 // size) + [6 % size] * (
        6 % size > 0
    )
    counts = {part.scored for part in parts}
    assert len(counts) > 1, "parts with equally many labels would not tell a mean of means"
    loss = sum(objective.loss(model, part, int(selected.sum()), rows=6) for part in parts)
    loss.backward()
    torch.testing.assert_close(loss, expected)
    for parameter, gradient in zip(model.parameters(), gradients, strict=True):
        torch.testing.assert_close(parameter.grad, gradient, atol=1e-6, rtol=1e-5)


@pytest.mark.parametrize("precision", ["fp32", "bf16", "fp16"])
def test_a_step_moves_the_weights_and_returns_the_loss(precision):
    config = config_of(precision=precision, micro_batch_size=4)
    objective = MaskedWords(rows_of(), TOKENIZER, config.masking, seed=0)
    model = model_of().eval()
    optimizers = build_optimizers(model, config.optimizer)
    scaler = torch.amp.GradScaler("cpu", enabled=precision == "fp16")
    batch = objective.batch(torch.arange(6), epoch=0)
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    with torch.no_grad():
        selected = batch.labels != -100
        output = model(batch.corrupted, batch.attention_mask, selected)
        expected = mlm_loss(output.mlm_logits, batch.labels[selected]).item()
    loss = take_step(model, batch, objective, optimizers, scaler, config, ALONE)
    assert loss == pytest.approx(expected, rel=1e-6 if precision == "fp32" else 0.02)
    assert all(not torch.equal(p, before[n]) for n, p in model.named_parameters())
    assert all(p.dtype == torch.float32 for p in model.parameters())
    assert all(p.grad is None for p in model.parameters())


def test_clipping_limits_the_step():
    """With plain SGD in place of AdamW, what moves is the clipped gradient itself."""
    config = config_of()
    config = dataclasses.replace(config, optimizer=OptimizerConfig(0.01, clip=1e-3))
    objective = MaskedWords(rows_of(), TOKENIZER, config.masking, seed=0)
    model = model_of()
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    sgd = torch.optim.SGD(model.parameters(), lr=1.0)
    scaler = torch.amp.GradScaler("cpu", enabled=False)
    batch = objective.batch(torch.arange(6), epoch=0)
    take_step(model, batch, objective, [sgd], scaler, config, ALONE)
    moved = sum(((p - before[n]) ** 2).sum() for n, p in model.named_parameters()) ** 0.5
    assert moved.item() == pytest.approx(1e-3, rel=1e-2)


class Overflow(nn.Module):
    """A model whose output bias has an infinite gradient."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model
        model.mlm_head.bias.register_hook(lambda gradient: gradient * float("inf"))

    def forward(self, *inputs, **named):
        return self.model(*inputs, **named)


@pytest.mark.parametrize("clip", [0.0, 1.0])
def test_a_step_that_overflows_in_half_precision_is_left_out_by_every_optimiser(clip):
    config = config_of(precision="fp16")
    optimizer = OptimizerConfig(0.01, muon_learning_rate=0.02, clip=clip)
    config = dataclasses.replace(config, optimizer=optimizer)
    objective = MaskedWords(rows_of(), TOKENIZER, config.masking, seed=0)
    model = model_of().eval()
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    optimizers = build_optimizers(model, config.optimizer)
    scaler = torch.amp.GradScaler("cpu")
    batch = objective.batch(torch.arange(6), epoch=0)
    scale = scaler.get_scale()
    take_step(Overflow(model), batch, objective, optimizers, scaler, config, ALONE)
    assert scaler.get_scale() < scale
    assert all(torch.equal(p, before[n]) for n, p in model.named_parameters())
    assert all(p.grad is None for p in model.parameters())


def test_half_precision_that_no_scale_helps_stops_the_run():
    """Else every step is left out, and the run ends as it began."""
    config = config_of(precision="fp16")
    objective = MaskedWords(rows_of(), TOKENIZER, config.masking, seed=0)
    model = model_of().eval()
    optimizers = build_optimizers(model, config.optimizer)
    scaler = torch.amp.GradScaler("cpu")
    batch = objective.batch(torch.arange(6), epoch=0)
    broken = Overflow(model)

    def many_steps() -> None:
        for _ in range(30):
            take_step(broken, batch, objective, optimizers, scaler, config, ALONE)

    with pytest.raises(FloatingPointError, match="has diverged"):
        many_steps()
    assert scaler.get_scale() < 1
    with torch.no_grad():
        model.mlm_head.bias[7] = torch.nan
    with pytest.raises(FloatingPointError, match="the loss is nan"):
        take_step(model, batch, objective, optimizers, torch.amp.GradScaler("cpu"), config, ALONE)


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_a_run_that_diverges_stops_before_it_spoils_anything(tmp_path: Path, precision):
    config = config_of(precision=precision)
    objective = MaskedWords(rows_of(), TOKENIZER, config.masking, seed=0)
    model = model_of()
    optimizers = build_optimizers(model, config.optimizer)
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    scaler = torch.amp.GradScaler("cpu", enabled=False)
    batch = objective.batch(torch.arange(6), epoch=0)
    with pytest.raises(FloatingPointError, match="Lower the learning rates"):
        take_step(Overflow(model), batch, objective, optimizers, scaler, config, ALONE)
    assert all(torch.equal(p, before[n]) for n, p in model.named_parameters())


# The loop


def test_steps_read_the_rows_in_the_order_of_their_epoch_at_the_rates_of_the_schedule(tmp_path):
    config = config_of()
    _, spy, _ = start(tmp_path)
    count = len(spy.rows.input_ids)
    an_epoch = count // 6
    assert 2 * an_epoch < 12, "three epochs are needed to tell them apart"
    assert spy.asked == [
        (spy.order(step // an_epoch)[step % an_epoch * 6 :][:6].tolist(), step // an_epoch)
        for step in range(12)
    ]
    first = [0.01, 0.01] + [0.02] * (len(spy.rates[0]) - 2)
    for step, rates in enumerate(spy.rates):
        assert rates == pytest.approx([schedule(step, config.schedule) * rate for rate in first])


def test_the_watcher_is_called_when_the_config_says_so(tmp_path: Path):
    config = config_of(film=[0, 2, 8])
    assert start(tmp_path, config, until=7)[2].calls == [
        ("go on", 0), ("film", 0), ("film", 2), ("evaluate", 0)
    ]  # fmt: skip
    assert start(tmp_path, config)[2].calls == [
        ("go on", 5), ("evaluate", 0), ("film", 8), ("evaluate", 0)
    ]  # fmt: skip


# Resuming


def test_scale_of_half_precision_is_part_of_it(tmp_path: Path):
    config = config_of(precision="fp16")
    whole = run(tmp_path / "whole", config)
    run(tmp_path / "part", config, until=7)
    path = tmp_path / "part" / "checkpoints" / "step-00000005" / checkpoints.FACTS
    facts = json.loads(path.read_text())
    assert facts["scaler"]["scale"] == 65536.0
    assert same_weights(run(tmp_path / "part", config), whole)
    other = tmp_path / "other"
    run(other, config, until=7)
    facts["scaler"]["scale"] = 2.0  # gradients this small round to nothing in half precision
    (other / "checkpoints" / "step-00000005" / checkpoints.FACTS).write_text(json.dumps(facts))
    assert not same_weights(run(other, config), whole)


def test_a_run_that_stopped_anywhere_ends_in_the_same_weights_and_log(tmp_path: Path):
    whole = run(tmp_path / "whole")
    assert not same_weights(whole, model_of())
    for stop in (1, 5, 7, 10, 12):
        run(tmp_path / str(stop), until=stop)
        assert same_weights(run(tmp_path / str(stop)), whole), f"stopped after step {stop}"
        lines, expected = (
            [line._replace(seconds=0.0) for line in read_log(tmp_path / name / "log.csv")]
            for name in (str(stop), "whole")
        )
        assert lines == expected


def test_random_state_of_dropout_is_part_of_it(tmp_path: Path):
    """Without it the resumed run would drop other values: the test above must be able to fail."""
    whole = run(tmp_path / "whole")
    run(tmp_path / "part", until=5)
    state, facts = load_checkpoint(tmp_path / "part" / "checkpoints" / "step-00000005")
    state["random.cpu.0"] = torch.Generator().manual_seed(9).get_state()
    path = tmp_path / "part" / "checkpoints" / "step-00000005"
    for file in path.iterdir():
        file.unlink()
    path.rmdir()
    facts = {k: v for k, v in facts.items() if k not in ("format", "sha256", "step")}
    save_checkpoint(tmp_path / "part" / "checkpoints", 5, state, facts)
    assert not same_weights(run(tmp_path / "part"), whole)


def test_log_has_its_lines(tmp_path: Path):
    run(tmp_path)
    lines = read_log(tmp_path / "log.csv")
    assert [line.step for line in lines] == [3, 4, 5, 6, 8, 9, 10, 12]
    assert [line.step for line in lines if line.held_out_accuracy == 0.25] == [4, 8, 12]
    assert all(line.held_out_loss is None for line in lines if line.step not in (4, 8, 12))
    assert [line.lr_factor for line in lines][:3] == pytest.approx([1.0, 1.0, 8 / 9], abs=1e-4)
    assert all(line.seconds < later.seconds for line, later in itertools.pairwise(lines))
    assert lines[-1].loss < lines[0].loss


def test_other_settings_or_text_are_refused_by_name(tmp_path: Path):
    run(tmp_path, until=5)
    other = dataclasses.replace(config_of(), masking=MaskingConfig(rate=0.2))
    with pytest.raises(ValueError, match=r"made with rate = 0\.3, and now it is 0\.2"):
        run(tmp_path, other)
    for saved, ours in (({}, {"x": 1}), ({"x": 1}, {})):
        with pytest.raises(
            ValueError, match=r"x = (not set, and now it is 1|1, and now it is not)"
        ):
            check_identity(saved, ours, tmp_path)


def test_checkpoint_without_what_a_run_needs(tmp_path: Path):
    save_checkpoint(tmp_path / "checkpoints", 5, {"weight": torch.zeros(1)}, {})
    with pytest.raises(ValueError, match=r"lacks identity, optimizer, scaler, seconds"):
        run(tmp_path)


def test_checkpoint_of_another_model(tmp_path: Path):
    run(tmp_path, until=5)
    state, facts = load_checkpoint(tmp_path / "checkpoints" / "step-00000005")
    torch.manual_seed(0)
    sizes = SIZES | {"num_hidden_layers": 3}
    model = ModernBertForMaskedLM(ModernBertConfig(vocab_size=TOKENIZER.vocab_size, **sizes))
    optimizers = build_optimizers(model, config_of().optimizer)
    scaler = torch.amp.GradScaler("cpu", enabled=False)
    with pytest.raises(ValueError, match="another model"):
        restore_state(model, optimizers, scaler, state, facts, ALONE)
