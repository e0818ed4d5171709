# ---
# title: "Chapter 1: Input embeddings"
# idea: A token's vector is the sum of what it is, where it stands and in which text; nothing else in the network knows the order.
# seconds: 30
# ---

# %% [markdown] id="head"
# # Chapter 1: Input embeddings
#
# **A token's vector is the sum of what it is, where it stands and in which text; nothing else in the network
# knows the order.**
#
# After this chapter you can:
#
# - say what a token is, and what the special ones are for,
# - build the row of ids, segments and mask that BERT reads,
# - follow the shapes from a text to one vector for each token,
# - show that a Transformer without positions cannot tell who bites whom,
# - say what happens to token number 513.
#
# | | |
# |---|---|
# | You need | attention (chapter 00b), look-up tables |
# | Reading | 35 minutes |
# | Exercises | 65 minutes |
# | Computing | less than 30 seconds on two cores |
#
# A network computes with numbers, and a text has none. This is the way from one to the other, for our
# sentence: pieces, ids, and one vector for each of them. The vectors are those of `nsp-wiki-mini`, a small
# BERT that ships with the course. Each has 192 numbers.

# %% id="first-picture"
import torch

from companion.data import checkpoint, load_tokenizer
from companion.models import BertForPreTraining
from companion.show import TokenRow, label, matrices, show, token_strips

tokenizer = load_tokenizer()
bert = BertForPreTraining.from_pretrained(checkpoint("nsp-wiki-mini"))
sun = tokenizer.encode("The sun is shining brightly in the sky.")
pieces = tokenizer.tokens(sun.ids)
seen = ["seen"] * len(pieces)
show(
    token_strips(
        [
            TokenRow(label("text"), pieces, seen),
            TokenRow(label("ids"), [str(int(id_)) for id_ in sun.ids], seen),
            TokenRow(label("position"), [str(place) for place in range(len(pieces))], seen),
        ],
        key=False,
    ),
    alt="The sentence The sun is shining brightly in the sky, in three rows of boxes: its pieces with "
    "CLS in front and SEP at the end, the id of each piece, and its place from 0 on.",
)

# %% [markdown] id="pieces"
# ## 1. Pieces
#
# A vocabulary of whole words would never be complete. So **WordPiece** cuts rare words into pieces that
# it knows. "##" marks a piece that continues a word. How was the vocabulary made? By joining, again and
# again, pieces that stand together often in the training text.

# %% id="pieces-shown" tags=["nbval-check-output"]
for word in ("sun", "brightly", "unaffable", "photosynthesis", "Reykjavík", "1912", "☀"):
    print(f"{word:16}", " ".join(tokenizer.tokens(tokenizer.encode(word, specials=False).ids)))

# %% [markdown] id="pieces-words"
# A token is a piece, and not a word. Upper case is gone, accents too. A sign that never occurred becomes
# [UNK], unknown. So sizes in words and sizes in tokens differ: BERT's texts had 3.3 billion *words*, and
# more tokens. **How many pieces has an average word of Wikipedia?**
#
# *Guess first: [exercise 1.1](../my_work/01_input_embeddings.ipynb#cell-id=01-ex-task-1).*

# %% [markdown] id="row"
# ## 2. One row
#
# Some tokens stand for no piece of text. **[CLS]** begins every row. A small layer that is trained to answer
# a question, an *output head*, reads the vector at its place. (Attention heads are something else.) **[SEP]**
# ends each text. [PAD] fills rows up, so that a batch is a rectangle. And [MASK] waits for chapter 2.
#
# Two texts can share a row. A **segment** number says which is which. A *mask* says which tokens are real, and
# may be looked at; it has nothing to do with [MASK].

# %% id="batch-picture"
from companion.data import pad_batch

