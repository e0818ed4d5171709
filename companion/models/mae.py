"""MAE: the encoder reads the kept patches alone; mask tokens enter at a small decoder.

Source: He et al. 2021, arXiv 2111.06377, section 3. Numbers agree with `transformers`'
ViTMAEForPreTraining, given the same weights, positions among them.
"""

from typing import NamedTuple, Protocol

import torch
from torch import Tensor, nn

from companion.models.hub import HubModel
from companion.models.mae_config import HUB, MaeConfig
from companion.models.patches import grid_of, patchify
from companion.models.positions import grid_positions, resize_positions
from companion.models.transformer import PreLNBlock, can_look_inside, kind_of


class KeptPatches(Protocol):
    """Which patches of each picture are kept; `companion.masking.PatchMask` is one."""

    @property
    def keep(self) -> Tensor:
        """int64, (batch, kept): the numbers of the kept patches, in the order they are read in."""

    @property
    def restore(self) -> Tensor:
        """int64, (batch, patches): where each patch lies in the row of kept, then hidden ones."""


class MaeOutput(NamedTuple):
    """What `Mae` returns."""

    pred: Tensor  # (batch, patches, p·p·channels), kept ones too, in the order of the picture
    patches: Tensor  # the same shape: the true ones
    latent: Tensor  # (batch, 1 + kept, hidden_size): [CLS], then the kept patches


class MaeEncoder(nn.Module):
    """A ViT over the patches that it is given: hidden ones cost nothing, and tell nothing."""

    def __init__(self, config: MaeConfig) -> None:
        super().__init__()
        width, eps = config.hidden_size, config.layer_norm_eps
        self.grid = config.grid
        self.patch_size = config.patch_size
        self.patch_embedding = nn.Conv2d(  # stride = kernel: no pixel reaches two patches
            config.num_channels, width, kernel_size=config.patch_size, stride=config.patch_size
        )
        self.cls_token = nn.Parameter(torch.zeros(1, 1, width))
        self.position_embeddings: Tensor
        self.register_buffer("position_embeddings", grid_positions(*self.grid, width)[None])
        self.blocks = nn.ModuleList(
            PreLNBlock(
                width,
                config.num_attention_heads,
                config.intermediate_size,
                eps=eps,
                dropout=0.0,
                attention_dropout=0.0,
            )
            for _ in range(config.num_hidden_layers)
        )
        self.final_norm = nn.LayerNorm(width, eps=eps)

    def forward(self, images: Tensor, keep: Tensor | None) -> Tensor:
        """Read the patches `keep`, (batch, kept), or all of them in order.

        `images` are (batch, channels, height, width); the result is (batch, 1 + kept, width).
        """
        x = self.patch_embedding(images)  # (batch, width, rows, columns)
        grid = x.shape[2], x.shape[3]
        x = x.flatten(2).transpose(1, 2)  # (batch, patches, width)
        places = resize_positions(self.position_embeddings, self.grid, grid)
        x = x + places[:, 1:]  # before any is dropped: a patch keeps its place
        if keep is not None:
            x = x.gather(1, keep[:, :, None].expand(-1, -1, x.shape[2]))  # (batch, kept, width)
        cls = (self.cls_token + places[:, :1]).expand(len(x), -1, -1)
        x = torch.cat([cls, x], dim=1)  # (batch, 1 + kept, width)
        for block in self.blocks:
            x = block(x, None)
        normed: Tensor = self.final_norm(x)
        return normed


class MaeDecoder(nn.Module):
    """A few narrow blocks over all places, one mask token wherever nothing was kept."""

    def __init__(self, config: MaeConfig) -> None:
        super().__init__()
        width, eps = config.decoder_hidden_size, config.layer_norm_eps
        self.grid = config.grid
        self.embedding = nn.Linear(config.hidden_size, width)
        self.mask_token = nn.Parameter(torch.zeros(1, 1, width))
        self.decoder_pos_embed: Tensor  # the hub's name
        self.register_buffer("decoder_pos_embed", grid_positions(*self.grid, width)[None])
        self.blocks = nn.ModuleList(
            PreLNBlock(
                width,
                config.decoder_num_attention_heads,
                config.decoder_intermediate_size,
                eps=eps,
                dropout=0.0,
                attention_dropout=0.0,
            )
            for _ in range(config.decoder_num_hidden_layers)
        )
        self.final_norm = nn.LayerNorm(width, eps=eps)
        self.to_pixels = nn.Linear(width, config.patch_size**2 * config.num_channels)

    def forward(self, latent: Tensor, restore: Tensor | None, grid: tuple[int, int]) -> Tensor:
        """Predict every patch from `latent`, (batch, 1 + kept, encoder's width).

        `restore` is (batch, patches), or None where all patches came in order; `grid` is rows and
        columns of the picture. The result is (batch, patches, p·p·channels).
        """
        x = self.embedding(latent)  # (batch, 1 + kept, width)
        cls, x = x[:, :1], x[:, 1:]
        if restore is not None:
            batch, kept, width = x.shape
            blanks = self.mask_token.expand(batch, restore.shape[1] - kept, -1).to(x.dtype)
            x = torch.cat([x, blanks], dim=1)  # (batch, patches, width), kept ones first
            x = x.gather(1, restore[:, :, None].expand(-1, -1, width))  # the picture's order
        x = torch.cat([cls, x], dim=1)  # (batch, 1 + patches, width)
        # The only thing that tells one mask token from another.
        x = x + resize_positions(self.decoder_pos_embed, self.grid, grid)
        for block in self.blocks:
            x = block(x, None)
        pixels: Tensor = self.to_pixels(self.final_norm(x)[:, 1:])  # (batch, patches, p·p·channels)
        return pixels


