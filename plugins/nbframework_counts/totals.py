"""What the densities over counts share: totals in each class, and counts times logarithms."""

from typing import NamedTuple

import numpy as np

from nbframework.authoring import EvaluationError, FloatArray, IntArray, kernels


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
    key, groups = keys(classes, class_count, start)
    rows, amount = kernels.class_totals(values, key, groups * class_count, weights)
    shape = (groups, class_count, values.shape[1])
    return Totals(amount.reshape(shape), rows.reshape(shape))


def keys(classes: IntArray, class_count: int, start: IntArray | None) -> tuple[IntArray, int]:
    """Return (n,) numbers that tell the classes of each group apart, group by group, and the number of groups."""
    if start is None:
        return classes, 1
    groups = len(start) - 1
    return np.repeat(np.arange(groups), np.diff(start)) * class_count + classes, groups


def times(counts: FloatArray, log_share: FloatArray) -> FloatArray:
    """Return (q, C, d) products of (q, d) counts and (q, C, d) or (1, C, d) logarithms, where 0 x -inf = 0.

    Raises
    ------
    EvaluationError
        On a count below 0.
    """
    refuse_negative(counts)
    amount = counts[:, np.newaxis, :]
    with np.errstate(invalid="ignore"):
        return np.where(amount == 0, 0.0, amount * log_share)


def refuse_negative(counts: FloatArray) -> None:
    """Raise EvaluationError where one of (q, d) counts is below 0."""
    if (counts < 0).any():
        row = int(np.argwhere(counts < 0)[0, 0])
        raise EvaluationError(f"row {row + 1}: found {np.nanmin(counts[row]):g}, expected counts of at least 0")
