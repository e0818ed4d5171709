import re
import statistics
from fractions import Fraction
from functools import reduce
from itertools import chain

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# two sums, one division
@right
def two_sums(texts, encode):
    pieces = sum(len(encode(text)) - 2 for text in texts)
    return pieces / sum(len(text.split()) for text in texts)


# a beginner's version with counters
@right
def beginner_counters(texts, encode):
    pieces = 0
    words = 0
    for i in range(len(texts)):
        text = texts[i]
        ids = encode(text)
        for j in range(len(ids)):
            if j != 0 and j != len(ids) - 1:
                pieces = pieces + 1
        for _ in text.split():
            words = words + 1
    return pieces / words


# a tensor without dimensions
@right
def tensor_without_dimensions(texts, encode):
    counts = torch.tensor([[len(encode(text)) - 2, len(text.split())] for text in texts])
    pieces, words = counts.sum(dim=0)
    return pieces / words


# numpy: a number of numpy comes back
@right
def numpy_sums(texts, encode):
    pieces = np.array([len(encode(text)[1:-1]) for text in texts])
    words = np.array([len(text.split()) for text in texts])
    return pieces.sum() / words.sum()


# all pieces in one long list
@right
def one_long_list_of_pieces(texts, encode):
    pieces = list(chain.from_iterable(encode(text)[1:-1] for text in texts))
    return len(pieces) / len(" ".join(texts).split())


# all ids, and two special tokens for each text taken away at the end
@right
def specials_taken_away_at_the_end(texts, encode):
    ids = sum(map(len, map(encode, texts)))
    words = sum(map(len, map(str.split, texts)))
    return (ids - 2 * len(texts)) / words


# mean number of pieces by mean number of words: the number of texts cancels
@right
def mean_by_mean(texts, encode):
    pieces = statistics.fmean(len(encode(text)) - 2 for text in texts)
    return pieces / statistics.fmean(len(text.split()) for text in texts)


# reduce with a pair, and an exact fraction
@right
def reduce_and_fraction(texts, encode):
    def add(pair, text):
        return pair[0] + len(encode(text)) - 2, pair[1] + len(text.split())

    return float(Fraction(*reduce(add, texts, (0, 0))))


# star takes the first and the last id off
@right
def star_between_the_specials(texts, encode):
    pieces, words = 0, 0
    for text in texts:
        _, *middle, _ = encode(text)
        pieces += len(middle)
        words += len(re.findall(r"\S+", text))
    return pieces / words


# ---------------------------------------------------------------- wrong


# [CLS] and [SEP] are counted
@wrong("values")
def specials_counted(texts, encode):
    return sum(len(encode(text)) for text in texts) / sum(len(text.split()) for text in texts)


# only [CLS] is taken away
@wrong("values")
def only_cls_taken_away(texts, encode):
    pieces = sum(len(encode(text)[1:]) for text in texts)
    return pieces / sum(len(text.split()) for text in texts)


# only [SEP] is taken away
@wrong("values")
def only_sep_taken_away(texts, encode):
    pieces = sum(len(encode(text)[:-1]) for text in texts)
    return pieces / sum(len(text.split()) for text in texts)


# two taken away once, not for each text: right for one text
@wrong("values")
def two_taken_away_once(texts, encode):
    pieces = sum(len(encode(text)) for text in texts) - 2
    return pieces / sum(len(text.split()) for text in texts)


# four taken away: right for two texts, as in the example
@wrong("any-texts")
def four_taken_away(texts, encode):
    pieces = sum(len(encode(text)) for text in texts) - 4
    return pieces / sum(len(text.split()) for text in texts)


# one special token more taken away
@wrong("values")
def three_taken_away_from_each(texts, encode):
    pieces = sum(len(encode(text)) - 3 for text in texts)
    return pieces / sum(len(text.split()) for text in texts)


# special tokens counted as words too
@wrong("values")
def specials_counted_on_both_sides(texts, encode):
    pieces = sum(len(encode(text)) for text in texts)
    return pieces / sum(len(text.split()) + 2 for text in texts)


# the mean of the shares of the texts
@wrong("values")
def mean_of_shares(texts, encode):
    shares = [(len(encode(t)) - 2) / len(t.split()) for t in texts if t.split()]
    return sum(shares) / len(shares)


# the median of the shares of the texts
@wrong("values")
def median_of_shares(texts, encode):
    return statistics.median((len(encode(t)) - 2) / len(t.split()) for t in texts if t.split())


# the share of each text, in a list
@wrong("structure")
def one_share_for_each_text(texts, encode):
    return [(len(encode(text)) - 2) / max(len(text.split()), 1) for text in texts]


