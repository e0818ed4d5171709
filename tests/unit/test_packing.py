"""Texts packed into full rows: nothing lost, nothing mixed."""

import pytest
import torch

from companion.data import pack_rows
from companion.models import ModernBert, ModernBertConfig

IDS = {"cls_id": 2, "sep_id": 3, "pad_id": 0}


def texts(*lengths: int) -> list[torch.Tensor]:
    """Texts of these lengths in which no token occurs twice."""
    numbers = iter(range(5, 500))
    return [torch.tensor([next(numbers) for _ in range(n)], dtype=torch.int64) for n in lengths]


def test_every_token_is_there_once_in_order():
    some = texts(4, 1, 0, 9, 2)
    rows = pack_rows(some, length=6, **IDS)
    wanted = [i for text in some if len(text) for i in (2, *text.tolist(), 3)]
    flat = rows.input_ids.flatten()
    assert flat[: len(wanted)].tolist() == wanted
    assert (flat[len(wanted) :] == 0).all()
    assert 0 <= flat.numel() - len(wanted) < 6
    assert rows.input_ids.shape == rows.documents.shape == (4, 6)


def test_a_token_sees_its_own_text_in_its_row_and_nothing_else():
    rows = pack_rows(texts(2, 3, 5), length=6, **IDS)
    assert rows.documents.tolist() == [
        [0, 0, 0, 0, 1, 1],
        [1, 1, 1, 2, 2, 2],
        [2, 2, 2, 2, -1, -1],
    ]
    mask = rows.attention_mask()
    assert mask.dtype == torch.bool
    assert mask[0].int().tolist() == [[1, 1, 1, 1, 0, 0]] * 4 + [[0, 0, 0, 0, 1, 1]] * 2
    assert mask.any(-1).all(), "a position with nothing to attend to"


def test_a_text_in_a_packed_row_gets_the_vectors_it_gets_alone():
    """Rotary positions see distances only, so that where a text starts does not matter."""
    torch.manual_seed(0)
    config = ModernBertConfig(
        vocab_size=40,
        hidden_size=16,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=24,
        global_attn_every_n_layers=2,
        local_attention=4,
        initializer_range=0.3,
    )
    model = ModernBert(config).eval()
    some = texts(6, 3, 4)
    rows = pack_rows(some, length=19, **IDS)
    with torch.no_grad():
        packed = model(rows.input_ids, rows.attention_mask()).last_hidden_state[0]
        mixed = model(rows.input_ids).last_hidden_state[0]
        for number, text in enumerate(some):
            alone = model(torch.tensor([[2, *text.tolist(), 3]])).last_hidden_state[0]
            torch.testing.assert_close(packed[rows.documents[0] == number], alone)
            assert not torch.allclose(mixed[rows.documents[0] == number], alone, atol=1e-2)


def test_nothing_to_pack_and_no_room():
    with pytest.raises(ValueError, match="nothing to pack"):
        pack_rows(texts(0, 0), length=8, **IDS)
    with pytest.raises(ValueError, match="length is 2"):
        pack_rows(texts(4), length=2, **IDS)
