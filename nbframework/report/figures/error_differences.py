"""Error-difference bars with the ratios as symbols on a second axis."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nbframework.evaluation.scores import FloatArray
from nbframework.report.figures.chart import Chart, digits
from nbframework.report.figures.style import (
    INK_2,
    LEGEND,
    MARKERS,
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
    from matplotlib.figure import Figure

MOST_METHODS = 3
"""Bars of one data set that a reader still tells apart."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ErrorDifferences(Chart):
    """Errors of methods against those of a baseline: differences as bars, ratios as symbols.

    Source: Kohavi, Becker & Sommerfield (1997), Figures 1 and 2.

    Parameters
    ----------
    datasets, methods
        Names; at most `MOST_METHODS` methods.
    baseline
        Name of the method that they are compared with.
    errors
        (d, m) errors, shares of rows, NaN where there is none.
    baseline_errors
        (d,) errors of the baseline.
    """

    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    baseline: str
    errors: FloatArray
    baseline_errors: FloatArray

    @property
    def description(self) -> str:
        """What is to be seen."""
        return (
            f"Bars, lower axis: error minus that of {self.baseline} in percentage points; to the left is better. "
            f"Symbols, upper axis: error divided by that of {self.baseline}; none where that is 0, and an arrow at the "
            "edge for a ratio of 0."
        )

    def difference(self, dataset: int, method: int) -> float | None:
        """Return error - baseline error, None where one is missing."""
        found = float(self.errors[dataset, method] - self.baseline_errors[dataset])
        return None if np.isnan(found) else found

    def ratio(self, dataset: int, method: int) -> float | None:
        """Return error / baseline error, None where one is missing or the baseline error is 0."""
        base = float(self.baseline_errors[dataset])
        if self.difference(dataset, method) is None or base <= 1e-12:
            return None
        return float(self.errors[dataset, method]) / base

    def numbers(self) -> Table:
        """Return a line for each data set and method."""
        rows = []
        for i, dataset in enumerate(self.datasets):
            for j, method in enumerate(self.methods):
                known = [None if np.isnan(e) else e for e in (self.errors[i, j], self.baseline_errors[i])]
                values = (*known, self.difference(i, j), self.ratio(i, j))
                rows.append((dataset, method, *[digits(value) for value in values]))
        header = ("data set", "method", "error", f"error of {self.baseline}", "difference", "ratio")
        return Table(self.title, header, tuple(rows))

    def draw(self) -> "Figure":
        """Return the figure."""
        count = len(self.methods)
        thick = min(0.62, 0.84 / count)
        left = margin(self.datasets)
        height = len(self.datasets) * max(0.27, 0.13 * count + 0.09)
        figure = new_figure(height, left=left, right=0.2, top=0.62, bottom=0.52 + LEGEND)
        axes = figure.subplots()
        places = np.arange(len(self.datasets), dtype=np.float64)
        upper = axes.twiny()
        indices = range(len(self.datasets))
        draw_ratio_axis(upper, [self.ratio(i, j) for i in indices for j in range(count)])
        most = 0.0
        for j in range(count):
            y = places + (j - (count - 1) / 2) * thick
            points = [100 * (self.difference(i, j) or 0.0) for i in indices]
            most = max([most, *map(abs, points)])
            axes.barh(y, points, height=thick * 0.86, color=SERIES[j], alpha=0.45, linewidth=0)
            draw_ratios(upper, [float(place) for place in y], [self.ratio(i, j) for i in indices], j)
        axes.set_xlim(-1.12 * (most or 1.0), 1.12 * (most or 1.0))
        axes.set_ylim(len(self.datasets) - 0.4, -0.6)
        axes.set_yticks(places, [label(name) for name in self.datasets])
        axes.tick_params(axis="y", length=0)
        axes.axvline(0, color=INK_2, linewidth=1)
        axes.grid(axis="x")
        base = label(self.baseline)
        axes.set_xlabel(f"bars: error \N{MINUS SIGN} error of {base} (percentage points)")
        upper.set_xlabel(f"symbols: error / error of {base}", labelpad=6)
        upper.spines["top"].set_visible(True)
        draw_legend(figure, [(_bar(j), _symbol(j)) for j in range(count)], self.methods, left)
        return figure


def _bar(number: int) -> object:
    from matplotlib.patches import Patch

    return Patch(color=SERIES[number], alpha=0.45, linewidth=0)


def _symbol(number: int) -> object:
    from matplotlib.lines import Line2D

    look: dict[str, Any] = {"color": SERIES[number], "markerfacecolor": PAPER, "markeredgewidth": 1.5}
    return Line2D([], [], linestyle="none", marker=MARKERS[number], **look)
