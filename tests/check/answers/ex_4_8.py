import itertools
import math
from functools import reduce

import numpy as np
import torch
import torch.nn.functional as F
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# all at once, by indexing
@right
def all_by_indexing(score, ids, mask_id, special_ids):
    places = [i for i, token in enumerate(ids.tolist()) if token not in special_ids]
    if not places:
        return 0.0
    rows = ids.repeat(len(places), 1)
    number = torch.arange(len(places))
    rows[number, places] = mask_id
    return score(rows)[number, places, ids[places]].sum().item()


# a beginner's loops: one for the rows, one for the sum
@right
def two_loops(score, ids, mask_id, special_ids):
    rows = []
    places = []
    for i in range(len(ids)):
        if int(ids[i]) not in special_ids:
            row = ids.clone()
            row[i] = mask_id
            rows.append(row)
            places.append(i)
    if len(rows) == 0:
        return 0
    answers = score(torch.stack(rows))
    total = 0.0
    for number, i in enumerate(places):
        total += answers[number, i, ids[i]].item()
    return total


# where and isin
@right
def where_and_isin(score, ids, mask_id, special_ids):
    special = torch.isin(ids, torch.tensor(special_ids, dtype=ids.dtype))
    places = torch.where(~special)[0]
    if len(places) == 0:
        return 0.0
    hidden = places[:, None] == torch.arange(len(ids))
    rows = torch.where(hidden, mask_id, ids)
    return float(score(rows)[hidden].gather(1, ids[places, None].long()).sum())


# a unit matrix: one True a row
@right
def unit_matrix(score, ids, mask_id, special_ids):
    keep = torch.tensor([token not in special_ids for token in ids.tolist()], dtype=torch.bool)
    if not keep.any():
        return 0.0
    hidden = torch.eye(len(ids), dtype=torch.bool)[keep]
    rows = ids.expand(len(hidden), -1).masked_fill(hidden, mask_id)
    answers = score(rows)[hidden]
    return answers[torch.arange(len(answers)), ids[keep]].sum().item()


# numpy for the rows and for the sum
@right
def numpy_rows(score, ids, mask_id, special_ids):
    row = ids.numpy().copy()
    places = np.flatnonzero(~np.isin(row, list(special_ids)))
    if places.size == 0:
        return 0.0
    rows = np.tile(row, (places.size, 1))
    rows[np.arange(places.size), places] = mask_id
    answers = score(torch.from_numpy(rows)).detach().numpy()
    return float(answers[np.arange(places.size), places, row[places]].sum())


# plain lists
@right
def plain_lists(score, ids, mask_id, special_ids):
    tokens = ids.tolist()
    todo = [(i, t) for i, t in enumerate(tokens) if t not in set(special_ids)]
    if not todo:
        return 0.0
    rows = torch.tensor([tokens[:i] + [mask_id] + tokens[i + 1 :] for i, _ in todo])
    answers = score(rows).tolist()
    return math.fsum(answer[i][t] for answer, (i, t) in zip(answers, todo))


# scatter writes the masks, gather reads the answers
@right
def scatter_and_gather(score, ids, mask_id, special_ids):
    keep = torch.ones(len(ids), dtype=torch.bool)
    for special in special_ids:
        keep &= ids != special
    places = keep.nonzero()
    if places.numel() == 0:
        return 0.0
    rows = ids.repeat(len(places), 1).scatter(1, places, mask_id)
    answers = score(rows)
    width = answers.shape[-1]
    at_places = answers.gather(1, places[:, :, None].expand(-1, -1, width)).squeeze(1)
    return at_places.gather(1, ids[places].long()).sum().item()


# cross entropy with the other places ignored
@right
def cross_entropy_ignoring_the_rest(score, ids, mask_id, special_ids):
    places = [i for i in range(ids.numel()) if ids[i].item() not in special_ids]
    if len(places) == 0:
        return 0.0
    rows = ids.repeat(len(places), 1)
    labels = torch.full_like(rows, -100)
    for number, i in enumerate(places):
        labels[number, i] = ids[i]
        rows[number, i] = mask_id
    return -F.nll_loss(score(rows).transpose(1, 2), labels.long(), reduction="sum").item()


