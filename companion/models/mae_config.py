"""MAE's sizes, and what its parameters are called in Hugging Face folders."""

import re
from dataclasses import dataclass

from companion.models.hub import HubFormat
from companion.models.patches import grid_of
from companion.models.sizes import check_sizes


@dataclass(frozen=True)
class MaeConfig:
    """Sizes, by Hugging Face's field names; the defaults are the paper's ViT-B/16.

    `image_size` is in pixels, one number for squares or (height, width). `mask_ratio` and
    `norm_pix_loss` say how the weights were trained; no computation here uses them.

    Raises:
        ValueError: a size below 1, heads that do not divide a width, a width that is no multiple of
            4 (the positions need it), a picture that patches do not fill, a ratio outside [0, 1).
    """

    hidden_size: int = 768
    num_hidden_layers: int = 12
    num_attention_heads: int = 12
    intermediate_size: int = 3072
    initializer_range: float = 0.02
    layer_norm_eps: float = 1e-12
    image_size: int | tuple[int, int] = 224
    patch_size: int = 16
    num_channels: int = 3
    decoder_num_attention_heads: int = 16
    decoder_hidden_size: int = 512
    decoder_num_hidden_layers: int = 8
    decoder_intermediate_size: int = 2048
    mask_ratio: float = 0.75
    norm_pix_loss: bool = False

    def __post_init__(self) -> None:
        """Refuse what no model can be built from."""
        if isinstance(self.image_size, list):  # as JSON gives it
            object.__setattr__(self, "image_size", tuple(self.image_size))
        check_sizes(self, rates="_ratio")
        _ = self.grid
        for width, heads in (
            ("hidden_size", "num_attention_heads"),
            ("decoder_hidden_size", "decoder_num_attention_heads"),
        ):
            size, parts = getattr(self, width), getattr(self, heads)
            if size % parts or size % 4:
                raise ValueError(
                    f"{width}={size} must be a multiple of {heads}={parts}, to be shared out, and "
                    "of 4, for the sines and cosines of columns and rows"
                )

    @property
    def size(self) -> tuple[int, int]:
        """Height and width of the pictures, in pixels."""
        sides = self.image_size if isinstance(self.image_size, tuple) else (self.image_size,) * 2
        if len(sides) != 2 or not all(type(side) is int for side in sides):
            raise ValueError(f"image_size must be pixels or (height, width), not {sides!r}")
        return sides

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of patches."""
        return grid_of(*self.size, self.patch_size)


def hub_spelling(name: str) -> str:
    """The hub's name of a weight, from any of the three spellings that are about.

    Version 4 of transformers wrote the hub's; version 5 has another one in memory, and saves a
    third, the decoder's layers under a name of their own.
    """
    name = re.sub(r"^(vit\.)?layers\.", r"\1encoder.layer.", name)
    name = name.replace("decoder.decoder_encoder.layer.", "decoder.decoder_layers.")
    name = re.sub(
        r"\.attention\.([qkv])_proj\.",
        lambda found: (
            f".attention.attention.{ {'q': 'query', 'k': 'key', 'v': 'value'}[found[1]] }."
        ),
        name,
    )
    name = name.replace(".attention.o_proj.", ".attention.output.dense.")
    return name.replace(".mlp.fc1.", ".intermediate.dense.").replace(".mlp.fc2.", ".output.dense.")


def block_names(ours: str, theirs: str) -> dict[str, tuple[str, ...]]:
    """The modules of the blocks in `ours`, which the hub calls `theirs`."""
    attention = f"{theirs}.*.attention"
    return {
        f"{ours}.*.attention_norm": (f"{theirs}.*.layernorm_before",),
        f"{ours}.*.attention.qkv": tuple(
            f"{attention}.attention.{part}" for part in ("query", "key", "value")
        ),
        f"{ours}.*.attention.out": (f"{attention}.output.dense",),
        f"{ours}.*.feed_forward_norm": (f"{theirs}.*.layernorm_after",),
        f"{ours}.*.feed_forward.up": (f"{theirs}.*.intermediate.dense",),
        f"{ours}.*.feed_forward.down": (f"{theirs}.*.output.dense",),
    }


HUB = HubFormat(
    model_type="vit_mae",
    prefix="vit.",
    names={
        "encoder": ("vit.embeddings",),  # its cls_token and its table of positions
        "encoder.patch_embedding": ("vit.embeddings.patch_embeddings.projection",),
        **block_names("encoder.blocks", "vit.encoder.layer"),
        "encoder.final_norm": ("vit.layernorm",),
        "decoder": ("decoder",),  # its mask_token and its table of positions
        "decoder.embedding": ("decoder.decoder_embed",),
        **block_names("decoder.blocks", "decoder.decoder_layers"),
        "decoder.final_norm": ("decoder.decoder_norm",),
        "decoder.to_pixels": ("decoder.decoder_pred",),
    },
    heads=("decoder.", "classifier."),
    copies={},
    buffers=frozenset(),
    fixed={
        "hidden_act": ("gelu",),
        "hidden_dropout_prob": (0.0,),
        "attention_probs_dropout_prob": (0.0,),
        "qkv_bias": (True,),
    },
    ignored=frozenset(),
    spelling=hub_spelling,
)
