from bisect import bisect_right
from collections import Counter
from functools import reduce
from statistics import fmean

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# one line with zip
@right
def one_line_with_zip(scores, labels, threshold):
    return sum((s <= threshold) == y for s, y in zip(scores, labels)) / len(labels)


# a beginner's version with if and else
@right
def beginner_if_and_else(scores, labels, threshold):
    correct = 0
    for i in range(len(scores)):
        if scores[i] > threshold:
            called = 0
        else:
            called = 1
        if called == labels[i]:
            correct = correct + 1
    return correct / len(scores)


# numpy
@right
def numpy_where(scores, labels, threshold):
    called = np.where(np.array(scores) > threshold, 0, 1)
    return float((called == np.array(labels)).mean())


# torch in double precision
@right
def torch_in_double(scores, labels, threshold):
    called = (torch.tensor(scores, dtype=torch.float64) <= threshold).long()
    return (called == torch.tensor(labels)).double().mean().item()


# one minus the share of mistakes
@right
def one_minus_mistakes(scores, labels, threshold):
    mistakes = 0
    for score, label in zip(scores, labels, strict=True):
        if score > threshold and label == 1:
            mistakes += 1
        elif not score > threshold and label == 0:
            mistakes += 1
    return 1 - mistakes / len(labels)


# a table of the four cases
@right
def table_of_four_cases(scores, labels, threshold):
    table = Counter((score > threshold, label) for score, label in zip(scores, labels))
    return (table[True, 0] + table[False, 1]) / table.total()


# each label for itself, found by halving a sorted copy
@right
def bisect_in_sorted_copies(scores, labels, threshold):
    zeros = sorted(s for s, y in zip(scores, labels) if y == 0)
    ones = sorted(s for s, y in zip(scores, labels) if y == 1)
    good = len(zeros) - bisect_right(zeros, threshold) + bisect_right(ones, threshold)
    return good / (len(zeros) + len(ones))


# the mean of a list of ones and zeros
@right
def mean_of_hits(scores, labels, threshold):
    calls = [0 if score > threshold else 1 for score in scores]
    return fmean(1.0 if call == label else 0.0 for call, label in zip(calls, labels))


# a fold
@right
def fold_over_pairs(scores, labels, threshold):
    def step(hits, pair):
        return hits + (1 if (pair[0] > threshold) != bool(pair[1]) else 0)

    return reduce(step, zip(scores, labels), 0) / len(scores)


# halves of the list, weighed by their lengths
@right
def recursion_by_halves(scores, labels, threshold):
    n = len(scores)
    if n == 1:
        if scores[0] > threshold:
            return 1.0 if labels[0] == 0 else 0.0
        return 1.0 if labels[0] == 1 else 0.0
    m = n // 2
    first = recursion_by_halves(scores[:m], labels[:m], threshold)
    second = recursion_by_halves(scores[m:], labels[m:], threshold)
    return (m * first + (n - m) * second) / n


# exclusive or of the two lists of bits
@right
def exclusive_or(scores, labels, threshold):
    above = [int(score > threshold) for score in scores]
    return sum(map(lambda bit, label: bit ^ label, above, labels)) / len(above)


# ---------------------------------------------------------------- wrong


# a score that equals the threshold counts as above it
@wrong("equal")
def equal_counts_as_above(scores, labels, threshold):
    return sum((s < threshold) == y for s, y in zip(scores, labels)) / len(labels)


# above means 1
@wrong("share")
def above_means_one(scores, labels, threshold):
    return sum((s > threshold) == y for s, y in zip(scores, labels)) / len(labels)


# the share of mistakes
@wrong("share")
def share_of_mistakes(scores, labels, threshold):
    return sum((s <= threshold) != y for s, y in zip(scores, labels)) / len(labels)


# the threshold of the example
@wrong("any-list")
def threshold_of_the_example(scores, labels, threshold):
    return sum((s <= 0.1) == y for s, y in zip(scores, labels)) / len(labels)


# any score above zero is called 0, the threshold is ignored
@wrong("share")
def threshold_zero(scores, labels, threshold):
    return sum((s <= 0) == y for s, y in zip(scores, labels)) / len(labels)


# one half as the threshold
@wrong("share")
def threshold_one_half(scores, labels, threshold):
    return sum((s <= 0.5) == y for s, y in zip(scores, labels)) / len(labels)


# the mean of the scores as the threshold
@wrong("share")
def threshold_from_the_mean(scores, labels, threshold):
    threshold = sum(scores) / len(scores)
    return sum((s <= threshold) == y for s, y in zip(scores, labels)) / len(labels)


