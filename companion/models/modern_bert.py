"""ModernBERT: BERT's task with what six years taught about encoders.

LayerNorm before each half of a block instead of after the sum, rotary positions instead of
learned ones, a gate in the feed-forward, no biases, and attention windows in most layers.

Source: Warner et al. 2024, arXiv 2412.13663, section 2. Numbers agree with `transformers`'
ModernBertModel and ModernBertForMaskedLM.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from companion.models.hub import HubModel
from companion.models.memory import Memory
from companion.models.modern_bert_config import HUB, ModernBertConfig
from companion.models.rotary import Rotation, rotation
from companion.models.transformer import (
    SelfAttention,
    at_selected,
    check_ids,
    sdpa_mask,
)


class ModernBertOutput(NamedTuple):
    """What `ModernBert` returns."""

    last_hidden_state: Tensor  # (batch, length, width)


class ModernBertMaskedLMOutput(NamedTuple):
    """What `ModernBertForMaskedLM` returns."""

    last_hidden_state: Tensor  # (batch, length, width)
    mlm_logits: Tensor  # (n_selected, vocab), or (batch, length, vocab) without `selected`


def window(
    mask: Tensor | None, length: int, reach: int, device: torch.device, past: int = 0
) -> Tensor | None:
    """An SDPA mask ANDed with "at most `reach` positions away"; section 2.1.2.

    `mask` is (batch, 1, 1 or length, past + length) or None, and so is the result: `length`
    positions look, after `past` others that are only looked at.
    """
    if past + length - 1 <= reach:
        return mask  # nothing is farther away than that
    position = torch.arange(past + length, device=device)
    near = (position[past:, None] - position).abs() <= reach  # (length, past + length)
    return near[None, None] if mask is None else mask & near


class GatedFeedForward(nn.Module):
    """Two halves from one matrix, the first through GELU, multiplied; then back to the width.

    "GeGLU": Shazeer 2020, arXiv 2002.05202. The product lets one half switch the other off.
    """

    def __init__(self, width: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.up = nn.Linear(width, 2 * inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Transform `x`, (batch, length, width), to the same shape."""
        signal, gate = self.up(x).chunk(2, dim=-1)  # each (batch, length, inner)
        x = self.down(self.dropout(F.gelu(signal) * gate))  # (batch, length, width)
        return x


class ModernBertBlock(nn.Module):
    """Pre-LN: each half reads a normalised copy and adds to the sum, which nothing interrupts."""

    def __init__(self, config: ModernBertConfig, layer: int) -> None:
        super().__init__()
        width, dropout = config.hidden_size, config.attention_dropout
        # The embedding arrives normalised: a second LayerNorm in front of layer 0 would do nothing.
        self.attention_norm = nn.Identity() if layer == 0 else norm(config)
        self.attention = SelfAttention(width, config.num_attention_heads, dropout, bias=False)
        self.attention_dropout = nn.Dropout(dropout)
        self.feed_forward_norm = norm(config)
        self.feed_forward = GatedFeedForward(width, config.intermediate_size, config.mlp_dropout)

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None,
        rotation: Rotation,
        memory: Memory | None = None,
        *,
        is_causal: bool = False,
    ) -> Tensor:
        """One layer: `x` and the result are (batch, length, width); see `SelfAttention.forward`."""
        mixed = self.attention(self.attention_norm(x), mask, rotation, memory, is_causal=is_causal)
        x = x + self.attention_dropout(mixed)
        x = x + self.feed_forward(self.feed_forward_norm(x))
        return x


