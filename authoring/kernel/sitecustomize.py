"""What every kernel of the build and of the notebook tests starts with: no network.

`authoring/execute.py` and `tests/run.py` put this folder first on the kernel's PYTHONPATH.
Patching in the parent process would block nothing, because a kernel is a process of its own;
an audit hook here sees every connection that Python code of that process tries to make.

With COMPANION_REFUSALS set to a file, each refusal is also written there: code that swallows the
error, or runs in a thread, is found by whoever reads the file. What a child program other than
Python does is not seen.

With COMPANION_RECORD_ASSETS set to a folder, `opened_assets` collects the files below it that
are opened through Python (the build stores their hashes).
"""

import importlib.machinery
import importlib.util
import ipaddress
import os
import socket
import sys

opened_assets: set[str] = set()


class NetworkBlockedError(BaseException):
    """Raised where a lesson reaches for the network; no `except Exception` swallows it."""


def _is_loopback(host: object) -> bool:
    """True for this machine's own loopback addresses, and for 'no host named at all'."""
    if isinstance(host, bytes | bytearray):
        host = bytes(host).decode("ascii", "replace")
    if host is None or host in ("", "localhost", "localhost."):
        return True
    try:
        address = ipaddress.ip_address(str(host))
    except ValueError:
        return False  # a name: looking it up is a question to the network
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def _host_of_address(args: tuple) -> object:
    """The host in the arguments (socket, address) of a connecting event."""
    connection, address = args[0], args[-1]
    if connection.family == getattr(socket, "AF_UNIX", None) or address is None:
        return None
    return address[0] if isinstance(address, tuple) and address else address


# Audit event -> which host it is about.
_HOST_OF = {
    "socket.connect": _host_of_address,
    "socket.sendto": _host_of_address,
    "socket.sendmsg": _host_of_address,
    "socket.getaddrinfo": lambda args: args[0],
    "socket.gethostbyname": lambda args: args[0],
    "socket.gethostbyaddr": lambda args: args[0],
    "socket.getnameinfo": lambda args: args[0][0],
}


def _refuse_network(event: str, args: tuple) -> None:
    host_of = _HOST_OF.get(event)
    if host_of is None:
        return
    host = host_of(args)
    if not _is_loopback(host):
        if path := os.environ.get("COMPANION_REFUSALS"):
            with open(path, "a", encoding="utf-8") as file:
                file.write(f"{event} to {host!r}\n")
        raise NetworkBlockedError(
            f"{event} to {host!r}: notebooks of this course run offline; "
            "use what companion.data ships (loopback alone is allowed)"
        )


def _recorder(folder: str):
    prefix = os.path.join(os.path.realpath(folder), "")

    def record(event: str, args: tuple) -> None:
        if event == "open" and isinstance(args[0], str | bytes | os.PathLike):
            path = os.path.abspath(os.fsdecode(args[0]))
            if path.startswith(prefix):
                opened_assets.add(path)

    return record


def _run_the_next_sitecustomize() -> None:
    """Run the sitecustomize that this one hides, if the environment has one."""
    here = os.path.dirname(os.path.abspath(__file__))
    others = [folder for folder in sys.path if os.path.abspath(folder or ".") != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        try:
            spec.loader.exec_module(importlib.util.module_from_spec(spec))
        except Exception as error:  # as Python's own `site` does: report it and go on
            print(f"sitecustomize of {spec.origin}: {error!r}", file=sys.stderr)


sys.addaudithook(_refuse_network)
if os.environ.get("COMPANION_RECORD_ASSETS"):
    sys.addaudithook(_recorder(os.environ["COMPANION_RECORD_ASSETS"]))
_run_the_next_sitecustomize()
