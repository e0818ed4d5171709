"""Models: tensors in, named tuples out. They draw no masks and compute no losses."""

from companion.models.bert import (
    Bert,
    BertConfig,
    BertForMaskedLM,
    BertForPreTraining,
    BertMaskedLMOutput,
    BertOutput,
    BertPreTrainingOutput,
)

__all__ = [
    "Bert",
    "BertConfig",
    "BertForMaskedLM",
    "BertForPreTraining",
    "BertMaskedLMOutput",
    "BertOutput",
    "BertPreTrainingOutput",
]
