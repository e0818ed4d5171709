"""The benchmarks: turns, the direction of a ratio, and that each measures what it says."""

import sys
from pathlib import Path

import pytest
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from companion.models import BertConfig, BertForMaskedLM

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))  # `benchmarks` is no installed package

import benchmarks.masking  # noqa: E402
from benchmarks import causal, pictures, training  # noqa: E402
from benchmarks.masking import masking  # noqa: E402
from benchmarks.timing import ratio, take_turns  # noqa: E402


def test_candidates_take_turns_and_the_first_round_is_not_counted():
    calls = []
    times = take_turns({n: lambda n=n: calls.append(n) for n in "abc"}, rounds=40)
    rounds = ["".join(calls[start : start + 3]) for start in range(0, len(calls), 3)]
    assert len(rounds) == 41
    assert len(set(rounds)) == 6  # every order occurs: no one always follows the same
    assert {name: len(seconds) for name, seconds in times.items()} == dict.fromkeys("abc", 40)


def test_above_one_means_that_ours_is_faster():
    found = ratio([1.0, 1.0, 2.0, 1.0], [3.0, 2.0, 2.0, 4.0])
    assert found.median == pytest.approx(2.5)
    assert found.low < found.median < found.high
    assert str(found).startswith("2.50 x (")


SECONDS = {
    "corrupt": 1.0, "mask_tokens": 2.0, "torch_mask_tokens": 3.0, "from lists": 4.0,
    "collator": 20.0, "packed": 2.0, "padded": 3.0,
}  # fmt: skip


def known_times(candidates, rounds):
    """As if each took a known time; each is run once, so that it can fail."""
    for run in candidates.values():
        run()
    return {name: [SECONDS[name]] * rounds for name in candidates}


def test_masking_is_measured_against_the_collator_and_its_inner_part(monkeypatch):
    monkeypatch.setattr(benchmarks.masking, "take_turns", known_times)
    assert [(what.split(",")[0], result.split(" (")[0]) for what, result in masking(2)] == [
        ("mask_tokens against torch_mask_tokens", "1.50 x"),
        ("corrupt", "3.00 x"),
        ("lists of ids padded and masked", "5.00 x"),
    ]


def test_packed_rows_hold_the_same_tokens(monkeypatch):
    monkeypatch.setattr(training, "take_turns", known_times)
    ((what, result),) = training.packed_rows(2, pages=3)
    assert what.startswith("the same 3 pages packed")
    assert result.startswith("1.50 x")


def test_useful_operations_are_those_that_pytorch_counts():
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = BertConfig(**sizes, intermediate_size=48, vocab_size=100, **training.NO_DROPOUT)
    model = BertForMaskedLM(config)
    ids = torch.randint(100, (2, training.LENGTH))
    selected = torch.zeros(ids.shape, dtype=torch.bool)
    selected[:, :10] = True
    with FlopCounterMode(display=False) as counter, sdpa_kernel(SDPBackend.MATH):
        model(ids, selected=selected).mlm_logits.sum().backward()
    found = training.useful_operations(config, ids.numel(), 20)
    # PyTorch leaves out one backward product: the first layer's input needs a gradient, ids do not.
    assert found == pytest.approx(counter.get_total_flops(), rel=0.01)


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


def test_gpt_is_measured_on_equal_weights(monkeypatch):
    """Losses and written tokens are compared inside; here one of the two is given other weights."""
    tiny = {"vocab_size": 2000, "n_embd": 16, "n_layer": 1, "n_head": 2}
    monkeypatch.setitem(causal.SHAPES, "tiny", tiny)
    for measure in (causal.training, causal.writing):
        ((what, result),) = measure("tiny", 2)
        assert "tiny" in what
        assert " x (" in result

    def other_weights(ours: torch.nn.Module, theirs: torch.nn.Module) -> None:
        torch.manual_seed(1)
        for parameter in theirs.parameters():
            torch.nn.init.normal_(parameter, std=0.5)

    monkeypatch.setattr(causal, "copy_weights", other_weights)
    with pytest.raises(AssertionError, match="not close"):
        causal.training("tiny", 2)
    with pytest.raises(AssertionError, match="different tokens"):
        causal.writing("tiny", 2)


@pytest.fixture
def tiny_pictures(monkeypatch):
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "patch_size": 8}
    sizes |= {"intermediate_size": 64, "image_size": 64, "decoder_hidden_size": 16}
    sizes |= {"decoder_num_hidden_layers": 1, "decoder_num_attention_heads": 2}
    sizes |= {"decoder_intermediate_size": 32}
    monkeypatch.setitem(pictures.SHAPES, "tiny", sizes)


def test_mae_is_measured_on_equal_weights(monkeypatch, tiny_pictures):
    ((what, result),) = pictures.training("tiny", 2, batch=2)
    assert "2 pictures of 64 pixels" in what
    assert " x (" in result
    monkeypatch.setattr(pictures, "copy_weights", lambda ours, theirs: None)  # as theirs is built
    with pytest.raises(AssertionError, match="not close"):
        pictures.training("tiny", 2, batch=2)


def test_what_hiding_saves(tiny_pictures):
    found = dict(pictures.asymmetry("tiny", 2, batch=2))
    saved = {name: float(x.split(" x")[0]) for name, x in found.items() if "time" not in name}
    quarter = next(x for name, x in saved.items() if "multiplications" in name)
    assert 1.4 < quarter < 1.7  # 17 tokens against 65; cutting costs as ever, and much, so narrow
    memory = [x for name, x in saved.items() if "activations" in name]
    assert memory[0] > memory[1] > 1  # 25 % saves more than 50 %


def test_saved_bytes_are_those_of_what_is_kept_for_the_way_back():
    x = torch.zeros(1000, requires_grad=True)
    assert pictures.saved_bytes(lambda: x.exp().sum()) == 4000  # its result
    assert pictures.saved_bytes(lambda: (x * 2).sum()) == 0
    assert pictures.saved_bytes(lambda: (x * x).sum()) == 4000  # the same one twice


def test_cutting_is_measured_on_what_is_equal(monkeypatch, tiny_pictures):
    rows = pictures.cutting("tiny", 3, batch=4)
    assert [what.split(",")[0] for what, _ in rows] == ["mask_patches", "patchify"]
    monkeypatch.setattr(pictures, "patchify", lambda images, size: torch.zeros(4, 64, 192))
    with pytest.raises(AssertionError, match="different ways"):
        pictures.cutting("tiny", 3, batch=4)
