"""BERT with one thing changed: LayerNorm stands before each half of a block, not after the sum.

Not a published model: a step on the way from BERT to ModernBERT, for comparing the two.
"""

from functools import partial

from torch import Tensor, nn

from companion.models.bert import BertEncoder, BertMaskedLMOutput, BertMLMHead
from companion.models.bert_config import BertConfig
from companion.models.transformer import PreLNBlock, init_weights


class PreLNBertForMaskedLM(nn.Module):
    """`BertForMaskedLM` with pre-LN blocks (arXiv 2002.04745, 2020) and a last LayerNorm."""

    config_class = BertConfig

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = BertEncoder(config, PreLNBlock)
        self.final_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
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
        states = self.final_norm(self.encoder(input_ids, segment_ids, attention_mask))
        words = self.encoder.embeddings.words.weight
        return BertMaskedLMOutput(states, self.mlm_head(states, words, selected))
