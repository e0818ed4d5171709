# ---
# title: "Chapter 00b: Warm-up"
# idea: Attention is a weighted average whose weights the data choose; a mask sets some weights to zero.
# seconds: 10
# ---

# %% [markdown] id="head"
# # Chapter 00b: Warm-up
#
# **Attention is a weighted average whose weights the data choose; a mask sets some weights to zero.**
#
# After this chapter you can:
#
# - copy, hide, pick and restore the entries of a tensor without spoiling the original,
# - say what a loss of 0.69 or 6.9 means,
# - compute attention by hand, with and without a mask,
# - read the plan of one block of BERT, and of one that came later.
#
# | | |
# |---|---|
# | You need | PyTorch tensors, and to have seen a training loop |
# | Reading | 30 minutes |
# | Exercises | 30 minutes |
# | Computing | less than 10 seconds on two cores |
#
# This sentence will go with us through the whole course. Its pieces are called *tokens*. In a model such as
# BERT (2018), which we build in the next chapters, each token becomes a list of numbers, a vector. Then the
# vectors look at each other. How they do this is the subject of this chapter.

# %% id="sentence"
from companion.data import load_tokenizer
from companion.show import TokenRow, label, show, token_strips

tokenizer = load_tokenizer()
words = tokenizer.tokens(tokenizer.encode("The sun is shining brightly in the sky.").ids)
show(
    token_strips([TokenRow(label("text"), words, ["seen"] * len(words))], key=False),
    alt=f"The sentence The sun is shining brightly in the sky, cut into {len(words) - 2} pieces, with "
    "CLS in front and SEP at the end. Some words are one piece, shining is two.",
)

# %% [markdown] id="self-test"
# ## Do you need this chapter?
#
# Six questions, five minutes. Choose an answer, and it opens. Each wrong one leads to the section that explains it. Six
# right at the first attempt? Then go on to chapter 1.

# %% id="questions"
from companion.quizzes import quiz

quiz("self-test")

# %% [markdown] id="cards"
# ## 1. A deck of eight cards
#
# Masked modelling hides things and puts them back. So it moves numbers around all the time. A deck of
# cards shows every move that we need.

# %% id="two-names" tags=["nbval-check-output"]
import torch

deck = torch.arange(8)
other = deck  # a second name
copy = deck.clone()  # a second deck
other[2] = -1
print("deck: ", deck.tolist())
print("other:", other.tolist())
print("copy: ", copy.tolist())

# %% [markdown] id="two-names-so-what"
# We wrote into `other`, and `deck` changed. **A name is not a copy.** The same holds for a slice
# (`deck[:4]`) and for a view. In chapter 2 this costs a model everything that it should have learned.
#
# So functions in this course never write into what they were given. They return something new.
#
# *Now you: [exercise 0.1](../my_work/00b_warm_up.ipynb#cell-id=00b-ex-task-1), replace without spoiling.*

# %% [markdown] id="gather"
# ### Pick
#
# An index says from where each card of the new hand is taken. Here the hand is places 5, 0 and 6 of a
# shuffled deck. Read the picture from below: the index points at places of the deck.

# %% id="pick"
shuffled = torch.tensor([6, 2, 7, 0, 4, 1, 5, 3])
places = torch.tensor([5, 0, 6])
hand = shuffled[places]


def card_row(name, cards, marked=()):
    """A row of the picture: numbers as cards, some of them marked, empty places at the end."""
    faces = [str(int(card)) for card in cards] + [""] * (8 - len(cards))
    states = [
        "selected" if n in marked else "seen" if face else "plain" for n, face in enumerate(faces)
    ]
    return TokenRow(name, faces, states)


