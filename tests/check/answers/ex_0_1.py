import copy

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# a copy first, then the places are overwritten
@right
def clone_and_assign(x, where, value):
    result = x.clone()
    result[where] = value
    return result


# one line, with torch.where; the value is brought to the kind of x
@right
def torch_where(x, where, value):
    return torch.where(where, torch.tensor(value, dtype=x.dtype), x)


# torch.where with the plain number: keeps whole numbers whole as long as the value is whole
@right
def torch_where_with_the_plain_number(x, where, value):
    return torch.where(where, value, x)


# masked_fill without underscore gives a new tensor
@right
def masked_fill(x, where, value):
    return x.masked_fill(where, value)


# a beginner's loop over flat lists
@right
def beginner_lists(x, where, value):
    result = []
    for number, yes in zip(x.flatten().tolist(), where.flatten().tolist()):
        if yes:
            result.append(value)
        else:
            result.append(number)
    return torch.tensor(result, dtype=x.dtype).reshape(x.shape)


# a copy in NumPy
@right
def numpy_copy(x, where, value):
    numbers = x.numpy().copy()
    numbers[where.numpy()] = value
    return torch.from_numpy(numbers)


# np.putmask into a NumPy copy
@right
def numpy_putmask(x, where, value):
    numbers = np.array(x)
    np.putmask(numbers, where.numpy(), value)
    return torch.from_numpy(numbers)


# the other way round: starts full of the value, and takes the rest from x
@right
def full_like_and_take_the_rest(x, where, value):
    result = torch.full_like(x, value)
    result[~where] = x[~where]
    return result


# deepcopy, then the places one by one in a flat copy
@right
def deepcopy_and_places_one_by_one(x, where, value):
    result = copy.deepcopy(x).reshape(-1)
    for place in where.reshape(-1).nonzero().flatten():
        result[place] = value
    return result.reshape(x.shape)


# scatter at the flat places, without underscore
@right
def scatter_flat_places(x, where, value):
    places = where.flatten().nonzero().flatten()
    return x.flatten().scatter(0, places, value).reshape(x.shape)


# two sheets on top of each other: where says which one to take
@right
def gather_from_two_sheets(x, where, value):
    sheets = torch.stack([x, torch.full_like(x, value)])
    return sheets.gather(0, where.long().unsqueeze(0)).squeeze(0)


# index_fill at the flat places, without underscore
@right
def index_fill_flat_places(x, where, value):
    places = torch.arange(x.numel())[where.reshape(-1)]
    return x.reshape(-1).index_fill(0, places, value).reshape(x.shape)


# x + 0 is a new tensor
@right
def plus_zero(x, where, value):
    result = x + 0
    result[where] = value
    return result


# a new tensor, filled with copy_, then masked_fill_ on the new one
@right
def empty_like_and_copy(x, where, value):
    return torch.empty_like(x).copy_(x).masked_fill_(where, value)


# masked_scatter takes the values from a full tensor
@right
def masked_scatter_from_full(x, where, value):
    return x.masked_scatter(where, torch.full_like(x, value))


# works in x itself, copies, and puts everything back: x ends as it was
@right
def in_place_then_put_back(x, where, value):
    saved = x[where]
    x[where] = value
    result = x.clone()
    x[where] = saved
    return result


# turns the mask round in place, and turns it back at the end
@right
def mask_turned_and_turned_back(x, where, value):
    where.logical_not_()
    result = torch.full_like(x, value)
    result[where] = x[where]
    where.logical_not_()
    return result


# ---------------------------------------------------------------- wrong


# writes into x and returns it
@wrong("inputs")
def writes_into_x(x, where, value):
    x[where] = value
    return x


# a second name is no copy
@wrong("inputs")
def second_name(x, where, value):
    result = x
    result[where] = value
    return result


# a slice of everything is a view
@wrong("inputs")
def slice_is_a_view(x, where, value):
    result = x[...]
    result[where] = value
    return result


# detach shares the memory
@wrong("inputs")
def detach_is_no_copy(x, where, value):
    result = x.detach()
    result[where] = value
    return result


# .data shares the memory
@wrong("inputs")
def data_is_no_copy(x, where, value):
    result = x.data
    result[where] = value
    return result


# copy.copy shares the memory
@wrong("inputs")
def shallow_copy(x, where, value):
    result = copy.copy(x)
    result[where] = value
    return result


# view_as is a view
@wrong("inputs")
def view_is_no_copy(x, where, value):
    result = x.view_as(x)
    result[where] = value
    return result


# reshape copies nothing if it need not
@wrong("inputs")
def reshape_is_no_copy(x, where, value):
    result = x.reshape(x.shape)
    result[where] = value
    return result


# contiguous copies only if x is not contiguous
@wrong("inputs")
def contiguous_is_no_copy(x, where, value):
    result = x.contiguous()
    result[where] = value
    return result


# flatten is a view of a contiguous x
@wrong("inputs")
def flatten_is_no_copy(x, where, value):
    result = x.flatten()
    result[where.flatten()] = value
    return result.reshape(x.shape)


