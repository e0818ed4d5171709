"""Read and write folders in the format of the Hugging Face hub: config.json and weights.

A model class says once, in a `HubFormat`, what its parameters are called on the hub. Loading and
saving both follow that one table, so that they cannot drift apart.
"""

import dataclasses
import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import safetensors.torch
import torch
from torch import Tensor, nn

from companion.models.hub_files import WHOLE, find_folder, read_weights, write_files

# Fields that transformers writes for every kind of model and that change no number in a forward.
BOOKKEEPING = """
    _attn_implementation_autoset _commit_hash _name_or_path _num_labels architectures
    attn_implementation chunk_size_feed_forward cross_attention_hidden_size dtype finetuning_task
    gradient_checkpointing id2label label2id model_type name_or_path num_labels output_attentions
    output_hidden_states output_past output_scores prefix problem_type return_dict
    return_dict_in_generate task_specific_params tf_legacy_loss tie_encoder_decoder tokenizer_class
    torch_dtype torchscript transformers_version use_bfloat16 use_cache xla_device
    bos_token_id cls_token_id decoder_start_token_id eos_token_id mask_token_id pad_token_id
    sep_token_id unk_token_id
    bad_words_ids begin_suppress_tokens diversity_penalty do_sample early_stopping
    encoder_no_repeat_ngram_size exponential_decay_length_penalty forced_bos_token_id
    forced_eos_token_id length_penalty max_length min_length no_repeat_ngram_size num_beam_groups
    num_beams num_return_sequences remove_invalid_values repetition_penalty suppress_tokens
    temperature top_k top_p typical_p
"""

# Fields of every kind of model that do change it, and the values under which they do not.
FIXED: Mapping[str, tuple[object, ...]] = {
    "is_encoder_decoder": (False,),
    "pruned_heads": ({}, None),
}


@dataclasses.dataclass(frozen=True)
class HubFormat:
    """What a family of models looks like on the hub.

    Attributes:
        model_type: the family's name in config.json.
        prefix: what stands before the base model's names in classes with a head ("bert.").
        names: our module (`*` for a layer's number) to the hub's, prefix included. Several names:
            the hub keeps apart what we hold as one tensor, stacked on dim 0 in this order.
        heads: beginnings, without prefix, of the names of every head in the family. One that a
            class lacks is skipped at loading; one that it has may be missing, whole, if so asked.
        copies: second copies, without prefix, to the name of the tensor that they must equal.
        buffers: constants, without prefix, that old versions saved among the weights; `*` stands
            for a layer's number.
        fixed: fields of config.json with the values that this code computes; the first is written.
        ignored: further fields of config.json that change nothing.
        older_spelling: from fields that a later version of transformers writes to those above.
        transposed: our modules (as in `names`) whose matrices the hub keeps the other way round.
        spelling: from any name of a weight that is about to the one in `names`, where the same
            weights go by several.
    """

    model_type: str
    prefix: str
    names: Mapping[str, tuple[str, ...]]
    heads: tuple[str, ...]
    copies: Mapping[str, str]
    buffers: frozenset[str]
    fixed: Mapping[str, tuple[object, ...]]
    ignored: frozenset[str]
    older_spelling: Callable[[Mapping[str, Any]], dict[str, Any]] = dict
    transposed: frozenset[str] = frozenset()
    spelling: Callable[[str], str] = str


class HubModel(nn.Module):
    """A module that is built from a config and lives in Hugging Face folders.

    A class gives `config_class`, `hub_format`, `hub_class` (its twin in `transformers`) and
    `hub_bare` (whether that twin writes the base model's names without the prefix).
    """

    config_class: ClassVar[type[Any]]
    hub_format: ClassVar[HubFormat]
    hub_class: ClassVar[str]
    hub_bare: ClassVar[bool] = False

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.config = config

    @classmethod
    def from_pretrained(
        cls,
        folder_or_repo_id: str | os.PathLike[str],
        *,
        missing: Literal["error", "init"] = "error",
    ) -> Self:
        """Build the model that a folder describes, in eval mode and torch's default dtype.

        Args:
            folder_or_repo_id: a folder with config.json and weights (safetensors, whole or
                sharded, or pytorch_model.bin), or a hub id such as "google-bert/bert-base-uncased".
            missing: what to do about a head or pooler that the weights lack: "error", or "init"
                to leave it freshly drawn.

        Raises:
            OSError: no such folder, no config.json or no weights in it, or the hub out of reach.
            ValueError: a damaged file, a config that asks for another computation, or weights
                that do not fit: the message lists every name that is missing or left over.
        """
        if missing not in ("error", "init"):
            raise ValueError(f'missing must be "error" or "init", not {missing!r}')
        folder = find_folder(folder_or_repo_id)
        config = read_config(folder, cls.config_class, cls.hub_format)
        weights = read_weights(folder)
        model = cls(config)  # drawn the ordinary way, so that heads the weights lack are in place
        try:
            load_weights(model, weights, may_lack_heads=missing == "init")
        except ValueError as error:
            raise ValueError(f"{cls.__name__} from {folder}: {error}") from None
        return model.eval()

    def save_pretrained(self, folder: str | os.PathLike[str]) -> None:
        """Write config.json and model.safetensors, in the hub's spelling, into `folder`.

        Other files there stay. An interrupted save leaves a folder without config.json, which
        nobody takes for whole.
        """
        hub, state = self.hub_format, self.state_dict()
        weights = {}
        for ours, theirs in hub_names(self).items():
            for name, part in zip(theirs, state[ours].chunk(len(theirs)), strict=True):
                name = name.removeprefix(hub.prefix) if self.hub_bare else name
                part = as_on_hub(self, ours, part)
                weights[name] = part.cpu().clone().contiguous()  # no parts of one storage
        config = {
            "architectures": [self.hub_class],
            "model_type": hub.model_type,
            **{field: values[0] for field, values in hub.fixed.items()},
            **dataclasses.asdict(self.config),
        }
        write_files(
            Path(folder),
            {
                WHOLE: safetensors.torch.save(weights, metadata={"format": "pt"}),
                "config.json": (json.dumps(config, indent=2, sort_keys=True) + "\n").encode(),
            },
        )


