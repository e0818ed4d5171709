import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# a table of coins, one for each row and number, read with gather
@right
def table_of_coins_and_gather(word_ids, rate, generator):
    size = int(word_ids.max()) + 2
    yes = torch.rand(len(word_ids), size, generator=generator) < rate
    yes[:, 0] = False
    return yes.gather(1, word_ids.long() + 1)


# a loop over rows and the numbers of a row
@right
def loop_over_rows_and_words(word_ids, rate, generator):
    chosen = torch.zeros(word_ids.shape, dtype=torch.bool)
    for r, row in enumerate(word_ids):
        for word in row.unique():
            if word >= 0 and torch.rand((), generator=generator) < rate:
                chosen[r] |= row == word
    return chosen


# a beginner's version with a dictionary for each row
@right
def beginner_dictionary(word_ids, rate, generator):
    result = []
    for row in word_ids.tolist():
        coins = {}
        line = []
        for number in row:
            if number == -1:
                line.append(False)
            else:
                if number not in coins:
                    coins[number] = torch.rand(1, generator=generator).item() < rate
                line.append(coins[number])
        result.append(line)
    return torch.tensor(result, dtype=torch.bool)


# pairs of row and number made unique, one coin for each pair
@right
def unique_pairs(word_ids, rate, generator):
    rows = torch.arange(len(word_ids))[:, None].expand_as(word_ids)
    pairs = torch.stack([rows, word_ids.long()], dim=-1).reshape(-1, 2)
    words, which = torch.unique(pairs, dim=0, return_inverse=True)
    yes = torch.bernoulli(torch.full((len(words),), float(rate)), generator=generator).bool()
    yes &= words[:, 1] >= 0
    return yes[which].reshape(word_ids.shape)


# a coin for each piece, but every piece reads the coin of the first piece of its word
@right
def coin_of_the_first_piece(word_ids, rate, generator):
    coins = torch.rand(word_ids.shape, generator=generator)
    same = word_ids[:, :, None] == word_ids[:, None, :]
    first = same.int().argmax(dim=2)
    return (coins.gather(1, first) < rate) & (word_ids != -1)


# numpy inside, its seed is drawn from the given generator
@right
def numpy_seeded_from_the_generator(word_ids, rate, generator):
    rng = np.random.default_rng(int(torch.randint(2**62, (1,), generator=generator)))
    out = np.zeros(word_ids.shape, dtype=bool)
    for r, row in enumerate(word_ids.numpy()):
        words = np.unique(row[row >= 0])
        lucky = words[rng.random(len(words)) < rate]
        out[r] = np.isin(row, lucky)
    return torch.from_numpy(out)


# list comprehension: the set of chosen numbers of a row, then isin
@right
def set_of_chosen_numbers(word_ids, rate, generator):
    rows = []
    for row in word_ids:
        words = sorted(set(row.tolist()) - {-1})
        keep = torch.rand(len(words), generator=generator, dtype=torch.float64) < rate
        rows.append(torch.isin(row, torch.tensor(words, dtype=row.dtype)[keep]))
    return torch.stack(rows)


# one flat key for each word of each row, coins through unique
@right
def flat_keys(word_ids, rate, generator):
    step = int(word_ids.max()) + 2
    key = word_ids + 1 + step * torch.arange(len(word_ids)).unsqueeze(1)
    words, which = key.unique(return_inverse=True)
    yes = torch.randint(2**40, words.shape, generator=generator) < int(rate * 2**40)
    return yes[which] & word_ids.ne(-1)


# ---------------------------------------------------------------- wrong


# a coin for each piece
@wrong("whole", "a coin for each piece")
def coin_for_each_piece(word_ids, rate, generator):
    return (torch.rand(word_ids.shape, generator=generator) < rate) & (word_ids >= 0)


# a word is chosen if any of its pieces is: long words come too often
@wrong("rate", "a word chosen when any of its pieces is")
def chosen_if_any_piece_is(word_ids, rate, generator):
    hit = (torch.rand(word_ids.shape, generator=generator) < rate) & (word_ids >= 0)
    same = word_ids[:, :, None] == word_ids[:, None, :]
    return (same & hit[:, None, :]).any(2) & (word_ids >= 0)


# a word is chosen if all of its pieces are: long words come too rarely
@wrong("rate")
def chosen_if_all_pieces_are(word_ids, rate, generator):
    hit = (torch.rand(word_ids.shape, generator=generator) < rate) & (word_ids >= 0)
    same = word_ids[:, :, None] == word_ids[:, None, :]
    return (~same | hit[:, None, :]).all(2) & (word_ids >= 0)


