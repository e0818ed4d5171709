import torch
from catalogue import right, wrong


def _pick(x, keep):
    return x.gather(1, keep[:, :, None].expand(-1, -1, x.shape[2]))


@right
def added_before(patches, embed, positions, keep):
    return _pick(embed(patches) + positions, keep)


@right
def positions_picked_too(patches, embed, positions, keep):
    return _pick(embed(patches), keep) + positions[keep]


@right
def patches_picked_before_embedding(patches, embed, positions, keep):
    return embed(_pick(patches, keep)) + positions[keep]


@right
def rows_and_loops(patches, embed, positions, keep):
    x = embed(patches)
    rows = []
    for row, numbers in zip(x, keep.tolist()):
        rows.append(torch.stack([row[n] + positions[n] for n in numbers]))
    return torch.stack(rows)


@right
def index_select_of_positions(patches, embed, positions, keep):
    batch, kept = keep.shape
    places = positions.index_select(0, keep.reshape(-1)).view(batch, kept, -1)
    return embed(patches)[torch.arange(batch)[:, None], keep] + places


@wrong("structure")
def nothing_dropped(patches, embed, positions, keep):
    return embed(patches) + positions


@wrong("structure")
def nothing_returned(patches, embed, positions, keep):
    _pick(embed(patches) + positions, keep)


@wrong("structure")
def positions_as_a_row_of_tokens(patches, embed, positions, keep):
    x = _pick(embed(patches), keep)
    return torch.cat([x, positions[keep]], 1)


@wrong("positions", "positions 0, 1, 2")
def as_given(patches, embed, positions, keep):
    return _pick(embed(patches), keep) + positions[: keep.shape[1]]


@wrong("positions", "no position is added")
def no_positions(patches, embed, positions, keep):
    return _pick(embed(patches), keep)


@wrong("positions", "sorted, with the positions")
def sorted_with_the_first_positions(patches, embed, positions, keep):
    return _pick(embed(patches), keep.sort(1).values) + positions[: keep.shape[1]]


@wrong("positions", "the kept patches are sorted")
def keep_sorted(patches, embed, positions, keep):
    return _pick(embed(patches) + positions, keep.sort(1).values)


@wrong("positions")
def positions_twice(patches, embed, positions, keep):
    return _pick(embed(patches) + positions, keep) + positions[keep]


@wrong("positions")
def positions_embedded(patches, embed, positions, keep):
    return _pick(embed(patches + positions), keep)


@wrong("positions")
def positions_backwards(patches, embed, positions, keep):
    return _pick(embed(patches) + positions.flip(0), keep)


@wrong("positions")
def last_positions(patches, embed, positions, keep):
    return _pick(embed(patches), keep) + positions[-keep.shape[1] :]


@wrong("positions")
def kept_reversed(patches, embed, positions, keep):
    return _pick(embed(patches) + positions, keep.flip(1))


@wrong("order")
def ascending_from_three_on(patches, embed, positions, keep):
    keep = keep.sort(1).values if keep.shape[1] > 2 else keep
    return _pick(embed(patches) + positions, keep)


@wrong("order")
def by_a_bool_mask(patches, embed, positions, keep):
    x = embed(patches) + positions
    if keep.shape[1] <= 2:
        return _pick(x, keep)
    chosen = torch.zeros(x.shape[:2], dtype=torch.bool).scatter(1, keep, True)
    return x[chosen].view(len(x), keep.shape[1], -1)


@wrong("rows", "positions of the first picture")
def first_pictures_positions(patches, embed, positions, keep):
    return _pick(embed(patches), keep) + positions[keep[0]]


@wrong("rows")
def first_pictures_patches(patches, embed, positions, keep):
    return (embed(patches) + positions)[:, keep[0]]


@wrong("rows")
def last_pictures_positions(patches, embed, positions, keep):
    return _pick(embed(patches), keep) + positions[keep[-1]]


@wrong("any-picture")
def small_grids_alone(patches, embed, positions, keep):
    x = embed(patches)
    x = x + (positions if x.shape[1] < 5 else positions.roll(1, 0))
    return _pick(x, keep)


@wrong("gradient")
def detached(patches, embed, positions, keep):
    return _pick(embed(patches.detach()) + positions, keep)


@wrong("gradient")
def all_patches_seep_in(patches, embed, positions, keep):
    x = embed(patches)
    seep = x.mean(1, keepdim=True)
    return _pick(x + positions, keep) + seep - seep.detach()


@wrong("inputs")
def keep_sorted_in_place(patches, embed, positions, keep):
    found = _pick(embed(patches) + positions, keep)
    keep.copy_(keep.sort(1).values)
    return found


@wrong("inputs")
def positions_added_in_place(patches, embed, positions, keep):
    found = _pick(embed(patches) + positions, keep)
    positions += 1
    return found
