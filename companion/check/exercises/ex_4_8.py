"""4.8: the score of a sentence, one hidden token at a time."""

import math

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, kind_of, one_number
from companion.check.exercise import Exercise, Gap, prop

PAD, CLS, SEP, MASK = 0, 1, 2, 3
SPECIAL = (PAD, CLS, SEP, MASK)
WORDS = 12
IDS = torch.tensor([CLS, 7, 9, 4, SEP])
TRIED = "[CLS] 7 9 4 [SEP]"


class _Score:
    """Log-probabilities that hang on the whole row, and a list of the batches it was given."""

    def __init__(self) -> None:
        self.batches: list[Tensor] = []

    def __call__(self, rows: Tensor) -> Tensor:
        self.batches.append(rows.clone())
        place = torch.arange(1, rows.shape[1] + 1)
        about = (rows * place).sum(1) + 5 * (rows == MASK).sum(1)  # (batch,)
        word = torch.arange(WORDS)
        logits = torch.sin(about[:, None, None] * 0.7 + place[:, None] * 1.3 + word * 2.1)
        return (2 * logits).log_softmax(-1)  # (batch, length, vocabulary)


def _reference(ids: Tensor, special: tuple[int, ...]) -> float:
    total = 0.0
    for place, one in enumerate(ids.tolist()):
        if one not in special:
            row = ids.clone()
            row[place] = MASK
            total += float(_Score()(row[None])[0, place, one])
    return total


def _known(ids: Tensor) -> dict[float, str]:
    """What well-known mistakes give."""
    chosen = [p for p, one in enumerate(ids.tolist()) if one not in SPECIAL]
    hidden = ids.clone()
    hidden[chosen] = MASK
    at = ids[chosen]
    all_hidden = _Score()(hidden[None])[0, chosen, at]
    plain = _Score()(ids[None])[0, chosen, at]
    right = _reference(ids, SPECIAL)
    rows = ids.repeat(len(chosen), 1)
    rows[torch.arange(len(chosen)), chosen] = MASK
    of_mask = _Score()(rows)[torch.arange(len(chosen)), chosen, MASK]
    return {
        float(of_mask.sum()): "the probability of [MASK], not of the true token",
        float(all_hidden.sum()): "all tokens hidden at once",
        float(plain.sum()): "nothing hidden: the model sees the answer",
        right / len(chosen): "a mean, not a sum",
        -right: "the sign",
        math.exp(right): "a probability, not its logarithm",
    }


@prop("it returns one number, 0 or below", "what comes back from your function?")
def structure(pseudo_log_likelihood: Call, generator: torch.Generator) -> Gap | None:
    value = pseudo_log_likelihood(_Score(), IDS, MASK, SPECIAL)
    if value is None:
        return Gap(TRIED, "None", ask="is there a return at the end of the function?")
    number = one_number(value)
    if number is None:
        return Gap(TRIED, f"{kind_of(value)}, and not one number")
    if number > 0:
        mistake = next((w for x, w in _known(IDS).items() if abs(x - number) < 1e-4), "")
        return Gap(TRIED, f"{number:.3f}", mistake)
    return None


@prop(
    "it is the sum over the tokens, each hidden alone",
    "what does the model see in each row, and what do you read off there?",
)
def value(pseudo_log_likelihood: Call, generator: torch.Generator) -> Gap | None:
    found = one_number(pseudo_log_likelihood(_Score(), IDS, MASK, SPECIAL)) or 0.0
    wanted = _reference(IDS, SPECIAL)
    if not abs(found - wanted) < 1e-3:
        mistake = next((w for x, w in _known(IDS).items() if abs(x - found) < 1e-4), "")
        return Gap(TRIED, f"{found:.3f}, not {wanted:.3f}", mistake)
    return None


