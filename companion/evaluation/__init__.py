"""Measuring: yardsticks that a model has to beat, and intervals for what was counted."""

from companion.evaluation.blanks import Blanks, Filled, fill_blanks, make_blanks
from companion.evaluation.counting import CountingMachine
from companion.evaluation.fill_mask import Filling, fill_mask
from companion.evaluation.intervals import wilson_interval

__all__ = [
    "Blanks",
    "CountingMachine",
    "Filled",
    "Filling",
    "fill_blanks",
    "fill_mask",
    "make_blanks",
    "wilson_interval",
]
