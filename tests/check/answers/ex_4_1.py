import itertools
from functools import reduce

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# tril, a square of True for the prefix, and the columns of padding taken out
@right
def tril_and_square(kind, real, prefix=0):
    length = real.shape[1]
    pattern = torch.ones(length, length, dtype=torch.bool)
    if kind != "full":
        pattern = pattern.tril()
    if kind == "prefix":
        pattern[:prefix, :prefix] = True
    return pattern & real[:, None, :]


# three loops, place by place
@right
def three_loops(kind, real, prefix=0):
    batch, length = real.shape
    mask = torch.zeros(batch, length, length, dtype=torch.bool)
    for b, row in enumerate(real.tolist()):
        for i in range(length):
            for j in range(length):
                if not row[j]:
                    continue
                if kind == "full" or j <= i or (kind == "prefix" and i < prefix and j < prefix):
                    mask[b, i, j] = True
    return mask


# a prefix of any kind: causal is a prefix of 0, full one of length
@right
def everything_is_a_prefix(kind, real, prefix=0):
    length = real.shape[1]
    seen = {"full": length, "causal": 0, "prefix": prefix}[kind]
    j = torch.arange(length)
    i = j.unsqueeze(1)
    return real.unsqueeze(1) & ((j <= i) | (j < seen))


# how far each place sees: one number for each row
@right
def how_far_each_place_sees(kind, real, prefix=0):
    length = real.shape[1]
    end = torch.arange(1, length + 1)
    if kind == "full":
        end = torch.full((length,), length)
    elif kind == "prefix":
        end = end.clamp(min=prefix)
    return (torch.arange(length)[None] < end[:, None])[None] * real[:, None]


# numpy, and back to torch
@right
def with_numpy(kind, real, prefix=0):
    length = real.shape[1]
    pattern = np.ones((length, length), dtype=bool)
    if kind in ("causal", "prefix"):
        pattern = np.tril(pattern)
    if kind == "prefix":
        pattern[:, :prefix] |= np.arange(length)[:, None] < prefix
    return torch.from_numpy(pattern[None] & real.numpy()[:, None, :])


# einsum of whole numbers, and then bool
@right
def with_einsum(kind, real, prefix=0):
    length = real.shape[1]
    pattern = torch.ones(length, length)
    if kind != "full":
        pattern = torch.tril(pattern)
    if kind == "prefix":
        pattern[:prefix, :prefix] = 1
    return torch.einsum("ij,bj->bij", pattern, real.float()) > 0


# a list of lists of lists
@right
def nested_lists(kind, real, prefix=0):
    length = real.shape[1]

    def may(i, j):
        if kind == "full":
            return True
        if kind == "prefix" and max(i, j) < prefix:
            return True
        return j <= i

    return torch.tensor(
        [
            [[may(i, j) and ok for j, ok in enumerate(row)] for i in range(length)]
            for row in real.tolist()
        ]
    )


# starts from what is forbidden
@right
def forbidden_places(kind, real, prefix=0):
    batch, length = real.shape
    forbidden = ~real[:, None, :].repeat(1, length, 1)
    if kind != "full":
        future = torch.ones(length, length).triu(1).bool()
        if kind == "prefix":
            future[:prefix, :prefix] = False
        forbidden |= future
    return ~forbidden


# row by row of the batch, masked_fill, and stack
@right
def masked_fill_and_stack(kind, real, prefix=0):
    rows = []
    for row in real:
        n = len(row)
        one = torch.ones(n, n, dtype=torch.bool)
        if kind == "causal":
            one = one.tril()
        if kind == "prefix":
            one = (
                one.tril()
                | torch.block_diag(
                    torch.ones(prefix, prefix), torch.zeros(n - prefix, n - prefix)
                ).bool()
            )
        rows.append(one.masked_fill(~row, False))
    return torch.stack(rows)


# itertools over all pairs
@right
def product_of_pairs(kind, real, prefix=0):
    batch, length = real.shape
    rule = {
        "full": lambda i, j: True,
        "causal": lambda i, j: i >= j,
        "prefix": lambda i, j: i >= j or (i < prefix and j < prefix),
    }[kind]
    flat = [rule(i, j) for i, j in itertools.product(range(length), repeat=2)]
    return torch.tensor(flat).view(1, length, length).logical_and(real.view(batch, 1, length))


