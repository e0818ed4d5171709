"""The benchmarks: turns, the direction of a ratio, and that each measures what it says."""

import sys
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # `benchmarks` is no installed package

from benchmarks import training  # noqa: E402
from benchmarks.masking import masking  # noqa: E402
from benchmarks.timing import ratio, take_turns  # noqa: E402


def test_candidates_take_turns_and_the_first_round_is_not_counted():
    calls = []
    times = take_turns({"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, rounds=4)
    assert calls == list("abbaabbaab")
    assert {name: len(seconds) for name, seconds in times.items()} == {"a": 4, "b": 4}


def test_above_one_means_that_ours_is_faster():
    found = ratio([1.0, 1.0, 2.0, 1.0], [3.0, 2.0, 2.0, 4.0])
    assert found.median == pytest.approx(2.5)
    assert found.low < found.median < found.high
    assert str(found).startswith("2.50 x (")


def test_masking_is_measured_against_both():
    rows = masking(2)
    assert [what.split(",")[0] for what, _ in rows] == [
        f"{ours} against {theirs}"
        for ours in ("corrupt", "mask_tokens")
        for theirs in ("torch_mask_tokens", "collator")
    ]


def test_a_training_step_starts_from_equal_weights_and_moves_both(monkeypatch):
    """The losses are compared inside; here one of the two is given other weights."""
    tiny = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    monkeypatch.setitem(training.SHAPES, "tiny", (tiny | {"intermediate_size": 24}, 2))
    ((what, result),) = training.training_step("tiny", 2)
    assert what.endswith("tiny")
    assert " x (" in result

    def other_weights(ours: torch.nn.Module, theirs: torch.nn.Module) -> None:
        torch.manual_seed(1)
        for parameter in theirs.parameters():
            torch.nn.init.normal_(parameter, std=0.5)

    monkeypatch.setattr(training, "copy_weights", other_weights)
    with pytest.raises(AssertionError, match="not close"):
        training.training_step("tiny", 2)
