"""The files of a Hugging Face folder: found, read whole or refused, written whole or not at all."""

import glob
import json
import os
import re
import uuid
from collections.abc import Mapping
from pathlib import Path

import safetensors.torch
import torch
from torch import Tensor

from companion.files import flush_folder, write_through

WHOLE, INDEX, PICKLED = "model.safetensors", "model.safetensors.index.json", "pytorch_model.bin"


def find_folder(folder_or_repo_id: str | os.PathLike[str]) -> Path:
    """The folder itself, or a local copy of the hub's repository of that name."""
    folder = Path(folder_or_repo_id)
    if folder.is_dir():
        return folder
    if not isinstance(folder_or_repo_id, str) or not re.fullmatch(
        r"\w[\w.-]*(/\w[\w.-]*)?", folder_or_repo_id
    ):
        raise FileNotFoundError(f"there is no folder {folder}")

    import huggingface_hub  # here, for it is slow to import and seldom needed

    try:
        # Many repositories hold the same weights in both formats: the second only where needed.
        for weights in ([WHOLE, INDEX, "model-*-of-*.safetensors"], [PICKLED]):
            folder = Path(
                huggingface_hub.snapshot_download(
                    folder_or_repo_id, allow_patterns=["config.json", *weights]
                )
            )
            if (folder / WHOLE).exists() or (folder / INDEX).exists():
                break
    except Exception as error:  # offline, unknown, private, not a valid id: each has its own class
        raise OSError(
            f"{folder_or_repo_id!r} is not a folder here, and as a repository of the hub it could "
            f"not be fetched ({type(error).__name__}): check the spelling and the connection"
        ) from error
    return folder


def read_weights(folder: Path) -> dict[str, Tensor]:
    """All weights of `folder` by the name they have there, on the CPU."""
    if (folder / WHOLE).is_file():
        return read_file(folder / WHOLE)
    if (folder / INDEX).is_file():
        try:
            index = json.loads((folder / INDEX).read_text(encoding="utf-8"))
            shards = set(index["weight_map"].values())
            if not all(isinstance(shard, str) for shard in shards):
                raise TypeError(f"weight_map names {shards}")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{folder / INDEX} is not an index of weights: {error!r}") from error
        return {k: v for shard in sorted(shards) for k, v in read_file(folder / shard).items()}
    if (folder / PICKLED).is_file():
        return read_file(folder / PICKLED)
    raise FileNotFoundError(f"{folder} has no weights: none of {WHOLE}, {INDEX}, {PICKLED}")


def read_file(path: Path) -> dict[str, Tensor]:
    """The tensors of one file; a pickle is read without running anything that stands in it."""
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing, though the index lists it")
    try:
        if path.suffix == ".safetensors":
            weights = safetensors.torch.load_file(path)
        else:
            weights = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:  # each format and each kind of damage has its own class
        raise ValueError(f"{path} is truncated or not a file of weights: {error}") from error
    if not isinstance(weights, dict) or not all(isinstance(v, Tensor) for v in weights.values()):
        raise ValueError(f"{path} does not hold tensors by name")
    return weights


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write `files`, the last of them config.json, so that old and new ones are never mixed."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in files:  # drafts of a killed save
        for draft in folder.glob(f".{glob.escape(name)}.{'[0-9a-f]' * 32}"):
            draft.unlink(missing_ok=True)
    written = {folder / f".{name}.{uuid.uuid4().hex}": folder / name for name in files}
    try:
        for temporary, path in written.items():
            write_through(temporary, files[path.name])
        (folder / "config.json").unlink(missing_ok=True)  # from here the folder is not whole ...
        for temporary, path in written.items():
            temporary.replace(path)  # ... until config.json is in its place again
        flush_folder(folder)
    finally:
        for temporary in written:
            temporary.unlink(missing_ok=True)