# to() copies nothing if the kind is already right
@wrong("inputs")
def to_is_no_copy(x, where, value):
    result = x.to(x.dtype)
    result[where] = value
    return result


# through NumPy and back, the memory is still the same
@wrong("inputs")
def from_numpy_shares_memory(x, where, value):
    result = torch.from_numpy(x.numpy())
    result[where] = value
    return result


# as_tensor does not copy a tensor
@wrong("inputs")
def as_tensor_is_no_copy(x, where, value):
    result = torch.as_tensor(x)
    result[where] = value
    return result


# masked_fill with underscore writes into x
@wrong("inputs")
def masked_fill_in_place(x, where, value):
    return x.masked_fill_(where, value)


# the copy comes too late: the result is new, but x is spoiled
@wrong("inputs")
def copy_too_late(x, where, value):
    x[where] = value
    return x.clone()


# the copy is made, but x is written and the untouched copy returned
@wrong("replaced")
def backup_returned(x, where, value):
    backup = x.clone()
    x[where] = value
    return backup


# makes a copy and forgets to write into it
@wrong("replaced")
def nothing_replaced(x, where, value):
    return x.clone()


# masked_fill gives a new tensor that is thrown away
@wrong("replaced")
def result_of_masked_fill_thrown_away(x, where, value):
    result = x.clone()
    result.masked_fill(where, value)
    return result


# puts the entries back, but the result is the same tensor
@wrong("replaced")
def put_back_spoils_the_result(x, where, value):
    saved = x[where]
    result = x
    result[where] = value
    x[where] = saved
    return result


# takes the value away from x and adds it again: rounding leaves x a little different
@wrong("inputs")
def puts_back_with_rounding(x, where, value):
    result = x.masked_fill(where, value)
    x -= value
    x += value
    return result


# puts back only the first row of x
@wrong("inputs")
def puts_back_first_row_only(x, where, value):
    if x.dim() < 2:
        return x.masked_fill(where, value)
    saved = x[0].clone()
    x[where] = value
    result = x.clone()
    x[0] = saved
    return result


# returns x itself if there is nothing to replace
@wrong("own-memory")
def x_itself_if_nothing_to_replace(x, where, value):
    if not where.any():
        return x
    return x.masked_fill(where, value)


# the mask is turned round
@wrong("replaced")
def mask_turned_round(x, where, value):
    result = x.clone()
    result[~where] = value
    return result


# the two choices of torch.where in the wrong order
@wrong("replaced")
def choices_swapped(x, where, value):
    return torch.where(where, x, torch.tensor(value, dtype=x.dtype))


# right numbers, but the mask is turned round in place
@wrong("inputs")
def spoils_the_mask(x, where, value):
    result = torch.full_like(x, value)
    where.logical_not_()
    result[where] = x[where]
    return result


# right numbers, but the mask is used up: every place done is set to False
@wrong("inputs")
def mask_used_up(x, where, value):
    result = x.masked_fill(where, value)
    where &= False
    return result


# multiplies with the mask: bool times number makes int64 or float32, whatever x was
@wrong("any-input")
def multiplied_and_kind_lost(x, where, value):
    return x * ~where + value * where


# multiplies with the mask, kind kept: inf times 0 is NaN (value -inf, or inf or NaN in x)
@wrong("any-input")
def multiplied_and_infinite_times_zero(x, where, value):
    yes = where.to(x.dtype)
    return x * (1 - yes) + torch.full_like(x, value) * yes


# adds the difference: a large x swallows a small value (1e8 + (0.1 - 1e8)), NaN stays NaN
@wrong("any-input")
def adds_the_difference(x, where, value):
    return x + where.to(x.dtype) * (torch.full_like(x, value) - x)


# forgets the value: always 0, as in the example
@wrong("any-input")
def always_zero(x, where, value):
    return x.masked_fill(where, 0)


# a value of 0 counts as no value
@wrong("replaced")
def zero_counts_as_nothing(x, where, value):
    if not value:
        return x.clone()
    return x.masked_fill(where, value)


# the value loses what stands behind the point
@wrong("any-input")
def value_made_whole(x, where, value):
    return x.masked_fill(where, int(value) if abs(value) < 1e9 else value)


# the value loses its sign
@wrong("any-input")
def value_loses_its_sign(x, where, value):
    return x.masked_fill(where, abs(value))


# the entries that stay become 0
@wrong("others")
def the_rest_is_zero(x, where, value):
    result = torch.zeros_like(x)
    result[where] = value
    return result


# only the first row is done
@wrong("any-input")
def first_row_only(x, where, value):
    if x.dim() < 2:
        return x.masked_fill(where, value)
    result = x.clone()
    result[0, where[0]] = value
    return result


# the mask of the first row for every row
@wrong("any-input")
def mask_of_the_first_row_for_all(x, where, value):
    if x.dim() < 2:
        return x.masked_fill(where, value)
    return x.masked_fill(where[0], value)


# a row with one True is replaced as a whole
@wrong("any-input")
def whole_rows_replaced(x, where, value):
    if x.dim() < 2:
        return x.masked_fill(where, value)
    return x.masked_fill(where.any(-1, keepdim=True), value)


