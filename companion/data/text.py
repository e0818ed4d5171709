"""The shipped text corpora, read from `companion/data/assets` (sources in its NOTICE.md)."""

import json
import lzma
from pathlib import Path
from typing import Literal, NamedTuple

ASSETS = Path(__file__).parent / "assets"
Split = Literal["train", "validation"]


class Document(NamedTuple):
    """One page or address: its title, its topic, and its sentences in order."""

    title: str
    topic: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """The sentences as one string."""
        return " ".join(self.sentences)


class Corpus(NamedTuple):
    """One side of a corpus that is split by document."""

    name: str
    split: str
    documents: tuple[Document, ...]


def load_corpus(name: str, split: Split) -> Corpus:
    """Read one side of a shipped corpus.

    name: "wiki" (lead sections of 10,022 English Wikipedia pages with 12 topics, CC BY-SA 4.0) or
        "state-of-the-union" (233 addresses, 1790 to 2021, public domain; the topic is the party).
    split: "train" or "validation". A document is on one side only, the same in every run.
    """
    known = sorted(path.name.removesuffix(".jsonl.xz") for path in ASSETS.glob("*.jsonl.xz"))
    if name not in known:
        raise ValueError(f"There is no corpus {name!r}. Choose one of: {', '.join(known)}.")
    if split not in ("train", "validation"):
        raise ValueError(f"split is {split!r}. Choose 'train' or 'validation'.")
    with lzma.open(ASSETS / f"{name}.jsonl.xz", "rt", encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    documents = tuple(
        Document(record["title"], record["topic"], tuple(record["sentences"]))
        for record in records
        if record["split"] == split
    )
    return Corpus(name, split, documents)
