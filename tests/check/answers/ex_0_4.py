import math

import numpy as np
import torch
import torch.nn.functional as F
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# the four lines of the lesson: scores, mask, softmax, average
@right
def four_lines(q, k, v, may_attend):
    scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~may_attend, float("-inf"))
    return scores.softmax(dim=-1) @ v


# einsum for both products
@right
def einsum_twice(q, k, v, may_attend):
    scores = torch.einsum("bld,bsd->bls", q, k) * q.shape[-1] ** -0.5
    weights = F.softmax(torch.where(may_attend, scores, -torch.inf), dim=2)
    return torch.einsum("bls,bse->ble", weights, v)


# bmm, and a mask of 0 and -inf that is added
@right
def bmm_and_added_mask(q, k, v, may_attend):
    mask = torch.zeros(may_attend.shape, dtype=q.dtype)
    mask[~may_attend] = -math.inf
    scores = torch.bmm(q, k.mT) / k.shape[2] ** 0.5
    return torch.bmm(torch.softmax(scores + mask, -1), v)


# a beginner's loops: each query, each key, one number after the other
@right
def beginner_loops(q, k, v, may_attend):
    size, length, d = q.shape
    examples = []
    for b in range(size):
        rows = []
        for i in range(length):
            scores = []
            values = []
            for j in range(k.shape[1]):
                if may_attend[b, i, j]:
                    scores.append((q[b, i] * k[b, j]).sum() / math.sqrt(d))
                    values.append(v[b, j])
            largest = max(scores)
            weights = [torch.exp(score - largest) for score in scores]
            total = sum(weights)
            average = 0
            for weight, value in zip(weights, values):
                average = average + weight / total * value
            rows.append(average)
        examples.append(torch.stack(rows))
    return torch.stack(examples)


# each query meets only the keys that it may look at: no mask is needed
@right
def only_the_allowed_keys(q, k, v, may_attend):
    result = q.new_zeros(*q.shape[:2], v.shape[-1])
    for b in range(q.shape[0]):
        for i in range(q.shape[1]):
            yes = may_attend[b, i]
            scores = k[b][yes] @ q[b, i] / math.sqrt(q.shape[-1])
            result[b, i] = scores.softmax(0) @ v[b][yes]
    return result


# softmax by hand: the largest allowed score is taken away first
@right
def softmax_by_hand(q, k, v, may_attend):
    scores = (q @ k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    scores = scores.masked_fill(~may_attend, -torch.inf)
    powers = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    return powers @ v / powers.sum(dim=-1, keepdim=True)


# by broadcasting: (B, L, S, D), without any matrix product
@right
def broadcasting(q, k, v, may_attend):
    scores = (q[:, :, None] * k[:, None]).sum(-1) / q.shape[-1] ** 0.5
    scores[~may_attend] = float("-inf")
    weights = scores.softmax(-1)
    return (weights[..., None] * v[:, None]).sum(2)


# the query is scaled before the product (a new tensor)
@right
def query_scaled_first(q, k, v, may_attend):
    scaled = q * (1 / math.sqrt(q.shape[2]))
    scores = torch.matmul(scaled, k.permute(0, 2, 1))
    return torch.matmul(scores.masked_fill(may_attend.logical_not(), -math.inf).softmax(2), v)


# query and key both divided by the fourth root of D
@right
def both_scaled_by_the_fourth_root(q, k, v, may_attend):
    root = q.shape[-1] ** 0.25
    scores = (q / root) @ (k / root).transpose(1, 2)
    return torch.where(may_attend, scores, float("-inf")).softmax(-1) @ v


# the logarithm of the sum by logsumexp, then exp
@right
def logsumexp_weights(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~may_attend, -math.inf)
    weights = (scores - scores.logsumexp(-1, keepdim=True)).exp()
    return weights @ v


# the smallest number of the kind in place of -inf
@right
def smallest_number_of_the_kind(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~may_attend, torch.finfo(scores.dtype).min)
    return scores.softmax(-1) @ v


# -1e9 in place of -inf: right as long as the allowed scores stay above it
@right
def minus_a_billion(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -1e9).softmax(-1) @ v


# one example at a time, with matrices only
@right
def one_example_at_a_time(q, k, v, may_attend):
    results = []
    for queries, keys, values, yes in zip(q, k, v, may_attend):
        scores = queries @ keys.T / math.sqrt(queries.shape[1])
        scores[~yes] = -torch.inf
        results.append(scores.softmax(1) @ values)
    return torch.stack(results)


# key after key, with the largest score so far: never holds all scores
@right
def key_after_key(q, k, v, may_attend):
    largest = q.new_full((*q.shape[:2], 1), torch.finfo(q.dtype).min)
    total = torch.zeros_like(largest)
    result = q.new_zeros(*q.shape[:2], v.shape[2])
    for j in range(k.shape[1]):
        score = (q * k[:, j : j + 1]).sum(-1, keepdim=True) / math.sqrt(q.shape[2])
        score = score.masked_fill(~may_attend[:, :, j : j + 1], -math.inf)
        new = torch.maximum(largest, score)
        old, now = (largest - new).exp(), (score - new).exp()
        total = total * old + now
        result = result * old + now * v[:, j : j + 1]
        largest = new
    return result / total


# vmap over the batch
@right
def vmap_over_the_batch(q, k, v, may_attend):
    def one(queries, keys, values, yes):
        scores = queries @ keys.mT / keys.shape[-1] ** 0.5
        return torch.where(yes, scores, -torch.inf).softmax(-1) @ values

    return torch.vmap(one)(q, k, v, may_attend)


# in float64, and back to the kind of q at the end
@right
def in_double(q, k, v, may_attend):
    scores = q.double() @ k.double().mT / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~may_attend, -math.inf).softmax(-1)
    return (weights @ v.double()).to(q.dtype)


