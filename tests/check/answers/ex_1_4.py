import math

import numpy as np
import torch
from catalogue import right, wrong

# ---------------------------------------------------------------- right


# rows of the three tables and two of the LayerNorm, times the width
@right
def rows_times_width(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds + 2) * width


# a beginner's version, one after the other
@right
def beginner_steps(vocabulary, places, kinds, width):
    words = vocabulary * width
    positions = places * width
    segments = kinds * width
    weight = width
    bias = width
    total = words + positions
    total = total + segments
    total = total + weight
    total = total + bias
    return total


# the modules themselves, on no device: only shapes
@right
def modules_on_meta(vocabulary, places, kinds, width):
    modules = [torch.nn.Embedding(n, width, device="meta") for n in (vocabulary, places, kinds)]
    modules.append(torch.nn.LayerNorm(width, device="meta"))
    return sum(p.numel() for module in modules for p in module.parameters())


# the shapes in a list, products of them
@right
def shapes_in_a_list(vocabulary, places, kinds, width):
    shapes = [(vocabulary, width), (places, width), (kinds, width), (width,), (width,)]
    return sum(math.prod(shape) for shape in shapes)


# a tensor of whole numbers, without dimensions
@right
def tensor_of_whole_numbers(vocabulary, places, kinds, width):
    rows = torch.tensor([vocabulary, places, kinds, 2])
    return (rows * width).sum()


# numpy with 64 bits
@right
def numpy_dot(vocabulary, places, kinds, width):
    rows = np.array([vocabulary, places, kinds, 1, 1], dtype=np.int64)
    return rows @ np.full(5, width, dtype=np.int64)


# a loop over the tables
@right
def loop_over_the_tables(vocabulary, places, kinds, width):
    total = 0
    for rows in (vocabulary, places, kinds):
        for _ in range(width):
            total += rows
    return total + width + width


# a dictionary that names each part
@right
def dictionary_of_parts(vocabulary, places, kinds, width):
    parts = {
        "words": vocabulary * width,
        "positions": places * width,
        "segments": kinds * width,
        "scale": width,
        "shift": width,
    }
    return sum(parts.values())


# the LayerNorm counted by PyTorch, the tables by hand
@right
def norm_counted_by_torch(vocabulary, places, kinds, width):
    norm = torch.nn.LayerNorm(width)
    return width * sum((vocabulary, places, kinds)) + norm.weight.numel() + norm.bias.numel()


# ---------------------------------------------------------------- wrong


# without the LayerNorm
@wrong("example")
def no_norm(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds) * width


# LayerNorm with one parameter for each number
@wrong("example")
def norm_that_only_multiplies(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds) * width + width


# LayerNorm with two parameters in all
@wrong("example")
def norm_with_two_parameters(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds) * width + 2


# LayerNorm with a parameter for each number and one more
@wrong("example")
def norm_with_one_shift(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds) * width + width + 1


# LayerNorm with 6 parameters: those of the example
@wrong("any-sizes")
def norm_with_six_parameters(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds) * width + 6


# LayerNorm with width plus 3: 6 in the example
@wrong("any-sizes")
def norm_with_width_plus_three(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds) * width + width + 3


# LayerNorm with the pairs of numbers: 3 times 2 in the example
@wrong("any-sizes")
def norm_with_width_times_width_minus_one(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds) * width + width * (width - 1)


# LayerNorm with a matrix
@wrong("example")
def norm_with_a_matrix(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds) * width + width * width


# LayerNorm with a matrix and a shift
@wrong("example")
def norm_with_a_matrix_and_a_shift(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds) * width + width * width + width


# LayerNorm with four parameters for each number: mean and deviation counted too
@wrong("example")
def norm_with_mean_and_deviation(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds + 4) * width


# a LayerNorm for each of the three tables
@wrong("example")
def norm_for_each_table(vocabulary, places, kinds, width):
    return (vocabulary + 2 + places + 2 + kinds + 2) * width


# a LayerNorm for each place
@wrong("example")
def norm_for_each_place(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds + 2 * places) * width


# two parameters for each row of the tables
@wrong("example")
def norm_for_each_row(vocabulary, places, kinds, width):
    rows = vocabulary + places + kinds
    return rows * width + 2 * rows


# a LayerNorm for each segment
@wrong("example")
def norm_for_each_segment(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds + 2 * kinds) * width


# the LayerNorm has as many parameters for each number as there are segments: 2 in BERT
@wrong("any-sizes")
def segments_counted_twice_as_norm(vocabulary, places, kinds, width):
    return (vocabulary + places + 2 * kinds) * width


# two segments, whatever kinds is
@wrong("any-sizes")
def always_two_segments(vocabulary, places, kinds, width):
    return (vocabulary + places + 4) * width


# 512 places, whatever places is
@wrong("example")
def always_512_places(vocabulary, places, kinds, width):
    return (vocabulary + 512 + kinds + 2) * width


# width 768, whatever width is
@wrong("example")
def always_width_768(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds + 2) * 768


# the vocabulary of BERT, whatever vocabulary is
@wrong("example")
def always_the_vocabulary_of_bert(vocabulary, places, kinds, width):
    return (30522 + places + kinds + 2) * width


# the number for BERT
@wrong("example")
def fixed_number_of_bert(vocabulary, places, kinds, width):
    return 23_837_184


