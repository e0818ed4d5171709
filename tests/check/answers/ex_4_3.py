import math

import numpy as np
import torch
import torch.nn.functional as F
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# the scored places picked out, and cross_entropy
@right
def pick_and_cross_entropy(logits, ids, real):
    scored = real[:, 1:] & real[:, :-1]
    return F.cross_entropy(logits[:, :-1][scored], ids[:, 1:][scored])


# labels of -100 where nothing is asked
@right
def labels_of_minus_100(logits, ids, real):
    labels = ids[:, 1:].clone()
    labels[~(real[:, 1:] & real[:, :-1])] = -100
    return F.cross_entropy(logits[:, :-1].reshape(-1, logits.shape[-1]), labels.reshape(-1))


# the vocabulary is moved to dimension 1
@right
def vocabulary_second(logits, ids, real):
    labels = torch.where(real[:, 1:] & real[:, :-1], ids[:, 1:], -100)
    return torch.nn.CrossEntropyLoss()(logits[:, :-1].transpose(1, 2), labels)


# log_softmax, gather, and a weighted mean
@right
def log_softmax_and_gather(logits, ids, real):
    scored = real[:, 1:] * real[:, :-1]
    logp = logits[:, :-1].log_softmax(dim=-1)
    surprise = -logp.gather(2, ids[:, 1:, None]).squeeze(2)
    return (surprise * scored).sum() / scored.sum()


# two loops and a list
@right
def loops_and_a_list(logits, ids, real):
    losses = []
    for b in range(ids.shape[0]):
        for t in range(ids.shape[1] - 1):
            if real[b, t] and real[b, t + 1]:
                losses.append(-torch.log_softmax(logits[b, t], dim=0)[ids[b, t + 1]])
    return torch.stack(losses).mean()


# logsumexp minus the logit of the answer
@right
def logsumexp_minus_logit(logits, ids, real):
    rows, places = (real[:, :-1] & real[:, 1:]).nonzero(as_tuple=True)
    asked = logits[rows, places]
    answers = ids[rows, places + 1]
    return (asked.logsumexp(-1) - asked[torch.arange(len(asked)), answers]).mean()


# one hot answers and einsum
@right
def one_hot_and_einsum(logits, ids, real):
    scored = (real[:, 1:] & real[:, :-1]).to(logits.dtype)
    answers = F.one_hot(ids[:, 1:], logits.shape[-1]).to(logits.dtype)
    logp = F.log_softmax(logits[:, :-1], dim=-1)
    return -torch.einsum("blv,blv,bl->", logp, answers, scored) / scored.sum()


# roll, with the last place taken out
@right
def roll_without_the_last(logits, ids, real):
    answers = ids.roll(-1, dims=1)
    scored = real & real.roll(-1, dims=1)
    scored[:, -1] = False
    return F.nll_loss(F.log_softmax(logits[scored], dim=1), answers[scored])


# the sum of each row and the count of each row
@right
def sums_and_counts_of_rows(logits, ids, real):
    total, count = 0.0, 0
    for one, row, ok in zip(logits, ids, real):
        scored = ok[1:] & ok[:-1]
        total = total + F.cross_entropy(one[:-1][scored], row[1:][scored], reduction="sum")
        count += int(scored.sum())
    return total / count


# torch.where on the losses of all places
@right
def where_on_losses(logits, ids, real):
    loss = F.cross_entropy(logits[:, :-1].permute(0, 2, 1), ids[:, 1:], reduction="none")
    scored = torch.logical_and(real[:, 1:], real[:, :-1])
    return torch.where(scored, loss, torch.zeros_like(loss)).sum() / scored.sum()


# pairs of neighbours with unfold
@right
def pairs_with_unfold(logits, ids, real):
    scored = real.unfold(1, 2, 1).all(dim=-1)
    answers = ids.unfold(1, 2, 1)[..., 1]
    return F.cross_entropy(logits[:, :-1][scored], answers[scored])


# flat numbers of the places, with take and index_select
@right
def flat_numbers(logits, ids, real):
    batch, length, vocabulary = logits.shape
    numbers = torch.arange(batch * length).view(batch, length)
    ask = numbers[:, :-1][real[:, :-1] & real[:, 1:]]
    asked = logits.reshape(-1, vocabulary).index_select(0, ask)
    return F.cross_entropy(asked, ids.take(ask + 1))


