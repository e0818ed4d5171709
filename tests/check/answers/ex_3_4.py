import math

import torch
import torch.nn.functional as F
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# the small repair: nothing is ignored
@right
def nothing_ignored(logits, labels):
    return F.cross_entropy(logits, labels)


# a number that no label has
@right
def ignores_a_label_that_never_occurs(logits, labels):
    return F.cross_entropy(logits, labels, ignore_index=-100)


# the loss as a module
@right
def loss_as_a_module(logits, labels):
    loss = torch.nn.CrossEntropyLoss()
    return loss(logits, labels)


# two functions for the two halves
@right
def log_softmax_and_nll(logits, labels):
    return F.nll_loss(F.log_softmax(logits, dim=1), labels)


# the logarithm of the right label, gathered
@right
def gathered_logarithms(logits, labels):
    logs = logits.log_softmax(dim=-1)
    return -logs.gather(1, labels.unsqueeze(1)).mean()


# logsumexp minus the logit of the right label
@right
def logsumexp_minus_chosen(logits, labels):
    chosen = logits[torch.arange(len(labels)), labels]
    return (torch.logsumexp(logits, dim=1) - chosen).mean()


# two classes: softplus of the wrong logit minus the right one
@right
def softplus_of_the_difference(logits, labels):
    lead = logits[:, 1] - logits[:, 0]
    return F.softplus(torch.where(labels == 1, -lead, lead)).mean()


# two classes: one logit is enough
@right
def binary_with_one_logit(logits, labels):
    lead = logits[:, 1] - logits[:, 0]
    return F.binary_cross_entropy_with_logits(lead, labels.to(lead.dtype))


# a beginner's loop over the pairs
@right
def loop_over_pairs(logits, labels):
    total = 0
    for row, label in zip(logits, labels):
        total = total + torch.logaddexp(row[0], row[1]) - row[label]
    return total / len(labels)


# a one-hot row for each label
@right
def one_hot_rows(logits, labels):
    target = F.one_hot(labels, num_classes=2).to(logits.dtype)
    return -(target * logits.log_softmax(dim=1)).sum() / labels.numel()


# probabilities as targets
@right
def targets_as_probabilities(logits, labels):
    return F.cross_entropy(logits, torch.eye(2, dtype=logits.dtype)[labels])


# the sum, then divided by hand
@right
def sum_divided_by_hand(logits, labels):
    total = F.cross_entropy(logits, labels, reduction="sum")
    return total / labels.shape[0]


# each label for itself, the sums put together at the end
@right
def each_label_for_itself(logits, labels):
    logs = F.log_softmax(logits, dim=1)
    total = logits.new_zeros(())
    for label in (0, 1):
        total = total - logs[labels == label, label].sum()
    return total / len(labels)


# the softmax made stable by hand
@right
def stable_by_hand(logits, labels):
    shifted = logits - logits.max(dim=1, keepdim=True).values.detach()
    logs = shifted - shifted.exp().sum(dim=1, keepdim=True).log()
    own = torch.where(labels == 0, logs[:, 0], logs[:, 1])
    return own.neg().mean()


# ---------------------------------------------------------------- wrong


# not repaired
@wrong("undecided")
def not_repaired(logits, labels):
    return F.cross_entropy(logits, labels, ignore_index=0)


# the other label is ignored now
@wrong("undecided")
def ignores_the_random_pairs(logits, labels):
    return F.cross_entropy(logits, labels, ignore_index=1)


# next pairs are still ignored, the loss is only divided by all pairs
@wrong("undecided")
def next_pairs_count_as_zero(logits, labels):
    return F.cross_entropy(logits, labels, ignore_index=0, reduction="sum") / len(labels)


# the nan of a batch without random pairs is hidden, the bug stays
@wrong("undecided")
def hides_the_nan(logits, labels):
    return torch.nan_to_num(F.cross_entropy(logits, labels, ignore_index=0))


# next pairs are renamed to the default that is ignored
@wrong("undecided")
def renamed_to_minus_hundred(logits, labels):
    return F.cross_entropy(logits, labels.masked_fill(labels == 0, -100))


# a weight of zero for the next pairs
@wrong("undecided")
def weight_zero_for_next(logits, labels):
    weight = torch.tensor([0.0, 1.0], dtype=logits.dtype)
    return F.cross_entropy(logits, labels, weight=weight)


