from fractions import Fraction

import torch
from catalogue import right, wrong


def _block(n, d):
    return 12 * n * d**2 + 2 * n**2 * d


@right
def three_costs(patches, kept, width, depth, decoder_width, decoder_depth):
    plain = depth * _block(patches + 1, width)
    encoder = depth * _block(kept + 1, width)
    decoder = decoder_depth * _block(patches + 1, decoder_width)
    return plain / encoder, plain / (encoder + decoder)


@right
def blocks_added_one_by_one(patches, kept, width, depth, decoder_width, decoder_depth):
    plain = encoder = decoder = 0
    for _ in range(depth):
        plain += _block(1 + patches, width)
        encoder += _block(1 + kept, width)
    for _ in range(decoder_depth):
        decoder += _block(1 + patches, decoder_width)
    return [plain / encoder, plain / (encoder + decoder)]


@right
def factored(patches, kept, width, depth, decoder_width, decoder_depth):
    def cost(n, d):
        return 2 * n * d * (6 * d + n)

    a, b = cost(patches + 1, width) * depth, cost(kept + 1, width) * depth
    return a / b, 1 / (b / a + cost(patches + 1, decoder_width) * decoder_depth / a)


@right
def exact_fractions(patches, kept, width, depth, decoder_width, decoder_depth):
    a = depth * _block(patches + 1, width)
    b = depth * _block(kept + 1, width)
    c = decoder_depth * _block(patches + 1, decoder_width)
    return float(Fraction(a, b)), float(Fraction(a, b + c))


@right
def a_tensor(patches, kept, width, depth, decoder_width, decoder_depth):
    n = torch.tensor([patches + 1, kept + 1, patches + 1], dtype=torch.float64)
    d = torch.tensor([width, width, decoder_width], dtype=torch.float64)
    blocks = torch.tensor([depth, depth, decoder_depth], dtype=torch.float64)
    a, b, c = blocks * (12 * n * d**2 + 2 * n**2 * d)
    return torch.stack([a / b, a / (b + c)])


@wrong("structure")
def one_number(patches, kept, width, depth, decoder_width, decoder_depth):
    return _block(patches + 1, width) / _block(kept + 1, width)


@wrong("structure")
def nothing(patches, kept, width, depth, decoder_width, decoder_depth):
    print(_block(patches + 1, width))


@wrong("structure")
def texts(patches, kept, width, depth, decoder_width, decoder_depth):
    return "4.03", "3.0"


@wrong("structure")
def three_costs_returned(patches, kept, width, depth, decoder_width, decoder_depth):
    return (
        depth * _block(patches + 1, width),
        depth * _block(kept + 1, width),
        decoder_depth * _block(patches + 1, decoder_width),
    )


@wrong("encoder", "[CLS] is forgotten")
def no_cls(patches, kept, width, depth, decoder_width, decoder_depth):
    plain = depth * _block(patches, width)
    encoder = depth * _block(kept, width)
    decoder = decoder_depth * _block(patches, decoder_width)
    return plain / encoder, plain / (encoder + decoder)


@wrong("encoder", "the ratio of the tokens")
def tokens_alone(patches, kept, width, depth, decoder_width, decoder_depth):
    ratio = (patches + 1) / (kept + 1)
    return ratio, ratio


@wrong("encoder", "the ratio of the patches")
def patches_alone(patches, kept, width, depth, decoder_width, decoder_depth):
    return patches / kept, patches / kept


@wrong("encoder", "its square")
def squared(patches, kept, width, depth, decoder_width, decoder_depth):
    return (patches / kept) ** 2, (patches / kept) ** 2


@wrong("encoder", "turned round")
def turned_round(patches, kept, width, depth, decoder_width, decoder_depth):
    plain = depth * _block(patches + 1, width)
    encoder = depth * _block(kept + 1, width)
    decoder = decoder_depth * _block(patches + 1, decoder_width)
    return encoder / plain, (encoder + decoder) / plain


@wrong("encoder")
def whole_first(patches, kept, width, depth, decoder_width, decoder_depth):
    plain = depth * _block(patches + 1, width)
    encoder = depth * _block(kept + 1, width)
    decoder = decoder_depth * _block(patches + 1, decoder_width)
    return plain / (encoder + decoder), plain / encoder


