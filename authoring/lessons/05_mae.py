# ---
# title: "Chapter 5: MAE's asymmetry"
# idea: "Do not pay for what you hid: the encoder sees only the kept quarter; mask tokens enter at the decoder."
# seconds: 60
# ---

# %% [markdown] id="head"
# # Chapter 5: MAE's asymmetry
#
# **Do not pay for what you hid: the encoder sees only the kept quarter; mask tokens enter at the decoder.**
#
# After this chapter you can:
#
# - cut a picture into patches, hide most of them, and put the rest back in order,
# - say which part of a masked autoencoder reads what, and count its tokens,
# - judge a restored picture beside yardsticks that need no network,
# - compute what is saved, and what is not.
#
# | | |
# |---|---|
# | You need | shuffling and putting back from the warm-up; sections 1 and 2 of chapter 2 |
# | Reading | 50 minutes |
# | Exercises | 72 minutes |
# | Computing | about a minute on two cores |
#
# The sun is shining brightly in the sky. This time it is a picture, and three quarters of it are hidden. A small network
# has never seen this sun. On the right is what it makes of the rest. (The draw is a middling one: of forty, half come
# out worse.)

# %% id="first-picture"
import torch

from companion.data import checkpoint, load_images
from companion.evaluation import restore
from companion.masking import mask_patches
from companion.models import Mae
from companion.show import PictureRow, label, picture_rows, show

exam = load_images("emoji", "validation")  # no network of this course has learned from them
model = Mae.from_pretrained(checkpoint("mae-emoji-mini"))
sun = exam.pixels[exam.titles.index("black sun with rays")][None]  # (1, 3, 32, 32)
mask = mask_patches(1, 64, ratio=0.75, generator=torch.Generator().manual_seed(7))
restored = restore(model, sun, mask)
clear = torch.zeros_like(mask.hidden)
show(
    picture_rows(
        [
            PictureRow(
                "",
                torch.cat([sun, sun, restored.pictures]),
                torch.cat([clear, mask.hidden, clear]),
                [label("the_picture"), label("encoder_sees"), label("by_model")],
            )
        ],
        4,
        cell=1.9,
        title=0.1,
    ),
    alt="Three pictures. The emoji of the sun, a yellow disc with orange rays. The same with 48 of 64 squares "
    "hidden. What the network makes of it: a soft yellow disc with traces of orange around it.",
)

# %% [markdown] id="patches"
# ## 1. Patches
#
# A Transformer reads a row of tokens. A picture has none, so it is cut into squares: **patches**. Each one is a row of
# numbers, its pixels one after the other, and a matrix makes a vector of it. That matrix plays the part of the word table.

# %% id="numbered"
from companion.show import numbered_picture

show(
    numbered_picture(sun[0], 4),
    alt="The sun under a grid of eight by eight squares, numbered row by row from 0 in the upper left corner to 63.",
)

# %% id="patch-shapes" tags=["nbval-check-output"]
from companion.models import patchify

for name, images, size in [
    ("an emoji of ours", sun, 4),
    ("a picture of the paper", torch.zeros(1, 3, 224, 224), 16),
]:
    _, count, numbers = patchify(images, size).shape
    pixels = images.shape[-1]
    print(f"{name}: {pixels} x {pixels} pixels, {count} patches of {numbers} numbers")

# %% [markdown] id="patches-so-what"
# In the paper's pictures "16 × 16" is the size of a patch, in pixels. The grid has 14 rows and 14 columns.
#
# *Now you: [exercise 5.1](../my_work/05_mae.ipynb#cell-id=05-ex-task-1), count, and
# [5.2](../my_work/05_mae.ipynb#cell-id=05-ex-task-2), cut.*

# %% [markdown] id="cards"
# ## 2. A deck of cards
#
# Now hide three quarters. Think of the patches as cards. Each card draws a random number, its noise. The cards are
# sorted by noise. The first quarter is **kept**, the others are **hidden**. Here are eight cards.

# %% id="deal"
from companion.show import TokenRow, token_strips

