import itertools
from functools import lru_cache, reduce

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# broadcasting, and a stack of rows
@right
def broadcast_and_stack(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_[None, :]
    rows = [left[a] * ask(a, None)[1] for a in range(len(left))]
    return torch.stack(rows)


# a beginner's loops: an empty table that is filled
@right
def loops_fill_a_table(ask, at_once):
    left, right_ = ask(None, None)
    size = len(left)
    table = torch.zeros(size, size, dtype=left.dtype)
    for a in range(size):
        if not at_once:
            _, right_ = ask(a, None)
        for b in range(size):
            table[a, b] = left[a] * right_[b]
    return table


# the outer product, and rows written in place
@right
def outer_and_rows(ask, at_once):
    left, right_ = ask(None, None)
    table = torch.outer(left, right_)
    if not at_once:
        for a, p in enumerate(left):
            table[a] = p * ask(a, None)[1]
    return table


# both cases are one: a table of right answers, one row for each left answer
@right
def one_formula_for_both(ask, at_once):
    left, right_ = ask(None, None)
    answers = [right_ if at_once else ask(a, None)[1] for a in range(left.numel())]
    return torch.einsum("a,ab->ab", left, torch.stack(answers))


# a diagonal matrix times the conditionals
@right
def diagonal_times_conditionals(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        conditional = right_.expand(len(left), -1)
    else:
        conditional = torch.stack([ask(a, None)[1] for a in range(len(left))])
    return torch.diag(left) @ conditional


# numpy, turned into a tensor at the end
@right
def numpy_at_heart(ask, at_once):
    left, right_ = (p.numpy() for p in ask(None, None))
    if at_once:
        return torch.from_numpy(np.outer(left, right_))
    rows = [left[a] * ask(a, None)[1].numpy() for a in range(left.size)]
    return torch.from_numpy(np.array(rows))


# plain lists of floats
@right
def plain_lists(ask, at_once):
    left, right_ = (p.tolist() for p in ask(None, None))
    table = []
    for a, p in enumerate(left):
        row = right_ if at_once else ask(a, None)[1].tolist()
        table.append([p * q for q in row])
    return torch.tensor(table)


# ids as tensors of no dimension
@right
def ids_as_tensors(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return torch.mul(left.unsqueeze(1), right_.unsqueeze(0))
    return torch.stack([left[a] * ask(a, None)[1] for a in torch.arange(len(left))])


# only left answers that can come out are asked for
@right
def only_possible_left_answers(ask, at_once):
    left, right_ = ask(None, None)
    table = left.new_zeros(len(left), len(right_))
    if at_once:
        table += left[:, None] * right_
    else:
        for a in left.nonzero().flatten().tolist():
            table[a] = left[a] * ask(a, None)[1]
    return table


# products of all pairs, as a list that is folded to a table
@right
def products_of_all_pairs(ask, at_once):
    left, right_ = ask(None, None)
    size = len(left)
    if at_once:
        return torch.tensor(
            [p * q for p, q in itertools.product(left.tolist(), right_.tolist())]
        ).reshape(size, size)
    pairs = itertools.chain.from_iterable((left[a] * ask(a, None)[1]).tolist() for a in range(size))
    return torch.tensor(list(pairs)).view(size, size)


# the Kronecker product
@right
def kronecker(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return torch.kron(left, right_).reshape(len(left), len(right_))
    return torch.cat([torch.kron(p[None], ask(a, None)[1])[None] for a, p in enumerate(left)])


# recursion over the left answers
@right
def recursion_over_left_answers(ask, at_once):
    left, right_ = ask(None, None)

    def rows(a):
        if a == len(left):
            return []
        row = right_ if at_once else ask(a, None)[1]
        return [left[a] * row, *rows(a + 1)]

    return torch.stack(rows(0))


# logarithms: a sum for a product
@right
def sums_of_logarithms(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return (left.log()[:, None] + right_.log()).exp()
    rows = [ask(a, None)[1].log() for a in range(len(left))]
    return (left.log()[:, None] + torch.stack(rows)).exp()


# columns first, transposed at the end
@right
def columns_then_transposed(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return torch.stack([left * q for q in right_]).T
    conditional = torch.stack([ask(a, None)[1] for a in range(len(left))], dim=1)
    return (left * conditional).T


# a model with a memory: asked twice, it answers once
@right
def model_with_a_memory(ask, at_once):
    ask = lru_cache(maxsize=None)(ask)
    size = len(ask(None, None)[0])
    table = torch.empty(size, size, dtype=ask(None, None)[0].dtype)
    for a, b in itertools.product(range(size), repeat=2):
        known = None if at_once else a
        table[a, b] = ask(None, None)[0][a] * ask(known, None)[1][b]
    return table


# map and a fold that joins the rows
@right
def map_and_fold(ask, at_once):
    left, right_ = ask(None, None)
    rows = map(lambda a: left[a] * (right_ if at_once else ask(a, None)[1]), range(len(left)))
    return reduce(lambda table, row: torch.vstack((table, row)), rows).reshape(len(left), -1)


# ---------------------------------------------------------------- wrong


# printed, not returned
@wrong("structure")
def printed(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        print(left[:, None] * right_)
    else:
        print(torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))]))


# nested lists
@wrong("structure")
def nested_lists(ask, at_once):
    left, right_ = ask(None, None)
    rows = [right_ if at_once else ask(a, None)[1] for a in range(len(left))]
    return [[float(p * q) for q in row] for p, row in zip(left, rows)]


# a list of rows that is not stacked
@wrong("structure")
def rows_not_stacked(ask, at_once):
    left, right_ = ask(None, None)
    return [left[a] * (right_ if at_once else ask(a, None)[1]) for a in range(len(left))]


# a dictionary of pairs
@wrong("structure")
def dictionary_of_pairs(ask, at_once):
    left, right_ = ask(None, None)
    table = {}
    for a in range(len(left)):
        row = right_ if at_once else ask(a, None)[1]
        for b in range(len(row)):
            table[a, b] = float(left[a] * row[b])
    return table


# all pairs in one long row
@wrong("structure")
def one_long_row(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return torch.kron(left, right_)
    return torch.cat([left[a] * ask(a, None)[1] for a in range(len(left))])


# the two answers side by side
@wrong("structure")
def two_answers_side_by_side(ask, at_once):
    return torch.stack(ask(None, None))


# the two answers as they come
@wrong("structure")
def two_answers_as_they_come(ask, at_once):
    return ask(None, None)


# elementwise: each left id meets the same right id only
@wrong("structure")
def elementwise(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left * right_
    return torch.stack([left[a] * ask(a, None)[1][a] for a in range(len(left))])


# the dot product: one number
@wrong("structure")
def dot_product(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left @ right_
    return sum(left[a] * ask(a, None)[1] for a in range(len(left)))


# a sum in place of a product
@wrong("structure")
def sum_for_product(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] + right_
    return torch.stack([left[a] + ask(a, None)[1] for a in range(len(left))])


# one by one: the conditionals alone, each row sums to 1
@wrong("structure")
def conditionals_alone(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return torch.stack([ask(a, None)[1] for a in range(len(left))])


# at once: the right answer in every row
@wrong("structure")
def right_answer_in_every_row(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return right_.repeat(len(left), 1)
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])


# one by one: the left probability is applied twice
@wrong("structure")
def left_applied_twice(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))]) * left[:, None]


# logarithms of the probabilities
@wrong("structure")
def logarithms(ask, at_once):
    left, right_ = ask(None, None)
    rows = [right_ if at_once else ask(a, None)[1] for a in range(len(left))]
    return (left[:, None] * torch.stack(rows)).log()


# whole numbers: the table cuts the probabilities
@wrong("structure")
def table_of_whole_numbers(ask, at_once):
    left, right_ = ask(None, None)
    table = torch.zeros(len(left), len(left), dtype=torch.long)
    for a in range(len(left)):
        row = right_ if at_once else ask(a, None)[1]
        table[a] = (left[a] * row).long()
    return table


# each row is made to sum to 1
@wrong("structure")
def rows_sum_to_one(ask, at_once):
    left, right_ = ask(None, None)
    rows = [right_ if at_once else ask(a, None)[1] for a in range(len(left))]
    return torch.softmax(left[:, None] * torch.stack(rows), dim=1)


# percent
@wrong("structure")
def percent(ask, at_once):
    left, right_ = ask(None, None)
    rows = [right_ if at_once else ask(a, None)[1] for a in range(len(left))]
    return 100 * left[:, None] * torch.stack(rows)


# the most likely pair: two ids
@wrong("structure")
def most_likely_pair(ask, at_once):
    left, right_ = ask(None, None)
    a = left.argmax()
    if not at_once:
        right_ = ask(a.item(), None)[1]
    return torch.stack([a, right_.argmax()])


# returns inside the loop: the first row only
@wrong("structure")
def first_row_only(ask, at_once):
    left, right_ = ask(None, None)
    rows = []
    for a in range(len(left)):
        rows.append(left[a] * (right_ if at_once else ask(a, None)[1]))
        return torch.stack(rows)


# the last left answer is forgotten
@wrong("structure")
def last_left_answer_forgotten(ask, at_once):
    left, right_ = ask(None, None)
    table = torch.zeros(len(left), len(left))
    for a in range(len(left) - 1):
        table[a] = left[a] * (right_ if at_once else ask(a, None)[1])
    return table


# transposed at once: the right id stands in front
@wrong("at-once")
def transposed_at_once(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return right_[:, None] * left
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])


# transposed in both cases
@wrong("at-once")
def transposed_in_both(ask, at_once):
    left, right_ = ask(None, None)
    rows = [right_ if at_once else ask(a, None)[1] for a in range(len(left))]
    return (left[:, None] * torch.stack(rows)).T


# at_once is read the wrong way round
@wrong("at-once")
def at_once_turned_round(ask, at_once):
    left, right_ = ask(None, None)
    if not at_once:
        return left[:, None] * right_
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])


