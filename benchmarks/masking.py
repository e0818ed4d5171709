"""`corrupt` and `mask_tokens` against the collator of `transformers`, on the same rows."""

import torch
import transformers

from benchmarks.timing import ratio, take_turns
from companion.data import load_corpus, load_tokenizer
from companion.masking import corrupt, mask_tokens, select_bernoulli

ROWS, LENGTH = 64, 128


def masking(rounds: int) -> list[tuple[str, str]]:
    """Ratios of time: theirs over ours."""
    tokenizer = load_tokenizer()
    hub = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer.inner,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )
    texts = [page.text for page in load_corpus("wiki", "train").documents[:200]]
    encoded = [e.ids for e in tokenizer.encode_batch(texts, max_length=LENGTH)]
    ids = torch.stack([row for row in encoded if len(row) == LENGTH][:ROWS])
    specials = torch.isin(ids, torch.tensor(tokenizer.special_ids))
    examples = [
        {"input_ids": row.tolist(), "special_tokens_mask": s.tolist()}
        for row, s in zip(ids, specials, strict=True)
    ]
    collator = transformers.DataCollatorForLanguageModeling(hub, mlm_probability=0.15)
    selected = select_bernoulli(ids, special_ids=tokenizer.special_ids, rate=0.15)
    times = take_turns(
        {
            "corrupt": lambda: corrupt(ids, selected, **tokenizer.mask_args),
            "mask_tokens": lambda: mask_tokens(ids, **tokenizer.mask_args),
            # It writes into its input, so that it needs a copy, as its callers do.
            "torch_mask_tokens": lambda: collator.torch_mask_tokens(ids.clone(), specials),
            "collator": lambda: collator(examples),
        },
        rounds=rounds,
    )
    return [
        (f"{ours} against {theirs}, {ROWS} x {LENGTH}", str(ratio(times[ours], times[theirs])))
        for ours in ("corrupt", "mask_tokens")
        for theirs in ("torch_mask_tokens", "collator")
    ]
