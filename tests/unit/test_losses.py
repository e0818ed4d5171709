"""A loss is a mean over the scored positions: nothing else may move it."""

import math

import pytest
import torch
import torch.nn.functional as F

from companion.losses import masked_mean, mlm_loss, nsp_loss


def rng(seed=0):
    return torch.Generator().manual_seed(seed)


def example(batch=3, length=7, vocab=11):
    logits = torch.randn(batch, length, vocab, generator=rng())
    labels = torch.randint(0, vocab, (batch, length), generator=rng(1))
    labels[:, ::2] = -100
    return logits, labels


def test_masked_mean_is_the_mean_of_the_scored():
    values = torch.tensor([[1.0, 2, 3], [4, 5, 6]])
    scored = torch.tensor([[True, False, True], [False, False, True]])
    assert masked_mean(values, scored).item() == pytest.approx((1 + 3 + 6) / 3)


def test_nothing_scored_is_zero_with_zero_gradient():
    values = torch.randn(4, requires_grad=True)
    loss = masked_mean(values, torch.zeros(4, dtype=torch.bool))
    loss.backward()
    assert loss.item() == 0
    assert torch.equal(values.grad, torch.zeros(4))


@pytest.mark.parametrize("poison", [float("nan"), float("inf")])
def test_poison_at_unscored_places_stays_out(poison):
    values = torch.tensor([1.0, poison, 3.0], requires_grad=True)
    scored = torch.tensor([True, False, True])
    loss = masked_mean(values, scored)
    loss.backward()
    assert loss.item() == 2
    assert values.grad.tolist() == [0.5, 0, 0.5]
    logits, labels = example()
    clean = mlm_loss(logits, labels)
    logits[labels == -100] = poison
    logits.requires_grad_()
    loss = mlm_loss(logits, labels)
    loss.backward()
    assert loss == clean
    assert logits.grad[labels != -100].isfinite().all()
    assert (logits.grad[labels == -100] == 0).all()


def test_half_precision_is_summed_in_float32():
    """70,000 losses of 1 do not fit a float16 sum."""
    loss = masked_mean(torch.ones(70_000, dtype=torch.float16), torch.ones(70_000).bool())
    assert loss.dtype == torch.float32
    assert loss.item() == 1
    logits = torch.zeros(2, 3, dtype=torch.bfloat16)
    assert mlm_loss(logits, torch.tensor([0, 1])).item() == pytest.approx(math.log(3))
    assert mlm_loss(logits.double(), torch.tensor([0, 1])).dtype == torch.float64


def test_scored_must_fit():
    with pytest.raises(ValueError, match=r"\(2,\).*\(3,\)"):
        masked_mean(torch.ones(3), torch.ones(2).bool())
    with pytest.raises(ValueError, match="float32"):
        masked_mean(torch.ones(3), torch.ones(3))
    with pytest.raises(ValueError, match="total is -1"):
        masked_mean(torch.ones(3), torch.ones(3).bool(), total=-1)


@pytest.mark.parametrize("total", [0, torch.tensor(0)])
def test_a_total_of_zero_is_no_division_by_zero(total):
    """A process that sees no label anywhere must not turn the others' weights into NaN."""
    values = torch.ones(3, requires_grad=True)
    loss = masked_mean(values, torch.zeros(3, dtype=torch.bool), total=total)
    loss.backward()
    assert loss.item() == 0
    assert torch.equal(values.grad, torch.zeros(3))


def test_labels_may_be_int32():
    logits, labels = example()
    assert mlm_loss(logits, labels.int()) == mlm_loss(logits, labels)
    assert nsp_loss(torch.zeros(2, 2), torch.tensor([0, 1]).int()).item() == pytest.approx(
        math.log(2)
    )


def test_mlm_loss_equals_torchs_cross_entropy():
    logits, labels = example()
    expected = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
    assert mlm_loss(logits, labels).item() == pytest.approx(expected.item(), abs=1e-6)
    selected = labels != -100
    at_selected = mlm_loss(logits[selected], labels[selected])
    assert at_selected.item() == pytest.approx(expected.item(), abs=1e-6)


def test_logits_at_unscored_positions_have_no_effect():
    logits, labels = example()
    moved = logits + 5 * torch.randn(logits.shape, generator=rng(2)) * (labels == -100)[..., None]
    assert mlm_loss(moved, labels) == mlm_loss(logits, labels)


def test_padding_and_row_order_have_no_effect():
    logits, labels = example()
    longer = F.pad(logits, (0, 0, 0, 5), value=9.0)
    assert mlm_loss(longer, F.pad(labels, (0, 5), value=-100)) == mlm_loss(logits, labels)
    order = torch.tensor([2, 0, 1])
    assert mlm_loss(logits[order], labels[order]).item() == pytest.approx(
        mlm_loss(logits, labels).item(), abs=1e-6
    )


def test_losses_refuse_what_cannot_be_scored():
    logits, labels = example()
    with pytest.raises(ValueError, match=r"\(3, 7, 11\) do not fit labels \(3, 6\)"):
        mlm_loss(logits, labels[:, :-1])
    with pytest.raises(ValueError, match=r"labels hold 11; a label is 0 to 10"):
        mlm_loss(logits, labels.masked_fill(labels == -100, 11))
    with pytest.raises(ValueError, match=r"labels are torch.float32; they must be whole numbers"):
        mlm_loss(logits, labels.float())
    with pytest.raises(ValueError, match=r"labels are torch.float32"):
        nsp_loss(torch.zeros(1, 2), torch.tensor([0.9]))
    with pytest.raises(ValueError, match=r"\(4, 3\)"):
        nsp_loss(torch.zeros(4, 3), torch.zeros(4).long())
    with pytest.raises(ValueError, match=r"labels hold 2; .*\(0 = is next"):
        nsp_loss(torch.zeros(1, 2), torch.tensor([2]))


def test_nsp_loss_is_a_plain_mean_over_the_pairs():
    logits = torch.randn(6, 2, generator=rng())
    labels = torch.tensor([0, 1, 1, 0, 1, 0])
    expected = F.cross_entropy(logits, labels)
    assert nsp_loss(logits, labels).item() == pytest.approx(expected.item(), abs=1e-6)
    # 0 = is next: favouring column 0 must be right for label 0.
    sure = torch.tensor([[9.0, -9.0]])
    assert nsp_loss(sure, torch.tensor([0])) < 1e-6 < nsp_loss(sure, torch.tensor([1]))


def test_untrained_losses_are_the_logarithm_of_the_choices():
    assert mlm_loss(torch.zeros(2, 30_522), torch.tensor([5, 9])).item() == pytest.approx(
        10.3262, abs=1e-4
    )
    assert nsp_loss(torch.zeros(4, 2), torch.tensor([0, 1, 1, 0])).item() == pytest.approx(
        0.6931, abs=1e-4
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_all_positions_scored_is_plain_cross_entropy(dtype) -> None:
    """Where nothing is left out, nothing is copied; value and gradient stay the same."""
    logits = torch.randn(2, 3, 7, dtype=dtype, generator=torch.Generator().manual_seed(0))
    labels = torch.tensor([[0, 6, 2], [3, 3, 1]])
    ours, plain = logits.clone().requires_grad_(), logits.clone().requires_grad_()
    loss = mlm_loss(ours, labels)
    expected = F.cross_entropy(plain.float().flatten(0, 1), labels.flatten())
    torch.testing.assert_close(loss, expected)
    loss.backward()
    expected.backward()
    torch.testing.assert_close(ours.grad, plain.grad)