noise = torch.tensor([[0.62, 0.27, 0.95, 0.38, 0.80, 0.11, 0.71, 0.54]])
dealt = mask_patches(1, 8, ratio=0.75, noise=noise)
by_noise = sorted(range(8), key=lambda card: noise[0, card])
shuffled = ["seen" if card in dealt.keep[0] else "hidden" for card in by_noise]
in_place = ["hidden" if one else "seen" for one in dealt.hidden[0]]
show(
    token_strips(
        [
            TokenRow(label("cards"), [f"{card}" for card in range(8)], ["seen"] * 8),
            TokenRow(label("noise"), [f"{one:.2f}" for one in noise[0]], ["plain"] * 8),
            TokenRow(label("sorted_by_noise"), [f"{card}" for card in by_noise], shuffled),
            TokenRow(label("put_back"), [f"{card}" for card in range(8)], in_place),
        ]
    ),
    alt="Four rows of eight cards. Cards 0 to 7. Their noise. Sorted by noise: 5, 1, 3, 7, 0, 6, 4, 2, the first two "
    "kept and the others hidden. Put back into order: 1 and 5 are kept, the others hidden.",
)
print("keep   ", dealt.keep[0].tolist())
print("hidden ", [int(one) for one in dealt.hidden[0]])
print("restore", dealt.restore[0].tolist())

# %% [markdown] id="cards-so-what"
# Three results, and each has a reader:
#
# - `keep` is for the encoder: which cards it gets.
# - `hidden` is for the loss: True where something is asked. It stands in the order of the picture.
# - `restore` is for the decoder: for each card its place in the sorted row. With it the cards go back. We call that **restore**.
#
# Each picture has noise of its own. With the noise as an input, the same mask can be made twice.
#
# *Now you: [exercise 5.3](../my_work/05_mae.ipynb#cell-id=05-ex-task-3).*

# %% [markdown] id="encoder"
# ## 3. The encoder sees a quarter
#
# This is the whole idea of a masked autoencoder, MAE. BERT puts [MASK] into its row and reads all of it. MAE's **encoder** reads
# the kept patches, and *nothing else*: no mask tokens. The **decoder** is a small second network. Before it, one and the same mask token is
# put wherever nothing was kept.

# %% id="stages"
from companion.show import draw_stages

show(
    draw_stages(sun[0], mask, restored.pictures[0], 4),
    alt="Five stages with arrows between them. The picture, 32 by 32 pixels. Its 64 patches. What the encoder reads: 17 "
    "tokens, CLS and the 16 kept patches, in the order of their noise. What the decoder reads: 65 tokens, CLS and 64 places, "
    "of which 48 hold a mask token. The restored picture, 64 patches of pixels.",
)

# %% [markdown] id="encoder-question"
# The kept patches come in shuffled order. So each one got its position *before* the dealing. What was hidden cannot leak:
# it never enters. We test that, by painting over all hidden patches.

# %% id="blind" tags=["claim"]
from companion.models import unpatchify

others = torch.rand(1, 64, 48)  # any colours
painted = torch.where(mask.hidden[:, :, None], others, patchify(sun, 4))
with torch.no_grad():
    first, second = model(sun, mask), model(unpatchify(painted, 4, (32, 32)), mask)
print("the encoder returns", tuple(first.latent.shape), "and the decoder", tuple(first.pred.shape))
print("largest difference of what it says:", (first.pred - second.pred).abs().max().item())
assert torch.equal(first.latent, second.latent)
assert torch.equal(first.pred, second.pred)
assert first.latent.shape[1] == 1 + 16
assert first.pred.shape[1] == 64

# %% [markdown] id="places-question"
# One mask token stands in 48 places, the same numbers each time. **How does the decoder know what to say where?** We take its
# positions away.

# %% id="no-places" tags=["claim"]
import copy

lost = copy.deepcopy(model)
with torch.no_grad():
    lost.decoder.decoder_pos_embed.zero_()
    said = lost(sun, mask).pred[0, mask.hidden[0]]  # (48, 48): hidden patches, numbers
spread = (said - said[:1]).abs().max().item()
usual = first.pred[0, mask.hidden[0]]
print(
    f"hidden patches differ by at most {spread:.1e}; with positions by {(usual - usual[:1]).abs().max():.2f}"
)
assert spread < 1e-4