# the best of all thresholds
@wrong("share")
def best_threshold(scores, labels, threshold):
    return max(
        sum((s <= t) == y for s, y in zip(scores, labels)) / len(labels)
        for t in [threshold, *scores]
    )


# the better of the two ways to call
@wrong("share")
def better_of_two_ways(scores, labels, threshold):
    share = sum((s <= threshold) == y for s, y in zip(scores, labels)) / len(labels)
    return max(share, 1 - share)


# the number of right calls
@wrong("share")
def number_of_right_calls(scores, labels, threshold):
    return sum((s <= threshold) == y for s, y in zip(scores, labels))


# per cent
@wrong("share")
def per_cent(scores, labels, threshold):
    return 100 * sum((s <= threshold) == y for s, y in zip(scores, labels)) / len(labels)


# a whole-number division
@wrong("share")
def whole_number_division(scores, labels, threshold):
    return sum((s <= threshold) == y for s, y in zip(scores, labels)) // len(labels)


# one digit
@wrong("share")
def one_digit(scores, labels, threshold):
    return round(sum((s <= threshold) == y for s, y in zip(scores, labels)) / len(labels), 1)


# divided by three, as in the example
@wrong("share")
def divided_by_three(scores, labels, threshold):
    return sum((s <= threshold) == y for s, y in zip(scores, labels)) / 3


# divided by one too few
@wrong("share")
def divided_by_one_too_few(scores, labels, threshold):
    hits = sum((s <= threshold) == y for s, y in zip(scores, labels))
    return hits / max(1, len(labels) - 1)


# only pairs called 0 and labelled 0 count as right
@wrong("share")
def right_zeros_only(scores, labels, threshold):
    return sum(s > threshold and y == 0 for s, y in zip(scores, labels)) / len(labels)


# only pairs called 1 and labelled 1 count as right
@wrong("share")
def right_ones_only(scores, labels, threshold):
    return sum(s <= threshold and y == 1 for s, y in zip(scores, labels)) / len(labels)


# the share of right calls among the pairs that are called 0
@wrong("share")
def among_those_called_zero(scores, labels, threshold):
    called = [y for s, y in zip(scores, labels) if s > threshold]
    return called.count(0) / max(1, len(called))


# the share of right calls among the pairs with label 0
@wrong("share")
def among_those_with_label_zero(scores, labels, threshold):
    own = [s for s, y in zip(scores, labels) if y == 0]
    return sum(s > threshold for s in own) / max(1, len(own))


# the mean of the shares of the two labels: unequal halves weigh wrongly
@wrong("share")
def mean_of_two_shares(scores, labels, threshold):
    shares = []
    for label in (0, 1):
        own = [s for s, y in zip(scores, labels) if y == label]
        if own:
            shares.append(sum((s <= threshold) == label for s in own) / len(own))
    return sum(shares) / len(shares)


# the share of pairs called 0, whatever their label is
@wrong("share")
def share_called_zero(scores, labels, threshold):
    return sum(s > threshold for s in scores) / len(scores)


# compares how many are called 1 with how many are labelled 1
@wrong("share")
def compares_the_numbers_only(scores, labels, threshold):
    return 1 - abs(sum(s <= threshold for s in scores) - sum(labels)) / len(labels)


# a dictionary from score to label: equal scores are lost
@wrong("any-list")
def dictionary_of_scores(scores, labels, threshold):
    table = dict(zip(scores, labels))
    return sum((s <= threshold) == y for s, y in table.items()) / len(table)


# each pair of score and label counts once
@wrong("any-list")
def set_of_pairs(scores, labels, threshold):
    pairs = set(zip(scores, labels))
    return sum((s <= threshold) == y for s, y in pairs) / len(pairs)


# index finds the first of equal scores, and so the wrong label
@wrong("any-list")
def index_of_the_score(scores, labels, threshold):
    return sum((s <= threshold) == labels[scores.index(s)] for s in scores) / len(scores)


# scores that equal the threshold are left out
@wrong("any-list")
def equal_scores_left_out(scores, labels, threshold):
    pairs = [(s, y) for s, y in zip(scores, labels) if s != threshold]
    return sum((s < threshold) == y for s, y in pairs) / max(1, len(pairs))


# pairs with a score of zero are left out
@wrong("share")
def zero_scores_left_out(scores, labels, threshold):
    pairs = [(s, y) for s, y in zip(scores, labels) if s]
    return sum((s <= threshold) == y for s, y in pairs) / max(1, len(pairs))


# a score must be above by a little more
@wrong("any-list")
def above_by_a_little_more(scores, labels, threshold):
    return sum((s <= threshold + 0.01) == y for s, y in zip(scores, labels)) / len(labels)