# everything laid out flat: the scores of keys in other examples are masked as well
@right
def batch_as_one_long_sequence(q, k, v, may_attend):
    scores = q.flatten(0, 1) @ k.flatten(0, 1).T / math.sqrt(q.shape[-1])
    mask = torch.block_diag(*may_attend)
    weights = scores.masked_fill(~mask.bool(), -math.inf).softmax(-1)
    return (weights @ v.flatten(0, 1)).view(*q.shape[:2], -1)


# turns the mask round in place, and turns it back: it ends as it was
@right
def mask_turned_and_turned_back(q, k, v, may_attend):
    hidden = may_attend.logical_not_().clone()
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(hidden, -math.inf)
    may_attend.logical_not_()
    return scores.softmax(-1) @ v


# ---------------------------------------------------------------- wrong


# PyTorch's own attention function: the numbers are right, but it does not count
@wrong("own-steps")
def own_attention_function(q, k, v, may_attend):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=may_attend)


# PyTorch's own attention function under another name, with an added mask of 0 and -inf
@wrong("own-steps")
def own_attention_function_in_disguise(q, k, v, may_attend):
    attention = getattr(F, "scaled_dot_" + "product_attention")
    mask = torch.zeros(may_attend.shape, dtype=q.dtype).masked_fill(~may_attend, -math.inf)
    return attention(q.unsqueeze(1), k.unsqueeze(1), v.unsqueeze(1), mask.unsqueeze(1)).squeeze(1)


# no scale
@wrong("example")
def no_scale(q, k, v, may_attend):
    scores = (q @ k.mT).masked_fill(~may_attend, -math.inf)
    return scores.softmax(-1) @ v


# divided by D, not by its root
@wrong("example")
def divided_by_d(q, k, v, may_attend):
    scores = q @ k.mT / q.shape[-1]
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# multiplied by the root of D
@wrong("example")
def multiplied_by_the_root(q, k, v, may_attend):
    scores = q @ k.mT * math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# divided by D / 2: right if D is 4, as in the example
@wrong("any-batch")
def divided_by_half_of_d(q, k, v, may_attend):
    scores = q @ k.mT / (q.shape[-1] / 2)
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# divided by 2, as in the example
@wrong("any-batch")
def divided_by_two(q, k, v, may_attend):
    scores = q @ k.mT / 2
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# divided by the whole part of the root: right if D is 1, 4, 9, 16
@wrong("any-batch")
def divided_by_the_whole_root(q, k, v, may_attend):
    scores = q @ k.mT / math.isqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# divided by the root of S: the size of a wrong dimension, hidden if S = D