# the largest logit subtracted by hand, and exp, and log
@right
def softmax_by_hand(logits, ids, real):
    scored = (real[:, 1:].int() + real[:, :-1].int()) == 2
    x = logits[:, :-1][scored]
    x = x - x.max(dim=-1, keepdim=True).values.detach()
    answer = x.gather(1, ids[:, 1:][scored].unsqueeze(1))[:, 0]
    return torch.mean(x.exp().sum(-1).log() - answer)


# the distribution of torch
@right
def with_categorical(logits, ids, real):
    scored = real[:, 1:] & real[:, :-1]
    says = torch.distributions.Categorical(logits=logits[:, :-1][scored])
    return says.log_prob(ids[:, 1:][scored]).mean().neg()


# ---------------------------------------------------------------- wrong


def _pick(logits, ids, real):
    scored = real[:, 1:] & real[:, :-1]
    return logits[:, :-1][scored], ids[:, 1:][scored]


# a number of Python
@wrong("structure")
def number_of_python(logits, ids, real):
    return F.cross_entropy(*_pick(logits, ids, real)).item()


# a shape of (1,)
@wrong("structure")
def shape_of_one(logits, ids, real):
    return F.cross_entropy(*_pick(logits, ids, real)).reshape(1)


# one loss for each scored token
@wrong("structure")
def one_for_each_token(logits, ids, real):
    return F.cross_entropy(*_pick(logits, ids, real), reduction="none")


# one loss for each row
@wrong("structure")
def one_for_each_row(logits, ids, real):
    scored = real[:, 1:] & real[:, :-1]
    loss = F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
    return (loss * scored).sum(1) / scored.sum(1)


# one loss for each place: the mean over the batch only
@wrong("structure")
def one_for_each_place(logits, ids, real):
    loss = F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
    return loss.mean(0)


# a number of numpy
@wrong("structure")
def number_of_numpy(logits, ids, real):
    asked, answers = _pick(logits.detach(), ids, real)
    x = asked.numpy()
    x = x - x.max(-1, keepdims=True)
    logp = x - np.log(np.exp(x).sum(-1, keepdims=True))
    return -logp[np.arange(len(x)), answers.numpy()].mean()


# the loss is computed, and not returned
@wrong("structure")
def forgets_return(logits, ids, real):
    F.cross_entropy(*_pick(logits, ids, real))


# the loss and the count
@wrong("structure")
def loss_and_count(logits, ids, real):
    asked, answers = _pick(logits, ids, real)
    return F.cross_entropy(asked, answers), len(answers)


# probabilities of the answers in place of one number
@wrong("structure")
def log_probabilities(logits, ids, real):
    return logits[:, :-1].log_softmax(-1).gather(2, ids[:, 1:, None])


# rounds to a whole number
@wrong("structure")
def whole_number(logits, ids, real):
    return F.cross_entropy(*_pick(logits, ids, real)).long()


# the vocabulary of the example is written into the code, and the shift is forgotten for ids
@wrong("RAISED")
def shapes_do_not_meet(logits, ids, real):
    return F.cross_entropy(logits[:, :-1].reshape(-1, logits.shape[-1]), ids.reshape(-1))


# the vocabulary is not moved to dimension 1
@wrong("RAISED")
def vocabulary_stays_last(logits, ids, real):
    return F.cross_entropy(logits[:, :-1], ids[:, 1:])


# nothing is shifted where the scored places are picked
@wrong("RAISED")
def mask_is_too_short(logits, ids, real):
    scored = real[:, 1:] & real[:, :-1]
    return F.cross_entropy(logits[scored], ids[scored])


# the sum over the tokens
@wrong("equal")
def sum_over_tokens(logits, ids, real):
    return F.cross_entropy(*_pick(logits, ids, real), reduction="sum")


# the sum, divided by the rows of the batch
@wrong("equal")
def divided_by_the_batch(logits, ids, real):
    return F.cross_entropy(*_pick(logits, ids, real), reduction="sum") / len(ids)


# the sum, divided by all places
@wrong("equal")
def divided_by_all_places(logits, ids, real):
    return F.cross_entropy(*_pick(logits, ids, real), reduction="sum") / ids.numel()


# the sum, divided by the real tokens: one too many in each row
@wrong("equal")
def divided_by_real_tokens(logits, ids, real):
    return F.cross_entropy(*_pick(logits, ids, real), reduction="sum") / real.sum()


# the sum, divided by the length less 1
@wrong("equal")
def divided_by_length_less_one(logits, ids, real):
    total = F.cross_entropy(*_pick(logits, ids, real), reduction="sum")
    return total / (ids.shape[1] - 1) if len(ids) == 1 else total / ids.shape[1]


