import copy
from contextlib import contextmanager

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# a clone, eval, no_grad, and the mode given back
@right
def clone_and_eval(model, ids, t, other):
    training = model.training
    model.eval()
    changed = ids.clone()
    changed[0, t + 1] = other
    with torch.no_grad():
        before = model(ids)
        after = model(changed)
    model.train(training)
    return (after - before)[:, : t + 1].abs().max().item()


# a copy of the model is measured
@right
def copy_of_the_model(model, ids, t, other):
    quiet = copy.deepcopy(model).eval()
    changed = ids.clone()
    changed[:, t + 1] = other
    with torch.inference_mode():
        return float((quiet(ids) - quiet(changed))[0, : t + 1].abs().max())


# every module keeps its own mode
@right
def mode_of_each_module(model, ids, t, other):
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    changed = torch.cat([ids[:, : t + 1], torch.tensor([[other]]), ids[:, t + 2 :]], dim=1)
    with torch.no_grad():
        change = model(changed) - model(ids)
    for module, training in modes:
        module.training = training
    return change[:, : t + 1].abs().max().item()


# loops over places and width
@right
def loops_over_places(model, ids, t, other):
    was = model.training
    model.train(False)
    changed = ids.clone()
    changed[0][t + 1] = other
    with torch.no_grad():
        old, new = model(ids)[0].tolist(), model(changed)[0].tolist()
    if was:
        model.train()
    largest = 0.0
    for place in range(t + 1):
        for a, b in zip(old[place], new[place]):
            largest = max(largest, abs(a - b))
    return largest


# try and finally
@right
def with_finally(model, ids, t, other):
    was = model.training
    try:
        model.eval()
        changed = ids.index_fill(1, torch.tensor([t + 1]), other)
        with torch.no_grad():
            return torch.dist(
                model(ids)[:, : t + 1], model(changed)[:, : t + 1], p=torch.inf
            ).item()
    finally:
        model.train(was)


# a context manager of one's own
@contextmanager
def _quiet(model):
    was = model.training
    model.eval()
    with torch.no_grad():
        yield model
    model.train(was)


@right
def with_a_context_manager(model, ids, t, other):
    changed = torch.where(torch.arange(ids.shape[1]) == t + 1, other, ids)
    with _quiet(model):
        change = (model(changed) - model(ids)).abs()
    return change[0][: t + 1].amax().item()


# numpy
@right
def with_numpy(model, ids, t, other):
    was = model.training
    model.eval()
    row = ids.numpy().copy()
    row[0, t + 1] = other
    before = model(ids).detach().numpy()
    after = model(torch.from_numpy(row)).detach().numpy()
    model.train(was)
    return float(np.abs(after - before)[:, : t + 1].max())


# the ids are changed, and put right again
@right
def put_right_again(model, ids, t, other):
    was = model.training
    model.eval()
    with torch.no_grad():
        before = model(ids)
        kept = ids[0, t + 1].item()
        ids[0, t + 1] = other
        after = model(ids)
        ids[0, t + 1] = kept
    model.train(was)
    return torch.max(torch.abs(before - after)[:, : t + 1]).item()


# the places after t are cut off from both outputs first
@right
def narrow_both_outputs(model, ids, t, other):
    def first_places(row):
        return model(row).detach().narrow(1, 0, t + 1)

    was = model.training
    model.eval()
    changed = ids.scatter(1, torch.tensor([[t + 1]]), other)
    leak = torch.linalg.vector_norm(first_places(changed) - first_places(ids), ord=float("inf"))
    model.train(mode=was)
    return leak.item()


# the largest of the largest up and the largest down
@right
def up_and_down(model, ids, t, other):
    tokens = ids[0].tolist()
    tokens[t + 1] = other
    was = model.training
    model.eval()
    with torch.no_grad():
        change = (model(torch.tensor([tokens])) - model(ids))[:, : t + 1]
    model.train(was)
    return max(change.max().item(), -change.min().item())


