# ---
# title: "Exercises to chapter 00b: Warm-up"
# idea: Four small functions that the whole course stands on, from a copy that spoils nothing to attention.
# seconds: 10
# ---

# %% [markdown] id="head"
# # Exercises to chapter 00b: Warm-up
#
# **Four small functions that the whole course stands on, from a copy that spoils nothing to attention.**
#
# Each exercise has a task, an example, a cell for your code, and a check. The check looks at how your
# function behaves, and says what does not hold yet.
#
# - Work in your own copy, in the folder `my_work`: `make lab` makes it, and nothing overwrites it.
# - Run the next cell first. After a restart of the kernel run it again.
# - Write your code, run its cell (Shift+Enter), then run the check below it. The check judges the
#   version that ran last: "In[7]" is the number beside its cell. Places count from 0.
# - Stuck? `check.hint("0.1")` in a cell of your own shows a hint, in three steps.
#   `check.progress()` shows what you have solved.
# - The exercises do not need each other. The lesson is
#   [chapter 00b](../notebooks/00b_warm_up.ipynb).

# %% id="setup"
import torch

from companion import check

print("Ready: 4 exercises in this notebook.")

# %% [markdown] id="task-1"
# # exercise: 0.1
#
# **Task.** Replace some entries of a tensor by one value. What you were given stays as it was.
#
# | | |
# |---|---|
# | `x` | a tensor of numbers, of any shape; infinity and NaN may be among them |
# | `where` | bool, the same shape |
# | `value` | one number, of a kind that `x` can hold |
# | returns | a new tensor of the same kind of numbers: `value` where `where` is True, else the entry of `x` |
#
# **Example.** `x` is 5, 6, 7, `where` is False, True, True, and `value` is 0. The result is 5, 0, 0, and
# `x` is still 5, 6, 7.
#
# In the lesson: [a deck of cards](../notebooks/00b_warm_up.ipynb#cell-id=00b-cards).


# %% id="1" tags=["exercise"]
def replace(x, where, value):
    """A copy of x with value at some places."""
    # --- solution
    return x.masked_fill(where, value)
    # --- end


# %% id="check-1" tags=["check"]
check("0.1")

# %% [markdown] id="task-2"
# # exercise: 0.2
#
# **Task.** Each example of a batch has N vectors. Take K of them, other ones in every example.
#
# | | |
# |---|---|
# | `x` | floats, shape (B, N, D): B examples of N vectors with D numbers |
# | `index` | whole numbers (`torch.long`), shape (B, K), each from 0 to N - 1 |
# | returns | shape (B, K, D): vector `k` of example `b` is `x[b, index[b, k]]`; gradients flow back to `x` |
#
# **Example.** One example holds the vectors (1, 10), (2, 20), (3, 30), and its index is 2, 0. The result
# is (3, 30), (1, 10). An index may name a vector twice, or in any order.
#
# In the lesson: [pick](../notebooks/00b_warm_up.ipynb#cell-id=00b-gather).


# %% id="2" tags=["exercise"]
def take_rows(x, index):
    """The vectors that index names, example by example."""
    # --- solution
    whole = index[:, :, None].expand(-1, -1, x.shape[2])
    return x.gather(1, whole)
    # --- end


# %% id="check-2" tags=["check"]
check("0.2")

# %% [markdown] id="task-3"
# # exercise: 0.3
#
# **Task.** Undo a shuffle. A row of `perm` says which card lies at each place. Return where each card
# lies: with this index the deck comes back into order.
#
# | | |
# |---|---|
# | `perm` | whole numbers, shape (B, N): every row holds 0 to N - 1, each once |
# | returns | whole numbers (`torch.long`), shape (B, N): at place `c` of a row, the place where card `c` lies |
#
# **Example.** The row is 2, 0, 3, 1. Card 0 lies at place 1, card 1 at place 3, card 2 at place 0, card 3
# at place 2. The answer is 1, 3, 0, 2.
#
# In the lesson: [restore](../notebooks/00b_warm_up.ipynb#cell-id=00b-restore).


# %% id="3" tags=["exercise"]
def inverse(perm):
    """Where each card lies."""
    # --- solution
    return perm.argsort(dim=1)
    # --- end


# %% id="check-3" tags=["check"]
check("0.3")

# %% [markdown] id="task-4"
# # exercise: 0.4
#
# **Task.** Write attention, for a batch, without PyTorch's own attention function.
#
# | | |
# |---|---|
# | `q` | floats, shape (B, L, D): a query for each token |
# | `k` | floats, shape (B, S, D): a key for each token that can be looked at |
# | `v` | floats, shape (B, S, E): their values |
# | `may_attend` | bool, shape (B, L, S): True where a query may look at a key |
# | returns | shape (B, L, E): for each query the weighted average of the values; gradients flow back |
#
# Every query may look at one key at least.
#
# **Example.** D is 4. The query (2, 0, 0, 0) meets the keys (0, 0, 0, 0), (3, 0, 0, 0) and (9, 0, 0, 0).
# It may not look at the last one. The scores are 0 / √4 = 0 and 6 / √4 = 3. The weights are 0.047, 0.953
# and 0. With the values 10, 20 and 70 the result is 19.53.
#
# In the lesson: [attention](../notebooks/00b_warm_up.ipynb#cell-id=00b-attention) and
# [masks](../notebooks/00b_warm_up.ipynb#cell-id=00b-mask).


# %% id="4" tags=["exercise"]
def attend(q, k, v, may_attend):
    """Scores, mask, softmax, average."""
    # --- solution
    scores = q @ k.transpose(1, 2) / k.shape[2] ** 0.5
    weights = scores.masked_fill(~may_attend, -torch.inf).softmax(dim=2)
    return weights @ v
    # --- end


# %% id="check-4" tags=["check"]
check("0.4")

# %% [markdown] id="end"
# **Four small functions that the whole course stands on, from a copy that spoils nothing to attention.**
#
# `check.progress()` shows where you are. Chapter 1 needs 0.4, chapter 2 needs 0.1, chapter 5 needs 0.2 and
# 0.3. Your functions are kept in `mine.py` beside your work.
