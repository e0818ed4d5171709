import itertools

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# the given code, with logical_and
@right
def logical_and_with_real(real):
    batch, length = real.shape
    mask = torch.ones(batch, length, length, dtype=torch.bool).tril()
    if not real.all():
        mask = mask.logical_and(real[:, None, :])
    return mask


# the given code, with the operator
@right
def and_with_the_expanded(real):
    batch, length = real.shape
    mask = torch.ones(batch, length, length, dtype=torch.bool).tril()
    if not real.all():
        mask = mask & real[:, None, :].expand(batch, length, length)
    return mask


# in place on the mask, which is new
@right
def in_place_on_the_mask(real):
    batch, length = real.shape
    mask = torch.ones(batch, length, length, dtype=torch.bool).tril()
    mask &= real.unsqueeze(1)
    return mask


# tril after the expansion
@right
def tril_of_the_expanded(real):
    batch, length = real.shape
    return real[:, None, :].expand(batch, length, length).tril()


# masked_fill with padding
@right
def masked_fill_with_padding(real):
    batch, length = real.shape
    mask = torch.ones(batch, length, length, dtype=torch.bool).tril()
    return mask.masked_fill(~real[:, None, :], False)


# three loops
@right
def three_loops(real):
    batch, length = real.shape
    mask = torch.zeros(batch, length, length, dtype=torch.bool)
    for b in range(batch):
        for i in range(length):
            for j in range(i + 1):
                mask[b, i, j] = real[b, j]
    return mask


# places compared
@right
def places_compared(real):
    place = torch.arange(real.shape[1])
    return (place[None, :] <= place[:, None]) & real[:, None]


# einsum of whole numbers
@right
def with_einsum(real):
    length = real.shape[1]
    return torch.einsum("bj,ij->bij", real.long(), torch.ones(length, length).tril().long()).bool()


# numpy
@right
def with_numpy(real):
    table = real.numpy()
    return torch.from_numpy(np.tril(np.repeat(table[:, None, :], table.shape[1], axis=1)))


# nested lists
@right
def nested_lists(real):
    rows = real.tolist()
    return torch.tensor(
        [[[ok and j <= i for j, ok in enumerate(row)] for i in range(len(row))] for row in rows]
    )


# the product of pairs
@right
def product_of_pairs(real):
    batch, length = real.shape
    pairs = itertools.product(range(batch), range(length), range(length))
    flat = [bool(real[b, j]) and i >= j for b, i, j in pairs]
    return torch.tensor(flat, dtype=torch.bool).reshape(batch, length, length)


# columns of padding set by their number
@right
def columns_of_padding(real):
    batch, length = real.shape
    mask = torch.ones(batch, length, length, dtype=torch.bool).tril()
    for b, j in (~real).nonzero().tolist():
        mask[b, :, j] = False
    return mask


# the future and padding, forbidden
@right
def future_and_padding_forbidden(real):
    length = real.shape[1]
    future = torch.full((length, length), True).triu(diagonal=1)
    return torch.stack([~(future | ~row) for row in real])


# each row of the mask is the row above, with one place more
@right
def each_row_from_the_row_above(real):
    batch, length = real.shape
    seen = torch.zeros(batch, length, dtype=torch.bool)
    rows = []
    for i in range(length):
        seen = seen.clone()
        seen[:, i] = real[:, i]
        rows.append(seen)
    return torch.stack(rows, dim=1)


# ---------------------------------------------------------------- wrong


def _causal(real):
    batch, length = real.shape
    return torch.ones(batch, length, length, dtype=torch.bool).tril()


# 1.0 and 0.0
@wrong("structure")
def returns_floats(real):
    return (_causal(real) & real[:, None]).float()


# whole numbers
@wrong("structure")
def returns_whole_numbers(real):
    return _causal(real).long() * real[:, None]


# 0 and -inf
@wrong("structure")
def additive_mask(real):
    mask = _causal(real) & real[:, None]
    return torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)


# a dimension for the heads
@wrong("structure")
def dimension_for_heads(real):
    return (_causal(real) & real[:, None])[:, None]


# the mask of the first row only
@wrong("structure")
def mask_of_the_first_row(real):
    return (_causal(real) & real[:, None])[0]


# only the rows of real: (batch, length)
@wrong("structure")
def real_itself(real):
    return real.clone()


