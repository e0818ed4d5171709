"""The shipped models: what their cards say, and what others make of their folders."""

import os
import signal
import subprocess
import sys
import time

import pytest
import torch
import transformers

from companion.cli import main
from companion.data import checkpoint, load_corpus, load_tokenizer, sentence_pairs
from companion.evaluation import choose_blanks, fill_mask, pair_logits
from companion.models import BertForPreTraining, ModernBertForCausalLM, ModernBertForMaskedLM
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


def test_transformers_says_the_same_of_pairs() -> None:
    folder = checkpoint("nsp-wiki-mini")
    ours, tokenizer = BertForPreTraining.from_pretrained(folder), load_tokenizer(folder)
    theirs = transformers.BertForPreTraining.from_pretrained(folder).eval()
    pages = load_corpus("wiki", "validation").documents[:12]
    pairs = sentence_pairs(
        [page.sentences for page in pages], generator=torch.Generator().manual_seed(0)
    )
    found = pair_logits(ours, tokenizer, pairs, length=64)
    for pair, logits in zip(pairs, found, strict=True):
        row = tokenizer.encode(pair.a, pair.b, max_length=64)
        with torch.no_grad():
            wanted = theirs(row.ids[None], token_type_ids=row.segment_ids[None])
        torch.testing.assert_close(logits, wanted.seq_relationship_logits[0], atol=1e-5, rtol=0)
    assert len({bool(x) for x in found.argmax(-1)}) == 2


def test_transformers_says_the_same_next_tokens_and_writes_the_same() -> None:
    folder = checkpoint("gpt-wiki-mini")
    ours, tokenizer = ModernBertForCausalLM.from_pretrained(folder), load_tokenizer(folder)
    theirs = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()
    for page in load_corpus("wiki", "validation").documents[:5]:
        ids = tokenizer.encode(page.text, max_length=100).ids[None]
        with torch.no_grad():
            torch.testing.assert_close(ours(ids).logits, theirs(ids).logits, atol=1e-4, rtol=0)
    start = ids[:, :8]
    wanted = theirs.generate(start, max_new_tokens=20, do_sample=False, eos_token_id=None)
    assert torch.equal(ours.generate(start, max_new_tokens=20, temperature=0), wanted)


def test_the_causal_twin_has_the_same_parts() -> None:
    """But for the pattern and what is asked: as many weights, of the same shapes and names."""
    kinds = {"bert-wiki-mini": ModernBertForMaskedLM, "gpt-wiki-mini": ModernBertForCausalLM}
    one, two = (
        {n: p.shape for n, p in kind.from_pretrained(checkpoint(name)).named_parameters()}
        for name, kind in kinds.items()
    )
    assert one == two
    logs = [read_log(checkpoint(name) / "log.csv")[-1].step for name in kinds]
    assert logs[0] * 0.3 == pytest.approx(logs[1])  # as many answers: 30 % of the tokens, or all


@pytest.mark.parametrize("name", ["bert-wiki-mini", "nsp-wiki-mini", "gpt-wiki-mini"])
def test_one_command_repeats_the_card(name, capsys) -> None:
    assert main(["evaluate", name]) == 0
    card = (checkpoint(name) / "README.md").read_text(encoding="utf-8")
    printed = capsys.readouterr().out.strip()
    assert len(printed.splitlines()) > 10
    assert ("next or random" in printed) == (name == "nsp-wiki-mini")
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