# one coin for a number in all rows
@wrong("own-coins", "one coin for a word id in all rows")
def one_coin_for_a_number_in_all_rows(word_ids, rate, generator):
    yes = torch.rand(int(word_ids.max()) + 2, generator=generator) < rate
    return yes[word_ids + 1] & (word_ids >= 0)


# places with -1 count as a word and can be chosen
@wrong("outside", "-1 taken for one more word")
def minus_one_counts_as_a_word(word_ids, rate, generator):
    size = int(word_ids.max()) + 2
    yes = torch.rand(len(word_ids), size, generator=generator) < rate
    return yes.gather(1, word_ids + 1)


# -1 as an index reads the coin of the last word
@wrong("outside", "-1 taken for one more word")
def minus_one_reads_the_last_coin(word_ids, rate, generator):
    size = max(int(word_ids.max()) + 1, 1)
    yes = torch.rand(len(word_ids), size, generator=generator) < rate
    rows = torch.arange(len(word_ids))[:, None]
    return yes[rows, word_ids]


# word 0 is never chosen
@wrong("all-at-one")
def word_zero_never_chosen(word_ids, rate, generator):
    size = int(word_ids.max()) + 2
    yes = torch.rand(len(word_ids), size, generator=generator) < rate
    return yes.gather(1, word_ids + 1) & (word_ids > 0)


# the last word of a row is never chosen
@wrong("all-at-one")
def last_word_never_chosen(word_ids, rate, generator):
    chosen = torch.zeros(word_ids.shape, dtype=torch.bool)
    for r, row in enumerate(word_ids):
        for word in range(int(row.max())):
            if torch.rand(1, generator=generator).item() < rate:
                chosen[r, row == word] = True
    return chosen


# expects the numbers 0, 1, 2 ... without a gap: a row that starts with word 7 gets nothing
@wrong("own-coins")
def numbers_expected_without_gaps(word_ids, rate, generator):
    chosen = torch.zeros(word_ids.shape, dtype=torch.bool)
    for r, row in enumerate(word_ids):
        count = len(set(row.tolist()) - {-1})
        for word in range(count):
            if torch.rand(1, generator=generator).item() < rate:
                chosen[r, row == word] = True
    return chosen


# as many coins as places: fails if a number is larger than the length of the row
@wrong("RAISED")
def as_many_coins_as_places(word_ids, rate, generator):
    yes = torch.rand(word_ids.shape, generator=generator) < rate
    return yes.gather(1, word_ids.clamp(min=0)) & (word_ids >= 0)


# the coin table is made for the first row: in a later row with more words the last ones share a coin
@wrong("own-coins")
def coin_table_of_first_row(word_ids, rate, generator):
    size = max(int(word_ids[0].max()) + 1, 1)
    yes = torch.rand(len(word_ids), size, generator=generator) < rate
    return yes.gather(1, word_ids.clamp(0, size - 1)) & (word_ids >= 0)


# numbers from 64 on share one coin: right for short texts only
@wrong("own-coins")
def numbers_cut_at_64(word_ids, rate, generator):
    yes = torch.rand(len(word_ids), 64, generator=generator) < rate
    return yes.gather(1, word_ids.clamp(0, 63)) & (word_ids >= 0)


# flat keys with a step one too small: the last word of a row shares the coin of word 0 in the next
@wrong("own-coins")
def flat_keys_step_too_small(word_ids, rate, generator):
    step = max(int(word_ids.max()), 1)
    key = word_ids + step * torch.arange(len(word_ids)).unsqueeze(1)
    key = key.masked_fill(word_ids < 0, -1)
    words, which = key.unique(return_inverse=True)
    yes = torch.rand(words.shape, generator=generator) < rate
    return yes[which] & (word_ids >= 0)


# flat keys with the length as step: words of different rows share a coin if numbers are large
@wrong("own-coins")
def flat_keys_step_is_the_length(word_ids, rate, generator):
    key = word_ids + word_ids.shape[1] * torch.arange(len(word_ids)).unsqueeze(1)
    key = key.masked_fill(word_ids < 0, -1)
    words, which = key.unique(return_inverse=True)
    yes = torch.rand(words.shape, generator=generator) < rate
    return yes[which] & (word_ids >= 0)


