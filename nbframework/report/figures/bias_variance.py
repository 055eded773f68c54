"""Bias and variance as stacked bars."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nbframework.evaluation.scores import FloatArray
from nbframework.report.figures.chart import Chart, digits
from nbframework.report.figures.style import (
    INK_2,
    LEGEND,
    PAPER,
    SERIES,
    draw_legend,
    draw_ratio_axis,
    draw_ratios,
    label,
    margin,
    new_figure,
)
from nbframework.report.formats import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_METHODS = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class BiasVarianceStacks(Chart):
    """Each error parted into bias and variance, and the ratios of the errors.

    Source: Kohavi, Becker & Sommerfield (1997), Figure 3.

    Parameters
    ----------
    datasets, methods
        Names; at most `MOST_METHODS` methods. Ratios are those to the first method.
    error, bias, variance
        (d, m) shares of rows, NaN where there is none.
    """

    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    error: FloatArray
    bias: FloatArray
    variance: FloatArray

    @property
    def description(self) -> str:
        """What is to be seen."""
        text = "Left: bias (filled) and variance (hatched) of the error, in percent of the rows."
        if len(self.methods) > 1:
            text += f" Right: error divided by that of {self.methods[0]}, to the left of 1 is better."
        return text

    def ratio(self, dataset: int, method: int) -> float | None:
        """Return the error divided by that of the first method, None where one is missing or that is 0."""
        mine, first = float(self.error[dataset, method]), float(self.error[dataset, 0])
        return None if np.isnan(mine) or np.isnan(first) or first <= 1e-12 else mine / first

    def numbers(self) -> Table:
        """Return a line for each data set and method."""
        rows = []
        for i, dataset in enumerate(self.datasets):
            for j, method in enumerate(self.methods):
                found = [float(part[i, j]) for part in (self.error, self.bias, self.variance)]
                values = [None if np.isnan(value) else value for value in found]
                rows.append((dataset, method, *[digits(value) for value in (*values, self.ratio(i, j))]))
        ratio = f"error / error of {self.methods[0]}"
        return Table(self.title, ("data set", "method", "error", "bias", "variance", ratio), tuple(rows))

    def draw(self) -> "Figure":
        """Return the figure."""
        count = len(self.methods)
        left = margin(self.datasets)
        height = len(self.datasets) * max(0.27, 0.15 * count + 0.09)
        figure = new_figure(height, left=left, right=0.2, top=0.1, bottom=0.52 + LEGEND)
        if count > 1:
            bars, ratios = figure.subplots(1, 2, sharey=True, width_ratios=(2.2, 1), gridspec_kw={"wspace": 0.12})
            self._draw_ratios(ratios)
        else:
            bars = figure.subplots()
        self._draw_bars(bars)
        draw_legend(figure, self._legend(), [*self.methods, "bias", "variance"], left)
        return figure

    def _places(self, method: int) -> FloatArray:
        count = len(self.methods)
        return np.arange(len(self.datasets), dtype=np.float64) + (method - (count - 1) / 2) * self._thick

    @property
    def _thick(self) -> float:
        return min(0.62, 0.84 / len(self.methods))

    def _draw_bars(self, axes: "Axes") -> None:
        for j in range(len(self.methods)):
            y, height = self._places(j), self._thick * 0.84
            bias, variance = 100 * self.bias[:, j], 100 * self.variance[:, j]
            axes.barh(y, bias, height=height, color=SERIES[j], edgecolor=SERIES[j])
            axes.barh(
                y, variance, left=bias, height=height, facecolor=PAPER, edgecolor=SERIES[j], hatch="//////", zorder=2
            )
        axes.set_ylim(len(self.datasets) - 0.4, -0.6)
        axes.set_yticks(np.arange(len(self.datasets)), [label(name) for name in self.datasets])
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel("bias and variance (%)")
        axes.grid(axis="x")

    def _draw_ratios(self, axes: "Axes") -> None:
        indices = range(len(self.datasets))
        draw_ratio_axis(axes, [self.ratio(i, j) for i in indices for j in range(1, len(self.methods))], 5)
        for j in range(1, len(self.methods)):
            y = [float(place) for place in self._places(j)]
            draw_ratios(axes, y, [self.ratio(i, j) for i in indices], j)
        axes.axvline(1, color=INK_2, linewidth=1)
        axes.set_xlabel(f"error / error of {label(self.methods[0])}")
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0, labelleft=False)
        axes.spines["left"].set_visible(False)

    def _legend(self) -> list[object]:
        from matplotlib.patches import Patch

        methods: list[object] = [Patch(color=SERIES[j]) for j in range(len(self.methods))]
        filled = Patch(facecolor=INK_2, edgecolor=INK_2)
        return [*methods, filled, Patch(facecolor=PAPER, edgecolor=INK_2, hatch="//////")]
