import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# one torch.where
@right
def torch_where(ids, corrupted, selected):
    return torch.where(selected, ids, -100)


# a full tensor of -100, filled at the selected places
@right
def full_like_and_assignment(ids, corrupted, selected):
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return labels


# a copy of the text, with -100 over what is not selected
@right
def masked_fill_of_the_rest(ids, corrupted, selected):
    return ids.masked_fill(~selected, -100)


# a clumsy beginner's version with two loops and lists
@right
def beginner_two_loops(ids, corrupted, selected):
    labels = []
    for i in range(len(ids)):
        row = []
        for j in range(len(ids[i])):
            if selected[i][j] == True:  # noqa: E712
                row.append(ids[i][j].item())
            else:
                row.append(-100)
        labels.append(row)
    return torch.tensor(labels, dtype=ids.dtype)


# arithmetic: (id + 100) times 0 or 1, minus 100
@right
def arithmetic_shift_by_hundred(ids, corrupted, selected):
    return (ids + 100) * selected - 100


# numpy inside
@right
def numpy_where(ids, corrupted, selected):
    return torch.from_numpy(np.where(selected.numpy(), ids.numpy(), ids.numpy() * 0 - 100))


# gather from a table of two columns: -100 and the id
@right
def gather_from_two_columns(ids, corrupted, selected):
    table = torch.stack([torch.full_like(ids, -100), ids], dim=-1)
    return table.gather(-1, selected.long().unsqueeze(-1)).squeeze(-1)


# masked_scatter of what masked_select gives
@right
def masked_scatter_of_masked_select(ids, corrupted, selected):
    labels = ids.new_full(ids.shape, -100)
    return labels.masked_scatter(selected, ids.masked_select(selected))


# double precision inside (exact for whole numbers)
@right
def float64_inside(ids, corrupted, selected):
    yes = selected.double()
    return (ids.double() * yes - 100.0 * (1 - yes)).round().to(ids.dtype)


# ---------------------------------------------------------------- wrong


# takes the label from what the model sees
@wrong("selected", "labels taken from the corrupted text")
def label_from_corrupted(ids, corrupted, selected):
    return torch.where(selected, corrupted, -100)


# asks only where text and corrupted text differ: kept tokens get no label
@wrong("selected", "labels where the text looks different")
def only_where_changed(ids, corrupted, selected):
    return torch.where(ids != corrupted, ids, -100)


# selected and changed: kept tokens get no label
@wrong("selected", "labels where the text looks different")
def selected_and_changed(ids, corrupted, selected):
    labels = torch.full_like(ids, -100)
    asked = selected & (ids != corrupted)
    labels[asked] = ids[asked]
    return labels


# only places that show [MASK] get a label (its id taken from the data: the most frequent one)
@wrong("selected", "labels at [MASK] alone")
def only_mask_tokens_get_labels(ids, corrupted, selected):
    seen = corrupted[selected]
    if len(seen) == 0:
        return torch.full_like(ids, -100)
    mask_id = seen.mode().values
    return torch.where(selected & (corrupted == mask_id), ids, -100)


# only places that show id 4 get a label
@wrong("selected", "labels at [MASK] alone")
def mask_id_four_hard_coded(ids, corrupted, selected):
    return torch.where(corrupted == 4, ids, -100)


# the two values of where are swapped
@wrong("selected", "the two cases exchanged")
def where_the_wrong_way_round(ids, corrupted, selected):
    return torch.where(selected, -100, ids)


# the label is the text everywhere
@wrong("others", "labels everywhere")
def labels_everywhere(ids, corrupted, selected):
    return ids.clone()


# 0 instead of -100
@wrong("others", "0 in place of -100")
def zero_elsewhere(ids, corrupted, selected):
    return ids * selected


# -1 instead of -100
@wrong("others", "-1 in place of -100")
def minus_one_elsewhere(ids, corrupted, selected):
    return ids.masked_fill(~selected, -1)


# plus 100 instead of minus 100
@wrong("others")
def plus_hundred_elsewhere(ids, corrupted, selected):
    return torch.where(selected, ids, 100)


# multiplies, then takes every 0 for "not selected": a selected token with id 0 loses its label
@wrong("any-batch")
def id_zero_loses_its_label(ids, corrupted, selected):
    labels = ids * selected
    labels[labels == 0] = -100
    return labels


# subtracts 100 everywhere
@wrong("selected")
def hundred_subtracted_everywhere(ids, corrupted, selected):
    return ids * selected - 100


# writes into the given text
@wrong("inputs")
def changes_the_ids(ids, corrupted, selected):
    ids[~selected] = -100
    return ids


# turns the given selection round in place
@wrong("inputs")
def changes_the_selection(ids, corrupted, selected):
    return ids.masked_fill(selected.logical_not_(), -100)