rows = [
    TokenRow(label("position"), [str(place) for place in range(8)], ["plain"] * 8),
    card_row(label("deck"), shuffled, marked=places.tolist()),
    card_row(label("index"), places),
    card_row(label("hand"), hand),
]
show(
    token_strips(rows, key=False),
    alt="The places 0 to 7, and three rows of cards. The deck: 6 2 7 0 4 1 5 3. The index: 5 0 6. The hand: 1 6 5, which "
    "are the cards at places 5, 0 and 6 of the deck.",
)

# %% [markdown] id="gather-words"
# In a batch every row has an index of its own: other cards are picked from each picture. Then
# `x[places]` is not enough, because one index would serve all rows. PyTorch's `gather` takes one index
# for each row:

# %% id="gathered" tags=["nbval-check-output"]
two_decks = torch.stack([shuffled, shuffled + 10])
two_indices = torch.tensor([[5, 0, 6], [1, 1, 7]])
print(two_decks.tolist())
print(two_decks.gather(1, two_indices).tolist())

# %% [markdown] id="gathered-words"
# The index has as many dimensions as what it picks from. If every card is a vector of D numbers, x has the
# shape (B, N, D). Then an index (B, K) has to be stretched to (B, K, D), one place for all D numbers.
#
# *Now you: [exercise 0.2](../my_work/00b_warm_up.ipynb#cell-id=00b-ex-task-2), take rows.*

# %% [markdown] id="restore"
# ### Restore
#
# The deck was shuffled. Which index brings it back into order? It has to say, for each card, where it
# lies now. Card 0 lies at place 3, card 1 at place 5, and so on.

# %% id="restored" tags=["nbval-check-output"]
where_it_lies = torch.tensor([shuffled.tolist().index(card) for card in range(8)])
print("shuffled:     ", shuffled.tolist())
print("where it lies:", where_it_lies.tolist())
print("restored:     ", shuffled[where_it_lies].tolist())

# %% [markdown] id="restore-words"
# The two lists are **inverse** to each other: each undoes what the other does. Chapter 5 shuffles the
# pieces of a picture, works on the first few, and restores the order with such an index.
#
# The search above goes through the deck once for each card. There is a shorter way.
#
# *Now you: [exercise 0.3](../my_work/00b_warm_up.ipynb#cell-id=00b-ex-task-3), undo a shuffle.*

# %% [markdown] id="surprise"
# ## 2. Surprise
#
# A model does not say "sky". It gives every word a probability. How good was its answer? We look at one
# number: the probability $p$ of the word that really stood there. The **surprise** is $-\ln p$.

# %% id="surprise-picture"
from companion.show import curves

chances = torch.linspace(0.005, 1, 200)
show(
    curves(
        {label("surprise"): (chances.tolist(), (-chances.log()).tolist())},
        xlabel=label("probability_of_the_right_word"),
        ylabel=label("surprise"),
    ),
    alt="The surprise falls as the probability of the right word grows: 5.3 at half a per cent, 2.3 "
    "at ten per cent, 0.7 at one half, 0 at 1.",
)

# %% id="surprise-numbers" tags=["nbval-check-output"]
import math

for chance in (1, 0.5, 0.25, 0.001, 1 / tokenizer.vocab_size):
    print(f"p = {chance:.5f}   surprise = {math.log(1 / chance):.2f}")

# %% [markdown] id="surprise-so-what"
# Sure and right costs nothing. Half sure costs 0.69. A blind guess among the 4,096 tokens of our vocabulary
# costs 8.32.
# And whoever gives the truth no chance at all pays without limit.
#
# The **loss** of a language model is the mean surprise over the words that it is asked for. PyTorch
# calls it cross-entropy. A loss of 0.69 means: as surprised as by the toss of a coin; of 6.9, as by one
# chance in a thousand.

# %% [markdown] id="attention"
# ## 3. Attention is a weighted average
#
# A token wants to know something. It asks with a vector, its **query**. Every token offers a vector to
# be found by, its **key**, and a vector that it hands over, its **value**. All three come from the token
# by three matrices that are learned.
#
# Products of their numbers, added up, make the *score* (the dot product). A key that points where the query
# points gets a high one. Scores become weights, and the weights make the average. Four tokens, two dimensions: you can check every number by hand.

