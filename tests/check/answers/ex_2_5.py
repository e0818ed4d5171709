import copy

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# the small repair: a copy
@right
def clone(ids, selected, mask_id):
    corrupted = ids.clone()
    corrupted[selected] = mask_id
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return corrupted, labels


# no assignment in place at all
@right
def two_torch_where(ids, selected, mask_id):
    return torch.where(selected, mask_id, ids), torch.where(selected, ids, -100)


# masked_fill twice
@right
def two_masked_fill(ids, selected, mask_id):
    return ids.masked_fill(selected, mask_id), ids.masked_fill(~selected, -100)


# adding zero makes a new tensor
@right
def plus_zero(ids, selected, mask_id):
    corrupted = ids + 0
    corrupted[selected] = mask_id
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return corrupted, labels


# deepcopy of the text at the start; the copy is kept as the text, and the labels come from it
@right
def deepcopy_of_the_text(ids, selected, mask_id):
    text = copy.deepcopy(ids)
    corrupted = copy.deepcopy(ids)
    corrupted[selected] = mask_id
    labels = torch.full_like(text, -100)
    labels[selected] = text[selected]
    return corrupted, labels


# a beginner's version with lists
@right
def beginner_lists(ids, selected, mask_id):
    sees = []
    labels = []
    for row, sel in zip(ids.tolist(), selected.tolist()):
        a = []
        b = []
        for token, yes in zip(row, sel):
            if yes:
                a.append(mask_id)
                b.append(token)
            else:
                a.append(token)
                b.append(-100)
        sees.append(a)
        labels.append(b)
    return torch.tensor(sees, dtype=ids.dtype), torch.tensor(labels, dtype=ids.dtype)


# numpy copies
@right
def numpy_copies(ids, selected, mask_id):
    chosen = selected.numpy()
    corrupted, labels = ids.numpy().copy(), np.full_like(ids.numpy(), -100)
    corrupted[chosen] = mask_id
    labels[chosen] = ids.numpy()[chosen]
    return torch.from_numpy(corrupted), torch.from_numpy(labels)


# the labels first, and the copy last; index_put without underscore
@right
def labels_first_and_index_put(ids, selected, mask_id):
    where = selected.nonzero(as_tuple=True)
    labels = torch.full_like(ids, -100).index_put(where, ids[where])
    value = torch.tensor(mask_id, dtype=ids.dtype)
    return ids.index_put(where, value), labels


# works in place, and puts the text back at the end
@right
def in_place_then_put_back(ids, selected, mask_id):
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    ids[selected] = mask_id
    corrupted = ids.clone()
    ids[selected] = labels[selected]
    return corrupted, labels


# ---------------------------------------------------------------- wrong


# the function as it was
@wrong("labels-of-selected", "reading a label after the original was overwritten")
def not_repaired(ids, selected, mask_id):
    corrupted = ids
    corrupted[selected] = mask_id
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return corrupted, labels


# the labels are right now, but the given text still changes
@wrong("inputs", "a second name, or a shallow copy, of the same numbers")
def labels_first_but_text_still_changes(ids, selected, mask_id):
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    corrupted = ids
    corrupted[selected] = mask_id
    return corrupted, labels


# a slice of everything is a view, not a copy
@wrong("labels-of-selected", "reading a label after the original was overwritten")
def slice_is_a_view(ids, selected, mask_id):
    corrupted = ids[:]
    corrupted[selected] = mask_id
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return corrupted, labels


# detach shares the memory
@wrong("labels-of-selected", "reading a label after the original was overwritten")
def detach_is_no_copy(ids, selected, mask_id):
    corrupted = ids.detach()
    corrupted[selected] = mask_id
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return corrupted, labels


# a shallow copy shares the memory
@wrong("labels-of-selected", "reading a label after the original was overwritten")
def shallow_copy(ids, selected, mask_id):
    corrupted = copy.copy(ids)
    corrupted[selected] = mask_id
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return corrupted, labels


