import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# mean of the comparison, as a Python number
@right
def mean_of_comparison(ids, corrupted):
    return (ids != corrupted).float().mean().item()


# the same, but a tensor without dimensions
@right
def tensor_without_dimensions(ids, corrupted):
    return (corrupted != ids).double().mean()


# count of what is not zero in the difference
@right
def count_nonzero_of_difference(ids, corrupted):
    return torch.count_nonzero(ids - corrupted).item() / ids.numel()


# a clumsy beginner's version with counters
@right
def beginner_counters(ids, corrupted):
    count = 0
    total = 0
    for i in range(len(ids)):
        for j in range(len(ids[i])):
            total = total + 1
            if int(ids[i][j]) != int(corrupted[i][j]):
                count = count + 1
    return count / total


# numpy inside
@right
def numpy_mean(ids, corrupted):
    return np.not_equal(ids.numpy(), corrupted.numpy()).mean()


# one minus the share of tokens that look the same
@right
def one_minus_the_same(ids, corrupted):
    same = torch.eq(ids, corrupted).sum()
    return 1 - float(same) / (ids.shape[0] * ids.shape[1])


# flat lists and zip
@right
def flat_lists_and_zip(ids, corrupted):
    pairs = list(zip(ids.flatten().tolist(), corrupted.flatten().tolist()))
    return sum(a != b for a, b in pairs) / len(pairs)


# number of rows that nonzero gives
@right
def rows_of_nonzero(ids, corrupted):
    return len((ids != corrupted).nonzero()) / ids.numel()


# mean of the shares of the rows (all rows are of the same length)
@right
def mean_of_row_shares(ids, corrupted):
    shares = [(a != b).sum().item() / len(a) for a, b in zip(ids, corrupted)]
    return sum(shares) / len(shares)


# exclusive or, and a histogram of its zeros
@right
def exclusive_or_and_bincount(ids, corrupted):
    differs = (ids ^ corrupted).flatten() != 0
    no, yes = torch.bincount(differs.int(), minlength=2).tolist()
    return yes / (no + yes)


# ---------------------------------------------------------------- wrong


# the share of tokens that look the same
@wrong("share", "counting the tokens that are the same")
def share_of_the_same(ids, corrupted):
    return (ids == corrupted).float().mean().item()


# per cent
@wrong("share", "per cent, not a share")
def per_cent(ids, corrupted):
    return 100 * (ids != corrupted).float().mean().item()


# the number, not the share
@wrong("share", "a number of tokens, not a share")
def number_instead_of_share(ids, corrupted):
    return (ids != corrupted).sum().item()


# divided by the length of one row
@wrong("any-batch")
def divided_by_length_of_one_row(ids, corrupted):
    return (ids != corrupted).sum().item() / ids.shape[1]


# divided by the number of rows, with len
@wrong("share", "a number of tokens, not a share")
def divided_by_len(ids, corrupted):
    return (ids != corrupted).sum().item() / len(ids)


# looks at the first row only
@wrong("any-batch")
def first_row_only(ids, corrupted):
    return (ids[0] != corrupted[0]).float().mean().item()


# counts the numbers in nonzero: a row and a column for each, so twice too many
@wrong("share")
def nonzero_counted_twice(ids, corrupted):
    return (ids - corrupted).nonzero().numel() / ids.numel()


# mean of the difference of the ids
@wrong("share")
def mean_difference_of_ids(ids, corrupted):
    return (ids - corrupted).abs().float().mean().item()


# counts only ids that became larger
@wrong("share")
def only_larger_ids(ids, corrupted):
    return (corrupted > ids).float().mean().item()


# counts only ids that became smaller (a [MASK] has a small id, so most are found)
@wrong("share")
def only_smaller_ids(ids, corrupted):
    return ((ids - corrupted) > 0).float().mean().item()


# signs cancel out
@wrong("share")
def signs_cancel(ids, corrupted):
    return abs((ids - corrupted).sign().float().mean().item())


# counts [MASK] only, with id 4 hard coded: random tokens are forgotten
@wrong("share", "counting [MASK] alone; a random token differs too")
def only_mask_with_id_four(ids, corrupted):
    return (corrupted == 4).float().mean().item()


