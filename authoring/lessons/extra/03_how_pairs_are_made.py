# ---
# title: "Extra to chapter 3: how BERT's code makes its pairs"
# idea: Between "half of the pairs are random" and a row of ids lie four decisions, and each of them changes the data.
# seconds: 15
# ---

# %% [markdown] id="head"
# # Extra to chapter 3: how BERT's code makes its pairs
#
# **Between "half of the pairs are random" and a row of ids lie four decisions, and each of them changes the
# data.**
#
# The paper gives the pairs one paragraph. The released code had to decide more. How long shall a row be, and
# where is it split? What becomes of sentences that gave way to a random text? What is cut if a row is too
# long? You need chapter 3. Reading takes ten minutes, computing less than 15 seconds.
#
# Our function for it is `companion.data.segment_pairs`. We give it two corpora: short pages of Wikipedia,
# and long speeches, the State of the Union addresses.

# %% id="corpora" tags=["nbval-check-output"]
import torch

from companion.data import load_corpus, load_tokenizer, segment_pairs, share_of_random

tokenizer = load_tokenizer()


def sentences_of(name, count):
    """Token ids of every sentence of the first `count` documents."""
    documents = load_corpus(name, "train").documents[:count]
    return [
        [e.ids for e in tokenizer.encode_batch(document.sentences, specials=False) if len(e.ids)]
        for document in documents
    ]


def median(numbers):
    return int(torch.tensor(numbers).median())


corpora = {"pages": sentences_of("wiki", 1000), "speeches": sentences_of("state-of-the-union", 40)}
for name, documents in corpora.items():
    print(
        f"{name:9} {len(documents):5} documents, median {median([len(d) for d in documents])} sentences "
        f"and {median([sum(map(len, d)) for d in documents]):,} tokens"
    )

# %% [markdown] id="length"
# ## 1. How long?
#
# The code aims at a full row. So it takes sentences until the row is full, and there it stops. It never goes
# on into the next document: what is left at the end of one becomes a shorter row. **How full are the rows?**
# With 128 places, three of them for [CLS] and [SEP], 125 are left for A and B.

# %% id="lengths-picture"
from companion.show import histograms, label, show


def pairs_of(documents, length=128, seed=0, **more):
    return segment_pairs(
        documents, length=length, generator=torch.Generator().manual_seed(seed), **more
    )


sizes = {
    name: torch.tensor([len(p.a) + len(p.b) for p in pairs_of(documents)])
    for name, documents in corpora.items()
}
show(
    histograms(
        {
            label(f"corpus_{name}"): size.div(10).ceil().int().tolist()
            for name, size in sizes.items()
        },
        xlabel=label("pair_tens"),
        ylabel=label("pairs"),
    ),
    alt="Two histograms of the tokens in a pair, in tens. Pages: lengths from twenty on, and a tall bar at "
    "125. Speeches: nearly all pairs have 125 tokens.",
)

# %% id="lengths" tags=["nbval-check-output"]
for name, size in sizes.items():
    print(
        f"{name:9} full: {(size == 125).float().mean():.0%}   padding: {1 - size.float().mean() / 125:.0%}"
    )

# %% [markdown] id="length-so-what"
# A short page leaves its row unfilled, and padding costs as much time as text. This is why RoBERTa goes on
# into the next document, and why our own models read rows that are packed.
#
# Also, one document in ten gets a shorter aim, drawn at random. A model that had only seen full rows would
# know nothing of short ones, says the paper's appendix A.2, and fine-tuning has many.
#
# ## 2. Where to split, and what goes back
#
# The sentences of a row are split in two at a random place. Then a coin is tossed. If it says "random", the
# second half gives way to a text from elsewhere. Look at one speech, sentence by sentence.

# %% id="put-back-picture"
from companion.show import TokenRow, token_strips

# Each token becomes the number of its sentence, counted through all speeches: so we see where it went.
ends = torch.tensor([len(speech) for speech in corpora["speeches"]]).cumsum(0).tolist()
starts = [0, *ends[:-1]]
numbered = [
    [torch.full((len(sentence),), first + n) for n, sentence in enumerate(speech)]
    for first, speech in zip(starts, corpora["speeches"], strict=True)
]
made = pairs_of(numbered, length=256)
SENTENCES = 16
strips = [
    TokenRow(
        label("sentence_number"),
        [*map(str, range(1, SENTENCES + 1)), ""],
        ["plain"] * (SENTENCES + 1),
    )
]
for number, pair in enumerate(made[:4], start=1):  # of the first speech
    cells, states = [""] * (SENTENCES + 1), ["plain"] * (SENTENCES + 1)
    for name, text in (("A", pair.a), ("B", pair.b))[: 1 if pair.label else 2]:
        for place in text.unique().tolist():
            cells[place], states[place] = name, "seen"
    if pair.label:
        cells[-1], states[-1] = label("elsewhere"), "random"
    strips.append(TokenRow(f"{label('row')} {number}", cells, states))
