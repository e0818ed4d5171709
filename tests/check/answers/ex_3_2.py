import random
from itertools import chain

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# a list of all that can be drawn
@right
def list_of_candidates(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("there is no other document")
    candidates = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, candidates[torch.randint(len(candidates), (1,), generator=generator).item()], 1


# another document, one of its sentences, and again as long as it is the true next one
@right
def draw_again_and_again(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    if len(docs) < 2:
        raise ValueError("one document alone")
    while True:
        k = torch.randint(len(docs), (1,), generator=generator).item()
        if k == d:
            continue
        j = torch.randint(len(docs[k]), (1,), generator=generator).item()
        if docs[k][j] != docs[d][i + 1]:
            return docs[d][i], docs[k][j], 1


# leaps over the own document by adding one
@right
def leap_over_own_document(docs, d, i, is_next, generator):
    first, second = docs[d][i : i + 2]
    if is_next:
        return first, second, 0
    n = len(docs) - 1
    if n == 0:
        raise ValueError("no other document to draw from")
    b = second
    while b == second:
        k = int(torch.randint(n, (1,), generator=generator))
        if k >= d:
            k += 1
        b = docs[k][int(torch.randint(len(docs[k]), (1,), generator=generator))]
    return first, b, 1


# a beginner's version with loops and flags
@right
def beginner_with_loops(docs, d, i, is_next, generator):
    a = docs[d][i]
    if is_next == True:  # noqa: E712
        b = docs[d][i + 1]
        label = 0
    else:
        if len(docs) == 1:
            raise ValueError
        possible = []
        for number in range(len(docs)):
            if number == d:
                continue
            for sentence in docs[number]:
                if sentence == docs[d][i + 1]:
                    continue
                possible.append(sentence)
        number = torch.randint(len(possible), (1,), generator=generator)
        b = possible[number]
        label = 1
    return a, b, label


# on an accident it calls itself again
@right
def calls_itself_on_accident(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    others = docs[:d] + docs[d + 1 :]
    if not others:
        raise ValueError("no other document")
    doc = others[torch.randint(len(others), (1,), generator=generator).item()]
    b = doc[torch.randint(len(doc), (1,), generator=generator).item()]
    if b == docs[d][i + 1]:
        return calls_itself_on_accident(docs, d, i, is_next, generator)
    return docs[d][i], b, 1


# a document among those that have something to offer, then a sentence among those allowed
@right
def document_with_an_allowed_sentence(docs, d, i, is_next, generator):
    def draw(things):
        return things[torch.randint(len(things), (1,), generator=generator).item()]

    true_next = docs[d][i + 1]
    if is_next:
        return docs[d][i], true_next, 0
    if len(docs) == 1:
        raise ValueError("one document has no other")
    allowed = [[s for s in doc if s != true_next] for k, doc in enumerate(docs) if k != d]
    return docs[d][i], draw(draw([some for some in allowed if some])), 1


# chained copies without the own document, the true next one removed as long as it is there
@right
def chain_and_remove(docs, d, i, is_next, generator):
    b = docs[d][i + 1]
    if not is_next:
        rest = list(docs)
        del rest[d]
        if rest == []:
            raise ValueError("only one document")
        pool = list(chain.from_iterable(rest))
        while b in pool:
            pool.remove(b)
        b = pool[torch.randint(len(pool), (1,), generator=generator).item()]
    return docs[d][i], b, 1 - int(is_next)


# numpy finds the document of a running number
@right
def running_number_and_searchsorted(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    if len(docs) == 1:
        raise ValueError("no other document")
    others = [k for k in range(len(docs)) if k != d]
    ends = np.cumsum([len(docs[k]) for k in others])
    while True:
        number = torch.randint(int(ends[-1]), (1,), generator=generator).item()
        place = int(np.searchsorted(ends, number, side="right"))
        sentence = docs[others[place]][number - int(ends[place])]
        if sentence != docs[d][i + 1]:
            return docs[d][i], sentence, 1


# counts down through the allowed sentences
@right
def counts_down(docs, d, i, is_next, generator):
    a, b = docs[d][i], docs[d][i + 1]
    if is_next:
        return (a, b, 0)
    if len(docs) <= 1:
        raise ValueError("documents: 1")

    def allowed():
        for k in range(len(docs)):
            if k != d:
                yield from (s for s in docs[k] if s != b)

    left = torch.randint(sum(1 for _ in allowed()), (1,), generator=generator).item()
    for sentence in allowed():
        if left == 0:
            return (a, sentence, 1)
        left -= 1


# each text once, in the order in which it is met
@right
def each_text_once(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    if len(docs) == 1:
        raise ValueError("there must be at least two documents")
    texts = dict.fromkeys(s for k, doc in enumerate(docs) for s in doc if k != d)
    texts.pop(docs[d][i + 1], None)
    number = torch.randint(len(texts), (1,), generator=generator).item()
    return docs[d][i], list(texts)[number], 1


# the places are drawn, as pairs of numbers
@right
def places_as_pairs_of_numbers(docs, d, i, is_next, generator):
    where = (d, i + 1)
    if not is_next:
        if len(docs) == 1:
            raise ValueError("nothing to draw from")
        free = []
        for k in [*range(d), *range(d + 1, len(docs))]:
            free += [(k, j) for j, s in enumerate(docs[k]) if s != docs[d][i + 1]]
        where = free[torch.randint(len(free), (1,), generator=generator).tolist()[0]]
    return docs[d][i], docs[where[0]][where[1]], 0 if is_next else 1


# ---------------------------------------------------------------- wrong


# 1 for next, 0 for random
@wrong("positive")
def labels_exchanged(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 1
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 0


# the label is always 0
@wrong("negative")
def label_always_zero(docs, d, i, is_next, generator):
    b = docs[d][i + 1]
    if not is_next:
        if len(docs) == 1:
            raise ValueError("no other document")
        pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != b]
        b = pool[torch.randint(len(pool), (1,), generator=generator).item()]
    return docs[d][i], b, 0


# the random sentence can come from the own document
@wrong("negative")
def own_document_too(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for doc in docs for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# the random sentence comes from the own document only
@wrong("negative")
def own_document_only(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    if len(docs) == 1:
        raise ValueError("no other document")
    j = torch.randint(len(docs[d]), (1,), generator=generator).item()
    return docs[d][i], docs[d][j], 1


# the same text as the true next one can be drawn from another document
@wrong("never-true")
def accident_forgotten(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc]
    return docs[d][i], pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# the accident is looked for by place, not by text: it is never found
@wrong("never-true")
def accident_by_place(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    if len(docs) == 1:
        raise ValueError("no other document")
    while True:
        k = torch.randint(len(docs), (1,), generator=generator).item()
        j = torch.randint(len(docs[k]), (1,), generator=generator).item()
        if k != d and (k, j) != (d, i + 1):
            return docs[d][i], docs[k][j], 1


# compares with A instead of the true next sentence
@wrong("never-true")
def accident_compared_with_a(docs, d, i, is_next, generator):
    a = docs[d][i]
    if is_next:
        return a, docs[d][i + 1], 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != a]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# leaves out the text of A as well
@wrong("everything")
def leaves_out_the_text_of_a(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s not in (a, true_next)]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# leaves out every text that the own document holds too
@wrong("everything")
def leaves_out_all_texts_of_own_document(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for doc in docs for s in doc if s not in docs[d]]
    return docs[d][i], pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# tells documents apart by their text: a second document with the same text is left out
@wrong("RAISED")
def documents_compared_by_text(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for doc in docs if doc != docs[d] for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# a document that holds the true next text somewhere is left out as a whole
@wrong("RAISED")
def leaves_out_whole_documents(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d and true_next not in doc for s in doc]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# leaves out sentences that only contain the true next one
@wrong("everything")
def leaves_out_what_contains_it(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if true_next not in s]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# leaves out texts that differ from the true next one in capital letters only
@wrong("everything")
def capitals_do_not_count(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [
        s for k, doc in enumerate(docs) if k != d for s in doc if s.lower() != true_next.lower()
    ]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# no chance at all: always the first sentence that is allowed
@wrong("everything")
def always_the_first_allowed(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, pool[0], 1


# Python's own chance instead of the generator
@wrong("from-generator")
def python_random(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, random.choice(pool), 1


# numpy's chance instead of the generator
@wrong("from-generator")
def numpy_random(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, pool[np.random.randint(len(pool))], 1


# the generator is not handed on
@wrong("from-generator")
def generator_not_handed_on(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,)).item()], 1


# the generator is used for the document, and forgotten for the sentence
@wrong("from-generator")
def generator_for_the_document_only(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    if len(docs) == 1:
        raise ValueError("no other document")
    while True:
        k = torch.randint(len(docs), (1,), generator=generator).item()
        j = torch.randint(len(docs[k]), (1,)).item()
        if k != d and docs[k][j] != docs[d][i + 1]:
            return docs[d][i], docs[k][j], 1


# a generator of its own, with the same seed every time
@wrong("everything")
def generator_of_its_own(docs, d, i, is_next, generator):
    generator = torch.Generator().manual_seed(0)
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# the given generator is set to the same seed every time
@wrong("everything")
def generator_seeded_again(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    generator.manual_seed(42)
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# always the document after the own one
@wrong("everything")
def always_the_document_after(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for s in docs[(d + 1) % len(docs)] if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# only documents that stand after the own one
@wrong("RAISED")
def only_later_documents(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for doc in docs[d + 1 :] for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# the last sentence of a document is never drawn
@wrong("everything")
def last_sentence_never_drawn(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc[:-1] if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# the first sentence of a document is never drawn, since it follows nothing
@wrong("everything")
def first_sentence_never_drawn(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc[1:] if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# the last candidate is never drawn: one taken off the number
@wrong("everything")
def last_candidate_never_drawn(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    number = torch.randint(max(1, len(pool) - 1), (1,), generator=generator).item()
    return a, pool[number], 1


# the first sentence of another document, always
@wrong("everything")
def first_sentence_always(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [doc[0] for k, doc in enumerate(docs) if k != d and doc[0] != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# the sentence at the same place of another document
@wrong("never-true")
def same_place_of_another_document(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    if len(docs) == 1:
        raise ValueError("no other document")
    others = [doc for k, doc in enumerate(docs) if k != d]
    doc = others[torch.randint(len(others), (1,), generator=generator).item()]
    return docs[d][i], doc[min(i + 1, len(doc) - 1)], 1


# documents of one sentence are left out
@wrong("everything")
def documents_of_one_sentence_left_out(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [
        s for k, doc in enumerate(docs) if k != d and len(doc) > 1 for s in doc if s != true_next
    ]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# the leap over the own document with == instead of >=: some documents are never drawn
@wrong("everything")
def leap_with_equals(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    if len(docs) == 1:
        raise ValueError("no other document")
    while True:
        k = torch.randint(len(docs) - 1, (1,), generator=generator).item()
        if k == d:
            k += 1
        j = torch.randint(len(docs[k]), (1,), generator=generator).item()
        if docs[k][j] != docs[d][i + 1]:
            return docs[d][i], docs[k][j], 1


# the leap round the circle is one too short: the own document is in, the one before is out
@wrong("negative")
def leap_one_too_short(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    if len(docs) == 1:
        raise ValueError("no other document")
    while True:
        k = (d + torch.randint(len(docs) - 1, (1,), generator=generator).item()) % len(docs)
        j = torch.randint(len(docs[k]), (1,), generator=generator).item()
        if docs[k][j] != docs[d][i + 1]:
            return docs[d][i], docs[k][j], 1


# one number for both draws: document and sentence hang together
@wrong("everything")
def one_number_for_both_draws(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    others = [doc for k, doc in enumerate(docs) if k != d]
    if not others:
        raise ValueError("no other document")
    for _ in range(200):
        number = torch.randint(len(others), (1,), generator=generator).item()
        b = others[number][number % len(others[number])]
        if b != docs[d][i + 1]:
            return docs[d][i], b, 1
    raise RuntimeError("nothing found")


# the sentence is drawn with the length of the own document
@wrong("RAISED")
def length_of_the_own_document(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    others = [doc for k, doc in enumerate(docs) if k != d]
    if not others:
        raise ValueError("no other document")
    for _ in range(200):
        doc = others[torch.randint(len(others), (1,), generator=generator).item()]
        j = torch.randint(len(docs[d]), (1,), generator=generator).item()
        if doc[j] != docs[d][i + 1]:
            return docs[d][i], doc[j], 1
    raise RuntimeError("nothing found")


# on an accident it draws once more, and does not look again
@wrong("never-true")
def draws_only_once_more(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc]
    b = pool[torch.randint(len(pool), (1,), generator=generator).item()]
    if b == docs[d][i + 1]:
        b = pool[torch.randint(len(pool), (1,), generator=generator).item()]
    return docs[d][i], b, 1


# on an accident it takes the sentence after it, which can be the same text
@wrong("never-true")
def takes_the_one_after_it(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc]
    number = torch.randint(len(pool), (1,), generator=generator).item()
    if pool[number] == docs[d][i + 1]:
        number = (number + 1) % len(pool)
    return docs[d][i], pool[number], 1


# list.remove takes away one of several equal texts only
@wrong("never-true")
def removes_one_of_several(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc]
    if true_next in pool:
        pool.remove(true_next)
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# removing while running over the list leaps over the one after
@wrong("never-true")
def removes_while_running(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc]
    for s in pool:
        if s == true_next:
            pool.remove(s)
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# gives up after three accidents
@wrong("RAISED")
def gives_up_after_three(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc]
    for _ in range(3):
        b = pool[torch.randint(len(pool), (1,), generator=generator).item()]
        if b != docs[d][i + 1]:
            return docs[d][i], b, 1
    raise ValueError("no random sentence found")


# an accident counts as a next pair
@wrong("never-true")
def accident_gets_label_zero(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc]
    b = pool[torch.randint(len(pool), (1,), generator=generator).item()]
    return docs[d][i], b, int(b != docs[d][i + 1])


# one document: torch's own error about an empty range
@wrong("alone")
def one_document_not_looked_at(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# one document: an IndexError
@wrong("alone")
def one_document_gives_index_error(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise IndexError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# one document: None instead of an error
@wrong("alone")
def one_document_gives_none(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        return None
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# one document: the error is returned, not raised
@wrong("alone")
def one_document_returns_the_error(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        return ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# one document: it gives the true next pair instead
@wrong("alone")
def one_document_gives_the_next_pair(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next or len(docs) == 1:
        return a, true_next, 0
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# two documents are already refused
@wrong("RAISED")
def refuses_two_documents(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) <= 2:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# is_next is ignored, a coin decides
@wrong("positive")
def coin_instead_of_is_next(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if len(docs) == 1:
        raise ValueError("no other document")
    if torch.randint(2, (1,), generator=generator).item() == 0:
        return a, true_next, 0
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# is_next turned round
@wrong("positive")
def is_next_turned_round(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if not is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# B is the sentence before A
@wrong("positive")
def b_stands_before_a(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, docs[d][i - 1], 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# places counted from 1
@wrong("positive")
def places_from_one(docs, d, i, is_next, generator):
    a, true_next = docs[d][i - 1], docs[d][i]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# d is ignored: always the first document, as in the example
@wrong("RAISED")
def always_the_first_document(docs, d, i, is_next, generator):
    a, true_next = docs[0][i], docs[0][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for doc in docs[1:] for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# i is ignored: always the first sentence, as in the example
@wrong("positive")
def always_the_first_sentence(docs, d, i, is_next, generator):
    a, true_next = docs[d][0], docs[d][1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# d and i exchanged
@wrong("positive")
def d_and_i_exchanged(docs, d, i, is_next, generator):
    d, i = i, d
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# takes the own document out of the given list
@wrong("inputs")
def takes_the_document_out(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    docs.pop(d)
    pool = [s for doc in docs for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# takes the true next text out of the given documents (the copy is a shallow one)
@wrong("inputs")
def takes_the_text_out(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    others = docs[:d] + docs[d + 1 :]
    for doc in others:
        while true_next in doc:
            doc.remove(true_next)
    pool = sum(others, [])
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()], 1


# each sentence is used only once: the drawn one is deleted from its document
@wrong("inputs")
def drawn_sentence_is_deleted(docs, d, i, is_next, generator):
    if is_next:
        return docs[d][i], docs[d][i + 1], 0
    if len(docs) == 1:
        raise ValueError("no other document")
    spots = [
        (k, j)
        for k, doc in enumerate(docs)
        for j, s in enumerate(doc)
        if k != d and s != docs[d][i + 1]
    ]
    k, j = spots[torch.randint(len(spots), (1,), generator=generator).item()]
    return docs[d][i], docs[k].pop(j), 1


# B first, then A
@wrong("positive")
def b_before_a_in_the_answer(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return true_next, a, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return pool[torch.randint(len(pool), (1,), generator=generator).item()], a, 1


# A is random, and the true next sentence stays
@wrong("negative")
def a_is_random(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return pool[torch.randint(len(pool), (1,), generator=generator).item()], true_next, 1


# the label is missing
@wrong("structure")
def label_is_missing(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, pool[torch.randint(len(pool), (1,), generator=generator).item()]


# B is a number, not a sentence
@wrong("structure")
def number_of_the_sentence(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, i + 1, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    return a, torch.randint(len(pool), (1,), generator=generator).item(), 1


# nothing is returned for a random pair
@wrong("structure")
def return_forgotten_for_random(docs, d, i, is_next, generator):
    a, true_next = docs[d][i], docs[d][i + 1]
    if is_next:
        return a, true_next, 0
    if len(docs) == 1:
        raise ValueError("no other document")
    pool = [s for k, doc in enumerate(docs) if k != d for s in doc if s != true_next]
    b = pool[torch.randint(len(pool), (1,), generator=generator).item()]
    triple = (a, b, 1)
