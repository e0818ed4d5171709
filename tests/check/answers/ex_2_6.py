import numpy as np
import torch
import torch.nn.functional as F
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# the small repair: places in the row are one further than in the text
@right
def places_plus_one(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten() + 1
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = row[places]
    return corrupted, labels


# the coins get a False on both sides
@right
def coins_padded_with_false(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = F.pad(torch.rand(len(ids), generator=generator) < rate, (1, 1), value=False)
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    return torch.where(chosen, mask_id, row), torch.where(chosen, row, -100)


# masks the text first, and puts [CLS] and [SEP] around it afterwards
@right
def mask_first_wrap_afterwards(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(ids.shape, generator=generator) < rate
    inside, asked = ids.masked_fill(chosen, mask_id), ids.masked_fill(~chosen, -100)
    none = torch.tensor([-100])
    corrupted = torch.cat([torch.tensor([cls_id]), inside, torch.tensor([sep_id])])
    return corrupted, torch.cat([none, asked, none])


# coins for the whole row, those of [CLS] and [SEP] are not looked at
@right
def coins_for_the_row_ends_ignored(ids, cls_id, sep_id, mask_id, rate, generator):
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    chosen = torch.rand(len(row), generator=generator) < rate
    chosen[0] = chosen[-1] = False
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[chosen] = mask_id
    labels[chosen] = row[chosen]
    return corrupted, labels


# a beginner's version with Python lists
@right
def beginner_lists(ids, cls_id, sep_id, mask_id, rate, generator):
    sees = [cls_id]
    labels = [-100]
    for token in ids.tolist():
        if torch.rand(1, generator=generator).item() < rate:
            sees.append(mask_id)
            labels.append(token)
        else:
            sees.append(token)
            labels.append(-100)
    sees.append(sep_id)
    labels.append(-100)
    return torch.tensor(sees), torch.tensor(labels)


# writes into a view of the middle
@right
def view_of_the_middle(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.zeros(len(ids)).bernoulli_(rate, generator=generator).bool()
    corrupted = torch.empty(len(ids) + 2, dtype=ids.dtype)
    corrupted[0], corrupted[1:-1], corrupted[-1] = cls_id, ids, sep_id
    labels = torch.full_like(corrupted, -100)
    corrupted[1:-1][chosen] = mask_id
    labels[1:-1][chosen] = ids[chosen]
    return corrupted, labels


# scatter and gather with places
@right
def scatter_and_gather(ids, cls_id, sep_id, mask_id, rate, generator):
    row = F.pad(F.pad(ids, (1, 0), value=cls_id), (0, 1), value=sep_id)
    places = 1 + torch.rand(len(ids), generator=generator).lt(rate).nonzero().view(-1)
    labels = torch.full_like(row, -100).scatter(0, places, row.gather(0, places))
    return row.scatter(0, places, mask_id), labels


# numpy inside, its seed is drawn from the given generator
@right
def numpy_seeded_from_the_generator(ids, cls_id, sep_id, mask_id, rate, generator):
    rng = np.random.default_rng(int(torch.randint(2**62, (1,), generator=generator)))
    row = np.concatenate([[cls_id], ids.numpy(), [sep_id]])
    yes = np.concatenate([[False], rng.random(len(ids)) < rate, [False]])
    seen, labels = np.where(yes, mask_id, row), np.where(yes, row, -100)
    return torch.from_numpy(seen), torch.from_numpy(labels)


# ---------------------------------------------------------------- wrong


# the function as it was
@wrong("specials", "places of the text, used in the row")
def not_repaired(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten()
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = ids[places]
    return corrupted, labels


# labels fit their places now, but [CLS] is asked for and the last token never
@wrong("specials", "places of the text, used in the row")
def labels_from_row_but_places_unchanged(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten()
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = row[places]
    return corrupted, labels


# [CLS] is left out, but the last token can never be asked for
@wrong("rate")
def place_zero_left_out(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten()
    places = places[places > 0]
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = row[places]
    return corrupted, labels


# only the mask moves
@wrong("specials", "places of the text, used in the row")
def only_the_mask_moves(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten()
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places + 1] = mask_id
    labels[places] = ids[places]
    return corrupted, labels


# only the labels move
@wrong("specials")
def only_the_labels_move(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten()
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places + 1] = ids[places]
    return corrupted, labels


# both move, but the label is read from the row one place too early
@wrong("own-place")
def label_read_one_place_too_early(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten()
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places + 1] = mask_id
    labels[places + 1] = row[places]
    return corrupted, labels


# moves twice: the label is read from the text at the moved place (fails for the last token)
@wrong("RAISED")
def moved_place_in_the_text(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten() + 1
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = ids[places]
    return corrupted, labels


# moves twice, and cuts at the end so that it does not fail
@wrong("rate")
def moved_place_cut_at_the_end(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten() + 1
    places = places[places < len(ids)]
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = row[places]
    return corrupted, labels


# moves to the left
@wrong("specials")
def places_minus_one(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten() - 1
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = row[places]
    return corrupted, labels


# coins for the whole row: [CLS] and [SEP] can be asked for
@wrong("specials", "choosing among the special tokens too")
def coins_for_cls_and_sep(ids, cls_id, sep_id, mask_id, rate, generator):
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    chosen = torch.rand(len(row), generator=generator) < rate
    places = chosen.nonzero().flatten()
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = row[places]
    return corrupted, labels


# one coin too many: [SEP] can be asked for
@wrong("specials")
def coin_for_sep(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids) + 1, generator=generator) < rate
    places = chosen.nonzero().flatten() + 1
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = row[places]
    return corrupted, labels


# one coin too few: the last token is never asked for
@wrong("rate")
def no_coin_for_the_last_token(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids) - 1, generator=generator) < rate
    places = chosen.nonzero().flatten() + 1
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = row[places]
    return corrupted, labels


# the first token of the text is never asked for
@wrong("rate")
def first_token_never_asked(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    chosen[0] = False
    places = chosen.nonzero().flatten() + 1
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = row[places]
    return corrupted, labels


# the labels are read after masking
@wrong("own-place")
def labels_read_after_masking(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten() + 1
    corrupted = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    labels = torch.full_like(corrupted, -100)
    corrupted[places] = mask_id
    labels[places] = corrupted[places]
    return corrupted, labels


# masks the given text in place
@wrong("inputs")
def changes_the_text(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    labels = torch.full((len(ids) + 2,), -100, dtype=ids.dtype)
    labels[1:-1][chosen] = ids[chosen]
    ids[chosen] = mask_id
    return torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])]), labels


# rolls the labels of the faulty function by one, the mask stays where it was
@wrong("specials")
def labels_rolled_mask_not(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten()
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = ids[places]
    return corrupted, labels.roll(1)


# rolls both by one: [SEP] comes to the front
@wrong("specials")
def both_rolled(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten()
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = ids[places]
    return corrupted.roll(1), labels.roll(1)


# without [CLS] and [SEP] nothing has to move, but the rows are too short
@wrong("structure")
def without_cls_and_sep(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    return ids.masked_fill(chosen, mask_id), ids.masked_fill(~chosen, -100)


# both special tokens at the end, so that nothing has to move
@wrong("specials")
def cls_moved_to_the_end(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten()
    row = torch.cat([ids, torch.tensor([cls_id]), torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = ids[places]
    return corrupted, labels


# looks for the token by its id: a token that occurs twice is masked at its first place
@wrong("rate")
def place_found_by_id(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    for token in ids[chosen].tolist():
        place = row.tolist().index(token)
        corrupted[place] = mask_id
        labels[place] = token
    return corrupted, labels


# all tokens with the same id are asked for
@wrong("rate")
def all_tokens_with_the_same_id(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    hit = torch.isin(row, ids[chosen])
    return torch.where(hit, mask_id, row), torch.where(hit, row, -100)


# a text without a chosen token gets one, as in 2.1
@wrong("rate")
def at_least_one_is_forced(ids, cls_id, sep_id, mask_id, rate, generator):
    coins = torch.rand(len(ids), generator=generator)
    chosen = coins < rate
    if not chosen.any():
        chosen[coins.argmin()] = True
    places = chosen.nonzero().flatten() + 1
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = row[places]
    return corrupted, labels


# squeeze makes one place a number without dimension, and the loop over it fails
@wrong("RAISED")
def fails_if_one_token_is_chosen(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    for place in chosen.nonzero().squeeze():
        corrupted[place + 1] = mask_id
        labels[place + 1] = ids[place]
    return corrupted, labels


# fails if no token is chosen
@wrong("RAISED")
def fails_if_no_token_is_chosen(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = torch.stack([p + 1 for p in torch.arange(len(ids)) if chosen[p]])
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = row[places]
    return corrupted, labels


# the coins do not come from the generator any more
@wrong("from-generator")
def coins_not_from_generator(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids)) < rate
    places = chosen.nonzero().flatten() + 1
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = row[places]
    return corrupted, labels


# the comparison is the wrong way round
@wrong("rate")
def comparison_the_wrong_way_round(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) > rate
    places = chosen.nonzero().flatten() + 1
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = row[places]
    return corrupted, labels


# the result has a batch dimension of one
@wrong("structure")
def with_a_batch_dimension(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten() + 1
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = row[places]
    return corrupted[None], labels[None]


# labels first, then what the model sees
@wrong("structure", "the two in the wrong order")
def wrong_order_of_the_two(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten() + 1
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = row[places]
    return labels, corrupted


# labels everywhere
@wrong("specials", "a label for every token")
def labels_everywhere(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten() + 1
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted = row.clone()
    corrupted[places] = mask_id
    return corrupted, row


# what the model sees is not masked
@wrong("same-places", "shifting one of the two")
def labels_right_but_nothing_masked(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten() + 1
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    labels = torch.full_like(row, -100)
    labels[places] = row[places]
    return row, labels


# puts [CLS] back after masking, but places are not moved: the last token is never asked for
@wrong("rate")
def cls_put_back_afterwards(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten()
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = row[places]
    corrupted[0], labels[0] = cls_id, -100
    return corrupted, labels


# coins over the whole row, but those on [CLS] and [SEP] slide one place inwards
@wrong("rate")
def coins_clamped_inwards(ids, cls_id, sep_id, mask_id, rate, generator):
    row = torch.cat([torch.tensor([cls_id]), ids, torch.tensor([sep_id])])
    chosen = torch.rand(len(row), generator=generator) < rate
    places = chosen.nonzero().flatten().clamp(1, len(ids))
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = row[places]
    return corrupted, labels


# puts the coins where the text should stand
@wrong("others")
def row_of_coins(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten()
    row = torch.cat([torch.tensor([cls_id]), chosen, torch.tensor([sep_id])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places + 1] = mask_id
    labels[places + 1] = ids[places]
    return corrupted, labels


# right for this vocabulary: the two specials are written down, not taken from the arguments
@wrong("given-ids")
def specials_written_down(ids, cls_id, sep_id, mask_id, rate, generator):
    chosen = torch.rand(len(ids), generator=generator) < rate
    places = chosen.nonzero().flatten() + 1
    row = torch.cat([torch.tensor([2]), ids, torch.tensor([3])])
    corrupted, labels = row.clone(), torch.full_like(row, -100)
    corrupted[places] = mask_id
    labels[places] = row[places]
    return corrupted, labels
