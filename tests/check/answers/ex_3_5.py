import math
import re
import string
import unicodedata
from collections import Counter
from itertools import groupby

import numpy as np
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# two sets
@right
def two_sets(a, b, stop):
    one = set(re.findall("[a-z]+", a.lower())) - stop
    two = set(re.findall("[a-z]+", b.lower())) - stop
    if not one or not two:
        return 0.0
    return len(one & two) / min(len(one), len(two))


# a beginner goes letter by letter
@right
def letter_by_letter(a, b, stop):
    lists = []
    for text in [a, b]:
        words = []
        word = ""
        for letter in text.lower() + " ":
            if letter in "abcdefghijklmnopqrstuvwxyz":
                word = word + letter
            else:
                if word != "" and word not in stop and word not in words:
                    words.append(word)
                word = ""
        lists.append(words)
    shared = 0
    for word in lists[0]:
        if word in lists[1]:
            shared = shared + 1
    fewer = len(lists[0])
    if len(lists[1]) < fewer:
        fewer = len(lists[1])
    if fewer == 0:
        return 0
    return shared / fewer


# split at everything that is no letter
@right
def split_at_no_letters(a, b, stop):
    def words(text):
        return {w for w in re.split(r"[^a-z]+", text.lower()) if w and w not in stop}

    x, y = words(a), words(b)
    return len(x.intersection(y)) / max(1, min(len(x), len(y)))


# everything else becomes a space
@right
def spaces_for_everything_else(a, b, stop):
    def words(text):
        kept = "".join(c if c in string.ascii_lowercase else " " for c in text.lower())
        return set(kept.split()).difference(stop)

    x, y = words(a), words(b)
    try:
        return len(x & y) / min(len(x), len(y))
    except ZeroDivisionError:
        return 0


# groupby finds the runs
@right
def runs_with_groupby(a, b, stop):
    def words(text):
        runs = groupby(text.lower(), key=lambda c: c.isascii() and c.isalpha())
        return {"".join(run) for letters, run in runs if letters} - set(stop)

    few, many = sorted((words(a), words(b)), key=len)
    return sum(word in many for word in few) / len(few) if few else 0.0


# numpy's sets
@right
def numpy_sets(a, b, stop):
    x, y = (
        np.unique([w for w in re.findall("[a-z]+", t.lower()) if w not in stop]) for t in (a, b)
    )
    if x.size == 0 or y.size == 0:
        return 0.0
    return float(np.intersect1d(x, y).size / min(x.size, y.size))


# bytes instead of letters
@right
def bytes_instead_of_letters(a, b, stop):
    common = {word.encode() for word in stop}
    x = set(re.findall(rb"[a-z]+", a.lower().encode("utf-8"))) - common
    y = set(re.findall(rb"[a-z]+", b.lower().encode("utf-8"))) - common
    return 0.0 if not (x and y) else len(x & y) / min(len(x), len(y))


# the larger of two shares
@right
def larger_of_two_shares(a, b, stop):
    x = {m.group() for m in re.finditer("[a-z]+", a.lower())} - stop
    if len(x) == 0:
        return 0.0
    y = {m.group() for m in re.finditer("[a-z]+", b.lower())} - stop
    if len(y) == 0:
        return 0.0
    shared = len(x) + len(y) - len(x | y)
    return max(shared / len(x), shared / len(y))


# tables that say in which text a word was met
@right
def table_of_marks(a, b, stop):
    marks = {}
    for bit, text in ((1, a), (2, b)):
        for word in re.findall("[a-z]+", text.lower()):
            if word not in stop:
                marks[word] = marks.get(word, 0) | bit
    counts = Counter(marks.values())
    fewer = min(counts[1], counts[2]) + counts[3]
    return counts[3] / fewer if fewer else 0.0


# recursion by halves over sorted lists of words
@right
def recursion_by_halves(a, b, stop):
    def words(text):
        return sorted({w for w in re.findall("[a-z]+", text.lower())} - stop)

    def shared(some, others):
        if len(some) > 1:
            middle = len(some) // 2
            return shared(some[:middle], others) + shared(some[middle:], others)
        return int(bool(some) and some[0] in others)

    x, y = words(a), words(b)
    fewer = min(len(x), len(y))
    return shared(x, y) / fewer if fewer > 0 else 0.0