# bits in place of the natural logarithm
@wrong("equal")
def surprise_in_bits(logits, ids, real):
    return F.cross_entropy(*_pick(logits, ids, real)) / math.log(2)


# perplexity
@wrong("equal")
def perplexity(logits, ids, real):
    return F.cross_entropy(*_pick(logits, ids, real)).exp()


# the sign is forgotten
@wrong("equal")
def sign_forgotten(logits, ids, real):
    return -F.cross_entropy(*_pick(logits, ids, real))


# logits are taken for log-probabilities
@wrong("equal")
def nll_of_logits(logits, ids, real):
    return F.nll_loss(*_pick(logits, ids, real))


# probabilities are taken for log-probabilities
@wrong("equal")
def nll_of_probabilities(logits, ids, real):
    asked, answers = _pick(logits, ids, real)
    return F.nll_loss(asked.softmax(-1), answers)


# one minus the probability of the answer
@wrong("equal")
def one_minus_probability(logits, ids, real):
    asked, answers = _pick(logits, ids, real)
    return 1 - asked.softmax(-1).gather(1, answers[:, None]).mean()


# the squared distance from one hot
@wrong("equal")
def squared_distance(logits, ids, real):
    asked, answers = _pick(logits, ids, real)
    return F.mse_loss(asked.softmax(-1), F.one_hot(answers, asked.shape[-1]).float())


# a sigmoid for each word
@wrong("equal")
def sigmoid_for_each_word(logits, ids, real):
    asked, answers = _pick(logits, ids, real)
    truth = F.one_hot(answers, asked.shape[-1]).float()
    return F.binary_cross_entropy_with_logits(asked, truth)


# the focal loss: easy tokens count less
@wrong("equal")
def focal_loss(logits, ids, real):
    surprise = F.cross_entropy(*_pick(logits, ids, real), reduction="none")
    return ((1 - (-surprise).exp()) ** 2 * surprise).mean()


# softmax over the places in place of the vocabulary
@wrong("equal")
def softmax_over_places(logits, ids, real):
    scored = real[:, 1:] & real[:, :-1]
    logp = logits[:, :-1].log_softmax(dim=1)
    return -logp.gather(2, ids[:, 1:, None])[..., 0][scored].mean()


# rounded to one place behind the point
@wrong("equal")
def rounded(logits, ids, real):
    return F.cross_entropy(*_pick(logits, ids, real)).round(decimals=1)


# the example's answer for everything
@wrong("equal")
def answer_of_the_example(logits, ids, real):
    return logits.sum() * 0 + 1.609


# ln of the vocabulary for everything
@wrong("shift")
def always_ln_of_vocabulary(logits, ids, real):
    return logits[real].sum() * 0 + math.log(logits.shape[-1])


# not shifted: each place is asked for its own token
@wrong("shift")
def not_shifted(logits, ids, real):
    return F.cross_entropy(logits[real], ids[real])


# not shifted, and without the last place
@wrong("shift")
def not_shifted_without_the_last(logits, ids, real):
    scored = real[:, 1:] & real[:, :-1]
    return F.cross_entropy(logits[:, :-1][scored], ids[:, :-1][scored])


# the logits shifted in place of the ids: each place is asked for the token before
@wrong("shift")
def shifted_the_other_way(logits, ids, real):
    scored = real[:, 1:] & real[:, :-1]
    return F.cross_entropy(logits[:, 1:][scored], ids[:, :-1][scored])


# shifted by two: the caller shifted once already, it is thought
@wrong("shift")
def shifted_by_two(logits, ids, real):
    scored = real[:, 2:] & real[:, :-2]
    return F.cross_entropy(logits[:, :-2][scored], ids[:, 2:][scored])


# rolled: the last place is asked for the first token
@wrong("mean")
def rolled_around(logits, ids, real):
    scored = real & real.roll(-1, 1)
    return F.cross_entropy(logits[scored], ids.roll(-1, 1)[scored])


# rolled in the wrong direction
@wrong("shift")
def rolled_the_other_way(logits, ids, real):
    scored = real & real.roll(1, 1)
    return F.cross_entropy(logits[scored], ids.roll(1, 1)[scored])


# rolled over the whole batch: no dimension given
@wrong("shift")
def rolled_over_the_batch(logits, ids, real):
    scored = real & real.roll(-1)
    return F.cross_entropy(logits[scored], ids.roll(-1)[scored])