def as_on_hub(model: HubModel, ours: str, part: Tensor) -> Tensor:
    """A part of our tensor `ours` the way round that the hub keeps it, as a view."""
    module, _, leaf = ours.rpartition(".")
    is_turned = starred(module) in model.hub_format.transposed and leaf == "weight"
    return part.mT if is_turned else part


def starred(name: str) -> str:
    """A name with `*` for the number of a layer."""
    return re.sub(r"(^|\.)\d+(?=\.|$)", r"\1*", name)


def hub_names(model: HubModel) -> dict[str, tuple[str, ...]]:
    """The name of each of our tensors, and the hub's name or names for it, prefix included."""
    names = {}
    for ours in model.state_dict():
        module, _, leaf = ours.rpartition(".")
        layer = re.search(r"\.(\d+)\.", module)
        number = layer[1] if layer else ""
        patterns = model.hub_format.names[starred(module)]
        names[ours] = tuple(f"{pattern.replace('*', number)}.{leaf}" for pattern in patterns)
    return names


def read_config(folder: Path, config_class: type[Any], hub: HubFormat) -> Any:
    """The config of `folder`, refused where this code would compute something else from it."""
    path = folder / "config.json"
    if not path.is_file():
        raise FileNotFoundError(
            f"{folder} has no config.json" if any(folder.iterdir()) else f"{folder} is empty"
        )
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not valid JSON: {error}") from error
    if not isinstance(values, dict):
        raise ValueError(f"{path} must hold a JSON object, not {type(values).__name__}")
    try:
        values = hub.older_spelling(values)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error
    fixed = {"model_type": (hub.model_type,), **FIXED, **hub.fixed}
    for field in sorted(values.keys() & fixed.keys()):
        if values[field] not in fixed[field]:
            raise ValueError(
                f"{path}: {field}={values[field]!r} asks for another computation than the "
                f"{fixed[field][0]!r} that this class does"
            )
    known = {field.name for field in dataclasses.fields(config_class)}
    unknown = values.keys() - known - fixed.keys() - hub.ignored - set(BOOKKEEPING.split())
    if unknown:
        raise ValueError(f"{path}: unknown {sorted(unknown)}, which may change the computation")
    try:
        return config_class(**{field: values[field] for field in values.keys() & known})
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {error}") from error


def load_weights(model: HubModel, weights: dict[str, Tensor], *, may_lack_heads: bool) -> None:
    """Copy `weights` into `model`; a name on either side that is not accounted for is an error."""
    hub, state = model.hub_format, model.state_dict()
    names = {
        ours: [name.removeprefix(hub.prefix) for name in theirs]
        for ours, theirs in hub_names(model).items()
    }
    wanted = {name for theirs in names.values() for name in theirs}
    siblings = tuple(h for h in hub.heads if not any(name.startswith(h) for name in wanted))

    # One spelling: no prefix, and the modern names of what LayerNorm multiplies with and adds.
    found: dict[str, Tensor] = {}
    for name, tensor in weights.items():
        plain = hub.spelling(name).removeprefix(hub.prefix)
        plain = re.sub(r"\.gamma$", ".weight", re.sub(r"\.beta$", ".bias", plain))
        if plain in found:
            raise ValueError(f"{plain} is there twice, in two spellings")
        if not plain.startswith(siblings) and starred(plain) not in hub.buffers:
            found[plain] = tensor
    for copy, original in hub.copies.items():
        if copy in found:
            tensor = found.pop(copy)
            if not torch.equal(found.setdefault(original, tensor), tensor):
                raise ValueError(
                    f"{copy} differs from {original}; here one tensor serves as both (tied)"
                )

    lacking, left_over = wanted - found.keys(), found.keys() - wanted
    # A head in pieces is a renamed or damaged head: only one that is missing whole may be drawn.
    drawn = tuple(h for h in hub.heads if not any(name.startswith(h) for name in found))
    lacking_heads = {name for name in lacking if name.startswith(drawn)}
    errors = []
    if lacking - lacking_heads:
        errors.append(f"missing {sorted(lacking - lacking_heads)}")
    if lacking_heads and not may_lack_heads:
        errors.append(f'missing {sorted(lacking_heads)} (missing="init" would draw them afresh)')
    if left_over:
        errors.append(f"not accounted for {sorted(left_over)}")
    if errors:
        raise ValueError("; ".join(errors))

    for ours, theirs in names.items():
        if lacking_heads.issuperset(theirs):
            continue
        for name, part in zip(theirs, state[ours].chunk(len(theirs)), strict=True):
            part = as_on_hub(model, ours, part)
            if found[name].shape != part.shape:
                raise ValueError(
                    f"{name} has shape {tuple(found[name].shape)} in the file, "
                    f"and {tuple(part.shape)} by config.json"
                )
            part.copy_(found[name])  # a part is a view: this fills the model's own tensor