# runs of equal numbers over the flat batch: the end of a row and the start of the next can join
@wrong("own-coins", "one coin for a word id in all rows")
def runs_over_the_flat_batch(word_ids, rate, generator):
    flat = word_ids.flatten()
    runs, which = torch.unique_consecutive(flat, return_inverse=True)
    yes = torch.rand(len(runs), generator=generator) < rate
    return (yes[which] & (flat >= 0)).view(word_ids.shape)


# only the first piece of a chosen word is chosen
@wrong("whole", "a coin for each piece")
def only_the_first_piece(word_ids, rate, generator):
    size = int(word_ids.max()) + 2
    yes = torch.rand(len(word_ids), size, generator=generator) < rate
    chosen = yes.gather(1, word_ids + 1) & (word_ids >= 0)
    again = torch.zeros_like(chosen)
    again[:, 1:] = word_ids[:, 1:] == word_ids[:, :-1]
    return chosen & ~again


# at most two pieces of a word are chosen
@wrong("whole", "a coin for each piece")
def at_most_two_pieces(word_ids, rate, generator):
    size = int(word_ids.max()) + 2
    yes = torch.rand(len(word_ids), size, generator=generator) < rate
    chosen = yes.gather(1, word_ids + 1) & (word_ids >= 0)
    third = torch.zeros_like(chosen)
    third[:, 2:] = word_ids[:, 2:] == word_ids[:, :-2]
    return chosen & ~third


# a row without any gets one word, as in 2.1
@wrong("rate")
def at_least_one_word_is_forced(word_ids, rate, generator):
    size = int(word_ids.max()) + 2
    coins = torch.rand(len(word_ids), size, generator=generator)
    chosen = torch.zeros(word_ids.shape, dtype=torch.bool)
    for r, row in enumerate(word_ids):
        mine = coins[r][row + 1].masked_fill(row < 0, 2.0)
        chosen[r] = mine < rate
        if (row >= 0).any() and not chosen[r].any():
            chosen[r] = row == row[mine.argmin()]
    return chosen


# the rate is divided by the number of pieces
@wrong("all-at-one")
def rate_divided_by_pieces(word_ids, rate, generator):
    size = int(word_ids.max()) + 2
    coins = torch.rand(len(word_ids), size, generator=generator)
    pieces = (word_ids[:, :, None] == word_ids[:, None, :]).sum(2)
    return (coins.gather(1, word_ids + 1) < rate / pieces) & (word_ids >= 0)


# takes words in random order until the share of the pieces is reached
@wrong("rate")
def words_until_share_of_pieces(word_ids, rate, generator):
    chosen = torch.zeros(word_ids.shape, dtype=torch.bool)
    for r, row in enumerate(word_ids):
        words = row[row >= 0].unique()
        goal = rate * int((row >= 0).sum())
        for k in torch.randperm(len(words), generator=generator).tolist():
            if chosen[r].sum() >= goal:
                break
            chosen[r] |= row == words[k]
    return chosen


# a fixed number of words in each row, no coins
@wrong("rate")
def fixed_number_of_words(word_ids, rate, generator):
    chosen = torch.zeros(word_ids.shape, dtype=torch.bool)
    for r, row in enumerate(word_ids):
        words = row[row >= 0].unique()
        k = round(rate * len(words))
        lucky = words[torch.randperm(len(words), generator=generator)[:k]]
        chosen[r] = torch.isin(row, lucky)
    return chosen


# the coins do not come from the generator
@wrong("from-generator")
def coins_not_from_generator(word_ids, rate, generator):
    size = int(word_ids.max()) + 2
    yes = torch.rand(len(word_ids), size) < rate
    return yes.gather(1, word_ids + 1) & (word_ids >= 0)


# the generator is set to the number of the word: the same words in every call
@wrong("own-coins")
def generator_seeded_with_word_number(word_ids, rate, generator):
    chosen = torch.zeros(word_ids.shape, dtype=torch.bool)
    for r, row in enumerate(word_ids.tolist()):
        for p, word in enumerate(row):
            if word >= 0:
                generator.manual_seed(1000 * r + word)
                chosen[r, p] = torch.rand(1, generator=generator).item() < rate
    return chosen


# the generator is set back for each row: all rows get the same coins
@wrong("own-coins", "one coin for a word id in all rows")
def generator_set_back_for_each_row(word_ids, rate, generator):
    state = generator.get_state()
    chosen = torch.zeros(word_ids.shape, dtype=torch.bool)
    for r, row in enumerate(word_ids):
        generator.set_state(state)
        for word in row[row >= 0].unique():
            if torch.rand(1, generator=generator).item() < rate:
                chosen[r, row == word] = True
    return chosen


