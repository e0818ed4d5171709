import torch
from catalogue import right, wrong


@right
def count_first(parts):
    total = sum(int(scored.sum()) for _, scored in parts)
    return [values[scored].sum() / max(total, 1) for values, scored in parts]


@right
def weights_of_the_means(parts):
    counts = [int(scored.sum()) for _, scored in parts]
    found = []
    for (values, scored), count in zip(parts, counts):
        mean = values[scored].sum() / (count or 1)
        found.append(mean * (count / (sum(counts) or 1)))
    return found


@right
def a_tuple_with_where(parts):
    total = torch.cat([scored for _, scored in parts]).sum().clamp(min=1)
    return tuple(torch.where(s, v, torch.zeros(())).sum() / total for v, s in parts)


@right
def one_tensor(parts):
    total = max(1, sum(scored.sum().item() for _, scored in parts))
    return torch.stack([v.masked_select(s).sum() for v, s in parts]) / total


@right
def two_loops(parts):
    labels = 0
    for _, scored in parts:
        for one in scored.tolist():
            labels += one
    losses = []
    for values, scored in parts:
        loss = values[:0].sum()
        for value, one in zip(values, scored.tolist()):
            if one:
                loss = loss + value / labels
        losses.append(loss)
    return losses


@wrong("structure")
def one_number(parts):
    total = sum(int(scored.sum()) for _, scored in parts)
    return sum(values[scored].sum() for values, scored in parts) / max(total, 1)


@wrong("structure")
def nothing(parts):
    [values[scored].mean() for values, scored in parts]


@wrong("structure")
def a_loss_for_each_label(parts):
    return [values[scored] for values, scored in parts]


@wrong("structure")
def first_part_alone(parts):
    values, scored = parts[0]
    return [values[scored].mean()]


@wrong("equal", "each part's own mean")
def own_means(parts):
    return [values[scored].sum() / max(int(scored.sum()), 1) for values, scored in parts]


@wrong("equal", "sums, not divided")
def sums(parts):
    return [values[scored].sum() for values, scored in parts]


@wrong("equal", "divided twice")
def divided_twice(parts):
    total = max(1, sum(int(scored.sum()) for _, scored in parts))
    return [values[scored].sum() / total / len(parts) for values, scored in parts]


@wrong("equal")
def turned_round(parts):
    return count_first(parts)[::-1]


@wrong("equal")
def the_first_for_all(parts):
    found = count_first(parts)
    return [sum(found), *[one * 0 for one in found[1:]]]


@wrong("whole", "a mean of the parts' means")
def as_given(parts):
    return [
        values[scored].sum() / max(int(scored.sum()), 1) / len(parts) for values, scored in parts
    ]


@wrong("whole", "divided by all places")
def divided_by_places(parts):
    places = sum(len(values) for values, _ in parts)
    return [values[scored].sum() / places for values, scored in parts]


@wrong("whole")
def weighted_by_length(parts):
    places = sum(len(values) for values, _ in parts)
    return [
        values[scored].mean() * len(values) / places if scored.any() else values.sum() * 0
        for values, scored in parts
    ]


@wrong("whole")
def divided_by_the_largest(parts):
    most = max(int(scored.sum()) for _, scored in parts)
    return [values[scored].sum() / max(most, 1) / len(parts) for values, scored in parts]


@wrong("empty")
def nan_without_labels(parts):
    total = sum(int(scored.sum()) for _, scored in parts)
    return [values[scored].mean() * (int(scored.sum()) / max(total, 1)) for values, scored in parts]


@wrong("RAISED")
def divided_by_no_label(parts):
    total = sum(int(scored.sum()) for _, scored in parts)
    return [
        sum(values[scored].tolist(), 0 * values[scored].sum()) * (1 / total)
        for values, scored in parts
    ]


@wrong("empty")
def empty_parts_left_out(parts):
    total = max(1, sum(int(scored.sum()) for _, scored in parts))
    return [values[scored].sum() / total for values, scored in parts if scored.any()]


@wrong("any-step")
def two_parts_alone(parts):
    total = max(1, sum(int(scored.sum()) for _, scored in parts[:2]))
    return [values[scored].sum() / total for values, scored in parts]


@wrong("any-step")
def small_surprises_alone(parts):
    total = max(1, sum(int(scored.sum()) for _, scored in parts))
    return [values[scored].clamp(max=4.2).sum() / total for values, scored in parts]


@wrong("gradient")
def python_numbers(parts):
    return [one.item() for one in count_first(parts)]


@wrong("gradient")
def detached(parts):
    return [one.detach() for one in count_first(parts)]


@wrong("gradient")
def gradient_of_the_means(parts):
    given = as_given(parts)
    return [r.detach() + g - g.detach() for r, g in zip(count_first(parts), given)]


@wrong("inputs")
def scored_cleared(parts):
    found = count_first(parts)
    for _, scored in parts:
        scored[:] = False
    return found


@wrong("inputs")
def parts_used_up(parts):
    found = count_first(parts)
    for values, scored in parts:
        if not values.requires_grad:
            values[~scored] = 0
    return found
