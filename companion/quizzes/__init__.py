"""Three questions at the end of each chapter, and the self-test before the first."""

from importlib import import_module
from typing import Any

from companion.show.quiz import Question, quiz_html

QUIZZES = {"self-test": "self_test"}


def questions_of(name: str) -> tuple[Question, ...]:
    """The questions of a quiz; ValueError names the quizzes that there are."""
    if name not in QUIZZES:
        raise ValueError(f"There is no quiz {name!r}. Choose one of {', '.join(QUIZZES)}.")
    found: tuple[Question, ...] = import_module(f"{__name__}.{QUIZZES[name]}").QUESTIONS
    return found


def quiz(name: str) -> Any:
    """Show a quiz in a notebook: choose an option, and it opens to its explanation."""
    from IPython.display import HTML

    return HTML(quiz_html(questions_of(name)))  # type: ignore[no-untyped-call]
