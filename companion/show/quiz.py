"""Questions with an explanation behind every option: plain HTML that opens without a kernel."""

import html
from collections.abc import Sequence
from typing import NamedTuple

from companion.show.labels import label


class Option(NamedTuple):
    """One answer to choose, and why it is right or not."""

    text: str
    why: str


class Question(NamedTuple):
    """A question; backquotes in its texts enclose code."""

    text: str
    options: tuple[Option, ...]
    right: int  # number of the right option, from 0
    link: str = ""  # where it is taught: "#cell-id=00b-cards"


def quiz_html(questions: Sequence[Question]) -> str:
    """The questions one below the other; each option opens to its explanation."""
    parts = []
    for number, question in enumerate(questions, 1):
        options = "".join(
            f'<details style="margin: 3px 0 3px 1.5em"><summary>{_code(option.text)}</summary>'
            f'<div style="margin-left: 1.2em"><strong>{_verdict(place == question.right)}</strong> '
            f"{_code(option.why)}{_link(question, place)}</div></details>"
            for place, option in enumerate(question.options)
        )
        parts.append(
            f'<div role="group" aria-label="{label("question")} {number}">'
            f'<p style="margin: 10px 0 4px"><strong>{number}.</strong> {_code(question.text)}</p>'
            f"{options}</div>"
        )
    return (
        '<div style="background: #FFFFFF; color: #1A1A1A; padding: 4px 14px 12px; '
        f'max-width: 50em; font-size: 14px">{"".join(parts)}</div>'
    )


def _verdict(is_right: bool) -> str:
    return f"\u2713 {label('quiz_right')}" if is_right else f"\u2717 {label('quiz_wrong')}"


def _link(question: Question, place: int) -> str:
    if not question.link or place == question.right:
        return ""
    return f' <a href="{html.escape(question.link)}">{label("quiz_link")}</a>'


def _code(text: str) -> str:
    """Escaped, with `code` in a typewriter face."""
    parts = html.escape(text).split("`")
    face = 'style="background: #F4F4F4; color: #1A1A1A"'
    return "".join(
        f"<code {face}>{part}</code>" if number % 2 else part for number, part in enumerate(parts)
    )
