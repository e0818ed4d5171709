import torch
import torch.nn.functional as F
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# advanced indexing: a column of example numbers beside the index
@right
def column_of_examples(x, index):
    example = torch.arange(x.shape[0]).unsqueeze(1)
    return x[example, index]


# gather, with the index repeated for each of the D numbers
@right
def gather_expanded(x, index):
    return x.gather(1, index.unsqueeze(-1).expand(-1, -1, x.shape[-1]))


# take_along_dim repeats the index by itself
@right
def take_along_dim(x, index):
    return torch.take_along_dim(x, index[:, :, None], dim=1)


# a beginner's two loops, and stack twice
@right
def beginner_loops(x, index):
    examples = []
    for b in range(len(x)):
        vectors = []
        for k in range(index.shape[1]):
            vectors.append(x[b, index[b, k]])
        examples.append(torch.stack(vectors))
    return torch.stack(examples)


# one example at a time
@right
def one_example_at_a_time(x, index):
    return torch.stack([vectors[wanted] for vectors, wanted in zip(x, index)])


# writes into an empty result, number by number of the index
@right
def writes_into_zeros(x, index):
    result = x.new_zeros(index.shape[0], index.shape[1], x.shape[2])
    for b, row in enumerate(index.tolist()):
        for k, n in enumerate(row):
            result[b, k] = x[b, n]
    return result


# one-hot matrices and einsum
@right
def one_hot_einsum(x, index):
    chosen = F.one_hot(index, x.shape[1]).to(x.dtype)
    return torch.einsum("bkn,bnd->bkd", chosen, x)


# a matrix of zeros, a one scattered into every row, and bmm
@right
def scatter_ones_and_bmm(x, index):
    chosen = x.new_zeros(*index.shape, x.shape[1])
    chosen = chosen.scatter(2, index.unsqueeze(-1), 1.0)
    return torch.bmm(chosen, x)


# all vectors in one long list, the index shifted by N for every example
@right
def flat_with_offset(x, index):
    size, n, d = x.shape
    flat = index + n * torch.arange(size)[:, None]
    return x.reshape(size * n, d)[flat]


# index_select from the long list, and back into shape
@right
def index_select_flat(x, index):
    n = x.shape[1]
    flat = torch.cat([row + b * n for b, row in enumerate(index)])
    picked = torch.index_select(x.flatten(0, 1), 0, flat)
    return picked.view(*index.shape, -1)


# each example is the table of an embedding
@right
def embedding_table(x, index):
    return torch.cat([F.embedding(row, table)[None] for row, table in zip(index, x)])


# vmap over the batch
@right
def vmap_over_the_batch(x, index):
    return torch.vmap(lambda vectors, wanted: vectors.index_select(0, wanted))(x, index)


# compares with 0 to N - 1, keeps the equal one, adds up
@right
def compare_and_add_up(x, index):
    same = index[:, :, None] == torch.arange(x.shape[1])
    return torch.where(same[..., None], x[:, None], 0).sum(2)


# every vector against every place: expands x to (B, K, N, D) and gathers along N
@right
def expand_and_gather(x, index):
    k, d = index.shape[1], x.shape[2]
    wide = x.unsqueeze(1).expand(-1, k, -1, -1)
    return wide.gather(2, index[:, :, None, None].expand(-1, -1, 1, d)).squeeze(2)


# sorts the index first, picks in order, and undoes the sorting
@right
def sorted_and_undone(x, index):
    ordered, order = index.sort(dim=1)
    example = torch.arange(len(x))[:, None]
    return x[example, ordered][example, order.argsort(dim=1)]


# goes through the N vectors, and fills every place that names it
@right
def masked_by_vector(x, index):
    result = x.new_zeros(*index.shape, x.shape[2])
    for n in range(x.shape[1]):
        result = torch.where((index == n)[..., None], x[:, n : n + 1], result)
    return result


# shifts the index in place, and shifts it back: it ends as it was
@right
def index_shifted_and_shifted_back(x, index):
    offset = x.shape[1] * torch.arange(len(x))[:, None]
    index += offset
    result = x.flatten(0, 1)[index.clone()]
    index -= offset
    return result


# ---------------------------------------------------------------- wrong


# the index of the first example for all
@wrong("values")
def first_index_for_all(x, index):
    return x[:, index[0]]