# contiguous copies nothing if the text is contiguous
@wrong("labels-of-selected", "reading a label after the original was overwritten")
def contiguous_is_no_copy(ids, selected, mask_id):
    corrupted = ids.contiguous()
    corrupted[selected] = mask_id
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return corrupted, labels


# long copies nothing if the text is already of that kind
@wrong("labels-of-selected", "reading a label after the original was overwritten")
def long_is_no_copy(ids, selected, mask_id):
    corrupted = ids.long()
    corrupted[selected] = mask_id
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return corrupted, labels


# through numpy and back, the memory is still the same
@wrong("labels-of-selected", "reading a label after the original was overwritten")
def from_numpy_shares_memory(ids, selected, mask_id):
    corrupted = torch.from_numpy(ids.numpy())
    corrupted[selected] = mask_id
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return corrupted, labels


# as_tensor does not copy a tensor
@wrong("labels-of-selected", "reading a label after the original was overwritten")
def as_tensor_is_no_copy(ids, selected, mask_id):
    corrupted = torch.as_tensor(ids)
    corrupted[selected] = mask_id
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return corrupted, labels


# the copy comes after the masking: too late
@wrong("labels-of-selected", "reading a label after the original was overwritten")
def copy_too_late(ids, selected, mask_id):
    corrupted = ids
    corrupted[selected] = mask_id
    corrupted = corrupted.clone()
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return corrupted, labels


# the copy is kept for the labels, the given text is still masked
@wrong("inputs", "a second name, or a shallow copy, of the same numbers")
def copy_kept_for_labels_only(ids, selected, mask_id):
    original = ids.clone()
    corrupted = ids
    corrupted[selected] = mask_id
    labels = torch.full_like(original, -100)
    labels[selected] = original[selected]
    return corrupted, labels


# a copy, but the labels come from the masked copy
@wrong("labels-of-selected", "reading a label after the original was overwritten")
def labels_from_the_masked_copy(ids, selected, mask_id):
    corrupted = ids.clone()
    corrupted[selected] = mask_id
    labels = torch.full_like(ids, -100)
    labels[selected] = corrupted[selected]
    return corrupted, labels


# both names stand for the same copy
@wrong("labels-of-selected", "reading a label after the original was overwritten")
def both_names_for_one_copy(ids, selected, mask_id):
    ids = ids.clone()
    corrupted = ids
    corrupted[selected] = mask_id
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return corrupted, labels


# puts the text back, but what the model sees is the same tensor: it sees the answer
@wrong("corrupted")
def put_back_shows_the_answer(ids, selected, mask_id):
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    corrupted = ids
    corrupted[selected] = mask_id
    ids[selected] = labels[selected]
    return corrupted, labels


# nothing is masked at all
@wrong("corrupted")
def nothing_is_masked(ids, selected, mask_id):
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return ids.clone(), labels


# labels on every token
@wrong("labels-of-others")
def labels_everywhere(ids, selected, mask_id):
    corrupted = ids.clone()
    corrupted[selected] = mask_id
    return corrupted, ids.clone()


# labels where [MASK] is seen: wrong if the text itself holds a [MASK]
@wrong("selection-decides")
def labels_where_mask_is_seen(ids, selected, mask_id):
    corrupted = ids.clone()
    corrupted[selected] = mask_id
    return corrupted, torch.where(corrupted == mask_id, ids, -100)


# labels where something changed: wrong if a selected token was [MASK] already
@wrong("selection-decides")
def labels_where_changed(ids, selected, mask_id):
    corrupted = ids.clone()
    corrupted[selected] = mask_id
    return corrupted, torch.where(corrupted != ids, ids, -100)


# masks and asks for the tokens that are not selected
@wrong("corrupted")
def selection_turned_round(ids, selected, mask_id):
    corrupted = ids.clone()
    corrupted[~selected] = mask_id
    labels = torch.full_like(ids, -100)
    labels[~selected] = ids[~selected]
    return corrupted, labels


