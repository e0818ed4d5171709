"""Two processes under `torchrun`: the weights of one, killed and resumed, one clear message."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
import torch
from safetensors.torch import load_file

from companion.cli import main
from companion.data import load_corpus
from companion.training import read_log
from companion.training.checkpoints import whole_checkpoints
from companion.training.run import pretrain

MASKED = """
[model]
name = "ModernBertForMaskedLM"

[model.sizes]
hidden_size = 16
num_hidden_layers = 2
num_attention_heads = 2
intermediate_size = 24
embedding_dropout = {dropout}
"""
GPT = """
[model]
name = "Gpt"

[model.sizes]
n_embd = 16
n_layer = 2
n_head = 2
resid_pdrop = {dropout}
embd_pdrop = {dropout}
attn_pdrop = {dropout}
"""
REST = """
[data]
corpora = ["wiki"]
length = 32

[optimizer]
learning_rate = 3e-3
muon_learning_rate = 0.02
clip = 0.5

[schedule]
steps = 8
warmup = 2

[run]
batch_size = 8
micro_batch_size = 3
log_every = 2
evaluate_every = 8
checkpoint_every = 2
"""


@pytest.fixture(scope="module")
def text(tmp_path_factory) -> Path:
    """A hundred pages: what matters here does not need more."""
    path = tmp_path_factory.mktemp("text") / "pages.txt"
    pages = load_corpus("wiki", "train").documents[:100]
    path.write_text("\n\n".join(page.text for page in pages), encoding="utf-8")
    return path


def recipe(folder: Path, model: str, *, dropout: float = 0.0, **changes: str) -> Path:
    text = model.format(dropout=dropout) + REST
    if model is MASKED:
        text = text.replace("log_every", "film = [0, 8]\nlog_every")
    for name, value in changes.items():
        lines = [
            f"{name} = {value}" if one.startswith(f"{name} =") else one for one in text.split("\n")
        ]
        text = "\n".join(lines)
    path = folder / "recipe.toml"
    path.write_text(text)
    return path


def start(config: Path, out: Path, *arguments: object) -> subprocess.Popen:
    return torchrun("-m", "companion", "pretrain", "--config", config, "--out", out, *arguments)


def torchrun(*arguments: object) -> subprocess.Popen:
    command = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc-per-node",
        "2",
        *arguments,
    ]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    return subprocess.Popen(
        [str(part) for part in command],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finish(run: subprocess.Popen) -> str:
    said, _ = run.communicate(timeout=120)
    assert run.returncode == 0, said
    return said


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "model.safetensors")


@pytest.mark.parametrize(("model", "way"), [(MASKED, "ddp"), (GPT, "fsdp")], ids=["ddp", "fsdp"])
def test_two_processes_end_in_the_weights_of_one(model, way, text, tmp_path):
    """Muon, clipping, a tied head and accumulation in unequal parts included."""
    config = recipe(tmp_path, model)
    pretrain(config, tmp_path / "one", data=text)
    said = finish(
        start(config, tmp_path / "two", "--data", text, *(["--fsdp"] if way == "fsdp" else []))
    )
    one, two = weights(tmp_path / "one"), weights(tmp_path / "two")
    assert one.keys() == two.keys()
    for name, tensor in one.items():
        torch.testing.assert_close(two[name], tensor, atol=2e-6, rtol=0, msg=name)
    started = load_file(
        whole_checkpoints(tmp_path / "one" / "checkpoints")[0] / "state.safetensors"
    )
    moved = max(
        (value - started[name]).abs().max() for name, value in model_state(tmp_path / "one")
    )
    assert moved > 1e-3  # two steps and more of training are no accident of equal beginnings
    for a, b in zip(
        *(read_log(tmp_path / name / "log.csv") for name in ("one", "two")), strict=True
    ):
        assert a.step == b.step
        assert a.loss == pytest.approx(b.loss, abs=1e-4)
        assert a.held_out_loss == pytest.approx(b.held_out_loss, abs=1e-4)
    assert said.count("parameters") == 1  # the first process alone speaks

    shutil.rmtree(whole_checkpoints(tmp_path / "two" / "checkpoints")[-1])
    pretrain(config, tmp_path / "two", data=text, resume=True)  # goes on as one
    for name, tensor in weights(tmp_path / "two").items():
        torch.testing.assert_close(tensor, one[name], atol=2e-6, rtol=0, msg=name)


def model_state(folder: Path):
    last = whole_checkpoints(folder / "checkpoints")[-1] / "state.safetensors"
    return [(n, v) for n, v in load_file(last).items() if n.startswith("model.")]


def test_killed_and_resumed_it_ends_in_the_same_weights(text, tmp_path):
    """To the bit, with dropout, of which each process has its own; DDP: see test_shared_steps."""
    flags = ["--data", text, "--fsdp"]
    config = recipe(
        tmp_path, MASKED, dropout=0.1, steps="40", checkpoint_every="4", evaluate_every="40"
    )
    config.write_text(config.read_text().replace("film = [0, 8]\n", ""))
    finish(start(config, tmp_path / "whole", *flags))
    run = start(config, tmp_path / "cut", *flags)
    checkpoints = tmp_path / "cut" / "checkpoints"
    deadline = time.monotonic() + 90
    while not whole_checkpoints(checkpoints):
        assert run.poll() is None, run.communicate()[0]
        assert time.monotonic() < deadline
        time.sleep(0.01)
    for process in [*psutil.Process(run.pid).children(recursive=True), run]:
        process.send_signal(signal.SIGKILL)
    run.communicate(timeout=30)
    assert not (tmp_path / "cut" / "model.safetensors").exists()
    finish(start(config, tmp_path / "cut", *flags, "--resume"))
    one, two = weights(tmp_path / "whole"), weights(tmp_path / "cut")
    assert all(torch.equal(one[name], two[name]) for name in one)
    last = whole_checkpoints(tmp_path / "whole" / "checkpoints")[-1] / "state.safetensors"
    state = load_file(last)
    # Were they equal, all processes would drop the same features of their rows.
    assert not torch.equal(state["random.cpu.0"], state["random.cpu.1"])
    logs = [read_log(tmp_path / name / "log.csv") for name in ("whole", "cut")]
    assert [(a.step, a.loss) for a in logs[0]] == [(b.step, b.loss) for b in logs[1]]


@pytest.mark.parametrize(
    ("changes", "flags", "says"),
    [
        ({"batch_size": "1", "micro_batch_size": "1"}, [], "each of 2 processes needs a row"),
        ({}, ["--resume"], "holds no run to go on with"),
    ],
)
def test_a_fault_ends_all_processes_with_one_message(changes, flags, says, text, tmp_path):
    config = recipe(tmp_path, GPT, **changes)
    run = start(config, tmp_path / "run", "--data", text, *flags)
    said, _ = run.communicate(timeout=120)
    assert run.returncode != 0
    assert said.count(says) == 1
    assert not (tmp_path / "run" / "training.toml").exists()


@pytest.mark.parametrize("number", [0, 1])
def test_what_befalls_one_process_ends_both_with_its_message(number, text, tmp_path):
    """The other one notices a lost connection, and does not speak of it."""
    script = tmp_path / "script.py"
    script.write_text(
        "import os, sys\n"
        "from companion.cli import main\n"
        "from companion.training import loop\n"
        "def full(*arguments):\n"
        "    raise OSError('the disk is full')\n"
        f"if os.environ['RANK'] == '{number}':\n"
        "    loop.collect_state = full\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    config = recipe(tmp_path, GPT)
    run = torchrun(
        script, "pretrain", f"--config={config}", f"--out={tmp_path / 'r'}", "--data", text
    )
    said, _ = run.communicate(timeout=120)
    assert run.returncode != 0
    assert said.count("the disk is full") == 1
    assert "[rank" not in said, "no traceback of a process"


def test_processes_that_torchrun_did_not_start(text, tmp_path, capsys, monkeypatch):
    config = recipe(tmp_path, GPT)
    command = ["pretrain", f"--config={config}", f"--out={tmp_path / 'run'}", f"--data={text}"]
    assert main([*command, "--fsdp"]) == 1
    assert "--fsdp shares a model out among processes: start them with torchrun" in (
        capsys.readouterr().err
    )
    monkeypatch.setenv("WORLD_SIZE", "2")
    assert main(command) == 1
    assert "WORLD_SIZE is 2, and RANK is not set: start the processes with torchrun" in (
        capsys.readouterr().err
    )