# the index of the last example for all
@wrong("values")
def last_index_for_all(x, index):
    return x[:, index[-1]]


# index of shape (1, K), spread over the batch
@wrong("values")
def index_spread_over_the_batch(x, index):
    wanted = index[:1, :, None].expand(x.shape[0], -1, x.shape[2])
    return x.gather(1, wanted)


# every index on every example: shape (B, B, K, D)
@wrong("structure")
def every_index_on_every_example(x, index):
    return x[:, index]


# every index on every example, then the wrong one of the two batch sizes dropped
@wrong("values")
def first_of_all_pairs(x, index):
    return x[:, index][0]


# the vectors of the first example for all
@wrong("values")
def first_example_for_all(x, index):
    return x[0][index]


# the vectors of the last example for all: b stays at its last value
@wrong("values")
def last_example_for_all(x, index):
    for b in range(len(x)):
        vectors = x[b]
    return torch.stack([vectors[row] for row in index])


# arange(B) without a column: works for B = 1, mixes the examples if K = B, else raises
@wrong("values")
def examples_not_in_a_column(x, index):
    return x[torch.arange(x.shape[0]), index]


# a row 0 to K - 1 in the place of the example
@wrong("values")
def place_instead_of_example(x, index):
    return x[torch.arange(index.shape[1]) % x.shape[0], index]


# example and index in the wrong order
@wrong("values")
def example_and_index_swapped(x, index):
    return x[index % x.shape[0], torch.arange(x.shape[0])[:, None] % x.shape[1]]


# gather without expand: only the first number of every vector
@wrong("structure")
def gather_takes_one_number(x, index):
    return x.gather(1, index.unsqueeze(-1))


# the first number of every vector, repeated D times: the shape is right
@wrong("values")
def first_number_repeated(x, index):
    return x.gather(1, index.unsqueeze(-1)).expand(-1, -1, x.shape[-1])


# the index repeated in the wrong order: right shape, wrong mix (right if K or D is 1)
@wrong("values")
def index_repeated_in_the_wrong_order(x, index):
    d = x.shape[-1]
    return x.gather(1, index.repeat(1, d).view(*index.shape, d))


# gather along the numbers of a vector, not along the vectors
@wrong("structure")
def gather_along_the_numbers(x, index):
    wide = index.unsqueeze(1).expand(-1, x.shape[1], -1)
    return x.gather(2, wide % x.shape[2])


# gather along the batch
@wrong("values")
def gather_along_the_batch(x, index):
    wide = index.unsqueeze(-1).expand(-1, -1, x.shape[-1])
    return x.gather(0, wide % x.shape[0])


# the long list, but no shift: all from the first example
@wrong("values")
def flat_without_offset(x, index):
    return x.flatten(0, 1)[index]


# the long list, shifted by K instead of N: right only if K = N (or B = 1)
@wrong("values")
def shifted_by_k(x, index):
    size = x.shape[0] * x.shape[1]
    offset = index.shape[1] * torch.arange(x.shape[0])[:, None]
    return x.flatten(0, 1)[(index + offset) % size]


# the long list, shifted by D instead of N: right only if D = N (or B = 1)
@wrong("values")
def shifted_by_d(x, index):
    size = x.shape[0] * x.shape[1]
    offset = x.shape[2] * torch.arange(x.shape[0])[:, None]
    return x.flatten(0, 1)[(index + offset) % size]


# the long list, shifted by 3 as in the example
@wrong("any-batch")
def shifted_by_three(x, index):
    size = x.shape[0] * x.shape[1]
    return x.flatten(0, 1)[(index + 3 * torch.arange(x.shape[0])[:, None]) % size]


# the shifts in the wrong order: 0, N, 2N, 0, N, 2N instead of 0, 0, N, N
@wrong("values")
def shifts_in_the_wrong_order(x, index):
    size, n, d = x.shape
    offset = (n * torch.arange(size)).repeat(index.shape[1])
    return x.reshape(-1, d)[index.flatten() + offset].view(size, -1, d)


# right numbers, but the caller's index is shifted in place
@wrong("inputs")
def spoils_the_index(x, index):
    index += x.shape[1] * torch.arange(len(x))[:, None]
    return x.flatten(0, 1)[index]


