"""What every model's sizes have in common."""

from dataclasses import fields
from typing import Any


def check_sizes(config: Any, *, rates: str) -> None:
    """Refuse sizes and rates that no model can be built from.

    Args:
        config: a dataclass whose `int` fields are sizes and whose `float` fields are not negative.
        rates: how the names of its dropout rates end.

    Raises:
        ValueError: a size below 1, a negative number, a rate outside [0, 1).
    """
    for field in fields(config):
        value = getattr(config, field.name)
        if field.type is int and not (isinstance(value, int) and value >= 1):
            raise ValueError(f"{field.name} must be an integer of at least 1, not {value!r}")
        if field.type is float and not (isinstance(value, int | float) and value >= 0):
            raise ValueError(f"{field.name} must be a number that is not negative, not {value!r}")
        if field.name.endswith(rates) and not 0 <= value < 1:
            raise ValueError(f"{field.name} must lie in [0, 1), not {value}")
