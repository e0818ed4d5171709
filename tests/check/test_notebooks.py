"""The exercise notebook in a real kernel: what a learner sees, from the first run on."""

import asyncio
import re
from collections.abc import Callable

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbformat import NotebookNode

from authoring.build import ROOT
from companion.check.library import chapter_of, exercise_ids

EXERCISES = ROOT / "exercises/02_mlm_masking.ipynb"
ALL = sorted((ROOT / "exercises").glob("*.ipynb"))
SOLUTIONS = ROOT / "solutions/02_mlm_masking.ipynb"


def run(cells: list[NotebookNode], folder) -> list[NotebookNode]:
    """Execute cells in a fresh kernel that stands in `folder`."""
    notebook = nbformat.v4.new_notebook(cells=cells)
    manager = AsyncKernelManager(
        kernel_name="python3",
        kernel_spec_manager=KernelSpecManager(kernel_dirs=[]),
        transport_encryption="auto",
    )
    client = NotebookClient(notebook, km=manager, timeout=120, allow_errors=False)

    async def all_cells() -> None:
        async with client.async_setup_kernel(cwd=str(folder), cleanup_kc=True):
            for index, cell in enumerate(notebook.cells):
                if cell.cell_type == "code":
                    await client.async_execute_cell(cell, index)

    asyncio.run(all_cells())
    return notebook.cells


def cells_of(path, change: Callable[[str, str], str] = lambda _, source: source):
    cells = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    for cell in cells:
        cell.source, cell.outputs = change(cell.id, cell.source), []
    return cells


def statuses(cells: list[NotebookNode]) -> dict[str, str]:
    """Exercise id -> verdict, from the metadata of what was shown."""
    found = {}
    for cell in cells:
        for output in cell.get("outputs", []):
            if "check" in output.get("metadata", {}):
                one = output.metadata["check"]
                found[one["id"]] = one["status"]
    return found


def said(cells: list[NotebookNode], id_: str) -> str:
    """The text of an exercise's verdict."""
    for cell in cells:
        for output in cell.get("outputs", []):
            if output.get("metadata", {}).get("check", {}).get("id") == id_:
                return output.data["text/plain"]
    raise KeyError(id_)


@pytest.fixture
def folder(tmp_path):
    work = tmp_path / "my_work"
    work.mkdir()
    return work


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_unsolved_nothing_raises_and_nothing_is_started(path, folder) -> None:
    cells = run(cells_of(path), folder)
    assert statuses(cells) == dict.fromkeys(ids_of(path), "NOT_STARTED")
    assert not [o for cell in cells for o in cell.outputs if o.output_type == "error"]
    assert not (folder / "mine.py").exists()


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_the_committed_solutions_all_pass(path) -> None:
    cells = nbformat.read(ROOT / "solutions" / path.name, as_version=4).cells
    assert statuses(cells) == dict.fromkeys(ids_of(path), "PASS")


def ids_of(path) -> list[str]:
    """The exercises of a notebook."""
    return [id_ for id_ in exercise_ids() if id_.split(".")[0] == chapter_of(path.name)]


def test_from_unsolved_over_wrong_to_solved(folder) -> None:
    """One session, with all that can happen in one: pasted answers, right, wrong, borrowed, ..."""
    solved = {cell.id: cell.source for cell in cells_of(SOLUTIONS)}
    answers = {
        "02-ex-1": solved["02-ex-1"],
        "02-ex-2": "def make_labels(ids, corrupted, selected):\n"
        "    return ids.masked_fill(ids == corrupted, -100)",
        "02-ex-3": "from companion.masking import corrupt as theirs\n\n"
        "def corrupt(ids, selected, mask_id, candidates, generator):\n"
        "    return theirs(ids, selected, mask_id=mask_id, vocab_size=10000,\n"
        "                  special_ids=[mask_id], generator=generator).corrupted",
        "02-ex-4": "guess_2_4 = 0.5\n\ndef changed_share(ids, corrupted):\n"
        "    return (ids != corrupted).float().mean().item()",
        "02-ex-5": "def mask_batch(ids, selected, mask_id):\n    torch = 5\n"
        "    return torch.full_like(ids, 1)",
        "02-ex-6": "pass",
        "02-ex-7": "def choose_words(word_ids, rate, generator):\n    print('x' * 10_000_000)\n"
        "    while True:\n        try:\n            while True:\n                pass\n"
        "        except:\n            pass",
        "02-ex-8": "def mask_seed(seed, epoch, worker, index):\n    import sys\n\n    sys.exit()",
    }
    cells = run(cells_of(EXERCISES, lambda id_, source: answers.get(id_, source)), folder)
    assert statuses(cells) == {
        "2.1": "PASS", "2.2": "WRONG", "2.3": "BORROWED", "2.4": "PASS", "2.5": "RAISED",
        "2.6": "NOT_RUN", "2.7": "TOO_SLOW", "2.8": "RAISED",
    }  # fmt: skip
    assert re.search(r"as run in In\[\d+\]", said(cells, "2.2"))
    assert "labels where the text looks different" in said(cells, "2.2")
    assert "the course's own corrupt ran inside your function" in said(cells, "2.3")
    assert "50.0 %; measured: 13" in said(cells, "2.4")
    assert re.search(r"In\[\d+\], line 3: return torch.full_like\(ids, 1\)", said(cells, "2.5"))
    assert "run the cell that defines prepare (Shift+Enter)" in said(cells, "2.6")
    assert "had run for 10 s" in said(cells, "2.7")
    assert len(said(cells, "2.7")) < 3000  # ten million characters were printed
    assert "a function ends with return" in said(cells, "2.8")
    text = (folder / "mine.py").read_text()
    assert "def choose(" in text
    assert "def changed_share(" in text
    assert "def make_labels(" not in text


def test_a_newer_cell_that_did_not_run_through_is_said(folder) -> None:
    """A syntax error or a misspelt name leaves the older function in place."""
    solved = {cell.id: cell.source for cell in cells_of(SOLUTIONS)}
    setup = next(cell.source for cell in cells_of(EXERCISES) if cell.id == "02-ex-setup")
    misspelt = "def make_label(ids, corrupted, selected):\n    return ids"
    cells = [
        nbformat.v4.new_code_cell(source)
        for source in (setup, solved["02-ex-2"], misspelt, 'check("2.2")')
    ]
    text = said(run(cells, folder), "2.2")
    assert "✔ Pass" in text
    assert "this judges In[2]; In[3] is newer, but it defines make_label" in text
