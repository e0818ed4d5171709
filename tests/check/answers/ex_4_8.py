import torch
from catalogue import right, wrong


def places_of(ids, special_ids):
    return [n for n, one in enumerate(ids.tolist()) if one not in special_ids]


def one_mask_each(ids, mask_id, places):
    rows = ids.repeat(len(places), 1)
    rows[torch.arange(len(places)), places] = mask_id
    return rows


# ---------------------------------------------------------------- right


# three indices
@right
def three_indices(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0
    out = score(one_mask_each(ids, mask_id, places))
    return float(out[torch.arange(len(places)), places, ids[places]].sum())


# a loop over rows
@right
def loop_over_rows(score, ids, mask_id, special_ids):
    places, rows = [], []
    for place in range(len(ids)):
        if int(ids[place]) in special_ids:
            continue
        row = ids.clone()
        row[place] = mask_id
        rows.append(row)
        places.append(place)
    if not rows:
        return 0.0
    table = score(torch.stack(rows))
    total = 0.0
    for k, place in enumerate(places):
        total += table[k, place, ids[place]].item()
    return total


# the diagonal of a masked square
@right
def diagonal(score, ids, mask_id, special_ids):
    keep = ~torch.isin(ids, torch.tensor(special_ids))
    if not keep.any():
        return 0.0
    square = torch.where(torch.eye(len(ids)).bool(), mask_id, ids)[keep]
    log_p = score(square).gather(2, ids.expand(len(square), -1)[..., None])[..., 0]
    return log_p[:, keep].diagonal().sum()


# where and a bool of hidden places
@right
def bool_of_hidden(score, ids, mask_id, special_ids):
    keep = torch.tensor([one not in special_ids for one in ids.tolist()])
    hidden = torch.eye(len(ids), dtype=torch.bool)[keep]
    if not len(hidden):
        return 0.0
    rows = ids.expand_as(hidden).masked_fill(hidden, mask_id)
    return score(rows)[hidden][range(len(hidden)), ids[keep]].sum().item()


# ---------------------------------------------------------------- wrong


# a list of scores
@wrong("structure")
def list_of_scores(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    out = score(one_mask_each(ids, mask_id, places))
    return out[torch.arange(len(places)), places, ids[places]].tolist()


# the sign
@wrong("structure", "the sign")
def sign(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    out = score(one_mask_each(ids, mask_id, places))
    return -float(out[torch.arange(len(places)), places, ids[places]].sum())


# a probability
@wrong("structure", "a probability")
def probability(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    out = score(one_mask_each(ids, mask_id, places))
    return float(out[torch.arange(len(places)), places, ids[places]].sum().exp())


# all hidden at once
@wrong("value", "all tokens hidden")
def all_at_once(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    row = ids.clone()
    row[places] = mask_id
    out = score(row[None])[0]
    return float(out[places, ids[places]].sum())


# nothing hidden
@wrong("value", "nothing hidden")
def nothing_hidden(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    return float(score(ids[None])[0][places, ids[places]].sum())


# a mean
@wrong("value", "a mean")
def mean(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    out = score(one_mask_each(ids, mask_id, places))
    return float(out[torch.arange(len(places)), places, ids[places]].mean())


# [CLS] and [SEP] are counted
@wrong("value")
def specials_counted(score, ids, mask_id, special_ids):
    places = list(range(len(ids)))
    out = score(one_mask_each(ids, mask_id, places))
    return float(out[torch.arange(len(places)), places, ids[places]].sum())


# the probability of the mask's own id
@wrong("value")
def probability_of_the_mask(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = one_mask_each(ids, mask_id, places)
    out = score(rows)
    return float(
        out[torch.arange(len(places)), places, rows[torch.arange(len(places)), places]].sum()
    )


# the likeliest token, not the true one
@wrong("value")
def likeliest(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    out = score(one_mask_each(ids, mask_id, places))
    return float(out[torch.arange(len(places)), places].max(-1).values.sum())


# masks stay, one more each row
@wrong("value")
def masks_stay(score, ids, mask_id, special_ids):
    places, row, rows = places_of(ids, special_ids), ids.clone(), []
    for place in places:
        row[place] = mask_id
        rows.append(row.clone())
    if not rows:
        return 0.0
    out = score(torch.stack(rows))
    return float(out[torch.arange(len(places)), places, ids[places]].sum())


# every place of every row
@wrong("value")
def every_place(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    out = score(one_mask_each(ids, mask_id, places))
    return float(out[:, places, ids[places]].sum())


# the token to the left is scored
@wrong("value")
def one_to_the_left(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    out = score(one_mask_each(ids, mask_id, places))
    before = [place - 1 for place in places]
    return float(out[torch.arange(len(places)), before, ids[places]].sum())


# specials are the two ends
@wrong("specials")
def ends_are_special(score, ids, mask_id, special_ids):
    places = list(range(1, len(ids) - 1))
    if not places:
        return 0.0
    out = score(one_mask_each(ids, mask_id, places))
    return float(out[torch.arange(len(places)), places, ids[places]].sum())


# special ids are written down
@wrong("specials")
def special_ids_written_down(score, ids, mask_id, special_ids):
    places = places_of(ids, (0, 1, 2, 3))
    if not places:
        return 0.0
    out = score(one_mask_each(ids, mask_id, places))
    return float(out[torch.arange(len(places)), places, ids[places]].sum())


# up to the first [SEP]
@wrong("specials")
def up_to_the_first_end(score, ids, mask_id, special_ids):
    row = ids.tolist()
    end = row.index(2) if 2 in row else len(row)
    places = [n for n in places_of(ids, special_ids) if n < end]
    if not places:
        return 0.0
    out = score(one_mask_each(ids, mask_id, places))
    return float(out[torch.arange(len(places)), places, ids[places]].sum())


# one call a token
@wrong("one-batch", "")
def one_call_a_token(score, ids, mask_id, special_ids):
    total = 0.0
    for place in places_of(ids, special_ids):
        row = ids.clone()
        row[place] = mask_id
        total += float(score(row[None])[0, place, ids[place]])
    return total


# a row for specials too, which are not counted
@wrong("one-batch")
def rows_for_specials(score, ids, mask_id, special_ids):
    every = list(range(len(ids)))
    out = score(one_mask_each(ids, mask_id, every))
    return float(sum(out[n, n, ids[n]] for n in places_of(ids, special_ids)))


# each different token once
@wrong("any-row")
def each_token_once(score, ids, mask_id, special_ids):
    seen, places = set(), []
    for place in places_of(ids, special_ids):
        if int(ids[place]) not in seen:
            seen.add(int(ids[place]))
            places.append(place)
    if not places:
        return 0.0
    out = score(one_mask_each(ids, mask_id, places))
    return float(out[torch.arange(len(places)), places, ids[places]].sum())


# every occurrence of a token is hidden together
@wrong("any-row")
def all_occurrences_hidden(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return 0.0
    rows = torch.stack([torch.where(ids == ids[place], mask_id, ids) for place in places])
    return float(score(rows)[torch.arange(len(places)), places, ids[places]].sum())


# at most ten tokens
@wrong("any-row")
def ten_tokens(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)[:10]
    if not places:
        return 0.0
    out = score(one_mask_each(ids, mask_id, places))
    return float(out[torch.arange(len(places)), places, ids[places]].sum())


# nothing to score is not a number
@wrong("empty")
def nan_for_nothing(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if not places:
        return float("nan")
    out = score(one_mask_each(ids, mask_id, places))
    return float(out[torch.arange(len(places)), places, ids[places]].sum())


# nothing to score is None
@wrong("empty")
def none_for_nothing(score, ids, mask_id, special_ids):
    places = places_of(ids, special_ids)
    if places:
        out = score(one_mask_each(ids, mask_id, places))
        return float(out[torch.arange(len(places)), places, ids[places]].sum())


# ids are used up
@wrong("inputs")
def writes_into_ids(score, ids, mask_id, special_ids):
    places, true = places_of(ids, special_ids), ids.clone()
    if not places:
        return 0.0
    rows = []
    for place in places:
        ids[place] = mask_id
        rows.append(ids.clone())
        ids[place] = true[place]
    ids[places] = mask_id
    out = score(torch.stack(rows))
    return float(out[torch.arange(len(places)), places, true[places]].sum())
