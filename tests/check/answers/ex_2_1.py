import random

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# vectorised: coins, isin, and the smallest coin of an empty row as its one
@right
def vectorised_smallest_coin_is_the_one(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids, dtype=ids.dtype))
    coins = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    chosen = coins < rate
    rows = (ordinary.any(dim=1) & ~chosen.any(dim=1)).nonzero().flatten()
    chosen[rows, coins[rows].argmin(dim=1)] = True
    return chosen


# a loop over rows; the one is drawn with torch.randint from a list of places
@right
def loop_over_rows_with_randint(ids, special_ids, rate, generator):
    answer = []
    for row in ids:
        ordinary = torch.tensor([int(token) not in special_ids for token in row])
        picked = (torch.rand(len(row), generator=generator) < rate) & ordinary
        if ordinary.any() and not picked.any():
            places = ordinary.nonzero().flatten()
            lucky = torch.randint(len(places), (1,), generator=generator).item()
            picked[places[lucky]] = True
        answer.append(picked)
    return torch.stack(answer)


# a clumsy beginner's version: lists of lists, one coin at a time, a special gets no coin
@right
def beginner_lists_and_single_coins(ids, special_ids, rate, generator):
    result = []
    for i in range(ids.shape[0]):
        line = []
        good = []
        for j in range(ids.shape[1]):
            if ids[i][j].item() in special_ids:
                line.append(False)
            else:
                good.append(j)
                coin = torch.rand(1, generator=generator).item()
                if coin < rate:
                    line.append(True)
                else:
                    line.append(False)
        if len(good) > 0 and sum(line) == 0:
            number = int(torch.rand(1, generator=generator).item() * len(good))
            if number == len(good):
                number = len(good) - 1
            line[good[number]] = True
        result.append(line)
    return torch.tensor(result, dtype=torch.bool)


# library calls: bernoulli for the coins, multinomial for the one
@right
def bernoulli_and_multinomial(ids, special_ids, rate, generator):
    weights = torch.ones(ids.shape)
    for special in special_ids:
        weights[ids == special] = 0.0
    chosen = torch.bernoulli(weights * rate, generator=generator).bool()
    for r in range(len(ids)):
        if weights[r].sum() > 0 and not chosen[r].any():
            chosen[r, torch.multinomial(weights[r], 1, generator=generator)] = True
    return chosen


# every row draws its candidate for the one beforehand, with scatter; used only where it is needed
@right
def candidate_for_every_row_scattered(ids, special_ids, rate, generator):
    special = torch.zeros(ids.shape, dtype=torch.bool)
    for s in special_ids:
        special |= ids == s
    chosen = torch.empty(ids.shape, dtype=torch.float64).bernoulli_(rate, generator=generator) == 1
    chosen &= ~special
    noise = torch.rand(ids.shape, dtype=torch.float64, generator=generator)
    noise[special] = -1.0
    the_one = torch.zeros_like(chosen).scatter(1, noise.argmax(dim=1, keepdim=True), True)
    needs = ~chosen.any(dim=1, keepdim=True)
    return torch.where(needs, the_one, chosen) & ~special


# numpy inside, but its seed is drawn from the given generator
@right
def numpy_seeded_from_the_generator(ids, special_ids, rate, generator):
    seed = int(torch.randint(2**62, (1,), generator=generator))
    rng = np.random.default_rng(seed)
    ordinary = ~np.isin(ids.numpy(), special_ids)
    chosen = (rng.random(ordinary.shape) < rate) & ordinary
    for mine, ok in zip(chosen, ordinary):
        if ok.any() and not mine.any():
            mine[rng.choice(np.flatnonzero(ok))] = True
    return torch.from_numpy(chosen)


