import torch
from catalogue import right, wrong


def _kept(cards, ratio):
    return max(1, cards - round(ratio * cards))


@right
def sort_and_sort_again(noise, ratio):
    order = torch.argsort(noise, dim=1)
    restore = torch.argsort(order, dim=1)
    k = _kept(noise.shape[1], ratio)
    keep = order[:, :k]
    hidden = torch.ones_like(noise, dtype=torch.bool)
    hidden.scatter_(1, keep, False)
    return keep, hidden, restore


@right
def rows_in_python(noise, ratio):
    keep, hidden, restore = [], [], []
    for row in noise.tolist():
        order = sorted(range(len(row)), key=row.__getitem__)
        k = _kept(len(row), ratio)
        keep.append(order[:k])
        hidden.append([card not in order[:k] for card in range(len(row))])
        restore.append([order.index(card) for card in range(len(row))])
    return [torch.tensor(keep), torch.tensor(hidden), torch.tensor(restore)]


@right
def ranks_by_comparison(noise, ratio):
    restore = (noise[:, None, :] < noise[:, :, None]).sum(dim=2)
    k = _kept(noise.shape[1], ratio)
    hidden = restore >= k
    keep = noise.topk(k, dim=1, largest=False, sorted=True).indices
    return keep, hidden, restore


@right
def scatter_the_inverse(noise, ratio):
    batch, cards = noise.shape
    order = noise.sort(dim=1).indices
    restore = torch.empty_like(order)
    restore.scatter_(1, order, torch.arange(cards).expand(batch, -1))
    k = _kept(cards, ratio)
    hidden = torch.cat([torch.zeros(batch, k), torch.ones(batch, cards - k)], 1).bool()
    return order[:, :k], hidden.gather(1, restore), restore


@right
def smaller_whole_numbers(noise, ratio):
    order = noise.argsort(1)
    k = _kept(noise.shape[1], ratio)
    restore = order.argsort(1).to(torch.int32)
    threshold = noise.sort(1).values[:, k - 1 : k]
    return order[:, :k].clone(), noise > threshold, restore


@wrong("structure")
def two_things(noise, ratio):
    order = noise.argsort(1)
    return order[:, : _kept(noise.shape[1], ratio)], order.argsort(1)


@wrong("structure")
def hidden_as_numbers(noise, ratio):
    order = noise.argsort(1)
    restore = order.argsort(1)
    k = _kept(noise.shape[1], ratio)
    return order[:, :k], (restore >= k).float(), restore


@wrong("structure")
def hidden_cards_listed(noise, ratio):
    order = noise.argsort(1)
    k = _kept(noise.shape[1], ratio)
    return order[:, :k], order[:, k:], order.argsort(1)


@wrong("structure")
def keep_as_bool(noise, ratio):
    restore = noise.argsort(1).argsort(1)
    k = _kept(noise.shape[1], ratio)
    return restore < k, restore >= k, restore


@wrong("structure")
def nothing(noise, ratio):
    noise.argsort(1)


@wrong("keep", "largest noise")
def largest_kept(noise, ratio):
    order = noise.argsort(1, descending=True)
    restore = order.argsort(1)
    k = _kept(noise.shape[1], ratio)
    return order[:, :k], restore >= k, restore


@wrong("keep", "in the order of the cards")
def keep_sorted(noise, ratio):
    order = noise.argsort(1)
    restore = order.argsort(1)
    k = _kept(noise.shape[1], ratio)
    return order[:, :k].sort(1).values, restore >= k, restore


@wrong("keep", "inverse permutation")
def keep_from_restore(noise, ratio):
    order = noise.argsort(1)
    restore = order.argsort(1)
    k = _kept(noise.shape[1], ratio)
    return restore[:, :k], restore >= k, restore


@wrong("keep", "first cards")
def first_cards(noise, ratio):
    batch, cards = noise.shape
    k = _kept(cards, ratio)
    order = torch.arange(cards).expand(batch, -1)
    return order[:, :k], order >= k, order


