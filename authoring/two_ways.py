"""Which vectors are better, a masked model's or a causal one's? Trains both, and probes them.

    python authoring/two_ways.py

Two networks that differ in their pattern and in what they are asked for (configs/two-ways/), three
seeds each, about twenty minutes on two cores; a run that is there already is not trained again.
Writes companion/data/assets/logs/two-ways.json for chapter 4. Two probes, each with a yardstick
that needs no network: the topic of a page (tf-idf) and whether a word began with a capital in the
original (what its token mostly does). The two shipped models are probed as well.
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

ROOT = Path(__file__).resolve().parents[1]
if sys.path[0] != str(ROOT):
    sys.path[0:1] = [str(ROOT)]

from companion.data import (  # noqa: E402
    Document,
    Encoding,
    Tokenizer,
    checkpoint,
    load_corpus,
    load_tokenizer,
)
from companion.data.text import ASSETS  # noqa: E402
from companion.evaluation import grouped_interval  # noqa: E402
from companion.evaluation.probes import best_decay, fit_probe, tf_idf, token_vectors  # noqa: E402
from companion.files import replace_file  # noqa: E402
from companion.models.find import class_of  # noqa: E402
from companion.training import pretrain  # noqa: E402

OUT = ASSETS / "logs" / "two-ways.json"
RUNS, CONFIGS = ROOT / "runs" / "two-ways", ROOT / "configs" / "two-ways"
KINDS, SEEDS = ("masked", "causal"), (0, 1, 2)
LENGTH = 64
DECAYS = (1e-5, 1e-4, 1e-3, 1e-2)
CAPITAL_PAGES = 2000
Result = list[float]  # a share and the ends of its 95 % interval


def trained(kind: str, seed: int) -> nn.Module:
    """The model of one run, trained if it is not there."""
    run = RUNS / f"{kind}-{seed}"
    if not (run / "model.safetensors").exists():
        recipe = (CONFIGS / f"{kind}.toml").read_text(encoding="utf-8")
        RUNS.mkdir(parents=True, exist_ok=True)
        config = RUNS / f"{kind}-{seed}.toml"
        config.write_text(recipe.replace("seed = 0", f"seed = {seed}"), encoding="utf-8")
        pretrain(config, run, resume=(run / "training.toml").exists())
    model: nn.Module = class_of(run).from_pretrained(run)
    return model


def judged(
    features: Tensor, labels: Tensor, exam: Tensor, answers: Tensor, groups: Tensor, classes: int
) -> Result:
    """How often a probe, fitted on `features` with a decay of its own choice, is right."""
    decay = best_decay(features, labels, classes=classes, decays=DECAYS)
    called = fit_probe(features, labels, classes=classes, decay=decay).predict(exam)
    return rounded(called == answers, groups)


def rounded(is_right: Tensor, groups: Tensor) -> Result:
    """A share with its interval, as the log keeps it."""
    return [round(x, 4) for x in grouped_interval(is_right, groups)]


class Topics:
    """Eleven topics of pages, from the mean of a page's vectors."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        sides = {}
        for split in ("train", "validation"):
            pages = load_corpus("wiki", split).documents
            sides[split] = [page for page in pages if page.topic != "Uncategorized"]
        self.names = sorted({page.topic for page in sides["train"]})
        self.train, self.exam = (self.read(side) for side in sides.values())
        self.labels, self.answers = (self.topics(side) for side in sides.values())
        order = torch.randperm(len(self.labels), generator=torch.Generator().manual_seed(0))
        by_topic = [[n for n in order.tolist() if self.labels[n] == t] for t in range(11)]
        self.chosen = {
            "20 a topic": [n for one in by_topic for n in one[:20]],
            "100 a topic": [n for one in by_topic for n in one[:100]],
            "all": order.tolist(),
        }

    def read(self, pages: Sequence[Document]) -> list[Encoding]:
        """The first tokens of each page."""
        texts = [page.text for page in pages]
        return self.tokenizer.encode_batch(texts, max_length=LENGTH)

    def topics(self, pages: Sequence[Document]) -> Tensor:
        """Each page's topic by its number: int64, (pages,)."""
        return torch.tensor([self.names.index(page.topic) for page in pages])

    def probe(self, model: nn.Module | None) -> dict[str, Result]:
        """Shares of held-out pages whose topic is told; by tf-idf without a model."""
        if model is None:
            train, exam = ([one.ids for one in side] for side in (self.train, self.exam))
            size = self.tokenizer.vocab_size
            features = tf_idf(train, train, vocab_size=size)
            questions = tf_idf(train, exam, vocab_size=size)
        else:
            features, questions = (
                torch.stack([one.mean(0) for one in token_vectors(model, self.tokenizer, side)])
                for side in (self.train, self.exam)
            )
        groups = torch.arange(len(self.answers))
        found = {}
        for name, numbers in self.chosen.items():
            labels = self.labels[numbers]
            found[name] = judged(
                features[numbers], labels, questions, self.answers, groups, len(self.names)
            )
        return found