# %% [markdown] id="encoder-so-what"
# Without positions all hidden patches get one and the same answer. So the decoder needs a table of positions of its own. Both tables
# are fixed: sines and cosines of the row and of the column.
#
# *Now you: [exercise 5.4](../my_work/05_mae.ipynb#cell-id=05-ex-task-4), the decoder's row, and
# [5.5](../my_work/05_mae.ipynb#cell-id=05-ex-task-5), a scrambled picture.*

# %% [markdown] id="loss"
# ## 4. What is asked
#
# The decoder says the pixels of every patch. The loss is the mean squared error over the *hidden* patches. For kept ones nothing is
# asked, as in BERT for words that were not selected.
#
# An error of 0.02, is that good? Three yardsticks need no network. The *mean image* of all training pictures. *Colour by distance*: each
# pixel is a mean of the kept patches' colours, near ones counting more. And the *best fit in training*: the training picture
# that agrees best with the kept patches.

# %% id="yardsticks"
from companion.evaluation import (
    distance_weighted,
    error_at_hidden,
    exam_mask,
    grouped_interval,
    look_up,
    mean_image,
)

train = load_images("emoji", "train")
known, true = patchify(train.pixels, 4), patchify(exam.pixels, 4)  # (pictures, 64, 48)
masks = exam_mask(len(true), 64, 0.75)  # one for each picture, the same for everybody
ways = {
    "by_mean": mean_image(known).expand_as(true),
    "by_colour": distance_weighted(true, masks.hidden, (8, 8), channels=3, power=3),
    "by_look_up": look_up(known, true, masks.hidden),
    "by_model": restore(model, exam.pixels, masks).pred,
}
errors = {name: error_at_hidden(way, true, masks.hidden) for name, way in ways.items()}

# %% id="rows" tags=["claim"]
chosen = [exam.titles.index("black sun with rays"), 80, 120, 40, 200]


def pasted(way):
    """Hidden patches as they were filled in, kept ones as they are."""
    filled = torch.where(masks.hidden[:, :, None], way, true)[chosen]
    return unpatchify(filled, 4, (32, 32))


rows = [
    PictureRow(label("the_picture"), exam.pixels[chosen]),
    PictureRow(label("encoder_sees"), exam.pixels[chosen], masks.hidden[chosen]),
]
for name, way in ways.items():
    captions = [f"{errors[name][n]:.3f}" for n in chosen]
    rows.append(PictureRow(label(name), pasted(way), None, captions))
show(
    picture_rows(rows, 4),
    alt="Five held-out emoji in columns: the picture, what the encoder sees, and four ways to fill in the rest, each with its "
    "error: a grey mean image, washed-out colours, sharp pictures of something else, and soft pictures of the right thing.",
)
for name in ways:
    mean, low, high = grouped_interval(errors[name], torch.arange(len(exam.pixels)))
    print(f"{label(name):22} {mean:.4f} (95 % interval {low:.4f} to {high:.4f})")
assert errors["by_model"].mean() < 0.7 * errors["by_look_up"].mean()

# %% [markdown] id="rows-so-what"
# The model has half the error of the best yardstick, over all 250 held-out pictures. (The intervals say how much other pictures would
# change it. Another training was not tried.) Look at single ones, too. The best fit is sharp,
# and often a picture of something else. The model is soft where it is not sure: a mean of what could be there costs least in squared
# error. Soft is what this loss asks for.
#
# So far the true kept patches were pasted in. **What does the model say at kept patches?**

# %% id="raw"
raw = restored.pred
kept_error = (raw - patchify(sun, 4))[~mask.hidden].square().mean().item()
hidden_error = (raw - patchify(sun, 4))[mask.hidden].square().mean().item()
show(
    picture_rows(
        [
            PictureRow(
                "",
                torch.cat([sun, unpatchify(raw, 4, (32, 32)), restored.pictures]),
                None,
                [label("the_picture"), label("raw_output"), label("by_model")],
            )
        ],
        4,
        cell=1.9,
        title=0.1,
    ),
    alt="The sun; all that the network says, with patches of odd colours at the kept places; the same with the true kept "
    "patches pasted in.",
)
print(f"mean squared error at kept patches {kept_error:.3f}, at hidden ones {hidden_error:.3f}")

