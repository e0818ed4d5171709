"""Config files, and `companion pretrain` from the command line."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
import transformers
from filelock import FileLock

from companion.cli import main
from companion.data import load_tokenizer
from companion.evaluation import fill_mask
from companion.models import ModernBertForMaskedLM
from companion.training import load_config

ROOT = Path(__file__).resolve().parents[2]
TINY = """
[model]
name = "ModernBertForMaskedLM"

[model.sizes]
hidden_size = 16
num_hidden_layers = 1
num_attention_heads = 2
intermediate_size = 24

[data]
corpora = ["wiki"]
length = 32

[masking]
rate = 0.3

[optimizer]
learning_rate = 3e-3
muon_learning_rate = 0.02

[schedule]
steps = 6
warmup = 2

[run]
batch_size = 4
log_every = 2
evaluate_every = 6
checkpoint_every = 2
film = [0, 4]
"""


def config_file(folder: Path, *changes: tuple[str, str]) -> Path:
    text = TINY
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "tiny.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize("path", sorted((ROOT / "configs").rglob("*.toml")), ids=lambda p: p.stem)
def test_shipped_configs_are_valid(path: Path):
    config = load_config(path)
    assert config.schedule.steps >= max(config.run.film, default=0)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[masking]", "[maskin]", "maskin is not known; there are model, data"),
        ("rate = 0.3", "rte = 0.3", r"masking\.rte is not known; there are rate"),
        ("learning_rate = 3e-3\n", "", r"optimizer\.learning_rate is missing"),
        ("steps = 6", "steps = 6.5", r"schedule\.steps is 6\.5; it must be of type int"),
        ("steps = 6", "steps = true", r"schedule\.steps is True; it must be of type int"),
        ("rate = 0.3", 'rate = "0.3"', r"masking\.rate is '0\.3'; it must be of type float"),
        ("rate = 0.3", "rate = 0", r"masking\.rate is 0"),
        ("rate = 0.3", "rate = nan", r"masking\.rate is nan"),
        ("rate = 0.3", "mask_share = 0.95", r"random_share is 0\.1; .* at most 0\.05"),
        ("learning_rate = 3e-3", "learning_rate = -1.0", r"optimizer\.learning_rate is -1"),
        ("= 0.02", "= -0.02", r"muon_learning_rate is -0\.02"),
        ("warmup = 2", "warmup = 2\n[optimizer.x]", r"optimizer\.x is not known"),
        ("film = [0, 4]", "film = [0, 7]", r"film\[1\] is 7; .* at most 6"),
        ("batch_size = 4", "batch_size = 4\nmicro_batch_size = 0", r"micro_batch_size is 0"),
        ("batch_size = 4", "batch_size = 4\nmicro_batch_size = 5", r"micro_batch_size is 5"),
        ("batch_size = 4", "batch_size = 4\nseed = -1", r"seed is -1"),
        ("rate = 0.3", "rate = 1.3", r"masking\.rate is 1\.3; it must be at least 0 and at most 1"),
        ("warmup = 2", "warmup = 9", r"warmup is 9; it must be at least 0 and at most 6"),
        ("batch_size = 4", "batch_size = 0", r"batch_size is 0; it must be at least 1"),
        ("film = [0, 4]", "film = [0, 4.5]", r"film is \[0, 4\.5\]; it must hold .* type int"),
        ('"ModernBertForMaskedLM"', '"Modern"', "choose one of BertForMaskedLM"),
        ("[model.sizes]", "[model.size]", r"model\.size is not known"),
        ('[data]\ncorpora = ["wiki"]', "[data]\ncorpora = 5", "corpora is 5"),
        ("[run]", "[run", "tiny.toml"),
    ],
)
def test_a_config_that_does_not_fit_says_where(tmp_path: Path, old, new, message):
    with pytest.raises(ValueError, match=message):
        load_config(config_file(tmp_path, (old, new)))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([("hidden_size = 16", "hiden_size = 16")], "model.sizes.hiden_size is not known"),
        (
            [("length = 32", "length = 40000"), ("batch_size = 4", "batch_size = 999")],
            "rows of 40000",
        ),
        ([('"wiki"', '"moby"')], "no corpus 'moby'"),
        (
            [("hidden_size = 16", "hidden_size = 16\nmax_position_embeddings = 31")],
            "max_position_embeddings is 31, and data.length is 32",
        ),
    ],
)
def test_the_command_says_what_is_wrong_in_one_line(tmp_path, capsys, changes, message):
    path = config_file(tmp_path, *changes)
    assert main(["pretrain", "--config", str(path), "--out", str(tmp_path / "run")]) == 1
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_config_file_that_is_not_there(tmp_path, capsys):
    assert main(["pretrain", "--config", str(tmp_path / "none.toml")]) == 1
    assert "none.toml" in capsys.readouterr().err


def pretrain(config: Path, folder: Path, *extra: str) -> subprocess.Popen:
    command = [sys.executable, "-m", "companion.cli", "pretrain"]
    return subprocess.Popen(
        [*command, f"--config={config}", f"--out={folder}", *extra],
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("finished")
    process = pretrain(config_file(folder), folder / "run")
    _, errors = process.communicate(timeout=200)
    assert process.returncode == 0, errors
    return folder


def test_a_finished_run_is_a_folder_that_transformers_loads(finished: Path):
    run = finished / "run"
    assert (run / "training.toml").read_text() == TINY
    with (run / "log.csv").open() as file:
        assert [line["step"] for line in csv.DictReader(file)] == ["2", "4", "6"]
    film = json.loads((run / "film.json").read_text())
    assert [frame["step"] for frame in film["frames"]] == [0, 4]
    text = "The state of the [MASK] is strong."
    theirs = transformers.pipeline("fill-mask", str(run))(text)
    model, tokenizer = ModernBertForMaskedLM.from_pretrained(run), load_tokenizer(run)
    ours = fill_mask(model, tokenizer, text)[0]
    assert [f.id for f in ours] == [answer["token"] for answer in theirs]
    assert [f.token for f in ours] == [answer["token_str"] for answer in theirs]
    assert [f.probability for f in ours] == pytest.approx([a["score"] for a in theirs], abs=1e-5)
    config = transformers.AutoConfig.from_pretrained(run)
    assert config.sep_token_id == config.eos_token_id == tokenizer.sep_id
    assert config.cls_token_id == config.bos_token_id == tokenizer.cls_id
    assert config.pad_token_id == tokenizer.pad_id


def test_killed_and_resumed_ends_in_the_same_weights(finished: Path, tmp_path: Path, capsys):
    config = config_file(tmp_path)
    process = pretrain(config, tmp_path / "run")
    deadline = time.monotonic() + 100
    while not list((tmp_path / "run").glob("checkpoints/step-*")):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "run" / "config.json").exists()
    assert main(["pretrain", f"--config={config}", f"--out={tmp_path / 'run'}"]) == 1
    assert "add --resume" in capsys.readouterr().err  # nothing is overwritten
    resumed = pretrain(config, tmp_path / "run", "--resume")
    _, errors = resumed.communicate(timeout=100)
    assert resumed.returncode == 0, errors
    ours = ModernBertForMaskedLM.from_pretrained(tmp_path / "run").state_dict()
    whole = ModernBertForMaskedLM.from_pretrained(finished / "run").state_dict()
    assert all(torch.equal(ours[name], whole[name]) for name in whole)
    film, expected = (
        json.loads((folder / "run" / "film.json").read_text()) for folder in (tmp_path, finished)
    )
    assert [f["top"] for f in film["frames"]] == [f["top"] for f in expected["frames"]]


def test_nothing_to_resume(tmp_path, capsys):
    out = ["--out", str(tmp_path / "run"), "--resume"]
    assert main(["pretrain", "--config", str(config_file(tmp_path)), *out]) == 1
    assert "no run to go on with: leave out --resume" in capsys.readouterr().err


def test_a_finished_run_is_not_overwritten_even_without_its_checkpoints(finished, tmp_path, capsys):
    run = shutil.copytree(finished / "run", tmp_path / "run")
    shutil.rmtree(run / "checkpoints")
    before = {path.name: path.read_bytes() for path in run.iterdir()}
    command = ["pretrain", f"--config={finished / 'tiny.toml'}", f"--out={run}"]
    assert main(command) == 1
    assert "holds a run already" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in run.iterdir()} == before


def test_resumed_with_other_settings_the_first_ones_are_kept_and_named(finished, tmp_path, capsys):
    run = shutil.copytree(finished / "run", tmp_path / "run")
    other = config_file(tmp_path, ("rate = 0.3", "rate = 0.2"))
    assert main(["pretrain", f"--config={other}", f"--out={run}", "--resume"]) == 1
    assert "made with masking.rate = 0.3, and now it is 0.2" in capsys.readouterr().err
    assert (run / "training.toml").read_text() == TINY
    own = ["pretrain", f"--config={run / 'training.toml'}", f"--out={run}", "--resume"]
    assert main(own) == 0, "its own recipe fits"
    what_may_change = config_file(tmp_path, ("log_every = 2", "log_every = 1"))
    assert main(["pretrain", f"--config={what_may_change}", f"--out={run}", "--resume"]) == 0


def test_one_run_at_a_time(tmp_path, capsys):
    (tmp_path / "run").mkdir()
    with FileLock(tmp_path / "run" / ".lock"):
        config = config_file(tmp_path)
        assert main(["pretrain", f"--config={config}", f"--out={tmp_path / 'run'}"]) == 1
    assert "another run is at work" in capsys.readouterr().err


def test_torchrun_is_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    assert main(["pretrain", f"--config={config_file(tmp_path)}", f"--out={tmp_path / 'r'}"]) == 1
    assert "start it without torchrun" in capsys.readouterr().err


def test_rows_of_the_model_are_those_of_the_text(finished: Path):
    run = finished / "run"
    assert json.loads((run / "config.json").read_text())["max_position_embeddings"] == 32
    assert json.loads((run / "tokenizer_config.json").read_text())["model_max_length"] == 32


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("{}", "holds a model without a name"),
        ('{"architectures": ["GPT2LMHeadModel"]}', "holds a GPT2LMHeadModel"),
        ('{"architectures": []}', "holds a model without a name"),
        ("", "Expecting value"),
    ],
)
def test_evaluating_what_is_no_masked_language_model(tmp_path, capsys, config, message):
    (tmp_path / "config.json").write_text(config)
    assert main(["evaluate", str(tmp_path)]) == 1
    assert message in capsys.readouterr().err


def test_a_model_without_a_twin_says_where_its_weights_are(tmp_path, capsys):
    config = config_file(
        tmp_path, ("ModernBertForMaskedLM", "PreLNBertForMaskedLM"), ("film = [0, 4]", "")
    )
    assert main(["pretrain", f"--config={config}", f"--out={tmp_path / 'run'}"]) == 0
    assert "its weights are in" in capsys.readouterr().out
    assert not (tmp_path / "run" / "config.json").exists()
