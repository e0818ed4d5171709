from itertools import chain, islice, repeat

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# three lists, each made of blocks
@right
def blocks(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    first, second = [cls, *a, sep], [*b, sep]
    rest = length - len(first) - len(second)
    ids = first + second + [pad] * rest
    segments = [0] * len(first) + [1] * len(second) + [0] * rest
    mask = [True] * (length - rest) + [False] * rest
    return ids, segments, mask


# a beginner's loops with append
@right
def beginner_append(a, b, cls, sep, pad, length):
    ids = []
    segments = []
    mask = []
    ids.append(cls)
    segments.append(0)
    mask.append(True)
    for token in a:
        ids.append(token)
        segments.append(0)
        mask.append(True)
    ids.append(sep)
    segments.append(0)
    mask.append(True)
    for token in b:
        if len(ids) < length - 1:
            ids.append(token)
            segments.append(1)
            mask.append(True)
    ids.append(sep)
    segments.append(1)
    mask.append(True)
    while len(ids) < length:
        ids.append(pad)
        segments.append(0)
        mask.append(False)
    return ids, segments, mask


# the row is too long first, then cut; the last [SEP] is written over the last place
@right
def cut_then_write_sep(a, b, cls, sep, pad, length):
    ids = [cls] + a + [sep] + b + [sep]
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1)
    if len(ids) > length:
        ids = ids[: length - 1] + [sep]
    real = len(ids)
    ids += [pad] * (length - real)
    segments = (segments + [0] * length)[:length]
    return ids, segments, [place < real for place in range(length)]


# triples for each token, and zip at the end; three lists in a list
@right
def triples_and_zip(a, b, cls, sep, pad, length):
    keep = min(len(b), length - len(a) - 3)
    row = [(token, 0, True) for token in [cls, *a, sep]]
    row += [(token, 1, True) for token in [*b[:keep], sep]]
    row += [(pad, 0, False)] * (length - len(row))
    return [list(column) for column in zip(*row)]


# an endless row of padding behind the tokens, and the first places of it
@right
def endless_padding(a, b, cls, sep, pad, length):
    text = [cls, *a, sep, *islice(b, length - len(a) - 3), sep]
    ids = list(islice(chain(text, repeat(pad)), length))
    segments = [int(len(a) + 2 <= place < len(text)) for place in range(length)]
    return ids, segments, [place < len(text) for place in range(length)]


# numpy rows filled by slices, lists at the end
@right
def numpy_slices(a, b, cls, sep, pad, length):
    start = len(a) + 2
    stop = min(start + len(b), length - 1)
    ids = np.full(length, pad)
    ids[0], ids[start - 1], ids[stop] = cls, sep, sep
    ids[1 : start - 1] = a
    ids[start:stop] = b[: stop - start]
    places = np.arange(length)
    segments = ((places >= start) & (places <= stop)).astype(int)
    return ids.tolist(), segments.tolist(), (places <= stop).tolist()


# torch inside, lists at the end
@right
def torch_inside(a, b, cls, sep, pad, length):
    keep = b[: length - len(a) - 3]
    row = torch.tensor([cls, *a, sep, *keep, sep])
    ids = torch.nn.functional.pad(row, (0, length - len(row)), value=pad)
    mask = torch.arange(length) < len(row)
    segments = mask.long()
    segments[: len(a) + 2] = 0
    return ids.tolist(), segments.tolist(), mask.tolist()


# copies first, then pop until it fits
@right
def pop_from_a_copy(a, b, cls, sep, pad, length):
    b = list(b)
    while len(a) + len(b) + 3 > length:
        b.pop()
    ids = [cls, *a, sep, *b, sep]
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1)
    mask = [True] * len(ids)
    for row, filler in ((ids, pad), (segments, 0), (mask, False)):
        row.extend([filler] * (length - len(row)))
    return ids, segments, mask


