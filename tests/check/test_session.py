"""Hints, solutions, progress and saved functions: what a learner has is never lost."""

import json
from pathlib import Path

import pytest
import torch

from companion import check
from companion.check import mine
from companion.check.library import exercise, exercise_ids
from companion.check.mine import save_functions
from companion.check.records import FILE, Progress, Record
from companion.check.session import InterruptedCheck, Session
from companion.check.source import IMPORTS

HELPER = 100

ALL = len(exercise_ids())
EXERCISES = Path(__file__).resolve().parents[2] / "exercises"


def make_labels(ids, corrupted, selected):
    return ids.masked_fill(~selected, -HELPER)


def wrong_labels(ids, corrupted, selected):
    return ids.masked_fill(~selected, 0)


@pytest.fixture
def work(tmp_path, monkeypatch):
    """A learner's folder, and a session in it."""
    folder = tmp_path / "my_work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.delenv("COMPANION_EXPECT", raising=False)
    monkeypatch.setattr(check, "_session", Session())
    return folder


def on_disk(folder) -> dict:
    return json.loads((folder / FILE).read_text())["exercises"]


def test_names_come_from_where_the_call_stands(work) -> None:
    assert check("2.2").passed  # make_labels of this file
    assert not check("2.2", make_labels=wrong_labels).passed


@pytest.mark.parametrize("id_", ["2.2", 2.2, "2,2", " 2.2 "])
def test_an_id_may_be_written_otherwise(work, id_) -> None:
    assert check(id_).passed
    assert "1 of 8" in str(check.progress(2))
    assert "1 of 8" in str(check.progress("02"))


def test_a_cell_that_failed_is_named(work) -> None:
    """Of a first attempt with a syntax error nothing exists; run it again is bad advice."""
    cells = ["", "import torch", "def make_labels(ids, corrupted, selected)\n    return ids"]
    space = {"check": check, "In": cells}
    exec("result = check('2.2')", space)
    assert "In[2] says def make_labels, but there is no make_labels" in str(space["result"])
    cells[2] = cells[2].replace("make_labels", "labels")
    exec("result = check('2.2')", space)
    assert "In[2]" not in str(space["result"])


def test_verdicts_are_kept_and_a_solved_exercise_stays_solved(work) -> None:
    check("2.2")
    assert on_disk(work)["2.2"]["passed"]
    space = {"check": check}
    exec("result = check('2.2')", space)  # a notebook in which make_labels was not run
    assert space["result"].status.name == "NOT_RUN"
    assert on_disk(work)["2.2"]["passed"]
    check("2.2", make_labels=wrong_labels)  # who tries on loses nothing
    assert on_disk(work)["2.2"]["status"] == "WRONG"
    text = str(check.progress("2"))
    assert "1 of 8 exercises passed" in text
    assert "✔ Pass" in text
    assert "last try: △ Not yet" in text


def test_a_restarted_kernel_is_told_apart_from_a_cell_not_run(work) -> None:
    fresh: dict = {"check": check}
    exec("result = check('2.2')", fresh)
    assert "run the cell that defines make_labels" in str(fresh["result"])
    check("2.2")
    check._session = Session()  # a new kernel; the file is still there
    exec("result = check('2.2')", fresh)
    assert "make_labels was there before, and is not there now" in str(fresh["result"])
    assert "Run All Above Selected Cell" in str(fresh["result"])
    assert "does your cell say def make_labels" in str(fresh["result"])


def test_a_cell_with_a_guess_that_failed_is_named(work) -> None:
    cells = ["", "guess_2_4 = 0.1\ndef changed_share(ids, corrupted)\n    return 1"]
    space = {"check": check, "In": cells}
    exec("result = check('2.4')", space)
    assert "In[1] says def changed_share" in str(space["result"])


def test_who_interrupts_a_check_loses_nothing(work) -> None:
    for _ in range(2):
        check("2.2", make_labels=wrong_labels)
    before = on_disk(work)

    def make_labels(ids, corrupted, selected):
        raise KeyboardInterrupt

    with pytest.raises(InterruptedCheck, match="nothing was judged") as stopped:
        check("2.2", make_labels=make_labels)  # raises, so that Run All does not go on
    assert stopped.value._render_traceback_() == str(stopped.value).splitlines()
    assert on_disk(work) == before
    assert "check.hint" in str(check("2.2", make_labels=wrong_labels))


def test_a_hint_is_offered_after_three_tries_at_one_property(work) -> None:
    results = [str(check("2.2", make_labels=wrong_labels)) for _ in range(3)]
    assert ["check.hint" in text for text in results] == [False, False, True]
    check("2.2", make_labels=lambda a, b, c: None)  # another property: counting starts again
    assert "check.hint" not in str(check("2.2", make_labels=wrong_labels))


