"""ModernBERT's sizes, and what its parameters are called in Hugging Face folders."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.models.hub import HubFormat
from companion.models.sizes import check_sizes

ROPE = {"rope_type", "rope_theta"}  # what positions that are not scaled need


@dataclass(frozen=True)
class ModernBertConfig:
    """Sizes and rates, by Hugging Face's field names; the defaults are ModernBERT-base.

    Every `global_attn_every_n_layers`-th layer, the first among them, attends to the whole row;
    the others to positions at most `local_attention` // 2 away. `intermediate_size` is the width
    behind the gate: the matrix before it has twice as many rows. The token ids are kept for those
    who read config.json; no computation here uses them.

    Raises:
        ValueError: a size below 1, heads that do not divide the width or leave an odd width to
            each, a rate outside [0, 1).
    """

    vocab_size: int = 50368
    hidden_size: int = 768
    num_hidden_layers: int = 22
    num_attention_heads: int = 12
    intermediate_size: int = 1152
    max_position_embeddings: int = 8192
    global_attn_every_n_layers: int = 3
    local_attention: int = 128
    global_rope_theta: float = 160_000.0
    local_rope_theta: float = 10_000.0
    embedding_dropout: float = 0.0
    attention_dropout: float = 0.0
    mlp_dropout: float = 0.0
    initializer_range: float = 0.02
    norm_eps: float = 1e-5
    pad_token_id: int | None = 0
    bos_token_id: int | None = None
    cls_token_id: int | None = None
    eos_token_id: int | None = None
    sep_token_id: int | None = None

    def __post_init__(self) -> None:
        """Refuse what no model can be built from."""
        check_sizes(self, rates="_dropout")
        for name in ("global_rope_theta", "local_rope_theta"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be above 0, not {getattr(self, name)}")
        if self.hidden_size % (2 * self.num_attention_heads):
            raise ValueError(
                f"hidden_size={self.hidden_size} cannot be shared out among "
                f"num_attention_heads={self.num_attention_heads} in even parts, which rotary "
                "positions turn in pairs"
            )

    def is_global(self, layer: int) -> bool:
        """Whether layer number `layer`, from 0, attends to the whole row."""
        return layer % self.global_attn_every_n_layers == 0


def older_spelling(values: Mapping[str, Any]) -> dict[str, Any]:
    """config.json of transformers 5, which lists layers one by one, in the fields of version 4.

    Raises:
        ValueError: layers that follow no rule "every n-th is global", or scaled rotary positions.
    """
    values = dict(values)
    types = values.pop("layer_types", None)
    if types is not None:
        every = next((n for n in range(1, len(types)) if types[n] == "full_attention"), len(types))
        rule = ["sliding_attention" if n % every else "full_attention" for n in range(len(types))]
        if types != rule or len(types) != values.get("num_hidden_layers", len(types)):
            raise ValueError(f"layer_types={types!r} is not 'every n-th layer is global'")
        values["global_attn_every_n_layers"] = every
    ropes = values.pop("rope_parameters", None) or {}
    if unknown := ropes.keys() - {"full_attention", "sliding_attention"}:
        raise ValueError(f"rope_parameters has {sorted(unknown)}; it must name kinds of layers")
    for layers, field in (("full_attention", "global"), ("sliding_attention", "local")):
        rope = ropes.get(layers)
        if rope is not None:
            if rope.get("rope_type", "default") != "default" or rope.keys() - ROPE:
                raise ValueError(
                    f"rope_parameters={rope!r}: scaled positions are not computed here"
                )
            values[f"{field}_rope_theta"] = rope["rope_theta"]
    return values


HUB = HubFormat(
    model_type="modernbert",
    prefix="model.",
    names={
        "encoder.words": ("model.embeddings.tok_embeddings",),
        "encoder.embedding_norm": ("model.embeddings.norm",),
        "encoder.blocks.*.attention_norm": ("model.layers.*.attn_norm",),
        "encoder.blocks.*.attention.qkv": ("model.layers.*.attn.Wqkv",),
        "encoder.blocks.*.attention.out": ("model.layers.*.attn.Wo",),
        "encoder.blocks.*.feed_forward_norm": ("model.layers.*.mlp_norm",),
        "encoder.blocks.*.feed_forward.up": ("model.layers.*.mlp.Wi",),
        "encoder.blocks.*.feed_forward.down": ("model.layers.*.mlp.Wo",),
        "encoder.final_norm": ("model.final_norm",),
        "mlm_head.dense": ("head.dense",),
        "mlm_head.norm": ("head.norm",),
        "mlm_head": ("decoder",),  # its bias
    },
    heads=("head.", "decoder.", "classifier."),
    copies={"decoder.weight": "embeddings.tok_embeddings.weight"},
    buffers=frozenset(),
    fixed={
        "hidden_activation": ("gelu",),
        "classifier_activation": ("gelu",),
        "attention_bias": (False,),
        "mlp_bias": (False,),
        "norm_bias": (False,),
        "classifier_bias": (False,),
        "decoder_bias": (True,),
        "tie_word_embeddings": (True,),
    },
    ignored=frozenset(
        {
            "classifier_dropout",
            "classifier_pooling",
            "deterministic_flash_attn",
            "initializer_cutoff_factor",
            "layer_norm_eps",
            "position_embedding_type",
            "reference_compile",
            "repad_logits_with_grad",
            "sparse_pred_ignore_index",
            "sparse_prediction",
        }
    ),
    older_spelling=older_spelling,
)
