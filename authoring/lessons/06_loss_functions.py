# ---
# title: "Chapter 6: Loss functions"
# idea: "A loss is a number and a choice of positions, average and unit; two losses compare only if these agree."
# seconds: 60
# ---

# %% [markdown] id="head"
# # Chapter 6: Loss functions
#
# **A loss is a number and a choice of positions, average and unit; two losses compare only if these agree.**
#
# After this chapter you can:
#
# - say what must be equal before two losses are compared,
# - place any loss between "blind" and "perfect", for text and for pictures,
# - turn nats into bits, and compare models with different tokenizers,
# - say who notices a constant factor, and where half precision breaks.
#
# | | |
# |---|---|
# | You need | the losses of chapters 2, 4 and 5 |
# | Reading | 40 minutes |
# | Exercises | 64 minutes |
# | Computing | about a minute on two cores |
#
# The sun is shining brightly in the sky. One word is hidden, and a model is asked. How surprised is it by the truth?

# %% id="first-picture"
import torch

from companion.data import checkpoint, load_corpus, load_tokenizer
from companion.models import ModernBertForMaskedLM
from companion.show import TokenRow, label, show, token_strips

folder = checkpoint("bert-wiki-mini")
bert, tokenizer = ModernBertForMaskedLM.from_pretrained(folder), load_tokenizer(folder)
sun = tokenizer.encode("The sun is shining brightly in the sky.").ids[None]
words = tokenizer.tokens(sun[0])
surprise = []
for place in range(len(words)):
    hidden = sun.clone()
    hidden[0, place] = tokenizer.mask_id
    with torch.no_grad():
        said = bert(hidden).mlm_logits[0, place].log_softmax(-1)
    surprise.append("" if sun[0, place] in tokenizer.special_ids else f"{-said[sun[0, place]]:.1f}")
show(
    token_strips(
        [
            TokenRow(label("text"), words, ["seen"] * len(words)),
            TokenRow(label("nats"), surprise, ["plain"] * len(words)),
        ]
    ),
    alt="The words of the sentence, and below each the surprise of bert-wiki-mini when that word alone is hidden, in nats: "
    + ", ".join(f"{word} {one}" for word, one in zip(words, surprise, strict=True) if one)
    + ".",
)

# %% [markdown] id="first-so-what"
# Each piece was hidden alone, in turn. A small word costs little, the pieces of "shining" much. A loss makes *one* number of many such
# surprises. How?

# %% [markdown] id="six-losses"
# ## 1. Six losses of one model
#
# A paper says that model A has a loss of 0.33. Another one says that model B has 2.24. **Which model is better?**
#
# *Guess first: [exercise 6.5](../my_work/06_loss_functions.ipynb#cell-id=06-ex-task-5).*
#
# We take `bert-wiki-mini`, 200 rows of held-out text and one set of masks. Then we average in six ways.

# %% id="six" tags=["claim"]
from companion.evaluation import loss_of, surprises
from companion.show import amount_bars

pages = load_corpus("wiki", "validation").documents
encoded = tokenizer.encode_batch([page.text for page in pages], max_length=64)
ids = torch.stack([one.ids for one in encoded if len(one.ids) == 64])[:200]  # (200, 64)
found = surprises(bert, tokenizer, ids, generator=torch.Generator().manual_seed(0))
SIX = {
    "loss_all_places": ("selected", "over_all_places", "nats"),
    "loss_everywhere": ("everywhere", "over_them", "nats"),
    "loss_scored": ("selected", "over_them", "nats"),
    "loss_bits": ("selected", "over_them", "bits"),
    "loss_perplexity": ("selected", "over_them", "perplexity"),
    "loss_row": ("selected", "sum_of_a_row", "nats"),
}
six = {label(name): loss_of(found, *choice) for name, choice in SIX.items()}
show(
    amount_bars({"": six}, xlabel=label("called_loss")),
    alt="Six bars of very different length, all of the same model: "
    + ", ".join(f"{name} {value:.2f}" for name, value in six.items())
    + ".",
)
assert six[label("loss_row")] > 50 * six[label("loss_all_places")]

