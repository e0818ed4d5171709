"""claims.toml: every claim of a finished chapter is there, and its cell exists."""

from pathlib import Path

import nbformat

from authoring.appendix import CLAIMS_IN_ALL, read_claims
from authoring.build import ROOT, sources
from authoring.stale import notebook_path

# Chapter -> the claims that its lesson, its exercises or its quiz treat.
CHAPTERS = {
    "00b": "",
    "01": "11 13 16 12 14 15 33 34",
    "02": "10 17 18 19 20 39 93 23 49 132",
    "03": "29 26 28 30",
    "04": "41 43 80 115 38 40 82 83 85 86",
    "05": "50 56 59 60 61 65 68 110 112 54 55 57 58 69 134 135",
    "06": "3 21 76 109 131 22 75 130 136 147",
    "07": "4 37 44 145 45",
    "08": "138 140 142 146 148 72 139 141 143 144 149 150",
    "09": "101 102 103 104 105 116 117 118",
    "10": "73 119 155",
}
# These stand in the appendix alone, once the whole course is there.
APPENDIX_ONLY = (
    "1 2 5 6 7 8 9 24 25 27 31 32 35 36 42 46 47 48 51 52 53 62 63 64 66 67 70 71 74 77 78 79 81 "
    "84 87 88 89 90 91 92 94 95 96 97 98 99 100 106 107 108 111 113 114 120 121 122 123 124 125 "
    "126 127 128 129 133 137 151 152 153 154 156"
)


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


def chapters_of(root: Path) -> set[str]:
    """A chapter is finished when its lesson has a source."""
    lessons = {name for name in sources(root) if not name.startswith("extra/")}
    return {name.split("_")[0] for name in lessons} - {"appendix"}


def claim_problems(root: Path) -> list[str]:
    """Claims that a finished chapter lacks, and claims whose chapter or cell does not exist."""
    claims = read_claims(root / "authoring/claims.toml")
    found = {claim.number for claim in claims}
    finished = chapters_of(root)
    due = {number: chapter for chapter in finished for number in numbers(CHAPTERS.get(chapter, ""))}
    if finished >= set(CHAPTERS):
        due |= dict.fromkeys(numbers(APPENDIX_ONLY), "appendix")
    problems = [
        f"claim {number} of chapter {chapter} is not in claims.toml"
        for number, chapter in sorted(due.items())
        if number not in found
    ]
    cells = {
        cell.id
        for name in sources(root)
        if notebook_path(name, root).is_file()
        for cell in nbformat.read(notebook_path(name, root), as_version=4).cells
    }
    for claim in claims:
        place = f"claim {claim.number}"
        if claim.number in numbers(CHAPTERS.get(claim.chapter, "")):
            if not claim.cell:
                problems.append(f"{place}: no cell, but chapter {claim.chapter} treats it")
        elif claim.number not in numbers(APPENDIX_ONLY):
            problems.append(f"{place}: belongs to another chapter than {claim.chapter}")
        if claim.cell and claim.cell not in cells:
            problems.append(f"{place}: no notebook has a cell {claim.cell}")
    return problems


def test_every_claim_has_one_place() -> None:
    placed = numbers(" ".join([*CHAPTERS.values(), APPENDIX_ONLY]))
    assert sorted(placed) == list(range(1, CLAIMS_IN_ALL + 1))
    assert len(numbers(APPENDIX_ONLY)) == 70


def test_claims_of_finished_chapters() -> None:
    assert chapters_of(ROOT), "authoring/lessons holds no lesson: there is nothing to claim"
    problems = claim_problems(ROOT)
    assert not problems, "\n".join(problems)


def test_claim_problems(built) -> None:
    problems = claim_problems(built.root)
    missing = set(numbers(CHAPTERS["02"])) - {17}
    assert problems == [
        f"claim {number} of chapter 02 is not in claims.toml" for number in sorted(missing)
    ]
    claims = built.root / "authoring/claims.toml"
    built.replace('cell = "02-sum"', 'cell = "02-some"', claims)
    assert "claim 17: no notebook has a cell 02-some" in claim_problems(built.root)
    built.replace('cell = "02-some"', 'cell = ""', claims)
    assert "claim 17: no cell, but chapter 02 treats it" in claim_problems(built.root)
    built.replace("number = 17", "number = 29", claims)
    assert "claim 29: belongs to another chapter than 02" in claim_problems(built.root)
    assert "claim 17 of chapter 02 is not in claims.toml" in claim_problems(built.root)
