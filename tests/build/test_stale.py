"""What is out of date, and why: the build runs that and nothing else."""

import json

import nbformat
import pytest


def check(course, capsys) -> str:
    status = course.build("--check")
    out = capsys.readouterr().out
    assert status == ("up to date" not in out)
    return out


def test_up_to_date(built, capsys) -> None:
    assert "every notebook is up to date" in check(built, capsys)
    before = built.notebook.stat().st_mtime_ns
    assert built.build() == 0
    assert "nothing is stale" in capsys.readouterr().out
    assert built.notebook.stat().st_mtime_ns == before


def test_reasons_by_name(built, capsys) -> None:
    built.replace("Twice x", "Two times x", built.module)
    built.asset.write_text("one two three four")
    out = check(built, capsys)
    assert "stale: 02_sum: source: cell 02-start: source differs" in out  # it includes `double`
    assert "stale: 02_sum: module: companion/tiny.py changed" in out
    assert "stale: 02_sum: asset: companion/data/assets/words.txt changed" in out
    assert "appendix" not in out
    assert built.build() == 0
    assert "every notebook is up to date" in check(built, capsys)
    assert nbformat.read(built.notebook, as_version=4).cells[1].outputs[0].text == "4 4\n"


def test_one_reason_at_a_time(built, capsys) -> None:
    built.asset.unlink()
    assert check(built, capsys) == (
        "stale: 02_sum: asset: companion/data/assets/words.txt is gone\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("assert double(2) == 4", "assert double(3) == 6", "cell 02-four: source differs"),
        ('tags=["claim"]', 'tags=["claim", "slide"]', "cell 02-four: metadata differs"),
        ('id="four"', 'id="for"', "cell 02-for: id differs"),
        ("# seconds: 15", "# seconds: 16", "its metadata differs"),
        ('# %% [markdown] id="end"', '# %%\nx = 1\n\n# %% [markdown] id="end"', "has 7 cells"),
    ],
)
def test_source(built, capsys, old: str, new: str, reason: str) -> None:
    built.replace(old, new)
    assert reason in check(built, capsys)


def test_edited_by_hand(built, capsys) -> None:
    built.replace("Two and two are four.", "Two and two are five.", built.notebook)
    assert "source: cell 02-start: source differs" in check(built, capsys)


def test_never_executed_missing_and_broken(built, capsys) -> None:
    content = json.loads(built.notebook.read_text())
    del content["metadata"]["companion"]["modules"]
    built.notebook.write_text(json.dumps(content))
    assert "never executed" in check(built, capsys)
    built.notebook.write_text("{")
    assert "cannot be read" in check(built, capsys)
    built.notebook.unlink()
    assert "there is no notebook yet" in check(built, capsys)


def test_a_notebook_without_a_source(built, capsys) -> None:
    built.notebook.with_name("03_old.ipynb").write_text("{}")
    assert "notebooks/03_old.ipynb: nothing in authoring/ makes it" in check(built, capsys)


def test_force_and_names(built, capsys) -> None:
    assert built.build("--force", "02_sum") == 0
    out = capsys.readouterr().out
    assert "building 02_sum (forced)" in out
    assert "appendix" not in out
    assert built.build("03_none") == 1
    assert "no source for 03_none; known: 02_sum, appendix_claims" in capsys.readouterr().out