class ModernBertEncoder(nn.Module):
    """Embedding, blocks and a last LayerNorm: ids in, one vector per position out."""

    def __init__(self, config: ModernBertConfig) -> None:
        super().__init__()
        self.config = config
        self.words = nn.Embedding(config.vocab_size, config.hidden_size)
        self.embedding_norm = norm(config)
        self.embedding_dropout = nn.Dropout(config.embedding_dropout)
        self.blocks = nn.ModuleList(
            ModernBertBlock(config, layer) for layer in range(config.num_hidden_layers)
        )
        self.final_norm = norm(config)

    def forward(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> Tensor:
        """Encode ids of shape (batch, length) as (batch, length, width); see `ModernBert`."""
        config = self.config
        check_ids("input_ids", input_ids, config.vocab_size, "vocab_size")
        batch, length = input_ids.shape
        if not 1 <= length <= config.max_position_embeddings:
            raise ValueError(
                f"input_ids have length {length}; the model was made for rows of 1 to "
                f"{config.max_position_embeddings} (max_position_embeddings): cut or split the text"
            )
        everywhere = sdpa_mask(attention_mask, batch, length)
        nearby = window(everywhere, length, config.local_attention // 2, input_ids.device)
        return self.run(input_ids, everywhere, nearby)

    def run(
        self,
        input_ids: Tensor,
        everywhere: Tensor | None,
        nearby: Tensor | None,
        memories: Sequence[Memory] | None = None,
        *,
        past: int = 0,
        is_causal: bool = False,
    ) -> Tensor:
        """The blocks over checked ids: (batch, length, width).

        `everywhere` and `nearby` are the SDPA masks of global and local layers. `memories`, one a
        layer, hold what `past` positions before these left there. `is_causal`: see
        `SelfAttention.forward`.
        """
        config = self.config
        x: Tensor = self.embedding_dropout(self.embedding_norm(self.words(input_ids)))
        head_width = config.hidden_size // config.num_attention_heads
        length = input_ids.shape[1]
        turn_global = rotation(past + length, head_width, config.global_rope_theta, like=x)
        turn_local = rotation(past + length, head_width, config.local_rope_theta, like=x)
        for layer, block in enumerate(self.blocks):
            is_global = config.is_global(layer)
            mask, turn = (everywhere, turn_global) if is_global else (nearby, turn_local)
            x = block(
                x,
                mask,
                Rotation(turn.cos[past:], turn.sin[past:]),
                None if memories is None else memories[layer],
                is_causal=is_causal and mask is None,
            )  # (batch, length, width)
        x = self.final_norm(x)
        return x


class ModernBertMLMHead(nn.Module):
    """Scores every word of the vocabulary at a position, against the word embedding (tied)."""

    def __init__(self, config: ModernBertConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size, bias=False)
        self.norm = norm(config)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(self, states: Tensor, words: Tensor, selected: Tensor | None) -> Tensor:
        """Logits from `states` (batch, length, width) and the embedding `words` (vocab, width)."""
        states = at_selected(states, selected)  # (n_selected, width)
        x = self.norm(F.gelu(self.dense(states)))
        return F.linear(x, words, self.bias)  # (n_selected, vocab) or (batch, length, vocab)


class ModernBert(HubModel):
    """The encoder alone: vectors, no scores. 149,014,272 parameters by default.

    Fresh matrices are drawn from N(0, initializer_range); those that write to the residual sum
    are smaller, by the square root of 2·layers, as in Megatron (Shoeybi et al. 2019,
    arXiv 1909.08053); so in the class below.
    """

    config_class = ModernBertConfig
    hub_format = HUB
    hub_class = "ModernBertModel"
    hub_bare = True

    def __init__(self, config: ModernBertConfig) -> None:
        super().__init__(config)
        self.encoder = ModernBertEncoder(config)
        init_modern_weights(self, config)

    def forward(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> ModernBertOutput:
        """Encode rows of ids.

        Args:
            input_ids: (batch, length), integer, 0 to vocab_size - 1.
            attention_mask: (batch, length) or (batch, length, length), bool (True = may attend) or
                integer 0/1; None: everything attends to everything within a layer's reach.

        Raises:
            ValueError: ids that are not integers, a float mask, a shape that does not fit, a text
                longer than max_position_embeddings, and, on the CPU, an id outside the table or a
                mask of integers other than 0 and 1.
        """
        return ModernBertOutput(self.encoder(input_ids, attention_mask))


class ModernBertForMaskedLM(HubModel):
    """The encoder with the masked-word head; 149,655,232 parameters by default."""

    config_class = ModernBertConfig
    hub_format = HUB
    hub_class = "ModernBertForMaskedLM"

    def __init__(self, config: ModernBertConfig) -> None:
        super().__init__(config)
        self.encoder = ModernBertEncoder(config)
        self.mlm_head = ModernBertMLMHead(config)
        init_modern_weights(self, config)

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        selected: Tensor | None = None,
    ) -> ModernBertMaskedLMOutput:
        """Score words; the first two arguments and their errors are those of `ModernBert.forward`.

        With `selected`, bool (batch, length), the head runs at those positions only, and
        `mlm_logits` is (n_selected, vocab), row by row from left to right, in the order of
        `labels[selected]`. Without it `mlm_logits` is (batch, length, vocab).
        """
        states = self.encoder(input_ids, attention_mask)
        return ModernBertMaskedLMOutput(
            states, self.mlm_head(states, self.encoder.words.weight, selected)
        )


def norm(config: ModernBertConfig) -> nn.LayerNorm:
    """LayerNorm that multiplies and adds nothing."""
    return nn.LayerNorm(config.hidden_size, eps=config.norm_eps, bias=False)


def init_modern_weights(model: nn.Module, config: ModernBertConfig) -> None:
    """N(0, initializer_range), and less for what 2·layers halves of blocks add to one sum."""
    small = config.initializer_range / math.sqrt(2 * config.num_hidden_layers)
    for name, weight in model.named_parameters():
        if weight.ndim == 2:
            adds = name.endswith(("attention.out.weight", "feed_forward.down.weight"))
            nn.init.normal_(weight, std=small if adds else config.initializer_range)
