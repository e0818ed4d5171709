"""GPT-2's sizes, and what its parameters are called in Hugging Face folders."""

from dataclasses import dataclass

from companion.models.hub import HubFormat
from companion.models.sizes import check_sizes


@dataclass(frozen=True)
class GptConfig:
    """Sizes and rates, by Hugging Face's field names; the defaults are GPT-2, the smallest.

    `n_inner` is the width inside the feed-forward; None: four times `n_embd`. The token ids are
    kept for those who read config.json; no computation here uses them.

    Raises:
        ValueError: a size below 1, heads that do not divide the width, a rate outside [0, 1).
    """

    vocab_size: int = 50257
    n_positions: int = 1024
    n_embd: int = 768
    n_layer: int = 12
    n_head: int = 12
    n_inner: int | None = None
    resid_pdrop: float = 0.1
    embd_pdrop: float = 0.1
    attn_pdrop: float = 0.1
    initializer_range: float = 0.02
    layer_norm_epsilon: float = 1e-5
    bos_token_id: int | None = 50256
    eos_token_id: int | None = 50256

    def __post_init__(self) -> None:
        """Refuse what no model can be built from."""
        check_sizes(self, rates="_pdrop")
        if self.n_inner is not None and self.n_inner < 1:
            raise ValueError(f"n_inner must be at least 1, or None, not {self.n_inner}")
        if self.n_embd % self.n_head:
            raise ValueError(
                f"n_embd={self.n_embd} cannot be shared out among n_head={self.n_head}"
            )


HUB = HubFormat(
    model_type="gpt2",
    prefix="transformer.",
    names={
        "words": ("transformer.wte",),
        "places": ("transformer.wpe",),
        "blocks.*.attention_norm": ("transformer.h.*.ln_1",),
        "blocks.*.attention.qkv": ("transformer.h.*.attn.c_attn",),
        "blocks.*.attention.out": ("transformer.h.*.attn.c_proj",),
        "blocks.*.feed_forward_norm": ("transformer.h.*.ln_2",),
        "blocks.*.feed_forward.up": ("transformer.h.*.mlp.c_fc",),
        "blocks.*.feed_forward.down": ("transformer.h.*.mlp.c_proj",),
        "final_norm": ("transformer.ln_f",),
    },
    heads=("score.", "classifier.", "multiple_choice_head."),
    copies={"lm_head.weight": "wte.weight"},
    buffers=frozenset({"h.*.attn.bias", "h.*.attn.masked_bias"}),  # the causal mask, and -10,000
    fixed={
        "activation_function": ("gelu_new",),
        "scale_attn_weights": (True,),
        "scale_attn_by_inverse_layer_idx": (False,),
        "reorder_and_upcast_attn": (False,),
        "add_cross_attention": (False,),
        "tie_word_embeddings": (True,),
    },
    ignored=frozenset(
        {
            "n_ctx",
            "summary_activation",
            "summary_first_dropout",
            "summary_proj_to_labels",
            "summary_type",
            "summary_use_proj",
        }
    ),
    # GPT-2 was written with one-dimensional convolutions, whose matrices lie the other way round.
    transposed=frozenset(
        {
            "blocks.*.attention.qkv",
            "blocks.*.attention.out",
            "blocks.*.feed_forward.up",
            "blocks.*.feed_forward.down",
        }
    ),
)
