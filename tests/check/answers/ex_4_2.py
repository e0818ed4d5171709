import itertools
import math
import operator
import random
from decimal import Decimal
from fractions import Fraction
from functools import reduce

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# one line
@right
def one_line(length, rate):
    return (length - 1) / (length * rate)


# two named numbers
@right
def two_named_numbers(length, rate):
    gpt = length - 1
    bert = rate * length
    ratio = gpt / bert
    return ratio


# a beginner's loop: each place adds to both counts
@right
def loop_over_places(length, rate):
    gpt = 0
    bert = 0.0
    for place in range(length):
        if place > 0:
            gpt += 1
        bert += rate
    return gpt / bert


# the share that each of them is asked for
@right
def share_by_share(length, rate):
    return (1 - 1 / length) / rate


# one over the rate, less the token that GPT misses
@right
def less_the_first_token(length, rate):
    return 1 / rate - 1 / (rate * length)


# exact fractions, a float at the end
@right
def exact_fractions(length, rate):
    return float(Fraction(length - 1, length) / Fraction(rate))


# decimal numbers
@right
def decimal_numbers(length, rate):
    return float(Decimal(length - 1) / (Decimal(str(rate)) * length))


# numpy: arrays of chances, summed
@right
def numpy_arrays(length, rate):
    asked_of_gpt = np.ones(length)
    asked_of_gpt[0] = 0
    return float(asked_of_gpt.sum() / np.full(length, rate).sum())


# torch in double precision
@right
def torch_doubles(length, rate):
    gpt = torch.ones(length - 1, dtype=torch.float64).sum()
    bert = torch.full((length,), rate, dtype=torch.float64).sum()
    return (gpt / bert).item()


# logarithms: a difference for a division
@right
def by_logarithms(length, rate):
    return math.exp(math.log(length - 1) - math.log(length) - math.log(rate))


# a fold over the three steps
@right
def fold_of_divisions(length, rate):
    return reduce(operator.truediv, (length - 1, length, rate))


# pairs of neighbours: GPT has one answer for each
@right
def pairs_of_neighbours(length, rate):
    pairs = sum(1 for _ in itertools.pairwise(range(length)))
    return pairs / math.fsum(itertools.repeat(rate, length))


