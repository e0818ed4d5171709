"""`corrupt` and `mask_tokens` against the collator of `transformers`, on the same rows."""

import torch
import transformers

from benchmarks.timing import ratio, take_turns
from companion.data import load_corpus, load_tokenizer, pad_rows
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
    specials = torch.tensor(tokenizer.special_ids)
    lists = ids.tolist()
    marks = torch.isin(ids, specials).tolist()
    collator = transformers.DataCollatorForLanguageModeling(hub, mlm_probability=0.15)
    selected = select_bernoulli(ids, special_ids=tokenizer.special_ids, rate=0.15)
    times = take_turns(
        {
            "corrupt": lambda: corrupt(ids, selected, **tokenizer.mask_args),
            "mask_tokens": lambda: mask_tokens(ids, **tokenizer.mask_args),
            # It writes into its input, and so needs a copy; what is special it must be told.
            "torch_mask_tokens": lambda: collator.torch_mask_tokens(
                ids.clone(), torch.isin(ids, specials)
            ),
            "from lists": lambda: mask_tokens(
                pad_rows([torch.tensor(row) for row in lists], tokenizer.pad_id),
                **tokenizer.mask_args,
            ),
            "collator": lambda: collator(
                [
                    {"input_ids": row, "special_tokens_mask": mark}
                    for row, mark in zip(lists, marks, strict=True)
                ]
            ),
        },
        rounds=rounds,
    )
    compared = {
        "mask_tokens against torch_mask_tokens": ("mask_tokens", "torch_mask_tokens"),
        "corrupt, with the selection given, against torch_mask_tokens": (
            "corrupt",
            "torch_mask_tokens",
        ),
        "lists of ids padded and masked, against the whole collator": ("from lists", "collator"),
    }
    return [
        (f"{what}, {ROWS} x {LENGTH}", str(ratio(times[ours], times[theirs])))
        for what, (ours, theirs) in compared.items()
    ]