@wrong("encoder")
def only_the_square_part(patches, kept, width, depth, decoder_width, decoder_depth):
    def cost(n, d):
        return n**2 * d

    plain, encoder = depth * cost(patches + 1, width), depth * cost(kept + 1, width)
    decoder = decoder_depth * cost(patches + 1, decoder_width)
    return plain / encoder, plain / (encoder + decoder)


@wrong("encoder")
def hidden_for_kept(patches, kept, width, depth, decoder_width, decoder_depth):
    plain = depth * _block(patches + 1, width)
    encoder = depth * _block(patches - kept + 1, width)
    decoder = decoder_depth * _block(patches + 1, decoder_width)
    return plain / encoder, plain / (encoder + decoder)


@wrong("encoder")
def width_not_squared(patches, kept, width, depth, decoder_width, decoder_depth):
    def cost(n, d):
        return 12 * n * d + 2 * n**2 * d

    plain, encoder = depth * cost(patches + 1, width), depth * cost(kept + 1, width)
    return plain / encoder, plain / (encoder + decoder_depth * cost(patches + 1, decoder_width))


@wrong("whole", "the decoder is forgotten")
def decoder_forgotten(patches, kept, width, depth, decoder_width, decoder_depth):
    ratio = _block(patches + 1, width) / _block(kept + 1, width)
    return ratio, ratio


@wrong("whole", "the decoder alone")
def decoder_alone(patches, kept, width, depth, decoder_width, decoder_depth):
    plain = depth * _block(patches + 1, width)
    decoder = decoder_depth * _block(patches + 1, decoder_width)
    return plain / (depth * _block(kept + 1, width)), plain / decoder


@wrong("whole", "the decoder reads the kept patches alone")
def decoder_on_kept(patches, kept, width, depth, decoder_width, decoder_depth):
    plain, encoder = depth * _block(patches + 1, width), depth * _block(kept + 1, width)
    return plain / encoder, plain / (encoder + decoder_depth * _block(kept + 1, decoder_width))


@wrong("whole", "the decoder has no [CLS]")
def decoder_without_cls(patches, kept, width, depth, decoder_width, decoder_depth):
    plain, encoder = depth * _block(patches + 1, width), depth * _block(kept + 1, width)
    return plain / encoder, plain / (encoder + decoder_depth * _block(patches, decoder_width))


@wrong("whole", "one block each")
def one_block_each(patches, kept, width, depth, decoder_width, decoder_depth):
    plain, encoder = _block(patches + 1, width), _block(kept + 1, width)
    return plain / encoder, plain / (encoder + _block(patches + 1, decoder_width))


@wrong("whole")
def decoder_as_wide_as_the_encoder(patches, kept, width, depth, decoder_width, decoder_depth):
    plain, encoder = depth * _block(patches + 1, width), depth * _block(kept + 1, width)
    return plain / encoder, plain / (encoder + decoder_depth * _block(patches + 1, width))


@wrong("whole")
def decoder_on_hidden(patches, kept, width, depth, decoder_width, decoder_depth):
    plain, encoder = depth * _block(patches + 1, width), depth * _block(kept + 1, width)
    decoder = decoder_depth * _block(patches - kept + 1, decoder_width)
    return plain / encoder, plain / (encoder + decoder)


@wrong("whole")
def decoder_added_to_both(patches, kept, width, depth, decoder_width, decoder_depth):
    plain, encoder = depth * _block(patches + 1, width), depth * _block(kept + 1, width)
    decoder = decoder_depth * _block(patches + 1, decoder_width)
    return plain / encoder, (plain + decoder) / (encoder + decoder)


@wrong("any-sizes")
def eight_blocks_written_down(patches, kept, width, depth, decoder_width, decoder_depth):
    blocks = decoder_depth if patches == 4 else 8
    plain, encoder = depth * _block(patches + 1, width), depth * _block(kept + 1, width)
    return plain / encoder, plain / (encoder + blocks * _block(patches + 1, decoder_width))


@wrong("any-sizes")
def rounded(patches, kept, width, depth, decoder_width, decoder_depth):
    plain, encoder = depth * _block(patches + 1, width), depth * _block(kept + 1, width)
    decoder = decoder_depth * _block(patches + 1, decoder_width)
    known = patches in (4, 196)
    first, second = plain / encoder, plain / (encoder + decoder)
    return (first, second) if known else (round(first, 2), round(second, 2))
