import copy
from itertools import combinations, product

import numpy as np
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# combinations, and a list of the keys that differ
@right
def combinations_and_keys_that_differ(models, setting):
    found = []
    for (i, a), (j, b) in combinations(enumerate(models), 2):
        if [key for key in a if a[key] != b[key]] == [setting]:
            found.append((i, j))
    return found


# a beginner's loops with a flag
@right
def beginner_with_a_flag(models, setting):
    pairs = []
    for i in range(len(models)):
        for j in range(len(models)):
            if i >= j:
                continue
            others_same = True
            for key in models[i]:
                if key == setting:
                    continue
                if models[i][key] != models[j][key]:
                    others_same = False
            if others_same and models[i][setting] != models[j][setting]:
                pairs.append((i, j))
    return pairs


# the dictionaries without the setting are compared
@right
def dictionaries_without_the_setting(models, setting):
    rest = [{k: v for k, v in model.items() if k != setting} for model in models]
    return [
        (i, j)
        for i in range(len(models))
        for j in range(i + 1, len(models))
        if rest[i] == rest[j] and models[i][setting] != models[j][setting]
    ]


# one model gets the setting of the other: then they are equal, and before they are not
@right
def gives_the_setting_to_the_other(models, setting):
    def isolated(a, b):
        return a != b and {**a, setting: b[setting]} == b

    n = len(models)
    return [(i, j) for i, j in combinations(range(n), 2) if isolated(models[i], models[j])]


# counts the differences: exactly one, and it is the setting
@right
def counts_the_differences(models, setting):
    answer = []
    for j in range(len(models)):
        for i in range(j):
            differences = sum(models[i][key] != models[j][key] for key in models[j])
            if differences == 1 and models[i][setting] != models[j][setting]:
                answer.append((i, j))
    answer.sort()
    return answer


# a copy without the setting, popped
@right
def copies_with_pop(models, setting):
    values, rests = [], []
    for model in copy.deepcopy(models):
        values.append(model.pop(setting))
        rests.append(model)
    numbers = range(len(models))
    return [
        (i, j)
        for i, j in product(numbers, numbers)
        if i < j and values[i] != values[j] and rests[i] == rests[j]
    ]


# a cube of differences in numpy
@right
def cube_in_numpy(models, setting):
    n = len(models)
    other = np.zeros((n, n), dtype=int)
    own = np.zeros((n, n), dtype=bool)
    for i, a in enumerate(models):
        for j, b in enumerate(models):
            own[i, j] = a[setting] != b[setting]
            other[i, j] = sum(a[key] != b[key] for key in a if key != setting)
    good = np.triu(own & (other == 0), k=1)
    return [(int(i), int(j)) for i, j in np.argwhere(good)]


# recursion: the pairs of the first model, then those of the rest
@right
def recursion_from_the_first(models, setting):
    def pairs_from(start):
        if start >= len(models) - 1:
            return []
        a = models[start]
        mine = []
        for j in range(start + 1, len(models)):
            b = models[j]
            if all((a[key] != b[key]) == (key == setting) for key in a):
                mine.append((start, j))
        return mine + pairs_from(start + 1)

    return pairs_from(0)


# a helper with early returns
@right
def helper_with_early_returns(models, setting):
    def only_this(a, b):
        if a[setting] == b[setting]:
            return False
        for key, value in a.items():
            if key != setting and b[key] != value:
                return False
        return True

    pairs = []
    for i, a in enumerate(models):
        for j, b in enumerate(models[i + 1 :], start=i + 1):
            if only_this(a, b):
                pairs.append((i, j))
    return pairs


# groups of models that are alike but for the setting
@right
def groups_of_like_models(models, setting):
    groups = []
    for number, model in enumerate(models):
        rest = [(key, model[key]) for key in sorted(model) if key != setting]
        for known, members in groups:
            if known == rest:
                members.append(number)
                break
        else:
            groups.append((rest, [number]))
    pairs = []
    for _, members in groups:
        for i, j in combinations(members, 2):
            if models[i][setting] != models[j][setting]:
                pairs.append((i, j))
    return sorted(pairs)


# filter with a set of keys
@right
def filter_with_a_set_of_keys(models, setting):
    def keep(pair):
        a, b = models[pair[0]], models[pair[1]]
        return {key for key in a.keys() | b.keys() if a[key] != b[key]} == {setting}

    return list(filter(keep, combinations(range(len(models)), 2)))


# ---------------------------------------------------------------- wrong


# looks at the setting alone
@wrong("example")
def setting_alone(models, setting):
    n = len(models)
    return [
        (i, j) for i, j in combinations(range(n), 2) if models[i][setting] != models[j][setting]
    ]


