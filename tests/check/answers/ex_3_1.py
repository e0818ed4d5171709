from functools import reduce

import torch
import torch.nn.functional as F
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# one line
@right
def one_line(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden[:, 0])))


# one step after the other, the last dimension written out
@right
def step_by_step(hidden, pooler, head):
    cls = hidden[:, 0, :]
    pooled = pooler(cls)
    pooled = torch.tanh(pooled)
    logits = head(pooled)
    return logits


# a chain of modules
@right
def sequential_of_modules(hidden, pooler, head):
    return torch.nn.Sequential(pooler, torch.nn.Tanh(), head)(hidden.select(1, 0))


# the weights by hand, a missing bias is allowed
@right
def functional_linear(hidden, pooler, head):
    pooled = F.linear(hidden[:, 0], pooler.weight, pooler.bias).tanh()
    return F.linear(pooled, head.weight, head.bias)


# a beginner's loop over the pairs
@right
def loop_over_pairs(hidden, pooler, head):
    answers = []
    for i in range(len(hidden)):
        vector = hidden[i][0]
        answers.append(head(torch.tanh(pooler(vector))))
    return torch.stack(answers)


# everything for every place, and place 0 only at the end
@right
def all_places_then_the_first(hidden, pooler, head):
    everywhere = head(torch.tanh(pooler(hidden)))
    return everywhere[:, 0]


# a slice that keeps the dimension, which is squeezed by its number
@right
def narrow_and_squeeze_by_number(hidden, pooler, head):
    first = hidden.narrow(1, 0, 1)
    return head(pooler(first).tanh()).squeeze(1)


# the list of places, the first of them
@right
def unbind_the_places(hidden, pooler, head):
    cls, *others = hidden.unbind(dim=1)
    return head(pooler(cls).tanh_())


# tanh written with sigmoid
@right
def tanh_from_sigmoid(hidden, pooler, head):
    pooled = 2 * torch.sigmoid(2 * pooler(hidden[:, 0])) - 1
    return head(pooled)


# a fold over the three steps
@right
def fold_over_three_steps(hidden, pooler, head):
    return reduce(lambda x, step: step(x), (pooler, torch.tanh, head), hidden[:, 0])


# recursion: the first half of the batch, and the second
@right
def recursion_over_the_batch(hidden, pooler, head):
    if len(hidden) > 1:
        middle = len(hidden) // 2
        first = recursion_over_the_batch(hidden[:middle], pooler, head)
        second = recursion_over_the_batch(hidden[middle:], pooler, head)
        return torch.cat([first, second])
    return head(torch.tanh(pooler(hidden[:, 0])))


# all places in one long table, every length-th row
@right
def every_length_th_row(hidden, pooler, head):
    batch, length, width = hidden.shape
    rows = hidden.reshape(batch * length, width)[::length]
    return head(torch.tanh(pooler(rows)))


# products written with einsum, the bias added where there is one
@right
def einsum_and_bias(hidden, pooler, head):
    x = torch.einsum("bw,vw->bv", hidden[:, 0], pooler.weight)
    if pooler.bias is not None:
        x = x + pooler.bias
    y = torch.einsum("bw,cw->bc", torch.tanh(x), head.weight)
    return y if head.bias is None else y + head.bias


# ---------------------------------------------------------------- wrong


# no tanh
@wrong("values")
def without_tanh(hidden, pooler, head):
    return head(pooler(hidden[:, 0]))


# tanh at the very end, over the logits
@wrong("values")
def tanh_after_the_head(hidden, pooler, head):
    return torch.tanh(head(pooler(hidden[:, 0])))


# tanh at both places
@wrong("values")
def tanh_twice(hidden, pooler, head):
    return torch.tanh(head(torch.tanh(pooler(hidden[:, 0]))))


# tanh before the pooler
@wrong("values")
def tanh_before_the_pooler(hidden, pooler, head):
    return head(pooler(torch.tanh(hidden[:, 0])))


# no pooler
@wrong("values")
def without_pooler(hidden, pooler, head):
    return head(torch.tanh(hidden[:, 0]))


# the head alone
@wrong("values")
def head_alone(hidden, pooler, head):
    return head(hidden[:, 0])


