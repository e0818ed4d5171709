"""A course of one tiny lesson, in a temporary folder, for the tests of the build."""

import shutil
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # `authoring` is no installed package

PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5Erk"
    "Jggg=="
)
LESSON = f"""\
# ---
# title: A small sum
# idea: Two and two are four.
# seconds: 15
# ---

# %% [markdown] id="start"
# # A small sum
#
# Two and two are four. See [the sum](#cell-id=02-sum).
#
# ```python
# # include: companion.tiny.double
# ```

# %% id="sum" tags=["nbval-check-output"]
from companion.tiny import double, words

print(double(2), len(words()))

# %% id="four" tags=["claim"]
assert double(2) == 4

# %% [markdown] id="pictures"
# ## Three pictures

# %% id="figures"
from IPython.display import display

png = "{PNG}"
for colour in ("red", "green", "blue"):
    alt = f"A square that is filled with {{colour}}."
    html = f'<img alt="{{alt}}" src="data:image/png;base64,{{png}}">'
    display({{"text/html": html, "image/png": png}}, raw=True)

# %% id="play" tags=["playground"]
import ipywidgets as W


class Play(W.IntSlider):
    def _repr_mimebundle_(self, **kwargs):
        picture = html.replace("A square", "A playground") + '<p role="status">Play.</p>'
        return {{**super()._repr_mimebundle_(**kwargs), "text/html": picture}}


display(W.IntSlider())  # without a picture of its own, as a progress bar
Play()

# %% [markdown] id="end"
# Two and two are four.
"""
TINY = '''\
"""Something to include, import and open."""

from pathlib import Path


def double(x: int) -> int:
    """Twice x."""
    return 2 * x


def words() -> list[str]:
    """The words that ship."""
    return (Path(__file__).parent / "data/assets/words.txt").read_text().split()
'''
CLAIM = """\
[[claim]]
number = 17
source = "A"
place = "section 1"
says = "Two and two are five."
verdict = "wrong"
so = "They are four."
evidence = "Counted."
chapter = "02"
cell = "02-sum"
"""


class Course:
    """A repository with one lesson; `build` runs the build's own command on it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.lesson = root / "authoring/lessons/02_sum.py"
        self.notebook = root / "notebooks/02_sum.ipynb"
        self.module = root / "companion/tiny.py"
        self.asset = root / "companion/data/assets/words.txt"

    def write(self) -> None:
        files = {
            self.lesson: LESSON,
            self.module: TINY,
            self.asset: "one two three",
            self.root / "companion/__init__.py": "",
            self.root / "authoring/claims.toml": CLAIM,
        }
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def replace(self, old: str, new: str, path: Path | None = None) -> None:
        path = path or self.lesson
        text = path.read_text()
        assert old in text, f"{old!r} is not in {path.name}"
        path.write_text(text.replace(old, new))

    def build(self, *arguments: str) -> int:
        from authoring.build import main

        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PYTHONPATH", str(self.root))  # its own companion, not ours
            return main(list(arguments), self.root)


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """Sources alone: nothing is built yet."""
    made = Course(tmp_path.resolve())
    made.write()
    return made


@pytest.fixture(scope="session")
def _built_once(tmp_path_factory: pytest.TempPathFactory) -> Course:
    made = Course(tmp_path_factory.mktemp("course").resolve())
    made.write()
    assert made.build() == 0
    return made


@pytest.fixture
def built(_built_once: Course, tmp_path: Path) -> Course:
    """A copy of the course with its notebooks executed, to break as a test likes."""
    shutil.copytree(_built_once.root, tmp_path, dirs_exist_ok=True)
    return Course(tmp_path.resolve())
