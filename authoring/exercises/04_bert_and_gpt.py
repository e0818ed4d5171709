# ---
# title: "Exercises to chapter 4: Bidirectional against autoregressive"
# idea: Draw the masks, catch a leak, count targets and passes, and fill two blanks in two ways.
# seconds: 25
# ---

# %% [markdown] id="head"
# # Exercises to chapter 4: Bidirectional against autoregressive
#
# **Draw the masks, catch a leak, count targets and passes, and fill two blanks in two ways.**
#
# Eight exercises. Each has a task, an example, a cell for your code, and a check. The check looks at how
# your function behaves, and says what does not hold yet.
#
# - Work in your own copy, in the folder `my_work`: `make lab` makes it, and nothing overwrites it.
# - Run the next cell first. After a restart of the kernel run it again.
# - Write your code, run its cell (Shift+Enter), then run the check below it. The check judges the
#   version that ran last: "In[7]" is the number beside its cell. Places count from 0.
# - Stuck? `check.hint("4.1")` in a cell of your own shows a hint, in three steps.
#   `check.progress()` shows what you have solved.
# - The exercises do not need each other. The lesson is
#   [chapter 4](../notebooks/04_bert_and_gpt.ipynb).

# %% id="setup"
import torch
import torch.nn.functional as F

from companion import check

print("Ready: 8 exercises in this notebook.")

# %% [markdown] id="task-1"
# # exercise: 4.1
#
# **Task.** Make the attention mask of a batch. Row `i` says where place `i` may look: True = may look.
#
# - "full": at every place, as in BERT.
# - "causal": at itself and at the places before it, as in GPT.
# - "prefix": the first `prefix` places look at each other; otherwise as in "causal".
#
# In all three, nobody looks at padding. The row of a padding place is made like any other: nobody reads what is
# computed there.
#
# | | |
# |---|---|
# | `kind` | "full", "causal" or "prefix" |
# | `real` | bool, shape (batch, length): False at padding, which may stand on either side |
# | `prefix` | a whole number, 0 to length; used for "prefix" alone |
# | returns | bool, shape (batch, length, length): [b, i, j] is True where place `i` may look at place `j` |
#
# **Example.** One row of three real places. "causal" gives
# [[True, False, False], [True, True, False], [True, True, True]]. With "prefix" and `prefix=2` the first
# row is [True, True, False], and the others stay.
#
# In the lesson: [two masks](../notebooks/04_bert_and_gpt.ipynb#cell-id=04-masks).


# %% id="1" tags=["exercise"]
def may_attend(kind, real, prefix=0):
    """Where each place may look: bool, (batch, length, length)."""
    # --- solution
    place = torch.arange(real.shape[1])
    if kind == "full":
        pattern = torch.ones(len(place), len(place), dtype=torch.bool)
    else:
        pattern = place <= place[:, None]
    if kind == "prefix":
        pattern = pattern | (place < prefix)
    return pattern & real[:, None, :]
    # --- end


# %% id="check-1" tags=["check"]
check("4.1")

# %% [markdown] id="task-2"
# # exercise: 4.2
#
# **Task.** A row holds 64 tokens. BERT selects 15 % of them and is asked for these. GPT is asked for every
# token but the first: there is nothing to its left. How many times as many answers does GPT give? First
# write your guess, a number of 1 or more. A guess is never wrong. Then write the function that computes it.
#
# | | |
# |---|---|
# | `length` | how many tokens a row holds |
# | `rate` | the share of them that BERT selects, above 0 |
# | returns | one number: GPT's answers, divided by BERT's, on average over many rows |
#
# **Example.** 11 tokens and a rate of 0.5: GPT gives 10 answers, BERT 5.5 on average. That is 1.818.
#
# In the lesson: [who is asked](../notebooks/04_bert_and_gpt.ipynb#cell-id=04-targets).


# %% id="2" tags=["exercise"]
# --- solution
guess_4_2 = 1
# --- given
# guess_4_2 = None  # your guess: a number, 1 or more
# --- end


def targets_ratio(length, rate):
    """How many times as many answers GPT gives."""
    # --- solution
    return (length - 1) / (rate * length)
    # --- end


# %% id="check-2" tags=["check"]
check("4.2")

