"""BERT with one thing changed: LayerNorm stands before each half of a block, not after the sum.

Not a published model: a step on the way from BERT to ModernBERT, for comparing the two, and the
BERT of 2018 that learns on a laptop.
"""

from functools import partial

from torch import Tensor, nn

from companion.models.bert import (
    BertEncoder,
    BertMaskedLMOutput,
    BertMLMHead,
    BertPooler,
    BertPreTrainingOutput,
)
from companion.models.bert_config import BertConfig
from companion.models.transformer import PreLNBlock, init_weights


class PreLNEncoder(BertEncoder):
    """`BertEncoder` with pre-LN blocks (arXiv 2002.04745, 2020) and a last LayerNorm."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__(config, PreLNBlock)
        self.final_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def forward(
        self,
        input_ids: Tensor,
        segment_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
    ) -> Tensor:
        """Encode ids of shape (batch, length) as (batch, length, width); see `Bert.forward`."""
        x: Tensor = self.final_norm(super().forward(input_ids, segment_ids, attention_mask))
        return x


class PreLNBertForMaskedLM(nn.Module):
    """`BertForMaskedLM` on that encoder."""

    config_class = BertConfig

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = PreLNEncoder(config)
        self.mlm_head = BertMLMHead(config)
        self.apply(partial(init_weights, std=config.initializer_range))

    def forward(
        self,
        input_ids: Tensor,
        segment_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        selected: Tensor | None = None,
    ) -> BertMaskedLMOutput:
        """Score words; arguments, shapes and errors are those of `BertForMaskedLM.forward`."""
        states = self.encoder(input_ids, segment_ids, attention_mask)
        words = self.encoder.embeddings.words.weight
        return BertMaskedLMOutput(states, self.mlm_head(states, words, selected))


class PreLNBertForPreTraining(nn.Module):
    """`BertForPreTraining`, masked words and sentence pairs, on that encoder."""

    config_class = BertConfig

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = PreLNEncoder(config)
        self.pooler = BertPooler(config)
        self.mlm_head = BertMLMHead(config)
        self.nsp_head = nn.Linear(config.hidden_size, 2)
        self.apply(partial(init_weights, std=config.initializer_range))

    def forward(
        self,
        input_ids: Tensor,
        segment_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        selected: Tensor | None = None,
    ) -> BertPreTrainingOutput:
        """Score words and pairs; see `BertForPreTraining.forward`."""
        states = self.encoder(input_ids, segment_ids, attention_mask)
        pooled = self.pooler(states)
        words = self.encoder.embeddings.words.weight
        mlm_logits = self.mlm_head(states, words, selected)
        return BertPreTrainingOutput(states, pooled, mlm_logits, self.nsp_head(pooled))
