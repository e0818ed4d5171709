import torch
from catalogue import right, wrong


@right
def pick_and_divide(values, scored):
    chosen = values[scored]
    return chosen.sum() / max(1, len(chosen))


@right
def where_and_count(values, scored):
    kept = torch.where(scored, values, torch.zeros_like(values))
    return kept.sum() / scored.sum().clamp(min=1)


@right
def masked_select_and_if(values, scored):
    chosen = torch.masked_select(values, scored)
    if chosen.numel() == 0:
        return chosen.sum()
    return chosen.mean()


@right
def a_loop(values, scored):
    total, count = values[torch.zeros_like(scored)].sum(), 0
    for value, one in zip(values.flatten(), scored.flatten().tolist()):
        if one:
            total = total + value
            count += 1
    return total / (count or 1)


@right
def filled_with_zeros(values, scored):
    return values.masked_fill(~scored, 0.0).sum() / scored.float().sum().clamp(min=1.0)


@right
def flat_places(values, scored):
    places = scored.flatten().nonzero()[:, 0]
    return values.flatten().index_select(0, places).sum() / max(places.numel(), 1)


@wrong("structure")
def a_python_number(values, scored):
    return values[scored].mean().item()


@wrong("structure")
def nothing_returned(values, scored):
    values[scored].mean()


@wrong("structure")
def a_number_a_row(values, scored):
    return torch.where(scored, values, torch.zeros_like(values)).sum(-1) / scored.sum(-1)


@wrong("structure")
def a_vector_of_one(values, scored):
    return values[scored].mean()[None]


@wrong("value", "all values are counted")
def all_values(values, scored):
    return values.mean()


@wrong("value", "divided by the number of all values")
def divided_by_all(values, scored):
    return torch.where(scored, values, torch.zeros_like(values)).mean()


@wrong("value", "a sum, not a mean")
def a_sum(values, scored):
    return values[scored].sum()


@wrong("value", "the others")
def the_unscored(values, scored):
    return values[~scored].mean()


@wrong("value", "rows' means")
def mean_of_row_means(values, scored):
    if values.dim() < 2:
        return values[scored].sum() / max(1, int(scored.sum()))
    kept = torch.where(scored, values, torch.zeros_like(values))
    return (kept.sum(-1) / scored.sum(-1).clamp(min=1)).mean()


@wrong("value", "something small is added")
def something_small_below(values, scored):
    chosen = values[scored]
    return chosen.sum() / (chosen.numel() + 1e-4)


@wrong("value")
def the_median(values, scored):
    return values[scored].median()


@wrong("nothing", "NaN")
def plain_mean(values, scored):
    return values[scored].mean()


@wrong("nothing")
def one_for_nothing(values, scored):
    chosen = values[scored]
    return chosen.mean() if len(chosen) else values.sum() * 0 + 1


@wrong("nothing")
def all_for_nothing(values, scored):
    return values[scored].mean() if scored.any() else values.sum() / max(1, values.numel())


@wrong("stays-out", "times 0 is NaN")
def times_the_mask(values, scored):
    return (values * scored).sum() / scored.sum().clamp(min=1)


@wrong("stays-out")
def added_and_taken_off(values, scored):
    others = values[~scored].sum()
    return (values.sum() - others) / scored.sum().clamp(min=1) + (others - others)


@wrong("shows")
def nan_to_num(values, scored):
    return values.nan_to_num(0.0, 0.0, 0.0)[scored].sum() / scored.sum().clamp(min=1)


@wrong("shows")
def nansum(values, scored):
    return values[scored].nansum() / max(1, int(scored.sum()))


@wrong("gradient")
def detached_for_nothing(values, scored):
    if not scored.any():
        return torch.tensor(0.0)
    return values[scored].mean()


@wrong("gradient")
def without_gradients(values, scored):
    with torch.no_grad():
        return values[scored].sum() / max(1, int(scored.sum()))


@wrong("gradient")
def a_new_tensor(values, scored):
    chosen = values[scored].tolist()
    return torch.tensor(sum(chosen) / max(1, len(chosen)))


@wrong("any-shape")
def two_axes_alone(values, scored):
    chosen = values[scored] if values.dim() < 3 else values[scored][:1]
    return chosen.sum() / max(1, len(chosen))


@wrong("any-shape")
def large_values_cut(values, scored):
    chosen = values[scored].clamp(min=-5)
    return chosen.sum() / max(1, len(chosen))


@wrong("inputs")
def zeroed_in_place(values, scored):
    if values.requires_grad:
        return values[scored].sum() / max(1, int(scored.sum()))
    values[~scored] = 0
    return values.sum() / scored.sum().clamp(min=1)


@wrong("inputs")
def mask_turned_in_place(values, scored):
    found = values[scored].sum() / max(1, int(scored.sum()))
    scored.logical_not_()
    return found
