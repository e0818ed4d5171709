# ---
# title: "Exercises to chapter 6: Loss functions"
# idea: Average over the right places, find two losses that lie, and say what must be equal before losses are compared.
# seconds: 20
# ---

# %% [markdown] id="head"
# # Exercises to chapter 6: Loss functions
#
# **Average over the right places, find two losses that lie, and say what must be equal before losses are compared.**
#
# Eight exercises. Each has a task, an example, a cell for your code, and a check. The check looks at how
# your function behaves, and says what does not hold yet.
#
# - Work in your own copy, in the folder `my_work`: `make lab` makes it, and nothing overwrites it.
# - Run the next cell first. After a restart of the kernel run it again.
# - Write your code, run its cell (Shift+Enter), then run the check below it. The check judges the
#   version that ran last: "In[7]" is the number beside its cell. Places count from 0.
# - Stuck? `check.hint("6.1")` in a cell of your own shows a hint, in three steps.
#   `check.progress()` shows what you have solved.
# - The exercises do not need each other. The lesson is
#   [chapter 6](../notebooks/06_loss_functions.ipynb).

# %% id="setup"
import torch
import torch.nn.functional as F

from companion import check

print("Ready: 8 exercises in this notebook.")

# %% [markdown] id="task-1"
# # exercise: 6.1
#
# **Task.** A masked language model has just been drawn at random. It knows 30,522 words and has learned nothing. How large is its loss, in
# nats? First write your guess, a number of 0 or more. A guess is never wrong. Then write a function that says what a blind model loses. It
# gives all classes the same probability. The check compares it with a network that was drawn and not trained.
#
# | | |
# |---|---|
# | `classes` | how many answers there are: words, or 2 for "is B the next text?" |
# | returns | one number: the surprise at the right answer, in nats |
#
# **Example.** Four classes: each has the probability 1/4. The surprise is 1.386.
#
# In the lesson: [the thermometer](../notebooks/06_loss_functions.ipynb#cell-id=06-thermometer).


# %% id="1" tags=["exercise"]
# --- solution
guess_6_1 = 1
# --- given
# guess_6_1 = None  # your guess: a loss in nats, 0 or more
# --- end


def blind_loss(classes):
    """The surprise of a model that knows nothing."""
    # --- solution
    return torch.tensor(float(classes)).log().item()
    # --- end


# %% id="check-1" tags=["check"]
check("6.1")

# %% [markdown] id="task-2"
# # exercise: 6.2
#
# **Task.** Write the mean over the scored places. Nothing else may enter it, not even a NaN.
#
# | | |
# |---|---|
# | `values` | floats, any shape |
# | `scored` | bool, the same shape |
# | returns | a tensor of one number: the mean of the scored values; gradients flow back |
#
# If nothing is scored, the answer is 0, and so is its gradient. A NaN at an unscored place changes neither the mean nor the gradient. A NaN at a
# scored place makes the mean NaN: a fault must show.
#
# **Example.** Values 1, 5 and NaN, the first two scored: 3.
#
# In the lesson: [one mean](../notebooks/06_loss_functions.ipynb#cell-id=06-one-mean).


# %% id="2" tags=["exercise"]
def masked_mean(values, scored):
    """The mean over the scored places."""
    # --- solution
    picked = values[scored]
    return picked.sum() / max(picked.numel(), 1)
    # --- end


# %% id="check-2" tags=["check"]
check("6.2")

# %% [markdown] id="task-3"
# # exercise: 6.3
#
# **Task.** Write the loss of a masked language model, without `cross_entropy` or `nll_loss`.
#
# | | |
# |---|---|
# | `logits` | floats, shape (batch, length, words) |
# | `labels` | whole numbers, shape (batch, length): the right word, or -100 where nothing is asked |
# | returns | a tensor of one number: the mean surprise at the labels, in nats; 0 without any; gradients flow back |
#
# All labels of the batch count the same.
#
# **Example.** Two places, three words, equal logits. The labels are 2 and -100. The loss is ln 3 = 1.099.
#
# In the lesson: [one mean](../notebooks/06_loss_functions.ipynb#cell-id=06-one-mean).