# %% [markdown] id="six-so-what"
# Neither. A and B are one and the same model. All six numbers come from the same pass over the same text. They differ in
# three choices:
#
# - **positions**: selected tokens, or all of them, the ones that the model sees included,
# - **average**: over which number the sum is divided. This is called the **reduction**,
# - **unit**: **nats**, **bits**, or **perplexity**.
#
# So a loss without these three says nothing. Look at "all tokens, seen ones too". The model sees them, and yet they cost something: it was
# never trained to copy.
#
# ### Your turn: the loss lab
#
# Three things to try:
#
# 1. Which choice makes the model look best, without any training?
# 2. Take "[MASK] alone". Is it harder or easier than all selected tokens? Why?
# 3. Compare the mean over places with the mean of the rows' means. When do they differ?

# %% id="playground" tags=["playground"]
from companion.show import loss_playground

loss_playground(found)

# %% [markdown] id="thermometer"
# ## 2. The thermometer
#
# Is 2.24 a good number? It needs marks, like a thermometer. At the top stands a blind model: every word has the same probability.
#
# *Guess first: [exercise 6.1](../my_work/06_loss_functions.ipynb#cell-id=06-ex-task-1).*
#
# Below it stand a model that knows how frequent words are, and one that also counts what follows what. We count both in the training text.

# %% id="count"
import math

texts = [page.text for page in load_corpus("wiki", "train").documents]
train_ids = [one.ids for one in tokenizer.encode_batch(texts, specials=False)]
size = tokenizer.vocab_size
often = torch.bincount(torch.cat(train_ids), minlength=size) + 0.1  # nothing is impossible
frequency = often / often.sum()  # (vocab,)
pairs = torch.cat([one[:-1] * size + one[1:] for one in train_ids])
follows = torch.bincount(pairs, minlength=size * size).view(size, size)  # [left, word]

# %% id="marks"
answers = ids[found.selected]
left = ids.roll(1, dims=1)[found.selected]
seen_after = follows[left, answers] + 50 * frequency[answers]  # mixed with frequencies: rare pairs
by_left = seen_after / (follows[left].sum(1) + 50)
levels = {
    label("blind"): math.log(size),
    label("frequencies"): -frequency[answers].log().mean().item(),
    label("left_counts"): -by_left.log().mean().item(),
}
for name, level in [*levels.items(), ("bert-wiki-mini", six[label("loss_scored")])]:
    print(f"{name:32} {level:.2f} nats")

# %% id="thermometer-text" tags=["claim"]
from companion.show import curves
from companion.training import read_log

log = read_log(folder / "log.csv")
evaluated = [one for one in log if one.held_out_loss is not None]
show(
    curves(
        {
            label("training_loss"): ([one.step for one in log], [one.loss for one in log]),
            label("model_on_the_way"): (
                [one.step for one in evaluated],
                [one.held_out_loss for one in evaluated],
            ),
        },
        xlabel=label("step"),
        ylabel=label("loss"),
        levels=levels,
        width=8.0,
        height=3.8,
    ),
    alt="The training loss and the held-out loss of bert-wiki-mini, with three lines across: "
    + ", ".join(f"{name} {level:.2f}" for name, level in levels.items())
    + f". Both fall through all three within the first steps, then slowly to {evaluated[-1].held_out_loss:.2f}.",
)
assert levels[label("blind")] > levels[label("frequencies")] > levels[label("left_counts")]
assert levels[label("left_counts")] > evaluated[-1].held_out_loss

# %% [markdown] id="thermometer-so-what"
# The model begins at the frequencies: it was started there. After 250 of 10,000 steps it has passed what counting left neighbours gives. All the rest of its training goes from there to 2.3.
# A loss near 0 after a few steps would be no reason to cheer. It would be a leak.
#
# Pictures have a thermometer too. Its marks are the yardsticks of chapter 5.

# %% id="thermometer-pictures"
from companion.data import load_images
from companion.evaluation import distance_weighted, exam_mask, look_up, mean_image
from companion.losses import mae_loss
from companion.models import patchify

