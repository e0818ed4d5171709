import numpy as np
import torch
import torch.nn.functional as F
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# sorting the cards: where each one came from
@right
def argsort_rows(perm):
    return perm.argsort(dim=1)


# the second thing that sort gives
@right
def indices_of_sort(perm):
    return torch.sort(perm, dim=-1).indices


# scatter: at place perm[p] write p
@right
def scatter_places(perm):
    places = torch.arange(perm.shape[1]).expand_as(perm)
    return torch.zeros_like(perm).scatter_(1, perm, places)


# advanced assignment with a column of row numbers
@right
def assignment_with_a_column(perm):
    size, n = perm.shape
    result = torch.empty_like(perm)
    result[torch.arange(size).unsqueeze(1), perm] = torch.arange(n)
    return result


# a beginner's two loops over lists
@right
def beginner_loops(perm):
    rows = []
    for row in perm.tolist():
        result = [0] * len(row)
        for place in range(len(row)):
            card = row[place]
            result[card] = place
        rows.append(result)
    return torch.tensor(rows)


# looks for each card with list.index
@right
def list_index(perm):
    rows = perm.tolist()
    return torch.tensor([[row.index(card) for card in range(len(row))] for row in rows])


# a dictionary from card to place
@right
def dictionary(perm):
    result = []
    for row in perm:
        place_of = {card.item(): place for place, card in enumerate(row)}
        result.append(torch.tensor([place_of[card] for card in range(len(row))]))
    return torch.stack(result)


# Python's sorted over the places, with the card as key
@right
def sorted_with_a_key(perm):
    result = torch.zeros_like(perm)
    for b, row in enumerate(perm.tolist()):
        result[b] = torch.tensor(sorted(range(len(row)), key=row.__getitem__))
    return result


# NumPy's argsort
@right
def numpy_argsort(perm):
    return torch.from_numpy(np.argsort(perm.numpy(), axis=1))


# NumPy's put_along_axis
@right
def numpy_put_along_axis(perm):
    cards = perm.numpy()
    result = np.empty_like(cards)
    np.put_along_axis(result, cards, np.arange(cards.shape[1])[None], axis=1)
    return torch.from_numpy(result)


# one-hot: a 1 at (place, card); for every card the place of its 1
@right
def one_hot_argmax(perm):
    return F.one_hot(perm, perm.shape[1]).argmax(dim=1)


# one-hot matrices and einsum, in whole numbers
@right
def one_hot_einsum(perm):
    n = perm.shape[1]
    return torch.einsum("bpc,p->bc", F.one_hot(perm, n), torch.arange(n))


# compares every place with every card: each card is found once, in order
@right
def compare_and_nonzero(perm):
    cards = torch.arange(perm.shape[1])[:, None]
    return (perm[:, None, :] == cards).nonzero()[:, 2].view_as(perm)


# one long deck: cards shifted by N for every row, sorted at once, shifted back
@right
def one_long_deck(perm):
    size, n = perm.shape
    offset = n * torch.arange(size)[:, None]
    return (perm + offset).flatten().argsort().view(size, n) - offset


# the N smallest, in order
@right
def topk_smallest(perm):
    return perm.topk(perm.shape[1], dim=1, largest=False, sorted=True).indices


# follows every card round its circle, until the place is found where it lies
@right
def follows_the_circles(perm):
    result = torch.zeros_like(perm)
    for b, row in enumerate(perm.tolist()):
        for card in range(len(row)):
            place = card
            while row[place] != card:
                place = row[place]
            result[b, card] = place
    return result


# vmap over the rows
@right
def vmap_over_the_rows(perm):
    return torch.vmap(torch.argsort)(perm)


# sorts the caller's deck in place, and puts it back as it was
@right
def sorted_in_place_and_put_back(perm):
    saved = perm.clone()
    result = torch.empty_like(perm)
    torch.sort(saved, dim=1, out=(perm, result))
    perm.copy_(saved)
    return result


