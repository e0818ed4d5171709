"""2.8: a seed for each example: masks that move in training and stand still in evaluation."""

import builtins
import math
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Any

import torch

from companion.check.call import Call
from companion.check.compare import kind_of
from companion.check.exercise import Exercise, Gap, prop
from companion.check.isolation import seed_everything
from companion.check.mine import standalone

WRAP = 2**32  # torch's generator on the CPU looks at 32 bits of a seed
SAME = "the same mask (a generator looks at the lowest 32 bits of a seed, and these are equal)"
FEW = "how many different seeds can your function return at all?"
MANY = 10**7  # examples in a large data set


@prop("it returns a whole number from 0 to 2**63 - 1", "which seeds does a generator accept?")
def structure(mask_seed: Call, generator: torch.Generator) -> Gap | None:
    for seed, epoch, index in product((7, 0), (0, 3, None), range(5, 35)):
        value = mask_seed(seed, epoch, 0, index)
        tried = f"seed {seed}, epoch {epoch}, worker 0, index {index}"
        if value is None:
            return Gap(tried, "None", ask="is there a return at the end of the function?")
        if isinstance(value, bool) or not isinstance(value, int):
            ask = "does int() around it help?" if hasattr(value, "__int__") else ""
            return Gap(tried, f"{kind_of(value)}, and not an int", ask=ask)
        if not 0 <= value < 2**63:
            return Gap(tried, f"{value}", ask="which operation keeps a number within bounds?")
    return None


@prop("equal inputs give equal seeds", "what in your code changes from call to call?")
def repeatable(mask_seed: Call, generator: torch.Generator) -> Gap | None:
    for epoch in (0, None):
        results = []
        for world in (1, 2):
            seed_everything(world)
            mask_seed(7, world, 0, 5)  # what was asked before has no say
            results.append(mask_seed(7, epoch, 0, 5))
        if results[0] != results[1]:
            return Gap(
                f"seed 7, epoch {epoch}, worker 0, index 5, twice",
                f"{results[0]} and {results[1]}",
                "evaluation masks that move" if epoch is None else "",
            )
    return None


@prop("it is the same in every Python process", "does hash() give the same number tomorrow?")
def in_every_process(mask_seed: Call, generator: torch.Generator) -> Gap | None:
    with _hashing() as asked:
        for epoch in (1, None):
            mask_seed(7, epoch, 0, 5)
    strange = [value for value in asked if _depends_on_process(value)]
    if strange:
        return Gap(
            "seed 7, epoch 1 or None",
            f"hash({strange[0]!r}), which differs between processes: workers would disagree",
            ask="another process may get another hash(None): which number can stand for None?"
            if "None" in repr(strange[0])
            else "",
        )
    for epoch in (1, None):
        known, anew = mask_seed(7, epoch, 0, 5), _in_a_new_process(mask_seed)(7, epoch, 0, 5)
        if known != anew:
            return Gap(
                f"seed 7, epoch {epoch}, index 5, in two processes",
                f"{known} and {anew}",
                "a random number that is drawn once and remembered",
            )
    return None


def _in_a_new_process(mask_seed: Call) -> Call:
    """The same function made from its text once more, with nothing remembered; itself where its
    text cannot stand alone."""
    name = getattr(mask_seed.function, "__name__", "")
    space: dict[str, Any] = {"__name__": "another_process"}
    seed_everything(12345)
    try:
        exec(standalone({name: mask_seed.function}), space)
        return Call(space[name], mask_seed.budget, set())
    except Exception:
        return mask_seed


@contextmanager
def _hashing() -> Iterator[list[Any]]:
    """What is given to the built-in hash() meanwhile."""
    asked: list[Any] = []
    real = builtins.hash

    def spy(value: Any) -> int:
        asked.append(value)
        return real(value)

    builtins.hash = spy
    try:
        yield asked
    finally:
        builtins.hash = real


def _depends_on_process(value: Any) -> bool:
    if isinstance(value, tuple | frozenset):
        return any(_depends_on_process(part) for part in value)
    return value is None or isinstance(value, str | bytes)


@prop(
    "the worker that happens to load an example does not matter",
    "two workers get the same example: should they hide different words?",
)
def worker(mask_seed: Call, generator: torch.Generator) -> Gap | None:
    for epoch in (2, None):
        results = [mask_seed(7, epoch, w, 5) for w in (0, 1, 7)]
        if len(set(results)) > 1:
            return Gap(
                f"seed 7, epoch {epoch}, index 5, workers 0, 1 and 7",
                f"{results}",
                "a mask that depends on how many workers there are",
            )
    return None


@prop("every example has a seed of its own", "where does index enter?")
def examples(mask_seed: Call, generator: torch.Generator) -> Gap | None:
    for seed, epoch in ((7, 2), (0, 0), (7, None), (0, None)):
        results = [mask_seed(seed, epoch, 0, index) % WRAP for index in range(200)]
        if len(set(results)) < 199:  # two of 200 meet by chance in 5 of a million draws
            one, other = _equal_pair(results)
            mistake = "the same generator for all examples" if len(set(results)) == 1 else ""
            tried = f"seed {seed}, epoch {epoch}, indices {one} and {other}"
            return Gap(tried, SAME, mistake, ask="" if mistake else FEW)
    return None


