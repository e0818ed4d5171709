# ---
# title: "Exercises to chapter 2: MLM masking"
# idea: Write BERT's masking yourself, piece by piece, and find the bugs that others have made.
# seconds: 25
# ---

# %% [markdown] id="head"
# # Exercises to chapter 2: MLM masking
#
# **Write BERT's masking yourself, piece by piece, and find the bugs that others have made.**
#
# Eight exercises, from easy to hard. Each has a task, an example, a cell for your code, and a check.
# The check looks at how your function behaves, and says what does not hold yet.
#
# - Work in your own copy, in the folder `my_work`: `make lab` makes it, and nothing overwrites it.
# - Run the next cell first. After a restart of the kernel run it again.
# - Write your code, run its cell (Shift+Enter), then run the check below it. The check judges the
#   version that ran last: "In[7]" is the number beside its cell. Places count from 0.
# - Stuck? `check.hint("2.1")` in a cell of your own shows a hint, in three steps.
#   `check.progress()` shows what you have solved.
# - Ids are whole numbers (`torch.long`). No function may change the tensors that it is given.
# - The exercises do not need each other. The lesson is
#   [chapter 2](../notebooks/02_mlm_masking.ipynb).

# %% id="setup"
import torch

from companion import check
from companion.data import load_tokenizer

tokenizer = load_tokenizer()
print("Ready: 8 exercises in this notebook.")

# %% [markdown] id="task-1"
# # exercise: 2.1
#
# **Task.** Choose the tokens to ask for. Toss a coin for each token: it is chosen with probability
# `rate`. Special tokens are never chosen. What if no coin of a row says yes? Then exactly one of its
# ordinary tokens is chosen, each with the same chance. A row of special tokens alone stays without.
#
# | | |
# |---|---|
# | `ids` | whole numbers, shape (batch, length) |
# | `special_ids` | a list: the ids of [PAD], [CLS] and so on |
# | `rate` | above 0, at most 1 |
# | `generator` | the source of all chance: `torch.rand(..., generator=generator)` |
# | returns | bool, shape (batch, length), True where chosen |
#
# **Example.** `ids = [[2, 11, 12, 13, 3]]`, special ids 2 and 3, rate 0.15. Suppose the coins are 0.60,
# 0.08, 0.90, 0.30, 0.02. Then place 1 is chosen: 0.08 is below 0.15. Place 4 is not: it is [SEP]. If place
# 1 had drawn 0.20, no coin would say yes, and the row would need its one.
#
# In the lesson: [choosing](../notebooks/02_mlm_masking.ipynb#cell-id=02-choosing).


# %% id="1" tags=["exercise"]
def choose(ids, special_ids, rate, generator):
    """A coin for each ordinary token; no row that has any stays without a chosen one."""
    # --- solution
    ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    noise = torch.rand(ids.shape, generator=generator)
    noise = torch.where(ordinary, noise, torch.inf)
    nearest = noise == noise.min(-1, keepdim=True).values  # if any coin says yes, this one does
    return ordinary & ((noise < rate) | nearest)
    # --- given
    # ordinary = ~torch.isin(ids, torch.tensor(special_ids))
    # noise = torch.rand(ids.shape, generator=generator)  # a number for each coin
    # raise NotImplementedError  # whose coin says yes? And which rows have none then?
    # --- end


# %% id="check-1" tags=["check"]
check("2.1")

# %% [markdown] id="task-2"
# # exercise: 2.2
#
# **Task.** Make the labels. A label is the original id where a token is selected, and -100 elsewhere.
# One of the three inputs is not needed.
#
# | | |
# |---|---|
# | `ids` | whole numbers, shape (batch, length): the original text |
# | `corrupted` | the same shape: what the model sees |
# | `selected` | bool, the same shape |
# | returns | whole numbers, the same shape |
#
# **Example.** The text is 11, 12, 13, 14. Places 0, 2 and 3 are selected. The model sees 4, 12, 50, 14:
# one [MASK], one random token, and one that was kept. The labels are 11, -100, 13, 14.
#
# In the lesson: [three sets](../notebooks/02_mlm_masking.ipynb#cell-id=02-three-sets-words).


# %% id="2" tags=["exercise"]
def make_labels(ids, corrupted, selected):
    """The original id where a token is selected, -100 elsewhere."""
    # --- solution
    return ids.masked_fill(~selected, -100)
    # --- end


# %% id="check-2" tags=["check"]
check("2.2")

