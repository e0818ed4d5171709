"""Quizzes: one right option, a reason behind each, links that lead somewhere."""

import json
import re
from pathlib import Path

import pytest

from companion.quizzes import QUIZZES, quiz
from companion.show.quiz import Option, Question, quiz_html

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", QUIZZES)
def test_every_question_has_a_right_option_and_reasons(name):
    for question in QUIZZES[name]:
        assert 0 <= question.right < len(question.options)
        assert len({option.text for option in question.options}) == len(question.options) >= 3
        assert all(option.why.endswith(".") for option in question.options)
        for text in (question.text, *(part for option in question.options for part in option)):
            assert text.count("`") % 2 == 0, text


@pytest.mark.parametrize("name", QUIZZES)
def test_the_right_option_has_no_fixed_place(name):
    assert len({question.right for question in QUIZZES[name]}) > 1


def test_links_of_the_self_test_lead_to_cells_of_the_warm_up():
    cells = json.loads((ROOT / "notebooks" / "00b_warm_up.ipynb").read_text())["cells"]
    ids = {cell["id"] for cell in cells}
    links = [question.link for question in QUIZZES["self-test"]]
    assert len(links) == 6
    for link in links:
        assert link.removeprefix("#cell-id=") in ids


def test_wrong_options_lead_to_the_section_and_the_right_one_says_so():
    question = Question(
        "What is `1 < 2`?", (Option("`True`", "One is less."), Option("`False`", "No.")), 0, "#here"
    )
    page = quiz_html([question])
    right, wrong = re.findall("<details.*?</details>", page)
    assert "\u2713" in right
    assert "#here" not in right
    assert "\u2717" in wrong
    assert 'href="#here"' in wrong
    assert "1 &lt; 2</code>" in page
    assert "<summary>" in right


def test_answers_are_closed_at_first():
    assert "<details open" not in quiz("self-test").data


def test_an_unknown_quiz_names_those_that_there_are():
    with pytest.raises(ValueError, match=r"no quiz 'chapter-9'.*self-test"):
        quiz("chapter-9")