# scores rounded to one digit first
@wrong("any-list")
def scores_rounded_first(scores, labels, threshold):
    return sum((round(s, 1) <= threshold) == y for s, y in zip(scores, labels)) / len(labels)


# scores as whole numbers
@wrong("share")
def scores_as_whole_numbers(scores, labels, threshold):
    return sum((int(s) <= threshold) == y for s, y in zip(scores, labels)) / len(labels)


# half precision: scores just above the threshold are not above it
@wrong("any-list")
def scores_in_half_precision(scores, labels, threshold):
    called = torch.tensor(scores).half() <= torch.tensor(threshold).half()
    return (called.long() == torch.tensor(labels)).double().mean().item()


# a ratio instead of a comparison: wrong for thresholds of zero and below
@wrong("equal")
def ratio_instead_of_comparison(scores, labels, threshold):
    limit = threshold or 1.0
    return sum((s / limit <= 1) == y for s, y in zip(scores, labels)) / len(labels)


# a threshold of 0 counts as "not given"
@wrong("equal")
def zero_threshold_not_given(scores, labels, threshold):
    threshold = threshold or 0.5
    return sum((s <= threshold) == y for s, y in zip(scores, labels)) / len(labels)


# the sign of the score is dropped
@wrong("any-list")
def sign_of_the_score_dropped(scores, labels, threshold):
    return sum((abs(s) <= threshold) == y for s, y in zip(scores, labels)) / len(labels)


# the score is compared with the label
@wrong("share")
def score_compared_with_label(scores, labels, threshold):
    return sum(abs(s - y) > threshold for s, y in zip(scores, labels)) / len(labels)


# the given scores are sorted, the labels are not
@wrong("share")
def sorts_the_scores_alone(scores, labels, threshold):
    return sum((s <= threshold) == y for s, y in zip(sorted(scores), labels)) / len(labels)


# a chain of comparisons: s <= t == y means s <= t and t == y
@wrong("share")
def chain_of_comparisons(scores, labels, threshold):
    return sum(s <= threshold == y for s, y in zip(scores, labels)) / len(labels)


# the loop returns in its first round
@wrong("share")
def return_in_the_loop(scores, labels, threshold):
    hits = 0
    for s, y in zip(scores, labels):
        hits += (s <= threshold) == y
        return hits / len(labels)


# the last pair is left out
@wrong("share")
def last_pair_left_out(scores, labels, threshold):
    hits = 0
    for i in range(len(scores) - 1):
        hits += (scores[i] <= threshold) == labels[i]
    return hits / len(scores)


# the first pair is left out
@wrong("share")
def first_pair_left_out(scores, labels, threshold):
    hits = 0
    for i in range(1, len(scores)):
        hits += (scores[i] <= threshold) == labels[i]
    return hits / len(scores)


# the first hundred pairs stand for all
@wrong("any-list")
def first_hundred_pairs(scores, labels, threshold):
    pairs = list(zip(scores, labels))[:100]
    return sum((s <= threshold) == y for s, y in pairs) / len(pairs)


# the label is compared with the call of the pair before
@wrong("share")
def shifted_by_one(scores, labels, threshold):
    calls = [int(s <= threshold) for s in scores]
    return sum(calls[i - 1] == labels[i] for i in range(len(labels))) / len(labels)


# right only if all are right
@wrong("share")
def all_or_nothing(scores, labels, threshold):
    return float(all((s <= threshold) == y for s, y in zip(scores, labels)))


# the value is right, but the calls are written over the given scores
@wrong("inputs")
def writes_over_the_scores(scores, labels, threshold):
    for i in range(len(scores)):
        scores[i] = 0 if scores[i] > threshold else 1
    return sum(s == y for s, y in zip(scores, labels)) / len(labels)


# the value is right, but the given labels are used up
@wrong("inputs")
def uses_up_the_labels(scores, labels, threshold):
    hits = 0
    for s in reversed(scores):
        hits += (s <= threshold) == labels.pop()
    return hits / len(scores)


# the calls instead of their share
@wrong("structure")
def list_of_calls(scores, labels, threshold):
    return [0 if s > threshold else 1 for s in scores]


# one answer for each pair, the mean is missing
@wrong("structure")
def mean_is_missing(scores, labels, threshold):
    return torch.tensor([(s <= threshold) == y for s, y in zip(scores, labels)]).double()


# half, because swapped pairs must give half
@wrong("share")
def always_one_half(scores, labels, threshold):
    return 0.5


# printed, not returned
@wrong("structure")
def printed_only(scores, labels, threshold):
    print(sum((s <= threshold) == y for s, y in zip(scores, labels)) / len(labels))
