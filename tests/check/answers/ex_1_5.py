import math

import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# shuffled tokens, shuffled vectors, the largest difference, as a Python number
@right
def index_both(encoder, ids, perm):
    return (encoder(ids[:, perm]) - encoder(ids)[:, perm]).abs().max().item()


# the same with index_select, a tensor without dimensions
@right
def index_select_both(encoder, ids, perm):
    shuffled = encoder(ids.index_select(1, perm))
    ordered = encoder(ids).index_select(1, perm)
    return torch.amax(torch.abs(shuffled - ordered))


# a beginner's loops over places and numbers
@right
def beginner_loops(encoder, ids, perm):
    row = []
    for j in range(len(perm)):
        row.append(int(ids[0, int(perm[j])]))
    shuffled = encoder(torch.tensor([row], dtype=ids.dtype))
    ordered = encoder(ids)
    largest = 0.0
    for j in range(len(perm)):
        for k in range(shuffled.shape[2]):
            gap = abs(float(shuffled[0, j, k]) - float(ordered[0, int(perm[j]), k]))
            if gap > largest:
                largest = gap
    return largest


# the shuffled result is put back in order with the inverse, then compared
@right
def put_back_in_order(encoder, ids, perm):
    back = torch.argsort(perm)
    return float((encoder(ids[:, perm])[:, back] - encoder(ids)).abs().max())


# the vectors are written to where their tokens came from
@right
def written_where_they_came_from(encoder, ids, perm):
    shuffled, ordered = encoder(ids[:, perm]), encoder(ids)
    back = torch.empty_like(shuffled)
    back[:, perm] = shuffled
    return torch.dist(back, ordered, p=math.inf)


# a permutation matrix times the vectors
@right
def permutation_matrix(encoder, ids, perm):
    vectors = encoder(ids)
    matrix = torch.nn.functional.one_hot(perm, len(perm)).to(vectors.dtype)
    return (encoder(ids[:, perm]) - matrix @ vectors).abs().max()


# numpy for the comparison
@right
def numpy_comparison(encoder, ids, perm):
    order = perm.numpy()
    ordered = encoder(ids).detach().numpy()[:, order]
    shuffled = encoder(torch.from_numpy(ids.numpy()[:, order])).detach().numpy()
    return abs(shuffled - ordered).max()


# a comprehension: the largest difference of each place, then of all
@right
def comprehension_over_places(encoder, ids, perm):
    shuffled = encoder(torch.stack([ids[0, p] for p in perm]).unsqueeze(0))[0]
    ordered = encoder(ids)[0]
    return max((shuffled[j] - ordered[p]).abs().max().item() for j, p in enumerate(perm))


# gather along the places, without gradients
@right
def gather_without_gradients(encoder, ids, perm):
    with torch.no_grad():
        ordered = encoder(ids)
        index = perm.view(1, -1, 1).expand_as(ordered)
        gap = encoder(ids.gather(1, perm.unsqueeze(0))) - ordered.gather(1, index)
    return torch.linalg.vector_norm(gap, ord=math.inf).item()


# the larger of the largest and of minus the smallest difference
@right
def larger_of_both_ends(encoder, ids, perm):
    gap = encoder(ids[..., perm]) - encoder(ids)[:, perm, :]
    return max(gap.max().item(), -gap.min().item())


# ---------------------------------------------------------------- wrong


# only the tokens are shuffled
@wrong("none")
def only_tokens_shuffled(encoder, ids, perm):
    return (encoder(ids[:, perm]) - encoder(ids)).abs().max().item()


# only the vectors are shuffled
@wrong("none")
def only_vectors_shuffled(encoder, ids, perm):
    return (encoder(ids) - encoder(ids)[:, perm]).abs().max().item()


# both results are shuffled once more
@wrong("none")
def shuffled_twice(encoder, ids, perm):
    shuffled = encoder(ids[:, perm])[:, perm]
    return (shuffled - encoder(ids)).abs().max().item()


# the inverse for the vectors: hidden if the shuffle is its own inverse
@wrong("none")
def inverse_for_the_vectors(encoder, ids, perm):
    back = perm.argsort()
    return (encoder(ids[:, perm]) - encoder(ids)[:, back]).abs().max().item()


