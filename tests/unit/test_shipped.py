"""The shipped models: what their cards say, and what others make of their folders."""

import os
import signal
import subprocess
import sys
import time

import pytest
import transformers

from companion.cli import main
from companion.data import checkpoint, load_corpus, load_tokenizer
from companion.evaluation import choose_blanks, fill_mask
from companion.models import ModernBertForMaskedLM
from companion.training import read_log

# How far the losses of runs with seeds 1 and 2 were from the shipped one's at these steps, at most.
# A run with its own seed differs by rounding only.
NOISE = 0.053
STEPS = [25, 50, 75, 100]


@pytest.fixture(scope="module")
def folder():
    return checkpoint("bert-wiki-mini")


@pytest.fixture(scope="module")
def scenes(folder):
    pages = load_corpus("wiki", "validation").documents
    return choose_blanks(pages, load_tokenizer(folder), common=10, rare=20, length=128, seed=3)


def test_transformers_fills_in_the_same_five(folder, scenes) -> None:
    model, tokenizer = ModernBertForMaskedLM.from_pretrained(folder), load_tokenizer(folder)
    pipeline = transformers.pipeline("fill-mask", str(folder))
    for scene in scenes:
        theirs = pipeline(scene.text, top_k=5)
        ours = fill_mask(model, tokenizer, scene.text, top=5)[0]
        assert [f.id for f in ours] == [answer["token"] for answer in theirs], scene.text
        scores = [answer["score"] for answer in theirs]
        assert [f.probability for f in ours] == pytest.approx(scores, abs=1e-5)


def test_one_command_repeats_the_card(folder, capsys) -> None:
    assert main(["evaluate", "bert-wiki-mini"]) == 0
    card = (folder / "README.md").read_text(encoding="utf-8")
    printed = capsys.readouterr().out.strip()
    assert len(printed.splitlines()) > 20
    assert printed in card


def test_a_fresh_run_follows_the_log(folder, tmp_path) -> None:
    """The shipped recipe, started anew and stopped after about two minutes."""
    shipped = {line.step: line.loss for line in read_log(folder / "log.csv")}
    command = [sys.executable, "-m", "companion.cli", "pretrain"]
    environment = {k: v for k, v in os.environ.items() if k != "OMP_NUM_THREADS"}  # both cores
    run = subprocess.Popen(
        [*command, f"--config={folder / 'training.toml'}", f"--out={tmp_path / 'run'}"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    log, found = tmp_path / "run" / "log.csv", []
    deadline = time.monotonic() + 900
    try:
        while time.monotonic() < deadline and run.poll() is None:
            found = read_log(log) if log.exists() else []
            if found and found[-1].step >= STEPS[-1]:
                break
            time.sleep(1)
    finally:
        run.send_signal(signal.SIGINT)
        assert run.wait(60) == 130
    found = found[: len(STEPS)]
    assert [line.step for line in found] == STEPS
    assert found[0].loss > found[-1].loss + 5 * NOISE  # it learns: following means something
    for line in found:
        assert line.loss == pytest.approx(shipped[line.step], abs=NOISE)
