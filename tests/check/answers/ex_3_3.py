import statistics
from collections import Counter
from fractions import Fraction

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# the sum by the length
@right
def sum_by_length(labels):
    return sum(labels) / len(labels)


# list.count
@right
def count_of_ones(labels):
    return labels.count(1) / len(labels)


# a beginner's counters
@right
def two_counters(labels):
    random = 0
    total = 0
    for label in labels:
        if label == 1:
            random += 1
        total += 1
    return random / total


# numpy
@right
def numpy_mean(labels):
    return float(np.mean(np.array(labels) == 1))


# torch, with a mean in double precision
@right
def torch_mean(labels):
    return torch.tensor(labels).double().mean().item()


# a table of how often each label occurs
@right
def counter_table(labels):
    table = Counter(labels)
    return table[1] / (table[0] + table[1])


# the library of statistics
@right
def statistics_fmean(labels):
    return statistics.fmean(labels)


# one minus the share of the next pairs
@right
def one_minus_the_others(labels):
    return 1 - len([label for label in labels if label == 0]) / len(labels)


# a mean that runs along
@right
def running_mean(labels):
    mean = 0.0
    for n, label in enumerate(labels, start=1):
        mean += (label - mean) / n
    return mean


# halves, and halves of halves
@right
def recursion_by_halves(labels):
    def ones(low, high):
        if high - low == 1:
            return 1 if labels[low] == 1 else 0
        middle = (low + high) // 2
        return ones(low, middle) + ones(middle, high)

    return ones(0, len(labels)) / len(labels)


# sorted copy: where do the ones begin
@right
def sorted_copy(labels):
    in_order = sorted(labels)
    if in_order[-1] == 0:
        return 0.0
    return (len(in_order) - in_order.index(1)) / len(in_order)


# exact fractions, a float at the end
@right
def exact_fraction(labels):
    return float(sum(Fraction(label, len(labels)) for label in labels))


# ---------------------------------------------------------------- wrong


# the share of the next pairs
@wrong("share")
def share_of_next(labels):
    return labels.count(0) / len(labels)


# the number instead of the share
@wrong("share")
def number_of_ones(labels):
    return sum(labels)


# per cent
@wrong("share")
def per_cent(labels):
    return 100 * sum(labels) / len(labels)


# a whole-number division
@wrong("share")
def whole_number_division(labels):
    return sum(labels) // len(labels)


# what the paper says
@wrong("share")
def half_from_the_paper(labels):
    return 0.5


# the number of the example
@wrong("share")
def number_of_the_example(labels):
    return 0.75


# ones to zeros: a ratio, not a share
@wrong("share")
def ones_to_zeros(labels):
    return labels.count(1) / max(1, labels.count(0))


# the length by the sum
@wrong("share")
def upside_down(labels):
    return len(labels) / max(1, sum(labels))


# divided by one too few
@wrong("share")
def divided_by_one_too_few(labels):
    return sum(labels) / max(1, len(labels) - 1)


# divided by one too many
@wrong("share")
def divided_by_one_too_many(labels):
    return sum(labels) / (len(labels) + 1)


# a pseudo-count for each label
@wrong("share")
def pseudo_counts(labels):
    return (sum(labels) + 1) / (len(labels) + 2)


# the first label is left out
@wrong("share")
def first_label_left_out(labels):
    return sum(labels[1:]) / len(labels)


# the last label is left out
@wrong("any-list")
def last_label_left_out(labels):
    ones = 0
    for i in range(len(labels) - 1):
        ones += labels[i]
    return ones / len(labels)


# the loop gives back an answer after the first label
@wrong("share")
def return_in_the_loop(labels):
    ones = 0
    for label in labels:
        ones += label
        return ones / len(labels)


# the counter is set back in each round
@wrong("share")
def counter_set_back(labels):
    for label in labels:
        ones = 0
        if label == 1:
            ones += 1
    return ones / len(labels)


# each label counts once only: a set
@wrong("share")
def set_of_labels(labels):
    return sum(set(labels)) / len(set(labels))


# divided by the number of different labels
@wrong("share")
def divided_by_kinds(labels):
    return sum(labels) / len(set(labels))