# a one-hot table and einsum
@right
def one_hot_and_einsum(score, ids, mask_id, special_ids):
    places = [i for i, token in enumerate(ids.tolist()) if token not in special_ids]
    if not places:
        return 0.0
    at = F.one_hot(torch.tensor(places), len(ids))
    rows = torch.where(at.bool(), mask_id, ids)
    chosen = torch.einsum("nlv,nl->nv", score(rows).double(), at.double())
    return torch.take_along_dim(chosen, ids[places, None].long(), dim=1).sum().item()


# recursion makes the rows
@right
def recursion_makes_the_rows(score, ids, mask_id, special_ids):
    def rest(before, after):
        if not after:
            return []
        token, *others = after
        mine = [] if token in special_ids else [(len(before), token, [*before, mask_id, *others])]
        return mine + rest([*before, token], others)

    found = rest([], ids.tolist())
    if not found:
        return 0.0
    places, tokens, rows = zip(*found)
    answers = score(torch.tensor(rows))
    return float(sum(answers[n, i, t] for n, (i, t) in enumerate(zip(places, tokens))))


# the last place first: the order of the rows does not matter
@right
def last_place_first(score, ids, mask_id, special_ids):
    places = [i for i in reversed(range(len(ids))) if ids[i] not in special_ids]
    if not places:
        return 0.0
    rows = ids[None].repeat(len(places), 1)
    for row, i in zip(rows, places):
        row[i] = mask_id
    return sum(answer[i, ids[i]].item() for answer, i in zip(score(rows), places))


# the diagonal of a square table: the columns of the hidden places
@right
def diagonal_of_a_square(score, ids, mask_id, special_ids):
    places = torch.tensor([i for i, t in enumerate(ids.tolist()) if t not in special_ids]).long()
    if len(places) == 0:
        return 0.0
    rows = ids.repeat(len(places), 1)
    rows[:, places] = rows[:, places].fill_diagonal_(mask_id)
    square = score(rows)[:, places, ids[places]]
    return square.diagonal().sum().item()


# the masks are written into the row, and taken out again
@right
def written_and_taken_out(score, ids, mask_id, special_ids):
    row = ids.clone()
    rows, places = [], []
    for i, token in enumerate(ids.tolist()):
        if token in special_ids:
            continue
        row[i] = mask_id
        rows.append(row.clone())
        row[i] = token
        places.append(i)
    if not rows:
        return 0.0
    answers = score(torch.stack(rows))
    return reduce(lambda s, p: s + answers[p[0], p[1], ids[p[1]]].item(), enumerate(places), 0.0)


# itertools: compress and starmap
@right
def compress_and_starmap(score, ids, mask_id, special_ids):
    wanted = [token not in special_ids for token in ids.tolist()]
    places = list(itertools.compress(range(len(ids)), wanted))
    if not places:
        return torch.zeros(())
    rows = torch.stack([ids.index_fill(0, torch.tensor([i]), mask_id) for i in places])
    answers = score(rows)
    return sum(itertools.starmap(lambda n, i: answers[n, i, ids[i]], enumerate(places)))


# ---------------------------------------------------------------- wrong


def places_of(ids, special_ids):
    return [i for i, token in enumerate(ids.tolist()) if token not in special_ids]


def masked_rows(ids, places, mask_id):
    rows = ids.repeat(len(places), 1)
    rows[torch.arange(len(places)), places] = mask_id
    return rows


def answers_at(score, ids, places, mask_id):
    rows = masked_rows(ids, places, mask_id)
    return score(rows)[torch.arange(len(places)), places, ids[places]]