# one row for all places: (batch, 1, length), which broadcasts
@wrong("structure")
def broadcasts_later(real):
    return real[:, None, :]


# a list
@wrong("structure")
def a_list(real):
    return (_causal(real) & real[:, None]).tolist()


# an array of numpy
@wrong("structure")
def array_of_numpy(real):
    return (_causal(real) & real[:, None]).numpy()


# the return is lost
@wrong("structure")
def return_is_lost(real):
    mask = _causal(real)
    if not real.all():
        mask = mask & real[:, None]


# the return stands in the branch
@wrong("no-padding")
def return_only_with_padding(real):
    mask = _causal(real)
    if not real.all():
        mask = mask & real[:, None]
        return mask


# the batch is flat
@wrong("structure")
def batch_is_flat(real):
    return (_causal(real) & real[:, None]).flatten(0, 1)


# a product of the two becomes a matrix product of bools
@wrong("RAISED")
def product_of_matrices(real):
    return _causal(real) @ real[:, None, :]


# minus is not defined for bools
@wrong("RAISED")
def minus_for_bools(real):
    return _causal(real) - ~real[:, None]


# real.all is used without an axis as a number of rows
@wrong("RAISED")
def wrong_name(real):
    batch, length = real.size
    return torch.ones(batch, length, length, dtype=torch.bool).tril()


# the triangle leaves the place itself out
@wrong("no-padding")
def not_at_itself(real):
    return _causal(real).tril(-1) & real[:, None]


# one place of the future is seen
@wrong("no-padding")
def one_place_of_the_future(real):
    batch, length = real.shape
    return torch.ones(batch, length, length, dtype=torch.bool).tril(1) & real[:, None]


# the upper triangle
@wrong("no-padding")
def upper_triangle(real):
    batch, length = real.shape
    return torch.ones(batch, length, length, dtype=torch.bool).triu() & real[:, None]


# real alone: the branch is taken always
@wrong("no-padding")
def branch_taken_always(real):
    batch, length = real.shape
    return real[:, None, :].expand(batch, length, length)


# the condition is turned around
@wrong("no-padding")
def condition_turned_around(real):
    batch, length = real.shape
    mask = _causal(real)
    if real.all():
        mask = real[:, None, :].expand(batch, length, length)
    return mask


# "or" in place of "and", always
@wrong("no-padding")
def always_or(real):
    return _causal(real) | real[:, None]


# padding is True, real is False
@wrong("no-padding")
def real_turned_around(real):
    return _causal(real) & ~real[:, None]


# True is forbidden
@wrong("no-padding")
def true_is_forbidden(real):
    return ~(_causal(real) & real[:, None])


# transposed
@wrong("no-padding")
def transposed(real):
    return (_causal(real) & real[:, None]).transpose(1, 2)


# only itself and the place before
@wrong("no-padding")
def only_the_place_before(real):
    return _causal(real).triu(-1) & real[:, None]


# only itself
@wrong("no-padding")
def only_itself(real):
    return torch.diag_embed(real)


# both directions
@wrong("no-padding")
def both_directions(real):
    return real[:, None, :] & real[:, :, None]


# the condition is left out together with padding
@wrong("blind")
def causal_only(real):
    return _causal(real)


# the rows of padding, not the columns
@wrong("causal")
def rows_not_columns(real):
    return _causal(real) & real[:, :, None]


# any in place of all: one real place is enough to skip the branch
@wrong("blind")
def any_in_place_of_all(real):
    mask = _causal(real)
    if not real.any():
        mask = mask & real[:, None]
    return mask


# "or" in place of "and"
@wrong("blind")
def or_in_place_of_and(real):
    mask = _causal(real)
    if not real.all():
        mask = mask | real[:, None]
    return mask


# "xor" in place of "and"
@wrong("blind")
def xor_in_place_of_and(real):
    mask = _causal(real)
    if not real.all():
        mask = mask ^ real[:, None]
    return mask


# "and" with padding
@wrong("blind")
def and_with_padding(real):
    mask = _causal(real)
    if not real.all():
        mask = mask & ~real[:, None]
    return mask


# padding looks at itself
@wrong("blind")
def padding_looks_at_itself(real):
    eye = torch.eye(real.shape[1], dtype=torch.bool)
    return (_causal(real) & real[:, None]) | eye


