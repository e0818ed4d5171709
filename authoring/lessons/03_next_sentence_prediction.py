# ---
# title: "Chapter 3: Next sentence prediction"
# idea: A task may be solved by a cheaper cue than you meant; look for it before you trust a score.
# seconds: 40
# ---

# %% [markdown] id="head"
# # Chapter 3: Next sentence prediction
#
# **A task may be solved by a cheaper cue than you meant; look for it before you trust a score.**
#
# After this chapter you can:
#
# - say what BERT's second task asks, and of which vector,
# - judge a pair of sentences with one number, and say when that number is worthless,
# - find out what a task can be solved by, before you train a model on it,
# - tell which line of a published table shows what a task is worth.
#
# | | |
# |---|---|
# | You need | chapter 2; a rough idea of logistic regression |
# | Reading | 30 minutes |
# | Exercises | 65 minutes |
# | Computing | less than 40 seconds on two cores |
#
# Nothing in later chapters needs this one. It is short, and about a trap that is everywhere.
#
# Two sentences in one row, as BERT reads them. The first [SEP] ends the first text, the second one the
# other. Below each token stands its **segment**: 0 for A, 1 for B.

# %% id="pair-picture"
from companion.data import load_corpus, load_tokenizer
from companion.show import TokenRow, label, show, token_strips

tokenizer = load_tokenizer()
pair = tokenizer.encode("The sun is shining brightly in the sky.", "It is a star.")
words = tokenizer.tokens(pair.ids)
show(
    token_strips(
        [
            TokenRow(label("text"), words, ["seen"] * len(words)),
            TokenRow(
                label("segment"), [str(int(s)) for s in pair.segment_ids], ["seen"] * len(words)
            ),
        ],
        key=False,
    ),
    alt="Two rows of boxes. Above: CLS, the sentence The sun is shining brightly in the sky, SEP, the "
    "sentence It is a star, SEP. Below: zeros under the first sentence and its SEP, ones under the "
    "second and its SEP.",
)

# %% [markdown] id="task"
# ## 1. The task
#
# BERT was trained on two tasks at once. One fills blanks. The other is **next sentence prediction**, NSP:
# does B follow A in the text, or was B taken from somewhere else? Half of the pairs are of each kind
# ([arXiv 1810.04805](https://arxiv.org/abs/1810.04805), 2018, section 3.1).
#
# The answer is read off one vector alone, that of [CLS]. It goes through a matrix and tanh, together
# the **pooler**. A second matrix makes two numbers of it, the *logits*: column 0 is for "B is next", column 1 for
# "B is random". Their softmax are the two probabilities. The loss is cross-entropy, and it is added to that of
# the blanks.
#
# *Now you: [exercise 3.1](../my_work/03_next_sentence_prediction.ipynb#cell-id=03-ex-task-1), the head, and
# [3.4](../my_work/03_next_sentence_prediction.ipynb#cell-id=03-ex-task-4), an accuracy that is stuck.*
#
# We make such pairs from Wikipedia: training pages for whatever is fitted, held-out pages for the exam.

# %% id="make-pairs" tags=["nbval-check-output"]
import torch

from companion.data import sentence_pairs, share_of_random

training, held_out = (load_corpus("wiki", split).documents for split in ("train", "validation"))
exam = sentence_pairs(
    [page.sentences for page in held_out], generator=torch.Generator().manual_seed(0)
)
practice = sentence_pairs(
    [page.sentences for page in training], generator=torch.Generator().manual_seed(1)
)
print(f"{len(practice)} pairs for practice, {len(exam)} in the exam")
print(f"random in the exam: {share_of_random(exam):.1%}")
for kind in (0, 1):
    one = next(p for p in exam if p.label == kind and len(p.a) + len(p.b) < 150)
    print(f"\n{kind}  A: {one.a}\n   B: {one.b}")

# %% [markdown] id="task-question"
# To see that B follows A, one has to understand both. So the task should teach understanding. That is
# what it was meant for.
#
# **Before you go on: which cue would you use, if you were lazy?**
#
# *Now you: [exercise 3.2](../my_work/03_next_sentence_prediction.ipynb#cell-id=03-ex-task-2), make a pair.*

