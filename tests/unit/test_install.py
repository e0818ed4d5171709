"""The installer, run for real on a tiny project: file indexes, a closed port, a killed pip."""

import ast
import importlib.util
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace
from urllib.parse import quote

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = (ROOT / "install.py").read_text(encoding="utf-8")
NOBODY = "http://127.0.0.1:9/simple"  # a port where nothing listens

# Makes a wheel; the tiny project's build backend uses it too, so that nothing is downloaded.
WHEEL = """
import pathlib, zipfile

def write(folder, name, version, files=None, needs=()):
    info = name + "-" + version + ".dist-info/"
    files = dict(files or {name + ".py": "version = " + repr(version)})
    lines = ["Metadata-Version: 2.1", "Name: " + name, "Version: " + version]
    lines += ["Provides-Extra: test"] + ["Requires-Dist: " + need for need in needs]
    files[info + "METADATA"] = "\\n".join(lines) + "\\n"
    files[info + "WHEEL"] = "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
    files[info + "RECORD"] = "".join(path + ",,\\n" for path in [*files, info + "RECORD"])
    wheel = name + "-" + version + "-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(folder) / wheel, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return wheel
"""
BACKEND = """
import pathlib, time, wheel_maker

def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    if pathlib.Path("slow").exists():
        pathlib.Path("slow").rename("slow-now")
        time.sleep(60)
    needs = ["tiny>=1", "torch>=2", "tinytest>=1; extra == 'test'"]
    link = {"here.pth": str(pathlib.Path.cwd())}
    return wheel_maker.write(wheel_directory, "companion", "0.1.0", link, needs)
"""
PYPROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
# "torch>=2", "torchvision>=0.3"
"""


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Tree:
    """A folder with the real install.py around a tiny package, and two package indexes."""

    def __init__(self, folder: Path) -> None:
        self.base = folder
        self.root = folder / "a course"  # paths with a space must work
        (self.root / "companion").mkdir(parents=True)
        (self.root / "companion" / "__init__.py").touch()
        files = {"install.py": SOURCE, "wheel_maker.py": WHEEL, "backend.py": BACKEND}
        files |= {
            "pyproject.toml": PYPROJECT,
            "constraints.txt": "tiny==1.0\ntorch==2.5\ntorchvision==0.5\n",
        }
        for name, text in files.items():
            (self.root / name).write_text(text)
        weights = dict([load(self.root / "install.py").REAL_WEIGHTS.split("==")])
        self.index = self.make_index(
            "index", tiny="1.0", tinytest="1.0", torch="2.5", torchvision="0.5", **weights
        )
        self.cpu_index = self.make_index("cpu", torch="2.4+cpu", torchvision="0.4+cpu")

    def make_index(self, name: str, **versions: str) -> str:
        make = load(self.root / "wheel_maker.py").write
        for package, version in versions.items():
            folder = self.base / name / package
            folder.mkdir(parents=True)
            wheel = make(folder, package.replace("-", "_"), version)
            (folder / "index.html").write_text(f'<a href="{quote(wheel)}">{wheel}</a>')
        return (self.base / name).as_uri()

    def start(self, *arguments: str, index: str | None = None) -> subprocess.Popen[str]:
        environment = {name: text for name, text in os.environ.items() if "PIP_" not in name}
        environment |= {"PIP_CONFIG_FILE": os.devnull, "PIP_RETRIES": "1"}
        environment |= {"PIP_INDEX_URL": index or self.index, "HOME": str(self.base)}
        return subprocess.Popen(
            [sys.executable, "install.py", *arguments],
            cwd=self.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments: str, index: str | None = None) -> tuple[int, str]:
        process = self.start(*arguments, index=index)
        output = process.communicate(timeout=60)[0]
        assert "Traceback" not in output
        assert "WARNING" not in output
        return process.returncode, output

    def stop_in_the_middle(self, sign: signal.Signals) -> tuple[int, str]:
        """Send a signal to installer and pip while pip builds."""
        (self.root / "slow").touch()
        process = self.start()
        end = time.monotonic() + 30
        while not (self.root / "slow-now").exists() and time.monotonic() < end:
            time.sleep(0.05)
        os.killpg(process.pid, sign)
        output = process.communicate(timeout=30)[0]
        (self.root / "slow-now").unlink()
        return process.returncode, output

    def version(self, package: str) -> str | None:
        found = list(self.root.glob(f".venv/lib/*/site-packages/{package}-*.dist-info"))
        return found[0].name.split("-")[1].removesuffix(".dist") if found else None

    def ready(self, *arguments: str) -> None:
        """Install what is not installed yet: next to nothing when an earlier test did."""
        assert self.run(*arguments)[0] == 0

    def assert_nothing_to_do(self, *arguments: str) -> None:
        """A run that needs no network, says nothing and changes no file."""
        before = self.files()
        assert self.run(*arguments, index=NOBODY) == (0, "")
        assert self.files() == before

    def files(self) -> dict[Path, int]:
        return {path: path.lstat().st_mtime_ns for path in self.root.glob(".venv/**/*")}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """One folder for the tests below; `ready` brings it to where a test begins."""
    return Tree(tmp_path_factory.mktemp("install"))


def test_the_size_is_said_before_anything_is_downloaded(tree: Tree) -> None:
    status, output = tree.run()
    assert status == 0
    assert output.index("to download, about") < output.index("Looking in indexes")
    assert (tree.version("companion"), tree.version("tiny")) == ("0.1.0", "1.0")
    assert tree.version("torch") == "2.5"
    assert tree.version("tinytest") is None
    tree.assert_nothing_to_do()


def test_without_network_one_sentence_and_what_worked_still_works(tree: Tree) -> None:
    tree.ready()
    status, output = tree.run("--test", index=NOBODY)
    assert status == 1
    sentence = output.splitlines()[-1]
    assert sentence.startswith("The package index cannot be reached (Connection refused): ")
    assert "then run the same command again" in sentence
    assert str(tree.root / ".venv" / "install.log") in sentence
    tree.assert_nothing_to_do()


def test_what_tests_need_is_added_once_and_serves_both(tree: Tree) -> None:
    tree.ready()
    status, output = tree.run("--test")
    assert status == 0
    assert "What the tests need" in output
    assert "made anew" not in output
    assert tree.version("tinytest") == "1.0"
    tree.assert_nothing_to_do("--test")
    tree.assert_nothing_to_do()


def test_ctrl_c_is_a_sentence_and_leaves_what_works(tree: Tree) -> None:
    tree.ready("--test")
    constraints = (tree.root / "constraints.txt").read_text()
    (tree.root / "constraints.txt").write_text(constraints + "# changed\n")
    status, output = tree.stop_in_the_middle(signal.SIGINT)
    assert status == 130
    assert output.endswith("Stopped before the end: run the same command again to go on.\n")
    assert "Traceback" not in output
    (tree.root / "constraints.txt").write_text(constraints)
    tree.assert_nothing_to_do()


def test_a_killed_run_is_mended_and_another_torch_index_is_obeyed_and_kept(tree: Tree) -> None:
    tree.ready("--test")
    (tree.root / "constraints.txt").open("a").write("# changed again\n")
    assert tree.stop_in_the_middle(signal.SIGKILL)[0] == -signal.SIGKILL
    status, output = tree.run("--torch-index", tree.cpu_index)
    assert status == 0
    assert "made anew" in output
    assert tree.version("torch") == "2.4+cpu"  # the newest there that pyproject.toml allows
    tree.assert_nothing_to_do()


def test_a_wrong_torch_index_is_named(tree: Tree) -> None:
    module = load(tree.root / "install.py")
    missing = "ERROR: No matching distribution found for torch<=2.5,>=2"
    for text, reason in ((missing, "has no torch<=2.5"), ("ReadTimeoutError", "be reached")):
        sentence = module.explain(text, "file:///nowhere")
        assert sentence.startswith("The package index TORCH_INDEX=file:///nowhere ")
        assert reason in sentence
        assert "check the address" in sentence


@pytest.mark.parametrize("damage", ["moved", "no interpreter", "state cut off"])
def test_a_dead_environment_is_noticed(
    tree: Tree,
    damage: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What follows is what follows a killed run, tested above."""
    tree.ready()
    module = load(tree.root / "install.py")
    if damage == "moved":
        tree.root = tree.root.rename(tree.base / "moved")
        module = load(tree.root / "install.py")
    elif damage == "no interpreter":
        (tree.root / ".venv" / "bin" / "python").rename(tree.base / "python")
    else:
        (tree.root / ".venv" / "course.json").write_text('{"root": "/')
    monkeypatch.setattr(module, "make_venv", lambda: pytest.fail("made anew"))
    with pytest.raises(pytest.fail.Exception, match="made anew"):
        module.main([])
    assert "made anew" in capsys.readouterr().out
    if damage == "moved":
        tree.root = tree.root.rename(tree.base / "a course")
    elif damage == "no interpreter":
        (tree.base / "python").rename(tree.root / ".venv" / "bin" / "python")