def test_three_hints(work) -> None:
    shown = [str(check.hint("2.2")) for _ in range(4)]
    for number, text in enumerate(shown[:3]):
        assert exercise("2.2").hints[number] in text
        assert f"hint {number + 1} of 3" in text
    assert shown[3] == shown[2]
    assert on_disk(work)["2.2"]["hints"] == 3
    for _ in range(4):
        result = check("2.2", make_labels=wrong_labels)
    assert "check.hint" not in str(result)  # there is none left to offer


def test_the_solution_asks_first_and_then_asks_on(work) -> None:
    first = str(check.solution("2.2"))
    assert "masked_fill" not in first
    assert "has 3 more" in first
    assert "reveal=True" in first
    for _ in range(3):
        check.hint("2.2")
    assert "more" not in str(check.solution("2.2"))
    second = check.solution("2.2", reveal=True)
    assert "return ids.masked_fill(~selected, -100)" in str(second)
    assert exercise("2.2").transfer in str(second)
    assert "<pre>" in second._repr_html_()
    assert on_disk(work)["2.2"]["revealed"]
    assert "solution seen" in str(check.progress())


def test_a_missing_solutions_folder_is_named(work, monkeypatch) -> None:
    monkeypatch.setattr("companion.check.session.__file__", str(work / "a/b/c.py"))
    with pytest.raises(FileNotFoundError, match="get that folder again"):
        check.solution("2.2", reveal=True)


def test_progress_is_a_table_in_words(work) -> None:
    check("2.2")
    check("2.5", mask_batch=lambda *_: None)
    text = str(check.progress("2"))
    assert text.startswith("1 of 8 exercises passed")
    assert "2.2   Make the labels" in text
    assert "✔ Pass" in text
    assert "△ Not yet" in text
    assert text.count("○ Not started") == 6
    assert check.progress()._repr_html_().count("<tr>") == 1 + ALL


def test_first_cells_import_what_given_functions_may_use() -> None:
    for path in sorted(EXERCISES.glob("*.ipynb")):
        cells = json.loads(path.read_text())["cells"]
        names: dict = {}
        first = next(cell for cell in cells if cell["cell_type"] == "code")
        imports = [
            line
            for line in "".join(first["source"]).splitlines()
            if line.startswith("import") and "companion" not in line
        ]
        exec("\n".join(imports), names)
        names.pop("__builtins__")
        assert names
        assert names.items() <= IMPORTS.items(), path.name


def test_given_is_the_faulty_function(work) -> None:
    ids = torch.tensor([[11, 12]])
    _, labels = check.given("2.5")(ids, torch.tensor([[True, False]]), 4)
    assert labels.tolist() == [[4, -100]]  # the bug: the label says [MASK]
    assert not check("2.5", mask_batch=check.given("2.5")).passed


def test_a_damaged_file_is_set_aside(work) -> None:
    for number, damage in enumerate(["{", "[]", '{"exercises": {"2.2": {"status": "FINE"}}}'], 1):
        (work / FILE).write_text(damage)
        result = check("2.2")
        assert result.passed
        assert f"kept as progress.damaged-{number}.json" in str(result)
        assert (work / f"progress.damaged-{number}.json").read_text() == damage
        assert on_disk(work)["2.2"]["status"] == "PASS"
        assert "damaged" not in str(check("2.2"))  # said once


def test_a_file_of_a_later_version_keeps_what_is_known(work) -> None:
    (work / FILE).write_text('{"version": 2, "exercises": {"2.1": {"status": "PASS", "mood": 1}}}')
    assert Progress(work).of("2.1") == Record(status="PASS", passed=True)


def test_two_notebooks_write_into_one_file(work) -> None:
    one, other = Session(), Session()
    one.check("2.2", {"make_labels": make_labels})
    other.check("2.5", {"mask_batch": lambda *_: None})
    one.hint("2.2")
    assert set(on_disk(work)) == {"2.2", "2.5"}


def test_a_folder_that_cannot_be_written(work, monkeypatch) -> None:
    def refuse(path, data):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("companion.check.records.replace_file", refuse)
    monkeypatch.setattr("companion.check.mine.replace_file", refuse)
    result = check("2.2")
    assert result.passed
    assert "could not be written (Read-only file system)" in str(result)
    assert f"1 of {ALL}" in str(check.progress())  # this session still knows