# %% [markdown] id="overlap"
# ## 2. One number
#
# Here is a lazy cue. Take the words of A and of B, without the hundred most frequent of the language. Count
# those that both have, and divide by the words of the shorter text. No order, no grammar, no network: one number
# for each pair. Our judge asks only whether it is above 0.

# %% id="overlap-picture"
from companion.evaluation.overlap import common_words, content_words, word_overlap
from companion.show import histograms

stop = common_words(training, 100)


def shared(pairs):
    """The share of shared words of each pair, (pairs,)."""
    return torch.tensor([word_overlap(p.a, p.b, stop) for p in pairs])


def labels_of(pairs):
    """0 = next, 1 = random or swapped, (pairs,)."""
    return torch.tensor([p.label for p in pairs])


numbers, truth = shared(exam), labels_of(exam)
tenths = (10 * numbers).ceil().int()
show(
    histograms(
        {
            label("is_next"): tenths[truth == 0].tolist(),
            label("is_random"): tenths[truth == 1].tolist(),
        },
        xlabel=label("shared_tenths"),
        ylabel=label("pairs"),
        same_height=True,
    ),
    alt="Two histograms of the share of shared words, in tenths. Where B is next, most pairs share "
    "something, often two or three tenths. Where B is random, nearly all pairs share nothing.",
)

# %% id="overlap-result" tags=["claim", "nbval-check-output"]
from companion.evaluation import wilson_interval


def judged(pairs):
    """How many pairs are judged rightly by: one shared word means 'next'. Share and interval."""
    right = int(((shared(pairs) == 0) == (labels_of(pairs) == 1)).sum())
    return right / len(pairs), wilson_interval(right, len(pairs))


share, (low, high) = judged(exam)
print(f"judged rightly by one number: {share:.1%} (95 % interval {low:.1%} to {high:.1%})")
assert low > 0.72

# %% [markdown] id="overlap-so-what"
# One shared word outside the hundred most frequent, and more than three in four pairs are judged rightly. A coin
# gets half, and always saying "random" 52.5 %. Whoever reports "my model has 78 % on NSP" may have trained a word counter.
#
# *Now you: [exercise 3.5](../my_work/03_next_sentence_prediction.ipynb#cell-id=03-ex-task-5), one number.*
#
# ### Is it the topic?
#
# A random B comes from another page, often about another topic. Perhaps the cue is just that. So we
# draw the random B from a page with the *same* topic: a composer for a composer, a river for a river.

# %% id="same-topic" tags=["nbval-check-output"]
by_topic = {}
for number, page in enumerate(held_out):
    by_topic.setdefault(page.topic, []).append(number)
draws = torch.Generator().manual_seed(0)


def another_of_the_topic(number):
    """A random other page with the topic of page `number`."""
    alike = [page for page in by_topic[held_out[number].topic] if page != number]
    return alike[int(torch.randint(len(alike), (), generator=draws))]


hard = sentence_pairs(
    [page.sentences for page in held_out], generator=draws, draw_other=another_of_the_topic
)
share, (low, high) = judged(hard)
print(f"{len(by_topic)} topics; same topic: {share:.1%} (95 % interval {low:.1%} to {high:.1%})")
print("shared in pairs that follow:")
for pair in [p for p in hard if p.label == 0 and word_overlap(p.a, p.b, stop)][:6]:
    print("   ", *sorted(content_words(pair.a, stop) & content_words(pair.b, stop)))

# %% [markdown] id="same-topic-so-what"
# It hardly gets harder, with these twelve broad topics. What the pairs share are names and words of this very
# page.

# %% [markdown] id="bert"
# ### And BERT?
#
# `nsp-wiki-mini` is BERT as in 2018, small: it was trained on both tasks at once, for half an hour on two
# cores. It reads 64 tokens. So we take the pairs that fit, and both judges read the same texts. **Does it
# see more than shared words?** We split the exam: pairs that share a word, and pairs that share none.

# %% id="bert-result" tags=["claim"]
from companion.data import checkpoint
from companion.evaluation import pair_report
from companion.models import BertForPreTraining

bert = BertForPreTraining.from_pretrained(checkpoint("nsp-wiki-mini"))
rows = pair_report(bert, tokenizer, training, held_out, length=64)
for row in rows:
    print(f"{row.exam}: {row.pairs}, random {row.random:.1%}")
    for who, share in [("BERT", row.model), ("one number", row.overlap), ("ahead", row.ahead)]:
        print(
            f"    {who:10} {share.value:6.1%}  (95 % interval {share.low:.1%} to {share.high:.1%})"
        )