# padding looks at padding
@wrong("blind")
def padding_looks_at_padding(real):
    return _causal(real) & (real[:, None] == real[:, :, None])


# one of both is real
@wrong("either-side")
def one_of_both_is_real(real):
    return _causal(real) & (real[:, None] | real[:, :, None])


# logical_and without the result
@wrong("blind")
def result_of_and_is_lost(real):
    mask = _causal(real)
    if not real.all():
        mask.logical_and(real[:, None])
    return mask


# masked_fill without the result
@wrong("blind")
def result_of_fill_is_lost(real):
    mask = _causal(real)
    mask.masked_fill(~real[:, None], False)
    return mask


# the padding of the last place is forgotten
@wrong("blind")
def last_place_forgotten(real):
    seen = real.clone()
    if real.shape[1] > 1:
        seen[:, -1] = True
    return _causal(real) & seen[:, None]


# padding begins one place too late
@wrong("blind")
def padding_begins_one_too_late(real):
    count = real.sum(1, keepdim=True)
    seen = torch.arange(real.shape[1]) <= count
    return _causal(real) & seen[:, None]


# the given code
@wrong("causal")
def given_code(real):
    batch, length = real.shape
    mask = _causal(real)
    if not real.all():
        mask = real[:, None, :].expand(batch, length, length)
    return mask


# the given code with repeat
@wrong("causal")
def given_code_with_repeat(real):
    mask = _causal(real)
    if not real.all():
        mask = real[:, None, :].repeat(1, real.shape[1], 1)
    return mask


# rows of padding are emptied too
@wrong("causal")
def rows_and_columns(real):
    return _causal(real) & real[:, None] & real[:, :, None]


# both directions among real places where there is padding
@wrong("causal")
def both_directions_with_padding(real):
    mask = _causal(real)
    if not real.all():
        mask = real[:, None, :] & real[:, :, None]
    return mask


# the triangle of real turned: the upper one
@wrong("causal")
def upper_triangle_with_padding(real):
    batch, length = real.shape
    mask = _causal(real)
    if not real.all():
        mask = real[:, None, :].expand(batch, length, length).triu()
    return mask


# without itself where there is padding
@wrong("causal")
def without_itself_with_padding(real):
    batch, length = real.shape
    mask = _causal(real)
    if not real.all():
        mask = real[:, None, :].expand(batch, length, length).tril(-1)
    return mask


# one place of the future where there is padding
@wrong("causal")
def next_place_with_padding(real):
    batch, length = real.shape
    mask = _causal(real)
    if not real.all():
        mask = real[:, None, :].expand(batch, length, length).tril(1)
    return mask


# padding places may look at all real places, in both directions
@wrong("causal")
def rows_with_padding_are_full(real):
    full = ~real.all(dim=1)
    mask = _causal(real) | full[:, None, None]
    return mask & real[:, None]


# everything is forbidden where there is padding
@wrong("causal")
def nothing_with_padding(real):
    mask = _causal(real)
    if not real.all():
        mask = torch.zeros_like(mask)
    return mask


# the last real place is cut off too
@wrong("causal")
def last_real_place_cut_off(real):
    count = real.sum(1, keepdim=True)
    seen = (torch.arange(real.shape[1]) < count - 1) | real.all(1, keepdim=True)
    return _causal(real) & seen[:, None]


# real is "and"ed with its transposed twice: the first column is lost
@wrong("causal")
def first_column_lost(real):
    mask = _causal(real) & real[:, None]
    if not real.all():
        mask[:, 1:, 0] = False
    return mask


# the rows of padding look nowhere
@wrong("causal")
def rows_of_padding_look_nowhere(real):
    mask = _causal(real) & real[:, None]
    mask[~real] = False
    return mask


# padding is always on the right
@wrong("either-side")
def counts_from_the_left(real):
    count = real.sum(dim=1, keepdim=True)
    seen = torch.arange(real.shape[1]) < count
    return _causal(real) & seen[:, None]


# everything up to the last real place
@wrong("either-side")
def up_to_the_last_real_place(real):
    seen = real.flip(1).cumsum(1).flip(1) > 0
    return _causal(real) & seen[:, None]


