# ---
# title: "Extra to chapter 4: how GPT writes"
# idea: A model gives probabilities, a sampler makes a text of them, and a cache makes it fast without changing a token.
# seconds: 15
# ---

# %% [markdown] id="head"
# # Extra to chapter 4: how GPT writes
#
# **A model gives probabilities, a sampler makes a text of them, and a cache makes it fast without changing a token.**
#
# A causal model ends with one number for each token of the vocabulary. What is written depends on what we do
# with them. You need chapter 4. Reading takes ten minutes, computing less than 15 seconds.

# %% id="next-token" tags=["nbval-check-output"]
import torch

from companion.data import checkpoint, load_tokenizer
from companion.models import ModernBertForCausalLM

gpt = ModernBertForCausalLM.from_pretrained(checkpoint("gpt-wiki-mini"))
tokenizer = load_tokenizer(checkpoint("gpt-wiki-mini"))
start = tokenizer.encode("The river flows into the").ids[None, :-1]  # without [SEP]
with torch.no_grad():
    logits = gpt(start).logits[:, -1]  # (1, vocabulary)
best = logits.softmax(-1)[0].topk(8)
for chance, token in zip(best.values.tolist(), tokenizer.tokens(best.indices), strict=True):
    print(f"{token:12} {chance:.1%}")

# %% [markdown] id="temperature"
# ## 1. Temperature
#
# The logits are divided by the **temperature** before the softmax. Below 1 the likely tokens get likelier, above 1 the
# choice becomes more even. Towards 0 only the likeliest is left: *greedy* writing.

# %% id="temperature-picture"
from companion.show import label, matrices, show

temperatures = (0.3, 0.7, 1.0, 1.5)
rows = torch.stack([(logits[0] / t).softmax(-1)[best.indices] for t in temperatures])
show(
    matrices(
        {label("chances"): rows},
        rows=[str(t) for t in temperatures],
        columns=tokenizer.tokens(best.indices),
        ylabel=label("temperature"),
        cell=0.62,
    ),
    alt="A table: one row for each temperature, one column for each of the eight likeliest tokens. At 0.3 the first "
    "tokens have nearly all of the probability, at 1.5 it is spread thinly.",
)

# %% [markdown] id="narrow"
# ## 2. Ruling out the tail
#
# The vocabulary is large, and each of its thousands of unlikely tokens gets a little. Together they get a lot: in a text of a hundred tokens some of
# them will be drawn. Two remedies. **Top-k** keeps the k likeliest. **Top-p** keeps the likeliest until they have
# the share p together: few where the model is sure, many where it is not.

# %% id="narrow-numbers" tags=["nbval-check-output"]
from companion.models.generation import narrow

for text in ("The river flows into the", "He was born in the united"):
    ids = tokenizer.encode(text).ids[None, :-1]
    with torch.no_grad():
        scores = gpt(ids).logits[:, -1]
    tail = 1 - scores.softmax(-1).topk(50).values.sum()
    kept = int(narrow(scores, top_p=0.9).isfinite().sum())
    print(f"{text} ...: beyond the 50 likeliest {tail:.0%}; top-p 0.9 keeps {kept} tokens")

# %% id="texts"
for name, choice in [
    ("greedy", {"temperature": 0}),
    ("drawn as it says", {}),
    ("top-k 40", {"top_k": 40}),
    ("top-p 0.8", {"top_p": 0.8}),
]:
    text = gpt.generate(
        start, max_new_tokens=28, generator=torch.Generator().manual_seed(5), **choice
    )
    print(f"{name}: {tokenizer.decode(text[0])}\n")

# %% [markdown] id="cache"
# ## 3. The cache
#
# To say token 33 the model needs the keys and values of tokens 0 to 32. In a causal model they do not change when a token
# is appended: nobody looks ahead. So they can be kept. This is the **cache**. In BERT it would not work: each new token changes all
# vectors.

# %% id="cache-counts" tags=["claim", "nbval-check-output"]
from unittest.mock import patch

from companion.models import Cache

texts, words = [], gpt.encoder.words
for use_cache in (True, False):
    with patch.object(words, "forward", wraps=words.forward) as look_up:  # as it was, but counted
        text = gpt.generate(start, max_new_tokens=100, temperature=0, use_cache=use_cache)
    read = sum(call.args[0].numel() for call in look_up.call_args_list)
    print(f"cache {use_cache!s:5}: {read:,} tokens read to write 100")
    texts.append(text)
assert torch.equal(*texts)

# %% id="cache-by-hand" tags=["nbval-check-output"]
with torch.no_grad():
    first = gpt(start[:, :3], cache=Cache.empty())
    rest = gpt(start[:, 3:], cache=first.cache)
print(
    f"keys kept of each layer: {tuple(rest.cache.keys[0].shape)}  (batch, heads, tokens, width of a head)"
)
print(f"the same logits: {torch.allclose(rest.logits[:, -1], logits, atol=1e-4)}")

# %% [markdown] id="summary"
# ### What you can say now
#
# **A model gives probabilities, a sampler makes a text of them, and a cache makes it fast without changing a token.**
#
# - Temperature makes the choice sharper or more even; top-k and top-p rule out the tail.
# - Where the model is sure, top-p keeps few tokens, elsewhere many.
# - With a cache each token is read once. The text is the same, token by token.
#
# ### To read further
#
# - Top-p: Holtzman et al., [arXiv 1904.09751](https://arxiv.org/abs/1904.09751), 2019.
# - Top-k: Fan et al., [arXiv 1805.04833](https://arxiv.org/abs/1805.04833), 2018, section 5.4.
