"""`companion lab` starts the real server as a learner would: a fresh home folder, no browser."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import websocket

from companion import cli

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)(/lab\S*)\?token=(\w+)")
EMPTY = {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


class Server:
    """One running `companion lab` and what it printed."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.output = folder / "terminal.txt"
        hidden = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER", "PYTHONWARNINGS")
        inherited = {
            name: value
            for name, value in os.environ.items()
            if name not in hidden and not name.startswith(("JUPYTER", "XDG"))
        }
        with self.output.open("w") as terminal:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "companion.cli", "lab", *arguments],
                env=inherited | {"HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=terminal,
                stderr=subprocess.STDOUT,
            )
        self.port, self.page, self.token = self.wait_for_address()

    def wait_for_address(self) -> tuple[int, str, str]:
        end = time.monotonic() + 40
        while time.monotonic() < end and self.process.poll() is None:
            if found := ADDRESS.search(self.text()):
                return int(found[1]), found[2], found[3]
            time.sleep(0.05)
        self.process.kill()
        pytest.fail(f"no address after 40 s:\n{self.text()}")

    def text(self) -> str:
        return self.output.read_text()

    def ask(self, path: str, token: str = "", data: bytes | None = None) -> tuple[int, bytes]:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data)
        if token:
            request.add_header("Authorization", f"token {token}")
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, b""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("home"))
    yield server
    server.process.kill()
    server.process.wait()


def test_token_is_required(server: Server) -> None:
    assert server.ask("/api/contents")[0] == 403
    assert server.ask("/api/contents", "wrong")[0] == 403
    assert server.ask("/api/contents", server.token)[0] == 200


def test_the_printed_address_opens_the_course(server: Server) -> None:
    status, page = server.ask(f"{server.page}?token={server.token}")
    assert status == 200
    assert b"JupyterLab" in page
    root = cli.course_folder()
    listed = json.loads(server.ask("/api/contents", server.token)[1])["content"]
    assert "companion" in {entry["name"] for entry in listed}, f"root is not {root}"
    assert server.page == cli.first_page(root)


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="reads Linux's list of sockets")
def test_only_this_computer_can_connect(server: Server) -> None:
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    rows += [line.split() for line in Path("/proc/net/tcp6").read_text().splitlines()[1:]]
    listening = [row[1] for row in rows if row[3] == "0A"]
    ours = [place for place in listening if place.endswith(f":{server.port:04X}")]
    assert ours == [f"0100007F:{server.port:04X}"]  # 127.0.0.1


def test_no_prompt_for_news(server: Server) -> None:
    found = json.loads(server.ask("/lab/api/settings/", server.token)[1])["settings"]
    plugin = "@jupyterlab/apputils-extension:notification"
    (entry,) = [entry for entry in found if entry["id"] == plugin]
    assert entry["schema"]["properties"]["fetchNews"]["default"] == "false"


def test_a_kernel_computes_the_terminal_stays_clean_and_ctrl_c_stops(server: Server) -> None:
    assert run_in_a_kernel(server, "import sys; print(6 * 7, sys.prefix)") == f"42 {sys.prefix}\n"
    server.process.send_signal(signal.SIGINT)
    assert server.process.wait(timeout=10) == 0
    lines = [line for line in server.text().splitlines() if line]
    if "my_work/" in lines[0]:  # the first time, and after a change of the exercises
        lines = lines[1:]
    assert len(lines) == 3, lines
    assert ADDRESS.search(lines[0])
    assert "Ctrl-C" in lines[1]
    assert "stopped" in lines[2]


def run_in_a_kernel(server: Server, code: str) -> str:
    """Do what JupyterLab's page does: start a kernel, send a cell, wait for what it prints."""
    status, answer = server.ask("/api/kernels", server.token, b'{"name": "python3"}')
    assert status == 201
    place = f"ws://127.0.0.1:{server.port}/api/kernels/{json.loads(answer)['id']}/channels"
    connection = websocket.create_connection(f"{place}?token={server.token}", timeout=30)
    header = {"msg_id": "1", "msg_type": "execute_request", "session": "1", "version": "5.3"}
    cell = {"code": code, "silent": False, "user_expressions": {}, "allow_stdin": False}
    message = {"header": header, "parent_header": {}, "metadata": {}, "content": cell}
    connection.send(json.dumps(message | {"channel": "shell"}))
    with contextlib.closing(connection):
        while True:
            received = json.loads(connection.recv())
            if received["header"]["msg_type"] == "stream":
                return received["content"]["text"]


def test_a_taken_port_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert cli.main(["lab", "--port", str(port)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert str(port) in line
    assert "take another" in line
    assert cli.main(["lab", "--port", "70000"]) == 1
    assert "65535" in capsys.readouterr().err


def test_settings_are_merged_and_a_learners_choice_stays(tmp_path: Path) -> None:
    path = tmp_path / "settings" / "overrides.json"
    cli.write_overrides(path)
    assert json.loads(path.read_text()) == cli.OVERRIDES
    (plugin,) = cli.OVERRIDES
    own = {plugin: {"fetchNews": "true", "doNotDisturbMode": True}, "other": {"a": 1}}
    path.write_text(json.dumps(own))
    cli.write_overrides(path)
    assert json.loads(path.read_text()) == own
    del own[plugin]["fetchNews"]
    path.write_text(json.dumps(own))
    cli.write_overrides(path)
    assert json.loads(path.read_text()) == {
        plugin: {"fetchNews": "false", "doNotDisturbMode": True},
        "other": {"a": 1},
    }
    path.write_text("not JSON")
    cli.write_overrides(path)
    assert path.read_text() == "not JSON"
    assert [file.name for file in path.parent.iterdir()] == ["overrides.json"]


def test_first_page(tmp_path: Path) -> None:
    assert cli.first_page(tmp_path) == "/lab"
    for name in ("02_later", "01 first", "00_start_here"):
        (tmp_path / "notebooks").mkdir(exist_ok=True)
        (tmp_path / "notebooks" / f"{name}.ipynb").write_text(json.dumps(EMPTY))
        expected = {"02_later": "02_later", "01 first": "01%20first"}.get(name, name)
        assert cli.first_page(tmp_path) == f"/lab/tree/notebooks/{expected}.ipynb"


@pytest.mark.parametrize("name", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_a_browser_in_the_terminal_is_never_opened(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(cli.webbrowser, "get", lambda: object())
    monkeypatch.setattr(cli.sys, "platform", "linux")
    for variable in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(variable, raising=False)
    assert not cli.can_open_browser()
    monkeypatch.setenv(name, ":0")
    assert cli.can_open_browser()


def test_importing_the_command_imports_nothing_heavy() -> None:
    code = (
        "import sys, companion.cli;"
        "print([m for m in ('torch', 'numpy', 'jupyterlab', 'tornado') if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"