class Capitals:
    """Did this word begin with a capital? Asked of its first piece, the text being lower case."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        pages = load_corpus("wiki", "train").documents[:CAPITAL_PAGES]
        self.train = self.read(pages)
        self.exam = self.read(load_corpus("wiki", "validation").documents)

    def read(self, pages: Sequence[Document]) -> tuple[list[Encoding], list[Tensor], list[Tensor]]:
        """Encodings; which tokens are asked; whether a capital stood there."""
        encodings, asked, capital = [], [], []
        for page in pages:
            one = self.tokenizer.encode(page.text, max_length=LENGTH)
            offsets = self.tokenizer.inner.encode(page.text, add_special_tokens=False).offsets
            letters = [page.text[start] for start, _ in offsets[: len(one.ids) - 2]]
            words = one.word_ids[1:-1]
            first = torch.ones_like(words, dtype=torch.bool)
            first[1:] = words[1:] != words[:-1]  # one answer a word
            encodings.append(one)
            asked.append(first & torch.tensor([letter.isalpha() for letter in letters]))
            capital.append(torch.tensor([letter.isupper() for letter in letters]))
        return encodings, asked, capital

    def probe(self, model: nn.Module | None) -> dict[str, Result]:
        """Shares of words told rightly: all, and those whose token goes both ways in training."""
        sides = []
        for encodings, asked, capital in (self.train, self.exam):
            numbers = torch.arange(len(asked)).repeat_interleave(
                torch.tensor([int(one.sum()) for one in asked])
            )
            ids = torch.cat([e.ids[1:-1][a] for e, a in zip(encodings, asked, strict=True)])
            labels = torch.cat([c[a] for c, a in zip(capital, asked, strict=True)]).long()
            sides.append((encodings, asked, ids, labels, numbers))
        (_, _, ids, labels, _), (_, _, exam_ids, answers, groups) = sides
        size = self.tokenizer.vocab_size
        count = ids.bincount(minlength=size)
        capitals = ids.bincount(labels.double(), minlength=size)
        share = capitals / count.clamp(min=1)
        both_ways = ((share > 0.1) & (share < 0.9) & (count >= 10))[exam_ids]
        if model is None:
            called = (share > 0.5)[exam_ids].long()
        else:
            features, questions = (
                torch.cat(
                    [
                        vectors[where]
                        for vectors, where in zip(
                            token_vectors(model, self.tokenizer, side[0]), side[1], strict=True
                        )
                    ]
                )
                for side in sides
            )
            called = fit_probe(features, labels, classes=2, decay=DECAYS[0]).predict(questions)
        is_right = called == answers
        return {
            "all words": rounded(is_right, groups),
            "words that go both ways": rounded(is_right[both_ways], groups[both_ways]),
        }


def main() -> None:
    """Train what is missing, probe all, write the log."""
    tokenizer = load_tokenizer()
    tasks: dict[str, Any] = {"topics": Topics(tokenizer), "capitals": Capitals(tokenizer)}
    found: dict[str, dict[str, Any]] = {
        name: {"yardstick": task.probe(None)} for name, task in tasks.items()
    }
    for kind in KINDS:
        for seed in SEEDS:
            model = trained(kind, seed)
            for name, task in tasks.items():
                found[name].setdefault(kind, []).append(task.probe(model))
    for shipped in ("bert-wiki-mini", "gpt-wiki-mini"):
        model = class_of(checkpoint(shipped)).from_pretrained(checkpoint(shipped))
        for name, task in tasks.items():
            found[name][shipped] = task.probe(model)
    replace_file(OUT, (json.dumps(found, indent=1) + "\n").encode())
    print(OUT.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