# labels first, then the text as seen
@wrong("corrupted", "the two in the wrong order")
def wrong_order_of_the_two(ids, selected, mask_id):
    corrupted = ids.clone()
    corrupted[selected] = mask_id
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return labels, corrupted


# the old -100 became 0
@wrong("labels-of-others")
def zero_elsewhere(ids, selected, mask_id):
    corrupted = ids.clone()
    corrupted[selected] = mask_id
    labels = torch.zeros_like(ids)
    labels[selected] = ids[selected]
    return corrupted, labels


# a copy of the rows in a list: the rows are views
@wrong("labels-of-selected", "reading a label after the original was overwritten")
def list_of_rows_is_no_copy(ids, selected, mask_id):
    rows = [row for row in ids]
    for row, yes in zip(rows, selected):
        row[yes] = mask_id
    corrupted = torch.stack(rows)
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return corrupted, labels


# masks and asks in the first row only
@wrong("corrupted")
def first_row_only(ids, selected, mask_id):
    corrupted = ids.clone()
    corrupted[0, selected[0]] = mask_id
    labels = torch.full_like(ids, -100)
    labels[0, selected[0]] = ids[0, selected[0]]
    return corrupted, labels


# returns only what the model sees, without the labels
@wrong("structure")
def what_is_seen_only(ids, selected, mask_id):
    corrupted = ids.clone()
    corrupted[selected] = mask_id
    return corrupted


# masked_fill with underscore: the given text changes
@wrong("inputs", "a second name, or a shallow copy, of the same numbers")
def in_place_masked_fill(ids, selected, mask_id):
    labels = ids.masked_fill(~selected, -100)
    return ids.masked_fill_(selected, mask_id), labels


# the text is not changed, but the selection is turned round in place
@wrong("inputs")
def changes_the_selection(ids, selected, mask_id):
    corrupted = ids.masked_fill(selected, mask_id)
    return corrupted, ids.masked_fill(selected.logical_not_(), -100)


# reshape to the same shape is a view, not a copy
@wrong("labels-of-selected", "reading a label after the original was overwritten")
def reshape_is_a_view(ids, selected, mask_id):
    corrupted = ids.reshape(ids.shape)
    corrupted[selected] = mask_id
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return corrupted, labels


# masked_scatter gives the first ids of the text as labels
@wrong("labels-of-selected")
def labels_by_masked_scatter_of_the_text(ids, selected, mask_id):
    corrupted = ids.clone()
    corrupted[selected] = mask_id
    return corrupted, torch.full_like(ids, -100).masked_scatter(selected, ids)


# keeps 10 % of the selected tokens, because the lesson does so
@wrong("corrupted")
def adds_random_keeping(ids, selected, mask_id):
    corrupted = ids.clone()
    corrupted[selected & (torch.rand(ids.shape) < 0.9)] = mask_id
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return corrupted, labels


# puts back only the text of the first row
@wrong("inputs", "a second name, or a shallow copy, of the same numbers")
def puts_back_first_row_only(ids, selected, mask_id):
    text = ids[0].clone()
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    ids[selected] = mask_id
    corrupted = ids.clone()
    ids[0] = text
    return corrupted, labels


# hides the token after each selected one as well
@wrong("others")
def hides_the_neighbour_too(ids, selected, mask_id):
    hidden = selected | selected.roll(1, -1)
    return ids.masked_fill(hidden, mask_id), ids.masked_fill(~selected, -100)


# saves a copy where there is nothing to hide: then the result is the text itself
@wrong("own-memory")
def returns_the_text_if_nothing_is_selected(ids, selected, mask_id):
    seen = ids.masked_fill(selected, mask_id) if selected.any() else ids
    return seen, ids.masked_fill(~selected, -100)


# right for this vocabulary: the id of [MASK] is written down
@wrong("corrupted")
def mask_id_written_down(ids, selected, mask_id):
    return ids.masked_fill(selected, 4), ids.masked_fill(~selected, -100)
