"""Run a notebook as a learner would, offline, and keep what it shows.

The kernel is the running environment's own python3, started in the notebook's folder.
"""

import asyncio
import json
import os
import re
import time
from pathlib import Path

from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode, v4

from authoring.notebook import digest
from authoring.source import BuildError, Cell, Lesson

CELL_SECONDS = 20.0
LESSON_SECONDS, SOLUTION_SECONDS = 60.0, 30.0
PATIENCE = 600  # seconds after which a cell is given up, whatever the budget
ASSETS = Path("companion/data/assets")
GUARD = Path(__file__).resolve().parent / "kernel"  # holds the sitecustomize of the kernel
WIDGET = "application/vnd.jupyter.widget-view+json"
ANSI = re.compile(r"\x1b\[[0-9;]*m")

# Run after the last cell and thrown away: which of our files did this lesson use?
REPORT = Cell(
    "code",
    """\
import json, sys
print(json.dumps({
    "modules": sorted({
        module.__file__
        for name, module in list(sys.modules.items())
        if name.split(".")[0] == "companion" and getattr(module, "__file__", None)
    }),
    "assets": sorted(sys.modules["sitecustomize"].opened_assets),
}))""",
    "what-was-used",
)


def execute(
    notebook: NotebookNode, lesson: Lesson, folder: Path, root: Path, budget: bool = True
) -> None:
    """Run all cells in `folder`, fill in their outputs and the record of the run."""
    folder.mkdir(parents=True, exist_ok=True)
    notebook.cells.append(v4.new_code_cell(REPORT.source))
    seconds = asyncio.run(_run_cells(notebook, lesson, folder, root))
    report = json.loads(notebook.cells.pop().outputs[0].text)
    seconds.pop()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = tidy(cell.outputs)
    notebook.metadata.pop("widgets", None)
    if budget:
        _check_seconds(lesson, seconds)
    notebook.metadata.companion["seconds_measured"] = round(sum(seconds), 1)
    notebook.metadata.companion["modules"] = _hashes(report["modules"], lesson, root)
    notebook.metadata.companion["assets"] = _hashes(
        _with_folders(report["assets"], root), lesson, root
    )


async def _run_cells(
    notebook: NotebookNode, lesson: Lesson, folder: Path, root: Path
) -> list[float]:
    """Seconds of each cell; the first one that fails stops the build with its traceback."""
    # No kernel folders: the native python3 alone is left, which is this very interpreter.
    manager = AsyncKernelManager(
        kernel_name="python3",
        kernel_spec_manager=KernelSpecManager(kernel_dirs=[]),
        transport_encryption="auto",  # else ipykernel >= 7.3 warns at each start
    )
    client = NotebookClient(notebook, km=manager, timeout=PATIENCE, record_timing=False)
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, [str(GUARD), os.environ.get("PYTHONPATH")])),
        "COMPANION_RECORD_ASSETS": str(root / ASSETS),
        "HF_HUB_OFFLINE": "1",
        "COMPANION_EXPECT": "pass" if lesson.is_solution else "",
    }
    seconds = []
    async with client.async_setup_kernel(cwd=str(folder), env=environment, cleanup_kc=True):
        for index, node in enumerate(notebook.cells):
            cell = [*lesson.cells, REPORT][index]
            start = time.perf_counter()
            try:
                await client.async_execute_cell(node, index)
            except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
                text = ANSI.sub("", str(error)).strip()
                raise BuildError(
                    [f"{lesson.where(cell)} did not run: {type(error).__name__}\n{text}"]
                ) from None
            seconds.append(time.perf_counter() - start)
    return seconds


def tidy(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join the pieces of a stream; of a widget keep the picture, and nothing of a progress bar."""
    kept: list[NotebookNode] = []
    for output in outputs:
        last = kept[-1] if kept else None
        is_stream = output.output_type == "stream"
        if is_stream and last and last.output_type == "stream" and last.name == output.name:
            last.text += output.text
            continue
        if WIDGET in output.get("data", {}):
            if "text/html" not in output.data:
                continue
            output.data = NotebookNode({"text/html": output.data["text/html"]})
        output.pop("transient", None)
        kept.append(output)
    return kept


def _check_seconds(lesson: Lesson, seconds: list[float]) -> None:
    """Compare with the budgets; the prose states what the header states."""
    problems = [
        f"{lesson.where(cell)} took {taken:.1f} s, a cell has {CELL_SECONDS:.0f}: start from a "
        "shipped checkpoint or log, or do less"
        for cell, taken in zip(lesson.cells, seconds, strict=True)
        if taken > CELL_SECONDS
    ]
    total = sum(seconds)
    limit = SOLUTION_SECONDS if lesson.is_solution else LESSON_SECONDS
    if total > min(lesson.seconds, limit):
        problems.append(
            f"{lesson.origin}: took {total:.1f} s, its header states {lesson.seconds:g} and a "
            f"{'solution' if lesson.is_solution else 'lesson'} has {limit:.0f}: do less, or state "
            "more (in header and prose)"
        )
    if problems:
        raise BuildError([*problems, "(--no-budget builds all the same, on a busy machine)"])


def _with_folders(files: list[str], root: Path) -> list[str]:
    """The files opened, and all others of an asset's own folder.

    Native code (safetensors, tokenizers) opens files unseen; what it reads stands beside a
    config that Python opens.
    """
    found = set(files)
    for file in files:
        folder = Path(file).parent
        if folder != root / ASSETS:
            found.update(str(path) for path in folder.rglob("*") if path.is_file())
    return sorted(found)


def _hashes(files: list[str], lesson: Lesson, root: Path) -> dict[str, str]:
    """Path below the repository -> hash of the file."""
    hashes = {}
    for file in files:
        path = Path(file).resolve()
        if not path.is_relative_to(root):
            raise BuildError(
                [f"{lesson.origin}: companion was imported from {file}, not from {root}: "
                 "install this checkout with pip install -e ."]
            )  # fmt: skip
        hashes[path.relative_to(root).as_posix()] = digest(path.read_bytes())
    return hashes
