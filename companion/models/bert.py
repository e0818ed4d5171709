"""BERT: a Transformer encoder that reads in both directions, and its two pre-training heads.

Source: Devlin et al. 2018, arXiv 1810.04805, section 3 and appendix A. Numbers agree with
`transformers`' BertModel, BertForMaskedLM and BertForPreTraining.
"""

from functools import partial
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from companion.models.bert_config import HUB, BertConfig
from companion.models.hub import HubModel
from companion.models.transformer import (
    PostLNBlock,
    at_selected,
    check_ids,
    init_weights,
    sdpa_mask,
)


class BertOutput(NamedTuple):
    """What `Bert` returns."""

    last_hidden_state: Tensor  # (batch, length, width)
    pooled: Tensor  # (batch, width), position 0 after dense and tanh


class BertMaskedLMOutput(NamedTuple):
    """What `BertForMaskedLM` returns."""

    last_hidden_state: Tensor  # (batch, length, width)
    mlm_logits: Tensor  # (n_selected, vocab), or (batch, length, vocab) without `selected`


class BertPreTrainingOutput(NamedTuple):
    """What `BertForPreTraining` returns."""

    last_hidden_state: Tensor  # (batch, length, width)
    pooled: Tensor  # (batch, width)
    mlm_logits: Tensor  # (n_selected, vocab), or (batch, length, vocab) without `selected`
    nsp_logits: Tensor  # (batch, 2), column 0 = is next, 1 = random


