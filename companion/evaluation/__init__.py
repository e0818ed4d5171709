"""Measuring: yardsticks that a model has to beat, and intervals for what was counted."""

from companion.evaluation.blanks import Blanks, Filled, fill_blanks, make_blanks
from companion.evaluation.card import Report, figures, report, table
from companion.evaluation.counting import CountingMachine
from companion.evaluation.filling import Filling, TwoBlanks, fill_mask, fill_two_masks
from companion.evaluation.film import Film, FilmBlank, choose_blanks, read_film
from companion.evaluation.influence import influence
from companion.evaluation.intervals import grouped_interval, wilson_interval
from companion.evaluation.pairs import pair_logits, pair_report
from companion.evaluation.reading import Read, read_on
from companion.evaluation.sentences import log_likelihood, pseudo_log_likelihood

__all__ = [
    "Blanks",
    "CountingMachine",
    "Filled",
    "Filling",
    "Film",
    "FilmBlank",
    "Read",
    "Report",
    "TwoBlanks",
    "choose_blanks",
    "figures",
    "fill_blanks",
    "fill_mask",
    "fill_two_masks",
    "grouped_interval",
    "influence",
    "log_likelihood",
    "make_blanks",
    "pair_logits",
    "pair_report",
    "pseudo_log_likelihood",
    "read_film",
    "read_on",
    "report",
    "table",
    "wilson_interval",
]