batch = pad_batch(
    [
        tokenizer.encode("The sun is up.", "It is day."),
        tokenizer.encode("Rain falls."),
    ],
    pad_id=tokenizer.pad_id,
)
rows = []
for number in range(2):
    ids, real = batch.input_ids[number], batch.attention_mask[number]
    states = ["seen" if is_real else "plain" for is_real in real]
    segments = [str(int(s)) for s in batch.segment_ids[number]]
    if rows:  # an empty row between the two
        rows.append(TokenRow("", [""] * len(ids), ["plain"] * len(ids)))
    rows += [
        TokenRow(label("text"), tokenizer.tokens(ids), ["seen"] * len(ids)),
        TokenRow(label("segment"), segments, ["seen"] * len(ids)),
        TokenRow(label("mask"), ["1" if is_real else "0" for is_real in real], states),
    ]
show(
    token_strips(rows, key=False),
    alt="Two rows of a batch, each with its segments and its mask. The first: CLS, the sun is up, "
    "SEP, it is day, SEP, with zeros under the first text and ones under the second. The second: "
    "CLS, rain falls, SEP, then padding, whose mask is 0.",
)

# %% [markdown] id="row-so-what"
# Padding has segment 0, as the first text has. It does no harm: the mask keeps everybody from looking
# at it.
#
# *Now you: [exercise 1.2](../my_work/01_input_embeddings.ipynb#cell-id=01-ex-task-2), two texts in a row.*

# %% [markdown] id="sum"
# ## 3. The sum
#
# Three tables are looked up. One has a vector for each id of the vocabulary, one for each **position**, one
# for each segment. The three vectors are *added*, and the sum goes through a LayerNorm.
#
# $$x_i = \text{LayerNorm}(W_{\text{id}_i} + P_i + S_{\text{segment}_i})$$

# %% id="ledger"
embeddings = bert.encoder.embeddings
for name, table in [
    ("words", embeddings.words.weight),
    ("positions", embeddings.positions.weight),
    ("segments", embeddings.segments.weight),
]:
    print(f"{name:10} {tuple(table.shape)!s:12} = {table.numel():,} parameters")
print("ids       ", tuple(batch.input_ids.shape))
print("vectors   ", tuple(embeddings(batch.input_ids, batch.segment_ids).shape))

# %% [markdown] id="ledger-words"
# From (batch, length) to (batch, length, width): each id has become a vector of its own.
#
# BERT-base has 109,482,240 parameters and BERT-large 335,141,888. "110M" and "340M" are these, rounded.
# [An extra](extra/01_parameters_and_norms.ipynb) says where all of them stand.
#
# *Now you: exercises [1.3](../my_work/01_input_embeddings.ipynb#cell-id=01-ex-task-3), the sum, and
# [1.4](../my_work/01_input_embeddings.ipynb#cell-id=01-ex-task-4): where are BERT's parameters?*
#
# ### Why add? Is nothing lost?
#
# One could put the three vectors side by side instead. But look: a look-up is a matrix times a
# **one-hot** vector, which is 1 at one place and 0 elsewhere. Three look-ups that are added are *one* matrix
# times three one-hot vectors, put side by side.

# %% id="one-hot" tags=["claim", "nbval-check-output"]
import torch.nn.functional as F

ids, segments = batch.input_ids[0], batch.segment_ids[0]
places = torch.arange(len(ids))
words_t, positions_t, segments_t = (
    table.weight.detach() for table in (embeddings.words, embeddings.positions, embeddings.segments)
)
side_by_side = torch.cat(
    [
        F.one_hot(ids, len(words_t)),
        F.one_hot(places, len(positions_t)),
        F.one_hot(segments, len(segments_t)),
    ],
    dim=-1,
).float()
one_matrix = torch.cat([words_t, positions_t, segments_t])
with torch.no_grad():
    by_matrix = embeddings.norm(side_by_side @ one_matrix)
    by_look_ups = embeddings(ids[None], segments[None])[0]
difference = (by_matrix - by_look_ups).abs().max().item()
print("one-hot vectors:", tuple(side_by_side.shape), " one matrix:", tuple(one_matrix.shape))
print("largest difference below 0.00001:", difference < 1e-5)
assert difference < 1e-5

