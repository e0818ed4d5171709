"""How much each token moves each output: a measured picture of who sees whom."""

import torch
from torch import Tensor, nn

from companion.evaluation.mode import examined


def influence(
    model: nn.Module,
    embedding: nn.Module,
    input_ids: Tensor,
    *,
    attention_mask: Tensor | None = None,
    draws: int = 8,
    generator: torch.Generator | None = None,
) -> Tensor:
    """How strongly the vector at each place hangs on the token at each place: (length, length).

    Row i, column j is the length of the gradient of output i with respect to the embedding of
    token j, a root mean square over random directions of the output. It is exactly 0 where output
    i does not hang on token j at all.

    Args:
        model: returns `last_hidden_state`.
        embedding: the part of `model` that looks up tokens.
        input_ids: (1, length).
        attention_mask: handed on to the model.
        draws: random directions.
    """
    kept: list[Tensor] = []
    handle = embedding.register_forward_hook(lambda _module, _inputs, out: kept.append(out))
    try:
        with examined(model), torch.enable_grad():
            states = model(input_ids, attention_mask=attention_mask).last_hidden_state[0]
    finally:
        handle.remove()
    length, width = states.shape
    squares = torch.zeros(length, length)
    for _ in range(draws):
        direction = torch.randn(width, generator=generator)
        for place in range(length):
            output = (states[place] * direction).sum()
            (gradient,) = torch.autograd.grad(output, kept[0], retain_graph=True)
            squares[place] += gradient[0].square().sum(-1)
    return (squares / draws).sqrt()
