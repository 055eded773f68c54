"""Counts of pairs of values within each class, and sums of table entries that depend on one more code."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_BLOCK_CELLS = 1_000_000


def pair_counts(
    columns: Sequence[NDArray[Any]],
    first: NDArray[np.intp],
    classes: NDArray[Any],
    class_count: int,
    weights: NDArray[np.float64] | None = None,
    rows: NDArray[np.intp] | None = None,
) -> NDArray[np.float64]:
    """Count how often each value of each column occurs together with each value of each column, class by class.

    Parameters
    ----------
    columns
        a columns of n unsigned codes; those of column j from ``first[j + 1] - first[j]`` on are no values and are
        not counted.
    first
        (a + 1,) place of each column's first value; K = ``first[-1]``.
    classes
        (n,) class codes below ``class_count``.
    weights
        (n,) weight of each row, or None for 1.
    rows
        (m,) row indexes into the columns, repetition allowed; ``classes`` and ``weights`` then have length m.

    Returns
    -------
    (C, K, K) sums of weights, exact for integer weights; symmetric in the last two axes, with the counts of single
    values on the diagonal.
    """
    width = int(first[-1])
    table = np.zeros((class_count, width, width))
    size = max(1, _BLOCK_CELLS // max(1, width))
    for c in range(class_count):
        of_class = np.flatnonzero(classes == c)
        for start in range(0, len(of_class), size):
            chosen = of_class[start : start + size]
            taken = chosen if rows is None else rows[chosen]
            # a block has far fewer than 2 ** 24 rows, so that 32 bits count them exactly
            dtype = np.float32 if weights is None else np.float64
            indicator = _indicator(columns, first, taken, dtype)
            weighted = indicator if weights is None else indicator * weights[chosen, np.newaxis]
            table[c] += weighted.T @ indicator
    return table


def _indicator(
    columns: Sequence[NDArray[Any]], first: NDArray[np.intp], rows: NDArray[np.intp], dtype: Any
) -> NDArray[Any]:
    """Return (m, K) ones where a row has a value."""
    indicator = np.zeros((len(rows), int(first[-1])), dtype=dtype)
    for j, column in enumerate(columns):
        codes = column[rows].astype(np.intp)
        known = np.flatnonzero(codes < first[j + 1] - first[j])
        indicator[known, first[j] + codes[known]] = 1
    return indicator


def group_scores(
    columns: Sequence[NDArray[Any]],
    offset: NDArray[np.intp],
    group: NDArray[Any],
    table: NDArray[np.float64],
    start: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Add up, for each row and class, the entries of the row's codes in the table of the row's group.

    Parameters
    ----------
    columns
        a columns of q unsigned codes.
    offset
        (a + 1,) first cell of each column's block.
    group
        (q,) group of each row, below g.
    table
        (g, C, B) log probabilities; -inf is an exact zero.
    start
        (g, C) numbers that each sum starts from.

    Returns
    -------
    (q, C) sums, added in the order of the columns.
    """
    groups, classes, width = table.shape
    by_cell = np.ascontiguousarray(table.swapaxes(1, 2)).reshape(groups * width, classes)
    group = group.astype(np.intp)
    total: NDArray[np.float64] = start[group]
    for j, column in enumerate(columns):
        total += np.take(by_cell, group * width + (offset[j] + column.astype(np.intp)), axis=0)
    return total