# %% [markdown] id="one-hot-so-what"
# So adding three look-ups is putting the one-hot vectors side by side, which loses nothing, and then one matrix
# that is learned. In a space of hundreds of dimensions this matrix has room to keep the three apart.
#
# What does a table of words know after training? We ask `bert-wiki-mini`, a larger model that has read more.
# Near a word are those whose vectors point the same way: the *cosine* of the angle between them is near 1.

# %% id="neighbours"
from companion.evaluation.neighbours import nearest
from companion.models import ModernBertForMaskedLM

larger = ModernBertForMaskedLM.from_pretrained(checkpoint("bert-wiki-mini"))  # see chapter 2
word_table = larger.encoder.words.weight.detach()
for word in ("river", "king", "two", "german", "blue", "was"):
    found = nearest(word, word_table, tokenizer, count=6)
    print(f"{word:8}", ", ".join(f"{other} {cosine:.2f}" for other, cosine in found))

# %% [markdown] id="neighbours-so-what"
# Nobody told it that kings and emperors are alike. They stand between the same words.

# %% [markdown] id="order"
# ## 4. Who bites whom?
#
# Attention is an average, and an average knows no order (chapter 00b). The other half of a block looks at each
# token by itself. So where does a Transformer get the order from? **Would it notice if we took the positions
# away?** We compare two sentences with the same words.

# %% id="dog-bites-man" tags=["claim"]
import copy

without = copy.deepcopy(bert)
torch.nn.init.zeros_(without.encoder.embeddings.positions.weight)
first, second = (tokenizer.encode(text).ids[None] for text in ("dog bites man", "man bites dog"))
dog = tokenizer.encode("dog", specials=False).ids
gaps = {}
for name, model in [("with positions", bert), ("without", without)]:
    with torch.no_grad():
        one, other = (model.encoder(ids)[ids == dog].squeeze(0) for ids in (first, second))
    gaps[name] = (one - other).abs().max().item()
    print(f"{name:16} the vector of 'dog' differs by at most {gaps[name]:.7f}")
assert gaps["without"] < 1e-4
assert gaps["with positions"] > 0.1

# %% [markdown] id="order-so-what"
# Without positions the two sentences are one and the same, up to rounding. **The position vectors are all
# that a Transformer knows of order.**
#
# *Now you: [exercise 1.5](../my_work/01_input_embeddings.ipynb#cell-id=01-ex-task-5), measure it on any
# encoder.*
#
# Can it not learn the order somehow else? Let us try. Two small models read "A bites B" with all kinds of
# animals. They are to name the one that is bitten. One has positions, the other has none.

# %% id="learn-who"
from tqdm.auto import tqdm

from companion.models import Bert, BertConfig

ANIMALS = 12  # ids 5 to 16; 2 is [CLS], 3 is [SEP], 4 is "bites"


def write(rows):
    """Rows [CLS] A bites B [SEP], and who is bitten."""
    animals = torch.stack([torch.randperm(ANIMALS)[:2] for _ in range(rows)]) + 5
    one = torch.ones(rows, dtype=torch.long)
    ids = torch.stack([2 * one, animals[:, 0], 4 * one, animals[:, 1], 3 * one], dim=1)
    return ids, animals[:, 1] - 5


def learn(has_positions, steps=120):
    """Train a small BERT with or without positions; the accuracy of each step on fresh rows."""
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 4}
    config = BertConfig(
        vocab_size=5 + ANIMALS, intermediate_size=64, max_position_embeddings=8,
        hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, initializer_range=0.2, **sizes,
    )  # fmt: skip
    model, head = Bert(config), torch.nn.Linear(32, ANIMALS)
    table = model.encoder.embeddings.positions.weight
    if not has_positions:
        torch.nn.init.zeros_(table)
        table.requires_grad_(False)
    learned = [p for p in [*model.parameters(), *head.parameters()] if p.requires_grad]
    optimiser = torch.optim.Adam(learned, lr=3e-3)
    right = []
    for _ in tqdm(range(steps), leave=False):
        ids, bitten = write(64)
        logits = head(model(ids).last_hidden_state[:, 0])
        optimiser.zero_grad()
        F.cross_entropy(logits, bitten).backward()
        optimiser.step()
        right.append((logits.argmax(-1) == bitten).float().mean().item())
    return right