# %% id="3" tags=["exercise"]
def mlm_loss(logits, labels):
    """The mean surprise at the labels."""
    # --- solution
    asked = labels != -100
    said = logits[asked].log_softmax(dim=-1)
    surprise = -said.gather(1, labels[asked][:, None])
    return surprise.sum() / max(len(surprise), 1)
    # --- end


# %% id="check-3" tags=["check"]
check("6.3")

# %% [markdown] id="task-4"
# # exercise: 6.4
#
# **The symptom.** Padding has the weight 0, so it should not matter what a model says there. The next cell changes the logits at padding alone.

# %% id="symptom-4"
logits = torch.tensor([[[0.3797, 0.6203], [0.4363, 0.5637], [0.3797, 0.6203]]])
labels = torch.tensor([[0, 1, 1]])
weights = torch.tensor([[1.0, 1.0, 0.0]])  # the last one is padding
for at_padding in (0.3797, 3.0, -3.0):
    logits[0, 2, 0] = at_padding
    loss = check.given("6.4")(logits, labels, weights)
    print(f"logit {at_padding:7.4f} at padding: loss {loss.item():.4f}")

# %% [markdown] id="task-4-task"
# **Task.** Repair the function. Change as little as you can.
#
# | | |
# |---|---|
# | `logits` | floats, shape (batch, length, words) |
# | `labels` | whole numbers, shape (batch, length), all of them words |
# | `weights` | floats of 0 or more, shape (batch, length); not all are 0 |
# | returns | a tensor of one number: each token's surprise times its weight, added up, divided by the sum of the weights |
#
# **Example.** Two tokens with surprises 1 and 5 and weights 3 and 1. The answer is (3 · 1 + 1 · 5) / 4 = 2. For the tokens of the symptom it
# is 0.7261, whatever stands at padding.
#
# In the lesson: [one mean](../notebooks/06_loss_functions.ipynb#cell-id=06-one-mean).


# %% id="4" tags=["exercise"]
def weighted_loss(logits, labels, weights):
    """The weighted mean of the tokens' surprises."""
    # --- solution
    loss = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    return (loss * weights).sum() / weights.sum()
    # --- given
    # loss = F.cross_entropy(logits.transpose(1, 2), labels)
    # return (loss * weights).mean()
    # --- end


# %% id="check-4" tags=["check"]
check("6.4")

# %% [markdown] id="task-5"
# # exercise: 6.5
#
# **Task.** One model, one text, one set of masks, and two numbers that are both called its loss. The first is a mean over *all* places, where an
# unscored place counts as 0. The second is a mean over the *scored* places. How many times as large is the second, at BERT's 15 %? First write your
# guess, a number above 0. Then write the function. The check runs it on `bert-wiki-mini` and held-out text.
#
# | | |
# |---|---|
# | `surprise` | floats, shape (batch, length): the surprise at every place, in nats |
# | `scored` | bool, shape (batch, length); at least one is True |
# | returns | two numbers: the mean over all places, and the mean over the scored places |
#
# **Example.** Surprises 6, 1, 1 and 1, of which the first is scored: 1.5 and 6.
#
# Then say what must be equal before two losses are compared.
#
# In the lesson: [six losses of one model](../notebooks/06_loss_functions.ipynb#cell-id=06-six-losses).


# %% id="5" tags=["exercise"]
# --- solution
guess_6_5 = 1
# --- given
# guess_6_5 = None  # your guess: how many times as large, above 0
# --- end


def two_losses(surprise, scored):
    """The mean over all places, and over the scored ones."""
    # --- solution
    total = surprise[scored].sum().item()
    return total / scored.numel(), total / scored.sum().item()
    # --- end


# %% id="check-5" tags=["check"]
check("6.5")

# %% [markdown] id="task-6"
# # exercise: 6.6
#
# **Task.** Take brightness and contrast out of each patch: subtract its mean, and divide by its standard deviation.
#
# | | |
# |---|---|
# | `patches` | floats, shape (batch, patches, values), two values or more |
# | `eps` | a small number |
# | returns | three tensors: `values`, the shape of `patches`; `mean` and `std`, shape (batch, patches, 1) |
#
# `std` is the root of the variance plus `eps`. The variance divides by one less than the number of values. Gradients flow back.
#
# **Example.** A patch of 1 and 3, eps 0: the mean is 2, the variance 2, and the values are -0.707 and 0.707.
#
# In the lesson: [normalised patches](../notebooks/06_loss_functions.ipynb#cell-id=06-norm-pix).


