"""A recipe that trains within seconds, for tests that need a finished run."""

MODEL = """
[model]
name = "ModernBertForMaskedLM"

[model.sizes]
hidden_size = 16
num_hidden_layers = 1
num_attention_heads = 2
intermediate_size = 24
"""
DATA = """
[data]
corpora = ["wiki"]
length = 32
"""
CONFIG = f"""{MODEL}max_position_embeddings = 64
{DATA}
[optimizer]
learning_rate = 3e-2

[schedule]
steps = 30

[run]
batch_size = 8
film = [0, 30]
"""