class Mae(HubModel):
    """Masked autoencoder; 111,655,680 trainable parameters by default (ViT-B/16).

    Positions are fixed, and stored with the weights as the hub does. Fresh matrices are drawn
    from Xavier's uniform distribution, [CLS] and the mask token from N(0, initializer_range).
    """

    config_class = MaeConfig
    hub_format = HUB
    hub_class = "ViTMAEForPreTraining"

    def __init__(self, config: MaeConfig) -> None:
        super().__init__(config)
        self.encoder = MaeEncoder(config)
        self.decoder = MaeDecoder(config)
        for module in self.modules():
            if isinstance(module, nn.Linear | nn.Conv2d):
                nn.init.xavier_uniform_(module.weight.flatten(1))  # a patch is one row of numbers
                assert module.bias is not None
                nn.init.zeros_(module.bias)
        for token in (self.encoder.cls_token, self.decoder.mask_token):
            nn.init.normal_(token, std=config.initializer_range)

    def forward(self, images: Tensor, mask: KeptPatches | None = None) -> MaeOutput:
        """Predict all patches from the kept ones.

        Args:
            images: (batch, channels, height, width), float. Sides other than the config's are
                fine, as long as patches fill them: positions are interpolated in two dimensions.
            mask: which patches are kept, for example from `companion.masking.mask_patches`;
                None: all of them.

        Raises:
            ValueError: pictures of another type or number of channels, sides that patches do not
                fill, a mask for another batch or another number of patches.
        """
        grid = self.check_images(images)
        if mask is not None:
            check_mask(mask, len(images), grid[0] * grid[1])
        latent = self.encoder(images, None if mask is None else mask.keep)
        pred = self.decoder(latent, None if mask is None else mask.restore, grid)
        return MaeOutput(pred, patchify(images, self.config.patch_size), latent)

    def encode(self, images: Tensor) -> Tensor:
        """Vectors for downstream use: (batch, 1 + patches, hidden_size), [CLS] first.

        Nothing is hidden and nothing is drawn; patches stand in the order of the picture.
        """
        self.check_images(images)
        latent: Tensor = self.encoder(images, None)
        return latent

    def check_images(self, images: Tensor) -> tuple[int, int]:
        """Rows and columns of patches; a ValueError about pictures that the model cannot read."""
        channels = self.config.num_channels
        if not isinstance(images, Tensor) or not images.is_floating_point():
            raise ValueError(
                f"images must be a float tensor with values from 0 to 1, not {kind_of(images)}; "
                "whole numbers up to 255 are to be divided by 255"
            )
        if images.ndim != 4 or images.shape[1] != channels:
            raise ValueError(
                f"images have shape {tuple(images.shape)}; this model reads "
                f"(batch, {channels}, height, width)"
            )
        return grid_of(images.shape[2], images.shape[3], self.config.patch_size)


def check_mask(mask: KeptPatches, batch: int, patches: int) -> None:
    """Refuse a mask that was made for other pictures, or whose two halves do not agree.

    Raises:
        ValueError: wrong shapes or types; on the CPU also `restore` that is no permutation, or that
            does not put the kept patches first.
    """
    keep, restore = mask.keep, mask.restore
    for name, numbers in (("keep", keep), ("restore", restore)):
        if not isinstance(numbers, Tensor) or numbers.dtype != torch.int64:
            raise ValueError(f"mask.{name} must be an int64 tensor, not {kind_of(numbers)}")
    kept = keep.shape[1] if keep.ndim == 2 else 0
    if keep.shape != (batch, kept) or not 1 <= kept <= patches:
        raise ValueError(
            f"mask.keep has shape {tuple(keep.shape)}; {batch} pictures of {patches} patches need "
            f"({batch}, kept) with 1 to {patches} kept"
        )
    if restore.shape != (batch, patches):
        raise ValueError(
            f"mask.restore has shape {tuple(restore.shape)}; {batch} pictures of {patches} "
            f"patches need {(batch, patches)}"
        )
    if not can_look_inside(keep):
        return
    order = torch.arange(patches, device=restore.device)
    if not torch.equal(restore.sort(dim=1).values, order.expand(batch, -1)):
        raise ValueError("mask.restore must hold each of 0 to patches - 1 once in every row")
    low, high = (int(value) for value in keep.aminmax()) if keep.numel() else (0, 0)
    if low < 0 or high >= patches:
        raise ValueError(
            f"mask.keep holds {low if low < 0 else high}, but patches are 0 to {patches - 1}"
        )
    if not torch.equal(restore.gather(1, keep), order[:kept].expand(batch, -1)):
        raise ValueError(
            "mask.keep and mask.restore belong to two different masks: restore must send the "
            "kept patches, in the order of keep, to the first places"
        )