# %% id="6" tags=["exercise"]
def normalise(patches, eps):
    """Patches without brightness and contrast, and both."""
    # --- solution
    mean = patches.mean(dim=2, keepdim=True)
    std = (patches.var(dim=2, keepdim=True) + eps) ** 0.5
    return (patches - mean) / std, mean, std
    # --- end


# %% id="check-6" tags=["check"]
check("6.6")

# %% [markdown] id="task-7"
# # exercise: 6.7
#
# **The symptom.** A batch does not fit into memory, so it comes in two parts. The loss of each part is sent backward, and one update follows. The
# next cell puts the parts' losses beside that of the whole batch.

# %% id="symptom-7"
first = torch.tensor([4.0, 7.0]), torch.tensor([True, False])  # surprises, and which are scored
second = torch.ones(9), torch.ones(9, dtype=torch.bool)
parts = check.given("6.7")([first, second])
every = torch.cat([values[scored] for values, scored in (first, second)])
print(f"the two parts together: {sum(parts):.2f}, the whole batch: {every.mean():.2f}")

# %% [markdown] id="task-7-task"
# **Task.** Repair the function. The losses that it returns have to add up to the loss of the whole batch, and so do their gradients.
#
# | | |
# |---|---|
# | `parts` | a list of pairs: `values`, floats of shape (places,), and `scored`, bool of the same shape |
# | returns | a list with one loss for each part, tensors of one number; gradients flow back |
#
# The loss of the whole batch is the mean over all scored places of all parts. A part without any adds 0, and so does a step without any.
#
# **Example.** Parts with the scored values 2, and 5 and 5. The losses are 2/3 and 10/3; together they are 4.
#
# In the lesson: [one mean](../notebooks/06_loss_functions.ipynb#cell-id=06-one-mean).


# %% id="7" tags=["exercise"]
def step_losses(parts):
    """Each part's share of the step's loss."""
    # --- solution
    labels = sum(int(scored.sum()) for _, scored in parts)
    return [values[scored].sum() / max(labels, 1) for values, scored in parts]
    # --- given
    # losses = []
    # for values, scored in parts:
    #     mean = values[scored].sum() / max(int(scored.sum()), 1)
    #     losses.append(mean / len(parts))
    # return losses
    # --- end


# %% id="check-7" tags=["check"]
check("6.7")

# %% [markdown] id="task-8"
# # exercise: 6.8
#
# **Task.** "It is only a constant." Three losses of hidden patches differ by a factor. The first is the mean over all values of a patch. The second is the sum over a
# patch, divided by p² (its pixels), and the third the plain sum. For colour pictures and patches of 16 by 16, how many times as large as the first is the third? First write
# your guess, a number above 0. Then write the function.
#
# | | |
# |---|---|
# | `pred`, `patches` | floats, shape (batch, patches, values) |
# | `hidden` | bool, shape (batch, patches): True = hidden; at least one is |
# | `p` | pixels of a patch along one side; `values` is p · p · channels |
# | returns | three numbers, each averaged over the hidden patches: the mean of the squared differences; their sum divided by p²; their sum |
#
# **Example.** One hidden patch of 2 by 2 pixels in three channels, all twelve differences are 1: the answer is 1, 3 and 12.
#
# Then say which optimiser would notice.
#
# In the lesson: [constants](../notebooks/06_loss_functions.ipynb#cell-id=06-constants).


# %% id="8" tags=["exercise"]
# --- solution
guess_6_8 = 256
# --- given
# guess_6_8 = None  # your guess: how many times as large, above 0
# --- end


def three_losses(pred, patches, hidden, p):
    """One error, with three constants."""
    # --- solution
    each = (pred - patches)[hidden].square().sum(dim=1).mean().item()
    return each / patches.shape[2], each / p**2, each
    # --- end


# %% id="check-8" tags=["check"]
check("6.8")

# %% [markdown] id="end"
# **Average over the right places, find two losses that lie, and say what must be equal before losses are compared.**
#
# `check.progress()` shows where you are. After a pass, look at the course's own version, where the check
# names its file and line.
