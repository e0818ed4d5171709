"""Two processes: they equal one, survive a kill of both, and fail with one message."""

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
import torch
from safetensors.torch import load_file
from shared_steps import ALONE, CASES, after_run, after_steps, config_of, parts_of

from companion.cli import main

TESTS = Path(__file__).resolve().parents[1]
WAYS = ["ddp", "fsdp"]
CONFIG = """
[model]
name = "ModernBertForMaskedLM"

[model.sizes]
hidden_size = 16
num_hidden_layers = 1
num_attention_heads = 2
intermediate_size = 24
embedding_dropout = 0.1

[data]
corpora = ["wiki"]
length = 16

[optimizer]
learning_rate = 3e-3
muon_learning_rate = 0.02

[schedule]
steps = 40

[run]
batch_size = 5
evaluate_every = 20
checkpoint_every = 2
film = [0, 40]
"""


def torchrun(*arguments: object) -> subprocess.Popen:
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    return subprocess.Popen(
        [*command, *map(str, arguments)],
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def output_of(process: subprocess.Popen) -> str:
    try:
        said = "".join(process.communicate(timeout=100))
    except subprocess.TimeoutExpired:
        end_tree(process)
        raise
    return said


def end_tree(process: subprocess.Popen) -> None:
    """Kill torchrun and its processes, as a machine that goes down does."""
    parent = psutil.Process(process.pid)
    family = [parent, *parent.children(recursive=True)]
    assert len(family) >= 3
    for one in family:
        one.kill()
    psutil.wait_procs(family[1:], timeout=10)
    process.communicate()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What two processes made of all cases."""
    folder = tmp_path_factory.mktemp("shared")
    for way in WAYS:
        after_run(folder / f"{way} from one", ALONE, stops=True)
    process = torchrun(TESTS / "shared_steps.py", folder)
    said = output_of(process)
    assert process.returncode == 0, said
    return folder


def largest_difference(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> float:
    assert one.keys() == other.keys()
    return max((one[name] - other[name]).abs().max().item() for name in one)


# Equal to one


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", CASES)
def test_two_processes_take_the_steps_of_one(shared: Path, name: str, way: str):
    case = CASES[name]
    ours = load_file(shared / f"{way} {name}.safetensors")
    alone = after_steps(case, ALONE)
    start, _ = parts_of(case, config_of(case))
    moved = largest_difference(start.state_dict(), {n: w for n, w in alone.items() if n != "loss"})
    assert moved > 0.01
    assert largest_difference(ours, alone) < 2e-6


def test_a_norm_of_each_process_for_itself_would_be_noticed():
    """The case "clipped" must tell clipping from none."""
    clipped = after_steps(CASES["clipped"], ALONE)
    free = after_steps(CASES["clipped"]._replace(clip=0.0), ALONE)
    assert largest_difference(clipped, free) > 0.01


@pytest.mark.parametrize("way", WAYS)
def test_a_step_that_overflows_in_one_process_is_left_out_in_all(shared: Path, way: str):
    ours = load_file(shared / f"{way} overflow.safetensors")
    assert ours.pop("scales").tolist() == [32768.0, 32768.0]
    case = CASES["muon and adamw"]
    start, _ = parts_of(case, config_of(case))
    assert largest_difference(ours, start.state_dict()) == 0


# Resuming


@pytest.mark.parametrize("way", WAYS)
def test_stopped_and_resumed_with_dropout_ends_in_the_same_weights(shared: Path, way: str):
    whole, stopped = (load_file(shared / f"{way} {n}.safetensors") for n in ("run", "stopped"))
    assert largest_difference(whole, stopped) == 0


@pytest.mark.parametrize("way", WAYS)
def test_a_run_goes_on_with_more_processes_or_with_fewer(shared: Path, way: str, tmp_path: Path):
    alone = after_run(tmp_path, ALONE)
    from_one = load_file(shared / f"{way} from one.safetensors")
    assert largest_difference(from_one, alone) < 2e-6
    assert (shared / f"{way} to one" / "checkpoints" / "step-00000003").exists()
    assert largest_difference(after_run(shared / f"{way} to one", ALONE), alone) < 2e-6


# The command


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A config and a text, as options."""
    folder = tmp_path_factory.mktemp("recipe")
    (folder / "tiny.toml").write_text(CONFIG)
    lines = [f"The {n} dogs ran over the hills to the river." for n in range(100)]
    (folder / "own.txt").write_text("\n\n".join(lines))
    return f"--config={folder / 'tiny.toml'}", f"--data={folder / 'own.txt'}"


@pytest.mark.parametrize("flags", [[], ["--fsdp"]])
def test_killed_and_resumed_ends_in_the_same_weights(recipe, tmp_path: Path, flags: list[str]):
    command = ["-m", "companion", "pretrain", *recipe, *flags]
    finished = torchrun(*command, f"--out={tmp_path / 'whole'}")
    said = output_of(finished)
    assert finished.returncode == 0, said
    assert said.count("The model is in") == 1, "process 0 alone speaks"

    run = tmp_path / "run"
    killed = torchrun(*command, f"--out={run}")
    deadline = time.monotonic() + 60
    while not list(run.glob("checkpoints/step-*")):
        assert killed.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    end_tree(killed)
    assert not (run / "config.json").exists()

    resumed = torchrun(*command, f"--out={run}", "--resume")
    said = output_of(resumed)
    assert resumed.returncode == 0, said
    ours, whole = (load_file(folder / "model.safetensors") for folder in (run, tmp_path / "whole"))
    assert largest_difference(ours, whole) == 0
    log, expected = ((folder / "log.csv").read_text() for folder in (run, tmp_path / "whole"))
    steps = [[line.split(",")[0] for line in text.splitlines()] for text in (log, expected)]
    assert steps[0] == steps[1]


def test_what_both_processes_find_wrong_is_said_once(recipe, tmp_path: Path):
    (tmp_path / "training.toml").write_text(CONFIG)
    process = torchrun("-m", "companion", "pretrain", *recipe, f"--out={tmp_path}")
    said = output_of(process)
    assert process.returncode != 0
    assert said.count("holds a run already: add --resume") == 1
    config, _ = recipe
    process = torchrun("-m", "companion", "pretrain", config, f"--data={tmp_path / 'none'}")
    said = output_of(process)
    assert process.returncode != 0
    assert said.count(f"{tmp_path / 'none'} is not there") == 1
    assert "[rank" not in said, "no traceback of a process"


def test_an_error_in_one_process_ends_both_with_its_message(tmp_path: Path):
    script = tmp_path / "script.py"
    script.write_text(
        "from companion.training.processes import joined\n"
        "with joined() as processes:\n"
        "    processes.sum(1.0)\n"
        "    if processes.number == 1:\n"
        "        raise ValueError('its disk is full')\n"
        "    processes.sum(1.0)\n"
    )
    process = torchrun(script)
    said = output_of(process)
    assert process.returncode != 0
    assert said.count("ValueError: its disk is full") == 1
    assert "Connection closed" not in said


def test_processes_that_torchrun_did_not_start(recipe, tmp_path: Path, capsys, monkeypatch):
    command = ["pretrain", *recipe, f"--out={tmp_path / 'run'}"]
    assert main([*command, "--fsdp"]) == 1
    assert "--fsdp shares a model between processes: start them with torchrun" in (
        capsys.readouterr().err
    )
    monkeypatch.setenv("WORLD_SIZE", "2")
    assert main(command) == 1
    assert "WORLD_SIZE is 2, and RANK is not set: start the processes with torchrun" in (
        capsys.readouterr().err
    )