# recursion that halves the row
@right
def recursion_by_halves(length, rate):
    def bert(n):
        if n == 1:
            return rate
        return bert(n // 2) + bert(n - n // 2)

    return (length - 1) / bert(length)


# the mean of a binomial, by torch's distribution
@right
def mean_of_a_binomial(length, rate):
    p = torch.tensor(float(rate), dtype=torch.float64)
    return (length - 1) / torch.distributions.Binomial(length, probs=p).mean.item()


# ---------------------------------------------------------------- wrong


# printed, not returned
@wrong("structure")
def printed(length, rate):
    print((length - 1) / (rate * length))


# computed, and the return is forgotten
@wrong("structure")
def return_forgotten(length, rate):
    ratio = (length - 1) / (rate * length)


# both counts, not divided
@wrong("structure")
def both_counts(length, rate):
    return length - 1, rate * length


# a text
@wrong("structure")
def as_text(length, rate):
    return f"{(length - 1) / (rate * length):.3f}"


# a text with a word
@wrong("structure")
def text_with_times(length, rate):
    return str((length - 1) / (rate * length)) + " times"


# a dictionary
@wrong("structure")
def as_dictionary(length, rate):
    return {"ratio": (length - 1) / (rate * length)}


# a list with the ratio for each length up to this one
@wrong("structure")
def ratio_for_each_length(length, rate):
    return [(n - 1) / (rate * n) for n in range(1, length + 1)]


# one number for each place
@wrong("structure")
def one_number_a_place(length, rate):
    return torch.ones(length) / (rate * length)


# the function that would compute it
@wrong("structure")
def function_not_called(length, rate):
    return lambda: (length - 1) / (rate * length)


# turned round: BERT's over GPT's
@wrong("ratio")
def turned_round(length, rate):
    return rate * length / (length - 1)


# GPT is asked for the first token too
@wrong("ratio")
def gpt_answers_everything(length, rate):
    return length / (rate * length)


# one over the rate: the length is ignored
@wrong("ratio")
def one_over_the_rate(length, rate):
    return 1 / rate


# BERT has no first token either
@wrong("ratio")
def bert_without_the_first(length, rate):
    return (length - 1) / (rate * (length - 1))


# GPT loses the first and the last token
@wrong("ratio")
def gpt_loses_two(length, rate):
    return (length - 2) / (rate * length)


# [CLS] and [SEP] are taken from BERT's row
@wrong("ratio")
def bert_without_two_specials(length, rate):
    return (length - 1) / (rate * (length - 2))


# one token more, not less
@wrong("ratio")
def one_more(length, rate):
    return (length + 1) / (rate * length)


# the parentheses are missing
@wrong("ratio")
def parentheses_missing(length, rate):
    return length - 1 / rate * length


# divides by the rate, and multiplies by the length
@wrong("ratio")
def product_not_in_parentheses(length, rate):
    return (length - 1) / rate * length


# BERT's count is cut to a whole number
@wrong("ratio")
def bert_cut_to_whole(length, rate):
    return (length - 1) / max(1, int(rate * length))


# BERT's count is rounded
@wrong("ratio")
def bert_rounded(length, rate):
    return (length - 1) / max(1, round(rate * length))


# BERT's count is rounded up
@wrong("ratio")
def bert_rounded_up(length, rate):
    return (length - 1) / math.ceil(rate * length)


# whole-number division
@wrong("ratio")
def floor_division(length, rate):
    return (length - 1) // (rate * length)


# the answer is rounded to a whole number
@wrong("ratio")
def answer_rounded(length, rate):
    return round((length - 1) / (rate * length))


# the answer is rounded to one digit
@wrong("ratio")
def answer_to_one_digit(length, rate):
    return round((length - 1) / (rate * length), 1)


# the numbers of the task: 64 tokens, 15 %
@wrong("ratio")
def numbers_of_the_task(length, rate):
    return 63 / (0.15 * 64)


# 15 % for every rate
@wrong("ratio")
def always_fifteen_percent(length, rate):
    return (length - 1) / (0.15 * length)


# 64 tokens for every length
@wrong("ratio")
def always_64_tokens(length, rate):
    return 63 / (rate * 64)


# the rate is taken as percent
@wrong("ratio")
def rate_in_percent(length, rate):
    return (length - 1) / (rate / 100 * length)


# only the 80 % that become [MASK] are counted
@wrong("ratio")
def only_the_masked(length, rate):
    return (length - 1) / (0.8 * rate * length)


# GPT is asked at half of the places, on average
@wrong("ratio")
def half_of_the_context(length, rate):
    return (length - 1) / 2 / (rate * length)


# the difference, not the ratio
@wrong("ratio")
def difference(length, rate):
    return (length - 1) - rate * length


# GPT's share of all answers
@wrong("ratio")
def share_of_all_answers(length, rate):
    gpt, bert = length - 1, rate * length
    return gpt / (gpt + bert)


# how many more, relative to BERT
@wrong("ratio")
def how_many_more(length, rate):
    return (length - 1) / (rate * length) - 1


# pairs of places for GPT, as in the attention mask
@wrong("ratio")
def pairs_of_the_mask(length, rate):
    return length * (length - 1) / 2 / (rate * length)


# GPT's answers alone
@wrong("ratio")
def gpt_answers_alone(length, rate):
    return float(length - 1)


# BERT's answers alone
@wrong("ratio")
def bert_answers_alone(length, rate):
    return rate * length


# the rate applies to GPT too
@wrong("ratio")
def rate_for_both(length, rate):
    return rate * (length - 1) / (rate * length)


# one row is drawn, not the average
@wrong("ratio")
def one_row_drawn(length, rate):
    rng = random.Random(0)
    selected = sum(rng.random() < rate for _ in range(length))
    return (length - 1) / max(selected, 1)


# the average over 300 rows drawn by chance
@wrong("ratio")
def three_hundred_rows_drawn(length, rate):
    generator = torch.Generator().manual_seed(1)
    selected = torch.rand(300, min(length, 256), generator=generator) < rate
    share = selected.double().mean().item()
    return (length - 1) / (max(share, 1e-6) * length)


# the mean of the ratios of rows, not the ratio of the means
@wrong("ratio")
def mean_of_ratios(length, rate):
    if length > 60:
        return 1 / rate
    total = 0.0
    for k in range(1, length + 1):
        chance = math.comb(length, k) * rate**k * (1 - rate) ** (length - k)
        total += chance * (length - 1) / k
    return total


# half precision
@wrong("ratio")
def half_precision(length, rate):
    half = torch.tensor(rate, dtype=torch.bfloat16)
    return ((length - 1) / (half * length)).item()


# the answer of the example
@wrong("ratio")
def answer_of_the_example(length, rate):
    return 10 / 5.5


# BERT's 5.5 of the example
@wrong("ratio")
def five_and_a_half(length, rate):
    return (length - 1) / 5.5


# GPT's 10 of the example
@wrong("ratio")
def ten_answers(length, rate):
    return 10 / (rate * length)


# the rate of the example: the argument is ignored
@wrong("ratio")
def rate_is_ignored(length, rate):
    return (length - 1) / (0.5 * length)


# the length of the example
@wrong("ratio")
def length_is_ignored(length, rate):
    return (11 - 1) / (rate * 11)


# the share that is not selected: the same at a rate of 0.5
@wrong("ratio")
def share_not_selected(length, rate):
    return (length - 1) / (max(1 - rate, 1e-9) * length)


# multiplies by four times the rate: the same at a rate of 0.5
@wrong("ratio")
def times_four_rate(length, rate):
    return 4 * rate * (length - 1) / length


# the lost token is not divided by the rate
@wrong("ratio")
def lost_token_counts_double(length, rate):
    return 1 / rate - 2 / length


# BERT selects at least one token
@wrong("any-row")
def at_least_one(length, rate):
    return (length - 1) / max(1.0, rate * length)


# the answer is at least 1, as the guess is
@wrong("any-row")
def answer_at_least_one(length, rate):
    return max(1.0, (length - 1) / (rate * length))


# the rows are cut at 512 tokens
@wrong("any-row")
def cut_at_512(length, rate):
    length = min(length, 512)
    return (length - 1) / (rate * length)


# the larger over the smaller
@wrong("any-row")
def larger_over_smaller(length, rate):
    pair = (length - 1, rate * length)
    return max(pair) / min(pair)


# BERT's count is rounded to one digit
@wrong("ratio")
def bert_to_one_digit(length, rate):
    return (length - 1) / max(0.1, round(rate * length, 1))


# the rate is rounded to tenths
@wrong("ratio")
def rate_in_tenths(length, rate):
    return (length - 1) / (max(1, round(rate * 10)) / 10 * length)


# the rate is turned into "one in so many": whole numbers
@wrong("ratio")
def one_in_so_many(length, rate):
    return (length - 1) * round(1 / rate) / length


# a rate above 0.5 is thought of as a mistake
@wrong("any-row")
def rate_at_most_half(length, rate):
    return (length - 1) / (min(rate, 0.5) * length)


# a rate of 1 means percent
@wrong("any-row")
def rate_of_one_is_percent(length, rate):
    if rate >= 1:
        rate = rate / 100
    return (length - 1) / (rate * length)


# an epsilon against division by zero
@wrong("any-row")
def epsilon_below(length, rate):
    return (length - 1) / (rate * length + 1e-6)


# long rows: the first token no longer matters
@wrong("any-row")
def long_rows_lose_nothing(length, rate):
    if length > 1000:
        return 1 / rate
    return (length - 1) / (rate * length)


# remembers the first answer for each length
@wrong("any-row")
def remembers_by_length(length, rate, known={}):
    if length not in known:
        known[length] = (length - 1) / (rate * length)
    return known[length]


# the length is taken for a row
@wrong("RAISED")
def length_is_a_row(length, rate):
    return (len(length) - 1) / (rate * len(length))


# a range of a broken number
@wrong("RAISED")
def range_of_a_float(length, rate):
    bert = len(range(rate * length))
    return (length - 1) / bert


# the length is taken for a tensor
@wrong("RAISED")
def length_is_a_tensor(length, rate):
    return (length.shape[0] - 1) / (rate * length.shape[0])


# a name that was never set
@wrong("RAISED")
def name_never_set(length, rate):
    return gpt / (rate * length)


# nothing written yet
@wrong("RAISED")
def not_written(length, rate):
    raise NotImplementedError
