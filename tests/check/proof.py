"""The proof of one exercise's check: what it accepts, what it refuses, and by which property."""

import ast
import hashlib
import json
import re
import tomllib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from catalogue import answer_file, answers, names_for
from mutants import Mutant, mutants

from authoring.build import ROOT, sources
from authoring.stubs import read_exercises
from companion.check.call import BorrowedError, Budget, Call, LearnerError, StoppedError
from companion.check.exercise import Exercise
from companion.check.isolation import untouched
from companion.check.judge import judge
from companion.check.library import chapter_of, exercise, exercise_ids
from companion.check.source import IMPORTS, code_of

HERE = Path(__file__).parent
TABLE = HERE / "kills.json"
EQUIVALENT = HERE / "equivalent.toml"
MUTANT_SECONDS = 2.0  # an endless mutant is stopped after this
ANSWER_SEEDS, QUICK_SEEDS, ALL_SEEDS = 2, 20, 500


@dataclass
class Proof:
    """What was found; empty lists are what one wants."""

    exercise: str
    right: int = 0
    wrong: int = 0
    mutants: int = 0
    equivalent: int = 0
    seeds: int = 0
    refused: list[str] = field(default_factory=list)  # right answers that did not pass
    accepted: list[str] = field(default_factory=list)  # wrong ones that passed
    misnamed: list[str] = field(default_factory=list)  # refused by another property than said
    alive: list[str] = field(default_factory=list)  # mutants that passed and are not listed
    false_failures: list[str] = field(default_factory=list)
    never_alone: list[str] = field(default_factory=list)  # properties that alone caught nothing
    hash: str = ""

    def problems(self) -> list[str]:
        """One line for each thing that must not be."""
        kinds = ("refused", "accepted", "misnamed", "alive", "false_failures")
        return [f"{self.exercise} {kind}: {one}" for kind in kinds for one in getattr(self, kind)]


def proved_ids() -> list[str]:
    """Every exercise with a function to judge: of an essay nothing can be proved."""
    return [id_ for id_ in exercise_ids() if exercise(id_).needs]


def solution(one: Exercise) -> str:
    """The source of the solution's cell."""
    chapter = one.id.split(".")[0]
    solutions = {n: p for n, p in sources(ROOT).items() if n.startswith("solutions/")}
    path = next(p for p in solutions.values() if chapter_of(p.name) == chapter)
    _, solved = read_exercises(path, ROOT)
    return next(cell.source for cell in solved.cells if cell.slug == one.id.split(".")[1])


def run_source(source: str) -> dict[str, Any]:
    """The names that a cell makes, with what the notebook's first cell imports."""
    space = dict(IMPORTS)
    exec(compile(source, "<answer>", "exec"), space)
    return space


def failing(one: Exercise, names: dict[str, Any], seed: int, seconds: float) -> dict[str, str]:
    """Every property that does not hold -> what kind of failure it is."""
    budget = Budget(seconds)
    twins = {code_of(dotted) for dotted in one.twins}
    calls = [Call(names[name], budget, twins) for name in one.needs]
    found: dict[str, str] = {}
    with untouched():
        for number, prop in enumerate(one.properties):
            generator = torch.Generator().manual_seed(1000 * seed + number)
            try:
                if prop.probe(*calls, generator) is not None:
                    found[prop.id] = "gap"
            except StoppedError:
                return found | {prop.id: "stopped"}
            except (LearnerError, BorrowedError):
                found[prop.id] = "raised"
            except Exception:
                if not found:
                    raise
                found[prop.id] = "raised"
    return found


def prove(id_: str, seeds: int) -> Proof:
    """Everything about one exercise."""
    one = exercise(id_)
    proof = Proof(id_, seeds=seeds, hash=state_hash(one))
    source = solution(one)
    reference = run_source(source)
    caught_by: list[dict[str, str]] = []
    for answer in answers(one):
        names = names_for(one, answer.function)
        rounds = [judge(one, names, seed=seed) for seed in range(ANSWER_SEEDS)]
        if not answer.fires:
            proof.right += 1
            if not all(result.passed for result in rounds):
                bad = next(result for result in rounds if not result.passed)
                proof.refused.append(f"{answer.name}\n{bad}")
            continue
        proof.wrong += 1
        caught_by.append(failing(one, names, 0, MUTANT_SECONDS))
        for result in rounds:
            if result.passed:
                proof.accepted.append(answer.name)
                break
            said = result.failing or result.status.name
            if said != answer.fires or answer.named not in str(result):
                proof.misnamed.append(f"{answer.name}: said {said}\n{result}")
                break
    known = _equivalent(id_)
    keep = {one.guess.name} if one.guess else set()
    for mutant in mutants(source, keep):
        proof.mutants += 1
        found = _killed(one, mutant, reference)
        if found:
            caught_by.append(found)
        elif str(mutant) in known:
            proof.equivalent += 1
            known.remove(str(mutant))
        else:
            proof.alive.append(str(mutant))
    proof.alive += [f"listed as equivalent, but not there or dead: {line}" for line in known]
    for seed in range(seeds):
        wrong = failing(one, reference, seed, one.seconds)
        if wrong:
            proof.false_failures.append(f"seed {seed}: {', '.join(wrong)}")
    alone = {next(iter(found)) for found in caught_by if len(found) == 1}
    proof.never_alone = [prop.id for prop in one.properties if prop.id not in alone]
    return proof


def _killed(one: Exercise, mutant: Mutant, reference: dict[str, Any]) -> dict[str, str]:
    """What noticed the mutant, in one of three rounds; {} when it lives."""
    try:
        names = reference | run_source(mutant.source)
    except Exception as error:
        return {"it does not even run": type(error).__name__}
    for seed in range(3):
        if found := failing(one, names, seed, MUTANT_SECONDS):
            return found
    return {}


def _equivalent(id_: str) -> list[str]:
    found = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return [f"{entry['line']}  ->  {entry['change']}" for entry in found.get(id_, [])]


def state_hash(one: Exercise) -> str:
    """Of all that a proof depends on: the exercise, the engine, solution, answers, mutants."""
    folder = ROOT / "companion/check"
    files = [path for path in folder.glob("*.py") if path.name not in TEXT_ONLY]
    files += [folder / "exercises" / f"ex_{one.id.replace('.', '_')}.py", answer_file(one)]
    files += [HERE / name for name in ("mutants.py", "proof.py", "catalogue.py")]
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(ast.unparse(ast.parse(path.read_text(encoding="utf-8"))).encode())
    equivalent = json.dumps(_equivalent(one.id))
    digest.update(re.sub(r"\s+$", "", solution(one) + equivalent, flags=re.M).encode())
    return digest.hexdigest()[:16]


# Words and files: they decide about no verdict.
TEXT_ONLY = {
    "__init__.py", "errors.py", "library.py", "messages.py", "records.py", "result.py",
    "session.py",
}  # fmt: skip


def read_table() -> dict[str, dict[str, Any]]:
    """The proofs on record, by exercise."""
    found: dict[str, dict[str, Any]] = json.loads(TABLE.read_text(encoding="utf-8"))
    return found


def write_table(proofs: dict[str, dict[str, Any]]) -> None:
    """Keep them, in the order of the course."""
    TABLE.write_text(json.dumps(proofs, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def as_record(proof: Proof) -> dict[str, Any]:
    """A proof as the table keeps it."""
    return asdict(proof)
