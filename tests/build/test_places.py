"""Where runs are right: three tiny ones, and what is refused."""

import json

import pytest
from tiny_run import CONFIG

import authoring.places
from companion.cli import main


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("places")
    alone = CONFIG + "[masking]\nmask_share = 1.0\nrandom_share = 0.0\n"
    pre_ln = CONFIG.replace("ModernBert", "PreLNBert").replace("max_position_embeddings = 64\n", "")
    for name, text in {"usual": CONFIG, "alone": alone, "pre-ln": pre_ln}.items():
        (folder / f"{name}.toml").write_text(text)
        command = ["pretrain", f"--config={folder / name}.toml", f"--out={folder / name}"]
        assert main(command) == 0
    return folder


@pytest.fixture
def out(tmp_path, monkeypatch):
    monkeypatch.setattr(authoring.places, "OUT", tmp_path / "places.json")
    return tmp_path / "places.json"


def test_all_runs_sit_the_same_exam(runs, out) -> None:
    authoring.places.main([str(runs / name) for name in ("usual", "alone", "pre-ln")])
    found = json.loads(out.read_text())
    shares = {name: one["mask_share"] for name, one in found.items()}
    assert shares == {"usual": 0.8, "alone": 1.0, "pre-ln": 0.8}
    for one in found.values():
        assert set(one["right"]) == {"masked", "kept", "random"}
        for share, low, high in one["right"].values():
            assert 0 <= low <= share <= high <= 1


def test_the_weights_are_those_that_were_trained(runs, out) -> None:
    """Untrained ones would answer "the" nowhere: the bias starts from frequencies in a run only."""
    authoring.places.main([str(runs / "usual")])
    (found,) = json.loads(out.read_text()).values()
    assert found["right"]["masked"][0] > 0.03


@pytest.mark.parametrize("names", [[], ["missing"], ["usual", "missing"], ["usual", "usual"]])
def test_what_is_no_finished_run_is_refused(runs, out, names) -> None:
    out.write_text("kept")
    with pytest.raises(SystemExit):
        authoring.places.main([str(runs / name) for name in names])
    assert out.read_text() == "kept"
