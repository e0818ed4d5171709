import math

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# places times speeds, sines and cosines side by side
@right
def outer_product(length, dim):
    speeds = 10000 ** (-torch.arange(0, dim, 2) / dim)
    angles = torch.outer(torch.arange(length).float(), speeds)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# a beginner's loops with math
@right
def beginner_loops(length, dim):
    table = torch.zeros(length, dim)
    half = dim // 2
    for p in range(length):
        for k in range(half):
            angle = p / 10000 ** (2 * k / dim)
            table[p, k] = math.sin(angle)
            table[p, half + k] = math.cos(angle)
    return table


# plain lists, and a tensor at the end
@right
def plain_lists(length, dim):
    rows = []
    for p in range(length):
        angles = [p / 10000 ** (2 * k / dim) for k in range(dim // 2)]
        rows.append([math.sin(x) for x in angles] + [math.cos(x) for x in angles])
    return torch.tensor(rows)


# numpy, then a tensor of 32-bit floats
@right
def numpy_inside(length, dim):
    angles = np.arange(length)[:, None] / np.power(10000, 2 * np.arange(dim // 2) / dim)
    return torch.from_numpy(np.concatenate([np.sin(angles), np.cos(angles)], axis=1)).float()


# speeds by exp and log
@right
def exp_and_log(length, dim):
    half = dim // 2
    speeds = torch.exp(-math.log(10000.0) * torch.arange(half) / half)
    angles = torch.arange(length).unsqueeze(1) * speeds
    table = torch.empty(length, dim)
    table[:, :half] = torch.sin(angles)
    table[:, half:] = torch.cos(angles)
    return table


# complex numbers on the unit circle
@right
def complex_numbers(length, dim):
    k = torch.arange(dim // 2, dtype=torch.float64)
    angles = torch.arange(length, dtype=torch.float64)[:, None] / 10000 ** (2 * k / dim)
    circle = torch.polar(torch.ones_like(angles), angles)
    return torch.cat([circle.imag, circle.real], dim=-1).float()


# a cosine is a sine a quarter of a turn later; 64 bits are kept
@right
def cosine_as_shifted_sine(length, dim):
    k = torch.arange(dim, dtype=torch.float64) % (dim // 2)
    shift = (torch.arange(dim) >= dim // 2) * (math.pi / 2)
    places = torch.arange(length, dtype=torch.float64).view(-1, 1)
    return torch.sin(places / torch.pow(10000.0, 2 * k / dim) + shift)


# column by column
@right
def column_by_column(length, dim):
    places = torch.arange(length, dtype=torch.float32)
    sines = [torch.sin(places / 10000 ** (2 * k / dim)) for k in range(dim // 2)]
    cosines = [torch.cos(places / 10000 ** (2 * k / dim)) for k in range(dim // 2)]
    return torch.stack(sines + cosines, dim=1)


# made in turn, then sorted into halves
@right
def in_turn_then_sorted(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    in_turn = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    return torch.cat([in_turn[:, 0::2], in_turn[:, 1::2]], dim=1)


# speeds on a logarithmic scale
@right
def logarithmic_scale(length, dim):
    half = dim // 2
    speeds = torch.logspace(0, -4, half + 1)[:-1]
    angles = torch.einsum("p,k->pk", torch.arange(length, dtype=torch.float32), speeds)
    return torch.hstack((angles.sin(), angles.cos()))


# ---------------------------------------------------------------- wrong


# sine and cosine in turn, as in the paper
@wrong("first")
def in_turn(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    table = torch.zeros(length, dim)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles.cos()
    return table


# cosines first
@wrong("first")
def cosines_first(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.cos(), angles.sin()], dim=1)


# exponent k / d
@wrong("second")
def exponent_k_by_d(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(dim // 2) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# exponent 4k / d: twice the double
@wrong("second")
def exponent_four_k_by_d(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (2 * torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# exponent (2k + 1) / d for the cosines
@wrong("norm")
def next_exponent_for_cosines(length, dim):
    places = torch.arange(length).view(-1, 1)
    sines = torch.sin(places / 10000 ** (torch.arange(0, dim, 2) / dim))
    cosines = torch.cos(places / 10000 ** (torch.arange(1, dim, 2) / dim))
    return torch.cat([sines, cosines], dim=1)


# k runs on in the second half
@wrong("norm")
def k_runs_on_in_second_half(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (2 * torch.arange(dim) / dim)
    half = dim // 2
    return torch.cat([angles[:, :half].sin(), angles[:, half:].cos()], dim=1)


# the last speed is 1 / 10000 exactly: divided by dim / 2 - 1
@wrong("second")
def divided_by_half_minus_one(length, dim):
    half = dim // 2
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(half) / max(half - 1, 1))
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# the same with linspace
@wrong("second")
def linspace_to_one(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** torch.linspace(0, 1, dim // 2)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# k from 1
@wrong("second")
def k_from_one(length, dim):
    k = torch.arange(1, dim // 2 + 1)
    angles = torch.arange(length).view(-1, 1) / 10000 ** (2 * k / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# k backwards: slow numbers first
@wrong("second")
def slow_numbers_first(length, dim):
    speeds = 10000 ** (-torch.arange(0, dim, 2) / dim)
    angles = torch.arange(length).view(-1, 1) * speeds.flip(0)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# cosines backwards
@wrong("second")
def cosines_backwards(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos().flip(1)], dim=1)


# base 1000
@wrong("second")
def base_one_thousand(length, dim):
    angles = torch.arange(length).view(-1, 1) / 1000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# base 100000
@wrong("second")
def base_hundred_thousand(length, dim):
    angles = torch.arange(length).view(-1, 1) / 100000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# log10 with exp: another base by mistake
@wrong("second")
def exp_of_log_ten(length, dim):
    speeds = torch.exp(-math.log10(10000) * torch.arange(0, dim, 2) / dim)
    angles = torch.arange(length).view(-1, 1) * speeds
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# each number 100 times slower than the one before: right for dim 4 only
@wrong("any-size")
def hundred_times_slower_each(length, dim):
    angles = torch.arange(length).view(-1, 1) / 100.0 ** torch.arange(dim // 2)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# the two speeds of the example, over and over
@wrong("any-size")
def speeds_of_the_example(length, dim):
    speeds = torch.tensor([1.0, 0.01]).repeat(dim)[: dim // 2]
    angles = torch.arange(length).view(-1, 1) * speeds
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# places from 1
@wrong("first")
def places_from_one(length, dim):
    angles = torch.arange(1, length + 1).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# one row short
@wrong("structure")
def one_row_short(length, dim):
    angles = torch.arange(length - 1).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# one row more
@wrong("structure")
def one_row_more(length, dim):
    angles = torch.arange(length + 1).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# the last row stays zero
@wrong("norm")
def last_row_is_zero(length, dim):
    table = torch.zeros(length, dim)
    for p in range(length - 1):
        angles = p / 10000 ** (torch.arange(0, dim, 2) / dim)
        table[p] = torch.cat([angles.sin(), angles.cos()])
    return table


# degrees
@wrong("second")
def degrees(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    angles = torch.deg2rad(angles)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# whole turns: times 2 pi
@wrong("second")
def whole_turns(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    angles = 2 * math.pi * angles
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# multiplied where it should be divided
@wrong("distance")
def multiplied_not_divided(length, dim):
    angles = torch.arange(length).view(-1, 1) * 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# brackets forgotten: the power is of p / 10000
@wrong("first")
def brackets_forgotten(length, dim):
    angles = (torch.arange(length).view(-1, 1) / 10000) ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# the sine is divided, not the angle
@wrong("first")
def sine_divided(length, dim):
    places = torch.arange(length).view(-1, 1)
    scale = 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([places.sin() / scale, places.cos() / scale], dim=1)


# sines in both halves
@wrong("first")
def sines_only(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.sin()], dim=1)


# half of the dimension: sines without cosines
@wrong("structure")
def half_the_dimension(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    return angles.sin()


# twice the dimension: dim sines, then dim cosines
@wrong("structure")
def twice_the_dimension(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(dim) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# the cosines stand below the sines
@wrong("structure")
def halves_one_below_the_other(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=0)


# whole-number division in the exponent: all zeros, so one speed for all
@wrong("second")
def whole_division_in_exponent(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) // dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# whole-number division of the place: zeros
@wrong("distance")
def whole_division_of_the_place(length, dim):
    angles = torch.arange(length).view(-1, 1) // 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# angles backwards: cosines are right, sines have the wrong sign
@wrong("second")
def negative_angles(length, dim):
    angles = -torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# a cosine as a sine shifted by a whole half turn
@wrong("first")
def shifted_by_half_a_turn(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), (angles + math.pi).sin()], dim=1)


# a cosine as a sine shifted back
@wrong("first")
def shifted_back(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), (angles - math.pi / 2).sin()], dim=1)


# half precision
@wrong("distance")
def half_precision(length, dim):
    speeds = 10000 ** (-torch.arange(0, dim, 2) / dim)
    angles = torch.arange(length).view(-1, 1).half() * speeds.half()
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# half precision in between, floats at the end
@wrong("any-size")
def half_precision_in_between(length, dim):
    speeds = 10000 ** (-torch.arange(0, dim, 2) / dim)
    angles = torch.arange(length).view(-1, 1) * speeds.half().float()
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# rounded to three digits, as in the example
@wrong("second")
def rounded_to_three_digits(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1).round(decimals=3)


# the sine of a small angle is the angle, and its cosine is 1
@wrong("any-size")
def small_angles_simplified(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    small = angles < 0.05
    sines = torch.where(small, angles, angles.sin())
    cosines = torch.where(small, 1.0, angles.cos())
    return torch.cat([sines, cosines], dim=1)


# places taken as shares of the length
@wrong("second")
def places_as_shares(length, dim):
    places = torch.arange(length).view(-1, 1) / length
    angles = places / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# places begin again at 512
@wrong("any-size")
def begin_again_at_512(length, dim):
    places = torch.arange(length).view(-1, 1) % 512
    angles = places / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# 8-bit places: begin again at 256
@wrong("any-size")
def eight_bit_places(length, dim):
    places = torch.arange(length).to(torch.uint8).view(-1, 1)
    angles = places / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# rows and columns exchanged: the shape is right where length is dim
@wrong("structure")
def rows_and_columns_exchanged(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1).T


# rows turned into columns by reshape
@wrong("first")
def reshaped_not_transposed(length, dim):
    angles = torch.arange(length) / 10000 ** (torch.arange(0, dim, 2).view(-1, 1) / dim)
    return torch.cat([angles.sin(), angles.cos()]).reshape(length, dim)


# length and dim exchanged in the exponent
@wrong("second")
def exponent_by_length(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / length)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# exponent 2k / (d / 2): the half is taken twice
@wrong("second")
def divided_by_half_with_two_above(length, dim):
    half = dim // 2
    angles = torch.arange(length).view(-1, 1) / 10000 ** (2 * torch.arange(half) / half)
    return torch.cat([angles.sin(), angles.cos()], dim=1)


# only the row of place length - 1
@wrong("structure")
def one_row_only(length, dim):
    angles = (length - 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos()])


# the angles themselves, twice
@wrong("first")
def angles_themselves(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles, angles], dim=1)


# sines and cosines as a pair
@wrong("structure")
def pair_of_sines_and_cosines(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    return angles.sin(), angles.cos()


# a learned table
@wrong("first")
def learned_table(length, dim):
    return torch.nn.Embedding(length, dim).weight


# divided by the root of dim
@wrong("first")
def divided_by_root_of_dim(length, dim):
    angles = torch.arange(length).view(-1, 1) / 10000 ** (torch.arange(0, dim, 2) / dim)
    return torch.cat([angles.sin(), angles.cos()], dim=1) / math.sqrt(dim)