exam = load_images("emoji", "validation").pixels
emoji = load_images("emoji", "train").pixels
true, known = patchify(exam, 4), patchify(emoji, 4)  # (pictures, 64, 48)
masks = exam_mask(len(true), 64, 0.75)
ways = {
    "by_mean": mean_image(known).expand_as(true),
    "by_colour": distance_weighted(true, masks.hidden, (8, 8), channels=3, power=3),
    "by_look_up": look_up(known, true, masks.hidden),
}
marks = {label(name): mae_loss(way, true, masks.hidden).item() for name, way in ways.items()}
mae_folder = checkpoint("mae-emoji-mini")
mae_log = [one for one in read_log(mae_folder / "log.csv") if one.held_out_loss is not None]
show(
    curves(
        {
            label("mae_on_the_way"): (
                [one.step for one in mae_log],
                [one.held_out_loss for one in mae_log],
            )
        },
        xlabel=label("step"),
        ylabel=label("squared_error"),
        levels=marks,
        width=8.0,
        height=3.4,
    ),
    alt="The held-out error of mae-emoji-mini while it learned, below three lines across: "
    + ", ".join(f"{name} {mark:.3f}" for name, mark in marks.items())
    + f". It ends at {mae_log[-1].held_out_loss:.3f}.",
)

# %% [markdown] id="one-mean"
# ## 3. One mean for both worlds
#
# BERT hides words and MAE hides patches. What is asked differs: one word of many, or the numbers of a patch. So the price of an answer differs, too: surprise, $-\ln p$, or squared error.
# But the rest is the same for both. What was hidden is scored, and nothing else, and the mean is taken over it.

# %% id="same-mean" tags=["claim"]
import torch.nn.functional as F

from companion.losses import masked_mean, mlm_loss
from companion.masking import mask_tokens
from companion.models import Mae

masked = mask_tokens(ids[:8], generator=torch.Generator().manual_seed(0), **tokenizer.mask_args)
mae = Mae.from_pretrained(mae_folder)
with torch.no_grad():
    logits = bert(masked.corrupted).mlm_logits  # (8, 64, vocab)
    hide = type(masks)(*(one[:8] for one in masks))
    pred = mae(exam[:8], hide).pred  # (8, 64, 48)
cost_of_word = F.cross_entropy(logits.mT, ids[:8], reduction="none")  # (8, 64), seen ones too
cost_of_patch = (pred - true[:8]).square().mean(-1)  # (8, 64), kept ones too
text = masked_mean(cost_of_word, masked.selected), mlm_loss(logits, masked.labels)
picture = masked_mean(cost_of_patch, hide.hidden), mae_loss(pred, true[:8], hide.hidden)
print(f"text:    {text[0]:.4f} and {text[1]:.4f}")
print(f"picture: {picture[0]:.4f} and {picture[1]:.4f}")
assert torch.allclose(*text)
assert torch.allclose(*picture)

# %% [markdown] id="mean-edges"
# On the left `masked_mean` of each place's cost, on the right the library's own losses. Such a mean has two edges where bugs live. What if nothing
# is scored? And what if an unscored place holds NaN?

# %% id="edges" tags=["nbval-check-output"]
values = torch.tensor([1.0, 5.0, float("nan")], requires_grad=True)
some, none = torch.tensor([True, True, False]), torch.zeros(3, dtype=torch.bool)
for name, scored in [("two scored", some), ("none scored", none)]:
    mean = masked_mean(values, scored)
    (gradient,) = torch.autograd.grad(mean, values)
    print(f"{name}: mean {mean.item():.1f}, gradient {gradient.tolist()}")

# %% [markdown] id="mean-so-what"
# Nothing scored gives 0, and a gradient of 0. NaN at unscored places stays out of both.
#
# *Now you: [exercise 6.2](../my_work/06_loss_functions.ipynb#cell-id=06-ex-task-2), this mean,
# [6.3](../my_work/06_loss_functions.ipynb#cell-id=06-ex-task-3), the loss of a masked model,
# [6.4](../my_work/06_loss_functions.ipynb#cell-id=06-ex-task-4), weights without effect, and
# [6.7](../my_work/06_loss_functions.ipynb#cell-id=06-ex-task-7), a batch in two parts.*
#
# ### Two tokenizers
#
# A nat is the surprise at a probability of $1/e$, a bit that at 1/2. So bits are nats divided by $\ln 2$. Perplexity is $e$ to the nats: among how many equal answers the model hesitates.
#
# Now two models that know frequencies and nothing else. One counts pieces of words, the other single letters. **Which has the smaller loss, and which is better?**

# %% id="characters" tags=["nbval-check-output"]
from collections import Counter