# shifts the index in place and back: numbers and index are right at the end, but backward raises
@wrong("gradient")
def index_shifted_back_too_late_for_autograd(x, index):
    offset = x.shape[1] * torch.arange(len(x))[:, None]
    index += offset
    result = x.flatten(0, 1)[index]
    index -= offset
    return result


# right numbers, but the caller's index is sorted in place at the end
@wrong("inputs")
def sorts_the_index_of_the_caller(x, index):
    result = x[torch.arange(len(x))[:, None], index.clone()]
    index.copy_(index.sort(dim=1).values)
    return result


# the vectors in the order of the deck, not of the index
@wrong("values")
def index_sorted_first(x, index):
    return x[torch.arange(len(x))[:, None], index.sort(dim=1).values]


# the index in reverse
@wrong("values")
def index_reversed(x, index):
    return x[torch.arange(len(x))[:, None], index.flip(1)]


# each vector once: an index that names one twice gives fewer vectors
@wrong("RAISED")
def each_vector_once(x, index):
    return torch.stack([vectors[row.unique()] for vectors, row in zip(x, index)])


# a bool mask of the named vectors: order and repeats are lost
@wrong("RAISED")
def mask_of_the_named(x, index):
    named = F.one_hot(index, x.shape[1]).sum(1) > 0
    return torch.stack([vectors[yes] for vectors, yes in zip(x, named)])


# a vector named twice is filled in at its first place only
@wrong("values")
def repeats_filled_once(x, index):
    result = x.new_zeros(*index.shape, x.shape[2])
    for b in range(len(x)):
        for n in range(x.shape[1]):
            places = (index[b] == n).nonzero()
            if len(places):
                result[b, places[0, 0]] = x[b, n]
    return result


# puts instead of takes: right only for permutations that are their own inverse
@wrong("values")
def puts_instead_of_takes(x, index):
    wide = index.unsqueeze(-1).expand(-1, -1, x.shape[-1])
    return torch.zeros_like(x).scatter(1, wide, x[:, : index.shape[1]])[:, : index.shape[1]]


# argsort of the index as index
@wrong("values")
def argsort_as_index(x, index):
    return x[torch.arange(len(x))[:, None], index.argsort(dim=1) % x.shape[1]]


# the first K vectors, whatever the index says
@wrong("values")
def first_k_vectors(x, index):
    return x[:, : index.shape[1]].clone()


# counts from 1
@wrong("values")
def counts_from_one(x, index):
    return x[torch.arange(len(x))[:, None], index - 1]


# the next vector, the last one held back
@wrong("values")
def next_vector(x, index):
    return x[torch.arange(len(x))[:, None], (index + 1).clamp(max=x.shape[1] - 1)]


# the index is cut at N - 2: the last vector can never be taken
@wrong("values")
def last_vector_out_of_reach(x, index):
    wanted = index.clamp(max=max(x.shape[1] - 2, 0))
    return x[torch.arange(len(x))[:, None], wanted]


# the index modulo K: right for every index below K
@wrong("values")
def index_modulo_k(x, index):
    return x[torch.arange(len(x))[:, None], index % index.shape[1]]


# detach: the numbers are right, no gradient comes to x
@wrong("gradient")
def detached(x, index):
    return x.detach()[torch.arange(len(x))[:, None], index]


# detach and requires_grad_: looks as if a gradient could flow, none comes to x
@wrong("gradient")
def detached_and_marked_again(x, index):
    result = x.detach()[torch.arange(len(x))[:, None], index]
    return result.requires_grad_(x.requires_grad)


# lists: no gradient comes to x
@wrong("gradient")
def through_lists(x, index):
    rows = zip(x.tolist(), index.tolist())
    return torch.tensor([[vectors[n] for n in row] for vectors, row in rows], dtype=x.dtype)


# NumPy: no gradient comes to x
@wrong("gradient")
def through_numpy(x, index):
    vectors = x.detach().numpy()
    return torch.from_numpy(vectors[torch.arange(len(x))[:, None].numpy(), index.numpy()])


# no_grad around it: no gradient comes to x
@wrong("gradient")
def without_gradients(x, index):
    with torch.no_grad():
        return x[torch.arange(len(x))[:, None], index]


# the result is written into .data: no gradient comes to x
@wrong("gradient")
def written_into_data(x, index):
    result = x.new_zeros(*index.shape, x.shape[2])
    for b in range(len(x)):
        result[b] = x.data[b, index[b]]
    return result