# the inverse for the tokens
@wrong("none")
def inverse_for_the_tokens(encoder, ids, perm):
    back = perm.argsort()
    return (encoder(ids[:, back]) - encoder(ids)[:, perm]).abs().max().item()


# the inverse for both: another shuffle, as consistent as the one that was asked for
@wrong("largest")
def inverse_for_both(encoder, ids, perm):
    back = perm.argsort()
    return (encoder(ids[:, back]) - encoder(ids)[:, back]).abs().max().item()


# token j is written to place perm[j]: that is the inverse
@wrong("none")
def tokens_written_to_perm(encoder, ids, perm):
    shuffled = torch.empty_like(ids)
    shuffled[:, perm] = ids
    return (encoder(shuffled) - encoder(ids)[:, perm]).abs().max().item()


# tokens and vectors are written to place perm[j]
@wrong("largest")
def both_written_to_perm(encoder, ids, perm):
    vectors = encoder(ids)
    shuffled, moved = torch.empty_like(ids), torch.empty_like(vectors)
    shuffled[:, perm] = ids
    moved[:, perm] = vectors
    return (encoder(shuffled) - moved).abs().max().item()


# the largest difference with its sign
@wrong("largest")
def largest_with_sign(encoder, ids, perm):
    return (encoder(ids[:, perm]) - encoder(ids)[:, perm]).max().item()


# the absolute value after the maximum
@wrong("largest")
def absolute_value_after_maximum(encoder, ids, perm):
    return abs((encoder(ids[:, perm]) - encoder(ids)[:, perm]).max().item())


# the smallest difference
@wrong("largest")
def smallest_difference(encoder, ids, perm):
    return (encoder(ids[:, perm]) - encoder(ids)[:, perm]).abs().min().item()


# the mean
@wrong("largest")
def mean_difference(encoder, ids, perm):
    return (encoder(ids[:, perm]) - encoder(ids)[:, perm]).abs().mean().item()


# the sum
@wrong("largest")
def sum_of_differences(encoder, ids, perm):
    return (encoder(ids[:, perm]) - encoder(ids)[:, perm]).abs().sum().item()


# the length of the difference
@wrong("largest")
def length_of_the_difference(encoder, ids, perm):
    return torch.norm(encoder(ids[:, perm]) - encoder(ids)[:, perm]).item()


# the largest length of a place's difference
@wrong("largest")
def largest_length_of_a_place(encoder, ids, perm):
    return (encoder(ids[:, perm]) - encoder(ids)[:, perm]).norm(dim=-1).max().item()


# the largest square
@wrong("largest")
def largest_square(encoder, ids, perm):
    return ((encoder(ids[:, perm]) - encoder(ids)[:, perm]) ** 2).max().item()


# the mean square
@wrong("largest")
def mean_square(encoder, ids, perm):
    gap = encoder(ids[:, perm]) - encoder(ids)[:, perm]
    return (gap**2).mean().item()


# the largest sum over the width
@wrong("largest")
def largest_sum_over_the_width(encoder, ids, perm):
    return (encoder(ids[:, perm]) - encoder(ids)[:, perm]).abs().sum(-1).max().item()


# the largest mean over the width
@wrong("largest")
def largest_mean_over_the_width(encoder, ids, perm):
    return (encoder(ids[:, perm]) - encoder(ids)[:, perm]).abs().mean(-1).max().item()


# from the smallest to the largest difference
@wrong("largest")
def from_smallest_to_largest(encoder, ids, perm):
    gap = encoder(ids[:, perm]) - encoder(ids)[:, perm]
    return (gap.max() - gap.min()).item()


# the difference of the absolute values: signs are lost
@wrong("any-row")
def difference_of_absolute_values(encoder, ids, perm):
    return (encoder(ids[:, perm]).abs() - encoder(ids)[:, perm].abs()).abs().max().item()


# the difference of the largest values
@wrong("largest")
def difference_of_largest_values(encoder, ids, perm):
    return (encoder(ids[:, perm]).max() - encoder(ids)[:, perm].max()).abs().item()


# in relation to the size of the vectors
@wrong("largest")
def relative_difference(encoder, ids, perm):
    ordered = encoder(ids)[:, perm]
    return ((encoder(ids[:, perm]) - ordered).abs() / (ordered.abs() + 1e-9)).max().item()


