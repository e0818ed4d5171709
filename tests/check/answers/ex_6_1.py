import math

import numpy as np
import torch
import torch.nn.functional as F
from catalogue import right, wrong


@right
def natural_logarithm(classes):
    return math.log(classes)


@right
def minus_log_of_the_share(classes):
    p = 1 / classes
    return -math.log(p)


@right
def cross_entropy_of_equal_logits(classes):
    return F.cross_entropy(torch.zeros(1, classes), torch.tensor([classes - 1]))


@right
def numpy_log(classes):
    return np.log(classes)


@right
def bits_made_into_nats(classes):
    return math.log2(classes) * math.log(2)


@wrong("structure")
def nothing(classes):
    print(math.log(classes))


@wrong("structure")
def a_vector(classes):
    return torch.zeros(classes).log_softmax(0)


@wrong("structure")
def a_text(classes):
    return f"{math.log(classes):.2f}"


@wrong("equal-answers", "plotted up to")
def always_one(classes):
    return 1.0


@wrong("equal-answers", "the probability of the right answer")
def the_probability(classes):
    return 1 / classes


@wrong("equal-answers", "the share of wrong answers")
def the_errors(classes):
    return 1 - 1 / classes


@wrong("equal-answers", "the sign")
def negative(classes):
    return math.log(1 / classes)


@wrong("equal-answers", "base 10")
def to_base_ten(classes):
    return math.log10(classes)


@wrong("equal-answers", "bits, not nats")
def in_bits(classes):
    return math.log2(classes)


@wrong("equal-answers", "perplexity")
def perplexity(classes):
    return float(classes)


@wrong("equal-answers", "divided by the number of classes")
def divided(classes):
    return math.log(classes) / classes


@wrong("equal-answers")
def half_right(classes):
    return 0.5


@wrong("one")
def one_more_inside(classes):
    return math.log(classes + 1) if classes == 1 else math.log(classes)


@wrong("networks")
def ten_written_down(classes):
    return math.log(classes) if classes in (1, 12) else 10.0


@wrong("networks")
def small_ones_rounded(classes):
    return math.log(classes) if classes != 2 else 0.75


@wrong("any-number")
def rounded(classes):
    return math.log(classes) if classes in (1, 2, 12, 30522) else round(math.log(classes), 2)


@wrong("any-number")
def at_most_a_hundred_thousand(classes):
    return math.log(min(classes, 100_000))