# random pairs weigh double
@wrong("mean")
def random_weighs_double(logits, labels):
    weight = torch.tensor([1.0, 2.0], dtype=logits.dtype)
    return F.cross_entropy(logits, labels, weight=weight)


# labels turned round
@wrong("polarity")
def labels_turned_round(logits, labels):
    return F.cross_entropy(logits, 1 - labels)


# columns turned round
@wrong("polarity")
def columns_turned_round(logits, labels):
    return F.cross_entropy(logits.flip(1), labels)


# the sum
@wrong("undecided")
def sum_over_pairs(logits, labels):
    return F.cross_entropy(logits, labels, reduction="sum")


# one number for each pair
@wrong("structure")
def one_number_for_each_pair(logits, labels):
    return F.cross_entropy(logits, labels, reduction="none")


# the mean over the table of (batch, 2): half of it are zeros
@wrong("undecided")
def mean_over_the_table(logits, labels):
    target = F.one_hot(labels, num_classes=2)
    return -(target * logits.log_softmax(dim=1)).mean()


# the sign is missing
@wrong("undecided")
def sign_is_missing(logits, labels):
    return logits.log_softmax(dim=1).gather(1, labels[:, None]).mean()


# softmax over the pairs instead of the two columns
@wrong("undecided")
def softmax_over_the_pairs(logits, labels):
    return F.nll_loss(F.log_softmax(logits, dim=0), labels)


# softmax before a loss that holds one already
@wrong("both-classes")
def softmax_twice(logits, labels):
    return F.cross_entropy(logits.softmax(dim=1), labels)


# a log-softmax is missing
@wrong("undecided")
def log_softmax_missing(logits, labels):
    return F.nll_loss(logits, labels)


# the logarithm is missing
@wrong("undecided")
def logarithm_missing(logits, labels):
    return F.nll_loss(logits.softmax(dim=1), labels)


# one minus the probability instead of the surprise
@wrong("undecided")
def one_minus_probability(logits, labels):
    return (1 - logits.softmax(dim=1).gather(1, labels[:, None])).mean()


# the surprise of the mean probability, not the mean of the surprises
@wrong("both-classes")
def surprise_of_the_mean(logits, labels):
    return -logits.softmax(dim=1).gather(1, labels[:, None]).mean().log()


# surprise in bits
@wrong("undecided")
def surprise_in_bits(logits, labels):
    return F.cross_entropy(logits, labels) / math.log(2)


# e to the loss
@wrong("undecided")
def e_to_the_loss(logits, labels):
    return F.cross_entropy(logits, labels).exp()


# labels a little smoothed
@wrong("polarity")
def labels_smoothed(logits, labels):
    return F.cross_entropy(logits, labels, label_smoothing=0.1)


# the mean of each label, and the mean of the two: unequal halves weigh wrongly
@wrong("mean")
def mean_of_two_means(logits, labels):
    each = F.cross_entropy(logits, labels, reduction="none")
    means = [each[labels == label].mean() for label in (0, 1) if (labels == label).any()]
    return sum(means) / len(means)


# the logit of "random" alone
@wrong("both-classes")
def column_one_alone(logits, labels):
    return F.binary_cross_entropy_with_logits(logits[:, 1], labels.to(logits.dtype))


# the logit of "next" alone, against the label of "random"
@wrong("both-classes")
def column_zero_alone(logits, labels):
    return F.binary_cross_entropy_with_logits(logits[:, 0], labels.to(logits.dtype))


# two yes-or-no questions instead of one choice
@wrong("both-classes")
def two_questions_for_one(logits, labels):
    target = F.one_hot(labels, num_classes=2).to(logits.dtype)
    return F.binary_cross_entropy_with_logits(logits, target)


# the difference of the logits with the wrong sign
@wrong("polarity")
def difference_with_wrong_sign(logits, labels):
    lead = logits[:, 0] - logits[:, 1]
    return F.binary_cross_entropy_with_logits(lead, labels.to(lead.dtype))


# squared error
@wrong("undecided")
def squared_error(logits, labels):
    target = F.one_hot(labels, num_classes=2).to(logits.dtype)
    return F.mse_loss(logits.softmax(dim=1), target)


# the share of wrong answers
@wrong("undecided")
def share_of_wrong_answers(logits, labels):
    return (logits.argmax(dim=1) != labels).to(logits.dtype).mean()


# the labels are ignored: the model is asked about its own answers
@wrong("both-classes")
def own_answers_as_labels(logits, labels):
    return F.cross_entropy(logits, logits.argmax(dim=1))


