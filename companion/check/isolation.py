"""Whatever a learner's function does, the session is afterwards as it was before."""

import io
import os
import random
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout

import numpy as np
import torch

MAX_PRINTED = 2000  # characters of the learner's own printing that a result keeps


class Clipped(io.TextIOBase):
    """A stream that keeps its beginning: a function that prints 10 MB fills no memory."""

    def __init__(self) -> None:
        self.kept, self.length = "", 0

    def writable(self) -> bool:
        """It takes whatever is written."""
        return True

    def write(self, text: str) -> int:
        """Keep what fits, count the rest."""
        self.kept += text[: max(0, MAX_PRINTED - len(self.kept))]
        self.length += len(text)
        return len(text)

    def text(self) -> str:
        """What was kept, and how much was not."""
        if self.length <= MAX_PRINTED:
            return self.kept.rstrip("\n")
        rest = self.length - len(self.kept)
        return f"{self.kept}\n… and {rest:,} characters more"


@contextmanager
def untouched() -> Iterator[Clipped]:
    """Random states, defaults, threads, warnings and folder come back; printing is caught."""
    folder = os.getcwd()
    python_state, numpy_state = random.getstate(), np.random.get_state()  # noqa: NPY002
    dtype, device, threads = (
        torch.get_default_dtype(),
        torch.get_default_device(),
        torch.get_num_threads(),
    )
    gradients = torch.is_grad_enabled()
    deterministic = torch.are_deterministic_algorithms_enabled()
    warn_only = torch.is_deterministic_algorithms_warn_only_enabled()
    printed = Clipped()
    try:
        with (
            torch.random.fork_rng(),
            warnings.catch_warnings(),
            redirect_stdout(printed),
            redirect_stderr(printed),
        ):
            warnings.simplefilter("ignore")
            torch.set_default_dtype(torch.float32)
            torch.set_default_device("cpu")
            torch.set_grad_enabled(True)
            yield printed
    finally:
        os.chdir(folder)
        random.setstate(python_state)
        np.random.set_state(numpy_state)  # noqa: NPY002
        torch.set_default_dtype(dtype)
        torch.set_default_device(None if device.type == "cpu" else device)
        torch.set_num_threads(threads)
        torch.set_grad_enabled(gradients)
        torch.use_deterministic_algorithms(deterministic, warn_only=warn_only)


def seed_everything(seed: int) -> None:
    """Every global random source: a function that takes a generator must not notice."""
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    torch.manual_seed(seed)
