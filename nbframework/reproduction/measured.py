"""The figures of a target, taken from the scores of its study."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from nbframework.evaluation.desk import mean_error_ratio
from nbframework.evaluation.scores import Cell, FloatArray, ScoreTable
from nbframework.reproduction.target import Column, Target

OF_DATA = ("score", "best", "best-at", "minus", "over")
"""Columns of tables whose rows are data sets: the score of a recipe; the best score of the recipes whose labels begin
alike, and the number that ends the label of the best one; the difference and the ratio of two columns."""
OF_RECIPES = ("mean", "error-ratio", "time-ratio")
"""Columns of tables whose rows are recipes: mean score over data sets; mean ratio to the error of a recipe; mean ratio
to the processor time of a recipe."""
RATIOS = ("over", "error-ratio", "time-ratio", "best-at")
"""Columns without the unit of the scores."""


@dataclass(frozen=True, eq=False)
class Measured:
    """What a study gave, seen as a target's table.

    Parameters
    ----------
    target
        The target.
    tables
        The scores by metric, the study's first metric first.
    seconds
        Processor time of each data set and recipe.
    labels
        Labels of recipes that stand for others, as in a reading.
    whole
        Whether all data sets of the target's study are there.
    partial
        Whether means over some of the data sets are wanted where the others are not there.
    """

    target: Target
    tables: Mapping[str, ScoreTable]
    seconds: Mapping[Cell, float] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    whole: bool = True
    partial: bool = False

    def reading(self, labels: Mapping[str, str]) -> "Measured":
        """Return the same scores with other recipes in the place of some."""
        return replace(self, labels={**self.labels, **labels})

    def scores(self, metric: str = "") -> ScoreTable:
        """Return the table of a metric, of the study's first one by default."""
        return self.tables[metric] if metric else next(iter(self.tables.values()))

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows of the table, averages last."""
        target = self.target
        if target.rows_are_recipes:
            return tuple(target.methods) or target.printed.rows
        return (*self.data_rows, *(average.name for average in target.averages))

    @property
    def data_rows(self) -> tuple[str, ...]:
        """The rows that are data sets; a data set that only serves a column of another row is none."""
        names = self.scores().datasets
        patterns = [column.data for column in self.target.columns if column.data != "{row}"]
        serving = {pattern.replace("{row}", name) for pattern in patterns for name in names}
        return tuple(name for name in names if name not in serving)

    def cells(self) -> Iterator[Cell]:
        """Yield rows and columns, row by row."""
        for row in self.rows:
            for column in self.target.columns:
                yield row, column.name

    def value(self, row: str, name: str) -> float | None:
        """Return a figure in the unit of print, or None where it has no complete result."""
        column = self.target.column(name)
        if self.target.rows_are_recipes:
            return self._of_recipe(self.label(self.target.methods.get(row, row)), column)
        average = next((average for average in self.target.averages if average.name == row), None)
        if average is None:
            return self._of_data(row, column)
        found = [self._of_data(data, column) for data in self.averaged(row)]
        known = [value for value in found if value is not None]
        if not known or len(known) < len(found) or not (self.partial or self._has_all_sets(average.without)):
            return None
        return float(np.mean(known))

    def averaged(self, row: str) -> tuple[str, ...]:
        """Return the data sets behind a row."""
        for average in self.target.averages:
            if average.name == row:
                return tuple(name for name in self.data_rows if name not in average.without)
        return (row,)

    def label(self, label: str) -> str:
        """Return the label of the recipe that stands for another one."""
        return self.labels.get(label, label)

    def folds(self, row: str, column: Column) -> FloatArray | None:
        """Return the scores of the folds of a data set and a column that shows a recipe, or None."""
        name = column.data.replace("{row}", row)
        return self.scores(column.metric).scores.get((name, self.label(column.labels[0])))

    def curve(self, row: str, prefix: str, metric: str = "") -> dict[float, float]:
        """Return the scores of the recipes whose labels are a prefix and a number, by that number, ascending."""
        table = self.scores(metric)
        found = {}
        for label in table.methods:
            number = _number_after(prefix, label)
            value = table.mean(row, label) if number is not None else None
            if number is not None and value is not None:
                found[number] = value * self.target.scale
        return dict(sorted(found.items()))

    def _has_all_sets(self, without: tuple[str, ...]) -> bool:
        """Whether every printed data set is there, which it is not in a part of a study."""
        averages = {average.name for average in self.target.averages}
        wanted = {row for row in self.target.printed.rows if row not in averages and row not in without}
        return wanted <= {*self.data_rows}

    def _of_data(self, row: str, column: Column) -> float | None:
        if column.kind in ("minus", "over"):
            first, second = (self._of_data(row, self.target.column(name)) for name in column.labels)
            if first is None or second is None or (column.kind == "over" and abs(second) < 1e-12):
                return None
            return first - second if column.kind == "minus" else first / second
        row = column.data.replace("{row}", row)
        if column.kind == "score":
            value = self.scores(column.metric).mean(row, self.label(column.labels[0]))
            return None if value is None else value * self.target.scale
        curve = self.curve(row, column.labels[0], column.metric)
        if not curve:
            return None
        better = max if self.scores(column.metric).higher_is_better else min
        best = better(curve.values())
        return best if column.kind == "best" else next(at for at, value in curve.items() if value == best)

    def _of_recipe(self, label: str, column: Column) -> float | None:
        table = self.scores(column.metric)
        if label not in table.methods or not (self.whole or self.partial or column.kind == "time-ratio"):
            return None
        if column.kind == "mean":
            means = [table.mean(data, label) for data in table.datasets]
            known = [mean for mean in means if mean is not None]
            return float(np.mean(known)) * self.target.scale if len(known) == len(means) else None
        baseline = self.label(column.labels[0])
        if column.kind == "error-ratio":
            return mean_error_ratio(table, label, baseline)[0]
        pairs = [(self.seconds.get((data, label)), self.seconds.get((data, baseline))) for data in table.datasets]
        ratios = [mine / other for mine, other in pairs if mine and other]
        return float(np.mean(ratios)) if ratios else None


def _number_after(prefix: str, label: str) -> float | None:
    try:
        return float(label.removeprefix(prefix)) if label.startswith(prefix) else None
    except ValueError:
        return None