def test_outside_of_a_workspace_nothing_is_written(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(check, "_session", Session())
    assert check("2.2").passed
    assert f"1 of {ALL}" in str(check.progress())
    assert list(tmp_path.iterdir()) == []


def test_passed_functions_are_saved_with_what_they_need(work) -> None:
    check("2.2")
    check("2.5", mask_batch=repaired)
    text = (work / mine.FILE).read_text()
    assert text.index("exercise 2.2") < text.index("exercise 2.5")
    space: dict = {"__name__": "mine"}
    exec(text, space)
    ids, chosen = torch.tensor([[7, 8]]), torch.tensor([[True, False]])
    assert space["make_labels"](ids, ids, chosen).tolist() == [[7, -100]]
    assert space["repaired"](ids, chosen, 4)[1].tolist() == [[7, -100]]
    check("2.2")  # once more: replaced, not doubled
    assert (work / mine.FILE).read_text() == text


def repaired(ids, selected, mask_id):
    seen = filled(ids, selected, mask_id)
    return seen, ids.masked_fill(~selected, -100)


def filled(ids, selected, value: int = 4):
    return ids.masked_fill(selected, value)


def test_helpers_of_the_notebook_are_saved_with_their_decorators(work) -> None:
    path = work / "cell.py"
    path.write_text(
        "import functools\n\n@functools.cache\ndef hundred(sign: int = -1):\n"
        "    return 100 * sign\n\n"
        "def make_labels(ids, seen, chosen):\n    return ids.masked_fill(~chosen, hundred())\n"
    )
    space: dict = {"__name__": "__main__"}
    exec(compile(path.read_text(), str(path), "exec"), space)
    assert save_functions(work, "2.2", {"make_labels": space["make_labels"]}) == ""
    text = (work / mine.FILE).read_text()
    assert "@functools.cache\ndef hundred" in text
    assert "from __main__" not in text
    saved: dict = {}
    exec(text, saved)
    assert saved["make_labels"](torch.tensor([7]), None, torch.tensor([False])).tolist() == [-100]


def test_a_global_with_the_name_of_a_parameter_is_not_saved(work) -> None:
    path = work / "cell.py"
    path.write_text(
        "BASE = 100\nids = [1, 2]\n\ndef make_labels(ids, seen, chosen):\n"
        "    return ids.masked_fill(~chosen, -BASE)\n"
    )
    space: dict = {"__name__": "__main__"}
    exec(compile(path.read_text(), str(path), "exec"), space)
    assert save_functions(work, "2.2", {"make_labels": space["make_labels"]}) == ""
    text = (work / mine.FILE).read_text()
    assert "BASE = 100" in text
    assert "ids = [1, 2]" not in text


def test_wrong_functions_are_not_saved(work) -> None:
    check("2.2", make_labels=wrong_labels)
    assert not (work / mine.FILE).exists()


def test_a_function_that_cannot_stand_alone_is_said(work) -> None:
    table = torch.tensor([-100])
    space = {"check": check, "table": table}
    source = "make_labels = lambda ids, seen, chosen: ids.masked_fill(~chosen, int(table[0]))"
    exec(source + "\nresult = check('2.2')", space)
    assert space["result"].passed
    assert "it was not saved in mine.py" in str(space["result"])


def test_what_is_expected_raises_otherwise(work, monkeypatch) -> None:
    monkeypatch.setenv("COMPANION_EXPECT", "pass")
    assert check("2.2").passed
    with pytest.raises(AssertionError, match="COMPANION_EXPECT is pass"):
        check("2.2", make_labels=wrong_labels)
    monkeypatch.setenv("COMPANION_EXPECT", "not_started")
    with pytest.raises(AssertionError, match="COMPANION_EXPECT is not_started"):
        check("2.2")


def test_a_stub_is_known_by_its_syntax_tree(work, tmp_path) -> None:
    from companion.check.source import is_stub, stubs

    def from_text(source: str):
        path = tmp_path / f"cell{len(list(tmp_path.iterdir()))}.py"
        path.write_text(source)
        space: dict = {"torch": torch}
        exec(compile(source, str(path), "exec"), space)
        return space["mask_batch"]

    given = stubs()["2.5"]
    same = given.replace("corrupted = ids", "corrupted   =  ids  # a note")
    other = given.replace("corrupted = ids", "corrupted = ids[:]")
    assert is_stub("2.5", "mask_batch", from_text(given))
    assert is_stub("2.5", "mask_batch", from_text(same))
    assert not is_stub("2.5", "mask_batch", from_text(other))
    result = check("2.5", mask_batch=from_text(same))
    assert "this is still the code as given" in str(result)
