"""What stands near what: words by their vectors, places by sines."""

import torch
import torch.nn.functional as F
from torch import Tensor

from companion.data import Tokenizer


def nearest(
    word: str, table: Tensor, tokenizer: Tokenizer, *, count: int
) -> list[tuple[str, float]]:
    """The tokens whose vectors have the smallest angle to that of `word`, with its cosine.

    Args:
        word: must be one token.
        table: (vocabulary, width), a vector for each id.
        count: how many neighbours; special tokens and the word itself are none.

    Raises:
        ValueError: a word of several pieces, or one that is unknown.
    """
    ids = tokenizer.encode(word, specials=False).ids
    if len(ids) != 1 or int(ids[0]) in tokenizer.special_ids:
        pieces = " ".join(tokenizer.tokens(ids)) or "nothing"
        raise ValueError(f"{word!r} is {pieces} to this vocabulary; choose a word of one piece")
    cosines = F.cosine_similarity(table, table[ids], dim=-1)  # (vocabulary,)
    cosines[[*tokenizer.special_ids, int(ids[0])]] = -torch.inf
    best = cosines.topk(count)
    return list(zip(tokenizer.tokens(best.indices), best.values.tolist(), strict=True))


def sine_positions(length: int, width: int) -> Tensor:
    """Position vectors that are computed: (length, width), sines first, then cosines.

    Number k of each half is the sine or cosine of place / 10000 ** (2 k / width).
    Source: Vaswani et al. 2017, arXiv 1706.03762, section 3.5 (there in turns; the order of
    dimensions means nothing to a network).
    """
    if width % 2:
        raise ValueError(f"width is {width}; a sine and a cosine each need an even number")
    speeds = 10000.0 ** (torch.arange(0, width, 2) / -width)  # (width / 2,)
    angles = torch.outer(torch.arange(length).float(), speeds)  # (length, width / 2)
    return torch.cat([angles.sin(), angles.cos()], dim=-1)
