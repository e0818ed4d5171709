import random
from itertools import pairwise

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# a coin with randint, one for each pair
@right
def coin_with_randint(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            if torch.randint(2, (1,), generator=generator).item() == 1:
                pairs.append((b, a, 1))
            else:
                pairs.append((a, b, 0))
    if not pairs:
        raise ValueError("no document has two sentences")
    return pairs


# a beginner's version with places
@right
def beginner_with_places(docs, generator):
    result = []
    for d in range(len(docs)):
        i = 0
        while i + 1 < len(docs[d]):
            first = docs[d][i]
            second = docs[d][i + 1]
            coin = torch.rand(1, generator=generator)
            if coin < 0.5:
                result.append((first, second, 0))
            else:
                result.append((second, first, 1))
            i = i + 1
    if len(result) == 0:
        raise ValueError("there is no pair")
    return result


# first all pairs, then all coins at once
@right
def all_coins_at_once(docs, generator):
    pairs = [pair for doc in docs for pair in pairwise(doc)]
    if len(pairs) == 0:
        raise ValueError
    coins = torch.randint(2, (len(pairs),), generator=generator).tolist()
    return [(b, a, 1) if coin else (a, b, 0) for (a, b), coin in zip(pairs, coins)]


# Bernoulli's coin, early exit if there is no pair
@right
def bernoulli_and_early_exit(docs, generator):
    if all(len(doc) < 2 for doc in docs):
        raise ValueError("documents of one sentence have no pair")
    half = torch.tensor(0.5)
    triples = []
    for doc in docs:
        for i in range(1, len(doc)):
            swapped = int(torch.bernoulli(half, generator=generator))
            triples.append((doc[i - 1 + swapped], doc[i - swapped], swapped))
    return triples


# a random order of two places, the first of them is the label
@right
def order_of_two_places(docs, generator):
    triples = []
    for doc in docs:
        for pair in zip(doc[:-1], doc[1:]):
            one, other = torch.randperm(2, generator=generator).tolist()
            triples += [(pair[one], pair[other], one)]
    if triples == []:
        raise ValueError("no pairs")
    return triples


# recursion over the sentences of a document, from both halves
@right
def recursion_over_halves(docs, generator):
    def inside(doc):
        if len(doc) < 2:
            return []
        if len(doc) == 2:
            label = int(torch.rand(1, generator=generator) >= 0.5)
            return [(doc[label], doc[1 - label], label)]
        middle = len(doc) // 2
        return inside(doc[: middle + 1]) + inside(doc[middle:])

    found = []
    for doc in docs:
        found.extend(inside(doc))
    if found:
        return found
    raise ValueError("no two sentences stand side by side")


# one expression with a coin that is named on the way
@right
def coin_named_on_the_way(docs, generator):
    triples = [
        (doc[i + coin], doc[i + 1 - coin], coin)
        for doc in docs
        for i in range(len(doc) - 1)
        if (coin := torch.randint(0, 2, (), generator=generator).item()) in (0, 1)
    ]
    if not triples:
        raise ValueError("no pair at all")
    return triples


# exchanges in the document itself, and puts back at once
@right
def exchanges_and_puts_back(docs, generator):
    pairs = []
    for doc in docs:
        for i in range(len(doc) - 1):
            coin = torch.randint(2, (1,), generator=generator).item()
            if coin:
                doc[i], doc[i + 1] = doc[i + 1], doc[i]
            pairs.append((doc[i], doc[i + 1], coin))
            if coin:
                doc[i], doc[i + 1] = doc[i + 1], doc[i]
    if not pairs:
        raise ValueError("no pair")
    return pairs


# numpy chooses with the coins of the generator
@right
def numpy_choice_of_sides(docs, generator):
    first = [s for doc in docs for s in doc[:-1]]
    second = [s for doc in docs for s in doc[1:]]
    if not first:
        raise ValueError("no pairs in these documents")
    coins = torch.rand(len(first), generator=generator).numpy() > 0.5
    a = np.where(coins, np.array(second, dtype=object), np.array(first, dtype=object))
    b = np.where(coins, np.array(first, dtype=object), np.array(second, dtype=object))
    return list(zip(a.tolist(), b.tolist(), coins.astype(int).tolist()))


# the sign of a normal number as the coin, a slice turned round
@right
def sign_of_a_normal_number(docs, generator):
    pairs = []
    for doc in docs:
        for i in range(len(doc) - 1):
            two = tuple(doc[i : i + 2])
            if torch.randn(1, generator=generator).item() > 0:
                pairs.append(two[::-1] + (1,))
            else:
                pairs.append(two + (0,))
    if len(pairs) < 1:
        raise ValueError("at least one document must have two sentences")
    return pairs


# a small generator function inside, drawn into a list
@right
def inner_function_that_yields(docs, generator):
    def triples():
        for doc in docs:
            sentences = iter(doc)
            before = next(sentences, None)
            for sentence in sentences:
                label = torch.randint(2, (1,), generator=generator).item()
                yield (before, sentence, 0) if label == 0 else (sentence, before, 1)
                before = sentence

    answer = list(triples())
    if not answer:
        raise ValueError("no pair")
    return answer


# ---------------------------------------------------------------- wrong


# the labels the other way round
@wrong("labels")
def labels_exchanged(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 0) if coin else (a, b, 1))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# the label is 1, the sentences are not exchanged
@wrong("labels")
def label_without_exchange(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            pairs.append((a, b, torch.randint(2, (1,), generator=generator).item()))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# the sentences are exchanged, the label stays 0
@wrong("labels")
def exchange_without_label(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 0) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# one coin for the exchange, another one for the label
@wrong("labels")
def two_coins(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            if torch.randint(2, (1,), generator=generator).item():
                a, b = b, a
            pairs.append((a, b, torch.randint(2, (1,), generator=generator).item()))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# the exchange with two lines: one sentence is lost
@wrong("neighbours")
def exchange_loses_a_sentence(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            label = torch.randint(2, (1,), generator=generator).item()
            if label:
                a = b
                b = a
            pairs.append((a, b, label))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# nothing is ever exchanged
@wrong("coins")
def never_exchanged(docs, generator):
    pairs = [(a, b, 0) for doc in docs for a, b in zip(doc, doc[1:])]
    if not pairs:
        raise ValueError("no pair")
    return pairs


# everything is exchanged
@wrong("coins")
def always_exchanged(docs, generator):
    pairs = [(b, a, 1) for doc in docs for a, b in zip(doc, doc[1:])]
    if not pairs:
        raise ValueError("no pair")
    return pairs


# no coin: every second pair is exchanged
@wrong("coins")
def every_second_exchanged(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            pairs.append((b, a, 1) if len(pairs) % 2 else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# a coin decides about the first pair only, then the labels take turns
@wrong("coins")
def labels_take_turns(docs, generator):
    start = torch.randint(2, (1,), generator=generator).item()
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            pairs.append((b, a, 1) if (start + len(pairs)) % 2 else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# exactly half is exchanged, rounded down: a single pair never is
@wrong("coins")
def exactly_half_rounded_down(docs, generator):
    pairs = [(a, b) for doc in docs for a, b in zip(doc, doc[1:])]
    if not pairs:
        raise ValueError("no pair")
    order = torch.randperm(len(pairs), generator=generator).tolist()
    chosen = set(order[: len(pairs) // 2])
    return [(b, a, 1) if n in chosen else (a, b, 0) for n, (a, b) in enumerate(pairs)]


# one coin for a whole document
@wrong("coins")
def one_coin_for_a_document(docs, generator):
    pairs = []
    for doc in docs:
        coin = torch.randint(2, (1,), generator=generator).item()
        for a, b in zip(doc, doc[1:]):
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# one coin for everything
@wrong("coins")
def one_coin_for_everything(docs, generator):
    coin = torch.randint(2, (1,), generator=generator).item()
    pairs = [(b, a, 1) if coin else (a, b, 0) for doc in docs for a, b in zip(doc, doc[1:])]
    if not pairs:
        raise ValueError("no pair")
    return pairs


# the same row of coins for every document
@wrong("coins")
def same_coins_for_every_document(docs, generator):
    longest = max((len(doc) for doc in docs), default=0)
    coins = torch.randint(2, (max(1, longest),), generator=generator).tolist()
    pairs = []
    for doc in docs:
        for a, b, coin in zip(doc, doc[1:], coins):
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# a coin that falls on one side in one of four throws
@wrong("coins")
def one_of_four(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.rand(1, generator=generator).item() < 0.25
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# a coin with three sides: 2 counts as an exchange
@wrong("coins")
def coin_with_three_sides(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(3, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# randint(1) is always 0
@wrong("coins")
def coin_with_one_side(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(1, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# a normal number against one half: fewer than a third is exchanged
@wrong("coins")
def normal_number_against_half(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randn(1, generator=generator).item() > 0.5
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# Python's own chance
@wrong("from-generator")
def python_random(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            pairs.append((b, a, 1) if random.random() < 0.5 else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# numpy's chance
@wrong("from-generator")
def numpy_random(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            pairs.append((b, a, 1) if np.random.randint(2) else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# the generator is not handed on
@wrong("from-generator")
def generator_not_handed_on(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            pairs.append((b, a, 1) if torch.rand(1).item() < 0.5 else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# a generator of its own with a fixed seed
@wrong("coins")
def generator_of_its_own(docs, generator):
    mine = torch.Generator().manual_seed(0)
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=mine).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# the given generator is seeded again for every call
@wrong("coins")
def generator_seeded_again(docs, generator):
    generator.manual_seed(1)
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# the generator is seeded again for every pair: all coins are the same
@wrong("coins")
def seeded_again_for_every_pair(docs, generator):
    seed = generator.initial_seed()
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            generator.manual_seed(seed)
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# no chance: the alphabet decides
@wrong("coins")
def alphabet_decides(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            pairs.append((b, a, 1) if b < a else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# pairs of two: each sentence is used once, (a, b), (c, d)
@wrong("structure")
def each_sentence_once(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc[::2], doc[1::2]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# the last pair of a document is forgotten
@wrong("structure")
def last_pair_forgotten(docs, generator):
    pairs = []
    for doc in docs:
        for i in range(len(doc) - 2):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((doc[i + 1], doc[i], 1) if coin else (doc[i], doc[i + 1], 0))
    if not any(len(doc) > 1 for doc in docs):
        raise ValueError("no pair")
    return pairs


# the first pair of a document is forgotten
@wrong("structure")
def first_pair_forgotten(docs, generator):
    pairs = []
    for doc in docs:
        for i in range(1, len(doc) - 1):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((doc[i + 1], doc[i], 1) if coin else (doc[i], doc[i + 1], 0))
    if not any(len(doc) > 1 for doc in docs):
        raise ValueError("no pair")
    return pairs


# place -1: the last sentence and the first one make a pair
@wrong("structure")
def last_and_first_make_a_pair(docs, generator):
    if all(len(doc) < 2 for doc in docs):
        raise ValueError("no pair")
    pairs = []
    for doc in docs:
        if len(doc) > 1:
            for i in range(len(doc)):
                coin = torch.randint(2, (1,), generator=generator).item()
                pairs.append((doc[i], doc[i - 1], 1) if coin else (doc[i - 1], doc[i], 0))
    return pairs


# the last sentence of a document makes a pair with the first one of the next document
@wrong("structure")
def pairs_across_documents(docs, generator):
    if all(len(doc) < 2 for doc in docs):
        raise ValueError("no pair")
    sentences = [s for doc in docs for s in doc]
    pairs = []
    for a, b in zip(sentences, sentences[1:]):
        coin = torch.randint(2, (1,), generator=generator).item()
        pairs.append((b, a, 1) if coin else (a, b, 0))
    return pairs


# any two sentences of a document make a pair
@wrong("structure")
def any_two_sentences(docs, generator):
    pairs = []
    for doc in docs:
        for i in range(len(doc)):
            for j in range(i + 1, len(doc)):
                coin = torch.randint(2, (1,), generator=generator).item()
                pairs.append((doc[j], doc[i], 1) if coin else (doc[i], doc[j], 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# a sentence and the one after the next
@wrong("structure")
def one_sentence_between(docs, generator):
    if all(len(doc) < 2 for doc in docs):
        raise ValueError("no pair")
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[2:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    return pairs


# both versions of each pair
@wrong("structure")
def both_versions(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            two = [(a, b, 0), (b, a, 1)]
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs += [two[coin], two[1 - coin]]
    if not pairs:
        raise ValueError("no pair")
    return pairs


# a coin decides whether a pair is kept at all
@wrong("structure")
def coin_decides_who_is_kept(docs, generator):
    if all(len(doc) < 2 for doc in docs):
        raise ValueError("no pair")
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            if torch.randint(2, (1,), generator=generator).item():
                pairs.append((b, a, 1))
    return pairs


# B of label 1 is a random sentence of the document, as in next sentence prediction
@wrong("neighbours")
def random_sentence_for_label_one(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            if torch.randint(2, (1,), generator=generator).item():
                other = doc[torch.randint(len(doc), (1,), generator=generator).item()]
                pairs.append((a, other, 1))
            else:
                pairs.append((a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# exchanges in the given documents: the pair after it starts from the wrong sentence
@wrong("neighbours")
def exchanges_in_the_documents(docs, generator):
    pairs = []
    for doc in docs:
        for i in range(len(doc) - 1):
            coin = torch.randint(2, (1,), generator=generator).item()
            if coin:
                doc[i], doc[i + 1] = doc[i + 1], doc[i]
            pairs.append((doc[i], doc[i + 1], coin))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# exchanges in a copy: the given documents stay, the pair after it is still wrong
@wrong("neighbours")
def exchanges_in_a_copy(docs, generator):
    pairs = []
    for doc in docs:
        doc = list(doc)
        for i in range(len(doc) - 1):
            coin = torch.randint(2, (1,), generator=generator).item()
            if coin:
                doc[i : i + 2] = doc[i : i + 2][::-1]
            pairs.append((doc[i], doc[i + 1], coin))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# the pairs are right, but the given documents are used up
@wrong("inputs")
def uses_up_the_documents(docs, generator):
    pairs = []
    for doc in docs:
        while len(doc) > 1:
            a, b = doc.pop(0), doc[0]
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# documents of one sentence are taken out of the given list
@wrong("inputs")
def takes_short_documents_out(docs, generator):
    docs[:] = [doc for doc in docs if len(doc) > 1]
    if not docs:
        raise ValueError("no pair")
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    return pairs


# no pair: an empty list
@wrong("nothing")
def empty_list_for_no_pair(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    return pairs


# no pair: an IndexError
@wrong("nothing")
def index_error_for_no_pair(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise IndexError("no pair")
    return pairs


# an error as soon as one document has one sentence
@wrong("RAISED")
def error_for_any_short_document(docs, generator):
    pairs = []
    for doc in docs:
        if len(doc) < 2:
            raise ValueError("a document of one sentence has no pair")
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# an error if there is a single document
@wrong("RAISED")
def error_for_one_document(docs, generator):
    if len(docs) < 2:
        raise ValueError("no other document")
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# an error only if there are no documents at all
@wrong("nothing")
def error_for_no_documents_only(docs, generator):
    if not docs:
        raise ValueError("no documents")
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    return pairs


# stops at the first document of one sentence
@wrong("structure")
def stops_at_a_short_document(docs, generator):
    pairs = []
    for doc in docs:
        if len(doc) == 1:
            break
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not any(len(doc) > 1 for doc in docs):
        raise ValueError("no pair")
    return pairs


# a document of one sentence makes a pair with itself
@wrong("structure")
def short_document_with_itself(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:] or doc):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not any(len(doc) > 1 for doc in docs):
        raise ValueError("no pair")
    return pairs


# the first document only
@wrong("structure")
def first_document_only(docs, generator):
    pairs = []
    for a, b in zip(docs[0], docs[0][1:]):
        coin = torch.randint(2, (1,), generator=generator).item()
        pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# the return stands in the loop
@wrong("structure")
def return_in_the_loop(docs, generator):
    if all(len(doc) < 2 for doc in docs):
        raise ValueError("no pair")
    for doc in docs:
        pairs = []
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
        if pairs:
            return pairs


# the list begins anew with each document
@wrong("structure")
def list_begins_anew(docs, generator):
    if all(len(doc) < 2 for doc in docs):
        raise ValueError("no pair")
    for doc in docs:
        pairs = []
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    return pairs


# one list for each document
@wrong("structure")
def one_list_for_each_document(docs, generator):
    if all(len(doc) < 2 for doc in docs):
        raise ValueError("no pair")
    lists = []
    for doc in docs:
        pairs = []
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
        lists.append(pairs)
    return lists


# the pairs in a random order
@wrong("neighbours")
def pairs_in_random_order(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return [pairs[n] for n in torch.randperm(len(pairs), generator=generator).tolist()]


# first the pairs that stay, then the exchanged ones
@wrong("neighbours")
def sorted_by_label(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return sorted(pairs, key=lambda triple: triple[2])


# from the last document to the first
@wrong("neighbours")
def documents_from_the_end(docs, generator):
    pairs = []
    for doc in reversed(docs):
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# insert at the front: the order is turned round
@wrong("neighbours")
def inserted_at_the_front(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.insert(0, (b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# equal neighbours are left out
@wrong("structure")
def equal_neighbours_left_out(docs, generator):
    if all(len(doc) < 2 for doc in docs):
        raise ValueError("no pair")
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            if a != b:
                coin = torch.randint(2, (1,), generator=generator).item()
                pairs.append((b, a, 1) if coin else (a, b, 0))
    return pairs


# a pair of texts that was met before is left out
@wrong("structure")
def each_pair_of_texts_once(docs, generator):
    pairs, met = [], set()
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            if (a, b) not in met:
                met.add((a, b))
                coin = torch.randint(2, (1,), generator=generator).item()
                pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# index finds the first of equal sentences, and so the wrong neighbour
@wrong("neighbours")
def index_of_the_sentence(docs, generator):
    pairs = []
    for doc in docs:
        for a in doc[:-1]:
            b = doc[doc.index(a) + 1]
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# the label in front
@wrong("structure")
def label_in_front(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((1, b, a) if coin else (0, a, b))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# no label
@wrong("structure")
def without_label(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a) if coin else (a, b))
    if not pairs:
        raise ValueError("no pair")
    return pairs


# pairs and labels in two lists
@wrong("structure")
def pairs_and_labels_apart(docs, generator):
    pairs, labels = [], []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a) if coin else (a, b))
            labels.append(coin)
    if not pairs:
        raise ValueError("no pair")
    return pairs, labels


# extend instead of append: one flat list
@wrong("structure")
def one_flat_list(docs, generator):
    flat = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            flat.extend((b, a, 1) if coin else (a, b, 0))
    if not flat:
        raise ValueError("no pair")
    return flat


# yields: no list, and no error before somebody asks for the first triple
@wrong("structure")
def yields_instead_of_a_list(docs, generator):
    found = False
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            found = True
            coin = torch.randint(2, (1,), generator=generator).item()
            yield (b, a, 1) if coin else (a, b, 0)
    if not found:
        raise ValueError("no pair")


# not returned
@wrong("structure")
def forgets_return(docs, generator):
    pairs = []
    for doc in docs:
        for a, b in zip(doc, doc[1:]):
            coin = torch.randint(2, (1,), generator=generator).item()
            pairs.append((b, a, 1) if coin else (a, b, 0))
    if not pairs:
        raise ValueError("no pair")