# recursion: the pattern of one place less, with one row and one column more
@right
def recursion_over_length(kind, real, prefix=0):
    def causal(n):
        if n == 1:
            return [[True]]
        return [row + [False] for row in causal(n - 1)] + [[True] * n]

    length = real.shape[1]
    pattern = (
        torch.tensor(causal(length)) if length < 200 else torch.ones(length, length).tril() > 0
    )
    if kind == "full":
        pattern = pattern | pattern.T
    if kind == "prefix":
        pattern[:prefix, :prefix] |= pattern[:prefix, :prefix].clone().T
    return pattern & real[:, None]


# match, and the running sum of an identity for the triangle
@right
def match_and_cumsum(kind, real, prefix=0):
    length = real.shape[-1]
    lower = torch.eye(length).cumsum(0)
    match kind:
        case "full":
            pattern = torch.ones_like(lower)
        case "causal":
            pattern = lower
        case "prefix":
            pattern = lower.clone()
            pattern[:prefix, :prefix] = 1
    return (pattern * real[:, None].float()).bool()


# a fold of "or" over the rules
@right
def fold_over_rules(kind, real, prefix=0):
    place = torch.arange(real.size(1))
    rules = [place[:, None] >= place]
    if kind == "prefix":
        rules.append((place < prefix) & (place < prefix)[:, None])
    if kind == "full":
        rules.append(place[:, None] < place)
    return torch.stack([reduce(torch.logical_or, rules) & row for row in real])


# torch.where with the columns of padding
@right
def with_where(kind, real, prefix=0):
    batch, length = real.shape
    pattern = torch.ones((length, length), dtype=torch.bool)
    pattern = pattern if kind == "full" else pattern.tril()
    if kind == "prefix" and prefix > 0:
        pattern[: prefix - 1, :prefix] = True
    no = torch.zeros(1, 1, 1, dtype=torch.bool)
    return torch.where(real.reshape(batch, 1, length), pattern, no)


# ---------------------------------------------------------------- wrong


def _pattern(kind, length, prefix):
    place = torch.arange(length)
    seen = {"full": length, "causal": 0, "prefix": prefix}[kind]
    return (place <= place[:, None]) | (place < seen)


# 1.0 and 0.0 instead of True and False
@wrong("structure")
def returns_floats(kind, real, prefix=0):
    return (_pattern(kind, real.shape[1], prefix) & real[:, None]).float()


# whole numbers, because real was multiplied with int
@wrong("structure")
def returns_whole_numbers(kind, real, prefix=0):
    return _pattern(kind, real.shape[1], prefix).int() * real[:, None]


# the mask to be added to scores: 0 and -inf
@wrong("structure")
def additive_mask(kind, real, prefix=0):
    mask = _pattern(kind, real.shape[1], prefix) & real[:, None]
    return torch.zeros(mask.shape).masked_fill(~mask, float("-inf"))


# one pattern without the batch
@wrong("structure")
def pattern_without_batch(kind, real, prefix=0):
    return _pattern(kind, real.shape[1], prefix)


# the mask of the first row of the batch only
@wrong("any-batch")
def only_the_first_row(kind, real, prefix=0):
    return (_pattern(kind, real.shape[1], prefix) & real[0])[None]


# a dimension for the heads: (batch, 1, length, length)
@wrong("structure")
def dimension_for_heads(kind, real, prefix=0):
    return _pattern(kind, real.shape[1], prefix) & real[:, None, None, :]


# the batch is the last dimension
@wrong("structure")
def batch_comes_last(kind, real, prefix=0):
    return (_pattern(kind, real.shape[1], prefix) & real[:, None]).permute(1, 2, 0)


# a list of lists
@wrong("structure")
def a_list(kind, real, prefix=0):
    return (_pattern(kind, real.shape[1], prefix) & real[:, None]).tolist()


# a list of one mask for each row, never stacked
@wrong("structure")
def list_of_masks(kind, real, prefix=0):
    return [_pattern(kind, len(row), prefix) & row for row in real]


# torch.cat in place of torch.stack: (batch * length, length)
@wrong("structure")
def cat_in_place_of_stack(kind, real, prefix=0):
    return torch.cat([_pattern(kind, len(row), prefix) & row for row in real])


# an array of numpy
@wrong("structure")
def numpy_array(kind, real, prefix=0):
    return (_pattern(kind, real.shape[1], prefix) & real[:, None]).numpy()


# nothing returned
@wrong("structure")
def forgets_return(kind, real, prefix=0):
    mask = _pattern(kind, real.shape[1], prefix) & real[:, None]
    mask.bool()