letters = Counter(" ".join(texts).lower())
total = sum(letters.values())
held_out = [page.text.lower() for page in pages]
characters = sum(len(page) for page in held_out)
by_letter = -sum(math.log(max(letters[c], 0.5) / total) for page in held_out for c in page)
held_ids = torch.cat([one.ids for one in tokenizer.encode_batch(held_out, specials=False)])
by_piece = -frequency[held_ids].double().log().sum().item()
for name, nats, tokens in [("pieces", by_piece, len(held_ids)), ("letters", by_letter, characters)]:
    print(
        f"{name}: {nats / tokens:.2f} nats a token, "
        f"{nats / math.log(2) / characters:.2f} bits a character"
    )

# %% [markdown] id="characters-so-what"
# A letter is easier to guess than a piece of a word, but a text has nearly four times as many letters. The loss *per token* prefers the worse model.
# **Bits per character** divide by something that both have in common: the text itself.

# %% [markdown] id="norm-pix"
# ## 4. Normalised patches
#
# MAE has two kinds of targets. Pixels as they are; or each patch minus its mean, divided by its standard deviation. The second one is called **norm_pix**, and in the paper it
# gives the better encoder (85.4 against 84.9 per cent with ViT-L, table 1d). **What does it change in what is asked?**

# %% id="norm-picture"
from companion.losses import normalise_patches
from companion.models import unpatchify
from companion.show import PictureRow, picture_rows

chosen = exam[[6, 120, 40, 200]]
normalised = normalise_patches(patchify(chosen, 4)).values
shown = unpatchify(0.5 + 0.25 * normalised, 4, (32, 32)).clamp(0, 1)  # 0 as grey
show(
    picture_rows(
        [
            PictureRow(label("target_pixels"), chosen),
            PictureRow(label("target_normalised"), shown),
        ],
        4,
    ),
    alt="Four emoji as pixels and as normalised patches. Flat patches become an even grey; wherever there is an edge, the patch has "
    "full contrast, however faint the edge was.",
)

# %% id="norm-marks" tags=["claim", "nbval-check-output"]
flat = normalise_patches(true).std[:, :, 0] < 0.01  # (250, 64): patches of nearly one colour
detailed = masks.hidden & ~flat
zero = torch.zeros_like(true)
for name, scored in [("all hidden patches", masks.hidden), ("those with detail", detailed)]:
    loss = mae_loss(zero, true, scored, norm_pix=True).item()
    print(f"{name}: who always says 0 has a loss of {loss:.3f}")
print(
    f"47 / 48 = {47 / 48:.3f}; hidden patches of nearly one colour: {flat[masks.hidden].float().mean():.0%}"
)
assert abs(mae_loss(zero, true, detailed, norm_pix=True).item() - 47 / 48) < 0.02

# %% [markdown] id="norm-so-what"
# Every patch with detail weighs the same now: a faint edge as much as a strong one. The blind answer, 0, costs about 1, because what is divided by its own spread has the spread 1. (Exactly 47/48: the spread divides by
# one less than the number of values.) On pixels the blind mean image had 0.07. So the two losses live on different thermometers. A loss of 0.5 is good on one, and absurd on the other.
#
# Whoever draws such a prediction needs the true mean and spread of each patch. A hidden patch does not give them: the picture is prettier than the model.
#
# *Now you: [exercise 6.6](../my_work/06_loss_functions.ipynb#cell-id=06-ex-task-6).*

# %% [markdown] id="constants"
# ## 5. Only a constant?
#
# Some write MAE's loss as a mean over the values of a patch, others as a sum. Some divide by the pixels and forget the channels. It is the same loss times a constant. **Does it matter?**
#
# *Guess first: [exercise 6.8](../my_work/06_loss_functions.ipynb#cell-id=06-ex-task-8).*
#
# A small network learns four times, in front of you: with the mean and with the sum, and with two optimisers. The sum is 48 times as large. The rates
# do not change.

# %% id="learn"
from tqdm.auto import tqdm

from companion.masking import mask_patches
from companion.models import MaeConfig

SMALL = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
SMALL |= {"intermediate_size": 128, "decoder_hidden_size": 32, "decoder_num_hidden_layers": 1}
SMALL |= {"decoder_num_attention_heads": 2, "decoder_intermediate_size": 64}


