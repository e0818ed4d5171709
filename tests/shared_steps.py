"""Steps that one process or several take: `torchrun ... tests/shared_steps.py FOLDER`."""

import contextlib
import itertools
import sys
from pathlib import Path
from typing import NamedTuple

import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from companion.data import load_tokenizer, pack_rows, pair_rows, segment_pairs
from companion.models import (
    BertConfig,
    BertForPreTraining,
    ModernBertConfig,
    ModernBertForCausalLM,
    ModernBertForMaskedLM,
)
from companion.training.config import (
    DataConfig,
    MaskingConfig,
    ModelConfig,
    OptimizerConfig,
    RunConfig,
    ScheduleConfig,
    TrainingConfig,
)
from companion.training.loop import Score, take_step, train
from companion.training.next_tokens import NextTokens
from companion.training.objective import MaskedWords
from companion.training.optimizers import build_optimizers
from companion.training.processes import Processes, joined, spread, whole

TOKENIZER = load_tokenizer()
SPECIALS = {"cls_id": TOKENIZER.cls_id, "sep_id": TOKENIZER.sep_id, "pad_id": TOKENIZER.pad_id}
SIZES = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 24,
    "global_attn_every_n_layers": 1,
}
ALONE = Processes(0, 1, torch.device("cpu"))


class Case(NamedTuple):
    """What is trained, how. Plain SGD shows gradients themselves: AdamW and Muon forget sizes."""

    kind: str = "masked"
    rows: int = 6
    micro: int | None = None
    optimizer: OptimizerConfig | None = None  # None: SGD
    clip: float = 0.0


CASES = {
    "whole": Case(),
    "parts, and one process has one less": Case(rows=5, micro=1),
    "clipped": Case(micro=2, clip=0.5),
    "muon and adamw": Case(optimizer=OptimizerConfig(0.01, muon_learning_rate=0.02)),
    "pairs": Case("pairs", rows=7, micro=2),
    "causal": Case("causal", micro=2),
}


def config_of(case: Case, *, precision: str = "fp32", dropout: float = 0.0) -> TrainingConfig:
    """A config whose `run` and `optimizer` are those of the case."""
    optimizer = case.optimizer or OptimizerConfig(0.1)
    return TrainingConfig(
        model=ModelConfig("ModernBertForMaskedLM", SIZES | {"embedding_dropout": dropout}),
        data=DataConfig(["wiki"], 16),
        masking=MaskingConfig(rate=0.3),
        optimizer=OptimizerConfig(
            optimizer.learning_rate, optimizer.muon_learning_rate, clip=case.clip
        ),
        schedule=ScheduleConfig(steps=8),
        run=RunConfig(case.rows, case.micro, checkpoint_every=3, precision=precision),
    )


def parts_of(case: Case, config: TrainingConfig) -> tuple[nn.Module, MaskedWords | NextTokens]:
    """A model, the same in every process, and its objective."""
    generator = torch.Generator().manual_seed(0)
    text = list(torch.randint(5, 200, (500,), generator=generator).split(7))
    rows = pack_rows(text, length=16, **SPECIALS)
    torch.manual_seed(0)
    if case.kind == "pairs":
        pairs = segment_pairs([text[:30], text[30:]], length=16, generator=generator)
        rows = pair_rows(pairs, length=16, **SPECIALS)
        sizes = {name: size for name, size in SIZES.items() if not name.startswith("global")}
        model = BertForPreTraining(BertConfig(vocab_size=4096, **sizes)).eval()
        return model, MaskedWords(rows, TOKENIZER, config.masking, 0)
    modern = ModernBertConfig(vocab_size=4096, **config.model.sizes)
    if case.kind == "causal":
        return ModernBertForCausalLM(modern), NextTokens(rows, 0)
    return ModernBertForMaskedLM(modern), MaskedWords(rows, TOKENIZER, config.masking, 0)


def weights_of(model: nn.Module, spare: nn.Module | None) -> dict[str, Tensor]:
    """A copy of all weights, in process 0; all processes must ask."""
    return {n: w.detach().clone() for n, w in whole(model, spare).state_dict().items()}


