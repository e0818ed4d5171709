import math

import torch
import torch.nn.functional as F
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# three look-ups by indexing
@right
def three_indexings(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] + positions[: ids.shape[1]] + kinds[segments])


# three times F.embedding
@right
def three_embeddings(ids, segments, words, positions, kinds, norm):
    places = torch.arange(ids.size(1)).expand_as(ids)
    total = F.embedding(ids, words) + F.embedding(places, positions) + F.embedding(segments, kinds)
    return norm(total)


# one-hot vectors times the tables
@right
def one_hot_times_table(ids, segments, words, positions, kinds, norm):
    what = F.one_hot(ids, len(words)).to(words.dtype) @ words
    which = F.one_hot(segments, 2).to(kinds.dtype) @ kinds
    where = torch.eye(ids.shape[1], len(positions), dtype=positions.dtype) @ positions
    return norm(what + which + where)


# a beginner's loops, one vector at a time
@right
def beginner_loops(ids, segments, words, positions, kinds, norm):
    rows = []
    for r in range(ids.shape[0]):
        row = []
        for place in range(ids.shape[1]):
            token = int(ids[r, place])
            segment = int(segments[r, place])
            row.append(norm(words[token] + positions[place] + kinds[segment]))
        rows.append(torch.stack(row))
    return torch.stack(rows)


# loops that fill a result of zeros
@right
def loops_that_fill_zeros(ids, segments, words, positions, kinds, norm):
    batch, length = ids.shape
    total = torch.zeros(batch, length, words.shape[1], dtype=words.dtype)
    for r in range(batch):
        for place in range(length):
            total[r, place] += words[ids[r, place]]
            total[r, place] += positions[place]
            total[r, place] += kinds[segments[r, place]]
    return norm(total)


# LayerNorm by its formula
@right
def layer_norm_by_formula(ids, segments, words, positions, kinds, norm):
    x = words[ids] + positions[: ids.shape[1]].unsqueeze(0) + kinds[segments]
    mean = x.mean(dim=-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
    return (x - mean) / torch.sqrt(variance + norm.eps) * norm.weight + norm.bias


# the segment by torch.where, LayerNorm as a function
@right
def where_and_functional_norm(ids, segments, words, positions, kinds, norm):
    second = (segments == 1).unsqueeze(-1)
    x = words[ids] + positions.narrow(0, 0, ids.shape[1]) + torch.where(second, kinds[1], kinds[0])
    return F.layer_norm(x, norm.normalized_shape, norm.weight, norm.bias, norm.eps)


# index_select on the flat ids; adding in place to the fresh result
@right
def flat_index_select(ids, segments, words, positions, kinds, norm):
    batch, length = ids.shape
    total = words.index_select(0, ids.flatten())
    total += kinds.index_select(0, segments.flatten())
    total += positions[:length].repeat(batch, 1)
    return norm(total).view(batch, length, -1)


# the first segment for all, plus the step to the second
@right
def step_between_the_segments(ids, segments, words, positions, kinds, norm):
    step = segments.unsqueeze(-1) * (kinds[1] - kinds[0])
    base = positions[: ids.shape[-1]] + kinds[0]
    return norm(words[ids] + (base + step))


# one row after the other, in a comprehension
@right
def comprehension_over_rows(ids, segments, words, positions, kinds, norm):
    where = positions[: len(ids[0])]
    return torch.stack([norm(words[i] + where + kinds[s]) for i, s in zip(ids, segments)])


# the three vectors stacked, then summed
@right
def stack_and_sum(ids, segments, words, positions, kinds, norm):
    places = torch.arange(ids.shape[1]).repeat(ids.shape[0], 1)
    three = torch.stack([words[ids], positions[places], kinds[segments]])
    return norm(three.sum(dim=0))


# all vectors in one table, and the sum of three of its rows
@right
def one_joined_table(ids, segments, words, positions, kinds, norm):
    table = torch.cat([words, positions, kinds])
    places = torch.arange(ids.shape[1]).expand_as(ids) + len(words)
    bags = torch.stack([ids, places, segments + len(words) + len(positions)], dim=-1)
    return norm(table[bags].sum(dim=2))


# ---------------------------------------------------------------- wrong


# no LayerNorm
@wrong("values")
def no_norm(ids, segments, words, positions, kinds, norm):
    return words[ids] + positions[: ids.shape[1]] + kinds[segments]


# LayerNorm of the words only, before the sum
@wrong("values")
def norm_of_words_before_the_sum(ids, segments, words, positions, kinds, norm):
    return norm(words[ids]) + positions[: ids.shape[1]] + kinds[segments]


# LayerNorm of each of the three
@wrong("values")
def norm_of_each(ids, segments, words, positions, kinds, norm):
    return norm(words[ids]) + norm(positions[: ids.shape[1]]) + norm(kinds[segments])


# LayerNorm before the segment is added
@wrong("values")
def segment_after_the_norm(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] + positions[: ids.shape[1]]) + kinds[segments]