# sorted lists, and two pointers
@right
def two_pointers(a, b, stop):
    x = sorted(set(re.compile("[a-z]+").findall(str.lower(a))) - stop)
    y = sorted(set(re.compile("[a-z]+").findall(str.lower(b))) - stop)
    i = j = shared = 0
    while i < len(x) and j < len(y):
        if x[i] == y[j]:
            shared, i, j = shared + 1, i + 1, j + 1
        elif x[i] < y[j]:
            i += 1
        else:
            j += 1
    return shared / min(len(x), len(y)) if x and y else 0


# ---------------------------------------------------------------- wrong


# divided by all words of both texts
@wrong("example")
def divided_by_the_union(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / len(x | y)


# divided by the text that has more
@wrong("example")
def divided_by_the_longer(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / max(len(x), len(y))


# divided by the words of a
@wrong("shorter")
def divided_by_a(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / len(x)


# divided by the words of b
@wrong("example")
def divided_by_b(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / len(y)


# divided by the mean of the two numbers
@wrong("example")
def divided_by_the_mean(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    if not x or not y:
        return 0.0
    return 2 * len(x & y) / (len(x) + len(y))


# divided by the root of the product
@wrong("example")
def divided_by_the_root(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / math.sqrt(len(x) * len(y))


# the shorter text by its letters, not by its words
@wrong("once")
def shorter_by_letters(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / (len(x) if len(a) <= len(b) else len(y))


# the shorter text by all its words, with repetitions and stop words
@wrong("example")
def shorter_by_all_words(a, b, stop):
    all_a, all_b = re.findall("[a-z]+", a.lower()), re.findall("[a-z]+", b.lower())
    x, y = set(all_a) - stop, set(all_b) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / (len(x) if len(all_a) < len(all_b) else len(y))


# capital letters stay capital: only small letters are found
@wrong("example")
def without_lower(a, b, stop):
    x = set(re.findall("[a-z]+", a)) - stop
    y = set(re.findall("[a-z]+", b)) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# both kinds of letters are found, but Lea and lea are two words
@wrong("example")
def capitals_are_other_words(a, b, stop):
    x = set(re.findall("[a-zA-Z]+", a)) - stop
    y = set(re.findall("[a-zA-Z]+", b)) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# stop words are taken out before the lower case: "The" stays
@wrong("example")
def stop_before_lower(a, b, stop):
    x = {w.lower() for w in re.findall("[a-zA-Z]+", a) if w not in stop}
    y = {w.lower() for w in re.findall("[a-zA-Z]+", b) if w not in stop}
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# stop is ignored
@wrong("example")
def stop_is_ignored(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower()))
    y = set(re.findall("[a-z]+", b.lower()))
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# the stop words of the example for every text
@wrong("stop-words")
def stop_words_of_the_example(a, b, stop):
    common = {"the", "is", "in"}
    x = set(re.findall("[a-z]+", a.lower())) - common
    y = set(re.findall("[a-z]+", b.lower())) - common
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# stop words are taken out of the shared words only
@wrong("example")
def stop_in_the_numerator_only(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower()))
    y = set(re.findall("[a-z]+", b.lower()))
    if not x or not y:
        return 0.0
    return len((x & y) - stop) / min(len(x), len(y))


# stop words are taken out of the numbers only, and can be shared
@wrong("example")
def stop_in_the_denominator_only(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower()))
    y = set(re.findall("[a-z]+", b.lower()))
    fewer = min(len(x - stop), len(y - stop))
    return len(x & y) / fewer if fewer else 0.0


# stop words are taken out of a only
@wrong("stop-words")
def stop_out_of_a_only(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower()))
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# words that are a part of a stop word are left out as well
@wrong("stop-words")
def stop_as_one_text(a, b, stop):
    common = " ".join(stop)
    x = {w for w in re.findall("[a-z]+", a.lower()) if w not in common}
    y = {w for w in re.findall("[a-z]+", b.lower()) if w not in common}
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# stop words are cut out of the text, also inside other words
@wrong("real")
def stop_cut_out_inside_words(a, b, stop):
    a, b = a.lower(), b.lower()
    for word in sorted(stop):
        a, b = a.replace(word, ""), b.replace(word, "")
    x, y = set(re.findall("[a-z]+", a)), set(re.findall("[a-z]+", b))
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# no care for texts without words
@wrong("RAISED")
def division_by_zero(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    return len(x & y) / min(len(x), len(y))


# care for empty texts, not for texts of stop words alone
@wrong("RAISED")
def care_for_empty_texts_only(a, b, stop):
    if not a or not b:
        return 0.0
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    return len(x & y) / min(len(x), len(y))


# care only where both texts have no words
@wrong("RAISED")
def care_where_both_are_empty(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    if not x and not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# two texts without words have everything in common
@wrong("empty")
def one_for_empty_texts(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    if not x and not y:
        return 1.0
    return len(x & y) / max(1, min(len(x), len(y)))


# None for a text without words
@wrong("empty")
def none_for_empty_texts(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    if x and y:
        return len(x & y) / min(len(x), len(y))


# not a number for a text without words
@wrong("empty")
def nan_for_empty_texts(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    if not x or not y:
        return math.nan
    return len(x & y) / min(len(x), len(y))


# split at spaces: the full stop belongs to the word
@wrong("words")
def split_at_spaces(a, b, stop):
    x, y = set(a.lower().split()) - stop, set(b.lower().split()) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# split at spaces, and signs taken off the two ends: "well-known" stays one word
@wrong("words")
def signs_off_the_ends_only(a, b, stop):
    x = {w.strip(string.punctuation) for w in a.lower().split()} - stop - {""}
    y = {w.strip(string.punctuation) for w in b.lower().split()} - stop - {""}
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# signs are deleted, so that "well-known" becomes "wellknown"
@wrong("words")
def signs_are_deleted(a, b, stop):
    x = set(re.sub(r"[^a-z\s]", "", a.lower()).split()) - stop
    y = set(re.sub(r"[^a-z\s]", "", b.lower()).split()) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# numbers and underscores count as words too
@wrong("words")
def numbers_are_words(a, b, stop):
    x = set(re.findall(r"\w+", a.lower())) - stop
    y = set(re.findall(r"\w+", b.lower())) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# letters with accents belong to the run
@wrong("words")
def accents_belong_to_the_run(a, b, stop):
    x = set(re.findall(r"[^\W\d_]+", a.lower())) - stop
    y = set(re.findall(r"[^\W\d_]+", b.lower())) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# accents are taken off first: "café" becomes "cafe"
@wrong("words")
def accents_taken_off(a, b, stop):
    a, b = (unicodedata.normalize("NFKD", t).encode("ascii", "ignore").decode() for t in (a, b))
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# the apostrophe belongs to the run
@wrong("words")
def apostrophe_belongs_to_the_run(a, b, stop):
    x = set(re.findall("[a-z']+", a.lower())) - stop
    y = set(re.findall("[a-z']+", b.lower())) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# from A to small z: the signs between the two alphabets are letters
@wrong("words")
def from_capital_a_to_small_z(a, b, stop):
    x = set(re.findall("[A-z]+", a.lower())) - stop
    y = set(re.findall("[A-z]+", b.lower())) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# word boundaries: the letters of "4th" or "b2" are not found
@wrong("words")
def word_boundaries(a, b, stop):
    x = set(re.findall(r"\b[a-z]+\b", a.lower())) - stop
    y = set(re.findall(r"\b[a-z]+\b", b.lower())) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# a star instead of a plus: the empty word is always shared
@wrong("example")
def star_instead_of_plus(a, b, stop):
    x = set(re.findall("[a-z]*", a.lower())) - stop
    y = set(re.findall("[a-z]*", b.lower())) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# re.split leaves an empty word at an end with a sign
@wrong("example")
def empty_word_from_split(a, b, stop):
    x = set(re.split("[^a-z]+", a.lower())) - stop
    y = set(re.split("[^a-z]+", b.lower())) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# the plus is forgotten: letters instead of words
@wrong("example")
def letters_instead_of_words(a, b, stop):
    x = set(re.findall("[a-z]", a.lower())) - stop
    y = set(re.findall("[a-z]", b.lower())) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# the letter z is forgotten: range ends before its end
@wrong("words")
def letter_z_forgotten(a, b, stop):
    letters = {chr(n) for n in range(ord("a"), ord("z"))}
    x, y = (
        set("".join(c if c in letters else " " for c in t.lower()).split()) - stop for t in (a, b)
    )
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# the last word is lost if the text ends with a letter
@wrong("shorter")
def last_word_lost(a, b, stop):
    both = []
    for text in (a, b):
        words, word = set(), ""
        for c in text.lower():
            if "a" <= c <= "z":
                word += c
            else:
                words.add(word)
                word = ""
        both.append(words - stop - {""})
    x, y = both
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# words of one or two letters are left out
@wrong("words")
def short_words_left_out(a, b, stop):
    x = set(re.findall("[a-z]{3,}", a.lower())) - stop
    y = set(re.findall("[a-z]{3,}", b.lower())) - stop
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# a word of a may be a part of a word of b
@wrong("words")
def part_of_a_word(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    if not x or not y:
        return 0.0
    return min(1.0, sum(w in b.lower() for w in x) / min(len(x), len(y)))


# the s at the end is taken off
@wrong("example")
def s_at_the_end_taken_off(a, b, stop):
    x = {w.rstrip("s") for w in re.findall("[a-z]+", a.lower())} - stop
    y = {w.rstrip("s") for w in re.findall("[a-z]+", b.lower())} - stop
    if not x or not y:
        return 0.0
    return len(x & y) / min(len(x), len(y))


# every occurrence counts
@wrong("once")
def every_occurrence_counts(a, b, stop):
    x = [w for w in re.findall("[a-z]+", a.lower()) if w not in stop]
    y = [w for w in re.findall("[a-z]+", b.lower()) if w not in stop]
    if not x or not y:
        return 0.0
    return sum((Counter(x) & Counter(y)).values()) / min(len(x), len(y))


# the shared words count once, but the lengths count every occurrence
@wrong("once")
def lengths_with_repetitions(a, b, stop):
    x = [w for w in re.findall("[a-z]+", a.lower()) if w not in stop]
    y = [w for w in re.findall("[a-z]+", b.lower()) if w not in stop]
    if not x or not y:
        return 0.0
    return len(set(x) & set(y)) / min(len(x), len(y))


# the lengths count once, the shared words every time they occur in a
@wrong("once")
def shared_with_repetitions(a, b, stop):
    x = [w for w in re.findall("[a-z]+", a.lower()) if w not in stop]
    y = [w for w in re.findall("[a-z]+", b.lower()) if w not in stop]
    if not x or not y:
        return 0.0
    return sum(w in y for w in x) / min(len(set(x)), len(set(y)))


# compares word by word at the same place
@wrong("example")
def same_place_only(a, b, stop):
    x = [w for w in dict.fromkeys(re.findall("[a-z]+", a.lower())) if w not in stop]
    y = [w for w in dict.fromkeys(re.findall("[a-z]+", b.lower())) if w not in stop]
    if not x or not y:
        return 0.0
    return sum(v == w for v, w in zip(x, y)) / min(len(x), len(y))


# the number of shared words
@wrong("example")
def number_of_shared_words(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    return len(x & y)


# yes or no
@wrong("example")
def any_shared_word(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    return float(bool(x & y))


# a whole-number division
@wrong("example")
def whole_number_division(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    return len(x & y) // max(1, min(len(x), len(y)))


# per cent
@wrong("example")
def per_cent(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    return 100 * len(x & y) / max(1, min(len(x), len(y)))


# one digit
@wrong("example")
def one_digit(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    return round(len(x & y) / max(1, min(len(x), len(y))), 1)


# the share of words that are not shared
@wrong("example")
def share_that_is_not_shared(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    if not x or not y:
        return 0.0
    return 1 - len(x & y) / min(len(x), len(y))


# one is added to the number against a division by zero
@wrong("example")
def one_added_to_the_number(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    return len(x & y) / (min(len(x), len(y)) + 1)


# the words of the text are added to the given set of stop words
@wrong("inputs")
def adds_to_the_given_stop_set(a, b, stop):
    both = []
    for text in (a, b):
        words = {w for w in re.findall("[a-z]*", text.lower()) if w}
        stop.add("")
        both.append(words - stop)
    x, y = both
    return len(x & y) / max(1, min(len(x), len(y)))


# each word is put into the stop set so that it counts once: b has nothing left to share
@wrong("example")
def stop_set_as_memory(a, b, stop):
    lists = []
    for text in (a, b):
        words = []
        for word in re.findall("[a-z]+", text.lower()):
            if word not in stop:
                words.append(word)
                stop.add(word)
        lists.append(words)
    x, y = lists
    return len(set(x) & set(y)) / max(1, min(len(x), len(y)))


# not returned
@wrong("example")
def forgets_return(a, b, stop):
    x = set(re.findall("[a-z]+", a.lower())) - stop
    y = set(re.findall("[a-z]+", b.lower())) - stop
    share = len(x & y) / max(1, min(len(x), len(y)))
