"""What the build refuses in a source, and that each message names the place and the remedy."""

import pytest

from authoring.build import load
from authoring.source import BuildError

CODE = "# %%\n{}\n"
MARKDOWN = "# %% [markdown]\n{}\n"
DEFINED = "# %%\ndef f():\n    return 1\n\n# %%\ndef f():\n    return 2\n"

REFUSED = {
    "semicolon": (CODE.format("x = 1;"), "ends in ';'"),
    "semicolon before a comment": (CODE.format("x = 1;  # why"), "ends in ';'"),
    "input": (CODE.format('name = input("who?")'), "uses input"),
    "magic through python": (CODE.format('get_ipython().system("ls")'), "uses get_ipython"),
    "line magic": (CODE.format("%matplotlib inline"), "shell or line magic"),
    "cell magic": (CODE.format("%%time\nx = 1"), "shell or line magic"),
    "shell": (CODE.format("!pip list"), "shell or line magic"),
    "shell into a name": (CODE.format("files = !ls"), "shell or line magic"),
    "help": (CODE.format("print?"), "shell or line magic"),
    "not python": (CODE.format("x = = 1"), "is not Python"),
    "home": (CODE.format('open("/home/ada/words.txt")'), "absolute path"),
    "folder": (CODE.format('open("/data2/words.txt")'), "absolute path"),
    "tilde": (CODE.format('open("~/words.txt")'), "absolute path"),
    "path in prose": (MARKDOWN.format("# Look into /home/ada/words.txt."), "absolute path"),
    "function twice": (DEFINED, "f is defined already"),
    "class twice": (DEFINED.replace("def f():", "class f:"), "f is defined already"),
    "remote image": (
        MARKDOWN.format("# ![A picture of the sun in the sky](https://a.org/sun.png)"),
        "loads from elsewhere",
    ),
    "remote img": (
        MARKDOWN.format('# <img alt="A picture of the sun" src="http://a.org/sun.png">'),
        "loads from elsewhere",
    ),
    "remote img in code": (
        CODE.format("x = '<img src=\"//a.org/b.png\">'"),
        "loads from elsewhere",
    ),
    "style": (MARKDOWN.format('# <link rel="stylesheet" href="a.css">'), "loads from elsewhere"),
    "import of a style": (
        MARKDOWN.format("# <style>@import url(a.css)</style>"),
        "loads from elsewhere",
    ),
    "image without a text": (MARKDOWN.format("# ![](sun.png)"), "alternative text"),
    "img without a text": (MARKDOWN.format('# <img src="sun.png">'), "alternative text"),
    "image that says little": (MARKDOWN.format("# ![sun](sun.png)"), "alternative text"),
    "duplicate id": (CODE.replace("# %%", '# %% id="sum"').format("x = 1"), "stands 2 times"),
    "id": (CODE.replace("# %%", '# %% id="My Cell"').format("x = 1"), "lower-case words"),
    "unknown include": (CODE.format("# include: companion.tiny.treble"), "does not define treble"),
    "unknown module": (CODE.format("# include: companion.huge.double"), "does not define huge"),
    "include of others": (CODE.format("# include: os.path.join"), "no such module"),
    "include of a module": (CODE.format("# include: companion.tiny"), "a whole module"),
    "include in prose": (MARKDOWN.format("# # include: companion.tiny.double"), "fenced block"),
    "include, indented": (
        CODE.format("if 1:\n  # include: companion.tiny.double"),
        "left margin",
    ),
    "open fence": (MARKDOWN.format("# ```python\n# x = 1"), "never closed"),
    "tag": (CODE.replace("# %%", '# %% tags=["nbval-skip"]').format("x = 1"), "unknown tag"),
    "tag on prose": (
        MARKDOWN.replace("]", '] tags=["claim"]').format("# It is so."),
        "nothing on a markdown cell",
    ),
    "marker comment": (CODE.format("# NBVAL_SKIP\nx = 1"), "by tag"),
    "claim, no assert": (
        CODE.replace("# %%", '# %% tags=["claim"]').format("x = 1"),
        "asserts",
    ),
    "marker field": (CODE.replace("# %%", '# %% tag="claim"').format("x = 1"), "id= and tags="),
    "raw cell": ("# %% [raw]\n# x\n", "a raw cell"),
    "empty cell": ("# %%\n\n# %% [markdown]\n# Text.\n", "empty code cell"),
}


