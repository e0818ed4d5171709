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
from companion.models.causal import Cache
from companion.models.generation import CausalModel
from companion.models.gpt import Gpt, GptOutput
from companion.models.gpt_config import GptConfig
from companion.models.hub import HubModel
from companion.models.mae import Mae, MaeOutput
from companion.models.mae_config import MaeConfig
from companion.models.modern_bert import (
    ModernBert,
    ModernBertForMaskedLM,
    ModernBertMaskedLMOutput,
    ModernBertOutput,
)
from companion.models.modern_bert_causal import CausalLMOutput, ModernBertForCausalLM
from companion.models.modern_bert_config import ModernBertConfig
from companion.models.patches import grid_of, patchify, unpatchify
from companion.models.patterns import attention_pattern
from companion.models.pre_ln_bert import PreLNBertForMaskedLM

__all__ = [
    "Bert",
    "BertConfig",
    "BertForMaskedLM",
    "BertForPreTraining",
    "BertMaskedLMOutput",
    "BertOutput",
    "BertPreTrainingOutput",
    "Cache",
    "CausalLMOutput",
    "CausalModel",
    "Gpt",
    "GptConfig",
    "GptOutput",
    "HubModel",
    "Mae",
    "MaeConfig",
    "MaeOutput",
    "ModernBert",
    "ModernBertConfig",
    "ModernBertForCausalLM",
    "ModernBertForMaskedLM",
    "ModernBertMaskedLMOutput",
    "ModernBertOutput",
    "PreLNBertForMaskedLM",
    "attention_pattern",
    "grid_of",
    "patchify",
    "unpatchify",
]