# writes the labels into corrupted
@wrong("inputs")
def changes_corrupted(ids, corrupted, selected):
    corrupted[selected] = ids[selected]
    corrupted[~selected] = -100
    return corrupted


# masked_scatter takes the first ids of the text, not those at the selected places
@wrong("selected")
def masked_scatter_takes_the_first_ids(ids, corrupted, selected):
    return torch.full_like(ids, -100).masked_scatter(selected, ids)


# gives only the ids of the selected tokens, one flat row
@wrong("structure")
def only_the_selected_ids(ids, corrupted, selected):
    return ids[selected]


# floating point labels
@wrong("structure")
def float_labels(ids, corrupted, selected):
    labels = torch.full(ids.shape, -100.0)
    labels[selected] = ids[selected].float()
    return labels


# half precision inside: ids above 2048 are rounded
@wrong("any-batch")
def half_precision_rounds_large_ids(ids, corrupted, selected):
    yes = selected.half()
    return (ids.half() * yes - 100 * (1 - yes)).to(ids.dtype)


# 16-bit labels to save memory: ids above 32767 wrap around
@wrong("structure")
def sixteen_bits_wrap_around(ids, corrupted, selected):
    return torch.where(selected, ids, -100).to(torch.int16)


# the bool selection is used as a list of places 0 and 1
@wrong("selected")
def selection_used_as_places(ids, corrupted, selected):
    labels = torch.full_like(ids, -100)
    places = selected.long()
    labels.scatter_(1, places, ids.gather(1, places))
    return labels


# labels of the next token, as for a model that predicts the next word
@wrong("selected")
def label_of_the_next_token(ids, corrupted, selected):
    return torch.where(selected, ids.roll(-1, dims=1), -100)


# labels moved one place to the left
@wrong("selected")
def labels_shifted_left(ids, corrupted, selected):
    labels = torch.where(selected, ids, -100)
    last = torch.full_like(labels[:, :1], -100)
    return torch.cat([labels[:, 1:], last], dim=1)


# the selection of the first row is used for all rows
@wrong("any-batch")
def selection_of_first_row_for_all(ids, corrupted, selected):
    return torch.where(selected[0], ids, -100)


# rows and columns of different tokens are mixed: only a batch of one row is right
@wrong("any-batch")
def rows_and_places_mixed(ids, corrupted, selected):
    labels = torch.full_like(ids, -100)
    rows, places = selected.nonzero(as_tuple=True)
    for r in rows.unique():
        labels[r, places] = ids[r, places]
    return labels


# every token with the id of a selected one gets a label
@wrong("any-batch")
def all_tokens_with_a_selected_id(ids, corrupted, selected):
    return torch.where(torch.isin(ids, ids[selected]), ids, -100)


# a row without a selected token gets labels everywhere
@wrong("nothing")
def row_without_selection_is_all_labels(ids, corrupted, selected):
    nothing = ~selected.any(dim=1, keepdim=True)
    return torch.where(selected | nothing, ids, -100)


# nothing is returned when nothing is selected
@wrong("nothing")
def none_if_nothing_selected(ids, corrupted, selected):
    if selected.any():
        return torch.where(selected, ids, -100)


# a pair of corrupted and labels
@wrong("structure")
def returns_a_pair(ids, corrupted, selected):
    return corrupted, torch.where(selected, ids, -100)


# a list of lists
@wrong("structure")
def returns_lists(ids, corrupted, selected):
    return torch.where(selected, ids, -100).tolist()


# forgets the return
@wrong("structure")
def forgets_the_return(ids, corrupted, selected):
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]


# drops the batch dimension if there is one row only
@wrong("structure")
def squeezes_a_batch_of_one(ids, corrupted, selected):
    return torch.where(selected, ids, -100).squeeze()


# the last place of each row is forgotten
@wrong("any-batch")
def last_place_forgotten(ids, corrupted, selected):
    labels = torch.full_like(ids, -100)
    for r in range(ids.shape[0]):
        for p in range(ids.shape[1] - 1):
            if selected[r, p]:
                labels[r, p] = ids[r, p]
    return labels


# bytes inside: ids from 128 on wrap around
@wrong("any-batch")
def eight_bits_inside(ids, corrupted, selected):
    return torch.where(selected, ids.to(torch.int8), torch.tensor(-100, dtype=torch.int8)).to(
        ids.dtype
    )


# the selection is read as numbers of whole rows: a row with any selected token is labelled fully
@wrong("others", "labels everywhere")
def whole_rows_are_labelled(ids, corrupted, selected):
    labels = torch.full_like(ids, -100)
    labels[selected.any(dim=1)] = ids[selected.any(dim=1)]
    return labels


# labels of 32 bits, which cross-entropy refuses
@wrong("structure")
def labels_of_32_bits(ids, corrupted, selected):
    return ids.masked_fill(~selected, -100).int()