def _equal_pair(values: list[int]) -> tuple[int, int]:
    seen: dict[int, int] = {}
    for place, value in enumerate(values):
        if value in seen:
            return seen[value], place
        seen[value] = place
    raise ValueError("All values differ.")


@prop("every epoch has masks of its own, the first one too", "where does epoch enter?")
def epochs(mask_seed: Call, generator: torch.Generator) -> Gap | None:
    for seed in (7, 0):
        results = [mask_seed(seed, epoch, 0, 5) % WRAP for epoch in range(40)]
        if len(set(results)) < 40:
            one, other = _equal_pair(results)
            mistake = "a first epoch that is repeated" if len(set(results)) == 39 else ""
            whole = [mask_seed(seed, epoch, 0, 5) for epoch in (one, other)]
            if whole[0] != whole[1]:
                mistake = "an epoch that only changes bits which the generator does not see"
            return Gap(f"seed {seed}, index 5, epochs {one} and {other}", SAME, mistake)
    return None


@prop("another seed gives other masks", "where does seed enter?")
def seeds(mask_seed: Call, generator: torch.Generator) -> Gap | None:
    for epoch in (1, 0):  # evaluation may be the same for all runs
        results = [mask_seed(seed, epoch, 0, 5) % WRAP for seed in range(40)]
        if len(set(results)) < 40:
            one, other = _equal_pair(results)
            return Gap(f"seeds {one} and {other}, epoch {epoch}, index 5", SAME)
    return None


@prop(
    "no example gets, some epochs later, the mask of another one",
    "for which other numbers does your formula give the same value?",
)
def no_echo(mask_seed: Call, generator: torch.Generator) -> Gap | None:
    """A formula that adds: then a later epoch is the first one, moved along by some examples."""
    start = mask_seed(7, 0, 0, 0) % WRAP
    slope = (mask_seed(7, 0, 0, 1) - start) % WRAP
    later = [("one epoch", (7, 1, 0, 0)), ("one seed", (8, 0, 0, 0))]
    later += [(f"{n} epochs", (7, n, 0, 0)) for n in range(2, 150)]
    for what, args in later:
        target = mask_seed(*args) % WRAP
        steps = [(target - start) % WRAP, (start - target) % WRAP, target ^ start]
        steps += [_steps_of(slope, difference) for difference in steps[:2]]
        for step in steps:
            if 0 < step <= MANY:
                for one, other in (((7, 0, 0, step), args), ((7, 0, 0, 0), (*args[:3], step))):
                    if mask_seed(*one) % WRAP == mask_seed(*other) % WRAP:
                        return Gap(
                            f"(seed, epoch, index) = {_short(one)} and {_short(other)}",
                            SAME,
                            f"numbers that make up for each other: {what}, {step:,} of index",
                        )
    return None


def _steps_of(slope: int, difference: int) -> int:
    """How often `slope` has to be added for `difference`, in 32 bits; 0 where nothing does."""
    common = math.gcd(slope, WRAP)
    if difference % common or common == WRAP:
        return 0
    return difference // common * pow(slope // common, -1, WRAP // common) % (WRAP // common)


def _short(args: tuple[int, ...]) -> tuple[int, ...]:
    return args[0], args[1], args[3]


@prop(
    "different combinations of seed, epoch and index give different seeds",
    "what mixes three numbers into one, so that neither their order nor their digits get lost?",
)
def mixed(mask_seed: Call, generator: torch.Generator) -> Gap | None:
    # 1,728 combinations; of 32 random bits about 0.0003 pairs meet. Five: less than 1 in 10**19.
    places = [
        (seed, epoch, index) for seed in range(12) for epoch in range(12) for index in range(12)
    ]
    results = [mask_seed(seed, epoch, 0, index) % WRAP for seed, epoch, index in places]
    if len(set(results)) < len(results) - 4:
        one, other = (places[place] for place in _equal_pair(results))
        return Gap(f"(seed, epoch, index) = {one} and {other}", SAME)
    return None


EXERCISE = Exercise(
    id="2.8",
    title="Masks that move, and masks that stay",
    kind="implement",
    level=3,
    minutes=20,
    place="home",
    needs=("mask_seed",),
    properties=(
        structure,
        repeatable,
        in_every_process,
        worker,
        examples,
        epochs,
        seeds,
        no_echo,
        mixed,
    ),
    twins=("companion.masking.examples.example_generator",),
    fact=(
        "with one generator in the data set, each worker gets a copy of it, and all of them draw "
        "the same masks; a seed for each example cannot be copied wrongly"
    ),
    hints=(
        "Where to look. Four inputs, but the result depends on three at most. Which one only says "
        "who does the work? And what is special about epoch None?",
        "The idea. Adding the numbers is not enough: (epoch 0, index 1) and (epoch 1, index 0) "
        "would meet. You need a function that mixes: each change of any input changes everything. "
        "Python and NumPy bring such functions, made for hashing and for seeding.",
        "The shape of the answer. Turn epoch None into a number that no epoch has: epoch + 1, "
        "and 0 for None. Put the three numbers, in order, into a mixer: a digest of `hashlib` "
        "over a text that holds them, or `numpy.random.SeedSequence`. Cut the result to 63 bits, "
        "and return a Python int.",
    ),
    transfer=(
        "Training is resumed in the middle of epoch 3, on a machine with other workers. Which "
        "masks does it see?"
    ),
)