# %% id="by-hand" tags=["nbval-check-output"]
tokens = ("the", "sun", "is", "shining")
keys = ((0.0, 0.0), (2.0, 0.0), (0.0, 1.0), (1.5, 1.5))
values = ((0.0, 0.0), (3.0, 0.0), (-2.0, 1.0), (1.0, 3.0))
query = (1.5, -0.5)  # of the token that asks

powers = []
for token, key in zip(tokens, keys, strict=True):
    score = (query[0] * key[0] + query[1] * key[1]) / math.sqrt(2)  # 2 dimensions
    powers.append(math.exp(score))
    print(f"{token:8} score {score:5.2f}   e to the score {powers[-1]:5.2f}")
weights = [power / sum(powers) for power in powers]
print(
    "weights:",
    ", ".join(f"{token} {weight:.2f}" for token, weight in zip(tokens, weights, strict=True)),
)

# %% [markdown] id="softmax"
# The exponential makes all numbers positive, and the division makes their sum 1. This is **softmax**.
# Why divide a score by $\sqrt d$? A score is a sum of $d$ products. If they are independent and each has variance 1,
# that of the sum is $d$, and its typical size $\sqrt d$. Without the division, vectors with more numbers would drive the
# weights to 0 and 1, and learning would stall.

# %% id="plane"
from companion.show import AttentionState, attention_plane, plane_in_words

state = AttentionState(tokens, keys, values, query, may_attend=(True,) * 4)
show(
    attention_plane(state),
    alt="Two planes. On the left the query is an arrow to the right and a little down; the key of sun "
    "lies in that direction. On the right the four values, drawn by weight, and their weighted "
    f"average near the value of sun. {plane_in_words(state)}",
)

# %% [markdown] id="order"
# The average lies between the values, near those with large weights. It has as many numbers as one
# value, however many tokens there are.
#
# Now deal the four tokens in another order. **What changes?**

# %% id="order-number" tags=["claim"]
from companion.show.attention import weights_of


def mean_of(order):
    """The weighted average when the tokens come in this order."""
    dealt = [[row[n] for n in order] for row in (tokens, keys, values, (True,) * 4)]
    changed = AttentionState(dealt[0], dealt[1], dealt[2], query, dealt[3])
    return weights_of(changed) @ torch.tensor(changed.values)


in_order, mixed = mean_of([0, 1, 2, 3]), mean_of([3, 0, 2, 1])
print("the sun is shining:", [round(x, 4) for x in in_order.tolist()])
print("shining the is sun:", [round(x, 4) for x in mixed.tolist()])
assert (in_order - mixed).abs().max() < 1e-5

# %% [markdown] id="order-so-what"
# Nothing changes. An average does not know the order of what it averages. Attention alone cannot tell
# "dog bites man" from "man bites dog". Chapter 1 shows what tells it.

# %% [markdown] id="learning"
# ### Where do the weights come from?
#
# From training. In the next cell a row holds five cards with a letter and a number each. The model is
# given one letter, and has to name the number of that card. Nobody tells it where to look. It is only
# told the right number. To keep it small, queries and keys are two tables here, with one vector for each
# letter. The value of a card is its number, as a vector that is 1 at one place and 0 elsewhere.

# %% id="learn"
import torch.nn.functional as F

torch.manual_seed(0)
LETTERS, NUMBERS = 8, 8
ask = torch.nn.Embedding(LETTERS, 8)  # a table: the query of each letter that is asked for
offer = torch.nn.Embedding(LETTERS, 8)  # the key of a letter on a card
one_hot = torch.eye(NUMBERS)  # the value of a card: its number


def look(letters, asked, numbers):
    """Attention as above, for many rows at once: probabilities of the numbers, (rows, NUMBERS)."""
    return F.scaled_dot_product_attention(ask(asked)[:, None], offer(letters), one_hot[numbers])[
        :, 0
    ]


