"""What the models read: corpora, the tokenizer, padding and packing into rows; pictures."""

from companion.data.batches import Batch, pad_batch, pad_rows
from companion.data.checkpoints import checkpoint, log_file
from companion.data.images import Images, load_images
from companion.data.own_images import load_own_images
from companion.data.own_text import load_own_text
from companion.data.packing import PackedRows, pack_rows
from companion.data.paired_rows import PairRows, pair_rows
from companion.data.pairs import (
    Pair,
    segment_pairs,
    sentence_pairs,
    share_of_random,
    swapped_pairs,
)
from companion.data.text import Corpus, Document, load_corpus
from companion.data.tokenizer import Encoding, Tokenizer, load_tokenizer

__all__ = [
    "Batch",
    "Corpus",
    "Document",
    "Encoding",
    "Images",
    "PackedRows",
    "Pair",
    "PairRows",
    "Tokenizer",
    "checkpoint",
    "load_corpus",
    "load_images",
    "load_own_images",
    "load_own_text",
    "load_tokenizer",
    "log_file",
    "pack_rows",
    "pad_batch",
    "pad_rows",
    "pair_rows",
    "segment_pairs",
    "sentence_pairs",
    "share_of_random",
    "swapped_pairs",
]