# place by place: what stands there
@right
def place_by_place(a, b, cls, sep, pad, length):
    end = min(len(a) + len(b) + 2, length - 1)

    def token(place):
        if place == 0:
            return cls
        if place <= len(a):
            return a[place - 1]
        if place == len(a) + 1 or place == end:
            return sep
        return b[place - len(a) - 2] if place < end else pad

    places = range(length)
    segments = [1 if len(a) + 1 < place <= end else 0 for place in places]
    return [token(place) for place in places], segments, [place <= end for place in places]


# cut by how many are too many, and only if any are
@right
def cut_what_is_too_many(a, b, cls, sep, pad, length):
    too_many = len(a) + len(b) + 3 - length
    if too_many > 0:
        b = b[:-too_many]
    n, m, rest = len(a) + 2, len(b) + 1, max(0, -too_many)
    return (
        [cls] + a + [sep] + b + [sep] + [pad] * rest,
        [0] * n + [1] * m + [0] * rest,
        [True] * (n + m) + [False] * rest,
    )


# ---------------------------------------------------------------- wrong


# no [SEP] between the texts
@wrong("ids")
def no_sep_between(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 2]
    rest = length - len(a) - len(b) - 2
    ids = [cls] + a + b + [sep] + [pad] * rest
    segments = [0] * (len(a) + 1) + [1] * (len(b) + 1) + [0] * rest
    return ids, segments, [True] * (length - rest) + [False] * rest


# no [SEP] at the end
@wrong("ids")
def no_sep_at_the_end(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 2]
    rest = length - len(a) - len(b) - 2
    ids = [cls] + a + [sep] + b + [pad] * rest
    segments = [0] * (len(a) + 2) + [1] * len(b) + [0] * rest
    return ids, segments, [True] * (length - rest) + [False] * rest


# a [CLS] before the second text too
@wrong("ids")
def second_cls(a, b, cls, sep, pad, length):
    b = b[: max(0, length - len(a) - 4)]
    ids = ([cls] + a + [sep] + [cls] + b + [sep])[:length]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(ids) - len(a) - 2) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# the first [SEP] in segment 1
