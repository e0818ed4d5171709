"""From a solution to an exercise: markers, stubs, and nothing of the solution left over."""

import io
import json
import re
import tokenize

import nbformat
import pytest

from authoring.build import ROOT, load, sources, stale_stubs
from authoring.checks import handed_out_problems
from authoring.source import BuildError, Cell
from authoring.stale import notebook_path
from authoring.stubs import STUBS, exercise_problems, read_exercises, split
from companion.check.library import chapter_of, exercise, exercise_ids

SOURCES = sorted((ROOT / "authoring/exercises").glob("*.py"))
SIX_TOKENS = 6
MIN_CHARACTERS = 24  # shorter pieces of code are everybody's
# So are these alone.
IDIOM = {"torch", "rand", "randint", "ids", "shape", "generator", "noise", "with", "no_grad"}


def parts(source: str, *tags: str) -> tuple[str, str]:
    stub, solution = split(Cell("code", source, "1", tags or ("exercise",)))
    return stub.source, solution.source


def test_without_a_given_part_the_stub_raises() -> None:
    source = "def f(x):\n    # --- solution\n    y = 2\n    return x * y\n    # --- end"
    assert parts(source) == (
        "def f(x):\n    raise NotImplementedError  # your code",
        "def f(x):\n    y = 2\n    return x * y",
    )


def test_a_given_part_loses_its_comment_signs() -> None:
    source = (
        "def f(x):\n    a = 1\n    # --- solution\n    b = x.clone()\n    # --- given\n"
        "    # b = x\n    # if b:\n    #     b = 2\n    # --- end\n    return b"
    )
    assert parts(source) == (
        "def f(x):\n    a = 1\n    b = x\n    if b:\n        b = 2\n    return b",
        "def f(x):\n    a = 1\n    b = x.clone()\n    return b",
    )


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("# --- solution\nx = 1", "is never closed"),
        ("x = 1\n# --- end", "after 'no marker'"),
        ("# --- given\n# x\n# --- end", "after 'no marker'"),
        ("# --- solution\n# --- solution\n# --- end", "after 'solution'"),
        ("# --- solution\nx = 1\n# --- given\nx = 2\n# --- end", "is no comment"),
        ("# --- solution\n# --- given\n# x\n# --- given\n# y\n# --- end", "after 'given'"),
        ("x = 1", "there is no '# --- solution' in it"),
    ],
)
def test_unbalanced_markers_are_refused(source, message) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        parts(source)


def test_markers_in_another_cell_are_refused() -> None:
    with pytest.raises(ValueError, match="tag it exercise"):
        parts("# --- solution\nx = 1\n# --- end", "slide")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_what_is_handed_out_carries_no_outputs(path) -> None:
    notebook = nbformat.read(notebook_path(f"exercises/{path.stem}", ROOT), as_version=4)
    assert handed_out_problems(notebook) == []
    notebook.cells[1].execution_count = 1
    assert len(handed_out_problems(notebook)) == 1


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_tasks_checks_and_answers_belong_together(path) -> None:
    handed_out, solved = read_exercises(path, ROOT)  # raises BuildError otherwise
    text = "\n".join(cell.source for cell in handed_out.cells)
    for id_ in (i for i in exercise_ids() if i.split(".")[0] == chapter_of(path.name)):
        one = exercise(id_)
        assert f"## {id_} {one.title}\n\n*" in text
        assert f"level {one.level} of 3 · about {one.minutes} minutes" in text
    lesson = handed_out
    broken = tuple(c for c in handed_out.cells if c.slug != "check-1")
    assert any(
        'no cell id="check-1"' in line
        for line in exercise_problems(_chapter(lesson), broken, broken)
    )
    first = next(i for i in exercise_ids() if i.split(".")[0] == chapter_of(path.name))
    calls = Cell("code", f"{exercise(first).needs[0]}(1)", "more")
    found = exercise_problems(_chapter(lesson), handed_out.cells, (*solved.cells, calls))
    assert any("one unsolved exercise would block another" in line for line in found)


