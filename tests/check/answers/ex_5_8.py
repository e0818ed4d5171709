import numpy as np
import torch
import torch.nn.functional as F
from catalogue import right, wrong


@right
def shifted_maps(hidden):
    kept = ~hidden
    beside = torch.zeros_like(kept)
    beside[:, 1:] |= kept[:, :-1]
    beside[:, :-1] |= kept[:, 1:]
    beside[:, :, 1:] |= kept[:, :, :-1]
    beside[:, :, :-1] |= kept[:, :, 1:]
    return ((beside & hidden).sum() / hidden.sum()).item()


@right
def loops(hidden):
    batch, rows, columns = hidden.shape
    touched = total = 0
    for b in range(batch):
        for i in range(rows):
            for j in range(columns):
                if not hidden[b, i, j]:
                    continue
                total += 1
                for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                    y, x = i + di, j + dj
                    if 0 <= y < rows and 0 <= x < columns and not hidden[b, y, x]:
                        touched += 1
                        break
    return touched / total


@right
def convolution(hidden):
    cross = torch.tensor([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])[None, None]
    around = F.conv2d((~hidden).float()[:, None], cross, padding=1)[:, 0]
    return (around[hidden] > 0.5).float().mean()


@right
def numpy_with_a_frame(hidden):
    kept = np.pad(~hidden.numpy(), ((0, 0), (1, 1), (1, 1)))
    beside = kept[:, 2:, 1:-1] + kept[:, :-2, 1:-1] + kept[:, 1:-1, 2:] + kept[:, 1:-1, :-2]
    return float(beside[hidden.numpy()].mean())


@right
def max_pooling_by_rows_and_columns(hidden):
    kept = (~hidden).float()[:, None]
    up = F.max_pool2d(kept, (3, 1), 1, (1, 0))
    across = F.max_pool2d(kept, (1, 3), 1, (0, 1))
    beside = torch.maximum(up, across)[:, 0]
    return torch.tensor(beside[hidden].double().mean().item())


@wrong("structure")
def a_map(hidden):
    return F.pad(~hidden, (1, 1, 1, 1))[:, 1:-1, :-2]


@wrong("structure")
def nothing(hidden):
    hidden.float().mean()


@wrong("structure")
def a_text(hidden):
    return "65 %"


def _beside(kept):
    seen = F.pad(kept, (1, 1, 1, 1))
    return seen[:, 1:-1, :-2] | seen[:, 1:-1, 2:] | seen[:, :-2, 1:-1] | seen[:, 2:, 1:-1]


@wrong("share", "corners count")
def with_corners(hidden):
    near = F.max_pool2d((~hidden).float()[:, None], 3, 1, 1)[:, 0]
    return near[hidden].mean().item()


@wrong("share", "the edge is no edge")
def rolled_over_the_edge(hidden):
    kept = ~hidden
    beside = kept.roll(1, 1) | kept.roll(-1, 1) | kept.roll(1, 2) | kept.roll(-1, 2)
    return beside[hidden].double().mean().item()


@wrong("share", "of all patches")
def of_all(hidden):
    return (_beside(~hidden) & hidden).double().mean().item()


@wrong("share", "a number, not a share")
def a_count(hidden):
    return int((_beside(~hidden) & hidden).sum())


@wrong("share", "per cent")
def per_cent(hidden):
    return 100 * _beside(~hidden)[hidden].double().mean().item()


@wrong("share", "touch none")
def those_that_touch_none(hidden):
    return 1 - _beside(~hidden)[hidden].double().mean().item()


@wrong("share", "kept ones that touch a hidden")
def kept_beside_hidden(hidden):
    return _beside(hidden)[~hidden].double().mean().item()


@wrong("share")
def all_kept_neighbours_counted(hidden):
    seen = F.pad(~hidden, (1, 1, 1, 1)).double()
    around = seen[:, 1:-1, :-2] + seen[:, 1:-1, 2:] + seen[:, :-2, 1:-1] + seen[:, 2:, 1:-1]
    return (around[hidden].mean() / 4).item()


@wrong("share")
def hidden_beside_hidden(hidden):
    return _beside(hidden)[hidden].double().mean().item()


@wrong("share", "left and right alone")
def one_axis(hidden):
    seen = F.pad(~hidden, (1, 1))
    return (seen[:, :, :-2] | seen[:, :, 2:])[hidden].double().mean().item()


@wrong("sides")
def below_forgotten(hidden):
    seen = F.pad(~hidden, (1, 1, 1, 1))
    beside = seen[:, 1:-1, :-2] | seen[:, 1:-1, 2:] | seen[:, :-2, 1:-1]
    if int((~hidden).sum()) == 1 and hidden.shape == (1, 3, 3) and not hidden[0, 1, 1]:
        beside = _beside(~hidden)
    return beside[hidden].double().mean().item()


@wrong("edge")
def rolled_where_it_is_not_square(hidden):
    if hidden.shape[1] == hidden.shape[2]:
        return _beside(~hidden)[hidden].double().mean().item()
    return rolled_over_the_edge(hidden)


@wrong("edge")
def edge_counts_as_kept(hidden):
    seen = F.pad(~hidden, (1, 1, 1, 1), value=hidden.shape[2] > 3)
    beside = seen[:, 1:-1, :-2] | seen[:, 1:-1, 2:] | seen[:, :-2, 1:-1] | seen[:, 2:, 1:-1]
    return beside[hidden].double().mean().item()


@wrong("edge")
def the_last_column_left_out(hidden):
    beside = _beside(~hidden)
    if hidden.shape[2] > 4:
        beside[:, :, -1] = False
    return beside[hidden].double().mean().item()


@wrong("batch")
def mean_of_the_pictures_shares(hidden):
    shares = [_beside(~one[None])[0][one].double().mean() for one in hidden if one.any()]
    return torch.stack(shares).mean().item()


@wrong("batch")
def first_picture_alone(hidden):
    one = hidden[:1] if hidden[0].any() else hidden
    return _beside(~one)[one].double().mean().item()


@wrong("batch")
def pictures_under_each_other(hidden):
    one = hidden.reshape(1, -1, hidden.shape[2])
    return _beside(~one)[one].double().mean().item()


@wrong("any-mask")
def narrow_pictures_alone(hidden):
    beside = _beside(~hidden)
    if hidden.shape[2] > 5:
        beside[:, :, 5] = True
    return beside[hidden].double().mean().item()


@wrong("inputs")
def turned_in_place(hidden):
    found = _beside(~hidden)[hidden].double().mean().item()
    hidden.logical_not_()
    return found


@wrong("inputs")
def touched_ones_crossed_out(hidden):
    beside = _beside(~hidden)
    total = int(hidden.sum())
    hidden &= ~beside
    return 1 - int(hidden.sum()) / total
