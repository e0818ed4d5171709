"""Building executes: what a run must not do, and what is left when it does."""

import json
import os

import nbformat
import pytest

FORBIDDEN = {
    "raises": ("1 / 0", "ZeroDivisionError"),
    "warns": ("import warnings\n\nwarnings.warn('old')", "wrote to stderr"),
    "dies": ("import os\n\nos._exit(1)", "DeadKernelError"),
    "connects": ("import socket\n\nsocket.create_connection(('192.0.2.1', 80))", "192.0.2.1"),
    "connects, and hides it": (
        "import urllib.request\n\ntry:\n    urllib.request.urlopen('http://example.org')\n"
        "except Exception:\n    pass",
        "example.org",
    ),
    "asks for a name": ("import socket\n\nsocket.gethostbyname('example.org')", "example.org"),
    "prints a path": ("from pathlib import Path\n\nprint(Path.cwd())", "path of this machine"),
    "shows a bare figure": ("display({'image/png': png}, raw=True)", "without alternative text"),
    "shows a dumb figure": (
        "display({'text/html': '<img alt=\"sun\" src=\"a.png\">', 'image/png': png}, raw=True)",
        "alternative text 'sun'",
    ),
    "shows a large figure": (
        "import base64, os\n\nlarge = base64.b64encode(os.urandom(150_001)).decode()\n"
        "display({'text/html': html, 'image/png': large}, raw=True)",
        "a PNG of 150,001 bytes",
    ),
    "is too large": ("print('x' * 2_000_000)", "2,000,000 are allowed"),
}


@pytest.mark.parametrize(("code", "message"), FORBIDDEN.values(), ids=FORBIDDEN)
def test_forbidden(course, capsys, code: str, message: str) -> None:
    course.replace("\nPlay()", f"\n{code}\nPlay()")
    course.notebook.parent.mkdir()
    course.notebook.write_text("the old one")
    assert course.build("02_sum") == 1
    assert message in capsys.readouterr().out
    assert course.notebook.read_text() == "the old one"
    assert os.listdir(course.notebook.parent) == ["02_sum.ipynb"]


def test_a_failing_cell_is_named_with_its_traceback(course, capsys) -> None:
    course.replace("assert double(2) == 4", "assert double(2) == 5, 'not five'")
    assert course.build("02_sum") == 1
    out = capsys.readouterr().out
    line = course.lesson.read_text().split("\n").index('# %% id="four" tags=["claim"]') + 1
    assert f"authoring/lessons/02_sum.py:{line} (cell four) did not run" in out
    assert "AssertionError: not five" in out
    assert "\x1b" not in out


def test_a_compared_cell_shows_text_and_no_figure(course, capsys) -> None:
    course.replace('id="figures"', 'id="figures" tags=["nbval-check-output"]')
    course.replace('id="four" tags=["claim"]', 'id="four" tags=["nbval-check-output"]')
    assert course.build("02_sum") == 1
    out = capsys.readouterr().out
    assert "cell 02-figures: is compared, but shows a figure" in out
    assert "cell 02-four: is compared, but shows nothing" in out


def test_budgets(course, capsys, monkeypatch) -> None:
    course.replace("# seconds: 15", "# seconds: 0.01")
    monkeypatch.setattr("authoring.execute.CELL_SECONDS", 0.001)
    assert course.build("02_sum") == 1
    out = capsys.readouterr().out
    assert "its header states 0.01" in out
    assert "(cell play) took" in out
    assert not course.notebook.exists()
    assert course.build("02_sum", "--no-budget") == 0

    course.replace("# seconds: 0.01", "# seconds: 100")
    monkeypatch.setattr("authoring.execute.LESSON_SECONDS", 0.02)
    monkeypatch.setattr("authoring.execute.CELL_SECONDS", 20)
    assert course.build("02_sum") == 1
    assert "and a lesson has 0: do less" in capsys.readouterr().out


def test_loopback_works(course) -> None:
    code = (
        "import asyncio, socket\n\n"
        "for family, host in ((socket.AF_INET, '127.0.0.1'), (socket.AF_INET, 'localhost')):\n"
        "    server = socket.create_server((host, 0))\n"
        "    with socket.create_connection((host, server.getsockname()[1]), timeout=5):\n"
        "        pass\n"
        "    server.close()\n"
        "a, b = socket.socketpair()\n"
        "print(socket.getaddrinfo('127.1.2.3', 80)[0][4], socket.getaddrinfo('::1', 80)[0][4][0])"
    )
    course.replace("\nPlay()", f"\n{code}\nPlay()")
    assert course.build("02_sum") == 0


def test_what_is_kept(built) -> None:
    notebook = nbformat.read(built.notebook, as_version=4)
    cells = {cell.id: cell for cell in notebook.cells}
    assert cells["02-sum"].outputs[0].text == "4 3\n"
    assert [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"] == [
        *range(1, 5)
    ]
    (widget,) = cells["02-play"].outputs
    assert list(widget.data) == ["text/html"]
    assert "widgets" not in notebook.metadata
    assert all(not set(cell.metadata) - {"tags"} for cell in notebook.cells)
    record = notebook.metadata.companion
    assert set(record.modules) == {"companion/__init__.py", "companion/tiny.py"}
    assert set(record.assets) == {"companion/data/assets/words.txt"}
    assert 0 < record.seconds_measured < 15
    assert json.loads(built.notebook.read_text())["metadata"]["language_info"] == {"name": "python"}


def test_files_beside_an_opened_asset_count_too(course) -> None:
    """Weights are read by native code that no hook sees; the config beside them is not."""
    course.asset = course.asset.parent / "model/config.txt"
    course.asset.parent.mkdir()
    course.asset.write_text("one")
    (course.asset.parent / "weights.bin").write_text("w")
    course.replace("assets/words.txt", "assets/model/config.txt", course.module)
    assert course.build("02_sum") == 0
    record = nbformat.read(course.notebook, as_version=4).metadata.companion
    assert {name.rsplit("/", 1)[1] for name in record.assets} == {"config.txt", "weights.bin"}


def test_a_companion_from_elsewhere_is_refused(course, capsys) -> None:
    from authoring.build import main

    course.replace("from companion.tiny import double, words", "import companion")
    course.replace("print(double(2), len(words()))", "print(4)\ndouble = len\nwords = len")
    course.replace("assert double(2) == 4", "assert 4 == 4")
    assert main(["02_sum"], course.root) == 1  # without the PYTHONPATH of `course.build`
    assert "pip install -e ." in capsys.readouterr().out


def test_the_guard_runs_the_sitecustomize_that_it_hides(course) -> None:
    other = course.root / "sitecustomize.py"  # course.build puts this folder on PYTHONPATH
    other.write_text("import builtins\nbuiltins.chained = 7\n")
    course.replace("print(double(2), len(words()))", "print(chained)")
    assert course.build("02_sum") == 0
    assert nbformat.read(course.notebook, as_version=4).cells[1].outputs[0].text == "7\n"
    other.write_text("1 / 0\n")
    course.replace("print(chained)", "print(1)")
    assert course.build("02_sum") == 0
