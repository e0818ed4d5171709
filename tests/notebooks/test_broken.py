"""A broken notebook fails under the command of stage 5, cell by cell and for the right reason."""

import re
import subprocess

import nbformat
import pytest
import run

NETWORK = {
    "socket.connect to '192.0.2.1'": "socket.socket().connect(('192.0.2.1', 9))",
    "socket.connect to '2001:db8::1'": "socket.socket(socket.AF_INET6).connect(('2001:db8::1', 9))",
    "socket.sendto to '192.0.2.7'": (
        "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.7', 9))"
    ),
    "socket.getaddrinfo to 'a.example.org'": "socket.getaddrinfo('a.example.org', 80)",
    "socket.gethostbyname to 'b.example.org'": "socket.gethostbyname('b.example.org')",
    # what a library does that goes on without the network
    "socket.getaddrinfo to 'c.example.org'": (
        "import urllib.request\n\ntry:\n    urllib.request.urlopen('http://c.example.org')\n"
        "except Exception:\n    pass"
    ),
}
LOOPBACK = """\
for host in ("127.0.0.1", "localhost"):
    server = socket.create_server((host, 0))
    socket.create_connection(server.getsockname(), timeout=5).close()
    server.close()
print(socket.getaddrinfo("127.1.2.3", 80)[0][4], socket.getaddrinfo("::1", 80)[0][4][0])"""


def stage_5(course, monkeypatch, seconds: int = run.CELL_SECONDS) -> subprocess.CompletedProcess:
    monkeypatch.setenv("PYTHONPATH", str(course.root))
    step = run.nbval_step(course.notebook.parent, seconds=seconds)
    result = run.run_step(step, capture_output=True, text=True)
    result.stdout = re.sub(r"\x1b\[[0-9;]*m", "", result.stdout)  # tracebacks are in colour
    return result


def failed_cells(result: subprocess.CompletedProcess) -> set[int]:
    """Numbers of the cells of 02_sum that pytest's summary lists; the status must agree."""
    found = re.findall(r"^FAILED .*02_sum\.ipynb::Cell (\d+)", result.stdout, re.M)
    assert result.returncode == int(bool(found)), result.stdout
    return set(map(int, found))


def rewrite(course, sources: dict[str, str]) -> None:
    """Replace the sources of committed cells, as an edit by hand would; new ids are appended."""
    notebook = nbformat.read(course.notebook, as_version=4)
    cells = {cell.id: cell for cell in notebook.cells}
    for name, source in sources.items():
        if name not in cells:
            cells[name] = nbformat.v4.new_code_cell(id=name)
            notebook.cells.append(cells[name])
        cells[name].source = source
    nbformat.write(notebook, course.notebook)


def test_the_unbroken_one_passes(built, monkeypatch) -> None:
    result = stage_5(built, monkeypatch)
    assert failed_cells(result) == set()
    assert "7 passed" in result.stdout


def test_a_cell_raises_and_a_compared_output_differs(built, monkeypatch) -> None:
    built.replace('"4 3\\n"', '"4 2\\n"', built.notebook)
    rewrite(built, {"02-four": "assert double(2) == 5", "02-play": "1 / 0"})
    result = stage_5(built, monkeypatch)
    assert failed_cells(result) == {0, 1, 3}
    for reason in ("AssertionError", "ZeroDivisionError", "mismatch 'stdout'"):
        assert reason in result.stdout


def test_a_cell_reaches_for_the_network(built, monkeypatch) -> None:
    cells = {f"02-net-{n}": f"import socket\n\n{code}" for n, code in enumerate(NETWORK.values())}
    rewrite(built, cells | {"02-loopback": LOOPBACK})
    result = stage_5(built, monkeypatch)
    assert failed_cells(result) == set(range(4, 4 + len(NETWORK)))  # the last cell passes
    for reason in NETWORK:
        assert f"NetworkBlockedError: {reason}" in result.stdout


def test_a_swallowed_or_threaded_attempt_fails_all_the_same(built, monkeypatch, capsys) -> None:
    swallowed = (
        "import socket\n\ntry:\n    socket.getaddrinfo('d.example.org', 80)\n"
        "except BaseException:\n    pass"
    )
    threaded = (
        "import sys\nimport threading\n\nthreading.excepthook = lambda _: None\n"
        "thread = threading.Thread(target=lambda: socket.getaddrinfo('e.example.org', 80))\n"
        "thread.start()\nthread.join()"
    )
    rewrite(built, {"02-swallowed": swallowed, "02-threaded": threaded})
    result = stage_5(built, monkeypatch)
    assert "9 passed" in result.stdout
    assert result.returncode == 1
    said = capsys.readouterr().out
    assert "'d.example.org'" in said
    assert "'e.example.org'" in said


def test_the_kernel_dies(built, monkeypatch) -> None:
    rewrite(built, {"02-four": "import os\n\nos._exit(1)"})
    result = stage_5(built, monkeypatch, seconds=3)  # with 120 this test would wait 125 s
    assert 1 in failed_cells(result)


def test_no_notebook_at_all(tmp_path) -> None:
    assert run.run_step(run.nbval_step(tmp_path), capture_output=True).returncode != 0


@pytest.mark.parametrize(
    ("folder", "expected"), [("notebooks", ""), ("solutions", "pass"), ("exercises", "not_started")]
)
def test_what_the_checks_must_say(folder, expected, tmp_path, monkeypatch) -> None:
    for name in ("notebooks", "solutions", "exercises"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(run, "ROOT", tmp_path)
    steps = {step.command[3]: step.environment for step in run.stages()[5][1]}
    assert steps[str(tmp_path / folder)].get("COMPANION_EXPECT", "") == expected
    assert all(step["PYTHONPATH"].split(":")[0] == str(run.KERNEL) for step in steps.values())