# always one by one
@wrong("at-once")
def always_one_by_one(ask, at_once):
    left, _ = ask(None, None)
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])


# at once: the left answer for both places
@wrong("at-once")
def left_answer_twice(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return torch.outer(left, left)
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])


# at once: the right answer for both places
@wrong("at-once")
def right_answer_twice(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return torch.outer(right_, right_)
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])


# the two answers are exchanged when they are unpacked
@wrong("at-once")
def unpacked_the_wrong_way(ask, at_once):
    right_, left = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return torch.stack([left[a] * ask(a, None)[0] for a in range(len(left))])


# at once: the most likely left answer is taken, not drawn
@wrong("at-once")
def most_likely_left_at_once(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        table = torch.zeros(len(left), len(right_), dtype=left.dtype)
        table[left.argmax()] = right_
        return table
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])


# all pairs alike
@wrong("at-once")
def all_pairs_alike(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return torch.full((len(left), len(left)), 1 / len(left) ** 2)
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])


# at once: the two places always agree
@wrong("at-once")
def places_always_agree(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return torch.diag(left)
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])


# at once: one pair is drawn and gets everything
@wrong("at-once")
def one_pair_drawn(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        table = torch.zeros(len(left), len(left))
        generator = torch.Generator().manual_seed(0)
        a = torch.multinomial(left, 1, generator=generator).item()
        b = torch.multinomial(right_, 1, generator=generator).item()
        table[a, b] = 1
        return table
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])


