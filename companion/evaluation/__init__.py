"""Measuring: yardsticks that a model has to beat, and intervals for what was counted."""

from companion.evaluation.blanks import Blanks, Filled, fill_blanks, make_blanks
from companion.evaluation.counting import CountingMachine
from companion.evaluation.fill_mask import Filling, fill_mask
from companion.evaluation.film import Film, FilmBlank, choose_blanks, read_film
from companion.evaluation.intervals import grouped_interval, wilson_interval
from companion.evaluation.report import Report, report, table

__all__ = [
    "Blanks",
    "CountingMachine",
    "Filled",
    "Filling",
    "Film",
    "FilmBlank",
    "Report",
    "choose_blanks",
    "fill_blanks",
    "fill_mask",
    "grouped_interval",
    "make_blanks",
    "read_film",
    "report",
    "table",
    "wilson_interval",
]
