# ---
# title: "Chapter 2: MLM masking"
# idea: Selected, corrupted and scored are three different sets, and most bugs confuse two of them.
# seconds: 50
# ---

# %% [markdown] id="head"
# # Chapter 2: MLM masking
#
# **Selected, corrupted and scored are three different sets, and most bugs confuse two of them.**
#
# After this chapter you can:
#
# - say why a model that sees both sides must not see everything,
# - pick the tokens to predict in three ways, and know what each way costs,
# - tell what the model sees, what it is asked, and what counts in the loss,
# - judge an accuracy by a yardstick that needs no network,
# - smell a loss that is too good.
#
# | | |
# |---|---|
# | You need | token ids, [CLS] and [SEP]; cross-entropy |
# | Reading | 45 minutes |
# | Computing | less than 50 seconds on two cores |

# %% id="setup"
import torch

from companion.data import load_corpus, load_tokenizer, pad_batch
from companion.show import (
    TokenRow,
    curves,
    histograms,
    label,
    mask_playground,
    masked_rows,
    share_bars,
    show,
    token_strips,
)

tokenizer = load_tokenizer()
specials = tokenizer.special_ids

# %% id="first-blank"
from companion.masking import corrupt

sun = tokenizer.encode("The sun is shining brightly in the sky.").ids[None]
one_word = sun == tokenizer.encode("sun", specials=False).ids
blank = corrupt(sun, one_word, mask_share=1.0, random_share=0.0, **tokenizer.mask_args)
row = type(blank)(*(part[0] for part in blank))  # the first, and only, row of the batch
text = TokenRow(label("text"), tokenizer.tokens(sun[0]), ["seen"] * len(sun[0]))
show(
    token_strips([text, *masked_rows(tokenizer, sun[0], row)]),
    alt="The sentence The sun is shining brightly in the sky, in three rows. In the second row, "
    "which is what the model sees, [MASK] stands in place of sun. In the third row, the labels, "
    "there is one box: sun.",
)

# %% [markdown] id="why-hide"
# ## 1. Why hide at all?
#
# The picture shows the whole game. One token is hidden, and the model has to name it. It may read
# the words to the left *and* those to the right.
#
# Why not leave the word in its place, and ask for every word? A model that reads in both directions
# then sees each answer in its own input. Its best move is to copy. Let us watch one do so.
#
# The next cell trains a small BERT on real first sentences. **Nothing is hidden.** It is asked to
# name each token that it sees.

# %% id="train-a-copier"
from tqdm.auto import tqdm

from companion.losses import mlm_loss
from companion.models import BertConfig, BertForMaskedLM

pages = load_corpus("wiki", "train").documents
first = [page.sentences[0] for page in pages[:2000]]
batch = pad_batch(tokenizer.encode_batch(first, max_length=32), pad_id=tokenizer.pad_id)
small = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
         "intermediate_size": 128, "max_position_embeddings": 32, "initializer_range": 0.1,
         "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}  # fmt: skip

torch.manual_seed(0)
copier = BertForMaskedLM(BertConfig(vocab_size=tokenizer.vocab_size, **small))
optimiser = torch.optim.AdamW(copier.parameters(), lr=3e-3)
copier_losses = []
for rows in tqdm(torch.arange(1920).split(32), leave=False):
    ids, real = batch.input_ids[rows], batch.attention_mask[rows]
    logits = copier(ids, attention_mask=real, selected=real).mlm_logits
    loss = mlm_loss(logits, ids[real])
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    copier_losses.append(loss.item())

# %% [markdown] id="copier-question"
# Sixty steps took a few seconds. On 80 sentences that it has never read, how many visible tokens
# does it name correctly? And how many hidden ones?

# %% id="copier-result" tags=["claim"]
from companion.masking import mask_tokens

ids, real = batch.input_ids[1920:], batch.attention_mask[1920:]
generator = torch.Generator().manual_seed(0)
hidden = mask_tokens(ids, mask_share=1.0, random_share=0.0, generator=generator,
                     **tokenizer.mask_args)  # fmt: skip
