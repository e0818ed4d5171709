"""Trained models that ship with the course, as Hugging Face folders."""

from pathlib import Path

from companion.data.text import ASSETS

CHECKPOINTS = ASSETS / "checkpoints"


def checkpoint(name: str) -> Path:
    """The folder of a shipped model: weights, tokenizer, the config and log of its training."""
    folder = CHECKPOINTS / name
    if not (folder / "config.json").is_file():
        known = sorted(path.parent.name for path in CHECKPOINTS.glob("*/config.json"))
        raise ValueError(
            f"There is no shipped model {name!r}. Choose one of: {', '.join(known) or 'none yet'}."
        )
    return folder
