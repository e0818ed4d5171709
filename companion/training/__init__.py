"""Training: a loop, its optimisers, and checkpoints that survive a kill at any moment."""

from companion.training.config import OptimizerConfig, TrainingConfig, load_config
from companion.training.log import LogLine, read_log
from companion.training.muon import Muon
from companion.training.run import pretrain

__all__ = [
    "LogLine",
    "Muon",
    "OptimizerConfig",
    "TrainingConfig",
    "load_config",
    "pretrain",
    "read_log",
]
