"""A run's state as a folder that is whole or not there, without pickle.

A checkpoint is written under a temporary name, flushed to the disk and renamed: whoever kills the
run at any moment finds the one before. State is in safetensors, and facts are in JSON.
"""

import hashlib
import json
import re
import shutil
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import safetensors.torch
from torch import Tensor

from companion.files import flush_folder, write_through

STATE, FACTS, FORMAT = "state.safetensors", "checkpoint.json", 2
KEPT = 2  # the newest, and one before it in case that one is damaged


def save_checkpoint(
    folder: Path, step: int, state: Mapping[str, Tensor], facts: Mapping[str, Any]
) -> Path:
    """Write `folder`/step-00001000 and delete all but the newest two."""
    final = folder / f"step-{step:08d}"
    if final.exists():
        return final
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in state.items()}
    data = safetensors.torch.save(tensors)
    about = {"format": FORMAT, "sha256": hashlib.sha256(data).hexdigest(), "step": step, **facts}
    with temporary_folder(folder) as draft:
        write_through(draft / STATE, data)
        write_through(draft / FACTS, (json.dumps(about, indent=2) + "\n").encode())
        flush_folder(draft)
        draft.rename(final)  # one step: from nothing to all of it
    flush_folder(folder)
    for old in whole_checkpoints(folder)[:-KEPT]:
        doomed = folder / f".{old.name}.{uuid.uuid4().hex}"
        old.rename(doomed)  # first its name: half deleted, it must not look whole
        shutil.rmtree(doomed)
    return final


def whole_checkpoints(folder: Path) -> list[Path]:
    """The checkpoints of a run, oldest first; drafts of an interrupted one are not among them."""
    found = folder.iterdir() if folder.is_dir() else []
    return sorted(path for path in found if re.fullmatch(r"step-\d{8}", path.name))


def load_checkpoint(
    path: Path, *, facts: Sequence[str] = ()
) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """State and facts of one checkpoint.

    Args:
        facts: names that must be among its facts.

    Raises:
        ValueError: truncated, changed, or not a checkpoint of this program.
    """
    try:
        found = json.loads((path / FACTS).read_text(encoding="utf-8"))
        data = (path / STATE).read_bytes()
        if found["format"] != FORMAT:
            raise ValueError(f"its format is {found['format']}, and this program knows {FORMAT}")
        if hashlib.sha256(data).hexdigest() != found["sha256"]:
            raise ValueError(f"{STATE} is not what was written: truncated or changed")
        if missing := [name for name in ("step", *facts) if name not in found]:
            raise ValueError(f"{FACTS} lacks {', '.join(missing)}")
        return safetensors.torch.load(data), found
    except (OSError, ValueError, KeyError, TypeError, safetensors.SafetensorError) as error:
        raise ValueError(
            f"{path} is not a whole checkpoint ({error}). Delete it, and the run goes on from the "
            "one before, or from its start."
        ) from error


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """An empty folder in `parent` that is gone afterwards, unless it was renamed.

    Drafts of killed runs go with it: the caller must be the only run at work in `parent`.
    """
    parent.mkdir(parents=True, exist_ok=True)
    for left_over in parent.glob(".*"):
        shutil.rmtree(left_over, ignore_errors=True)
    draft = parent / f".{uuid.uuid4().hex}"
    draft.mkdir()
    try:
        yield draft
    finally:
        shutil.rmtree(draft, ignore_errors=True)