runs = {label("with_positions"): learn(True), label("without_positions"): learn(False)}

# %% id="learn-who-picture"
from companion.show import curves

smooth = {name: torch.tensor(right).view(-1, 10).mean(1) for name, right in runs.items()}
show(
    curves(
        {name: (range(10, 121, 10), (100 * y).tolist()) for name, y in smooth.items()},
        xlabel=label("step"),
        ylabel=label("named_rightly"),
        levels={label("one_of_two"): 50.0},
    ),
    alt="Two curves of the share of rows in which the bitten animal is named. With positions it rises "
    "to 100 per cent. Without positions it rises to 50 per cent and stays there.",
)

# %% id="learn-who-result" tags=["claim"]
final = {name: sum(right[-30:]) / 30 for name, right in runs.items()}
for name, share in final.items():
    print(f"{name:20} {share:.0%} in the last thirty steps")
with_them, without_them = final.values()
assert with_them > 0.95
assert without_them < 0.6

# %% [markdown] id="learn-who-so-what"
# Without positions it learns which two animals occur, and then it has to toss a coin. More training does
# not help. The information is not there.

# %% [markdown] id="positions"
# ## 5. Places
#
# BERT *learns* its position vectors, one for each place. Nothing tells it that place 7 is near place 8. Does
# it find out? Each cell of the next picture compares two places, by the angle between their vectors.
# Beside it stand vectors that are not learned but computed, by sines and cosines.

# %% id="position-picture"
from companion.evaluation.neighbours import sine_positions

learned = F.normalize(positions_t, dim=-1)
computed = F.normalize(sine_positions(64, learned.shape[1]), dim=-1)
ticks = [str(place) if place % 16 == 0 else "" for place in range(64)]
show(
    matrices(
        {label("learned"): learned @ learned.T, label("computed"): computed @ computed.T},
        rows=ticks,
        columns=ticks,
        xlabel=label("position"),
        ylabel=label("position"),
        decimals=None,
        cell=0.05,
    ),
    alt="Two squares of 64 places by 64. Left, learned: a blue band about six places wide to each side "
    "of the diagonal, and faint stripes along it farther off; the first and the last place are like no "
    "other. Right, computed: a band that fades evenly with distance, the same everywhere.",
)

# %% id="position-numbers" tags=["nbval-check-output"]
alike = learned @ learned.T
for distance in (1, 2, 4, 6, 12, 24, 36, 48):
    # Without the first and the last place.
    print(
        f"{distance:2} places apart: {alike[1:-1, 1:-1].diagonal(distance).mean():5.2f} on average"
    )

# %% [markdown] id="sines"
# Blue is alike, white has nothing in common, orange is opposite. It did find out. Neighbours have a cosine
# of 0.4 on average, places two to four apart 0.2, and around twelve apart nothing is left. Place 0 is like no
# other: [CLS] always stands there. At the last place stands [SEP] or padding. And the faint stripes? They
# run along the diagonal: farther apart the cosine falls below zero and comes back. Something goes up and
# down with *distance*, as waves do.
#
# The computed ones are older ([arXiv 1706.03762](https://arxiv.org/abs/1706.03762), 2017, section 3.5). Each
# dimension is a wave over the places, from fast to slow. Two places that are equally far apart always have
# the same angle.
#
# *Now you: [exercise 1.7](../my_work/01_input_embeddings.ipynb#cell-id=01-ex-task-7), places by sines, and
# [1.6](../my_work/01_input_embeddings.ipynb#cell-id=01-ex-task-6), a sentence that moved.*
#
# ### Token number 513
#
# A learned table ends somewhere. In BERT-base it has 512 rows. What happens to a longer text?

# %% id="too-long" tags=["nbval-check-output"]
config = BertConfig(
    hidden_size=12, num_hidden_layers=1, num_attention_heads=2, intermediate_size=12
)
try:
    Bert(config)(torch.zeros(1, 513, dtype=torch.long))
