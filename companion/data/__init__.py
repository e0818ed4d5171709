"""What the models read: corpora, the tokenizer, and padding into batches."""

from companion.data.batches import Batch, pad_batch
from companion.data.text import Corpus, Document, load_corpus
from companion.data.tokenizer import Encoding, Tokenizer, load_tokenizer

__all__ = [
    "Batch",
    "Corpus",
    "Document",
    "Encoding",
    "Tokenizer",
    "load_corpus",
    "load_tokenizer",
    "pad_batch",
]
