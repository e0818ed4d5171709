"""1.4: how many parameters are in the embeddings?"""

import torch

from companion.check.call import Call
from companion.check.compare import kind_of, one_number
from companion.check.exercise import Exercise, Gap, Guess, percent, prop

BERT_BASE = 109_482_240  # arXiv 1810.04805 says 110M
TRIED = "a vocabulary of 10, 4 places, 2 segments, width 3"
KNOWN = {
    48.0: "the LayerNorm forgotten",
    51.0: "a LayerNorm has two parameters for each number: a factor and a summand",
    50.0: "a LayerNorm of 2 parameters in all: it has two for each number",
    36.0: "the words, and a LayerNorm, alone",
    30.0: "the words alone",
    42.0: "words and positions alone",
    240.0: "the sizes multiplied, not added",
    66.0: "a LayerNorm for each table: there is one, after the sum",
}


@prop("it returns one number", "what comes back from your function?")
def structure(embedding_parameters: Call, generator: torch.Generator) -> Gap | None:
    value = embedding_parameters(10, 4, 2, 3)
    if value is None:
        return Gap(TRIED, "None", ask="is there a return at the end of the function?")
    return None if one_number(value) is not None else Gap(TRIED, f"{kind_of(value)}, no number")


@prop("the example gives 54", "how many numbers has each table, and how many the LayerNorm?")
def example(embedding_parameters: Call, generator: torch.Generator) -> Gap | None:
    found = one_number(embedding_parameters(10, 4, 2, 3))
    if found != 54:
        is_share = found is not None and 0 < found < 1
        mistake = "a share: the function counts, and the check divides" if is_share else ""
        return Gap(TRIED, f"{found:g}", KNOWN.get(found or 0.0, mistake))
    return None


@prop("it holds for any sizes", "which size did you write down, or leave out?")
def any_sizes(embedding_parameters: Call, generator: torch.Generator) -> Gap | None:
    cases = [(1, 1, 1, 1), (7, 5, 3, 2), (30_522, 512, 2, 768), (4_096, 128, 2, 256)]
    cases.append((3_000_001, 513, 2, 1_025))  # more than 32 bits hold
    cases += [tuple(torch.randint(1, 90, (4,), generator=generator).tolist()) for _ in range(3)]
    for vocabulary, places, kinds, width in cases:
        found = one_number(embedding_parameters(vocabulary, places, kinds, width))
        wanted = vocabulary * width + places * width + kinds * width + 2 * width
        if found != wanted:
            tried = f"vocabulary {vocabulary}, {places} places, {kinds} segments, width {width}"
            return Gap(tried, f"{found}, not {wanted}")
    return None


def measure(embedding_parameters: Call) -> float:
    """The share of BERT-base."""
    return float(embedding_parameters(30_522, 512, 2, 768)) / BERT_BASE


EXERCISE = Exercise(
    id="1.4",
    title="Where the parameters are",
    kind="predict",
    level=1,
    minutes=6,
    place="home",
    needs=("embedding_parameters",),
    properties=(structure, example, any_sizes),
    guess=Guess(
        name="guess_1_4",
        low=0.0,
        high=1.0,
        unit="a share between 0 and 1",
        measure=measure,
        show=percent,
        common=0.05,
        reason="Attention gets the attention, but a table with a row for each of 30,522 words is "
        "large.",
    ),
    fact="23,837,184 in BERT-base, more than a fifth; in small models often more than half",
    hints=(
        "Where to look. A table with n rows of width d holds n times d numbers. There are three "
        "tables.",
        "The idea. The LayerNorm comes after the sum, so there is one. It has two parameters for "
        "each number of a vector.",
        "The shape of the answer. One line: rows of all tables together, and two more for the "
        "LayerNorm, times the width.",
    ),
    transfer="Our own vocabulary has 4,096 pieces. What would BERT-base save with it?",
)