# no head: width numbers for each pair
@wrong("structure")
def without_head(hidden, pooler, head):
    return torch.tanh(pooler(hidden[:, 0]))


# the first two numbers of the pooled vector instead of the head
@wrong("values")
def first_two_of_the_pooled(hidden, pooler, head):
    return torch.tanh(pooler(hidden[:, 0]))[:, :2]


# the last place
@wrong("values")
def last_place(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden[:, -1])))


# counts places from 1
@wrong("values")
def place_one(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden[:, 1])))


# the mean over all places
@wrong("values")
def mean_over_places(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden.mean(dim=1))))


# the largest number over all places
@wrong("values")
def max_over_places(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden.max(dim=1).values)))


# pools every place, and takes the mean after tanh
@wrong("values")
def mean_of_pooled_places(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden)).mean(dim=1))


# the mean of the logits of all places
@wrong("values")
def mean_of_logits_of_all_places(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden))).mean(dim=1)


# [CLS] plus the mean of the others
@wrong("values")
def cls_plus_mean_of_others(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden[:, 0] + hidden.mean(dim=1))))


# the first pair of the batch instead of the first place
@wrong("structure")
def first_pair_not_first_place(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden[0])))


# the answer for the first pair only
@wrong("structure")
def only_the_first_pair(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden[:1, 0])))


# the first pair only, without its dimension
@wrong("structure")
def first_pair_without_dimension(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden[0, 0])))


# the slice keeps the dimension of the places: (batch, 1, 2)
@wrong("structure")
def dimension_of_places_is_left(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden[:, :1])))


# two logits for every place
@wrong("structure")
def logits_for_every_place(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden)))


# squeeze without a number: one pair loses its dimension
@wrong("values")
def squeeze_drops_a_batch_of_one(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden[:, :1].squeeze())))


# the first rows of the long table: right for one pair alone
@wrong("values")
def first_rows_of_the_long_table(hidden, pooler, head):
    batch, length, width = hidden.shape
    return head(torch.tanh(pooler(hidden.reshape(-1, width)[:batch])))


# the sizes of the example are written into the code
@wrong("RAISED")
def sizes_of_the_example(hidden, pooler, head):
    cls = hidden.reshape(-1, 40, 64)[:, 0]
    return head(torch.tanh(pooler(cls)))


# the places run over the batch: transposed first
@wrong("structure")
def transposed_first(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden.transpose(0, 1)[:, 0])))


# probabilities
@wrong("values")
def softmax_at_the_end(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden[:, 0]))).softmax(dim=-1)


# logarithms of probabilities
@wrong("values")
def log_softmax_at_the_end(hidden, pooler, head):
    return F.log_softmax(head(torch.tanh(pooler(hidden[:, 0]))), dim=-1)


# the class instead of the logits
@wrong("structure")
def class_instead_of_logits(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden[:, 0]))).argmax(dim=-1)


# one number for each pair: the difference of the logits
@wrong("structure")
def difference_of_the_logits(hidden, pooler, head):
    logits = head(torch.tanh(pooler(hidden[:, 0])))
    return logits[:, 0] - logits[:, 1]


# the two logits exchanged
@wrong("values")
def columns_exchanged(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden[:, 0]))).flip(-1)


# transposed: shape (2, batch)
@wrong("structure")
def transposed_at_the_end(hidden, pooler, head):
    return head(torch.tanh(pooler(hidden[:, 0]))).T


# relu in place of tanh
@wrong("values")
def relu_for_tanh(hidden, pooler, head):
    return head(torch.relu(pooler(hidden[:, 0])))


# sigmoid in place of tanh
@wrong("values")
def sigmoid_for_tanh(hidden, pooler, head):
    return head(torch.sigmoid(pooler(hidden[:, 0])))


# gelu in place of tanh, because its formula holds a tanh
@wrong("values")
def gelu_for_tanh(hidden, pooler, head):
    return head(F.gelu(pooler(hidden[:, 0]), approximate="tanh"))


# cut off at -1 and 1: only looks like tanh
@wrong("values")
def cut_off_for_tanh(hidden, pooler, head):
    return head(pooler(hidden[:, 0]).clamp(-1, 1))