def deal(rows):
    """Letters and numbers of five cards, which letter is asked for, and the answer."""
    letters = torch.stack([torch.randperm(LETTERS)[:5] for _ in range(rows)])
    numbers = torch.randint(NUMBERS, (rows, 5))
    place = torch.randint(5, (rows,))
    row = torch.arange(rows)
    return letters, letters[row, place], numbers, numbers[row, place]


def table_of_weights():
    """How a query (row) spreads over all keys (column)."""
    every = torch.arange(LETTERS)
    with torch.no_grad():
        keys_of_all = offer(every).expand(LETTERS, -1, -1)
        return F.scaled_dot_product_attention(
            ask(every)[:, None], keys_of_all, torch.eye(LETTERS).expand(LETTERS, -1, -1)
        )[:, 0]


before = table_of_weights()
optimiser = torch.optim.Adam([*ask.parameters(), *offer.parameters()], lr=0.03)
losses = []
for _ in range(300):
    letters, asked, numbers, answers = deal(64)
    chance = look(letters, asked, numbers)[torch.arange(64), answers]
    loss = -chance.clamp(min=1e-9).log().mean()
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    losses.append(loss.item())

# %% id="learned-picture"
from companion.show import matrices

names = list("ABCDEFGH")
show(
    matrices(
        {label("before_training"): before, label("after_training"): table_of_weights()},
        rows=names,
        columns=names,
        xlabel=label("letter_on_a_card"),
        ylabel=label("letter_asked_for"),
        decimals=None,
        cell=0.32,
    ),
    alt="Two tables of weights: rows are letters that are asked for, columns letters on cards. "
    "Before training the weight is scattered. After training nearly all of it lies on the "
    "diagonal: each letter looks at itself.",
)

# %% id="learned-number" tags=["claim"]
letters, asked, numbers, answers = deal(2000)
with torch.no_grad():
    right = (look(letters, asked, numbers).argmax(-1) == answers).float().mean().item()
print(f"surprise: {losses[0]:.2f} at the first step, {losses[-1]:.2f} at the last")
print(f"new cards named correctly: {right:.0%}; a blind guess among 8 numbers: {1 / 8:.0%}")
assert right > 0.95

# %% [markdown] id="learned-so-what"
# The query of A has come to point where the key of A points. All that the training did was to make the
# right number less surprising. **The data chose the weights.**

# %% [markdown] id="mask"
# ## 4. A mask sets some weights to zero
#
# Sometimes a token must not look at another one. Padding means nothing. A model that writes from left
# to right must not see what comes next. A **mask** says what is allowed. In this course, as in
# PyTorch's `scaled_dot_product_attention`, True means *may look*. Careful: in `nn.MultiheadAttention` and
# `nn.TransformerEncoder` it means the opposite.
#
# How is it done? A forbidden score becomes $-\infty$ before the softmax. Then $e^{-\infty} = 0$, and the
# other weights grow until their sum is 1 again.

# %% id="masked-plane"
masked = state._replace(may_attend=(True, False, True, True))
show(
    attention_plane(masked),
    alt="The same two planes, and sun may not be looked at. Its key is a cross without a weight. "
    f"The average has moved towards the value of shining. {plane_in_words(masked)}",
)

# %% [markdown] id="mask-question"
# Now we change what is forbidden: the key and the value of "sun" become huge. What reaches the result?

# %% id="mask-number" tags=["claim", "nbval-check-output"]
spoilt = masked._replace(
    keys=(keys[0], (900.0, 900.0), *keys[2:]), values=(values[0], (-900.0, 900.0), *values[2:])
)
for one in (masked, spoilt):
    print([round(x, 4) for x in (weights_of(one) @ torch.tensor(one.values)).tolist()])
assert torch.equal(weights_of(masked), weights_of(spoilt))

