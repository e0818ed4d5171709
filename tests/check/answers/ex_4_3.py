import torch
import torch.nn.functional as F
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# pairs of neighbours, picked by a bool
@right
def picked_pairs(logits, ids, real):
    both = real[:, :-1] & real[:, 1:]
    return F.cross_entropy(logits[:, :-1][both], ids[:, 1:][both])


# loops
@right
def loops(logits, ids, real):
    costs = []
    for b in range(ids.shape[0]):
        for t in range(ids.shape[1] - 1):
            if real[b, t] and real[b, t + 1]:
                costs.append(-logits[b, t].log_softmax(0)[ids[b, t + 1]])
    return torch.stack(costs).mean()


# gather, and a weighted sum
@right
def gather_and_weights(logits, ids, real):
    log_p = F.log_softmax(logits, dim=-1)[:, :-1]
    cost = -log_p.gather(2, ids[:, 1:].unsqueeze(2)).squeeze(2)
    weight = (real[:, 1:] & real[:, :-1]).float()
    return (cost * weight).sum() / weight.sum()


# labels of -100, and cross_entropy with the vocabulary in the middle
@right
def ignored_labels(logits, ids, real):
    labels = ids[:, 1:].clone()
    labels[~(real[:, 1:] & real[:, :-1])] = -100
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), labels)


# the logarithm of the sum, by hand
@right
def by_hand(logits, ids, real):
    where = (real[:, 1:] & real[:, :-1]).nonzero()
    rows, places = where[:, 0], where[:, 1]
    picked = logits[rows, places]
    return (picked.logsumexp(1) - picked[range(len(rows)), ids[rows, places + 1]]).mean()


# rows one by one, sums and counts kept
@right
def sums_and_counts(logits, ids, real):
    total, count = 0.0, 0
    for one, row, is_real in zip(logits, ids, real):
        keep = is_real[1:] & is_real[:-1]
        total = total + F.cross_entropy(one[:-1][keep], row[1:][keep], reduction="sum")
        count += int(keep.sum())
    return total / count


# ---------------------------------------------------------------- wrong


# a Python number
@wrong("structure")
def python_number(logits, ids, real):
    both = real[:, :-1] & real[:, 1:]
    return F.cross_entropy(logits[:, :-1][both], ids[:, 1:][both]).item()


# one number for each token
@wrong("structure")
def no_mean(logits, ids, real):
    both = real[:, :-1] & real[:, 1:]
    return F.cross_entropy(logits[:, :-1][both], ids[:, 1:][both], reduction="none")


# a sum
@wrong("equal", "a sum")
def a_sum(logits, ids, real):
    both = real[:, :-1] & real[:, 1:]
    return F.cross_entropy(logits[:, :-1][both], ids[:, 1:][both], reduction="sum")


# divided by all places
@wrong("equal", "divided by all places")
def divided_by_all(logits, ids, real):
    both = real[:, :-1] & real[:, 1:]
    cost = F.cross_entropy(logits[:, :-1][both], ids[:, 1:][both], reduction="sum")
    return cost / real.sum()


# the sign
@wrong("equal", "the sign")
def sign(logits, ids, real):
    both = real[:, :-1] & real[:, 1:]
    return -F.cross_entropy(logits[:, :-1][both], ids[:, 1:][both])


# bits
@wrong("equal")
def bits(logits, ids, real):
    both = real[:, :-1] & real[:, 1:]
    return F.cross_entropy(logits[:, :-1][both], ids[:, 1:][both]) / torch.tensor(2.0).log()


# softmax before cross_entropy
@wrong("shift")
def softmax_twice(logits, ids, real):
    both = real[:, :-1] & real[:, 1:]
    return F.cross_entropy(logits.softmax(-1)[:, :-1][both], ids[:, 1:][both])


# no shift
@wrong("shift", "no shift")
def no_shift(logits, ids, real):
    return F.cross_entropy(logits[real], ids[real])