# looks at the others alone: two equal models count too
@wrong("equal")
def others_alone(models, setting):
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if all(models[i][k] == models[j][k] for k in models[i] if k != setting)
    ]


# exactly one difference, in whichever setting
@wrong("example")
def one_difference_in_any_setting(models, setting):
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if sum(models[i][k] != models[j][k] for k in models[i]) == 1
    ]


# at most one other difference is allowed
@wrong("example")
def one_other_difference_allowed(models, setting):
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if models[i][setting] != models[j][setting]
        and sum(models[i][k] != models[j][k] for k in models[i]) <= 2
    ]


# any other setting that is the same is enough
@wrong("any-setting")
def any_instead_of_all(models, setting):
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if models[i][setting] != models[j][setting]
        and any(models[i][k] == models[j][k] for k in models[i] if k != setting)
    ]


# turned round: the setting is the same, something else differs
@wrong("example")
def setting_is_the_same(models, setting):
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if models[i][setting] == models[j][setting] and models[i] != models[j]
    ]


# turned round: all others differ as well
@wrong("example")
def all_others_differ(models, setting):
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if all(models[i][k] != models[j][k] for k in models[i])
    ]


# the setting of the example, whatever is asked for
@wrong("any-setting")
def setting_of_the_example(models, setting):
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if [k for k in models[i] if models[i][k] != models[j][k]] == ["nsp"]
    ]


# the first key of the dictionaries, whatever is asked for
@wrong("any-setting")
def first_key_instead_of_setting(models, setting):
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if [k for k in models[i] if models[i][k] != models[j][k]] == list(models[i])[:1]
    ]


# only the key "rows" is looked at beside the setting
@wrong("any-setting")
def key_of_the_example(models, setting):
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if models[i][setting] != models[j][setting]
        and models[i].get("rows") == models[j].get("rows")
    ]


# both directions of each pair
@wrong("example")
def both_directions(models, setting):
    n = range(len(models))
    return [
        (i, j)
        for i, j in product(n, n)
        if [k for k in models[i] if models[i][k] != models[j][k]] == [setting]
    ]


# the larger number first
@wrong("example")
def larger_number_first(models, setting):
    return [
        (j, i)
        for i, j in combinations(range(len(models)), 2)
        if [k for k in models[i] if models[i][k] != models[j][k]] == [setting]
    ]


# ordered by the second number
@wrong("any-table")
def ordered_by_the_second(models, setting):
    return [
        (i, j)
        for j in range(len(models))
        for i in range(j)
        if [k for k in models[i] if models[i][k] != models[j][k]] == [setting]
    ]


# in descending order
@wrong("any-table")
def descending_order(models, setting):
    pairs = [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if [k for k in models[i] if models[i][k] != models[j][k]] == [setting]
    ]
    return pairs[::-1]


# models counted from 1
@wrong("example")
def counted_from_one(models, setting):
    return [
        (i + 1, j + 1)
        for i, j in combinations(range(len(models)), 2)
        if [k for k in models[i] if models[i][k] != models[j][k]] == [setting]
    ]


# the second number counts from the first one: enumerate without start
@wrong("example")
def second_counts_from_the_first(models, setting):
    return [
        (i, j)
        for i, a in enumerate(models)
        for j, b in enumerate(models[i + 1 :])
        if [k for k in a if a[k] != b[k]] == [setting]
    ]


# only neighbours in the table
@wrong("any-table")
def neighbours_only(models, setting):
    return [
        (i, i + 1)
        for i in range(len(models) - 1)
        if [k for k in models[i] if models[i][k] != models[i + 1][k]] == [setting]
    ]


# every model is compared with the first one only
@wrong("any-setting")
def compared_with_the_first_only(models, setting):
    return [
        (0, j)
        for j in range(1, len(models))
        if [k for k in models[0] if models[0][k] != models[j][k]] == [setting]
    ]


# the last model is forgotten
@wrong("any-setting")
def last_model_forgotten(models, setting):
    return [
        (i, j)
        for i in range(len(models) - 1)
        for j in range(i + 1, len(models) - 1)
        if [k for k in models[i] if models[i][k] != models[j][k]] == [setting]
    ]


# the first model is forgotten
@wrong("example")
def first_model_forgotten(models, setting):
    return [
        (i, j)
        for i in range(1, len(models))
        for j in range(i + 1, len(models))
        if [k for k in models[i] if models[i][k] != models[j][k]] == [setting]
    ]


# one partner for each model, then the next model
@wrong("any-table")
def one_partner_for_each(models, setting):
    pairs = []
    for i in range(len(models)):
        for j in range(i + 1, len(models)):
            if [k for k in models[i] if models[i][k] != models[j][k]] == [setting]:
                pairs.append((i, j))
                break
    return pairs


