"""The one place where a text is corrupted: 80 % [MASK], 10 % random, 10 % as it was."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from companion.masking.tokens import check_share, draw_uniform, select_bernoulli

IGNORED = -100  # PyTorch's own `ignore_index`: a position without a label


class MaskedTokens(NamedTuple):
    """What the model sees, and what it has to say. All: shape (batch, length)."""

    corrupted: Tensor  # int64, the ids that the model sees
    labels: Tensor  # int64, the original id where selected, -100 elsewhere
    selected: Tensor  # bool, the positions to be predicted


def corrupt(
    input_ids: Tensor,
    selected: Tensor,
    *,
    mask_id: int,
    vocab_size: int,
    special_ids: Sequence[int],
    mask_share: float = 0.8,
    random_share: float = 0.1,
    generator: torch.Generator | None = None,
) -> MaskedTokens:
    """Corrupt the selected tokens of `input_ids`, (batch, length), and nothing else.

    Of the selected tokens, mask_share become [MASK], random_share a random ordinary token, and the
    rest stay as they are (and still have to be predicted). The random token may be the original by
    chance; unlike in BERT's released code it is never a special token.
    Source: BERT, section 3.1 (arXiv 1810.04805, 2018).
    """
    check_share("mask_share", mask_share)
    check_share("random_share", random_share)
    if mask_share + random_share > 1 + 1e-9:
        raise ValueError(
            f"mask_share {mask_share} and random_share {random_share} are more than 1 together."
        )
    if selected.shape != input_ids.shape or selected.dtype != torch.bool:
        raise ValueError(
            f"selected has shape {tuple(selected.shape)} and type {selected.dtype}; it needs bool "
            f"of the shape of input_ids, {tuple(input_ids.shape)}."
        )
    input_ids = input_ids.long()  # -100 has to fit
    _check_ids(input_ids, mask_id, vocab_size, special_ids)
    ordinary = _ordinary_ids(vocab_size, special_ids, input_ids.device)
    if random_share > 0 and len(ordinary) == 0:
        raise ValueError(f"All {vocab_size} ids are special: there is no random token to draw.")

    # One number decides among the three cases. Two draws would overlap and give 81/10/9.
    case = draw_uniform(input_ids, generator)
    masked = selected & (case < mask_share)
    randomised = selected & (case >= mask_share) & (case < mask_share + random_share)
    corrupted = input_ids.masked_fill(masked, mask_id)
    if random_share > 0:
        device = input_ids.device if generator is None else generator.device
        choice = torch.randint(len(ordinary), input_ids.shape, generator=generator, device=device)
        corrupted = torch.where(randomised, ordinary[choice.to(input_ids.device)], corrupted)
    labels = input_ids.masked_fill(~selected, IGNORED)
    return MaskedTokens(corrupted, labels, selected)


def mask_tokens(
    input_ids: Tensor,
    *,
    mask_id: int,
    vocab_size: int,
    special_ids: Sequence[int],
    rate: float = 0.15,
    mask_share: float = 0.8,
    random_share: float = 0.1,
    at_least_one: bool = True,
    generator: torch.Generator | None = None,
) -> MaskedTokens:
    """Choose by coin toss and corrupt: what BERT's masking comes to, for a batch of any layout.

    input_ids: int64, (batch, length), with specials and padding already in place: positions that
    are chosen before [CLS] is added are off by one afterwards.
    """
    selected = select_bernoulli(
        input_ids,
        special_ids=special_ids,
        rate=rate,
        at_least_one=at_least_one,
        generator=generator,
    )
    return corrupt(
        input_ids,
        selected,
        mask_id=mask_id,
        vocab_size=vocab_size,
        special_ids=special_ids,
        mask_share=mask_share,
        random_share=random_share,
        generator=generator,
    )


def _check_ids(
    input_ids: Tensor, mask_id: int, vocab_size: int, special_ids: Sequence[int]
) -> None:
    for id_ in (mask_id, *special_ids):
        if not 0 <= id_ < vocab_size:
            raise ValueError(
                f"mask_id or special_ids is {id_}, but the vocabulary has ids 0 to "
                f"{vocab_size - 1}."
            )
    # On an accelerator the look-up would wait for the device at every step.
    if input_ids.device.type != "cpu" or input_ids.numel() == 0:
        return
    low, high = (int(bound) for bound in input_ids.aminmax())
    if low < 0 or high >= vocab_size:
        wrong = low if low < 0 else high
        raise ValueError(
            f"input_ids holds {wrong}, but the vocabulary has ids 0 to {vocab_size - 1}."
        )


def _ordinary_ids(vocab_size: int, special_ids: Sequence[int], device: torch.device) -> Tensor:
    """All ids that are not special, ascending: int64, (vocab_size - specials,)."""
    ordinary = torch.ones(vocab_size, dtype=torch.bool)
    ordinary[list(special_ids)] = False
    return ordinary.nonzero().flatten().to(device)
