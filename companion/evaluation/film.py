"""The film of a training run: what it would fill into the same blanks, step after step."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn

from companion.data import Document, Tokenizer
from companion.evaluation.blanks import COMMONEST
from companion.evaluation.filling import fill_mask
from companion.files import replace_file

WORDS = range(8, 26)  # sentences that a reader can take in, and that leave some context


class FilmBlank(NamedTuple):
    """One sentence with one [MASK]."""

    title: str  # of the page
    text: str
    answer: str
    is_rare: bool  # outside the 100 commonest tokens


def choose_blanks(
    documents: Sequence[Document],
    tokenizer: Tokenizer,
    *,
    common: int,
    rare: int,
    length: int,
    seed: int,
) -> list[FilmBlank]:
    """`common` blanks whose answer is one of the 100 commonest tokens, then `rare` others.

    Each is one whole word, letters only, from another document, in a sentence of at most `length`
    tokens with [CLS] and [SEP]. Fewer where the text has no more.
    """
    generator = torch.Generator().manual_seed(seed)
    wanted = [False] * common + [True] * rare
    chosen: list[FilmBlank] = []
    for number in torch.randperm(len(documents), generator=generator).tolist():
        if len(chosen) == len(wanted):
            break
        page = documents[number]
        choices = [
            blank
            for sentence in page.sentences
            if len(sentence.split()) in WORDS and len(tokenizer.encode(sentence).ids) <= length
            for blank in blanks_of(sentence, page.title, tokenizer)
            if blank.is_rare == wanted[len(chosen)]
        ]
        if choices:
            pick = int(torch.randint(len(choices), (1,), generator=generator))
            chosen.append(choices[pick])
    return chosen


def blanks_of(sentence: str, title: str, tokenizer: Tokenizer) -> list[FilmBlank]:
    """Every word of `sentence` that is one piece and letters only, as a blank."""
    pieces = tokenizer.inner.encode(sentence, add_special_tokens=False)
    is_common = set(range(len(tokenizer.special_ids) + COMMONEST))
    return [
        FilmBlank(title, f"{sentence[:start]}[MASK]{sentence[end:]}", token, id_ not in is_common)
        for token, id_, word, (start, end) in zip(
            pieces.tokens, pieces.ids, pieces.word_ids, pieces.offsets, strict=True
        )
        if token.isalpha() and pieces.word_ids.count(word) == 1
    ]


class Film:
    """A JSON file with the blanks, and one frame for each step that was recorded."""

    def __init__(self, path: Path, tokenizer: Tokenizer, blanks: Sequence[FilmBlank]) -> None:
        self.path = path
        self.tokenizer = tokenizer
        self.blanks = blanks

    def record(self, model: nn.Module, step: int, seconds: float) -> None:
        """Ask the model, and add a frame."""
        top = [
            [
                [f.token, round(f.probability, 4)]
                for f in fill_mask(model, self.tokenizer, b.text)[0]
            ]
            for b in self.blanks
        ]
        frames = read_film(self.path)["frames"] if self.path.exists() else []
        frames.append({"step": step, "seconds": round(seconds, 1), "top": top})
        self._write(frames)

    def cut_after(self, step: int) -> None:
        """Forget the frames of a run that goes on from `step`, or that starts anew from 0."""
        if self.path.exists():
            frames = read_film(self.path)["frames"] if step else []
            self._write([frame for frame in frames if frame["step"] <= step])

    def _write(self, frames: list[dict[str, Any]]) -> None:
        film = {"blanks": [blank._asdict() for blank in self.blanks], "frames": frames}
        replace_file(self.path, (json.dumps(film, indent=1) + "\n").encode())


def read_film(path: Path) -> dict[str, Any]:
    """The blanks and frames of a film."""
    film: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return film
