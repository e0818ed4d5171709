"""Every check is proved: the record is up to date, and twenty seeds are run again."""

import pytest
from catalogue import answers, names_for
from mutants import mutants
from proof import (
    ALL_SEEDS,
    EQUIVALENT,
    QUICK_SEEDS,
    failing,
    prove,
    proved_ids,
    read_table,
    run_source,
    solution,
    state_hash,
)
from prove import README, with_table

from companion.check.judge import judge
from companion.check.library import exercise, exercise_ids
from companion.check.result import Status

IDS = proved_ids()


@pytest.mark.parametrize("id_", IDS)
def test_the_solution_passes(id_) -> None:
    one, names = exercise(id_), run_source(solution(exercise(id_)))
    assert judge(one, names).status is Status.PASS
    for seed in range(QUICK_SEEDS):
        assert failing(one, names, seed, one.seconds) == {}


@pytest.mark.parametrize("id_", IDS)
def test_each_answer_gets_its_verdict(id_) -> None:
    """One seed here; `make prove` runs two."""
    one = exercise(id_)
    wrong, right = 0, 0
    for answer in answers(one):
        result = judge(one, names_for(one, answer.function), seed=1)
        said = "" if result.passed else result.failing or result.status.name
        assert said == answer.fires, f"{answer.name}\n{result}"
        assert answer.named in str(result), f"{answer.name}\n{result}"
        wrong, right = wrong + bool(answer.fires), right + (not answer.fires)
    assert wrong >= 8
    assert right >= 3


@pytest.mark.parametrize("id_", IDS)
def test_the_record_is_of_this_state(id_) -> None:
    """Where it is not, everything is run here; then run make prove and commit what it writes."""
    recorded = read_table().get(id_, {})
    if recorded.get("hash") != state_hash(exercise(id_)):
        assert prove(id_, QUICK_SEEDS).problems() == []
        pytest.fail(f"{id_} has changed and still holds: run make prove, and commit the table")
    assert recorded["seeds"] == ALL_SEEDS
    for kind in ("refused", "accepted", "misnamed", "alive", "false_failures"):
        assert recorded[kind] == []


def test_the_readme_shows_the_record() -> None:
    text = README.read_text(encoding="utf-8")
    assert with_table(text, read_table()) == text


def test_every_property_is_the_reason_for_something() -> None:
    for id_ in IDS:
        one = exercise(id_)
        fired = {answer.fires for answer in answers(one)}
        assert {prop.id for prop in one.properties} - fired == set(), id_


def test_only_essays_go_without_proof() -> None:
    for id_ in set(exercise_ids()) - set(IDS):
        assert exercise(id_).kind == "explain"


def test_every_status_is_reached() -> None:
    """PASS, WRONG, RAISED and TOO_SLOW by answers; the others in test_engine.py."""
    fired = {answer.fires for id_ in IDS for answer in answers(exercise(id_))}
    assert {"", "RAISED", "TOO_SLOW"} <= fired


def test_equivalents_have_reasons() -> None:
    import tomllib

    for id_, entries in tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).items():
        assert id_ in IDS
        for entry in entries:
            assert len(entry["reason"].split()) >= 4


def test_mutants_are_small_changes_of_a_function() -> None:
    source = (
        'guess = 3\n\n\ndef f(x, y=2):\n    """Text 5."""\n    z = x + 1\n'
        "    return (z if x < 4 else y, y)"
    )
    found = {one.change for one in mutants(source, {"guess"})}
    for change in ("x + 1 becomes x - 1", "1 becomes 2", "1 becomes 0", "x < 4 becomes x <= 4",
                   "z = x + 1 becomes (deleted)", "z becomes x", "x + 1 becomes x"):  # fmt: skip
        assert change in found
    # The docstring, a default value and what stands outside of the function stay as they are.
    assert not any(
        change.startswith(("'Text", "2 becomes", "guess", "3 becomes")) for change in found
    )
    sources = [one.source for one in mutants(source, {"guess"})]
    for changed in sources:
        run_source(changed)
    assert len(set(sources)) == len(sources)


def test_a_mutant_that_lives_is_reported(monkeypatch) -> None:
    import proof

    one = exercise("2.2")
    monkeypatch.setattr(proof, "exercise", lambda _: type(one)(
        **{**vars(one), "properties": one.properties[:1]}
    ))  # fmt: skip
    found = prove("2.2", 1)
    assert len(found.alive) > 3
    assert len(found.accepted) > 5
    assert found.problems()
