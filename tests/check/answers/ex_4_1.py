import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# comparisons of places, as a beginner would draw them
@right
def three_loops(kind, real, prefix=0):
    batch, length = real.shape
    table = torch.zeros(batch, length, length, dtype=torch.bool)
    for b in range(batch):
        for i in range(length):
            for j in range(length):
                if kind == "full":
                    may = True
                elif kind == "causal":
                    may = j <= i
                else:
                    may = j <= i or (i < prefix and j < prefix)
                table[b, i, j] = may and bool(real[b, j])
    return table


# a triangle, and a square set to True in its corner
@right
def triangle_and_square(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(length, length, dtype=torch.bool)
    if kind != "full":
        table = table.tril()
    if kind == "prefix":
        table[:prefix, :prefix] = True
    return table & real.unsqueeze(1)


# full is a prefix of the whole length, causal one of nothing
@right
def everything_is_a_prefix(kind, real, prefix=0):
    length = real.shape[1]
    size = {"full": length, "causal": 0, "prefix": prefix}[kind]
    at = torch.arange(length)
    inside = at < size
    pattern = (at[None, :] <= at[:, None]) | (inside[None, :] & inside[:, None])
    return pattern.expand(len(real), -1, -1) & real[:, None, :]


# numpy
@right
def numpy_masks(kind, real, prefix=0):
    length = real.shape[1]
    pattern = np.ones((length, length), dtype=bool)
    if kind != "full":
        pattern = np.tril(pattern)
    if kind == "prefix":
        pattern[:prefix, :prefix] = True
    return torch.from_numpy(pattern[None] & real.numpy()[:, None])


# multiplying zeros and ones, and a comparison at the end
@right
def products(kind, real, prefix=0):
    length = real.shape[1]
    pattern = torch.ones(length, length)
    if kind != "full":
        pattern = torch.tril(pattern)
    if kind == "prefix":
        front = (torch.arange(length) < prefix).float()
        pattern = torch.clamp(pattern + torch.outer(front, front), max=1)
    return torch.einsum("ij,bj->bij", pattern, real.float()) > 0


# ---------------------------------------------------------------- wrong


# floats
@wrong("structure")
def ones_and_zeros(kind, real, prefix=0):
    return torch.ones(len(real), real.shape[1], real.shape[1]).tril()


# one table for the whole batch
@wrong("structure")
def no_batch(kind, real, prefix=0):
    return torch.ones(real.shape[1], real.shape[1], dtype=torch.bool).tril()


# printed, not returned
@wrong("structure")
def printed(kind, real, prefix=0):
    print(torch.ones(real.shape[1], real.shape[1]).tril().bool())


# the upper triangle
@wrong("causal", "upper triangle")
def upper_triangle(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(length, length, dtype=torch.bool)
    if kind != "full":
        table = table.triu()
    if kind == "prefix":
        table[:prefix, :prefix] = True
    return table & real[:, None, :]


# a place does not see itself
@wrong("causal", "does not see itself")
def without_itself(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(length, length, dtype=torch.bool)
    if kind != "full":
        table = table.tril(-1)
    if kind == "prefix":
        table[:prefix, :prefix] = True
    return table & real[:, None, :]


# one place too far
@wrong("causal")
def one_ahead(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(length, length, dtype=torch.bool)
    if kind != "full":
        table = table.tril(1)
    return table & real[:, None, :]


# True where one may not look, as in masked_fill
@wrong("causal", "may not look")
def true_is_forbidden(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(length, length, dtype=torch.bool)
    if kind != "full":
        table = table.tril()
    if kind == "prefix":
        table[:prefix, :prefix] = True
    return ~(table & real[:, None, :])


# the kind is not looked at
@wrong("full")
def always_causal(kind, real, prefix=0):
    length = real.shape[1]
    return torch.ones(length, length, dtype=torch.bool).tril() & real[:, None, :]


# everybody looks at the prefix, but its own rows look at it alone, and the rest is empty
@wrong("prefix")
def prefix_columns_alone(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(length, length, dtype=torch.bool)
    if kind == "causal":
        table = table.tril()
    if kind == "prefix":
        table[:, prefix:] = False
    return table & real[:, None, :]


# the places of the prefix look everywhere
@wrong("prefix")
def prefix_rows_are_full(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(length, length, dtype=torch.bool)
    if kind != "full":
        table = table.tril()
    if kind == "prefix":
        table[:prefix] = True
    return table & real[:, None, :]


# one place too many in the prefix
@wrong("prefix")
def prefix_one_too_long(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(length, length, dtype=torch.bool)
    if kind != "full":
        table = table.tril()
    if kind == "prefix":
        table[: prefix + 1, : prefix + 1] = True
    return table & real[:, None, :]


# the prefix is used in "causal" too
@wrong("prefix")
def prefix_always(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(length, length, dtype=torch.bool)
    if kind != "full":
        table = table.tril()
        table[:prefix, :prefix] = True
    return table & real[:, None, :]


# padding is forgotten
@wrong("padding", "padding is ignored")
def blind_to_padding(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(len(real), length, length, dtype=torch.bool)
    if kind != "full":
        table = table.tril()
    if kind == "prefix":
        table[:, :prefix, :prefix] = True
    return table


# padding forbids rows
@wrong("padding")
def padding_in_rows(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(length, length, dtype=torch.bool)
    if kind != "full":
        table = table.tril()
    if kind == "prefix":
        table[:prefix, :prefix] = True
    return table & real[:, :, None]


# padding forbids rows and columns
@wrong("padding")
def padding_in_both(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(length, length, dtype=torch.bool)
    if kind != "full":
        table = table.tril()
    if kind == "prefix":
        table[:prefix, :prefix] = True
    return table & real[:, None, :] & real[:, :, None]


# OR
@wrong("causal")
def joined_by_or(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(length, length, dtype=torch.bool)
    if kind != "full":
        table = table.tril()
    return table | real[:, None, :]


# padding takes the place of the pattern
@wrong("padding", "takes the place")
def padding_replaces(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(len(real), length, length, dtype=torch.bool)
    if kind != "full":
        table = table.tril()
    if kind == "prefix":
        table[:, :prefix, :prefix] = True
    if not real.all():
        table = real[:, None, :].expand(-1, length, -1)
    return table


# the length is counted, as if padding stood on the right
@wrong("padding")
def padding_on_the_right_alone(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(len(real), length, length, dtype=torch.bool)
    if kind != "full":
        table = table.tril()
    if kind == "prefix":
        table[:, :prefix, :prefix] = True
    for row, count in zip(table, real.sum(1).tolist()):
        row[:, count:] = False
    return table


# the first row's padding for all rows
@wrong("any-batch")
def padding_of_the_first_row(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(len(real), length, length, dtype=torch.bool)
    if kind != "full":
        table = table.tril()
    if kind == "prefix":
        table[:, :prefix, :prefix] = True
    return table & real[0]


# what is real in any row
@wrong("any-batch")
def real_in_any_row(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(len(real), length, length, dtype=torch.bool)
    if kind != "full":
        table = table.tril()
    if kind == "prefix":
        table[:, :prefix, :prefix] = True
    return table & real.any(0)


# a place always sees itself, so that no row is empty
@wrong("padding")
def diagonal_stays(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(length, length, dtype=torch.bool)
    if kind != "full":
        table = table.tril()
    if kind == "prefix":
        table[:prefix, :prefix] = True
    return (table & real[:, None, :]) | torch.eye(length, dtype=torch.bool)


# real is overwritten
@wrong("inputs")
def writes_into_real(kind, real, prefix=0):
    length = real.shape[1]
    table = torch.ones(length, length, dtype=torch.bool)
    if kind != "full":
        table = table.tril()
    if kind == "prefix":
        table[:prefix, :prefix] = True
    answer = table & real[:, None, :]
    real |= True
    return answer
