# ---
# title: "Exercises to chapter 1: Input embeddings"
# idea: "Build what a model is given, and measure what the network itself knows of order: nothing."
# seconds: 20
# ---

# %% [markdown] id="head"
# # Exercises to chapter 1: Input embeddings
#
# **Build what a model is given, and measure what the network itself knows of order: nothing.**
#
# Eight exercises. Each has a task, an example, a cell for your code, and a check. The check looks at how
# your function behaves, and says what does not hold yet.
#
# - Work in your own copy, in the folder `my_work`: `make lab` makes it, and nothing overwrites it.
# - Run the next cell first. After a restart of the kernel run it again.
# - Write your code, run its cell (Shift+Enter), then run the check below it. The check judges the
#   version that ran last: "In[7]" is the number beside its cell. Places count from 0.
# - Stuck? `check.hint("1.1")` in a cell of your own shows a hint, in three steps.
#   `check.progress()` shows what you have solved.
# - The exercises do not need each other. The lesson is
#   [chapter 1](../notebooks/01_input_embeddings.ipynb).

# %% id="setup"
import torch

from companion import check

print("Ready: 8 exercises in this notebook.")

# %% [markdown] id="task-1"
# # exercise: 1.1
#
# **Task.** How many pieces does a word of Wikipedia have on average, with our vocabulary of 4,096? First
# write your guess, a number. A guess is never wrong. Then write the function that counts. The check
# runs it on a hundred pages.
#
# | | |
# |---|---|
# | `texts` | a list of texts |
# | `encode` | a function: it takes a text and returns its ids, a list; the first is [CLS], the last [SEP] |
# | returns | one number: all pieces of all texts, divided by all their words |
#
# A word is what `text.split()` gives. [CLS] and [SEP] are no pieces of any word.
#
# **Example.** Two texts have 3 and 1 words, and their lists have 7 and 5 ids. That makes 5 and 3 pieces:
# 8 / 4 = 2.
#
# In the lesson: [pieces](../notebooks/01_input_embeddings.ipynb#cell-id=01-pieces).


# %% id="1" tags=["exercise"]
# --- solution
guess_1_1 = 1.0
# --- given
# guess_1_1 = None  # your guess: pieces per word
# --- end


def pieces_per_word(texts, encode):
    """Pieces of all texts, divided by their words."""
    # --- solution
    pieces = sum(len(encode(text)) - 2 for text in texts)
    return pieces / sum(len(text.split()) for text in texts)
    # --- end


# %% id="check-1" tags=["check"]
check("1.1")

# %% [markdown] id="task-2"
# # exercise: 1.2
#
# **Task.** Put two texts into one row: [CLS] a [SEP] b [SEP], then padding. If the row is too short, the
# end of b is cut. Its [SEP] is not.
#
# | | |
# |---|---|
# | `a`, `b` | lists of ids, without special tokens and padding |
# | `cls`, `sep`, `pad` | the ids of [CLS], [SEP] and [PAD] |
# | `length` | how long the row is; [CLS] a [SEP] and the last [SEP] always fit |
# | returns | three lists of that length: the ids, the segments, and the mask (bools) |
#
# The segment is 0 for [CLS], a and its [SEP]; 1 for b and its [SEP]; 0 for padding. The mask is True at
# real tokens, the special ones included, and False at padding.
#
# **Example.** Given are a = [11, 12], b = [21], cls = 2, sep = 3, pad = 0 and length = 7. The ids are
# 2, 11, 12, 3, 21, 3, 0. The segments are 0, 0, 0, 0, 1, 1, 0. The mask is True six times, then False.
#
# In the lesson: [one row](../notebooks/01_input_embeddings.ipynb#cell-id=01-row).


# %% id="2" tags=["exercise"]
def pack_pair(a, b, cls, sep, pad, length):
    """Ids, segments and mask of one row."""
    # --- solution
    first = [cls, *a, sep]
    second = [*b[: length - len(first) - 1], sep]
    missing = length - len(first) - len(second)
    ids = first + second + [pad] * missing
    segments = [0] * len(first) + [1] * len(second) + [0] * missing
    return ids, segments, [True] * (length - missing) + [False] * missing
    # --- end


