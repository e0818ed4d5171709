"""3.8: which models of a table isolate one setting?"""

from typing import Any

import torch

from companion.check.call import Call
from companion.check.compare import kind_of
from companion.check.exercise import Exercise, Gap, Guess, prop

EXAMPLE = [
    {"nsp": True, "rows": "pairs"},
    {"nsp": False, "rows": "pairs"},
    {"nsp": False, "rows": "full"},
]
TRIED = "the three models of the example, setting 'nsp'"
# RoBERTa (arXiv 1907.11692), Table 2.
ROBERTA = [
    {"nsp": True, "row": "two runs of sentences", "documents": "one or two"},
    {"nsp": True, "row": "two sentences", "documents": "one or two"},
    {"nsp": False, "row": "sentences up to 512 tokens", "documents": "one or more"},
    {"nsp": False, "row": "sentences up to 512 tokens", "documents": "one"},
]
# BERT (arXiv 1810.04805), Table 5: base, no NSP, left to right without NSP, the same with a BiLSTM.
BERT = [
    {"nsp": True, "reads": "both sides", "lstm": False},
    {"nsp": False, "reads": "both sides", "lstm": False},
    {"nsp": False, "reads": "left to right", "lstm": False},
    {"nsp": False, "reads": "left to right", "lstm": True},
]
# Keys in another order, keys that contain each other, equal texts that are two objects in memory,
# and texts that differ in upper case alone.
TRAPS: list[tuple[list[dict[str, Any]], str]] = [
    ([{"nsp": 1, "rows": 2}, {"rows": 2, "nsp": 0}], "nsp"),
    ([{"nsp": 1, "rows": 2, "steps": 3}, {"steps": 3, "rows": 2, "nsp": 0}], "nsp"),
    ([{"row": 1, "rows": 2}, {"row": 0, "rows": 3}], "row"),
    ([{"row": 1, "rows": 2}, {"row": 0, "rows": 3}], "rows"),
    ([{"nsp": n, "rows": " ".join(["up to", "512"])} for n in (1, 0)], "nsp"),
    ([{"nsp": 1, "rows": "Full"}, {"nsp": 0, "rows": "full"}], "nsp"),
]


def _reference(models: list[dict[str, Any]], setting: str) -> list[tuple[int, int]]:
    pairs = [(i, j) for i in range(len(models)) for j in range(i + 1, len(models))]
    return [
        (i, j)
        for i, j in pairs
        if models[i][setting] != models[j][setting]
        and all(models[i][key] == models[j][key] for key in models[i] if key != setting)
    ]


def _gap(found: Any, models: list[dict[str, Any]], setting: str, tried: str) -> Gap | None:
    if not isinstance(found, list | tuple):
        return Gap(tried, f"{kind_of(found)}, and not a list of pairs")
    for pair in found:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            return Gap(tried, f"{kind_of(pair)} in the list, and not a pair (i, j)")
        if not all(isinstance(number, int) for number in pair):
            return Gap(tried, f"{kind_of(pair[0])} in a pair, and not the number of a model")
    got, wanted = [tuple(pair) for pair in found], _reference(models, setting)
    if got == wanted:
        return None
    pairs = [(i, j) for i in range(len(models)) for j in range(i + 1, len(models))]
    differ = [p for p in pairs if models[p[0]][setting] != models[p[1]][setting]]
    one_key = [
        (i, j) for i, j in pairs if sum(models[i][k] != models[j][k] for k in models[i]) == 1
    ]
    rest = [
        (i, j)
        for i, j in pairs
        if all(models[i][k] == models[j][k] for k in models[i] if k != setting)
    ]
    mistake = ""
    if sorted(got) == sorted(wanted):
        mistake = "the right pairs in another order"
    elif sorted(tuple(sorted(p)) for p in set(got)) == wanted:
        mistake = "each pair has i < j, and stands there once"
    elif got == differ:
        mistake = "every pair that differs in the setting, whatever else differs"
    elif got == one_key:
        mistake = "every pair that differs in one setting, whichever it is"
    elif got == rest:
        mistake = "pairs that do not differ in anything, too"
    return Gap(tried, f"{got[:4]}, not {wanted[:4]}", mistake)