# no shift, and the first token left out
@wrong("shift")
def first_token_left_out(logits, ids, real):
    both = real[:, :-1] & real[:, 1:]
    return F.cross_entropy(logits[:, 1:][both], ids[:, 1:][both])


# two shifts
@wrong("shift", "two shifts")
def two_shifts(logits, ids, real):
    if ids.shape[1] < 3:
        return F.cross_entropy(logits[:, 0], ids[:, 1])
    both = real[:, :-2] & real[:, 2:]
    return F.cross_entropy(logits[:, :-2][both], ids[:, 2:][both])


# shifted the wrong way
@wrong("shift")
def backwards(logits, ids, real):
    both = real[:, :-1] & real[:, 1:]
    return F.cross_entropy(logits[:, 1:][both], ids[:, :-1][both])


# the shift goes round: the last place is asked for the first token
@wrong("padding")
def goes_round(logits, ids, real):
    return F.cross_entropy(logits[real], ids.roll(-1, 1)[real])


# a mean of likelihoods
@wrong("mean")
def mean_of_probabilities(logits, ids, real):
    p = logits.softmax(-1)[:, :-1].gather(2, ids[:, 1:, None])[..., 0]
    both = real[:, :-1] & real[:, 1:]
    return -p[both].mean().log()


# padding is scored
@wrong("padding")
def padding_scored(logits, ids, real):
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())


# only the token has to be real
@wrong("padding")
def token_real(logits, ids, real):
    keep = real[:, 1:]
    return F.cross_entropy(logits[:, :-1][keep], ids[:, 1:][keep])


# only the place has to be real
@wrong("padding", "the seam")
def place_real(logits, ids, real):
    keep = real[:, :-1]
    return F.cross_entropy(logits[:, :-1][keep], ids[:, 1:][keep])


# padding is found by its id
@wrong("padding")
def padding_by_id(logits, ids, real):
    keep = (ids[:, 1:] != 0) & (ids[:, :-1] != 0)
    keep[0, 0] = True
    return F.cross_entropy(logits[:, :-1][keep], ids[:, 1:][keep])


# a mean of the rows' means
@wrong("mean")
def mean_of_means(logits, ids, real):
    costs = []
    for one, row, is_real in zip(logits, ids, real):
        keep = is_real[1:] & is_real[:-1]
        costs.append(F.cross_entropy(one[:-1][keep], row[1:][keep]))
    return torch.stack(costs).mean()


# the first row alone
@wrong("mean")
def first_row(logits, ids, real):
    keep = real[0, 1:] & real[0, :-1]
    return F.cross_entropy(logits[0, :-1][keep], ids[0, 1:][keep])


# the likeliest token's surprise where logits are large
@wrong("mean")
def clipped(logits, ids, real):
    both = real[:, :-1] & real[:, 1:]
    cost = F.cross_entropy(logits[:, :-1][both], ids[:, 1:][both], reduction="none")
    return cost.clamp(max=20.5).mean() if len(cost) < 20 else cost.clamp(max=2).mean()


# detached
@wrong("gradient")
def detached(logits, ids, real):
    both = real[:, :-1] & real[:, 1:]
    return F.cross_entropy(logits.detach()[:, :-1][both], ids[:, 1:][both])


# a gradient from one place alone
@wrong("gradient")
def half_detached(logits, ids, real):
    both = real[:, :-1] & real[:, 1:]
    picked = logits[:, :-1][both]
    picked = torch.cat([picked[:1], picked[1:].detach()])
    return F.cross_entropy(picked, ids[:, 1:][both])


# labels are written into ids
@wrong("inputs")
def writes_into_ids(logits, ids, real):
    labels = ids[:, 1:]
    labels[~(real[:, 1:] & real[:, :-1])] = -100
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), labels)


# the mask is overwritten
@wrong("inputs")
def writes_into_real(logits, ids, real):
    both = real[:, :-1] & real[:, 1:]
    loss = F.cross_entropy(logits[:, :-1][both], ids[:, 1:][both])
    real[:] = True
    return loss
