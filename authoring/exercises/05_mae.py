# ---
# title: "Exercises to chapter 5: MAE's asymmetry"
# idea: Cut, deal, put back and score patches, and count what the asymmetry saves.
# seconds: 25
# ---

# %% [markdown] id="head"
# # Exercises to chapter 5: MAE's asymmetry
#
# **Cut, deal, put back and score patches, and count what the asymmetry saves.**
#
# Eight exercises. Each has a task, an example, a cell for your code, and a check. The check looks at how
# your function behaves, and says what does not hold yet.
#
# - Work in your own copy, in the folder `my_work`: `make lab` makes it, and nothing overwrites it.
# - Run the next cell first. After a restart of the kernel run it again.
# - Write your code, run its cell (Shift+Enter), then run the check below it. The check judges the
#   version that ran last: "In[7]" is the number beside its cell. Places count from 0.
# - Stuck? `check.hint("5.1")` in a cell of your own shows a hint, in three steps.
#   `check.progress()` shows what you have solved.
# - The exercises do not need each other. The lesson is
#   [chapter 5](../notebooks/05_mae.ipynb).

# %% id="setup"
import torch
import torch.nn.functional as F

from companion import check

print("Ready: 8 exercises in this notebook.")

# %% [markdown] id="task-1"
# # exercise: 5.1
#
# **Task.** A picture of 224 by 224 pixels in colour is cut into patches of 16 by 16 pixels. 75 % of them are hidden.
# How many tokens does the encoder read? First write your guess, a number of 1 or more. A guess is never wrong. Then
# write the function that counts, for any square picture.
#
# | | |
# |---|---|
# | `side` | pixels of the picture along one side |
# | `patch` | pixels of a patch along one side; it divides `side` |
# | `ratio` | the share of patches that is hidden, 0 to 1 |
# | `channels` | numbers of a pixel: 3 in colour, 1 in grey |
# | returns | four whole numbers: patches, kept patches, tokens that the encoder reads, numbers of a patch |
#
# The hidden patches are `ratio` times the patches, rounded to the nearest whole number. At least one patch is kept. The
# encoder reads the kept patches and one [CLS].
#
# **Example.** 32 pixels, patches of 8, 50 % hidden, grey: 16 patches, 8 kept, 9 tokens, 64 numbers.
#
# In the lesson: [patches](../notebooks/05_mae.ipynb#cell-id=05-patches).


# %% id="1" tags=["exercise"]
# --- solution
guess_5_1 = 64
# --- given
# guess_5_1 = None  # your guess: a number of tokens, 1 or more
# --- end


