import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# counts real tokens, one less, and zero at padding
@right
def cumsum_times_mask(mask):
    return (mask.cumsum(dim=1) - 1) * mask


# the same with masked_fill
@right
def cumsum_and_masked_fill(mask):
    return (torch.cumsum(mask.long(), dim=-1) - 1).masked_fill(~mask, 0)


# a beginner's loops
@right
def beginner_loops(mask):
    rows = []
    for r in range(mask.shape[0]):
        row = []
        count = 0
        for c in range(mask.shape[1]):
            if mask[r, c]:
                row.append(count)
                count = count + 1
            else:
                row.append(0)
        rows.append(row)
    return torch.tensor(rows)


# counts the real tokens before each place
@right
def real_tokens_before(mask):
    real = mask.int()
    return (real.cumsum(1) - real) * real


# numpy
@right
def numpy_cumsum(mask):
    real = mask.numpy()
    return torch.from_numpy(np.where(real, np.cumsum(real, axis=1) - 1, 0))


# each row gets an arange at its real tokens
@right
def arange_at_real_tokens(mask):
    positions = torch.zeros(mask.shape, dtype=torch.long)
    for row, real in zip(positions, mask):
        row[real] = torch.arange(int(real.sum()))
    return positions


# a triangular matrix counts what stands before
@right
def triangular_matrix(mask):
    length = mask.shape[1]
    before = torch.ones(length, length, dtype=torch.long).triu(1)
    return (mask.long() @ before).where(mask, 0)


# the place minus the padding before it
@right
def place_minus_padding_before(mask):
    places = torch.arange(mask.shape[1]).expand(mask.shape)
    return torch.where(mask, places - (~mask).cumsum(1), 0)


# a running count over lists, in a comprehension
@right
def comprehension_over_lists(mask):
    return torch.tensor(
        [[sum(row[:c]) if row[c] else 0 for c in range(len(row))] for row in mask.tolist()]
    )


# negative numbers only on the left of the first token, padding behind set to zero by the mask
@right
def zeros_written_at_padding(mask):
    positions = mask.cumsum(-1).sub(1)
    positions[~mask] = 0
    return positions


# padding moved behind by a stable sort, numbered, and moved back
@right
def numbered_after_a_stable_sort(mask):
    order = (~mask).int().argsort(dim=1, stable=True)
    rank = order.argsort(dim=1)
    return rank * mask


# 32-bit whole numbers
@right
def thirty_two_bits(mask):
    return mask.int().cumsum(1, dtype=torch.int32).sub(1).clamp(min=0) * mask.int()


# ---------------------------------------------------------------- wrong


# the function as it was
@wrong("real")
def not_repaired(mask):
    return torch.arange(mask.shape[1]).expand(mask.shape)


# places as before, and zero at padding
@wrong("real")
def places_with_zero_at_padding(mask):
    return torch.arange(mask.shape[1]).expand(mask.shape) * mask


# counted from 1
@wrong("real")
def counted_from_one(mask):
    return mask.cumsum(1) * mask


# counted from 1, at padding the last count
@wrong("real")
def count_alone(mask):
    return mask.cumsum(1)


# minus one at padding on the left
@wrong("padding")
def minus_one_at_padding(mask):
    return mask.cumsum(1) - 1


# no negative numbers, but padding behind gets the last position
@wrong("anywhere")
def clamped_only(mask):
    return (mask.cumsum(1) - 1).clamp(min=0)


# one less before the mask is multiplied: minus one at padding again
@wrong("padding")
def one_less_after_the_mask(mask):
    return mask.cumsum(1) * mask - 1


# one at padding, as in some libraries
@wrong("padding")
def one_at_padding(mask):
    return (mask.cumsum(1) - 1).masked_fill(~mask, 1)


# tokens from 2 and padding 1, as in RoBERTa
@wrong("real")
def positions_of_roberta(mask):
    return mask.cumsum(1) * mask + 1


# padding has -100
@wrong("padding")
def minus_hundred_at_padding(mask):
    return (mask.cumsum(1) - 1).masked_fill(~mask, -100)


# padding has the last place of the table
@wrong("padding")
def length_at_padding(mask):
    return (mask.cumsum(1) - 1).masked_fill(~mask, mask.shape[1] - 1)


# counted from the right
@wrong("real")
def counted_from_the_right(mask):
    return (mask.flip(1).cumsum(1).flip(1) - 1) * mask


