"""Muon, parameter groups, schedule."""

import pytest
import torch
from torch import nn

from companion.models import BertConfig, BertForMaskedLM, ModernBertConfig, ModernBertForMaskedLM
from companion.training import Muon
from companion.training.config import OptimizerConfig, ScheduleConfig
from companion.training.muon import orthogonal
from companion.training.optimizers import (
    build_optimizers,
    schedule,
    set_learning_rates,
    stacked_matrices,
)

SIZES = {
    "vocab_size": 30,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 24,
}


@pytest.mark.parametrize("shape", [(24, 16), (16, 24), (16, 16)])
def test_muon_is_torchs_muon_without_its_rounding(shape):
    torch.manual_seed(0)
    start = torch.randn(shape)
    ours, theirs = nn.Parameter(start.clone()), nn.Parameter(start.clone())
    mine = Muon([ours], 0.1, momentum=0.9, weight_decay=0.3)
    reference = torch.optim.Muon([theirs], 0.1, momentum=0.9, weight_decay=0.3)
    for _ in range(4):
        ours.grad = torch.randn(shape)
        theirs.grad = ours.grad.clone()
        mine.step()
        reference.step()
    moved = (ours - start).abs().max()
    assert moved > 0.3
    assert (ours - theirs).abs().max() < 0.02 * moved  # bfloat16 has three digits


def test_update_has_singular_values_near_one_and_keeps_directions():
    torch.manual_seed(0)
    left, _ = torch.linalg.qr(torch.randn(12, 12))
    right, _ = torch.linalg.qr(torch.randn(20, 20))
    sizes = torch.linspace(0.2, 3.0, 12)
    matrix = left @ torch.diag(sizes) @ right[:12]
    update = orthogonal(matrix[None])[0]
    values = torch.linalg.svdvals(update)
    assert values.min() > 0.6
    assert values.max() < 1.3
    cosine = nn.functional.cosine_similarity(update.flatten(), (left @ right[:12]).flatten(), 0)
    assert cosine > 0.97
    tall = orthogonal(matrix.T[None])[0]
    torch.testing.assert_close(tall, update.T)
    assert not orthogonal(torch.zeros(1, 3, 4)).any()


def test_muon_step_does_not_depend_on_the_size_of_the_gradient():
    torch.manual_seed(0)
    gradient = torch.randn(8, 6)
    ends = []
    for factor in (1.0, 1e4):
        weight = nn.Parameter(torch.zeros(8, 6))
        weight.grad = gradient * factor
        Muon([weight], 0.5).step()
        ends.append(weight.detach())
    torch.testing.assert_close(*ends)


def test_stacked_matrices_are_made_orthogonal_one_by_one():
    torch.manual_seed(0)
    gradients = [torch.randn(4, 6) * size for size in (1.0, 100.0, 0.01)]
    whole = nn.Parameter(torch.zeros(12, 6))
    whole.grad = torch.cat(gradients)
    Muon([{"params": [whole], "parts": 3}], 0.1).step()
    for part, gradient in zip(whole.chunk(3), gradients, strict=True):
        alone = nn.Parameter(torch.zeros(4, 6))
        alone.grad = gradient
        Muon([alone], 0.1).step()
        torch.testing.assert_close(part, alone)


def test_muon_refuses_what_is_no_matrix():
    with pytest.raises(ValueError, match=r"shape \(4,\)"):
        Muon([nn.Parameter(torch.zeros(4))], 0.1)
    with pytest.raises(ValueError, match="3 parts"):
        Muon([{"params": [nn.Parameter(torch.zeros(4, 4))], "parts": 3}], 0.1)


def models() -> list[nn.Module]:
    torch.manual_seed(0)
    return [
        BertForMaskedLM(BertConfig(**SIZES, max_position_embeddings=8)),
        ModernBertForMaskedLM(ModernBertConfig(**SIZES)),
    ]


@pytest.mark.parametrize("muon", [None, 0.02])
@pytest.mark.parametrize("number", [0, 1])
def test_every_parameter_has_one_optimiser_and_vectors_do_not_decay(number, muon):
    model = models()[number]
    config = OptimizerConfig(learning_rate=0.1, muon_learning_rate=muon, weight_decay=0.5)
    optimizers = build_optimizers(model, config)
    handled = [p for o in optimizers for group in o.param_groups for p in group["params"]]
    assert len(handled) == len({id(p) for p in handled}) == len(list(model.parameters()))
    by_muon = {id(p) for o in optimizers[1:] for group in o.param_groups for p in group["params"]}
    assert {n for n, p in model.named_parameters() if id(p) in by_muon} == {
        n for n, p in model.named_parameters() if muon and ".blocks." in n and p.ndim == 2
    }
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    for parameter in model.parameters():
        parameter.grad = torch.zeros_like(parameter)  # so that only decay can change anything
    set_learning_rates(optimizers, 1.0)
    for optimizer in optimizers:
        optimizer.step()
    for name, parameter in model.named_parameters():
        rate = 0.02 if id(parameter) in by_muon else 0.1
        kept = 1 - rate * 0.5 if parameter.ndim == 2 else 1.0
        torch.testing.assert_close(parameter, before[name] * kept)


def test_fused_matrices_are_known():
    bert, modern = models()
    names = {p: n for m in (bert, modern) for n, p in m.named_parameters()}
    assert {names[p]: k for p, k in stacked_matrices(bert).items()} == {
        f"encoder.blocks.{i}.attention.qkv.weight": 3 for i in range(2)
    }
    assert {names[p]: k for p, k in stacked_matrices(modern).items()} == {
        f"encoder.blocks.{i}.{part}.weight": k
        for i in range(2)
        for part, k in (("attention.qkv", 3), ("feed_forward.up", 2))
    }


def test_schedule_goes_up_stays_and_comes_down():
    config = ScheduleConfig(steps=100, warmup=10, decay=0.5, final=0.1)
    factors = [schedule(step, config) for step in range(100)]
    assert factors[:10] == pytest.approx([0.1 * n for n in range(1, 11)])
    assert factors[10:51] == [1.0] * 41
    assert factors[60] == pytest.approx(0.1 + 0.9 * 0.8)
    assert factors[99] == pytest.approx(0.1 + 0.9 * 0.02)
    assert sorted(factors[50:], reverse=True) == factors[50:]
    assert schedule(0, ScheduleConfig(steps=10, decay=0.0)) == 1.0
    at_once = [schedule(step, ScheduleConfig(steps=100, warmup=50)) for step in range(100)]
    assert max(at_once) == at_once[50] == 1.0  # the whole of the rest, and not before it is up
    assert at_once[75] == pytest.approx(0.5)
    assert schedule(9, ScheduleConfig(steps=10, decay=0.0)) == 1.0


def test_rates_are_multiples_of_the_first_ones():
    weights = [nn.Parameter(torch.zeros(2, 2)) for _ in range(2)]
    optimizers = [torch.optim.SGD([weights[0]], lr=0.5), torch.optim.SGD([weights[1]], lr=4.0)]
    for factor in (0.5, 0.1, 1.0):
        set_learning_rates(optimizers, factor)
        assert [o.param_groups[0]["lr"] for o in optimizers] == [0.5 * factor, 4.0 * factor]
