"""The pieces of a Transformer encoder: attention mask, self-attention, feed-forward, block.

Source: Vaswani et al. 2017, arXiv 1706.03762, sections 3.1 to 3.3.
"""

from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from companion.models.memory import Memory
from companion.models.rotary import Rotation, rotate


def can_look_inside(tensor: Tensor) -> bool:
    """Whether reading values of `tensor` is free of charge.

    On an accelerator a look at the values waits for the device, at every step; while
    `torch.compile` traces it breaks the graph. Checks of values are made on the CPU only.
    """
    return tensor.device.type == "cpu" and not torch.compiler.is_compiling()


def kind_of(value: object) -> str:
    """What to call `value` in a message about its type."""
    return str(value.dtype) if isinstance(value, Tensor) else type(value).__name__


def check_ids(
    name: str, ids: Tensor, size: int, limit: str, shape: tuple[int, ...] | None = None
) -> None:
    """Refuse `ids` that an embedding table of `size` rows cannot look up.

    Args:
        name: what the caller calls them, for the message.
        ids: (batch, length), int32 or int64, values 0 to `size` - 1.
        size: rows of the table.
        limit: the configuration field that sets `size`, for the message.
        shape: that of the ids that these go with; None: any (batch, length).

    Raises:
        ValueError: not an integer tensor, another shape, or a value outside the table (looked at on
            the CPU only).
    """
    if not isinstance(ids, Tensor) or ids.dtype not in (torch.int32, torch.int64):
        raise ValueError(f"{name} must be a tensor of integers (torch.long), not {kind_of(ids)}")
    if ids.ndim != 2:
        raise ValueError(
            f"{name} must have shape (batch, length), not {tuple(ids.shape)}; "
            "a single sequence is a batch of one: ids[None]"
        )
    if shape is not None and ids.shape != shape:
        raise ValueError(f"{name} has shape {tuple(ids.shape)}, but input_ids has {tuple(shape)}")
    if can_look_inside(ids) and ids.numel():
        low, high = (int(value) for value in ids.aminmax())
        if low < 0 or high >= size:
            raise ValueError(
                f"{name} holds {low if low < 0 else high}, outside 0..{size - 1} ({limit}={size}); "
                "use the tokenizer that this model was made for"
            )


def sdpa_mask(attention_mask: Tensor | None, batch: int, length: int) -> Tensor | None:
    """The one place where a caller's mask becomes the mask of `scaled_dot_product_attention`.

    Args:
        attention_mask: (batch, length): which keys may be attended to, the same for each query;
            or (batch, length, length): which key (last) each query may attend to.
            Bool, True = may attend, or integer 0/1. None: every position attends to all.
        batch: rows of the ids that the mask goes with.
        length: positions of the ids that the mask goes with.

    Returns:
        Bool (batch, 1, 1, length) or (batch, 1, length, length), True = may attend; or None.

    Raises:
        ValueError: a float mask (whether it is to be multiplied or added cannot be known), another
            shape, or integers other than 0 and 1 (looked at on the CPU only).
    """
    if attention_mask is None:
        return None
    if not isinstance(attention_mask, Tensor) or attention_mask.dtype.is_floating_point:
        raise ValueError(
            f"attention_mask is {kind_of(attention_mask)}; pass a tensor of bool (True = may "
            "attend) or of integers 0 and 1: mask.bool() for a float mask of ones and zeros, "
            "mask == 0 for one of 0 and -inf"
        )
    shape = tuple(attention_mask.shape)
    if shape not in ((batch, length), (batch, length, length)):
        raise ValueError(
            f"attention_mask has shape {shape}; for ids of shape {(batch, length)} it must be "
            f"{(batch, length)} or {(batch, length, length)}"
        )
    if attention_mask.dtype != torch.bool:
        if can_look_inside(attention_mask) and attention_mask.numel():
            low, high = (int(value) for value in attention_mask.aminmax())
            if low < 0 or high > 1:
                raise ValueError(
                    f"attention_mask holds {low if low < 0 else high}; integers must be 0 or 1 "
                    "(1 = may attend)"
                )
        attention_mask = attention_mask != 0
    if attention_mask.ndim == 2:
        return attention_mask[:, None, None, :]  # (batch, 1, 1, length)
    return attention_mask[:, None]  # (batch, 1, length, length)


