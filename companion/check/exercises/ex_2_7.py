"""2.7: whole words: all pieces of a word share one coin."""

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import bounds, chance_gap, changed_gap, first_place, not_a_tensor
from companion.check.exercise import Exercise, Gap, percent, prop

# [CLS], a word of one piece, one of three, one of two, [SEP], padding.
ROW = [-1, 0, 1, 1, 1, 2, 2, -1, -1]


def _words(rows: int, lengths: list[int]) -> Tensor:
    """Rows of words with these numbers of pieces, between -1 and -1: (rows, length)."""
    one = [-1] + [word for word, n in enumerate(lengths) for _ in range(n)] + [-1]
    return torch.tensor(one).expand(rows, -1).contiguous()


@prop("it returns True or False for every piece", "what has to come back for each piece?")
def structure(choose_words: Call, generator: torch.Generator) -> Gap | None:
    for rows in (2, 1):
        chosen = choose_words(torch.tensor([ROW] * rows), 0.5, generator)
        if gap := not_a_tensor(chosen, (rows, 9), "bool", f"{rows} rows of word ids {ROW}"):
            return gap
    return None


@prop("pieces with word id -1 are never chosen", "does -1 stand for a word?")
def outside(choose_words: Call, generator: torch.Generator) -> Gap | None:
    ids = torch.tensor([ROW, ROW[::-1]] * 10)
    for rate in (1.0, 0.5):
        wrong = choose_words(ids, rate, generator) & (ids == -1)
        if wrong.any():
            row, place = first_place(wrong)
            return Gap(
                f"the word ids {ids[row].tolist()}, rate {rate:g}",
                f"place {place} is chosen",
                "-1 taken for one more word",
            )
    if choose_words(torch.full((2, 3), -1), 0.5, generator).any():
        return Gap("two rows without any word", "something is chosen")
    return None


@prop(
    "all pieces of a word are chosen, or none",
    "how many coins does a word of three pieces get?",
)
def whole(choose_words: Call, generator: torch.Generator) -> Gap | None:
    ids = torch.tensor([ROW]).expand(40, -1).contiguous()
    chosen = choose_words(ids, 0.5, generator)
    for word, (a, b) in {1: (2, 5), 2: (5, 7)}.items():
        pieces = chosen[:, a:b]
        torn = pieces.any(-1) & ~pieces.all(-1)
        if torn.any():
            found = pieces[first_place(torn)[0]].tolist()
            return Gap(
                f"the word ids {ROW}, rate 0.5",
                f"the pieces of word {word}: {found}",
                "a coin for each piece",
            )
    return None


@prop("at rate 1 every word is chosen", "at rate 1 every coin says yes: who gets no coin?")
def all_at_one(choose_words: Call, generator: torch.Generator) -> Gap | None:
    for row in (ROW, ROW[::-1], [-1, -1, *ROW[:7]]):
        ids = torch.tensor([row])
        missing = (ids >= 0) & ~choose_words(ids, 1.0, generator)
        if missing.any():
            _, place = first_place(missing)
            words = f"place {place} is not chosen; it belongs to word {row[place]}"
            return Gap(f"the word ids {row}, rate 1", words)
    return None


@prop(
    "a word is chosen at the given rate, however many pieces it has",
    "is a word of nine pieces asked more often in your code?",
)
def rate(choose_words: Call, generator: torch.Generator) -> Gap | None:
    # 8,000 words of each length at 0.15: 6 sigma are 0.024. Any-of-nine-pieces would give 0.77.
    lengths = [1, 9, 1, 9]
    chosen = choose_words(_words(4000, lengths), 0.15, generator)
    starts = torch.tensor([1, 2, 11, 12])
    firsts = chosen[:, starts].float().mean(0)
    low, high = bounds(0.15, 8000)
    for n, found in ((1, (firsts[0] + firsts[2]) / 2), (9, (firsts[1] + firsts[3]) / 2)):
        if not low < float(found) < high:
            mistake = "a word chosen when any of its pieces is" if n == 9 and found > 0.5 else ""
            return Gap(
                f"8,000 words of {n} piece{'s' * (n > 1)}, rate 0.15",
                f"{percent(float(found))} chosen",
                mistake,
                ask="do you toss for each word, or count? A row may stay without any, so: "
                "what else decides?"
                if n == 1
                else "",
            )
    return None


