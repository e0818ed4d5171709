"""GPT-2: a Transformer whose positions see only what came before, and which says what comes next.

Source: Radford et al. 2018 and 2019 ("Language models are unsupervised multitask learners",
section 2.3). Numbers agree with `transformers`' GPT2LMHeadModel.
"""

import math
from typing import NamedTuple

import torch.nn.functional as F
from torch import Tensor, nn

from companion.models.causal import Cache, remember
from companion.models.generation import CausalModel
from companion.models.gpt_config import HUB, GptConfig
from companion.models.memory import Memory
from companion.models.transformer import (
    FeedForward,
    SelfAttention,
    at_selected,
    init_weights,
)


class GptOutput(NamedTuple):
    """What `Gpt` returns."""

    logits: Tensor  # (n_selected, vocab), or (batch, length, vocab) without `selected`
    cache: Cache | None  # where one was given: the same, with these positions


class GptBlock(nn.Module):
    """Pre-LN: each half reads a normalised copy and adds to what it read."""

    def __init__(self, config: GptConfig) -> None:
        super().__init__()
        width, eps = config.n_embd, config.layer_norm_epsilon
        self.attention_norm = nn.LayerNorm(width, eps=eps)
        self.attention = SelfAttention(width, config.n_head, config.attn_pdrop)
        self.feed_forward_norm = nn.LayerNorm(width, eps=eps)
        self.feed_forward = FeedForward(width, config.n_inner or 4 * width, approximate="tanh")
        self.dropout = nn.Dropout(config.resid_pdrop)

    def forward(
        self, x: Tensor, mask: Tensor | None, memory: Memory | None, is_causal: bool
    ) -> Tensor:
        """One layer: `x` and the result are (batch, length, width); see `SelfAttention.forward`."""
        mixed = self.attention(self.attention_norm(x), mask, None, memory, is_causal=is_causal)
        x = x + self.dropout(mixed)
        x = x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))
        return x


class Gpt(CausalModel):
    """GPT-2 with its tied head; 124,439,808 parameters by default.

    Fresh matrices and embeddings, those of positions too, are drawn from N(0, initializer_range);
    those that write to the residual sum are smaller by the square root of 2·layers, as there are
    so many of them (section 2.3).
    """

    config_class = GptConfig
    hub_format = HUB
    hub_class = "GPT2LMHeadModel"

    def __init__(self, config: GptConfig) -> None:
        super().__init__(config)
        self.words = nn.Embedding(config.vocab_size, config.n_embd)
        self.places = nn.Embedding(config.n_positions, config.n_embd)
        self.embedding_dropout = nn.Dropout(config.embd_pdrop)
        self.blocks = nn.ModuleList(GptBlock(config) for _ in range(config.n_layer))
        self.final_norm = nn.LayerNorm(config.n_embd, eps=config.layer_norm_epsilon)
        small = config.initializer_range / math.sqrt(2 * config.n_layer)
        for name, module in self.named_modules():
            adds = name.endswith(("attention.out", "feed_forward.down"))
            init_weights(module, small if adds else config.initializer_range)

    @property
    def max_length(self) -> int:
        """The longest row, in tokens."""
        places: int = self.config.n_positions
        return places

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        cache: Cache | None = None,
        selected: Tensor | None = None,
    ) -> GptOutput:
        """Score the next token at each position, from that position and those before it.

        Args:
            input_ids: (batch, length), integer, 0 to vocab_size - 1.
            attention_mask: (batch, length), bool (True = real) or integer 0/1, padding on either
                side; or (batch, length, length) for packed texts. It is ANDed onto the causal
                pattern, and positions are counted from it: see `causal.sight`.
            cache: what was read before, `Cache.empty()` at first: `input_ids` are then the tokens
                after it alone. None: nothing, and nothing is kept.
            selected: bool (batch, length): `logits` are (n_selected, vocab), those of these
                positions alone, row by row from left to right.

        Raises:
            ValueError: ids that are not integers, a float mask, a shape that does not fit, a text
                longer than n_positions, and, on the CPU, an id outside the table or a mask of
                integers other than 0 and 1.
        """
        config = self.config
        seen = self.look(input_ids, attention_mask, cache)
        head_width = config.n_embd // config.n_head
        shape = config.n_layer, config.n_head, head_width
        memories = None if cache is None else cache.memories(*shape)
        x = self.words(input_ids) + self.places(seen.positions)  # (batch, length, width)
        x = self.embedding_dropout(x)
        for layer, block in enumerate(self.blocks):
            memory = None if memories is None else memories[layer]
            x = block(x, seen.mask, memory, seen.is_causal)  # (batch, length, width)
        x = at_selected(self.final_norm(x), selected)  # (n_selected, width)
        logits = F.linear(x, self.words.weight)  # (n_selected, vocab) or (batch, length, vocab)
        return GptOutput(logits, None if memories is None else remember(memories, seen))