# %% id="check-2" tags=["check"]
check("1.2")

# %% [markdown] id="task-3"
# # exercise: 1.3
#
# **Task.** Make the input of BERT: three look-ups, their sum, a LayerNorm.
#
# | | |
# |---|---|
# | `ids` | whole numbers, shape (batch, length) |
# | `segments` | whole numbers 0 and 1, the same shape |
# | `words` | floats, shape (vocabulary, width): the vector of each id |
# | `positions` | floats, shape (places, width): the vector of each place; there are at least `length` |
# | `kinds` | floats, shape (2, width): the vectors of the two segments |
# | `norm` | a `torch.nn.LayerNorm(width)` |
# | returns | floats, shape (batch, length, width); gradients flow back to the tables |
#
# **Example.** The token at place 4 with id 7 and segment 1 gets `words[7] + positions[4] + kinds[1]`, and
# LayerNorm of that.
#
# In the lesson: [the sum](../notebooks/01_input_embeddings.ipynb#cell-id=01-sum).


# %% id="3" tags=["exercise"]
def embed(ids, segments, words, positions, kinds, norm):
    """What it is, where it stands, which text it belongs to; normalised."""
    # --- solution
    places = positions[: ids.shape[1]]
    return norm(words[ids] + places + kinds[segments])
    # --- end


# %% id="check-3" tags=["check"]
check("1.3")

# %% [markdown] id="task-4"
# # exercise: 1.4
#
# **Task.** BERT-base has 109,482,240 parameters. Which share of them is in the embeddings: words, positions,
# segments, and their LayerNorm? First write your guess, a number between 0 and 1. Then write the function
# that counts.
#
# | | |
# |---|---|
# | `vocabulary` | how many words there are: 30,522 in BERT-base |
# | `places` | how many positions: 512 |
# | `kinds` | how many segments: 2 |
# | `width` | numbers in a vector: 768 |
# | returns | a whole number: the parameters of the three tables and of the LayerNorm |
#
# A LayerNorm multiplies each number of a vector by a parameter, and adds another one to it.
#
# **Example.** A vocabulary of 10, 4 places, 2 segments, width 3: 30 + 12 + 6 + 6 = 54.
#
# In the lesson: [counting](../notebooks/01_input_embeddings.ipynb#cell-id=01-ledger).


# %% id="4" tags=["exercise"]
# --- solution
guess_1_4 = 0.05
# --- given
# guess_1_4 = None  # your guess: a number between 0 and 1
# --- end


def embedding_parameters(vocabulary, places, kinds, width):
    """Parameters of three tables and a LayerNorm."""
    # --- solution
    return (vocabulary + places + kinds + 2) * width
    # --- end


# %% id="check-4" tags=["check"]
check("1.4")

# %% [markdown] id="task-5"
# # exercise: 1.5
#
# **Task.** How much does an encoder care about order? Shuffle the tokens and encode them. Encode them in
# order and shuffle the vectors. If order meant nothing, both would be the same. Return the largest difference.
#
# | | |
# |---|---|
# | `encoder` | a function: ids of shape (1, length) → vectors of shape (1, length, width) |
# | `ids` | whole numbers, shape (1, length) |
# | `perm` | whole numbers, shape (length,): place `j` of the shuffled row holds token `perm[j]` |
# | returns | one number: the largest absolute difference between the two results |
#
# **Example.** With ids 5, 6, 7 and perm 2, 0, 1 the shuffled row is 7, 5, 6. The vector of 7 stands at
# place 0 there. In the ordered row it stands at place 2.
#
# In the lesson: [order](../notebooks/01_input_embeddings.ipynb#cell-id=01-order).


# %% id="5" tags=["exercise"]
def order_gap(encoder, ids, perm):
    """How far is encode(shuffle) from shuffle(encode)?"""
    # --- solution
    with torch.no_grad():
        difference = encoder(ids[:, perm]) - encoder(ids)[:, perm]
    return difference.abs().max().item()
    # --- end


