"""The loss lab: three choices, and the number that comes out of one model's surprises."""

from typing import Any, NamedTuple, get_args

from companion.evaluation.losses_of import Average, Positions, Surprises, Unit, loss_of
from companion.show.amounts import amount_bars
from companion.show.figures import figure_html
from companion.show.labels import label
from companion.show.widgets import board, status_line


class LossState(NamedTuple):
    """What the learner has set in the loss lab."""

    positions: Positions = "selected"
    average: Average = "over_them"
    unit: Unit = "nats"


def render_loss(state: LossState, found: Surprises) -> str:
    """The number beside that of the usual choices, and a line that says both: HTML."""
    value, usual = loss_of(found, *state), loss_of(found)
    words = label("loss_line").format(
        positions=label(f"at_{state.positions}"),
        average=label(state.average),
        value=value,
        unit=label(state.unit),
        usual=usual,
    )
    bars = {label("your_choice"): value, label("usual_choice"): usual}
    figure = amount_bars({"": bars}, xlabel="", width=6.4)
    return figure_html(figure, alt=words) + status_line(words)


def loss_playground(found: Surprises) -> Any:
    """Choose positions, average and unit."""
    import ipywidgets as W

    wide = {"description_width": "110px"}

    def choice(name: str, kind: Any, prefix: str = "") -> Any:
        options = [(label(prefix + one), one) for one in get_args(kind)]
        return W.Dropdown(options=options, description=label(name), style=wide)

    choices = [
        choice("positions", Positions, "at_"),
        choice("average", Average),
        choice("unit_of_loss", Unit),
    ]
    shown = W.HTML()

    def redraw(_change: object = None) -> None:
        shown.value = render_loss(LossState(*(one.value for one in choices)), found)

    for one in choices:
        one.observe(redraw, "value")
    redraw()
    return board(choices, shown)
