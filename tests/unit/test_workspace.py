"""my_work: copies that are made once, and never overwritten once a learner has touched them."""

import json

import pytest

from companion import cli
from companion.check.library import exercise_ids
from companion.workspace import FOLDER, RECORD, announcement, prepare


@pytest.fixture
def course(tmp_path):
    (tmp_path / "exercises").mkdir()
    for name in ("01_a.ipynb", "02_b.ipynb"):
        (tmp_path / "exercises" / name).write_text(f"{name}, version 1")
    return tmp_path


def text(course, name: str) -> str:
    return (course / FOLDER / name).read_text()


def test_the_first_time_everything_is_copied(course) -> None:
    done = prepare(course)
    assert done == (["01_a.ipynb", "02_b.ipynb"], [], [])
    assert text(course, "01_a.ipynb") == "01_a.ipynb, version 1"
    assert "Your copies of the exercises are in my_work/: 01_a.ipynb" in announcement(done)[0]


def test_the_second_time_nothing_happens(course) -> None:
    prepare(course)
    (course / FOLDER / "01_a.ipynb").write_text("my own work")
    done = prepare(course)
    assert done == ([], [], [])
    assert announcement(done) == []
    assert text(course, "01_a.ipynb") == "my own work"


def test_a_newer_version_renews_what_was_not_touched_and_announces_the_rest(course) -> None:
    prepare(course)
    (course / FOLDER / "01_a.ipynb").write_text("my own work")
    for name in ("01_a.ipynb", "02_b.ipynb"):
        (course / "exercises" / name).write_text(f"{name}, version 2")
    for _ in range(2):  # it is announced until something is done about it
        done = prepare(course)
        assert done.newer == ["01_a.ipynb"]
        assert text(course, "01_a.ipynb") == "my own work"
    assert text(course, "02_b.ipynb") == "02_b.ipynb, version 2"
    lines = announcement(done)
    assert "my_work/01_a.ipynb stays as it is; exercises/01_a.ipynb is newer" in lines[0]
    assert "rename yours, then run this command again" in lines[0]
    (course / FOLDER / "01_a.ipynb").rename(course / FOLDER / "01_mine.ipynb")
    assert prepare(course).copied == ["01_a.ipynb"]
    assert text(course, "01_mine.ipynb") == "my own work"


def test_a_new_chapter_is_added(course) -> None:
    prepare(course)
    (course / "exercises/03_c.ipynb").write_text("new")
    assert prepare(course).copied == ["03_c.ipynb"]


@pytest.mark.parametrize("damage", ["", "{", "[1]", '{"01_a.ipynb": 5}'])
def test_without_its_record_everything_counts_as_touched(course, damage) -> None:
    prepare(course)
    (course / FOLDER / RECORD).write_text(damage)
    (course / "exercises/01_a.ipynb").write_text("version 2")
    done = prepare(course)
    assert done.newer == ["01_a.ipynb"]
    assert text(course, "01_a.ipynb") == "01_a.ipynb, version 1"
    assert set(json.loads(text(course, RECORD))) >= {"02_b.ipynb"}


def test_the_command_says_it_and_goes_on_where_nothing_can_be_written(
    course, capsys, monkeypatch
) -> None:
    cli.copy_exercises(course)
    assert "Your copies of the exercises are in my_work/" in capsys.readouterr().out
    (course / "exercises/04_d.ipynb").write_text("new")

    def refuse(path, data):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("companion.workspace.replace_file", refuse)
    cli.copy_exercises(course)
    assert "could not be copied" in capsys.readouterr().out


def test_companion_progress(course, capsys, monkeypatch) -> None:
    monkeypatch.setattr(cli, "course_folder", lambda: course)
    monkeypatch.chdir(course)
    assert cli.main(["progress"]) == 0
    assert f"0 of {len(exercise_ids())} exercises passed" in capsys.readouterr().out
    (course / FOLDER).mkdir()
    (course / FOLDER / "progress.json").write_text('{"exercises": {"2.1": {"status": "PASS"}}}')
    assert cli.main(["progress"]) == 0
    assert f"1 of {len(exercise_ids())} exercises passed" in capsys.readouterr().out
    (course / FOLDER / "progress.json").write_text("{")
    assert cli.main(["progress"]) == 0
    assert "kept as progress.damaged-1.json" in capsys.readouterr().out
