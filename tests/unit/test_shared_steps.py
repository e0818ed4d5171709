"""Steps that two processes share: those of one, whatever the remainder, and to the bit resumed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from shared_steps import ALONE, CASES, after_run, after_steps, config_of, parts_of

WAYS = ["ddp", "fsdp"]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What two processes made of all cases."""
    folder = tmp_path_factory.mktemp("shared")
    for way in WAYS:
        after_run(folder / f"{way} from one", ALONE, stops=True)
    script = Path(__file__).resolve().parents[1] / "shared_steps.py"
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    done = subprocess.run(
        [*command, str(script), str(folder)],
        env=os.environ | {"OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=200,
    )
    assert done.returncode == 0, done.stdout
    return folder


def largest_difference(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> float:
    assert one.keys() == other.keys()
    return max((one[name] - other[name]).abs().max().item() for name in one)


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


def test_the_clipped_case_tells_clipping_from_none():
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
