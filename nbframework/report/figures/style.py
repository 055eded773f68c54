"""How figures look: colours that the colour-blind tell apart, markers, sizes, and axes shared by several figures."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, INK_2, LINE, PAPER = "#1b222c", "#485464", "#dde2e9", "#ffffff"
SERIES = ("#0072b2", "#d55e00", "#009e73", "#b5558d", "#b37a00", "#3f8fbf", "#5b6472")
"""Okabe & Ito's colours, the pale ones darkened to stand out from paper; never the only difference of two things."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
WIDTH = 7.2
"""Inches of a figure."""
LEGEND = 0.3
"""Inches of a legend below the axes."""
LONGEST = 26
"""Characters of a name in a figure; its numbers have it in full."""
SETTINGS: Mapping[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "nbframework",
    "font.family": ["DejaVu Sans"],
    "font.size": 9.0,
    # a dollar in a name is a dollar
    "text.parse_math": False,
    "text.usetex": False,
    "text.color": INK,
    "axes.edgecolor": INK_2,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.unicode_minus": True,
    "xtick.color": INK_2,
    "ytick.color": INK_2,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": LINE,
    "grid.linewidth": 0.8,
    "hatch.linewidth": 0.9,
    "lines.linewidth": 1.8,
    "lines.markersize": 5.5,
    "legend.frameon": False,
    "legend.fontsize": 9.0,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "patch.linewidth": 0.8,
}
"""Everything that a user's own matplotlib settings could change is set here or reset before."""


def label(name: str) -> str:
    """Return a name as figures show it: of bounded length, without characters that no file may hold."""
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name)
    if len(shown) > LONGEST:
        shown = shown[: LONGEST - 1] + "\N{HORIZONTAL ELLIPSIS}"
    # matplotlib leaves labels that begin with an underscore out of legends
    return "\N{ZERO WIDTH SPACE}" + shown if shown.startswith("_") else shown


def new_figure(
    height: float, *, left: float, right: float, top: float, bottom: float, width: float = WIDTH
) -> "Figure":
    """Return an empty figure whose axes are so many inches high, with margins of so many inches around them."""
    from matplotlib.figure import Figure

    total = height + top + bottom
    figure = Figure(figsize=(width, total))
    figure.subplots_adjust(left / width, bottom / total, 1 - right / width, 1 - top / total)
    return figure


def margin(names: Iterable[str]) -> float:
    """Return the inches that the longest of some names takes, with a little space."""
    from matplotlib.textpath import TextPath

    size = SETTINGS["font.size"]
    return 0.2 + max((TextPath((0, 0), label(name), size=size).get_extents().width for name in names), default=0.0) / 72


def draw_legend(figure: "Figure", handles: Sequence[Any], names: Sequence[str], left: float) -> None:
    """Draw a legend in the lowest `LEGEND` inches of a figure, from so many inches on."""
    from matplotlib.legend_handler import HandlerTuple

    width, height = figure.get_size_inches()
    figure.legend(
        handles,
        [label(name) for name in names],
        loc="lower left",
        bbox_to_anchor=(left / width, 0.04 / height),
        ncols=len(handles),
        borderpad=0,
        borderaxespad=0,
        # symbols lie on their bars
        handler_map={tuple: HandlerTuple(ndivide=1)},
    )


def draw_ratio_axis(axes: "Axes", ratios: Sequence[float | None], most_ticks: int = 9) -> None:
    """Make the horizontal axis one of ratios: logarithmic, 1 in the middle, all ratios inside, few round ticks."""
    logs = [abs(math.log2(ratio)) for ratio in ratios if ratio]
    most = max([0.3, *logs]) * 1.12
    axes.set_xscale("log", base=2)
    axes.set_xlim(2.0**-most, 2.0**most)
    inside: list[float] = [1.0]
    for choice in _ticks(most):
        inside = [tick for tick in choice if abs(math.log2(tick)) <= most]
        if len(inside) <= most_ticks:
            break
    axes.set_xticks(inside, [f"{tick:.3g}" for tick in inside])
    axes.set_xticks([], minor=True)


def _ticks(most: float) -> Iterator[list[float]]:
    """Yield round ratios, fewer and fewer, for an axis from 2^-most to 2^most."""
    if most < 0.6:
        yield [0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.4]
        yield [0.8, 1.0, 1.25]
    if most < 1.3:
        yield [0.4, 0.5, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 2.5]
    step = 1
    while True:
        powers = math.floor(most / step)
        yield [2.0 ** (step * k) for k in range(-powers, powers + 1)]
        step += 1


def draw_ratios(axes: "Axes", places: Sequence[float], ratios: Sequence[float | None], number: int) -> None:
    """Draw the symbols of one method's ratios; a ratio of 0 lies at the edge, one that is undefined nowhere."""
    edge = axes.get_xlim()[0]
    known = [(place, ratio) for place, ratio in zip(places, ratios, strict=True) if ratio]
    look: dict[str, Any] = {"linestyle": "none", "markeredgewidth": 1.5, "clip_on": False, "zorder": 4}
    look |= {"color": SERIES[number], "markerfacecolor": PAPER}
    axes.plot([ratio for _, ratio in known], [place for place, _ in known], marker=MARKERS[number], **look)
    zeros = [place for place, ratio in zip(places, ratios, strict=True) if ratio == 0]
    axes.plot([edge] * len(zeros), zeros, marker="<", **look)


def draw_log_axis(axes: "Axes") -> None:
    """Make the horizontal axis logarithmic with plain numbers, enough of them where it spans few powers of ten."""
    from matplotlib.ticker import LogLocator, NullFormatter

    axes.set_xscale("log")
    low, high = axes.get_xlim()
    steps = (1.0,) if high > 300 * low else (1.0, 2.0, 5.0)
    axes.xaxis.set_major_locator(LogLocator(subs=steps))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.xaxis.set_minor_formatter(NullFormatter())


def spread(wanted: Sequence[float], gap: float) -> list[float]:
    """Return places as near to the wanted ones as a least gap between them allows, in the same order.

    The sum of squared moves is the smallest possible: overlapping places merge into blocks about their mean.
    """
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    blocks: list[list[float]] = []
    for rank, index in enumerate(order):
        # without the gaps the order is all that has to be kept
        blocks.append([wanted[index] - rank * gap, 1.0])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (mean, size), (other, more) = blocks[-2], blocks[-1]
            blocks[-2:] = [[(mean * size + other * more) / (size + more), size + more]]
    places = [0.0] * len(wanted)
    rank = 0
    for mean, size in blocks:
        for _ in range(int(size)):
            places[order[rank]] = mean + rank * gap
            rank += 1
    return places
