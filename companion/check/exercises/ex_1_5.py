"""1.5: how much does an encoder care about order?"""

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, kind_of, one_number
from companion.check.exercise import Exercise, Gap, prop

IDS = torch.tensor([[5, 6, 7, 9]])
PERM = torch.tensor([2, 0, 3, 1])  # its inverse is another one
TRIED = "ids 5, 6, 7, 9 and perm 2, 0, 3, 1"


def _look_up(ids: Tensor) -> Tensor:
    """Each token by itself: order means nothing."""
    return torch.stack([ids * 1.0, ids * ids * 0.5, 3.0 - ids], dim=-1)


def _with_places(ids: Tensor) -> Tensor:
    """Each token and its place: order means something."""
    places = torch.tensor([0.0, 10.0, 30.0, 70.0, 150.0, 310.0, 630.0])[: ids.shape[1]]
    places = places.expand(ids.shape)
    return torch.stack([ids + 0.77 * places, 0.3 * places - ids, -0.61 * places], dim=-1)


def _neighbours(ids: Tensor) -> Tensor:
    """Each token and the one before it."""
    before = ids.roll(1, 1)
    return torch.stack([ids * 1.0, before * ids * 0.13, 8.0 - before * ids], dim=-1)


def _reference(encoder: object, ids: Tensor, perm: Tensor) -> float:
    assert callable(encoder)
    shuffled = encoder(torch.tensor([[int(ids[0, int(p)]) for p in perm]]))
    plain = encoder(ids)
    return max(
        float((shuffled[0, place] - plain[0, int(p)]).abs().max()) for place, p in enumerate(perm)
    )


@prop("it returns one number, not below 0", "what comes back from your function?")
def structure(order_gap: Call, generator: torch.Generator) -> Gap | None:
    value = order_gap(_with_places, IDS, PERM)
    if value is None:
        return Gap(TRIED, "None", ask="is there a return at the end of the function?")
    number = one_number(value)
    if number is None:
        return Gap(TRIED, f"{kind_of(value)}, and not one number")
    return Gap(TRIED, f"{number:.3g}", "no absolute value") if number < 0 else None


@prop(
    "where each token is encoded by itself, it is 0",
    "are both sides shuffled, and in the same way?",
)
def none(order_gap: Call, generator: torch.Generator) -> Gap | None:
    found = one_number(order_gap(_look_up, IDS, PERM)) or 0.0
    if not abs(found) < 1e-6:
        known = {
            float(
                (_look_up(IDS[:, PERM]) - _look_up(IDS)).abs().max()
            ): "only one side is shuffled",
            float(
                (_look_up(IDS[:, PERM]) - _look_up(IDS)[:, PERM.argsort()]).abs().max()
            ): "the other side is shuffled back, not in the same way",
        }
        mistake = next((why for x, why in known.items() if abs(x - found) < 1e-4), "")
        return Gap(f"{TRIED}, an encoder that looks up each token by itself", f"{found:g}", mistake)
    return None


def _shown(number: float | None) -> str:
    return "no number" if number is None else f"{number:.5g}"


@prop(
    "where places count, it is the largest difference", "mean, sum, or largest? Of which numbers?"
)
def largest(order_gap: Call, generator: torch.Generator) -> Gap | None:
    for name, encoder in (("adds places", _with_places), ("looks at the left", _neighbours)):
        found, wanted = one_number(order_gap(encoder, IDS, PERM)), _reference(encoder, IDS, PERM)
        if found is None or not abs(found - wanted) < 1e-4:
            difference = encoder(IDS[:, PERM]) - encoder(IDS)[:, PERM]
            known = {
                float(difference.abs().mean()): "the mean difference",
                float(difference.max()): "no absolute value",
                float(difference.abs().sum()): "the sum of all differences",
                float(difference.norm()): "the length of the difference",
                float(difference[:, 0].abs().max()): "the first token alone",
            }
            mistake = next((w for x, w in known.items() if abs(x - (found or 0.0)) < 1e-4), "")
            return Gap(
                f"{TRIED}, an encoder that {name}", f"{_shown(found)}, not {wanted:g}", mistake
            )
    return None


@prop("it holds for any row and any shuffle", "which length did you write down?")
def any_row(order_gap: Call, generator: torch.Generator) -> Gap | None:
    # In the first row the vector of a token that keeps its place changes most.
    # In the second one token occurs twice, and in the third a number changes its sign.
    cases = [
        (torch.tensor([[1, 2, 3, 30]]), torch.tensor([0, 2, 1, 3])),
        (torch.tensor([[2, 1, 2]]), torch.tensor([1, 2, 0])),
        (torch.tensor([[1, 2, 9]]), torch.tensor([2, 1, 0])),
    ]
    for length in (1, 2, 5, 7):
        ids = torch.randint(4, (1, length), generator=generator)  # tokens that occur twice
        cases.append((ids, torch.randperm(length, generator=generator)))
    for ids, perm in cases:
        for encoder in (_look_up, _with_places, _neighbours):
            found, wanted = (
                one_number(order_gap(encoder, ids, perm)),
                _reference(encoder, ids, perm),
            )
            if found is None or not abs(found - wanted) < 1e-3:
                tried = f"ids {ids[0].tolist()}, perm {perm.tolist()}"
                return Gap(tried, f"{_shown(found)}, not {wanted:g}")
    return None


@prop("an encoder with gradients does no harm", "does your number still hang on the model?")
def with_gradient(order_gap: Call, generator: torch.Generator) -> Gap | None:
    weight = torch.ones(3, requires_grad=True)
    value = order_gap(lambda ids: _with_places(ids) * weight, IDS, PERM)
    found, wanted = one_number(value), _reference(_with_places, IDS, PERM)
    if found is None or not abs(found - wanted) < 1e-4:
        return Gap(
            "an encoder whose weights ask for a gradient", f"{_shown(found)}, not {wanted:g}"
        )
    return None


@prop("ids and perm stay as they were", "which line writes into an input?")
def inputs(order_gap: Call, generator: torch.Generator) -> Gap | None:
    order_gap(_look_up, IDS, PERM)
    return changed_gap(order_gap, TRIED)


EXERCISE = Exercise(
    id="1.5",
    title="What does it know of order?",
    kind="implement",
    level=2,
    minutes=10,
    place="class",
    needs=("order_gap",),
    properties=(structure, none, largest, any_row, with_gradient, inputs),
    fact="without positions a Transformer gives each token the same vector in any order",
    hints=(
        "Where to look. There are two roads: shuffle, then encode; encode, then shuffle. Write "
        "each of them as one line.",
        "The idea. `ids[:, perm]` shuffles the tokens. The vectors have one dimension more, but "
        "the places are in the same one. Shuffle them with the same perm.",
        "The shape of the answer. A difference of two tensors of shape (1, length, width), then "
        "its absolute value, then the largest of all its numbers.",
    ),
    transfer="A model without positions is to tell 'dog bites man' from 'man bites dog'. Can it?",
)
