"""Masks that belong to an example: they depend on (seed, epoch, index) and on nothing else.

A generator that lives in a data set is copied into every worker and starts again every epoch, so
workers repeat each other and "dynamic" masks stand still. Here every example gets a generator of
its own. Which worker, which process, which neighbours in the batch, how much padding: no effect.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from companion.masking.corruption import IGNORED, MaskedTokens, mask_tokens
from companion.masking.patches import PatchMask, count_kept, split_by_noise


def example_generator(seed: int, epoch: int | None, index: int) -> torch.Generator:
    """The random source of one example in one epoch, on the CPU.

    epoch: 0, 1, 2 ... in training; None in evaluation, where masks never move.
    index: the example's number in the whole data set, not in the batch.
    All three lie in 0 to 2**32 - 2.
    """
    place = 0 if epoch is None else epoch + 1
    if not all(0 <= number < 2**32 - 1 for number in (seed, place, index)) or epoch == -1:
        raise ValueError(f"seed {seed}, epoch {epoch} and index {index} must be 0 to 2**32 - 2.")
    # SeedSequence mixes: neighbours, or (1, 2) and (2, 1), give seeds that have nothing in common.
    # torch uses 32 bits of a seed, so of a million examples about a hundred pairs draw the same.
    mixed = np.random.SeedSequence([seed, place, index]).generate_state(1, np.uint64)[0]
    return torch.Generator().manual_seed(int(mixed))


def mask_examples(
    input_ids: Tensor,
    indices: Tensor | Sequence[int],
    *,
    seed: int,
    epoch: int | None,
    attention_mask: Tensor | None = None,
    mask_id: int,
    vocab_size: int,
    special_ids: Sequence[int],
    rate: float = 0.15,
    mask_share: float = 0.8,
    random_share: float = 0.1,
    at_least_one: bool = True,
) -> MaskedTokens:
    """`mask_tokens` with a generator for each row: the same example always gets the same mask.

    input_ids: int64, (batch, length). indices: (batch,), each row's number in the data set.
    attention_mask: bool or 0/1, (batch, length), False at padding; needed when rows are padded, so
        that the padding does not shift the draws. Draws are made on the CPU.
    """
    numbers = [int(index) for index in indices]
    if len(numbers) != len(input_ids):
        raise ValueError(f"There are {len(input_ids)} rows, but {len(numbers)} indices.")
    real = _real_tokens(input_ids, attention_mask)
    input_ids = input_ids.long()
    corrupted, selected = input_ids.clone(), torch.zeros_like(real)
    labels = torch.full_like(input_ids, IGNORED)
    for row, index in enumerate(numbers):
        masked = mask_tokens(
            input_ids[row, real[row]][None],  # (1, real tokens)
            mask_id=mask_id,
            vocab_size=vocab_size,
            special_ids=special_ids,
            rate=rate,
            mask_share=mask_share,
            random_share=random_share,
            at_least_one=at_least_one,
            generator=example_generator(seed, epoch, index),
        )
        corrupted[row, real[row]] = masked.corrupted[0]
        labels[row, real[row]] = masked.labels[0]
        selected[row, real[row]] = masked.selected[0]
    return MaskedTokens(corrupted, labels, selected)


def _real_tokens(input_ids: Tensor, attention_mask: Tensor | None) -> Tensor:
    if attention_mask is None:
        return torch.ones_like(input_ids, dtype=torch.bool)
    # The models' rule too, but the rooms share no code.
    if attention_mask.is_floating_point() or attention_mask.shape != input_ids.shape:
        raise ValueError(
            f"attention_mask has shape {tuple(attention_mask.shape)} and type "
            f"{attention_mask.dtype}; it needs bool (True = a real token) of the shape of "
            f"input_ids, {tuple(input_ids.shape)}."
        )
    return attention_mask.bool()


def mask_pictures(
    indices: Tensor | Sequence[int],
    num_patches: int,
    *,
    seed: int,
    epoch: int | None,
    ratio: float = 0.75,
    kept: int | None = None,
) -> PatchMask:
    """`mask_patches` with a generator for each picture: the same one always hides the same patches.

    indices: (batch,), each picture's number in the data set. Draws are made on the CPU.
    seed, epoch: see `example_generator`. ValueError: see there, and `mask_patches`.
    """
    count = count_kept(num_patches, ratio) if kept is None else kept
    noise = torch.empty(len(indices), num_patches)
    for row, index in zip(noise, indices, strict=True):
        torch.rand(num_patches, generator=example_generator(seed, epoch, int(index)), out=row)
    return split_by_noise(noise, count)