# LayerNorm of each of the three, and of the sum
@wrong("values")
def norm_of_each_and_of_the_sum(ids, segments, words, positions, kinds, norm):
    return norm(norm(words[ids]) + norm(positions[: ids.shape[1]]) + norm(kinds[segments]))


# LayerNorm twice: hidden as long as its parameters are 1 and 0
@wrong("values")
def norm_twice(ids, segments, words, positions, kinds, norm):
    return norm(norm(words[ids] + positions[: ids.shape[1]] + kinds[segments]))


# the sum is added to its LayerNorm
@wrong("values")
def norm_plus_the_sum(ids, segments, words, positions, kinds, norm):
    x = words[ids] + positions[: ids.shape[1]] + kinds[segments]
    return x + norm(x)


# a LayerNorm without parameters
@wrong("values")
def norm_without_parameters(ids, segments, words, positions, kinds, norm):
    x = words[ids] + positions[: ids.shape[1]] + kinds[segments]
    return F.layer_norm(x, (x.shape[-1],))


# a new LayerNorm, not the given one
@wrong("values")
def a_new_norm(ids, segments, words, positions, kinds, norm):
    x = words[ids] + positions[: ids.shape[1]] + kinds[segments]
    return torch.nn.LayerNorm(x.shape[-1], dtype=x.dtype)(x)


# a LayerNorm that multiplies, and does not add
@wrong("values")
def norm_without_bias(ids, segments, words, positions, kinds, norm):
    x = words[ids] + positions[: ids.shape[1]] + kinds[segments]
    return F.layer_norm(x, (x.shape[-1],), norm.weight)


# a LayerNorm that adds, and does not multiply
@wrong("values")
def norm_without_weight(ids, segments, words, positions, kinds, norm):
    x = words[ids] + positions[: ids.shape[1]] + kinds[segments]
    return F.layer_norm(x, (x.shape[-1],), None, norm.bias)


# the standard deviation with n - 1
@wrong("values")
def deviation_with_n_minus_one(ids, segments, words, positions, kinds, norm):
    x = words[ids] + positions[: ids.shape[1]] + kinds[segments]
    scaled = (x - x.mean(-1, keepdim=True)) / torch.sqrt(x.var(-1, keepdim=True) + norm.eps)
    return scaled * norm.weight + norm.bias


# the small number is added outside the root: differs for vectors that are small
@wrong("values")
def eps_outside_the_root(ids, segments, words, positions, kinds, norm):
    x = words[ids] + positions[: ids.shape[1]] + kinds[segments]
    deviation = x.std(-1, keepdim=True, correction=0) + norm.eps
    return (x - x.mean(-1, keepdim=True)) / deviation * norm.weight + norm.bias


# divides by the root of the mean square, without taking the mean away
@wrong("values")
def mean_not_taken_away(ids, segments, words, positions, kinds, norm):
    x = words[ids] + positions[: ids.shape[1]] + kinds[segments]
    scaled = x / torch.sqrt((x**2).mean(-1, keepdim=True) + norm.eps)
    return scaled * norm.weight + norm.bias


# mean and deviation over the whole row
@wrong("values")
def normalised_over_the_row(ids, segments, words, positions, kinds, norm):
    x = words[ids] + positions[: ids.shape[1]] + kinds[segments]
    return F.layer_norm(x, x.shape[1:]) * norm.weight + norm.bias


# mean and deviation over the places, for each number of the vector
@wrong("values")
def normalised_over_the_places(ids, segments, words, positions, kinds, norm):
    x = words[ids] + positions[: ids.shape[1]] + kinds[segments]
    scaled = (x - x.mean(1, keepdim=True)) / torch.sqrt(
        x.var(1, keepdim=True, correction=0) + norm.eps
    )
    return scaled * norm.weight + norm.bias


# length one for each vector, instead of LayerNorm
@wrong("values")
def length_one_instead_of_norm(ids, segments, words, positions, kinds, norm):
    return F.normalize(words[ids] + positions[: ids.shape[1]] + kinds[segments], dim=-1)


# the position is looked up by the id
@wrong("values")
def position_by_id(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] + positions[ids % len(positions)] + kinds[segments])


# the first position for all tokens
@wrong("values")
def first_position_for_all(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] + positions[0] + kinds[segments])


# the position of the last place for all tokens
@wrong("values")
def last_position_for_all(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] + positions[ids.shape[1] - 1] + kinds[segments])