# %% [markdown] id="task-3"
# # exercise: 4.3
#
# **Task.** Write the loss of a model that predicts the next token. At place `t` the model has seen tokens 0 to `t`,
# and its logits there are for token `t + 1`. A token is scored if it is real and the one before it is
# real too.
#
# | | |
# |---|---|
# | `logits` | floats, shape (batch, length, vocabulary) |
# | `ids` | whole numbers, shape (batch, length): the row as the model saw it, not shifted |
# | `real` | bool, shape (batch, length): False at padding, which may stand on either side |
# | returns | a tensor of one number: the mean surprise over all scored tokens of the batch; gradients flow back |
#
# At least one token is scored. A padding place may hold any id, even one that is also a word.
#
# **Example.** Three tokens, a vocabulary of 5, equal logits everywhere: two tokens are scored, and the loss
# is ln 5 = 1.609.
#
# In the lesson: [shifted by one](../notebooks/04_bert_and_gpt.ipynb#cell-id=04-shift).


# %% id="3" tags=["exercise"]
def next_token_loss(logits, ids, real):
    """Mean surprise at each next token."""
    # --- solution
    scored = real[:, 1:] & real[:, :-1]
    asked, answers = logits[:, :-1][scored], ids[:, 1:][scored]
    return F.cross_entropy(asked, answers)
    # --- end


# %% id="check-3" tags=["check"]
check("4.3")

# %% [markdown] id="task-4"
# # exercise: 4.4
#
# **Task.** Does a model know the future? Put another token at place `t + 1`, and look at what the model says
# at places 0 to `t`. Return the largest absolute change there. For a causal model it is 0.
#
# | | |
# |---|---|
# | `model` | a `torch.nn.Module`: ids of shape (1, length) → floats of shape (1, length, width) |
# | `ids` | whole numbers, shape (1, length) |
# | `t` | a place, 0 to length - 2 |
# | `other` | the id to put at place `t + 1`; it differs from the one that stands there |
# | returns | one number |
#
# Dropout would change the outputs too. So it must be off while you measure. Afterwards the model is in the mode that
# it was in before.
#
# **Example.** A model that looks up each token by itself gives 0 at every `t`. One that averages over the row
# gives more than 0.
#
# In the lesson: [a loss that is too good](../notebooks/04_bert_and_gpt.ipynb#cell-id=04-leak).


# %% id="4" tags=["exercise"]
def future_leak(model, ids, t, other):
    """How much outputs up to t change with token t + 1."""
    # --- solution
    changed = ids.clone()
    changed[0, t + 1] = other
    was_training = model.training
    model.eval()
    with torch.no_grad():
        difference = model(changed) - model(ids)
    model.train(was_training)
    return difference[:, : t + 1].abs().max().item()
    # --- end


# %% id="check-4" tags=["check"]
check("4.4")

# %% [markdown] id="task-5"
# # exercise: 4.5
#
# **The symptom.** A causal model is trained with the mask below. Its loss falls under the best that
# was ever published for this size. The next cell measures the leak of exercise 4.4 on a small model with this
# mask: once without padding, and once with padding.

# %% id="symptom-5"
from companion.models import Bert, BertConfig