@prop("special tokens are neither hidden nor counted", "which ids are special? Only at the ends?")
def specials(pseudo_log_likelihood: Call, generator: torch.Generator) -> Gap | None:
    for row in ([CLS, 7, SEP, 9, SEP, PAD, PAD], [7, 9, 4], [CLS, 7, MASK, 4, SEP]):
        ids = torch.tensor(row)
        found = one_number(pseudo_log_likelihood(_Score(), ids, MASK, SPECIAL))
        wanted = _reference(ids, SPECIAL)
        if found is None or not abs(found - wanted) < 1e-3:
            shown = "no number" if found is None else f"{found:.3f}"
            return Gap(f"ids {row}, special are 0 to 3", f"{shown}, not {wanted:.3f}")
    found = one_number(pseudo_log_likelihood(_Score(), IDS, MASK, (MASK, 9)))
    wanted = _reference(IDS, (MASK, 9))
    if found is None or not abs(found - wanted) < 1e-3:
        shown = "no number" if found is None else f"{found:.3f}"
        return Gap(f"{TRIED}, special are 3 and 9", f"{shown}, not {wanted:.3f}")
    return None


@prop("score is called once, with one row a token", "how many rows does your batch have?")
def one_batch(pseudo_log_likelihood: Call, generator: torch.Generator) -> Gap | None:
    score = _Score()
    pseudo_log_likelihood(score, IDS, MASK, SPECIAL)
    shapes = [tuple(batch.shape) for batch in score.batches]
    if len(shapes) != 1:
        return Gap(TRIED, f"score was called {len(shapes)} times")
    if shapes != [(3, 5)]:
        return Gap(TRIED, f"a batch of shape {shapes[0]}, not (3, 5)")
    return None


@prop("it holds for any row", "which length did you write down? Does an id occur twice?")
def any_row(pseudo_log_likelihood: Call, generator: torch.Generator) -> Gap | None:
    rows = [[CLS, 8, SEP], [CLS, 5, 5, 5, SEP], [6, CLS, 6]]
    rows += [[*torch.randint(WORDS, (n,), generator=generator).tolist(), 4] for n in (6, 20, 60)]
    for row in rows:
        ids = torch.tensor(row)
        found = one_number(pseudo_log_likelihood(_Score(), ids, MASK, SPECIAL))
        wanted = _reference(ids, SPECIAL)
        if found is None or not math.isclose(found, wanted, rel_tol=1e-4, abs_tol=1e-3):
            shown = "no number" if found is None else f"{found:.3f}"
            tried = f"ids {row}" if len(row) < 8 else f"a row of {len(row)} tokens"
            return Gap(tried, f"{shown}, not {wanted:.3f}")
    return None


@prop("without other tokens it is 0", "what is the sum of nothing?")
def empty(pseudo_log_likelihood: Call, generator: torch.Generator) -> Gap | None:
    found = one_number(pseudo_log_likelihood(_Score(), torch.tensor([CLS, SEP]), MASK, SPECIAL))
    return None if found == 0 else Gap("[CLS] [SEP]", f"{found}, not 0")


@prop("ids stay as they were", "which line writes into an input?")
def inputs(pseudo_log_likelihood: Call, generator: torch.Generator) -> Gap | None:
    pseudo_log_likelihood(_Score(), IDS, MASK, SPECIAL)
    return changed_gap(pseudo_log_likelihood, TRIED)


EXERCISE = Exercise(
    id="4.8",
    title="A score for a sentence",
    kind="implement",
    level=3,
    minutes=12,
    place="home",
    needs=("pseudo_log_likelihood",),
    properties=(structure, value, specials, one_batch, any_row, empty, inputs),
    twins=("companion.evaluation.sentences.pseudo_log_likelihood",),
    fact=(
        "these numbers rank sentences well, but they are no probability of the sentence: over "
        "all sentences they do not sum to 1"
    ),
    hints=(
        "Where to look. How many rows does the batch have, and in what do they differ? First "
        "list the places that are not special.",
        "The idea. Copy the row once for each such place, and put mask_id at one place in each "
        "copy. In row k of the answer you need one number: at the hidden place, for the true id.",
        "The shape of the answer. Three indices pick it for all rows at once: the number of the "
        "row, its hidden place, the true id there. Then a sum.",
    ),
    transfer="Hide two tokens of a word at a time instead of one. Does the score rise or fall?",
)
