"""The reliability diagram: how often predictions made with a certain confidence are right."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nbframework.evaluation.reliability import Reliability
from nbframework.report.figures.chart import Chart, digits
from nbframework.report.figures.style import INK_2, MARKERS, PAPER, SERIES, label, margin, new_figure
from nbframework.report.formats import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_METHODS = 6
RARE = 0.01
"""Share of the predictions below which a point says little."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ReliabilityDiagram(Chart):
    """Accuracy by confidence, and how many predictions each confidence has.

    Source: DeGroot & Fienberg (1983), The comparison and evaluation of forecasters, The Statistician 32, 12-22.

    Parameters
    ----------
    methods
        Names with their bins; at most `MOST_METHODS`.
    """

    methods: tuple[tuple[str, Reliability], ...]

    @property
    def description(self) -> str:
        """What is to be seen."""
        return (
            "Above: the share of right predictions by the posterior of the predicted class; on the diagonal confidence "
            "is deserved, below it is too high; hollow points are of less than 1 % of the predictions. Below: the "
            "share of predictions with each confidence. In brackets: the expected calibration error."
        )

    def numbers(self) -> Table:
        """Return a line for each method and bin."""
        rows = []
        for name, found in self.methods:
            for b in found.bins:
                values = [b.low, b.high, b.weight, b.confidence, b.accuracy]
                rows.append((name, *[digits(value) for value in values], digits(found.expected_calibration_error)))
        header = ("method", "from", "to", "predictions", "mean confidence", "accuracy", "expected calibration error")
        return Table(self.title, header, tuple(rows))

    def draw(self) -> "Figure":
        """Return the figure."""
        right = margin(f"{name} (99.9 %)" for name, _ in self.methods) + 0.65
        figure = new_figure(4.8, left=0.65, right=right, top=0.15, bottom=0.5)
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3.2, 1), gridspec_kw={"hspace": 0.08})
        upper.plot([0, 100], [0, 100], color=INK_2, linewidth=1, linestyle=(0, (4, 3)))
        for number, (name, found) in enumerate(self.methods):
            self._draw(upper, lower, number, name, found)
        upper.set_xlim(0, 100)
        upper.set_ylim(0, 101)
        upper.set_ylabel("right predictions (%)")
        upper.grid(axis="both")
        upper.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02))
        lower.set_ylim(bottom=0)
        lower.set_ylabel("predictions (%)")
        lower.set_xlabel("confidence: posterior of the predicted class (%)")
        lower.grid(axis="y")
        return figure

    def _draw(self, upper: "Axes", lower: "Axes", number: int, name: str, found: Reliability) -> None:
        used = [b for b in found.bins if b.weight]
        shown = f"{label(name)} ({100 * (found.expected_calibration_error or 0.0):.1f} %)"
        upper.plot(
            [100 * (b.confidence or 0.0) for b in used],
            [100 * (b.accuracy or 0.0) for b in used],
            color=SERIES[number],
            marker=MARKERS[number],
            label=shown,
            clip_on=False,
        )
        rare = [b for b in used if b.weight < RARE * found.weight]
        upper.plot(
            [100 * (b.confidence or 0.0) for b in rare],
            [100 * (b.accuracy or 0.0) for b in rare],
            color=SERIES[number],
            marker=MARKERS[number],
            markerfacecolor=PAPER,
            linestyle="none",
            clip_on=False,
        )
        total = found.weight or 1.0
        edges = [100 * b.low for b in found.bins] + [100.0]
        heights = [100 * b.weight / total for b in found.bins]
        lower.stairs(heights, edges, color=SERIES[number], linewidth=1.6, baseline=None)
