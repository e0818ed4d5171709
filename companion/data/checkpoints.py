"""What training left behind and ships with the course: models, and logs of longer runs."""

from pathlib import Path

from companion.data.text import ASSETS

CHECKPOINTS, LOGS = ASSETS / "checkpoints", ASSETS / "logs"


def checkpoint(name: str) -> Path:
    """The folder of a shipped model: weights, tokenizer, the config and log of its training.

    An unknown name is a ValueError that lists the known ones.
    """
    folder = CHECKPOINTS / name
    if not (folder / "config.json").is_file():
        known = sorted(path.parent.name for path in CHECKPOINTS.glob("*/config.json"))
        raise ValueError(
            f"There is no shipped model {name!r}. Choose one of: {', '.join(known) or 'none yet'}."
        )
    return folder


def log_file(name: str) -> Path:
    """The file of a shipped log, such as "places.json" or "race/muon.csv".

    An unknown name is a ValueError that lists the known ones.
    """
    path = LOGS / name
    if not path.is_file():
        known = sorted(p.relative_to(LOGS).as_posix() for p in LOGS.rglob("*") if p.is_file())
        raise ValueError(
            f"There is no shipped log {name!r}. Choose one of: {', '.join(known) or 'none yet'}."
        )
    return path