# letters, not words
@wrong("values")
def letters_instead_of_words(texts, encode):
    return sum(len(encode(text)) - 2 for text in texts) / sum(len(text) for text in texts)


# texts, not words
@wrong("values")
def pieces_for_each_text(texts, encode):
    return sum(len(encode(text)) - 2 for text in texts) / len(texts)


# split at single blanks: an empty text has one word, two blanks make a word between them
@wrong("real-words")
def split_at_single_blanks(texts, encode):
    pieces = sum(len(encode(text)) - 2 for text in texts)
    return pieces / sum(len(text.split(" ")) for text in texts)


# split at single blanks, without the empty words: new lines and tabs do not split
@wrong("real-words")
def split_at_blanks_without_empty_words(texts, encode):
    pieces = sum(len(encode(text)) - 2 for text in texts)
    words = sum(len([word for word in text.split(" ") if word]) for text in texts)
    return pieces / words


# counts blanks, and adds one for each text
@wrong("real-words")
def blanks_and_one(texts, encode):
    pieces = sum(len(encode(text)) - 2 for text in texts)
    return pieces / sum(text.count(" ") + 1 for text in texts)


# blanks of ASCII only: split also splits at the no-break space, which a page can hold
@wrong("real-words")
def blanks_of_ascii_only(texts, encode):
    pieces = sum(len(encode(text)) - 2 for text in texts)
    return pieces / sum(len(re.findall(r"\S+", text, re.ASCII)) for text in texts)


# an empty text counts as one word
@wrong("empty")
def at_least_one_word(texts, encode):
    pieces = sum(len(encode(text)) - 2 for text in texts)
    return pieces / sum(max(1, len(text.split())) for text in texts)


# words by a pattern: punctuation ends a word
@wrong("real-words")
def words_by_a_pattern(texts, encode):
    pieces = sum(len(encode(text)) - 2 for text in texts)
    return pieces / sum(len(re.findall(r"\w+", text)) for text in texts)


# only words made of letters: "1999," and "don't" are no words
@wrong("real-words")
def only_words_of_letters(texts, encode):
    pieces = sum(len(encode(text)) - 2 for text in texts)
    return pieces / sum(word.isalpha() for text in texts for word in text.split())


# the texts are glued without a blank: the last word of one is joined with the first of the next
@wrong("values")
def texts_glued_without_blank(texts, encode):
    pieces = sum(len(encode(text)) - 2 for text in texts)
    return pieces / len("".join(texts).split())


# different pieces only
@wrong("values")
def different_pieces_of_all_texts(texts, encode):
    pieces = {i for text in texts for i in encode(text)[1:-1]}
    return len(pieces) / sum(len(text.split()) for text in texts)


# different pieces within each text
@wrong("values")
def different_pieces_of_each_text(texts, encode):
    pieces = sum(len(set(encode(text)[1:-1])) for text in texts)
    return pieces / sum(len(text.split()) for text in texts)


# different words only
@wrong("any-texts")
def different_words(texts, encode):
    words = {word for text in texts for word in text.split()}
    return sum(len(encode(text)) - 2 for text in texts) / len(words)


# different words, each encoded once: a word is not weighted by how often it occurs
@wrong("any-texts")
def each_different_word_once(texts, encode):
    words = {word for text in texts for word in text.split()}
    return sum(len(encode(word)) - 2 for word in words) / len(words)


# a text that occurs twice counts once
@wrong("any-texts")
def different_texts(texts, encode):
    once = set(texts)
    return sum(len(encode(text)) - 2 for text in once) / sum(len(text.split()) for text in once)


# return inside the loop: only the first text
@wrong("values")
def only_the_first_text(texts, encode):
    for text in texts:
        return (len(encode(text)) - 2) / max(len(text.split()), 1)


# the sums are overwritten, not added to: only the last text
@wrong("values")
def only_the_last_text(texts, encode):
    for text in texts:
        pieces = len(encode(text)) - 2
        words = len(text.split())
    return pieces / max(words, 1)


# words are set back for each text, pieces are not
@wrong("values")
def words_of_the_last_text(texts, encode):
    pieces = 0
    for text in texts:
        words = len(text.split())
        pieces += len(encode(text)) - 2
    return pieces / max(words, 1)


# stops at the first empty text
@wrong("empty")
def stops_at_an_empty_text(texts, encode):
    pieces, words = 0, 0
    for text in texts:
        if not text.split():
            break
        pieces += len(encode(text)) - 2
        words += len(text.split())
    return pieces / max(words, 1)