except ValueError as error:
    print(error)

# %% [markdown] id="too-long-so-what"
# There is no vector for place 512, which is token number 513. The text has to be cut. Computed positions
# have no such end, but a model that never *saw* place 600 in training does not know what to do there.

# %% [markdown] id="segments"
# ## 6. Which text?
#
# The segment table has two rows. A model that is trained on single texts never uses the second one. Ours
# was trained on pairs: it says whether text B follows text A (chapter 3). We give it held-out pairs and
# change the segments, nothing else. **Does it matter?**

# %% id="segments-result" tags=["claim"]
from companion.data import load_corpus, sentence_pairs
from companion.evaluation import wilson_interval

held_out = [page.sentences for page in load_corpus("wiki", "validation").documents]
pairs = sentence_pairs(held_out, generator=torch.Generator().manual_seed(0))[:600]
exam = pad_batch(
    [tokenizer.encode(p.a, p.b, max_length=64) for p in pairs], pad_id=tokenizer.pad_id
)
truth = torch.tensor([p.label for p in pairs])  # 0 = B follows A
real, kinds = exam.attention_mask, exam.segment_ids
shares = {}
with torch.no_grad():
    for name, segment_ids in [
        ("as they are", kinds),
        ("exchanged", real.long() - kinds),
        ("all 0", 0 * kinds),
    ]:
        output = bert(exam.input_ids, segment_ids, attention_mask=real)
        right = int((output.nsp_logits.argmax(-1) == truth).sum())
        shares[name], (low, high) = right / len(pairs), wilson_interval(right, len(pairs))
        print(f"segments {name:12} judged rightly {shares[name]:.1%} ({low:.1%} to {high:.1%})")
assert shares["as they are"] > max(shares["exchanged"], shares["all 0"]) + 0.05

# %% [markdown] id="segments-so-what"
# Yes: twelve points fewer are right. (In brackets are 95 % intervals: of a hundred exams, about 95 give one
# that holds the true share.) The words and their places are the same, and [SEP] stands between the texts. But
# the model relies on the segments. How it uses them, this exam does not tell.
#
# A segment says which text a word is in, and nothing of its place there.
#
# And [CLS]? A head was trained to read its vector, for one question. By itself it does not stand for the
# meaning of a sentence. Whoever needs such a vector takes the mean over all tokens, or trains the model further
# on pairs of sentences that mean the same.
#
# *Now you: [exercise 1.8](../my_work/01_input_embeddings.ipynb#cell-id=01-ex-task-8), a search that finds
# nothing.*
#
# ### Your turn: neighbours
#
# Three things to try:
#
# 1. Type a number, a month, a country. Who stands near?
# 2. Type a word with two meanings. Which of them do its neighbours share?
# 3. Find a neighbour that makes no sense to you. Is it a rare word?

# %% id="playground" tags=["playground"]
from companion.show import neighbour_playground

neighbour_playground(word_table, tokenizer, "sun")

# %% [markdown] id="summary"
# ### What you can say now
#
# **A token's vector is the sum of what it is, where it stands and in which text; nothing else in the network
# knows the order.**
#
# - A token is a piece. [CLS] begins a row, [SEP] ends a text, the mask tells real tokens from padding.
# - Three look-ups, a sum, a LayerNorm. The sum is one matrix on stacked one-hot vectors.
# - Without positions "dog bites man" is "man bites dog", and no training changes that.
# - A learned position table has an end.
#
# ### To read further
#
# - BERT: Devlin et al., [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), 2018, section 3, figure 2.
# - WordPiece in translation: Wu et al., [arXiv 1609.08144](https://arxiv.org/abs/1609.08144), 2016.
# - What position vectors learn: Wang and Chen, [arXiv 2010.04903](https://arxiv.org/abs/2010.04903), 2020.
# - Sentence vectors: Reimers and Gurevych, [arXiv 1908.10084](https://arxiv.org/abs/1908.10084), 2019.
