# ---
# title: "Extra to chapter 1: where the parameters are, and what a LayerNorm does to a gradient"
# idea: Most of BERT's parameters stand in its blocks, and where LayerNorm stands decides how gradients spread over them.
# seconds: 30
# ---

# %% [markdown] id="head"
# # Extra to chapter 1: where the parameters are, and what a LayerNorm does to a gradient
#
# **Most of BERT's parameters stand in its blocks, and where LayerNorm stands decides how gradients spread over
# them.**
#
# You need chapters 1 and 2, exercise 1.4, and section 5 of chapter 00b. Reading takes ten minutes, computing
# less than 30 seconds.
#
# ## 1. All of BERT, in one table
#
# "110 million parameters" is one number. Where do they stand? We build both sizes of the paper and count.
# Nothing is stored: on the *meta* device a tensor has a shape and no memory.

# %% id="table"
import torch

from companion.models import Bert, BertConfig

LARGE = {
    "hidden_size": 1024,
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
    "intermediate_size": 4096,
}
with torch.device("meta"):
    models = {"base": Bert(BertConfig()), "large": Bert(BertConfig(**LARGE))}


def parts(bert):
    """Parameters of each part of a BERT, in the order in which data flows."""
    embeddings, blocks = bert.encoder.embeddings, bert.encoder.blocks
    groups = {
        "words": [embeddings.words],
        "positions": [embeddings.positions],
        "segments": [embeddings.segments],
        "LayerNorm of the sum": [embeddings.norm],
        "blocks: attention": [block.attention for block in blocks],
        "blocks: feed-forward": [block.feed_forward for block in blocks],
        "blocks: LayerNorms": [m for b in blocks for m in (b.attention_norm, b.feed_forward_norm)],
        "pooler": [bert.pooler],
    }
    return {
        name: sum(p.numel() for module in modules for p in module.parameters())
        for name, modules in groups.items()
    }


counted = {name: parts(bert) for name, bert in models.items()}
totals = {name: sum(of_parts.values()) for name, of_parts in counted.items()}
print(f"{'':22}{'base':>13}{'':8}{'large':>13}")
for part in counted["base"]:
    print(
        f"{part:22}"
        + "".join(f"{counted[n][part]:13,} {counted[n][part] / totals[n]:6.1%} " for n in counted)
    )
print(f"{'together':22}{totals['base']:13,}{'':8}{totals['large']:13,}")

# %% [markdown] id="table-so-what"
# Two thirds of each block are its feed-forward half, and one third is attention. So most of a Transformer's
# parameters are not attention. The table of words is a fifth of the base model, and less than a tenth of the
# large one. The vocabulary stays, the blocks grow.
#
# Attention heads cost nothing. Twelve of width 64 or one of width 768: the matrices have the same size. The
# pooler is explained in chapter 3.
#
# ## 2. By formula
#
# A matrix from width $d$ to width $d$ has $d^2$ weights and $d$ biases. Attention has four of them: for
# queries, keys, values, and the result. The feed-forward half has one from $d$ to $4d$ and one back. A
# LayerNorm has $2d$.
#
# $$\underbrace{4d^2 + 4d}_{\text{attention}} + \underbrace{8d^2 + 5d}_{\text{feed-forward}} +
# \underbrace{4d}_{\text{LayerNorms}} = 12d^2 + 13d$$

# %% id="by-formula" tags=["claim", "nbval-check-output"]
for name, width, blocks in (("base", 768, 12), ("large", 1024, 24)):
    by_formula = blocks * (12 * width**2 + 13 * width)
    by_code = sum(n for part, n in counted[name].items() if part.startswith("blocks"))
    print(f"{name:5} all blocks by formula {by_formula:,}, by code {by_code:,}")
    assert by_formula == by_code
assert totals == {"base": 109_482_240, "large": 335_141_888}

# %% [markdown] id="by-formula-so-what"
# Twice the width costs four times the parameters; twice as many blocks, twice as many. The formula knows nothing of text:
# the 24 blocks of a large Vision Transformer, that of chapter 5, have these same 302,309,376.
#
# ## 3. What does LayerNorm do to a gradient?
#
# BERT's LayerNorm stands after each sum (post-LN). In most models since it stands before each half (pre-LN),
# and the sums go through no LayerNorm at all. We take BERT-base at its very start, with its real width and
# height and its own random weights, in both orders. Both read the same sentences with the same
# blanks. **How large is the gradient in the
# feed-forward half of each block?**

