"""What a run needs to know of its model and of its data; texts and pictures each make one."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from companion.training.loop import Objective, Watcher


@dataclass(frozen=True)
class Task:
    """A freshly drawn model and what it is trained on.

    Attributes:
        model: on the CPU; it has a `config`.
        objective: what it is asked.
        data: what is read in training, as one tensor: its hash tells one run from another.
        words: the data in words, for the first line of a run.
        watch: makes what looks at the run from outside, given the run's folder.
        save: writes the trained model, and what belongs to it, into a folder.
    """

    model: Any
    objective: Objective
    data: Tensor
    words: str
    watch: Callable[[Path], Watcher]
    save: Callable[[nn.Module, Path], None]
