"""BERT's sizes, and what its parameters are called in Hugging Face folders."""

from dataclasses import dataclass

from companion.models.hub import HubFormat
from companion.models.sizes import check_sizes


@dataclass(frozen=True)
class BertConfig:
    """Sizes and rates, by Hugging Face's field names; the defaults are BERT-base, uncased.

    `pad_token_id` is kept for those who read config.json; no computation here uses it.

    Raises:
        ValueError: a size below 1, heads that do not divide the width, a rate outside [0, 1).
    """

    vocab_size: int = 30522
    hidden_size: int = 768
    num_hidden_layers: int = 12
    num_attention_heads: int = 12
    intermediate_size: int = 3072
    hidden_dropout_prob: float = 0.1
    attention_probs_dropout_prob: float = 0.1
    max_position_embeddings: int = 512
    type_vocab_size: int = 2
    initializer_range: float = 0.02
    layer_norm_eps: float = 1e-12
    pad_token_id: int | None = 0

    def __post_init__(self) -> None:
        """Refuse what no model can be built from."""
        check_sizes(self, rates="_prob")
        if self.hidden_size % self.num_attention_heads:
            raise ValueError(
                f"hidden_size={self.hidden_size} cannot be shared out among "
                f"num_attention_heads={self.num_attention_heads}"
            )


HUB = HubFormat(
    model_type="bert",
    prefix="bert.",
    names={
        "encoder.embeddings.words": ("bert.embeddings.word_embeddings",),
        "encoder.embeddings.positions": ("bert.embeddings.position_embeddings",),
        "encoder.embeddings.segments": ("bert.embeddings.token_type_embeddings",),
        "encoder.embeddings.norm": ("bert.embeddings.LayerNorm",),
        "encoder.blocks.*.attention.qkv": (
            "bert.encoder.layer.*.attention.self.query",
            "bert.encoder.layer.*.attention.self.key",
            "bert.encoder.layer.*.attention.self.value",
        ),
        "encoder.blocks.*.attention.out": ("bert.encoder.layer.*.attention.output.dense",),
        "encoder.blocks.*.attention_norm": ("bert.encoder.layer.*.attention.output.LayerNorm",),
        "encoder.blocks.*.feed_forward.up": ("bert.encoder.layer.*.intermediate.dense",),
        "encoder.blocks.*.feed_forward.down": ("bert.encoder.layer.*.output.dense",),
        "encoder.blocks.*.feed_forward_norm": ("bert.encoder.layer.*.output.LayerNorm",),
        "pooler.dense": ("bert.pooler.dense",),
        "mlm_head.dense": ("cls.predictions.transform.dense",),
        "mlm_head.norm": ("cls.predictions.transform.LayerNorm",),
        "mlm_head": ("cls.predictions",),  # its bias
        "nsp_head": ("cls.seq_relationship",),
    },
    heads=("pooler.", "cls.predictions.", "cls.seq_relationship.", "classifier.", "qa_outputs."),
    copies={
        "cls.predictions.decoder.weight": "embeddings.word_embeddings.weight",
        "cls.predictions.decoder.bias": "cls.predictions.bias",
    },
    buffers=frozenset({"embeddings.position_ids", "embeddings.token_type_ids"}),
    fixed={
        "hidden_act": ("gelu", "gelu_python"),  # two names of the exact one
        "position_embedding_type": ("absolute",),
        "tie_word_embeddings": (True,),
        "is_decoder": (False,),
        "add_cross_attention": (False,),
    },
    ignored=frozenset(
        {
            "classifier_dropout",
            "directionality",
            "pooler_fc_size",
            "pooler_num_attention_heads",
            "pooler_num_fc_layers",
            "pooler_size_per_head",
            "pooler_type",
        }
    ),
)
