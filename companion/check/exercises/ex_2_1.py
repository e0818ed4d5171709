"""2.1: a coin for each token, and at least one target in each row."""

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import bounds, chance_gap, changed_gap, first_place, not_a_tensor
from companion.check.exercise import Exercise, Gap, percent, prop

PAD, CLS, SEP, MASK = 0, 2, 3, 4
SPECIAL = [PAD, 1, CLS, SEP, MASK]
ROW = [CLS, 11, 12, 13, SEP, PAD, PAD]


def _plain(rows: int, length: int) -> Tensor:
    """Rows of ordinary tokens: (rows, length)."""
    return torch.arange(rows * length).view(rows, length) % 90 + 10


@prop(
    "it returns a bool tensor: True or False for every token",
    "what has to come back for each token?",
)
def structure(choose: Call, generator: torch.Generator) -> Gap | None:
    for rows in (2, 1):
        chosen = choose(torch.tensor([ROW] * rows), SPECIAL, 0.5, generator)
        gap = not_a_tensor(chosen, (rows, 7), "bool", f"ids of shape ({rows}, 7), rate 0.5")
        if gap is not None:
            return gap
    return None


@prop(
    "[CLS], [SEP] and padding are never chosen",
    "where does your code use special_ids?",
)
def specials(choose: Call, generator: torch.Generator) -> Gap | None:
    for special, pad in ((SPECIAL, PAD), ([11, 900, 13], 900)):
        ids = torch.tensor(
            [[CLS, 11, 12, 13, SEP, pad, pad], [pad, pad, CLS, 14, 11, 12, SEP]] * 20
        )
        for rate in (1.0, 0.01):  # all coins say yes; nearly none does, so the row's one is needed
            chosen = choose(ids, special, rate, generator)
            wrong = chosen & torch.isin(ids, torch.tensor(special))
            if wrong.any():
                row, place = first_place(wrong)
                return Gap(
                    f"the row {ids[row].tolist()}, specials {special}, rate {rate:g}",
                    f"place {place} is chosen; its id is {int(ids[row, place])}",
                    ask="" if rate == 1.0 else "does your guard look at special_ids too?",
                )
    return None


@prop(
    "at rate 1 every ordinary token is chosen",
    "at rate 1 every coin says yes: which way round is your comparison?",
)
def all_at_one(choose: Call, generator: torch.Generator) -> Gap | None:
    for row, special in ((ROW, SPECIAL), ([900, 11, 12, 13, 901], [901, 900])):
        chosen = choose(torch.tensor([row]), special, 1.0, generator)
        if int(chosen.sum()) != 3:
            return Gap(
                f"the row {row}, specials {special}, rate 1",
                f"{int(chosen.sum())} of 3 ordinary tokens chosen",
            )
    return None


@prop(
    "each row with an ordinary token has at least one chosen",
    "what does your code do for a row in which every coin says no?",
)
def at_least_one(choose: Call, generator: torch.Generator) -> Gap | None:
    for what, ids in (
        ("10 ordinary tokens", _plain(200, 10)),
        (f"the ids {ROW}, {SPECIAL} special", torch.tensor(ROW).expand(200, -1).contiguous()),
    ):
        chosen = choose(ids, SPECIAL, 0.15, generator)
        empty = int((~chosen.any(-1)).sum())
        if empty:
            return Gap(f"200 rows of {what}, rate 0.15", f"{empty} rows without any")
    return None


@prop("a row of special tokens alone stays without any", "which tokens may be the row's one?")
def only_specials(choose: Call, generator: torch.Generator) -> Gap | None:
    ids = torch.tensor([[CLS, SEP, PAD], [CLS, 11, SEP]])
    chosen = choose(ids, SPECIAL, 0.5, generator)
    if chosen[0].any():
        return Gap(f"the row {ids[0].tolist()}", f"{chosen[0].tolist()}")
    return None


@prop(
    "an ordinary token is chosen with probability `rate`",
    "which tokens does your code count when it uses rate?",
)
def share(choose: Call, generator: torch.Generator) -> Gap | None:
    # 12,000 ordinary tokens among padding. False alarms: 4 in 10**8 at most for each rate.
    ids = torch.full((1, 16_000), PAD)
    ids[:, 2_000:14_000] = _plain(1, 12_000)
    for rate in (0.15, 0.004):
        found = float(choose(ids, SPECIAL, rate, generator)[:, 2_000:14_000].float().mean())
        low, high = bounds(rate, 12_000)
        if not low < found < high:
            return Gap(
                f"12,000 ordinary tokens and 4,000 of padding, rate {rate:g}",
                f"{percent(found, 2)} of the ordinary ones chosen",
            )
    return None


