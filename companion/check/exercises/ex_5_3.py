"""5.3: which patches are kept, which are hidden, and how to put them back."""

from typing import Any

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import changed_gap, kind_of, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

CARDS = torch.tensor([[0.6, 0.2, 0.9, 0.3, 0.8, 0.1, 0.7, 0.5]])
TRIED = "the eight cards of the example, ratio 0.75"


def _kept(cards: int, ratio: float) -> int:
    return max(1, cards - round(cards * ratio))


def _reference(noise: Tensor, ratio: float) -> tuple[Tensor, Tensor, Tensor]:
    kept = _kept(noise.shape[1], ratio)
    order = noise.argsort(dim=1)
    restore = order.argsort(dim=1)
    return order[:, :kept], restore >= kept, restore


def _three(split: Call, noise: Tensor, ratio: float, tried: str) -> tuple[Tensor, ...] | Gap:
    """What came back, if it is three tensors of the right kind."""
    value: Any = split(noise, ratio)
    if value is None:
        return Gap(tried, "None", ask="is there a return at the end of the function?")
    if not isinstance(value, tuple | list) or len(value) != 3:
        return Gap(tried, f"{kind_of(value)}, and not keep, hidden, restore")
    batch, cards = noise.shape
    wanted: tuple[tuple[str, tuple[int, ...], Any], ...] = (
        ("keep", (batch, _kept(cards, ratio)), "whole numbers"),
        ("hidden", (batch, cards), "bool"),
        ("restore", (batch, cards), "whole numbers"),
    )
    for (name, shape, numbers), one in zip(wanted, value, strict=True):
        if gap := not_a_tensor(one, shape, numbers, tried):
            return gap._replace(got=f"{name} is {gap.got}")
    return tuple(value)


def _random(batch: int, cards: int, generator: torch.Generator) -> Tensor:
    """Noise without two equal values in a row."""
    return torch.stack([torch.randperm(cards, generator=generator) for _ in range(batch)]) / cards


@prop("it returns keep, hidden and restore", "what are the shapes of the three?")
def structure(split: Call, generator: torch.Generator) -> Gap | None:
    for noise, tried in ((CARDS, TRIED), (CARDS.repeat(2, 1), "the example twice, ratio 0.75")):
        found = _three(split, noise, 0.75, tried)
        if isinstance(found, Gap):
            return found
    return None


@prop("the cards with the smallest noise are kept", "which end of the sorted row is kept?")
def keep(split: Call, generator: torch.Generator) -> Gap | None:
    found = _three(split, CARDS, 0.75, TRIED)
    if isinstance(found, Gap):
        return found
    wanted, _, restore = _reference(CARDS, 0.75)
    if torch.equal(found[0].long(), wanted):
        return None
    known = {
        "the largest noise is kept": CARDS.argsort(dim=1, descending=True)[:, :2],
        "kept in the order of the cards, not of the noise": wanted.sort(dim=1).values,
        "the inverse permutation, not the sorted one": restore[:, :2],
        "the first cards, without a look at the noise": torch.arange(2)[None],
    }
    mistake = next((w for w, one in known.items() if torch.equal(found[0].long(), one)), "")
    return Gap(TRIED, f"keep is {found[0][0].tolist()}, not {wanted[0].tolist()}", mistake)


@prop(
    "hidden stands in the order of the cards",
    "card 0 has noise 0.6. Is it hidden, and where is it?",
)
def hidden(split: Call, generator: torch.Generator) -> Gap | None:
    found = _three(split, CARDS, 0.75, TRIED)
    if isinstance(found, Gap):
        return found
    _, wanted, _ = _reference(CARDS, 0.75)
    if torch.equal(found[1], wanted):
        return None
    known = {
        "in the order of the noise, not of the cards": torch.arange(8)[None] >= 2,
        "turned round: True must mean hidden": ~wanted,
    }
    mistake = next((w for w, one in known.items() if torch.equal(found[1], one)), "")
    shown = [int(one) for one in found[1][0]]
    return Gap(TRIED, f"hidden is {shown}, not {[int(one) for one in wanted[0]]}", mistake)


