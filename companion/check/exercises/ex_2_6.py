"""2.6, find the bug: everything is off by one."""

from typing import Any

import torch
from torch import Tensor

from companion.check.call import Call
from companion.check.compare import bounds, chance_gap, changed_gap, kind_of, not_a_tensor
from companion.check.exercise import Exercise, Gap, percent, prop

CLS, SEP, MASK = 2, 3, 4
TEXT = torch.arange(11, 19)  # eight tokens, all different


def _out(prepare: Call, ids: Tensor, rate: float, generator: torch.Generator) -> Any:
    return prepare(ids, CLS, SEP, MASK, rate, generator)


def _tried(rate: float) -> str:
    return f"the text {TEXT.tolist()}, rate {rate:g}"


@prop("it returns two rows: [CLS], the text, [SEP]", "how long is a text with its two specials?")
def structure(prepare: Call, generator: torch.Generator) -> Gap | None:
    out = _out(prepare, TEXT, 0.3, generator)
    if not isinstance(out, tuple | list) or len(out) != 2:
        return Gap(_tried(0.3), f"{kind_of(out)}, and not the pair (corrupted, labels)")
    for value in out:
        if gap := not_a_tensor(value, (10,), "whole numbers", _tried(0.3)):
            return gap
    seen, _ = _out(prepare, TEXT, 1.0, generator)
    if (seen == -100).any():
        return Gap(_tried(1.0), f"first {seen.tolist()}", "the two in the wrong order")
    return None


@prop(
    "[CLS] and [SEP] stay, and are never asked for",
    "which place of the row has the first token of the text?",
)
def specials(prepare: Call, generator: torch.Generator) -> Gap | None:
    outs = [_out(prepare, TEXT, 0.5, generator) for _ in range(20)]
    cls = [pair for pair in outs if (int(pair[0][0]), int(pair[1][0])) != (CLS, -100)]
    sep = [pair for pair in outs if (int(pair[0][-1]), int(pair[1][-1])) != (SEP, -100)]
    if not cls and not sep:
        return None
    seen, labels = (cls or sep)[0]
    mistake = "choosing among the special tokens too" if cls and sep else ""
    if all((pair[1] != -100).all() for pair in outs):
        mistake = "a label for every token"
    if cls and not sep:  # whoever chooses among all places hits [SEP] in 20 texts
        mistake = "places of the text, used in the row"
    return Gap(_tried(0.5), f"it sees {seen.tolist()}, labels {labels.tolist()}", mistake)


@prop(
    "the label at a [MASK] is the token that stood at that place",
    "which token stands at place 1 of the row: the first of the text, or the second?",
)
def own_place(prepare: Call, generator: torch.Generator) -> Gap | None:
    row = torch.cat([torch.tensor([CLS]), TEXT, torch.tensor([SEP])])
    for _ in range(20):
        _seen, labels = _out(prepare, TEXT, 0.5, generator)
        asked = labels != -100
        if (labels[asked] != row[asked]).any():
            place = int((asked & (labels != row)).nonzero()[0])
            after = place < 9 and int(labels[place]) == int(row[place + 1])
            return Gap(
                _tried(0.5),
                f"at place {place} stood {int(row[place])}, the label says {int(labels[place])}",
                "labels of the next place" if after else "",
                ask="is the label read before [MASK] is written, or after?"
                if int(labels[place]) == MASK
                else "",
            )
    return None


@prop(
    "exactly the tokens with a label are hidden",
    "are the hidden places and the places with a label chosen by the same numbers?",
)
def same_places(prepare: Call, generator: torch.Generator) -> Gap | None:
    for _ in range(20):
        seen, labels = _out(prepare, TEXT, 0.5, generator)
        hidden, asked = (seen == MASK).tolist(), (labels != -100).tolist()
        if hidden != asked:
            return Gap(
                _tried(0.5),
                f"hidden: places {_places(hidden)}; with a label: {_places(asked)}",
                "shifting one of the two",
            )
    return None