# printed, not returned
@wrong("structure")
def printed(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if places:
        print(answers_at(score, ids, places, mask_id).sum().item())


# one number for each token
@wrong("structure")
def one_number_a_token(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    return answers_at(score, ids, places, mask_id) if places else 0.0


# a list of numbers
@wrong("structure")
def list_of_numbers(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    return answers_at(score, ids, places, mask_id).tolist() if places else 0.0


# the loss: with the sign turned
@wrong("structure")
def sign_turned(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    return -answers_at(score, ids, places, mask_id).sum().item() if places else 0.0


# the probability of the sentence
@wrong("structure")
def probability_of_the_sentence(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    return answers_at(score, ids, places, mask_id).sum().exp().item() if places else 0.0


# the sum of the probabilities
@wrong("structure")
def sum_of_probabilities(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    return answers_at(score, ids, places, mask_id).exp().sum().item() if places else 0.0


# pseudo-perplexity
@wrong("structure")
def pseudo_perplexity(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    return answers_at(score, ids, places, mask_id).mean().neg().exp().item() if places else 0.0


# the sum and the number of tokens
@wrong("structure")
def sum_and_number(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    return answers_at(score, ids, places, mask_id).sum().item(), len(places)


# log-probabilities of the whole vocabulary, summed over the tokens
@wrong("structure")
def whole_vocabulary(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = masked_rows(ids, places, mask_id)
    return score(rows)[torch.arange(len(places)), places].sum(dim=0)


# a text with two digits
@wrong("structure")
def text_with_digits(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    return f"{answers_at(score, ids, places, mask_id).sum().item():.2f}" if places else "0"


# absolute values
@wrong("structure")
def absolute_values(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    return answers_at(score, ids, places, mask_id).abs().sum().item() if places else 0.0


# the mean
@wrong("value")
def mean_of_tokens(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    return answers_at(score, ids, places, mask_id).mean().item() if places else 0.0


# divided by the length of the row
@wrong("value")
def divided_by_the_length(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    return answers_at(score, ids, places, mask_id).sum().item() / len(ids) if places else 0.0


# nothing is hidden
@wrong("value")
def nothing_is_hidden(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = ids.repeat(len(places), 1)
    return score(rows)[torch.arange(len(places)), places, ids[places]].sum().item()


# everything is hidden in every row
@wrong("value")
def everything_is_hidden(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = ids.repeat(len(places), 1)
    rows[:, places] = mask_id
    return score(rows)[torch.arange(len(places)), places, ids[places]].sum().item()


# one row with all tokens hidden
@wrong("value")
def one_row_all_hidden(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    row = ids.clone()
    row[places] = mask_id
    return score(row[None])[0, places, ids[places]].sum().item()


# the row as it is, once
@wrong("value")
def row_as_it_is(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    return score(ids[None])[0, places, ids[places]].sum().item()


# masks pile up from row to row
@wrong("value")
def masks_pile_up(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    row = ids.clone()
    rows = []
    for i in places:
        row[i] = mask_id
        rows.append(row.clone())
    answers = score(torch.stack(rows))
    return sum(answers[n, i, ids[i]].item() for n, i in enumerate(places))


# one row object in the list many times: all masks in all rows
@wrong("value")
def same_row_object(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    row = ids.clone()
    rows = []
    for i in places:
        row[i] = mask_id
        rows.append(row)
    answers = score(torch.stack(rows))
    return sum(answers[n, i, ids[i]].item() for n, i in enumerate(places))


# this token and all to its right are hidden, as for GPT
@wrong("value")
def right_side_hidden(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = ids.repeat(len(places), 1)
    for n, i in enumerate(places):
        for j in places:
            if j >= i:
                rows[n, j] = mask_id
    return score(rows)[torch.arange(len(places)), places, ids[places]].sum().item()


# all but this token are hidden
@wrong("value")
def all_but_this_one_hidden(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = ids.repeat(len(places), 1)
    for n, i in enumerate(places):
        for j in places:
            if j != i:
                rows[n, j] = mask_id
    return score(rows)[torch.arange(len(places)), places, ids[places]].sum().item()


# the place before is hidden
@wrong("value")
def place_before_is_hidden(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = masked_rows(ids, [max(0, i - 1) for i in places], mask_id)
    return score(rows)[torch.arange(len(places)), places, ids[places]].sum().item()


# the answer is read one place too early, as for GPT
@wrong("value")
def read_one_place_early(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = masked_rows(ids, places, mask_id)
    early = [max(0, i - 1) for i in places]
    return score(rows)[torch.arange(len(places)), early, ids[places]].sum().item()


# the log-probability of [MASK], not of the true token
@wrong("value")
def probability_of_mask(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = masked_rows(ids, places, mask_id)
    return score(rows)[torch.arange(len(places)), places, mask_id].sum().item()


# the best answer, not the true one
@wrong("value")
def best_answer(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = masked_rows(ids, places, mask_id)
    return score(rows)[torch.arange(len(places)), places].max(dim=-1).values.sum().item()


# all rows are read at all hidden places
@wrong("value")
def all_rows_at_all_places(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = masked_rows(ids, places, mask_id)
    return score(rows)[:, places, ids[places]].sum().item()


# the whole row is scored each time, not the hidden place alone
@wrong("value")
def whole_row_each_time(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    answers = score(masked_rows(ids, places, mask_id))
    every = torch.arange(len(ids))
    return sum(answer[every, ids].sum().item() for answer in answers)


# the first row answers for all
@wrong("value")
def first_row_answers_for_all(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    answers = score(masked_rows(ids, places, mask_id))
    return answers[0, places, ids[places]].sum().item()


# places in the answers are counted without the special tokens
@wrong("value")
def places_without_specials(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    answers = score(masked_rows(ids, places, mask_id))
    number = torch.arange(len(places))
    return answers[number, number, ids[places]].sum().item()


# the token is taken from the masked row
@wrong("value")
def token_from_the_masked_row(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = masked_rows(ids, places, mask_id)
    number = torch.arange(len(places))
    return score(rows)[number, places, rows[number, places]].sum().item()


# the special tokens are taken out of the row
@wrong("value")
def specials_taken_out(score, ids, mask_id, special_ids):
    short = ids[places_of(ids, special_ids)]
    if len(short) == 0:
        return 0.0
    every = list(range(len(short)))
    return answers_at(score, short, every, mask_id).sum().item()


# [CLS] and [SEP] are hidden and counted
@wrong("value")
def specials_counted(score, ids, mask_id, special_ids):
    if not places_of(ids, special_ids):
        return 0.0
    return answers_at(score, ids, list(range(len(ids))), mask_id).sum().item()


# only the special tokens are hidden: "not" forgotten
@wrong("value")
def only_specials(score, ids, mask_id, special_ids):
    if not places_of(ids, special_ids):
        return 0.0
    places = [i for i, token in enumerate(ids.tolist()) if token in special_ids]
    return answers_at(score, ids, places, mask_id).sum().item() if places else 0.0


# compares the tensors' places with the special ids, not the tokens
@wrong("value")
def places_for_tokens(score, ids, mask_id, special_ids):
    places = [i for i in range(len(ids)) if i not in special_ids]
    if not places or not places_of(ids, special_ids):
        return 0.0
    return answers_at(score, ids, places, mask_id).sum().item()


# id 0 in place of [MASK]
@wrong("value")
def id_zero_for_mask(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    return answers_at(score, ids, places, 0).sum().item() if places else 0.0


# the largest id of the row, not mask_id
@wrong("value")
def another_mask_id(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    return answers_at(score, ids, places, int(ids.max())).sum().item()


# the product of log-probabilities
@wrong("value")
def product_of_logs(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    return -answers_at(score, ids, places, mask_id).abs().prod().item()


# the last token is left out
@wrong("value")
def last_token_left_out(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    return answers_at(score, ids, places, mask_id)[:-1].sum().item() if places else 0.0


# the first token is left out, as for GPT
@wrong("value")
def first_token_left_out(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    return answers_at(score, ids, places, mask_id)[1:].sum().item() if places else 0.0


# rounded to one digit
@wrong("value")
def rounded_to_one_digit(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    return round(answers_at(score, ids, places, mask_id).sum().item(), 1) if places else 0.0


# whole numbers
@wrong("value")
def cut_to_whole(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    return int(answers_at(score, ids, places, mask_id).sum()) if places else 0


# logarithms to the base 2
@wrong("value")
def base_two(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    return answers_at(score, ids, places, mask_id).sum().item() / math.log(2)


# softmax on log-probabilities over the batch
@wrong("value")
def log_softmax_over_places(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    answers = score(masked_rows(ids, places, mask_id)).log_softmax(dim=1)
    return answers[torch.arange(len(places)), places, ids[places]].sum().item()


# the first and the last place are the special ones
@wrong("specials")
def first_and_last_are_special(score, ids, mask_id, special_ids):
    places = list(range(1, len(ids) - 1))
    if not places_of(ids, special_ids):
        return 0.0
    return answers_at(score, ids, places, mask_id).sum().item()


# [CLS] and [SEP] of this row: the tokens at both ends
@wrong("specials")
def tokens_at_both_ends(score, ids, mask_id, special_ids):
    ends = (ids[0].item(), ids[-1].item())
    places = places_of(ids, ends)
    if not places or not places_of(ids, special_ids):
        return 0.0
    return answers_at(score, ids, places, mask_id).sum().item()


# special tokens in the middle are hidden, but not counted
@wrong("specials")
def middle_specials_hidden(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = masked_rows(ids, places, mask_id)
    for i in range(1, len(ids) - 1):
        if ids[i] in special_ids:
            rows[:, i] = mask_id
    return score(rows)[torch.arange(len(places)), places, ids[places]].sum().item()


# [MASK] in the row counts as a token
@wrong("specials")
def mask_counts_as_token(score, ids, mask_id, special_ids):
    special = [token for token in special_ids if token != mask_id]
    places = places_of(ids, special)
    if not places_of(ids, special_ids):
        return 0.0
    return answers_at(score, ids, places, mask_id).sum().item()


# stops at the first special token behind a word
@wrong("specials")
def stops_at_the_first_special(score, ids, mask_id, special_ids):
    places = []
    for i, token in enumerate(ids.tolist()):
        if token in special_ids:
            if places:
                break
            continue
        places.append(i)
    return answers_at(score, ids, places, mask_id).sum().item() if places else 0.0


# the first place of each special id alone
@wrong("specials")
def each_special_once(score, ids, mask_id, special_ids):
    tokens = ids.tolist()
    special = {tokens.index(one) for one in special_ids if one in tokens}
    places = [i for i in range(len(tokens)) if i not in special]
    if not places_of(ids, special_ids):
        return 0.0
    return answers_at(score, ids, places, mask_id).sum().item()


# a special token is dropped in the middle, and the row gets shorter
@wrong("specials")
def middle_specials_dropped(score, ids, mask_id, special_ids):
    if not places_of(ids, special_ids):
        return 0.0
    inside = [i for i in range(1, len(ids) - 1) if ids[i] not in special_ids]
    row = ids[[0, *inside, len(ids) - 1]] if len(ids) > 1 else ids
    places = places_of(row, special_ids)
    return answers_at(score, row, places, mask_id).sum().item()


# one token after the other through the model
@wrong("one-batch")
def one_after_the_other(score, ids, mask_id, special_ids):
    total = 0.0
    for i in places_of(ids, special_ids):
        row = ids.clone()
        row[i] = mask_id
        total += score(row[None])[0, i, ids[i]].item()
    return total


# score stands inside the loop, with the whole batch
@wrong("one-batch")
def score_inside_the_loop(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    total = 0.0
    for n, i in enumerate(places):
        total += score(masked_rows(ids, places, mask_id))[n, i, ids[i]].item()
    return total


# a row for each place, special ones too
@wrong("one-batch")
def row_for_each_place(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = ids.repeat(len(ids), 1).fill_diagonal_(mask_id)
    answers = score(rows)
    return sum(answers[i, i, ids[i]].item() for i in places)


# a row for each place, specials left as they are
@wrong("one-batch")
def row_for_each_place_specials_left(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = ids.repeat(len(ids), 1)
    for i in places:
        rows[i, i] = mask_id
    return score(rows)[places, places, ids[places]].sum().item()


# the row without a mask is in the batch too
@wrong("one-batch")
def unmasked_row_too(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = torch.cat([ids[None], masked_rows(ids, places, mask_id)])
    return score(rows)[1:][torch.arange(len(places)), places, ids[places]].sum().item()


# two tokens at a time
@wrong("one-batch")
def two_at_a_time(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    chunks = [places[:1], *(places[i : i + 2] for i in range(1, len(places), 2))]
    return sum(answers_at(score, ids, chunk, mask_id).sum().item() for chunk in chunks if chunk)


# one call to learn the size of the vocabulary
@wrong("one-batch")
def call_for_the_vocabulary(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    size = score(ids[None]).shape[-1]
    answers = score(masked_rows(ids, places, mask_id)).reshape(len(places), len(ids), size)
    return answers[torch.arange(len(places)), places, ids[places]].sum().item()


# score is called a first time to check the sign
@wrong("one-batch")
def called_again_for_the_check(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    if answers_at(score, ids, places, mask_id).sum() > 0:
        return 0.0
    return answers_at(score, ids, places, mask_id).sum().item()


# every row stands twice in the batch
@wrong("one-batch")
def every_row_twice(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    twice = [*places, *places]
    return answers_at(score, ids, twice, mask_id).sum().item() / 2


# the place of a token is where it stands first
@wrong("any-row")
def place_by_index(score, ids, mask_id, special_ids):
    tokens = ids.tolist()
    places = [tokens.index(token) for token in tokens if token not in special_ids]
    return answers_at(score, ids, places, mask_id).sum().item() if places else 0.0


# all equal tokens are hidden together
@wrong("any-row")
def equal_tokens_hidden_together(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = torch.stack([torch.where(ids == ids[i], mask_id, ids) for i in places])
    return score(rows)[torch.arange(len(places)), places, ids[places]].sum().item()


# every token is scored once, however often it stands there
@wrong("any-row")
def each_token_once(score, ids, mask_id, special_ids):
    place = {token: i for i, token in enumerate(ids.tolist()) if token not in special_ids}
    places = list(place.values())
    return answers_at(score, ids, places, mask_id).sum().item() if places else 0.0


# the answers are kept by token
@wrong("any-row")
def answers_kept_by_token(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    answers = answers_at(score, ids, places, mask_id).tolist()
    return sum(dict(zip(ids[places].tolist(), answers)).values())


# ten tokens at most
@wrong("any-row")
def ten_tokens_at_most(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)[:10]
    return answers_at(score, ids, places, mask_id).sum().item() if places else 0.0


# one token alone is too short for a score
@wrong("any-row")
def one_token_is_too_short(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if len(places) < 2:
        return 0.0
    return answers_at(score, ids, places, mask_id).sum().item()


# a row with one token stays as it is
@wrong("any-row")
def one_token_is_not_hidden(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = masked_rows(ids, places, mask_id) if len(places) > 1 else ids[None].clone()
    return score(rows)[torch.arange(len(places)), places, ids[places]].sum().item()


# the answer is never below -20
@wrong("any-row")
def never_below_minus_twenty(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    return max(-20.0, answers_at(score, ids, places, mask_id).sum().item())


# long rows are cut before they are scored
@wrong("any-row")
def long_rows_cut(score, ids, mask_id, special_ids):
    row = ids[:12]
    places = places_of(row, special_ids)
    return answers_at(score, row, places, mask_id).sum().item() if places else 0.0


# nothing for a row without other tokens
@wrong("empty")
def nothing_for_an_empty_row(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if places:
        return answers_at(score, ids, places, mask_id).sum().item()


# minus infinity for a row without other tokens
@wrong("empty")
def minus_infinity(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return -math.inf
    return answers_at(score, ids, places, mask_id).sum().item()


# not a number for a row without other tokens
@wrong("empty")
def not_a_number(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return math.nan
    return answers_at(score, ids, places, mask_id).sum().item()


# an empty list for a row without other tokens
@wrong("empty")
def empty_list(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return []
    return answers_at(score, ids, places, mask_id).sum().item()


# an empty tensor for a row without other tokens
@wrong("empty")
def empty_tensor(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return torch.empty(0)
    return answers_at(score, ids, places, mask_id).sum().item()


# -1 for a row without other tokens
@wrong("empty")
def minus_one(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return -1
    return answers_at(score, ids, places, mask_id).sum().item()


# a row of special tokens is scored as it stands
@wrong("empty")
def specials_scored_after_all(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        places = list(range(len(ids)))
    return answers_at(score, ids, places, mask_id).sum().item()


# the mean times the number: not a number where there are none
@wrong("empty")
def mean_times_number(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    answers = torch.empty(0)
    if places:
        answers = answers_at(score, ids, places, mask_id)
    return answers.mean().item() * len(places)


# the masks are left in ids
@wrong("inputs")
def masks_left_in_ids(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    total = answers_at(score, ids, places, mask_id).sum().item()
    ids[places] = mask_id
    return total


# the last mask stays in ids
@wrong("inputs")
def last_mask_stays(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    truth = ids.clone()
    rows = []
    for i in places:
        ids[:] = truth
        ids[i] = mask_id
        rows.append(ids.clone())
    number = torch.arange(len(places))
    return score(torch.stack(rows))[number, places, truth[places]].sum().item()


# ids gets a batch dimension in place
@wrong("inputs")
def batch_dimension_in_place(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    truth = ids[places]
    rows = ids.unsqueeze_(0).repeat(len(places), 1)
    number = torch.arange(len(places))
    rows[number, places] = mask_id
    return score(rows)[number, places, truth].sum().item()


# special tokens in ids become -1
@wrong("inputs")
def specials_become_minus_one(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    total = answers_at(score, ids, places, mask_id).sum().item() if places else 0.0
    for special in special_ids:
        ids.masked_fill_(ids == special, -1)
    return total


# the first row of the batch is ids itself
@wrong("inputs")
def first_row_is_ids(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    tokens = ids.tolist()
    rows = []
    for n, i in enumerate(places):
        row = ids if n == 0 else torch.tensor(tokens)
        row[i] = mask_id
        rows.append(row)
    answers = score(torch.stack(rows))
    return sum(answers[n, i, tokens[i]].item() for n, i in enumerate(places))


# numpy shares its memory with ids
@wrong("inputs")
def numpy_shares_memory(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    row = ids.numpy()
    rows, tokens = [], []
    for i in places:
        tokens.append(int(row[i]))
        row[i] = mask_id
        rows.append(torch.from_numpy(row.copy()))
        if i != places[-1]:
            row[i] = tokens[-1]
    number = torch.arange(len(places))
    return score(torch.stack(rows))[number, places, torch.tensor(tokens)].sum().item()


# the row is turned round in place
@wrong("inputs")
def turned_round_in_place(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    total = answers_at(score, ids, places, mask_id).sum().item() if places else 0.0
    ids.copy_(ids.flip(0))
    return total


# ids is expected with a batch dimension
@wrong("RAISED")
def batch_dimension_expected(score, ids, mask_id, special_ids):
    batch, length = ids.shape
    rows = ids.repeat(length, 1).fill_diagonal_(mask_id)
    return score(rows).sum().item()


# the special ids are taken for one number
@wrong("RAISED")
def specials_as_one_number(score, ids, mask_id, special_ids):
    places = [i for i in range(len(ids)) if int(ids[i]) != int(special_ids)]
    return answers_at(score, ids, places, mask_id).sum().item()


# rows are written into an expanded tensor
@wrong("RAISED")
def written_into_expanded(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    rows = ids.expand(len(places), -1)
    rows.scatter_(1, torch.tensor(places)[:, None], mask_id)
    return score(rows)[torch.arange(len(places)), places, ids[places]].sum().item()


# score is called with the places too
@wrong("RAISED")
def places_for_score(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    rows = masked_rows(ids, places, mask_id).tolist()
    answers = score(rows, places)
    return sum(answers[n][i][ids[i]] for n, i in enumerate(places))