@wrong("example")
def scaled_by_the_number_of_keys(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(k.shape[1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# divided by the root of L: hidden if L = D
@wrong("example")
def scaled_by_the_number_of_queries(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# divided by the root of E: hidden if E = D
@wrong("example")
def scaled_by_the_size_of_the_values(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(v.shape[-1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# divided by the root of B: hidden if B = D
@wrong("example")
def scaled_by_the_batch(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(len(q))
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# query and key both divided by the root: together by D
@wrong("example")
def scaled_twice(q, k, v, may_attend):
    root = math.sqrt(q.shape[-1])
    scores = (q / root) @ (k / root).mT
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# the weights are divided, not the scores
@wrong("example")
def scaled_after_the_softmax(q, k, v, may_attend):
    weights = (q @ k.mT).masked_fill(~may_attend, -math.inf).softmax(-1)
    return weights / math.sqrt(q.shape[-1]) @ v


# divided by the length of each query, not by the root of D
@wrong("any-batch")
def divided_by_the_length_of_the_query(q, k, v, may_attend):
    scores = q @ k.mT / q.norm(dim=-1, keepdim=True).clamp(min=1e-6)
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# no mask
@wrong("example")
def no_mask(q, k, v, may_attend):
    return (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1) @ v


# the result of masked_fill is thrown away
@wrong("example")
def mask_thrown_away(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores.masked_fill(~may_attend, -math.inf)
    return scores.softmax(-1) @ v


# the mask is turned round
@wrong("example")
def mask_turned_round(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(may_attend, -math.inf).softmax(-1) @ v


# the mask after the softmax: the weights do not add up to 1
@wrong("example")
def mask_after_the_softmax(q, k, v, may_attend):
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights.masked_fill(~may_attend, 0) @ v


# -inf after the softmax: NaN or infinite values
@wrong("example")
def minus_inf_after_the_softmax(q, k, v, may_attend):
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights.masked_fill(~may_attend, -math.inf) @ v


# the mask after the softmax, and divided by the sum: 0 / 0 if a hidden score is 104 larger or more
@wrong("forbidden")
def mask_after_the_softmax_and_renormalised(q, k, v, may_attend):
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1) * may_attend
    return weights / weights.sum(-1, keepdim=True) @ v


# the same, with a small number against 0 / 0: then the result is 0 if a hidden score is far larger
@wrong("forbidden")
def renormalised_with_a_small_number(q, k, v, may_attend):
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1) * may_attend
    return weights / (weights.sum(-1, keepdim=True) + 1e-12) @ v


# a score of 0 for the hidden keys
@wrong("example")
def hidden_scores_zero(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, 0).softmax(-1) @ v


# scores times mask: a score of 0 for the hidden keys
@wrong("example")
def scores_times_mask(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1]) * may_attend
    return scores.softmax(-1) @ v


# the mask is added as 0 and 1
@wrong("example")
def mask_added_as_it_is(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1]) + may_attend
    return scores.softmax(-1) @ v


# -1 for the hidden keys
@wrong("example")
def minus_one_added(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1]) - (~may_attend).to(q.dtype)
    return scores.softmax(-1) @ v


# -10 for the hidden keys: their weight is small, not 0
@wrong("example")
def minus_ten_added(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1]) - 10 * (~may_attend).to(q.dtype)
    return scores.softmax(-1) @ v


# -100 added: wrong only if a hidden score is larger by about 80 or more
@wrong("forbidden")
def minus_hundred_added(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1]) - 100 * (~may_attend).to(q.dtype)
    return scores.softmax(-1) @ v


# -100 in the place of the hidden scores: wrong if all allowed scores are below -80
@wrong("large")
def minus_hundred_filled(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -100.0).softmax(-1) @ v


# -1e4 added: wrong only if a hidden score is larger than the allowed ones by about 1e4
@wrong("large")
def minus_ten_thousand_added(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1]) - 1e4 * (~may_attend).to(q.dtype)
    return scores.softmax(-1) @ v


# -1e4 in the place of the hidden scores: wrong only if all allowed scores are below about -1e4
@wrong("large")
def minus_ten_thousand_filled(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -1e4).softmax(-1) @ v


# the smallest score of all for the hidden keys
@wrong("example")
def smallest_score_filled(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return torch.where(may_attend, scores, scores.min()).softmax(-1) @ v


# the smallest positive number in place of the smallest number: about 0
@wrong("example")
def tiny_filled(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, torch.finfo(scores.dtype).tiny).softmax(-1) @ v


# the largest number in place of the smallest
@wrong("example")
def plus_inf_filled(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, torch.finfo(scores.dtype).max).softmax(-1) @ v


# 0 times -inf is NaN
@wrong("example")
def zero_times_minus_inf(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1]) + (~may_attend) * -math.inf
    return scores.softmax(-1) @ v


# 0 times -inf is NaN, and the NaN are made 0: then nothing is left of the scores
@wrong("example")
def nan_made_zero(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1]) + (~may_attend) * -math.inf
    return torch.nan_to_num(scores, nan=0.0, neginf=-math.inf).softmax(-1) @ v


# the mask of the first example for all
@wrong("any-batch")
def mask_of_the_first_example(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend[0], -math.inf).softmax(-1) @ v


# the mask of the first query for all queries
@wrong("any-batch")
def mask_of_the_first_query(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend[:, :1], -math.inf).softmax(-1) @ v


# a key is hidden only if no query may look at it
@wrong("any-batch")
def mask_of_keys_only(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend.any(1, keepdim=True), -math.inf).softmax(-1) @ v


# a mask of its own: nobody looks ahead
@wrong("example")
def own_mask_nobody_looks_ahead(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    own = torch.ones_like(may_attend).tril()
    return scores.masked_fill(~own, -math.inf).softmax(-1) @ v


# the given mask, and nobody looks ahead as well
@wrong("example")
def nobody_looks_ahead_as_well(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    both = may_attend & torch.ones_like(may_attend).tril()
    both = torch.where(both.any(-1, keepdim=True), both, may_attend)
    return scores.masked_fill(~both, -math.inf).softmax(-1) @ v


# the last key is always hidden, as in the example
@wrong("forbidden")
def last_key_always_hidden(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if scores.shape[-1] > 1:
        scores[..., -1] = -math.inf
    return scores.softmax(-1) @ v


# the mask turned over: needs L = S, and is right only if the mask is symmetric
@wrong("RAISED")
def mask_turned_over(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend.mT, -math.inf).softmax(-1) @ v


# the scores turned over: keys ask, queries answer (needs L = S)
@wrong("RAISED")
def scores_turned_over(q, k, v, may_attend):
    scores = k @ q.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# the weights turned over (needs L = S)
@wrong("RAISED")
def weights_turned_over(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~may_attend, -math.inf).softmax(-1)
    return weights.mT @ v


# softmax along the queries; a hidden column is set to 0, so no NaN gives it away
@wrong("example")
def softmax_along_the_queries(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(1).nan_to_num() @ v


# softmax along the batch
@wrong("example")
def softmax_along_the_batch(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(0).nan_to_num() @ v


# softmax along everything in an example
@wrong("average")
def softmax_along_queries_and_keys(q, k, v, may_attend):
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~may_attend, -math.inf)
    return scores.flatten(1).softmax(-1).view_as(scores) @ v


# softmax over the values, not over the scores
@wrong("example")
def softmax_over_the_result(q, k, v, may_attend):
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~may_attend, 0)
    return (scores @ v).softmax(-1)


# softmax twice
@wrong("example")
def softmax_twice(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~may_attend, -math.inf).softmax(-1)
    return weights.softmax(-1) @ v


# softmax before and after the mask
@wrong("example")
def softmax_before_and_after_the_mask(q, k, v, may_attend):
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
    return weights.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# no softmax: scores as weights
@wrong("example")
def no_softmax(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, 0) @ v


# scores divided by their sum, in place of softmax
@wrong("example")
def divided_by_the_sum_of_scores(q, k, v, may_attend):
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~may_attend, 0)
    return scores / scores.sum(-1, keepdim=True) @ v


# the logarithm of the weights
@wrong("example")
def log_softmax_weights(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~may_attend, -1e9).log_softmax(-1)
    return weights @ v


# sigmoid in place of softmax
@wrong("example")
def sigmoid_weights(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -math.inf).sigmoid() @ v


# only the best key counts
@wrong("example")
def only_the_best_key(q, k, v, may_attend):
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~may_attend, -math.inf)
    return F.one_hot(scores.argmax(-1), k.shape[1]).to(v.dtype) @ v


# the plain average of all allowed values
@wrong("example")
def plain_average(q, k, v, may_attend):
    weights = may_attend.to(v.dtype)
    return weights / weights.sum(-1, keepdim=True) @ v


# powers of 2 in place of e
@wrong("example")
def powers_of_two(q, k, v, may_attend):
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~may_attend, -math.inf)
    powers = torch.exp2(scores - scores.amax(-1, keepdim=True))
    return powers / powers.sum(-1, keepdim=True) @ v


# exp without taking away the largest score: overflows above 88 in float32
@wrong("large")
def exp_overflows(q, k, v, may_attend):
    powers = torch.exp(q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~may_attend, 0)
    return powers / powers.sum(-1, keepdim=True) @ v


# exp without taking away the largest score, and a small number in the sum: scores below -30 vanish
@wrong("large")
def exp_with_a_small_number(q, k, v, may_attend):
    powers = torch.exp(q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~may_attend, 0)
    return powers / (powers.sum(-1, keepdim=True) + 1e-9) @ v


# scores cut at 80 against overflow: above it all keys are the same
@wrong("large")
def scores_cut_at_eighty(q, k, v, may_attend):
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).clamp(-80, 80)
    powers = scores.exp() * may_attend
    return powers / powers.sum(-1, keepdim=True) @ v