# places from the end of the row
@wrong("real")
def places_backwards(mask):
    return torch.arange(mask.shape[1] - 1, -1, -1).expand(mask.shape) * mask


# counted over the batch
@wrong("real")
def counted_over_the_batch(mask):
    return (mask.cumsum(0) - 1) * mask


# counted on from row to row: hidden in a batch of one
@wrong("real")
def counted_on_from_row_to_row(mask):
    return ((mask.flatten().cumsum(0) - 1) * mask.flatten()).view(mask.shape)


# the counter is not set back for the next row
@wrong("real")
def counter_not_set_back(mask):
    positions = torch.zeros(mask.shape, dtype=torch.long)
    count = 0
    for r in range(mask.shape[0]):
        for c in range(mask.shape[1]):
            if mask[r, c]:
                positions[r, c] = count
                count += 1
    return positions


# length minus tokens is the padding on the left: wrong if it is on the right
@wrong("anywhere")
def padding_taken_to_be_on_the_left(mask):
    padding = mask.shape[1] - mask.sum(dim=1, keepdim=True)
    return (torch.arange(mask.shape[1]) - padding).clamp(min=0)


# the same, with zero at padding: wrong if there is padding on the right
@wrong("anywhere")
def shifted_left_and_masked(mask):
    padding = (~mask).sum(dim=1, keepdim=True)
    return ((torch.arange(mask.shape[1]) - padding) * mask).clamp(min=0)


# the same, without the clamp: negative if there is padding on the right
@wrong("anywhere")
def shifted_left_without_clamp(mask):
    padding = (~mask).sum(dim=1, keepdim=True)
    return (torch.arange(mask.shape[1]) - padding) * mask


# the padding of the first row for all rows
@wrong("real")
def padding_of_the_first_row(mask):
    padding = mask.shape[1] - int(mask[0].sum())
    return (torch.arange(mask.shape[1]).expand(mask.shape) - padding).clamp(min=0) * mask


# the count of the first row for all rows
@wrong("real")
def count_of_the_first_row(mask):
    return (mask[:1].cumsum(1) - 1).clamp(min=0) * mask


# the last padding is looked for: an error in a row without padding
@wrong("RAISED")
def error_without_padding(mask):
    rows = []
    for row in mask.tolist():
        last = max(place for place, real in enumerate(row) if not real)
        rows.append([max(0, place - last - 1) for place in range(len(row))])
    return torch.tensor(rows)


# the first padding ends the row: in a row without padding that is place 0
@wrong("real")
def first_padding_ends_the_row(mask):
    ends = mask.int().argmin(dim=1, keepdim=True)
    places = torch.arange(mask.shape[1]).expand(mask.shape)
    return places * (places < ends)


# the last padding is taken off, with -1 where there is none; padding on the right is forgotten
@wrong("anywhere")
def last_padding_taken_off(mask):
    places = torch.arange(mask.shape[1]).expand(mask.shape)
    last = torch.where(mask, -1, places).amax(dim=1, keepdim=True)
    return (places - last - 1).clamp(min=0) * mask


# the first real token is looked for: an error in a row without any
@wrong("RAISED")
def error_without_real_tokens(mask):
    positions = torch.zeros(mask.shape, dtype=torch.long)
    for r, row in enumerate(mask.tolist()):
        row.index(True)
        positions[r, mask[r]] = torch.arange(sum(row))
    return positions


# one more padding is always taken away
@wrong("real")
def one_padding_at_least(mask):
    padding = (~mask).long().cumsum(1).clamp(min=1)
    return (torch.arange(mask.shape[1]) - padding).clamp(min=0) * mask


# where the first token stands is taken off: wrong after a gap
@wrong("anywhere")
def first_token_taken_off(mask):
    first = mask.int().argmax(dim=1, keepdim=True)
    return (torch.arange(mask.shape[1]) - first) * mask


# the count begins again after every padding
@wrong("anywhere")
def begins_again_after_padding(mask):
    positions = torch.zeros(mask.shape, dtype=torch.long)
    for r in range(mask.shape[0]):
        count = 0
        for c in range(mask.shape[1]):
            if mask[r, c]:
                positions[r, c] = count
                count += 1
            else:
                count = 0
    return positions


# stops at the first padding: right if it is on the right
@wrong("real")
def stops_at_the_first_padding(mask):
    positions = torch.zeros(mask.shape, dtype=torch.long)
    for r in range(mask.shape[0]):
        for c in range(mask.shape[1]):
            if not mask[r, c]:
                break
            positions[r, c] = c
    return positions