# %% [markdown] id="raw-so-what"
# The patches that it *saw* come out worst. Nobody ever asked for them, so anything may stand there. That is no bug.
#
# *Now you: [exercise 5.6](../my_work/05_mae.ipynb#cell-id=05-ex-task-6), the loss.*
#
# ### It learns before your eyes
#
# A smaller network of the same kind, from nothing, in about ten seconds. We look at what it says four times.

# %% id="learn"
from tqdm.auto import tqdm

from companion.losses import mae_loss
from companion.models import MaeConfig
from companion.training import OptimizerConfig
from companion.training.optimizers import build_optimizers, set_learning_rates

torch.manual_seed(0)
sizes = {"hidden_size": 128, "num_hidden_layers": 3, "num_attention_heads": 4}
sizes |= {"intermediate_size": 256, "decoder_hidden_size": 64, "decoder_num_hidden_layers": 1}
sizes |= {"decoder_num_attention_heads": 2, "decoder_intermediate_size": 128}
young = Mae(MaeConfig(image_size=32, patch_size=4, **sizes))
for block in [*young.encoder.blocks, *young.decoder.blocks]:  # at first they add nothing
    torch.nn.init.zeros_(block.attention.out.weight)
    torch.nn.init.zeros_(block.feed_forward.down.weight)
optimisers = build_optimizers(young, OptimizerConfig(3e-3, muon_learning_rate=0.02, beta2=0.95))
same = type(masks)(*(one[chosen] for one in masks))  # the masks of the figure above
losses, looks = [], {}
for step in tqdm(range(160), leave=False):
    if step in (0, 40, 80):
        looks[step] = restore(young, exam.pixels[chosen], same).pictures
    set_learning_rates(optimisers, min(1.0, (step + 1) / 30))
    pictures = train.pixels[torch.randint(len(train.pixels), (64,))]
    hide = mask_patches(64, 64, ratio=0.75)
    output = young(pictures, hide)
    loss = mae_loss(output.pred, output.patches, hide.hidden)
    for optimiser in optimisers:
        optimiser.zero_grad()
    loss.backward()
    for optimiser in optimisers:
        optimiser.step()
    losses.append(loss.item())
looks[160] = restore(young, exam.pixels[chosen], same).pictures

# %% id="learn-film"
show(
    picture_rows(
        [PictureRow(label("the_picture"), exam.pixels[chosen])]
        + [
            PictureRow(label("after_steps").format(step=step), look) for step, look in looks.items()
        ],
        4,
    ),
    alt="The five emoji, and what the young network says after 0, 40, 80 and 160 steps: noise, then grey blurs, then blobs of "
    "the right colours, then soft outlines.",
)

# %% id="learn-curve"
from companion.show import curves

levels = {
    label(name): errors[name].mean().item() for name in ("by_mean", "by_colour", "by_look_up")
}
show(
    curves(
        {label("training_loss"): (list(range(40, 161)), losses[39:])},
        xlabel=label("step"),
        ylabel=label("squared_error"),
        levels=levels,
        height=3.8,
    ),
    alt="The training loss from step 40 to 160. It falls below the mean image, below colour by distance and, near the end, to "
    "the best fit in training.",
)
late = error_at_hidden(restore(young, exam.pixels, masks).pred, true, masks.hidden)
print(f"held-out error after 160 steps: {late.mean():.4f}")
assert late.mean() < errors["by_colour"].mean()

# %% [markdown] id="faster"
# ## 5. How much faster?
#
# The encoder reads a quarter of the patches. **How many times cheaper is the whole?** Encoders come in sizes. S and B are 384
# and 768 wide with 12 blocks, L is 1,024 wide with 24; the paper has B and L. The decoder is the paper's for all: 512 wide, 8 blocks.
#
# *Guess first: [exercise 5.7](../my_work/05_mae.ipynb#cell-id=05-ex-task-7).*
#
# We count multiplications, each with its addition, a **MAC**. The networks are only described here, not filled with numbers.

# %% id="count" tags=["claim"]
from companion.evaluation import multiply_adds
from companion.show import amount_bars