with torch.no_grad():
    at_visible = copier(ids, attention_mask=real, selected=real).mlm_logits.argmax(-1)
    at_hidden = copier(hidden.corrupted, attention_mask=real, selected=hidden.selected)
visible_share = (at_visible == ids[real]).float().mean().item()
hidden_share = (at_hidden.mlm_logits.argmax(-1) == ids[hidden.selected]).float().mean().item()
print(f"loss: {copier_losses[0]:.1f} at the first step, {copier_losses[-1]:.1f} at the last")
print(f"visible tokens named correctly: {visible_share:.0%}, hidden ones: {hidden_share:.0%}")
assert visible_share > 0.85
assert hidden_share < 0.05

# %% [markdown] id="why-hide-so-what"
# The fastest learning of this course, and worth nothing. The model found the identity: what comes
# in goes out. It has no use for the neighbours, so it learned nothing about them.
#
# A model that reads from left to right does not need a mask: it is asked for the *next* token, which
# it cannot see. Reading in both directions has a price. Something must be hidden, and only there can
# the model be asked an honest question. BERT pays this price
# ([arXiv 1810.04805](https://arxiv.org/abs/1810.04805), 2018); the idea of the cloze test is from 1953.

# %% [markdown] id="choosing"
# ## 2. Choosing: which tokens are asked?
#
# BERT asks for 15 % of the tokens of each text. A token that is asked for is **selected**. [CLS], [SEP]
# and padding are never selected: nothing can be learned from them.
#
# "15 %" can mean different things. You can toss a coin for each token. Or you can draw a fixed number
# in each row, as BERT's released code does. The next cell does both on 30-token pieces of Wikipedia.

# %% id="three-samplers" tags=["nbval-check-output"]
from companion.masking import select_bernoulli, select_exact

encoded = tokenizer.encode_batch([page.text for page in pages], specials=False)
pieces = torch.stack([e.ids[:30] for e in encoded if len(e.ids) >= 30])
generator = torch.Generator().manual_seed(1)
ask = {"special_ids": specials, "rate": 0.15, "generator": generator}
samplers = {
    label("bernoulli"): select_bernoulli(pieces, at_least_one=False, **ask).sum(-1),
    label("at_least_one"): select_bernoulli(pieces, **ask).sum(-1),
    label("exact"): select_exact(pieces, **ask).sum(-1),
}
print(f"{len(pieces)} rows of 30 tokens")
for name, per_row in samplers.items():
    mean, sd, empty = per_row.float().mean(), per_row.float().std(), (per_row == 0).sum()
    print(f"{name:24} mean {mean:.2f} ± {1.96 * sd / len(pieces) ** 0.5:.2f}, "
          f"spread {sd:.2f}, rows without any: {empty}")  # fmt: skip

# %% id="samplers-picture"
show(
    histograms(
        {name: per_row.tolist() for name, per_row in samplers.items()},
        xlabel=label("selected_per_row"),
        ylabel=label("rows"),
    ),
    alt="Three histograms of the number of selected tokens in rows of 30. A coin for each token: "
    "a broad hill from 0 to about 12 with its top at 4. A coin with at least one: the same hill "
    "without the bar at 0. A fixed number: one single bar at 4.",
)

# %% [markdown] id="choosing-so-what"
# The coin gives 4.5 on average, but some rows get ten targets and some get none. The fixed number is
# always 4: 15 % of 30 is 4.5, and Python rounds a half to the even neighbour. So "15 %" is 13.3 % here.
#
# Does an empty row matter? With 30 tokens it is rare. Now take texts of ten tokens, as titles are.
# **How many of 100 such texts get no target at all?** Make a guess before you run the cell.

# %% id="short-rows" tags=["nbval-check-output"]
from companion.evaluation import wilson_interval

