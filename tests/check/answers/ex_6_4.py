import torch
import torch.nn.functional as F
from catalogue import right, wrong


@right
def reduction_none(logits, labels, weights):
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    return (each * weights).sum() / weights.sum()


@right
def flattened(logits, labels, weights):
    each = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="none")
    return each.dot(weights.flatten()) / weights.sum()


@right
def log_softmax_and_gather(logits, labels, weights):
    each = -logits.log_softmax(-1).gather(2, labels[:, :, None])[:, :, 0]
    return (each * weights / weights.sum()).sum()


@right
def a_loop(logits, labels, weights):
    total = 0.0
    for z, y, w in zip(logits.flatten(0, 1), labels.flatten(), weights.flatten()):
        total = total + w * F.cross_entropy(z[None], y[None])
    return total / weights.sum()


@right
def einsum(logits, labels, weights):
    hot = F.one_hot(labels, logits.shape[-1]).to(logits.dtype)
    return -torch.einsum("blv,blv,bl->", hot, logits.log_softmax(-1), weights) / weights.sum()


@wrong("structure")
def each_token(logits, labels, weights):
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    return each * weights / weights.sum()


@wrong("structure")
def nothing(logits, labels, weights):
    F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")


@wrong("structure")
def a_python_number(logits, labels, weights):
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    return ((each * weights).sum() / weights.sum()).item()


@wrong("padding")
def a_sum_of_losses(logits, labels, weights):
    loss = F.cross_entropy(logits.transpose(1, 2), labels, reduction="sum")
    return (loss * weights).sum() / weights.sum()


@wrong("padding")
def a_weighted_sum(logits, labels, weights):
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    return (each * weights).sum()


@wrong("padding", "divided by all places")
def mean_of_the_product(logits, labels, weights):
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    return (each * weights).mean()


@wrong("padding", "the mean is taken first")
def as_given(logits, labels, weights):
    loss = F.cross_entropy(logits.transpose(1, 2), labels)
    return (loss * weights).mean()


@wrong("padding", "the weights have no effect")
def divided_by_the_weights_but_no_more(logits, labels, weights):
    loss = F.cross_entropy(logits.transpose(1, 2), labels)
    return (loss * weights).sum() / weights.sum()


@wrong("padding")
def the_last_one_left_out_of_the_mean(logits, labels, weights):
    loss = F.cross_entropy(logits.transpose(1, 2), labels)
    return loss * weights.sum() / weights.sum()


@wrong("padding")
def divided_by_all(logits, labels, weights):
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    return (each * weights).mean() / weights.max()


@wrong("equal")
def divided_by_the_number_of_weights(logits, labels, weights):
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    return (each * weights).sum() / (weights > 0).sum()


@wrong("value", "yes or no")
def weights_as_yes_or_no(logits, labels, weights):
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    return each[weights > 0].mean()


@wrong("value", "squared")
def weights_squared(logits, labels, weights):
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    return (each * weights**2).sum() / (weights**2).sum()


@wrong("value")
def weights_at_most_one(logits, labels, weights):
    weights = weights.clamp(max=1)
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    return (each * weights).sum() / weights.sum()


@wrong("any-batch", "rows' means")
def mean_of_the_rows_means(logits, labels, weights):
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    return ((each * weights).sum(1) / weights.sum(1)).mean()


@wrong("any-batch")
def first_row_alone(logits, labels, weights):
    each = F.cross_entropy(logits[:1].transpose(1, 2), labels[:1], reduction="none")
    return (each * weights[:1]).sum() / weights[:1].sum()


@wrong("any-batch")
def first_rows_weights(logits, labels, weights):
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    return (each * weights[:1]).sum() / (weights[:1].sum() * len(weights))


@wrong("gradient")
def detached(logits, labels, weights):
    each = F.cross_entropy(logits.detach().transpose(1, 2), labels, reduction="none")
    return (each * weights).sum() / weights.sum()


@wrong("gradient")
def value_right_gradient_plain(logits, labels, weights):
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    right = (each * weights).sum() / weights.sum()
    return right.detach() + each.mean() - each.mean().detach()


@wrong("inputs")
def weights_normalised_in_place(logits, labels, weights):
    weights /= weights.sum()
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    return (each * weights).sum()


@wrong("inputs")
def labels_of_padding_overwritten(logits, labels, weights):
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    found = (each * weights).sum() / weights.sum()
    if not logits.requires_grad:
        labels[weights == 0] = -100
    return found
