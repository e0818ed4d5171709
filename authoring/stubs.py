"""From one source two notebooks: the solution as written, and the exercise with its stubs.

In a cell tagged `exercise`, markers on lines of their own enclose what learners are to write:

    # --- solution
    return ids.masked_fill(~selected, -100)
    # --- given
    # return ids
    # --- end

The solution keeps the first part. The exercise gets the second one, comment signs taken off, or
`raise NotImplementedError` where there is none. A Markdown cell that begins with `# exercise: 2.1`
gets the exercise's title, kind, level, minutes and place from companion/check/exercises/.
"""

import ast
import json
import re
from dataclasses import replace
from pathlib import Path

from authoring.source import BuildError, Cell, Lesson, read_lesson
from companion.check.library import UnknownExerciseError, chapter_of, exercise, exercise_ids

STUBS = Path("companion/check/stubs.json")
MARKER = re.compile(r"( *)# --- (solution|given|end)\s*$")
HEADING = re.compile(r"# exercise: (\S+)$", re.M)
NOTHING = "raise NotImplementedError  # your code"


def read_exercises(path: Path, root: Path) -> tuple[Lesson, Lesson]:
    """The exercise and the solution that a source makes; BuildError says what is wrong with it."""
    lesson = read_lesson(path, root)
    problems: list[str] = []
    handed_out, solved = [], []
    for cell in lesson.cells:
        try:
            if cell.kind == "markdown":
                cell = replace(cell, source=HEADING.sub(_heading, cell.source))
            stub, solution = split(cell)
            handed_out.append(stub)
            solved.append(solution)
        except (ValueError, UnknownExerciseError) as error:
            problems.append(f"{lesson.where(cell)}: {error}")
    problems = problems or exercise_problems(lesson, tuple(handed_out), tuple(solved))
    if problems:
        raise BuildError(problems)
    common = {"chapter": f"{lesson.chapter}-ex"}
    return (
        replace(lesson, name=f"exercises/{lesson.name}", cells=tuple(handed_out), **common),
        replace(lesson, name=f"solutions/{lesson.name}", cells=tuple(solved), **common),
    )


def _heading(found: re.Match[str]) -> str:
    one = exercise(found[1])
    return f"## {one.id} {one.title}\n\n{one.heading}"


def split(cell: Cell) -> tuple[Cell, Cell]:
    """A cell as it is handed out, and as it is solved; ValueError where markers do not balance."""
    stub: list[str] = []
    solution: list[str] = []
    part, indent, given = "", "", 0
    for number, line in enumerate(cell.source.split("\n"), 1):
        marker = MARKER.match(line)
        if marker is None:
            if part == "":
                stub.append(line)
            if part in ("", "solution"):
                solution.append(line)
            if part == "given":
                if not line.startswith(f"{indent}# "):
                    raise ValueError(f"line {number} of a given part is no comment: {line!r}")
                stub.append(indent + line[len(indent) + 2 :])
                given += 1
            continue
        before = {"solution": "", "given": "solution", "end": part or "a solution"}[marker[2]]
        if part != before:
            raise ValueError(f"line {number}: '# --- {marker[2]}' after {part or 'no marker'!r}")
        if marker[2] == "end" and not given:
            stub.append(indent + NOTHING)
        part, indent, given = ("", "", 0) if marker[2] == "end" else (marker[2], marker[1], given)
    if part:
        raise ValueError(f"'# --- {part}' is never closed by '# --- end'")
    if stub == solution and "exercise" in cell.tags:
        raise ValueError("tagged exercise, but there is no '# --- solution' in it")
    if stub != solution and "exercise" not in cell.tags:
        raise ValueError("has markers: tag it exercise")
    return replace(cell, source="\n".join(stub)), replace(cell, source="\n".join(solution))


def exercise_problems(
    lesson: Lesson, handed_out: tuple[Cell, ...], solved: tuple[Cell, ...]
) -> list[str]:
    """Where a source and the checks of its chapter disagree."""
    chapter = chapter_of(lesson.chapter)
    known = {one: exercise(one) for one in exercise_ids() if one.split(".")[0] == chapter}
    tasks = [one for cell in solved for one in re.findall(r"^## (\S+\.\d+) ", cell.source, re.M)]
    checks = {cell.source: cell.slug for cell in solved if "check" in cell.tags}
    answers = {cell.slug: cell for cell in handed_out if "exercise" in cell.tags}
    problems = []
    if tasks != list(known):
        problems.append(f"{lesson.origin}: tasks {tasks}, but checks for {list(known)}")
    for id_, one in known.items():
        number = id_.split(".")[1]
        if checks.get(f'check("{id_}")') != f"check-{number}":
            problems.append(f'{lesson.origin}: no cell id="check-{number}" with check("{id_}")')
        cell = answers.get(number)
        if cell is None or set(_defined(cell.source)) != set(one.names):
            problems.append(f'{lesson.origin}: no cell id="{number}" that defines {one.names}')
    names = {name for one in known.values() for name in one.names}
    problems += [
        f"{lesson.where(cell)}: uses {name}, which the learner writes: one unsolved exercise would "
        "block another"
        for cell in solved
        if cell.kind == "code" and "exercise" not in cell.tags
        for name in sorted(names & _used(cell.source))
    ]
    return problems


def _defined(source: str) -> list[str]:
    """Functions and variables that a cell makes at its top level."""
    found = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            found.append(node.name)
        elif isinstance(node, ast.Assign):
            found += [target.id for target in node.targets if isinstance(target, ast.Name)]
    return found


def _used(source: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}


def stub_cells(lesson: Lesson) -> dict[str, str]:
    """Exercise id -> the cell as handed out, of the exercise side of a source."""
    chapter = chapter_of(lesson.chapter.removesuffix("-ex"))
    return {
        f"{chapter}.{cell.slug}": cell.source for cell in lesson.cells if "exercise" in cell.tags
    }


def stubs_text(lessons: list[Lesson]) -> str:
    """The file that tells the checks what was handed out."""
    cells = {id_: source for lesson in lessons for id_, source in stub_cells(lesson).items()}
    return json.dumps(cells, indent=1, ensure_ascii=False) + "\n"
