"""Do the notebook tests test anything? Every cell is collected, every lesson says something."""

import re
import subprocess
from pathlib import Path

import nbformat
import pytest
import run

from authoring.build import ROOT


def collected(folder: Path) -> dict[str, int]:
    """Notebook name -> number of items that stage 5 would run."""
    step = run.nbval_step(folder)
    step.command.extend(["--collect-only", "-q"])
    result = run.run_step(step, capture_output=True, text=True)
    counts: dict[str, int] = {}
    for name in re.findall(r"([^/\s]+\.ipynb)::", result.stdout):
        counts[name] = counts.get(name, 0) + 1
    return counts


def code_cells(folder: Path) -> dict[str, int]:
    """Notebook name -> number of its code cells."""
    return {
        path.name: sum(cell.cell_type == "code" for cell in nbformat.read(path, as_version=4).cells)
        for path in sorted(folder.rglob("*.ipynb"))
        if ".ipynb_checkpoints" not in path.parts
    }


def vacuous(path: Path) -> list[str]:
    """What a lesson lacks to be more than prose that runs."""
    cells = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    tagged = {
        tag: [cell for cell in cells if tag in cell.metadata.get("tags", [])]
        for tag in ("claim", "nbval-check-output")
    }
    problems = [f"{path.name}: no cell is tagged {tag}" for tag, hit in tagged.items() if not hit]
    # nbval compares nothing, and passes, where the committed cell was never run
    problems += [
        f"{path.name}: compared cell {cell.id} has no outputs or was never run"
        for cell in tagged["nbval-check-output"]
        if cell.execution_count is None or not cell.outputs
    ]
    skipped = {"nbval-skip", "nbval-ignore-output", "raises-exception", "nbval-raises-exception"}
    problems += [
        f"{path.name}: cell {cell.id} is tagged {tag}: nbval would let it pass"
        for cell in cells
        for tag in skipped & set(cell.metadata.get("tags", []))
    ]
    return problems


def test_every_code_cell_is_an_item() -> None:
    folders = [ROOT / name for name in run.EXPECTED if (ROOT / name).is_dir()]
    assert code_cells(ROOT / "notebooks"), "notebooks/ holds no notebook: run make build"
    for folder in folders:
        assert collected(folder) == code_cells(folder)


def test_every_lesson_claims_and_compares() -> None:
    lessons = sorted((ROOT / "authoring/lessons").glob("*.py"))
    assert lessons, "authoring/lessons holds no lesson: a course without lessons is not done"
    paths = [ROOT / "notebooks" / f"{path.stem}.ipynb" for path in lessons]
    problems = [line for path in paths for line in vacuous(path)]
    assert not problems, "\n".join(problems)


def test_collected_sees_a_missing_item(built) -> None:
    folder = built.notebook.parent
    assert (
        collected(folder) == code_cells(folder) == {"02_sum.ipynb": 4, "appendix_claims.ipynb": 3}
    )
    assert collected(built.root / "companion") == {}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"claim"', '"slide"', "no cell is tagged claim"),
        ('"nbval-check-output"', '"slide"', "no cell is tagged nbval-check-output"),
        ('"execution_count": 1', '"execution_count": null', "02-sum has no outputs"),
        ('"playground"', '"nbval-skip"', "is tagged nbval-skip"),
    ],
)
def test_vacuous(built, old: str, new: str, message: str) -> None:
    assert vacuous(built.notebook) == []
    built.replace(old, new, built.notebook)
    assert any(message in line for line in vacuous(built.notebook))


def test_a_failed_step_fails_its_stage(monkeypatch, capsys) -> None:
    fails, passes = (run.Step([run.PYTHON, "-c", f"raise SystemExit({n})"]) for n in (3, 0))
    table = {1: ("good", [passes]), 2: ("bad", [passes, fails, passes]), 3: ("late", [passes])}
    monkeypatch.setattr(run, "stages", lambda: table)
    assert run.main([]) == 1
    out = capsys.readouterr().out
    assert re.search(r"2 +\d+\.\d  FAILED  bad\n +failed: -c raise SystemExit\(3\)", out)
    assert re.search(r"3 +\d+\.\d  passed  late", out)
    assert run.main(["1", "3"]) == 0
    assert run.main(["7"]) == 2


def test_the_command_works_from_anywhere(tmp_path) -> None:
    command = [run.PYTHON, str(ROOT / "tests/run.py"), "9"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "no stage 9; there are 1, 2, 3, 4, 5" in result.stdout