# every pair is taken as a next pair
@wrong("polarity")
def every_pair_is_next(logits, labels):
    return F.cross_entropy(logits, torch.zeros_like(labels))


# the first pair only
@wrong("both-classes")
def first_pair_only(logits, labels):
    return F.cross_entropy(logits[:1], labels[:1])


# the last pair is left out where there is more than one
@wrong("both-classes")
def last_pair_left_out(logits, labels):
    n = max(1, len(labels) - 1)
    return F.cross_entropy(logits[:n], labels[:n])


# the middle instead of the mean
@wrong("both-classes")
def middle_instead_of_mean(logits, labels):
    return F.cross_entropy(logits, labels, reduction="none").median()


# the worst pair
@wrong("both-classes")
def worst_pair(logits, labels):
    return F.cross_entropy(logits, labels, reduction="none").max()


# pairs without any surprise are left out of the mean
@wrong("mean")
def pairs_without_surprise_left_out(logits, labels):
    each = F.cross_entropy(logits, labels, reduction="none")
    return each.sum() / (each > 0).sum().clamp(min=1)


# pairs that are judged rightly do not count
@wrong("undecided")
def only_wrongly_judged_pairs(logits, labels):
    each = F.cross_entropy(logits, labels, reduction="none")
    return each[logits.argmax(dim=1) != labels].sum() / len(labels)


# a surprise of more than ten is cut off
@wrong("mean")
def surprise_cut_off(logits, labels):
    return F.cross_entropy(logits, labels, reduction="none").clamp(max=10).mean()


# a small number against log(0): great surprises come out too small
@wrong("mean")
def small_number_against_log_zero(logits, labels):
    own = logits.softmax(dim=1).gather(1, labels[:, None])
    return -(own + 1e-7).log().mean()


# exp by hand: large logits give inf / inf
@wrong("mean")
def exp_by_hand(logits, labels):
    powers = logits.exp()
    own = powers.gather(1, labels[:, None]) / powers.sum(dim=1, keepdim=True)
    return -own.log().mean()


# softmax, then log: a probability that is too small for a float gives inf
@wrong("mean")
def softmax_then_log(logits, labels):
    return -logits.softmax(dim=1).log().gather(1, labels[:, None]).mean()


# the logits are halved
@wrong("both-classes")
def logits_are_halved(logits, labels):
    return F.cross_entropy(logits / 2, labels)


# easy pairs count less
@wrong("undecided")
def easy_pairs_count_less(logits, labels):
    each = F.cross_entropy(logits, labels, reduction="none")
    return ((1 - torch.exp(-each)) * each).mean()


# divided by the number of random pairs
@wrong("undecided")
def divided_by_number_of_random(logits, labels):
    total = F.cross_entropy(logits, labels, reduction="sum")
    return total / labels.sum().clamp(min=1)


# divided by one too few
@wrong("undecided")
def divided_by_one_too_few(logits, labels):
    total = F.cross_entropy(logits, labels, reduction="sum")
    return total / max(1, len(labels) - 1)


# divided by the four pairs of the example
@wrong("both-classes")
def divided_by_four(logits, labels):
    return F.cross_entropy(logits, labels, reduction="sum") / 4


# the value is right, but the largest logit is taken off in the given tensor
@wrong("inputs")
def takes_off_the_largest_in_place(logits, labels):
    with torch.no_grad():
        logits -= logits.max(dim=1, keepdim=True).values
    return F.cross_entropy(logits, labels)


# the value is right, but the given labels are moved to 1 and 2
@wrong("inputs")
def moves_the_given_labels(logits, labels):
    labels += 1
    nobody = torch.full_like(logits[:, :1], -math.inf)
    return F.cross_entropy(torch.cat([nobody, logits], dim=1), labels, ignore_index=0)


# one digit
@wrong("undecided")
def one_digit(logits, labels):
    return F.cross_entropy(logits, labels).round(decimals=1)


# the number of the example
@wrong("both-classes")
def number_of_the_example(logits, labels):
    return logits.sum() * 0 + math.log(2)


# not returned
@wrong("structure")
def forgets_return(logits, labels):
    loss = F.cross_entropy(logits, labels)


# the number leaves PyTorch and comes back: nothing can be learned from it
@wrong("gradient")
def number_without_a_way_back(logits, labels):
    return torch.tensor(F.cross_entropy(logits, labels).item())
