"""Questions with an explanation behind every option: the self-test before the first chapter."""

from typing import Any

from companion.quizzes import self_test
from companion.show.quiz import quiz_html

QUIZZES = {"self-test": self_test.QUESTIONS}


def quiz(name: str) -> Any:
    """Show a quiz in a notebook: choose an option, and it opens to its explanation.

    Raises:
        ValueError: no quiz has this name; the message has those that there are.
    """
    from IPython.display import HTML

    if name not in QUIZZES:
        raise ValueError(f"There is no quiz {name!r}. Choose one of {', '.join(QUIZZES)}.")
    return HTML(quiz_html(QUIZZES[name]))  # type: ignore[no-untyped-call]
