"""Rows as trees see them: one number for each attribute of each row."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import FloatArray, IntArray, Rows, Training

Mask = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]

TOLERANCE = 1e-6
"""Weights, gains and ratios that differ by less are equal, as in Weka."""


@dataclass(frozen=True, eq=False)
class Table:
    """The n training rows over a attributes.

    Parameters
    ----------
    values
        (a, n) codes of nominal attributes and numbers of numeric ones, NaN for unknown.
    cardinality
        (a,) number of values of a nominal attribute, 0 of a numeric one.
    classes
        (n,) class codes below ``class_count``.
    class_count
        C, the number of declared classes.
    weights
        (n,) row weights above 0.
    """

    values: FloatArray
    cardinality: IntArray
    classes: IntArray
    class_count: int
    weights: FloatArray

    @classmethod
    def of(cls, training: Training) -> "Table":
        """Return the table of encoded training rows."""
        cardinality = np.zeros(len(training.inputs), dtype=np.intp)
        cardinality[training.coded_inputs] = training.codes.cardinality
        return cls(values_of(training), cardinality, training.classes, training.class_count, training.weights)

    def class_weight(self, node: IntArray, row: IntArray, weight: FloatArray, nodes: int) -> FloatArray:
        """Return (m, C) weight of the rows of each class at each of m nodes."""
        key = node * self.class_count + self.classes[row]
        return summed(weight, key, nodes * self.class_count).reshape(nodes, self.class_count)


def summed(weight: FloatArray, key: IntArray, size: int) -> FloatArray:
    """Return the (size,) sums of weights by key."""
    return np.asarray(np.bincount(key, weights=weight, minlength=size), dtype=np.float64)


def columns_of(rows: Rows) -> list[NDArray[Any]]:
    """Return the a columns (r,) of encoded rows: codes, those outside the training domain too large, and numbers."""
    columns: list[NDArray[Any]] = [np.empty(0)] * len(rows.inputs)
    for position, codes in zip(rows.coded_inputs.tolist(), rows.codes.columns, strict=True):
        columns[position] = codes
    for position, numbers in zip(rows.measured_inputs.tolist(), rows.measured.T, strict=True):
        columns[position] = numbers
    return columns


def values_of(rows: Rows) -> FloatArray:
    """Return the (a, r) values of encoded rows, NaN for unknown and for values outside the training domain."""
    values = np.empty((len(rows.inputs), len(rows)))
    for position, column, size in zip(rows.coded_inputs, rows.codes.columns, rows.codes.cardinality, strict=True):
        values[position] = np.where(column < size, column, np.nan)
    values[rows.measured_inputs] = rows.measured.T
    return values


def x_ln_x(x: FloatArray) -> FloatArray:
    """Return x ln x elementwise, with 0 for weights that are rounding alone."""
    positive = x >= TOLERANCE
    return np.where(positive, x * np.log(np.where(positive, x, 1.0)), 0.0)