# the comparison is the wrong way round
@wrong("all-at-one")
def comparison_the_wrong_way_round(word_ids, rate, generator):
    size = int(word_ids.max()) + 2
    yes = torch.rand(len(word_ids), size, generator=generator) > rate
    return yes.gather(1, word_ids + 1) & (word_ids >= 0)


# stops at the first -1 after the start: a row with padding on the left gets nothing
@wrong("all-at-one")
def stops_at_padding_on_the_left(word_ids, rate, generator):
    chosen = torch.zeros(word_ids.shape, dtype=torch.bool)
    for r, row in enumerate(word_ids.tolist()):
        coins = {}
        for p, word in enumerate(row):
            if p > 0 and word == -1:
                break
            if word >= 0:
                if word not in coins:
                    coins[word] = torch.rand(1, generator=generator).item() < rate
                chosen[r, p] = coins[word]
    return chosen


# only the first and the last place are kept free, not the padding
@wrong("outside", "-1 taken for one more word")
def only_both_ends_kept_free(word_ids, rate, generator):
    size = int(word_ids.max()) + 2
    yes = torch.rand(len(word_ids), size, generator=generator) < rate
    chosen = yes.gather(1, word_ids + 1)
    chosen[:, 0] = chosen[:, -1] = False
    return chosen


# overwrites the -1 in the given numbers
@wrong("inputs")
def changes_the_word_ids(word_ids, rate, generator):
    outside = word_ids < 0
    word_ids[outside] = 0
    yes = torch.rand(len(word_ids), int(word_ids.max()) + 1, generator=generator) < rate
    return yes.gather(1, word_ids) & ~outside


# gives the numbers of the chosen words
@wrong("structure")
def returns_the_chosen_numbers(word_ids, rate, generator):
    size = int(word_ids.max()) + 2
    yes = torch.rand(len(word_ids), size, generator=generator) < rate
    chosen = yes.gather(1, word_ids + 1) & (word_ids >= 0)
    return torch.where(chosen, word_ids, -1)


# gives 0.0 and 1.0 instead of bool
@wrong("structure")
def returns_floats(word_ids, rate, generator):
    size = int(word_ids.max()) + 2
    yes = torch.rand(len(word_ids), size, generator=generator) < rate
    return (yes.gather(1, word_ids + 1) & (word_ids >= 0)).float()


# gives a list of lists
@wrong("structure")
def returns_lists(word_ids, rate, generator):
    size = int(word_ids.max()) + 2
    yes = torch.rand(len(word_ids), size, generator=generator) < rate
    return (yes.gather(1, word_ids + 1) & (word_ids >= 0)).tolist()


# forgets the return
@wrong("structure")
def forgets_the_return(word_ids, rate, generator):
    size = int(word_ids.max()) + 2
    yes = torch.rand(len(word_ids), size, generator=generator) < rate
    chosen = yes.gather(1, word_ids + 1) & (word_ids >= 0)


# drops the batch dimension if there is one row only
@wrong("structure")
def squeezes_a_batch_of_one(word_ids, rate, generator):
    size = int(word_ids.max()) + 2
    yes = torch.rand(len(word_ids), size, generator=generator) < rate
    return (yes.gather(1, word_ids + 1) & (word_ids >= 0)).squeeze()


# fails for a row without any word
@wrong("RAISED")
def fails_for_a_row_without_words(word_ids, rate, generator):
    rows = []
    for row in word_ids:
        first = row[row >= 0].min()
        size = int(row.max() - first) + 1
        yes = torch.rand(size, generator=generator) < rate
        rows.append(yes[(row - first).clamp(min=0)] & (row >= 0))
    return torch.stack(rows)


# one coin for each row: all of its words or none
@wrong("own-coins")
def one_coin_for_each_row(word_ids, rate, generator):
    yes = torch.rand(len(word_ids), 1, generator=generator) < rate
    return yes & (word_ids >= 0)


# every n-th word from a random start: each word has the right chance, but no coin of its own
@wrong("own-coins")
def every_nth_word_from_a_random_start(word_ids, rate, generator):
    start = torch.rand(len(word_ids), 1, generator=generator)
    before = (start + word_ids * rate).floor()
    after = (start + (word_ids + 1) * rate).floor()
    return (after > before) & (word_ids >= 0)
