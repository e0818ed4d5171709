"""Measuring: yardsticks that a model has to beat, and intervals for what was counted."""

from companion.evaluation.counting import CountingMachine
from companion.evaluation.intervals import wilson_interval

__all__ = ["CountingMachine", "wilson_interval"]
