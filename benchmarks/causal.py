"""GPT-2 against `transformers`: a training step, and writing with a cache."""

from collections.abc import Callable
from typing import Any

import torch
import transformers
from torch import Tensor

from benchmarks.timing import ratio, take_turns
from benchmarks.training import copy_weights, step
from companion.losses import mlm_loss
from companion.models import Gpt, GptConfig

SHAPES: dict[str, dict[str, Any]] = {
    "width 256, 4 layers": {"n_embd": 256, "n_layer": 4, "n_head": 4},
    "gpt2": {},
}
NO_DROPOUT = {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0}
PROMPT = 16


def twins(shape: str) -> tuple[Gpt, Any]:
    """Ours and theirs with equal weights."""
    torch.manual_seed(0)
    ours = Gpt(GptConfig(**SHAPES[shape], **NO_DROPOUT))
    theirs = transformers.GPT2LMHeadModel(transformers.GPT2Config(**SHAPES[shape], **NO_DROPOUT))
    copy_weights(ours, theirs)
    return ours, theirs


def training(shape: str, rounds: int, *, rows: int = 4, length: int = 128) -> list[tuple[str, str]]:
    """One update with AdamW; the losses must agree."""
    ours, theirs = twins(shape)
    ours.train(), theirs.train()
    ids = torch.randint(1000, ours.config.vocab_size, (rows, length))

    asks = torch.ones_like(ids, dtype=torch.bool)
    asks[:, -1] = False  # as `companion pretrain` does: no score where nothing is asked

    def our_loss() -> Tensor:
        return mlm_loss(ours(ids, selected=asks).logits, ids[:, 1:].flatten())

    def their_loss() -> Tensor:
        loss: Tensor = theirs(input_ids=ids, labels=ids).loss
        return loss

    torch.testing.assert_close(our_loss(), their_loss(), atol=1e-4, rtol=1e-4)
    candidates = {"ours": step(ours, our_loss), "theirs": step(theirs, their_loss)}
    times = take_turns(candidates, rounds=rounds)
    what = f"Gpt training step, {shape}, rows {rows} x {length}"
    return [(what, str(ratio(times["ours"], times["theirs"])))]


def writing(shape: str, rounds: int, *, new: int = 64) -> list[tuple[str, str]]:
    """Greedy writing with a cache, one row; the tokens must agree."""
    ours, theirs = twins(shape)
    ours.eval(), theirs.eval()
    ids = torch.randint(1000, ours.config.vocab_size, (1, PROMPT))
    mask = torch.ones_like(ids)

    def our_text() -> Tensor:
        return ours.generate(ids, max_new_tokens=new, temperature=0)

    def their_text() -> Tensor:
        with torch.no_grad():
            found: Tensor = theirs.generate(
                ids,
                attention_mask=mask,
                max_new_tokens=new,
                do_sample=False,
                eos_token_id=None,
                pad_token_id=0,
            )
        return found

    if not torch.equal(our_text(), their_text()):
        raise AssertionError("the two models write different tokens")
    candidates: dict[str, Callable[[], object]] = {"ours": our_text, "theirs": their_text}
    times = take_turns(candidates, rounds=rounds)
    what = f"Gpt writing {new} tokens after {PROMPT} with a cache, {shape}"
    return [(what, str(ratio(times["ours"], times["theirs"])))]