def test_a_small_disk_is_refused_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = Tree(tmp_path)
    module = load(tree.root / "install.py")
    monkeypatch.setattr(module.shutil, "disk_usage", lambda _: SimpleNamespace(free=0.7e9))
    assert module.main([]) == 1
    sentence = capsys.readouterr().out.splitlines()[-1]
    assert "has 700 MB free" in sentence
    assert "needs about" in sentence
    assert "GB: make room, then run the same command again." in sentence
    assert not (tree.root / ".venv").exists()


def test_a_disk_that_fills_up_midway_is_one_sentence() -> None:
    module = load(ROOT / "install.py")
    line = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"
    sentence = module.explain(line)
    assert "became full" in sentence
    assert sentence.endswith("make room, then run the same command again.")


@pytest.mark.parametrize("version", [(3, 4, 0), (3, 9, 18), (3, 10, 99)])
def test_an_old_python_gets_its_sentence(version: tuple[int, int, int]) -> None:
    module = load(ROOT / "install.py")
    name = "Python " + ".".join(map(str, version))
    with pytest.raises(module.Fault, match="needs Python 3.11 or newer, but this is " + name):
        module.check_python(version, "/usr/bin/python3")


def test_a_python_without_venv_gets_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    module = load(ROOT / "install.py")
    module.check_python((3, 11, 0), "python3")
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(module.Fault, match=r"sudo apt install python3\.12-venv"):
        module.check_python((3, 12, 1), "/usr/bin/python3.12")


