"""Contingency tables of pairs of attributes against the class."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework import kernels
from nbframework.data.codes import Codes, block_offset
from nbframework.statistics.counts import Counts, count, from_cells, is_integral

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class PairCounts:
    """Weighted counts of C classes over all pairs of values of a attributes; values only, without unknown ones.

    What is unknown follows as the margin minus the sum.

    Parameters
    ----------
    cells
        (C, K, K) weight of the rows of a class that have both values, symmetric; the diagonal holds the single
        values. K is the sum of the numbers of values.
    cardinality
        (a,) number of values of each attribute.
    support
        (C, K, K) integer numbers of rows where weights are fractional, else None.
    """

    cells: FloatArray
    cardinality: tuple[int, ...]
    support: NDArray[np.int64] | None = None

    def given(self, parent: int) -> Counts:
        """Return the counts of all attributes given each value of one of them.

        Returns
        -------
        Counts whose leading axis is the parent's v values and then *unseen*, for which all counts are 0;
        ``class_weight`` is the weight of the rows of the class that have the parent's value. The *unknown* cells
        are 0.
        """
        first = first_value(self.cardinality)
        values = np.arange(first[parent], first[parent + 1])
        single = self.cells[:, values, values].T
        return from_cells(
            self._spread(self.cells[:, values]),
            block_offset(self.cardinality),
            np.concatenate([single, np.zeros((1, single.shape[1]))]),
            np.asarray(self.cardinality, dtype=np.float64),
            None if self.support is None else self._spread(self.support[:, values]),
        )

    def subtract(self, other: "PairCounts") -> "PairCounts":
        """Return these counts without those of some of their rows."""
        cells, support = self.cells - other.cells, None
        if self.support is not None and other.support is not None:
            support = self.support - other.support
            cells = np.where(support == 0, 0.0, cells)
        return replace(self, cells=cells, support=support)

    def _spread(self, of_values: NDArray[Any]) -> NDArray[Any]:
        """Return (v + 1, C, B) of the (C, v, K) counts of some values, with cells for unseen and unknown."""
        classes, values, _ = of_values.shape
        offset = block_offset(self.cardinality)
        is_value = np.ones(int(offset[-1]), dtype=bool)
        is_value[offset[1:] - 1] = is_value[offset[1:] - 2] = False
        spread = np.zeros((values + 1, classes, len(is_value)), dtype=of_values.dtype)
        spread[:-1, :, is_value] = of_values.swapaxes(0, 1)
        return spread


def first_value(cardinality: Sequence[int]) -> IntArray:
    """Return the (a + 1,) places of each attribute's first value where the values alone stand side by side."""
    return np.concatenate([[0], np.cumsum(np.asarray(cardinality, dtype=np.intp))]).astype(np.intp)


def pair_table_bytes(cardinality: Sequence[int], class_count: int) -> int:
    """Return the memory of the table of `count_pairs`, in bytes: 8 C K^2."""
    return 8 * class_count * int(np.sum(np.asarray(cardinality, dtype=np.int64))) ** 2


def count_pairs(
    codes: Codes,
    classes: IntArray,
    class_count: int,
    weights: FloatArray | None = None,
    rows: IntArray | None = None,
) -> PairCounts:
    """Count all pairs of values against classes in one pass over the rows.

    Parameters
    ----------
    codes
        n rows.
    classes
        (n,) class codes below ``class_count``.
    weights
        (n,) row weights, or None for 1.
    rows
        (m,) indexes into the rows of ``codes``; ``classes`` and ``weights`` then have length m.
    """
    first = first_value(codes.cardinality)
    cells = kernels.pair_counts(codes.columns, first, classes, class_count, weights, rows)
    if weights is None or is_integral(weights):
        return PairCounts(cells, codes.cardinality)
    present = np.flatnonzero(weights > 0)
    rows = present if rows is None else rows[present]
    support = kernels.pair_counts(codes.columns, first, classes[present], class_count, None, rows).astype(np.int64)
    return PairCounts(np.where(support == 0, 0.0, cells), codes.cardinality, support)


def count_given(
    codes: Codes,
    parent: int,
    classes: IntArray,
    class_count: int,
    weights: FloatArray | None = None,
    rows: IntArray | None = None,
    values: IntArray | None = None,
) -> Counts:
    """Count one parent's part of the pair table, in a pass of its own; equal to `PairCounts.given`.

    Where the table of all pairs would not fit, one part after the other does.

    Parameters
    ----------
    codes, classes, class_count, weights, rows
        As for `count_pairs`.
    parent
        The attribute whose v values and *unseen* become the leading axis.
    values
        (g,) distinct codes, of values or unseen, that become the leading axis instead.
    """
    values = np.arange(codes.cardinality[parent] + 1) if values is None else values
    place = np.full(codes.cardinality[parent] + 2, -1)
    place[values] = np.arange(len(values))
    of_row = place[codes.columns[parent] if rows is None else codes.columns[parent][rows]]
    known = np.flatnonzero(of_row >= 0)
    group = of_row[known] * class_count + classes[known]
    counts = count(
        codes,
        group,
        class_count,
        None if weights is None else weights[known],
        len(values),
        known if rows is None else rows[known],
    )
    counts.cells[..., counts.unknown] = 0
    if counts.support is not None:
        counts.support[..., counts.unknown] = 0
    return counts
