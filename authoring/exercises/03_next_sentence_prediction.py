# ---
# title: "Exercises to chapter 3: Next sentence prediction"
# idea: Make pairs, judge them with one number, and read an ablation for what it shows.
# seconds: 25
# ---

# %% [markdown] id="head"
# # Exercises to chapter 3: Next sentence prediction
#
# **Make pairs, judge them with one number, and read an ablation for what it shows.**
#
# Eight exercises. Each has a task, an example, a cell for your code, and a check. The check looks at how
# your function behaves, and says what does not hold yet.
#
# - Work in your own copy, in the folder `my_work`: `make lab` makes it, and nothing overwrites it.
# - Run the next cell first. After a restart of the kernel run it again.
# - Write your code, run its cell (Shift+Enter), then run the check below it. The check judges the
#   version that ran last: "In[7]" is the number beside its cell. Places count from 0.
# - Stuck? `check.hint("3.1")` in a cell of your own shows a hint, in three steps.
#   `check.progress()` shows what you have solved.
# - The exercises do not need each other. The lesson is
#   [chapter 3](../notebooks/03_next_sentence_prediction.ipynb).

# %% id="setup"
import re

import torch
import torch.nn.functional as F

from companion import check

print("Ready: 8 exercises in this notebook.")

# %% [markdown] id="task-1"
# # exercise: 3.1
#
# **Task.** Write the head of next sentence prediction. It looks at the vector of [CLS] alone, at place 0.
# That vector goes through the matrix `pooler`, then through tanh, then through `head`.
#
# | | |
# |---|---|
# | `hidden` | floats, shape (batch, length, width): the encoder's output |
# | `pooler` | a `torch.nn.Linear` from width to width |
# | `head` | a `torch.nn.Linear` from width to 2 |
# | returns | floats, shape (batch, 2): the two logits of each pair; gradients flow back to both parts |
#
# **Example.** For one pair of 40 tokens and width 64, `hidden` has shape (1, 40, 64), and the answer has
# shape (1, 2). Changing `hidden` at places 1 to 39 does not change it.
#
# In the lesson: [two logits](../notebooks/03_next_sentence_prediction.ipynb#cell-id=03-task).


# %% id="1" tags=["exercise"]
def nsp_logits(hidden, pooler, head):
    """Two logits for each pair: is next, is random."""
    # --- solution
    return head(torch.tanh(pooler(hidden[:, 0])))
    # --- end


# %% id="check-1" tags=["check"]
check("3.1")

# %% [markdown] id="task-2"
# # exercise: 3.2
#
# **Task.** Make one pair of sentences. A is sentence `i` of document `d`. If `is_next`, B is the sentence
# after it. If not, B is a random sentence of *another* document, and it must not happen to equal
# the true next one.
#
# | | |
# |---|---|
# | `docs` | a list of documents, each a list of sentences (strings), none of them empty |
# | `d`, `i` | whole numbers; sentence `i` is not the last one of its document |
# | `is_next` | True or False |
# | `generator` | the source of all chance: `torch.randint(n, (1,), generator=generator)` |
# | returns | a tuple of three: A, B, and the label, an int: 0 = B is next, 1 = B is random |
#
# If `is_next` is False and there is one document alone, raise a `ValueError`. No text that differs from the true
# next sentence is left out: every sentence of every other document can be drawn.
#
# **Example.** `docs = [["a", "b"], ["c", "d"]]`, `d = 0`, `i = 0`. If `is_next`, the answer is "a", "b", 0.
# If not, it is "a", then "c" or "d", and 1.
#
# In the lesson: [the task](../notebooks/03_next_sentence_prediction.ipynb#cell-id=03-task).


# %% id="2" tags=["exercise"]
def make_pair(docs, d, i, is_next, generator):
    """A, B, and 0 if B follows A, else 1."""
    # --- solution
    a, following = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, following, 0
    others = [s for n, doc in enumerate(docs) if n != d for s in doc if s != following]
    if not others:
        raise ValueError("no other document has another sentence")
    return a, others[int(torch.randint(len(others), (1,), generator=generator))], 1
    # --- end


# %% id="check-2" tags=["check"]
check("3.2")