torch.manual_seed(0)
sizes = {"vocab_size": 50, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
sizes |= {"intermediate_size": 64, "initializer_range": 0.2}
model = Bert(BertConfig(**sizes)).eval()
for name, padding in (("no padding", 0), ("two places of padding", 2)):
    ids = torch.randint(5, 50, (1, 10))
    real = torch.arange(10)[None] < 10 - padding
    other = ids.clone()
    other[0, 5] = 5 if ids[0, 5] != 5 else 6  # the token at place 5 changes
    mask = check.given("4.5")(real)
    before, after = (model(row, attention_mask=mask).last_hidden_state for row in (ids, other))
    print(
        f"{name:22} largest change at places 0 to 4: {(after - before)[:, :5].abs().max().item():.3f}"
    )

# %% [markdown] id="task-5-task"
# **Task.** Repair the function. Change as little as you can.
#
# | | |
# |---|---|
# | `real` | bool, shape (batch, length): False at padding, which may stand on either side |
# | returns | bool, shape (batch, length, length): [b, i, j] is True where place `i` may look at place `j` |
#
# Each place looks at itself and at the places before it, and nobody looks at padding.
#
# **Example.** For real = True, True, False the answer is
# [[True, False, False], [True, True, False], [True, True, False]].
#
# In the lesson: [a loss that is too good](../notebooks/04_bert_and_gpt.ipynb#cell-id=04-leak).


# %% id="5" tags=["exercise"]
def training_mask(real):
    """Causal, and blind to padding."""
    batch, length = real.shape
    mask = torch.ones(batch, length, length, dtype=torch.bool).tril()
    if not real.all():
        # --- solution
        mask = mask.logical_and(real[:, None, :])
        # --- given
        # mask = real[:, None, :].expand(batch, length, length)
        # --- end
    return mask


# %% id="check-5" tags=["check"]
check("4.5")

# %% [markdown] id="task-6"
# # exercise: 4.6
#
# **Task.** GPT writes 32 tokens one after the other: 32 times through the network. How many times does a row of
# 32 tokens go through it in *training*, for one update? First write your guess, a whole number of 1 or more. Then
# write the function that counts. The check runs it on a training step, and on writing 32 tokens.
#
# | | |
# |---|---|
# | `model` | a `torch.nn.Module` |
# | `work` | a function without arguments that uses the model |
# | returns | a whole number: how often `model` was called while `work()` ran once |
#
# `model.register_forward_hook(f)` has f called as `f(module, inputs, output)` after each call of the model. It returns
# a handle; `handle.remove()` takes the hook away again. After your function no hook is left.
#
# **Example.** If `work` calls the model twice, the answer is 2.
#
# In the lesson: [passes](../notebooks/04_bert_and_gpt.ipynb#cell-id=04-passes).


# %% id="6" tags=["exercise"]
# --- solution
guess_4_6 = 32
# --- given
# guess_4_6 = None  # your guess: a whole number, 1 or more
# --- end


def count_passes(model, work):
    """How often the model was called while work ran."""
    # --- solution
    calls = []
    handle = model.register_forward_hook(lambda module, inputs, output: calls.append(1))
    work()
    handle.remove()
    return len(calls)
    # --- end


# %% id="check-6" tags=["check"]
check("4.6")

# %% [markdown] id="task-7"
# # exercise: 4.7
#
# **Task.** Two [MASK]s stand side by side. A model fills them: both at once, or the left one first and then
# the right one, with the left answer in its place. Which pairs come out, and how often? Return a table: the
# probability of each pair.
#
# | | |
# |---|---|
# | `ask` | the model: `ask(left, right)` takes an id, or None for [MASK], at each of the two places |
# | | and returns two tensors of shape (vocabulary,): probabilities for the left place and the right place |
# | `at_once` | True: both places are filled from one question. False: one by one, the left place first |
# | returns | floats, shape (vocabulary, vocabulary): [a, b] is the probability of a on the left, b on the right |
#
# Ids are 0 to vocabulary - 1. Each fill follows the model's probabilities. Compute the table, draw nothing.
#
# **Example.** The truth is (0, 0) or (1, 1), half the time each. The call `ask(None, None)` returns 0.5 and 0.5
# for both places. The call `ask(0, None)` returns 1 and 0 for the right place. At once, every pair has 0.25. One
# by one, (0, 0) and (1, 1) have 0.5.
#
# In the lesson: [two blanks](../notebooks/04_bert_and_gpt.ipynb#cell-id=04-two-blanks).


# %% id="7" tags=["exercise"]
def fill_two(ask, at_once):
    """The probability of each pair: (vocabulary, vocabulary)."""
    # --- solution
    left, right = ask(None, None)
    if at_once:
        return left[:, None] * right
    return torch.stack([left[a] * ask(a, None)[1] for a in range(len(left))])
    # --- end


# %% id="check-7" tags=["check"]
check("4.7")

# %% [markdown] id="task-8"
# # exercise: 4.8
#
# **Task.** Score a whole sentence with a masked model. Hide one token at a time, and take the log-probability
# of the true token there. Add them up. Put all rows into *one* batch, so that `score` is called once. Special tokens
# are not hidden and not counted.
#
# | | |
# |---|---|
# | `score` | a function: ids of shape (batch, length) → log-probabilities, shape (batch, length, vocabulary) |
# | `ids` | whole numbers, shape (length,), with special tokens |
# | `mask_id` | the id of [MASK] |
# | `special_ids` | a tuple of ids |
# | returns | one number, 0 or below: the sum; 0 if there is no other token |
#
# **Example.** For [CLS] the sun [SEP] the batch has two rows: [CLS] [MASK] sun [SEP] and [CLS] the [MASK]
# [SEP]. The answer is log p(the) from the first row plus log p(sun) from the second.
#
# In the lesson: [a score for a sentence](../notebooks/04_bert_and_gpt.ipynb#cell-id=04-pll).


# %% id="8" tags=["exercise"]
def pseudo_log_likelihood(score, ids, mask_id, special_ids):
    """The sum of log p(token | all others)."""
    # --- solution
    places = [place for place, one in enumerate(ids.tolist()) if one not in special_ids]
    rows = ids.repeat(len(places), 1)
    number = torch.arange(len(places))
    rows[number, places] = mask_id
    return score(rows)[number, places, ids[places]].sum().item()
    # --- end


# %% id="check-8" tags=["check"]
check("4.8")

# %% [markdown] id="end"
# **Draw the masks, catch a leak, count targets and passes, and fill two blanks in two ways.**
#
# `check.progress()` shows where you are. After a pass, look at the course's own version, where the check
# names its file and line.