def _chapter(lesson):
    from dataclasses import replace

    return replace(lesson, chapter=lesson.chapter.removesuffix("-ex"))


def test_an_unknown_exercise_is_refused(tmp_path) -> None:
    (tmp_path / "authoring/exercises").mkdir(parents=True)
    path = tmp_path / "authoring/exercises/02_x.py"
    path.write_text(
        '# ---\n# title: X\n# idea: Y.\n# seconds: 1\n# ---\n\n# %% [markdown] id="a"\n'
        "# # exercise: 7.77\n"
    )
    with pytest.raises(BuildError, match=r"There is no exercise '7\.77'"):
        read_exercises(path, tmp_path)


def test_the_checks_know_what_is_handed_out() -> None:
    assert stale_stubs(ROOT, write=False) == [], "run make build"
    known = json.loads((ROOT / STUBS).read_text(encoding="utf-8"))
    assert set(known) == set(exercise_ids())
    for id_, source in known.items():
        for name in exercise(id_).names:
            assert name in source


def code_tokens(source: str) -> list[str]:
    """The tokens of Python code, comments and layout left out; [] for what is no Python."""
    layout = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
              tokenize.ENDMARKER)  # fmt: skip
    try:
        found = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return re.findall(r"\w+|[^\w\s]", source)
    return [token.string for token in found if token.type not in layout]


def runs(source: str) -> set[str]:
    """Every run of six tokens that is long enough to say something."""
    tokens = code_tokens(source)
    found = {" ".join(tokens[i : i + SIX_TOKENS]) for i in range(len(tokens) - SIX_TOKENS + 1)}
    return {
        run
        for run in found
        if len(run) >= MIN_CHARACTERS and set(re.findall(r"[A-Za-z_]\w*", run)) - IDIOM
    }


def secrets(path) -> dict[str, set[str]]:
    """Exercise cell -> runs of tokens that only its solution has."""
    handed_out, solved = read_exercises(path, ROOT)
    given = set().union(*(runs(cell.source) for cell in handed_out.cells if cell.kind == "code"))
    return {
        cell.slug: runs(cell.source) - given
        for cell in solved.cells
        if "exercise" in cell.tags and exercise(f"{chapter_of(path.name)}.{cell.slug}").needs
    }


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_solution_leaks(path) -> None:
    """Into exercises, hints, texts of properties, or any lesson."""
    hidden = secrets(path)
    chapter = chapter_of(path.name)
    assert all(hidden.values())
    places = {}
    for name in sources(ROOT):
        if not name.startswith("solutions/") and name != "appendix_claims":
            for cell in load(name, ROOT).cells:
                places[f"{name} {cell.slug}"] = cell.source
    for id_ in (i for i in exercise_ids() if i.split(".")[0] == chapter):
        one = exercise(id_)
        texts = [*one.hints, one.fact, one.transfer]
        texts += [text for prop in one.properties for text in (prop.says, prop.ask)]
        places[f"texts of {id_}"] = "\n".join(texts)
    leaks = [
        f"{place}: {run}"
        for place, text in places.items()
        for slug, some in hidden.items()
        for run in some & runs(text)
    ]
    assert leaks == []


def test_the_leak_test_sees_a_leak() -> None:
    hidden = secrets(next(path for path in SOURCES if chapter_of(path.name) == "2"))
    line = "return ordinary & ((noise < rate) | nearest)  # another comment"
    assert hidden["1"] & runs(f"for row in rows:\n    {line}")
    assert not hidden["1"] & runs("ordinary = ~torch.isin(ids, torch.tensor(special_ids))")  # given
    assert hidden["2"] & runs("return ids.masked_fill(~selected, -100)")
    assert not hidden["2"] & runs("labels = input_ids.masked_fill(~chosen, IGNORED)")