# %% [markdown] id="task-3"
# # exercise: 3.3
#
# **Task.** BERT's paper says: in half of the pairs B is random. BERT's code says it too, with one
# exception. It takes as many sentences of a document as fit into a row, here all of them. It splits them
# in two at a random place. One sentence alone cannot be split. It always gets a random B. And wherever B
# became random, the sentences that stood there go back: they begin the next row.
#
# Which share of the pairs is random, if every document has three sentences? First write your guess, a
# number between 0 and 1. A guess is never wrong. Then write the function that counts. The check runs it on
# pairs that are made as in that code.
#
# | | |
# |---|---|
# | `labels` | a list of whole numbers, 0 = next, 1 = random |
# | returns | one number: the share of pairs that are random |
#
# **Example.** The labels 1, 0, 1, 1 give 0.75.
#
# In the lesson: [the paper and the code](../notebooks/03_next_sentence_prediction.ipynb#cell-id=03-balance).


# %% id="3" tags=["exercise"]
# --- solution
guess_3_3 = 0.5
# --- given
# guess_3_3 = None  # your guess: a number between 0 and 1
# --- end


def random_share(labels):
    """The share of pairs with label 1."""
    # --- solution
    return sum(labels) / len(labels)
    # --- end


# %% id="check-3" tags=["check"]
check("3.3")

# %% [markdown] id="task-4"
# # exercise: 3.4
#
# **The symptom.** A model is trained on pairs, half of them next and half of them random, with the loss
# below. The loss goes to 0. On new pairs the model is right in 50 of 100. The next cell shows what the
# function says of three batches: undecided, all right, and half right.

# %% id="symptom-4"
unsure, sure = torch.zeros(4, 2), torch.tensor([[-9.0, 9.0]]).expand(4, 2)
all_random = torch.ones(4, dtype=torch.long)
for name, logits, labels in [
    ("cannot tell, all are random", unsure, all_random),
    ("says 'random', all are random", sure, all_random),
    ("says 'random', half are next", sure, torch.tensor([0, 1, 0, 1])),
]:
    print(f"{name:32} loss {check.given('3.4')(logits, labels).item():.3f}")

# %% [markdown] id="task-4-task"
# **Task.** Repair the function. Change as little as you can.
#
# | | |
# |---|---|
# | `logits` | floats, shape (batch, 2): column 0 is for "next", column 1 for "random" |
# | `labels` | whole numbers, shape (batch,): 0 = next, 1 = random |
# | returns | a tensor of one number: the mean surprise over *all* pairs; gradients flow back to `logits` |
#
# **Example.** With equal logits the loss is ln 2 = 0.693, whatever the labels are.
#
# In the lesson: [the task](../notebooks/03_next_sentence_prediction.ipynb#cell-id=03-task).


# %% id="4" tags=["exercise"]
def pair_loss(logits, labels):
    """Mean surprise over all pairs."""
    # --- solution
    return F.cross_entropy(logits, labels)
    # --- given
    # return F.cross_entropy(logits, labels, ignore_index=0)
    # --- end


# %% id="check-4" tags=["check"]
check("3.4")

# %% [markdown] id="task-5"
# # exercise: 3.5
#
# **Task.** Judge a pair with one number, without any network: which share of their words do two texts have
# in common? Words are runs of the letters a to z, in lower case. Each counts once, and words in `stop`
# do not count. Divide by the number of words of the text that has fewer.
#
# | | |
# |---|---|
# | `a`, `b` | two texts |
# | `stop` | a set of common words |
# | returns | a number from 0 to 1; 0 if one of the texts has no word that counts |
#
# **Example.** "The river Lea is in England." and "The Lea flows through London.", without "the", "is", "in".
# The words are river, lea, england and lea, flows, through, london. One is shared, the shorter text has
# three: 1 / 3.
#
# The check also judges 1,000 real pairs with your number: the one with a shared word is called "next".
#
# In the lesson: [one number](../notebooks/03_next_sentence_prediction.ipynb#cell-id=03-overlap).


# %% id="5" tags=["exercise"]
def overlap(a, b, stop):
    """The share of words that two texts have in common."""
    # --- solution
    one, other = (set(re.findall("[a-z]+", text.lower())) - stop for text in (a, b))
    fewer = min(len(one), len(other))
    return len(one & other) / fewer if fewer else 0.0
    # --- end


# %% id="check-5" tags=["check"]
check("3.5")

# %% [markdown] id="task-6"
# # exercise: 3.6
#
# **Task.** Now other pairs: B is always the neighbour of A, but half of the pairs are swapped. Label 1 means
# that B stood *before* A. How often is the number of 3.5 right here? First write your guess, then the
# function that counts. The check runs it on swapped pairs of Wikipedia, with the companion's own overlap.
#
# | | |
# |---|---|
# | `scores` | a list of numbers, one for each pair |
# | `labels` | a list of the same length, 0 or 1 |
# | `threshold` | a number: a pair with a score *above* it is called 0, any other 1 |
# | returns | one number: the share of pairs that are called by their label |
#
# **Example.** The scores 0.4, 0.0, 0.2 with labels 0, 0, 1 and threshold 0.1: called 0, 1, 0, and one of
# three is right: 0.333.
#
# In the lesson: [swapped pairs](../notebooks/03_next_sentence_prediction.ipynb#cell-id=03-swapped).


