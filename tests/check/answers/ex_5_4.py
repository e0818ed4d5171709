import torch
from catalogue import right, wrong


def _blanks(encoded, mask_token, restore):
    b, n = restore.shape
    return mask_token.expand(b, n - encoded.shape[1] + 1, encoded.shape[2])


def _take(x, index):
    return x.gather(1, index[:, :, None].expand(-1, -1, x.shape[2]))


@right
def cat_gather_cat(encoded, mask_token, restore):
    x = torch.cat([encoded[:, 1:], _blanks(encoded, mask_token, restore)], 1)
    return torch.cat([encoded[:, :1], _take(x, restore)], 1)


@right
def loops(encoded, mask_token, restore):
    rows = []
    for row, places in zip(encoded, restore):
        vectors = [row[0]]
        for place in places.tolist():
            vectors.append(row[1 + place] if place < len(row) - 1 else mask_token)
        rows.append(torch.stack(vectors))
    return torch.stack(rows)


@right
def index_shifted_past_cls(encoded, mask_token, restore):
    x = torch.cat([encoded, _blanks(encoded, mask_token, restore)], 1)
    index = torch.cat([torch.zeros_like(restore[:, :1]), restore + 1], 1)
    return _take(x, index)


@right
def fancy_indexing(encoded, mask_token, restore):
    x = torch.cat([encoded[:, 1:], _blanks(encoded, mask_token, restore)], 1)
    row = torch.arange(len(x))[:, None]
    return torch.cat([encoded[:, :1], x[row, restore]], 1)


@right
def where_kept(encoded, mask_token, restore):
    kept = encoded.shape[1] - 1
    index = restore.clamp(max=kept - 1)
    x = torch.where((restore < kept)[:, :, None], _take(encoded[:, 1:], index), mask_token)
    return torch.cat([encoded[:, :1], x], 1)


@right
def written_into_blanks(encoded, mask_token, restore):
    b, n = restore.shape
    kept = encoded.shape[1] - 1
    order = restore.argsort(1)[:, :kept]
    full = mask_token.repeat(b, n, 1)
    full = full.scatter(1, order[:, :, None].expand(-1, -1, encoded.shape[2]), encoded[:, 1:])
    return torch.cat((encoded[:, 0:1], full), dim=1)


@wrong("structure")
def cls_dropped(encoded, mask_token, restore):
    x = torch.cat([encoded[:, 1:], _blanks(encoded, mask_token, restore)], 1)
    return _take(x, restore)


@wrong("structure")
def kept_alone(encoded, mask_token, restore):
    return encoded


@wrong("structure")
def nothing(encoded, mask_token, restore):
    torch.cat([encoded[:, 1:], _blanks(encoded, mask_token, restore)], 1)


@wrong("structure")
def one_blank_too_many(encoded, mask_token, restore):
    b, n = restore.shape
    blanks = mask_token.expand(b, n - encoded.shape[1] + 2, -1)
    x = torch.cat([encoded[:, 1:], blanks], 1)
    return torch.cat([encoded[:, :1], _take(x, restore), blanks[:, :1]], 1)


@wrong("cls", "[CLS] stands at the end")
def cls_at_the_end(encoded, mask_token, restore):
    x = torch.cat([encoded[:, 1:], _blanks(encoded, mask_token, restore)], 1)
    return torch.cat([_take(x, restore), encoded[:, :1]], 1)


@wrong("cls", "[CLS] is moved")
def cls_moved(encoded, mask_token, restore):
    x = torch.cat([encoded, _blanks(encoded, mask_token, restore)], 1)
    return torch.cat([_take(x, restore), x[:, -1:]], 1)


@wrong("cls")
def mask_token_for_cls(encoded, mask_token, restore):
    x = torch.cat([encoded[:, 1:], _blanks(encoded, mask_token, restore)], 1)
    return torch.cat([mask_token.expand(len(x), 1, -1), _take(x, restore)], 1)


@wrong("kept", "not put back")
def left_shuffled(encoded, mask_token, restore):
    return torch.cat([encoded, _blanks(encoded, mask_token, restore)], 1)


@wrong("kept", "before the kept ones")
def blanks_first(encoded, mask_token, restore):
    x = torch.cat([_blanks(encoded, mask_token, restore), encoded[:, 1:]], 1)
    return torch.cat([encoded[:, :1], _take(x, restore)], 1)


