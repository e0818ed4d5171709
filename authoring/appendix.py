"""Make the appendix "What the sources say, and what is so" from claims.toml.

Each [[claim]] of that file holds: `number`; `source`, "A" or "B"; `place` in it; `says`, in our
own words; `verdict`; `so`, what is so in one to three sentences; `evidence`, a paper with its
arXiv id or what was measured; `chapter`, "02"; `cell`, the id of the lesson cell that shows or
says it, "" for a claim that stands in the appendix alone.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from authoring.source import BuildError, Cell, Lesson

NAME = "appendix_claims"
TITLE = "What the sources say, and what is so"
IDEA = "A claim is worth as much as the evidence beside it."
CLAIMS_IN_ALL = 156
FIELDS = ("source", "place", "says", "verdict", "so", "evidence", "chapter", "cell")
SOURCES = {
    "A": "a bilingual textbook chapter on BERT and MAE",
    "B": "a blog post of February 2025 on masked prediction, with PyTorch and TensorFlow code",
}
VERDICTS = {
    "true": "agrees with the primary source, or with what we measured",
    "imprecise": "right at its core, but a condition is missing, a unit is wrong, or it says more "
    "than is known",
    "wrong": "contradicted by the primary source, or by running it",
    "unverifiable": "no source was found, or it is an opinion",
}


@dataclass(frozen=True)
class Claim:
    """One statement of a source, with our verdict."""

    number: int
    source: str
    place: str
    says: str
    verdict: str
    so: str
    evidence: str
    chapter: str
    cell: str


def read_claims(path: Path) -> list[Claim]:
    """Claims in order of number; a BuildError lists what is wrong with the file."""
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8")).get("claim", [])
    except tomllib.TOMLDecodeError as error:
        raise BuildError([f"{path.name}: {error}"]) from error
    problems = []
    for place, entry in enumerate(entries, 1):
        label = f"{path.name}: claim {entry.get('number', f'at place {place}')}"
        if set(entry) != {"number", *FIELDS}:
            problems.append(f"{label}: its fields are number, {', '.join(FIELDS)}; check the names")
            continue
        if not isinstance(entry["number"], int) or not 1 <= entry["number"] <= CLAIMS_IN_ALL:
            problems.append(f"{label}: number is an integer from 1 to {CLAIMS_IN_ALL}")
        if any(not isinstance(entry[name], str) for name in FIELDS):
            problems.append(f"{label}: every field but number is text in quotes")
        elif any(not entry[name].strip() for name in FIELDS if name != "cell"):
            problems.append(f"{label}: an empty field; only cell may be empty")
        if entry["source"] not in SOURCES:
            problems.append(f"{label}: source {entry['source']!r} is not one of A, B")
        if entry["verdict"] not in VERDICTS:
            problems.append(f"{label}: verdict {entry['verdict']!r}: use {', '.join(VERDICTS)}")
    numbers = [entry.get("number") for entry in entries]
    problems += [
        f"{path.name}: claim {number} stands {numbers.count(number)} times: keep one"
        for number in sorted({n for n in numbers if isinstance(n, int) and numbers.count(n) > 1})
    ]
    if problems:
        raise BuildError(problems)
    return sorted((Claim(**entry) for entry in entries), key=lambda claim: claim.number)


def read_appendix(path: Path, root: Path) -> Lesson:
    """The appendix as a lesson: prose, the claims as data, a tally, then chapter by chapter."""
    claims = read_claims(path)
    chapters = sorted({claim.chapter for claim in claims})
    cells = [
        Cell("markdown", _about(), "about"),
        Cell("code", _data(claims), "claims-as-data"),
        Cell("code", TALLY, "tally", ("nbval-check-output",)),
        Cell("code", CONSISTENT, "each-claim-once", ("claim",)),
    ]
    for chapter in chapters:
        text = _chapter(chapter, [claim for claim in claims if claim.chapter == chapter], root)
        cells.append(Cell("markdown", text, f"chapter-{chapter}"))
    cells.append(Cell("markdown", f"## What to take with you\n\n{IDEA}", "idea"))
    origin = path.relative_to(root).as_posix()
    return Lesson(NAME, "appendix", origin, TITLE, IDEA, 5.0, tuple(cells))


def _about() -> str:
    sources = "\n".join(f"- **Source {key}** is {text}." for key, text in SOURCES.items())
    verdicts = "\n".join(f"| {verdict} | {text} |" for verdict, text in VERDICTS.items())
    return f"""\
# {TITLE}

{IDEA}

Two texts treat the subject of this course. Here their statements stand beside what is so:
what the paper says, what the released code does, or what a run on a small machine shows.
Check us in turn: each verdict names its evidence.

{sources}

Both are useful to read, and most of what they say is right at its core. The statements stand here
in our words.

| verdict | what it means |
|---|---|
{verdicts}

"Evidence" names a paper with its arXiv id, or says what we measured."""


def _data(claims: list[Claim]) -> str:
    rows = "\n".join(
        f'    ({claim.number}, "{claim.source}", "{claim.chapter}", "{claim.verdict}"),'
        for claim in claims
    )
    return f"# number, source, chapter, verdict\nclaims = [\n{rows}\n]"


TALLY = f"""\
from collections import Counter

verdicts = {list(VERDICTS)}
print(f"{{'verdict':<14}}{{'A':>4}}{{'B':>4}}{{'both':>6}}")
for verdict in verdicts:
    by_source = Counter(source for _, source, _, given in claims if given == verdict)
    both = sum(by_source.values())
    print(f"{{verdict:<14}}{{by_source['A']:>4}}{{by_source['B']:>4}}{{both:>6}}")
print(f"{{len(claims)}} of the {CLAIMS_IN_ALL} statements belong to chapters that are finished.")"""

CONSISTENT = """\
numbers = [number for number, *_ in claims]
assert len(numbers) == len(set(numbers))
assert all(verdict in verdicts for *_, verdict in claims)"""


def _chapter(chapter: str, claims: list[Claim], root: Path) -> str:
    return "\n\n".join([f"## Chapter {chapter}", *(_claim(claim, root) for claim in claims)])


def _claim(claim: Claim, root: Path) -> str:
    lines = [
        f"### Claim {claim.number}: {claim.verdict}",
        f"**Source {claim.source}, {claim.place}, says:** {claim.says}",
        f"**What is so:** {claim.so}",
        f"**Evidence:** {claim.evidence}",
    ]
    is_extra = claim.cell.startswith(f"{claim.chapter}-extra-")
    folder = "extra/" if is_extra else ""
    lesson = next((root / f"authoring/lessons/{folder}").glob(f"{claim.chapter}_*.py"), None)
    if claim.cell and lesson:
        place = "an extra to" if is_extra else "the lesson of"
        link = f"{folder}{lesson.stem}.ipynb#cell-id={claim.cell}"
        lines.append(f"[See it in {place} chapter {claim.chapter}]({link})")
    return "\n\n".join(lines)
