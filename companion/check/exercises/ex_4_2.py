"""4.2: how many answers does a row of 64 tokens ask for?"""

import math

import torch

from companion.check.call import Call
from companion.check.compare import kind_of, one_number
from companion.check.exercise import Exercise, Gap, Guess, prop

TRIED = "length 13, rate 0.35"
RIGHT = 12 / 4.55
KNOWN = {  # what a mistake gives: its name, and a question
    13 / 4.55: ("GPT is asked for the first token too", "which token has nothing to its left?"),
    11 / 4.55: ("two tokens are left out", "which tokens is GPT not asked for?"),
    4.55 / 12: ("BERT's answers divided by GPT's", "how many times as many has GPT?"),
    12.0: ("GPT's answers alone", "what do you divide them by?"),
    12 / 0.35: ("divided by the rate alone", "how many tokens does BERT select in a row?"),
    12 - 4.55: ("a difference, not a ratio", "how many *times* as many?"),
    12 / 5: ("a rounded number of selected tokens", "how many does BERT select on average?"),
    12 / 4: ("a rounded number of selected tokens", "how many does BERT select on average?"),
    63 / 9.6: ("the numbers of a row of 64 at 15 %", "what are the two inputs for?"),
}


@prop("it returns one number", "what comes back from your function?")
def structure(targets_ratio: Call, generator: torch.Generator) -> Gap | None:
    value = targets_ratio(13, 0.35)
    if value is None:
        return Gap(TRIED, "None", ask="is there a return at the end of the function?")
    return None if one_number(value) is not None else Gap(TRIED, f"{kind_of(value)}, no number")


@prop("it is GPT's answers divided by BERT's", "how many answers does each of the two give?")
def ratio(targets_ratio: Call, generator: torch.Generator) -> Gap | None:
    found = one_number(targets_ratio(13, 0.35)) or 0.0
    if not math.isclose(found, RIGHT, rel_tol=1e-3):
        near = (said for x, said in KNOWN.items() if abs(x - found) < 1e-6)
        mistake, ask = next(near, ("", ""))
        return Gap(TRIED, f"{found:.4g}, not {RIGHT:.4g}", mistake, ask)
    return None


@prop("it holds for any length and rate", "is something rounded, or written down as a number?")
def any_row(targets_ratio: Call, generator: torch.Generator) -> Gap | None:
    drawn = torch.rand(20, generator=generator).mul(0.98).add(0.01).tolist()
    lengths = torch.randint(2, 4097, (20,), generator=generator).tolist()
    cases = [(64, 0.15), (2, 1.0), (2, 0.01), (512, 0.15), (4096, 0.4), (3, 0.15)]
    for length, rate in [*cases, *zip(lengths, drawn, strict=True)]:
        found, wanted = one_number(targets_ratio(length, rate)), (length - 1) / (rate * length)
        if found is None or not math.isclose(found, wanted, rel_tol=1e-6):
            shown = "no number" if found is None else f"{found:.6g}"
            return Gap(f"length {length}, rate {rate:.3g}", f"{shown}, not {wanted:.6g}")
    return None


def measure(targets_ratio: Call) -> float:
    """A row of 64 tokens at BERT's rate."""
    return float(targets_ratio(64, 0.15))


EXERCISE = Exercise(
    id="4.2",
    title="How many answers?",
    kind="predict",
    level=1,
    minutes=4,
    place="class",
    needs=("targets_ratio",),
    properties=(structure, ratio, any_row),
    guess=Guess(
        name="guess_4_2",
        low=1.0,
        high=1000.0,
        unit="a number, 1 or more",
        measure=measure,
        show="{:.2f}".format,
        common=1.0,
        reason="Both read the whole row. But only selected tokens have a label in BERT.",
    ),
    fact="from the same text BERT gets fewer answers; each of them has both sides to go by",
    hints=(
        "Where to look. Count for one row: which tokens does each of the two models have to say?",
        "The idea. On average BERT selects the rate times the length. GPT leaves out one token.",
        "The shape of the answer. One line: a difference, divided by a product.",
    ),
    transfer="At which rate would both give about the same number of answers?",
)