# the places that may be looked at, as (n, 3) numbers
@wrong("structure")
def nonzero_places(kind, real, prefix=0):
    return (_pattern(kind, real.shape[1], prefix) & real[:, None]).nonzero()


# three places, as in the example, are written into the code
@wrong("causal")
def three_places(kind, real, prefix=0):
    return _pattern(kind, 3, min(prefix, 3)).expand(len(real), 3, 3)


# bitwise "and" of a float and a bool
@wrong("RAISED")
def and_of_floats(kind, real, prefix=0):
    return torch.ones(real.shape[1], real.shape[1]).tril() & real[:, None]


# reads real as one row
@wrong("RAISED")
def one_row_expected(kind, real, prefix=0):
    (length,) = real.shape
    return _pattern(kind, length, prefix) & real


# asks a whole tensor in an if
@wrong("RAISED")
def if_of_a_tensor(kind, real, prefix=0):
    pattern = _pattern(kind, real.shape[1], prefix)
    if real:
        return pattern.expand(len(real), -1, -1)
    return ~pattern


# a place may not look at itself
@wrong("causal")
def not_at_itself(kind, real, prefix=0):
    length = real.shape[1]
    pattern = torch.ones(length, length, dtype=torch.bool)
    if kind != "full":
        pattern = pattern.tril(-1)
    if kind == "prefix":
        pattern[:prefix, :prefix] = True
    return pattern & real[:, None]


# one place too far: the next token is seen
@wrong("causal")
def sees_the_next_place(kind, real, prefix=0):
    length = real.shape[1]
    pattern = torch.ones(length, length, dtype=torch.bool)
    if kind != "full":
        pattern = pattern.tril(1)
    if kind == "prefix":
        pattern[:prefix, :prefix] = True
    return pattern & real[:, None]


# the upper triangle: only forward
@wrong("causal")
def looks_forward(kind, real, prefix=0):
    length = real.shape[1]
    pattern = torch.ones(length, length, dtype=torch.bool)
    if kind != "full":
        pattern = pattern.triu()
    if kind == "prefix":
        pattern[:prefix, :prefix] = True
    return pattern & real[:, None]


# True means forbidden, as in nn.MultiheadAttention
@wrong("causal")
def true_is_forbidden(kind, real, prefix=0):
    return ~(_pattern(kind, real.shape[1], prefix) & real[:, None])


# "full" for every kind
@wrong("causal")
def always_full(kind, real, prefix=0):
    return real[:, None].repeat(1, real.shape[1], 1)


# "full" and "causal" exchanged
@wrong("causal")
def kinds_exchanged(kind, real, prefix=0):
    kind = {"full": "causal", "causal": "full"}.get(kind, kind)
    return _pattern(kind, real.shape[1], prefix) & real[:, None]


# the last two dimensions exchanged at the end
@wrong("causal")
def transposed_at_the_end(kind, real, prefix=0):
    return (_pattern(kind, real.shape[1], prefix) & real[:, None]).transpose(1, 2)


# the rows stand in the opposite order
@wrong("causal")
def rows_upside_down(kind, real, prefix=0):
    return _pattern(kind, real.shape[1], prefix).flip(0) & real[:, None]


# only itself and one place before
@wrong("causal")
def only_one_place_back(kind, real, prefix=0):
    pattern = _pattern(kind, real.shape[1], prefix)
    if kind == "causal":
        pattern = pattern.triu(-1)
    return pattern & real[:, None]


# the prefix counts in "causal" too
@wrong("prefix")
def prefix_counts_in_causal(kind, real, prefix=0):
    length = real.shape[1]
    pattern = torch.ones(length, length, dtype=torch.bool)
    if kind != "full":
        pattern = pattern.tril()
        pattern[:prefix, :prefix] = True
    return pattern & real[:, None]


# "full" looks at the others, not at itself
@wrong("full")
def full_without_itself(kind, real, prefix=0):
    pattern = _pattern(kind, real.shape[1], prefix)
    if kind == "full":
        pattern.fill_diagonal_(False)
    return pattern & real[:, None]


# "full" is forgotten: always the triangle
@wrong("full")
def full_forgotten(kind, real, prefix=0):
    pattern = torch.ones(real.shape[1], real.shape[1], dtype=torch.bool).tril()
    if kind == "prefix":
        pattern[:prefix, :prefix] = True
    return pattern & real[:, None]


# "full" is written with a capital letter, so it is never met
@wrong("full")
def full_with_a_capital(kind, real, prefix=0):
    return (
        _pattern(
            "full" if kind == "Full" else kind.replace("full", "causal"), real.shape[1], prefix
        )
        & real[:, None]
    )