def _places(flags: list[bool]) -> list[int]:
    return [place for place, flag in enumerate(flags) if flag]


@prop("it uses the three ids that it is given", "which ids did you write down?")
def given_ids(prepare: Call, generator: torch.Generator) -> Gap | None:
    seen, _ = prepare(TEXT, 901, 902, 999, 1.0, generator)
    ends = int(seen[0]), int(seen[-1])
    if ends != (901, 902) or (seen == MASK).any():
        tried = f"{_tried(1.0)}, cls_id 901, sep_id 902, mask_id 999"
        return Gap(tried, f"it sees {seen.tolist()}")
    return None


@prop("the other tokens stay as they were", "which tokens may change?")
def others(prepare: Call, generator: torch.Generator) -> Gap | None:
    row = torch.cat([torch.tensor([CLS]), TEXT, torch.tensor([SEP])])
    for _ in range(20):
        seen, _ = _out(prepare, TEXT, 0.5, generator)
        if ((seen != row) & (seen != MASK)).any():
            return Gap(_tried(0.5), f"the model sees {seen.tolist()}")
    return None


@prop(
    "each token of the text is chosen at the given rate", "is there a token that no coin reaches?"
)
def rate(prepare: Call, generator: torch.Generator) -> Gap | None:
    # 400 rows at 0.5: 6 sigma are 0.15 for each place; false alarms: 2 in 10**8. At 0.1 all places
    # together: 6 sigma are 0.032; one forced token in each empty text would add 0.054.
    text = torch.tensor([11, 12, 11, 13, 11, 12, 14, 11])
    for rate_, together in ((0.5, False), (0.1, True)):
        rows = [_out(prepare, text, rate_, generator)[0] == MASK for _ in range(400)]
        per_place = torch.stack(rows).float().mean(0)[1:-1]
        found = per_place.mean()[None] if together else per_place
        low, high = bounds(rate_, 400 * 8 if together else 400)
        wrong = (found < low) | (found > high)
        if wrong.any():
            place = int(wrong.nonzero()[0])
            what = "tokens" if together else f"place {place} of the text"
            more = together and float(found[place]) > high
            return Gap(
                f"400 times the text {text.tolist()}, rate {rate_}",
                f"{what} hidden in {percent(float(found[place]), 0)}",
                ask="does your code add a [MASK] of its own?" if more else "",
            )
    return None


@prop("all chance comes from the generator", "which of your draws does not get the generator?")
def from_generator(prepare: Call, generator: torch.Generator) -> Gap | None:
    def four_texts(source: torch.Generator) -> Tensor:
        return torch.stack([_out(prepare, TEXT, 0.5, source)[0] for _ in range(4)])

    return chance_gap(four_texts, generator)


@prop("the text that it was given stays as it was", "do two names stand for one tensor here?")
def inputs(prepare: Call, generator: torch.Generator) -> Gap | None:
    _out(prepare, TEXT, 1.0, generator)
    return changed_gap(prepare, _tried(1.0))


EXERCISE = Exercise(
    id="2.6",
    title="Off by one",
    kind="bug",
    level=2,
    minutes=10,
    place="home",
    needs=("prepare",),
    properties=(
        structure,
        specials,
        own_place,
        same_places,
        given_ids,
        others,
        rate,
        from_generator,
        inputs,
    ),
    fact="a place that was chosen in the text is another place in the row, once [CLS] is in front",
    hints=(
        "Where to look. Follow one token. At which place of the text does it stand, and at which "
        "place of the finished row? Then look at each line that uses `places`.",
        "The idea. [CLS] moves everything by one. Two tensors are filled at `places`, and one is "
        "read there. All three have to mean the same place of the same row.",
        "The shape of the answer. Either the numbers in `places` move by one as soon as they are "
        "known, or the coins are tossed for the finished row, with its two specials left out. Then "
        "the label is read from where the [MASK] is written.",
    ),
    transfer=(
        "The faulty version trains without an error, and the loss goes down. What does the model "
        "learn to say?"
    ),
)