# the first ten texts, to be quick
@wrong("any-texts")
def first_ten_texts(texts, encode):
    some = texts[:10]
    return sum(len(encode(text)) - 2 for text in some) / sum(len(text.split()) for text in some)


# cuts each list at 512 ids, as BERT would
@wrong("real-words")
def cut_at_512(texts, encode):
    pieces = sum(len(encode(text)[:512]) - 2 for text in texts)
    return pieces / sum(len(text.split()) for text in texts)


# own tokenisation: a piece is four letters
@wrong("values")
def own_pieces_of_four_letters(texts, encode):
    words = [word for text in texts for word in text.split()]
    return sum(-(-len(word) // 4) for word in words) / len(words)


# own tokenisation: words and punctuation marks
@wrong("values")
def own_pieces_at_punctuation(texts, encode):
    pieces = sum(len(re.findall(r"\w+|[^\w\s]", text)) for text in texts)
    return pieces / sum(len(text.split()) for text in texts)


# the number from the lesson
@wrong("values")
def fixed_number(texts, encode):
    return 1.64


# the number of the example
@wrong("values")
def fixed_number_of_the_example(texts, encode):
    return 2


# words by pieces: upside down
@wrong("values")
def upside_down(texts, encode):
    pieces = sum(len(encode(text)) - 2 for text in texts)
    return sum(len(text.split()) for text in texts) / max(pieces, 1)


# whole-number division
@wrong("values")
def whole_number_division(texts, encode):
    return sum(len(encode(text)) - 2 for text in texts) // sum(len(t.split()) for t in texts)


# rounded to one digit
@wrong("values")
def rounded_to_one_digit(texts, encode):
    pieces = sum(len(encode(text)) - 2 for text in texts)
    return round(pieces / sum(len(text.split()) for text in texts), 1)


# adds the ids, not how many there are
@wrong("values")
def sum_of_the_ids(texts, encode):
    return sum(sum(encode(text)[1:-1]) for text in texts) / sum(len(t.split()) for t in texts)


# only how many pieces there are
@wrong("values")
def number_of_pieces(texts, encode):
    return sum(len(encode(text)) - 2 for text in texts)


# pieces and words as a pair
@wrong("structure")
def pair_of_pieces_and_words(texts, encode):
    return sum(len(encode(text)) - 2 for text in texts), sum(len(t.split()) for t in texts)


# pieces that a word has more than one
@wrong("values")
def pieces_beyond_the_first(texts, encode):
    pieces = sum(len(encode(text)) - 2 for text in texts)
    words = sum(len(text.split()) for text in texts)
    return (pieces - words) / words


# small letters before encoding
@wrong("real-words")
def small_letters_first(texts, encode):
    pieces = sum(len(encode(text.lower())) - 2 for text in texts)
    return pieces / sum(len(text.split()) for text in texts)


# punctuation is deleted before encoding
@wrong("real-words")
def punctuation_deleted_first(texts, encode):
    pieces = sum(len(encode(re.sub(r"[^\w\s]", "", text))) - 2 for text in texts)
    return pieces / sum(len(text.split()) for text in texts)


# leaves out ids below 5, as if they were all special tokens; an unknown piece is left out too
@wrong("real-words")
def ids_from_five_on(texts, encode):
    pieces = sum(i >= 5 for text in texts for i in encode(text))
    return pieces / sum(len(text.split()) for text in texts)


# encodes the list, not each text
@wrong("RAISED")
def encodes_the_list(texts, encode):
    return (len(encode(texts)) - 2) / sum(len(text.split()) for text in texts)


# encodes letter by letter
@wrong("values")
def encodes_each_letter(texts, encode):
    pieces = sum(len(encode(letter)) - 2 for text in texts for letter in text)
    return pieces / sum(len(text.split()) for text in texts)


# the number is right, but the list of texts is empty afterwards
@wrong("inputs")
def empties_the_list_of_texts(texts, encode):
    pieces, words = 0, 0
    while texts:
        text = texts.pop()
        pieces += len(encode(text)) - 2
        words += len(text.split())
    return pieces / words


# empty texts are deleted from the list that was given
@wrong("inputs")
def deletes_empty_texts(texts, encode):
    for text in [t for t in texts if not t.split()]:
        texts.remove(text)
    return sum(len(encode(text)) - 2 for text in texts) / sum(len(t.split()) for t in texts)


# prints, and forgets the return
@wrong("structure")
def prints_instead_of_return(texts, encode):
    pieces = sum(len(encode(text)) - 2 for text in texts)
    print(pieces / sum(len(text.split()) for text in texts))