assert rows[0].ahead.low > 0 > rows[1].ahead.high

# %% [markdown] id="bert-so-what"
# On texts that both have read in full, BERT is eight points ahead. Now look at the split. In each half the number
# always says the same: "next" where a word is shared, "random" where none is. Where none is, BERT is sixteen
# points better than that: it sees more than shared words. Where one is, always saying "next" would be right in
# 94 of 100, and BERT is in 82. It does not even use all of the cheap cue. What else it uses, an accuracy does
# not tell.

# %% [markdown] id="swapped"
# ## 3. Other pairs
#
# ALBERT ([arXiv 1909.11942](https://arxiv.org/abs/1909.11942), 2019) changed the task. Both sentences
# always come from the same page, side by side. Half of the pairs are **swapped**. The model says which
# sentence came first: **sentence order prediction**, SOP. **What does our number get here?**
#
# *Guess first: [exercise 3.6](../my_work/03_next_sentence_prediction.ipynb#cell-id=03-ex-task-6).*

# %% id="swapped-result" tags=["claim", "nbval-check-output"]
from companion.data import swapped_pairs

swapped = swapped_pairs(
    [page.sentences for page in held_out], generator=torch.Generator().manual_seed(0)
)
share, (low, high) = judged(swapped)
print(f"{len(swapped)} pairs, half of them swapped")
print(f"judged rightly by one number: {share:.1%} (95 % interval {low:.1%} to {high:.1%})")
assert low < 0.5 < high

# %% [markdown] id="swapped-so-what"
# It is a coin. It has to be: A and B share the same words in both orders, so the number cannot change.
#
# So is SOP the task that needs understanding? Let us look for a cheap cue here too. A **bag of words** knows
# which words are in A and which are in B, and nothing of their order. It gives each word two
# weights, one for standing in A and one for standing in B. We fit the weights on practice pairs.

# %% id="fit-a-bag"
from tqdm.auto import tqdm


def bag(pairs):
    """For each pair the ids of its words: those of B moved by the size of the vocabulary."""
    rows = []
    texts = tokenizer.encode_batch([text for p in pairs for text in (p.a, p.b)], specials=False)
    for a, b in zip(texts[0::2], texts[1::2], strict=True):
        rows.append(torch.cat([a.ids, b.ids + tokenizer.vocab_size]).unique())
    return rows


def fit(pairs, epochs=8):
    """Logistic regression on bags of words; the weights, and the loss of each step."""
    torch.manual_seed(0)
    weights = torch.nn.EmbeddingBag(2 * tokenizer.vocab_size, 1, mode="sum")
    torch.nn.init.zeros_(weights.weight)
    optimiser = torch.optim.Adam(weights.parameters(), lr=0.01, weight_decay=1e-5)
    rows, answers, losses = bag(pairs), labels_of(pairs).float(), []
    for _ in tqdm(range(epochs), leave=False):
        for part in torch.randperm(len(rows)).split(256):
            logits = score(weights, [rows[n] for n in part.tolist()])
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, answers[part])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            losses.append(loss.item())
    return weights, losses


def score(weights, rows):
    """The logit of 'swapped' of each bag, (bags,)."""
    starts = torch.tensor([0, *(len(row) for row in rows[:-1])]).cumsum(0)
    return weights(torch.cat(rows), starts)[:, 0]


practice_swaps = swapped_pairs(
    [page.sentences for page in training], generator=torch.Generator().manual_seed(1)
)
weights, losses = fit(practice_swaps)

# %% id="bag-result" tags=["claim"]


def bag_exam(weights, pairs):
    """Share of pairs that the bag judges rightly, and its interval."""
    with torch.no_grad():
        called = (score(weights, bag(pairs)) > 0).long()
    right = int((called == labels_of(pairs)).sum())
    return right / len(pairs), wilson_interval(right, len(pairs))


bag_share, (low, high) = bag_exam(weights, swapped)
print(f"loss on practice pairs: {losses[0]:.2f} at first, {sum(losses[-20:]) / 20:.2f} at last")
print(f"swapped pairs, bag of words: {bag_share:.1%} (95 % interval {low:.1%} to {high:.1%})")
assert low > 0.58