# a tensor of one number
@right
def tensor_of_one_number(model, ids, t, other):
    was = model.training
    model.eval()
    changed = ids.clone()
    changed[0, t + 1] = other
    with torch.no_grad():
        change = model(changed) - model(ids)
    model.train(was)
    return change[:, : t + 1].abs().max()


# the outputs at each place, one after the other, with a generator
@right
def generator_over_places(model, ids, t, other):
    was = model.training
    changed = ids.detach().clone()
    changed.data[0, t + 1] = other
    before, after = (model.eval()(row).detach()[0] for row in (ids, changed))
    model.train(was)
    return max((before[i] - after[i]).abs().max().item() for i in range(t + 1))


# ---------------------------------------------------------------- wrong


def _measure(model, ids, changed):
    was = model.training
    model.eval()
    with torch.no_grad():
        before, after = model(ids), model(changed)
    model.train(was)
    return before, after


def _changed(ids, t, other):
    changed = ids.clone()
    changed[0, t + 1] = other
    return changed


# the change at every place and in every entry
@wrong("structure")
def all_changes(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, : t + 1].abs()


# one number for each place
@wrong("structure")
def one_number_for_each_place(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[0, : t + 1].abs().amax(-1)


# one number for each entry, as a list
@wrong("structure")
def list_of_numbers(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[0, : t + 1].abs().amax(0).tolist()


# max over a dimension gives values and places
@wrong("structure")
def values_and_places(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, : t + 1].abs().max(dim=1)


# the number and the place
@wrong("structure")
def number_and_place(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    change = (after - before)[0, : t + 1].abs().amax(-1)
    return change.max().item(), change.argmax().item()


# yes or no, as a word
@wrong("structure")
def leak_or_not(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return "leak" if (after - before)[:, : t + 1].abs().max() > 0 else "no leak"


# printed, not returned
@wrong("structure")
def forgets_return(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    (after - before)[:, : t + 1].abs().max().item()


# a text with three places behind the point
@wrong("structure")
def number_as_text(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return f"{(after - before)[:, : t + 1].abs().max().item():.3f}"


# minus one for "no leak"
@wrong("none")
def minus_one_for_no_leak(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, : t + 1].abs().max().item() or -1


# the sign is turned
@wrong("structure")
def sign_turned(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return -1e-9 - (after - before)[:, : t + 1].abs().max().item()


# no batch: the model is asked for a row
@wrong("RAISED")
def row_without_batch(model, ids, t, other):
    changed = ids[0].clone()
    changed[0, t + 1] = other
    return (model(changed) - model(ids[0]))[: t + 1].abs().max().item()


# the place is looked for in the batch
@wrong("RAISED")
def place_in_the_batch(model, ids, t, other):
    changed = ids.clone()
    changed[t + 1] = other
    before, after = _measure(model, ids, changed)
    return (after - before)[:, : t + 1].abs().max().item()


# ids as floats: an embedding refuses them
@wrong("RAISED")
def floats_for_ids(model, ids, t, other):
    changed = ids.float()
    changed[0, t + 1] = other
    before, after = _measure(model, ids, changed)
    return (after - before)[:, : t + 1].abs().max().item()


# the changed place itself is measured too
@wrong("none")
def changed_place_measured_too(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, : t + 2].abs().max().item()


# every place is measured
@wrong("none")
def every_place_measured(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before).abs().max().item()


# the places after t are measured
@wrong("none")
def places_after_t(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, t + 1 :].abs().max().item()


# the token at t is changed
@wrong("none")
def token_at_t_changed(model, ids, t, other):
    changed = ids.clone()
    changed[0, t] = other
    before, after = _measure(model, ids, changed)
    return (after - before)[:, : t + 1].abs().max().item()


# the token at 0 is changed
@wrong("none")
def token_at_zero_changed(model, ids, t, other):
    changed = ids.clone()
    changed[0, 0] = other
    before, after = _measure(model, ids, changed)
    return (after - before)[:, : t + 1].abs().max().item()


# every token becomes the other one
@wrong("none")
def every_token_changed(model, ids, t, other):
    before, after = _measure(model, ids, torch.full_like(ids, other))
    return (after - before)[:, : t + 1].abs().max().item()


# all tokens up to t + 1 are changed
@wrong("none")
def tokens_up_to_t_plus_one_changed(model, ids, t, other):
    changed = ids.clone()
    changed[0, : t + 2] = other
    before, after = _measure(model, ids, changed)
    return (after - before)[:, : t + 1].abs().max().item()


# the outputs with the changed token, not the change
@wrong("none")
def outputs_not_the_change(model, ids, t, other):
    _, after = _measure(model, ids, _changed(ids, t, other))
    return after[:, : t + 1].abs().max().item()


# the two outputs are added
@wrong("none")
def outputs_added(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after + before)[:, : t + 1].abs().max().item()


# the dimension of the width is cut, not that of the places
@wrong("none")
def width_is_cut(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, :, : t + 1].abs().max().item()


# the batch is cut, not the places
@wrong("none")
def batch_is_cut(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[: t + 1].abs().max().item()


# outputs of place t against those of place t + 1
@wrong("none")
def neighbours_compared(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after[:, t + 1] - before[:, t]).abs().max().item()


# the last place, and the changed one, added up
@wrong("none")
def last_places_compared(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, -1].abs().max().item() + (after - before)[
        :, t + 1
    ].abs().max().item()


# the mean change
@wrong("largest")
def mean_change(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, : t + 1].abs().mean().item()


# the sum of the changes
@wrong("largest")
def sum_of_changes(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, : t + 1].abs().sum().item()


# the length of the change
@wrong("largest")
def length_of_the_change(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, : t + 1].norm().item()


# the longest change of one place
@wrong("largest")
def longest_change_of_a_place(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[0, : t + 1].norm(dim=-1).max().item()


# the squared change
@wrong("largest")
def squared_change(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return ((after - before)[:, : t + 1] ** 2).max().item()


# the largest change without abs, at least 0
@wrong("largest")
def without_abs(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return max(0.0, (after - before)[:, : t + 1].max().item())


# abs comes after max
@wrong("largest")
def abs_after_max(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return abs((after - before)[:, : t + 1].max().item())


# only downward changes
@wrong("largest")
def only_downward(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (before - after)[:, : t + 1].clamp(min=0).max().item()


# the difference of the absolute values
@wrong("largest")
def difference_of_absolute_values(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after.abs() - before.abs())[:, : t + 1].max().clamp(min=0).item()


# the difference of the largest values
@wrong("largest")
def difference_of_largest_values(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after[:, : t + 1].max() - before[:, : t + 1].max()).abs().item()


# the smallest change
@wrong("largest")
def smallest_change(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, : t + 1].abs().min().item()


# place t only
@wrong("largest")
def place_t_only(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, t].abs().max().item()


# place 0 only
@wrong("largest")
def place_zero_only(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, 0].abs().max().item()


# places 0 to t - 1
@wrong("largest")
def without_place_t(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, : max(t, 1)].abs().max().item()


# place 0 is [CLS], and left out
@wrong("largest")
def without_place_zero(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    start = 1 if t else 0
    return (after - before)[:, start : t + 1].abs().max().item()


# the first entry of the width only
@wrong("largest")
def first_entry_only(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, : t + 1, 0].abs().max().item()


# the last entry of the width is cut off
@wrong("largest")
def last_entry_cut_off(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    change = (after - before)[0, : t + 1].abs()
    return change[:, : max(1, change.shape[1] - 1)].max().item()


# the changes of a place are averaged over the width
@wrong("largest")
def mean_over_the_width(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[0, : t + 1].mean(-1).abs().max().item()


# 1 for a leak, 0 for none
@wrong("largest")
def one_for_a_leak(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return float(not torch.equal(after[:, : t + 1], before[:, : t + 1]))


# rounded to one place behind the point
@wrong("any-row")
def rounded(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return round((after - before)[:, : t + 1].abs().max().item(), 1)


# how many entries change
@wrong("largest")
def count_of_changes(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return ((after - before)[:, : t + 1] != 0).sum().item()


# the change in relation to the output
@wrong("largest")
def relative_change(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    before, after = before[:, : t + 1], after[:, : t + 1]
    return ((after - before).abs() / (before.abs() + 1e-6)).max().item()


# probabilities are compared
@wrong("largest")
def probabilities_compared(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after.softmax(-1) - before.softmax(-1))[:, : t + 1].abs().max().item()


# always 0: the "copy" is the row itself
@wrong("largest")
def copy_is_the_row_itself(model, ids, t, other):
    kept = ids[0, t + 1].item()
    changed = ids
    changed[0, t + 1] = other
    before, after = _measure(model, ids, changed)
    ids[0, t + 1] = kept
    return (after - before)[:, : t + 1].abs().max().item()


# the changed row is never used
@wrong("largest")
def changed_row_never_used(model, ids, t, other):
    before, after = _measure(model, ids, ids.clone())
    return (after - before)[:, : t + 1].abs().max().item()


# always 0
@wrong("largest")
def always_zero(model, ids, t, other):
    return 0.0


# every token after t is changed
@wrong("largest")
def every_token_after_t_changed(model, ids, t, other):
    changed = ids.clone()
    changed[0, t + 1 :] = other
    before, after = _measure(model, ids, changed)
    return (after - before)[:, : t + 1].abs().max().item()


# the last token is changed
@wrong("largest")
def last_token_changed(model, ids, t, other):
    changed = ids.clone()
    changed[0, -1] = other
    before, after = _measure(model, ids, changed)
    return (after - before)[:, : t + 1].abs().max().item()


# the token at t + 2 is changed, or the last
@wrong("largest")
def token_at_t_plus_two_changed(model, ids, t, other):
    changed = ids.clone()
    changed[0, min(t + 2, ids.shape[1] - 1)] = other
    before, after = _measure(model, ids, changed)
    return (after - before)[:, : t + 1].abs().max().item()


# the id of [PAD] in place of the other
@wrong("largest")
def always_id_zero(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, 0))
    return (after - before)[:, : t + 1].abs().max().item()


# the other id is the one that follows
@wrong("largest")
def id_plus_one(model, ids, t, other):
    new = max(0, ids[0, t + 1].item() - 1)
    before, after = _measure(model, ids, _changed(ids, t, new))
    return (after - before)[:, : t + 1].abs().max().item()


# the future is cut off in place of changed
@wrong("largest")
def future_cut_off(model, ids, t, other):
    before, after = _measure(model, ids, ids[:, : t + 1])
    return (after - before[:, : t + 1]).abs().max().item()


# both rows end at t + 1: what comes later does not count
@wrong("largest")
def both_rows_end_at_t_plus_one(model, ids, t, other):
    before, after = _measure(model, ids[:, : t + 2], _changed(ids, t, other)[:, : t + 2])
    return (after - before)[:, : t + 1].abs().max().item()


# t = 0 is "nothing": no place comes before it
@wrong("largest")
def zero_at_t_zero(model, ids, t, other):
    if not t:
        return 0.0
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, : t + 1].abs().max().item()


# the last token is never changed
@wrong("largest")
def last_token_never_changed(model, ids, t, other):
    if t == ids.shape[1] - 2:
        return 0.0
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, : t + 1].abs().max().item()


# a row of two is too short
@wrong("any-row")
def two_tokens_are_too_short(model, ids, t, other):
    if ids.shape[1] < 3:
        return 0.0
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, : t + 1].abs().max().item()


# id 0 is taken for "not given"
@wrong("any-row")
def id_zero_is_not_given(model, ids, t, other):
    other = other or ids[0, t + 1].item()
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, : t + 1].abs().max().item()


# every other place of the same token is changed too
@wrong("any-row")
def same_tokens_changed_too(model, ids, t, other):
    changed = ids.clone()
    later = torch.arange(ids.shape[1]) > t
    changed[(ids == ids[0, t + 1]) & later] = other
    before, after = _measure(model, ids, changed)
    return (after - before)[:, : t + 1].abs().max().item()


# places later than the eighth are not looked at
@wrong("any-row")
def eight_places_only(model, ids, t, other):
    before, after = _measure(model, ids, _changed(ids, t, other))
    return (after - before)[:, : min(t + 1, 8)].abs().max().item()


# dropout stays on
@wrong("dropout")
def dropout_stays_on(model, ids, t, other):
    with torch.no_grad():
        change = model(_changed(ids, t, other)) - model(ids)
    return change[:, : t + 1].abs().max().item()


# inference_mode is thought to switch dropout off
@wrong("dropout")
def inference_mode_only(model, ids, t, other):
    with torch.inference_mode():
        change = model(_changed(ids, t, other)) - model(ids)
    return change[:, : t + 1].abs().max().item()


# the same seed for both: the same dropout, but on
@wrong("dropout")
def same_seed_twice(model, ids, t, other):
    with torch.no_grad(), torch.random.fork_rng():
        torch.manual_seed(0)
        before = model(ids)
        torch.manual_seed(0)
        after = model(_changed(ids, t, other))
    return (after - before)[:, : t + 1].abs().max().item()


# eval for the second pass only
@wrong("dropout")
def eval_for_the_second_only(model, ids, t, other):
    was = model.training
    with torch.no_grad():
        before = model(ids)
        model.eval()
        after = model(_changed(ids, t, other))
    model.train(was)
    return (after - before)[:, : t + 1].abs().max().item()


# the mode is given back between the two passes
@wrong("dropout")
def mode_given_back_too_early(model, ids, t, other):
    was = model.training
    model.eval()
    with torch.no_grad():
        before = model(ids)
        model.train(was)
        after = model(_changed(ids, t, other))
    return (after - before)[:, : t + 1].abs().max().item()


# the flag of the whole is set, the parts are not told
@wrong("dropout")
def flag_of_the_whole_only(model, ids, t, other):
    was, model.training = model.training, False
    with torch.no_grad():
        change = model(_changed(ids, t, other)) - model(ids)
    model.training = was
    return change[:, : t + 1].abs().max().item()


# eval is written without brackets
@wrong("dropout")
def eval_without_brackets(model, ids, t, other):
    was = model.training
    model.eval
    with torch.no_grad():
        change = model(_changed(ids, t, other)) - model(ids)
    model.train(was)
    return change[:, : t + 1].abs().max().item()


# train and eval exchanged: measured in training
@wrong("dropout")
def measured_in_training(model, ids, t, other):
    was = model.training
    model.train()
    with torch.no_grad():
        change = model(_changed(ids, t, other)) - model(ids)
    model.train(was)
    return change[:, : t + 1].abs().max().item()


# the mean over eight passes with dropout
@wrong("dropout")
def mean_over_eight_passes(model, ids, t, other):
    with torch.no_grad():
        before = torch.stack([model(ids) for _ in range(8)]).mean(0)
        after = torch.stack([model(_changed(ids, t, other)) for _ in range(8)]).mean(0)
    return (after - before)[:, : t + 1].abs().max().item()


# eval leaves the model in eval
@wrong("mode")
def stays_in_eval(model, ids, t, other):
    model.eval()
    with torch.no_grad():
        change = model(_changed(ids, t, other)) - model(ids)
    return change[:, : t + 1].abs().max().item()


# always back to training
@wrong("mode")
def always_back_to_training(model, ids, t, other):
    model.eval()
    with torch.no_grad():
        change = model(_changed(ids, t, other)) - model(ids)
    model.train()
    return change[:, : t + 1].abs().max().item()


# the mode is asked after eval
@wrong("mode")
def mode_asked_too_late(model, ids, t, other):
    model.eval()
    was = model.training
    with torch.no_grad():
        change = model(_changed(ids, t, other)) - model(ids)
    model.train(was)
    return change[:, : t + 1].abs().max().item()


# the return comes before the mode is given back
@wrong("mode")
def return_comes_too_early(model, ids, t, other):
    was = model.training
    model.eval()
    with torch.no_grad():
        change = model(_changed(ids, t, other)) - model(ids)
        return change[:, : t + 1].abs().max().item()
    model.train(was)


# the flag is given back to the whole, the parts stay in eval
@wrong("mode")
def parts_stay_in_eval(model, ids, t, other):
    was = model.training
    model.eval()
    with torch.no_grad():
        change = model(_changed(ids, t, other)) - model(ids)
    model.training = was
    return change[:, : t + 1].abs().max().item()


# the mode is turned around
@wrong("mode")
def mode_turned_around(model, ids, t, other):
    was = model.training
    model.eval()
    with torch.no_grad():
        change = model(_changed(ids, t, other)) - model(ids)
    model.train(not was)
    return change[:, : t + 1].abs().max().item()


# "copy" of the model is the model itself, left in eval
@wrong("mode")
def copy_of_the_model_is_the_model(model, ids, t, other):
    quiet = model
    quiet.eval()
    with torch.no_grad():
        change = quiet(_changed(ids, t, other)) - quiet(ids)
    return change[:, : t + 1].abs().max().item()


# only the direct children go back to training
@wrong("mode")
def only_children_go_back(model, ids, t, other):
    was = model.training
    model.eval()
    with torch.no_grad():
        change = model(_changed(ids, t, other)) - model(ids)
    for child in model.children():
        child.train(was)
    return change[:, : t + 1].abs().max().item()


# the result is right, but the ids stay changed
@wrong("inputs")
def ids_stay_changed(model, ids, t, other):
    was = model.training
    model.eval()
    with torch.no_grad():
        before = model(ids)
        ids[0, t + 1] = other
        after = model(ids)
    model.train(was)
    return (after - before)[:, : t + 1].abs().max().item()


# a slice is a view
@wrong("inputs")
def slice_is_a_view(model, ids, t, other):
    was = model.training
    model.eval()
    with torch.no_grad():
        before = model(ids)
        changed = ids[:]
        changed[0, t + 1] = other
        after = model(changed)
    model.train(was)
    return (after - before)[:, : t + 1].abs().max().item()


# detach shares the memory
@wrong("inputs")
def detach_shares_the_memory(model, ids, t, other):
    was = model.training
    model.eval()
    before = model(ids).detach()
    changed = ids.detach()
    changed[0, t + 1] = other
    after = model(changed).detach()
    model.train(was)
    return (after - before)[:, : t + 1].abs().max().item()


# numpy shares the memory
@wrong("inputs")
def numpy_shares_the_memory(model, ids, t, other):
    was = model.training
    model.eval()
    before = model(ids).detach()
    row = ids.numpy()
    row[0, t + 1] = other
    after = model(torch.from_numpy(row)).detach()
    model.train(was)
    return (after - before)[:, : t + 1].abs().max().item()


# copy.copy shares the memory
@wrong("inputs")
def shallow_copy(model, ids, t, other):
    was = model.training
    model.eval()
    before = model(ids).detach()
    changed = copy.copy(ids)
    changed[0, t + 1] = other
    after = model(changed).detach()
    model.train(was)
    return (after - before)[:, : t + 1].abs().max().item()


# scatter with a stroke at its end changes the row itself
@wrong("inputs")
def scatter_in_place(model, ids, t, other):
    was = model.training
    model.eval()
    before = model(ids).detach()
    after = model(ids.scatter_(1, torch.tensor([[t + 1]]), other)).detach()
    model.train(was)
    return (after - before)[:, : t + 1].abs().max().item()


# the ids are put right with a wrong token
@wrong("inputs")
def put_right_with_a_wrong_token(model, ids, t, other):
    kept = ids.clone()
    was = model.training
    model.eval()
    with torch.no_grad():
        before = model(ids)
        ids[0, t + 1] = other
        after = model(ids)
    ids[0, t + 1] = kept[0, t]
    model.train(was)
    return (after - before)[:, : t + 1].abs().max().item()
