"""What ships of a finished run: whole, small, and computed as before."""

import hashlib

import pytest
import torch
import transformers
from tiny_run import CONFIG

import authoring.ship
import companion.data.checkpoints
from authoring.ship import seconds_per_step, ship
from companion.cli import main
from companion.data import checkpoint, load_tokenizer, log_file
from companion.evaluation import fill_mask
from companion.models import ModernBertForMaskedLM
from companion.training import LogLine


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ship")
    (folder / "tiny-model.toml").write_text(CONFIG)
    run = folder / "tiny-model"
    assert main(["pretrain", f"--config={folder / 'tiny-model.toml'}", f"--out={run}"]) == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(authoring.ship, "CHECKPOINTS", folder / "checkpoints")
        patch.setattr(authoring.ship, "CONFIGS", folder)
        patch.setattr(companion.data.checkpoints, "CHECKPOINTS", folder / "checkpoints")
        ship(run)
        yield checkpoint(ship(run).name), run  # a second time in the place of the first


def test_weights_are_half_as_large_and_nearly_the_same(shipped):
    size, whole = ((path / "model.safetensors").stat().st_size for path in shipped)
    assert size < 0.55 * whole
    small, large = (ModernBertForMaskedLM.from_pretrained(path).state_dict() for path in shipped)
    for name, weight in small.items():
        assert weight.dtype == torch.float32
        torch.testing.assert_close(weight, large[name], atol=1e-4, rtol=1e-3)


def test_transformers_computes_in_single_precision(shipped):
    text = "The [MASK] is a country in Africa."
    answers = transformers.pipeline("fill-mask", str(shipped[0]))(text)
    model = ModernBertForMaskedLM.from_pretrained(shipped[0])
    ours = fill_mask(model, load_tokenizer(shipped[0]), text)[0]
    assert [f.id for f in ours] == [answer["token"] for answer in answers]
    assert [f.probability for f in ours] == pytest.approx([a["score"] for a in answers], abs=1e-6)


def test_the_card_says_how_it_was_made_and_the_command_repeats_its_figures(shipped, capsys):
    card = (shipped[0] / "README.md").read_text()
    for words in (
        "# tiny-model",
        "ModernBertForMaskedLM, width 16, 1 layers",
        "training half of `wiki`",
        "30 steps of 8 rows with 32 tokens",
        "15% of the tokens selected; seed 0",
    ):
        assert words in " ".join(card.split()), words
    assert main(["evaluate", str(shipped[0])]) == 0
    assert capsys.readouterr().out.strip() in card


def test_sums_cover_every_file(shipped):
    lines = (shipped[0] / "SHA256SUMS").read_text().splitlines()
    listed = {name: digest for digest, name in (line.split("  ") for line in lines)}
    present = {path.name for path in shipped[0].iterdir()} - {"SHA256SUMS"}
    assert set(listed) == present
    for name, digest in listed.items():
        assert hashlib.sha256((shipped[0] / name).read_bytes()).hexdigest() == digest


def test_the_minutes_are_those_of_the_median_step():
    log = [LogLine(step, 0.0, seconds, 1.0, 5.0) for step, seconds in [(10, 20.0), (20, 40.0)]]
    assert seconds_per_step(log) == 2.0
    paused = [*log, LogLine(30, 0.0, 9000.0, 1.0, 5.0), LogLine(40, 0.0, 9020.0, 1.0, 5.0)]
    assert seconds_per_step(paused) == 2.0
    assert seconds_per_step(log[:1]) == 2.0


def test_a_run_of_another_recipe_is_not_shipped(shipped, monkeypatch, tmp_path):
    _, run = shipped
    monkeypatch.setattr(authoring.ship, "CONFIGS", tmp_path)
    for text in (None, CONFIG + "# changed\n"):
        if text is not None:
            (tmp_path / "tiny-model.toml").write_text(text)
        with pytest.raises(ValueError, match=r"was not made with .*tiny-model\.toml"):
            ship(run)


def test_names_that_do_not_exist(capsys):
    with pytest.raises(ValueError, match=r"no shipped model 'bert'. Choose one of"):
        checkpoint("bert")
    with pytest.raises(ValueError, match=r"no shipped log 'race'. Choose one of"):
        log_file("race")
    assert main(["evaluate", "bert"]) == 1
    assert "no shipped model 'bert'" in capsys.readouterr().err
