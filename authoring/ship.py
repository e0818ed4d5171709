"""Make a shipped model of a finished run: small weights, tokenizer, recipe, log, film and card.

    python authoring/ship.py runs/bert-wiki-mini

The folder companion/data/assets/checkpoints/NAME gets the name of the run. The figures on the card
are those of the shipped weights: `companion evaluate NAME` prints them again.
"""

import hashlib
import json
import shutil
import statistics
import sys
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if sys.path[0] != str(ROOT):
    sys.path[0:1] = [str(ROOT)]

import torch  # noqa: E402

import companion.models  # noqa: E402
from companion.data import load_corpus, load_images, load_tokenizer  # noqa: E402
from companion.data.checkpoints import CHECKPOINTS  # noqa: E402
from companion.evaluation import (  # noqa: E402
    figures,
    picture_report,
    picture_table,
    read_film,
)
from companion.training import LogLine, TrainingConfig, load_config, read_log  # noqa: E402
from companion.training.setup import PAIR_PASSES  # noqa: E402

CONFIGS = ROOT / "configs"
COPIED = ("training.toml", "log.csv")
OF_WORDS = ("tokenizer.json", "tokenizer_config.json")
CARD = """\
# {name}

A {kind} of {parameters:,} parameters ({shape}),
trained on two processor cores for this course. {does}
It is small: it knows grammar and some of the world, and much of what it says about the world is
wrong.

- **Text:** {text}
- **Training:** {steps:,} steps of {batch} rows with {length} tokens ({epochs:.0f} times through the
  text){asked}; seed {seed}; {minutes:.0f} minutes on two cores (the
  median step took {pace:.2f} s; the clock in `log.csv` also counts pauses of this run).
- **Made by** `companion pretrain --config configs/{name}.toml`; `training.toml` is that file,
  `log.csv` its log{film}.
- **Weights:** float16 on disk, computed in float32.
- **Licence:** Apache-2.0 for the weights; sentences of Wikipedia, here and in a film, are under
  CC BY-SA 4.0 (see ../../NOTICE.md).

## How good is it?

`companion evaluate {name}` prints this again. The exam: {pages} pages that neither the model nor
the counting machine has read, in rows of up to {places} tokens{exam}. In brackets: 95 %
intervals, with pages as what varies. {beware}

{figures}
"""

PICTURE_CARD = """\
# {name}

A masked autoencoder of {parameters:,} parameters (encoder {width} wide with {layers} blocks,
decoder {decoder_width} wide with {decoder_layers}), trained on two processor cores for this course.
It reads a quarter of a picture's patches and says what the others look like. It is small: shapes
come out soft, and what it has never seen it makes up of what it has.

- **Pictures:** the training half of `{images}`, {count:,} pictures of {side} by {side} pixels in
  patches of {patch} by {patch}.
- **Training:** {steps:,} steps of {batch} pictures ({epochs:.0f} times through them), {ratio}
  of the patches hidden, pixels as they are; seed {seed}; {minutes:.0f} minutes on two cores (the
  median step took {pace:.2f} s; the clock in `log.csv` also counts what else ran then).
- **Made by** `companion pretrain --config configs/{name}.toml`; `training.toml` is that
  file, `log.csv` its log. The held-out error was lowest after {best_step:,} steps ({best:.4f});
  at the end it was {last:.4f}.
- **Weights:** float16 on disk, computed in float32.
- **Licence:** Apache-2.0 for the weights; for the pictures see ../../NOTICE.md.

## How good is it?

`companion evaluate {name}` prints this again. Everybody fills in the same hidden patches of
the same held-out pictures. In brackets: 95 % intervals, with pictures as what varies.

{figures}
"""


def seconds_per_step(log: list[LogLine]) -> float:
    """The median step: a run of hours is interrupted now and then, and most of it is not."""
    starts = [(0, 0.0), *((line.step, line.seconds) for line in log)]
    return statistics.median(
        (seconds - before) / (step - first) for (first, before), (step, seconds) in pairwise(starts)
    )


def words_for(config: TrainingConfig, log: list[LogLine], has_pairs: bool) -> dict[str, str]:
    """What a card says of a masked model, and of one that is asked for next tokens."""
    if config.is_causal:
        scored = [(line.held_out_loss, line.step) for line in log if line.held_out_loss is not None]
        best, step = min(scored)
        return {
            "kind": "causal language model",
            "does": "It goes on with encyclopedic English, in lower case.",
            "exam": ": every token of them, given those before it",
            "beware": f"On the way the loss on these pages was lowest after {step:,} steps "
            f"({best:.3f} nats,\nand {scored[-1][0]:.3f} at the end): it reads the same tokens "
            "again and again, and no draw of masks\nmakes them new.",
        }
    return {
        "kind": "masked language model",
        "does": "It fills blanks of encyclopedic English, in lower\ncase"
        + (", and says whether one text follows another" if has_pairs else "")
        + ".",
        "exam": ", under BERT's own corruption (15 %\nselected; 80 % of them [MASK], 10 % random, "
        "10 % kept), three draws each",
        "beware": "Short runs of other recipes were compared on blanks of the\nsame pages "
        "(configs/README.md): the figures may flatter the recipe a little.",
    }


