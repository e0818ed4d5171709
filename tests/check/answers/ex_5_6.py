import torch
import torch.nn.functional as F
from catalogue import right, wrong


@right
def picked_then_mean(pred, patches, hidden):
    return ((pred[hidden] - patches[hidden]) ** 2).mean()


@right
def mse_loss_on_what_is_hidden(pred, patches, hidden):
    return F.mse_loss(pred[hidden], patches[hidden])


@right
def where_with_zero_difference(pred, patches, hidden):
    difference = torch.where(hidden[:, :, None], pred - patches, torch.zeros(()))
    return difference.square().sum() / (hidden.sum() * pred.shape[2])


@right
def loops(pred, patches, hidden):
    errors = []
    for b in range(pred.shape[0]):
        for n in range(pred.shape[1]):
            if hidden[b, n]:
                errors.append((pred[b, n] - patches[b, n]).pow(2).mean())
    return torch.stack(errors).mean()


@right
def flat_places(pred, patches, hidden):
    places = hidden.flatten().nonzero()[:, 0]
    a, b = pred.flatten(0, 1)[places], patches.flatten(0, 1)[places]
    return torch.linalg.vector_norm(a - b) ** 2 / a.numel() if False else (a - b).mul(a - b).mean()


@right
def in_double(pred, patches, hidden):
    a = pred[hidden].double() - patches[hidden].double()
    return torch.einsum("nv,nv->", a, a) / a.numel()


@wrong("structure")
def each_patch(pred, patches, hidden):
    return (pred - patches)[hidden].square().mean(1)


@wrong("structure")
def a_python_number(pred, patches, hidden):
    return (pred - patches)[hidden].square().mean().item()


@wrong("structure")
def nothing(pred, patches, hidden):
    (pred - patches)[hidden].square().mean()


@wrong("structure")
def one_number_a_picture(pred, patches, hidden):
    each = (pred - patches).square().mean(2)
    return (each * hidden).sum(1) / hidden.sum(1)


@wrong("value", "kept patches are counted too")
def all_patches(pred, patches, hidden):
    return (pred - patches).square().mean()


@wrong("value", "the kept patches, not the hidden ones")
def kept_ones(pred, patches, hidden):
    return (pred - patches)[~hidden].square().mean()


@wrong("value", "divided by all patches")
def divided_by_all(pred, patches, hidden):
    return ((pred - patches).square().mean(2) * hidden).mean()


@wrong("value", "a sum over the values")
def sum_over_values(pred, patches, hidden):
    return (pred - patches)[hidden].square().sum(1).mean()


@wrong("value", "a sum, not a mean")
def plain_sum(pred, patches, hidden):
    return (pred - patches)[hidden].square().sum()


@wrong("value", "absolute differences")
def absolute(pred, patches, hidden):
    return (pred - patches)[hidden].abs().mean()


@wrong("value", "the root")
def rooted(pred, patches, hidden):
    return (pred - patches)[hidden].square().mean().sqrt()


@wrong("value")
def mean_of_the_pictures_means(pred, patches, hidden):
    each = (pred - patches).square().mean(2)
    return ((each * hidden).sum(1) / hidden.sum(1)).mean()


@wrong("value")
def square_of_the_mean(pred, patches, hidden):
    return (pred - patches)[hidden].mean().square()


@wrong("kept", "NaN")
def times_the_mask(pred, patches, hidden):
    each = (pred - patches).square().mean(2)
    return (each * hidden).sum() / hidden.sum()


@wrong("kept", "NaN")
def mask_times_difference(pred, patches, hidden):
    difference = (pred - patches) * hidden[:, :, None]
    return difference.square().sum() / hidden.sum() / pred.shape[2]


@wrong("kept")
def nan_to_zero_alone(pred, patches, hidden):
    each = (pred - patches).square().mean(2).clamp(max=1e30)
    return (each * hidden).nansum() / hidden.sum() + 0 * pred[~hidden].clamp(max=60).sum() * 1e9


@wrong("equal")
def pictures_weighted_alike(pred, patches, hidden):
    if len(pred) == 2:
        return (pred - patches)[hidden].square().mean()
    means = [(p - q)[h].square().mean() for p, q, h in zip(pred, patches, hidden) if h.any()]
    return torch.stack(means).mean()


@wrong("equal")
def divided_by_pictures_times_hidden(pred, patches, hidden):
    total = (pred - patches)[hidden].square().mean(1).sum()
    most = hidden.sum(1).max()
    return total / hidden.sum() if len(pred) == 2 else total / (most * len(pred))


@wrong("any-pictures")
def short_patches_alone(pred, patches, hidden):
    return (pred - patches)[hidden][:, :40].square().mean()


@wrong("any-pictures")
def errors_cut_at_twenty_five(pred, patches, hidden):
    return (pred - patches)[hidden].square().clamp(max=25).mean()


@wrong("gradient")
def detached(pred, patches, hidden):
    return (pred - patches)[hidden].square().mean().detach()


@wrong("gradient")
def by_numpy(pred, patches, hidden):
    difference = (pred - patches)[hidden].detach().numpy()
    return torch.tensor((difference**2).mean())


@wrong("gradient")
def half_of_the_gradient(pred, patches, hidden):
    difference = (pred - patches)[hidden]
    return (difference * difference.detach()).mean()


@wrong("inputs")
def kept_ones_zeroed_in_place(pred, patches, hidden):
    found = (pred - patches)[hidden].square().mean()
    if not pred.requires_grad:
        pred[~hidden] = 0
    return found


@wrong("inputs")
def hidden_turned_in_place(pred, patches, hidden):
    found = (pred - patches)[hidden].square().mean()
    hidden.logical_not_()
    return found