# takes away the largest score of the whole batch: a query with scores far below gets 0 / 0
@wrong("large")
def largest_of_the_whole_batch(q, k, v, may_attend):
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~may_attend, -math.inf)
    powers = torch.exp(scores - scores.max())
    return powers / powers.sum(-1, keepdim=True) @ v


# takes away the largest score, hidden ones too: 0 / 0 if a hidden score is far larger
@wrong("forbidden")
def largest_of_the_hidden_too(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    powers = torch.exp(scores - scores.amax(-1, keepdim=True)) * may_attend
    return powers / powers.sum(-1, keepdim=True) @ v


# takes away the mean score: not enough if one score is far above the mean
@wrong("forbidden")
def mean_taken_away(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    powers = torch.exp(scores - scores.mean(-1, keepdim=True)) * may_attend
    return powers / powers.sum(-1, keepdim=True) @ v


# takes away the largest, but hidden powers are multiplied by 0: inf times 0 is NaN
@wrong("forbidden")
def infinite_power_times_zero(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    largest = scores.masked_fill(~may_attend, -math.inf).amax(-1, keepdim=True)
    powers = torch.exp(scores - largest) * may_attend
    return powers / powers.sum(-1, keepdim=True) @ v


# divided by the number of allowed keys as well
@wrong("example")
def divided_by_the_number_of_keys(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~may_attend, -math.inf).softmax(-1)
    return weights @ v / may_attend.sum(-1, keepdim=True)


# the keys are averaged, not the values (needs E = D to have the right shape)
@wrong("structure")
def keys_averaged(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ k


# the values take the part of the keys (raises if E is not D)
@wrong("RAISED")
def values_as_keys(q, k, v, may_attend):
    scores = q @ v.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# the keys ask themselves (needs L = S)
@wrong("RAISED")
def keys_ask_themselves(q, k, v, may_attend):
    scores = k @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# reshape in place of transpose: the numbers of different keys get mixed (right if S or D is 1)
@wrong("example")
def reshaped_instead_of_transposed(q, k, v, may_attend):
    scores = q @ k.reshape(k.shape[0], k.shape[2], k.shape[1]) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# only the first example
@wrong("structure")
def only_the_first_example(q, k, v, may_attend):
    scores = q[0] @ k[0].T / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend[0], -math.inf).softmax(-1) @ v[0]


# the keys of the first example for all
@wrong("any-batch")
def keys_of_the_first_example(q, k, v, may_attend):
    scores = q @ k[0].T / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# the values of the first example for all
@wrong("any-batch")
def values_of_the_first_example(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v[0]


# einsum adds up over the examples of the keys
@wrong("any-batch")
def einsum_adds_up_the_batch(q, k, v, may_attend):
    scores = torch.einsum("bld,csd->bls", q, k) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# all examples look at one another: the batch is one long sequence
@wrong("any-batch")
def examples_look_at_one_another(q, k, v, may_attend):
    scores = torch.einsum("bld,csd->blcs", q, k) / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~may_attend[:, :, None], -math.inf)
    weights = scores.flatten(2).softmax(-1).view_as(scores)
    return torch.einsum("blcs,cse->ble", weights, v)


# a result as wide as the queries: works only if E = D
@wrong("RAISED")
def result_as_wide_as_the_query(q, k, v, may_attend):
    result = torch.zeros_like(q)
    for b in range(len(q)):
        scores = q[b] @ k[b].T / math.sqrt(q.shape[-1])
        result[b] = scores.masked_fill(~may_attend[b], -math.inf).softmax(-1) @ v[b]
    return result


# the loop over the keys runs as far as there are queries
@wrong("example")
def as_many_keys_as_queries(q, k, v, may_attend):
    length = min(q.shape[1], k.shape[1])
    scores = q @ k[:, :length].mT / math.sqrt(q.shape[-1])
    scores = scores.masked_fill(~may_attend[:, :, :length], -math.inf)
    return scores.softmax(-1) @ v[:, :length]


# the scale is written into the caller's q
@wrong("gradient")
def spoils_the_query(q, k, v, may_attend):
    with torch.no_grad():
        q /= math.sqrt(q.shape[-1])
    scores = (q @ k.mT).masked_fill(~may_attend, -math.inf)
    return scores.softmax(-1) @ v


# the caller's mask is turned round, and stays so
@wrong("inputs")
def spoils_the_mask(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill_(may_attend.logical_not_(), -math.inf).softmax(-1) @ v


# the mask is turned round in place and back: it ends as it was, but backward raises
@wrong("gradient")
def mask_turned_back_too_late_for_autograd(q, k, v, may_attend):
    hidden = may_attend.logical_not_()
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(hidden, -math.inf)
    may_attend.logical_not_()
    return scores.softmax(-1) @ v


# the caller's keys are turned over in place, and stay so
@wrong("RAISED")
def spoils_the_keys(q, k, v, may_attend):
    scores = q @ k.transpose_(1, 2) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# values that no query may look at are set to 0 in the caller's v
@wrong("inputs")
def spoils_the_values(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    with torch.no_grad():
        v[~may_attend.any(1)] = 0
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# the weights are detached: no gradient comes to q and k
@wrong("gradient")
def weights_detached(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1).detach() @ v


# no_grad around it: no gradient at all
@wrong("gradient")
def without_gradients(q, k, v, may_attend):
    with torch.no_grad():
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# NumPy: the numbers are right, no gradient at all
@wrong("gradient")
def through_numpy(q, k, v, may_attend):
    queries, keys, values = q.detach().numpy(), k.detach().numpy(), v.detach().numpy()
    scores = queries @ keys.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
    scores = np.where(may_attend.numpy(), scores, -np.inf)
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    weights = powers / powers.sum(-1, keepdims=True)
    return torch.from_numpy(weights @ values).to(q.dtype)


# lists: each score a Python number, no gradient comes to q and k
@wrong("gradient")
def scores_as_python_numbers(q, k, v, may_attend):
    result = v.new_zeros(*q.shape[:2], v.shape[-1])
    for b in range(q.shape[0]):
        for i in range(q.shape[1]):
            yes = may_attend[b, i].nonzero().flatten().tolist()
            scores = [(q[b, i] @ k[b, j]).item() / math.sqrt(q.shape[-1]) for j in yes]
            powers = [math.exp(score - max(scores)) for score in scores]
            for power, j in zip(powers, yes):
                result[b, i] += power / sum(powers) * v[b, j]
    return result


# always float32: float64 loses digits
@wrong("any-batch")
def always_float32(q, k, v, may_attend):
    scores = q.float() @ k.float().mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v.float()


# float16 inside: large scores overflow, and digits are lost
@wrong("example")
def half_inside(q, k, v, may_attend):
    scores = (q @ k.mT / math.sqrt(q.shape[-1])).half()
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1).to(v.dtype) @ v


# dropout is left on: other weights at every call
@wrong("example")
def dropout_left_on(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~may_attend, -math.inf).softmax(-1)
    return F.dropout(weights, 0.1) @ v


# returns the weights
@wrong("structure")
def returns_the_weights(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return scores.masked_fill(~may_attend, -math.inf).softmax(-1)


# returns the result and the weights
@wrong("structure")
def returns_both(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~may_attend, -math.inf).softmax(-1)
    return weights @ v, weights


# the query is added to the result (needs E = D to be added at all)
@wrong("RAISED")
def query_added(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return q + scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v


# sizes of 1 are lost
@wrong("example")
def sizes_of_one_are_lost(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    return (scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v).squeeze()


# the first query only: its result for all
@wrong("any-batch")
def first_query_for_all(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    result = scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v
    return result[:, :1].expand_as(result)


# forgets to return
@wrong("structure")
def nothing_returned(q, k, v, may_attend):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    scores.masked_fill(~may_attend, -math.inf).softmax(-1) @ v