# %% id="gradients"
from companion.data import load_corpus, load_tokenizer, pad_batch
from companion.losses import mlm_loss
from companion.masking import mask_tokens
from companion.models import BertForMaskedLM, PreLNBertForMaskedLM
from companion.show import curves, label, show

tokenizer = load_tokenizer()
pages = load_corpus("wiki", "validation").documents[:8]
batch = pad_batch(
    [tokenizer.encode(page.text, max_length=64) for page in pages], pad_id=tokenizer.pad_id
)
masked = mask_tokens(
    batch.input_ids, **tokenizer.mask_args, generator=torch.Generator().manual_seed(0)
)


def gradients(kind, seed):
    """Length of the gradient of each block's feed-forward matrices, before the first step."""
    torch.manual_seed(seed)
    model = kind(BertConfig(vocab_size=tokenizer.vocab_size, hidden_dropout_prob=0.0))
    logits = model(
        masked.corrupted, attention_mask=batch.attention_mask, selected=masked.selected
    ).mlm_logits
    mlm_loss(logits, masked.labels[masked.selected]).backward()
    return [
        torch.cat([p.grad.flatten() for p in block.feed_forward.parameters()]).norm().item()
        for block in model.encoder.blocks
    ]


found = {
    label("post_ln"): [gradients(BertForMaskedLM, seed) for seed in (0, 1)],
    label("pre_ln"): [gradients(PreLNBertForMaskedLM, seed) for seed in (0, 1)],
}
means = {name: torch.tensor(runs).mean(0).tolist() for name, runs in found.items()}
show(
    curves(
        {name: (range(1, 13), heights) for name, heights in means.items()},
        xlabel=label("block"),
        ylabel=label("gradient"),
    ),
    alt="The length of the gradient over the twelve blocks. Both begin at the same height. "
    + " ".join(
        f"{name}: {y[0]:.2f} in block 1, {y[-1]:.2f} in block 12." for name, y in means.items()
    ),
)

# %% id="gradients-result" tags=["claim"]
for name, runs in found.items():
    ratios = [run[-1] / run[0] for run in runs]
    print(f"{name:26} block 12 : block 1 = " + " and ".join(f"{ratio:.2f}" for ratio in ratios))
    if name == label("post_ln"):
        assert 0.8 < min(ratios) <= max(ratios) < 1.25
    else:
        assert max(ratios) < 0.75

# %% [markdown] id="gradients-so-what"
# With post-LN all blocks get gradients of one size. With pre-LN the higher a block, the smaller its gradient:
# at the top it is two thirds of that at the bottom. Why? A pre-LN sum is never normalised, so it grows with
# each block. After the last block comes one more LayerNorm. It divides by the size of the sum, and the gradient of what was added late is divided
# with it.
#
# So a plain gradient step changes the top of a post-LN network more. (Adam divides by the size of past
# gradients, and evens much of this out.) At the start the
# gradients near the output are too large, say Xiong and others. For this reason post-LN needs a **warm-up**,
# small steps at the beginning. Their theory has a factor of $\sqrt{L}$ for $L$ blocks, 3.5 for twelve. We measured 1.7
# between the two tops: at BERT's small random weights each block adds little to the sum.
#
# One often reads that gradients vanish at the bottom of a post-LN network. At the start of BERT-base they do
# not.
#
# The race in the [extra to chapter 2](02_race.ipynb) shows what a small BERT loses by post-LN on a laptop. Whether
# these gradients are the reason, two pictures of the first step cannot tell.
#
# ### What you can say now
#
# **Most of BERT's parameters stand in its blocks, and where LayerNorm stands decides how gradients spread over
# them.**
#
# - A block has $12d^2 + 13d$ parameters, two thirds of them in its feed-forward half.
# - The table of words is a fifth of BERT-base.
# - At the start post-LN has equal gradients at all heights; with pre-LN they fall towards the top.
#
# ### To read further
#
# - BERT: Devlin et al., [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), 2018, section 3.
# - Post-LN and pre-LN: Xiong et al., [arXiv 2002.04745](https://arxiv.org/abs/2002.04745), 2020, section 3.