kept_of_paper = mask_patches(1, 196, ratio=0.75)
SIZES = {"S/16": (384, 12, 6), "B/16": (768, 12, 12), "L/16": (1024, 24, 16)}
bars = {name: {} for name in ("fewer_tokens", "encoder_alone", "whole_mae")}
light = {}
for name, (width, blocks, heads) in SIZES.items():
    shape = {"hidden_size": width, "num_hidden_layers": blocks, "num_attention_heads": heads}
    with torch.device("meta"):  # shapes without numbers
        large = Mae(MaeConfig(intermediate_size=4 * width, **shape))
        picture = torch.empty(1, 3, 224, 224)
    dealt = type(masks)(*(one.to("meta") for one in kept_of_paper))
    plain = multiply_adds(large.encode, picture)
    quarter = multiply_adds(large.encoder, picture, dealt.keep)
    whole = multiply_adds(large, picture, dealt)
    bars["fewer_tokens"][f"ViT-{name}"] = 197 / 50
    bars["encoder_alone"][f"ViT-{name}"] = plain / quarter
    bars["whole_mae"][f"ViT-{name}"] = plain / whole
    parts = [sum(p.numel() for p in part.parameters()) for part in (large.decoder, large.encoder)]
    light[name] = parts[0] / parts[1], (whole - quarter) / whole
show(
    amount_bars(
        {label(name): bar for name, bar in bars.items()}, xlabel=label("times_fewer"), line=1
    ),
    alt="Bars: how many times fewer. "
    + " ".join(
        f"{label(name)}: " + ", ".join(f"{size} {x:.2f}" for size, x in bar.items()) + "."
        for name, bar in bars.items()
    ),
)
assert 2.9 < bars["whole_mae"]["ViT-L/16"] < 3.1
assert 1.7 < bars["whole_mae"]["ViT-B/16"] < 1.9
assert bars["whole_mae"]["ViT-S/16"] < 1

# %% [markdown] id="faster-so-what"
# A quarter of the tokens, and four times less for the encoder. But the decoder reads all 197 places. Against a plain
# network over all patches, MAE as a whole saves three times for L and less than twice for B. For S it costs *more*. Against BERT's way, with mask tokens in the encoder and the same
# decoder, the paper measures 3.3 times for L (table 1c).
#
# And time is not counted in MACs alone: `make bench` measures it.
#
# "The decoder is light", one reads. **How light?** It depends on what is counted.

# %% id="light" tags=["nbval-check-output"]
for name, (weights, work) in light.items():
    print(
        f"ViT-{name}: the decoder has {weights:4.0%} of the encoder's parameters, "
        f"and does {work:.0%} of the work"
    )
assert 0.08 < light["L/16"][0] < 0.09
assert light["B/16"][1] > 0.5

# %% [markdown] id="ratio"
# ## 6. How much to hide
#
# BERT hides 15 % of the words, MAE 75 % of the patches. Why so different? Neighbouring pixels are alike. If little is hidden,
# colours can be carried over from next door, and nothing has to be understood.

# %% id="alike" tags=["nbval-check-output"]
photos = load_images("photos", "train").pixels
for name, images in [("emoji", train.pixels), ("photographs", photos)]:
    left, right = images[..., :-1].flatten(), images[..., 1:].flatten()
    stranger = right[torch.randperm(len(right), generator=torch.Generator().manual_seed(0))]
    pairs = [torch.corrcoef(torch.stack([left, one]))[0, 1] for one in (right, stranger)]
    print(f"{name}: correlation with the pixel beside {pairs[0]:.2f}, with any {abs(pairs[1]):.2f}")
    assert pairs[0] > 0.8

# %% [markdown] id="ratio-question"
# So we hide more and more, and compare the model with colour by distance. Once single patches are hidden, and once whole blocks. The
# model was trained on single patches at 75 % alone. (*First: [exercise 5.8](../my_work/05_mae.ipynb#cell-id=05-ex-task-8), how many hidden patches touch a kept one.*)

# %% id="ratio-figure" tags=["claim"]
from companion.masking import mask_blocks