# each model is used once only
@wrong("any-table")
def each_model_once(models, setting):
    pairs, used = [], set()
    for i, j in combinations(range(len(models)), 2):
        if i in used or j in used:
            continue
        if [k for k in models[i] if models[i][k] != models[j][k]] == [setting]:
            pairs.append((i, j))
            used |= {i, j}
    return pairs


# the search ends at the first pair
@wrong("any-table")
def ends_at_the_first_pair(models, setting):
    for i, j in combinations(range(len(models)), 2):
        if [k for k in models[i] if models[i][k] != models[j][k]] == [setting]:
            return [(i, j)]
    return []


# the flag is not set back for the pair after it
@wrong("any-setting")
def flag_not_set_back(models, setting):
    pairs = []
    same = True
    for i in range(len(models)):
        for j in range(i + 1, len(models)):
            for key in models[i]:
                if key != setting and models[i][key] != models[j][key]:
                    same = False
            if same and models[i][setting] != models[j][setting]:
                pairs.append((i, j))
    return pairs


# the flag is written over: only the last other key decides
@wrong("any-setting")
def last_key_decides(models, setting):
    pairs = []
    for i in range(len(models)):
        for j in range(i + 1, len(models)):
            same = True
            for key in models[i]:
                if key != setting:
                    same = models[i][key] == models[j][key]
            if same and models[i][setting] != models[j][setting]:
                pairs.append((i, j))
    return pairs


# the loop over the keys returns in its first round: only the first other key decides
@wrong("any-setting")
def first_other_key_decides(models, setting):
    def alike(a, b):
        for key in a:
            if key != setting:
                return a[key] == b[key]
        return True

    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if models[i][setting] != models[j][setting] and alike(models[i], models[j])
    ]


# keys before the setting are not compared
@wrong("any-setting")
def keys_after_the_setting_only(models, setting):
    def later(model):
        keys = list(model)
        return {k: model[k] for k in keys[keys.index(setting) + 1 :]}

    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if models[i][setting] != models[j][setting] and later(models[i]) == later(models[j])
    ]


# the values are compared by their place: another order of the keys disturbs
@wrong("any-table")
def values_by_place(models, setting):
    pairs = []
    for i, j in combinations(range(len(models)), 2):
        place = list(models[i]).index(setting)
        one, two = list(models[i].values()), list(models[j].values())
        if [n for n in range(len(one)) if one[n] != two[n]] == [place]:
            pairs.append((i, j))
    return pairs


# the dictionaries are compared as texts: another order of the keys disturbs
@wrong("any-table")
def dictionaries_as_texts(models, setting):
    rest = [str({k: v for k, v in model.items() if k != setting}) for model in models]
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if rest[i] == rest[j] and models[i][setting] != models[j][setting]
    ]


# the other values as a set: which key they belong to is lost
@wrong("any-setting")
def other_values_as_a_set(models, setting):
    rest = [{repr(v) for k, v in model.items() if k != setting} for model in models]
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if rest[i] == rest[j] and models[i][setting] != models[j][setting]
    ]


# the other values sorted: which key they belong to is lost
@wrong("any-setting")
def other_values_sorted(models, setting):
    rest = [sorted(repr(v) for k, v in model.items() if k != setting) for model in models]
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if rest[i] == rest[j] and models[i][setting] != models[j][setting]
    ]


# keys that contain the name of the setting are left out too
@wrong("any-table")
def keys_that_contain_the_name(models, setting):
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if models[i][setting] != models[j][setting]
        and all(models[i][k] == models[j][k] for k in models[i] if setting not in k)
    ]


# keys that are a part of the name of the setting are left out too
@wrong("any-table")
def keys_in_the_name(models, setting):
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if models[i][setting] != models[j][setting]
        and all(models[i][k] == models[j][k] for k in models[i] if k not in setting)
    ]


# compares with "is not": two equal texts or long numbers may be two objects
@wrong("any-table")
def compares_with_is_not(models, setting):
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if [k for k in models[i] if models[i][k] is not models[j][k]] == [setting]
    ]


# the key is compared with "is not": the same name may be another object
@wrong("any-table")
def key_compared_with_is_not(models, setting):
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if models[i][setting] != models[j][setting]
        and all(models[i][k] == models[j][k] for k in models[i] if k is not setting)
    ]


# only from yes to no, not from no to yes
@wrong("any-setting")
def from_yes_to_no_only(models, setting):
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if models[i][setting]
        and not models[j][setting]
        and all(models[i][k] == models[j][k] for k in models[i] if k != setting)
    ]


