"""A score as a function of one number: a parameter such as k or kappa, or the share of the training rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbframework.report.figures.chart import Chart, digits
from nbframework.report.figures.style import INK_2, MARKERS, SERIES, draw_log_axis, label, margin, new_figure, spread
from nbframework.report.formats import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GROWING = 4.0
"""Ratio of the last step between values to the first one from which on the axis is logarithmic."""
MEAN = "mean"
NAMED = 16
"""Lines that are named beside their ends; of more the mean only."""
_HEIGHT = 3.0
_MARKED = 25
"""Up to so many values each has its marker."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Curves(Chart):
    """A score for each value of a number, one line for each data set or method.

    Parameters
    ----------
    x_title
        What varies, such as ``neighbourhood.k``.
    y_title
        The score.
    values
        (v,) numbers, ascending.
    lines
        Names with their (v,) scores, None where one is undefined.
    in_percent
        Whether scores are shares, shown in percent.
    with_mean
        Whether the mean of all lines is drawn; it has a value where all have.
    """

    x_title: str
    y_title: str
    values: tuple[float, ...]
    lines: tuple[tuple[str, tuple[float | None, ...]], ...]
    in_percent: bool = True
    with_mean: bool = True

    @property
    def description(self) -> str:
        """What is to be seen."""
        text = f"{self.y_title} by {self.x_title}, "
        text += f"{len(self.lines)} lines" if len(self.lines) > 1 else self.lines[0][0]
        return text + (" and their mean." if self._has_mean else ".")

    @property
    def mean(self) -> tuple[float | None, ...]:
        """The mean of all lines at each value, None where one is undefined."""
        columns = zip(*[scores for _, scores in self.lines], strict=True)
        return tuple(_mean(column) for column in columns)

    @property
    def _has_mean(self) -> bool:
        return self.with_mean and len(self.lines) > 1

    def numbers(self) -> Table:
        """Return a line for each value."""
        shown = [*self.lines, *([(MEAN, self.mean)] if self._has_mean else [])]
        rows = [
            (digits(value), *[digits(scores[place]) for _, scores in shown]) for place, value in enumerate(self.values)
        ]
        return Table(self.title, (self.x_title, *[name for name, _ in shown]), tuple(rows))

    def draw(self) -> "Figure":
        """Return the figure."""
        many = len(self.lines) > len(SERIES)
        named = [name for name, _ in self.lines] if 1 < len(self.lines) <= NAMED else []
        named += [MEAN] if self._has_mean else []
        right = margin(named) + 0.25 if named else 0.2
        figure = new_figure(_HEIGHT, left=0.65, right=right, top=0.3 if many else 0.15, bottom=0.5)
        axes = figure.subplots()
        ends: list[tuple[str, float, float, str]] = []
        for number, (name, scores) in enumerate(self.lines):
            colour = INK_2 if many else SERIES[number]
            look = {"linewidth": 0.8, "alpha": 0.55} if many else {"marker": self._marker(number)}
            ends += self._draw(axes, name, scores, colour, **look)
        if self._has_mean:
            shown = self._draw(axes, MEAN, self.mean, SERIES[0] if many else INK_2, linewidth=3.0, zorder=4)
            ends = [*ends, *shown]
        self._finish(axes)
        if len(self.lines) > 1:
            self._draw_names(axes, [end for end in ends if end[0] in named])
        return figure

    def _marker(self, number: int) -> str:
        return MARKERS[number] if len(self.values) <= _MARKED else ""

    def _draw(
        self, axes: "Axes", name: str, scores: Sequence[float | None], colour: str, **look: object
    ) -> list[tuple[str, float, float, str]]:
        """Draw one line; return its name, its last point and its colour where it has one."""
        factor = 100.0 if self.in_percent else 1.0
        points = [float("nan") if score is None else factor * score for score in scores]
        axes.plot(self.values, points, color=colour, **look)  # type: ignore[arg-type]  # any style
        known = [(value, point) for value, point in zip(self.values, points, strict=True) if point == point]
        return [(name, *known[-1], colour)] if known else []

    def _finish(self, axes: "Axes") -> None:
        if self._is_growing:
            draw_log_axis(axes)
        if len(self.values) <= 8:
            axes.set_xticks(self.values, [f"{value:g}" for value in self.values])
            axes.set_xticks([], minor=True)
        axes.set_xlabel(self.x_title)
        axes.set_ylabel(self.y_title)
        axes.grid(axis="y")
        if len(self.lines) > NAMED:
            axes.set_title(f"thin: each of {len(self.lines)}", fontsize=9, loc="right", color=INK_2)

    @property
    def _is_growing(self) -> bool:
        values = self.values
        if len(values) < 3 or values[0] <= 0:
            return False
        return values[-1] - values[-2] >= GROWING * (values[1] - values[0])

    def _draw_names(self, axes: "Axes", ends: Sequence[tuple[str, float, float, str]]) -> None:
        """Write the name of each line beside its end, apart from each other."""
        low, high = axes.get_ylim()
        places = spread([point for _, _, point, _ in ends], 0.058 * (high - low))
        right = max(self.values)
        for (name, x, y, colour), place in zip(ends, places, strict=True):
            axes.annotate(
                label(name),
                xy=(x, y),
                xytext=(1.045, place),
                textcoords=axes.get_yaxis_transform(),
                va="center",
                color=colour,
                fontweight="bold" if name == MEAN else "normal",
                annotation_clip=False,
                arrowprops={
                    "arrowstyle": "-",
                    "color": colour,
                    "linewidth": 0.6,
                    "shrinkA": 1,
                    "shrinkB": 3,
                    "relpos": (0, 0.5),
                },
            )
        if axes.get_xscale() == "linear":
            axes.set_xlim(right=right + 0.02 * (right - min(self.values)))


def _mean(scores: Sequence[float | None]) -> float | None:
    known = [score for score in scores if score is not None]
    return sum(known) / len(known) if len(known) == len(scores) else None