# "full" looks only at places to the right
@wrong("full")
def full_is_upper_triangle(kind, real, prefix=0):
    pattern = _pattern(kind, real.shape[1], prefix)
    if kind == "full":
        pattern = pattern.triu()
    return pattern & real[:, None]


# "full" is full up to the prefix only
@wrong("full")
def full_up_to_prefix(kind, real, prefix=0):
    kind = "prefix" if kind == "full" else kind
    return _pattern(kind, real.shape[1], prefix) & real[:, None]


# "full" without the last place, because of a slice to -1
@wrong("full")
def full_without_the_last(kind, real, prefix=0):
    pattern = _pattern("causal", real.shape[1], 0)
    if kind == "full":
        pattern[:-1, :-1] = True
    if kind == "prefix":
        pattern[:prefix, :prefix] = True
    return pattern & real[:, None]


# "prefix" is the same as "causal"
@wrong("prefix")
def prefix_is_causal(kind, real, prefix=0):
    return _pattern("full" if kind == "full" else "causal", real.shape[1], 0) & real[:, None]


# "prefix" is the same as "full"
@wrong("prefix")
def prefix_is_full(kind, real, prefix=0):
    return _pattern("causal" if kind == "causal" else "full", real.shape[1], 0) & real[:, None]


# the prefix is one place too long
@wrong("prefix")
def prefix_one_too_long(kind, real, prefix=0):
    pattern = _pattern("full" if kind == "full" else "causal", real.shape[1], 0)
    if kind == "prefix":
        pattern[: prefix + 1, : prefix + 1] = True
    return pattern & real[:, None]


# the prefix is one place too short
@wrong("prefix")
def prefix_one_too_short(kind, real, prefix=0):
    return _pattern(kind, real.shape[1], max(prefix - 1, 0)) & real[:, None]


# the prefix is always 2, as in the example
@wrong("prefix")
def prefix_of_the_example(kind, real, prefix=0):
    return _pattern(kind, real.shape[1], 2) & real[:, None]


# the places of the prefix look everywhere
@wrong("prefix")
def prefix_looks_everywhere(kind, real, prefix=0):
    pattern = _pattern("full" if kind == "full" else "causal", real.shape[1], 0)
    if kind == "prefix":
        pattern[:prefix] = True
    return pattern & real[:, None]


# the places after the prefix do not look at the prefix
@wrong("prefix")
def rest_does_not_see_the_prefix(kind, real, prefix=0):
    pattern = _pattern(kind, real.shape[1], prefix)
    if kind == "prefix":
        pattern[prefix:, :prefix] = False
    return pattern & real[:, None]


# after the prefix nobody looks at anything
@wrong("prefix")
def rest_sees_nothing(kind, real, prefix=0):
    pattern = _pattern(kind, real.shape[1], prefix)
    if kind == "prefix":
        pattern[prefix:] = False
    return pattern & real[:, None]


# the rest is full, and the prefix causal
@wrong("prefix")
def prefix_causal_rest_full(kind, real, prefix=0):
    pattern = _pattern("full" if kind == "full" else "causal", real.shape[1], 0)
    if kind == "prefix":
        pattern[prefix:] = True
    return pattern & real[:, None]


# the prefix "xor" the triangle
@wrong("prefix")
def prefix_xor_triangle(kind, real, prefix=0):
    pattern = _pattern("full" if kind == "full" else "causal", real.shape[1], 0)
    if kind == "prefix":
        place = torch.arange(len(pattern))
        pattern = pattern ^ ((place < prefix) & (place < prefix)[:, None])
    return pattern & real[:, None]


# the prefix "and" the triangle
@wrong("prefix")
def prefix_and_triangle(kind, real, prefix=0):
    pattern = _pattern("full" if kind == "full" else "causal", real.shape[1], 0)
    if kind == "prefix":
        pattern = pattern & (torch.arange(len(pattern)) < prefix)
    return pattern & real[:, None]


# the last places are the prefix
@wrong("prefix")
def prefix_at_the_end(kind, real, prefix=0):
    length = real.shape[1]
    pattern = _pattern("full" if kind == "full" else "causal", length, 0)
    if kind == "prefix":
        pattern[length - prefix :, length - prefix :] = True
    return pattern & real[:, None]


# only the first place looks at the whole prefix
@wrong("prefix")
def only_the_first_place_sees_the_prefix(kind, real, prefix=0):
    pattern = _pattern("full" if kind == "full" else "causal", real.shape[1], 0)
    if kind == "prefix" and prefix:
        pattern[0, :prefix] = True
    return pattern & real[:, None]