# other coins: a bell curve and its quantile; the one by a random permutation of the row
@right
def normal_quantile_and_randperm(ids, special_ids, rate, generator):
    limit = torch.distributions.Normal(0.0, 1.0).icdf(torch.tensor(float(rate)))
    ordinary = torch.stack([ids == ids] + [ids != s for s in special_ids]).all(dim=0)
    chosen = ordinary & (torch.randn(ids.shape, generator=generator) < limit)
    for r in range(ids.shape[0]):
        if not chosen[r].any():
            for place in torch.randperm(ids.shape[1], generator=generator).tolist():
                if ordinary[r, place]:
                    chosen[r, place] = True
                    break
    return chosen


# whole-number coins of 31 bits; the one is the largest coin of the row
@right
def integer_coins_of_31_bits(ids, special_ids, rate, generator):
    coins = torch.randint(0, 2**31, ids.shape, generator=generator)
    ordinary = torch.tensor([[t not in set(special_ids) for t in row] for row in ids.tolist()])
    chosen = ordinary & (coins < round(rate * 2**31))
    lonely = ordinary.any(1) & (chosen.sum(1) == 0)
    order = torch.where(ordinary, coins, -1)
    chosen[lonely] = order[lonely] == order[lonely].max(dim=1, keepdim=True).values
    return chosen


# works on the flat list of ordinary tokens and their row numbers, then writes back
@right
def flat_list_of_ordinary_tokens(ids, special_ids, rate, generator):
    lookup = torch.tensor(sorted(special_ids))
    rows, cols = (ids[..., None] != lookup).all(-1).nonzero(as_tuple=True)
    yes = torch.rand(len(rows), generator=generator) < rate
    out = torch.zeros(ids.shape, dtype=torch.bool)
    out[rows[yes], cols[yes]] = True
    for r in set(rows.tolist()) - set(rows[yes].tolist()):
        mine = cols[rows == r]
        out[r, mine[torch.randperm(len(mine), generator=generator)[0]]] = True
    return out


# ---------------------------------------------------------------- wrong


# special tokens get a coin like all the others
@wrong("specials")
def specials_can_be_chosen(ids, special_ids, rate, generator):
    coins = torch.rand(ids.shape, generator=generator)
    chosen = coins < rate
    rows = (~chosen.any(dim=1)).nonzero().flatten()
    chosen[rows, coins[rows].argmin(dim=1)] = True
    return chosen


# only the first id of the list counts as special
@wrong("specials")
def only_first_special_id_excluded(ids, special_ids, rate, generator):
    ordinary = ids != special_ids[0]
    coins = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    chosen = coins < rate
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, coins[rows].argmin(1)] = True
    return chosen


# takes every id up to the largest special id for special
@wrong("all-at-one")
def specials_assumed_to_be_the_smallest_ids(ids, special_ids, rate, generator):
    ordinary = ids > max(special_ids)
    coins = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    chosen = coins < rate
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, coins[rows].argmin(1)] = True
    return chosen


# the first and the last place are left out instead of looking at the ids
@wrong("specials")
def specials_assumed_at_both_ends(ids, special_ids, rate, generator):
    coins = torch.rand(ids.shape, generator=generator)
    coins[:, 0] = 2.0
    coins[:, -1] = 2.0
    chosen = coins < rate
    rows = (~chosen.any(1)).nonzero().flatten()
    chosen[rows, coins[rows].argmin(1)] = True
    return chosen


