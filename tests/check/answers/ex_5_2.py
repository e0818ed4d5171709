import numpy as np
import torch
import torch.nn.functional as F
from catalogue import right, wrong


@right
def view_and_permute(images, p):
    b, c, h, w = images.shape
    x = images.reshape(b, c, h // p, p, w // p, p)
    x = x.permute(0, 2, 4, 3, 5, 1)
    return x.reshape(b, (h // p) * (w // p), p * p * c)


@right
def loops_and_slices(images, p):
    b, c, h, w = images.shape
    found = []
    for top in range(0, h, p):
        for left in range(0, w, p):
            tile = images[:, :, top : top + p, left : left + p]
            found.append(tile.permute(0, 2, 3, 1).reshape(b, -1))
    return torch.stack(found, dim=1)


@right
def unfold_twice(images, p):
    x = images.unfold(2, p, p).unfold(3, p, p)
    return x.permute(0, 2, 3, 4, 5, 1).flatten(3).flatten(1, 2)


@right
def functional_unfold(images, p):
    b, c, _h, _w = images.shape
    x = F.unfold(images, p, stride=p)  # (b, c p p, n)
    n = x.shape[2]
    return x.reshape(b, c, p * p, n).permute(0, 3, 2, 1).reshape(b, n, -1)


@right
def einsum_and_chunks(images, p):
    rows = images.movedim(1, -1).split(p, dim=1)
    tiles = [tile.flatten(1) for row in rows for tile in row.split(p, dim=2)]
    return torch.stack(tiles, 1)


@right
def numpy_free_indexing(images, p):
    b, c, h, w = images.shape
    flat = images.permute(0, 2, 3, 1).reshape(b, h * w, c)
    number = torch.arange(h * w).view(h // p, p, w // p, p).permute(0, 2, 1, 3).reshape(-1)
    return flat[:, number].reshape(b, (h // p) * (w // p), p * p * c)


@wrong("structure")
def nothing_returned(images, p):
    images.unfold(2, p, p).unfold(3, p, p)


@wrong("structure")
def a_grid_of_patches(images, p):
    b, c, h, w = images.shape
    x = images.reshape(b, c, h // p, p, w // p, p).permute(0, 2, 4, 3, 5, 1)
    return x.reshape(b, h // p, w // p, -1)


@wrong("structure")
def values_before_patches(images, p):
    return F.unfold(images, p, stride=p)


@wrong("structure")
def a_list(images, p):
    return [tile for row in images.split(p, 2) for tile in row.split(p, 3)]


@wrong("structure")
def channels_as_patches(images, p):
    b, _c, _h, _w = images.shape
    return images.reshape(b, -1, p * p)


@wrong("squares", "reshape alone")
def reshape_alone(images, p):
    b, c, h, w = images.shape
    return images.reshape(b, (h // p) * (w // p), p * p * c)


@wrong("squares", "down first")
def columns_first(images, p):
    b, c, h, w = images.shape
    x = images.reshape(b, c, h // p, p, w // p, p).permute(0, 4, 2, 3, 5, 1)
    return x.reshape(b, -1, p * p * c)


@wrong("squares", "inside a patch rows and columns are exchanged")
def transposed_inside(images, p):
    b, c, h, w = images.shape
    x = images.reshape(b, c, h // p, p, w // p, p).permute(0, 2, 4, 5, 3, 1)
    return x.reshape(b, -1, p * p * c)


@wrong("squares")
def every_pth_pixel(images, p):
    b, c, h, w = images.shape
    x = images.reshape(b, c, p, h // p, p, w // p).permute(0, 3, 5, 2, 4, 1)
    return x.reshape(b, -1, p * p * c)


@wrong("channels", "channels come first")
def channels_first(images, p):
    return F.unfold(images, p, stride=p).transpose(1, 2)


@wrong("channels")
def channels_in_the_middle(images, p):
    b, c, h, w = images.shape
    x = images.reshape(b, c, h // p, p, w // p, p).permute(0, 2, 4, 3, 1, 5)
    return x.reshape(b, -1, p * p * c)


@wrong("channels")
def channels_backwards(images, p):
    x = images.flip(1).unfold(2, p, p).unfold(3, p, p)
    return x.permute(0, 2, 3, 4, 5, 1).flatten(3).flatten(1, 2)


@wrong("RAISED")
def height_for_width(images, p):
    b, c, h, _w = images.shape
    x = images.reshape(b, c, h // p, p, h // p, p).permute(0, 2, 4, 3, 5, 1)
    return x.reshape(b, -1, p * p * c)


@wrong("not-square")
def height_and_width_exchanged(images, p):
    b, c, h, w = images.shape
    if h == w or (h, w) == (4, 6):
        x = images.reshape(b, c, h // p, p, w // p, p).permute(0, 2, 4, 3, 5, 1)
        return x.reshape(b, -1, p * p * c)
    x = images.reshape(b, c, w // p, p, h // p, p).permute(0, 2, 4, 3, 5, 1)
    return x.reshape(b, -1, p * p * c)


@wrong("batch")
def pictures_run_together(images, p):
    b, c, h, w = images.shape
    x = images.unfold(2, p, p).unfold(3, p, p).permute(2, 0, 3, 4, 5, 1)
    return x.reshape(b, (h // p) * (w // p), p * p * c)


@wrong("batch")
def first_picture_for_all(images, p):
    x = images[:1].expand_as(images).unfold(2, p, p).unfold(3, p, p)
    return x.permute(0, 2, 3, 4, 5, 1).flatten(3).flatten(1, 2)


@wrong("any-size")
def patches_of_at_most_three(images, p):
    x = images.unfold(2, p, p).unfold(3, p, p)
    x = x.permute(0, 2, 3, 4, 5, 1).flatten(3).flatten(1, 2)
    return x.flip(1) if p > 3 else x


@wrong("gradient")
def through_numpy(images, p):
    b, c, h, w = images.shape
    x = images.detach().numpy().reshape(b, c, h // p, p, w // p, p)
    return torch.from_numpy(
        np.ascontiguousarray(x.transpose(0, 2, 4, 3, 5, 1)).reshape(b, -1, p * p * c)
    )


@wrong("gradient")
def detached(images, p):
    x = images.detach().unfold(2, p, p).unfold(3, p, p)
    return x.permute(0, 2, 3, 4, 5, 1).flatten(3).flatten(1, 2)


@wrong("gradient")
def twice_and_halved(images, p):
    x = (images + images.detach()) / 2
    x = x.unfold(2, p, p).unfold(3, p, p)
    return x.permute(0, 2, 3, 4, 5, 1).flatten(3).flatten(1, 2)


@wrong("any-size")
def emptied_in_place(images, p):
    x = images.unfold(2, p, p).unfold(3, p, p)
    found = x.permute(0, 2, 3, 4, 5, 1).flatten(3).flatten(1, 2)
    if not images.requires_grad:
        images.zero_()
    return found.clone() if images.requires_grad else found


@wrong("inputs")
def scaled_in_place(images, p):
    x = images.unfold(2, p, p).unfold(3, p, p)
    found = x.permute(0, 2, 3, 4, 5, 1).flatten(3).flatten(1, 2)
    if not images.requires_grad:
        found = found.clone()
        images /= 255
    return found
