"""Checkpoints and logs: whole or not there, also when the run is killed while it writes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from companion.training import checkpoints, read_log
from companion.training.checkpoints import load_checkpoint, save_checkpoint, whole_checkpoints
from companion.training.log import Log, LogLine

KILLED = """
import os, signal, sys
import torch
from pathlib import Path
from companion.training import checkpoints

folder, call, name = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
calls = 0

def deadly(real):
    def function(*arguments, **keywords):
        global calls
        calls += 1
        if calls == call:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*arguments, **keywords)
    return function

module, function = {"fsync": (os, "fsync"), "rename": (Path, "rename"),
                    "rmtree": (checkpoints.shutil, "rmtree")}[name]
setattr(module, function, deadly(getattr(module, function)))
for step in range(1, 6):
    checkpoints.save_checkpoint(folder, step, {"weight": torch.full((1000,), float(step))}, {})
"""


@pytest.mark.parametrize(
    ("name", "call", "newest"),
    [
        ("fsync", 9, 2),  # the third checkpoint: its state is being written
        ("fsync", 10, 2),  # its facts
        ("fsync", 11, 2),  # its folder, still under a temporary name
        ("rename", 3, 2),  # on the point of being renamed
        ("fsync", 12, 3),  # renamed
        ("rename", 4, 3),  # the first one is to be taken out of the way
        ("rmtree", 4, 3),  # and deleted
    ],
)
def test_killed_while_writing(tmp_path: Path, name: str, call: int, newest: int):
    script = tmp_path / "script.py"
    script.write_text(KILLED)
    folder = tmp_path / "checkpoints"
    done = subprocess.run(
        [sys.executable, str(script), str(folder), str(call), name],
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == -signal.SIGKILL
    found = whole_checkpoints(folder)
    assert found[-1].name == f"step-{newest:08d}"
    for path in found:  # none of them is half there
        state, facts = load_checkpoint(path)
        assert state["weight"].tolist() == [float(facts["step"])] * 1000
    save_checkpoint(folder, 9, {"weight": torch.zeros(2)}, {})
    assert whole_checkpoints(folder)[-1].name == "step-00000009"
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        path.name for path in whole_checkpoints(folder)
    ), "what the killed run left behind is swept away"


def test_only_the_newest_two_stay(tmp_path: Path):
    for step in (2, 10, 9):
        save_checkpoint(tmp_path, step, {"weight": torch.zeros(1)}, {})
    assert [p.name for p in whole_checkpoints(tmp_path)] == ["step-00000009", "step-00000010"]


@pytest.mark.parametrize("file", [checkpoints.STATE, checkpoints.FACTS])
@pytest.mark.parametrize("damage", ["truncated", "empty", "gone", "other"])
def test_damaged_checkpoint(tmp_path: Path, file: str, damage: str):
    path = save_checkpoint(tmp_path, 3, {"weight": torch.zeros(100)}, {}) / file
    data = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes({"truncated": data[:-20], "empty": b"", "other": b'{"a": 1}'}[damage])
    with pytest.raises(ValueError, match=r"step-00000003 is not a whole checkpoint.*Delete it"):
        load_checkpoint(tmp_path / "step-00000003")


def test_checkpoint_of_another_program_version(tmp_path: Path):
    path = save_checkpoint(tmp_path, 3, {"weight": torch.zeros(1)}, {}) / checkpoints.FACTS
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format": 99}))
    with pytest.raises(ValueError, match="format is 99"):
        load_checkpoint(tmp_path / "step-00000003")


def test_log_with_half_a_line_is_cut_back(tmp_path: Path):
    log = Log(tmp_path / "log.csv")
    log.cut_after(3)  # nothing there yet
    for step in (2, 4, 6):
        log.append(LogLine(step, 0.5, 1.0, 1.0, 3.0))
    with log.path.open("a") as file:
        file.write("8,0.1")
    log.cut_after(4)
    assert [line.step for line in read_log(log.path)] == [2, 4]
    log.append(LogLine(5, 0.5, 1.0, 1.0, 3.0, 2.0, 0.1))
    assert read_log(log.path)[-1] == LogLine(5, 0.5, 1.0, 1.0, 3.0, 2.0, 0.1)


@pytest.mark.parametrize("half", ["8,0.1", "8,0.1,1.0,1.0,3.0,,0.12", "8,0.1,1.0"])
def test_a_reader_of_a_run_at_work_sees_whole_lines(tmp_path: Path, half: str):
    log = Log(tmp_path / "log.csv")
    log.append(LogLine(2, 0.5, 1.0, 1.0, 3.0))
    with log.path.open("a") as file:
        file.write(half)  # its end is still to come
    assert [line.step for line in read_log(log.path)] == [2]
    log.path.write_text("step,epo")
    assert read_log(log.path) == []


@pytest.mark.parametrize("left", ["", "step,epo"])
def test_log_whose_heading_was_not_finished_gets_it(tmp_path: Path, left):
    log = Log(tmp_path / "log.csv")
    log.path.write_text(left)
    log.cut_after(0)
    log.append(LogLine(2, 0.5, 1.0, 1.0, 3.0))
    assert [line.step for line in read_log(log.path)] == [2]
    log.path.write_text("")
    log.append(LogLine(4, 0.5, 1.0, 1.0, 3.0))
    assert [line.step for line in read_log(log.path)] == [4]
