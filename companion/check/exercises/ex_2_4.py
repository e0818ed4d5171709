"""2.4: which share of all tokens looks different after corruption? Guess, then measure."""

import torch

from companion.check.call import Call
from companion.check.compare import changed_gap, kind_of, one_number
from companion.check.exercise import Exercise, Gap, Guess, percent, prop
from companion.data import load_corpus, load_tokenizer
from companion.masking import mask_tokens

# Eight tokens. Selected: 11 (now [MASK], 4), 74 (now 50), 16 (kept).
IDS = torch.tensor([[2, 11, 12, 13, 74, 15, 16, 3]])
CORRUPTED = torch.tensor([[2, 4, 12, 13, 50, 15, 16, 3]])  # both smaller: a sign tells nothing
UP_AND_DOWN = torch.tensor([[2, 4, 12, 13, 90, 15, 16, 3]])
TRIED = f"ids {IDS[0].tolist()}, corrupted {CORRUPTED[0].tolist()}"
KNOWN = {
    1 / 8: "counting [MASK] alone; a random token differs too",
    3 / 8: "counting what was selected; a kept token does not differ",
    6 / 8: "counting the tokens that are the same",
    2 / 6: "leaving out [CLS] and [SEP]; the question is about all tokens",
    2.0: "a number of tokens, not a share",
    25.0: "per cent, not a share",
}


def _is_near(found: float, wanted: float) -> bool:
    """False for NaN too, which is neither near nor far."""
    return abs(found - wanted) <= 1e-6


@prop("it returns one number", "what comes back from your function?")
def structure(changed_share: Call, generator: torch.Generator) -> Gap | None:
    value = changed_share(IDS, CORRUPTED)
    if value is None:
        return Gap(TRIED, "None", ask="is there a return at the end of the function?")
    return (
        None
        if one_number(value) is not None
        else Gap(TRIED, f"{kind_of(value)}, and not a single number")
    )


@prop(
    "it is the share of all tokens whose two ids differ",
    "how many of the eight tokens differ?",
)
def share(changed_share: Call, generator: torch.Generator) -> Gap | None:
    found = one_number(changed_share(IDS, CORRUPTED)) or 0.0
    if not _is_near(found, 0.25):
        mistake = next((why for value, why in KNOWN.items() if abs(value - found) < 1e-3), "")
        return Gap(TRIED, f"{found:.3g}; two of eight tokens differ", mistake)
    found = one_number(changed_share(IDS, UP_AND_DOWN)) or 0.0
    if not _is_near(found, 0.25):
        tried = f"ids {IDS[0].tolist()}, corrupted {UP_AND_DOWN[0].tolist()}"
        ask = "do two ids differ, whichever of them is larger?"
        return Gap(tried, f"{found:.3g}; two of eight tokens differ", ask=ask)
    return None


@prop("equal texts give 0, texts that differ everywhere give 1", "what do you divide by?")
def ends(changed_share: Call, generator: torch.Generator) -> Gap | None:
    for other, wanted in ((IDS, 0.0), (IDS + 1, 1.0)):
        found = one_number(changed_share(IDS, other))
        if found is None or not _is_near(found, wanted):
            ask = "is there a place that your code does not look at?" if wanted else ""
            return Gap(f"ids {IDS[0].tolist()} and {other[0].tolist()}", f"{found}", ask=ask)
    return None


@prop("it holds for a batch of any size", "which numbers do you add up, and what do you divide by?")
def any_batch(changed_share: Call, generator: torch.Generator) -> Gap | None:
    for shape, kinds in (((4, 25), 4), ((1, 3), 4), ((80, 50), 100_000)):
        ids = torch.randint(kinds, shape, generator=generator)
        chance = torch.linspace(0, 1, shape[1])  # later places differ more often
        other = torch.where(torch.rand(shape, generator=generator) < chance, ids + 256, ids)
        differ = (ids != other).float()
        wanted = float(differ.double().mean())
        value = changed_share(ids, other)
        found = one_number(value)
        tried = f"ids and corrupted, each of shape {shape}; {percent(wanted)} of the ids differ"
        if found is None:
            return Gap(tried, f"{kind_of(value)}, and not a single number")
        if not _is_near(found, wanted):
            known = {
                float(differ[0].mean()): "looking at the first row alone",
                round(wanted, 1): "rounding",
                round(wanted, 2): "rounding",
            }
            mistake = next((why for x, why in known.items() if _is_near(found, x)), "")
            return Gap(tried, f"{found:.4g}", mistake)
    return None


@prop("its inputs stay as they were", "which line writes into one of the two texts?")
def inputs(changed_share: Call, generator: torch.Generator) -> Gap | None:
    changed_share(IDS, CORRUPTED)
    return changed_gap(changed_share, TRIED)


def measure(changed_share: Call) -> float:
    """The learner's function on 30-token pieces of Wikipedia under BERT's own masks."""
    tokenizer = load_tokenizer()
    pages = load_corpus("wiki", "validation").documents
    encoded = tokenizer.encode_batch([page.text for page in pages], specials=False)
    pieces = torch.stack([e.ids[:30] for e in encoded if len(e.ids) >= 30])
    masked = mask_tokens(pieces, generator=torch.Generator().manual_seed(0), **tokenizer.mask_args)
    return float(changed_share(pieces, masked.corrupted))


EXERCISE = Exercise(
    id="2.4",
    title="How many tokens look different?",
    kind="predict",
    level=1,
    minutes=5,
    place="class",
    needs=("changed_share",),
    properties=(structure, share, ends, any_batch, inputs),
    guess=Guess(
        name="guess_2_4",
        low=0.0,
        high=1.0,
        unit="a share between 0 and 1",
        measure=measure,
        show=percent,
        common=0.15,
        reason="15 % are selected, but one in ten of those stays as it was.",
    ),
    fact="selected, corrupted and scored are three questions about a token, with three answers",
    hints=(
        "Where to look. The function gets two tensors of equal shape. It needs nothing else: no "
        "selection, no id of [MASK].",
        "The idea. Compare the two place by place. That gives True or False for each token. A "
        "share is the mean of such answers.",
        "The shape of the answer. One line: a comparison, turned into numbers, and its mean. True "
        "counts as 1. PyTorch takes no mean of bool, so turn them into floats first.",
    ),
    transfer=(
        "With 40 % selected and 100 / 0 / 0 in place of 80 / 10 / 10: which share differs then?"
    ),
    reference_seconds=0.5,
)
