"""What a run is: read from a TOML file; a field that does not exist or fit is an error."""

import dataclasses
import tomllib
import types
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints


@dataclass(frozen=True)
class ModelConfig:
    """`name` is a class of companion.models; `sizes` are fields of its config class.

    Whatever the tokenizer decides (vocabulary, token ids) is filled in and need not be given. A
    model for pre-training has a second head and is trained on pairs of texts; a causal one is asked
    for every next token. `Mae` is trained on pictures: their size and channels are filled in, and
    its sizes mask_ratio and norm_pix_loss say what it is asked.
    """

    name: Literal[
        "BertForMaskedLM",
        "BertForPreTraining",
        "PreLNBertForMaskedLM",
        "ModernBertForMaskedLM",
        "ModernBertForCausalLM",
        "Gpt",
        "Mae",
    ]
    sizes: dict[str, Any]


@dataclass(frozen=True)
class DataConfig:
    """Texts of the shipped corpora `corpora`, one after the other in rows of `length` tokens.

    Where the model wants pairs, a row is one pair of runs of sentences (`data.segment_pairs`).

    The log's held-out text is that of the first corpus. For a model of pictures: the name of the
    shipped ones, `images`, and nothing else.
    """

    corpora: list[str] = field(default_factory=list)
    length: int = 0
    tokenizer: str = "wiki"
    images: str | None = None


@dataclass(frozen=True)
class MaskingConfig:
    """The corruption in training; `rate` is the share of tokens that are selected."""

    rate: float = 0.15
    mask_share: float = 0.8
    random_share: float = 0.1


@dataclass(frozen=True)
class OptimizerConfig:
    """AdamW for everything; with `muon_learning_rate`, Muon for the matrices inside blocks.

    `clip` is the largest gradient norm that a step may have; 0 does not clip.
    """

    learning_rate: float
    muon_learning_rate: float | None = None
    muon_momentum: float = 0.95
    weight_decay: float = 0.01
    beta1: float = 0.9
    beta2: float = 0.98
    epsilon: float = 1e-8
    clip: float = 0.0


@dataclass(frozen=True)
class ScheduleConfig:
    """`steps` of training; `decay` is the share of them over which the rate goes to `final`.

    `shape` is the way down: a straight line, half a cosine, or a line from step 0 on that the
    warm-up covers at first (BERT's own code: the rate drops where the warm-up ends).
    """

    steps: int
    warmup: int = 0
    decay: float = 1.0
    final: float = 0.0
    shape: Literal["linear", "cosine", "linear-from-0"] = "linear"


