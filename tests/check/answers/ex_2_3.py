import random

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# one coin for each token: below 0.8, below 0.9, the rest
@right
def one_coin_two_limits(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    which = torch.randint(len(candidates), ids.shape, generator=generator)
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    swap = selected & (coin >= 0.8) & (coin < 0.9)
    return torch.where(swap, candidates[which].to(ids.dtype), out).to(ids.dtype)


# two coins one after the other, as in well-known libraries: 0.8, then half of the rest
@right
def bernoulli_then_half_of_the_rest(ids, selected, mask_id, candidates, generator):
    out = ids.clone()
    masked = torch.bernoulli(torch.full(ids.shape, 0.8), generator=generator).bool() & selected
    out[masked] = mask_id
    other = torch.bernoulli(torch.full(ids.shape, 0.5), generator=generator).bool()
    other = other & selected & ~masked
    which = torch.randint(0, len(candidates), (int(other.sum()),), generator=generator)
    out[other] = candidates[which].to(out.dtype)
    return out


# a clumsy beginner's version: a loop, one selected token at a time
@right
def beginner_loop_over_selected(ids, selected, mask_id, candidates, generator):
    new = ids.clone()
    for i in range(ids.shape[0]):
        for j in range(ids.shape[1]):
            if selected[i, j]:
                dice = torch.randint(1, 11, (1,), generator=generator).item()
                if dice <= 8:
                    new[i, j] = mask_id
                elif dice == 9:
                    k = torch.randint(0, len(candidates), (1,), generator=generator).item()
                    new[i, j] = candidates[k]
                else:
                    pass
    return new


# multinomial says which of three treatments each selected token gets
@right
def multinomial_of_three_treatments(ids, selected, mask_id, candidates, generator):
    out = ids.clone()
    n = int(selected.sum())
    if n == 0:
        return out
    plan = torch.multinomial(
        torch.tensor([0.8, 0.1, 0.1]), n, replacement=True, generator=generator
    )
    lots = torch.multinomial(torch.ones(len(candidates)), n, replacement=True, generator=generator)
    old = ids[selected]
    rows = torch.stack([torch.full_like(old, mask_id), candidates[lots].to(old.dtype), old])
    out[selected] = rows[plan, torch.arange(n)]
    return out


# numpy inside, its seed is drawn from the given generator
@right
def numpy_seeded_from_the_generator(ids, selected, mask_id, candidates, generator):
    rng = np.random.default_rng(torch.randint(2**62, (2,), generator=generator).tolist())
    out = ids.numpy().copy()
    for place in np.argwhere(selected.numpy()):
        what = rng.choice(["mask", "random", "keep"], p=[0.8, 0.1, 0.1])
        if what == "mask":
            out[tuple(place)] = mask_id
        elif what == "random":
            out[tuple(place)] = rng.choice(candidates.numpy())
    return torch.from_numpy(out)


# the upper end of the coin: above 0.2 is [MASK], below 0.1 stays; double precision
@right
def limits_from_the_other_end(ids, selected, mask_id, candidates, generator):
    u = torch.rand(ids.shape, generator=generator, dtype=torch.float64)
    place = (
        torch.rand(ids.shape, generator=generator, dtype=torch.float64) * len(candidates)
    ).long()
    noise = candidates.take(place.clamp(max=len(candidates) - 1)).to(ids.dtype)
    out = ids.masked_fill(selected & (u >= 0.2), mask_id)
    middle = selected & (u < 0.2) & (u >= 0.1)
    return out * ~middle + noise * middle


# one number from 0 to 10 n - 1 decides both: the treatment and the candidate
@right
def one_number_decides_both(ids, selected, mask_id, candidates, generator):
    n = len(candidates)
    lot = torch.randint(10 * n, ids.shape, generator=generator)
    table = torch.cat([torch.full((8 * n,), mask_id, dtype=ids.dtype), candidates.to(ids.dtype)])
    fresh = table[lot.clamp(max=9 * n - 1)]
    return torch.where(selected & (lot < 9 * n), fresh, ids)


# the same coin, stretched from 0.8 .. 0.9 to 0 .. n, gives the candidate
@right
def coin_stretched_for_the_candidate(ids, selected, mask_id, candidates, generator):
    u = torch.rand(ids.shape, generator=generator, dtype=torch.float64)
    n = candidates.numel()
    which = ((u - 0.8) / 0.1 * n).floor().long().clamp(0, n - 1)
    out = torch.where(u < 0.8, torch.full_like(ids, mask_id), candidates[which].to(ids.dtype))
    keep = ~selected | (u >= 0.9)
    return torch.where(keep, ids, out)


# Python lists and index_put at the very end
@right
def lists_and_index_put(ids, selected, mask_id, candidates, generator):
    rows, places = selected.nonzero(as_tuple=True)
    pool = candidates.tolist()
    values = []
    for old in ids[rows, places].tolist():
        u, v = torch.rand(2, generator=generator, dtype=torch.float64).tolist()
        values.append(old if u < 0.1 else pool[int(v * len(pool))] if u < 0.2 else mask_id)
    return ids.index_put((rows, places), torch.tensor(values, dtype=ids.dtype))


# ---------------------------------------------------------------- wrong


# writes into the given text
@wrong("inputs")
def changes_the_ids(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    which = torch.randint(len(candidates), ids.shape, generator=generator)
    ids[selected & (coin < 0.8)] = mask_id
    swap = selected & (coin >= 0.8) & (coin < 0.9)
    ids[swap] = candidates[which][swap]
    return ids


# the text itself is returned (not a new tensor) if nothing is selected
@wrong("nothing")
def same_tensor_if_nothing_selected(ids, selected, mask_id, candidates, generator):
    if not selected.any():
        return ids
    coin = torch.rand(ids.shape, generator=generator)
    which = torch.randint(len(candidates), ids.shape, generator=generator)
    out = ids.clone()
    out[selected & (coin < 0.8)] = mask_id
    swap = selected & (coin >= 0.8) & (coin < 0.9)
    out[swap] = candidates[which][swap]
    return out


# all selected tokens become [MASK]
@wrong("shares", "all of them [MASK], or one number for all tokens")
def all_become_mask(ids, selected, mask_id, candidates, generator):
    return ids.masked_fill(selected, mask_id)


# 80 % [MASK], the rest random, nothing stays
@wrong("shares", "nothing kept")
def nothing_stays(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    which = torch.randint(len(candidates), ids.shape, generator=generator)
    out = torch.where(selected, candidates[which], ids)
    out[selected & (coin < 0.8)] = mask_id
    return out


# 80 % [MASK], the rest stays, nothing is random
@wrong("shares", "no random tokens")
def nothing_random(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    return ids.masked_fill(selected & (coin < 0.8), mask_id)


# two coins that overlap: the second takes 10 % of all selected, also of those already [MASK]
@wrong("shares", "a second draw over all selected tokens, which overwrites some [MASK]s")
def overlapping_coins(ids, selected, mask_id, candidates, generator):
    out = ids.clone()
    out[selected & (torch.rand(ids.shape, generator=generator) < 0.8)] = mask_id
    swap = selected & (torch.rand(ids.shape, generator=generator) < 0.1)
    which = torch.randint(len(candidates), ids.shape, generator=generator)
    out[swap] = candidates[which][swap]
    return out


# the second coin takes 10 % of the rest instead of half of it: 80, 2, 18
@wrong("shares", "random tokens for a tenth of the rest, where half of the rest is due")
def ten_per_cent_of_the_rest(ids, selected, mask_id, candidates, generator):
    out = ids.clone()
    masked = selected & (torch.rand(ids.shape, generator=generator) < 0.8)
    out[masked] = mask_id
    swap = selected & ~masked & (torch.rand(ids.shape, generator=generator) < 0.1)
    which = torch.randint(len(candidates), ids.shape, generator=generator)
    out[swap] = candidates[which][swap]
    return out


# the second line overwrites the first: 90 % random
@wrong("shares")
def second_limit_overwrites_the_first(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    which = torch.randint(len(candidates), ids.shape, generator=generator)
    out = ids.clone()
    out[selected & (coin < 0.8)] = mask_id
    swap = selected & (coin < 0.9)
    out[swap] = candidates[which][swap]
    return out


# 80 % stay, 10 % become [MASK]
@wrong("shares")
def mask_and_keep_swapped(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    which = torch.randint(len(candidates), ids.shape, generator=generator)
    out = ids.clone()
    out[selected & (coin > 0.9)] = mask_id
    swap = selected & (coin > 0.8) & (coin <= 0.9)
    out[swap] = candidates[which][swap]
    return out


# 90 % [MASK], 5 % random, 5 % stay: the limits are 0.9 and 0.95
@wrong("shares")
def ninety_five_five(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    which = torch.randint(len(candidates), ids.shape, generator=generator)
    out = ids.clone()
    out[selected & (coin < 0.9)] = mask_id
    swap = selected & (coin >= 0.9) & (coin < 0.95)
    out[swap] = candidates[which][swap]
    return out


# the coins are read for all tokens: those not selected are corrupted as well
@wrong("outside")
def not_selected_are_corrupted_too(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    which = torch.randint(len(candidates), ids.shape, generator=generator)
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    return torch.where((coin >= 0.8) & (coin < 0.9), candidates[which], out)


# a random token is never the original one
@wrong("three-candidates")
def random_token_never_the_original(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    out = ids.clone()
    out[selected & (coin < 0.8)] = mask_id
    for r, p in (selected & (coin >= 0.8) & (coin < 0.9)).nonzero().tolist():
        others = candidates[candidates != ids[r, p]]
        if len(others):
            out[r, p] = others[torch.randint(len(others), (1,), generator=generator)]
    return out


# draws once more if the random token is the original one: the original comes too rarely
@wrong("three-candidates")
def redraws_once_if_original(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    first = candidates[torch.randint(len(candidates), ids.shape, generator=generator)]
    again = candidates[torch.randint(len(candidates), ids.shape, generator=generator)]
    noise = torch.where(first == ids, again, first)
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    return torch.where(selected & (coin >= 0.8) & (coin < 0.9), noise, out)


# one random token for all
@wrong("drawn-anew")
def one_random_token_for_all(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    token = candidates[torch.randint(len(candidates), (1,), generator=generator)]
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    return torch.where(selected & (coin >= 0.8) & (coin < 0.9), token, out)


# the same random tokens in every row
@wrong("drawn-anew")
def same_random_tokens_in_every_row(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    noise = candidates[torch.randint(len(candidates), (ids.shape[1],), generator=generator)]
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    return torch.where(selected & (coin >= 0.8) & (coin < 0.9), noise, out)


# the same coins in every row
@wrong("rows-differ")
def same_coins_in_every_row(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape[1], generator=generator).expand(ids.shape)
    noise = candidates[torch.randint(len(candidates), ids.shape, generator=generator)]
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    return torch.where(selected & (coin >= 0.8) & (coin < 0.9), noise, out)


# one coin for the whole batch
@wrong("shares", "all of them [MASK], or one number for all tokens")
def one_coin_for_the_batch(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(1, generator=generator).item()
    if coin < 0.8:
        return ids.masked_fill(selected, mask_id)
    if coin < 0.9:
        noise = candidates[torch.randint(len(candidates), ids.shape, generator=generator)]
        return torch.where(selected, noise, ids)
    return ids.clone()


# the coin (0.8 to 0.9) picks the candidate as well: only a tenth of the list is ever used
@wrong("every-candidate")
def coin_used_twice(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    noise = candidates[(coin * len(candidates)).long()]
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    return torch.where(selected & (coin >= 0.8) & (coin < 0.9), noise, out)


# the last candidate is never drawn
@wrong("three-candidates")
def last_candidate_never_drawn(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    top = max(len(candidates) - 1, 1)
    noise = candidates[torch.randint(top, ids.shape, generator=generator)]
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    return torch.where(selected & (coin >= 0.8) & (coin < 0.9), noise, out)


# rounding gives the first and the last candidate half the chance
@wrong("three-candidates")
def rounded_place_in_the_list(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    u = torch.rand(ids.shape, generator=generator)
    noise = candidates[(u * (len(candidates) - 1)).round().long()]
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    return torch.where(selected & (coin >= 0.8) & (coin < 0.9), noise, out)


# places are used as ids: a number from 0 to n - 1
@wrong("from-candidates")
def place_in_place_of_the_id(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    noise = torch.randint(len(candidates), ids.shape, generator=generator)
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    return torch.where(selected & (coin >= 0.8) & (coin < 0.9), noise, out)


# any id between the smallest and the largest candidate
@wrong("from-candidates")
def any_id_between_smallest_and_largest(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    low, high = int(candidates.min()), int(candidates.max())
    noise = torch.randint(low, high + 1, ids.shape, generator=generator)
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    return torch.where(selected & (coin >= 0.8) & (coin < 0.9), noise, out)


# a byte modulo n: not the same chance, and candidates after the 256th are never drawn
@wrong("every-candidate")
def byte_modulo_number_of_candidates(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    noise = candidates[torch.randint(256, ids.shape, generator=generator) % len(candidates)]
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    return torch.where(selected & (coin >= 0.8) & (coin < 0.9), noise, out)


# draws without putting back: fails if more random tokens than candidates are needed
@wrong("RAISED")
def drawn_without_putting_back(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    out = ids.clone()
    out[selected & (coin < 0.8)] = mask_id
    swap = selected & (coin >= 0.8) & (coin < 0.9)
    out[swap] = candidates[torch.randperm(len(candidates), generator=generator)[: int(swap.sum())]]
    return out


# shuffles the given candidates in place
@wrong("inputs")
def shuffles_the_candidates_in_place(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    candidates[:] = candidates[torch.randperm(len(candidates), generator=generator)]
    noise = candidates[torch.randint(len(candidates), ids.shape, generator=generator)]
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    return torch.where(selected & (coin >= 0.8) & (coin < 0.9), noise, out)


# takes the masked tokens out of the given selection
@wrong("inputs")
def changes_the_selection(ids, selected, mask_id, candidates, generator):
    out = ids.clone()
    masked = selected & (torch.rand(ids.shape, generator=generator) < 0.8)
    out[masked] = mask_id
    selected &= ~masked
    swap = selected & (torch.rand(ids.shape, generator=generator) < 0.5)
    noise = candidates[torch.randint(len(candidates), ids.shape, generator=generator)]
    out[swap] = noise[swap]
    return out


# the random tokens do not come from the generator
@wrong("from-generator")
def random_tokens_not_from_generator(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    out = ids.clone()
    out[selected & (coin < 0.8)] = mask_id
    for r, p in (selected & (coin >= 0.8) & (coin < 0.9)).nonzero().tolist():
        out[r, p] = random.choice(candidates.tolist())
    return out


# the coins do not come from the generator
@wrong("from-generator")
def coins_not_from_generator(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape)
    noise = candidates[torch.randint(len(candidates), ids.shape, generator=generator)]
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    return torch.where(selected & (coin >= 0.8) & (coin < 0.9), noise, out)


# a new generator with the old seed in each call: always the same corruption
@wrong("from-generator")
def new_generator_with_the_old_seed(ids, selected, mask_id, candidates, generator):
    fresh = torch.Generator().manual_seed(generator.initial_seed())
    coin = torch.rand(ids.shape, generator=fresh)
    noise = candidates[torch.randint(len(candidates), ids.shape, generator=fresh)]
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    return torch.where(selected & (coin >= 0.8) & (coin < 0.9), noise, out)


# exact shares, rounded down: of fewer than ten selected tokens none becomes random
@wrong("alone")
def exact_shares_rounded_down(ids, selected, mask_id, candidates, generator):
    out = ids.clone()
    rows, places = selected.nonzero(as_tuple=True)
    order = torch.randperm(len(rows), generator=generator)
    masks, swaps = int(0.8 * len(rows)), int(0.1 * len(rows))
    a, b = order[:masks], order[masks : masks + swaps]
    out[rows[a], places[a]] = mask_id
    which = torch.randint(len(candidates), (swaps,), generator=generator)
    out[rows[b], places[b]] = candidates[which]
    return out


# by place, not by chance: the first 80 % of the selected tokens become [MASK]
@wrong("rows-differ")
def first_eighty_per_cent_in_order(ids, selected, mask_id, candidates, generator):
    out = ids.clone()
    rows, places = selected.nonzero(as_tuple=True)
    n = len(rows)
    a, b = round(0.8 * n), round(0.9 * n)
    out[rows[:a], places[:a]] = mask_id
    which = torch.randint(len(candidates), (b - a,), generator=generator)
    out[rows[a:b], places[a:b]] = candidates[which]
    return out


# replaces by value: all tokens with the same id change, selected or not
@wrong("TOO_SLOW")
def all_tokens_with_the_same_id_change(ids, selected, mask_id, candidates, generator):
    out = ids.clone()
    for r, p in selected.nonzero().tolist():
        u = torch.rand(1, generator=generator).item()
        k = torch.randint(len(candidates), (1,), generator=generator)
        if u < 0.8:
            out[r][ids[r] == ids[r, p]] = mask_id
        elif u < 0.9:
            out[r][ids[r] == ids[r, p]] = int(candidates[k])
    return out


# gives only the corrupted selected tokens
@wrong("structure")
def only_the_selected_tokens(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    noise = candidates[torch.randint(len(candidates), ids.shape, generator=generator)]
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    return torch.where(selected & (coin >= 0.8) & (coin < 0.9), noise, out)[selected]


# floating point ids
@wrong("structure")
def float_ids(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    noise = candidates[torch.randint(len(candidates), ids.shape, generator=generator)]
    out = torch.where(selected & (coin < 0.8), float(mask_id), ids)
    return torch.where(selected & (coin >= 0.8) & (coin < 0.9), noise, out)


# gives the corrupted text and the coins
@wrong("structure")
def returns_a_pair(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    noise = candidates[torch.randint(len(candidates), ids.shape, generator=generator)]
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    return torch.where(selected & (coin >= 0.8) & (coin < 0.9), noise, out), selected


# forgets the return
@wrong("structure")
def forgets_the_return(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    noise = candidates[torch.randint(len(candidates), ids.shape, generator=generator)]
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    out = torch.where(selected & (coin >= 0.8) & (coin < 0.9), noise, out)


# id 4 in place of the given mask_id
@wrong("mask-id")
def mask_id_four_hard_coded(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    noise = candidates[torch.randint(len(candidates), ids.shape, generator=generator)]
    out = torch.where(selected & (coin < 0.8), 4, ids)
    return torch.where(selected & (coin >= 0.8) & (coin < 0.9), noise, out)


# a random token comes from the other tokens of the batch, not from the candidates
@wrong("from-candidates")
def random_token_from_the_text(ids, selected, mask_id, candidates, generator):
    coin = torch.rand(ids.shape, generator=generator)
    pool = ids.flatten()
    noise = pool[torch.randint(len(pool), ids.shape, generator=generator)]
    out = torch.where(selected & (coin < 0.8), mask_id, ids)
    return torch.where(selected & (coin >= 0.8) & (coin < 0.9), noise, out)


# only the first row is corrupted
@wrong("rows-differ")
def only_the_first_row(ids, selected, mask_id, candidates, generator):
    out = ids.clone()
    for p in selected[0].nonzero().flatten().tolist():
        u = torch.rand(1, generator=generator).item()
        k = int(torch.randint(len(candidates), (1,), generator=generator))
        if u < 0.8:
            out[0, p] = mask_id
        elif u < 0.9:
            out[0, p] = candidates[k]
    return out