# %% id="6" tags=["exercise"]
# --- solution
guess_3_6 = 0.7
# --- given
# guess_3_6 = None  # your guess: a number between 0 and 1
# --- end


def accuracy(scores, labels, threshold):
    """The share of pairs that the threshold calls by their label."""
    # --- solution
    right = [(score <= threshold) == (label == 1) for score, label in zip(scores, labels)]
    return sum(right) / len(right)
    # --- end


# %% id="check-6" tags=["check"]
check("3.6")

# %% [markdown] id="task-7"
# # exercise: 3.7
#
# **Task.** Make swapped pairs. Every two neighbouring sentences of a document make one pair. By a coin the
# pair stays as it is (label 0), or its two sentences are exchanged (label 1).
#
# | | |
# |---|---|
# | `docs` | a list of documents, each a list of sentences |
# | `generator` | the source of all chance: a fair coin for each pair |
# | returns | a list of triples (A, B, label) in the order of the documents; a label is an int |
#
# A document with fewer than two sentences has no pair. If there is no pair at all, raise a `ValueError`.
#
# **Example.** `docs = [["a", "b", "c"], ["d"]]` gives two pairs. The first is ("a", "b", 0) or ("b", "a",
# 1), the second ("b", "c", 0) or ("c", "b", 1).
#
# In the lesson: [swapped pairs](../notebooks/03_next_sentence_prediction.ipynb#cell-id=03-swapped).


# %% id="7" tags=["exercise"]
def swap_pairs(docs, generator):
    """Neighbouring sentences, half of the pairs the wrong way round."""
    # --- solution
    pairs = []
    for doc in docs:
        for first, second in zip(doc, doc[1:]):
            swapped = int(torch.randint(2, (1,), generator=generator))
            pairs.append((second, first, 1) if swapped else (first, second, 0))
    if not pairs:
        raise ValueError("no document has two sentences")
    return pairs
    # --- end


# %% id="check-7" tags=["check"]
check("3.7")

# %% [markdown] id="task-8"
# # exercise: 3.8
#
# **Task.** Two papers ask what next sentence prediction is worth. Each compares models that were trained
# in different ways. Two models tell something about *one* setting only if they differ in that one and
# in nothing else. Here are the settings of RoBERTa's Table 2
# ([arXiv 1907.11692](https://arxiv.org/abs/1907.11692), 2019):
#
# | model | NSP | a row holds | of how many documents |
# |---|---|---|---|
# | segment-pair | yes | two runs of sentences | one or two |
# | sentence-pair | yes | two sentences | one or two |
# | full-sentences | no | sentences up to 512 tokens | one or more |
# | doc-sentences | no | sentences up to 512 tokens | one |
#
# First guess: how many *pairs of models* in this table isolate NSP? Then write the function that finds
# them. The check runs it on this table, and on Table 5 of BERT.
#
# | | |
# |---|---|
# | `models` | a list of dictionaries with the same keys, the settings of each model; it may be empty |
# | `setting` | one of the keys |
# | returns | a list of pairs (i, j), i < j, in ascending order: the models that differ in `setting` alone |
#
# **Example.** With `models = [{"nsp": True, "rows": "pairs"}, {"nsp": False, "rows": "pairs"}, {"nsp": False,
# "rows": "full"}]` and `setting = "nsp"` the answer is [(0, 1)].
#
# In the lesson: [two papers](../notebooks/03_next_sentence_prediction.ipynb#cell-id=03-ablations).


# %% id="8" tags=["exercise"]
# --- solution
guess_3_8 = 1
# --- given
# guess_3_8 = None  # your guess: how many pairs of models isolate NSP
# --- end


def isolates(models, setting):
    """The pairs of models that differ in one setting and in nothing else."""
    # --- solution
    found = []
    for j in range(len(models)):
        for i in range(j):
            differ = {key for key in models[i] if models[i][key] != models[j][key]}
            if differ == {setting}:
                found.append((i, j))
    return sorted(found)
    # --- end


# %% id="check-8" tags=["check"]
check("3.8")

# %% [markdown] id="end"
# **Make pairs, judge them with one number, and read an ablation for what it shows.**
#
# `check.progress()` shows where you are. After a pass, look at the course's own version, where the check
# names its file and line.
