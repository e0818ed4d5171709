"""One masked-word training step against `transformers`; packed against padded rows."""

from collections.abc import Callable

import torch
import transformers
from torch import Tensor, nn

from benchmarks.timing import ratio, take_turns
from companion.data import load_corpus, load_tokenizer, pack_rows, pad_batch
from companion.losses import mlm_loss
from companion.masking import mask_tokens
from companion.models import (
    BertConfig,
    BertForMaskedLM,
    ModernBertConfig,
    ModernBertForMaskedLM,
)

SHAPES = {
    "hidden 256, 4 layers, vocabulary 30,522, rows 16 x 128": (
        {"hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 4}
        | {"intermediate_size": 1024},
        16,
    ),
    "bert-base, rows 8 x 128": ({}, 8),
}
LENGTH = 128
NO_DROPOUT = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}


def step(model: nn.Module, loss: Callable[[], Tensor]) -> Callable[[], None]:
    """A whole update with AdamW."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)

    def once() -> None:
        loss().backward()
        optimizer.step()
        optimizer.zero_grad()

    return once


def training_step(shape: str, rounds: int) -> list[tuple[str, str]]:
    """Ours and theirs, with equal weights on equal tensors; the losses must agree."""
    sizes, rows = SHAPES[shape]
    torch.manual_seed(0)
    ours = BertForMaskedLM(BertConfig(**sizes, **NO_DROPOUT)).train()
    theirs = transformers.BertForMaskedLM(transformers.BertConfig(**sizes, **NO_DROPOUT)).train()
    copy_weights(ours, theirs)
    ids = torch.randint(1000, 30522, (rows, LENGTH))
    masked = mask_tokens(ids, mask_id=103, vocab_size=30522, special_ids=range(5))
    selected, labels = masked.selected, masked.labels

    def our_loss() -> Tensor:
        logits = ours(masked.corrupted, selected=selected).mlm_logits
        return mlm_loss(logits, labels[selected])

    def their_loss() -> Tensor:
        loss: Tensor = theirs(input_ids=masked.corrupted, labels=labels).loss
        return loss

    torch.testing.assert_close(our_loss(), their_loss(), atol=1e-4, rtol=1e-4)
    times = take_turns(
        {"ours": step(ours, our_loss), "theirs": step(theirs, their_loss)}, rounds=rounds
    )
    what = f"BertForMaskedLM training step (ours scores the selected positions only), {shape}"
    return [(what, str(ratio(times["ours"], times["theirs"])))]


def copy_weights(ours: BertForMaskedLM, theirs: nn.Module) -> None:
    """Give the twin of transformers our weights, through a folder."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        ours.save_pretrained(folder)
        loaded = type(theirs).from_pretrained(folder)  # type: ignore[attr-defined]
    theirs.load_state_dict(loaded.state_dict())


def packed_rows(rounds: int, pages: int = 64) -> list[tuple[str, str]]:
    """Real tokens a second in training: pages padded to the longest, and the same pages packed."""
    tokenizer = load_tokenizer()
    texts = [page.text for page in load_corpus("wiki", "train").documents[:pages]]
    encoded = tokenizer.encode_batch(texts, max_length=256)
    padded = pad_batch(encoded, pad_id=tokenizer.pad_id)
    packed = pack_rows(
        [e.ids[1:-1] for e in encoded],
        length=256,
        cls_id=tokenizer.cls_id,
        sep_id=tokenizer.sep_id,
        pad_id=tokenizer.pad_id,
    )
    torch.manual_seed(0)
    model = ModernBertForMaskedLM(
        ModernBertConfig(
            vocab_size=tokenizer.vocab_size,
            hidden_size=192,
            num_hidden_layers=4,
            num_attention_heads=6,
            intermediate_size=288,
            global_attn_every_n_layers=1,
        )
    )

    def loss_on(ids: Tensor, mask: Tensor) -> Callable[[], Tensor]:
        masked = mask_tokens(ids, rate=0.3, **tokenizer.mask_args)

        def loss() -> Tensor:
            logits = model(masked.corrupted, mask, masked.selected).mlm_logits
            return mlm_loss(logits, masked.labels[masked.selected])

        return loss

    times = take_turns(
        {
            "packed": step(model, loss_on(packed.input_ids, packed.attention_mask())),
            "padded": step(model, loss_on(padded.input_ids, padded.attention_mask)),
        },
        rounds=rounds,
    )
    filled = padded.attention_mask.float().mean().item()
    return [
        (
            f"the same {pages} pages packed into rows of 256, against rows padded to the longest "
            f"({filled:.0%} filled)",
            str(ratio(times["packed"], times["padded"])),
        )
    ]


def useful_operations(config: BertConfig, tokens: int, scored: int) -> int:
    """Floating-point operations of a training step that a dense model cannot do without."""
    width, inner = config.hidden_size, config.intermediate_size
    layer = 4 * width**2 + 2 * width * inner + 2 * LENGTH * width  # multiply-adds a token
    head = width**2 + width * config.vocab_size
    # Two operations a multiply-add; the backward pass costs twice the forward one.
    return 6 * (tokens * config.num_hidden_layers * layer + scored * head)


def rate(rounds: int, shape: str = "bert-base, rows 8 x 128") -> list[tuple[str, str]]:
    """Useful operations a second in a training step, as a share of a large matrix product's."""
    sizes, rows = SHAPES[shape]
    config = BertConfig(**sizes, **NO_DROPOUT)
    torch.manual_seed(0)
    model = BertForMaskedLM(config)
    ids = torch.randint(1000, 30522, (rows, LENGTH))
    masked = mask_tokens(ids, mask_id=103, vocab_size=30522, special_ids=range(5))

    def loss() -> Tensor:
        logits = model(masked.corrupted, selected=masked.selected).mlm_logits
        return mlm_loss(logits, masked.labels[masked.selected])

    work = useful_operations(config, ids.numel(), int(masked.selected.sum()))
    n = 2048
    a, b = torch.randn(n, n), torch.randn(n, n)
    times = take_turns({"step": step(model, loss), "matmul": lambda: a @ b}, rounds=rounds)
    share = ratio(times["step"], [t * work / (2 * n**3) for t in times["matmul"]])
    best = 2 * n**3 / sorted(times["matmul"])[len(times["matmul"]) // 2] / 1e9
    return [
        (
            f"training step, {shape}: useful operations a second, as a share of a {n} x {n} "
            f"product's ({best:.0f} GFLOP/s)",
            f"{share.median:.0%} ({share.low:.0%} to {share.high:.0%})",
        )
    ]
