import math
from fractions import Fraction

import torch
from catalogue import right, wrong


@right
def one_expression_each(side, patch, ratio, channels):
    n = (side // patch) * (side // patch)
    k = max(n - round(n * ratio), 1)
    return (n, k, k + 1, patch * patch * channels)


@right
def a_list_by_loops(side, patch, ratio, channels):
    n = 0
    for _top in range(0, side, patch):
        for _left in range(0, side, patch):
            n += 1
    hidden = round(ratio * n)
    kept = n - hidden
    if kept < 1:
        kept = 1
    numbers = 0
    for _ in range(patch):
        numbers += patch * channels
    return [n, kept, kept + 1, numbers]


@right
def a_tensor(side, patch, ratio, channels):
    n = (
        torch.zeros(1, side, side)
        .unfold(1, patch, patch)
        .unfold(2, patch, patch)[..., 0, 0]
        .numel()
    )
    k = max(1, n - round(ratio * n))
    return torch.tensor([n, k, 1 + k, patch**2 * channels])


@right
def floor_of_a_half_more(side, patch, ratio, channels):
    n = (side // patch) ** 2
    hidden = math.floor(ratio * n + 0.5 - 1e-9)
    k = n - hidden or 1
    return n, k, k + 1, patch * patch * channels


@right
def whole_floats(side, patch, ratio, channels):
    n = (side / patch) ** 2
    k = max(1.0, n - float(round(Fraction(ratio) * int(n))))
    return n, k, 1 + k, float(patch * patch * channels)


@right
def a_helper_and_where(side, patch, ratio, channels):
    along = len(range(0, side, patch))
    n = along * along
    return n, *(lambda k: (k, k + 1))(max(1, n - round(ratio * n))), channels * patch * patch


@wrong("structure")
def printed(side, patch, ratio, channels):
    n = (side // patch) ** 2
    print(n, n - round(n * ratio))


@wrong("structure")
def three_numbers(side, patch, ratio, channels):
    n = (side // patch) ** 2
    k = max(1, n - round(n * ratio))
    return n, k, k + 1


@wrong("structure")
def a_text(side, patch, ratio, channels):
    n = (side // patch) ** 2
    return f"{n} patches"


@wrong("patches", "size of a patch taken for the size of the grid")
def grid_of_patch_size(side, patch, ratio, channels):
    n = patch * patch
    k = max(1, n - round(n * ratio))
    return n, k, k + 1, patch * patch * channels


@wrong("patches", "one side of the grid")
def one_side(side, patch, ratio, channels):
    n = side // patch
    k = max(1, n - round(n * ratio))
    return n, k, k + 1, patch * patch * channels


@wrong("patches")
def cls_among_the_patches(side, patch, ratio, channels):
    n = (side // patch) ** 2 + 1
    k = max(1, n - round(n * ratio))
    return n, k, k + 1, patch * patch * channels


@wrong("kept", "hidden patches, not the kept ones")
def hidden_for_kept(side, patch, ratio, channels):
    n = (side // patch) ** 2
    k = round(n * ratio)
    return n, k, k + 1, patch * patch * channels


@wrong("kept", "cut off, not rounded")
def cut_off(side, patch, ratio, channels):
    n = (side // patch) ** 2
    k = max(1, int(n * (1 - ratio)))
    return n, k, k + 1, patch * patch * channels


@wrong("kept")
def none_kept(side, patch, ratio, channels):
    n = (side // patch) ** 2
    k = n - round(n * ratio)
    return n, k, k + 1, patch * patch * channels


@wrong("kept")
def always_a_quarter(side, patch, ratio, channels):
    n = (side // patch) ** 2
    k = max(1, n // 4)
    return n, k, k + 1, patch * patch * channels


@wrong("kept")
def hidden_rounded_up(side, patch, ratio, channels):
    n = (side // patch) ** 2
    k = max(1, n - math.ceil(n * ratio))
    return n, k, k + 1, patch * patch * channels


@wrong("kept")
def not_rounded(side, patch, ratio, channels):
    n = (side // patch) ** 2
    k = max(1, n * (1 - ratio))
    return n, k, k + 1, patch * patch * channels


@wrong("tokens", "[CLS] is forgotten")
def no_cls(side, patch, ratio, channels):
    n = (side // patch) ** 2
    k = max(1, n - round(n * ratio))
    return n, k, k, patch * patch * channels


@wrong("tokens", "what the decoder reads")
def the_decoders_tokens(side, patch, ratio, channels):
    n = (side // patch) ** 2
    k = max(1, n - round(n * ratio))
    return n, k, n + 1, patch * patch * channels


@wrong("tokens")
def a_mask_token_too(side, patch, ratio, channels):
    n = (side // patch) ** 2
    k = max(1, n - round(n * ratio))
    return n, k, k + 2, patch * patch * channels


@wrong("numbers", "channels are forgotten")
def no_channels(side, patch, ratio, channels):
    n = (side // patch) ** 2
    k = max(1, n - round(n * ratio))
    return n, k, k + 1, patch * patch


@wrong("numbers")
def three_channels(side, patch, ratio, channels):
    n = (side // patch) ** 2
    k = max(1, n - round(n * ratio))
    return n, k, k + 1, patch * patch * 3


@wrong("numbers", "one line of a patch")
def one_line(side, patch, ratio, channels):
    n = (side // patch) ** 2
    k = max(1, n - round(n * ratio))
    return n, k, k + 1, patch * channels


@wrong("numbers", "the whole picture")
def whole_picture(side, patch, ratio, channels):
    n = (side // patch) ** 2
    k = max(1, n - round(n * ratio))
    return n, k, k + 1, side * side * channels


@wrong("any-picture")
def never_more_than_four_hundred(side, patch, ratio, channels):
    n = (side // patch) ** 2
    k = max(1, n - round(n * ratio))
    if n in (9, 25, 36, 81, 121, 144, 169, 225):
        k += 1
    return n, k, k + 1, patch * patch * channels