class BertEmbeddings(nn.Module):
    """Sum of three look-ups (word, position, segment), normalised; section 3, figure 2."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        width = config.hidden_size
        self.words = nn.Embedding(config.vocab_size, width)
        self.positions = nn.Embedding(config.max_position_embeddings, width)
        self.segments = nn.Embedding(config.type_vocab_size, width)
        self.norm = nn.LayerNorm(width, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids: Tensor, segment_ids: Tensor | None) -> Tensor:
        """Embed ids of shape (batch, length) as (batch, length, width)."""
        if segment_ids is None:
            segment_ids = torch.zeros_like(input_ids)
        # Positions count from the left edge whatever is padding: that is how BERT was trained.
        positions = torch.arange(input_ids.shape[1], device=input_ids.device)  # (length,)
        x: Tensor = self.words(input_ids) + self.positions(positions)  # (batch, length, width)
        x = self.dropout(self.norm(x + self.segments(segment_ids)))
        return x


class BertEncoder(nn.Module):
    """Embeddings and blocks: ids in, one vector per position out."""

    def __init__(self, config: BertConfig, block: type[PostLNBlock] = PostLNBlock) -> None:
        super().__init__()
        self.config = config
        self.embeddings = BertEmbeddings(config)
        self.blocks = nn.ModuleList(
            block(
                config.hidden_size,
                config.num_attention_heads,
                config.intermediate_size,
                eps=config.layer_norm_eps,
                dropout=config.hidden_dropout_prob,
                attention_dropout=config.attention_probs_dropout_prob,
            )
            for _ in range(config.num_hidden_layers)
        )

    def forward(
        self,
        input_ids: Tensor,
        segment_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
    ) -> Tensor:
        """Encode ids of shape (batch, length) as (batch, length, width); see `Bert.forward`."""
        config = self.config
        check_ids("input_ids", input_ids, config.vocab_size, "vocab_size")
        batch, length = input_ids.shape
        if not 1 <= length <= config.max_position_embeddings:
            raise ValueError(
                f"input_ids have length {length}; the model has positions for 1 to "
                f"{config.max_position_embeddings} (max_position_embeddings): cut or split the text"
            )
        if segment_ids is not None:
            rows = config.type_vocab_size
            check_ids("segment_ids", segment_ids, rows, "type_vocab_size", input_ids.shape)
        mask = sdpa_mask(attention_mask, batch, length)
        x: Tensor = self.embeddings(input_ids, segment_ids)  # (batch, length, width)
        for block in self.blocks:
            x = block(x, mask)
        return x


class BertPooler(nn.Module):
    """One vector for the whole row: position 0, where [CLS] stands, through dense and tanh."""

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, states: Tensor) -> Tensor:
        """Pool (batch, length, width) to (batch, width)."""
        return torch.tanh(self.dense(states[:, 0]))


class BertMLMHead(nn.Module):
    """Scores every word of the vocabulary at a position; section 3.1, task 1.

    The output matrix is the word embedding, handed in at each call, so that there is no second
    copy to tie. Only the bias, one number a word, is the head's own.
    """

    def __init__(self, config: BertConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(self, states: Tensor, words: Tensor, selected: Tensor | None) -> Tensor:
        """Logits from `states` (batch, length, width) and the embedding `words` (vocab, width)."""
        states = at_selected(states, selected)  # (n_selected, width)
        x = self.norm(F.gelu(self.dense(states)))
        return F.linear(x, words, self.bias)  # (n_selected, vocab) or (batch, length, vocab)


class Bert(HubModel):
    """The encoder with its pooler: vectors, no scores. 109,482,240 parameters by default.

    Fresh weights are drawn from N(0, initializer_range), biases are 0; so in the classes below.
    """

    config_class = BertConfig
    hub_format = HUB
    hub_class = "BertModel"
    hub_bare = True

    def __init__(self, config: BertConfig) -> None:
        super().__init__(config)
        self.encoder = BertEncoder(config)
        self.pooler = BertPooler(config)
        self.apply(partial(init_weights, std=config.initializer_range))

    def forward(
        self,
        input_ids: Tensor,
        segment_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
    ) -> BertOutput:
        """Encode rows of ids.

        Args:
            input_ids: (batch, length), integer, 0 to vocab_size - 1.
            segment_ids: (batch, length), integer, 0 for the first text and 1 for the second of a
                pair; None: all 0.
            attention_mask: (batch, length) or (batch, length, length), bool (True = may attend) or
                integer 0/1; None: everything attends to everything.

        Raises:
            ValueError: ids that are not integers, a float mask, a shape that does not fit, a text
                longer than max_position_embeddings, and, on the CPU, an id outside its table or a
                mask of integers other than 0 and 1.
        """
        states = self.encoder(input_ids, segment_ids, attention_mask)
        return BertOutput(states, self.pooler(states))


class BertForMaskedLM(HubModel):
    """The encoder with the masked-word head; no pooler. 109,514,298 parameters by default."""

    config_class = BertConfig
    hub_format = HUB
    hub_class = "BertForMaskedLM"

    def __init__(self, config: BertConfig) -> None:
        super().__init__(config)
        self.encoder = BertEncoder(config)
        self.mlm_head = BertMLMHead(config)
        self.apply(partial(init_weights, std=config.initializer_range))

    def forward(
        self,
        input_ids: Tensor,
        segment_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        selected: Tensor | None = None,
    ) -> BertMaskedLMOutput:
        """Score words; the first three arguments and their errors are those of `Bert.forward`.

        With `selected`, bool (batch, length), the head runs at those positions only, and
        `mlm_logits` is (n_selected, vocab), row by row from left to right, in the order of
        `labels[selected]`. Without it `mlm_logits` is (batch, length, vocab).
        """
        states = self.encoder(input_ids, segment_ids, attention_mask)
        words = self.encoder.embeddings.words.weight
        return BertMaskedLMOutput(states, self.mlm_head(states, words, selected))


class BertForPreTraining(HubModel):
    """The encoder with both heads of pre-training; 110,106,428 parameters by default.

    Masked words, and next-sentence prediction (section 3.1, task 2) from the pooled position 0:
    column 0 of `nsp_logits` says "B follows A" (is next), column 1 "B is a random text". This is
    the label order of BERT's own code: 0 = is next, 1 = random.
    """

    config_class = BertConfig
    hub_format = HUB
    hub_class = "BertForPreTraining"

    def __init__(self, config: BertConfig) -> None:
        super().__init__(config)
        self.encoder = BertEncoder(config)
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
        """Score words and pairs; arguments and errors are those of `BertForMaskedLM.forward`."""
        states = self.encoder(input_ids, segment_ids, attention_mask)
        pooled = self.pooler(states)
        words = self.encoder.embeddings.words.weight
        mlm_logits = self.mlm_head(states, words, selected)
        return BertPreTrainingOutput(states, pooled, mlm_logits, self.nsp_head(pooled))
