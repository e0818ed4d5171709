"""From source to notebook: includes, ids, and the same bytes every time."""

import os

import nbformat
import pytest

from authoring.build import load, sources
from authoring.include import object_source
from authoring.notebook import make_notebook, to_text, write_whole
from authoring.prose import lesson_problems
from authoring.stale import notebook_path, orphans


def ids(course) -> list[str]:
    return [cell.id for cell in make_notebook(load("02_sum", course.root)).cells]


def test_include_is_the_file_s_own_text(course) -> None:
    first = make_notebook(load("02_sum", course.root)).cells[0].source
    assert 'def double(x: int) -> int:\n    """Twice x."""\n    return 2 * x\n```' in first
    course.replace("2 * x", "x + x", course.module)
    assert "return x + x" in make_notebook(load("02_sum", course.root)).cells[0].source


def test_include_in_code_is_code(course) -> None:
    course.replace("assert double(2) == 4", "# include: companion.tiny.double\n\nassert double(2)")
    source = make_notebook(load("02_sum", course.root)).cells[2].source
    assert source.startswith("def double(x: int)")
    assert source.endswith("\n\nassert double(2)")


def test_include_of_other_objects(course) -> None:
    course.module.write_text(
        "import functools\nSHARE: float = 0.8\nRATE = 0.15\n\n\n@functools.cache\ndef f():\n"
        "    pass\n\n\nclass A:\n    @property\n    def g(self):\n        return 1\n"
    )
    source = {
        name: object_source(f"companion.tiny.{name}", course.root)
        for name in ("SHARE", "RATE", "f", "A.g")
    }
    assert source == {
        "SHARE": "SHARE: float = 0.8",
        "RATE": "RATE = 0.15",
        "f": "@functools.cache\ndef f():\n    pass",
        "A.g": "@property\ndef g(self):\n    return 1",
    }
    with pytest.raises(ValueError, match="does not define h"):
        object_source("companion.tiny.A.h", course.root)


def test_named_ids_stay_when_a_cell_changes(course) -> None:
    course.replace('# %% [markdown] id="end"', "# %% [markdown]")
    course.replace('# %% id="four"', "# %%")
    before = ids(course)
    assert before[:2] == ["02-start", "02-sum"]
    assert before[2].startswith("02-02-")
    course.replace("assert double(2) == 4", "assert double(3) == 6")
    after = ids(course)
    changed = [one for one, other in zip(before, after, strict=True) if one != other]
    assert changed == [before[2]]
    course.replace('# %% id="figures"', '# %%\nnew = 1\n\n# %% id="figures"')
    assert {"02-start", "02-sum", "02-pictures", "02-figures", "02-play"} < set(ids(course))


def test_same_source_same_bytes(course) -> None:
    one, other = (to_text(make_notebook(load("02_sum", course.root))) for _ in range(2))
    assert one == other
    assert one.endswith("}\n")
    assert "\r" not in one
    notebook = nbformat.reads(one, as_version=4)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert notebook.metadata.kernelspec.name == "python3"
    assert notebook.metadata.language_info == {"name": "python"}
    assert "generated from authoring/lessons/02_sum.py, do not edit" in notebook.cells[0].source
    assert "do not edit" in notebook.metadata.companion.generated


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch) -> None:
    path = tmp_path / "a.ipynb"
    write_whole(path, "old\n")

    def refuse(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="disk full"):
        write_whole(path, "new\n")
    assert path.read_text() == "old\n"
    assert os.listdir(tmp_path) == ["a.ipynb"]


def test_appendix_links_claims_to_their_cells(course) -> None:
    notebook = make_notebook(load("appendix_claims", course.root))
    text = "\n".join(cell.source for cell in notebook.cells)
    assert "(02_sum.ipynb#cell-id=02-sum)" in text
    assert "### Claim 17: wrong" in text
    assert '(17, "A", "02", "wrong")' in text


def test_an_extra_has_its_own_folder_and_ids(course) -> None:
    source = course.root / "authoring/lessons/extra/02_more.py"
    source.parent.mkdir()
    source.write_text(course.lesson.read_text())
    assert list(sources(course.root)) == ["02_sum", "extra/02_more", "appendix_claims"]
    extra = make_notebook(load("extra/02_more", course.root))
    assert all(cell.id.startswith("02-extra-") for cell in extra.cells)
    path = notebook_path("extra/02_more", course.root)
    assert path == course.root / "notebooks/extra/02_more.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    (path.parent / "03_old.ipynb").write_text("{}")
    found = orphans(set(sources(course.root)), course.root)
    assert found == ["notebooks/extra/03_old.ipynb"]


def test_an_extra_owes_no_number_of_figures_and_claims(course) -> None:
    source = course.root / "authoring/lessons/extra/02_more.py"
    source.parent.mkdir()
    text = course.lesson.read_text()
    source.write_text(
        text[: text.index('# %% id="sum"')] + text[text.index('# %% [markdown] id="end"') :]
    )
    extra = load("extra/02_more", course.root)
    problems = lesson_problems(extra, make_notebook(extra))
    assert problems == [
        "0 sections (##); a lesson has 1 to 6",
        "0 code cells; a lesson has 1 to 25",
    ]
