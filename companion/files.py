"""Files that are whole or not there, whatever happens while they are written."""

import os
import uuid
from contextlib import suppress
from pathlib import Path


def replace_file(path: Path, data: bytes) -> None:
    """Put `data` in the place of a file, at once: whoever looks sees the old or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        write_through(draft, data)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    flush_folder(path.parent)


def write_through(path: Path, data: bytes) -> None:
    """Write a new file and wait until it is on the disk."""
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def flush_folder(folder: Path) -> None:
    """Wait until the names in `folder` are on the disk, where the system can tell."""
    with suppress(OSError):  # Windows opens no folders
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