# %% [markdown] id="bag-question"
# More than a coin, without any order of words. Which words tell it? Of the 300 most frequent tokens,
# here are those that speak most strongly for "this sentence came first", and for "this one came second".

# %% id="bag-words"
in_a, in_b = weights.weight.detach()[:, 0].chunk(2)  # ids are ranks of frequency
order = (in_a - in_b)[:300].argsort()
for name, ids in (("came first: ", order), ("came second:", order.flip(0))):
    words = [token for token in tokenizer.tokens(ids) if token.isalpha()]
    print(name, " ".join(words[:12]))

# %% id="without-first" tags=["claim"]
later = swapped_pairs(
    [page.sentences[1:] for page in held_out], generator=torch.Generator().manual_seed(0)
)
later_practice = swapped_pairs(
    [page.sentences[1:] for page in training], generator=torch.Generator().manual_seed(1)
)
later_weights, _ = fit(later_practice)
later_share, (low, high) = bag_exam(later_weights, later)
print(
    f"the same without first sentences: {later_share:.1%} (95 % interval {low:.1%} to {high:.1%})"
)
some = torch.randperm(len(practice_swaps), generator=torch.Generator().manual_seed(2))
as_many, _ = fit([practice_swaps[n] for n in some[: len(later_practice)].tolist()])
print(f"with first sentences, as few practice pairs: {bag_exam(as_many, swapped)[0]:.1%}")
assert later_share < bag_share - 0.05

# %% [markdown] id="bag-so-what"
# The first sentence of a page *defines*: "is an", "was", "known". The others go on: "he", "this", "while".
# Whoever knows that needs no understanding. Without first sentences half of what the bag gained is gone. It is
# not for want of practice: with as few pairs, first sentences among them, most of the gain stays. **SOP has a shortcut of
# its own.**
#
# A **shortcut** is a cue that solves the task on your data, and is not what you meant. You will not
# always find it. But you can look: fit the cheapest model that you can think of, and report what it gets.
#
# *Now you: [exercise 3.7](../my_work/03_next_sentence_prediction.ipynb#cell-id=03-ex-task-7), swapped pairs.*

# %% id="all-results"
from companion.show import share_bars

results = {label("nsp"): judged(exam)}
for name, share in [("nsp_fits", rows[0].overlap), ("nsp_bert", rows[0].model)]:
    results[label(name)] = share.value, (share.low, share.high)
for name, pairs in [("nsp_topic", hard), ("sop", swapped)]:
    results[label(name)] = judged(pairs)
results[label("sop_bag")] = bag_exam(weights, swapped)
results[label("sop_bag_later")] = bag_exam(later_weights, later)
show(
    share_bars({label("cheap_cues"): results}, xlabel=label("accuracy_and_coin"), chance=0.5),
    alt="Bars with 95 % intervals of the share of pairs that are judged rightly, by BERT and by cheap cues: "
    + ", ".join(f"{name} {share:.1%}" for name, (share, _) in results.items())
    + ". A dotted line at 50 %: a coin.",
)

# %% [markdown] id="playground-intro"
# ### Your turn: the pair builder
#
# Three things to try:
#
# 1. Find a pair that follows and shares no word. What connects it?
# 2. Find a random pair that shares a word. Does the word mean the same?
# 3. Take swapped pairs. Can *you* tell which sentence came first, and by what?

# %% id="playground" tags=["playground"]
from companion.show import pair_playground

pair_playground(held_out, stop)

# %% [markdown] id="balance"
# ## 4. The paper and the code
#
# "50 % of the time B is the actual next sentence", says the paper. We took single sentences. BERT's A and B
# are runs of sentences. The released code fills a row with as many as fit, here with all of them, and splits
# them in two at a random place. If B becomes random, the sentences that stood there *go back* and begin the next row. If one
# sentence is left alone, nothing can be split, and B is always random. **Which share of the pairs is random,
# for documents of three sentences?**
#
# *Guess first: [exercise 3.3](../my_work/03_next_sentence_prediction.ipynb#cell-id=03-ex-task-3).*

# %% id="balance-measured" tags=["nbval-check-output"]
from companion.data import segment_pairs