running_text = torch.cat([e.ids for e in encoded])
titles = running_text[: len(running_text) // 10 * 10].view(-1, 10)
coins = select_bernoulli(titles, at_least_one=False, **ask)
empty = int((~coins.any(-1)).sum())
low, high = wilson_interval(empty, len(titles))
print(f"{len(titles)} texts of 10 tokens, without a target {empty / len(titles):.1%} "
      f"(95 % interval {low:.1%} to {high:.1%}), computed 0.85 ** 10 = {0.85**10:.1%}")  # fmt: skip

# %% [markdown] id="choosing-nan"
# One in five. A mean over no targets is 0 / 0, and one such batch fills a network with NaN. There
# are two remedies, and this course's library has both. The chooser gives every row at least one
# target. The loss returns 0, with a gradient of 0, when there is nothing to score.
#
# → You write the coin yourself in exercise 2.1.

# %% [markdown] id="corrupting"
# ## 3. Corrupting: 80, 10, 10
#
# A selected token is not always hidden. **Corrupted** means: what the model is given instead of the
# text. BERT treats the selected tokens in three ways:
#
# - 80 % become [MASK],
# - 10 % become a random other token,
# - 10 % stay what they are.
#
# We count this on real text, with 95 % intervals.

# %% id="count-the-split" tags=["nbval-check-output"]
generator = torch.Generator().manual_seed(2)
masked = mask_tokens(pieces, generator=generator, **tokenizer.mask_args)
now, was = masked.corrupted[masked.selected], pieces[masked.selected]
counts = {
    "hidden": int((now == tokenizer.mask_id).sum()),
    "random": int(((now != tokenizer.mask_id) & (now != was)).sum()),
    "kept": int((now == was).sum()),
}
split = {label(name): (count / len(was), wilson_interval(count, len(was)))
         for name, count in counts.items()}  # fmt: skip
print(f"{len(was)} selected tokens of {pieces.numel()}")
for name, (share, (low, high)) in split.items():
    print(f"{name:18} {share:.2%}  ({low:.2%} to {high:.2%})")

# %% id="split-picture"
show(
    share_bars({label("share_of_selected"): split}, xlabel=label("share_of_selected")),
    alt="Three bars: about 80 per cent of the selected tokens are hidden, about 10 per cent are "
    "random, about 10 per cent are kept. The intervals are a fraction of a per cent wide.",
)

# %% [markdown] id="three-sets-question"
# Now look at *all* tokens of the text, not only the selected ones. **How many of them look different
# to the model?** Most people say 15 %.

# %% id="three-sets" tags=["claim", "nbval-check-output"]
changed = (counts["hidden"] + counts["random"]) / pieces.numel()
print(f"selected:                  {len(was) / pieces.numel():.1%} of all tokens")
print(f"different to the model:    {changed:.1%}")
print(f"hidden behind a [MASK]:    {counts['hidden'] / pieces.numel():.1%}")
assert abs(counts["hidden"] / len(was) - 0.8) < 0.01
assert 0.130 < changed < 0.140

# %% [markdown] id="three-sets-words"
# There are three sets here, and the words for them matter:
#
# | set | which positions | share of the text |
# |---|---|---|
# | selected | those that will be asked | 15 % |
# | corrupted | those that look different, a part of the selected | 13.5 % |
# | **scored** | those that count in the loss: exactly the selected | 15 % |
#
# The **labels** hold the original token where a position is scored, and −100 elsewhere. PyTorch's
# cross-entropy skips −100. A kept token is scored although nothing about it changed: this is where
# most wrong implementations lose a tenth of their labels.
#
# Here is one sentence from a page in the validation half, with all three cases in it.

# %% id="three-sets-picture"
from companion.masking import mask_examples

page = next(p for p in load_corpus("wiki", "validation").documents if p.title == "Lava")
lava = tokenizer.encode(page.sentences[0], max_length=32)
masked = mask_examples(lava.ids[None], [0], seed=12, epoch=0, rate=0.3, **tokenizer.mask_args)
row = type(masked)(*(part[0] for part in masked))
show(
    token_strips(masked_rows(tokenizer, lava.ids, row)),
    alt="A sentence as the model sees it, above its labels. Most selected tokens are [MASK], one is "
    "a random token, one is kept as it was. Each of them has a label, the original token; "
    "the other places have none.",
)

# %% [markdown] id="mismatch"
# ### Why keep some, and why randomise some?
#
# [MASK] stands in the training text, and never in the text that the model is used on later. This is
# called the **mismatch**. A model could learn "work only where you see [MASK]" and treat all other
# tokens carelessly.
#
# So BERT sometimes asks for a token that is visible, and sometimes shows a wrong one. The model can
# never be sure which tokens it may trust. It has to build a good vector for each of them.

# %% [markdown] id="table-8"
# How much does it help? The paper measured it (Table 8 of arXiv 1810.04805):
#
# | [MASK] / same / random | MNLI, fine-tuned | NER, fine-tuned | NER, frozen features |
# |---|---|---|---|
# | 80 / 10 / 10 | 84.2 | 95.4 | **94.9** |
# | 100 / 0 / 0 | 84.3 | 94.9 | 94.0 |
# | 80 / 0 / 20 | 84.1 | 95.2 | 94.6 |
# | 80 / 20 / 0 | **84.4** | 95.2 | 94.7 |
# | 0 / 20 / 80 | 83.7 | 94.8 | 94.6 |
# | 0 / 0 / 100 | 83.6 | 94.9 | 94.6 |
#
# Read the first two lines. After fine-tuning, hiding everything is as good as the famous split. The
# difference shows in the last column, where the vectors are used as they are: 94.9 against 94.0. The
# table gives no seeds and no intervals, so a tenth of a point means little.

# %% [markdown] id="units"
# ## 4. Whole words, and masks that move
#
# "brightly" is two pieces: "bright" and "##ly". Who sees the one can often guess the other. So one can
# toss the coin for a whole word: all its pieces are selected together, or none.

# %% id="whole-words"
from companion.masking import select_spans, select_words

sentence = tokenizer.encode(
    "The unaffable players marched brightly through the northwestern countryside."
)
ids, words = sentence.ids[None], sentence.word_ids[None]
ask = {"special_ids": specials, "rate": 0.3}
choices = {
    label("pieces"): select_bernoulli(ids, generator=torch.Generator().manual_seed(6), **ask),
    label("words"): select_words(ids, words, generator=torch.Generator().manual_seed(6), **ask),
    label("spans"): select_spans(ids, mean_span=3, generator=torch.Generator().manual_seed(6),
                                 **ask),
}  # fmt: skip
tokens = tokenizer.tokens(ids[0])
show(
    token_strips([
        TokenRow(name, tokens, ["hidden" if s else "seen" for s in chosen[0].tolist()])
        for name, chosen in choices.items()
    ]),
    alt="One sentence three times; the selected tokens are marked. Single pieces: marks fall inside "
    "words, so that a piece is marked and its neighbour is not. Whole words: all pieces of a word "
    "are marked together. Spans: runs of neighbours are marked, across words.",
)  # fmt: skip

# %% [markdown] id="moving-masks"
# The last row shows spans, as in SpanBERT
# ([arXiv 1907.10529](https://arxiv.org/abs/1907.10529), 2019): neighbours are hidden together, so the
# easy hint next door is gone.
#
# ### The same text, twice
#
# A model reads a text many times. Shall the mask be the same each time? BERT's data were written to
# disk once, with ten different masks a text: **static** masks. RoBERTa draws a new mask at each
# reading: **dynamic** masks ([arXiv 1907.11692](https://arxiv.org/abs/1907.11692), 2019). The authors
# found it "comparable or slightly better".


# %% id="epochs" tags=["claim"]
def mask_of(epoch):
    """The mask of page number 0 at one reading; None stands for evaluation."""
    ids = lava.ids[None]
    return mask_examples(ids, [0], seed=0, epoch=epoch, **tokenizer.mask_args).selected[0]


readings = {f"{label('epoch')} {e + 1}": mask_of(e) for e in range(3)}
readings |= {label("evaluation"): mask_of(None)}
show(
    token_strips([
        TokenRow(name, tokenizer.tokens(lava.ids), ["hidden" if s else "seen" for s in m.tolist()])
        for name, m in readings.items()
    ]),
    alt="The same sentence in three epochs and in evaluation. The marked tokens are different ones "
    "in each row.",
)  # fmt: skip
assert not torch.equal(mask_of(0), mask_of(1))
assert torch.equal(mask_of(None), mask_of(None))

# %% [markdown] id="moving-masks-so-what"
# Training masks move, evaluation masks must not. If they moved, two models would sit different
# exams. In our library a mask depends on three numbers alone: the seed, the epoch, and the number of
# the example. Worker, batch and padding have no say.
#
# → Whole words are exercise 2.7, moving masks exercise 2.8.
#
# ### Your turn: the mask playground
#
# Type a sentence of your own. Three things to try:
#
# 1. Raise the rate to 0.8. Can *you* still guess the hidden words?
# 2. Set [MASK] to 0 and random to 1. How would you notice which words are wrong?
# 3. Use a long, rare word, and switch between single pieces and whole words.

# %% id="playground" tags=["playground"]
mask_playground(tokenizer, "The sun is shining brightly in the sky.")

# %% [markdown] id="counting"
# ## 5. The counting machine
#
# Suppose a model fills 35 % of its blanks correctly. Is that good? Without a yardstick nobody knows.
#
# Our yardstick needs no network. It reads the training pages once and counts: which token stood most
# often between these two neighbours? If it never saw these neighbours, it looks at fewer of them. This
# is called back-off.
#
# The exam: 500 pages that were not counted, BERT's own corruption, three draws of the mask.

# %% id="run-the-machine"
from companion.evaluation.counting import BOTH, LEFT, NOTHING, RIGHT, TWO_EACH_SIDE, CountingMachine

exam = load_corpus("wiki", "validation").documents
pages_ids = tokenizer.encode_batch([page.text for page in exam], specials=False)
sheets = [
    mask_examples(e.ids[None], [i], seed=draw, epoch=None, **tokenizer.mask_args)
    for draw in range(3)
    for i, e in enumerate(pages_ids)
]
seen, asked = [s.corrupted[0] for s in sheets], [s.selected[0] for s in sheets]
answers = torch.cat([s.labels[s.selected] for s in sheets])

training = [e.ids for e in encoded]
guesses = {}
for name, contexts in [("nothing", NOTHING), ("left", LEFT), ("right", RIGHT), ("both", BOTH),
                       ("two_each_side", TWO_EACH_SIDE)]:  # fmt: skip
    machine = CountingMachine(
        contexts, mask_id=tokenizer.mask_id, vocab_size=tokenizer.vocab_size
    ).fit(training)
    guesses[name] = machine.predict(seen, asked)

# %% [markdown] id="both-sides"
# Before you look: how much better are *both* neighbours than one? In our sentence the left side of the
# blank is only "The". The hints that something luminous is meant, "is shining brightly in the sky",
# all stand on the right.

# %% id="machine-result" tags=["claim", "nbval-check-output"]
pieces_of_word = torch.cat([e.word_ids.bincount()[e.word_ids][s] for e, s in
                            zip(pages_ids * 3, asked, strict=True)])  # fmt: skip
letters = torch.tensor([token.isalpha() for token in tokenizer.tokens(range(4096))])
rare = (pieces_of_word == 1) & letters[answers] & (answers >= len(specials) + 100)
sets = {label("all_tokens"): torch.ones_like(rare), label("rare_words"): rare}
scores = {}
for set_name, chosen in sets.items():
    scores[set_name] = {}
    for name, guess in guesses.items():
        hits = int((guess.tokens == answers)[chosen].sum())
        total = int(chosen.sum())
        scores[set_name][label(name)] = (hits / total, wilson_interval(hits, total))
print(f"{len(answers)} blanks, {int(rare.sum())} of them whole words outside the 100 commonest")
for name in guesses:
    print(f"{label(name):32}" + "".join(f"{scores[s][label(name)][0]:8.1%}" for s in sets))
everything = {name: scores[label("all_tokens")][label(name)][0] for name in guesses}
assert everything["both"] > 1.7 * max(everything["left"], everything["right"])

# %% id="machine-picture"
show(
    share_bars(scores, xlabel=label("accuracy")),
    alt="Bars of the share of blanks that counting fills correctly. "
    + " ".join(
        f"{set_name}: "
        + ", ".join(f"{name} {share:.0%}" for name, (share, _) in bars.items())
        + "."
        for set_name, bars in scores.items()
    ),
)

# %% [markdown] id="machine-so-what"
# Two surprises. Counting alone fills nearly two blanks in five. And both sides together are worth about
# twice what the better side is worth alone: *this* is what reading in both directions buys.
#
# Most of the easy points are commas and small words. So there is a second yardstick: whole words
# outside the 100 commonest tokens. A model that we call good must beat both.
#
# Where does counting fail?

# %% id="never-seen" tags=["nbval-check-output"]
best = guesses["two_each_side"]
right = best.tokens == answers
for name, chosen in {
    "all four neighbours seen before": best.context == 0,
    "three of them": (best.context == 1) | (best.context == 2),
    "the two next to the blank": best.context == 3,
    "less": best.context > 3,
}.items():
    print(f"{name:34} {chosen.float().mean():6.1%} of the blanks, "
          f"{right[chosen].float().mean():6.1%} of them right")  # fmt: skip

# %% [markdown] id="never-seen-so-what"
# Where the machine knows the four neighbours, it is right more often than not. But nearly every
# sentence is new. For most blanks it has to forget a neighbour, then another. It cannot know that
# "planet" and "moon" behave alike, as each word is a stranger to all others. A network can learn that.
# This is why one learns instead of counting.

# %% [markdown] id="perfect-loss"
# ## 6. The perfect loss that learned nothing
#
# The last experiment has a bug in it, the most instructive one of this chapter. It needs a language
# where we know the best possible score. So we invent one: 24 letters, and each letter
# decides the odds of the next. Knowing the letters on both sides, the best possible guess can
# be computed exactly.

# %% id="toy-language"
LETTERS, LENGTH = 24, 16
generator = torch.Generator().manual_seed(0)
odds = torch.softmax(torch.randn(LETTERS, LETTERS, generator=generator) * 3.5, dim=-1)


def write_texts(number, generator):
    """Texts of the toy language: ids 5 to 28, (number, LENGTH)."""
    letters = [torch.randint(LETTERS, (number,), generator=generator)]
    for _ in range(LENGTH - 1):
        letters.append(torch.multinomial(odds[letters[-1]], 1, generator=generator)[:, 0])
    return torch.stack(letters, 1) + 5


toy = {"mask_id": 4, "vocab_size": 5 + LETTERS, "special_ids": range(5)}
exam_texts = write_texts(2000, generator)
before, middle, after = (exam_texts[:, i : LENGTH - 2 + i] - 5 for i in range(3))
likeliest = (odds[:, :, None] * odds[None]).argmax(1)  # for each pair of neighbours
best_possible = (likeliest[before, after] == middle).float().mean().item()
print(f"the best possible guess with both neighbours is right in {best_possible:.1%}")

# %% [markdown] id="two-runs"
# Now two training runs. They share seed, texts, masks and network. They differ in one line: where the
# labels come from. One takes them from the original text. The other takes them from the corrupted
# text, as happens when a function overwrites its input before it has copied the labels.


# %% id="train-both"
def train(labels_from, steps=300):
    """Train a two-layer BERT on the toy language; the model and its losses."""
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(1)
    model = BertForMaskedLM(BertConfig(vocab_size=toy["vocab_size"], **small))
    optimiser = torch.optim.AdamW(model.parameters(), lr=4e-3, fused=True)
    pace = torch.optim.lr_scheduler.LambdaLR(  # 30 steps of warm-up, a linear end
        optimiser, lambda step: min((step + 1) / 30, 1, 2 - 2 * step / steps)
    )
    losses = []
    for _ in tqdm(range(steps), leave=False):
        texts = write_texts(48, generator)
        masked = mask_tokens(texts, generator=generator, **toy)
        logits = model(masked.corrupted, selected=masked.selected).mlm_logits
        source = texts if labels_from == "original" else masked.corrupted
        loss = mlm_loss(logits, source[masked.selected])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        pace.step()
        losses.append(loss.item())
    return model, losses


runs = {name: train(name) for name in ("original", "corrupted")}

# %% id="perfect-loss-picture"
smooth = torch.nn.AvgPool1d(20, 20)
show(
    curves(
        {
            label(f"labels_{name}"): (
                range(20, 301, 20),
                smooth(torch.tensor(losses)[None])[0].tolist(),
            )
            for name, (_, losses) in runs.items()
        },
        xlabel=label("step"),
        ylabel=label("loss"),
    ),
    alt="Two training curves over 300 steps. With labels from the original text the loss goes from "
    "about 3 down to about 0.7. With labels from the corrupted text it drops to nearly 0 within "
    "the first hundred steps and stays there.",
)

# %% [markdown] id="perfect-loss-question"
# Look at the curves alone. **Which model would you ship?**

# %% id="perfect-loss-result" tags=["claim"]
generator = torch.Generator().manual_seed(2)
sheet = mask_tokens(exam_texts, mask_share=1.0, random_share=0.0, generator=generator, **toy)
truth, result = exam_texts[sheet.selected], {}
for name, (model, losses) in runs.items():
    with torch.no_grad():
        logits = model(sheet.corrupted, selected=sheet.selected).mlm_logits
    hits = int((logits.argmax(-1) == truth).sum())
    result[name], (low, high) = hits / len(truth), wilson_interval(hits, len(truth))
    print(
        f"labels from the {name:9} text: training loss {sum(losses[-20:]) / 20:.3f}, "
        f"exam loss {mlm_loss(logits, truth):.2f}, "
        f"right at [MASK] {result[name]:.1%} ({low:.1%} to {high:.1%})"
    )
commonest = exam_texts.flatten().bincount().max() / exam_texts.numel()
print(f"yardsticks: the commonest letter {commonest:.1%}, with both neighbours {best_possible:.1%}")
assert sum(runs["corrupted"][1][-20:]) / 20 < 0.05
assert result["corrupted"] < 0.02
assert result["original"] > 0.6

# %% [markdown] id="perfect-loss-so-what"
# The loss of the second run is perfect, and the model is right *never*. Wherever it sees [MASK], it
# answers "[MASK]": this is what its labels said. A guess by frequency alone would beat it.
#
# Nothing crashed, nothing warned. The loss went down, faster than in the honest run. A loss
# that is too good is a symptom, so check a model at its blanks, and against a yardstick.
#
# → Exercise 2.5 gives you the function with this bug.

# %% [markdown] id="summary"
# ### What you can say now
#
# **Selected, corrupted and scored are three different sets, and most bugs confuse two of them.**
#
# - Reading both sides requires hiding; a model that sees everything copies.
# - 15 % are selected and scored, 13.5 % look different, 12 % are [MASK].
# - Short texts can end up without a target. Guard the chooser or the loss.
# - Training masks move, evaluation masks never.
# - Counting neighbours fills 39 % of the blanks: the yardstick for what follows.
# - A loss that is too good is a symptom.
#
# ### To read further
#
# - BERT: Devlin et al., [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), 2018, section 3.1 and
#   appendix A.1 and C.2.
# - RoBERTa: Liu et al., [arXiv 1907.11692](https://arxiv.org/abs/1907.11692), 2019, section 4.1, on
#   static and dynamic masks.
# - Should you mask 15 %? Wettig et al., [arXiv 2202.08005](https://arxiv.org/abs/2202.08005), 2022:
#   for large models 40 % did better.
# - ELECTRA: Clark et al., [arXiv 2003.10555](https://arxiv.org/abs/2003.10555), 2020, section 3.4
#   measures how little the mismatch costs.