@prop(
    "every token has a coin of its own, so the number in a row varies",
    "how many numbers do you draw for ids of shape (batch, length)?",
)
def own_coins(choose: Call, generator: torch.Generator) -> Gap | None:
    # The variance of 60 such counts is 25, give or take a half; a fifth or the triple: 1 in 10**9.
    counts = choose(torch.full((60, 200), 11), SPECIAL, 0.15, generator).sum(-1)
    variance = float(counts.float().var())
    if not 25.5 * 0.2 < variance < 25.5 * 3:
        mistake = "a fixed number in each row" if variance < 2 else ""
        if set(counts.tolist()) <= {0, 1, 200}:
            mistake = "one coin for a whole row, or for all tokens with the same id"
        return Gap(
            "60 rows of 200 equal tokens, rate 0.15",
            f"between {int(counts.min())} and {int(counts.max())} in a row, where coins "
            "give about 17 to 43",
            mistake,
        )
    return None


@prop("rows are drawn independently", "do all rows look at the same coins?")
def rows_differ(choose: Call, generator: torch.Generator) -> Gap | None:
    ids = _plain(1, 100).expand(8, 100).contiguous()
    chosen = choose(ids, SPECIAL, 0.5, generator)
    counts = chosen.sum(-1)
    if len(chosen.unique(dim=0)) < 8 and not set(counts.tolist()) <= {0, 1, 100}:
        return Gap(
            "8 equal rows of 100 tokens, rate 0.5",
            f"different choices: {len(chosen.unique(dim=0))} in 8 rows",
            "the same positions in every row",
        )
    return None


@prop(
    "a row gets one more only when it would have none, and then exactly one",
    "how many tokens does your guard add, and to which rows?",
)
def one_more(choose: Call, generator: torch.Generator) -> Gap | None:
    # Mean of max(1, coins) for ten coins is 1.697, its deviation 0.918: 6 sigma are 0.123.
    # Tossing empty rows again gives 1.868: seen in 99 of 100 draws and more.
    counts = choose(_plain(2000, 10), SPECIAL, 0.15, generator).sum(-1)
    mean = float(counts.float().mean())
    if not 1.574 < mean < 1.82:
        return Gap(
            "2,000 rows of 10 ordinary tokens, rate 0.15",
            f"{mean:.2f} chosen in a row on average; coins and one for each row without give 1.70",
        )
    return None


@prop(
    "each ordinary token has the same chance to be the row's one",
    "how do you choose the token of a row that has none?",
)
def anywhere(choose: Call, generator: torch.Generator) -> Gap | None:
    # 600 rows, five ordinary tokens: 120 each, 6 sigma are 59.
    row = [11, 12, SEP, SEP, SEP, 13, 14, 15]
    chosen = choose(torch.tensor([row] * 600), SPECIAL, 1e-4, generator)
    per_place = chosen.sum(0)[torch.tensor([0, 1, 5, 6, 7])]
    if not (per_place.min() > 60 and per_place.max() < 180):
        return Gap(
            f"600 times the row {row}, rate 0.0001",
            f"chosen at places 0, 1, 5, 6 and 7: {per_place.tolist()}",
        )
    return None


@prop("all chance comes from the generator", "which of your draws does not get the generator?")
def from_generator(choose: Call, generator: torch.Generator) -> Gap | None:
    ids = _plain(30, 10)
    return chance_gap(lambda source: choose(ids, SPECIAL, 0.05, source), generator)


@prop("its inputs stay as they were", "which line writes into ids?")
def inputs(choose: Call, generator: torch.Generator) -> Gap | None:
    choose(torch.tensor([ROW, ROW]), SPECIAL, 0.5, generator)
    return changed_gap(choose, "ids of shape (2, 7)")


EXERCISE = Exercise(
    id="2.1",
    title="Choose the tokens to ask for",
    kind="implement",
    level=1,
    minutes=8,
    place="class",
    needs=("choose",),
    properties=(
        structure,
        specials,
        all_at_one,
        at_least_one,
        only_specials,
        rows_differ,
        own_coins,
        share,
        one_more,
        anywhere,
        from_generator,
        inputs,
    ),
    twins=("companion.masking.tokens.select_bernoulli",),
    fact=(
        "without the guard, one in five texts of ten tokens gives no target, and a mean over "
        "nothing is not a number"
    ),
    hints=(
        "Where to look. There are two decisions. First each token gets a coin. Then some rows need "
        "one more. Begin with the coins, run the check, and see how far it gets.",
        "The idea. A coin that says yes with probability `rate` is a uniform number below `rate`. "
        "Special tokens take no part, so combine two conditions. For the guard, keep the numbers: "
        "the token with the smallest number of its row came closest to being chosen.",
        "The shape of the answer. One draw of the shape of ids. One bool tensor for the "
        "ordinary tokens. Then one line for the coins, and two or three for the guard: where is "
        "each row's smallest number among its ordinary tokens? Make the other numbers infinite "
        "first.",
    ),
    transfer=(
        "In a text of ten tokens, which share is asked on average when the guard is on: more or "
        "less than 15 %?"
    ),
)
