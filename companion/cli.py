"""The command `companion`. Heavy imports stay inside the functions that need them."""

import argparse
import json
import os
import secrets
import signal
import socket
import sys
import warnings
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from companion.files import replace_file

FIRST_PORT = 8888
# JupyterLab asks a fresh profile whether to fetch news; this answers no before it asks.
OVERRIDES = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}


class CommandError(Exception):
    """What went wrong and what to do, in one sentence for the learner."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="companion", description="The library behind the course Fill in the Blank."
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    command = commands.add_parser("lab", help="open the course in JupyterLab")
    command.add_argument("--no-browser", action="store_true", help="only print the address")
    command.add_argument("--port", type=int, help="the port to use (default: one that is free)")
    command.set_defaults(run=lambda options: lab(options.port, not options.no_browser))
    command = commands.add_parser("progress", help="show which exercises are solved")
    command.set_defaults(run=lambda options: progress())
    command = commands.add_parser("pretrain", help="train a model from a config file")
    command.add_argument("--config", type=Path, required=True, help="a file of configs/")
    command.add_argument("--out", type=Path, help="the run's folder (default: runs/NAME)")
    command.add_argument(
        "--data", type=Path, help="your own: a text, a folder of .txt, or of pictures"
    )
    command.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    command.add_argument("--fsdp", action="store_true", help="under torchrun: shares, not copies")
    command.set_defaults(run=pretrain)
    command = commands.add_parser("evaluate", help="examine a model")
    command.add_argument("model", help="a shipped model by name, or a run's folder")
    command.set_defaults(run=lambda options: evaluate(options.model))
    options = parser.parse_args(arguments)
    try:
        options.run(options)
    except CommandError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def lab(port: int | None = None, browser: bool = True) -> None:
    """Serve the course in JupyterLab, on this computer alone, until Ctrl-C."""
    if port is not None:
        check_port(port)
    root = course_folder()
    copy_exercises(root)
    page = first_page(root)
    environment = Path(sys.prefix)
    write_overrides(environment / "share" / "jupyter" / "lab" / "settings" / "overrides.json")
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # this environment's kernel, not the home folder's
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    warnings.simplefilter("ignore")  # from the server's own libraries; kernels keep theirs

    from jupyterlab.labapp import LabApp  # type: ignore[import-untyped]

    token = secrets.token_hex(24)
    opens = browser and can_open_browser()
    settings: dict[str, Any] = {
        "Application.log_level": "ERROR",
        "IdentityProvider.token": token,
        "KernelManager.transport_encryption": "auto",  # else each kernel warns of plain TCP
        "LabApp.default_url": page,
        "ServerApp.allow_root": hasattr(os, "geteuid") and os.geteuid() == 0,
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.open_browser": opens,
        "ServerApp.port": FIRST_PORT if port is None else port,
        "ServerApp.port_retries": 50 if port is None else 0,
        "ServerApp.root_dir": str(root),
        # A browser in a sandbox (snap, flatpak) may not read the file that would keep the token off
        # its command line. The price: other users of a shared machine can see it there.
        "ServerApp.use_redirect_file": False,
    }
    server = LabApp.initialize_server([f"--{name}={value}" for name, value in settings.items()])

    def stop(*_: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a second Ctrl-C does not wait
        end_kernels(server)
        server.stop(from_signal=True)

    signal.signal(signal.SIGINT, stop)  # instead of Jupyter's question
    signal.signal(signal.SIGTERM, stop)
    address = f"{server.connection_url.rstrip('/')}{page}?token={token}"
    print(f"JupyterLab {'opens in your browser' if opens else 'is ready'}: {address}")
    print("Keep this window open while you learn. To stop: Ctrl-C here.", flush=True)
    server.start()
    print("\nJupyterLab has stopped.")


def copy_exercises(root: Path) -> None:
    """Give the learner copies of the exercises; without them the course can still be read."""
    from companion.workspace import announcement, prepare

    try:
        lines = announcement(prepare(root))
    except OSError as error:
        lines = [f"The exercises could not be copied ({error}): work in a folder of your own."]
    for line in lines:
        print(line)


def progress() -> None:
    """Print every exercise with its last verdict in my_work."""
    from companion.check.library import exercise, exercise_ids
    from companion.check.records import Progress, table
    from companion.workspace import FOLDER

    folder = Path.cwd() if Path.cwd().name == FOLDER else course_folder() / FOLDER
    found = Progress(folder if folder.is_dir() else None)
    print(table(found, [exercise(name) for name in exercise_ids()]))
    if found.note:
        print(found.note)


def pretrain(options: argparse.Namespace) -> None:
    """Train from a config file; what comes after the last checkpoint is lost when it is stopped."""
    from companion.training import pretrain as train

    config, out, data = options.config, options.out, options.data
    folder = Path("runs") / config.stem if out is None else out
    try:
        train(config, folder, resume=options.resume, data=data, fsdp=options.fsdp)
    except (OSError, ValueError, FloatingPointError) as error:
        raise CommandError(str(error)) from error
    except KeyboardInterrupt:
        if (folder / "training.toml").exists():
            print(f"\nStopped. To go on from the last checkpoint in {folder}: the same, --resume")
        raise


def evaluate(name_or_folder: str) -> None:
    """Print the figures of a model's card, beside those of ways that need no network."""
    from companion.data import checkpoint
    from companion.training.exam import examine

    try:
        folder = Path(name_or_folder)
        found = examine(folder.resolve() if folder.is_dir() else checkpoint(name_or_folder))
    except (OSError, ValueError) as error:
        raise CommandError(str(error)) from error
    print(found)