# counts [MASK] only, taken as the most frequent new id
@wrong("share", "counting [MASK] alone; a random token differs too")
def only_the_most_frequent_new_id(ids, corrupted):
    new = corrupted[ids != corrupted]
    if len(new) == 0:
        return 0.0
    return (new == new.mode().values).sum().item() / ids.numel()


# ids that do not occur any more, as sets
@wrong("ends")
def sets_of_ids(ids, corrupted):
    before, after = set(ids.flatten().tolist()), set(corrupted.flatten().tolist())
    return len(before - after) / len(before)


# whole-number division
@wrong("share")
def whole_number_division(ids, corrupted):
    return (ids != corrupted).sum().item() // ids.numel()


# 8-bit difference: ids that differ by 256 look the same
@wrong("any-batch")
def eight_bit_difference(ids, corrupted):
    difference = (ids - corrupted).to(torch.int8)
    return (difference != 0).float().mean().item()


# half precision: large neighbouring ids look the same
@wrong("any-batch")
def half_precision_comparison(ids, corrupted):
    return (ids.half() != corrupted.half()).float().mean().item()


# one share for each row
@wrong("any-batch")
def one_share_for_each_row(ids, corrupted):
    return (ids != corrupted).float().mean(dim=1)


# one share for each place
@wrong("structure")
def one_share_for_each_place(ids, corrupted):
    return (ids != corrupted).float().mean(dim=0)


# number and total as a pair
@wrong("structure")
def pair_of_number_and_total(ids, corrupted):
    return (ids != corrupted).sum().item(), ids.numel()


# prints, and forgets the return
@wrong("structure")
def prints_instead_of_return(ids, corrupted):
    share = (ids != corrupted).float().mean().item()
    print(share)


# rounded to one digit
@wrong("share")
def rounded_to_one_digit(ids, corrupted):
    return round((ids != corrupted).float().mean().item(), 1)


# a text with per cent sign
@wrong("structure")
def text_with_per_cent_sign(ids, corrupted):
    return f"{(ids != corrupted).float().mean().item():.1%}"


# the share of ordinary tokens (ids from 5 on), not of all
@wrong("share", "leaving out [CLS] and [SEP]; the question is about all tokens")
def share_of_ordinary_tokens(ids, corrupted):
    ordinary = ids >= 5
    if not ordinary.any():
        return 0.0
    return (ids != corrupted)[ordinary].float().mean().item()


# the share of rows with any change
@wrong("share")
def share_of_rows(ids, corrupted):
    return (ids != corrupted).any(dim=1).float().mean().item()


# 1 or 0: are they equal at all
@wrong("share")
def equal_or_not(ids, corrupted):
    return 0.0 if torch.equal(ids, corrupted) else 1.0


# the guess itself, not a measurement
@wrong("share")
def fixed_number_from_theory(ids, corrupted):
    return 0.15 * 0.9


# first and last place left out, as if they always held special tokens
@wrong("share", "leaving out [CLS] and [SEP]; the question is about all tokens")
def without_first_and_last_place(ids, corrupted):
    return (ids[:, 1:-1] != corrupted[:, 1:-1]).float().mean().item()


# looks at the first thousand tokens only
@wrong("any-batch")
def first_thousand_tokens(ids, corrupted):
    a, b = ids.flatten()[:1000], corrupted.flatten()[:1000]
    return (a != b).float().mean().item()


# subtracts in place: the number is right, but the corrupted text is destroyed
@wrong("inputs")
def destroys_corrupted(ids, corrupted):
    corrupted -= ids
    return (corrupted != 0).float().mean().item()


# divides the number by the sum of the ids
@wrong("share")
def divided_by_sum_of_ids(ids, corrupted):
    return ((ids != corrupted).sum() / ids.sum()).item()


# divided by the number of changed tokens: always 1 (or 0)
@wrong("share")
def divided_by_number_of_changed(ids, corrupted):
    differs = ids != corrupted
    return (differs.sum() / max(differs.sum(), 1)).item()