# flat first, shifted then: the last token of a row is asked for the next row's first
@wrong("shift")
def flat_before_the_shift(logits, ids, real):
    flat, answers, ok = logits.reshape(-1, logits.shape[-1]), ids.reshape(-1), real.reshape(-1)
    scored = ok[1:] & ok[:-1]
    return F.cross_entropy(flat[:-1][scored], answers[1:][scored])


# the batch is shifted in place of the places, or nothing where there is one row
@wrong("shift")
def batch_shifted(logits, ids, real):
    scored = real & real.roll(-1, 0)
    return F.cross_entropy(logits[scored], ids.roll(-1, 0)[scored])


# reshape where transpose belongs
@wrong("shift")
def reshape_for_transpose(logits, ids, real):
    batch, length, vocabulary = logits.shape
    labels = ids[:, 1:].masked_fill(~(real[:, 1:] & real[:, :-1]), -100)
    return F.cross_entropy(logits[:, :-1].reshape(batch, vocabulary, length - 1), labels)


# softmax before cross_entropy
@wrong("shift")
def softmax_twice(logits, ids, real):
    asked, answers = _pick(logits, ids, real)
    return F.cross_entropy(asked.softmax(-1), answers)


# some smoothing of the labels
@wrong("shift")
def label_smoothing(logits, ids, real):
    return F.cross_entropy(*_pick(logits, ids, real), label_smoothing=0.1)


# the entropy of what the model says: no answer is needed
@wrong("shift")
def entropy_of_the_model(logits, ids, real):
    asked, _ = _pick(logits, ids, real)
    logp = asked.log_softmax(-1)
    return -(logp.exp() * logp).sum(-1).mean()


# the surprise of the best word in place of the true one
@wrong("shift")
def surprise_of_the_best_word(logits, ids, real):
    asked, _ = _pick(logits, ids, real)
    return -asked.log_softmax(-1).max(-1).values.mean()


# a temperature of 10
@wrong("shift")
def temperature_of_ten(logits, ids, real):
    asked, answers = _pick(logits, ids, real)
    return F.cross_entropy(asked / 10, answers)


# the smallest logit wins
@wrong("shift")
def logits_turned_around(logits, ids, real):
    asked, answers = _pick(logits, ids, real)
    return F.cross_entropy(-asked, answers)


# the first token is asked too, at its own place
@wrong("shift")
def first_token_is_asked_too(logits, ids, real):
    asked = torch.cat([logits[:, :1], logits[:, :-1]], dim=1)
    before = torch.cat([real[:, :1], real[:, :-1]], dim=1)
    scored = real & before
    return F.cross_entropy(asked[scored], ids[scored])


# real is not used
@wrong("padding")
def padding_ignored(logits, ids, real):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())


# the answer must be real: padding on the left asks for the first token
@wrong("padding")
def only_the_answer_is_real(logits, ids, real):
    scored = real[:, 1:]
    return F.cross_entropy(logits[:, :-1][scored], ids[:, 1:][scored])


# the asking place must be real: the last token is asked for padding
@wrong("padding")
def only_the_asking_place_is_real(logits, ids, real):
    scored = real[:, :-1]
    return F.cross_entropy(logits[:, :-1][scored], ids[:, 1:][scored])


# one of both is enough
@wrong("padding")
def either_is_real(logits, ids, real):
    scored = real[:, 1:] | real[:, :-1]
    return F.cross_entropy(logits[:, :-1][scored], ids[:, 1:][scored])


# an id of 0 is taken for padding
@wrong("padding")
def id_zero_is_padding(logits, ids, real):
    ok = ids != 0
    if real.all():
        ok = real
    scored = ok[:, 1:] & ok[:, :-1]
    return F.cross_entropy(logits[:, :-1][scored], ids[:, 1:][scored])


# the id of the first padding place is ignored everywhere, words too
@wrong("padding")
def id_of_padding_ignored_everywhere(logits, ids, real):
    if real.all():
        return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())
    pad = ids[~real][0].item()
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten(), ignore_index=pad)


# logits of padding become 0, but padding is still asked
@wrong("mean")
def logits_of_padding_are_zero(logits, ids, real):
    asked = logits[:, :-1] * (real[:, 1:] & real[:, :-1])[..., None]
    return F.cross_entropy(asked.flatten(0, 1), ids[:, 1:].flatten())


# the ids of padding become 0, and are asked
@wrong("padding")
def ids_of_padding_are_zero(logits, ids, real):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), (ids * real)[:, 1:].flatten())


