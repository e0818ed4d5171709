"""The conda route asks for what pyproject.toml asks for: same packages, same lower bounds."""

import re
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ENVIRONMENT = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
CONDA_NAMES = {
    "huggingface-hub": "huggingface_hub",
    "matplotlib": "matplotlib-base",  # without Qt, which a notebook does not use
    "torch": "pytorch-cpu",
}
ONLY_ON_PYPI = ["sentencex>=1.0"]


def asked_by_pip() -> list[str]:
    return [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["test"]]


def asked_by_conda() -> list[str]:
    plain = [line for line in ENVIRONMENT["dependencies"] if isinstance(line, str)]
    return [*plain, *ONLY_ON_PYPI]


def test_same_packages_and_lower_bounds() -> None:
    wanted = set()
    for requirement in asked_by_pip():
        name, bound = re.fullmatch(r"([\w-]+)(>=[\d.]+)", requirement).groups()
        wanted.add(CONDA_NAMES.get(name, name) + bound)
    wanted |= {"python" + PROJECT["requires-python"], "pip"}
    assert set(asked_by_conda()) == wanted
    assert len(asked_by_conda()) == len(wanted), "a package is named twice"


def test_pip_installs_this_repository_and_what_conda_forge_lacks() -> None:
    (section,) = [line for line in ENVIRONMENT["dependencies"] if isinstance(line, dict)]
    assert section == {"pip": [*ONLY_ON_PYPI, "-e ."]}


def test_conda_forge_only() -> None:
    assert ENVIRONMENT["channels"] == ["conda-forge", "nodefaults"]


def test_constraints_pin_every_dependency_within_its_bound() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    pins = {name.lower().replace("_", "-"): version for name, version in pins.items()}
    for requirement in [*asked_by_pip(), *PROJECT["optional-dependencies"]["author"]]:
        name, bound = requirement.split(">=")
        assert numbers(pins[name]) >= numbers(bound), requirement
    assert "companion" not in pins
    assert not [name for name in pins if name.startswith(("nvidia-", "cuda-", "triton"))]


def numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]
