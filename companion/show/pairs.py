"""The pair builder: two sentences, the words that they share, and what one number says of them."""

import html
import re
from collections.abc import Sequence, Set
from typing import Any, NamedTuple

import torch

from companion.data import Document, Pair, sentence_pairs, swapped_pairs
from companion.evaluation.overlap import content_words, word_overlap
from companion.show.labels import label
from companion.show.style import STATES
from companion.show.widgets import board, status_line

KINDS = ("next_or_random", "in_order_or_swapped")


class PairState(NamedTuple):
    """Which pair is shown."""

    kind: str = KINDS[0]
    number: int = 0
    answer_shown: bool = False


def pairs_of(documents: Sequence[Document], kind: str) -> list[Pair[str]]:
    """All pairs of a kind, the same each time, in a mixed order."""
    make = sentence_pairs if kind == KINDS[0] else swapped_pairs
    pairs = make([page.sentences for page in documents], generator=torch.Generator().manual_seed(0))
    order = torch.randperm(len(pairs), generator=torch.Generator().manual_seed(1))
    return [pairs[number] for number in order.tolist()]


def render_pair(state: PairState, pairs: Sequence[Pair[str]], stop: Set[str]) -> str:
    """A and B with their common words marked, and a line that says what is shown: HTML."""
    pair = pairs[state.number % len(pairs)]
    common = content_words(pair.a, stop) & content_words(pair.b, stop)
    share = word_overlap(pair.a, pair.b, stop)
    line = label("pair_line").format(
        count=len(common), words=", ".join(sorted(common)) or "–", share=share
    )
    if state.answer_shown:
        names = ("is_next", "is_random") if state.kind == KINDS[0] else ("in_order", "is_swapped")
        line += " " + label("pair_answer").format(answer=label(names[pair.label]))
    texts = "".join(
        f'<p style="margin: 4px 0"><strong>{name}</strong> {_marked(text, common)}</p>'
        for name, text in (("A", pair.a), ("B", pair.b))
    )
    return (
        '<div style="background: #FFFFFF; color: #1A1A1A; padding: 4px 14px; max-width: 50em; '
        f'font-size: 14px">{texts}</div>{status_line(line)}'
    )


def _marked(text: str, common: Set[str]) -> str:
    """The text, with the common words underlined on a tint."""
    mark = f"background: {STATES['hidden'].fill}; color: #1A1A1A; text-decoration: underline"
    parts = re.split("([A-Za-z]+)", text)
    return "".join(
        f'<mark style="{mark}">{part}</mark>' if part.lower() in common else html.escape(part)
        for part in parts
    )


def pair_playground(documents: Sequence[Document], stop: Set[str]) -> Any:
    """Choose a kind and a pair, guess, then show the answer."""
    import ipywidgets as W

    wide = {"description_width": "110px"}
    all_pairs = {kind: pairs_of(documents, kind) for kind in KINDS}
    last = min(map(len, all_pairs.values())) - 1
    kind = W.Dropdown(
        options=[(label(one), one) for one in KINDS], description=label("kind"), style=wide
    )
    number = W.IntSlider(
        0, min=0, max=last, description=label("pair"), style=wide, readout=False,
        continuous_update=False,
    )  # fmt: skip
    box = W.BoundedIntText(0, min=0, max=last, layout={"width": "80px"}, tooltip=label("pair"))
    W.link((number, "value"), (box, "value"))
    answer = W.Checkbox(False, description=label("show_answer"), indent=False)
    picture = W.HTML()

    def redraw(change: Any = None) -> None:
        if change is not None and change["owner"] is not answer:
            answer.value = False  # a new pair is a new question
        state = PairState(kind.value, number.value, answer.value)
        picture.value = render_pair(state, all_pairs[kind.value], stop)

    for widget in (kind, number, answer):
        widget.observe(redraw, "value")
    redraw()
    return board([kind, W.HBox([number, box]), answer], picture)