# ---------------------------------------------------------------- wrong


# the shuffle itself: right for shuffles that are their own inverse
@wrong("values")
def shuffle_itself(perm):
    return perm.clone()


# argsort twice gives the shuffle again
@wrong("values")
def argsort_twice(perm):
    return perm.argsort(dim=1).argsort(dim=1)


# shuffles a second time: right if three shuffles do nothing, as in the example
@wrong("values")
def shuffled_a_second_time(perm):
    return perm.gather(1, perm)


# shuffles five times: right up to 3 cards and for the example, wrong for circles of 4 or 5 cards
@wrong("values")
def shuffled_five_times(perm):
    result = perm
    for _ in range(4):
        result = perm.gather(1, result)
    return result.clone()


# shuffles eleven times: right for every row of up to 4 cards, wrong for a circle of 5 or 7 cards
@wrong("rows")
def shuffled_eleven_times(perm):
    result = perm
    for _ in range(10):
        result = perm.gather(1, result)
    return result.clone()


# shuffles N - 1 times: right if the row is one circle of N cards
@wrong("values")
def shuffled_n_minus_one_times(perm):
    result = torch.arange(perm.shape[1]).repeat(perm.shape[0], 1)
    for _ in range(perm.shape[1] - 1):
        result = perm.gather(1, result)
    return result


# gather in place of scatter: the shuffle again
@wrong("values")
def gather_instead_of_scatter(perm):
    return torch.arange(perm.shape[1]).expand_as(perm).gather(1, perm)


# one-hot, but the place is looked for along the cards: the shuffle again
@wrong("values")
def one_hot_wrong_axis(perm):
    return F.one_hot(perm, perm.shape[1]).argmax(dim=2)


# sorts along the batch
@wrong("values")
def argsort_along_the_batch(perm):
    return perm.argsort(dim=0)


# turned over for the sorting, and turned back: sorts along the batch
@wrong("values")
def turned_over_and_sorted(perm):
    return perm.T.argsort(dim=1).T


# from the largest card to the smallest
@wrong("values")
def argsort_descending(perm):
    return perm.argsort(dim=1, descending=True)


# sorts the negative cards: from the largest to the smallest
@wrong("values")
def argsort_of_negatives(perm):
    return (-perm).argsort(dim=1)


# the deck from back to front
@wrong("values")
def flipped(perm):
    return perm.flip(1)


# counts the cards from the top: N - 1 - card
@wrong("values")
def complement(perm):
    return perm.shape[1] - 1 - perm


# places counted from the other end
@wrong("values")
def places_from_the_other_end(perm):
    return perm.shape[1] - 1 - perm.argsort(dim=1)


# the sorted cards, not their places
@wrong("values")
def sorted_cards(perm):
    return perm.sort(dim=1).values


# Python's sorted on the cards: 0, 1, 2, ...
@wrong("values")
def python_sorted_cards(perm):
    return torch.tensor([sorted(row) for row in perm.tolist()])


# sorts the cards as text: 10 comes before 2, so it is wrong from 11 cards on
@wrong("rows")
def sorted_as_text(perm):
    rows = []
    for row in perm.tolist():
        rows.append(sorted(range(len(row)), key=lambda place, row=row: str(row[place])))
    return torch.tensor(rows)


# the inverse of the first row for all
@wrong("values")
def first_row_for_all(perm):
    return perm[0].argsort().repeat(perm.shape[0], 1)


# the inverse of the last row for all: one list, used for every row
@wrong("values")
def one_list_for_all_rows(perm):
    result = [0] * perm.shape[1]
    rows = []
    for row in perm.tolist():
        for place, card in enumerate(row):
            result[card] = place
        rows.append(result)
    return torch.tensor(rows)


# only the first row is done, the others stay 0
@wrong("values")
def first_row_only(perm):
    result = torch.zeros_like(perm)
    result[0] = perm[0].argsort()
    return result


