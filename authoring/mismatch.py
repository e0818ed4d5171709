"""What training with [MASK] alone does to visible words: two runs, one exam.

    companion pretrain --config configs/race/muon.toml
    companion pretrain --config configs/mismatch.toml
    python authoring/mismatch.py runs/muon runs/mismatch

The runs differ in how they corrupt: 80 / 10 / 10 against 100 / 0 / 0. Writes
companion/data/assets/logs/mismatch.json, which chapter 2 shows.
"""

import argparse
import dataclasses
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if sys.path[0] != str(ROOT):
    sys.path[0:1] = [str(ROOT)]

from companion.data import load_corpus, load_tokenizer  # noqa: E402
from companion.data.text import ASSETS  # noqa: E402
from companion.evaluation import fill_blanks, grouped_interval, make_blanks  # noqa: E402
from companion.files import replace_file  # noqa: E402
from companion.models import ModernBertForMaskedLM  # noqa: E402
from companion.training import load_config  # noqa: E402

OUT = ASSETS / "logs" / "mismatch.json"


def measure(run: Path) -> dict[str, object]:
    """Share of right answers and its 95 % interval where [MASK], the word or another one stands."""
    config, tokenizer = load_config(run / "training.toml"), load_tokenizer(run)
    model = ModernBertForMaskedLM.from_pretrained(run)
    pages = load_corpus("wiki", "validation").documents
    blanks = make_blanks([page.text for page in pages], tokenizer)
    filled = fill_blanks(model, blanks, tokenizer, length=config.data.length)
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
    """Measure two runs and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("usual", type=Path, help="the run with 80 / 10 / 10")
    parser.add_argument("mask_alone", type=Path, help="the run with [MASK] alone")
    options = parser.parse_args(arguments)
    runs = (options.usual, options.mask_alone)
    settings = [dataclasses.asdict(load_config(run / "training.toml")) for run in runs]
    differ = sorted(name for name in settings[0] if settings[0][name] != settings[1][name])
    if differ != ["masking"]:
        parser.error(f"the two runs must differ in masking alone; they differ in {differ}")
    found = [measure(run) for run in runs]
    replace_file(OUT, (json.dumps(found, indent=1) + "\n").encode())
    print(OUT.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
