"""Every word that stands inside a figure or a playground: one place to translate.

A label with {fields} is a sentence: `label(key).format(...)`.
"""

LABELS = {
    "rows": "rows",
    "step": "training step",
    "loss": "loss (nats)",
    "accuracy": "correct (per cent; black lines: 95 % intervals)",
    "selected_per_row": "selected tokens in a row",
    # states
    "seen": "seen",
    "hidden": "hidden",
    "random": "random",
    "kept": "kept, but scored",
    # rows of the strip
    "text": "text",
    "model_sees": "the model sees",
    "labels": "labels",
    "selected": "selected",
    "epoch": "epoch",
    "evaluation": "evaluation",
    "again": "again",
    "pieces": "single pieces",
    "spans": "spans",
    "words": "whole words",
    # samplers
    "bernoulli": "a coin for each token",
    "exact": "a fixed number a row",
    "at_least_one": "a coin, at least one",
    # the counting machine
    "nothing": "nothing (always the commonest)",
    "left": "left neighbour",
    "two_left": "two on the left",
    "four_left": "four on the left",
    "right": "right neighbour",
    "both": "both neighbours",
    "two_each_side": "two on each side",
    "all_tokens": "all selected tokens",
    "rare_words": "whole words outside the 100 commonest",
    "bert": "bert-wiki-mini",
    "held_out": "held-out blanks",
    "blind": "a blind guess: ln 4,096",
    "frequencies": "word frequencies alone",
    # the race
    "minutes": "minutes of training on two cores",
    "held_out_right": "held-out blanks filled correctly (per cent)",
    "race_counting": "counting, two neighbours on each side",
    "race_commonest": "always the commonest token",
    "race_bert-2018": "as in 2018",
    "race_pre-ln": "pre-LN",
    "race_rotary": "ModernBERT's shape",
    "race_muon": "the same, with Muon",
    # visible words
    "berts_split": "trained with 80 / 10 / 10",
    "mask_alone": "trained with [MASK] alone",
    "masked_place": "[MASK] stands there",
    "kept_place": "the word itself stands there",
    "random_place": "a wrong word stands there",
    # the perfect loss
    "labels_original": "labels from the original text",
    "labels_corrupted": "labels from the corrupted text",
    "best_possible": "the best possible loss in the exam",
    # the film, and you against a model
    "answer": "Answer",
    "likeliest": "Likeliest tokens",
    "frame": "Picture",
    "film_line": "After {step:,} steps: {first} of {blanks} blanks right, {among} with the answer "
    "among the five likeliest.",
    "you": "You",
    "model": "Model",
    "counting": "Counting",
    "show_answers": "Show the answers",
    "duel_open": "{given} of {blanks} guesses given. Write one word in each box, then show the "
    "answers.",
    "duel_others": "Right: the model {model}, counting {counting} of {blanks}.",
    "duel_score": "Right: you {you}, the model {model}, counting {counting} of {blanks}.",
    # attention in the plane
    "query": "query",
    "query_and_keys": "the query, and the keys with their weights",
    "values_and_mean": "the values, as large as their weights",
    "weighted_mean": "weighted average",
    "not_allowed": "not allowed",
    "nothing_allowed": "No token may be looked at: there is nothing to average.",
    "attention_line": "Weights: {shares}. The weighted average is ({x:.2f}, {y:.2f}).",
    "direction": "Direction (°)",
    "length": "Length",
    "may_attend": "May be looked at:",
    "weights": "weights",
    "before_training": "before training",
    "after_training": "after training",
    "asking_token": "token that asks",
    "answering_token": "token that answers",
    "letter_on_a_card": "letter on a card",
    "letter_asked_for": "letter asked for",
    # cards, and surprise
    "deck": "deck",
    "index": "index",
    "hand": "hand",
    "surprise": "surprise (natural logarithm)",
    "probability_of_the_right_word": "probability of the right word",
    # blocks
    "post_ln": "post-LN (BERT, 2018)",
    "pre_ln": "pre-LN (most models since)",
    "norm": "LayerNorm",
    "attention": "attention",
    "feed_forward": "feed-forward",
    "vectors_in": "vectors in",
    "vectors_out": "vectors out",
    # embeddings
    "ids": "ids",
    "position": "position",
    "mask": "mask",
    "with_positions": "with positions",
    "without_positions": "without positions",
    "named_rightly": "named rightly (per cent)",
    "one_of_two": "one of two, by chance",
    "learned": "learned",
    "computed": "computed",
    "word": "Word",
    "cosine": "cosine of the angle between two vectors",
    "neighbour_line": "Nearest to {word}: {others}.",
    # pairs
    "segment": "segment",
    "is_next": "B is next",
    "is_random": "B is random",
    "in_order": "A came first",
    "is_swapped": "B came first",
    "shared_tenths": "shared words (tenths of the shorter text, rounded up)",
    "pairs": "pairs",
    "next_or_random": "next, or random",
    "in_order_or_swapped": "in order, or swapped",
    "kind": "Kind of pair",
    "pair": "Pair",
    "show_answer": "Show the answer",
    "pair_line": "Shared words, without the hundred most frequent: {count} ({words}). Share: "
    "{share:.2f}.",
    "pair_answer": "The answer: {answer}.",
    "cheap_cues": "judged rightly",
    "nsp": "next or random: one number",
    "nsp_fits": "pairs of at most 64 tokens: one number",
    "nsp_bert": "pairs of at most 64 tokens: BERT, small",
    "nsp_topic": "one number, random B of the same topic",
    "sop": "swapped pairs: one number",
    "sop_bag": "swapped pairs: bag of words",
    "sop_bag_later": "the same, without first sentences",
    # quizzes
    "quiz_right": "Right.",
    "quiz_wrong": "Not so.",
    "quiz_link": "Read about it below.",
    "question": "Question",
    # playground
    "sentence": "Sentence",
    "rate": "Rate",
    "mask_share": "Share [MASK]",
    "random_share": "Share random",
    "unit": "Unit",
    "draw": "Draw number",
    "no_text": "Type a sentence.",
    "too_much": "[MASK] {mask:.0%} and random {random:.0%} are more than 100 % together. "
    "Lower one of them.",
    "mask_counts": "{selected} of {candidates} tokens are selected: {hidden} hidden, "
    "{random} random, {kept} kept. The model sees: {tokens}",
    "cut": "(cut after {limit} tokens)",
}


def label(key: str) -> str:
    """The words for `key`; an unknown key is an error, so that none is left untranslated."""
    if key not in LABELS:
        raise KeyError(f"There is no label {key!r}: add it to companion/show/labels.py.")
    return LABELS[key]