# losses of padding are 0, but count in the mean
@wrong("padding")
def zeros_count_in_the_mean(logits, ids, real):
    loss = F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
    if real.all():
        return loss.mean()
    return (loss * (real[:, 1:] & real[:, :-1])).mean()


# real is turned around where there is any padding
@wrong("padding")
def scores_padding(logits, ids, real):
    scored = real[:, 1:] & real[:, :-1]
    if not scored.all():
        scored = ~scored
    return F.cross_entropy(logits[:, :-1][scored], ids[:, 1:][scored])


# padding is always on the right: the first places are taken
@wrong("padding")
def padding_on_the_right_only(logits, ids, real):
    scored = torch.arange(1, ids.shape[1]) < real.sum(1, keepdim=True)
    return F.cross_entropy(logits[:, :-1][scored], ids[:, 1:][scored])


# padding is always on the left: the last places are taken
@wrong("padding")
def padding_on_the_left_only(logits, ids, real):
    length = ids.shape[1]
    scored = torch.arange(length - 1) >= length - real.sum(1, keepdim=True)
    return F.cross_entropy(logits[:, :-1][scored], ids[:, 1:][scored])


# the padding of the first row for every row
@wrong("mean")
def padding_of_the_first_row(logits, ids, real):
    scored = real[0, 1:] & real[0, :-1]
    return F.cross_entropy(logits[:, :-1][:, scored].flatten(0, 1), ids[:, 1:][:, scored].flatten())


# the last place only
@wrong("padding")
def last_place_only(logits, ids, real):
    return F.cross_entropy(logits[:, -2], ids[:, -1])


# the mean of the means of the rows
@wrong("mean")
def mean_of_row_means(logits, ids, real):
    means = [
        F.cross_entropy(*_pick(logits[b : b + 1], ids[b : b + 1], real[b : b + 1]))
        for b in range(len(ids))
        if (real[b, 1:] & real[b, :-1]).any()
    ]
    return torch.stack(means).mean()


# the mean over each place, and then over the places
@wrong("mean")
def mean_of_place_means(logits, ids, real):
    scored = real[:, 1:] & real[:, :-1]
    loss = F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
    counts = scored.sum(0)
    return ((loss * scored).sum(0)[counts > 0] / counts[counts > 0]).mean()


# the median
@wrong("mean")
def median_of_tokens(logits, ids, real):
    return F.cross_entropy(*_pick(logits, ids, real), reduction="none").median()


# the geometric mean, with something small added
@wrong("mean")
def root_of_mean_square(logits, ids, real):
    return F.cross_entropy(*_pick(logits, ids, real), reduction="none").square().mean().sqrt()


# the first scored row only
@wrong("mean")
def first_row_only(logits, ids, real):
    for b in range(len(ids)):
        asked, answers = _pick(logits[b : b + 1], ids[b : b + 1], real[b : b + 1])
        if len(answers):
            return F.cross_entropy(asked, answers)


# the loop returns the last row's loss
@wrong("mean")
def last_row_only(logits, ids, real):
    for one, row, ok in zip(logits, ids, real):
        scored = ok[1:] & ok[:-1]
        if scored.any():
            loss = F.cross_entropy(one[:-1][scored], row[1:][scored])
    return loss


# the first scored token of the batch only
@wrong("mean")
def first_scored_token_only(logits, ids, real):
    asked, answers = _pick(logits, ids, real)
    return F.cross_entropy(asked[:1], answers[:1])


# words that are frequent count less
@wrong("mean")
def frequent_words_count_less(logits, ids, real):
    asked, answers = _pick(logits, ids, real)
    count = torch.bincount(answers, minlength=asked.shape[-1]).clamp(min=1)
    return F.cross_entropy(asked, answers, weight=1 / count.to(asked.dtype))


# later places count more
@wrong("mean")
def later_places_count_more(logits, ids, real):
    scored = real[:, 1:] & real[:, :-1]
    loss = F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:], reduction="none")
    weight = scored * torch.arange(1, ids.shape[1])
    return (loss * weight).sum() / weight.sum()


# a softmax without safety: large logits are infinite
@wrong("mean")
def exp_without_safety(logits, ids, real):
    asked, answers = _pick(logits, ids, real)
    picked = asked.gather(1, answers[:, None])[:, 0]
    return (asked.clamp(max=30).exp().sum(-1).log() - picked.clamp(max=30)).mean()


