"""Playgrounds: a pure function from a state to a picture, and thin widgets around it."""

from typing import Any, NamedTuple

import torch

from companion.data import Tokenizer
from companion.masking import corrupt, select_bernoulli, select_words
from companion.show.figures import figure_html
from companion.show.labels import label
from companion.show.strips import masked_rows, token_strips
from companion.show.widgets import board, status_line

MAX_TOKENS = 60


class MaskState(NamedTuple):
    """What the learner has set in the mask playground."""

    text: str
    rate: float = 0.15
    mask_share: float = 0.8
    random_share: float = 0.1
    whole_words: bool = False
    draw: int = 0


def render_masks(state: MaskState, tokenizer: Tokenizer) -> str:
    """The strip of one sentence under one draw, and a line that says what is shown: HTML."""
    if not state.text.strip():
        return status_line(label("no_text"))
    if state.mask_share + state.random_share > 1 + 1e-9:
        too_much = label("too_much")
        return status_line(too_much.format(mask=state.mask_share, random=state.random_share))
    encoding = tokenizer.encode(state.text)
    cut = len(encoding.ids) > MAX_TOKENS
    if cut:
        encoding = tokenizer.encode(state.text, max_length=MAX_TOKENS)
    ids = encoding.ids[None]  # (1, length)
    generator = torch.Generator().manual_seed(state.draw)
    choice: dict[str, Any] = {
        "special_ids": tokenizer.special_ids,
        "rate": state.rate,
        "generator": generator,
    }
    if state.whole_words:
        selected = select_words(ids, encoding.word_ids[None], **choice)
    else:
        selected = select_bernoulli(ids, **choice)
    masked = corrupt(
        ids,
        selected,
        mask_share=state.mask_share,
        random_share=state.random_share,
        generator=generator,
        **tokenizer.mask_args,
    )
    rows = masked_rows(tokenizer, ids, masked)
    counts = {name: rows[0].states.count(name) for name in ("hidden", "random", "kept")}
    candidates = sum(id_ not in tokenizer.special_ids for id_ in ids[0].tolist())
    words = label("mask_counts").format(
        selected=sum(counts.values()),
        candidates=candidates,
        tokens=" ".join(rows[0].tokens),
        **counts,
    )
    if cut:
        words += " " + label("cut").format(limit=MAX_TOKENS)
    return figure_html(token_strips(rows), alt=words) + status_line(words)


def mask_playground(tokenizer: Tokenizer, text: str) -> Any:
    """Widgets around `render_masks`: every change draws the strip again."""
    import ipywidgets as W

    wide = {"description_width": "110px"}
    start = MaskState(text)
    sentence = W.Text(text, description=label("sentence"), style=wide, continuous_update=False)
    sentence.layout.width = "95%"
    shares = {
        name: (
            W.FloatSlider(
                getattr(start, name), min=0, max=1, step=0.05, readout=False,
                description=label(name), style=wide, continuous_update=False,
            ),
            W.BoundedFloatText(
                getattr(start, name), min=0, max=1, step=0.05, layout={"width": "80px"},
                tooltip=label(name),
            ),
        )
        for name in ("rate", "mask_share", "random_share")
    }  # fmt: skip
    for slider, box in shares.values():
        W.link((slider, "value"), (box, "value"))
    unit = W.Dropdown(
        options=[(label("pieces"), False), (label("words"), True)],
        description=label("unit"),
        style=wide,
    )
    draw = W.BoundedIntText(0, min=0, max=9999, description=label("draw"), style=wide)
    picture = W.HTML()

    def redraw(_change: object = None) -> None:
        values = {name: slider.value for name, (slider, _) in shares.items()}
        state = MaskState(sentence.value, whole_words=unit.value, draw=draw.value, **values)
        picture.value = render_masks(state, tokenizer)

    for widget in (sentence, unit, draw, *(slider for slider, _ in shares.values())):
        widget.observe(redraw, "value")
    redraw()
    rows = [W.HBox(pair) for pair in shares.values()]
    return board([sentence, *rows, W.HBox([unit, draw])], picture)
