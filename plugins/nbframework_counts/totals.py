"""What the densities over counts share: totals in each class, and counts times logarithms."""

from typing import NamedTuple

import numpy as np

from nbframework.authoring import EvaluationError, FloatArray, IntArray


class Totals(NamedTuple):
    """Totals over g groups of rows, C classes and d attributes.

    Parameters
    ----------
    amount
        (g, C, d) weighted sum of the known values.
    rows
        (g, C, d) weight of the rows that know the attribute.
    """

    amount: FloatArray
    rows: FloatArray


def totals(
    values: FloatArray, classes: IntArray, class_count: int, weights: FloatArray, start: IntArray | None
) -> Totals:
    """Return the totals of (n, d) values of at least 0."""
    groups = 1 if start is None else len(start) - 1
    group = np.zeros(len(values), dtype=np.intp) if start is None else np.repeat(np.arange(groups), np.diff(start))
    key, shape = group * class_count + classes, (groups * class_count, values.shape[1])
    amount, rows = np.empty(shape), np.empty(shape)
    for j, column in enumerate(values.T):
        known = ~np.isnan(column)
        of_class = key[known]
        amount[:, j] = np.bincount(of_class, weights=weights[known] * column[known], minlength=len(amount))
        rows[:, j] = np.bincount(of_class, weights=weights[known], minlength=len(rows))
    shape_by_class = (groups, class_count, values.shape[1])
    return Totals(amount.reshape(shape_by_class), rows.reshape(shape_by_class))


def times(counts: FloatArray, log_share: FloatArray) -> FloatArray:
    """Return (q, C, d) products of (q, d) counts and (q, C, d) or (1, C, d) logarithms, where 0 x -inf = 0.

    Raises
    ------
    EvaluationError
        On a count below 0.
    """
    if (counts < 0).any():
        row = int(np.argwhere(counts < 0)[0, 0])
        raise EvaluationError(f"row {row + 1}: found {np.nanmin(counts[row]):g}, expected counts of at least 0")
    amount = counts[:, np.newaxis, :]
    with np.errstate(invalid="ignore"):
        return np.where(amount == 0, 0.0, amount * log_share)
