"""Distance heterogeneous-euclidean: range-scaled numbers, and 0 or 1 for nominal values."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from nbframework.authoring import Distance, FloatArray, Rows, Training, hookimpl
from nbframework_neighbours.column_distance import Asked, ColumnDistance, Columns
from nbframework_neighbours.overlap import unequal_unknown
from nbframework_neighbours.searched_rows import in_attribute_order


@dataclass(frozen=True, kw_only=True)
class HeterogeneousEuclidean(Distance):
    """Take the root of the sum of squares over all attributes.

    A nominal attribute adds 0 where the values are equal and 1 where they differ or either is unknown. A number is
    scaled to (x - lowest) / (highest - lowest), 0 where these are equal, without clipping queries from outside. With
    one number unknown, the other is as far away as the farther end of the scale; with both, 1.

    Parameters
    ----------
    ranges
        training: lowest and highest value of the training rows. growing: Weka's, which each query widens for itself
        and for those after it, so that the answers depend on the order of the queries, and that to a query alone, as
        in an explanation, on itself; training rows that are asked themselves widen nothing.

    References
    ----------
    Weka 3.6.14, EuclideanDistance; Aha, Kibler & Albert (1991), Instance-based learning algorithms.
    """

    name: ClassVar[str] = "heterogeneous-euclidean"
    cite: ClassVar[str] = "Aha, Kibler & Albert 1991; Weka 3.6.14"
    ranges: Literal["training", "growing"] = "training"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ranges == "growing":
            excuse = {"queries_do_not_influence_each_other": "each query widens the ranges for those after it"}
            object.__setattr__(self, "exceptions", excuse)

    def fit(self, training: Training) -> "FittedHeterogeneousEuclidean":
        """Learn the ranges."""
        return FittedHeterogeneousEuclidean(training, self.ranges == "growing")


HETEROGENEOUS_EUCLIDEAN = HeterogeneousEuclidean()
"""The distance of neighbourhoods whose recipe names none."""


class FittedHeterogeneousEuclidean(ColumnDistance):
    """Training rows with lowest and highest values, (d,)."""

    def __init__(self, training: Training, grows: bool) -> None:
        self.rows, self.grows = training, grows
        self.low, self.high = value_ranges(training.measured)
        self.width = len(training.coded_inputs) + len(training.measured_inputs)
        self.columns = self._columns(training, list(training.codes.columns), training.measured, self.low, self.high)

    def asked(self, queries: Rows) -> Iterator[Asked]:
        """Yield the queries in runs of equal ranges."""
        low, high = self._ranges(queries)
        changes = np.flatnonzero((np.diff(low, axis=0) != 0).any(axis=1) | (np.diff(high, axis=0) != 0).any(axis=1))
        borders = [0, *(changes + 1).tolist(), len(queries)] if len(queries) else [0, 0]
        codes = unequal_unknown(queries)
        bounds = np.tile([0.0, 1.0], (max(1, self.width), 1))
        for first, last in itertools.pairwise(borders):
            rows = slice(first, last)
            training = self.columns
            if last > first and not (np.array_equal(low[first], self.low) and np.array_equal(high[first], self.high)):
                known = self.rows
                training = self._columns(known, list(known.codes.columns), known.measured, low[first], high[first])
            scale = (low[first], high[first]) if last > first else (self.low, self.high)
            part = self._columns(queries, [code[rows] for code in codes], queries.measured[rows], *scale)
            yield Asked(rows, part, training, bounds)

    def _ranges(self, queries: Rows) -> tuple[FloatArray, FloatArray]:
        """Return the (q, d) lowest and highest values that each query is scaled by."""
        shape = (len(queries), len(self.low))
        if not self.grows or queries.source is self.rows.source:
            return np.broadcast_to(self.low, shape), np.broadcast_to(self.high, shape)
        asked = queries.source_measured
        rows = slice(None) if queries.selection is None else queries.selection
        low = np.fmin.accumulate(np.vstack([self.low, asked]))[1:]
        high = np.fmax.accumulate(np.vstack([self.high, asked]))[1:]
        return low[rows], high[rows]

    def _columns(self, rows: Rows, codes: Columns, numbers: FloatArray, low: FloatArray, high: FloatArray) -> Columns:
        measured = [scaled(numbers[:, j], low[j], high[j]) for j in range(numbers.shape[1])]
        return in_attribute_order(rows, codes, measured) or [np.zeros(len(numbers), dtype=np.uint8)]


def value_ranges(numbers: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the (d,) lowest and highest known values, NaN where none is known."""
    if not len(numbers):
        return np.full(numbers.shape[1], np.nan), np.full(numbers.shape[1], np.nan)
    return np.fmin.reduce(numbers, axis=0), np.fmax.reduce(numbers, axis=0)


def scaled(values: FloatArray, low: float, high: float) -> FloatArray:
    """Return the values on a scale from 0 to 1, all 0 where the range is empty; unknown ones stay NaN."""
    if high > low:
        return np.asarray((values - low) / (high - low))
    return np.where(np.isnan(values), np.nan, 0.0)


@hookimpl
def nbframework_distances() -> list[type[Distance]]:
    """Register the distance."""
    return [HeterogeneousEuclidean]
