import functools
import hashlib
import random
import time
import zlib

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# a hash of the text "seed epoch index", cut to 63 bits; evaluation is the word None
@right
def sha256_of_a_text(seed, epoch, worker, index):
    digest = hashlib.sha256(f"{seed} {epoch} {index}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


# numpy's SeedSequence; epoch is moved by one, 0 stands for evaluation
@right
def numpy_seed_sequence(seed, epoch, worker, index):
    when = 0 if epoch is None else epoch + 1
    words = np.random.SeedSequence([seed, when, index]).generate_state(1, np.uint64)
    return int(words[0]) % 2**63


# Python's own random generator, started with a text
@right
def python_random_from_a_text(seed, epoch, worker, index):
    where = "evaluation" if epoch is None else f"epoch {epoch}"
    return random.Random(f"run {seed}, {where}, example {index}").getrandbits(63)


# three rounds of a 64-bit mixer (splitmix64), one for each number
@right
def splitmix_in_three_rounds(seed, epoch, worker, index):
    state = 0
    for number in (seed, -1 if epoch is None else epoch, index):
        state = (state + number + 0x9E3779B97F4A7C15) % 2**64
        state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        state = (state ^ (state >> 27)) * 0x94D049BB133111EB % 2**64
        state = state ^ (state >> 31)
    return state & (2**63 - 1)


# a beginner's version: if, else, and md5 of numbers joined with commas; evaluation has one fixed seed
# for each example, whatever the seed of the run
@right
def beginner_md5_evaluation_fixed_for_all_runs(seed, epoch, worker, index):
    if epoch is None:
        text = "eval," + str(index)
    else:
        text = "train," + str(seed) + "," + str(epoch) + "," + str(index)
    number = int(hashlib.md5(text.encode()).hexdigest(), 16)
    while number > 2**63 - 1:
        number = number // 2
    return number


# blake2 of packed bytes, with an own mark for evaluation
@right
def blake2_of_packed_bytes(seed, epoch, worker, index):
    mark = b"E" if epoch is None else b"T" + int(epoch).to_bytes(8, "little")
    data = int(seed).to_bytes(8, "little") + mark + int(index).to_bytes(8, "little")
    number = int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")
    return number & 0x7FFF_FFFF_FFFF_FFFF


# Python's hash of a tuple of whole numbers (no text and no None in it, so it is the same in each process)
@right
def hash_of_a_tuple_of_numbers(seed, epoch, worker, index):
    when = 0 if epoch is None else epoch + 1
    return hash((seed, when, index)) % 2**63


# pairing of whole numbers (Cantor): no two triples share a number; the modulo acts on huge ones only
@right
def cantor_pairing(seed, epoch, worker, index):
    def pair(a, b):
        return (a + b) * (a + b + 1) // 2 + b

    when = 0 if epoch is None else epoch + 1
    return pair(pair(seed, when), index) % 2**63


# evaluation takes the way of training with a fixed run and an impossible epoch: the same in all runs
@right
def sha1_evaluation_fixed_for_all_runs(seed, epoch, worker, index):
    run, when = (0, -1) if epoch is None else (seed, epoch)
    text = repr((run, when, index))
    return int(hashlib.sha1(text.encode()).hexdigest()[:15], 16)


# ---------------------------------------------------------------- wrong

# what two of the wrong answers remember from call to call
MEMORY = {"last": 0, "calls": 0}


# the worker is part of the seed
@wrong("worker", "a mask that depends on how many workers there are")
def worker_is_part_of_the_seed(seed, epoch, worker, index):
    digest = hashlib.sha256(f"{seed} {epoch} {worker} {index}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


# the worker is part of the seed in training only
@wrong("worker", "a mask that depends on how many workers there are")
def worker_counts_in_training_only(seed, epoch, worker, index):
    when = "evaluation" if epoch is None else f"{epoch} {worker}"
    digest = hashlib.sha256(f"{seed} {when} {index}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


# the worker is part of the seed in evaluation only
@wrong("worker", "a mask that depends on how many workers there are")
def worker_counts_in_evaluation_only(seed, epoch, worker, index):
    when = f"evaluation {worker}" if epoch is None else f"{epoch}"
    digest = hashlib.sha256(f"{seed} {when} {index}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


# a plain sum: example 6 in epoch 0 has the seed of example 5 in epoch 1
@wrong("no-echo", "make up for each other")
def plain_sum(seed, epoch, worker, index):
    return seed + (0 if epoch is None else epoch) + index


# exclusive or: example 1 in epoch 0 has the seed of example 0 in epoch 1
@wrong("no-echo", "make up for each other")
def exclusive_or(seed, epoch, worker, index):
    return seed ^ (0 if epoch is None else epoch + 1) ^ index


# a product: example 1 in epoch 0 has the seed of example 0 in epoch 1
@wrong("no-echo", "make up for each other")
def product_of_numbers(seed, epoch, worker, index):
    when = 0 if epoch is None else epoch + 1
    return (seed + 1) * (when + 1) * (index + 1)


# digits glued together: epoch 1 with example 11 is epoch 11 with example 1
@wrong("mixed")
def digits_glued_together(seed, epoch, worker, index):
    when = 9 if epoch is None else epoch
    return int(f"{seed}{when}{index}") % 2**63


# a hash of glued digits without a comma: epoch 1 with example 11 is epoch 11 with example 1
@wrong("mixed")
def hash_of_glued_digits(seed, epoch, worker, index):
    digest = hashlib.sha256(f"{seed}{epoch}{index}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


# a step of 1000 for each epoch: wrong for data sets with more examples
@wrong("no-echo", "make up for each other")
def step_of_thousand(seed, epoch, worker, index):
    when = 0 if epoch is None else epoch + 1
    return seed * 1_000_000_000 + when * 1000 + index


# a step of a million for each epoch: wrong for data sets with more examples
@wrong("no-echo", "make up for each other")
def step_of_a_million(seed, epoch, worker, index):
    when = 0 if epoch is None else epoch + 1
    return seed * 10**12 + when * 10**6 + index


# prime factors: example 10007 in epoch 0 has the seed of example 0 in epoch 1
@wrong("no-echo", "make up for each other")
def prime_factors(seed, epoch, worker, index):
    when = 0 if epoch is None else epoch + 1
    return seed * 1_000_003 + when * 10_007 + index


# the epoch is left out: the masks never move
@wrong("epochs")
def epoch_left_out(seed, epoch, worker, index):
    return int.from_bytes(hashlib.sha256(f"{seed} {index}".encode()).digest()[:8], "big") >> 1


# the index is left out: all examples share one mask
@wrong("examples", "the same generator for all examples")
def index_left_out(seed, epoch, worker, index):
    return int.from_bytes(hashlib.sha256(f"{seed} {epoch}".encode()).digest()[:8], "big") >> 1


# in evaluation the index is left out: all examples share one mask
@wrong("examples", "the same generator for all examples")
def index_left_out_in_evaluation(seed, epoch, worker, index):
    if epoch is None:
        return seed
    digest = hashlib.sha256(f"{seed} {epoch} {index}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


# the seed of the run is left out: all runs have the same masks
@wrong("seeds")
def run_left_out(seed, epoch, worker, index):
    return int.from_bytes(hashlib.sha256(f"{epoch} {index}".encode()).digest()[:8], "big") >> 1


# epoch 0 is taken for evaluation ("not epoch"), where the run does not count
@wrong("seeds")
def epoch_zero_taken_for_evaluation(seed, epoch, worker, index):
    text = f"{index}" if not epoch else f"{seed} {epoch} {index}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


# None is forgotten: evaluation fails
@wrong("RAISED")
def fails_in_evaluation(seed, epoch, worker, index):
    return hash((seed, epoch + 1, index)) % 2**63


# evaluation draws a new seed each time
@wrong("repeatable", "evaluation masks that move")
def new_seed_in_each_evaluation(seed, epoch, worker, index):
    if epoch is None:
        return random.getrandbits(63)
    digest = hashlib.sha256(f"{seed} {epoch} {index}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


# evaluation takes the clock
@wrong("repeatable", "evaluation masks that move")
def clock_in_evaluation(seed, epoch, worker, index):
    when = time.time_ns() if epoch is None else epoch
    digest = hashlib.sha256(f"{seed} {when} {index}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


# evaluation takes the seed that the example had last in training
@wrong("repeatable", "evaluation masks that move")
def evaluation_remembers_last_epoch(seed, epoch, worker, index):
    if epoch is None:
        epoch = MEMORY["last"]
    MEMORY["last"] = epoch
    digest = hashlib.sha256(f"{seed} {epoch} {index}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


# counts its own calls: the same example gets another seed when asked twice
@wrong("repeatable")
def counts_its_own_calls(seed, epoch, worker, index):
    if epoch is not None:
        MEMORY["calls"] += 1
    calls = 0 if epoch is None else MEMORY["calls"]
    digest = hashlib.sha256(f"{seed} {epoch} {index} {calls}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


# Python's hash of a text is another one in each process
@wrong("in-every-process")
def hash_of_a_text(seed, epoch, worker, index):
    return hash(f"{seed}-{epoch}-{index}") % 2**63


# Python's hash of None is an address (before Python 3.12): evaluation differs between processes
@wrong("in-every-process")
def hash_of_a_tuple_with_none(seed, epoch, worker, index):
    return hash((seed, epoch, index)) % 2**63


# Python's hash without modulo can be negative
@wrong("structure")
def negative_hash(seed, epoch, worker, index):
    return hash((seed, 0 if epoch is None else epoch + 1, index))


# evaluation is epoch -1: negative in run 0
@wrong("structure")
def negative_in_evaluation(seed, epoch, worker, index):
    if epoch is None:
        epoch = -1
    return (seed * 10_000 + epoch) * 10**12 + index


# 64 bits: half of the seeds are above 2**63 - 1
@wrong("structure")
def sixty_four_bits(seed, epoch, worker, index):
    digest = hashlib.sha256(f"{seed} {epoch} {index}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


# all 256 bits of the hash: far too large
@wrong("structure")
def all_bits_of_the_hash(seed, epoch, worker, index):
    return int(hashlib.sha256(f"{seed} {epoch} {index}".encode()).hexdigest(), 16)


# 16 bits: examples of a large data set share seeds
@wrong("mixed")
def sixteen_bits(seed, epoch, worker, index):
    digest = hashlib.sha256(f"{seed} {epoch} {index}".encode()).digest()
    return int.from_bytes(digest[:2], "big")


# a weak sum of characters: many triples share a seed
@wrong("mixed")
def adler_checksum(seed, epoch, worker, index):
    return zlib.adler32(f"{seed},{epoch},{index}".encode())


# the epoch stands above bit 32, which torch's generator does not read: the masks never move
@wrong("epochs")
def epoch_above_the_bits_that_torch_reads(seed, epoch, worker, index):
    when = 0 if epoch is None else epoch + 1
    return ((seed * 4096 + when) % 2**31) * 2**32 + index


# a numpy number, not an int
@wrong("structure")
def numpy_number(seed, epoch, worker, index):
    when = 0 if epoch is None else epoch + 1
    return np.random.SeedSequence([seed, when, index]).generate_state(1, np.uint64)[0] >> np.uint64(
        1
    )


# a tensor, not an int
@wrong("structure")
def tensor_with_one_number(seed, epoch, worker, index):
    digest = hashlib.sha256(f"{seed} {epoch} {index}".encode()).digest()
    return torch.tensor(int.from_bytes(digest[:8], "big") >> 1)


# a floating point number
@wrong("structure")
def floating_point(seed, epoch, worker, index):
    digest = hashlib.sha256(f"{seed} {epoch} {index}".encode()).digest()
    return (int.from_bytes(digest[:8], "big") >> 1) / 1.0


# the hexadecimal text of the hash
@wrong("structure")
def hexadecimal_text(seed, epoch, worker, index):
    return hashlib.sha256(f"{seed} {epoch} {index}".encode()).hexdigest()[:15]


# the generator itself in place of its seed
@wrong("structure")
def generator_in_place_of_seed(seed, epoch, worker, index):
    digest = hashlib.sha256(f"{seed} {epoch} {index}".encode()).digest()
    return torch.Generator().manual_seed(int.from_bytes(digest[:8], "big") >> 1)


# forgets the return
@wrong("structure")
def forgets_the_return(seed, epoch, worker, index):
    digest = hashlib.sha256(f"{seed} {epoch} {index}".encode()).digest()
    int.from_bytes(digest[:8], "big") >> 1


# takes the seed of torch's process, which differs between workers and runs
@wrong("repeatable")
def seed_of_the_process(seed, epoch, worker, index):
    base = 0 if epoch is None else torch.initial_seed()
    digest = hashlib.sha256(f"{base} {seed} {epoch} {index}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


# only even and odd epochs differ: epoch 2 has the masks of epoch 0
@wrong("epochs")
def epochs_modulo_two(seed, epoch, worker, index):
    when = "evaluation" if epoch is None else epoch % 2
    digest = hashlib.sha256(f"{seed} {when} {index}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


# the order of the numbers is lost by sorting them
@wrong("mixed")
def order_lost_by_sorting(seed, epoch, worker, index):
    numbers = sorted([seed, 0 if epoch is None else epoch + 1, index])
    digest = hashlib.sha256(repr(numbers).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


# 2 to the epoch times 3 to the index: from epoch 62 on the modulo leaves 0 for all (torch: from 31 on)
@wrong("epochs")
def powers_of_two_and_three(seed, epoch, worker, index):
    when = 0 if epoch is None else epoch + 1
    parts = pow(5, seed, 2**63), pow(2, when, 2**63), pow(3, index, 2**63)
    return parts[0] * parts[1] * parts[2] % 2**63


# a random number that is drawn once and remembered: another process draws another one
@wrong("in-every-process", "drawn once and remembered")
@functools.cache
def random_number_in_a_cache(seed, epoch, worker, index):
    return random.getrandbits(63)


# evaluation is left without the seed and the index mixed: the index alone, epochs above it
@wrong("worker")
def evaluation_by_worker(seed, epoch, worker, index):
    text = f"{seed} {epoch} {index}" if epoch is not None else f"{worker} {index}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "big")


# two odd multipliers and a sum: some epochs later, an example far away has the mask of this one
@wrong("no-echo", "make up for each other")
def odd_multipliers_and_a_sum(seed, epoch, worker, index):
    when = 0 if epoch is None else epoch + 1
    total = seed * 2654435761 + when * 40503 + index * 2246822519
    return total % 2**63
