"""From text to ids and back: a thin, stateless wrapper of a Hugging Face `tokenizers` file."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import tokenizers
import torch
from torch import Tensor

from companion.data.text import ASSETS
from companion.files import replace_file

TOKENIZER_FILES = {"wiki": "wiki-wordpiece.json"}
FOLDER_FILE = "tokenizer.json"  # the hub's name for it


class Encoding(NamedTuple):
    """One text, or one pair, as ids. All three: int64, shape (length,)."""

    ids: Tensor
    segment_ids: Tensor  # 0 for [CLS], the first text and its [SEP]; 1 for the second and its [SEP]
    word_ids: Tensor  # counts words from 0 across both texts; -1 at [CLS] and [SEP]


class Tokenizer:
    """WordPiece with the names that BERT gives to its special tokens.

    A literal "[MASK]" in a text becomes the mask token. Word ids follow BERT's rule: blanks and
    punctuation split, so "w1,w2" is three words.
    """

    def __init__(self, inner: tokenizers.Tokenizer) -> None:
        self.inner = inner
        self.pad_id = self._id_of("[PAD]")
        self.unk_id = self._id_of("[UNK]")
        self.cls_id = self._id_of("[CLS]")
        self.sep_id = self._id_of("[SEP]")
        self.mask_id = self._id_of("[MASK]")
        self.special_ids = (self.pad_id, self.unk_id, self.cls_id, self.sep_id, self.mask_id)
        self.vocab_size: int = inner.get_vocab_size()

    def _id_of(self, token: str) -> int:
        found = self.inner.token_to_id(token)
        if found is None:
            raise ValueError(f"The vocabulary has no {token}. BERT's special tokens are needed.")
        return int(found)

    @property
    def mask_args(self) -> dict[str, Any]:
        """What the masking functions must know of the vocabulary: `mask_tokens(ids, **args)`."""
        return {
            "mask_id": self.mask_id,
            "vocab_size": self.vocab_size,
            "special_ids": self.special_ids,
        }

    def encode(
        self,
        text: str,
        pair: str | None = None,
        *,
        specials: bool = True,
        max_length: int | None = None,
    ) -> Encoding:
        """[CLS] text [SEP], or [CLS] text [SEP] pair [SEP].

        max_length: the longer of the two texts loses tokens from its end until everything fits,
            [CLS] and [SEP] included. Without it nothing is cut.
        """
        first = self.inner.encode(text, add_special_tokens=False)
        second = None if pair is None else self.inner.encode(pair, add_special_tokens=False)
        return self._assemble(first, second, specials, max_length)

    def encode_batch(
        self, texts: Sequence[str], *, specials: bool = True, max_length: int | None = None
    ) -> list[Encoding]:
        """`encode` for many single texts at once: faster, as it uses every core."""
        rows = self.inner.encode_batch(list(texts), add_special_tokens=False)
        return [self._assemble(row, None, specials, max_length) for row in rows]

    def _assemble(
        self,
        first: tokenizers.Encoding,
        second: tokenizers.Encoding | None,
        specials: bool,
        max_length: int | None,
    ) -> Encoding:
        if max_length is not None:
            added = self.inner.num_special_tokens_to_add(second is not None) if specials else 0
            if max_length <= added:
                raise ValueError(
                    f"max_length is {max_length}, but [CLS] and [SEP] alone take {added} places. "
                    f"Give at least {added + 1}."
                )
            _truncate_longest(first, second, max_length - added)
        words_in_first = 1 + max((w for w in first.word_ids if w is not None), default=-1)
        whole = self.inner.post_process(first, second, add_special_tokens=specials)
        word_ids = [
            -1 if word is None else word + words_in_first * (sequence or 0)
            for word, sequence in zip(whole.word_ids, whole.sequence_ids, strict=True)
        ]
        return Encoding(
            torch.tensor(whole.ids, dtype=torch.int64),
            torch.tensor(whole.type_ids, dtype=torch.int64),
            torch.tensor(word_ids, dtype=torch.int64),
        )

    def tokens(self, ids: Tensor | Iterable[int]) -> list[str]:
        """The pieces, one for each id: for looking at what a model sees."""
        return [self.inner.id_to_token(int(id_)) or f"<no id {int(id_)}>" for id_ in ids]

    def save(self, folder: str | Path, *, max_length: int) -> None:
        """Write tokenizer.json and tokenizer_config.json, by which `transformers` finds it.

        max_length: the longest row of the model that the folder belongs to.
        """
        text = self.inner.to_str(pretty=True)
        replace_file(Path(folder) / FOLDER_FILE, text.encode())
        config = {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": max_length,
            "model_input_names": ["input_ids", "attention_mask"],
            "pad_token": "[PAD]",
            "unk_token": "[UNK]",
            "cls_token": "[CLS]",
            "sep_token": "[SEP]",
            "mask_token": "[MASK]",
        }
        path = Path(folder) / "tokenizer_config.json"
        replace_file(path, (json.dumps(config, indent=2) + "\n").encode())

    def decode(self, ids: Tensor | Iterable[int], *, specials: bool = False) -> str:
        """Pieces joined into words; special tokens are left out unless asked for."""
        text: str = self.inner.decode([int(id_) for id_ in ids], skip_special_tokens=not specials)
        return text


def _truncate_longest(
    first: tokenizers.Encoding, second: tokenizers.Encoding | None, room: int
) -> None:
    keep = [len(first), len(second) if second is not None else 0]
    while sum(keep) > room:
        keep[0 if keep[0] >= keep[1] else 1] -= 1
    first.truncate(keep[0])
    if second is not None:
        second.truncate(keep[1])


def load_tokenizer(name_or_folder: str | Path = "wiki") -> Tokenizer:
    """A shipped tokenizer by name, or the one in a model's folder (its tokenizer.json).

    "wiki": WordPiece, 4,096 lower-cased pieces, numbered by their frequency.

    Raises:
        ValueError: no such tokenizer, a file that is none, or one without BERT's special tokens.
    """
    if name_or_folder in TOKENIZER_FILES:
        path = ASSETS / TOKENIZER_FILES[str(name_or_folder)]
    else:
        path = Path(name_or_folder) / FOLDER_FILE
    if not path.is_file():
        known = ", ".join(TOKENIZER_FILES)
        raise ValueError(
            f"There is no tokenizer {str(name_or_folder)!r}. Choose one of: {known}; or give a "
            f"folder with a {FOLDER_FILE}."
        )
    try:
        inner = tokenizers.Tokenizer.from_str(path.read_text(encoding="utf-8"))
    except Exception as error:  # the class that the library raises is Exception itself
        raise ValueError(f"{path} is not a tokenizer: {error}") from error
    return Tokenizer(inner)
