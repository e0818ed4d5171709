"""The checks on committed notebooks find what they are for."""

import nbformat
import pytest
from nbformat import v4

from authoring.build import load
from authoring.checks import problems_of
from authoring.links import broken_links
from authoring.prose import lesson_problems, paragraphs, sentences, words


@pytest.fixture
def page(built):
    lesson = load("02_sum", built.root)
    return lesson, nbformat.read(built.notebook, as_version=4)


def cell(notebook, name: str):
    return next(cell for cell in notebook.cells if cell.id == f"02-{name}")


def test_a_good_lesson_has_no_problem(page, built) -> None:
    lesson, notebook = page
    assert lesson_problems(lesson, notebook) == []
    assert problems_of(notebook, (str(built.root),)) == []
    assert broken_links(built.notebook) == []
    assert broken_links(built.notebook.with_name("appendix_claims.ipynb")) == []


def test_a_figure_without_alternative_text(page) -> None:
    _, notebook = page
    output = cell(notebook, "figures").outputs[1]
    output.data["text/html"] = output.data["text/html"].replace("alt=", "title=")
    assert any("alternative text ''" in line for line in problems_of(notebook))
    del output.data["text/html"]
    assert problems_of(notebook) == [
        "cell 02-figures: a figure without alternative text: end the cell in show(fig, alt=...)"
    ]


def test_an_image_in_prose_without_alternative_text(page) -> None:
    _, notebook = page
    cell(notebook, "pictures").source += "\n\n![](sun.png)"
    assert problems_of(notebook) == [
        "cell 02-pictures: alternative text '': say what the picture shows, 20 characters or more"
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda nb: nb.metadata.update(widgets={}), "state of widgets"),
        (lambda nb: cell(nb, "four").update(execution_count=None), "was never run"),
        (lambda nb: cell(nb, "sum").update(outputs=[]), "shows nothing"),
        (lambda nb: cell(nb, "play").update(outputs=[]), "says nothing where widgets"),
        (lambda nb: cell(nb, "sum").metadata.update(execution={}), "keeps times"),
        (
            lambda nb: cell(nb, "sum").outputs.append(v4.new_output("stream", text="/home/a/b")),
            "a path of this machine",
        ),
        (
            lambda nb: cell(nb, "sum").outputs.append(v4.new_output("error", ename="E", evalue="")),
            "raised E",
        ),
        (
            lambda nb: (
                cell(nb, "play")
                .outputs[0]
                .data.update({"application/vnd.jupyter.widget-view+json": {}})
            ),
            "keeps a widget",
        ),
        (
            lambda nb: cell(nb, "play").outputs[0].data.update({"image/svg+xml": "<svg/>"}),
            "shows image/svg+xml",
        ),
    ],
)
def test_outputs(page, change, message: str) -> None:
    _, notebook = page
    change(notebook)
    assert any(message in line for line in problems_of(notebook))


LONG = "This " + "very " * 23 + "long sentence."  # 26 words


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n\n".join(f"## Part {n}" for n in range(6)), "7 sections"),
        ("Words of prose. " * 850, "words of prose"),
        (LONG, "a sentence of 26 words"),
        (f"- {LONG}", "a sentence of 26 words"),
        ("As the blog post says, it is so.", "mentions 'the blog'"),
        ("As claims.toml says, it is so.", "mentions 'claims.toml'"),
        ("The source documents differ.", "mentions 'source document'"),
        ("The textbook chapter says so.", "mentions 'textbook chapter'"),
    ],
)
def test_prose(page, text: str, message: str) -> None:
    lesson, notebook = page
    cell(notebook, "pictures").source += f"\n\n{text}\n"
    assert any(message in line for line in lesson_problems(lesson, notebook))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda nb: cell(nb, "four").metadata.update(tags=[]), "0 claim cells"),
        (lambda nb: nb.cells.extend([cell(nb, "four")] * 5), "6 claim cells"),
        (lambda nb: nb.cells.extend([cell(nb, "four")] * 22), "26 code cells"),
        (lambda nb: cell(nb, "play").metadata.update(tags=[]), "0 playground cells"),
        (lambda nb: cell(nb, "sum").metadata.update(tags=[]), "0 compared cells"),
        (lambda nb: cell(nb, "figures").outputs.pop(), "2 figures"),
        (lambda nb: nb.cells.pop(), "the last markdown cell does not print the idea"),
        (lambda nb: cell(nb, "start").update(source="# A"), "the first markdown cell does not"),
    ],
)
def test_parts(page, change, message: str) -> None:
    lesson, notebook = page
    change(notebook)
    assert any(message in line for line in lesson_problems(lesson, notebook))


def test_sentences() -> None:
    text = (
        "# A heading\nOne line\ngoes on. Of e.g. Devlin et al. (2018), see Fig. 2! Is `a. B` one?"
        "\n\n| a table | 1. 2. 3. |\n\n- an item\n  that goes on\n- [a link. Here](b.md) ends.\n"
        "\n```\ncode. Code.\n```\n> Quoted $x. Y$ text. **Bold.** End.\n<!-- no. No. -->"
    )
    found = [sentence for block in paragraphs(text) for sentence in sentences(block)]
    assert found == [
        "A heading",
        "One line goes on.",
        "Of e.g. Devlin et al. (2018), see Fig. 2!",
        "Is code one?",
        "an item that goes on",
        "a link.",
        "Here ends.",
        "Quoted formula text.",
        "**Bold.",
        "End.",
    ]
    assert len(words("two words – and | * 3")) == 4


def test_links(tmp_path) -> None:
    notebook = v4.new_notebook(
        cells=[
            v4.new_markdown_cell("# My Title", id="02-a"),
            v4.new_markdown_cell(
                "[1](#My-Title) [2](#cell-id=02-a) [3](b.md#the-end) [4](https://a.org) [5](b.md) "
                "![a](b.md) `[no](none.md)`\n\n```\n[no](none.md)\n```\n",
                id="02-b",
            ),
        ]
    )
    path = tmp_path / "a.ipynb"
    nbformat.write(notebook, path)
    (tmp_path / "b.md").write_text("# Start\n\n## The end!\n\n[back](a.ipynb#cell-id=02-b)\n")
    assert broken_links(path) == []
    assert broken_links(tmp_path / "b.md") == []
    for link in ("c.md", "#my-title", "#cell-id=02-c", "b.md#begin", "/b.md", "b%20c.md"):
        notebook.cells[1].source = f"[a]({link})"
        nbformat.write(notebook, path)
        assert [link in line for line in broken_links(path)] == [True]
    notebook.cells[1].source = '<img src="d.png" alt="x"> and <a href="e.md">there</a>'
    nbformat.write(notebook, path)
    assert len(broken_links(path)) == 2