@prop("the example gives [(0, 1)]", "in which settings do the two models differ?")
def example(isolates: Call, generator: torch.Generator) -> Gap | None:
    return _gap(isolates(EXAMPLE, "nsp"), EXAMPLE, "nsp", TRIED)


@prop("any setting can be asked for", "which name did you write down?")
def any_setting(isolates: Call, generator: torch.Generator) -> Gap | None:
    for models, name in ((EXAMPLE, "the example"), (BERT, "BERT's Table 5")):
        for setting in models[0]:
            tried = f"{name}, setting {setting!r}"
            if gap := _gap(isolates(models, setting), models, setting, tried):
                return gap
    return None


@prop("equal models isolate nothing", "do two models that are the same tell anything?")
def equal(isolates: Call, generator: torch.Generator) -> Gap | None:
    models: list[dict[str, Any]] = [{"nsp": True, "steps": 10}] * 3
    return _gap(isolates(models, "nsp"), models, "nsp", "three equal models")


@prop("it holds for any table", "which pairs does your loop leave out?")
def any_table(isolates: Call, generator: torch.Generator) -> Gap | None:
    for keys, count in ((1, 4), (2, 9), (3, 12), (4, 7)):
        table = torch.randint(2, (count, keys), generator=generator).tolist()
        models = [{f"s{k}": value for k, value in enumerate(row)} for row in table]
        for setting in models[0]:
            tried = f"{count} models with {keys} settings, asked for {setting}"
            if gap := _gap(isolates(models, setting), models, setting, tried):
                return gap
    for models, setting in TRAPS:
        if gap := _gap(isolates(models, setting), models, setting, f"models = {models}"):
            return gap
    return None


@prop("no model, or one, gives an empty list", "what are i and j then?")
def few(isolates: Call, generator: torch.Generator) -> Gap | None:
    for models in ([], EXAMPLE[:1]):
        found = isolates(models, "nsp")
        if not isinstance(found, list | tuple) or len(found):
            return Gap(f"{len(models)} models", f"{found!r}")
    return None


@prop("the table stays as it was", "does your code take a setting out of a dictionary?")
def inputs(isolates: Call, generator: torch.Generator) -> Gap | None:
    isolates(EXAMPLE, "nsp")
    return Gap(TRIED, f"{isolates.changed[0]} was changed") if isolates.changed else None


def measure(isolates: Call) -> float:
    """How many pairs of models of RoBERTa's Table 2 isolate NSP."""
    return float(len(isolates(ROBERTA, "nsp")))


def show(count: float) -> str:
    """2 pairs."""
    return f"{count:g} pair" if count == 1 else f"{count:g} pairs"


EXERCISE = Exercise(
    id="3.8",
    title="What does this table show?",
    kind="predict",
    level=3,
    minutes=10,
    place="home",
    needs=("isolates",),
    properties=(example, any_setting, equal, any_table, few, inputs),
    guess=Guess(
        name="guess_3_8",
        low=0.0,
        high=6.0,
        unit="a whole number from 0 to 6",
        measure=measure,
        show=show,
        common=1.0,
        reason="The models without NSP have other rows, too: two things changed at once. In "
        "BERT's Table 5 one pair does isolate it, the first two lines.",
    ),
    fact="a table shows what a setting is worth where two of its models differ in that one alone",
    hints=(
        "Where to look. For every two models: in which settings do they differ? Collect the names.",
        "The idea. Two loops over the models give all pairs. For each pair make the set of keys "
        "whose values differ. It has to be exactly the set of the one setting.",
        "The shape of the answer. `for i ...` and `for j ...` with i < j, a set in braces over "
        "the keys of model i, one comparison of two sets, and a list that grows.",
    ),
    transfer="Which further model would have to be trained, so that RoBERTa's table isolates NSP?",
)
