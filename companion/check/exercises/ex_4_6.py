"""4.6: how many passes does training take, and how many does writing take?"""

from typing import Any

import torch
from torch import Tensor, nn

from companion.check.call import Call
from companion.check.compare import kind_of
from companion.check.exercise import Exercise, Gap, Guess, prop
from companion.losses import causal_lm_loss
from companion.models import Gpt, GptConfig


class _Part(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x + 1


class _Model(nn.Module):
    """Two parts, one of which can be called alone."""

    def __init__(self) -> None:
        super().__init__()
        self.part, self.other = _Part(), _Part()

    def forward(self, x: Tensor) -> Tensor:
        return torch.as_tensor(self.other(self.part(x)))


X = torch.zeros(2)


def _times(model: nn.Module, times: int) -> Any:
    """Work that calls `model` so many times, and counts how often it ran."""

    def work() -> None:
        work.runs += 1  # type: ignore[attr-defined]
        for _ in range(times):
            model(X)

    work.runs = 0  # type: ignore[attr-defined]
    return work


def _hooks(model: nn.Module) -> dict[str, int]:
    """How many hooks of each kind there are."""
    found = {name: value for name, value in vars(model).items() if "hook" in name}
    return {name: len(value) for name, value in found.items() if isinstance(value, dict)}


def _whole(value: Any) -> int | None:
    """A whole number, also one in a tensor; None for anything else."""
    if isinstance(value, Tensor) and value.numel() == 1 and not value.is_floating_point():
        value = value.item()
    return value if isinstance(value, int) and not isinstance(value, bool) else None


@prop("it returns a whole number", "what comes back from your function?")
def structure(count_passes: Call, generator: torch.Generator) -> Gap | None:
    model = _Model()
    value = count_passes(model, _times(model, 2))
    tried = "work that calls the model twice"
    if value is None:
        return Gap(tried, "None", ask="is there a return at the end of the function?")
    return None if _whole(value) is not None else Gap(tried, f"{kind_of(value)}, no whole number")


@prop("it counts each call of the model", "when is your counter moved on, and how often?")
def counts(count_passes: Call, generator: torch.Generator) -> Gap | None:
    for times in (2, 0, 1, 7):
        model = _Model()
        work = _times(model, times)
        found = _whole(count_passes(model, work))
        if work.runs != 1:
            return Gap("work that counts how often it runs", f"it ran {work.runs} times, not once")
        if found != times:
            return Gap(f"work that calls the model {times} times", f"{found}")
    return None


@prop("calls of other modules do not count", "to which module is the hook tied?")
def others(count_passes: Call, generator: torch.Generator) -> Gap | None:
    model, another = _Model(), _Model()

    def work() -> None:
        another(X)
        model.part(X)
        model(X)
        model.other(X)
        another(X)

    found = _whole(count_passes(model, work))
    if found != 1:
        return Gap("one call of the model, two of its parts, two of another model", f"{found}")
    return None


@prop("no hook is left, and the model works as before", "who takes the hook away?")
def clean(count_passes: Call, generator: torch.Generator) -> Gap | None:
    for training in (True, False):
        model = _Model().train(training)
        before = {name: value for name, value in vars(model).items() if "hook" not in name}
        heard: list[int] = []
        own = model.register_forward_hook(lambda *_, heard=heard: heard.append(1))
        hooks = _hooks(model)
        count_passes(model, _times(model, 3))
        after = {name: value for name, value in vars(model).items() if "hook" not in name}
        left = _hooks(model)
        before_call = len(heard)
        model(X)
        is_deaf = len(heard) != before_call + 1
        own.remove()
        if any(left[name] > number for name, number in hooks.items()):
            return Gap("a model after your function", "a hook is left on it")
        if is_deaf or any(left[name] < number for name, number in hooks.items()):
            return Gap("a model with a hook of somebody else", "that hook is gone")
        if before.keys() != after.keys() or model.training != training:
            return Gap("a model after your function", "it is not as it was before")
        if any(vars(part).get("forward") for part in model.modules()):
            return Gap("a model after your function", "its forward was replaced")
        if not torch.equal(model(X), X + 2):
            return Gap("a model after your function", "it computes something else")
    return None


@prop("a second count starts afresh", "where does your counter live?")
def again(count_passes: Call, generator: torch.Generator) -> Gap | None:
    model = _Model()
    works = [_times(model, 3), _times(model, 2)]
    found = [_whole(count_passes(model, works[number])) for number in (0, 1, 0)]
    if found != [3, 2, 3] or works[0].runs != 2:
        shown = ", ".join(str(one) for one in found)
        return Gap("the same model with 3 calls, with 2, and with the same 3 again", shown)
    return None


def measure(count_passes: Call) -> float:
    """A training step of a small GPT on a row of 32 tokens."""
    torch.manual_seed(0)
    model = Gpt(GptConfig(vocab_size=50, n_positions=33, n_embd=16, n_layer=1, n_head=2))
    ids = torch.randint(50, (1, 32))

    def step() -> None:
        torch.autograd.backward(causal_lm_loss(model(ids).logits, ids))

    return float(count_passes(model, step))


EXERCISE = Exercise(
    id="4.6",
    title="How many passes?",
    kind="predict",
    level=1,
    minutes=6,
    place="class",
    needs=("count_passes",),
    properties=(structure, counts, others, clean, again),
    guess=Guess(
        name="guess_4_6",
        low=1.0,
        high=100_000.0,
        unit="a whole number, 1 or more",
        measure=measure,
        show="{:g}".format,
        common=32.0,
        reason="Writing takes one pass a token. In training the text is there already, and the "
        "mask hides the future from all places at once.",
    ),
    fact="training is one pass for all tokens of a row; only writing goes token by token",
    hints=(
        "Where to look. The hook has to be there before work runs, and be gone after it.",
        "The idea. A hook is a function that you write: it gets three arguments, and moves on a "
        "counter that your function can read. A list to append to will do.",
        "The shape of the answer. Four lines: a counter, a handle from the registration, the "
        "call of work, the removal; and a return.",
    ),
    transfer="Does BERT need more passes than GPT for one training step?",
)