# positions from 1
@wrong("values")
def positions_from_one(ids, segments, words, positions, kinds, norm):
    places = torch.arange(1, ids.shape[1] + 1).clamp(max=len(positions) - 1)
    return norm(words[ids] + positions[places] + kinds[segments])


# positions from 2, as in RoBERTa
@wrong("values")
def positions_from_two(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] + positions[2 : ids.shape[1] + 2] + kinds[segments])


# the last places of the table: hidden if it has as many places as the row
@wrong("values")
def last_places_of_the_table(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] + positions[-ids.shape[1] :] + kinds[segments])


# positions backwards
@wrong("values")
def positions_backwards(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] + positions[: ids.shape[1]].flip(0) + kinds[segments])


# the whole table of positions: fails if there are more places than tokens
@wrong("RAISED")
def whole_table_of_positions(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] + positions + kinds[segments])


# the position is that of the row in the batch
@wrong("values")
def position_of_the_row(ids, segments, words, positions, kinds, norm):
    rows = torch.arange(ids.shape[0]).clamp(max=len(positions) - 1)
    return norm(words[ids] + positions[rows].unsqueeze(1) + kinds[segments])


# as many positions as rows: hidden where there are as many rows as places
@wrong("RAISED")
def as_many_positions_as_rows(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] + positions[: len(ids)] + kinds[segments])


# positions run on from row to row: hidden in a batch of one
@wrong("values")
def positions_run_on(ids, segments, words, positions, kinds, norm):
    places = torch.arange(ids.numel()).view(ids.shape) % len(positions)
    return norm(words[ids] + positions[places] + kinds[segments])


# positions start again with the second segment
@wrong("values")
def positions_start_again(ids, segments, words, positions, kinds, norm):
    places = torch.arange(ids.shape[1]).expand_as(ids)
    first = (segments == 0).sum(dim=1, keepdim=True)
    places = torch.where(segments == 1, (places - first).clamp(min=0), places)
    return norm(words[ids] + positions[places] + kinds[segments])


# id 0 is taken for padding, and has place 0
@wrong("values")
def id_zero_has_place_zero(ids, segments, words, positions, kinds, norm):
    places = torch.arange(ids.shape[1]).expand_as(ids) * (ids != 0)
    return norm(words[ids] + positions[places] + kinds[segments])


# id 0 is taken for padding, and its vector is set to zero
@wrong("values")
def id_zero_has_no_vector(ids, segments, words, positions, kinds, norm):
    x = words[ids] + positions[: ids.shape[1]] + kinds[segments]
    return norm(x * (ids != 0).unsqueeze(-1))


# one behind the other, not the sum
@wrong("structure")
def concatenation(ids, segments, words, positions, kinds, norm):
    where = positions[: ids.shape[1]].expand(len(ids), -1, -1)
    x = torch.cat([words[ids], where, kinds[segments]], dim=-1)
    return F.layer_norm(x, (x.shape[-1],))


# the product, not the sum
@wrong("values")
def product(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] * positions[: ids.shape[1]] * kinds[segments])


# the mean, not the sum: LayerNorm hides it almost, as long as the vectors are not small
@wrong("values")
def mean_of_the_three(ids, segments, words, positions, kinds, norm):
    return norm((words[ids] + positions[: ids.shape[1]] + kinds[segments]) / 3)


# the largest of the three numbers
@wrong("values")
def largest_of_the_three(ids, segments, words, positions, kinds, norm):
    where = positions[: ids.shape[1]].expand(len(ids), -1, -1)
    return norm(torch.stack([words[ids], where, kinds[segments]]).amax(0))


# the word vectors times the root of the width, as in the first transformer
@wrong("values")
def words_times_root_of_width(ids, segments, words, positions, kinds, norm):
    scale = math.sqrt(words.shape[1])
    return norm(words[ids] * scale + positions[: ids.shape[1]] + kinds[segments])


# the sum divided by the root of the width: LayerNorm hides it almost
@wrong("values")
def sum_divided_by_root_of_width(ids, segments, words, positions, kinds, norm):
    x = words[ids] + positions[: ids.shape[1]] + kinds[segments]
    return norm(x / math.sqrt(x.shape[-1]))


# the segments are exchanged
@wrong("values")
def segments_exchanged(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] + positions[: ids.shape[1]] + kinds[1 - segments])


# only the second segment has a vector
@wrong("values")
def only_second_segment_has_a_vector(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] + positions[: ids.shape[1]] + segments.unsqueeze(-1) * kinds[1])


# the segment of the first token for the whole row
@wrong("values")
def segment_of_the_first_token(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] + positions[: ids.shape[1]] + kinds[segments[:, :1]])