# at once: 500 pairs are drawn and counted
@wrong("at-once")
def pairs_drawn_and_counted(ask, at_once):
    left, right_ = ask(None, None)
    if not at_once:
        return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])
    generator = torch.Generator().manual_seed(0)
    a = torch.multinomial(left, 500, replacement=True, generator=generator)
    b = torch.multinomial(right_, 500, replacement=True, generator=generator)
    counts = torch.bincount(a * len(left) + b, minlength=len(left) ** 2)
    return counts.reshape(len(left), len(left)) / 500


# at once: the mean of both answers stands for each of them
@wrong("at-once")
def mean_of_both_answers(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        mean = (left + right_) / 2
        return mean[:, None] * mean
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])


# always at once
@wrong("one-by-one")
def always_at_once(ask, at_once):
    left, right_ = ask(None, None)
    return left[:, None] * right_


# one by one: stacked as columns
@wrong("one-by-one")
def stacked_as_columns(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))], dim=1)


# one by one: the answer for the left place is read
@wrong("one-by-one")
def left_answer_read(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return torch.stack([left[a] * ask(a, None)[0] for a in range(len(left))])


# one by one: the rows are weighted with the right answer
@wrong("one-by-one")
def weighted_with_the_right_answer(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return torch.stack([right_[a] * ask(a, None)[1] for a in range(len(left))])


# one by one: the weights are all alike
@wrong("one-by-one")
def weights_all_alike(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return torch.stack([ask(a, None)[1] / len(left) for a in range(len(left))])


# one by one: only the most likely left answer goes on
@wrong("one-by-one")
def most_likely_left_goes_on(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    a = int(left.argmax())
    table = torch.zeros(len(left), len(left), dtype=left.dtype)
    table[a] = ask(a, None)[1]
    return table


# one by one: the most likely right answer gets the whole row
@wrong("one-by-one")
def most_likely_right_gets_all(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    table = torch.zeros(len(left), len(left), dtype=left.dtype)
    for a in range(len(left)):
        table[a, ask(a, None)[1].argmax()] = left[a]
    return table


# one by one: the right answer under the likeliest left one, in every row
@wrong("one-by-one")
def likeliest_left_for_every_row(ask, at_once):
    left, right_ = ask(None, None)
    if not at_once:
        right_ = ask(int(left.argmax()), None)[1]
    return left[:, None] * right_


# one by one: the loop uses the right answer of the last question for all rows
@wrong("one-by-one")
def last_question_for_all_rows(ask, at_once):
    left, right_ = ask(None, None)
    if not at_once:
        for a in range(len(left)):
            right_ = ask(a, None)[1]
    return left[:, None] * right_


# one by one: the mean of all right answers
@wrong("one-by-one")
def mean_of_right_answers(ask, at_once):
    left, right_ = ask(None, None)
    if not at_once:
        right_ = torch.stack([ask(a, None)[1] for a in range(len(left))]).mean(dim=0)
    return left[:, None] * right_


# one by one: the id before this one is asked for
@wrong("one-by-one")
def id_before_this_one(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    size = len(left)
    return torch.stack([left[a] * ask((a - 1) % size, None)[1] for a in range(size)])


# one by one: rows from the last id to the first
@wrong("one-by-one")
def rows_backwards(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return torch.stack([left[a] * ask(a, None)[1] for a in reversed(range(len(left)))])


# one by one: the row is asked for with id 0 always
@wrong("one-by-one")
def always_id_zero(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return torch.stack([left[a] * ask(0, None)[1] for a in range(len(left))])


# one by one: the left answer stands in the right place
@wrong("one-by-one")
def left_answer_in_the_right_place(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return torch.stack([left[a] * ask(None, a)[1] for a in range(len(left))])


# one by one: the table of at once, and its diagonal alone
@wrong("one-by-one")
def diagonal_of_at_once(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    table = torch.diag(left * right_)
    return table / table.sum() if table.sum() > 0 else left[:, None] * right_


# one by one: the weight stands on the wrong side of the product
@wrong("one-by-one")
def weight_on_the_columns(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    table = left * torch.stack([ask(a, None)[1] for a in range(len(left))])
    return table / table.sum() if table.sum() > 0 else left[:, None] * right_


# one by one: the average of both ways
@wrong("one-by-one")
def average_of_both_ways(ask, at_once):
    left, right_ = ask(None, None)
    independent = left[:, None] * right_
    if at_once:
        return independent
    rows = torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])
    return (independent + rows) / 2


# the right place first: the same table where the model has one truth
@wrong("any-model")
def right_place_first(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return torch.stack([right_[b] * ask(None, b)[0] for b in range(len(left))], dim=1)


# the mean of both orders: the same table where the model has one truth
@wrong("any-model")
def mean_of_both_orders(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    first = torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])
    second = torch.stack([right_[b] * ask(None, b)[0] for b in range(len(left))], dim=1)
    return (first + second) / 2


# at once: the right answer is summed up from the table of one by one
@wrong("any-model")
def right_answer_by_the_sum(ask, at_once):
    left, _ = ask(None, None)
    rows = torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])
    return left[:, None] * rows.sum(dim=0) if at_once else rows


# the columns are made to sum to the right answer
@wrong("any-model")
def columns_fitted_to_the_right_answer(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    rows = torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])
    total = rows.sum(dim=0)
    return torch.where(total > 0, rows * right_ / total.clamp_min(1e-12), rows)


# the last row is what is left over
@wrong("any-model")
def last_row_is_left_over(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    rows = [left[a] * ask(a, None)[1] for a in range(len(left) - 1)]
    rows.append(right_ - sum(rows))
    return torch.stack(rows)


# unlikely left answers are left out
@wrong("any-model")
def unlikely_left_out(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    table = torch.zeros(len(left), len(left), dtype=left.dtype)
    for a in range(len(left)):
        if left[a] > 0.05:
            table[a] = left[a] * ask(a, None)[1]
    return table / table.sum()


# rounded to two digits, and made to sum to 1 again
@wrong("any-model")
def rounded_to_two_digits(ask, at_once):
    left, right_ = ask(None, None)
    rows = [right_ if at_once else ask(a, None)[1] for a in range(len(left))]
    table = (left[:, None] * torch.stack(rows)).round(decimals=2)
    return table / table.sum()


# one id alone: squeeze takes the dimensions away
@wrong("any-model")
def squeeze_takes_one_id_away(ask, at_once):
    left, right_ = ask(None, None)
    rows = [right_ if at_once else ask(a, None)[1] for a in range(len(left))]
    return (left[:, None] * torch.stack(rows)).squeeze()


# at most five ids: the others get the answer of both [MASK]s
@wrong("any-model")
def five_ids_at_most(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    rows = [ask(a, None)[1] if a < 5 else right_ for a in range(len(left))]
    return left[:, None] * torch.stack(rows)


# one by one only where the columns sum to the right answer; otherwise at once
@wrong("any-model")
def only_where_the_columns_fit(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    rows = torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])
    return rows if torch.allclose(rows.sum(dim=0), right_, atol=1e-3) else left[:, None] * right_


# an epsilon for certain answers, and the sum is made 1 again
@wrong("one-by-one")
def epsilon_everywhere(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    table = torch.stack([left[a] * ask(a, None)[1] + 0.01 for a in range(len(left))])
    return table / table.sum()


# at once: asks twice, once for each place
@wrong("asked")
def asks_twice_at_once(ask, at_once):
    left = ask(None, None)[0]
    if at_once:
        return left[:, None] * ask(None, None)[1]
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])


# all questions are asked before at_once is looked at
@wrong("asked")
def all_questions_before(ask, at_once):
    left, right_ = ask(None, None)
    rows = torch.stack([ask(a, None)[1] for a in range(len(left))])
    return left[:, None] * (right_ if at_once else rows)


# the question of both [MASK]s stands in the loop
@wrong("asked")
def both_masks_in_the_loop(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return torch.stack([ask(None, None)[0][a] * ask(a, None)[1] for a in range(len(left))])


# at once: the same question for every row
@wrong("asked")
def same_question_for_every_row(ask, at_once):
    left, _ = ask(None, None)
    return torch.stack([left[a] * ask(None if at_once else a, None)[1] for a in range(len(left))])


# one question for each pair
@wrong("asked")
def question_for_each_pair(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    size = len(left)
    pairs = [left[a] * ask(a, None)[1][b] for a in range(size) for b in range(size)]
    return torch.stack(pairs).reshape(size, size)


# asks with both tokens given, to be sure
@wrong("asked")
def both_tokens_given(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    rows = [left[a] * ask(a, None)[1] for a in range(len(left))]
    ask(0, 0)
    return torch.stack(rows)


# asks the other direction too, and throws it away
@wrong("asked")
def other_direction_thrown_away(ask, at_once):
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    rows = []
    for a in range(len(left)):
        rows.append(left[a] * ask(a, None)[1])
        ask(None, a)
    return torch.stack(rows)


# asks once for the number of ids, and once for the answers
@wrong("asked")
def once_for_the_number_of_ids(ask, at_once):
    size = len(ask(None, None)[0])
    left, right_ = ask(None, None)
    if at_once:
        return left[:, None] * right_
    return torch.stack([left[a] * ask(a, None)[1] for a in range(size)])


# one row too many
@wrong("RAISED")
def one_row_too_many(ask, at_once):
    left, right_ = ask(None, None)
    rows = [left[a] * right_ for a in range(len(left) + 1)]
    return torch.stack(rows)


# asks with one argument
@wrong("RAISED")
def asks_with_one_argument(ask, at_once):
    left, right_ = ask(None)
    return left[:, None] * right_


# asks without arguments
@wrong("RAISED")
def asks_without_arguments(ask, at_once):
    left, right_ = ask()
    return left[:, None] * right_


# a matrix product whose sizes do not fit
@wrong("RAISED")
def sizes_do_not_fit(ask, at_once):
    left, right_ = ask(None, None)
    return left[:, None] @ right_[:, None]


# the answer is taken for one tensor
@wrong("RAISED")
def answer_is_one_tensor(ask, at_once):
    p = ask(None, None)
    return p[:, 0] * p[:, 1]
