"""Which class of this library a Hugging Face folder belongs to."""

import json
from pathlib import Path

from companion.models.bert import Bert, BertForMaskedLM, BertForPreTraining
from companion.models.gpt import Gpt
from companion.models.hub import HubModel
from companion.models.mae import Mae
from companion.models.modern_bert import ModernBert, ModernBertForMaskedLM
from companion.models.modern_bert_causal import ModernBertForCausalLM

CLASSES: tuple[type[HubModel], ...] = (
    Bert,
    BertForMaskedLM,
    BertForPreTraining,
    Gpt,
    Mae,
    ModernBert,
    ModernBertForCausalLM,
    ModernBertForMaskedLM,
)


def class_of(folder: Path) -> type[HubModel]:
    """The twin of the class that config.json names first.

    Raises:
        OSError: no config.json.
        ValueError: it is no JSON, or names a class without a twin here.
    """
    path = folder / "config.json"
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not valid JSON: {error}") from error
    names = config.get("architectures") if isinstance(config, dict) else None
    kind = names[0] if isinstance(names, list) and names else "model without a name"
    for one in CLASSES:
        if one.hub_class == kind:
            return one
    known = ", ".join(one.hub_class for one in CLASSES)
    raise ValueError(f"{folder} holds a {kind}; known here are {known}")
