import torch
from catalogue import right, wrong


@right
def one_common_number(pred, patches, hidden, p):
    each = ((pred - patches) ** 2)[hidden].sum(-1).mean().item()
    return each / pred.shape[-1], each / p**2, each


@right
def three_means(pred, patches, hidden, p):
    squares = (pred[hidden] - patches[hidden]).square()
    return squares.mean(), (squares.sum(1) / (p * p)).mean(), squares.sum(1).mean()


@right
def a_loop(pred, patches, hidden, p):
    total, count = 0.0, 0
    for b, n in hidden.nonzero().tolist():
        total += float(torch.dist(pred[b, n].double(), patches[b, n].double()) ** 2)
        count += 1
    total /= count
    return [total / pred.shape[2], total / p / p, total]


@right
def from_the_mean_up(pred, patches, hidden, p):
    mean = (pred - patches)[hidden].square().mean()
    values = patches.shape[2]
    return torch.stack([mean, mean * values / p**2, mean * values])


@right
def einsum(pred, patches, hidden, p):
    d = (pred - patches).double()
    each = torch.einsum("bnv,bnv,bn->", d, d, hidden.double()) / hidden.sum()
    return each / d.shape[2], each / p**2, each


@wrong("structure")
def one_number(pred, patches, hidden, p):
    return (pred - patches)[hidden].square().mean()


@wrong("structure")
def nothing(pred, patches, hidden, p):
    (pred - patches)[hidden].square().mean()


@wrong("structure")
def three_vectors(pred, patches, hidden, p):
    squares = (pred - patches)[hidden].square()
    return squares.mean(1), squares.sum(1) / p**2, squares.sum(1)


def _each(pred, patches, hidden):
    return float((pred - patches)[hidden].double().square().sum(1).mean())


@wrong("by-values", "kept patches are counted too")
def all_patches(pred, patches, hidden, p):
    each = float((pred - patches).square().sum(2).mean())
    return each / pred.shape[2], each / p**2, each


@wrong("by-values", "a sum over the hidden patches")
def summed_over_patches(pred, patches, hidden, p):
    each = float((pred - patches)[hidden].square().sum())
    return each / pred.shape[2], each / p**2, each


@wrong("by-values", "divided by p²")
def by_pixels_first(pred, patches, hidden, p):
    each = _each(pred, patches, hidden)
    return each / p**2, each / pred.shape[2], each


@wrong("by-values", "not divided")
def turned_round(pred, patches, hidden, p):
    each = _each(pred, patches, hidden)
    return each, each / p**2, each / pred.shape[2]


@wrong("by-values", "three channels")
def three_channels(pred, patches, hidden, p):
    each = _each(pred, patches, hidden)
    return each / (3 * p**2), each / p**2, each


@wrong("by-values", "absolute differences")
def absolute(pred, patches, hidden, p):
    each = float((pred - patches)[hidden].abs().sum(1).mean())
    return each / pred.shape[2], each / p**2, each


@wrong("by-values", "the root")
def rooted(pred, patches, hidden, p):
    each = _each(pred, patches, hidden)
    return (each / pred.shape[2]) ** 0.5, (each / p**2) ** 0.5, each**0.5


@wrong("by-pixels", "divided by p, not by p²")
def by_one_side(pred, patches, hidden, p):
    each = _each(pred, patches, hidden)
    return each / pred.shape[2], each / p, each


@wrong("by-pixels", "divided by the values of a patch")
def by_values_twice(pred, patches, hidden, p):
    each = _each(pred, patches, hidden)
    return each / pred.shape[2], each / pred.shape[2], each


@wrong("by-pixels", "not divided")
def not_divided_twice(pred, patches, hidden, p):
    each = _each(pred, patches, hidden)
    return each / pred.shape[2], each, each


@wrong("by-nothing", "divided by p²")
def by_pixels_twice(pred, patches, hidden, p):
    each = _each(pred, patches, hidden)
    return each / pred.shape[2], each / p**2, each / p**2


@wrong("by-nothing", "a sum over the hidden patches")
def third_is_a_sum_over_all_patches(pred, patches, hidden, p):
    each = _each(pred, patches, hidden)
    return each / pred.shape[2], each / p**2, each * int(hidden.sum())


@wrong("by-nothing")
def third_divided_by_the_batch(pred, patches, hidden, p):
    each = _each(pred, patches, hidden)
    return each / pred.shape[2], each / p**2, each * int(hidden.sum()) / (len(pred) + 1)


@wrong("any-patches")
def two_channels_alone(pred, patches, hidden, p):
    each = _each(pred, patches, hidden)
    return each / (2 * p**2), each / p**2, each


@wrong("any-patches")
def two_pixels_alone(pred, patches, hidden, p):
    each = _each(pred, patches, hidden)
    return each / pred.shape[2], each / 4, each


@wrong("any-patches")
def mean_of_the_pictures_means(pred, patches, hidden, p):
    means = [(a - b)[h].square().sum(1).mean() for a, b, h in zip(pred, patches, hidden) if h.any()]
    each = float(torch.stack(means).mean())
    return each / pred.shape[2], each / p**2, each


@wrong("inputs")
def kept_ones_zeroed(pred, patches, hidden, p):
    each = _each(pred, patches, hidden)
    pred[~hidden] = 0
    return each / pred.shape[2], each / p**2, each