# divided by the largest value
@wrong("largest")
def divided_by_largest_value(encoder, ids, perm):
    ordered = encoder(ids)
    gap = (encoder(ids[:, perm]) - ordered[:, perm]).abs().max()
    return (gap / ordered.abs().max()).item()


# one minus the cosine
@wrong("largest")
def one_minus_cosine(encoder, ids, perm):
    cosine = torch.cosine_similarity(encoder(ids[:, perm]), encoder(ids)[:, perm], dim=-1)
    return (1 - cosine).max().item()


# only the first place
@wrong("largest")
def only_first_place(encoder, ids, perm):
    return (encoder(ids[:, perm]) - encoder(ids)[:, perm])[0, 0].abs().max().item()


# only the last place
@wrong("any-row")
def only_last_place(encoder, ids, perm):
    return (encoder(ids[:, perm]) - encoder(ids)[:, perm])[0, -1].abs().max().item()


# only the first number of each vector
@wrong("largest")
def only_first_number(encoder, ids, perm):
    return (encoder(ids[:, perm]) - encoder(ids)[:, perm])[..., 0].abs().max().item()


# without the first and the last place, as if they held [CLS] and [SEP]
@wrong("largest")
def without_first_and_last_place(encoder, ids, perm):
    gap = (encoder(ids[:, perm]) - encoder(ids)[:, perm]).abs()
    inner = gap[:, 1:-1] if ids.shape[1] > 2 else gap
    return inner.max().item()


# only the places whose token moved: the others can get other vectors as well
@wrong("any-row")
def only_places_that_moved(encoder, ids, perm):
    gap = (encoder(ids[:, perm]) - encoder(ids)[:, perm]).abs()
    moved = perm != torch.arange(len(perm))
    return gap[:, moved].max().item() if moved.any() else 0.0


# the vectors are shuffled along the batch
@wrong("RAISED")
def shuffled_along_the_batch(encoder, ids, perm):
    return (encoder(ids[:, perm]) - encoder(ids)[perm]).abs().max().item()


# the vectors are shuffled along the width
@wrong("RAISED")
def shuffled_along_the_width(encoder, ids, perm):
    return (encoder(ids[:, perm]) - encoder(ids)[..., perm]).abs().max().item()


# the tokens are shuffled by perm along the batch
@wrong("RAISED")
def tokens_shuffled_along_the_batch(encoder, ids, perm):
    return (encoder(ids[perm]) - encoder(ids)[:, perm]).abs().max().item()


# a row without the batch goes into the encoder
@wrong("RAISED")
def row_without_the_batch(encoder, ids, perm):
    return (encoder(ids[0, perm]) - encoder(ids)[0, perm]).abs().max().item()


# perm itself is encoded: right if the ids are 0, 1, 2, ...
@wrong("none")
def perm_itself_is_encoded(encoder, ids, perm):
    return (encoder(perm.unsqueeze(0)) - encoder(ids)[:, perm]).abs().max().item()


# ids are looked up with perm turned round: perm[ids] instead of ids[perm]
@wrong("none")
def perm_of_ids(encoder, ids, perm):
    return (encoder(perm[ids % len(perm)]) - encoder(ids)[:, perm]).abs().max().item()


# the tokens are sorted by their ids on both sides: not the places, if a token occurs twice
@wrong("any-row")
def compared_sorted_by_id(encoder, ids, perm):
    shuffled = ids[:, perm]
    a = encoder(shuffled)[0, shuffled[0].argsort(stable=True)]
    b = encoder(ids)[0, ids[0].argsort(stable=True)]
    return (a - b).abs().max().item()


# the vectors are found again by the token: not the places, if a token occurs twice
@wrong("any-row")
def vectors_found_by_token(encoder, ids, perm):
    shuffled = ids[:, perm]
    vector = dict(zip(ids[0].tolist(), encoder(ids)[0]))
    ordered = torch.stack([vector[token] for token in shuffled[0].tolist()])
    return (encoder(shuffled)[0] - ordered).abs().max().item()


# the nearest vector of the ordered row, whichever place it has
@wrong("largest")
def nearest_vector_of_the_row(encoder, ids, perm):
    a, b = encoder(ids[:, perm])[0], encoder(ids)[0]
    return (a[:, None] - b[None]).abs().amax(-1).amin(1).max().item()