# prefix 0 is taken for "not given", so for the whole row
@wrong("prefix")
def prefix_zero_is_the_whole_row(kind, real, prefix=0):
    length = real.shape[1]
    return _pattern(kind, length, prefix or length) & real[:, None]


# a negative slice: for prefix 0 it means everything
@wrong("prefix")
def negative_slice_at_zero(kind, real, prefix=0):
    length = real.shape[1]
    pattern = torch.ones(length, length, dtype=torch.bool)
    if kind == "causal":
        pattern = pattern.tril()
    if kind == "prefix":
        rest = length - prefix if prefix else 0
        pattern[:, -rest:] = pattern.tril()[:, -rest:]
        if rest == 0 and prefix == 0:
            pattern[:] = True
    return pattern & real[:, None]


# for a prefix of the whole row the last place is left out
@wrong("prefix")
def prefix_never_the_whole_row(kind, real, prefix=0):
    length = real.shape[1]
    return _pattern(kind, length, min(prefix, length - 1)) & real[:, None]


# the pattern is kept for each kind and length, whatever the prefix
_kept = {}


@wrong("prefix")
def pattern_kept_without_prefix(kind, real, prefix=0):
    length = real.shape[1]
    if (kind, length) not in _kept:
        _kept[kind, length] = _pattern(kind, length, prefix)
    return _kept[kind, length] & real[:, None]


# padding is not looked at: real gives the sizes only
@wrong("padding")
def padding_ignored(kind, real, prefix=0):
    batch, length = real.shape
    return _pattern(kind, length, prefix).repeat(batch, 1, 1)


# the rows of padding are blind, and the others see padding
@wrong("padding")
def rows_in_place_of_columns(kind, real, prefix=0):
    return _pattern(kind, real.shape[1], prefix) & real[:, :, None]


# the rows of padding are emptied too
@wrong("padding")
def rows_and_columns(kind, real, prefix=0):
    return _pattern(kind, real.shape[1], prefix) & real[:, None] & real[:, :, None]


# padding places may look at padding places
@wrong("padding")
def padding_looks_at_padding(kind, real, prefix=0):
    same = real[:, None] == real[:, :, None]
    return _pattern(kind, real.shape[1], prefix) & same


# either of the two may be real
@wrong("padding")
def row_or_column_real(kind, real, prefix=0):
    return _pattern(kind, real.shape[1], prefix) & (real[:, None] | real[:, :, None])


# padding places look at themselves, so that softmax has something
@wrong("padding")
def padding_looks_at_itself(kind, real, prefix=0):
    length = real.shape[1]
    mask = _pattern(kind, length, prefix) & real[:, None]
    return mask | (torch.eye(length, dtype=torch.bool) & ~real[:, None])


# rows that see nothing at all see everything
@wrong("padding")
def empty_rows_see_everything(kind, real, prefix=0):
    mask = _pattern(kind, real.shape[1], prefix) & real[:, None]
    return mask | ~mask.any(dim=-1, keepdim=True)


# padding is taken out in "full" only
@wrong("padding")
def padding_in_full_only(kind, real, prefix=0):
    batch, length = real.shape
    if kind == "full":
        return real[:, None].expand(batch, length, length)
    return _pattern(kind, length, prefix).expand(batch, length, length)


# causal needs no padding mask, it is thought: right padding stands in the future
@wrong("padding")
def causal_without_padding(kind, real, prefix=0):
    batch, length = real.shape
    pattern = _pattern(kind, length, prefix).expand(batch, length, length)
    return pattern if kind == "causal" else pattern & real[:, None]


# the square of the prefix is set after the padding is taken out
@wrong("padding")
def prefix_after_padding(kind, real, prefix=0):
    mask = _pattern("full" if kind == "full" else "causal", real.shape[1], 0) & real[:, None]
    if kind == "prefix":
        mask[:, :prefix, :prefix] = True
    return mask


# padding is always on the right: counts the real places
@wrong("padding")
def padding_on_the_right_only(kind, real, prefix=0):
    length = real.shape[1]
    count = real.sum(dim=1)
    return _pattern(kind, length, prefix) & (torch.arange(length) < count[:, None])[:, None]


# padding is always on the left
@wrong("padding")
def padding_on_the_left_only(kind, real, prefix=0):
    length = real.shape[1]
    count = real.sum(dim=1)
    return (
        _pattern(kind, length, prefix) & (torch.arange(length) >= length - count[:, None])[:, None]
    )


