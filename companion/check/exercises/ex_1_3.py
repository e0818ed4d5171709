"""1.3: three look-ups, a sum, a LayerNorm."""

import torch
from torch import Tensor, nn

from companion.check.call import Call
from companion.check.compare import changed_gap, first_place, gradients_of, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop

Inputs = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, nn.LayerNorm]


def _inputs(sizes: tuple[int, int, int, int, int], generator: torch.Generator) -> Inputs:
    """batch, length, vocabulary, places, width -> what embed gets."""
    batch, length, vocabulary, places, width = sizes
    ids = torch.randint(vocabulary, (batch, length), generator=generator)
    segments = torch.randint(2, (batch, length), generator=generator)
    words, positions, kinds = (
        torch.randn(n, width, generator=generator) for n in (vocabulary, places, 2)
    )
    norm = nn.LayerNorm(width)
    with torch.no_grad():
        norm.weight.copy_(torch.rand(width, generator=generator) + 0.5)
        norm.bias.copy_(torch.randn(width, generator=generator))
    return ids, segments, words, positions, kinds, norm


def _reference(given: Inputs) -> Tensor:
    ids, segments, words, positions, kinds, norm = given
    rows = [
        torch.stack([words[i] + positions[p] + kinds[s] for p, (i, s) in enumerate(pairs)])
        for pairs in (
            zip(a.tolist(), b.tolist(), strict=True) for a, b in zip(ids, segments, strict=True)
        )
    ]
    out: Tensor = norm(torch.stack(rows))
    return out


def _known(found: Tensor, given: Inputs) -> str:
    ids, segments, words, positions, kinds, norm = given
    places = positions[: ids.shape[1]]
    others = {
        "no LayerNorm": words[ids] + places + kinds[segments],
        "LayerNorm of the words alone, before the sum": norm(words[ids]) + places + kinds[segments],
        "LayerNorm of each part": norm(words[ids]) + norm(places) + norm(kinds[segments]),
        "no positions": norm(words[ids] + kinds[segments]),
        "no segments": norm(words[ids] + places),
        "the words alone": norm(words[ids]),
        "places counted from 1": norm(
            words[ids] + positions.roll(-1, 0)[: ids.shape[1]] + kinds[segments]
        ),
        "segments exchanged": norm(words[ids] + places + kinds[1 - segments]),
        "the mean of the three, not their sum": norm((words[ids] + places + kinds[segments]) / 3),
        "segments by which a token is multiplied": norm(words[ids] + places),
        "positions looked up by the id": norm(
            words[ids] + positions[ids.clamp(max=len(positions) - 1)] + kinds[segments]
        ),
        "the segment of the first token for all": norm(
            words[ids] + places + kinds[segments[:, :1]]
        ),
    }
    return next(
        (
            name
            for name, wrong in others.items()
            if wrong.shape == found.shape and torch.allclose(found, wrong, atol=1e-5)
        ),
        "",
    )


@prop("it returns one vector for each token", "which shape has each look-up?")
def structure(embed: Call, generator: torch.Generator) -> Gap | None:
    given = _inputs((2, 3, 9, 12, 4), generator)
    return not_a_tensor(embed(*given), (2, 3, 4), "floats", "ids of shape (2, 3), width 4")


@prop(
    "it is LayerNorm of words + positions + kinds",
    "which row of which table does a token get, and what is normalised?",
)
def values(embed: Call, generator: torch.Generator) -> Gap | None:
    given = _inputs((2, 3, 9, 12, 4), generator)  # more places than ids: each could be looked up
    # Every case of the sum occurs: both segments, and ids that are no places of the row.
    *tables, norm = given[2:]
    given = (torch.tensor([[7, 0, 5], [5, 5, 8]]), torch.tensor([[0, 1, 1], [1, 0, 0]]), *given[2:])
    # Small vectors too: there the LayerNorm's eps shows what was done to the sum before.
    words, positions, kinds = (0.02 * table for table in tables)
    small = (*given[:2], words, positions, kinds, norm)
    for one, size in ((given, ""), (small, "small vectors, ")):
        found, wanted = embed(*one), _reference(one)
        if not torch.allclose(found, wanted, atol=1e-5):
            row, place = first_place((found - wanted).abs().amax(-1) > 1e-5)
            got, right = ([round(x, 4) for x in y[row, place].tolist()] for y in (found, wanted))
            return Gap(
                f"{size}the token at place {place} with id {int(one[0][row, place])} and segment "
                f"{int(one[1][row, place])}",
                f"{got}, not {right}",
                _known(found, one),
            )
    return None


@prop("it holds for any sizes", "which size did you write down?")
def any_batch(embed: Call, generator: torch.Generator) -> Gap | None:
    for sizes in ((1, 1, 3, 1, 2), (4, 7, 50, 7, 8), (3, 3, 20, 64, 3), (2, 12, 5, 40, 16)):
        given = _inputs(sizes, generator)
        found, wanted = embed(*given), _reference(given)
        tried = f"batch {sizes[0]}, length {sizes[1]}, {sizes[2]} words, {sizes[3]} places"
        if gap := not_a_tensor(found, tuple(wanted.shape), "floats", tried):
            return gap
        if not torch.allclose(found, wanted, atol=1e-5):
            return Gap(tried, "another result", _known(found, given))
    return None


@prop(
    "a gradient reaches the three tables",
    "does a number leave PyTorch on its way, or is a table copied?",
)
def gradient(embed: Call, generator: torch.Generator) -> Gap | None:
    ids, segments, *tables, norm = _inputs((2, 3, 9, 5, 4), generator)
    found = embed(ids, segments, *(table.requires_grad_() for table in tables), norm)
    tried = "tables that ask for a gradient"
    given = gradients_of(found.pow(3), embed.given[2:5], tried)
    if isinstance(given, Gap):
        return given
    for name, got in zip(("words", "positions", "kinds"), given, strict=True):
        if not got.abs().sum() > 0:
            return Gap(tried, f"none at {name}")
    return None


@prop("its inputs stay as they were", "which line adds into a table?")
def inputs(embed: Call, generator: torch.Generator) -> Gap | None:
    embed(*_inputs((2, 3, 9, 5, 4), generator))
    return changed_gap(embed, "ids of shape (2, 3)")


EXERCISE = Exercise(
    id="1.3",
    title="The sum",
    kind="implement",
    level=2,
    minutes=10,
    place="class",
    needs=("embed",),
    properties=(structure, values, any_batch, gradient, inputs),
    twins=("companion.models.bert.BertEmbeddings.forward",),
    fact="one vector carries all three, and the network learns to read them apart",
    hints=(
        "Where to look. A look-up is an index: `table[numbers]` gives a vector for each number. "
        "For two of the tables the numbers are given. Which numbers belong to the third?",
        "The idea. Place 0 gets row 0 of `positions`, place 1 row 1: the same for every row of the "
        "batch. The first `length` rows of the table are all that is needed. Added to a batch, "
        "they are used for each of its rows.",
        "The shape of the answer. Two look-ups by index, one slice, a sum of three, and `norm` "
        "called on the sum.",
    ),
    transfer="Would the model lose anything if positions and kinds were one table? What would it "
    "cost?",
)