@prop("restore puts every card back", "card 0 lies where in the shuffled row?")
def restore(split: Call, generator: torch.Generator) -> Gap | None:
    found = _three(split, CARDS, 0.75, TRIED)
    if isinstance(found, Gap):
        return found
    _, _, wanted = _reference(CARDS, 0.75)
    if torch.equal(found[2].long(), wanted):
        return None
    known = {
        "the shuffle itself, not its inverse": CARDS.argsort(dim=1),
        "nothing is put back": torch.arange(8)[None],
    }
    mistake = next((w for w, one in known.items() if torch.equal(found[2].long(), one)), "")
    return Gap(TRIED, f"restore is {found[2][0].tolist()}, not {wanted[0].tolist()}", mistake)


@prop("each row follows its own noise", "along which dimension do you sort?")
def rows(split: Call, generator: torch.Generator) -> Gap | None:
    noise = torch.cat([CARDS, 1 - CARDS, CARDS.roll(3, 1)])
    tried = "three rows with different noise, ratio 0.75"
    found = _three(split, noise, 0.75, tried)
    if isinstance(found, Gap):
        return found
    names = ("keep", "hidden", "restore")
    for name, one, wanted in zip(names, found, _reference(noise, 0.75), strict=True):
        if not torch.equal(one.to(wanted.dtype), wanted):
            same = bool((one == one[:1]).all())
            return Gap(
                tried,
                f"{name} of the second row is {one[1].int().tolist()}",
                "the same for all rows" if same else "",
            )
    return None


@prop("the number of kept cards is right", "how many are hidden, rounded, and how many are left?")
def count(split: Call, generator: torch.Generator) -> Gap | None:
    for cards, ratio in ((10, 0.9), (20, 0.8), (7, 0.75), (100, 0.9), (4, 1.0), (3, 0.9)):
        noise = _random(2, cards, generator)
        tried = f"{cards} cards, ratio {ratio:g}"
        wanted = _kept(cards, ratio)
        value = split(noise, ratio)
        given = value[0] if isinstance(value, tuple | list) and value else None
        if not isinstance(given, Tensor) or given.ndim != 2 or given.shape[1] != wanted:
            got = given.shape[1] if isinstance(given, Tensor) and given.ndim == 2 else "no"
            cut_off = int(cards * (1 - ratio))
            mistake = "cut off, not rounded: 1 - ratio is not exact" if got == cut_off else ""
            return Gap(tried, f"{got} kept, not {wanted}", mistake)
        found = _three(split, noise, ratio, tried)
        if isinstance(found, Gap):
            return found
        if int(found[1].sum()) != 2 * (cards - wanted):
            return Gap(tried, f"{int(found[1].sum()) // 2} hidden, and {wanted} kept")
    return None


@prop("it holds for any noise", "is something written down that belongs to the example?")
def any_noise(split: Call, generator: torch.Generator) -> Gap | None:
    for batch, cards, ratio in ((5, 16, 0.75), (1, 1, 0.5), (3, 9, 0.0), (2, 196, 0.75)):
        noise = _random(batch, cards, generator) * 4 - 2
        tried = f"{batch} rows of {cards} cards, noise from -2 to 2, ratio {ratio:g}"
        found = _three(split, noise, ratio, tried)
        if isinstance(found, Gap):
            return found
        names = ("keep", "hidden", "restore")
        for name, one, wanted in zip(names, found, _reference(noise, ratio), strict=True):
            if not torch.equal(one.to(wanted.dtype), wanted):
                return Gap(tried, f"another {name} than the noise says")
    return None


@prop("the noise stays as it was", "which line writes into an input?")
def inputs(split: Call, generator: torch.Generator) -> Gap | None:
    split(CARDS, 0.75)
    return changed_gap(split, TRIED)


EXERCISE = Exercise(
    id="5.3",
    title="Which cards are kept?",
    kind="implement",
    level=2,
    minutes=12,
    place="class",
    needs=("split",),
    properties=(structure, keep, hidden, restore, rows, count, any_noise, inputs),
    twins=("companion.masking.patches.split_by_noise", "companion.masking.patches.mask_patches"),
    fact="with the noise as an input the same mask can be made again: for a test, or for an exam",
    hints=(
        "Where to look. Sorting the noise tells in which order the cards are dealt. What does "
        "sorting that order once more tell?",
        "The idea. The first sort gives for each place of the shuffled row the card that lies "
        "there; its beginning is keep. The second gives for each card its place. A card is "
        "hidden if that place comes after the kept ones.",
        "The shape of the answer. Four lines: the number of kept cards; argsort along the row; "
        "argsort of that; and a comparison with the number.",
    ),
    transfer="How do you get hidden from keep alone, without restore?",
)
