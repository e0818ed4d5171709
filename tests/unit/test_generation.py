"""Writing: it draws as it says, with and without a cache, and ends where it should."""

import pytest
import torch
from tiny_causal import LENGTH, MODELS, gpt, ids, masks

from companion.models.generation import draw, narrow


@pytest.mark.parametrize("name", MODELS)
def test_the_same_generator_writes_the_same_with_and_without_a_cache(name):
    model, row, mask = MODELS[name](), ids(), masks()["left"]
    texts = [
        model.generate(
            row,
            mask,
            max_new_tokens=12,
            temperature=0.8,
            top_k=20,
            top_p=0.9,
            use_cache=use_cache,
            generator=torch.Generator().manual_seed(seed),
        )
        for seed in (1, 2)
        for use_cache in (True, False)
    ]
    assert torch.equal(texts[0], texts[1])
    assert torch.equal(texts[2], texts[3])
    assert not torch.equal(texts[0], texts[2])
    assert torch.equal(texts[0][:, :LENGTH], row)
    assert texts[0].shape == (2, LENGTH + 12)


def test_it_ends_where_the_end_is_written():
    model, row = gpt(), ids()

    def written(rows, end_id=None):
        generator = torch.Generator().manual_seed(3)
        text = model.generate(
            rows, max_new_tokens=10, temperature=4, end_id=end_id, generator=generator
        )
        return text[:, LENGTH:]

    free = written(row)
    end = int(free[0, 3])
    assert free[0].tolist().count(end) == 1  # it would have gone on
    assert end not in free[1]
    ended = written(row, end)
    assert torch.equal(ended[0, :4], free[0, :4])
    assert (ended[0, 3:] == end).all()
    assert torch.equal(ended[1], free[1])  # as the other row does
    alone = written(row[:1])[0].tolist()
    last = alone[4]
    shorter = written(row[:1], last)
    assert shorter[0].tolist() == alone[: alone.index(last) + 1]  # nobody is left to write for


def test_narrowing():
    chances = torch.tensor([[0.5, 0.25, 0.15, 0.1]])
    logits = chances.log()
    kept = {
        (1, None): [0],
        (2, None): [0, 1],
        (9, None): [0, 1, 2, 3],
        (None, 0.4): [0],
        (None, 0.5): [0],
        (None, 0.6): [0, 1],
        (None, 0.95): [0, 1, 2, 3],
        (None, 1.0): [0, 1, 2, 3],
        (3, 0.6): [0, 1],
    }
    for (top_k, top_p), places in kept.items():
        found = narrow(logits, top_k=top_k, top_p=top_p)
        assert found.isfinite()[0].nonzero()[:, 0].tolist() == places
    shuffled = narrow(logits[:, [2, 0, 3, 1]], top_p=0.6)
    assert shuffled.isfinite().tolist() == [[False, True, False, True]]


def test_draws_follow_the_temperature():
    """12,000 draws; 6 sigmas: a false alarm once in 10^8, and 0.05 off is found 99.9 % of times."""
    logits = torch.tensor([0.5, 0.25, 0.15, 0.1]).log().expand(12_000, 4)
    generator = torch.Generator().manual_seed(0)
    for temperature in (1.0, 0.5, 2.0):
        wanted = (logits[0] / temperature).softmax(0)
        found = draw(logits, temperature=temperature, generator=generator)
        shares = found.bincount(minlength=4) / 12_000
        assert ((shares - wanted).abs() < 6 * (wanted * (1 - wanted) / 12_000).sqrt()).all()
    assert (draw(logits, temperature=0) == 0).all()
    assert (draw(logits, temperature=9.0, top_k=1) == 0).all()
    for cold in (1e-30, 1e-40, 1e-310):
        assert (draw(logits * 1000, temperature=cold, generator=generator) == 0).all()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"max_new_tokens": 0}, "max_new_tokens is 0"),
        ({"max_new_tokens": 3, "input_ids": ids()[0]}, "a batch of one"),
        ({"max_new_tokens": 3, "input_ids": ids()[:, :0]}, "a token to go on from"),
        ({"max_new_tokens": 19}, "would have 33 tokens"),
        ({"max_new_tokens": 1, "input_ids": ids().float()}, "must be a tensor of integers"),
        ({"max_new_tokens": 1, "input_ids": ids() + 1}, "holds 50"),
        (
            {"max_new_tokens": 1, "end_id": 50},
            r"end_id is 50; it must lie in the vocabulary, 0\.\.49",
        ),
        ({"max_new_tokens": 1, "end_id": -1}, "end_id is -1"),
        ({"max_new_tokens": 1, "attention_mask": torch.ones(2, LENGTH)}, "float32"),
        ({"max_new_tokens": 1, "attention_mask": 2 * torch.ones(2, LENGTH).long()}, "holds 2"),
        ({"max_new_tokens": 1, "temperature": -0.5}, "temperature is -0.5"),
        ({"max_new_tokens": 1, "temperature": float("nan")}, "temperature is nan"),
        ({"max_new_tokens": 1, "temperature": float("inf")}, "temperature is inf"),
        ({"max_new_tokens": 1, "temperature": 0, "top_k": 0}, "top_k is 0"),
        ({"max_new_tokens": 1, "top_k": 0}, "top_k is 0"),
        ({"max_new_tokens": 1, "top_p": 0.0}, "top_p is 0.0"),
        ({"max_new_tokens": 1, "attention_mask": masks()["right"]}, "pad on the left"),
        ({"max_new_tokens": 1, "attention_mask": masks()["packed"]}, "a row holds one text"),
    ],
)
def test_writing_that_cannot_be_is_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        gpt().generate(**{"input_ids": ids()} | arguments)