# the segments of the first row for all rows
@wrong("values")
def segments_of_the_first_row(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] + positions[: ids.shape[1]] + kinds[segments[0]])


# the number of the segment is added, not its vector
@wrong("values")
def number_of_the_segment_added(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] + positions[: ids.shape[1]] + segments.unsqueeze(-1))


# the number of the place is added, not its vector
@wrong("values")
def number_of_the_place_added(ids, segments, words, positions, kinds, norm):
    places = torch.arange(ids.shape[1]).unsqueeze(-1)
    return norm(words[ids] + places + kinds[segments])


# no segments
@wrong("values")
def no_segments(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] + positions[: ids.shape[1]])


# no positions
@wrong("values")
def no_positions(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] + kinds[segments])


# sines instead of the given positions
@wrong("values")
def sines_instead_of_the_table(ids, segments, words, positions, kinds, norm):
    places = torch.arange(ids.shape[1], dtype=words.dtype).unsqueeze(-1)
    speeds = 10000 ** (-torch.arange(words.shape[1], dtype=words.dtype) / words.shape[1])
    return norm(words[ids] + torch.sin(places * speeds) + kinds[segments])


# the first row only, for all rows
@wrong("values")
def first_row_for_all(ids, segments, words, positions, kinds, norm):
    row = norm(words[ids[0]] + positions[: ids.shape[1]] + kinds[segments[0]])
    return row.expand(len(ids), -1, -1)


# the first row only, without the batch
@wrong("structure")
def first_row_without_the_batch(ids, segments, words, positions, kinds, norm):
    return norm(words[ids[0]] + positions[: ids.shape[1]] + kinds[segments[0]])


# works for a batch of one only: the ids are flattened
@wrong("RAISED")
def batch_of_one_by_view(ids, segments, words, positions, kinds, norm):
    x = words[ids.view(-1)] + positions[: ids.shape[1]] + kinds[segments.view(-1)]
    return norm(x).unsqueeze(0)


# places before the batch: the shape is the same where there are as many rows as places
@wrong("structure")
def places_before_the_batch(ids, segments, words, positions, kinds, norm):
    x = words[ids] + positions[: ids.shape[1]] + kinds[segments]
    return norm(x).transpose(0, 1)


# one row of the table is a view: adding to it changes the words; right if no id occurs twice
@wrong("values")
def adds_to_the_words(ids, segments, words, positions, kinds, norm):
    rows = []
    for row, kind in zip(ids.tolist(), segments.tolist()):
        for place, (token, segment) in enumerate(zip(row, kind)):
            vector = words[token]
            vector += positions[place]
            vector += kinds[segment]
            rows.append(norm(vector))
    return torch.stack(rows).view(*ids.shape, -1)


# a slice of the table is a view: adding to it changes the positions; right for a batch of one
@wrong("values")
def adds_to_the_positions(ids, segments, words, positions, kinds, norm):
    where = positions[: ids.shape[1]]
    rows = []
    for row, kind in zip(ids, segments):
        where += words[row] + kinds[kind]
        rows.append(norm(where))
    return torch.stack(rows)


# the result is right, but the first segment is added to the given positions
@wrong("inputs")
def adds_the_segment_to_the_positions(ids, segments, words, positions, kinds, norm):
    with torch.no_grad():
        positions += kinds[0]
    step = segments.unsqueeze(-1) * (kinds[1] - kinds[0])
    return norm(words[ids] + positions[: ids.shape[1]] + step)


# the result is right, but the segments are changed by an offset into a joined table
@wrong("inputs")
def changes_the_segments(ids, segments, words, positions, kinds, norm):
    table = torch.cat([words, kinds])
    segments += len(words)
    return norm(table[ids] + positions[: ids.shape[1]] + table[segments])


# dropout, as in training
@wrong("values")
def dropout_at_the_end(ids, segments, words, positions, kinds, norm):
    x = norm(words[ids] + positions[: ids.shape[1]] + kinds[segments])
    return F.dropout(x, 0.1)


# half precision in between
@wrong("values")
def half_precision_in_between(ids, segments, words, positions, kinds, norm):
    x = words[ids].half() + positions[: ids.shape[1]].half() + kinds[segments].half()
    return norm(x.to(words.dtype))


# only the first four places of the table are ever used
@wrong("any-batch")
def four_places_alone(ids, segments, words, positions, kinds, norm):
    places = torch.arange(ids.shape[1]).clamp(max=3)
    return norm(words[ids] + positions[places] + kinds[segments])


# the result is cut off from the tables
@wrong("gradient")
def detached_at_the_end(ids, segments, words, positions, kinds, norm):
    return norm(words[ids] + positions[: ids.shape[1]] + kinds[segments]).detach()
