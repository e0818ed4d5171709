# ---
# title: "Chapter 2: MLM masking"
# idea: Selected, corrupted and scored are three different questions about a token, and the classic bugs mix them up.
# seconds: 50
# ---

# %% [markdown] id="head"
# # Chapter 2: MLM masking
#
# **Selected, corrupted and scored are three different questions about a token, and the classic bugs
# mix them up.**
#
# After this chapter you can:
#
# - say why a model that reads both sides must not see everything,
# - choose the tokens to predict, and know what each way of choosing costs,
# - tell for each token whether it is asked, what the model sees there, and whether it counts,
# - judge an accuracy by a yardstick that needs no network,
# - recognise a loss that is too good.
#
# | | |
# |---|---|
# | You need | token ids, [CLS] and [SEP]; cross-entropy |
# | Reading | 45 minutes |
# | Computing | less than 50 seconds on two cores |
#
# **MLM** means masked language modelling: hide words of a text, and ask for them. BERT, a model of 2018,
# learned in this way.
#
# The first picture shows one sentence, cut into pieces: "##" continues a word. In the second row one
# piece is replaced by [MASK]. The third row, the label, is the answer: the piece that stood there.

# %% id="first-blank"
import torch

from companion.data import load_corpus, load_tokenizer, pad_batch
from companion.masking import corrupt
from companion.show import TokenRow, label, masked_rows, show, token_strips

tokenizer = load_tokenizer()
sun = tokenizer.encode("The sun is shining brightly in the sky.").ids[None]  # one row of ids
is_sun = sun == tokenizer.encode("sun", specials=False).ids  # "sun" is one piece
blank = corrupt(sun, is_sun, mask_share=1.0, random_share=0.0, **tokenizer.mask_args)
text = TokenRow(label("text"), tokenizer.tokens(sun[0]), ["seen"] * sun.shape[1])
show(
    token_strips([text, *masked_rows(tokenizer, sun, blank)]),
    alt="The sentence The sun is shining brightly in the sky, in three rows. In the second row, "
    "which is what the model sees, [MASK] stands in place of sun. In the third row, the labels, "
    "there is one box: sun.",
)

# %% [markdown] id="why-hide"
# ## 1. Why hide at all?
#
# The model may read the words to the left of the blank *and* those to the right. Why not leave the
# word in its place, and ask for every word? A model that reads in both directions then finds each
# answer in its own input. Its best move is to copy. Let us watch one do so.
#
# The next cell trains a small BERT on real first sentences. Nothing is hidden. The model is asked to
# name each token that it sees.

# %% id="train-a-copier"
from tqdm.auto import tqdm

from companion.losses import mlm_loss
from companion.models import BertConfig, BertForMaskedLM

pages = load_corpus("wiki", "train").documents
first = [page.sentences[0] for page in pages[:2000]]
batch = pad_batch(tokenizer.encode_batch(first, max_length=32), pad_id=tokenizer.pad_id)
small = {
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 128,
    "max_position_embeddings": 32,
    "initializer_range": 0.1,
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
}
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
# Sixty steps took a few seconds. Now 80 sentences that it has never read. How many of their visible
# tokens does it name correctly? And does it look at the neighbours? To find out, we exchange every
# second token for a random one. If the neighbours left and right mattered, its answers would change.

# %% id="copier-result" tags=["claim"]
ids, real = batch.input_ids[1920:], batch.attention_mask[1920:]
odd = torch.arange(ids.shape[1]) % 2 == 1
strange = torch.randint(
    5, tokenizer.vocab_size, ids.shape, generator=torch.Generator().manual_seed(0)
)
even_and_real = real & ~odd
with torch.no_grad():
    answers = copier(ids, attention_mask=real).mlm_logits.argmax(-1)
    exchanged = copier(torch.where(odd, strange, ids), attention_mask=real).mlm_logits.argmax(-1)
right = (answers == ids)[real].float().mean().item()
same = (answers == exchanged)[even_and_real].float().mean().item()
print(f"loss: {copier_losses[0]:.1f} at the first step, {copier_losses[-1]:.1f} at the last")
print(f"visible tokens named correctly: {right:.0%}")
print(f"answers that stay the same when both neighbours are exchanged: {same:.0%}")
assert right > 0.85
assert same > 0.85

