import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# an outer product, and rows one after the other
@right
def outer_and_rows(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return torch.outer(left, right_)
    return torch.stack([p * ask(a, None)[1] for a, p in enumerate(left)])


# loops over pairs
@right
def loops(ask, at_once):
    left, both = ask(None, None)
    size = len(left)
    table = torch.zeros(size, size)
    for a in range(size):
        second = both if at_once else ask(a, None)[1]
        for b in range(size):
            table[a, b] = left[a] * second[b]
    return table


# a matrix product of a column and a row, a diagonal times conditionals
@right
def matrices(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left.unsqueeze(1) @ right_.unsqueeze(0)
    given = torch.stack([ask(a, None)[1] for a in range(left.numel())])
    return torch.diag(left) @ given


# einsum, ids as tensors
@right
def einsum(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return torch.einsum("a,b->ab", left, right_)
    given = torch.stack([ask(torch.tensor(a), None)[1] for a in range(len(left))])
    return torch.einsum("a,ab->ab", left, given)


# lists
@right
def lists(ask, at_once):
    left, right_ = ask(None, None)
    rows = []
    for a in range(len(left)):
        second = right_ if at_once else ask(a, None)[1]
        rows.append([float(left[a]) * float(x) for x in second])
    return torch.tensor(rows)


# ---------------------------------------------------------------- wrong


# a list of lists
@wrong("structure")
def list_of_lists(ask, at_once):
    left, right_ = ask(None, None)
    return [[float(a * b) for b in right_] for a in left]


# the likeliest pair
@wrong("structure")
def likeliest_pair(ask, at_once):
    left, right_ = ask(None, None)
    return left.argmax(), right_.argmax()


# the conditionals, without the left probability
@wrong("structure")
def conditionals_alone(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return torch.stack([ask(a, None)[1] for a in range(len(left))])


# a sum in place of a product
@wrong("structure")
def sums(ask, at_once):
    left, right_ = ask(None, None)
    return left[:, None] + right_


# pairs on the diagonal alone
@wrong("structure")
def elementwise(ask, at_once):
    left, right_ = ask(None, None)
    return left * right_


# likeliest answers, as a table of ones
@wrong("at-once")
def greedy(ask, at_once):
    left, right_ = ask(None, None)
    table = torch.zeros(len(left), len(left))
    a = int(left.argmax())
    second = right_ if at_once else ask(a, None)[1]
    table[a, int(second.argmax())] = 1.0
    return table


# at once is done one by one
@wrong("at-once")
def always_one_by_one(ask, at_once):
    left, _ = ask(None, None)
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])


# rows and columns exchanged
@wrong("at-once")
def turned(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return right_[:, None] * left
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))]).T


# the flag is read the other way round
@wrong("at-once")
def flag_turned(ask, at_once):
    left, right_ = ask(None, None)
    if not at_once:
        return left[:, None] * right_
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])


# all pairs equally
@wrong("at-once")
def all_equal(ask, at_once):
    size = len(ask(None, None)[0])
    return torch.full((size, size), 1 / size**2)


# the left answers at both places
@wrong("at-once")
def left_twice(ask, at_once):
    left, _ = ask(None, None)
    if at_once:
        return left[:, None] * left
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])


# one by one is done at once
@wrong("one-by-one", "filling at once")
def always_at_once(ask, at_once):
    left, right_ = ask(None, None)
    return left[:, None] * right_


# one by one, turned at the end
@wrong("one-by-one", "exchanged")
def turned_at_the_end(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))]).T


# the left probabilities along the wrong axis
@wrong("structure")
def wrong_axis(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return left * torch.stack([ask(a, None)[1] for a in range(len(left))])


# the right probability of the first question, times the second
@wrong("structure")
def right_twice(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return torch.stack([left[a] * right_ * ask(a, None)[1] for a in range(len(left))])


# the likeliest left answer is taken for all
@wrong("one-by-one")
def likeliest_left_first(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return left[:, None] * ask(int(left.argmax()), None)[1]


# halfway between both
@wrong("one-by-one")
def halfway(ask, at_once):
    left, right_ = ask(None, None)
    product = left[:, None] * right_
    if at_once:
        return product
    given = torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])
    return (product + given) / 2


# the right place first: the same for a true table, another one for a network
@wrong("any-model")
def right_place_first(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return torch.stack([right_[b] * ask(None, b)[0] for b in range(len(right_))], dim=1)


# rounded
@wrong("any-model")
def rounded(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return (left[:, None] * right_ * 100).round() / 100
    return (torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))]) * 100).round() / 100


# impossible left answers are left out below one per cent
@wrong("any-model")
def small_ones_left_out(ask, at_once):
    left, right_ = ask(None, None)
    left = torch.where(left < 0.01, 0.0, left)
    if at_once:
        return left[:, None] * right_
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])


# the right marginal is found by summing, at once too
@wrong("any-model")
def marginal_by_summing(ask, at_once):
    left, _ = ask(None, None)
    table = torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])
    return left[:, None] * table.sum(0) if at_once else table


# it asks about every pair
@wrong("asked", "")
def asks_every_pair(ask, at_once):
    left, right_ = ask(None, None)
    size = len(left)
    if at_once:
        return left[:, None] * right_
    for a in range(size):
        for b in range(size):
            ask(a, b)
    return torch.stack([left[a] * ask(a, None)[1] for a in range(size)])


# it asks again for each probability
@wrong("asked")
def asks_again_and_again(ask, at_once):
    size = len(ask(None, None)[0])
    rows = []
    for a in range(size):
        second = ask(None, None)[1] if at_once else ask(a, None)[1]
        rows.append(ask(None, None)[0][a] * second)
    return torch.stack(rows)


# at once, it asks one by one as well
@wrong("asked")
def asks_one_by_one_in_vain(ask, at_once):
    left, right_ = ask(None, None)
    table = torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])
    return left[:, None] * right_ if at_once else table