# yes or no instead of the value: 256 and 512 count as the same setting
@wrong("any-setting")
def only_yes_or_no(models, setting):
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if bool(models[i][setting]) != bool(models[j][setting])
        and all(models[i][k] == models[j][k] for k in models[i] if k != setting)
    ]


# None or False in another setting counts as "not given", and is not compared
@wrong("any-setting")
def empty_values_not_compared(models, setting):
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if models[i][setting] != models[j][setting]
        and all(
            models[i][k] == models[j][k]
            for k in models[i]
            if k != setting and models[i][k] and models[j][k]
        )
    ]


# the values are compared as texts in lower case
@wrong("any-table")
def values_in_lower_case(models, setting):
    def low(value):
        return str(value).lower()

    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if [k for k in models[i] if low(models[i][k]) != low(models[j][k])] == [setting]
    ]


# the lengths of the values are compared
@wrong("any-table")
def lengths_of_the_values(models, setting):
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if models[i][setting] != models[j][setting]
        and all(len(str(models[i][k])) == len(str(models[j][k])) for k in models[i] if k != setting)
    ]


# the right pairs, but the setting is taken out of the given dictionaries
@wrong("inputs")
def takes_the_setting_out(models, setting):
    values = [model.pop(setting) for model in models]
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if values[i] != values[j] and models[i] == models[j]
    ]


# the right pairs, but a shallow copy: the given dictionaries lose the setting
@wrong("inputs")
def shallow_copy_of_the_list(models, setting):
    rest = models[:]
    values = [model[setting] for model in models]
    for model in rest:
        del model[setting]
    return [
        (i, j)
        for i, j in combinations(range(len(rest)), 2)
        if values[i] != values[j] and rest[i] == rest[j]
    ]


# the right pairs, but each model gets its number as a new setting
@wrong("inputs")
def writes_numbers_into_the_models(models, setting):
    for number, model in enumerate(models):
        model["number"] = number
    return [
        (a["number"], b["number"])
        for a, b in combinations(models, 2)
        if [k for k in a if k != "number" and a[k] != b[k]] == [setting]
    ]


# the place of a model is found by its text: the first of two equal models
@wrong("any-table")
def place_found_by_index(models, setting):
    return [
        (models.index(a), models.index(b))
        for a, b in combinations(models, 2)
        if [k for k in a if a[k] != b[k]] == [setting]
    ]


# two equal models count as one
@wrong("any-table")
def equal_models_once(models, setting):
    kept = [(n, m) for n, m in enumerate(models) if m not in models[:n]]
    return [
        (i, j)
        for (i, a), (j, b) in combinations(kept, 2)
        if [k for k in a if a[k] != b[k]] == [setting]
    ]


# the models instead of their numbers
@wrong("example")
def models_instead_of_numbers(models, setting):
    return [
        (a, b) for a, b in combinations(models, 2) if [k for k in a if a[k] != b[k]] == [setting]
    ]


# the number of pairs
@wrong("example")
def number_of_pairs(models, setting):
    return sum([k for k in a if a[k] != b[k]] == [setting] for a, b in combinations(models, 2))


# all models that occur in a pair, in one flat list
@wrong("example")
def one_flat_list(models, setting):
    flat = []
    for i, j in combinations(range(len(models)), 2):
        if [k for k in models[i] if models[i][k] != models[j][k]] == [setting]:
            flat += [i, j]
    return flat


# None where there is no pair
@wrong("equal")
def none_for_no_pair(models, setting):
    pairs = [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if [k for k in models[i] if models[i][k] != models[j][k]] == [setting]
    ]
    if pairs:
        return pairs


# an error where there is no pair
@wrong("RAISED")
def error_for_no_pair(models, setting):
    pairs = [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if [k for k in models[i] if models[i][k] != models[j][k]] == [setting]
    ]
    if not pairs:
        raise ValueError("no pair isolates the setting")
    return pairs


# the numbers of the example
@wrong("any-setting")
def numbers_of_the_example(models, setting):
    return [(0, 1)]


# nothing isolates anything, as in the table of RoBERTa
@wrong("example")
def nothing_isolates(models, setting):
    return []


# printed, not returned
@wrong("example")
def printed_only(models, setting):
    for i, j in combinations(range(len(models)), 2):
        if [k for k in models[i] if models[i][k] != models[j][k]] == [setting]:
            print((i, j))


# None where there are too few models to make a pair
@wrong("few")
def none_for_too_few(models, setting):
    if len(models) < 2:
        return None
    return [
        (i, j)
        for i, j in combinations(range(len(models)), 2)
        if [k for k in models[i] if models[i][k] != models[j][k]] == [setting]
    ]
