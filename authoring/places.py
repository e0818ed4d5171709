"""Where a run is right: at [MASK], at words that were kept, at words that were exchanged.

    companion pretrain --config configs/mismatch.toml, and so the four of configs/race/
    python authoring/places.py runs/bert-2018 runs/pre-ln runs/rotary runs/muon runs/mismatch

Every run sits the same exam: held-out pages under BERT's corruption. Writes anew
companion/data/assets/logs/places.json, of which chapter 2 and its extra need all five.
"""

import argparse
import json
import sys
from pathlib import Path

from torch import nn

ROOT = Path(__file__).resolve().parents[1]
if sys.path[0] != str(ROOT):
    sys.path[0:1] = [str(ROOT)]

from companion.data import load_corpus, load_tokenizer  # noqa: E402
from companion.data.text import ASSETS  # noqa: E402
from companion.evaluation import fill_blanks, grouped_interval, make_blanks  # noqa: E402
from companion.files import replace_file  # noqa: E402
from companion.training import load_config  # noqa: E402
from companion.training.checkpoints import load_checkpoint, whole_checkpoints  # noqa: E402
from companion.training.setup import build_model  # noqa: E402

OUT = ASSETS / "logs" / "places.json"


def trained_model(run: Path) -> nn.Module:
    """The model of a finished run, from its last checkpoint: not every model has a hub folder."""
    model: nn.Module = build_model(load_config(run / "training.toml"), load_tokenizer(run))
    state, _ = load_checkpoint(whole_checkpoints(run / "checkpoints")[-1])
    weights = {n.removeprefix("model."): x for n, x in state.items() if n.startswith("model.")}
    model.load_state_dict(weights)
    return model


def measure(run: Path) -> dict[str, object]:
    """Share of right answers and its 95 % interval where [MASK], the word or another one stands."""
    config, tokenizer = load_config(run / "training.toml"), load_tokenizer(run)
    pages = load_corpus("wiki", "validation").documents
    blanks = make_blanks([page.text for page in pages], tokenizer)
    filled = fill_blanks(trained_model(run), blanks, tokenizer, length=config.data.length)
    is_right = filled.tokens == blanks.answers
    kinds = {
        "masked": blanks.is_masked,
        "kept": blanks.is_kept,
        "random": ~blanks.is_masked & ~blanks.is_kept,
    }
    return {
        "mask_share": config.masking.mask_share,
        "random_share": config.masking.random_share,
        "right": {
            kind: [round(x, 4) for x in grouped_interval(is_right[chosen], blanks.text[chosen])]
            for kind, chosen in kinds.items()
        },
    }


def main(arguments: list[str] | None = None) -> None:
    """Measure finished runs and write what was found, by the names of their folders."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, nargs="+", help="folders of companion pretrain")
    runs = parser.parse_args(arguments).runs
    for run in runs:
        if not ((run / "tokenizer.json").is_file() and whole_checkpoints(run / "checkpoints")):
            parser.error(f"{run} holds no finished run")
    if len({run.name for run in runs}) < len(runs):
        parser.error("two folders have one name, by which their results would be kept")
    replace_file(OUT, (json.dumps({r.name: measure(r) for r in runs}, indent=1) + "\n").encode())
    print(OUT.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
