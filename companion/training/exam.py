"""The figures of a model's card, from its folder: what `companion evaluate` prints."""

from pathlib import Path

from companion.data import load_corpus, load_images, load_tokenizer
from companion.evaluation import figures, picture_report, picture_table
from companion.models import Mae
from companion.models.find import class_of
from companion.training.config import load_config
from companion.training.setup import places_of


def examine(folder: Path) -> str:
    """Examine the model in `folder` on what it was not trained on: Markdown.

    Raises:
        OSError, ValueError: no model that is known here; one that neither fills in words nor
            patches; a vocabulary of its own; a model of pictures that does not say which.
    """
    return figures_of_pictures(folder) if class_of(folder) is Mae else figures_of_words(folder)


def figures_of_pictures(folder: Path) -> str:
    """The error at hidden patches; the recipe beside the weights names the pictures."""
    recipe = folder / "training.toml"
    images = load_config(recipe).data.images if recipe.exists() else None
    if images is None:
        raise ValueError(f"{folder} has no training.toml that names the pictures of its exam")
    model = Mae.from_pretrained(folder)
    train, held_out = (load_images(images, split).pixels for split in ("train", "validation"))
    return picture_table(folder.name, picture_report(model, train, held_out))


def figures_of_words(folder: Path) -> str:
    """The share of right words beside that of counting."""
    model_class = class_of(folder)
    examined = ("ForMaskedLM", "ForPreTraining", "ForCausalLM", "LMHeadModel")
    if not model_class.hub_class.endswith(examined):
        raise ValueError(f"{folder} holds a {model_class.hub_class}, which has no words to say")
    model, tokenizer = model_class.from_pretrained(folder), load_tokenizer(folder)
    if tokenizer.inner.get_vocab() != load_tokenizer().inner.get_vocab():
        raise ValueError(
            f"{folder} has a vocabulary of its own; the exam is made for that of the course, "
            "whose ids are ranks of frequency"
        )
    return figures(
        folder.name,
        model,
        tokenizer,
        load_corpus("wiki", "train").documents,
        load_corpus("wiki", "validation").documents,
        length=places_of(model.config),
    )
