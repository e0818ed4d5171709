"""3.1: the head of next sentence prediction, on place 0 alone."""

import torch
from torch import Tensor, nn

from companion.check.call import Call
from companion.check.compare import changed_gap, gradients_of, not_a_tensor
from companion.check.exercise import Exercise, Gap, prop


def _parts(width: int, generator: torch.Generator) -> tuple[nn.Linear, nn.Linear]:
    """A pooler and a head with weights large enough for tanh to matter."""
    pooler, head = nn.Linear(width, width), nn.Linear(width, 2)
    with torch.no_grad():
        for parameter in (*pooler.parameters(), *head.parameters()):
            parameter.copy_(torch.randn(parameter.shape, generator=generator))
    return pooler, head


def _known(found: Tensor, hidden: Tensor, pooler: nn.Linear, head: nn.Linear) -> str:
    first = hidden[:, 0]
    others = {
        "no tanh": head(pooler(first)),
        "tanh before the pooler": head(pooler(torch.tanh(first))),
        "tanh after the head": torch.tanh(head(pooler(first))),
        "the mean of all places": head(torch.tanh(pooler(hidden.mean(1)))),
        "the last place": head(torch.tanh(pooler(hidden[:, -1]))),
        "place 1, not place 0": head(torch.tanh(pooler(hidden[:, 1]))),
        "no pooler": head(torch.tanh(first)),
        "the encoder's output without pooler and tanh": head(first),
        "a softmax: these are probabilities, and no logits": head(
            torch.tanh(pooler(first))
        ).softmax(-1),
        "a log-softmax: the loss does that": head(torch.tanh(pooler(first))).log_softmax(-1),
        "the largest of each number over all places": head(torch.tanh(pooler(hidden.amax(1)))),
    }
    return next((name for name, x in others.items() if torch.allclose(found, x, atol=1e-5)), "")


@prop("it returns two numbers for each pair", "which of the places do you pass on?")
def structure(nsp_logits: Call, generator: torch.Generator) -> Gap | None:
    pooler, head = _parts(4, generator)
    hidden = torch.randn(3, 5, 4, generator=generator)
    tried = "hidden of shape (3, 5, 4)"
    found = nsp_logits(hidden, pooler, head)
    if isinstance(found, Tensor) and tuple(found.shape) == (5, 2):
        mistake = "`hidden[0]`: the first pair with all its places"
        return Gap(tried, "a tensor of shape (5, 2), and not of shape (3, 2)", mistake)
    return not_a_tensor(found, (3, 2), "floats", tried)


@prop(
    "they are head(tanh(pooler(vector of [CLS])))",
    "in which order do pooler, tanh and head come, and what goes in?",
)
def values(nsp_logits: Call, generator: torch.Generator) -> Gap | None:
    for batch, length, width in ((3, 5, 4), (1, 7, 6), (4, 2, 2)):
        pooler, head = _parts(width, generator)
        hidden = torch.randn(batch, length, width, generator=generator)
        found, wanted = nsp_logits(hidden, pooler, head), head(torch.tanh(pooler(hidden[:, 0])))
        tried = f"hidden of shape {(batch, length, width)}"
        if gap := not_a_tensor(found, (batch, 2), "floats", tried):
            return gap
        if not torch.allclose(found, wanted, atol=1e-5):
            got, right = ([round(x, 3) for x in one[0].tolist()] for one in (found, wanted))
            return Gap(tried, f"{got} for the first pair, not {right}", _known(
                found, hidden, pooler, head
            ))  # fmt: skip
    return None


@prop("a gradient reaches pooler and head", "does a number leave PyTorch on its way?")
def gradient(nsp_logits: Call, generator: torch.Generator) -> Gap | None:
    pooler, head = _parts(4, generator)
    found = nsp_logits(torch.randn(2, 3, 4, generator=generator), pooler, head)
    tried = "weights that ask for a gradient"
    given = gradients_of(found, [pooler.weight, head.weight], tried)
    if isinstance(given, Gap):
        return given
    for name, got in zip(("pooler", "head"), given, strict=True):
        if not got.abs().sum() > 0:
            return Gap(tried, f"none at the {name}")
    return None


@prop("hidden stays as it was", "which line writes into hidden?")
def inputs(nsp_logits: Call, generator: torch.Generator) -> Gap | None:
    nsp_logits(torch.randn(2, 3, 4, generator=generator), *_parts(4, generator))
    return changed_gap(nsp_logits, "hidden of shape (2, 3, 4)")


EXERCISE = Exercise(
    id="3.1",
    title="Two logits from one vector",
    kind="implement",
    level=1,
    minutes=5,
    place="class",
    needs=("nsp_logits",),
    properties=(structure, values, gradient, inputs),
    twins=("companion.models.bert.BertPooler.forward",),
    fact=(
        "the vector of [CLS] means nothing by itself: it is trained to be what this head can use"
    ),
    hints=(
        "Where to look. `hidden` holds one vector for each token of each pair. The head wants "
        "one vector for each pair. Which one?",
        "The idea. Take the vectors of place 0: shape (batch, width). Then three things happen "
        "to them, one after the other. `pooler` and `head` are called like functions.",
        "The shape of the answer. One line, read from inside to outside: the pick, the pooler, "
        "`torch.tanh`, the head. No softmax: the loss works on logits.",
    ),
    transfer="What would a search engine get that uses the raw vector of [CLS], without training?",
)
