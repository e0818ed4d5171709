"""The committed notebooks: made from their sources, up to date, and within the course's rules."""

import os
import shutil
import subprocess
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from authoring.build import ROOT, load, main, sources
from authoring.checks import handed_out_problems, private_places, problems_of
from authoring.execute import execute
from authoring.links import broken_links
from authoring.notebook import differences, make_notebook
from authoring.prose import lesson_problems, prose_problems
from authoring.source import Cell, Lesson
from authoring.stale import notebook_path, orphans, stale_reasons

MAX_TREE = 60 * 2**20


@pytest.fixture(scope="module")
def pages() -> dict[str, tuple[Lesson, NotebookNode]]:
    """Every lesson, and the appendix, with its committed notebook."""
    names = sources(ROOT)
    if not any(name != "appendix_claims" for name in names):
        pytest.fail("authoring/lessons holds no lesson: a course without lessons is not done")
    missing = [name for name in names if not notebook_path(name, ROOT).is_file()]
    if missing:
        pytest.fail(f"no notebook for {', '.join(missing)}: run make build and commit the result")
    return {
        name: (load(name, ROOT), nbformat.read(notebook_path(name, ROOT), as_version=4))
        for name in names
    }


def listed(problems: dict[str, list[str]]) -> str:
    return "\n".join(f"{name}: {line}" for name, lines in problems.items() for line in lines)


def test_committed_notebooks_are_what_their_sources_make(pages) -> None:
    problems = {name: differences(make_notebook(one), nb) for name, (one, nb) in pages.items()}
    assert not listed(problems), f"run make build; edit sources alone\n{listed(problems)}"


def test_nothing_is_stale(pages, capsys) -> None:
    problems = {name: stale_reasons(lesson, ROOT) for name, (lesson, _) in pages.items()}
    assert not listed(problems), f"run make build\n{listed(problems)}"
    assert main(["--check"]) == 0, capsys.readouterr().out


def test_every_notebook_has_a_source() -> None:
    assert orphans(set(sources(ROOT)), ROOT) == []


def test_outputs(pages) -> None:
    """Alternative texts, sizes, no widget state, no warnings, no paths of a machine."""
    places = private_places(ROOT)
    problems = {
        name: handed_out_problems(notebook)
        if lesson.is_handed_out
        else problems_of(notebook, places)
        for name, (lesson, notebook) in pages.items()
    }
    assert not listed(problems), listed(problems)


def test_lessons_keep_the_rules_of_the_course(pages) -> None:
    problems = {
        name: lesson_problems(lesson, notebook)
        if lesson.origin.startswith("authoring/lessons/")
        else prose_problems(notebook)
        for name, (lesson, notebook) in pages.items()
        if name != "appendix_claims"
    }
    assert not listed(problems), listed(problems)


def test_links_lead_somewhere(pages) -> None:
    files = [notebook_path(name, ROOT) for name in pages]
    files += [path for name in ("README.md", "CONTRIBUTING.md") if (path := ROOT / name).is_file()]
    problems = {path.name: broken_links(path) for path in files}
    assert not listed(problems), listed(problems)


def tree_bytes(root: Path) -> int:
    """Size of what is or would be committed; of everything visible where there is no git."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names: list[str] = []
    if shutil.which("git"):
        listing = subprocess.run(command, cwd=root, capture_output=True, check=False)
        names = listing.stdout.decode().split("\0") if listing.returncode == 0 else []
    paths = [root / name for name in names if name]
    if not paths:
        for folder, folders, files in os.walk(root):
            folders[:] = [name for name in folders if not name.startswith(".")]
            paths += [Path(folder) / name for name in files]
    return sum(path.stat().st_size for path in paths if path.is_file() and not path.is_symlink())


def test_the_tree_stays_small() -> None:
    size = tree_bytes(ROOT)
    assert 0 < size < MAX_TREE, f"{size:,} bytes; {MAX_TREE:,} are allowed"


def test_tree_bytes_without_git(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    (tmp_path / "a.txt").write_text("12345")
    assert tree_bytes(tmp_path) == 5


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_tree_bytes_in_a_repository(tmp_path) -> None:
    (tmp_path / "a.txt").write_text("12345")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden/b.txt").write_text("12345")
    assert tree_bytes(tmp_path) == 5
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / ".gitignore").write_text(".hidden\n")
    assert tree_bytes(tmp_path) == 5 + 8


def test_the_build_sees_every_asset_that_a_loader_reads(tmp_path) -> None:
    """Files that native code opens by name are invisible: read them in Python, hand them over."""
    code = (
        "from companion.data import load_corpus, load_tokenizer\n\n"
        "load_tokenizer('wiki')\nload_corpus('wiki', split='validation')"
    )
    cells = (Cell("markdown", "# Probe"), Cell("code", code))
    lesson = Lesson("00_probe", "00", "probe", "Probe", "None", 60, cells)
    notebook = make_notebook(lesson)
    execute(notebook, lesson, tmp_path, ROOT, budget=False)
    seen = {Path(name).name for name in notebook.metadata.companion.assets}
    assert seen == {"wiki.jsonl.xz", "wiki-wordpiece.json"}
