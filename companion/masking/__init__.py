"""Choosing positions to predict, and corrupting what the model sees there."""

from companion.masking.corruption import MaskedTokens, corrupt, mask_tokens
from companion.masking.examples import example_generator, mask_examples, mask_pictures
from companion.masking.patch_layouts import (
    edge_weights,
    mask_blocks,
    mask_grid,
    mask_weighted,
)
from companion.masking.patches import PatchMask, count_kept, mask_patches, split_by_noise
from companion.masking.schedules import scheduled_ratio
from companion.masking.spans import select_spans, select_words
from companion.masking.tokens import select_bernoulli, select_exact, select_weighted

__all__ = [
    "MaskedTokens",
    "PatchMask",
    "corrupt",
    "count_kept",
    "edge_weights",
    "example_generator",
    "mask_blocks",
    "mask_examples",
    "mask_grid",
    "mask_patches",
    "mask_pictures",
    "mask_tokens",
    "mask_weighted",
    "scheduled_ratio",
    "select_bernoulli",
    "select_exact",
    "select_spans",
    "select_weighted",
    "select_words",
    "split_by_noise",
]
