import torch
from catalogue import right, wrong


def causal(real):
    batch, length = real.shape
    return torch.ones(batch, length, length, dtype=torch.bool).tril()


# ---------------------------------------------------------------- right


# joined in the faulty branch
@right
def joined(real):
    mask = causal(real)
    if not real.all():
        mask = mask & real[:, None, :]
    return mask


# always joined
@right
def always_joined(real):
    return causal(real) & real.unsqueeze(1)


# multiplied
@right
def multiplied(real):
    return causal(real) * real[:, None, :]


# columns of padding are emptied
@right
def columns_emptied(real):
    mask = causal(real)
    for row, is_real in zip(mask, real):
        row[:, ~is_real] = False
    return mask


# loops
@right
def loops(real):
    table = [
        [[bool(row[j]) and j <= i for j in range(len(row))] for i in range(len(row))]
        for row in real.tolist()
    ]
    return torch.tensor(table, dtype=torch.bool)


# masked_fill
@right
def masked_fill(real):
    return causal(real).masked_fill(~real[:, None, :], False)


# ---------------------------------------------------------------- wrong


# integers
@wrong("structure")
def integers(real):
    return causal(real).long() * real[:, None, :].long()


# one more dimension, for the heads
@wrong("structure")
def with_heads(real):
    return (causal(real) & real[:, None, :])[:, None]


# one table for all rows
@wrong("structure")
def one_table(real):
    return causal(real)[0] & real[0]


# nothing returned
@wrong("structure")
def nothing(real):
    mask = causal(real)
    mask &= real[:, None, :]


# without padding, everything
@wrong("no-padding")
def full_without_padding(real):
    if real.all():
        return torch.ones_like(causal(real))
    return causal(real) & real[:, None, :]


# the other triangle
@wrong("no-padding")
def other_triangle(real):
    return causal(real).mT & real[:, None, :]


# a place does not see itself
@wrong("no-padding")
def not_itself(real):
    return causal(real).tril(-1) & real[:, None, :]


# padding alone
@wrong("no-padding")
def padding_alone(real):
    return real[:, None, :].expand_as(causal(real))


# OR
@wrong("blind")
def joined_by_or(real):
    mask = causal(real)
    if not real.all():
        mask = mask | real[:, None, :]
    return mask


# the branch is taken out
@wrong("blind", "padding is ignored")
def no_branch(real):
    return causal(real)


# padding forbids rows
@wrong("causal", "in the rows")
def rows_forbidden(real):
    mask = causal(real)
    if not real.all():
        mask = mask & real[:, :, None]
    return mask


# the mask is turned in the branch
@wrong("blind")
def turned(real):
    mask = causal(real)
    if not real.all():
        mask = (mask & real[:, None, :]).mT
    return mask


# XOR
@wrong("blind")
def joined_by_xor(real):
    mask = causal(real)
    if not real.all():
        mask = mask ^ real[:, None, :]
    return mask


# the code as given
@wrong("causal", "takes the place")
def as_given(real):
    batch, length = real.shape
    mask = causal(real)
    if not real.all():
        mask = real[:, None, :].expand(batch, length, length)
    return mask


# rows of padding see nothing
@wrong("causal")
def rows_and_columns(real):
    mask = causal(real)
    if not real.all():
        mask = mask & real[:, None, :] & real[:, :, None]
    return mask


# one place ahead in the branch
@wrong("causal")
def one_ahead(real):
    mask = causal(real)
    if not real.all():
        mask = torch.ones_like(mask).tril(1) & real[:, None, :]
    return mask


# padding keeps itself
@wrong("blind")
def padding_sees_itself(real):
    mask = causal(real)
    if not real.all():
        mask = mask & (real[:, None, :] | torch.eye(real.shape[1], dtype=torch.bool))
    return mask


# the number of real places, as if padding stood on the right
@wrong("either-side")
def counted(real):
    mask = causal(real)
    for row, count in zip(mask, real.sum(1).tolist()):
        row[:, count:] = False
    return mask


# from the first padding on everything is padding
@wrong("either-side")
def from_the_first_padding(real):
    return causal(real) & (real.long().cumprod(1) > 0)[:, None, :]


# an empty row sees itself
@wrong("either-side")
def empty_rows_see_themselves(real):
    mask = causal(real) & real[:, None, :]
    empty = ~mask.any(-1)
    return mask | (empty[:, :, None] & torch.eye(real.shape[1], dtype=torch.bool))


# the first row's padding
@wrong("any-batch")
def first_row(real):
    return causal(real) & real[0]


# what is real in every row
@wrong("any-batch")
def real_in_all(real):
    return causal(real) & real.all(0)


# rows without any real place are left causal
@wrong("either-side")
def empty_texts_stay_causal(real):
    mask = causal(real) & real[:, None, :]
    mask[~real.any(1)] = causal(real)[~real.any(1)]
    return mask


# real is overwritten
@wrong("inputs")
def writes_into_real(real):
    mask = causal(real) & real[:, None, :]
    real.fill_(True)
    return mask