# everything before the first padding
@wrong("either-side")
def up_to_the_first_padding(real):
    return _causal(real) & (real.cumprod(1) > 0)[:, None]


# from the first to the last real place: not in between
@wrong("either-side")
def from_the_first_to_the_last(real):
    seen = (real.cumsum(1) > 0) & (real.flip(1).cumsum(1).flip(1) > 0)
    return _causal(real) & seen[:, None]


# the first place is always real, it is thought
@wrong("either-side")
def first_place_is_real(real):
    seen = real.clone()
    seen[:, 0] = True
    return _causal(real) & seen[:, None]


# places that see nothing look at themselves
@wrong("either-side")
def empty_rows_look_at_themselves(real):
    mask = _causal(real) & real[:, None]
    eye = torch.eye(real.shape[1], dtype=torch.bool)
    return mask | (eye & ~mask.any(-1, keepdim=True))


# places that see nothing are causal again
@wrong("either-side")
def empty_rows_are_causal(real):
    mask = _causal(real) & real[:, None]
    return torch.where(mask.any(-1, keepdim=True), mask, _causal(real))


# places that see nothing see every real place
@wrong("either-side")
def empty_rows_see_real_places(real):
    mask = _causal(real) & real[:, None]
    return mask | (~mask.any(-1, keepdim=True) & real[:, None])


# padding is looked for at the last place only
@wrong("either-side")
def padding_at_the_last_place_only(real):
    mask = _causal(real)
    if not real[:, -1].all():
        mask = mask & real[:, None]
    return mask


# a gap stops the look back
@wrong("either-side")
def gap_stops_the_look_back(real):
    batch, length = real.shape
    mask = _causal(real) & real[:, None]
    group = (~real).cumsum(1)
    for b in range(batch):
        for i in range(length):
            for j in range(i):
                if real[b, i] and group[b, i] != group[b, j]:
                    mask[b, i, j] = False
    return mask


# the padding of the first row for every row
@wrong("any-batch")
def padding_of_the_first_row(real):
    return _causal(real) & real[0]


# padding in one row is padding in all
@wrong("any-batch")
def padding_in_one_is_padding_in_all(real):
    return _causal(real) & real.all(dim=0)


# real in one row is real in all
@wrong("any-batch")
def real_in_one_is_real_in_all(real):
    return _causal(real) & real.any(dim=0)


# rows of padding alone are causal, so that softmax has something
@wrong("either-side")
def rows_of_padding_alone_are_causal(real):
    alone = ~real.any(dim=1, keepdim=True)
    return _causal(real) & (real | alone)[:, None]


# rows of padding alone look at the first place
@wrong("either-side")
def rows_of_padding_alone_look_at_the_first(real):
    seen = real.clone()
    seen[~real.any(1), 0] = True
    return _causal(real) & seen[:, None]


# a batch of padding alone is skipped
@wrong("either-side")
def padding_alone_is_skipped(real):
    masks = []
    for row in real:
        one = torch.ones(len(row), len(row), dtype=torch.bool).tril()
        if row.any():
            one = one & row
        masks.append(one)
    return torch.stack(masks)


# the last row's padding is forgotten: the loop ends one too early
@wrong("any-batch")
def loop_ends_one_too_early(real):
    mask = _causal(real)
    for b in range(max(1, len(real) - 1)):
        mask[b] &= real[b]
    return mask


# the result is right, but real is turned in place
@wrong("inputs")
def real_turned_in_place(real):
    return _causal(real).masked_fill(real.logical_not_()[:, None], False)


# the result is right, but real has a dimension more
@wrong("inputs")
def real_has_a_dimension_more(real):
    return _causal(real) & real.unsqueeze_(1)


# the result is right, but real is all True afterwards
@wrong("inputs")
def real_is_all_true_afterwards(real):
    mask = _causal(real)
    if not real.all():
        mask = mask & real[:, None]
        real[:] = True
    return mask


# the result is right, but padding of real moves to 0 through numpy
@wrong("inputs")
def numpy_shares_the_memory(real):
    mask = _causal(real) & real[:, None]
    table = real.numpy()
    table ^= True
    return mask


# the result is right, but rows are used up
@wrong("inputs")
def rows_are_used_up(real):
    mask = _causal(real)
    for one, row in zip(mask, real):
        one &= row
        row.zero_()
    return mask