# returns the first row alone, shape (N,)
@wrong("structure")
def returns_one_row(perm):
    return perm[0].argsort()


# the first row is undone, the others come back as they are
@wrong("values")
def first_row_undone_others_kept(perm):
    result = perm.clone()
    result[0] = perm[0].argsort()
    return result


# every row sorted with all the others: right for one row only
@wrong("values")
def all_rows_sorted_as_one(perm):
    return perm.flatten().argsort().view_as(perm)


# every row sorted with all the others, then modulo N
@wrong("values")
def all_rows_sorted_as_one_modulo(perm):
    return perm.flatten().argsort(stable=True).view_as(perm) % perm.shape[1]


# the long deck, but not shifted back: right in the first row
@wrong("values")
def not_shifted_back(perm):
    offset = perm.shape[1] * torch.arange(perm.shape[0])[:, None]
    return (perm + offset).flatten().argsort().view_as(perm)


# the long deck, shifted by B instead of N: right if B = N or B = 1
@wrong("rows")
def shifted_by_the_batch(perm):
    offset = perm.shape[0] * torch.arange(perm.shape[0])[:, None]
    order = (perm + offset).flatten().argsort(stable=True).view_as(perm)
    return order % perm.shape[1]


# the places are counted through the whole batch: right in the first row
@wrong("values")
def places_counted_through(perm):
    places = torch.arange(perm.numel()).view_as(perm)
    return torch.zeros_like(perm).scatter_(1, perm, places)


# scatter along the batch (needs N no larger than B)
@wrong("RAISED")
def scatter_along_the_batch(perm):
    places = torch.arange(perm.shape[1]).repeat(perm.shape[0], 1)
    return torch.zeros_like(perm).scatter_(0, perm, places)


# scatters the cards at their own places: 0, 1, 2, ...
@wrong("values")
def scatters_the_cards(perm):
    return torch.zeros_like(perm).scatter_(1, perm, perm)


# assignment without the rows: writes whole rows (raises if there are fewer rows than cards)
@wrong("RAISED")
def assignment_without_rows(perm):
    result = torch.zeros_like(perm)
    result[perm] = torch.arange(perm.shape[1])
    return result


# assignment to all rows at once: the last row wins everywhere
@wrong("values")
def assignment_to_all_rows(perm):
    result = torch.zeros_like(perm)
    for row in perm:
        result[:, row] = torch.arange(perm.shape[1])
    return result


# the rows in no column: mixes the rows if B = N, raises else
@wrong("RAISED")
def rows_not_in_a_column(perm):
    result = torch.zeros_like(perm)
    result[torch.arange(perm.shape[0]), perm] = torch.arange(perm.shape[1])
    return result


# a loop inside one list: entries are overwritten before they are read
@wrong("values")
def overwritten_before_read(perm):
    rows = perm.tolist()
    for row in rows:
        for place in range(len(row)):
            row[row[place]] = place
    return torch.tensor(rows)


# counts the places as far as there are rows
@wrong("values")
def places_counted_by_rows(perm):
    result = torch.zeros_like(perm)
    for b in range(len(perm)):
        for place in range(min(len(perm), perm.shape[1])):
            result[b, perm[b, place]] = place
    return result


# works for the 4 cards of the example
@wrong("rows")
def only_four_cards(perm):
    result = torch.zeros_like(perm)
    for b in range(len(perm)):
        for place in range(4):
            result[b, perm[b, place]] = place
    return result


# always the answer of the example
@wrong("values")
def answer_of_the_example(perm):
    return torch.tensor([[2, 1, 3, 0]]).repeat(perm.shape[0], 1)


# places counted from 1
@wrong("values")
def places_from_one(perm):
    return perm.argsort(dim=1) + 1


# the loop ends one place too early: the card at the last place keeps 0
@wrong("values")
def last_place_forgotten(perm):
    result = torch.zeros_like(perm)
    for b, row in enumerate(perm.tolist()):
        for place in range(len(row) - 1):
            result[b, row[place]] = place
    return result


