from fractions import Fraction

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# one division
@right
def one_division(length, rate):
    return (length - 1) / (rate * length)


# two numbers with names
@right
def named_numbers(length, rate):
    gpt = length - 1
    bert = length * rate
    return gpt / bert


# shares of a row
@right
def shares(length, rate):
    return (1 - 1 / length) / rate


# exact fractions
@right
def fractions(length, rate):
    return float(Fraction(length - 1) / (Fraction(rate) * length))


# numpy
@right
def numpy_numbers(length, rate):
    return np.float64(length - 1) / np.float64(rate * length)


# counting places one by one
@right
def counted(length, rate):
    gpt = sum(1 for place in range(length) if place > 0)
    bert = sum(rate for _ in range(length))
    return gpt / bert


# a tensor without dimensions, in double precision
@right
def tensor_of_one(length, rate):
    return torch.tensor(length - 1.0, dtype=torch.float64) / (rate * length)


# ---------------------------------------------------------------- wrong


# printed
@wrong("structure")
def printed(length, rate):
    print((length - 1) / (rate * length))


# both numbers
@wrong("structure")
def both(length, rate):
    return length - 1, rate * length


# as a text
@wrong("structure")
def as_text(length, rate):
    return f"{(length - 1) / (rate * length):.3f}"


# GPT is asked for the first token too
@wrong("ratio", "the first token too")
def with_the_first(length, rate):
    return length / (rate * length)


# BERT leaves out the first token as well
@wrong("ratio")
def both_without_the_first(length, rate):
    return (length - 1) / (rate * (length - 1))


# BERT by GPT
@wrong("ratio", "BERT's answers divided")
def upside_down(length, rate):
    return rate * length / (length - 1)


# a difference
@wrong("ratio", "a difference")
def difference(length, rate):
    return length - 1 - rate * length


# GPT alone
@wrong("ratio", "GPT's answers alone")
def gpt_alone(length, rate):
    return length - 1


# BERT alone
@wrong("ratio")
def bert_alone(length, rate):
    return rate * length


# the rate alone
@wrong("ratio")
def divided_by_the_rate(length, rate):
    return (length - 1) / rate


# one each
@wrong("ratio")
def one_each(length, rate):
    return 1.0


# the last token is left out too
@wrong("ratio")
def two_less(length, rate):
    return (length - 2) / (rate * length)


# specials are left out of BERT's row
@wrong("ratio")
def without_specials(length, rate):
    return (length - 1) / (rate * (length - 2))


# a rounded number of selected tokens
@wrong("ratio", "rounded")
def rounded_up(length, rate):
    return (length - 1) / round(rate * length + 0.01)


# a whole number at the end
@wrong("ratio")
def whole_number(length, rate):
    return (length - 1) // (rate * length)


# the share that is not selected
@wrong("any-row")
def not_selected(length, rate):
    return (length - 1) / ((1 - rate) * length)


# rounded to three digits
@wrong("any-row")
def three_digits(length, rate):
    return round((length - 1) / (rate * length), 3)


# BERT's own rate
@wrong("ratio")
def always_fifteen(length, rate):
    return (length - 1) / (0.15 * length)


# the example's number
@wrong("any-row")
def example(length, rate):
    return 20 / 11


# half precision
@wrong("any-row")
def half_precision(length, rate):
    return 20 / 11 if length == 11 else float(np.float16((length - 1) / (rate * length)))


# at least one selected token
@wrong("any-row")
def at_least_one(length, rate):
    return (length - 1) / max(1, rate * length)