# always divided by the four labels of the example
@wrong("share")
def divided_by_four(labels):
    return sum(labels) / 4


# the more frequent of the two, whichever it is
@wrong("any-list")
def share_of_the_more_frequent(labels):
    return max(labels.count(0), labels.count(1)) / len(labels)


# the less frequent of the two, whichever it is
@wrong("share")
def share_of_the_less_frequent(labels):
    return min(labels.count(0), labels.count(1)) / len(labels)


# how far the share is from one half
@wrong("share")
def distance_from_half(labels):
    return abs(sum(labels) / len(labels) - 0.5)


# the most frequent label, not its share
@wrong("share")
def most_frequent_label(labels):
    return statistics.mode(labels)


# the label in the middle
@wrong("share")
def label_in_the_middle(labels):
    return statistics.median(labels)


# the spread instead of the mean
@wrong("share")
def spread_of_the_labels(labels):
    return float(np.var(labels))


# one digit
@wrong("any-list")
def one_digit(labels):
    return round(sum(labels) / len(labels), 1)


# a whole number
@wrong("share")
def rounded_to_whole(labels):
    return round(sum(labels) / len(labels))


# one minus the mean: written for labels that stand the other way round
@wrong("share")
def one_minus_the_mean(labels):
    return 1 - sum(labels) / len(labels)


# eight bits for the sum: more than 127 ones run over
@wrong("any-list")
def sum_in_eight_bits(labels):
    return torch.tensor(labels).sum(dtype=torch.int8).item() / len(labels)


# half precision for the length and the sum: above 2048 they stick
@wrong("any-list")
def running_sum_in_half_precision(labels):
    ones = np.float16(0)
    for label in labels:
        ones = np.float16(ones + np.float16(label))
    return float(ones) / len(labels)


# the first hundred pairs stand for all
@wrong("any-list")
def first_hundred_pairs(labels):
    return sum(labels[:100]) / len(labels[:100])


# every second pair
@wrong("share")
def every_second_pair(labels):
    return sum(labels[::2]) / len(labels[::2])


# how often the label changes from one pair to the one after it
@wrong("any-list")
def changes_from_pair_to_pair(labels):
    return sum(a != b for a, b in zip(labels, labels[1:])) / len(labels)


# counts the places where the label is the same as the first one
@wrong("any-list")
def same_as_the_first(labels):
    return labels.count(labels[0]) / len(labels)


# the ones are taken out of the given list
@wrong("inputs")
def takes_the_ones_out(labels):
    total, ones = len(labels), 0
    while 1 in labels:
        labels.remove(1)
        ones += 1
    return ones / total


# the given list is sorted
@wrong("inputs")
def sorts_the_given_list(labels):
    labels.sort()
    return sum(labels) / len(labels)


# empties the list while counting, and divides by what is left of it
@wrong("share")
def divides_by_what_is_left(labels):
    rest, ones = list(labels), 0
    while rest and rest[0] == 1:
        ones += rest.pop(0)
    return ones / max(1, len(rest))


# both shares as a pair
@wrong("structure")
def both_shares(labels):
    share = sum(labels) / len(labels)
    return 1 - share, share


# a list of running shares
@wrong("structure")
def running_shares(labels):
    return (np.cumsum(labels) / np.arange(1, len(labels) + 1)).tolist()


# a text
@wrong("structure")
def share_as_text(labels):
    return f"{sum(labels) / len(labels):.2f}"


# printed, not returned
@wrong("structure")
def printed_only(labels):
    print(sum(labels) / len(labels))


# is there any random pair at all
@wrong("share")
def any_random_pair(labels):
    return float(any(labels))


# all labels are counted, since every one is "not None"
@wrong("share")
def counts_every_label(labels):
    return sum(label is not None for label in labels) / len(labels)


# the share by theory for documents of three sentences
@wrong("share")
def share_by_theory(labels):
    return 2 / 3


# leaves out runs: neighbours with the same label count once
@wrong("share")
def runs_count_once(labels):
    kept = [a for n, a in enumerate(labels) if n == 0 or labels[n - 1] != a]
    return sum(kept) / len(kept)