@wrong("hidden", "in the order of the noise")
def hidden_in_noise_order(noise, ratio):
    order = noise.argsort(1)
    k = _kept(noise.shape[1], ratio)
    hidden = torch.arange(noise.shape[1]).expand(noise.shape) >= k
    return order[:, :k], hidden, order.argsort(1)


@wrong("hidden", "turned round")
def true_means_kept(noise, ratio):
    order = noise.argsort(1)
    restore = order.argsort(1)
    k = _kept(noise.shape[1], ratio)
    return order[:, :k], restore < k, restore


@wrong("hidden")
def one_too_many(noise, ratio):
    order = noise.argsort(1)
    restore = order.argsort(1)
    k = _kept(noise.shape[1], ratio)
    return order[:, :k], restore >= k - 1, restore


@wrong("hidden")
def by_a_threshold(noise, ratio):
    order = noise.argsort(1)
    k = _kept(noise.shape[1], ratio)
    return order[:, :k], noise > 1 - ratio + 0.1, order.argsort(1)


@wrong("restore", "the shuffle itself")
def shuffle_for_restore(noise, ratio):
    order = noise.argsort(1)
    k = _kept(noise.shape[1], ratio)
    return order[:, :k], order.argsort(1) >= k, order


@wrong("restore", "nothing is put back")
def restore_is_the_identity(noise, ratio):
    order = noise.argsort(1)
    k = _kept(noise.shape[1], ratio)
    identity = torch.arange(noise.shape[1]).expand(noise.shape)
    return order[:, :k], order.argsort(1) >= k, identity


@wrong("restore")
def counted_from_one(noise, ratio):
    order = noise.argsort(1)
    k = _kept(noise.shape[1], ratio)
    restore = order.argsort(1)
    return order[:, :k], restore >= k, restore + 1


@wrong("rows", "the same for all rows")
def first_row_for_all(noise, ratio):
    order = noise[:1].argsort(1).expand(noise.shape)
    restore = order.argsort(1)
    k = _kept(noise.shape[1], ratio)
    return order[:, :k], restore >= k, restore


@wrong("rows")
def mean_noise(noise, ratio):
    order = noise.mean(0, keepdim=True).argsort(1).expand(noise.shape)
    restore = order.argsort(1)
    k = _kept(noise.shape[1], ratio)
    return order[:, :k], restore >= k, restore


@wrong("count", "cut off")
def kept_cut_off(noise, ratio):
    order = noise.argsort(1)
    restore = order.argsort(1)
    k = max(1, int(noise.shape[1] * (1 - ratio)))
    return order[:, :k], restore >= k, restore


@wrong("count")
def none_kept_at_one(noise, ratio):
    order = noise.argsort(1)
    restore = order.argsort(1)
    k = noise.shape[1] - round(noise.shape[1] * ratio)
    return order[:, :k], restore >= k, restore


@wrong("count")
def always_a_quarter(noise, ratio):
    order = noise.argsort(1)
    restore = order.argsort(1)
    k = max(1, noise.shape[1] // 4)
    return order[:, :k], restore >= k, restore


@wrong("any-noise")
def noise_taken_for_positive(noise, ratio):
    order = noise.abs().argsort(1)
    restore = order.argsort(1)
    k = _kept(noise.shape[1], ratio)
    return order[:, :k], restore >= k, restore


@wrong("any-noise")
def noise_rounded(noise, ratio):
    order = torch.sort((noise * 20).floor(), dim=1, stable=True).indices
    restore = order.argsort(1)
    k = _kept(noise.shape[1], ratio)
    return order[:, :k], restore >= k, restore


@wrong("inputs")
def sorted_in_place(noise, ratio):
    order = noise.argsort(1)
    restore = order.argsort(1)
    k = _kept(noise.shape[1], ratio)
    noise[:] = noise.sort(1).values
    return order[:, :k], restore >= k, restore


@wrong("inputs")
def kept_noise_crossed_out(noise, ratio):
    k = _kept(noise.shape[1], ratio)
    restore = noise.argsort(1).argsort(1)
    keep = []
    for _ in range(k):
        best = noise.argmin(1, keepdim=True)
        keep.append(best)
        noise.scatter_(1, best, 9.0)
    return torch.cat(keep, 1), restore >= k, restore