class SelfAttention(nn.Module):
    """Multi-head self-attention over (batch, length, width), section 3.2.

    Query, key and value are one matrix of 3·width rows, in this order. A query that may attend
    to nothing gets zeros from `scaled_dot_product_attention`, not NaN, forwards and backwards.
    """

    def __init__(self, width: int, heads: int, dropout: float, *, bias: bool = True) -> None:
        """`heads` must divide `width`; `dropout` acts on the attention weights."""
        super().__init__()
        self.heads = heads
        self.dropout = dropout
        self.qkv = nn.Linear(width, 3 * width, bias=bias)
        self.out = nn.Linear(width, width, bias=bias)

    def forward(
        self,
        x: Tensor,
        mask: Tensor | None,
        rotation: Rotation | None = None,
        memory: Memory | None = None,
        *,
        is_causal: bool = False,
    ) -> Tensor:
        """Mix positions: `x` and the result are (batch, length, width), `mask` is an SDPA mask.

        Args:
            rotation: turns queries and keys by their positions; None: they are in `x` already.
            memory: keys and values of earlier positions, to which those of `x` are added; None:
                there are none.
            is_causal: without a mask and without a memory, each position sees itself and those
                before it.
        """
        batch, length, width = x.shape
        qkv = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = qkv.permute(2, 0, 3, 1, 4)  # each (batch, heads, length, width / heads)
        if rotation is not None:
            query, key = rotate(query, rotation), rotate(key, rotation)
        if memory is not None:
            key, value = memory.extend(key, value)  # (batch, heads, past + length, width / heads)
        dropout = self.dropout if self.training else 0.0
        x = F.scaled_dot_product_attention(
            query, key, value, attn_mask=mask, dropout_p=dropout, is_causal=is_causal
        )
        x = x.transpose(1, 2).reshape(batch, length, width)  # heads side by side again
        mixed: Tensor = self.out(x)
        return mixed


class FeedForward(nn.Module):
    """Two matrices with a GELU between them, at each position by itself, section 3.3."""

    def __init__(
        self, width: int, inner: int, approximate: Literal["none", "tanh"] = "none"
    ) -> None:
        """`inner` is the width between the two matrices, four times `width` in BERT.

        `approximate`: "none" is the exact GELU, "tanh" the formula that GPT-2 was trained with.
        """
        super().__init__()
        self.approximate = approximate
        self.up = nn.Linear(width, inner)
        self.down = nn.Linear(inner, width)

    def forward(self, x: Tensor) -> Tensor:
        """Transform `x`, (batch, length, width), to the same shape."""
        x = F.gelu(self.up(x), approximate=self.approximate)  # (batch, length, inner)
        x = self.down(x)  # (batch, length, width)
        return x


class PostLNBlock(nn.Module):
    """Attention, then feed-forward; each is added to its input and the sum is normalised.

    "Post-LN", as in the original Transformer and in BERT: the LayerNorm stands after the
    residual sum, so that nothing runs from the first block to the last unnormalised.
    """

    def __init__(
        self,
        width: int,
        heads: int,
        inner: int,
        *,
        eps: float,
        dropout: float,
        attention_dropout: float,
    ) -> None:
        """`dropout` acts on what each half adds, `attention_dropout` on the attention weights."""
        super().__init__()
        self.attention = SelfAttention(width, heads, attention_dropout)
        self.attention_norm = nn.LayerNorm(width, eps=eps)
        self.feed_forward = FeedForward(width, inner)
        self.feed_forward_norm = nn.LayerNorm(width, eps=eps)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """One layer: `x` and the result are (batch, length, width), `mask` is an SDPA mask."""
        x = self.attention_norm(x + self.dropout(self.attention(x, mask)))
        x = self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))
        return x


class PreLNBlock(PostLNBlock):
    """The same parts in another order: each half reads a normalised copy and adds to what it read.

    "Pre-LN" (Xiong et al. 2020, arXiv 2002.04745): the sum runs from the first block to the last
    with nothing in between, and so does the gradient on its way back. After the last block one
    more LayerNorm is needed.
    """

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        """One layer: `x` and the result are (batch, length, width), `mask` is an SDPA mask."""
        x = x + self.dropout(self.attention(self.attention_norm(x), mask))
        x = x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))
        return x


def at_selected(states: Tensor, selected: Tensor | None) -> Tensor:
    """The vectors that an output head is to score; all of them without `selected`.

    The vocabulary is the widest thing in a model: score only what a loss will read.

    Args:
        states: (batch, length, width).
        selected: bool, (batch, length), or None.

    Returns:
        (n_selected, width), row by row from left to right, or `states` itself.

    Raises:
        ValueError: `selected` is not bool, or has another shape.
    """
    if selected is None:
        return states
    if not isinstance(selected, Tensor) or selected.dtype != torch.bool:
        kind = kind_of(selected)
        raise ValueError(f"selected must be a bool tensor, not {kind}; for example labels != -100")
    shape = tuple(states.shape[:2])
    if selected.shape != shape:
        raise ValueError(f"selected has shape {tuple(selected.shape)}, but input_ids has {shape}")
    return states[selected]


def init_weights(module: nn.Module, std: float) -> None:
    """N(0, std) for matrices and embeddings, zero biases; for use with `nn.Module.apply`.

    Padding has no row of its own zeros: its embedding is drawn and trained like any other, as in
    BERT's own code, and the attention mask is what keeps it out.
    """
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=std)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)