def after_steps(case: Case, processes: Processes, *, fsdp: bool = False) -> dict[str, Tensor]:
    """The weights after two steps, and "loss", that of the second one."""
    config = config_of(case)
    model, objective = parts_of(case, config)
    model, spare = spread(model, processes, fsdp=fsdp)
    if case.optimizer:
        optimizers = build_optimizers(model, config.optimizer)
    else:
        optimizers = [torch.optim.SGD(model.parameters(), lr=1.0)]
    scaler = torch.amp.GradScaler("cpu", enabled=False)
    for step in range(2):
        numbers = torch.arange(case.rows) + case.rows * step
        ours = numbers.tensor_split(processes.total)[processes.number]
        batch = objective.batch(ours, 0)
        loss = take_step(model, batch, objective, optimizers, scaler, config, processes)
    return {**weights_of(model, spare), "loss": torch.tensor(loss)}


def after_overflow(processes: Processes, *, fsdp: bool) -> dict[str, Tensor]:
    """The weights after a step whose gradient overflows in process 1 alone, and the "scale"s."""
    case = CASES["muon and adamw"]
    config = config_of(case, precision="fp16")
    model, objective = parts_of(case, config)
    model, spare = spread(model, processes, fsdp=fsdp)
    optimizers = build_optimizers(model, config.optimizer)
    scaler = torch.amp.GradScaler("cpu")
    batch = objective.batch(torch.arange(3) + 3 * processes.number, 0)
    real = objective.loss

    def overflowing(*arguments: object) -> Tensor:
        loss = real(*arguments)
        if processes.number == 1:
            loss.register_hook(lambda gradient: gradient * float("inf"))
        return loss

    objective.loss = overflowing
    take_step(model, batch, objective, optimizers, scaler, config, processes)
    scales = processes.gather(scaler.get_scale())
    return {**weights_of(model, spare), "scales": torch.tensor(scales)}


class Stopped(BaseException):
    """What stops a run in a test."""


class Nobody:
    """A watcher that sees nothing."""

    def go_on_from(self, step: int) -> None:
        pass

    def evaluate(self, model: nn.Module) -> Score:
        return Score(1.5, 0.25)

    def film(self, model: nn.Module, step: int, seconds: float) -> None:
        pass


def after_run(
    folder: Path,
    processes: Processes,
    *,
    fsdp: bool = False,
    dropout: float = 0.0,
    stops: bool = False,
) -> dict[str, Tensor]:
    """The weights after a run in `folder`, or after five steps, two behind a checkpoint."""
    case = CASES["muon and adamw"]
    config = config_of(case, dropout=dropout)
    model, objective = parts_of(case, config)
    real, steps = objective.batch, itertools.count()

    def until(numbers: Tensor, epoch: int) -> object:
        if next(steps) == 5:
            raise Stopped
        return real(numbers, epoch)

    if stops:
        objective.batch = until
    torch.manual_seed(processes.number)
    model, spare = spread(model, processes, fsdp=fsdp)
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(Stopped):
        train(
            model,
            objective,
            build_optimizers(model, config.optimizer),
            config,
            Nobody() if processes.is_first else None,
            folder=folder,
            processes=processes,
            identity={},
            spare=spare,
        )
    return weights_of(model, spare)


def main(folder: Path) -> None:
    """All of it in several processes; FOLDER/NAME.safetensors holds the weights of each."""
    with joined() as processes:
        found = {}
        for fsdp in (False, True):
            way = "fsdp" if fsdp else "ddp"
            for name, case in CASES.items():
                found[f"{way} {name}"] = after_steps(case, processes, fsdp=fsdp)
            found[f"{way} overflow"] = after_overflow(processes, fsdp=fsdp)
            runs = {"fsdp": fsdp, "dropout": 0.1}
            found[f"{way} run"] = after_run(folder / f"{way} run", processes, **runs)
            after_run(folder / f"{way} stopped", processes, stops=True, **runs)
            found[f"{way} stopped"] = after_run(folder / f"{way} stopped", processes, **runs)
            from_one = folder / f"{way} from one"
            found[f"{way} from one"] = after_run(from_one, processes, fsdp=fsdp)
            after_run(folder / f"{way} to one", processes, fsdp=fsdp, stops=True)
        for name, tensors in found.items():
            if processes.is_first:
                save_file(tensors, folder / f"{name}.safetensors")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