@wrong("kept", "not its inverse")
def by_the_order(encoded, mask_token, restore):
    x = torch.cat([encoded[:, 1:], _blanks(encoded, mask_token, restore)], 1)
    return torch.cat([encoded[:, :1], _take(x, restore.argsort(1))], 1)


@wrong("kept")
def gathered_with_cls(encoded, mask_token, restore):
    x = torch.cat([encoded, _blanks(encoded, mask_token, restore)], 1)
    return torch.cat([encoded[:, :1], _take(x, restore)], 1)


@wrong("kept")
def kept_reversed(encoded, mask_token, restore):
    x = torch.cat([encoded[:, 1:].flip(1), _blanks(encoded, mask_token, restore)], 1)
    return torch.cat([encoded[:, :1], _take(x, restore)], 1)


@wrong("blanks", "zeros in place")
def zeros_for_blanks(encoded, mask_token, restore):
    x = torch.cat([encoded[:, 1:], 0 * _blanks(encoded, mask_token, restore)], 1)
    return torch.cat([encoded[:, :1], _take(x, restore)], 1)


@wrong("blanks")
def mean_for_blanks(encoded, mask_token, restore):
    mean = encoded[:, 1:].mean(1, keepdim=True)
    blanks = mean.expand_as(_blanks(encoded, mask_token, restore))
    x = torch.cat([encoded[:, 1:], blanks], 1)
    return torch.cat([encoded[:, :1], _take(x, restore)], 1)


@wrong("blanks")
def cls_for_blanks(encoded, mask_token, restore):
    blanks = encoded[:, :1].expand_as(_blanks(encoded, mask_token, restore))
    x = torch.cat([encoded[:, 1:], blanks], 1)
    return torch.cat([encoded[:, :1], _take(x, restore)], 1)


@wrong("rows")
def first_order_for_all(encoded, mask_token, restore):
    x = torch.cat([encoded[:, 1:], _blanks(encoded, mask_token, restore)], 1)
    return torch.cat([encoded[:, :1], x[:, restore[0]]], 1)


@wrong("rows")
def last_cls_for_all(encoded, mask_token, restore):
    x = torch.cat([encoded[:, 1:], _blanks(encoded, mask_token, restore)], 1)
    return torch.cat([encoded[-1:, :1].expand(len(x), -1, -1), _take(x, restore)], 1)


@wrong("RAISED")
def three_blanks(encoded, mask_token, restore):
    x = torch.cat([encoded[:, 1:], mask_token.expand(len(encoded), 3, -1)], 1)
    return torch.cat([encoded[:, :1], _take(x, restore)], 1)


@wrong("any-picture")
def at_most_five_patches(encoded, mask_token, restore):
    x = torch.cat([encoded[:, 1:], _blanks(encoded, mask_token, restore)], 1)
    x = _take(x, restore)
    return torch.cat([encoded[:, :1], x.flip(1) if x.shape[1] > 8 else x], 1)


@wrong("gradient")
def mask_token_detached(encoded, mask_token, restore):
    x = torch.cat([encoded[:, 1:], _blanks(encoded, mask_token.detach(), restore)], 1)
    return torch.cat([encoded[:, :1], _take(x, restore)], 1)


@wrong("gradient")
def without_gradients(encoded, mask_token, restore):
    with torch.no_grad():
        x = torch.cat([encoded[:, 1:], _blanks(encoded, mask_token, restore)], 1)
        return torch.cat([encoded[:, :1], _take(x, restore)], 1)


@wrong("gradient")
def cls_without_a_gradient(encoded, mask_token, restore):
    x = torch.cat([encoded[:, 1:], _blanks(encoded, mask_token, restore)], 1)
    return torch.cat([encoded[:, :1].detach(), _take(x, restore)], 1)


@wrong("inputs")
def restore_shifted_in_place(encoded, mask_token, restore):
    x = torch.cat([encoded, _blanks(encoded, mask_token, restore)], 1)
    restore += 1
    return torch.cat([encoded[:, :1], _take(x, restore)], 1)


@wrong("inputs")
def cls_overwritten(encoded, mask_token, restore):
    x = torch.cat([encoded[:, 1:], _blanks(encoded, mask_token, restore)], 1)
    found = torch.cat([encoded[:, :1], _take(x, restore)], 1)
    if not encoded.requires_grad:
        encoded[:, 0] = 0
    return found
