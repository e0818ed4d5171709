"""Pictures of the course: one visual language for text and images, with alternative text."""

from companion.show.amounts import amount_bars
from companion.show.attention import (
    AttentionState,
    attention_plane,
    attention_playground,
    plane_in_words,
)
from companion.show.diagrams import block_diagrams
from companion.show.duel import Riddle, duel
from companion.show.figures import figure_html, show
from companion.show.film import film_player, film_strip
from companion.show.labels import label
from companion.show.loss_board import LossState, loss_playground, render_loss
from companion.show.matrices import matrices
from companion.show.neighbours import neighbour_playground
from companion.show.pairs import pair_playground
from companion.show.patterns import PatternState, pattern_picture, pattern_playground
from companion.show.picture_board import PictureState, picture_playground, render_pictures
from companion.show.pictures import PictureRow, numbered_picture, picture_rows
from companion.show.playgrounds import mask_playground
from companion.show.plots import bars_in_words, curves, histograms, share_bars
from companion.show.stages import draw_stages
from companion.show.strips import TokenRow, masked_rows, selected_row, states_of, token_strips

__all__ = [
    "AttentionState",
    "LossState",
    "PatternState",
    "PictureRow",
    "PictureState",
    "Riddle",
    "TokenRow",
    "amount_bars",
    "attention_plane",
    "attention_playground",
    "bars_in_words",
    "block_diagrams",
    "curves",
    "draw_stages",
    "duel",
    "figure_html",
    "film_player",
    "film_strip",
    "histograms",
    "label",
    "loss_playground",
    "mask_playground",
    "masked_rows",
    "matrices",
    "neighbour_playground",
    "numbered_picture",
    "pair_playground",
    "pattern_picture",
    "pattern_playground",
    "picture_playground",
    "picture_rows",
    "plane_in_words",
    "render_loss",
    "render_pictures",
    "selected_row",
    "share_bars",
    "show",
    "states_of",
    "token_strips",
]