ratios = [0.25, 0.4, 0.5, 0.6, 0.75, 0.85, 0.95]
lines = {(way, kind): [] for way in ("by_colour", "by_model") for kind in ("patches", "blocks")}
for ratio in ratios:
    for kind in ("patches", "blocks"):
        generator = torch.Generator().manual_seed(0)
        if kind == "patches":
            hide = mask_patches(250, 64, ratio=ratio, generator=generator)
        else:
            hide = mask_blocks(250, (8, 8), ratio=ratio, generator=generator)
        colour = distance_weighted(true, hide.hidden, (8, 8), channels=3, power=3)
        said = restore(model, exam.pixels, hide).pred
        for way, pred in [("by_colour", colour), ("by_model", said)]:
            lines[way, kind].append(error_at_hidden(pred, true, hide.hidden).mean().item())
show(
    curves(
        {
            f"{label(way)}, {label(f'hide_{kind}')}": (ratios, ys)
            for (way, kind), ys in lines.items()
        },
        xlabel=label("ratio"),
        ylabel=label("squared_error"),
        width=8.6,
    ),
    alt="Four curves of the error over the hidden share. All rise. Colour by distance lies above the model everywhere, and blocks "
    "above single patches.",
)
for ratio, colour, said in zip(
    ratios, lines["by_colour", "patches"], lines["by_model", "patches"], strict=True
):
    print(f"{ratio:.0%} hidden: colour by distance {colour:.3f}, the model {said:.3f}")
assert all(
    a > b for a, b in zip(lines["by_colour", "patches"], lines["by_model", "patches"], strict=True)
)
assert lines["by_colour", "patches"][0] > lines["by_model", "patches"][0]

# %% [markdown] id="ratio-so-what"
# The more is hidden, the harder it is for both. Blocks are harder than single patches at the same share. But colour by distance does not collapse at 75 %:
# two thirds of the hidden patches still lie beside a kept one. So a high ratio makes the task harder. It does not remove every easy
# clue.
#
# And a harder task is not yet a better network. What counts is what its encoder is good for later. There the paper measured, for ViT-L:
#
# | hidden | accuracy with the encoder trained further | with the encoder as it is |
# |---|---|---|
# | single patches, 75 % | 84.9 | 73.5 |
# | blocks, 50 % | 83.9 | 72.3 |
# | blocks, 75 % | 82.8 | 63.9 |
# | a grid, 75 % | 84.0 | 66.0 |
#
# (MAE, table 1f, per cent on ImageNet.) At the same 75 % the kind of mask makes ten points. So the share alone proves nothing. Trained further, the encoder is about equally good
# for all shares from 40 to 80 %. And 15 % is no law for text either: there 40 % can do better
# ([arXiv 2202.08005](https://arxiv.org/abs/2202.08005), 2022).
#
# ### Your turn: the MAE lab
#
# Three things to try:
#
# 1. Hide 95 %. What does the model make of three patches?
# 2. Take blocks at 50 %, then single patches at 75 %. Which one is harder?
# 3. Hide where edges are. Who loses more, the model or colour by distance?

# %% id="playground" tags=["playground"]
from companion.show import picture_playground

picture_playground(exam, model, picture=exam.titles.index("black sun with rays"))

# %% [markdown] id="summary"
# ### What you can say now
#
# **Do not pay for what you hid: the encoder sees only the kept quarter; mask tokens enter at the decoder.**
#
# - A picture is a row of patches. Noise deals them, and `restore` puts them back.
# - Positions are added before the dealing, and once more before the decoder.
# - The loss is asked at hidden patches alone. So kept ones look worst.
# - The encoder saves four times, the whole less: the decoder reads every place.
# - An error needs yardsticks: mean image, colour by distance, best fit in training.
#
# ### To read further
#
# - MAE: He et al., [arXiv 2111.06377](https://arxiv.org/abs/2111.06377), 2021. Section 3 is two pages.
# - ViT: Dosovitskiy et al., [arXiv 2010.11929](https://arxiv.org/abs/2010.11929), 2020.
# - Mask tokens in the encoder: BEiT, Bao et al., [arXiv 2106.08254](https://arxiv.org/abs/2106.08254), 2021, and SimMIM,
#   Xie et al., [arXiv 2111.09886](https://arxiv.org/abs/2111.09886), 2021.
