"""Config files, and `companion pretrain` from the command line."""

import csv
import dataclasses
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
import torch
import transformers
from filelock import FileLock
from tiny_run import DATA, MODEL

import companion.models
from companion.cli import main
from companion.data import load_corpus, load_tokenizer
from companion.evaluation import fill_mask, make_blanks
from companion.models import ModernBertForMaskedLM
from companion.training import load_config
from companion.training.held_out import HeldOut
from companion.training.optimizers import schedule
from companion.training.setup import build_model, places_of, start_from_frequencies, training_rows

ROOT = Path(__file__).resolve().parents[2]
TINY = f"""{MODEL}{DATA}
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


OF_TEXTS = [  # those of pictures: see test_picture_training
    path
    for path in sorted((ROOT / "configs").rglob("*.toml"))
    if not load_config(path).is_of_pictures
]


@pytest.mark.parametrize("path", OF_TEXTS, ids=lambda p: p.stem)
def test_a_model_can_be_built_of_every_shipped_config(path: Path):
    config = load_config(path)
    with torch.device("meta"):
        model = build_model(config, load_tokenizer(config.data.tokenizer))
    assert type(model).__name__ == config.model.name
    is_ours = path.parent.name != "papers"
    assert (sum(parameter.numel() for parameter in model.parameters()) < 5_000_000) == is_ours


@pytest.mark.parametrize(
    ("name", "pieces", "count"),
    [
        ("bert-base", 30522, 110_106_428),
        ("bert-large", 30522, 336_226_108),
        ("gpt2", 50257, 124_439_808),
    ],
)
def test_with_their_vocabulary_the_papers_models_have_their_sizes(name, pieces, count):
    config = load_config(ROOT / "configs" / "papers" / f"{name}.toml")
    kind = getattr(companion.models, config.model.name)
    with torch.device("meta"):
        model = kind(kind.config_class(vocab_size=pieces, **config.model.sizes))
    assert sum(parameter.numel() for parameter in model.parameters()) == count
    assert places_of(model.config) == config.data.length


@pytest.mark.parametrize("name", ["bert-base", "bert-large"])
def test_berts_schedule_is_that_of_its_code(name):
    """The rates that the released code gives, its drop at the end of the warm-up included."""
    config = load_config(ROOT / "configs" / "papers" / f"{name}.toml")
    rates = {1: 1e-8, 5000: 5e-5, 9999: 9.999e-5, 10_000: 9.9e-5, 100_000: 9e-5, 500_000: 5e-5}
    for step, rate in (rates | {1_000_000: 0.0}).items():
        found = schedule(step - 1, config.schedule) * config.optimizer.learning_rate
        assert found == pytest.approx(rate, rel=1e-9, abs=1e-15)
    line = dataclasses.replace(config.schedule, shape="linear")  # as transformers has it
    for step, rate in {10_000: 1e-4, 100_000: 9.0909e-5, 500_000: 5.0505e-5}.items():
        found = schedule(step - 1, line) * config.optimizer.learning_rate
        assert found == pytest.approx(rate, rel=1e-5)


def test_gpts_schedule_is_a_warm_up_and_half_a_cosine():
    config = load_config(ROOT / "configs" / "papers" / "gpt2.toml")
    rates = {1: 1.25e-7, 1000: 1.25e-4, 2000: 2.5e-4, 51_001: 1.25e-4, 100_000: 0.0}
    for step, rate in rates.items():
        found = schedule(step - 1, config.schedule) * config.optimizer.learning_rate
        assert found == pytest.approx(rate, rel=1e-3, abs=1e-12)


def test_the_experiments_change_one_thing():
    """Each runner of the race, and the run with [MASK] alone, against the one before it."""
    names = ["race/bert-2018", "race/pre-ln", "race/rotary", "race/muon", "mismatch"]
    flat = [settings_of(load_config(ROOT / "configs" / f"{name}.toml")) for name in names]
    for settings in flat:
        for rate in ("optimizer.learning_rate", "optimizer.muon_learning_rate", "schedule.steps"):
            settings.pop(rate, None)  # tuned for each; equal minutes, not equal steps
    changes = [
        {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
        for old, new in pairwise(flat)
    ]
    assert changes[0] == {"model.name"}
    assert all(name.startswith("model.") for name in changes[1])
    assert changes[2] == set()
    assert changes[3] == {"masking.mask_share", "masking.random_share"}


def settings_of(config) -> dict[str, object]:
    """Every setting by its place."""
    tables = dataclasses.asdict(config)
    sizes = tables["model"].pop("sizes")
    flat = {f"{t}.{n}": value for t, values in tables.items() for n, value in values.items()}
    return flat | {f"model.sizes.{name}": value for name, value in sizes.items()}


def test_what_is_trained_on_and_what_is_asked_come_from_different_halves(tmp_path):
    """A leak of the held-out half into training would go unnoticed otherwise."""
    config, tokenizer = load_config(config_file(tmp_path)), load_tokenizer()
    training, held_out = (
        {page.text for page in load_corpus("wiki", split).documents}
        for split in ("train", "validation")
    )
    rows = training_rows(config, tokenizer)
    read = tokenizer.decode(rows.input_ids[:200].flatten())
    first = next(iter(load_corpus("wiki", "train").documents)).text
    assert read.startswith(tokenizer.decode(tokenizer.encode(first, specials=False).ids)[:200])
    encoded = tokenizer.encode_batch(sorted(training), specials=False)
    tokens = sum(len(e.ids) + 2 for e in encoded)
    assert int((rows.documents >= 0).sum()) == tokens
    pages = load_corpus("wiki", "validation").documents
    watcher = HeldOut(config, tokenizer, pages, tmp_path)
    expected = make_blanks(
        [page.text for page in load_corpus("wiki", "validation").documents], tokenizer, draws=[0]
    )
    assert torch.equal(watcher.blanks.answers, expected.answers)
    assert not training & held_out
    titles = {page.title for page in load_corpus("wiki", "validation").documents}
    assert {blank.title for blank in watcher.file.blanks} <= titles


def test_a_run_starts_from_the_frequencies(tmp_path):
    config, tokenizer = load_config(config_file(tmp_path)), load_tokenizer()
    rows = training_rows(config, tokenizer)
    model = build_model(config, tokenizer)
    start_from_frequencies(model, rows, tokenizer)
    share = model.mlm_head.bias.detach().softmax(-1)
    counts = rows.input_ids.flatten().bincount(minlength=tokenizer.vocab_size)
    comma = int(tokenizer.encode(",", specials=False).ids[0])
    words = counts.sum() - counts[list(tokenizer.special_ids)].sum()
    assert share[comma].item() == pytest.approx((counts[comma] / words).item(), rel=0.02)
    assert share[tokenizer.mask_id] < 1e-5


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
        (
            [
                ("ModernBertForMaskedLM", "BertForMaskedLM"),
                ("hidden_size = 16", "hidden_size = 16\nmax_position_embeddings = 33"),
            ],
            "are learned, and those beyond data.length would stay",
        ),
        (
            [("hidden_size = 16", "hidden_size = 16\nvocab_size = 4160")],
            "vocab_size is 4160, and the tokenizer has 4096 tokens",
        ),
        (
            [("hidden_size = 16", 'hidden_size = 16\ninitializer_range = "0.05"')],
            "model.sizes.initializer_range is '0.05'; it must be of type float",
        ),
        (
            [("num_hidden_layers = 1", "num_hidden_layers = true")],
            "model.sizes.num_hidden_layers is True; it must be of type int",
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
    deadline = time.monotonic() + 600
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
    added = config_file(tmp_path, ("hidden_size = 16", "hidden_size = 16\nmlp_dropout = 0.5"))
    assert main(["pretrain", f"--config={added}", f"--out={run}", "--resume"]) == 1
    assert "model.sizes.mlp_dropout = 0.0, and now it is 0.5" in capsys.readouterr().err
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


def test_rows_of_the_model_are_those_of_the_text(finished: Path):
    run = finished / "run"
    assert json.loads((run / "config.json").read_text())["max_position_embeddings"] == 32
    assert json.loads((run / "tokenizer_config.json").read_text())["model_max_length"] == 32


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("{}", "holds a model without a name"),
        ('{"architectures": ["GPT2LMHeadModel"]}', "has no weights"),
        ('{"architectures": ["BertModel"]}', "holds a BertModel, which has no words to say"),
        ('{"architectures": ["T5Model"]}', "holds a T5Model; known here are BertModel, "),
        ('{"architectures": []}', "holds a model without a name"),
        ("[]", "holds a model without a name"),
        ('{"architectures": [5]}', "holds a 5"),
        ('{"architectures": "BertForMaskedLM"}', "holds a model without a name"),
        ('{"architectures": ["PreLNBertForMaskedLM"]}', "holds a PreLNBertForMaskedLM"),
        ("", "config.json is not valid JSON"),
    ],
)
def test_evaluating_what_is_no_language_model(tmp_path, capsys, config, message):
    (tmp_path / "config.json").write_text(config)
    assert main(["evaluate", str(tmp_path)]) == 1
    assert message in capsys.readouterr().err


def test_a_vocabulary_of_its_own_is_refused(finished, tmp_path, capsys):
    run = shutil.copytree(finished / "run", tmp_path / "run")
    text = (run / "tokenizer.json").read_text().replace('"sun"', '"sunn"')
    (run / "tokenizer.json").write_text(text)
    assert main(["evaluate", str(run)]) == 1
    assert "has a vocabulary of its own" in capsys.readouterr().err
    (run / "tokenizer.json").write_text("{}")
    assert main(["evaluate", str(run)]) == 1
    assert "tokenizer.json is not a tokenizer" in capsys.readouterr().err


def test_a_model_without_a_twin_says_where_its_weights_are(tmp_path, capsys):
    config = config_file(
        tmp_path, ("ModernBertForMaskedLM", "PreLNBertForMaskedLM"), ("film = [0, 4]", "")
    )
    assert main(["pretrain", f"--config={config}", f"--out={tmp_path / 'run'}"]) == 0
    assert "its weights are in" in capsys.readouterr().out
    assert not (tmp_path / "run" / "config.json").exists()
