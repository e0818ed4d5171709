"""ModernBERT's network as an autoregressive model: each position sees itself and what came before.

Numbers agree with `transformers`' ModernBertDecoderForCausalLM.
"""

import dataclasses
from typing import NamedTuple

import torch
from torch import Tensor

from companion.models.hub import HubModel
from companion.models.modern_bert import (
    ModernBertEncoder,
    ModernBertMLMHead,
    init_modern_weights,
)
from companion.models.modern_bert_config import HUB, ModernBertConfig


class CausalLMOutput(NamedTuple):
    """What a causal language model returns."""

    last_hidden_state: Tensor  # (batch, length, width)
    logits: Tensor  # (n_selected, vocab), or (batch, length, vocab) without `selected`


class ModernBertForCausalLM(HubModel):
    """Minimal version, to be extended with a cache."""

    config_class = ModernBertConfig
    hub_format = HUB
    hub_class = "ModernBertDecoderForCausalLM"

    def __init__(self, config: ModernBertConfig) -> None:
        super().__init__(config)
        # Of the two ways to count a window this is the decoder's: half of it, itself included.
        reach = 2 * (config.local_attention // 2 - 1)
        self.encoder = ModernBertEncoder(dataclasses.replace(config, local_attention=reach))
        self.mlm_head = ModernBertMLMHead(config)
        init_modern_weights(self, config)

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        selected: Tensor | None = None,
    ) -> CausalLMOutput:
        """Score each next token."""
        length = input_ids.shape[1]
        causal = torch.ones(length, length, dtype=torch.bool, device=input_ids.device).tril()
        if attention_mask is None:
            mask = causal.expand(len(input_ids), length, length)
        elif attention_mask.ndim == 2:
            mask = causal & (attention_mask != 0)[:, None, :]
        else:
            mask = causal & (attention_mask != 0)
        states = self.encoder(input_ids, mask)
        return CausalLMOutput(states, self.mlm_head(states, self.encoder.words.weight, selected))