# a row without a yes stays empty
@wrong("at-least-one")
def no_one_for_an_empty_row(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    return (torch.rand(ids.shape, generator=generator) < rate) & ordinary


# the rescue looks at the whole batch, not at each row
@wrong("at-least-one")
def rescue_only_if_whole_batch_is_empty(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    chosen = (torch.rand(ids.shape, generator=generator) < rate) & ordinary
    if not chosen.any() and ordinary.any():
        rows, cols = ordinary.nonzero(as_tuple=True)
        k = torch.randint(len(rows), (1,), generator=generator)
        chosen[rows[k], cols[k]] = True
    return chosen


# the one is always the first ordinary token
@wrong("anywhere")
def rescue_takes_first_ordinary(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    chosen = (torch.rand(ids.shape, generator=generator) < rate) & ordinary
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, ordinary[rows].int().argmax(1)] = True
    return chosen


# the one is drawn without the generator
@wrong("from-generator")
def rescue_draw_not_from_generator(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    chosen = (torch.rand(ids.shape, generator=generator) < rate) & ordinary
    for r in range(len(ids)):
        if ordinary[r].any() and not chosen[r].any():
            places = ordinary[r].nonzero().flatten().tolist()
            chosen[r, random.choice(places)] = True
    return chosen


# the coins are tossed without the generator
@wrong("from-generator")
def coins_not_from_generator(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    coins = torch.rand(ids.shape).masked_fill(~ordinary, 2.0)
    chosen = coins < rate
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, coins[rows].argmin(1)] = True
    return chosen


# starts the generator anew in each call, so every call gives the same choice
@wrong("from-generator")
def generator_restarted_in_every_call(ids, special_ids, rate, generator):
    generator.manual_seed(generator.initial_seed())
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    coins = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    chosen = coins < rate
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, coins[rows].argmin(1)] = True
    return chosen


# numpy with the generator's first seed: the same choice in every call
@wrong("from-generator")
def numpy_seeded_with_initial_seed(ids, special_ids, rate, generator):
    rng = np.random.default_rng(generator.initial_seed())
    ordinary = ~np.isin(ids.numpy(), special_ids)
    coins = np.where(ordinary, rng.random(ordinary.shape), 2.0)
    chosen = coins < rate
    for r in range(len(chosen)):
        if ordinary[r].any() and not chosen[r].any():
            chosen[r, coins[r].argmin()] = True
    return torch.from_numpy(chosen)


# the comparison is the wrong way round: 85 % are chosen
@wrong("all-at-one")
def comparison_the_wrong_way_round(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    coins = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, -1.0)
    chosen = coins > rate
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, coins[rows].argmax(1)] = True
    return chosen


# takes exactly round(rate * n) tokens of each row (at least one), no coins
@wrong("own-coins", "a fixed number in each row")
def exact_number_instead_of_coins(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    chosen = torch.zeros(ids.shape, dtype=torch.bool)
    for r in range(len(ids)):
        places = ordinary[r].nonzero().flatten()
        if len(places):
            k = max(1, round(rate * len(places)))
            chosen[r, places[torch.randperm(len(places), generator=generator)[:k]]] = True
    return chosen


# one row of coins is used for all rows of the batch
@wrong("rows-differ", "the same positions in every row")
def same_coins_for_all_rows(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    coins = torch.rand(ids.shape[1], generator=generator).expand(ids.shape)
    coins = coins.masked_fill(~ordinary, 2.0)
    chosen = coins < rate
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, coins[rows].argmin(1)] = True
    return chosen


# one coin for each row: the whole row is chosen, or one token
@wrong("own-coins", "one coin for a whole row, or for all tokens with the same id")
def one_coin_for_each_row(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    chosen = (torch.rand(len(ids), 1, generator=generator) < rate) & ordinary
    extra = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, extra[rows].argmin(1)] = True
    return chosen


# a row that already has some gets one more
@wrong("one-more")
def every_row_gets_an_extra_token(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    chosen = (torch.rand(ids.shape, generator=generator) < rate) & ordinary
    extra = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    rows = ordinary.any(1).nonzero().flatten()
    chosen[rows, extra[rows].argmin(1)] = True
    return chosen


# an empty row is tossed again until something is chosen, so it can get two or more
@wrong("one-more")
def empty_row_is_tossed_again(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    chosen = (torch.rand(ids.shape, generator=generator) < rate) & ordinary
    for r in range(len(ids)):
        while ordinary[r].any() and not chosen[r].any():
            chosen[r] = (torch.rand(ids.shape[1], generator=generator) < rate) & ordinary[r]
    return chosen


# the one is drawn among all places; if it falls on a special token the row stays empty
@wrong("at-least-one")
def rescue_can_fall_on_a_special(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    chosen = (torch.rand(ids.shape, generator=generator) < rate) & ordinary
    for r in range(len(ids)):
        if not chosen[r].any():
            chosen[r, torch.randint(ids.shape[1], (1,), generator=generator)] = True
    return chosen & ordinary


# looks for empty rows before the special tokens are taken out of the choice
@wrong("at-least-one")
def empty_rows_found_before_specials_removed(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    coins = torch.rand(ids.shape, generator=generator)
    empty = ~(coins < rate).any(dim=1)
    coins = coins.masked_fill(~ordinary, 2.0)
    chosen = coins < rate
    rows = (empty & ordinary.any(1)).nonzero().flatten()
    chosen[rows, coins[rows].argmin(1)] = True
    return chosen


# a row of special tokens only gets one as well
@wrong("only-specials")
def row_of_specials_gets_one_too(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    coins = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    chosen = coins < rate
    rows = (~chosen.any(dim=1)).nonzero().flatten()
    chosen[rows, coins[rows].argmin(dim=1)] = True
    return chosen


# a row of special tokens only raises an error
@wrong("RAISED")
def row_of_specials_crashes(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    chosen = (torch.rand(ids.shape, generator=generator) < rate) & ordinary
    for r in range(len(ids)):
        if not chosen[r].any():
            places = ordinary[r].nonzero().flatten()
            k = torch.randint(len(places), (1,), generator=generator)
            chosen[r, places[k]] = True
    return chosen


# the one is never the last ordinary token (and a row with one ordinary token fails)
@wrong("anywhere")
def rescue_never_takes_last_ordinary(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    chosen = (torch.rand(ids.shape, generator=generator) < rate) & ordinary
    for r in range(len(ids)):
        if ordinary[r].any() and not chosen[r].any():
            places = ordinary[r].nonzero().flatten()
            k = torch.randint(max(len(places) - 1, 1), (1,), generator=generator)
            chosen[r, places[k]] = True
    return chosen


# draws a place and walks right to the next ordinary token: tokens after specials come too often
@wrong("anywhere")
def rescue_walks_to_the_next_ordinary(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    chosen = (torch.rand(ids.shape, generator=generator) < rate) & ordinary
    length = ids.shape[1]
    for r in range(len(ids)):
        if ordinary[r].any() and not chosen[r].any():
            place = int(torch.randint(length, (1,), generator=generator))
            while not ordinary[r, place]:
                place = (place + 1) % length
            chosen[r, place] = True
    return chosen


# one draw decides the place for all empty rows
@wrong("anywhere")
def rescue_same_draw_for_all_rows(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    chosen = (torch.rand(ids.shape, generator=generator) < rate) & ordinary
    share = torch.rand(1, generator=generator).item()
    for r in range(len(ids)):
        if ordinary[r].any() and not chosen[r].any():
            places = ordinary[r].nonzero().flatten()
            chosen[r, places[int(share * len(places))]] = True
    return chosen


# the places for the one come from the first row of the batch
@wrong("specials")
def rescue_uses_places_of_first_row(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    chosen = (torch.rand(ids.shape, generator=generator) < rate) & ordinary
    places = ordinary[0].nonzero().flatten()
    for r in range(len(ids)):
        if ordinary[r].any() and not chosen[r].any() and len(places):
            k = torch.randint(len(places), (1,), generator=generator)
            chosen[r, places[k]] = True
    return chosen


# whole per cents: a rate of 0.125 becomes 13 %, a rate of 0.004 becomes 1 %
@wrong("share")
def coins_in_whole_per_cent(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    coins = torch.randint(0, 100, ids.shape, generator=generator)
    chosen = (coins < rate * 100) & ordinary
    tie = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, tie[rows].argmin(1)] = True
    return chosen


# the rate is raised so that 15 % of all tokens, specials counted in, are chosen
@wrong("share")
def rate_counted_over_specials_too(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    factor = ids.shape[1] / ordinary.sum(dim=1, keepdim=True).clamp(min=1)
    coins = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 1e9)
    chosen = coins < rate * factor
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, coins[rows].argmin(1)] = True
    return chosen


# with rate 1 everything is chosen, the special tokens as well
@wrong("specials")
def rate_one_chooses_specials(ids, special_ids, rate, generator):
    if rate >= 1:
        return torch.ones(ids.shape, dtype=torch.bool)
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    coins = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    chosen = coins < rate
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, coins[rows].argmin(1)] = True
    return chosen


# jumps from one chosen token to the next (geometric steps); rate 1 fails in the logarithm
@wrong("RAISED")
def geometric_steps_fail_at_rate_one(ids, special_ids, rate, generator):
    import math

    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    flat = torch.zeros(ids.numel(), dtype=torch.bool)
    place = -1
    while True:
        coin = 1.0 - torch.rand(1, generator=generator, dtype=torch.float64).item()
        place += 1 + int(math.log(coin) / math.log(1.0 - rate))
        if place >= len(flat):
            break
        flat[place] = True
    chosen = flat.view(ids.shape) & ordinary
    tie = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, tie[rows].argmin(1)] = True
    return chosen


# overwrites the special tokens in the given ids
@wrong("inputs")
def changes_the_ids(ids, special_ids, rate, generator):
    for special in special_ids:
        ids[ids == special] = -1
    ordinary = ids >= 0
    coins = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    chosen = coins < rate
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, coins[rows].argmin(1)] = True
    return chosen


# gives 0 and 1 as whole numbers instead of bool
@wrong("structure")
def returns_zeros_and_ones(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    coins = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    chosen = coins < rate
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, coins[rows].argmin(1)] = True
    return chosen.long()


# gives the places instead of a bool for each token
@wrong("structure")
def returns_the_places(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    coins = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    chosen = coins < rate
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, coins[rows].argmin(1)] = True
    return chosen.nonzero()


# drops the batch dimension if there is one row only
@wrong("structure")
def squeezes_a_batch_of_one(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    coins = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    chosen = coins < rate
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, coins[rows].argmin(1)] = True
    return chosen.squeeze()


# the return stands inside the loop: only the first row is done
@wrong("at-least-one")
def only_the_first_row_is_done(ids, special_ids, rate, generator):
    chosen = torch.zeros(ids.shape, dtype=torch.bool)
    for r in range(len(ids)):
        places = [p for p in range(ids.shape[1]) if int(ids[r, p]) not in special_ids]
        for p in places:
            chosen[r, p] = torch.rand(1, generator=generator).item() < rate
        if places and not chosen[r].any():
            chosen[r, places[int(torch.randint(len(places), (1,), generator=generator))]] = True
        return chosen


# forgets the return
@wrong("structure")
def forgets_the_return(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    coins = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    chosen = coins < rate
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, coins[rows].argmin(1)] = True


# gives a list of lists instead of a tensor
@wrong("structure")
def returns_lists(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    coins = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    chosen = coins < rate
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, coins[rows].argmin(1)] = True
    return chosen.tolist()


# one coin for each different id: the same word is chosen everywhere or nowhere
@wrong("rows-differ", "the same positions in every row")
def one_coin_for_each_different_id(ids, special_ids, rate, generator):
    values, which = ids.unique(return_inverse=True)
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    chosen = (torch.rand(len(values), generator=generator) < rate)[which] & ordinary
    tie = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    rows = (ordinary.any(1) & ~chosen.any(1)).nonzero().flatten()
    chosen[rows, tie[rows].argmin(1)] = True
    return chosen


# of the yes coins only the first one of a row is kept
@wrong("all-at-one")
def at_most_one_for_each_row(ids, special_ids, rate, generator):
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    coins = torch.rand(ids.shape, generator=generator).masked_fill(~ordinary, 2.0)
    chosen = torch.zeros(ids.shape, dtype=torch.bool)
    rows = ordinary.any(1).nonzero().flatten()
    chosen[rows, coins[rows].argmin(1)] = True
    return chosen
