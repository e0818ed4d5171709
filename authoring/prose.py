"""How a lesson reads: the limits on its prose and its parts, a message for each that is passed."""

import re

from nbformat import NotebookNode

from authoring.include import split_fences
from authoring.source import Lesson

MAX_SECTIONS = 6
MAX_CODE_CELLS = 25
MAX_WORDS = 2500
MAX_SENTENCE = 25
MAX_CLAIMS = 5
MIN_FIGURES = 3

# A lesson teaches the subject; what the two texts behind it say belongs in the appendix.
UNMENTIONED = re.compile(
    r"source document|blog post|\bthe blog\b|textbook chapter|claims\.toml|appendix_claims"
    r"|\bsource [AB]\b|\bclaim \d+\b",
    re.I,
)
TABLE_ROW = re.compile(r"\s*\|")
LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
BLOCK_MARK = re.compile(r"\s*(?:>\s*)+|\s*#{1,6}\s+")
# Dots that end no sentence.
ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|et al|etc|vs|cf|ca|Fig|Eq|Sec|No|Dr|Mr|Mrs|St)\.")
SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)*_]*\s+(?=[\"'“‘(*_\[]*[A-Z0-9\[])")


def paragraphs(markdown: str) -> list[str]:
    """Running text: paragraphs, list items and headings; no code, tables, images, comments."""
    text = "\n".join("" if fenced else line for line, fenced in split_fences(markdown))
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"\$\$.+?\$\$", "\n\n", text, flags=re.S)
    blocks = [""]
    for line in text.split("\n"):
        if TABLE_ROW.match(line) or not line.strip():
            blocks.append("")
        elif re.match(r"\s*#{1,6}\s", line):
            blocks += [BLOCK_MARK.sub("", line), ""]
        elif item := LIST_ITEM.match(line):
            blocks.append(line[item.end() :])
        else:
            blocks[-1] += " " + BLOCK_MARK.sub("", line)
    return [plain for block in blocks if (plain := _plain(block))]


def _plain(text: str) -> str:
    """What a reader reads of a line: a formula, a piece of code or a link's text is one thing."""
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"(`+).+?\1", "code", text)
    text = re.sub(r"\$[^$]+\$", "formula", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<[^>]+>", "", text)
    return " ".join(text.split())


def sentences(paragraph: str) -> list[str]:
    """Split where a sentence ends and the next one begins with a capital, a digit or a bracket."""
    hidden = ABBREVIATION.sub(lambda match: match[0].replace(".", "\0"), paragraph)
    return [part.replace("\0", ".") for part in SENTENCE_END.split(hidden) if part.strip()]


def words(text: str) -> list[str]:
    """What counts as a word: anything with a letter or a digit in it."""
    return [word for word in text.split() if re.search(r"\w", word)]


def prose_problems(notebook: NotebookNode) -> list[str]:
    """Sentences that are too long, and mentions of what belongs in the appendix."""
    markdown = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    long = [
        f"a sentence of {len(words(sentence))} words, {MAX_SENTENCE} at most: {sentence}"
        for text in markdown
        for block in paragraphs(text)
        for sentence in sentences(block)
        if len(words(sentence)) > MAX_SENTENCE
    ]
    return long + [
        f"cell {cell.id} mentions {hit.group()!r}: teach the subject, leave that to the appendix"
        for cell in notebook.cells
        if (hit := UNMENTIONED.search(cell.source))
    ]


def lesson_problems(lesson: Lesson, notebook: NotebookNode) -> list[str]:
    """Every rule of COURSE that a built lesson breaks."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    markdown = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    blocks = [block for text in markdown for block in paragraphs(text)]
    tags = [tag for cell in code for tag in cell.metadata.get("tags", [])]
    headings = [
        line
        for text in markdown
        for line, fenced in split_fences(text)
        if line.startswith("## ") and not fenced
    ]
    figures = sum("image/png" in output.get("data", {}) for cell in code for output in cell.outputs)
    at_least = 0 if lesson.name.startswith("extra/") else 1
    counts = [
        ("sections (##)", len(headings), 1, MAX_SECTIONS),
        ("code cells", len(code), 1, MAX_CODE_CELLS),
        ("words of prose", sum(len(words(block)) for block in blocks), 1, MAX_WORDS),
        ("claim cells", tags.count("claim"), at_least, MAX_CLAIMS),
        (
            "compared cells (nbval-check-output)",
            tags.count("nbval-check-output"),
            at_least,
            len(code),
        ),
        ("playground cells", tags.count("playground"), at_least, len(code)),
        ("figures", figures, MIN_FIGURES * at_least, MAX_CODE_CELLS),
    ]
    problems = [
        f"{count} {what}; a lesson has {low} to {high}"
        for what, count, low, high in counts
        if not low <= count <= high
    ]
    problems += prose_problems(notebook)
    for place, text in (("first", markdown[0]), ("last", markdown[-1])):
        if lesson.idea not in " ".join(re.sub(r"^\s*>", "", text, flags=re.M).split()):
            problems.append(f"the {place} markdown cell does not print the idea: {lesson.idea}")
    return problems
