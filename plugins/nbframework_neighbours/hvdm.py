"""Distance hvdm: nominal values are as far apart as their classes are."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbframework.authoring import Distance, FittedDistance, FloatArray, Rows, Training, count, hookimpl


@dataclass(frozen=True, kw_only=True)
class HVDM(Distance):
    """Take the root of the sum of squares of differences that are normalised by the training rows.

    A number adds (|x - y| / 4 sigma)^2, with the standard deviation of the known training values; an attribute of one
    value adds nothing. A nominal attribute adds sum over classes of (P(c | x) - P(c | y))^2. An unknown value on
    either side adds 1. A value that no training row has gives every class probability 0.

    References
    ----------
    Wilson & Martinez (1997), Improved heterogeneous distance functions, equations 11 to 13 and 15.
    """

    name: ClassVar[str] = "hvdm"
    cite: ClassVar[str] = "Wilson & Martinez 1997"

    def fit(self, training: Training) -> "FittedHVDM":
        """Learn deviations and class probabilities, by row weight."""
        return FittedHVDM(training)


class FittedHVDM(FittedDistance):
    """Squared distances between values, (v + 2, v + 2) for each nominal attribute, and 4 sigma of each number."""

    def __init__(self, training: Training) -> None:
        self.codes, self.measured = training.codes, training.measured
        tables = count(training.codes, training.classes, training.class_count, training.weights)
        self.tables = []
        for first, last in zip(tables.offset[:-1], tables.offset[1:], strict=True):
            self.tables.append(_squared_differences(tables.cells[:, first:last]))
        self.unit = np.array([4 * _deviation(column, training.weights) for column in self.measured.T])

    def between(self, queries: Rows) -> FloatArray:
        """Return (q, n) distances."""
        total = np.zeros((len(queries), len(self.codes)))
        for table, asked, column in zip(self.tables, queries.codes.columns, self.codes.columns, strict=True):
            total += table[asked][:, column]
        for unit, asked, column in zip(self.unit, queries.measured.T, self.measured.T, strict=True):
            difference = asked[:, np.newaxis] - column
            difference = difference / unit if unit > 0 else difference * 0.0
            total += np.where(np.isnan(difference), 1.0, difference * difference)
        return np.sqrt(total)


def _squared_differences(cells: FloatArray) -> FloatArray:
    """Return squared distances between the class distributions of all codes, 1 where one of them is unknown."""
    weight = cells.sum(axis=0)
    share = (cells / np.where(weight > 0, weight, 1.0)).T
    table = np.square(share[:, np.newaxis, :] - share).sum(axis=-1)
    table[-1], table[:, -1] = 1.0, 1.0
    return np.asarray(table)


def _deviation(values: FloatArray, weights: FloatArray) -> float:
    known = ~np.isnan(values)
    x, w = values[known], weights[known]
    if not len(x) or x.min() == x.max():
        return 0.0
    mean = (w @ x) / w.sum()
    return float(np.sqrt((w @ np.square(x - mean)) / w.sum()))


@hookimpl
def nbframework_distances() -> list[type[Distance]]:
    """Register the distance."""
    return [HVDM]