def end_kernels(server: Any) -> None:
    """End every kernel at once: asked politely, a busy one prints its last errors here."""
    kernels = server.kernel_manager
    for kernel_id in kernels.list_kernel_ids():
        provisioner = kernels.get_kernel(kernel_id).provisioner
        with suppress(AttributeError, OSError, TypeError):  # it has ended already
            if hasattr(os, "killpg"):
                os.killpg(provisioner.pgid, signal.SIGKILL)
            else:
                os.kill(provisioner.pid, signal.SIGTERM)


def course_folder() -> Path:
    """Return the folder that holds the notebooks: the repository, else where we are."""
    repository = Path(__file__).resolve().parents[1]
    return repository if (repository / "notebooks").is_dir() else Path.cwd()


def first_page(root: Path) -> str:
    """Return JupyterLab's path of the notebook to begin with, or of the folder without any."""
    notebooks = sorted((root / "notebooks").glob("*.ipynb"))
    start = root / "notebooks" / "00_start_here.ipynb"
    chosen = start if start in notebooks else next(iter(notebooks), None)
    return f"/lab/tree/{quote(chosen.relative_to(root).as_posix())}" if chosen else "/lab"


def check_port(port: int) -> None:
    """Refuse a port that cannot be used, before Jupyter starts."""
    try:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or "ports go from 0 to 65535"
        raise CommandError(
            f"Port {port} cannot be used ({reason}): take another, or leave out --port."
        ) from error


def can_open_browser() -> bool:
    """Whether a graphical browser can open here: one in the terminal would take it over."""
    graphical = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    with suppress(webbrowser.Error):
        return graphical and webbrowser.get() is not None
    return False


def write_overrides(path: Path) -> None:
    """Add our settings to JupyterLab's defaults; what stands there already stays."""
    with suppress(OSError, ValueError):  # read-only or not JSON: a question more, nothing worse
        found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        merged = {**found, **{key: {**OVERRIDES[key], **found.get(key, {})} for key in OVERRIDES}}
        if merged == found:
            return
        replace_file(path, (json.dumps(merged, indent=2) + "\n").encode())


if __name__ == "__main__":
    sys.exit(main())
