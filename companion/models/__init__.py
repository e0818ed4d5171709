"""Models: tensors in, named tuples out. They draw no masks and compute no losses."""

from companion.models.bert import (
    Bert,
    BertForMaskedLM,
    BertForPreTraining,
    BertMaskedLMOutput,
    BertOutput,
    BertPreTrainingOutput,
)
from companion.models.bert_config import BertConfig
from companion.models.hub import HubModel
from companion.models.modern_bert import (
    ModernBert,
    ModernBertForMaskedLM,
    ModernBertMaskedLMOutput,
    ModernBertOutput,
)
from companion.models.modern_bert_causal import CausalLMOutput, ModernBertForCausalLM
from companion.models.modern_bert_config import ModernBertConfig
from companion.models.pre_ln_bert import PreLNBertForMaskedLM

__all__ = [
    "Bert",
    "BertConfig",
    "BertForMaskedLM",
    "BertForPreTraining",
    "BertMaskedLMOutput",
    "BertOutput",
    "BertPreTrainingOutput",
    "CausalLMOutput",
    "HubModel",
    "ModernBert",
    "ModernBertConfig",
    "ModernBertForCausalLM",
    "ModernBertForMaskedLM",
    "ModernBertMaskedLMOutput",
    "ModernBertOutput",
    "PreLNBertForMaskedLM",
]