def ship(run: Path) -> Path:
    """Write the shipped folder of a run; returns it.

    Raises:
        ValueError: the run was not made with the recipe of its name in configs/.
    """
    recipe = CONFIGS / f"{run.name}.toml"
    if not recipe.is_file() or recipe.read_bytes() != (run / "training.toml").read_bytes():
        raise ValueError(f"{run} was not made with {recipe}: a learner could not repeat it")
    final = CHECKPOINTS / run.name
    folder = CHECKPOINTS / f".{run.name}"  # beside the old one, until all of it is made
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    config = load_config(run / "training.toml")
    model_class = getattr(companion.models, config.model.name)
    model_class.from_pretrained(run).to(torch.float16).save_pretrained(folder)
    has_film = (run / "film.json").exists()
    of_words = () if config.is_of_pictures else OF_WORDS
    for name in (*COPIED, *of_words, *(["film.json"] if has_film else [])):
        shutil.copyfile(run / name, folder / name)
    # Without this transformers would compute in float16, which is slow and rough on processors.
    path = folder / "config.json"
    fields = json.loads(path.read_text(encoding="utf-8")) | {"dtype": "float32"}
    path.write_text(json.dumps(fields, indent=2, sort_keys=True) + "\n", encoding="utf-8")

    card = (
        picture_card(run.name, folder, config)
        if config.is_of_pictures
        else word_card(run.name, folder, config)
    )
    (folder / "README.md").write_text(card, encoding="utf-8")
    sums = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(folder.iterdir())
    ]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    old = CHECKPOINTS / f".old-{run.name}"
    if final.exists():
        final.rename(old)
    folder.rename(final)
    shutil.rmtree(old, ignore_errors=True)
    return final


def picture_card(name: str, folder: Path, config: TrainingConfig) -> str:
    """The card of a masked autoencoder."""
    model = companion.models.Mae.from_pretrained(folder)
    assert config.data.images is not None
    train, held_out = (load_images(config.data.images, s).pixels for s in ("train", "validation"))
    log = read_log(folder / "log.csv")
    pace, sizes = seconds_per_step(log), model.config
    best, best_step = min((one.held_out_loss, one.step) for one in log if one.held_out_loss)
    return PICTURE_CARD.format(
        name=name,
        parameters=sum(parameter.numel() for parameter in model.parameters()),
        width=sizes.hidden_size,
        layers=sizes.num_hidden_layers,
        decoder_width=sizes.decoder_hidden_size,
        decoder_layers=sizes.decoder_num_hidden_layers,
        images=config.data.images,
        count=len(train),
        side=train.shape[2],
        patch=sizes.patch_size,
        steps=log[-1].step,
        batch=config.run.batch_size,
        epochs=log[-1].epoch,
        ratio=f"{100 * sizes.mask_ratio:.0f} %",
        seed=config.run.seed,
        minutes=pace * log[-1].step / 60,
        pace=pace,
        best=best,
        best_step=best_step,
        last=log[-1].held_out_loss,
        figures=picture_table(name, picture_report(model, train, held_out)),
    )


def word_card(run_name: str, folder: Path, config: TrainingConfig) -> str:
    """The card of a language model."""
    model_class = getattr(companion.models, config.model.name)
    has_film = (folder / "film.json").exists()
    model, tokenizer = model_class.from_pretrained(folder), load_tokenizer(folder)
    places = model.config.max_position_embeddings
    training, held_out = (load_corpus("wiki", split).documents for split in ("train", "validation"))
    has_pairs = hasattr(model, "nsp_head")
    log = read_log(folder / "log.csv")
    last, pace = log[-1], seconds_per_step(log)
    film = ""
    if has_film:
        scenes = read_film(folder / "film.json")["blanks"]
        film = f", `film.json` what it filled into {len(scenes)} held-out blanks on the way"
    return CARD.format(
        name=run_name,
        parameters=sum(parameter.numel() for parameter in model.parameters()),
        shape=f"{config.model.name}, width {model.config.hidden_size}, "
        f"{model.config.num_hidden_layers} layers",
        text="the training half of " + ", ".join(f"`{name}`" for name in config.data.corpora),
        steps=last.step,
        batch=config.run.batch_size,
        length=config.data.length,
        epochs=last.epoch * (PAIR_PASSES if has_pairs else 1),
        asked="" if config.is_causal else f", {config.masking.rate:.0%} of the tokens selected",
        seed=config.run.seed,
        minutes=pace * last.step / 60,
        pace=pace,
        **words_for(config, log, has_pairs),
        film=film,
        pages=len(held_out),
        places=places,
        figures=figures(run_name, model, tokenizer, training, held_out, length=places),
    )


if __name__ == "__main__":
    print(ship(Path(sys.argv[1])))
