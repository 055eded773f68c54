"""The critical-difference diagram: average ranks, and which of them do not differ by Nemenyi's test."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbframework.report.figures.chart import Chart, digits
from nbframework.report.figures.style import INK, INK_2, SERIES, label, margin, new_figure
from nbframework.report.formats import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_STEP = 0.2
"""Inches from one name to the next."""
_GROUP_STEP = 0.11
"""Inches from one line of a group to the next."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CriticalDifferences(Chart):
    """Methods on an axis of ranks; a bar joins those whose ranks differ by less than the critical difference.

    Source: Demsar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7, Figure 1.

    Parameters
    ----------
    methods
        Names.
    ranks
        Average rank of each, 1 is best.
    critical_difference
        From which difference on two ranks differ.
    alpha
        The level of it.
    datasets
        Number of data sets.
    """

    methods: tuple[str, ...]
    ranks: tuple[float, ...]
    critical_difference: float
    alpha: float
    datasets: int

    @property
    def description(self) -> str:
        """What is to be seen."""
        return (
            f"Average ranks over {self.datasets} data sets, 1 is best. A bar joins methods that do not differ by "
            f"Nemenyi's test at {self.alpha:g}: ranks have to be {self.critical_difference:.3f} apart."
        )

    @property
    def order(self) -> list[int]:
        """The methods from the best rank to the worst."""
        return sorted(range(len(self.ranks)), key=lambda index: self.ranks[index])

    def groups(self) -> list[tuple[int, int]]:
        """Return first and last place in `order` of each largest group that does not differ within itself."""
        ranks = [self.ranks[index] for index in self.order]
        found: list[tuple[int, int]] = []
        for first in range(len(ranks)):
            # equal to rounding is not less
            last = max(i for i in range(first, len(ranks)) if ranks[i] - ranks[first] < self.critical_difference - 1e-9)
            if last > first and (not found or last > found[-1][1]):
                found.append((first, last))
        return found

    def numbers(self) -> Table:
        """Return a line for each method, the best first, with the numbers of the groups that it is in."""
        groups = self.groups()
        rows = []
        for place, index in enumerate(self.order):
            mine = [str(number) for number, (first, last) in enumerate(groups, start=1) if first <= place <= last]
            cells = (self.methods[index], digits(self.ranks[index]), " ".join(mine), digits(self.critical_difference))
            rows.append(cells)
        return Table(self.title, ("method", "average rank", "groups", "critical difference"), tuple(rows))

    def draw(self) -> "Figure":
        """Return the figure; its vertical axis is in inches, downwards from the axis of ranks."""
        count = len(self.methods)
        lanes = lanes_of(self.groups())
        below = 0.16 + _GROUP_STEP * (max(lanes, default=-1) + 1)
        half = (count + 1) // 2
        height = below + _STEP * half + 0.12
        side = margin(self.methods) + 0.45
        figure = new_figure(height + 0.62, left=side, right=side, top=0.08, bottom=0.05)
        axes = figure.subplots()
        axes.set_xlim(1 - 0.02 * (count - 1), count + 0.02 * (count - 1))
        axes.set_ylim(height, -0.62)
        axes.axis("off")
        self._draw_axis(axes)
        for number, (first, last) in enumerate(self.groups()):
            y = 0.14 + _GROUP_STEP * lanes[number]
            ends = [self.ranks[self.order[place]] for place in (first, last)]
            pad = 0.012 * (count - 1)
            axes.plot([ends[0] - pad, ends[1] + pad], [y, y], color=SERIES[1], linewidth=3.6, solid_capstyle="round")
        for place in range(count):
            left = place < half
            row = place if left else count - 1 - place
            self._draw_method(axes, place, below + _STEP * (row + 0.5), left)
        return figure

    def _draw_axis(self, axes: "Axes") -> None:
        count = len(self.methods)
        axes.plot([1, count], [0, 0], color=INK, linewidth=1.2)
        step = max(1, round(count / 10))
        for rank in range(1, count + 1):
            labelled = (rank - 1) % step == 0
            axes.plot([rank, rank], [0, -0.07 if labelled else -0.04], color=INK, linewidth=1)
            if labelled:
                axes.text(rank, -0.1, str(rank), ha="center", va="bottom")
        width = min(self.critical_difference, count - 1)
        axes.plot([1, 1 + width], [-0.38, -0.38], color=INK_2, linewidth=1.4, marker="|", markersize=7)
        text = f"critical difference {self.critical_difference:.2f}"
        axes.text(1, -0.45, text, ha="left", va="bottom", color=INK_2)

    def _draw_method(self, axes: "Axes", place: int, y: float, left: bool) -> None:
        index = self.order[place]
        rank = self.ranks[index]
        edge = axes.get_xlim()[0 if left else 1]
        axes.plot([rank, rank, edge], [0, y, y], color=INK_2, linewidth=0.9)
        axes.plot([rank], [0], marker="o", color=SERIES[0], markersize=4.5, zorder=3)
        name, number = label(self.methods[index]), f"{rank:.2f}"
        axes.annotate(
            f"{name}  {number}" if left else f"{number}  {name}",
            xy=(edge, y),
            xytext=(-4 if left else 4, 0),
            textcoords="offset points",
            ha="right" if left else "left",
            va="center",
            annotation_clip=False,
        )


def lanes_of(groups: Sequence[tuple[int, int]]) -> list[int]:
    """Return the line on which each group is drawn, the uppermost on which it overlaps no other one."""
    ends: list[int] = []
    found = []
    for first, last in groups:
        lane = next((i for i, end in enumerate(ends) if end < first), len(ends))
        ends[lane : lane + 1] = [last]
        found.append(lane)
    return found