# %% [markdown] id="task-3"
# # exercise: 2.3
#
# **Task.** Corrupt the selected tokens. Chance decides about each of them separately. With probability
# 0.8 it becomes [MASK], with 0.1 a random token, and with 0.1 it stays. A random token is drawn from
# `candidates`, each with the same chance. It may be the original one.
#
# | | |
# |---|---|
# | `ids` | whole numbers, shape (batch, length) |
# | `selected` | bool, the same shape |
# | `mask_id` | the id of [MASK] |
# | `candidates` | whole numbers, shape (n,): the ids that a random token may have |
# | `generator` | the source of all chance |
# | returns | whole numbers, shape (batch, length): a new tensor |
#
# **Example.** `candidates = [7, 19, 42]`. A selected token 30 is 4 afterwards (if [MASK] is 4), or 7, 19
# or 42, or still 30. A token that is not selected is what it was.
#
# In the lesson: [corrupting](../notebooks/02_mlm_masking.ipynb#cell-id=02-corrupting).


# %% id="3" tags=["exercise"]
def corrupt(ids, selected, mask_id, candidates, generator):
    """Of the selected tokens: 80 % [MASK], 10 % random, 10 % as they were."""
    # --- solution
    number = torch.rand(ids.shape, generator=generator)
    places = torch.randint(len(candidates), ids.shape, generator=generator)
    hidden = selected & (number < 0.8)
    replaced = selected & (number >= 0.8) & (number < 0.9)
    out = torch.where(replaced, candidates[places], ids)
    return torch.where(hidden, mask_id, out)
    # --- end


# %% id="check-3" tags=["check"]
check("2.3")

# %% [markdown] id="task-4"
# # exercise: 2.4
#
# **Task.** 15 % of the tokens are selected, and treated 80 / 10 / 10. Which share of *all* tokens looks
# different to the model? (The lesson tells it in section 3: guess before you read on there.) First
# write your guess, a number between 0 and 1. A guess is never wrong. Then write the function that
# measures it. The check runs it on Wikipedia.
#
# | | |
# |---|---|
# | `ids` | whole numbers, shape (batch, length): the original text |
# | `corrupted` | the same shape: what the model sees |
# | returns | one number: the share of all tokens that differ |
#
# **Example.** 11, 12, 13, 14 becomes 4, 12, 50, 14: two of four differ, the share is 0.5.


# %% id="4" tags=["exercise"]
# --- solution
guess_2_4 = 0.15
# --- given
# guess_2_4 = None  # your guess: a number between 0 and 1
# --- end


def changed_share(ids, corrupted):
    """The share of all tokens that look different."""
    # --- solution
    return (ids != corrupted).float().mean().item()
    # --- end


# %% id="check-4" tags=["check"]
check("2.4")

# %% [markdown] id="task-5"
# # exercise: 2.5
#
# **The symptom.** A model is trained with the function below. Its loss goes to 0.000. Then it is asked
# for hidden words, and not one answer is right. The next cell shows what the function makes of a text:
# look at the labels.

# %% id="symptom-5"
text = tokenizer.encode("The sun is shining brightly in the sky.").ids[None]
is_sun = text == tokenizer.encode("sun", specials=False).ids
faulty = check.given("2.5")  # the function as it was handed out, whatever you change below
seen, labels = faulty(text.clone(), is_sun, tokenizer.mask_id)
print("the text:  ", *tokenizer.tokens(text[0]))
print("it sees:   ", *tokenizer.tokens(seen[0]))
print(
    "the labels:", *("-100" if x == -100 else tokenizer.tokens([x])[0] for x in labels[0].tolist())
)

# %% [markdown] id="task-5-task"
# **Task.** Repair the function. Change as little as you can.
#
# | | |
# |---|---|
# | `ids` | whole numbers, shape (batch, length): the text |
# | `selected` | bool, the same shape |
# | `mask_id` | the id of [MASK] |
# | returns | two tensors of that shape: what the model sees, and the labels |
#
# **Example.** 11, 12, 13 with place 1 selected: the model sees 11, 4, 13, and the labels are -100, 12,
# -100. The text is 11, 12, 13 afterwards.
#
# In the lesson: [the perfect loss](../notebooks/02_mlm_masking.ipynb#cell-id=02-perfect-loss).


# %% id="5" tags=["exercise"]
def mask_batch(ids, selected, mask_id):
    """What the model sees, and the labels."""
    # --- solution
    corrupted = ids.clone()
    # --- given
    # corrupted = ids
    # --- end
    corrupted[selected] = mask_id
    labels = torch.full_like(ids, -100)
    labels[selected] = ids[selected]
    return corrupted, labels


# %% id="check-5" tags=["check"]
check("2.5")

# %% [markdown] id="task-6"
# # exercise: 2.6
#
# **The symptom.** Another function, another fault. It tosses the coins for the tokens of a text, and
# puts [CLS] and [SEP] around it. The next cell prints a text, what the model sees, and the labels, one
# below the other.

