"""`make bench`: how fast the library is, as ratios that were measured in one run."""

import argparse
import platform

import torch

from benchmarks import pictures
from benchmarks.causal import training, writing
from benchmarks.masking import masking
from benchmarks.training import SHAPES, packed_rows, rate, training_step


def machine() -> str:
    """What ran it, without names: the kind of processor, threads, versions."""
    import transformers

    return (
        f"{torch.get_num_threads()} threads of {processor()}, PyTorch "
        f"{torch.__version__.split('+')[0]}, transformers {transformers.__version__}"
    )


def processor() -> str:
    """The processor as the system calls it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
        return names[0]
    except (OSError, IndexError):
        return platform.processor() or platform.machine()


def main() -> None:
    """Print a Markdown table."""
    parser = argparse.ArgumentParser(prog="make bench")
    parser.add_argument("--rounds", type=int, default=15, help="more rounds: surer, slower")
    rounds = parser.parse_args().rounds
    if rounds < 2:
        parser.error("--rounds must be at least 2")
    print(f"{machine()}; median of the rounds, middle half in brackets\n")
    print("| what | times as fast |")
    print("|---|---|")
    small, base = SHAPES
    for measure in (
        lambda: masking(20 * rounds),
        lambda: training_step(small, rounds),
        lambda: training_step(base, max(2, rounds // 2)),
        lambda: packed_rows(rounds),
        lambda: rate(max(2, rounds // 2)),
        lambda: training("width 256, 4 layers", rounds),
        lambda: training("gpt2", max(2, rounds // 2)),
        lambda: writing("width 256, 4 layers", rounds),
        lambda: writing("gpt2", max(2, rounds // 2)),
        lambda: pictures.training("ViT-B/16", max(2, rounds // 2)),
        lambda: pictures.asymmetry("ViT-B/16", max(2, rounds // 2)),
        lambda: pictures.cutting("ViT-B/16", 5 * rounds),
    ):
        for what, result in measure():
            print(f"| {what} | {result} |", flush=True)


if __name__ == "__main__":
    main()
