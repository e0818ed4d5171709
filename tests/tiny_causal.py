"""Causal models of a few thousand weights, and rows for them."""

import torch

from companion.models import Gpt, GptConfig, ModernBertConfig, ModernBertForCausalLM

LENGTH = 14


def gpt(**fields) -> Gpt:
    torch.manual_seed(0)
    sizes = {"vocab_size": 50, "n_positions": 32, "n_embd": 16, "n_layer": 2, "n_head": 2}
    return Gpt(GptConfig(**sizes | {"initializer_range": 0.4} | fields)).eval()


def modern(**fields) -> ModernBertForCausalLM:
    torch.manual_seed(0)
    sizes = {
        "vocab_size": 50,
        "hidden_size": 16,
        "num_hidden_layers": 4,
        "num_attention_heads": 2,
        "intermediate_size": 24,
        "max_position_embeddings": 32,
        "global_attn_every_n_layers": 2,
        "local_attention": 8,
        "initializer_range": 0.4,
    }
    return ModernBertForCausalLM(ModernBertConfig(**sizes | fields)).eval()


MODELS = {"gpt": gpt, "modern": modern}


def ids(rows: int = 2, length: int = LENGTH) -> torch.Tensor:
    return torch.randint(50, (rows, length), generator=torch.Generator().manual_seed(1))


def masks() -> dict[str, torch.Tensor | None]:
    left = torch.ones(2, LENGTH, dtype=torch.bool)
    left[0, :3] = False
    documents = torch.tensor([[0] * 5 + [1] * 9, [0] * 2 + [1] * 4 + [2] * 8])
    return {
        "none": None,
        "left": left,
        "right": left.flip(1),
        "packed": documents[:, :, None] == documents[:, None, :],
    }
