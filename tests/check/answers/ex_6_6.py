import torch
from catalogue import right, wrong


@right
def var_plus_eps_root(patches, eps):
    mean = patches.mean(-1, keepdim=True)
    std = torch.sqrt(patches.var(-1, keepdim=True, unbiased=True) + eps)
    return (patches - mean) / std, mean, std


@right
def by_hand(patches, eps):
    n = patches.shape[2]
    mean = patches.sum(2, keepdim=True) / n
    apart = patches - mean
    std = ((apart * apart).sum(2, keepdim=True) / (n - 1) + eps).pow(0.5)
    return apart / std, mean, std


@right
def layer_norm_corrected(patches, eps):
    mean = patches.mean(2)[..., None]
    variance = (
        ((patches - mean) ** 2).mean(2)[..., None] * patches.shape[2] / (patches.shape[2] - 1)
    )
    std = (variance + eps).sqrt()
    return [(patches - mean).div(std), mean, std]


@right
def from_the_standard_deviation(patches, eps):
    variance, mean = torch.var_mean(patches, dim=-1, correction=1, keepdim=True)
    std = (variance + eps) ** 0.5
    return (patches - mean) * (1 / std), mean, std


@right
def patch_by_patch(patches, eps):
    values, means, stds = [], [], []
    for patch in patches.flatten(0, 1):
        m = patch.mean()
        s = (patch.var() + eps).sqrt()
        values.append((patch - m) / s)
        means.append(m)
        stds.append(s)
    shape = (*patches.shape[:2], 1)
    return (
        torch.stack(values).view(patches.shape),
        torch.stack(means).view(shape),
        torch.stack(stds).view(shape),
    )


def _mean(patches):
    return patches.mean(-1, keepdim=True)


@wrong("structure")
def values_alone(patches, eps):
    return (patches - _mean(patches)) / (patches.var(-1, keepdim=True) + eps).sqrt()


@wrong("structure")
def no_axis_kept(patches, eps):
    mean, std = patches.mean(-1), (patches.var(-1) + eps).sqrt()
    return (patches - mean[..., None]) / std[..., None], mean, std


@wrong("structure")
def nothing(patches, eps):
    patches - _mean(patches)


@wrong("structure")
def one_axis_over_the_picture(patches, eps):
    mean = patches.mean((1, 2), keepdim=True)
    std = (patches.var((1, 2), keepdim=True) + eps).sqrt()
    return (patches - mean) / std, mean, std


@wrong("value", "divided by n")
def biased(patches, eps):
    std = (patches.var(-1, keepdim=True, correction=0) + eps).sqrt()
    return (patches - _mean(patches)) / std, _mean(patches), std


@wrong("value", "the mean of the whole picture")
def mean_of_the_picture(patches, eps):
    mean = patches.mean((1, 2), keepdim=True).expand(*patches.shape[:2], 1)
    std = (patches.var(-1, keepdim=True) + eps).sqrt()
    values = (patches - _mean(patches)) / std
    return values, mean, std


@wrong("value", "the whole picture")
def spread_of_the_picture(patches, eps):
    std = (patches.std((1, 2), keepdim=True) + eps).expand(*patches.shape[:2], 1)
    return (patches - _mean(patches)) / std, _mean(patches), std


@wrong("value", "the whole batch")
def spread_of_the_batch(patches, eps):
    std = patches.std().expand(*patches.shape[:2], 1)
    return (patches - _mean(patches)) / std, _mean(patches), std


@wrong("value", "the variance, not its root")
def no_root(patches, eps):
    std = patches.var(-1, keepdim=True) + eps
    return (patches - _mean(patches)) / std, _mean(patches), std


@wrong("value")
def mean_not_subtracted(patches, eps):
    std = (patches.var(-1, keepdim=True) + eps).sqrt()
    return patches / std, _mean(patches), std


@wrong("value")
def between_zero_and_one(patches, eps):
    low, high = patches.amin(-1, keepdim=True), patches.amax(-1, keepdim=True)
    return (patches - low) / (high - low + eps), low, high - low + eps


@wrong("under-the-root", "eps stands outside")
def eps_outside(patches, eps):
    std = patches.std(-1, keepdim=True) + eps
    return (patches - _mean(patches)) / std, _mean(patches), std


@wrong("under-the-root")
def eps_squared(patches, eps):
    std = (patches.var(-1, keepdim=True) + eps**2).sqrt()
    return (patches - _mean(patches)) / std, _mean(patches), std


@wrong("under-the-root", "without eps")
def no_eps(patches, eps):
    std = patches.std(-1, keepdim=True)
    return (patches - _mean(patches)) / std, _mean(patches), std


@wrong("under-the-root")
def at_least_eps(patches, eps):
    std = patches.var(-1, keepdim=True).clamp(min=eps).sqrt()
    return (patches - _mean(patches)) / std, _mean(patches), std


@wrong("constant")
def ones_for_constant_patches(patches, eps):
    std = (patches.var(-1, keepdim=True) + eps).sqrt()
    values = (patches - _mean(patches)) / std
    return torch.where(values == 0, 1e-3, values), _mean(patches), std


@wrong("inverse")
def the_mean_of_the_others(patches, eps):
    std = (patches.var(-1, keepdim=True) + eps).sqrt()
    values = (patches - _mean(patches)) / std
    mean = _mean(patches)
    return values, mean if patches.shape[0] < 3 else mean.flip(1), std


@wrong("any-patches")
def short_patches_alone(patches, eps):
    head = patches[..., :12]
    mean = head.mean(-1, keepdim=True)
    std = (head.var(-1, keepdim=True) + eps).sqrt()
    return (patches - mean) / std, mean, std


@wrong("any-patches")
def values_cut_at_two(patches, eps):
    std = (patches.var(-1, keepdim=True) + eps).sqrt()
    values = (patches - _mean(patches)) / std
    return values.clamp(-1.55, 1.55) if patches.shape[0] != 3 else values, _mean(patches), std


@wrong("inputs")
def subtracted_in_place(patches, eps):
    if patches.requires_grad:
        std = (patches.var(-1, keepdim=True) + eps).sqrt()
        return (patches - _mean(patches)) / std, _mean(patches), std
    mean = _mean(patches)
    std = (patches.var(-1, keepdim=True) + eps).sqrt()
    patches -= mean
    return patches / std, mean, std


@wrong("gradient")
def detached(patches, eps):
    x = patches.detach()
    std = (x.var(-1, keepdim=True) + eps).sqrt()
    return (x - _mean(x)) / std, _mean(x), std


@wrong("gradient")
def statistics_detached(patches, eps):
    mean = _mean(patches).detach()
    std = (patches.var(-1, keepdim=True) + eps).sqrt().detach()
    return (patches - mean) / std, mean, std
