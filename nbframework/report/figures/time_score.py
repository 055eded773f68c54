"""Time against accuracy: what a better score costs."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbframework.report.figures.chart import Chart, digits
from nbframework.report.figures.style import INK_2, SERIES, draw_log_axis, label, margin, new_figure, spread
from nbframework.report.formats import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NAME = 0.19
"""Inches from one name to the next."""


@dataclass(frozen=True, eq=False, kw_only=True)
class TimeAgainstScore(Chart):
    """A point for each method: processor seconds of a fold, and the mean score.

    Parameters
    ----------
    methods
        Names.
    seconds
        Mean processor seconds of a fold, more than 0.
    scores
        Mean scores.
    y_title
        The score.
    higher_is_better
        Whether the larger of two scores is the better one.
    in_percent
        Whether scores are shares, shown in percent.
    datasets
        Number of data sets that the means are over.
    """

    methods: tuple[str, ...]
    seconds: tuple[float, ...]
    scores: tuple[float, ...]
    y_title: str
    higher_is_better: bool
    in_percent: bool
    datasets: int

    @property
    def description(self) -> str:
        """What is to be seen."""
        sets = f"{self.datasets} data sets" if self.datasets > 1 else "1 data set"
        return (
            f"Means over {sets}; time on a logarithmic axis. Filled points, joined by a line: no other method is both "
            "faster and better."
        )

    @property
    def front(self) -> tuple[bool, ...]:
        """Whether each method is beaten by none in both time and score."""
        sign = 1.0 if self.higher_is_better else -1.0
        points = [(seconds, -sign * score) for seconds, score in zip(self.seconds, self.scores, strict=True)]
        return tuple(
            not any(t <= time and s <= score and (t, s) != (time, score) for t, s in points) for time, score in points
        )

    def numbers(self) -> Table:
        """Return a line for each method."""
        columns = zip(self.methods, self.seconds, self.scores, self.front, strict=True)
        rows = [(name, digits(s), digits(y), "yes" if best else "no") for name, s, y, best in columns]
        return Table(self.title, ("method", "processor seconds of a fold", self.y_title, "not beaten"), tuple(rows))

    def draw(self) -> "Figure":
        """Return the figure."""
        inner = max(2.9, _NAME * (len(self.methods) + 1))
        figure = new_figure(inner, left=0.65, right=margin(self.methods) + 0.35, top=0.15, bottom=0.5)
        axes = figure.subplots()
        factor = 100.0 if self.in_percent else 1.0
        heights = [factor * score for score in self.scores]
        front = self.front
        best = sorted((s, y) for s, y, on in zip(self.seconds, heights, front, strict=True) if on)
        axes.plot([s for s, _ in best], [y for _, y in best], color=SERIES[0], linewidth=1.2, zorder=2)
        for seconds, height, on in zip(self.seconds, heights, front, strict=True):
            face = SERIES[0] if on else "none"
            axes.plot([seconds], [height], marker="o", markersize=6.5, color=SERIES[0], markerfacecolor=face, zorder=3)
        draw_log_axis(axes)
        axes.set_xlabel("processor seconds of a fold")
        axes.set_ylabel(self.y_title)
        axes.margins(x=0.06, y=0.08)
        axes.grid(axis="both")
        low, high = axes.get_ylim()
        gap = (high - low) * _NAME / inner
        for name, x, y, place, on in zip(self.methods, self.seconds, heights, spread(heights, gap), front, strict=True):
            axes.annotate(
                label(name),
                xy=(x, y),
                xytext=(1.03, place),
                textcoords=axes.get_yaxis_transform(),
                va="center",
                fontweight="bold" if on else "normal",
                annotation_clip=False,
                arrowprops={
                    "arrowstyle": "-",
                    "color": INK_2,
                    "linewidth": 0.5,
                    "shrinkA": 1,
                    "shrinkB": 4,
                    "relpos": (0, 0.5),
                },
            )
        return figure
