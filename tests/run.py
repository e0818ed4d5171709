"""Run the tests stage by stage: `python tests/run.py` runs all, `python tests/run.py 2 4` these.

Every stage runs, also after one that failed; the exit status is 0 when all of them passed.
"""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KERNEL = ROOT / "authoring" / "kernel"  # its sitecustomize keeps kernels off the network
PYTHON = sys.executable
CELL_SECONDS = 120
# Which verdict the checks must give: an exercise as shipped is not started, a solution passes.
EXPECTED = {"notebooks": "", "solutions": "pass", "exercises": "not_started"}


@dataclass(frozen=True)
class Step:
    """One command, and what it finds in its environment beyond ours."""

    command: list[str]
    environment: dict[str, str] = field(default_factory=dict)


def nbval_step(folder: Path, expect: str = "", seconds: int = CELL_SECONDS) -> Step:
    """The command that runs every notebook of a folder in fresh kernels without a network."""
    command = [
        *(PYTHON, "-m", "pytest", str(folder), "--nbval-lax", "--nbval-current-env"),
        f"--nbval-cell-timeout={seconds}",
        f"--nbval-sanitize-with={ROOT / 'tests' / 'sanitize.cfg'}",
    ]
    path = os.pathsep.join(filter(None, [str(KERNEL), os.environ.get("PYTHONPATH")]))
    environment = {"PYTHONPATH": path, "HF_HUB_OFFLINE": "1"}
    return Step(command, environment | ({"COMPANION_EXPECT": expect} if expect else {}))


def pytest_step(*folders: str) -> Step:
    """pytest over those of the folders that exist; the first one has to."""
    found = [name for name in folders if name == folders[0] or (ROOT / name).is_dir()]
    # Tests use small tensors: a second thread costs more than it brings.
    return Step([PYTHON, "-m", "pytest", *found], {"OMP_NUM_THREADS": "1"})


def stages() -> dict[int, tuple[str, list[Step]]]:
    """Number -> title and steps."""
    lint_imports = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    notebooks = [
        nbval_step(ROOT / name, expect)
        for name, expect in EXPECTED.items()
        if name == "notebooks" or (ROOT / name).is_dir()
    ]
    return {
        1: (
            "lint, format, types, rooms and doors",
            [
                Step([PYTHON, "-m", "ruff", "check", "."]),
                Step([PYTHON, "-m", "ruff", "format", "--check", "."]),
                Step([PYTHON, "-m", "mypy"]),
                Step([PYTHON, "-c", lint_imports]),
            ],
        ),
        2: ("notebooks against their sources", [pytest_step("tests/build")]),
        3: (
            "the library",
            [pytest_step("tests/unit", "tests/parity", "tests/bugs", "tests/check")],
        ),
        4: ("do the notebook tests notice?", [pytest_step("tests/notebooks")]),
        5: ("every notebook, run offline", notebooks),
    }


def run_step(step: Step, **options) -> subprocess.CompletedProcess:
    """Run one command from the root of the repository; a kernel that was refused fails it."""
    with tempfile.TemporaryDirectory() as folder:
        refusals = Path(folder) / "refusals"
        environment = os.environ | step.environment | {"COMPANION_REFUSALS": str(refusals)}
        done = subprocess.run(step.command, cwd=ROOT, env=environment, check=False, **options)
        if "--nbval-lax" in step.command and refusals.exists():
            lines = sorted(set(refusals.read_text(encoding="utf-8").splitlines()))
            print("a notebook reached for the network:", *lines, sep="\n  ", flush=True)
            done.returncode = done.returncode or 1
        return done


def main(arguments: list[str]) -> int:
    """Run the stages named (default: all) and print what each took."""
    known = stages()
    unknown = [name for name in arguments if name not in map(str, known)]
    if unknown:
        print(f"no stage {', '.join(unknown)}; there are {', '.join(map(str, known))}")
        return 2
    results = []
    for number in map(int, arguments or known):
        title, steps = known[number]
        print(f"\n=== stage {number}: {title}", flush=True)
        start = time.perf_counter()
        failed = []
        for step in steps:
            if run_step(step).returncode:
                failed.append(" ".join(step.command[1:]))
        seconds = time.perf_counter() - start
        print(f"=== stage {number} took {seconds:.1f} s", flush=True)
        results.append((number, title, seconds, failed))

    print("\nstage  seconds  result")
    for number, title, seconds, failed in results:
        print(f"{number:>5}  {seconds:>7.1f}  {'FAILED' if failed else 'passed'}  {title}")
        for command in failed:
            print(f"                failed: {command}")
    return int(any(failed for *_, failed in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
