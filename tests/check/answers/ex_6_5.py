import math

import torch
from catalogue import right, wrong


@right
def one_sum_two_counts(surprise, scored):
    total = float(surprise[scored].sum())
    return total / scored.numel(), total / int(scored.sum())


@right
def where_and_means(surprise, scored):
    kept = torch.where(scored, surprise, torch.zeros(()))
    return kept.mean(), surprise[scored].mean()


@right
def a_loop(surprise, scored):
    total, asked, places = 0.0, 0, 0
    for row, marks in zip(surprise.tolist(), scored.tolist()):
        for value, mark in zip(row, marks):
            places += 1
            if mark:
                total += value
                asked += 1
    return [total / places, total / asked]


@right
def by_the_rate(surprise, scored):
    mean = surprise[scored].double().mean()
    rate = scored.double().mean()
    return torch.stack([mean * rate, mean])


@right
def masked_fill(surprise, scored):
    zeros = surprise.masked_fill(~scored, 0.0)
    return zeros.mean().item(), (zeros.sum() / scored.sum()).item()


@wrong("structure")
def one_alone(surprise, scored):
    return surprise[scored].mean().item()


@wrong("structure")
def nothing(surprise, scored):
    surprise[scored].mean()


@wrong("structure")
def two_vectors(surprise, scored):
    return surprise.mean(1), surprise[scored]


@wrong("over-all", "counted with its surprise")
def all_surprises(surprise, scored):
    return surprise.mean().item(), surprise[scored].mean().item()


@wrong("over-all", "the other one")
def turned_round(surprise, scored):
    total = float(surprise[scored].sum())
    return total / int(scored.sum()), total / scored.numel()


@wrong("over-all", "a sum over the rows")
def divided_by_rows(surprise, scored):
    total = float(surprise[scored].sum())
    return total / len(surprise), total / int(scored.sum())


@wrong("over-all", "a sum")
def plain_sum_first(surprise, scored):
    total = float(surprise[scored].sum())
    return total, total / int(scored.sum())


@wrong("over-all", "the unscored ones")
def unscored_ones(surprise, scored):
    return surprise[~scored].mean().item(), surprise[scored].mean().item()


@wrong("over-all")
def twice_the_same(surprise, scored):
    mean = surprise[scored].mean().item()
    return mean, mean


@wrong("over-scored", "the other one")
def over_all_twice(surprise, scored):
    mean = float(surprise[scored].sum()) / scored.numel()
    return mean, mean


@wrong("over-scored", "rows' means")
def mean_of_the_rows_means(surprise, scored):
    rows = [s[c].mean() for s, c in zip(surprise, scored) if c.any()]
    return float(surprise[scored].sum()) / scored.numel(), torch.stack(rows).mean().item()


@wrong("over-scored", "perplexity")
def perplexity(surprise, scored):
    total = float(surprise[scored].sum())
    return total / scored.numel(), math.exp(total / int(scored.sum()))


@wrong("over-scored", "bits")
def bits(surprise, scored):
    total = float(surprise[scored].sum())
    return total / scored.numel(), total / int(scored.sum()) / math.log(2)


@wrong("over-scored")
def median(surprise, scored):
    total = float(surprise[scored].sum())
    return total / scored.numel(), surprise[scored].median().item() + 0.1


@wrong("unscored")
def multiplied(surprise, scored):
    kept = surprise * scored
    return kept.mean().item(), (kept.sum() / scored.sum()).item()


@wrong("unscored")
def taken_off_again(surprise, scored):
    total = float(surprise.sum() - surprise[~scored].sum())
    return total / scored.numel(), total / int(scored.sum())


@wrong("any-batch")
def eight_places(surprise, scored):
    total = float(surprise[scored].sum())
    return total / 8, total / int(scored.sum())


@wrong("any-batch")
def first_two_rows(surprise, scored):
    total = float(surprise[:2][scored[:2]].sum())
    return total / scored[:2].numel(), total / int(scored[:2].sum())


@wrong("inputs")
def zeroed_in_place(surprise, scored):
    surprise[~scored] = 0
    return surprise.mean().item(), (surprise.sum() / scored.sum()).item()
