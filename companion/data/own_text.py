"""A reader's own text: a file, or a folder of files, as texts in two halves.

A blank line ends a text, and so does the end of a file. Every twentieth text is held out.
"""

import re
from itertools import groupby
from pathlib import Path

from companion.data.text import Corpus, Document

EVERY = 20
# A full stop, with a closing quote or bracket behind it, and then a blank. It takes "Dr. No" for
# two sentences; pairs of runs of sentences, which they are for, can live with that.
END_OF_SENTENCE = re.compile(r"""(?<=[.!?…])\s+|(?<=[.!?…]["'”’»)\]])\s+""")


def load_own_text(path: Path) -> tuple[Corpus, Corpus]:
    """The training half and the held-out half of the texts under `path`.

    The same in every run, as long as the text is the same.

    Args:
        path: a text file, or a folder: then all files in it and in its folders, by their names, but
            those whose name begins with a dot. UTF-8.

    Raises:
        ValueError: it is not there; a file that cannot be read, is empty, or is no text in UTF-8;
            a folder without files; fewer than twenty texts. The message names the file.
    """
    documents = [
        Document(f"{file.name}, text {number}", "", split_sentences(text))
        for file in text_files(path)
        for number, text in enumerate(split_texts(read_text(file)), start=1)
    ]
    if len(documents) < EVERY:
        raise ValueError(
            f"{path} holds {len(documents)} texts, and every {EVERY}th one is held out for the "
            f"exam: give at least {EVERY}, with a blank line after each"
        )
    held_out = documents[EVERY - 1 :: EVERY]
    training = [one for n, one in enumerate(documents, start=1) if n % EVERY]
    return (
        Corpus(path.name, "train", tuple(training)),
        Corpus(path.name, "validation", tuple(held_out)),
    )


def text_files(path: Path) -> list[Path]:
    """The file `path`, or all files under the folder `path` in the order of their names."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise ValueError(f"{path} is not there, or is no file and no folder: give a text file")
    found = (file for file in path.rglob("*") if file.is_file())
    files = [f for f in found if not any(p.startswith(".") for p in f.relative_to(path).parts)]
    if not files:
        raise ValueError(f"{path} is a folder without files: put text files into it")
    return sorted(files, key=lambda file: file.relative_to(path).parts)


def read_text(file: Path) -> str:
    """A file as text, or a ValueError that says what is wrong with it and what to do."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise ValueError(
            f"{file} cannot be read ({error.strerror}): change that, or leave it out"
        ) from error
    if b"\0" in data:
        raise ValueError(
            f"{file} holds NUL bytes and is no text in UTF-8: save it as UTF-8, or leave it out"
        )
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")  # a mark that Windows puts in front
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"{file} is no UTF-8 in line {line} (byte {error.start}, 0x{data[error.start]:02x}): "
            "save it as UTF-8, or leave it out"
        ) from error
    if not text.strip():
        raise ValueError(f"{file} is empty: leave it out, or put text into it")
    return text


def split_texts(text: str) -> list[str]:
    """What stands between blank lines, each as one line."""
    groups = groupby(text.splitlines(), key=lambda line: bool(line.strip()))
    return [" ".join(line.strip() for line in lines) for has_words, lines in groups if has_words]


def split_sentences(text: str) -> tuple[str, ...]:
    """One line of text, cut behind what ends a sentence."""
    return tuple(sentence for sentence in END_OF_SENTENCE.split(text) if sentence)