# %% [markdown] id="why-hide-so-what"
# This was fast, and worth nothing. The model found the identity: what comes in goes out. (It names nearly
# all tokens, but is still unsure of them, so the loss is not 0.) What stands around a token hardly matters.
#
# A model that reads from left to right needs no [MASK]. Its attention cannot look to the right, and it
# is asked for the *next* token. Whoever reads in both directions has to withhold something, or the
# model copies. The price: it learns from the withheld words alone. BERT pays it
# ([arXiv 1810.04805](https://arxiv.org/abs/1810.04805), 2018).

# %% [markdown] id="choosing"
# ## 2. Choosing: which tokens are asked?
#
# BERT asks for 15 % of the tokens of each text; its authors compare no other share. A token that is asked
# for is **selected**. [CLS], [SEP], padding and unknown tokens are never selected here: nothing can be
# learned from them.
#
# "15 %" can mean different things. You can toss a coin for each token. Or you can draw a fixed number
# in each row, as BERT's released code does. The next cell does both on 30-token pieces of Wikipedia.

# %% id="three-samplers" tags=["nbval-check-output"]
from companion.masking import select_bernoulli, select_exact

encoded = tokenizer.encode_batch([page.text for page in pages], specials=False)
pieces = torch.stack([e.ids[:30] for e in encoded if len(e.ids) >= 30])
ask = {
    "special_ids": tokenizer.special_ids,
    "rate": 0.15,
    "generator": torch.Generator().manual_seed(1),
}
samplers = {
    label("bernoulli"): select_bernoulli(pieces, at_least_one=False, **ask).sum(-1),
    label("at_least_one"): select_bernoulli(pieces, **ask).sum(-1),
    label("exact"): select_exact(pieces, **ask).sum(-1),
}
print(f"{len(pieces)} rows of 30 tokens; selected in a row:")
for name, n in samplers.items():
    mean, deviation = n.float().mean(), n.float().std()
    print(
        f"{name:24} mean {mean:.2f} (95 % interval ± {1.96 * deviation / len(n) ** 0.5:.2f}), "
        f"standard deviation {deviation:.2f}, rows without any: {(n == 0).sum()}"
    )

# %% id="samplers-picture"
from companion.show import histograms

show(
    histograms(
        {name: n.tolist() for name, n in samplers.items()},
        xlabel=label("selected_per_row"),
        ylabel=label("rows"),
    ),
    alt="Three histograms of the number of selected tokens in rows of 30. A coin for each token: "
    "a hill from 0 to about 12 with its top at 4. A coin with at least one: nearly the same hill, "
    "without the bar at 0. A fixed number: practically one bar, at 4.",
)

# %% [markdown] id="choosing-so-what"
# The coin gives 4.5 on average, but some rows get ten targets and some get none. The fixed number is 4
# in all rows but one, which has unknown tokens. 15 % of 30 is 4.5, and Python rounds a half to the
# even neighbour. So "15 %" is 13.3 % here.
#
# Does an empty row matter? With 30 tokens it is rare. Now cut the text into pieces of ten tokens, as
# long as a title. **How many of 100 such pieces get no target at all?** Make a guess before you run it.

# %% id="short-rows" tags=["nbval-check-output"]
from companion.evaluation import wilson_interval

