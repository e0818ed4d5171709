"""A learner's own text: one file, or all text files of a folder."""

import re
from collections.abc import Iterator
from pathlib import Path

from companion.data.text import Corpus, Document, Split

HELD_OUT = 20  # every so manieth text is kept for the exam
# Where a sentence may end, its closing quote or bracket included; Chinese needs no blank after it.
CLOSING = "[\"'”’)\\]]"
ENDS = re.compile(
    rf"(?<=[.!?。！？])\s+|(?<=[.!?。！？]{CLOSING})\s+|(?<=[。！？])(?![”’」』）])(?=\S)"
)


def load_own_text(path: Path, split: Split) -> Corpus:
    """One side of a learner's own text; a blank line ends a text, every 20th text is held out.

    path: a file in UTF-8, or a folder, whose files ending in .txt or .md are read in the order of
        their names, those in folders below too.
    split: "train" or "validation".

    OSError: there is no such path, or a file cannot be read.
    ValueError: no text, fewer than two texts, a binary file or one of another encoding: the message
        names the file and what to do.
    """
    if split not in ("train", "validation"):
        raise ValueError(f"split is {split!r}. Choose 'train' or 'validation'.")
    documents = [document for file in _files(path) for document in _documents(file)]
    if len(documents) < 2:
        raise ValueError(
            f"{path} holds one text: at least two are needed, one to learn from and one for the "
            "exam. A blank line ends a text."
        )
    places = [n for n in range(len(documents)) if n % HELD_OUT == min(HELD_OUT, len(documents)) - 1]
    held_out = [documents[n] for n in places]
    training = [document for n, document in enumerate(documents) if n not in set(places)]
    chosen = training if split == "train" else held_out
    return Corpus(path.name, split, tuple(chosen))


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise FileNotFoundError(f"there is no file or folder {path}: check the spelling")
    if path.is_file():
        return [path]
    found = sorted(p for p in path.rglob("*") if p.suffix in (".txt", ".md") and p.is_file())
    if not found:
        raise ValueError(f"{path} holds no file that ends in .txt or .md: name the file itself")
    return found


def _documents(path: Path) -> Iterator[Document]:
    """The texts of a file, each a run of lines without a blank one."""
    data = path.read_bytes()
    if b"\0" in data:
        raise ValueError(
            f"{path} is no text: it holds bytes that are 0. Leave it out, or save it as UTF-8."
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ValueError(
            f"{path} is not in UTF-8: byte {data[error.start]:#04x} in line {line}. Save it as "
            "UTF-8, for example with: iconv -f latin1 -t utf-8"
        ) from error
    parts = [part for part in re.split(r"\n\s*\n", text.replace("\r\n", "\n")) if part.strip()]
    if not parts:
        raise ValueError(f"{path} is empty: write text into it, or leave it out")
    for part in parts:
        sentences = [" ".join(piece.split()) for piece in ENDS.split(part)]
        yield Document(path.stem, "", tuple(piece for piece in sentences if piece))