# the loop begins with place 1: the card at place 0 keeps -1
@wrong("values")
def first_place_forgotten(perm):
    result = torch.full_like(perm, -1)
    for b, row in enumerate(perm.tolist()):
        for place in range(1, len(row)):
            result[b, row[place]] = place
    return result


# a float result: no index
@wrong("structure")
def float_places(perm):
    return perm.argsort(dim=1).float()


# one-hot in floats: a float result
@wrong("structure")
def float_places_from_one_hot(perm):
    chosen = F.one_hot(perm, perm.shape[1]).float()
    return torch.arange(perm.shape[1]).float() @ chosen


# an int32 result: gather does not take it as an index
@wrong("as-index")
def int32_places(perm):
    return perm.argsort(dim=1).int()


# an uint8 result: as an index it is taken for a mask, and from 257 cards on it is too small
@wrong("rows")
def uint8_places(perm):
    return perm.argsort(dim=1).to(torch.uint8)


# sorts bytes: cards from 256 on start again at 0, so it is wrong from 257 cards on
@wrong("rows")
def sorted_as_bytes(perm):
    return perm.to(torch.uint8).argsort(dim=1)


# sizes of 1 are lost
@wrong("rows")
def sizes_of_one_are_lost(perm):
    return perm.argsort(dim=1).squeeze()


# shape (N, B)
@wrong("structure")
def turned_over(perm):
    return perm.argsort(dim=1).T


# the places are one flat row
@wrong("structure")
def one_flat_row(perm):
    return torch.cat([row.argsort() for row in perm])


# right places, written into the caller's shuffle
@wrong("inputs")
def written_into_the_shuffle(perm):
    return perm.copy_(perm.argsort(dim=1))


# right places in a new tensor, but the caller's shuffle is sorted (NumPy shares the memory)
@wrong("inputs")
def sorts_the_shuffle(perm):
    result = perm.argsort(dim=1)
    perm.numpy().sort(axis=1)
    return result


# right places, but the caller's shuffle is shifted for the long deck and stays so
@wrong("inputs")
def shifts_the_shuffle(perm):
    offset = perm.shape[1] * torch.arange(perm.shape[0])[:, None]
    perm += offset
    return perm.flatten().argsort().view_as(perm) - offset


# a new order by chance
@wrong("values")
def another_shuffle(perm):
    return torch.rand(perm.shape).argsort(dim=1)


# how many smaller cards lie before it
@wrong("values")
def counts_smaller_cards_before(perm):
    before = torch.ones(perm.shape[1], perm.shape[1]).tril(-1).bool()
    return ((perm[:, None, :] < perm[:, :, None]) & before).sum(2)


# searches in a row that is not sorted
@wrong("values")
def searches_an_unsorted_row(perm):
    cards = torch.arange(perm.shape[1]).repeat(perm.shape[0], 1)
    return torch.searchsorted(perm, cards)


# swaps neighbours back, two by two: right if the shuffle only swapped pairs
@wrong("values")
def one_swap_each(perm):
    result = torch.arange(perm.shape[1]).repeat(perm.shape[0], 1)
    for b, row in enumerate(perm.tolist()):
        for place, card in enumerate(row):
            if place < card:
                result[b, place], result[b, card] = card, place
    return result


# how far each card must move, not where it lies
@wrong("values")
def how_far_to_move(perm):
    return perm.argsort(dim=1) - torch.arange(perm.shape[1])


# returns the deck in order, made with the right places
@wrong("values")
def the_deck_in_order(perm):
    return perm.gather(1, perm.argsort(dim=1))


# the cards in the right places, and the places as well: two things
@wrong("structure")
def both_things_of_sort(perm):
    return perm.sort(dim=1)


# returns a list
@wrong("structure")
def returns_a_list(perm):
    return perm.argsort(dim=1).tolist()


# forgets to return
@wrong("structure")
def nothing_returned(perm):
    perm.argsort(dim=1)
