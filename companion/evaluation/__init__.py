"""Measuring: yardsticks that a model has to beat, and intervals for what was counted."""

from companion.evaluation.blanks import Blanks, Filled, fill_blanks, make_blanks
from companion.evaluation.card import Report, figures, report, table
from companion.evaluation.compute import multiply_adds
from companion.evaluation.counting import CountingMachine
from companion.evaluation.filling import Filling, TwoBlanks, fill_mask, fill_two_masks
from companion.evaluation.film import Film, FilmBlank, choose_blanks, read_film
from companion.evaluation.influence import influence
from companion.evaluation.intervals import grouped_interval, wilson_interval
from companion.evaluation.losses_of import Surprises, loss_of, surprises
from companion.evaluation.pairs import pair_logits, pair_report
from companion.evaluation.picture_card import (
    PictureReport,
    error_at_hidden,
    exam_mask,
    picture_report,
    picture_table,
)
from companion.evaluation.picture_yardsticks import (
    best_power,
    distance_weighted,
    look_up,
    mean_image,
)
from companion.evaluation.reading import Read, read_on
from companion.evaluation.restoring import Restored, restore
from companion.evaluation.sentences import log_likelihood, pseudo_log_likelihood

__all__ = [
    "Blanks",
    "CountingMachine",
    "Filled",
    "Filling",
    "Film",
    "FilmBlank",
    "PictureReport",
    "Read",
    "Report",
    "Restored",
    "Surprises",
    "TwoBlanks",
    "best_power",
    "choose_blanks",
    "distance_weighted",
    "error_at_hidden",
    "exam_mask",
    "figures",
    "fill_blanks",
    "fill_mask",
    "fill_two_masks",
    "grouped_interval",
    "influence",
    "log_likelihood",
    "look_up",
    "loss_of",
    "make_blanks",
    "mean_image",
    "multiply_adds",
    "pair_logits",
    "pair_report",
    "picture_report",
    "picture_table",
    "pseudo_log_likelihood",
    "read_film",
    "read_on",
    "report",
    "restore",
    "surprises",
    "table",
    "wilson_interval",
]