for sentences in (1, 2, 3, 5, 20):
    documents = [[torch.full((25,), number) for _ in range(sentences)] for number in range(1000)]
    pairs = segment_pairs(
        documents, length=512, short_share=0.0, generator=torch.Generator().manual_seed(0)
    )
    random_share = share_of_random(pairs)
    low, high = wilson_interval(round(random_share * len(pairs)), len(pairs))
    print(
        f"{sentences:2} sentences a document: random {random_share:.1%} ({low:.1%} to {high:.1%})"
    )

# %% [markdown] id="balance-so-what"
# For two sentences you can work it out. By a coin the pair is next, and that is all. Or it is random, the second
# sentence goes back, and is random too: two of three pairs. With short documents, always saying "random"
# scores well above 50 %. An accuracy means nothing without the balance of its labels.
#
# If a file has a blank line after every sentence, the code takes each sentence for a document, and *every* B is
# random. [An extra](extra/03_how_pairs_are_made.ipynb) follows the code step by step.

# %% [markdown] id="ablations"
# ## 5. Two papers
#
# Is NSP worth its training? An **ablation** leaves one thing out and looks at what is lost. BERT's
# Table 5 does: the same model, the same data, without NSP.
#
# | BERT, Table 5 | MNLI | QNLI | MRPC | SST-2 | SQuAD |
# |---|---|---|---|---|---|
# | base | 84.4 | 88.4 | 86.7 | 92.7 | 88.5 |
# | without NSP | 83.9 | 84.9 | 86.5 | 92.6 | 87.9 |
#
# MNLI and QNLI ask how two sentences belong together, MRPC whether they mean the same, SST-2 whether a sentence is
# positive or negative. SQuAD and RACE ask questions about a text. The model with NSP is ahead: by 3.5 points on
# QNLI, by at most 0.6 elsewhere. RoBERTa's Table 2 says something else.
#
# | RoBERTa, Table 2 | SQuAD 1.1 / 2.0 | MNLI | SST-2 | RACE |
# |---|---|---|---|---|
# | two runs of sentences, NSP | 90.4 / 78.7 | 84.0 | 92.9 | 64.2 |
# | two sentences, NSP | 88.7 / 76.2 | 82.9 | 92.1 | 63.0 |
# | full rows, no NSP | 90.4 / 79.1 | 84.7 | 92.5 | 64.8 |
# | full rows of one document, no NSP | 90.6 / 79.7 | 84.7 | 92.7 | 65.6 |
#
# Without NSP the results are the same or better, except on SST-2. RoBERTa's figures are medians of five runs;
# BERT's paper does not say. Neither gives intervals. **Which two lines of RoBERTa's table differ in NSP alone?**
#
# *Guess first: [exercise 3.8](../my_work/03_next_sentence_prediction.ipynb#cell-id=03-ex-task-8).*

# %% [markdown] id="ablations-so-what"
# None. The rows without NSP hold one long text instead of two, so two things changed at once. What the table
# shows: long rows without NSP do at least as well as two runs of sentences with it. This is why RoBERTa and
# most models after it left NSP out. What it cannot show is what NSP alone does. BERT's two lines differ in
# nothing else, and there it helps a little.

# %% [markdown] id="summary"
# ### What you can say now
#
# **A task may be solved by a cheaper cue than you meant; look for it before you trust a score.**
#
# - NSP is asked of the vector of [CLS]: 0 is next, 1 is random.
# - One shared word tells more than three in four pairs. It is not the topic. A small BERT sees more
#   where no word is shared, and does not use the shared ones fully.
# - Swapped pairs are immune to that number, and have a shortcut of their own: first sentences define.
# - Count your labels before you trust an accuracy.
# - An ablation changes one thing. Look for two lines that differ in nothing else.
#
# ### To read further
#
# - BERT: Devlin et al., [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), 2018, sections 3.1 and 5.1.
# - RoBERTa: Liu et al., [arXiv 1907.11692](https://arxiv.org/abs/1907.11692), 2019, section 4.2.
# - ALBERT: Lan et al., [arXiv 1909.11942](https://arxiv.org/abs/1909.11942), 2019, section 3.1.
# - Shortcuts: Geirhos et al., [arXiv 2004.07780](https://arxiv.org/abs/2004.07780), 2020.
