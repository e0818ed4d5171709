"""The held-out exam, filling masks, and the film of a run."""

from pathlib import Path
from typing import NamedTuple

import pytest
import torch
from torch import Tensor, nn

from companion.data import load_corpus, load_tokenizer
from companion.evaluation import (
    Filling,
    Film,
    FilmBlank,
    choose_blanks,
    fill_blanks,
    fill_mask,
    grouped_interval,
    make_blanks,
    read_film,
    report,
    table,
    wilson_interval,
)
from companion.models import ModernBertConfig, ModernBertForMaskedLM

TOKENIZER = load_tokenizer()
PAGES = load_corpus("wiki", "validation").documents[:60]


class Output(NamedTuple):
    mlm_logits: Tensor


class Position(nn.Module):
    """A "model" that answers with 10 + the token's place in its row: shows what goes where."""

    def __init__(self) -> None:
        super().__init__()
        self.unused = nn.Parameter(torch.zeros(1))
        self.lengths: list[int] = []

    def forward(self, input_ids: Tensor, attention_mask: Tensor, selected: Tensor) -> Output:
        assert (input_ids[:, 0] == TOKENIZER.cls_id).all()
        assert torch.equal(attention_mask, input_ids != TOKENIZER.pad_id)
        ends = input_ids.gather(1, attention_mask.sum(1, keepdim=True) - 1)
        assert (ends == TOKENIZER.sep_id).all()
        self.lengths += attention_mask.sum(1).tolist()
        places = torch.arange(input_ids.shape[1]).expand_as(input_ids)[selected]
        logits = torch.zeros(len(places), TOKENIZER.vocab_size)
        logits[torch.arange(len(places)), 10 + places] = 5.0
        return Output(logits)


def small_model() -> ModernBertForMaskedLM:
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = ModernBertConfig(
        vocab_size=TOKENIZER.vocab_size, intermediate_size=24, initializer_range=0.3, **sizes
    )
    return ModernBertForMaskedLM(config).eval()


def test_blanks_are_berts_corruption_and_never_move():
    texts = [page.text for page in PAGES]
    blanks = make_blanks(texts, TOKENIZER, draws=[0, 1])
    again = make_blanks(texts, TOKENIZER, draws=[1])
    ids = [e.ids for e in TOKENIZER.encode_batch(texts, specials=False)] * 2
    assert len(blanks.corrupted) == 120
    for row, shown in zip(blanks.corrupted[60:], again.corrupted, strict=True):
        assert torch.equal(row, shown)
    original = torch.cat([row[s] for row, s in zip(ids, blanks.selected, strict=True)])
    assert torch.equal(blanks.answers, original)
    for row, shown, s in zip(ids, blanks.corrupted, blanks.selected, strict=True):
        assert torch.equal(row[~s], shown[~s])
    # 4,000 and more blanks: six standard deviations around 80 %.
    share = blanks.is_masked.float().mean().item()
    assert abs(share - 0.8) < 6 * (0.16 / len(blanks.answers)) ** 0.5
    shown = torch.cat([row[s] for row, s in zip(blanks.corrupted, blanks.selected, strict=True)])
    assert torch.equal(blanks.is_masked, shown == TOKENIZER.mask_id)
    assert torch.equal(blanks.is_kept, shown == original)
    share = blanks.is_kept.float().mean().item()
    assert abs(share - 0.1) < 6 * (0.09 / len(blanks.answers)) ** 0.5


def test_rare_words_are_whole_words_outside_the_commonest():
    text = "Brightly the northwestern planet, orbit 1957 a star."
    blanks = make_blanks([text] * 400, TOKENIZER, draws=[0])
    tokens = TOKENIZER.tokens(blanks.answers)
    rare = {t for t, is_rare in zip(tokens, blanks.is_rare_word.tolist(), strict=True) if is_rare}
    others = set(tokens) - rare
    assert {"planet", "star"} <= rare
    assert {"the", "a", ",", ".", "bright", "##ly"} <= others
    assert not any(token.isdigit() or token.startswith("##") for token in rare)


