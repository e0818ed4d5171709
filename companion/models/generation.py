"""Writing with a causal model: one token after the other, drawn from what it says comes next."""

import math
from abc import abstractmethod

import torch
from torch import Tensor

from companion.models.causal import Cache, Sight, sight
from companion.models.hub import HubModel
from companion.models.transformer import check_ids, sdpa_mask


def check_choice(*, temperature: float = 1.0, top_k: int | None, top_p: float | None) -> None:
    """ValueError where a token cannot be chosen in this way."""
    if not 0 <= temperature < math.inf:
        raise ValueError(f"temperature is {temperature}; it must be 0 or above, and finite")
    if top_k is not None and top_k < 1:
        raise ValueError(f"top_k is {top_k}; it must be at least 1")
    if top_p is not None and not 0 < top_p <= 1:
        raise ValueError(f"top_p is {top_p}; it must lie in (0, 1]")


def narrow(logits: Tensor, *, top_k: int | None = None, top_p: float | None = None) -> Tensor:
    """Rule out unlikely tokens: their logits become -inf.

    Args:
        logits: float, (batch, vocab).
        top_k: the `top_k` likeliest stay (Fan et al. 2018, arXiv 1805.04833, section 5.4).
        top_p: the likeliest stay until their probabilities reach `top_p` together (nucleus
            sampling: Holtzman et al. 2019, arXiv 1904.09751, section 3.1). At least one stays.

    Raises:
        ValueError: top_k below 1, top_p outside (0, 1].
    """
    check_choice(top_k=top_k, top_p=top_p)
    if top_k is not None and top_k < logits.shape[-1]:
        least = logits.topk(top_k, dim=-1).values[:, -1:]  # (batch, 1)
        logits = logits.masked_fill(logits < least, -torch.inf)
    if top_p is not None and top_p < 1:
        ordered, order = logits.sort(dim=-1, descending=True, stable=True)
        chances = ordered.float().softmax(dim=-1)
        before = chances.cumsum(dim=-1) - chances  # of all likelier ones
        is_out = (before >= top_p).scatter(-1, order, before >= top_p)
        logits = logits.masked_fill(is_out, -torch.inf)
    return logits


def draw(
    logits: Tensor,
    *,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    generator: torch.Generator | None = None,
) -> Tensor:
    """One token a row: int64, (batch,).

    Args:
        logits: float, (batch, vocab).
        temperature: what the logits are divided by; 0 takes the likeliest token, and draws nothing.
        generator: the source of chance, on the device of `logits`; None: torch's default.

    Raises:
        ValueError: a temperature below 0 or not finite; see `narrow`.
    """
    check_choice(temperature=temperature, top_k=top_k, top_p=top_p)
    if temperature == 0:
        return logits.argmax(dim=-1)
    # From the likeliest down: divided by a low temperature, a logit itself would overflow.
    behind = logits.float() - logits.float().amax(dim=-1, keepdim=True)  # (batch, vocab), <= 0
    scaled = behind / max(temperature, 1e-30)  # what is smaller is 0 in some float32 units
    chances = narrow(scaled, top_k=top_k, top_p=top_p).softmax(dim=-1)
    return torch.multinomial(chances, 1, generator=generator)[:, 0]


def check_ends(input_ids: Tensor, attention_mask: Tensor | None) -> None:
    """ValueError where a row has no token at its end to go on from."""
    if not input_ids.numel():
        shape = tuple(input_ids.shape)
        raise ValueError(f"input_ids have shape {shape}; a row needs a token to go on from")
    real = sdpa_mask(attention_mask, *input_ids.shape)  # (batch, 1, 1 or length, length)
    if attention_mask is not None and attention_mask.ndim != 2:
        raise ValueError("attention_mask must be (batch, length): a row holds one text")
    if real is not None and not real[..., -1].all():
        raise ValueError(
            "a row ends in padding, and would go on after it: pad on the left "
            '(pad_batch(..., side="left"))'
        )


class CausalModel(HubModel):
    """A model that scores the next token, and so can write."""

    @property
    @abstractmethod
    def max_length(self) -> int:
        """The longest row, in tokens."""

    def check_length(self, input_ids: Tensor, cache: Cache | None, *, new: int = 0) -> None:
        """ValueError where a row, with what was read before and `new` tokens, is too long."""
        length = input_ids.shape[1] + new + (0 if cache is None else cache.past)
        if not 1 <= length <= self.max_length or not input_ids.shape[1]:
            raise ValueError(
                f"a row would have {length} tokens; the model reads 1 to {self.max_length}: cut "
                "the text, or write fewer tokens"
            )

    def look(self, input_ids: Tensor, attention_mask: Tensor | None, cache: Cache | None) -> Sight:
        """Check what `forward` was given, and say who sees whom; for errors see there."""
        check_ids("input_ids", input_ids, self.config.vocab_size, "vocab_size")
        self.check_length(input_ids, cache)
        return sight(attention_mask, input_ids, cache)

    @torch.no_grad()
    def generate(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        *,
        max_new_tokens: int,
        temperature: float = 1.0,
        top_k: int | None = None,
        top_p: float | None = None,
        end_id: int | None = None,
        use_cache: bool = True,
        generator: torch.Generator | None = None,
    ) -> Tensor:
        """Go on with each row; dropout is as the model's mode says, so call `eval()` first.

        Args:
            input_ids: (batch, length), what stands there already; shorter rows are padded on the
                left, so that every row goes on at its end.
            attention_mask: (batch, length), bool or integer 0/1, 0 at that padding.
            max_new_tokens: how many tokens to write.
            temperature, top_k, top_p, generator: see `draw` and `narrow`.
            end_id: a row that has written it is done, and goes on with this id alone.
            use_cache: False reads everything again for each token: the same tokens, slowly.

        Returns:
            int64, (batch, length + written): the rows with what was written.

        Raises:
            ValueError: padding on the right, a row that would get too long, max_new_tokens below 1,
                an end_id outside the vocabulary; see `draw` and `Gpt.forward`.
        """
        if max_new_tokens < 1:
            raise ValueError(f"max_new_tokens is {max_new_tokens}; it must be at least 1")
        last_id = self.config.vocab_size - 1
        if end_id is not None and not 0 <= end_id <= last_id:
            raise ValueError(f"end_id is {end_id}; it must lie in the vocabulary, 0..{last_id}")
        check_ids("input_ids", input_ids, last_id + 1, "vocab_size")
        check_ends(input_ids, attention_mask)
        self.check_length(input_ids, None, new=max_new_tokens)
        ids, mask = input_ids, attention_mask
        cache = Cache.empty() if use_cache else None
        is_done = torch.zeros(len(ids), dtype=torch.bool, device=ids.device)
        read, read_mask = ids, mask
        for _ in range(max_new_tokens):
            last = torch.zeros_like(read, dtype=torch.bool)
            last[:, -1] = True
            output = self(read, read_mask, cache, last)  # logits: (batch, vocab)
            cache = output.cache
            token = draw(
                output.logits,
                temperature=temperature,
                top_k=top_k,
                top_p=top_p,
                generator=generator,
            )
            if end_id is not None:
                token = torch.where(is_done, end_id, token)
                is_done = is_done | (token == end_id)
            ids = torch.cat([ids, token[:, None]], dim=1)
            if mask is not None:
                mask = torch.cat([mask, torch.ones_like(mask[:, :1])], dim=1)
            if end_id is not None and is_done.all():
                break
            read, read_mask = (token[:, None], None) if use_cache else (ids, mask)
        return ids