# %% [markdown] id="mask-so-what"
# Nothing at all. This is the test that a mask has to pass, and chapter 4 builds on it. Note the order:
# the mask comes *before* the softmax. If weights are set to 0 afterwards, the rest does not add up to 1.
#
# *Now you: [exercise 0.4](../my_work/00b_warm_up.ipynb#cell-id=00b-ex-task-4), write attention.*
#
# ### Your turn: turn the query
#
# Three things to try:
#
# 1. Set the length to 0. What are the weights, and why?
# 2. Point at "shining", and make the query longer. What does attention become?
# 3. Forbid the token that has most of the weight. Who inherits it?

# %% id="playground" tags=["playground"]
from companion.show import attention_playground

attention_playground(state)

# %% [markdown] id="block"
# ## 5. One block, two orders
#
# A block of BERT has two halves. First attention: the tokens exchange what they know. Then
# **feed-forward**: two matrices, with a non-linear function between them, work on each token by itself. A stack
# of such blocks is a *Transformer*; if every token may look at all others, it is an *encoder*.
#
# A block does not attend once, but several times side by side. Each *attention head* has queries, keys and
# values of its own, shorter ones. Their averages are joined. BERT has twelve heads in a block.
#
# What a half computes is *added* to what it was given. This is the **residual**: the old vector stays,
# and the half contributes a change. And **LayerNorm** keeps the numbers in one range. It shifts and
# scales each vector to mean 0 and variance 1, every token by itself.

# %% id="layer-norm" tags=["nbval-check-output"]
norm = torch.nn.LayerNorm(4)
vector = torch.tensor([1.0, 2.0, 3.0, 6.0])
for name, x in [("x", vector), ("10 x", 10 * vector), ("x + 5", vector + 5)]:
    print(f"{name:6}", [round(number, 2) for number in norm(x).tolist()])

# %% [markdown] id="block-words"
# Three different vectors, one result: LayerNorm removes the size and the offset. Then it multiplies each
# number by a weight and adds another, both learned; at first they are 1 and 0.
#
# Where does it stand? In BERT it comes after the sum. In most later models it comes before each half.
# Follow the blue lines from below to above.

# %% id="block-picture"
from companion.show import block_diagrams

show(
    block_diagrams(),
    alt="Two plans, read from below. Post-LN: attention, plus what came in, LayerNorm, feed-forward, "
    "plus what came in, LayerNorm. Pre-LN: LayerNorm, attention, plus what came in, LayerNorm, "
    "feed-forward, plus what came in. In the second the sum passes through no LayerNorm.",
)

# %% [markdown] id="block-so-what"
# On the right you can walk from below to above without passing a single box: through the sums alone.
# The gradient can walk back the same way. On the left every walk goes through every LayerNorm. An
# [extra](extra/01_parameters_and_norms.ipynb) to chapter 1 measures what that does to gradients, and
# [a race](extra/02_race.ipynb) what it costs a small BERT on a laptop.

# %% [markdown] id="summary"
# ### What you can say now
#
# **Attention is a weighted average whose weights the data choose; a mask sets some weights to zero.**
#
# - A name is not a copy. An index says from where; its inverse says where it lies.
# - Surprise is $-\ln p$ of what was right. The loss is its mean.
# - Scores, softmax, average: this is attention. It does not know the order.
# - A mask acts before the softmax, and what is forbidden changes nothing.
# - A block adds to its input. Post-LN normalises the sum, pre-LN what is read.
#
# ### To read further
#
# - Attention: Vaswani et al., [arXiv 1706.03762](https://arxiv.org/abs/1706.03762), 2017, section 3.2.
# - LayerNorm: Ba et al., [arXiv 1607.06450](https://arxiv.org/abs/1607.06450), 2016.
# - Post-LN and pre-LN: Xiong et al., [arXiv 2002.04745](https://arxiv.org/abs/2002.04745), 2020.