@dataclass(frozen=True)
class RunConfig:
    """How a run goes about it.

    `batch_size` rows make a step, over all processes together; `micro_batch_size` of them (default:
    all) go through a model at a time. A line of the log every `log_every` steps, an evaluation on
    held-out data every `evaluate_every`, a checkpoint every `checkpoint_every`; at the steps of
    `film` the run writes down what it would fill into thirty fixed blanks.
    """

    batch_size: int
    micro_batch_size: int | None = None
    seed: int = 0
    precision: Literal["fp32", "bf16", "fp16"] = "fp32"
    log_every: int = 50
    evaluate_every: int = 250
    checkpoint_every: int = 250
    film: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class TrainingConfig:
    """A whole file: each field is a table of it."""

    model: ModelConfig
    data: DataConfig
    optimizer: OptimizerConfig
    schedule: ScheduleConfig
    run: RunConfig
    masking: MaskingConfig = field(default_factory=MaskingConfig)

    def __post_init__(self) -> None:
        """Refuse numbers that no run can have."""
        data, masking, optimizer = self.data, self.masking, self.optimizer
        schedule, run = self.schedule, self.run
        self.check_data()
        limits = {
            "data.length": (data.length, 0 if self.is_of_pictures else 3, None),
            "masking.rate": (masking.rate, 0, 1),
            "masking.mask_share": (masking.mask_share, 0, 1),
            "masking.random_share": (masking.random_share, 0, 1 - masking.mask_share),
            "optimizer.learning_rate": (optimizer.learning_rate, 0, None),
            "optimizer.muon_learning_rate": (optimizer.muon_learning_rate, 0, None),
            "optimizer.muon_momentum": (optimizer.muon_momentum, 0, 1),
            "optimizer.weight_decay": (optimizer.weight_decay, 0, None),
            "optimizer.beta1": (optimizer.beta1, 0, 1),
            "optimizer.beta2": (optimizer.beta2, 0, 1),
            "optimizer.epsilon": (optimizer.epsilon, 0, None),
            "optimizer.clip": (optimizer.clip, 0, None),
            "schedule.steps": (schedule.steps, 1, None),
            "schedule.warmup": (schedule.warmup, 0, schedule.steps),
            "schedule.decay": (schedule.decay, 0, 1),
            "schedule.final": (schedule.final, 0, 1),
            "run.batch_size": (run.batch_size, 1, None),
            "run.micro_batch_size": (run.micro_batch_size, 1, run.batch_size),
            "run.seed": (run.seed, 0, 2**32 - 2),
            "run.log_every": (run.log_every, 1, None),
            "run.evaluate_every": (run.evaluate_every, 1, None),
            "run.checkpoint_every": (run.checkpoint_every, 1, None),
            **{f"run.film[{n}]": (step, 0, schedule.steps) for n, step in enumerate(run.film)},
        }
        for name, (value, low, high) in limits.items():
            # Not "value < low or ...": a NaN is on no side of anything.
            if value is not None and not (low <= value and (high is None or value <= high + 1e-9)):
                at_most = "" if high is None else f" and at most {high:g}"
                raise ValueError(f"{name} is {value}; it must be at least {low}{at_most}")
        if masking.rate == 0:
            raise ValueError("masking.rate is 0: nothing would be asked, and nothing learned")
        if schedule.shape == "linear-from-0" and schedule.decay != 1:
            raise ValueError(
                f'schedule.decay is {schedule.decay}; with shape = "linear-from-0" it is 1'
            )
        if self.is_causal and masking != MaskingConfig():
            raise ValueError(f"{self.model.name} is asked for next tokens: leave out [masking]")
        if (self.is_causal or self.is_of_pictures) and run.film:
            raise ValueError(f"{self.model.name} fills no blanks: leave out run.film")

    def check_data(self) -> None:
        """Refuse texts for a model of pictures, pictures for one of texts, and neither."""
        name, data = self.model.name, self.data
        if not self.is_of_pictures:
            if data.images is not None:
                raise ValueError(f"{name} reads texts: leave out data.images")
            for field_name in ("corpora", "length"):
                if not getattr(data, field_name):
                    raise ValueError(f"data.{field_name} is missing")
            return
        if data.images is None:
            raise ValueError(f"data.images is missing: {name} reads pictures")
        if data != DataConfig(images=data.images) or self.masking != MaskingConfig():
            raise ValueError(
                f"{name} reads pictures: leave out all of [data] but images, and [masking]; how "
                "much is hidden is model.sizes.mask_ratio"
            )

    @property
    def is_causal(self) -> bool:
        """Whether the model is asked for next tokens, and not for masked ones."""
        return self.model.name in ("ModernBertForCausalLM", "Gpt")

    @property
    def is_of_pictures(self) -> bool:
        """Whether the model reads pictures, and not texts."""
        return self.model.name == "Mae"

    @property
    def micro_batch_size(self) -> int:
        """Rows that go through the model at a time."""
        return self.run.micro_batch_size or self.run.batch_size


def load_config(path: Path) -> TrainingConfig:
    """Read a TOML file.

    Raises:
        OSError: the file cannot be read.
        ValueError: not TOML, a table or field that is unknown, missing, of another type or out of
            its range; the message names it and says what there is.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        config: TrainingConfig = build(TrainingConfig, values, "")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error
    return config


def build(kind: type[Any], values: dict[str, Any], place: str) -> Any:
    """The dataclass `kind` from `values`; `place` says where in the file they stand."""
    hints = get_type_hints(kind)
    unknown = sorted(values.keys() - hints.keys())
    if unknown:
        raise ValueError(f"{place}{unknown[0]} is not known; there are {', '.join(hints)}")
    made = {}
    for one in dataclasses.fields(kind):
        name = place + one.name
        if one.name in values:
            made[one.name] = convert(hints[one.name], values[one.name], name)
        elif one.default is one.default_factory is dataclasses.MISSING:
            raise ValueError(f"{name} is missing")
    return kind(**made)


def convert(kind: Any, value: Any, name: str) -> Any:
    """`value` as the type `kind`, or an error that names the field."""
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        if not isinstance(value, dict):
            raise ValueError(f"{name} is {value!r}; it must be a table: [{name}]")
        return build(kind, value, f"{name}.")
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise ValueError(f"{name} is {value!r}; choose one of {', '.join(get_args(kind))}")
        return value
    if isinstance(kind, types.UnionType):  # "or None": None is said by leaving the field out
        kind = get_args(kind)[0]
    inner = get_args(kind)
    plain = get_origin(kind) or kind
    if plain is float and type(value) is int:
        value = float(value)
    if type(value) is not plain:
        raise ValueError(f"{name} is {value!r}; it must be of type {plain.__name__}")
    if plain is list and any(type(item) is not inner[0] for item in value):
        raise ValueError(f"{name} is {value!r}; it must hold values of type {inner[0].__name__}")
    return value
