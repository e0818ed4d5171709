"""What training with [MASK] alone does: two tiny runs, and what is refused."""

import json

import pytest
from tiny_run import CONFIG

import authoring.mismatch
from companion.cli import main


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mismatch")
    alone = CONFIG + "[masking]\nmask_share = 1.0\nrandom_share = 0.0\n"
    for name, text in {"usual": CONFIG, "alone": alone}.items():
        (folder / f"{name}.toml").write_text(text)
        command = ["pretrain", f"--config={folder / name}.toml", f"--out={folder / name}"]
        assert main(command) == 0
    return folder


def test_both_runs_sit_the_same_exam(runs, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(authoring.mismatch, "OUT", tmp_path / "mismatch.json")
    authoring.mismatch.main([str(runs / "usual"), str(runs / "alone")])
    found = json.loads((tmp_path / "mismatch.json").read_text())
    assert [one["mask_share"] for one in found] == [0.8, 1.0]
    for one in found:
        assert set(one["right"]) == {"masked", "kept", "random"}
        for share, low, high in one["right"].values():
            assert 0 <= share <= 1
            assert low <= share <= high


@pytest.mark.parametrize("names", [[], ["usual"], ["usual", "usual"]])
def test_anything_but_two_such_runs_is_refused(runs, tmp_path, monkeypatch, names) -> None:
    out = tmp_path / "mismatch.json"
    out.write_text("kept")
    monkeypatch.setattr(authoring.mismatch, "OUT", out)
    with pytest.raises(SystemExit):
        authoring.mismatch.main([str(runs / name) for name in names])
    assert out.read_text() == "kept"