# the number of the example
@wrong("any-sizes")
def fixed_number_of_the_example(vocabulary, places, kinds, width):
    return 54


# a bias for each row of the tables
@wrong("example")
def bias_for_each_row(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds) * (width + 1) + 2 * width


# a bias for each table, as long as a vector
@wrong("example")
def bias_for_each_table(vocabulary, places, kinds, width):
    return (vocabulary + 1 + places + 1 + kinds + 1 + 2) * width


# the three tables as linear layers with bias, counted by PyTorch
@wrong("example")
def linear_layers_with_bias(vocabulary, places, kinds, width):
    modules = [torch.nn.Linear(n, width, device="meta") for n in (vocabulary, places, kinds)]
    modules.append(torch.nn.LayerNorm(width, device="meta"))
    return sum(p.numel() for module in modules for p in module.parameters())


# the sizes multiplied
@wrong("example")
def sizes_multiplied(vocabulary, places, kinds, width):
    return vocabulary * places * kinds * width + 2 * width


# the sizes added
@wrong("example")
def sizes_added(vocabulary, places, kinds, width):
    return vocabulary + places + kinds + 3 * width + 2 * width


# brackets forgotten: only the last table is multiplied by the width
@wrong("example")
def brackets_forgotten(vocabulary, places, kinds, width):
    return vocabulary + places + kinds * width + 2 * width


# a vector for each word at each place
@wrong("example")
def vector_for_each_word_at_each_place(vocabulary, places, kinds, width):
    return vocabulary * places * width + kinds * width + 2 * width


# only the words and the LayerNorm
@wrong("example")
def only_words_and_norm(vocabulary, places, kinds, width):
    return (vocabulary + 2) * width


# the segments are forgotten
@wrong("example")
def segments_forgotten(vocabulary, places, kinds, width):
    return (vocabulary + places + 2) * width


# the positions are forgotten
@wrong("example")
def positions_forgotten(vocabulary, places, kinds, width):
    return (vocabulary + kinds + 2) * width


# the words are forgotten
@wrong("example")
def words_forgotten(vocabulary, places, kinds, width):
    return (places + kinds + 2) * width


# the row of [PAD] is not counted
@wrong("example")
def row_of_pad_not_counted(vocabulary, places, kinds, width):
    return (vocabulary - 1 + places + kinds + 2) * width


# one segment fewer, as one of the two could be zero
@wrong("example")
def one_segment_fewer(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds - 1 + 2) * width


# the words are counted twice, as they are used at the output too
@wrong("example")
def words_counted_twice(vocabulary, places, kinds, width):
    return (2 * vocabulary + places + kinds + 2) * width


# the vocabulary rounded up to an even number, a large one to a multiple of 64, for the hardware
@wrong("any-sizes")
def vocabulary_rounded_up(vocabulary, places, kinds, width):
    step = 64 if vocabulary > 1000 else 2
    return (-(-vocabulary // step) * step + places + kinds + 2) * width


# the share of BERT, not the number
@wrong("example")
def share_of_bert(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds + 2) * width / 109_482_240


# bytes, not numbers
@wrong("example")
def bytes_not_numbers(vocabulary, places, kinds, width):
    return 4 * (vocabulary + places + kinds + 2) * width


# millions, not numbers
@wrong("example")
def millions(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds + 2) * width / 1e6


# rounded to thousands, if it is large
@wrong("any-sizes")
def rounded_to_thousands(vocabulary, places, kinds, width):
    total = (vocabulary + places + kinds + 2) * width
    return round(total, -3) if total > 1000 else total


# 32-bit floats: large odd numbers are rounded
@wrong("any-sizes")
def float32_arithmetic(vocabulary, places, kinds, width):
    rows = torch.tensor([vocabulary, places, kinds, 2], dtype=torch.float32)
    return int((rows * width).sum())


# 32-bit whole numbers: beyond two thousand million they begin again below zero
@wrong("any-sizes")
def int32_arithmetic(vocabulary, places, kinds, width):
    rows = torch.tensor([vocabulary, places, kinds, 2], dtype=torch.int32)
    return int((rows * width).sum(dtype=torch.int32))


# one number for each part
@wrong("structure")
def one_number_for_each_part(vocabulary, places, kinds, width):
    return vocabulary * width, places * width, kinds * width, 2 * width


# a text with commas
@wrong("structure")
def text_with_commas(vocabulary, places, kinds, width):
    return f"{(vocabulary + places + kinds + 2) * width:,}"


# prints, and forgets the return
@wrong("structure")
def prints_instead_of_return(vocabulary, places, kinds, width):
    print((vocabulary + places + kinds + 2) * width)


# width and vocabulary exchanged
@wrong("example")
def width_and_vocabulary_exchanged(vocabulary, places, kinds, width):
    return (width + places + kinds + 2) * vocabulary


# a dense layer behind the LayerNorm
@wrong("example")
def dense_layer_behind(vocabulary, places, kinds, width):
    return (vocabulary + places + kinds + 2) * width + width * (width + 1)


# a width beyond 8 is rounded up to a multiple of 8: 768 is one already
@wrong("any-sizes")
def padded_width(vocabulary, places, kinds, width):
    aligned = width if width < 8 else -(-width // 8) * 8
    return (vocabulary + places + kinds + 2) * aligned