# tanh from sigmoid with a factor forgotten
@wrong("values")
def tanh_from_sigmoid_wrong_factor(hidden, pooler, head):
    return head(2 * torch.sigmoid(pooler(hidden[:, 0])) - 1)


# the pooler's bias forgotten
@wrong("values")
def bias_of_pooler_forgotten(hidden, pooler, head):
    return head(torch.tanh(hidden[:, 0] @ pooler.weight.T))


# the head's bias forgotten
@wrong("values")
def bias_of_head_forgotten(hidden, pooler, head):
    return torch.tanh(pooler(hidden[:, 0])) @ head.weight.T


# the pooler's weight not transposed
@wrong("values")
def weight_not_transposed(hidden, pooler, head):
    return head(torch.tanh(hidden[:, 0] @ pooler.weight + pooler.bias))


# the pooler twice
@wrong("values")
def pooler_twice(hidden, pooler, head):
    return head(torch.tanh(pooler(pooler(hidden[:, 0]))))


# a residual connection that nobody asked for
@wrong("values")
def residual_connection(hidden, pooler, head):
    cls = hidden[:, 0]
    return head(cls + torch.tanh(pooler(cls)))


# a layer norm that nobody asked for
@wrong("values")
def layer_norm_added(hidden, pooler, head):
    pooled = torch.tanh(pooler(hidden[:, 0]))
    return head(F.layer_norm(pooled, pooled.shape[-1:]))


# dropout that is never switched off
@wrong("values")
def dropout_added(hidden, pooler, head):
    return head(F.dropout(torch.tanh(pooler(hidden[:, 0])), 0.1, training=True))


# new layers with random weights instead of the given ones
@wrong("values")
def new_layers(hidden, pooler, head):
    width = hidden.shape[-1]
    pooler = torch.nn.Linear(width, width)
    head = torch.nn.Linear(width, 2)
    return head(torch.tanh(pooler(hidden[:, 0])))


# a new head, the given pooler
@wrong("values")
def new_head_only(hidden, pooler, head):
    return torch.nn.Linear(hidden.shape[-1], 2)(torch.tanh(pooler(hidden[:, 0])))


# the pairs of a batch change one another: the mean of the batch is taken off
@wrong("values")
def mean_of_the_batch_taken_off(hidden, pooler, head):
    cls = hidden[:, 0] - hidden[:, 0].mean(dim=0)
    return head(torch.tanh(pooler(cls)))


# the vector is brought to length 1
@wrong("values")
def vector_of_length_one(hidden, pooler, head):
    return head(torch.tanh(pooler(F.normalize(hidden[:, 0], dim=-1))))


# the result is right, but the pooled vector is written into the encoder's output
@wrong("gradient")
def writes_into_hidden(hidden, pooler, head):
    with torch.no_grad():
        hidden[:, 0] = torch.tanh(pooler(hidden[:, 0]))
    return head(hidden[:, 0])


# the result is right, but the other places are set to zero in the given tensor
@wrong("inputs")
def clears_the_other_places(hidden, pooler, head):
    with torch.no_grad():
        hidden[:, 1:] = 0
    return head(torch.tanh(pooler(hidden.sum(dim=1))))


# the answer of the first pair for every pair
@wrong("values")
def first_answer_for_every_pair(hidden, pooler, head):
    logits = head(torch.tanh(pooler(hidden[0, 0])))
    return logits.expand(len(hidden), 2)


# a list that is never stacked: only the last pair is given back
@wrong("structure")
def loop_returns_last_pair(hidden, pooler, head):
    for pair in hidden:
        logits = head(torch.tanh(pooler(pair[0])))
    return logits.unsqueeze(0)


# torch.cat instead of torch.stack: one long row of 2 * batch numbers
@wrong("structure")
def cat_instead_of_stack(hidden, pooler, head):
    return torch.cat([head(torch.tanh(pooler(pair[0]))) for pair in hidden])


# the logits are computed, and not returned
@wrong("structure")
def forgets_return(hidden, pooler, head):
    pooled = torch.tanh(pooler(hidden[:, 0]))
    head(pooled)