def learn(kind, factor, rate, steps=60):
    """The losses of a small network, as means, while it learns from `factor` times the mean."""
    torch.manual_seed(0)
    model, losses = Mae(MaeConfig(image_size=32, patch_size=4, **SMALL)), []
    make = torch.optim.SGD if kind == "sgd" else torch.optim.AdamW
    optimiser = make(model.parameters(), lr=rate)
    for _ in range(steps):
        hide = mask_patches(32, 64)
        output = model(emoji[torch.randint(len(emoji), (32,))], hide)
        loss = mae_loss(output.pred, output.patches, hide.hidden)
        optimiser.zero_grad()
        (factor * loss).backward()
        optimiser.step()
        losses.append(loss.item())
    return losses


runs = {
    label(f"{kind}_{name}"): learn(kind, factor, rate)
    for kind, rate in tqdm([("sgd", 0.02), ("adam", 0.003)], leave=False)
    for name, factor in [("mean", 1), ("sum", 48)]
}

# %% id="learn-curves" tags=["claim"]
steps = list(range(1, 61))
show(
    curves(
        {name: (steps, losses) for name, losses in runs.items()},
        xlabel=label("step"),
        ylabel=label("squared_error"),
        width=8.0,
        height=3.6,
    ),
    alt="Four curves of the mean squared error. The two of Adam lie on each other. Of those of SGD the sum falls at once, and the "
    "mean slowly.",
)
last = {name: sum(losses[-10:]) / 10 for name, losses in runs.items()}
for name, value in last.items():
    print(f"{name:10} {value:.3f}")
faster = [learn("sgd", factor, 0.05, steps=8)[-1] for factor in (1, 48)]
print(f"SGD at 0.05, after 8 steps: mean {faster[0]:.3f}, sum {faster[1]:.3f}")
adam = last[label("adam_mean")], last[label("adam_sum")]
sgd = last[label("sgd_mean")], last[label("sgd_sum")]
assert abs(adam[0] - adam[1]) < 0.01
assert abs(sgd[0] - sgd[1]) > 0.05

# %% [markdown] id="constants-so-what"
# Adam divides each gradient by its own size, so a constant cancels (but for a tiny number that it adds below the line). SGD takes steps 48 times as long. At this rate that helps; at a larger one, at which the mean learns well, the sum ends in NaN. So "only a constant" is true for one optimiser and false for the other. It is never true for a reader who
# compares two printed losses. And two terms of one loss, such as BERT's words and its next sentence, are weighed by their constants whatever the optimiser.

# %% [markdown] id="half"
# ## 6. Where half precision breaks
#
# Training in 16 bits is fast on graphics cards. The loss should stay in 32. **How far can half precision count?**

# %% id="fp16" tags=["nbval-check-output"]
squares = torch.full((70_000,), 1.0, dtype=torch.float16)
print("largest number in half precision:", torch.finfo(torch.float16).max)
print("sum of 70,000 ones, in half precision:", squares.sum().item())
print("the same in single precision:         ", squares.float().sum().item())
print("mean of our losses, given halves:     ", masked_mean(squares, squares > 0).dtype)

# %% [markdown] id="half-so-what"
# A batch of 256 pictures hides 37,632 patches, with 768 numbers each. A sum over them overflows long before it is divided. So losses here become single precision first, whatever they are given. Whether 16 bits make training faster is a question of the
# machine: measure it. A speed from someone else's card says nothing about yours.

# %% [markdown] id="summary"
# ### What you can say now
#
# **A loss is a number and a choice of positions, average and unit; two losses compare only if these agree.**
#
# - One model has many losses. Name positions, average and unit beside each.
# - A thermometer has marks: blind, frequencies, counting; mean image, colour by distance, best fit.
# - Words and patches share one mean, over what was hidden.
# - Across tokenizers bits per character compare. Across targets nothing does.
# - A constant is nothing to Adam, and much to SGD and to a reader.
#
# ### To read further
#
# - BERT's loss: Devlin et al., [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), 2018, appendix A.2.
# - MAE's targets: He et al., [arXiv 2111.06377](https://arxiv.org/abs/2111.06377), 2021, section 4.1 and table 1d.
# - Adam and the size of gradients: Kingma and Ba, [arXiv 1412.6980](https://arxiv.org/abs/1412.6980), 2014, section 2.1.
# - Half precision: Micikevicius et al., [arXiv 1710.03740](https://arxiv.org/abs/1710.03740), 2017.