# one-hot as float32: raises for float64
@wrong("RAISED")
def one_hot_only_float32(x, index):
    return F.one_hot(index, x.shape[1]).float() @ x


# a float32 result, whatever x was: float64 loses digits
@wrong("any-batch")
def result_always_float32(x, index):
    result = torch.zeros(*index.shape, x.shape[2])
    for b in range(len(x)):
        result[b] = x[b, index[b]]
    return result


# whole numbers in the result: what stands behind the point is lost
@wrong("structure")
def result_whole(x, index):
    return x[torch.arange(len(x))[:, None], index].long()


# one-hot as wide as the largest number of the index: raises if the last vector is not named
@wrong("RAISED")
def one_hot_width_guessed(x, index):
    return F.one_hot(index).to(x.dtype) @ x


# one-hot turned round: needs K = N, and is right only for self-inverse permutations
@wrong("RAISED")
def one_hot_turned_round(x, index):
    chosen = F.one_hot(index, x.shape[1]).to(x.dtype)
    return chosen.transpose(1, 2) @ x


# the chosen vectors added up, in every place
@wrong("values")
def added_up(x, index):
    chosen = F.one_hot(index, x.shape[1]).to(x.dtype).sum(1, keepdim=True)
    return (chosen @ x).expand(-1, index.shape[1], -1)


# the others set to 0, nothing taken: shape (B, N, D)
@wrong("structure")
def others_set_to_zero(x, index):
    named = F.one_hot(index, x.shape[1]).sum(1, keepdim=True).clamp(max=1)
    return x * named.transpose(1, 2).to(x.dtype)


# sizes of 1 are lost
@wrong("any-batch")
def sizes_of_one_are_lost(x, index):
    return x[torch.arange(len(x))[:, None], index].squeeze()


# shape (B, D, K)
@wrong("values")
def numbers_before_places(x, index):
    return x[torch.arange(len(x))[:, None], index].transpose(1, 2)


# shape (K, B, D): stacked along the wrong dimension
@wrong("values")
def stacked_along_the_wrong_dimension(x, index):
    return torch.stack([vectors[row] for vectors, row in zip(x, index)], dim=1)


# the batch is lost: shape (B * K, D)
@wrong("structure")
def batch_is_lost(x, index):
    return torch.cat([vectors[row] for vectors, row in zip(x, index)])


# only the first example comes back
@wrong("structure")
def only_the_first_example(x, index):
    return x[0, index[0]].unsqueeze(0)


# the right (K, D), read as (D, K) and reshaped: numbers of different vectors get mixed
@wrong("values")
def reshaped_instead_of_transposed(x, index):
    picked = x.transpose(1, 2)[torch.arange(len(x))[:, None], :, index.clone()]
    return picked.transpose(1, 2).reshape(*index.shape, x.shape[2])


# moves the vectors inside x itself: x is spoiled, and vectors are overwritten before they are read
@wrong("values")
def moved_inside_x(x, index):
    k = index.shape[1]
    for b in range(len(x)):
        for place in range(min(k, x.shape[1])):
            x[b, place] = x[b, index[b, place]]
    return x[:, :k]


# moves the vectors inside a copy: a vector may be overwritten before it is read
@wrong("values")
def moved_inside_a_copy(x, index):
    result = x.clone()
    for b in range(len(x)):
        for place in range(min(index.shape[1], x.shape[1])):
            result[b, place] = result[b, index[b, place].item()].clone()
    return result[:, : index.shape[1]]


# right numbers in a new tensor, and x is set in order as well
@wrong("inputs")
def spoils_x(x, index):
    result = x[torch.arange(len(x))[:, None], index]
    with torch.no_grad():
        k = min(index.shape[1], x.shape[1])
        x[:, :k] = result[:, :k]
    return result


# the loop over the places runs as far as there are examples
@wrong("any-batch")
def places_counted_by_examples(x, index):
    result = x.new_zeros(*index.shape, x.shape[2])
    for b in range(len(index)):
        for k in range(min(len(index), index.shape[1])):
            result[b, k] = x[b, index[b, k]]
    return result


# forgets to return
@wrong("structure")
def nothing_returned(x, index):
    x[torch.arange(len(x))[:, None], index]


# returns a list of tensors
@wrong("structure")
def list_of_tensors(x, index):
    return [vectors[row] for vectors, row in zip(x, index)]