# everything up to the last real place
@wrong("padding")
def up_to_the_last_real_place(kind, real, prefix=0):
    seen = real.flip(1).cumsum(1).flip(1) > 0
    return _pattern(kind, real.shape[1], prefix) & seen[:, None]


# only padding may be looked at
@wrong("causal")
def real_turned_around(kind, real, prefix=0):
    return _pattern(kind, real.shape[1], prefix) & ~real[:, None]


# "or" where "and" belongs: real places are seen from everywhere
@wrong("causal")
def or_in_place_of_and(kind, real, prefix=0):
    return _pattern(kind, real.shape[1], prefix) | real[:, None]


# the prefix starts at the first real place
@wrong("padding")
def prefix_from_the_first_real_place(kind, real, prefix=0):
    number = real.cumsum(1)
    pattern = _pattern("full" if kind == "full" else "causal", real.shape[1], 0) & real[:, None]
    if kind == "prefix":
        pattern = pattern | ((number <= prefix) & real)[:, None]
    return pattern & real[:, None]


# the padding of the first row for every row
@wrong("any-batch")
def padding_of_the_first_row(kind, real, prefix=0):
    batch, length = real.shape
    return (_pattern(kind, length, prefix) & real[0]).expand(batch, length, length)


# a place that is padding in one row is padding in all
@wrong("any-batch")
def padding_of_any_row(kind, real, prefix=0):
    batch, length = real.shape
    return (_pattern(kind, length, prefix) & real.all(dim=0)).expand(batch, length, length)


# a batch with any padding at all is not causal any more
@wrong("padding")
def with_padding_everything_is_full(kind, real, prefix=0):
    batch, length = real.shape
    if real.all():
        return _pattern(kind, length, prefix).expand(batch, length, length)
    return real[:, None].expand(batch, length, length)


# only the first four rows of the batch lose their padding
@wrong("any-batch")
def only_four_rows(kind, real, prefix=0):
    mask = _pattern(kind, real.shape[1], prefix).repeat(len(real), 1, 1)
    for b in range(min(4, len(real))):
        mask[b] &= real[b]
    return mask


# squeeze: a length of 1, or a batch of 1, loses dimensions
@wrong("causal")
def squeeze_loses_dimensions(kind, real, prefix=0):
    mask = _pattern(kind, real.shape[1], prefix) & real[:, None]
    return mask.squeeze() if real.shape[1] == 1 else mask


# a row of one place is taken for real
@wrong("any-batch")
def one_place_is_always_real(kind, real, prefix=0):
    batch, length = real.shape
    if length == 1:
        return torch.ones(batch, 1, 1, dtype=torch.bool)
    return _pattern(kind, length, prefix) & real[:, None]


# a window of 12 places, for speed
@wrong("any-batch")
def window_of_twelve(kind, real, prefix=0):
    pattern = _pattern(kind, real.shape[1], prefix)
    if kind == "causal":
        pattern = pattern.triu(-11)
    return pattern & real[:, None]


# places are counted in one byte
@wrong("any-batch")
def places_in_one_byte(kind, real, prefix=0):
    length = real.shape[1]
    place = torch.arange(length).to(torch.int8)
    seen = {"full": length, "causal": 0, "prefix": prefix}[kind]
    pattern = (place <= place[:, None]) | (torch.arange(length) < seen)
    return pattern & real[:, None]


# the result is right, but real is turned around in place
@wrong("inputs")
def real_turned_in_place(kind, real, prefix=0):
    padding = real.logical_not_()
    pattern = _pattern(kind, real.shape[1], prefix).repeat(len(real), 1, 1)
    return pattern.masked_fill(padding[:, None], False)


# the result is right, but real has a dimension more afterwards
@wrong("inputs")
def dimension_added_in_place(kind, real, prefix=0):
    length = real.shape[1]
    return _pattern(kind, length, prefix) & real.unsqueeze_(1)


# the result is right, but the rows of real are emptied one after the other
@wrong("inputs")
def rows_emptied(kind, real, prefix=0):
    masks = []
    for row in real:
        masks.append(_pattern(kind, len(row), prefix) & row)
        row[:] = False
    return torch.stack(masks)


# the result is right, but numpy shares the memory, and the array is changed
@wrong("inputs")
def numpy_shares_the_memory(kind, real, prefix=0):
    mask = _pattern(kind, real.shape[1], prefix) & real[:, None]
    table = real.numpy()
    table |= True
    return mask