# sorted numbers are compared
@wrong("largest")
def sorted_numbers_compared(encoder, ids, perm):
    a, b = encoder(ids[:, perm])[0], encoder(ids)[0]
    return (a.sort(dim=0).values - b.sort(dim=0).values).abs().max().item()


# means over the places are compared
@wrong("largest")
def means_over_the_places(encoder, ids, perm):
    return (encoder(ids[:, perm]).mean(1) - encoder(ids).mean(1)).abs().max().item()


# a shuffle of its own, not perm
@wrong("largest")
def own_shuffle(encoder, ids, perm):
    own = torch.randperm(ids.shape[1], generator=torch.Generator().manual_seed(0))
    return (encoder(ids[:, own]) - encoder(ids)[:, own]).abs().max().item()


# the row backwards, not perm
@wrong("largest")
def row_backwards(encoder, ids, perm):
    return (encoder(ids.flip(1)) - encoder(ids).flip(1)).abs().max().item()


# a step round, not perm
@wrong("largest")
def a_step_round(encoder, ids, perm):
    return (encoder(ids.roll(1, 1)) - encoder(ids).roll(1, 1)).abs().max().item()


# each token is encoded alone: no context
@wrong("largest")
def each_token_alone(encoder, ids, perm):
    alone = torch.cat([encoder(ids[:, j : j + 1]) for j in range(ids.shape[1])], dim=1)
    return (encoder(ids[:, perm]) - alone[:, perm]).abs().max().item()


# the shuffled row is encoded for both sides
@wrong("none")
def shuffled_row_for_both(encoder, ids, perm):
    vectors = encoder(ids[:, perm])
    return (vectors - vectors[:, perm]).abs().max().item()


# shuffles the given ids themselves: both sides see the shuffled row
@wrong("none")
def shuffles_the_given_ids(encoder, ids, perm):
    ids[:] = ids[:, perm]
    return (encoder(ids) - encoder(ids)[:, perm]).abs().max().item()


# the number is right, but the given ids are shuffled afterwards
@wrong("inputs")
def given_ids_shuffled_afterwards(encoder, ids, perm):
    ordered = encoder(ids)[:, perm]
    ids[0] = ids[0, perm]
    return (encoder(ids) - ordered).abs().max().item()


# the number is right, but perm is sorted afterwards
@wrong("inputs")
def perm_sorted_afterwards(encoder, ids, perm):
    gap = (encoder(ids[:, perm]) - encoder(ids)[:, perm]).abs().max().item()
    perm.copy_(perm.sort().values)
    return gap


# same or not
@wrong("largest")
def same_or_not(encoder, ids, perm):
    return float(not torch.allclose(encoder(ids[:, perm]), encoder(ids)[:, perm], atol=1e-5))


# one difference for each place
@wrong("structure")
def one_difference_for_each_place(encoder, ids, perm):
    return (encoder(ids[:, perm]) - encoder(ids)[:, perm]).abs().amax(-1)


# values and places of the maximum over one dimension
@wrong("structure")
def maximum_over_one_dimension(encoder, ids, perm):
    return (encoder(ids[:, perm]) - encoder(ids)[:, perm]).abs().max(dim=1)


# rounded to whole numbers
@wrong("largest")
def rounded_to_whole_numbers(encoder, ids, perm):
    return round((encoder(ids[:, perm]) - encoder(ids)[:, perm]).abs().max().item())


# always zero, as the lesson says of a network without positions
@wrong("largest")
def always_zero(encoder, ids, perm):
    return 0.0


# not more than one
@wrong("largest")
def not_more_than_one(encoder, ids, perm):
    gap = (encoder(ids[:, perm]) - encoder(ids)[:, perm]).abs().max().item()
    return min(gap, 1.0)


# tokens of the shuffled row one place too far
@wrong("largest")
def perm_from_one(encoder, ids, perm):
    later = (perm + 1) % len(perm)
    return (encoder(ids[:, later]) - encoder(ids)[:, later]).abs().max().item()


# goes through NumPy, which refuses a tensor with a gradient, and hides the error
@wrong("with-gradient")
def error_of_numpy_hidden(encoder, ids, perm):
    try:
        one, other = encoder(ids[:, perm]).numpy(), encoder(ids)[:, perm].numpy()
    except RuntimeError:
        return 0.0
    return float(abs(one - other).max())
