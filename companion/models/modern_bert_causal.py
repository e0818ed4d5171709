"""ModernBERT's network as an autoregressive model: each position sees itself and what came before.

Sources: Warner et al. 2024, arXiv 2412.13663 (the network); Weller et al. 2025, arXiv 2507.11412
(the same network trained both ways). Numbers agree with `transformers`'
ModernBertDecoderForCausalLM.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from torch import Tensor

from companion.models import modern_bert_config
from companion.models.causal import Cache, remember
from companion.models.generation import CausalModel
from companion.models.modern_bert import (
    ModernBertEncoder,
    ModernBertMLMHead,
    init_modern_weights,
    window,
)
from companion.models.modern_bert_config import ModernBertConfig

NAMES = modern_bert_config.HUB.names
QKV = "encoder.blocks.*.attention.qkv"


def older_spelling(values: Mapping[str, Any]) -> dict[str, Any]:
    """config.json without `sliding_window`, which repeats half of `local_attention`.

    ValueError: it does not; see `modern_bert_config.older_spelling`.
    """
    values = modern_bert_config.older_spelling(values)
    half = values.pop("sliding_window", None)
    if half is not None and half != values["local_attention"] // 2:
        raise ValueError(f"sliding_window={half} is not half of local_attention")
    return values


HUB = replace(
    modern_bert_config.HUB,
    model_type="modernbert-decoder",
    names={
        # The head is called lm_head there, and query, key and value are matrices of their own.
        **{ours: tuple(n.replace("head.", "lm_head.") for n in hub) for ours, hub in NAMES.items()},
        QKV: tuple(f"model.layers.*.attn.{letter}_proj" for letter in "qkv"),
    },
    heads=("lm_head.", "decoder.", "head.", "classifier."),
    older_spelling=older_spelling,
)


class CausalLMOutput(NamedTuple):
    """What `ModernBertForCausalLM` returns."""

    last_hidden_state: Tensor  # (batch, length, width)
    logits: Tensor  # (n_selected, vocab), or (batch, length, vocab) without `selected`
    cache: Cache | None  # where one was given: the same, with these positions


class ModernBertForCausalLM(CausalModel):
    """`ModernBertForMaskedLM`'s parts, down to the names of its weights, under a causal pattern.

    Of `local_attention` half is a local layer's window, the position itself included: one of 128
    looks 63 positions back. (In `ModernBert` it is 64 positions to each side.)
    """

    config_class = ModernBertConfig
    hub_format = HUB
    hub_class = "ModernBertDecoderForCausalLM"

    def __init__(self, config: ModernBertConfig) -> None:
        super().__init__(config)
        has_local = not all(map(config.is_global, range(config.num_hidden_layers)))
        if has_local and config.local_attention < 2:
            raise ValueError(
                f"local_attention={config.local_attention} leaves a local layer nothing to see; "
                "half of it is the window, the position itself included: at least 2"
            )
        self.encoder = ModernBertEncoder(config)
        self.mlm_head = ModernBertMLMHead(config)
        init_modern_weights(self, config)

    @property
    def max_length(self) -> int:
        """The longest row, in tokens."""
        places: int = self.config.max_position_embeddings
        return places

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        cache: Cache | None = None,
        selected: Tensor | None = None,
    ) -> CausalLMOutput:
        """Score the next token at each position; arguments and errors are those of `Gpt.forward`.

        Positions need no mask: rotary ones tell distances alone.
        """
        config = self.config
        seen = self.look(input_ids, attention_mask, cache)
        past, length = (0 if cache is None else cache.past), input_ids.shape[1]
        reach = config.local_attention // 2 - 1
        nearby = window(seen.pattern, length, reach, input_ids.device, past)
        heads = config.num_attention_heads
        shape = config.num_hidden_layers, heads, config.hidden_size // heads
        memories = None if cache is None else cache.memories(*shape)
        states = self.encoder.run(
            input_ids, seen.mask, nearby, memories, past=past, is_causal=seen.is_causal
        )
        logits = self.mlm_head(states, self.encoder.words.weight, selected)
        kept = None if memories is None else remember(memories, seen)
        return CausalLMOutput(states, logits, kept)