# only the first True is done
@wrong("replaced")
def first_place_only(x, where, value):
    result = x.flatten().tolist()
    for place, yes in enumerate(where.flatten().tolist()):
        if yes:
            result[place] = value
            break
    return torch.tensor(result, dtype=x.dtype).reshape(x.shape)


# the loop ends one too early
@wrong("any-input")
def last_entry_forgotten(x, where, value):
    result = x.clone().flatten()
    yes = where.flatten()
    for place in range(len(result) - 1):
        if yes[place]:
            result[place] = value
    return result.reshape(x.shape)


# the mask as numbers 0 and 1: an index, so the entries (or rows) 0 and 1 are replaced
@wrong("replaced")
def mask_as_index(x, where, value):
    result = x.clone()
    result[where.long()] = value
    return result


# every entry equal to a chosen one is replaced too
@wrong("any-input")
def equal_entries_replaced_too(x, where, value):
    return x.masked_fill(torch.isin(x, x[where]), value)


# always a float result
@wrong("structure")
def always_float(x, where, value):
    return x.float().masked_fill(where, value)


# always a whole result
@wrong("any-input")
def always_whole(x, where, value):
    return torch.where(where, int(value) if abs(value) < 1e9 else 0, x.long())


# lists and back, without the kind: float64 becomes float32, int32 becomes int64
@wrong("any-input")
def lists_forget_the_kind(x, where, value):
    pairs = zip(x.flatten().tolist(), where.flatten().tolist())
    return torch.tensor([value if yes else n for n, yes in pairs]).reshape(x.shape)


# a full tensor of the usual kind: an x of whole numbers or float16 comes out as float32
@wrong("structure")
def full_forgets_the_kind(x, where, value):
    return torch.where(where, torch.full(x.shape, float(value)), x)


# the result is flat
@wrong("any-input")
def result_is_flat(x, where, value):
    return x.masked_fill(where, value).flatten()


# dimensions of size 1 are lost
@wrong("any-input")
def sizes_of_one_are_lost(x, where, value):
    return x.masked_fill(where, value).squeeze()


# a list of rows: each row is a view, so x is spoiled
@wrong("inputs")
def list_of_rows_is_no_copy(x, where, value):
    if x.dim() < 2:
        return x.masked_fill(where, value)
    rows = list(x)
    for row, yes in zip(rows, where):
        row[yes] = value
    return torch.stack(rows)


# only for matrices: rows and columns, other shapes raise or go wrong
@wrong("RAISED")
def only_for_matrices(x, where, value):
    result = x.clone()
    rows, columns = where.nonzero(as_tuple=True)
    result[rows, columns] = value
    return result


# only for rows: a loop over the first dimension that takes each entry as a number
@wrong("RAISED")
def only_for_one_dimension(x, where, value):
    result = x.clone()
    for place in range(len(x)):
        if where[place]:
            result[place] = value
    return result


# the loop over columns runs as far as there are rows
@wrong("any-input")
def only_for_square_matrices(x, where, value):
    if x.dim() != 2:
        return x.masked_fill(where, value)
    result = x.clone()
    for row in range(len(x)):
        for column in range(len(x)):
            if where[row, column]:
                result[row, column] = value
    return result


# flatten of a copy: of a transposed x it is a second copy, and then nothing is replaced
@wrong("any-input")
def flatten_of_a_transposed_copy(x, where, value):
    result = x.clone()
    result.flatten()[where.flatten()] = value
    return result


# view(-1) of the copy raises if x is transposed
@wrong("RAISED")
def view_of_a_transposed_copy(x, where, value):
    result = x.clone()
    result.view(-1)[where.reshape(-1)] = value
    return result


# filling is chained on a picked copy: result[where] is a new tensor, nothing is written
@wrong("replaced")
def fills_a_picked_copy(x, where, value):
    result = x.clone()
    result[where].fill_(value)
    return result


# returns only the entries that stay
@wrong("structure")
def only_the_entries_that_stay(x, where, value):
    return x[~where].clone()


# the values of x in the order found: masked_scatter fills the rest from the start of x
@wrong("others")
def rest_filled_from_the_start(x, where, value):
    return torch.full_like(x, value).masked_scatter(~where, x)


# forgets to return
@wrong("structure")
def nothing_returned(x, where, value):
    result = x.clone()
    result[where] = value


# returns a list
@wrong("structure")
def returns_a_list(x, where, value):
    return x.masked_fill(where, value).tolist()


# returns a NumPy array
@wrong("structure")
def returns_an_array(x, where, value):
    return np.where(where.numpy(), np.array(value, dtype=x.numpy().dtype), x.numpy())


KEPT = {}


# one sheet for every shape, used again: the next call overwrites the earlier result
@wrong("own-memory")
def one_sheet_for_every_call(x, where, value):
    sheet = KEPT.setdefault((x.shape, x.dtype), torch.empty_like(x))
    sheet.copy_(x)
    sheet[where] = value
    return sheet
