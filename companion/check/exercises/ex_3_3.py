"""3.3: which share of the pairs is random, by the paper and by the code?"""

import torch

from companion.check.call import Call
from companion.check.compare import kind_of, one_number
from companion.check.exercise import Exercise, Gap, Guess, percent, prop
from companion.data import segment_pairs

LABELS = [1, 0, 1, 1, 0]
TRIED = f"labels = {LABELS}"
KNOWN = {
    0.4: "counting the zeros: 0 means next",
    3.0: "a number of pairs, not a share",
    60.0: "per cent, not a share",
    1.5: "ones divided by zeros",
}


@prop("it returns one number", "what comes back from your function?")
def structure(random_share: Call, generator: torch.Generator) -> Gap | None:
    value = random_share(LABELS)
    if value is None:
        return Gap(TRIED, "None", ask="is there a return at the end of the function?")
    return None if one_number(value) is not None else Gap(TRIED, f"{kind_of(value)}, no number")


@prop("it is the share of ones", "how many of the five labels are 1, and what do you divide by?")
def share(random_share: Call, generator: torch.Generator) -> Gap | None:
    found = one_number(random_share(LABELS)) or 0.0
    if not abs(found - 0.6) < 1e-6:
        mistake = next((why for value, why in KNOWN.items() if abs(value - found) < 1e-6), "")
        return Gap(TRIED, f"{found:.3g}", mistake)
    return None


@prop("it holds for any list", "which number did you write down?")
def any_list(random_share: Call, generator: torch.Generator) -> Gap | None:
    lists = [[0], [1], [0] * 7, [1] * 9]
    lists += [torch.randint(2, (n,), generator=generator).tolist() for n in (8, 31, 10_000)]
    for labels in lists:
        found, wanted = one_number(random_share(labels)), sum(labels) / len(labels)
        if found is None or not abs(found - wanted) < 1e-6:
            is_near = found is not None and abs(found - wanted) < 0.01
            return Gap(
                f"{len(labels)} labels, {sum(labels)} of them 1",
                f"{found:.6g}, not {wanted:.6g}" if found is not None else "no number",
                "a rounded number" if is_near else "",
            )
    return None


@prop("the list stays as it was", "does your code sort it, or take something out of it?")
def inputs(random_share: Call, generator: torch.Generator) -> Gap | None:
    random_share(LABELS)
    return Gap(TRIED, "labels was changed") if random_share.changed else None


def measure(random_share: Call) -> float:
    """The learner's function on pairs from documents of three sentences, 25 tokens each."""
    documents = [[torch.full((25,), d) for _ in range(3)] for d in range(1500)]
    pairs = segment_pairs(
        documents, length=128, short_share=0.0, generator=torch.Generator().manual_seed(0)
    )
    return float(random_share([pair.label for pair in pairs]))


EXERCISE = Exercise(
    id="3.3",
    title="Half of the pairs are random?",
    kind="predict",
    level=1,
    minutes=5,
    place="class",
    needs=("random_share",),
    properties=(structure, share, any_list, inputs),
    guess=Guess(
        name="guess_3_3",
        low=0.0,
        high=1.0,
        unit="a share between 0 and 1",
        measure=measure,
        show=percent,
        common=0.5,
        reason="So the paper says. But what is left of a document is often one sentence, and that "
        "one always gets a random B.",
    ),
    twins=("companion.data.pairs.share_of_random",),
    fact="count labels before you trust an accuracy: whoever always says 'random' gets this much",
    hints=(
        "Where to look. The labels are 0 and 1, and 1 is what you count.",
        "The idea. The sum of the labels is the number of ones. A share is a number divided by "
        "how many there are in all.",
        "The shape of the answer. One line with `sum` and `len`.",
    ),
    transfer="What is the share for documents of one sentence? And for very long ones?",
    reference_seconds=0.5,
)