# stops at the first padding after a real token
@wrong("anywhere")
def stops_behind_the_first_tokens(mask):
    positions = torch.zeros(mask.shape, dtype=torch.long)
    for r in range(mask.shape[0]):
        count = 0
        for c in range(mask.shape[1]):
            if mask[r, c]:
                positions[r, c] = count
                count += 1
            elif count:
                break
    return positions


# the positions stand at the beginning of the row, not at the tokens
@wrong("real")
def positions_at_the_beginning(mask):
    places = torch.arange(mask.shape[1]).expand(mask.shape)
    return places * (places < mask.sum(1, keepdim=True))


# the positions stand at the end of the row, not at the tokens
@wrong("anywhere")
def positions_at_the_end(mask):
    length = mask.shape[1]
    rows = []
    for n in mask.sum(1).tolist():
        rows.append([0] * (length - n) + list(range(n)))
    return torch.tensor(rows)


# counts padding, not tokens
@wrong("real")
def counts_padding(mask):
    return ((~mask).cumsum(1) - 1) * ~mask


# the mask is taken to be True at padding
@wrong("real")
def takes_mask_for_padding(mask):
    real = ~mask
    return (real.cumsum(1) - 1).clamp(min=0) * real


# floats
@wrong("structure")
def floats(mask):
    return (mask.float().cumsum(1) - 1).clamp(min=0) * mask


# the positions become True and False
@wrong("structure")
def true_and_false(mask):
    return ((mask.cumsum(1) - 1) * mask).bool()


# every token has position 1, but the first: the sum of truth values is not a count
@wrong("real")
def truth_values_instead_of_count(mask):
    return (mask.cumsum(1) > 1).long() * mask


# 8-bit numbers: begin again at 256
@wrong("any-batch")
def eight_bits(mask):
    return mask.cumsum(1, dtype=torch.uint8).sub(1).long() * mask


# half precision: long rows are not counted right
@wrong("any-batch")
def half_precision(mask):
    return ((mask.half().cumsum(1) - 1) * mask).long()


# bfloat16: rows beyond 256 are not counted right
@wrong("any-batch")
def brain_float(mask):
    return ((mask.bfloat16().cumsum(1) - 1) * mask).long()


# not more than 511, the last place of BERT
@wrong("any-batch")
def not_beyond_bert(mask):
    return ((mask.cumsum(1) - 1) * mask).clamp(0, 511)


# the rows of expand share their memory: each row is overwritten by the next one
@wrong("real")
def writes_into_rows_of_expand(mask):
    positions = torch.arange(mask.shape[1]).expand(mask.shape)
    for row, real in zip(positions, mask):
        row[~real] = 0
        row[real] = torch.arange(int(real.sum()))
    return positions


# the result is right, but the mask is turned round in place
@wrong("inputs")
def turns_the_mask_round(mask):
    positions = mask.cumsum(1) - 1
    positions[mask.logical_not_()] = 0
    return positions


# the first token of each row is deleted in the mask, so that the count begins with 0
@wrong("inputs")
def deletes_the_first_token_in_the_mask(mask):
    real = mask.clone()
    for row in mask:
        if row.any():
            row[int(row.int().argmax())] = False
    return mask.cumsum(1) * real


# only the first row
@wrong("structure")
def only_the_first_row(mask):
    return ((mask[0].cumsum(0) - 1) * mask[0]).unsqueeze(0)


# the positions of real tokens only, in one line
@wrong("structure")
def real_tokens_only(mask):
    return (mask.cumsum(1) - 1)[mask]


# places in the row of the real tokens, by nonzero
@wrong("real")
def places_by_nonzero(mask):
    positions = torch.zeros(mask.shape, dtype=torch.long)
    positions[mask] = mask.nonzero()[:, 1]
    return positions


# a number for each real token of the batch, by nonzero
@wrong("real")
def numbers_by_nonzero(mask):
    positions = torch.zeros(mask.shape, dtype=torch.long)
    positions[mask] = torch.arange(int(mask.sum()))
    return positions


# shape turned round
@wrong("structure")
def shape_turned_round(mask):
    return ((mask.cumsum(1) - 1) * mask).T


# all rows are moved by the padding of the shortest one
@wrong("real")
def shift_of_the_shortest_row(mask):
    padding = (~mask).sum(dim=1).max()
    return (torch.arange(mask.shape[1]).expand(mask.shape) - padding).clamp(min=0) * mask
