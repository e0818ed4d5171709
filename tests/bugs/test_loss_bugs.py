"""BUG_CASES that end in a loss: ignored classes, mean of means, weights after the mean."""

import math

import pytest
import torch
import torch.nn.functional as F

from companion.losses import masked_mean, mlm_loss, nsp_loss


def test_a10_no_label_at_all_gives_zero_and_no_gradient():
    logits = torch.randn(2, 5, 9, requires_grad=True)
    loss = mlm_loss(logits, torch.full((2, 5), -100))
    loss.backward()
    assert loss.item() == 0
    assert (logits.grad == 0).all()


@pytest.mark.parametrize("label", [-1, -99, 9])
def test_a12_other_negative_labels_are_refused(label):
    with pytest.raises(ValueError, match=rf"labels hold {label}; .*-100"):
        mlm_loss(torch.zeros(1, 3, 9), torch.tensor([[label, 2, -100]]))


def test_a13_class_zero_is_learned():
    logits = torch.zeros(4, 2, requires_grad=True)
    loss = nsp_loss(logits, torch.zeros(4, dtype=torch.int64))
    loss.backward()
    assert loss.item() == pytest.approx(math.log(2))
    assert (logits.grad[:, 0] < 0).all()


def test_a14_h3_weights_apply_before_the_mean():
    """H3's numbers: right 0.7261, weights after the mean 0.4516, plain mean 0.6774."""
    logits = torch.tensor([[0.3797, 0.6203], [0.4363, 0.5637], [0.3797, 0.6203]])
    values = F.cross_entropy(logits, torch.tensor([0, 1, 1]), reduction="none")
    loss = masked_mean(values, torch.tensor([True, True, False]))
    assert loss.item() == pytest.approx(0.7261, abs=5e-5)
    assert values.mean().item() == pytest.approx(0.6774, abs=5e-5)


@pytest.mark.parametrize("as_tensor", [False, True])
def test_a30_micro_batches_with_1_and_9_labels_add_up(as_tensor):
    logits = torch.randn(2, 10, 7, generator=torch.Generator().manual_seed(0))
    labels = torch.full((2, 10), -100)
    labels[0, 0], labels[1, :9] = 3, torch.arange(9) % 7
    whole = logits.clone().requires_grad_()
    mlm_loss(whole, labels).backward()
    parts = logits.clone().requires_grad_()
    total = torch.tensor(10) if as_tensor else 10
    losses = [mlm_loss(parts[row], labels[row], total=total) for row in range(2)]
    sum(losses).backward()
    assert sum(losses).item() == pytest.approx(mlm_loss(logits, labels).item(), abs=1e-6)
    torch.testing.assert_close(parts.grad, whole.grad)
    means = sum(mlm_loss(logits[row], labels[row]) for row in range(2)) / 2
    assert abs(means - mlm_loss(logits, labels)) > 0.01


def test_g13_one_label_is_one_cross_entropy():
    logits = torch.randn(1, 5, 9, generator=torch.Generator().manual_seed(0))
    labels = torch.tensor([[-100, -100, 4, -100, -100]])
    expected = F.cross_entropy(logits[0, 2][None], torch.tensor([4]))
    assert mlm_loss(logits, labels).item() == pytest.approx(expected.item(), abs=1e-6)