@pytest.mark.parametrize(("cells", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(course, cells: str, message: str) -> None:
    course.lesson.write_text(course.lesson.read_text() + "\n" + cells)
    with pytest.raises(BuildError) as caught:
        load("02_sum", course.root)
    text = str(caught.value)
    assert message in text
    assert "authoring/lessons/02_sum.py:" in text
    first_line = course.lesson.read_text().split("\n").index(cells.split("\n")[0]) + 1
    later = range(first_line, first_line + 10)
    assert any(f"02_sum.py:{line}" in text for line in later) or "stands 2 times" in text


ACCEPTED = {
    "semicolon inside": CODE.format('x = 1; y = ";"'),
    "percent on a line of its own": CODE.format("x = (\n    7\n    % 3\n)"),
    "a comment that looks like a command": CODE.format("# cat sat; ls\n# %time\nx = 1"),
    "a slash": CODE.format('print(f"{1}/{2} and/or 3/4", "/", "/ 255")'),
    "web address": CODE.format('x = "https://arxiv.org/abs/1810.04805"'),
    "a picture as code": MARKDOWN.format("# ```\n# ![](x.png)\n# ```"),
    "a tilde fence in backticks": MARKDOWN.format("# ````\n# ```\n# ````"),
    "a method": CODE.format("class A:\n    def f(self): ...\n\n    def g(self): ..."),
}


@pytest.mark.parametrize("cells", ACCEPTED.values(), ids=ACCEPTED)
def test_accepted(course, cells: str) -> None:
    course.lesson.write_text(course.lesson.read_text() + "\n" + cells)
    assert load("02_sum", course.root).cells[-1].source


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("# title: A small sum", "# titel: A small sum", "title is None"),
        ("# idea: Two and two are four.\n", "", "idea is None"),
        ("# seconds: 15", "# seconds: quick", "seconds is 'quick'"),
        ("# # A small sum", "# # Another title", "starts with the header's title"),
        ('# %% [markdown] id="start"\n', "", "a marker of its own"),
        ("# ---\n# title", "# title", "without a header"),
        ('tags=["claim"]', 'tags="claim"', "markers look like"),
    ],
)
def test_header(course, old: str, new: str, message: str) -> None:
    course.replace(old, new)
    with pytest.raises(BuildError, match=message):
        load("02_sum", course.root)


def test_file_name(course) -> None:
    course.lesson.rename(course.lesson.with_name("Two.py"))
    with pytest.raises(BuildError, match="NN_topic"):
        load("Two", course.root)


def test_every_problem_is_listed_at_once(course) -> None:
    course.lesson.write_text(course.lesson.read_text() + "\n# %%\nx = 1;\n\n# %%\ny = 2;\n")
    with pytest.raises(BuildError) as caught:
        load("02_sum", course.root)
    assert len(caught.value.problems) == 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('verdict = "wrong"', 'verdict = "false"', "verdict 'false'"),
        ('source = "A"', 'source = "C"', "source 'C'"),
        ("number = 17", "number = 157", "from 1 to 156"),
        ('evidence = "Counted."', 'evidence = ""', "an empty field"),
        ('evidence = "Counted."', 'proof = "Counted."', "check the names"),
        ("number = 17", "number = ", "claims.toml"),
    ],
)
def test_claims_file(course, old: str, new: str, message: str) -> None:
    course.replace(old, new, course.root / "authoring/claims.toml")
    with pytest.raises(BuildError, match=message):
        load("appendix_claims", course.root)


def test_claim_twice(course) -> None:
    path = course.root / "authoring/claims.toml"
    path.write_text(path.read_text() * 2)
    with pytest.raises(BuildError, match="claim 17 stands 2 times"):
        load("appendix_claims", course.root)
