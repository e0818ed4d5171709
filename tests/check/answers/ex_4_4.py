import copy

import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# a copy with one token changed
@right
def copy_and_compare(model, ids, t, other):
    changed = ids.clone()
    changed[0, t + 1] = other
    mode = model.training
    model.eval()
    gap = (model(changed) - model(ids))[0, : t + 1].abs().max()
    model.train(mode)
    return gap.item()


# a batch of two rows
@right
def batch_of_two(model, ids, t, other):
    both = ids.repeat(2, 1)
    both[1, t + 1] = other
    was = model.training
    model.train(False)
    out = [model(row[None]) for row in both]
    model.train(was)
    return (out[0] - out[1])[:, : t + 1].abs().amax()


# a copy of the model in eval mode
@right
def copy_of_the_model(model, ids, t, other):
    quiet = copy.deepcopy(model).eval()
    row = torch.tensor([[other if n == t + 1 else x for n, x in enumerate(ids[0].tolist())]])
    with torch.no_grad():
        a, b = quiet(ids), quiet(row)
    return float(torch.max(torch.abs(a[:, : t + 1] - b[:, : t + 1])))


# loops over places
@right
def loops(model, ids, t, other):
    was = model.training
    model.eval()
    row = ids.clone()
    row[:, t + 1] = other
    with torch.no_grad():
        one, two = model(ids)[0], model(row)[0]
    if was:
        model.train()
    largest = 0.0
    for place in range(t + 1):
        for a, b in zip(one[place].tolist(), two[place].tolist()):
            largest = max(largest, abs(a - b))
    return largest


# ---------------------------------------------------------------- wrong


# all differences
@wrong("structure")
def all_differences(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1] = other
    return (model(row) - model(ids))[:, : t + 1].abs()


# is there a leak at all
@wrong("structure")
def yes_or_no(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1] = other
    return bool((model(row) != model(ids))[:, : t + 1].any())


# no absolute value, smallest change
@wrong("structure", "no absolute value")
def signed(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1] = other
    return (model(row) - model(ids))[:, : t + 1].min().item() - 1e-9


# place t is changed
@wrong("none")
def changes_place_t(model, ids, t, other):
    row = ids.clone()
    row[0, t] = other
    return (model(row) - model(ids))[:, : t + 1].abs().max().item()


# all places are compared
@wrong("none")
def all_places(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1] = other
    return (model(row) - model(ids)).abs().max().item()


# one place too many is compared
@wrong("none", "changed place itself")
def one_place_too_many(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1] = other
    return (model(row) - model(ids))[:, : t + 2].abs().max().item()


# later places are compared
@wrong("none")
def later_places(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1] = other
    return (model(row) - model(ids))[:, t + 1 :].abs().max().item()


# all tokens after t are changed, and t itself
@wrong("none")
def changes_from_t_on(model, ids, t, other):
    row = ids.clone()
    row[0, t:] = other
    return (model(row) - model(ids))[:, : t + 1].abs().max().item()


# always 0
@wrong("largest")
def always_zero(model, ids, t, other):
    return 0.0


# the mean change
@wrong("largest")
def mean_change(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1] = other
    return (model(row) - model(ids))[:, : t + 1].abs().mean().item()


# the length of the change
@wrong("largest")
def length_of_the_change(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1] = other
    return (model(row) - model(ids))[:, : t + 1].norm().item()


# place t alone
@wrong("largest")
def place_t_alone(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1] = other
    return (model(row) - model(ids))[:, t].abs().max().item()


# the places before t
@wrong("largest")
def before_t(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1] = other
    gap = (model(row) - model(ids))[:, :t].abs()
    return gap.max().item() if gap.numel() else 0.0


# all later tokens are changed
@wrong("largest")
def all_later_tokens(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1 :] = other
    return (model(row) - model(ids))[:, : t + 1].abs().max().item()


# the token is raised by one, whatever `other` is
@wrong("largest")
def raised_by_one(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1] += 1
    return (model(row) - model(ids))[:, : t + 1].abs().max().item()


# the largest positive change
@wrong("largest")
def positive_alone(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1] = other
    return (model(row) - model(ids))[:, : t + 1].clamp(min=0).max().item()


# the length of the example is written down
@wrong("any-row")
def five_places(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1] = other
    gap = (model(row) - model(ids))[:, : t + 1].abs()
    return gap.max().item() if ids.shape[1] == 5 else gap.mean().item()


# the first four places
@wrong("any-row")
def first_four(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1] = other
    return (model(row) - model(ids))[:, : min(t + 1, 4)][:, -4:].abs().max().item() + (
        1.0 if ids.shape[1] > 5 else 0.0
    )


# dropout is left on
@wrong("dropout", "dropout was on")
def dropout_on(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1] = other
    with torch.no_grad():
        return (model(row) - model(ids))[:, : t + 1].abs().max().item()


# dropout is off for one of the two
@wrong("dropout")
def dropout_off_once(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1] = other
    mode = model.training
    before = model(ids)
    model.eval()
    after = model(row)
    model.train(mode)
    return (after - before)[:, : t + 1].abs().max().item()


# the model stays in eval mode
@wrong("mode")
def stays_in_eval(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1] = other
    model.eval()
    return (model(row) - model(ids))[:, : t + 1].abs().max().item()


# the model always goes to training mode
@wrong("mode")
def always_to_training(model, ids, t, other):
    row = ids.clone()
    row[0, t + 1] = other
    model.eval()
    gap = (model(row) - model(ids))[:, : t + 1].abs().max().item()
    model.train()
    return gap


# ids are written into
@wrong("inputs")
def writes_into_ids(model, ids, t, other):
    mode = model.training
    model.eval()
    before = model(ids)
    ids[0, t + 1] = other
    gap = (model(ids) - before)[:, : t + 1].abs().max().item()
    model.train(mode)
    return gap