@pytest.mark.parametrize(("error", "waits"), [(BlockingIOError, True), (OSError, False)])
def test_a_folder_without_locks_is_no_fault(error, waits, monkeypatch, capsys) -> None:
    """Network file systems refuse a lock; another make in the same folder is waited for."""
    module = load(ROOT / "install.py")
    asked = []

    def flock(_, how: int) -> None:
        asked.append(how)
        if len(asked) == 1:
            raise error

    monkeypatch.setattr("fcntl.flock", flock)
    module.wait_for(None)
    assert (len(asked) == 2) == waits
    assert ("waiting for it" in capsys.readouterr().out) == waits


def test_old_pythons_can_read_the_installer() -> None:
    tree = ast.parse(SOURCE, feature_version=(3, 4))
    newer = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.AsyncFunctionDef)
    assert not [node.lineno for node in ast.walk(tree) if isinstance(node, newer)]
    for node in ast.walk(tree):  # what a call or display may unpack grew in 3.5
        if isinstance(node, ast.Dict):
            assert None not in node.keys
        if isinstance(node, ast.Call):
            assert sum(isinstance(argument, ast.Starred) for argument in node.args) < 2


def test_the_installer_needs_only_the_standard_library() -> None:
    modules = {
        alias.name
        for node in ast.walk(ast.parse(SOURCE))
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert modules <= set(sys.stdlib_module_names)