# %% id="symptom-6"
sentence = tokenizer.encode("The sun is shining brightly in the sky.", specials=False).ids
draws = torch.Generator().manual_seed(9)
faulty = check.given("2.6")
seen, labels = faulty(sentence, tokenizer.cls_id, tokenizer.sep_id, tokenizer.mask_id, 0.4, draws)
row = [tokenizer.cls_id, *sentence.tolist(), tokenizer.sep_id]
for name, ids in [("the text", row), ("it sees", seen.tolist()), ("labels", labels.tolist())]:
    words = ["-" if x == -100 else tokenizer.tokens([x])[0] for x in ids]
    print(f"{name:10}" + "".join(f"{word:>8}" for word in words))

# %% [markdown] id="task-6-task"
# **Task.** Repair the function: a label belongs to the token that stood at its place. [CLS] and [SEP] are
# never asked for, and every token of the text can be.
#
# | | |
# |---|---|
# | `ids` | whole numbers, shape (length,): one text without special tokens |
# | `cls_id`, `sep_id`, `mask_id` | ids of special tokens |
# | `rate`, `generator` | as in 2.1, but a text may stay without any chosen token |
# | returns | two rows of length + 2: what the model sees, and the labels |
#
# **Example.** The text is 11, 12, 13. The coins choose the last token. The model sees 2, 11, 12, 4, 3, and
# the labels are -100, -100, -100, 13, -100.


# %% id="6" tags=["exercise"]
def prepare(ids, cls_id, sep_id, mask_id, rate, generator):
    """A text with [CLS] and [SEP], as the model sees it, and its labels."""
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten()
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    # --- solution
    corrupted[places + 1] = mask_id
    labels[places + 1] = ids[places]
    # --- given
    # corrupted[places] = mask_id
    # labels[places] = ids[places]
    # --- end
    return corrupted, labels


# %% id="check-6" tags=["check"]
check("2.6")

# %% [markdown] id="task-7"
# # exercise: 2.7
#
# **Task.** Choose whole words. Every piece has the number of its word; [CLS], [SEP] and padding have -1.
# Toss one coin for each *word*. All pieces of a word share the result. A row may stay without any.
#
# | | |
# |---|---|
# | `word_ids` | whole numbers, shape (batch, length): -1 outside of words, else below 1,000; there may be gaps |
# | `rate` | the probability of a word, however many pieces it has |
# | `generator` | the source of all chance |
# | returns | bool, shape (batch, length), True where chosen |
#
# **Example.** The word ids are -1, 0, 1, 1, 7, -1. Word 1 has two pieces; there are no words 2 to 6. If
# only word 1 is chosen, the answer is False, False, True, True, False, False. In another row, word 1 is
# another word.
#
# In the lesson: [units](../notebooks/02_mlm_masking.ipynb#cell-id=02-units).


# %% id="7" tags=["exercise"]
def choose_words(word_ids, rate, generator):
    """One coin for each word; its pieces share the result."""
    # --- solution
    width = max(int(word_ids.max()) + 1, 1)
    coins = torch.rand(len(word_ids), width, generator=generator)
    own = coins.gather(1, word_ids.clamp(min=0))
    return (own < rate) & (word_ids >= 0)
    # --- end


# %% id="check-7" tags=["check"]
check("2.7")

# %% [markdown] id="task-8"
# # exercise: 2.8
#
# **Task.** Masks should be new in every epoch of training, and stand still in evaluation. So each
# example gets a generator of its own: `torch.Generator().manual_seed(mask_seed(...))`. Write the
# function that makes its seed.
#
# | | |
# |---|---|
# | `seed` | the seed of the whole run, 0, 1, 2 ... |
# | `epoch` | 0, 1, 2 ... in training; `None` in evaluation |
# | `worker` | the number of the process that loads this example |
# | `index` | the number of the example in the whole data set, up to ten million |
# | returns | an int from 0 to 2**63 - 1; of its bits, PyTorch's generator looks at the lowest 32 |
#
# **Example.** Example 5 has one seed in epoch 0 and another in epoch 1. In epoch 1 it has the same seed
# whichever worker loads it, also in another Python process. In evaluation it has the same one each
# time. (Whether another `seed` changes the masks of evaluation is up to you.) Example 6 in epoch 0 must
# not get the seed that example 5 has in epoch 1. Adding the numbers up is not enough: something has to
# mix them.
#
# In the lesson: [masks that move](../notebooks/02_mlm_masking.ipynb#cell-id=02-moving-masks).


# %% id="8" tags=["exercise"]
def mask_seed(seed, epoch, worker, index):
    """The seed of one example's mask in one epoch; None is evaluation."""
    # --- solution
    import hashlib

    # In evaluation the text says None, which no epoch does. The worker has no say.
    digest = hashlib.sha256(f"{seed}, {epoch}, {index}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
    # --- end


# %% id="check-8" tags=["check"]
check("2.8")

# %% [markdown] id="end"
# **Write BERT's masking yourself, piece by piece, and find the bugs that others have made.**
#
# `check.progress()` shows where you are. After a pass, look at the course's own version, where the check
# names its file and line. Your functions are kept in `mine.py` beside your work, for the last chapter.