def test_each_guess_belongs_to_its_blank():
    texts = [page.text for page in PAGES] + ["A star."]
    blanks = make_blanks(texts, TOKENIZER, draws=[0, 1])
    model = Position()
    filled = fill_blanks(model, blanks, TOKENIZER, length=40, batch=7)
    assert max(model.lengths) <= 40
    expected = []
    for row, chosen in zip(blanks.corrupted, blanks.selected, strict=True):
        parts = -(-len(row) // 38)
        for part in chosen.chunk(parts):
            expected.append(part.nonzero()[:, 0] + 1)  # [CLS] stands in front
    assert filled.tokens.tolist() == (torch.cat(expected) + 10).tolist()


def test_surprise_is_the_cross_entropy_of_the_answers():
    blanks = make_blanks([page.text for page in PAGES[:5]], TOKENIZER, draws=[0])
    model = small_model()
    filled = fill_blanks(model, blanks, TOKENIZER, length=256)
    by_hand = []
    for row, chosen in zip(blanks.corrupted, blanks.selected, strict=True):
        ids = torch.cat([torch.tensor([2]), row, torch.tensor([3])])[None]
        with torch.no_grad():
            logits = model(ids).mlm_logits[0, 1:-1][chosen]
        by_hand.append(logits.log_softmax(-1))
    answers = blanks.answers
    expected = -torch.cat(by_hand)[torch.arange(len(answers)), answers]
    torch.testing.assert_close(filled.surprise, expected, atol=1e-4, rtol=1e-4)
    assert torch.equal(filled.tokens, torch.cat(by_hand).argmax(-1))


def test_fill_mask_gives_the_likeliest_tokens_of_each_mask():
    model = small_model()
    text = "The [MASK] is shining in the [MASK]."
    found = fill_mask(model, TOKENIZER, text, top=3)
    ids = TOKENIZER.encode(text).ids[None]
    with torch.no_grad():
        probabilities = model(ids).mlm_logits.softmax(-1)[0]
    places = (ids[0] == TOKENIZER.mask_id).nonzero()[:, 0]
    assert len(found) == len(places) == 2
    for fillings, place in zip(found, places, strict=True):
        values, best = probabilities[place].topk(3)
        assert [f.id for f in fillings] == best.tolist()
        assert [f.token for f in fillings] == TOKENIZER.tokens(best)
        assert [f.probability for f in fillings] == pytest.approx(values.tolist(), rel=1e-4)


def test_a_model_in_training_is_asked_without_dropout_and_goes_on_training():
    config = ModernBertConfig(
        vocab_size=TOKENIZER.vocab_size, hidden_size=16, num_hidden_layers=1,
        num_attention_heads=2, intermediate_size=24, embedding_dropout=0.5,
    )  # fmt: skip
    model = ModernBertForMaskedLM(config).train()
    model.mlm_head.eval()  # one part is not in training
    modes = [module.training for module in model.modules()]
    text = "The [MASK] is shining."
    blanks = make_blanks(["The sun is shining brightly in the sky. " * 3], TOKENIZER)
    assert fill_mask(model, TOKENIZER, text) == fill_mask(model, TOKENIZER, text)
    first, second = (fill_blanks(model, blanks, TOKENIZER, length=32) for _ in range(2))
    assert torch.equal(first.surprise, second.surprise)
    assert [module.training for module in model.modules()] == modes


def test_fill_mask_says_what_is_missing():
    with pytest.raises(ValueError, match=r"no \[MASK\] in 'The sun'"):
        fill_mask(small_model(), TOKENIZER, "The sun")
    with pytest.raises(ValueError, match="top is 0"):
        fill_mask(small_model(), TOKENIZER, "The [MASK]", top=0)


def test_film_has_one_blank_a_page_and_its_answer_fits():
    blanks = choose_blanks(PAGES, TOKENIZER, common=4, rare=6, length=64, seed=0)
    assert [blank.is_rare for blank in blanks] == [False] * 4 + [True] * 6
    assert len({blank.title for blank in blanks}) == 10
    texts = {page.title: page.text.lower() for page in PAGES}
    for blank in blanks:
        assert blank.text.lower().replace("[mask]", blank.answer) in texts[blank.title]
        assert len(TOKENIZER.encode(blank.answer, specials=False).ids) == 1
    assert blanks == choose_blanks(PAGES, TOKENIZER, common=4, rare=6, length=64, seed=0)
    assert len(choose_blanks(PAGES[:5], TOKENIZER, common=4, rare=6, length=64, seed=0)) <= 5


def test_film_goes_on_from_an_older_checkpoint(tmp_path: Path):
    blanks = choose_blanks(PAGES, TOKENIZER, common=1, rare=2, length=64, seed=0)
    film, model = Film(tmp_path / "film.json", TOKENIZER, blanks), small_model()
    film.cut_after(5)  # nothing there yet
    for step in (0, 10, 20):
        film.record(model, step, step * 1.5)
    film.cut_after(10)
    film.record(model, 30, 45.0)
    found = read_film(film.path)
    assert [frame["step"] for frame in found["frames"]] == [0, 10, 30]
    assert [blank["answer"] for blank in found["blanks"]] == [blank.answer for blank in blanks]
    for tops, blank in zip(found["frames"][1]["top"], blanks, strict=True):
        expected = fill_mask(model, TOKENIZER, blank.text)[0]
        assert tops == [[f.token, round(f.probability, 4)] for f in expected]
    film.cut_after(0)
    assert read_film(film.path)["frames"] == [], "a run that starts anew"


def test_sentences_of_the_film_fit_the_model():
    for length in (20, 64):
        blanks = choose_blanks(PAGES, TOKENIZER, common=3, rare=6, length=length, seed=0)
        assert blanks
        longest = max(len(TOKENIZER.encode(blank.text).ids) for blank in blanks)
        assert longest <= length


def test_texts_without_a_token_keep_their_number():
    blanks = make_blanks(["", "The sun is shining in the sky."], TOKENIZER, draws=[0])
    alone = make_blanks(["A bird.", "The sun is shining in the sky."], TOKENIZER, draws=[0])
    assert set(blanks.text.tolist()) == {1}
    assert torch.equal(blanks.corrupted[0], alone.corrupted[1])
    with pytest.raises(ValueError, match="2 texts give no blank"):
        make_blanks(["", "\u4e2d"], TOKENIZER)


def test_text_numbers_repeat_in_every_draw():
    blanks = make_blanks([page.text for page in PAGES[:4]], TOKENIZER, draws=[0, 1])
    counts = [int(chosen.sum()) for chosen in blanks.selected]
    expected = [n % 4 for n, count in enumerate(counts) for _ in range(count)]
    assert blanks.text.tolist() == expected


def test_report_puts_model_and_counting_side_by_side():
    train = load_corpus("wiki", "train").documents[:300]
    found = report(small_model(), TOKENIZER, train, PAGES, length=256)
    blanks = make_blanks([page.text for page in PAGES], TOKENIZER)
    filled = fill_blanks(small_model(), blanks, TOKENIZER, length=256)
    hits = filled.tokens == blanks.answers
    everything, rare, masked, both = found.rows
    assert everything.blanks == len(hits)
    assert rare.blanks == int(blanks.is_rare_word.sum())
    assert masked.blanks == int(blanks.is_masked.sum())
    assert both.blanks == int((blanks.is_rare_word & blanks.is_masked).sum())
    for row, chosen in ((rare, blanks.is_rare_word), (masked, blanks.is_masked)):
        assert row.model.value == pytest.approx(hits[chosen].double().mean().item())
    for row in found.rows:
        assert row.ahead.value == pytest.approx(row.model.value - row.counting.value)
        assert row.ahead.low < row.ahead.value < row.ahead.high
        assert row.model.value < row.counting.value, "an untrained model"
    assert found.surprise == pytest.approx(filled.surprise.mean().item())
    assert all(blank.is_rare and len(fillings) == 5 for blank, fillings in found.examples)
    text = table(
        "mine",
        found._replace(
            examples=((FilmBlank("t", "a|b [MASK]", "c", True), [Filling("d", 0.5, 9)] * 5),)
        ),
    )
    assert r"| a\|b [MASK] | c | d 50%, d 50%, d 50% |" in text
    assert f"| all tokens | {len(hits):,} | " in text
    assert f"{everything.counting.value * 100:.1f} % (" in text


def test_interval_over_groups_is_the_usual_one_where_every_value_is_its_own_group():
    values = torch.tensor([0.0, 1.0, 1.0, 0.0, 1.0])
    mean, low, high = grouped_interval(values, torch.arange(5))
    assert mean == pytest.approx(0.6)
    assert high - mean == pytest.approx(mean - low)
    assert high - mean == pytest.approx(1.96 * values.std().item() / 5**0.5)


def test_copies_in_a_group_do_not_make_the_interval_narrower():
    values = torch.tensor([0.0, 1.0, 1.0, 0.0, 1.0])
    once = grouped_interval(values, torch.arange(5))
    thrice = grouped_interval(values.repeat(3), torch.arange(5).repeat(3))
    assert thrice == pytest.approx(once)
    with pytest.raises(ValueError, match="1 groups"):
        grouped_interval(values, torch.zeros(5, dtype=torch.int64))


def test_interval_over_groups_holds_the_truth_as_often_as_it_says():
    """300 samples of 60 groups of unequal sizes that share a luck of their own.

    At 94 % true coverage fewer than 88 % is a chance of 1 in 40,000; the independent formula
    covers 60 % here.
    """
    generator = torch.Generator().manual_seed(0)
    inside = naive = 0
    for _ in range(300):
        sizes = torch.randint(5, 40, (60,), generator=generator)
        luck = torch.rand(60, generator=generator).repeat_interleave(sizes)
        hits = torch.rand(len(luck), generator=generator) < luck
        groups = torch.arange(60).repeat_interleave(sizes)
        _, low, high = grouped_interval(hits, groups)
        inside += low < 0.5 < high
        narrow = wilson_interval(int(hits.sum()), len(hits))
        naive += narrow[0] < 0.5 < narrow[1]
    assert inside >= 264
    assert naive < 225
