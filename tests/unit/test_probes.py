"""Influence, probes and their yardsticks: what they find where the answer is known."""

from typing import NamedTuple

import pytest
import torch
from torch import nn

from companion.data import load_tokenizer
from companion.evaluation import influence
from companion.evaluation.probes import best_decay, fit_probe, tf_idf, token_vectors
from companion.models import ModernBertConfig, ModernBertForMaskedLM


class Output(NamedTuple):
    last_hidden_state: torch.Tensor


class Weights(nn.Module):
    """Place i is the sum of table[i, j] times the vector of token j."""

    def __init__(self, table: torch.Tensor) -> None:
        super().__init__()
        self.words = nn.Embedding(10, 3)
        self.table = table

    def forward(self, ids, attention_mask=None):
        return Output(torch.einsum("ij,bjd->bid", self.table, self.words(ids)))


def test_influence_is_the_weight_where_outputs_are_weighted_sums():
    table = torch.tensor([[1.0, 0.0, -2.0], [0.5, 3.0, 0.0], [0.0, 0.0, 0.0]])
    model = Weights(table).train()
    found = influence(
        model,
        model.words,
        torch.tensor([[1, 2, 1]]),
        draws=400,
        generator=torch.Generator().manual_seed(0),
    )
    # The length of a random direction in 3 dimensions: root mean square sqrt(3), here to 10 %.
    torch.testing.assert_close(found, 3**0.5 * table.abs(), atol=0.05, rtol=0.1)
    assert torch.equal(found == 0, table == 0)
    assert model.training
    assert model.words.weight.grad is None
    assert not model.words._forward_hooks


def blobs(n: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    labels = torch.arange(n) % 3
    centres = torch.tensor([[4.0, 0, 0, 0], [0, 4, 0, 0], [0, 0, 4, 0]])
    return 100 + centres[labels] + torch.randn(n, 4, generator=generator), labels


def test_a_probe_finds_what_is_linear_and_gives_the_same_each_time():
    (x, labels), (questions, answers) = blobs(300, 0), blobs(300, 1)
    probe = fit_probe(x, labels, classes=3)
    assert (probe.predict(questions) == answers).float().mean() > 0.95
    again = fit_probe(x, labels, classes=3)
    assert torch.equal(probe.weight, again.weight)
    harder = fit_probe(x, labels, classes=3, decay=10.0)
    assert harder.weight.norm() < probe.weight.norm() / 10


def test_the_decay_is_chosen_on_examples_that_were_not_fitted():
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(60, 200, generator=generator)  # more features than examples
    labels = (x[:, 0] > 0).long()
    x[:, 0] *= 10
    # With too much decay the weights are nothing, and the commoner class is always called.
    assert best_decay(x, labels, classes=2, decays=[1e6, 1e-3]) == 1e-3
    assert best_decay(x, labels, classes=2, decays=[1e-3, 1e6]) == 1e-3


def test_tf_idf_by_hand():
    train = [torch.tensor([0, 1]), torch.tensor([0, 0, 2]), torch.tensor([0])]
    found = tf_idf(train, [torch.tensor([0, 0, 1])], vocab_size=4)
    rarity = ((1 + 3) / (1 + torch.tensor([3.0, 1, 1, 0]))).log() + 1
    wanted = torch.tensor([2.0, 1, 0, 0]).log1p() * rarity
    torch.testing.assert_close(found[0], wanted / wanted.norm())


def test_vectors_of_tokens_are_those_of_each_text_alone():
    tokenizer = load_tokenizer()
    torch.manual_seed(0)
    config = ModernBertConfig(
        vocab_size=tokenizer.vocab_size,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=24,
    )
    model = ModernBertForMaskedLM(config).eval()
    encodings = tokenizer.encode_batch(["The sun.", "A long river flows south."])
    found = token_vectors(model, tokenizer, encodings)
    for one, vectors in zip(encodings, found, strict=True):
        with torch.no_grad():
            alone = model(one.ids[None]).last_hidden_state[0, 1:-1]
        torch.testing.assert_close(vectors, alone)


def test_the_two_ways_differ_in_mask_and_task_alone():
    from pathlib import Path

    from companion.training import load_config

    folder = Path(__file__).resolve().parents[2] / "configs" / "two-ways"
    one, two = (load_config(folder / f"{name}.toml") for name in ("masked", "causal"))
    assert (one.data, one.optimizer, one.schedule, one.run) == (
        two.data,
        two.optimizer,
        two.schedule,
        two.run,
    )
    differ = {n for n, size in one.model.sizes.items() if two.model.sizes[n] != size}
    assert differ == {"local_attention"}  # counted in two ways: four tokens back in both
    assert one.model.sizes["local_attention"] // 2 == two.model.sizes["local_attention"] // 2 - 1
    assert one.model.sizes.keys() == two.model.sizes.keys()


def test_gpt_wiki_mini_is_made_as_bert_wiki_mini():
    from pathlib import Path

    from companion.training import load_config

    folder = Path(__file__).resolve().parents[2] / "configs"
    one, two = (load_config(folder / f"{name}-wiki-mini.toml") for name in ("bert", "gpt"))
    assert (one.data, one.optimizer) == (two.data, two.optimizer)
    assert one.run.batch_size == two.run.batch_size
    assert one.schedule.steps * one.masking.rate == pytest.approx(two.schedule.steps)