@prop(
    "every word of every row has a coin of its own",
    "how does a piece find its coin, and who else finds the same one?",
)
def own_coins(choose_words: Call, generator: torch.Generator) -> Gap | None:
    # 44 calls. Two words that agree 44 times by chance: 1 in 10**9 for all pairs together.
    for ids in (
        torch.tensor([[-1, 0, 1, 2, 2, 3, -1], [-1, 0, 1, 1, 2, 3, 4], [-1, -1, -1, 0, 1, 2, -1]]),
        torch.tensor([[7, 8], [5, 6]]),
        torch.tensor([[5, 7], [7, 9]]),
        torch.arange(150).view(1, 150),
        torch.tensor([[-1, 3, 70, 999], [1, 2, 998, 999]]),
    ):
        calls = torch.stack([choose_words(ids, 0.5, generator) for _ in range(44)])
        seen: dict[tuple[bool, ...], tuple[int, int]] = {}
        for row, place in (ids >= 0).nonzero().tolist():
            word = (row, int(ids[row, place]))
            other = seen.setdefault(tuple(calls[:, row, place].tolist()), word)
            if other != word and not calls[:, row, place].any():
                return Gap(
                    f"44 calls with the word ids {ids.tolist()}, rate 0.5",
                    f"words {other[1]} and {word[1]} are never chosen",
                    ask="do you expect the word ids 0, 1, 2 and so on?",
                )
            if other != word:
                mistake = "one coin for a word id in all rows" if other[1] == word[1] else ""
                short = ids.tolist() if ids.numel() < 30 else f"0 to {ids.numel() - 1}"
                return Gap(
                    f"44 calls with the word ids {short}, rate 0.5",
                    f"word {other[1]} of row {other[0]} and word {word[1]} of row {word[0]} "
                    "always get the same answer",
                    mistake,
                )
    return None


@prop("all chance comes from the generator", "which of your draws does not get the generator?")
def from_generator(choose_words: Call, generator: torch.Generator) -> Gap | None:
    ids = _words(20, [1, 2, 3, 1, 2])
    return chance_gap(lambda source: choose_words(ids, 0.5, source), generator)


@prop("its inputs stay as they were", "which line writes into word_ids?")
def inputs(choose_words: Call, generator: torch.Generator) -> Gap | None:
    choose_words(torch.tensor([ROW, ROW]), 0.5, generator)
    return changed_gap(choose_words, f"the word ids {ROW}")


EXERCISE = Exercise(
    id="2.7",
    title="Choose whole words",
    kind="implement",
    level=3,
    minutes=12,
    place="home",
    needs=("choose_words",),
    properties=(
        structure,
        outside,
        whole,
        all_at_one,
        own_coins,
        rate,
        from_generator,
        inputs,
    ),
    twins=("companion.masking.spans.select_words",),
    fact="if you see half of a word, you can often guess the rest: whole words are harder to guess",
    hints=(
        "Where to look. A coin for each piece is one line, and you have written it in 2.1. What "
        "has to happen so that the pieces of a word see the same number?",
        "The idea. Toss more coins than you need, and let every piece look at the coin of its "
        "word. Which number can serve as the address of that coin? Equal word ids in two rows "
        "must not meet: each row needs coins of its own.",
        "The shape of the answer. Draw a table of coins with one row for each row of the batch, "
        "wide enough for the largest word id. Every piece then reads the table at its own row, in "
        "the column of its word id: look up what `torch.gather` does. Take care of -1, which is "
        "no column.",
    ),
    transfer=(
        "A row of 100 words has 160 pieces. At rate 0.15, what can you say about the number of "
        "chosen pieces, and what about the number of chosen words?"
    ),
)