running_text = torch.cat([e.ids for e in encoded])
short = running_text[: len(running_text) // 10 * 10].view(-1, 10)
coins = select_bernoulli(short, at_least_one=False, **ask)
guarded = select_bernoulli(short, **ask)
empty = int((~coins.any(-1)).sum())
low, high = wilson_interval(empty, len(short))
print(f"{len(short)} pieces of 10 tokens, without a target: {empty / len(short):.1%}")
print(f"95 % interval {low:.1%} to {high:.1%}; computed: 0.85 ** 10 = {0.85**10:.1%}")
print(
    f"selected by coin {coins.float().mean():.1%}, with at least one {guarded.float().mean():.1%}"
)

# %% [markdown] id="choosing-nan"
# One in five. In batches of a single text every fifth mean is 0 / 0, and one NaN spoils all weights.
# (In a batch of 32 such texts some other row has a target: then only the computing is wasted.) There are
# two remedies, and our library has both. The chooser can give each row at least one target: short texts
# are then asked more than 15 %, as the last line shows. And the loss returns 0, with a gradient of 0,
# when there is nothing to score.
#
# *Now you: [exercise 2.1](../my_work/02_mlm_masking.ipynb#cell-id=02-ex-task-1), choose the tokens to ask for.*

# %% [markdown] id="corrupting"
# ## 3. Corrupting: 80, 10, 10
#
# What the model is given is the **corrupted** text. In BERT, a selected token is treated in one of three
# ways. With probability 0.8 it becomes [MASK]. With probability 0.1 it becomes a random token. With
# probability 0.1 it stays. We count on real text, with 95 % intervals.

# %% id="count-the-split" tags=["nbval-check-output"]
from companion.masking import mask_tokens

generator = torch.Generator().manual_seed(2)
masked = mask_tokens(pieces, generator=generator, **tokenizer.mask_args)
now, was = masked.corrupted[masked.selected], pieces[masked.selected]
counts = {
    "hidden": int((now == tokenizer.mask_id).sum()),
    "random": int(((now != tokenizer.mask_id) & (now != was)).sum()),
    "kept": int((now == was).sum()),
}
print(f"{len(was)} selected tokens of {pieces.numel()}")
for name, count in counts.items():
    low, high = wilson_interval(count, len(was))
    print(f"{label(name):18} {count / len(was):.2%}  ({low:.2%} to {high:.2%})")

# %% [markdown] id="three-sets-question"
# Now look at *all* tokens of the text, not only the selected ones. **How many of them look different
# to the model?** Many people say 15 %.
#
# *Now you, before you look: [exercise 2.4](../my_work/02_mlm_masking.ipynb#cell-id=02-ex-task-4).*

# %% id="three-sets" tags=["claim", "nbval-check-output"]
changed = (counts["hidden"] + counts["random"]) / pieces.numel()
print(f"selected:                  {len(was) / pieces.numel():.1%} of all tokens")
print(f"different to the model:    {changed:.1%}")
print(f"hidden behind a [MASK]:    {counts['hidden'] / pieces.numel():.1%}")
assert abs(counts["hidden"] / len(was) - 0.8) < 0.01
assert 0.130 < changed < 0.140

# %% [markdown] id="three-sets-words"
# So there are three questions about a token, and they have different answers:
#
# | question | which tokens | share of the text |
# |---|---|---|
# | Is it selected? | those that are asked | 15 % |
# | Is it corrupted: does it look different? | the selected, without those that stay | 13.5 % |
# | Is it **scored**: does it count in the loss? | the selected, all of them | 15 % |
#
# In BERT, selected and scored are the same tokens; the corrupted ones are fewer. In ELECTRA, a later
# model, 15 % are selected and *all* are scored: was this token exchanged?
#
# The **labels** say what is scored. They hold the original token where it is scored, and −100 elsewhere.
# PyTorch's cross-entropy skips −100. A kept token is scored although it looks the same. A program that
# takes "looks different" for "selected" loses a tenth of its labels.
#
# With $S$ for the scored positions and $\tilde x$ for the corrupted text, the loss is
#
# $$L = -\frac{1}{|S|} \sum_{i \in S} \log p_\theta(x_i \mid \tilde x).$$
#
# *Now you: exercises [2.2](../my_work/02_mlm_masking.ipynb#cell-id=02-ex-task-2) and [2.3](../my_work/02_mlm_masking.ipynb#cell-id=02-ex-task-3).*
#
# Here is a page that is not among the training pages. To see every case, we select each token with probability
# 0.3. Below the picture stand its last 17 places as numbers (3 is [SEP], 4 is [MASK]).

# %% id="three-sets-picture"
from companion.masking import mask_examples

page = next(p for p in load_corpus("wiki", "validation").documents if p.title == "Lava")
lava = tokenizer.encode(page.sentences[0]).ids[None]
masked = mask_examples(lava, [0], seed=12, epoch=0, rate=0.3, **tokenizer.mask_args)
show(
    token_strips(
        [
            TokenRow(label("text"), tokenizer.tokens(lava[0]), ["seen"] * lava.shape[1]),
            *masked_rows(tokenizer, lava, masked),
        ]
    ),
    alt="A sentence, the same as the model sees it, and its labels. Five of the seven selected tokens are "
    "[MASK], one is a random token, one is kept as it was. Each of the seven has a label, the "
    "original token; the other places have none.",
)
for name, row in [("ids", lava), ("corrupted", masked.corrupted), ("labels", masked.labels)]:
    print(f"{name:10}" + "".join(f"{number:6}" for number in row[0, -17:].tolist()))

# %% [markdown] id="mismatch"
# ### Why keep some, and why randomise some?
#
# [MASK] stands in the training text, and never in the text that the model is used on later. This is
# called the **mismatch**. A model could learn "work only where you see [MASK]" and treat all other
# tokens carelessly.
#
# So BERT sometimes asks for a token that is visible, and sometimes shows a wrong one. The authors argue:
# the model never knows which tokens it may trust, so it must keep a good vector for each of them.

# %% [markdown] id="mismatch-question"
# We trained a small network (2.6 million weights, nine minutes, one seed) twice: with 80 / 10 / 10, and with
# [MASK] alone. Both sit one exam on held-out pages. **Guess first:** where the right word itself stands, how
# often does each of them name it?

# %% id="mismatch-measured"
import json

from companion.data import log_file
from companion.show import bars_in_words, share_bars

runs = json.loads(log_file("places.json").read_text())
bars = {
    label(series): {
        label(f"{kind}_place"): (share, interval)
        for kind, (share, *interval) in runs[name]["right"].items()
    }
    for series, name in (("berts_split", "muon"), ("mask_alone", "mismatch"))
}
show(
    share_bars(bars, xlabel=label("accuracy")),
    alt="Bars of the share of right answers, with 95 % intervals. " + bars_in_words(bars),
)

# %% [markdown] id="mismatch-so-what"
# At [MASK] they are equal. But where the right word itself stands, the second network names it one time in
# four. It does not believe its own eyes. It was never asked for a word that is there, so nothing taught it
# to name what it sees.

# %% [markdown] id="table-8"
# And the vectors? The authors measured what they are good for (Table 8 of arXiv 1810.04805). MNLI asks whether
# one sentence follows from another, NER finds names. "Fine-tuned" means: the model goes on learning, on
# the new task. "Frozen": its vectors are used as they are.
#
# | [MASK] / random / kept | MNLI, fine-tuned | NER, fine-tuned | NER, frozen |
# |---|---|---|---|
# | 80 / 10 / 10 | 84.2 | 95.4 | 94.9 |
# | 100 / 0 / 0 | 84.3 | 94.9 | 94.0 |
# | 80 / 20 / 0 | 84.1 | 95.2 | 94.6 |
# | 80 / 0 / 20 | 84.4 | 95.2 | 94.7 |
# | 0 / 80 / 20 | 83.7 | 94.8 | 94.6 |
# | 0 / 100 / 0 | 83.6 | 94.9 | 94.6 |
#
# When every selected token becomes [MASK], nothing is lost on MNLI. NER loses half a point fine-tuned, and
# nine tenths frozen. Even without any [MASK], in the last line, it is half a point or so. The table gives no
# seeds and no intervals.

# %% [markdown] id="units"
# ## 4. Whole words, and masks that move
#
# "brightly" is two pieces: "bright" and "##ly". Who sees the one can often guess the other. So one can
# toss the coin for a whole word: all its pieces are selected together, or none. Or one selects spans,
# some neighbours in a row. (Ours take no care of words.)

# %% id="whole-words"
from companion.masking import select_spans, select_words
from companion.show import selected_row

sentence = "The players marched brightly through the countryside."
ids, _, word_ids = (part[None] for part in tokenizer.encode(sentence))
choices = {}
for name, select in {
    "pieces": lambda **ask: select_bernoulli(ids, **ask),
    "words": lambda **ask: select_words(ids, word_ids, **ask),
    "spans": lambda **ask: select_spans(ids, mean_span=3, **ask),
}.items():
    draws = torch.Generator().manual_seed(12)
    choices[name] = select(special_ids=tokenizer.special_ids, rate=0.3, generator=draws)
tokens = tokenizer.tokens(ids[0])
show(
    token_strips([selected_row(label(n), tokens, chosen[0]) for n, chosen in choices.items()]),
    alt="One sentence three times, the selected tokens marked. Single pieces: bright is marked and "
    "##ly is not, ##side is and country is not. Whole words: country and ##side are marked "
    "together. Spans: bright, ##ly and through are one run of marks.",
)

# %% [markdown] id="moving-masks"
# Spans take away the easy hint next door. SpanBERT
# ([arXiv 1907.10529](https://arxiv.org/abs/1907.10529), 2019) draws spans of whole words.
#
# ### The same text, twice
#
# A model reads a text many times. Shall the mask be the same each time? BERT's data were written to
# disk once, with ten different masks a text: **static** masks, each of them seen about four times.
# RoBERTa draws a new mask at each reading: **dynamic** masks
# ([arXiv 1907.11692](https://arxiv.org/abs/1907.11692), 2019). The authors found them "comparable or
# slightly better" (their Table 1).


# %% id="epochs" tags=["claim"]
def mask_of(epoch):
    """The mask of example number 0 at one reading; None stands for evaluation."""
    return mask_examples(sun, [0], seed=0, epoch=epoch, **tokenizer.mask_args).selected[0]


readings = {f"{label('epoch')} {epoch + 1}": mask_of(epoch) for epoch in range(3)}
readings |= {label("evaluation"): mask_of(None), label("again"): mask_of(None)}
tokens = tokenizer.tokens(sun[0])
show(
    token_strips([selected_row(name, tokens, mask) for name, mask in readings.items()]),
    alt="One sentence five times, the selected tokens marked. Epochs 1, 2 and 3: another choice "
    "each time. Evaluation, twice: the same choice.",
)
assert not torch.equal(mask_of(0), mask_of(1))
assert torch.equal(mask_of(None), mask_of(None))

# %% [markdown] id="moving-masks-so-what"
# Training masks move, evaluation masks must not. If they moved, two models would sit different exams.
# In our library the mask of a text depends on three numbers: seed, epoch, and number of the example. The
# rest of the batch has no say.
#
# *Now you: exercises [2.7](../my_work/02_mlm_masking.ipynb#cell-id=02-ex-task-7), whole words, and [2.8](../my_work/02_mlm_masking.ipynb#cell-id=02-ex-task-8), masks that move.*
#
# ### Your turn: the mask playground
#
# Type a sentence of your own. Three things to try:
#
# 1. Raise the rate to 0.8. Can *you* still guess the hidden words?
# 2. Set [MASK] to 0 and random to 1. How would you notice which words are wrong?
# 3. Use a long, rare word, and switch between single pieces and whole words.

# %% id="playground" tags=["playground"]
from companion.show import mask_playground

mask_playground(tokenizer, "The sun is shining brightly in the sky.")

# %% [markdown] id="counting"
# ## 5. A yardstick, and a network that beats it
#
# Suppose a model fills 35 % of its blanks correctly. Is that good? Without a yardstick nobody knows.
#
# Our yardstick needs no network. It reads the training pages once and counts: which token stood most
# often between these two neighbours? If it never saw these neighbours, it looks at fewer of them. This
# is called back-off.
#
# The exam: 500 pages that were not counted, with BERT's own corruption. One in ten blanks shows its
# answer, as it was kept. A network can profit from that; the machine never looks at the blank itself. A
# second exam takes only whole words, not cut into pieces, outside the 100 commonest tokens.
#
# A network sits the same exams: `bert-wiki-mini`, which ships with the course. It has 3.35 million weights
# and was trained on the same pages, for three hours on two cores. Its task is BERT's, its parts are newer;
# [a race](extra/02_race.ipynb) shows what they buy.

# %% id="run-the-machine"
from companion.data import checkpoint
from companion.evaluation import CountingMachine, counting, fill_blanks, make_blanks
from companion.models import ModernBertForMaskedLM

held_out = load_corpus("wiki", "validation").documents
blanks = make_blanks([page.text for page in held_out], tokenizer, draws=[0])
guesses = {}
for name in ["nothing", "left", "right", "two_left", "both", "four_left", "two_each_side"]:
    contexts = getattr(counting, name.upper())
    machine = CountingMachine(contexts, vocab_size=tokenizer.vocab_size)
    machine.fit([e.ids for e in encoded])
    guesses[name] = machine.predict(blanks.corrupted, blanks.selected)

bert = ModernBertForMaskedLM.from_pretrained(checkpoint("bert-wiki-mini"))
by_bert = fill_blanks(bert, blanks, tokenizer, length=bert.config.max_position_embeddings)

# %% [markdown] id="both-sides"
# Before you look: how much are neighbours on *both* sides worth, compared with one side? In our
# sentence the left side of the blank is only "The". The hints that something luminous is meant, "is
# shining brightly in the sky", all stand on the right.

# %% id="machine-result" tags=["claim", "nbval-check-output"]
from companion.evaluation import grouped_interval

exams = {"all_tokens": torch.ones_like(blanks.is_masked), "rare_words": blanks.is_rare_word}
scores = {label(exam): {} for exam in exams}
sheets = {name: guess.tokens for name, guess in guesses.items()} | {"bert": by_bert.tokens}
for name, tokens in sheets.items():
    for exam, chosen in exams.items():
        right = (tokens == blanks.answers)[chosen]
        share, *interval = grouped_interval(right, blanks.text[chosen])
        scores[label(exam)][label(name)] = (share, interval)
everything, hard = scores.values()
print(f"{len(blanks.answers)} blanks, {int(blanks.is_rare_word.sum())} in the second exam")
for name in guesses:
    print(f"{label(name):32} {everything[label(name)][0]:6.1%} {hard[label(name)][0]:6.1%}")
assert everything[label("both")][0] > 1.3 * everything[label("two_left")][0]
assert everything[label("two_each_side")][0] > 1.5 * everything[label("four_left")][0]
assert everything[label("bert")][1][0] > everything[label("two_each_side")][1][1]
assert hard[label("bert")][1][0] > hard[label("two_each_side")][1][1]

# %% id="machine-picture"
show(
    share_bars(scores, xlabel=label("accuracy")),
    alt="Bars of the share of blanks that are filled correctly, with 95 % intervals. "
    + bars_in_words(scores),
)

# %% [markdown] id="machine-so-what"
# Counting alone fills nearly two blanks in five, so a network with 35 % in the first exam would be a poor
# one. And sides matter more than amounts, at least for a counter with this much text. Two neighbours on
# different sides are worth more than four on the left. *This* is what reading in both directions can buy.
#
# Many of the easy points are commas and small words; hence the second exam. A model that we call good must
# beat counting in both. This one does: of the hard words it fills nearly twice as many.
#
# (The black lines are 95 % intervals over pages: blanks of one page are alike.)
#
# Where does counting fail? And how much of the lead are answers that the network can see?

# %% id="never-seen"
best = guesses["two_each_side"]
known = best.context  # which context was found: 0 is all four neighbours, the last one nothing
for name, chosen in {
    "(all blanks)": known >= 0,
    "(those with [MASK] alone)": blanks.is_masked,
    "(hard words, [MASK] alone)": blanks.is_masked & blanks.is_rare_word,
    "all four neighbours": known == 0,
    "three of them": (known == 1) | (known == 2),
    "the two next to the blank": known == 3,
    "less": known > 3,
}.items():
    counted, learned = (
        (tokens == blanks.answers)[chosen].float().mean()
        for tokens in (best.tokens, by_bert.tokens)
    )
    print(
        f"counting knew {name:26} {chosen.float().mean():6.1%} of the blanks; "
        f"right: counting {counted:.1%}, network {learned:.1%}"
    )

# %% [markdown] id="never-seen-so-what"
# Visible answers give the network a part of its lead, but the smaller one: at [MASK] alone it is still far
# ahead. And where the machine knows all four neighbours, it is as good as the network. But it seldom does.
# Most sentences are new, and neighbours can be hidden or wrong themselves. Then it has to forget one, then
# another. It cannot know that "planet" and "moon" behave alike: each word is a stranger to all others. A
# network can learn that. This is why one learns instead of counting.
#
# ### Watch it learn
#
# While the network was trained, it was asked the same thirty held-out blanks at twelve moments. Here are
# seven of these moments, and six blanks; half of them end right. (Of all thirty, twelve do.) A tick marks the
# word that stood there.

# %% id="film-picture"
from companion.evaluation import read_film
from companion.show import film_strip

film = read_film(checkpoint("bert-wiki-mini") / "film.json")
shown = [4, 14, 21, 11, 16, 22]  # blanks: three that end right, three that do not
pictures = [0, 2, 4, 6, 8, 9, 11]
steps = [film["frames"][n]["step"] for n in pictures]
show(
    film_strip(film, blanks=shown, frames=pictures),
    alt=f"Six sentences with a blank, and the likeliest token after {steps} steps. "
    + " ".join(
        f"{film['blanks'][n]['answer']}: "
        + ", ".join(film["frames"][f]["top"][n][0][0] for f in pictures)
        + "."
        for n in shown
    ),
)

# %% [markdown] id="loss-question"
# And the loss? It is the mean surprise, in **nats**: a blind guess among 4,096 tokens costs ln 4,096 = 8.3.

# %% id="loss-stages"
import math

from companion.show import curves
from companion.training import read_log

log = [
    line
    for line in read_log(checkpoint("bert-wiki-mini") / "log.csv")
    if line.held_out_loss is not None
]
frequencies = torch.cat([e.ids for e in encoded]).bincount(minlength=tokenizer.vocab_size)
frequencies += 1  # no token is impossible
by_frequency = -(frequencies / frequencies.sum()).log()[blanks.answers].mean().item()
show(
    curves(
        {label("held_out"): ([x.step for x in log], [x.held_out_loss for x in log])},
        xlabel=label("step"),
        ylabel=label("loss"),
        levels={
            label("blind"): math.log(tokenizer.vocab_size),
            label("frequencies"): by_frequency,
        },
    ),
    alt=f"The loss on held-out blanks falls from {log[0].held_out_loss:.1f} after {log[0].step} steps to "
    f"{log[-1].held_out_loss:.1f} after {log[-1].step:,}, steeply first, then ever more slowly. Two "
    f"lines above it: a blind guess at {math.log(tokenizer.vocab_size):.1f}, word frequencies at "
    f"{by_frequency:.1f}.",
)
counting_right = everything[label("two_each_side")][0]
overtaken = next(x.step for x in log if x.held_out_accuracy > counting_right)
print(f"right more often than counting ({counting_right:.1%}) at step {overtaken:,}")

# %% [markdown] id="film-so-what"
# At the start every answer is "the". Before its first step the network was given how frequent each token
# is, and it knows nothing else. In an eighth of its training it overtakes counting; the rest is a long
# slope, which counting cannot climb.
#
# Move through all thirty blanks yourself. Three things to try:
#
# 1. At which picture does "a" or "the" stop being the answer to everything?
# 2. Find a blank that was right once, and wrong later.
# 3. Find a wrong answer at the end that you would accept.

# %% id="film-player" tags=["playground"]
from companion.show import film_player

film_player(film)

# %% [markdown] id="duel-intro"
# ### Your turn: you against BERT
#
# Ten blanks of other held-out pages, each one whole word outside the 100 commonest. Write your guesses,
# then show the answers. Counting and the network have answered already, about as well as they do on
# average. What counts is the first answer.

# %% id="duel" tags=["playground"]
from companion.evaluation import choose_blanks, fill_mask
from companion.show import Riddle, duel

in_the_film = {scene["title"] for scene in film["blanks"]}
others = [page for page in held_out if page.title not in in_the_film]
scenes = choose_blanks(others, tokenizer, common=0, rare=10, length=64, seed=10)
rows = [tokenizer.encode(scene.text, specials=False).ids for scene in scenes]
counted = machine.predict(rows, [row == tokenizer.mask_id for row in rows]).tokens
riddles = [
    Riddle(
        scene.text,
        scene.answer,
        [(f.token, f.probability) for f in fill_mask(bert, tokenizer, scene.text, top=3)[0]],
        counting=tokenizer.tokens([word])[0],
    )
    for scene, word in zip(scenes, counted, strict=True)
]
duel(riddles)

# %% [markdown] id="perfect-loss"
# ## 6. The perfect loss that learned nothing
#
# The last experiment has a bug in it, the most instructive one of this chapter. It needs a language
# where we know the best possible score. So we invent one: 24 letters, and each letter decides the odds of
# the next. In such a language the best answer at a blank can be computed. We multiply what the letters on the
# left say by what those on the right say.

# %% id="toy-language"
LETTERS, LENGTH = 24, 16
generator = torch.Generator().manual_seed(0)
odds = torch.softmax(torch.randn(LETTERS, LETTERS, generator=generator) * 3.5, dim=-1).double()
toy = {"mask_id": 4, "vocab_size": 5 + LETTERS, "special_ids": range(5)}


def write_texts(number, generator):
    """Texts of the toy language: ids 5 to 28, (number, LENGTH)."""
    letters = [torch.randint(LETTERS, (number,), generator=generator)]
    for _ in range(LENGTH - 1):
        letters.append(torch.multinomial(odds[letters[-1]], 1, generator=generator)[:, 0])
    return torch.stack(letters, 1) + 5


def best_odds(texts, is_blank):
    """The odds of each letter at every place, given all letters that are not blank."""
    possible = torch.nn.functional.one_hot(texts - 5, LETTERS).double()
    possible[is_blank] = 1.0
    left, right = [torch.ones(len(texts), LETTERS)], [torch.ones(len(texts), LETTERS)]
    for i in range(LENGTH - 1):
        left.append((left[-1] * possible[:, i]) @ odds)
        right.append((right[-1] * possible[:, -1 - i]) @ odds.T)
    return torch.stack(left, 1) * torch.stack(right[::-1], 1)


generator = torch.Generator().manual_seed(2)
exam_texts = write_texts(2000, generator)
sheet = mask_tokens(exam_texts, mask_share=1.0, random_share=0.0, generator=generator, **toy)
truth = exam_texts[sheet.selected]
best = best_odds(exam_texts, sheet.selected)[sheet.selected]
best_possible = (best.argmax(-1) + 5 == truth).double().mean()
best_loss = torch.nn.functional.cross_entropy(best.log(), truth - 5).item()
commonest = (truth == exam_texts.flatten().bincount().argmax()).double().mean()
print(f"{len(truth)} blanks; always the commonest letter {commonest:.1%}")
print(f"best possible {best_possible:.1%}, with a loss of {best_loss:.2f}")

# %% [markdown] id="two-runs"
# Now two training runs. They share seed, texts, masks and network. They differ in one line: where the
# labels come from. One run takes them from the original text. The other takes them from the corrupted
# text. This happens when a function overwrites its input before it has copied the labels.


# %% id="train-both"
def train(labels_from, steps=300):
    """Train a two-layer BERT on the toy language; the model and its losses."""
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(1)
    model = BertForMaskedLM(BertConfig(vocab_size=toy["vocab_size"], **small))
    optimiser = torch.optim.AdamW(model.parameters(), lr=4e-3, fused=True)
    pace = torch.optim.lr_scheduler.LambdaLR(  # 30 steps of warm-up; from half-way on down to 0
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
smooth = {name: torch.tensor(losses).view(-1, 20).mean(1) for name, (_, losses) in runs.items()}
show(
    curves(
        {label(f"labels_{name}"): (range(20, 301, 20), y.tolist()) for name, y in smooth.items()},
        xlabel=label("step"),
        ylabel=label("loss"),
        levels={label("best_possible"): best_loss},
    ),
    alt="Two training curves over 300 steps. With labels from the original text the loss goes from "
    "about 3 down to about 0.7. With labels from the corrupted text it drops to nearly 0 within "
    "the first hundred steps and stays there. A line across marks the best possible loss, "
    f"{best_loss:.2f}.",
)

# %% [markdown] id="perfect-loss-question"
# If you see only the two curves, you ship the second model. Here is the exam: 2,000 new texts. In training
# 80 / 10 / 10 was used; in the exam every selected letter is [MASK].

# %% id="perfect-loss-result" tags=["claim"]
result = {}
for name, (model, losses) in runs.items():
    with torch.no_grad():
        logits = model(sheet.corrupted, selected=sheet.selected).mlm_logits
    hits = int((logits.argmax(-1) == truth).sum())
    result[name], (low, high) = hits / len(truth), wilson_interval(hits, len(truth))
    print(
        f"labels from the {name:9} text: training loss {sum(losses[-20:]) / 20:.3f}, "
        f"exam loss {mlm_loss(logits, truth):.2f}, right {result[name]:.1%} "
        f"({low:.1%} to {high:.1%})"
    )
print(f"yardsticks: always the commonest letter {commonest:.1%}, best possible {best_possible:.1%}")
assert sum(runs["corrupted"][1][-20:]) / 20 < 0.05
assert result["corrupted"] < 0.02
assert result["original"] > 0.6

# %% [markdown] id="perfect-loss-so-what"
# The loss of the second run is almost zero, and the model is right *never*. Wherever it sees [MASK], it
# answers "[MASK]": this is what its labels said. A guess by frequency alone would beat it.
#
# Nothing crashed, nothing warned. The loss went down, faster than in the honest run. Could one have seen it?
# Yes: it fell far below the best possible loss. On real text nobody knows that line. But the copier of section
# 1 was at 1.3 after seconds, where three honest hours lead to 2.3. A loss that is too good is a symptom. So
# look at a model at its blanks, and beside a yardstick.
#
# *Now you: find the bug in exercises [2.5](../my_work/02_mlm_masking.ipynb#cell-id=02-ex-task-5) and [2.6](../my_work/02_mlm_masking.ipynb#cell-id=02-ex-task-6).*

# %% [markdown] id="summary"
# ### What you can say now
#
# **Selected, corrupted and scored are three different questions about a token, and the classic bugs
# mix them up.**
#
# - Reading both sides requires hiding; a model that sees everything copies.
# - 15 % are selected and scored, 13.5 % look different, 12 % are [MASK].
# - Short texts can end up without a target. Guard the chooser or the loss.
# - Training masks may move, evaluation masks must not.
# - Counting neighbours fills nearly 40 % of the blanks: the yardstick that a network must beat.
# - A loss that is too good is a symptom.
#
# ### To read further
#
# - BERT: Devlin et al., [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), 2018, section 3.1,
#   appendices A.1 and C.2.
# - RoBERTa: Liu et al., [arXiv 1907.11692](https://arxiv.org/abs/1907.11692), 2019, section 4.1, on
#   static and dynamic masks.
# - Should you mask 15 %? Wettig et al., [arXiv 2202.08005](https://arxiv.org/abs/2202.08005), 2022. With
#   short training, large models did better with 40 % on most tasks. Longer training: mixed.
# - ELECTRA: Clark et al., [arXiv 2003.10555](https://arxiv.org/abs/2003.10555), 2020, section 3.5: what is
#   left of the mismatch costs little.