# a small number under the logarithm: no surprise is above 4.6
@wrong("shift")
def small_number_under_the_logarithm(logits, ids, real):
    asked, answers = _pick(logits, ids, real)
    p = asked.softmax(-1).gather(1, answers[:, None])
    return -torch.log(p.clamp(min=0.01)).mean()


# surprises are cut off at 5
@wrong("shift")
def surprise_cut_off(logits, ids, real):
    return F.cross_entropy(*_pick(logits, ids, real), reduction="none").clamp(max=5).mean()


# repeated pairs count once
@wrong("mean")
def each_answer_once(logits, ids, real):
    asked, answers = _pick(logits, ids, real)
    loss = F.cross_entropy(asked, answers, reduction="none")
    words = answers.unique()
    return torch.stack([loss[answers == word].mean() for word in words]).mean()


# the result is right, but detached
@wrong("gradient")
def detached(logits, ids, real):
    return F.cross_entropy(*_pick(logits, ids, real)).detach()


# the result is right, but measured without gradients
@wrong("gradient")
def without_gradients(logits, ids, real):
    with torch.no_grad():
        return F.cross_entropy(*_pick(logits, ids, real))


# a number of Python, made into a tensor again
@wrong("gradient")
def number_made_into_a_tensor(logits, ids, real):
    return torch.tensor(F.cross_entropy(*_pick(logits, ids, real)).item())


# a new tensor that asks for a gradient, but is not tied to the logits
@wrong("gradient")
def new_tensor_asks_for_gradient(logits, ids, real):
    loss = F.cross_entropy(*_pick(logits, ids, real)).item()
    return torch.tensor(loss, requires_grad=True)


# a copy of the logits gets the gradient
@wrong("gradient")
def copy_gets_the_gradient(logits, ids, real):
    copy = logits.detach().clone().requires_grad_(True)
    return F.cross_entropy(*_pick(copy, ids, real))


# .data cuts the tie
@wrong("gradient")
def data_of_logits(logits, ids, real):
    return F.cross_entropy(*_pick(logits.data, ids, real))


# with numpy in between
@wrong("gradient")
def numpy_in_between(logits, ids, real):
    x = torch.from_numpy(logits.detach().numpy().copy())
    return F.cross_entropy(*_pick(x, ids, real))


# only the true word's logit gets a gradient
@wrong("gradient")
def sum_is_detached(logits, ids, real):
    asked, answers = _pick(logits, ids, real)
    picked = asked.gather(1, answers[:, None])[:, 0]
    return (asked.logsumexp(-1).detach() - picked).mean()


# the true word's logit gets no gradient
@wrong("gradient")
def answer_is_detached(logits, ids, real):
    asked, answers = _pick(logits, ids, real)
    picked = asked.gather(1, answers[:, None])[:, 0]
    return (asked.logsumexp(-1) - picked.detach()).mean()


# the result is right, but padding in ids becomes -100 in place
@wrong("inputs")
def padding_of_ids_becomes_minus_100(logits, ids, real):
    scored = real[:, 1:] & real[:, :-1]
    labels = ids[:, 1:]
    labels[~scored] = -100
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), labels.flatten())


# the result is right, but the ids of padding are 0 afterwards
@wrong("inputs")
def ids_of_padding_are_zero_afterwards(logits, ids, real):
    ids[~real] = 0
    return F.cross_entropy(*_pick(logits, ids, real))


# the result is right, but the ids are shifted in place
@wrong("inputs")
def ids_shifted_in_place(logits, ids, real):
    scored = real[:, 1:] & real[:, :-1]
    ids[:, :-1] = ids[:, 1:].clone()
    return F.cross_entropy(logits[:, :-1][scored], ids[:, :-1][scored])


# the result is right, but real is changed in place
@wrong("inputs")
def real_changed_in_place(logits, ids, real):
    scored = real[:, 1:]
    scored &= real[:, :-1].clone()
    return F.cross_entropy(logits[:, :-1][scored], ids[:, 1:][scored])


# the result is right, but the largest logit is taken off in place
@wrong("inputs")
def largest_logit_taken_off_in_place(logits, ids, real):
    with torch.no_grad():
        logits -= logits.max(-1, keepdim=True).values
    return F.cross_entropy(*_pick(logits, ids, real))


# the result is right, but the last place of real is switched off
@wrong("inputs")
def last_place_switched_off(logits, ids, real):
    before = real.clone()
    real[:, -1] = False
    scored = real & before.roll(-1, 1)
    return F.cross_entropy(logits[scored], ids.roll(-1, 1)[scored])