show(
    token_strips(strips, key=False),
    alt="The first four rows of a speech, over its sentences 1 to 16. Row 1: A is sentences 1 to 4, B is "
    "from elsewhere. Row 2: A is 5 to 7, B from elsewhere. Row 3: A is 8, B is 9 to 13. Row 4: A is 14, "
    "B is 15 and 16. No sentence is missing, and none occurs twice.",
)

# %% [markdown] id="put-back-words"
# In row 1 the second half gave way. Its sentences *went back*: row 2 begins with them. And there it happened
# once more. So the coin loses nothing of a document. **Does each sentence occur exactly once, as itself?** We count,
# over all speeches. A sentence counts if a token of it is left.

# %% id="put-back-counted" tags=["claim", "nbval-check-output"]
as_itself, elsewhere = torch.zeros(ends[-1]), torch.zeros(ends[-1])
for pair in made:
    as_itself[pair.a.unique()] += 1
    (elsewhere if pair.label else as_itself)[pair.b.unique()] += 1
for times in range(3):
    print(f"as itself {times} times: {(as_itself == times).float().mean():.1%} of the sentences")
print(f"as part of a random B: {elsewhere.mean():.2f} times on average")
assert as_itself.max() == 1
assert (as_itself == 1).float().mean() > 0.95

# %% [markdown] id="put-back-so-what"
# Never twice, and nearly always once. The few that are missing were cut off; that is section 3. Without the
# way back, whatever stands behind a split would be lost at every second toss of the coin.
#
# The way back has a price, too. What is left at the end of a document is often one sentence. It cannot be
# split, so its B is random without a toss. This is where the balance of chapter 3 goes wrong:

# %% id="balance" tags=["nbval-check-output"]
for name, documents in corpora.items():
    for length in (64, 128, 512):
        print(
            f"{name:9} {length:3} tokens a row: random {share_of_random(pairs_of(documents, length)):.1%}"
        )

# %% [markdown] id="balance-so-what"
# Short documents come to an end more often. Short rows make it worse: a row that one sentence fills cannot
# be split either. With long documents and 512 tokens the balance comes nearer to one half.
#
# ## 3. What is cut
#
# The last sentence of a row usually sticks out, and a random text may be too long. Then tokens go, one by
# one, always from the longer of the two texts. **From its front or from its back?** The code tosses a coin
# for each token. Here A has 90 tokens, B has 60, and 125 have room. We cut a thousand times.

# %% id="cut-picture"
from companion.data.pairs import shorten

draws = torch.Generator().manual_seed(0)
cuts = []
for _ in range(1000):
    a, b = shorten(torch.arange(90), torch.arange(60), 125, draws)
    cuts.append((int(a[0]), 89 - int(a[-1]), 60 - len(b)))
at_front, at_back, off_b = map(list, zip(*cuts, strict=True))
show(
    histograms(
        {label("cut_at_front"): at_front}, xlabel=label("tokens_cut"), ylabel=label("rows"), width=5
    ),
    alt="A histogram of the tokens that A lost at its front in a thousand rows: a hill around twelve or "
    "thirteen, from five to twenty. Of 25 tokens that go, the others went at its back.",
)

# %% id="cut-numbers" tags=["nbval-check-output"]
print(
    f"A lost {sum(at_front) / 1000:.1f} tokens at its front and {sum(at_back) / 1000:.1f} at its back"
)
print(f"B lost {max(off_b)} tokens at most")

# %% [markdown] id="cut-so-what"
# B, the shorter text, lost nothing. And A lost as much of its beginning as of its end. If the end alone were
# cut, no row would ever hold the end of a long text. And A would always begin with a beginning: one more
# thing that a lazy model could count on.
#
# Special tokens are added after the cut. Whoever adds them before may cut [SEP] away.
#
# ### What you can say now
#
# **Between "half of the pairs are random" and a row of ids lie four decisions, and each of them changes the
# data.**
#
# - The aim is a full row; the end of a document makes a shorter one.
# - Sentences that gave way go back, so that the coin loses nothing.
# - One sentence cannot be split. This is why more than half of the pairs are random.
# - The longer text is cut, at either end.
#
# ### To read further
#
# - BERT: Devlin et al., [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), 2018, appendix A.2.
# - RoBERTa, on rows that go on into the next document: Liu et al.,
#   [arXiv 1907.11692](https://arxiv.org/abs/1907.11692), 2019, section 4.2.