# %% id="check-5" tags=["check"]
check("1.5")

# %% [markdown] id="task-6"
# # exercise: 1.6
#
# **The symptom.** Rows of different lengths are padded on the left, so that all of them end at the same
# place. The positions come from the function below. The next cell shows them for one sentence, alone and
# in a padded row. The same tokens get different position vectors, so the model sees a different sentence.

# %% id="symptom-6"
for name, mask in [
    ("alone ", [[True] * 4]),
    ("padded", [[False] * 3 + [True] * 4]),
]:
    print(name, "mask     ", *(int(real) for real in mask[0]))
    print(name, "positions", *check.given("1.6")(torch.tensor(mask))[0].tolist())

# %% [markdown] id="task-6-task"
# **Task.** Repair the function: the first real token of a row has position 0, the next one 1, and so on.
# Padding has position 0, wherever it stands.
#
# | | |
# |---|---|
# | `mask` | bool, shape (batch, length): True at real tokens |
# | returns | whole numbers, the same shape |
#
# **Example.** False, False, True, True, True gives 0, 0, 0, 1, 2. And True, True, False gives 0, 1, 0.
#
# In the lesson: [places](../notebooks/01_input_embeddings.ipynb#cell-id=01-positions).


# %% id="6" tags=["exercise"]
def position_ids(mask):
    """Places of real tokens, counted from 0 in each row; 0 at padding."""
    # --- solution
    return (mask.cumsum(dim=1) - 1) * mask
    # --- given
    # return torch.arange(mask.shape[1]).expand(mask.shape)
    # --- end


# %% id="check-6" tags=["check"]
check("1.6")

# %% [markdown] id="task-7"
# # exercise: 1.7
#
# **Task.** Write the position vectors that are computed, not learned. The vector of place $p$ holds first
# $d/2$ sines, then $d/2$ cosines. Number $k$ of each half, counted from 0, is the sine or cosine of
# $p / 10000^{2k/d}$.
#
# | | |
# |---|---|
# | `length` | how many places |
# | `dim` | $d$, an even number |
# | returns | floats, shape (length, dim) |
#
# **Example.** For dim 4 place 1 is sin 1, sin 0.01, cos 1, cos 0.01 = 0.841, 0.010, 0.540, 1.000.
#
# In the lesson: [sines](../notebooks/01_input_embeddings.ipynb#cell-id=01-sines).


# %% id="7" tags=["exercise"]
def sinusoidal(length, dim):
    """Sines first, then cosines."""
    # --- solution
    speed = 10000.0 ** (-torch.arange(0, dim, 2) / dim)
    angle = torch.arange(length)[:, None] * speed
    return torch.cat([angle.sin(), angle.cos()], dim=1)
    # --- end


# %% id="check-7" tags=["check"]
check("1.7")

# %% [markdown] id="task-8"
# # exercise: 1.8
#
# **Task.** A friend builds a search engine. She takes BERT as it comes from pre-training, and uses its last
# vector at [CLS] as the meaning of a sentence. The results are poor. Why, and what could she take instead? Explain it in your own
# words, in at least twenty of them. The check shows a model answer and three questions; you mark yourself.


# %% id="8" tags=["exercise"]
# --- solution
answer_1_8 = """
[CLS] is a token as any other. Its vector was trained for one thing alone: the pooler and the
next-sentence head read it. Nothing in this training asked that sentences of like meaning get like
vectors, so distances between these vectors mean little. A vector for search has to be trained for
it, or at least the mean over all tokens has to be taken.
"""
# --- given
# answer_1_8 = """ """  # your answer, between the quotes
# --- end

# %% id="check-8" tags=["check"]
check("1.8")

# %% [markdown] id="end"
# **Build what a model is given, and measure what the network itself knows of order: nothing.**
#
# `check.progress()` shows where you are. After a pass, look at the course's own version, where the check
# names its file and line.