@wrong("segments")
def first_sep_in_segment_one(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 1) + [1] * (len(b) + 2) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# the last [SEP] in segment 0
@wrong("segments")
def last_sep_in_segment_zero(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * len(b) + [0] * (rest + 1)
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# padding in segment 1
@wrong("segments")
def padding_in_segment_one(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (length - len(a) - 2)
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# padding in segment 2
@wrong("segments")
def padding_in_segment_two(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [2] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# the segments are padded with the id of [PAD], which need not be 0
@wrong("any-pair")
def segments_padded_with_pad(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [pad] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# segments turned round
@wrong("segments")
def segments_turned_round(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [1] * (len(a) + 2) + [0] * (length - len(a) - 2)
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# segments 1 and 2
@wrong("segments")
def segments_from_one(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [1] * (len(a) + 2) + [2] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# segment 1 where the id occurs in b: wrong if it occurs in a too
@wrong("any-pair")
def segment_by_occurrence_in_b(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [int(token in b) for token in ids]
    segments[-1] = 1
    return ids + [pad] * rest, segments + [0] * rest, [True] * len(ids) + [False] * rest


# the segments end with b as it was before the cut: their list is too long
@wrong("cut")
def segments_of_the_uncut_text(a, b, cls, sep, pad, length):
    short = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + short + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# only the ids are padded
@wrong("structure")
def only_ids_padded(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1)
    mask = [True] * len(ids)
    return ids + [pad] * (length - len(ids)), segments, mask


# the mask turned round: True at padding
@wrong("mask")
def mask_turned_round(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [False] * len(ids) + [True] * rest


# the mask in ones and zeros
@wrong("mask")
def mask_in_ones_and_zeros(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [1] * len(ids) + [0] * rest


# the mask is False at special tokens
@wrong("mask")
def mask_without_special_tokens(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    mask = [False] + [True] * len(a) + [False] + [True] * len(b) + [False] * (rest + 1)
    return ids + [pad] * rest, segments, mask


# the mask ends before the last [SEP]
@wrong("mask")
def mask_without_last_sep(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    mask = [True] * (len(ids) - 1) + [False] * (rest + 1)
    return ids + [pad] * rest, segments, mask


# True everywhere
@wrong("mask")
def mask_true_everywhere(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * length


# the mask is True where the number of the id is not 0
@wrong("any-pair")
def mask_by_truth_of_ids(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    ids += [pad] * rest
    return ids, segments, [bool(token) for token in ids]


# looks for the first padding: there is none in a full row
@wrong("RAISED")
def mask_by_index_of_pad(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    ids += [pad] * rest
    real = ids.index(pad)
    return ids, segments, [True] * real + [False] * (length - real)


# the row is simply cut: the last [SEP] goes first
@wrong("cut")
def last_sep_is_cut(a, b, cls, sep, pad, length):
    ids = ([cls] + a + [sep] + b + [sep])[:length]
    rest = length - len(ids)
    segments = ([0] * (len(a) + 2) + [1] * (len(b) + 1))[:length] + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# a is cut, not b
@wrong("cut")
def a_is_cut(a, b, cls, sep, pad, length):
    room = max(0, length - len(b) - 3)
    a = a[:room]
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# the longer one is cut, token by token, as libraries do it
@wrong("cut")
def the_longer_one_is_cut(a, b, cls, sep, pad, length):
    a, b = list(a), list(b)
    while len(a) + len(b) + 3 > length:
        (a if len(a) > len(b) else b).pop()
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# the beginning of b is cut
@wrong("cut")
def beginning_of_b_is_cut(a, b, cls, sep, pad, length):
    b = b[max(0, len(a) + len(b) + 3 - length) :]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# a token of b too many is cut: there is padding behind a cut text
@wrong("cut")
def one_too_many_is_cut(a, b, cls, sep, pad, length):
    b = b[: max(0, length - len(a) - 4)]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# a token of b too few is cut: the row is one longer than it should be
@wrong("cut")
def one_too_few_is_cut(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 2]
    ids = [cls] + a + [sep] + b + [sep]
    rest = max(0, length - len(ids))
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# nothing is cut
@wrong("cut")
def nothing_is_cut(a, b, cls, sep, pad, length):
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# only one token is cut, with "if" where "while" is needed
@wrong("cut")
def only_one_token_is_cut(a, b, cls, sep, pad, length):
    if len(a) + len(b) + 3 > length:
        b = b[:-1]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# minus nothing: b[:-0] is empty, so b is lost where it fits
@wrong("ids")
def minus_zero_loses_b(a, b, cls, sep, pad, length):
    b = b[: -max(0, len(a) + len(b) + 3 - length)]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# the same, but only where b fits exactly
@wrong("cut")
def minus_zero_where_b_fits_exactly(a, b, cls, sep, pad, length):
    too_many = len(a) + len(b) + 3 - length
    if too_many >= 0:
        b = b[:-too_many]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# where b does not fit, a token too many is cut: there is padding behind a cut text
@wrong("cut")
def one_too_many_only_where_b_does_not_fit(a, b, cls, sep, pad, length):
    if len(a) + len(b) + 3 > length:
        b = b[: max(0, length - len(a) - 4)]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# always one padding at least: the row is one too long where nothing is missing
@wrong("cut")
def always_one_padding(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = max(1, length - len(ids))
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# b is dropped as a whole if it does not fit
@wrong("cut")
def b_is_dropped_as_a_whole(a, b, cls, sep, pad, length):
    if len(a) + len(b) + 3 > length:
        b = []
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# no last [SEP] where nothing of b is left
@wrong("cut")
def no_last_sep_without_b(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    second = b + [sep] if b else []
    ids = [cls] + a + [sep] + second
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * len(second) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# the last [SEP] stands in the last place, behind the padding
@wrong("ids")
def sep_behind_the_padding(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    rest = length - len(a) - len(b) - 3
    ids = [cls] + a + [sep] + b + [pad] * rest + [sep]
    segments = [0] * (len(a) + 2) + [1] * len(b) + [0] * rest + [1]
    return ids, segments, [True] * (length - rest - 1) + [False] * rest + [True]


# the last [SEP] is written over the last place always, not only over a cut row
@wrong("ids")
def sep_written_over_the_last_place(a, b, cls, sep, pad, length):
    ids = ([cls] + a + [sep] + b + [sep])[:length]
    rest = length - len(ids)
    segments = ([0] * (len(a) + 2) + [1] * (len(b) + 1))[:length] + [0] * rest
    ids = ids + [pad] * rest
    ids[-1] = sep
    return ids, segments, [True] * (length - rest) + [False] * rest


# padding on the left
@wrong("ids")
def padding_on_the_left(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (rest + len(a) + 2) + [1] * (len(b) + 1)
    return [pad] * rest + ids, segments, [False] * rest + [True] * len(ids)


# padding 0 whatever pad is
@wrong("any-pair")
def padding_is_zero(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [0] * rest, segments, [True] * len(ids) + [False] * rest


# the special ids of the example, whatever cls and sep are
@wrong("any-pair")
def special_ids_of_the_example(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [2] + a + [3] + b + [3]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# segments and mask of the example's sizes
@wrong("cut")
def segments_of_the_example(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    return ids + [pad] * rest, [0, 0, 0, 0, 1, 1, 0], [True] * 6 + [False]


# one padding, as in the example
@wrong("cut")
def one_padding_as_in_the_example(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep] + [pad]
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0]
    return ids, segments, [True] * (len(ids) - 1) + [False]


# b first, then a
@wrong("ids")
def b_before_a(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + b + [sep] + a + [sep]
    rest = length - len(ids)
    segments = [0] * (len(b) + 2) + [1] * (len(a) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# ids, mask, segments: the wrong order
@wrong("segments")
def mask_before_segments(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, [True] * len(ids) + [False] * rest, segments


# the ids alone
@wrong("structure")
def ids_alone(a, b, cls, sep, pad, length):
    ids = [cls] + a + [sep] + b[: length - len(a) - 3] + [sep]
    return ids + [pad] * (length - len(ids))


# the three lists are right, but a grows
@wrong("inputs")
def a_grows(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = a
    ids.insert(0, cls)
    ids.append(sep)
    segments = [0] * len(ids) + [1] * (len(b) + 1)
    ids += b + [sep]
    mask = [True] * len(ids)
    while len(ids) < length:
        ids.append(pad)
        segments.append(0)
        mask.append(False)
    return ids, segments, mask


# the three lists are right, but b grows: += changes the list itself
@wrong("inputs")
def b_grows(a, b, cls, sep, pad, length):
    if len(a) + len(b) + 3 > length:
        b = b[: length - len(a) - 3]
    b += [sep]
    ids = [cls] + a + [sep] + b
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * len(b) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# the three lists are right, but b itself is cut
@wrong("inputs")
def b_itself_is_cut(a, b, cls, sep, pad, length):
    del b[length - len(a) - 3 :]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# an error where b does not fit
@wrong("RAISED")
def error_where_b_does_not_fit(a, b, cls, sep, pad, length):
    ids = [cls] + a + [sep] + b + [sep]
    if len(ids) > length:
        raise ValueError("the row is too short")
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# a token that occurs twice is kept once
@wrong("any-pair")
def each_token_once(a, b, cls, sep, pad, length):
    a, b = list(dict.fromkeys(a)), list(dict.fromkeys(b))
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    segments = [0] * (len(a) + 2) + [1] * (len(b) + 1) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest


# the segments change in the middle of the row, as in the example
@wrong("cut")
def segments_change_in_the_middle(a, b, cls, sep, pad, length):
    b = b[: length - len(a) - 3]
    ids = [cls] + a + [sep] + b + [sep]
    rest = length - len(ids)
    half = len(ids) // 2 + 1
    segments = [0] * half + [1] * (len(ids) - half) + [0] * rest
    return ids + [pad] * rest, segments, [True] * len(ids) + [False] * rest