def sizes(side, patch, ratio, channels):
    """Patches, kept ones, tokens of the encoder, numbers of a patch."""
    # --- solution
    patches = (side // patch) ** 2
    kept = max(1, patches - round(ratio * patches))
    return patches, kept, 1 + kept, patch**2 * channels
    # --- end


# %% id="check-1" tags=["check"]
check("5.1")

# %% [markdown] id="task-2"
# # exercise: 5.2
#
# **Task.** Cut pictures into patches. The patches come row by row from the upper left. Inside a patch the numbers come
# row by row too, and the channels of one pixel stand side by side.
#
# | | |
# |---|---|
# | `images` | floats, shape (batch, channels, height, width) |
# | `p` | pixels of a patch along one side; it divides height and width |
# | returns | floats, shape (batch, patches, p · p · channels) |
#
# **Example.** A grey picture of 2 by 4 pixels, and `p` = 2. Its lines are 0 1 2 3 and 4 5 6 7. The two patches are
# 0 1 4 5 and 2 3 6 7.
#
# In the lesson: [patches](../notebooks/05_mae.ipynb#cell-id=05-patches).


# %% id="2" tags=["exercise"]
def patchify(images, p):
    """Pictures as rows of patches."""
    # --- solution
    b, c, h, w = images.shape
    tiles = images.reshape(b, c, h // p, p, w // p, p)
    return tiles.permute(0, 2, 4, 3, 5, 1).reshape(b, -1, p * p * c)
    # --- end


# %% id="check-2" tags=["check"]
check("5.2")

# %% [markdown] id="task-3"
# # exercise: 5.3
#
# **Task.** Deal the cards. Each patch has drawn a random number, its noise. The patches with the *smallest* noise are
# kept, in ascending order of noise. The others are hidden.
#
# | | |
# |---|---|
# | `noise` | floats, shape (batch, patches); no two in a row are equal |
# | `ratio` | the share that is hidden, 0 to 1; rounded to whole patches; at least one is kept |
# | returns | three tensors, in this order: |
# | `keep` | whole numbers, shape (batch, kept): the numbers of the kept patches |
# | `hidden` | bool, shape (batch, patches): True = hidden, in the order of the picture |
# | `restore` | whole numbers, shape (batch, patches): for each patch its place in the row sorted by noise |
#
# **Example.** Noise 0.6 0.2 0.9 0.3 0.8 0.1 0.7 0.5 and a ratio of 0.75. Sorted by noise the cards lie
# 5 1 3 7 0 6 4 2. So keep is 5 1, and hidden is True but for cards 1 and 5. Card 0 lies at place 4, card 1 at place 1, and so on:
# restore is 4 1 7 2 6 0 5 3.
#
# In the lesson: [a deck of cards](../notebooks/05_mae.ipynb#cell-id=05-cards).


# %% id="3" tags=["exercise"]
def split(noise, ratio):
    """Which patches are kept, which are hidden, and where each of them lies."""
    # --- solution
    patches = noise.shape[1]
    kept = max(1, patches - round(ratio * patches))
    dealt = noise.argsort(dim=1)
    restore = dealt.argsort(dim=1)
    return dealt[:, :kept], restore >= kept, restore
    # --- end


# %% id="check-3" tags=["check"]
check("5.3")

# %% [markdown] id="task-4"
# # exercise: 5.4
#
# **Task.** The encoder has read [CLS] and the kept patches. Make the row that the decoder reads: [CLS], then a vector
# for every patch, in the order of the picture. A hidden patch gets the mask token, one and the same for all.
#
# | | |
# |---|---|
# | `encoded` | floats, shape (batch, 1 + kept, width): [CLS] first, then the kept patches in ascending order of noise |
# | `mask_token` | floats, shape (width,) |
# | `restore` | whole numbers, shape (batch, patches): for each patch its place in the row sorted by noise, kept ones first |
# | returns | floats, shape (batch, 1 + patches, width); gradients flow back to both |
#
# **Example.** Three patches, `restore` = 2 0 1, and `encoded` holds [CLS] and the vectors A and B. The answer is [CLS],
# the mask token, A, B.
#
# In the lesson: [the encoder sees a quarter](../notebooks/05_mae.ipynb#cell-id=05-encoder).


# %% id="4" tags=["exercise"]
def unshuffle(encoded, mask_token, restore):
    """What the decoder reads, in the order of the picture."""
    # --- solution
    batch, read, width = encoded.shape
    blanks = mask_token.expand(batch, restore.shape[1] - (read - 1), width)
    dealt = torch.cat([encoded[:, 1:], blanks], dim=1)
    placed = dealt.gather(1, restore[:, :, None].expand(-1, -1, width))
    return torch.cat([encoded[:, :1], placed], dim=1)
    # --- end


# %% id="check-4" tags=["check"]
check("5.4")

# %% [markdown] id="task-5"
# # exercise: 5.5
#
# **The symptom.** A masked autoencoder is trained, and restores pictures well. Then somebody writes the first lines of its
# encoder anew. Now it restores this.

# %% id="symptom-5"
from companion.data import checkpoint, load_images
from companion.masking import mask_patches
from companion.models import Mae, unpatchify
from companion.models import patchify as cut
from companion.show import PictureRow, label, picture_rows, show

model = Mae.from_pretrained(checkpoint("mae-emoji-mini"))
pictures = load_images("emoji", "validation").pixels[[80, 120, 40, 200]]
mask = mask_patches(4, 64, generator=torch.Generator().manual_seed(5))


def embed(patches):
    """The model's own embedding of patches."""
    found = model.encoder.patch_embedding(unpatchify(patches, 4, (32, 32)))
    return found.flatten(2).transpose(1, 2)


with torch.no_grad():
    places = model.encoder.position_embeddings[0]
    kept = check.given("5.5")(cut(pictures, 4), embed, places[1:], mask.keep)
    x = torch.cat([(model.encoder.cls_token + places[:1]).expand(4, -1, -1), kept], dim=1)
    for block in model.encoder.blocks:
        x = block(x, None)
    said = model.decoder(model.encoder.final_norm(x), mask.restore, (8, 8))
restored = torch.where(mask.hidden[:, :, None], said, cut(pictures, 4))
show(
    picture_rows(
        [
            PictureRow(label("the_picture"), pictures),
            PictureRow(label("encoder_sees"), pictures, mask.hidden),
            PictureRow(label("by_model"), unpatchify(restored, 4, (32, 32))),
        ],
        4,
    ),
    alt="Four emoji; the same with three quarters of their patches hidden; and what the model makes of them: "
    "colours in wrong places, nothing can be recognised.",
)

# %% [markdown] id="task-5-task"
# **Task.** Repair the function. Change as little as you can.
#
# | | |
# |---|---|
# | `patches` | floats, shape (batch, patches, values), in the order of the picture |
# | `embed` | a function: (batch, patches, values) → (batch, patches, width), each patch by itself |
# | `positions` | floats, shape (patches, width): one row for each place in the picture |
# | `keep` | whole numbers, shape (batch, kept): the numbers of the kept patches, in any order |
# | returns | floats, shape (batch, kept, width): the kept patches with their positions, in the order of `keep` |
#
# **Example.** Four patches, embedded as 2 4 6 8, at positions 10 20 30 40. With keep = 2 0 the answer is 36 and 12.
#
# In the lesson: [the encoder sees a quarter](../notebooks/05_mae.ipynb#cell-id=05-encoder).


# %% id="5" tags=["exercise"]
def embed_kept(patches, embed, positions, keep):
    """The kept patches as the encoder reads them."""
    # --- solution
    x = embed(patches) + positions
    index = keep[:, :, None].expand(-1, -1, x.shape[2])
    x = x.gather(1, index)
    # --- given
    # x = embed(patches)
    # index = keep[:, :, None].expand(-1, -1, x.shape[2])
    # x = x.gather(1, index)
    # x = x + positions[: keep.shape[1]]
    # --- end
    return x


# %% id="check-5" tags=["check"]
check("5.5")

# %% [markdown] id="task-6"
# # exercise: 5.6
#
# **Task.** Score the predictions: the mean squared error over the hidden patches. All hidden patches of the batch count the
# same. Kept patches do not count at all, whatever was said of them, even if it is NaN.
#
# | | |
# |---|---|
# | `pred` | floats, shape (batch, patches, values): what the network says of every patch |
# | `patches` | floats, the same shape: the true ones |
# | `hidden` | bool, shape (batch, patches): True = hidden; at least one is |
# | returns | a tensor of one number: the mean over the values of a patch and over all hidden patches; gradients flow back |
#
# **Example.** One picture of two patches of two values, all true values are 0, and only patch 0 is hidden. The prediction is 1 3
# for it and 7 7 for the other one. The answer is (1 + 9) / 2 = 5.
#
# In the lesson: [what is asked](../notebooks/05_mae.ipynb#cell-id=05-loss).


# %% id="6" tags=["exercise"]
def hidden_mse(pred, patches, hidden):
    """Mean squared error over the hidden patches."""
    # --- solution
    return (pred - patches)[hidden].square().mean()
    # --- end


# %% id="check-6" tags=["check"]
check("5.6")

# %% [markdown] id="task-7"
# # exercise: 5.7
#
# **Task.** "The encoder reads a quarter of the patches." A plain ViT-L of the same width and depth reads all of them. How many times
# cheaper is the whole MAE, encoder and decoder? First write your guess, a number above 0. Then write the function that
# computes it.
#
# A block of width $d$ over $n$ tokens costs $12 n d^2 + 2 n^2 d$ multiplications. Count the blocks alone. Each of the three networks
# reads one [CLS] as well.
#
# | | |
# |---|---|
# | `patches`, `kept` | how many patches there are, and how many of them are kept |
# | `width`, `depth` | width and number of blocks of the encoder, and of the plain network |
# | `decoder_width`, `decoder_depth` | the same of the decoder, which reads all places |
# | returns | two numbers: the cost of the plain network divided by that of the encoder; and divided by that of encoder and decoder together |
#
# The check runs it for ViT-L/16: 196 patches, 49 kept, width 1,024, 24 blocks, and a decoder of width 512 with 8 blocks.
#
# **Example.** 3 patches, 1 kept, width 1, one block; a decoder of width 1 with one block. The plain one costs 48 + 32 = 80, the encoder
# 24 + 8 = 32, the decoder 80. The answer is 2.5 and 0.714.
#
# In the lesson: [how much faster](../notebooks/05_mae.ipynb#cell-id=05-faster).


# %% id="7" tags=["exercise"]
# --- solution
guess_5_7 = 4
# --- given
# guess_5_7 = None  # your guess: a number of times, above 0
# --- end


def saving(patches, kept, width, depth, decoder_width, decoder_depth):
    """How many times cheaper the encoder is, and the whole."""

    # --- solution
    def cost(tokens, d, blocks):
        return blocks * (12 * tokens * d**2 + 2 * tokens**2 * d)

    plain = cost(patches + 1, width, depth)
    encoder = cost(kept + 1, width, depth)
    decoder = cost(patches + 1, decoder_width, decoder_depth)
    return plain / encoder, plain / (encoder + decoder)
    # --- end


# %% id="check-7" tags=["check"]
check("5.7")

# %% [markdown] id="task-8"
# # exercise: 5.8
#
# **Task.** Three quarters of the patches are hidden at random. How many of the hidden ones have a kept one beside them, to the left, to
# the right, above or below? First write your guess, a share between 0 and 1. Then write the function that measures it. The check runs it
# on masks of 14 by 14 patches.
#
# | | |
# |---|---|
# | `hidden` | bool, shape (batch, rows, columns): True = hidden; at least one is |
# | returns | one number, 0 to 1: of all hidden patches of the batch, the share that has a kept one beside it |
#
# Corners do not count, and beyond the edge there is nothing.
#
# **Example.** Nine patches, 3 by 3, and only the upper left one is kept. Of the eight hidden ones two lie beside it: 0.25.
#
# Then say why the task is not trivial all the same.
#
# In the lesson: [how much to hide](../notebooks/05_mae.ipynb#cell-id=05-ratio).


# %% id="8" tags=["exercise"]
# --- solution
guess_5_8 = 0.25
# --- given
# guess_5_8 = None  # your guess: a share between 0 and 1
# --- end


def touching(hidden):
    """The share of hidden patches with a kept one beside them."""
    # --- solution
    seen = F.pad(~hidden, (1, 1, 1, 1))
    beside = seen[:, 1:-1, :-2] | seen[:, 1:-1, 2:] | seen[:, :-2, 1:-1] | seen[:, 2:, 1:-1]
    return beside[hidden].double().mean().item()
    # --- end


# %% id="check-8" tags=["check"]
check("5.8")

# %% [markdown] id="end"
# **Cut, deal, put back and score patches, and count what the asymmetry saves.**
#
# `check.progress()` shows where you are. After a pass, look at the course's own version, where the check
# names its file and line.
