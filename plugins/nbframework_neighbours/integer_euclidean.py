"""Distance integer-euclidean: nominal values as numbers, too."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Literal

import numpy as np

from nbframework.authoring import Distance, FloatArray, Rows, Training, hookimpl
from nbframework_neighbours.column_distance import Asked, ColumnDistance
from nbframework_neighbours.heterogeneous_euclidean import value_ranges
from nbframework_neighbours.searched_rows import in_attribute_order

Order = Literal["sorted", "header"]
NUMERAL = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,2})?", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class IntegerEuclidean(Distance):
    """Number the values of nominal attributes and take the root of the sum of squared differences.

    The numbering is arbitrary, and so is the distance between different nominal values: renaming values changes it.

    Parameters
    ----------
    order
        How the declared values are numbered. sorted: by their text, as label encoders do; values that are all
        numerals stand for themselves. header: in the order of their declaration. A value that is not declared is
        unknown.
    scale
        range: each difference is divided by the attribute's range over the training rows; an attribute of one value
        is left out, and a query outside the range is not clipped. none: differences as they are.
    missing
        max-distance: an unknown value is as far from a known one as the farther end of the range, and from another
        unknown one as the whole range. skip-rescale: the attribute is left out, and the sum of squares is multiplied
        by the number of attributes over the number of those left. The paper removes rows with unknown values, which
        is a missing policy.

    References
    ----------
    Hosein & Baboolal (2022), equation 10 and section 6.1.
    """

    name: ClassVar[str] = "integer-euclidean"
    cite: ClassVar[str] = "Hosein & Baboolal 2022, equation 10"
    exceptions: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"names_change_nothing": "the published distance subtracts the numbers that the values are given"}
    )
    order: Order = "sorted"
    scale: Literal["range", "none"] = "range"
    missing: Literal["max-distance", "skip-rescale"] = "max-distance"

    def fit(self, training: Training) -> "FittedIntegerEuclidean":
        """Learn the ranges."""
        return FittedIntegerEuclidean(training, self)


INTEGER_EUCLIDEAN = IntegerEuclidean()
"""The distance of the kernels over all rows whose recipe names none."""


class FittedIntegerEuclidean(ColumnDistance):
    """Training rows as numbers, divided by their ranges."""

    def __init__(self, training: Training, distance: IntegerEuclidean) -> None:
        self.rescale = distance.missing == "skip-rescale"
        self.numbers_of = [
            value_numbers(training.inputs[position].values, size, distance.order)
            for position, size in zip(training.coded_inputs.tolist(), training.codes.cardinality, strict=True)
        ]
        numbers = self._numbers(training)
        low, high = value_ranges(numbers)
        self.unit = np.where(high > low, high - low, np.inf) if distance.scale == "range" else np.ones(len(low))
        self.kept = np.flatnonzero(np.isfinite(self.unit))
        self.training = self._scaled(numbers)
        bounds = np.column_stack([low, high])[self.kept] / self.unit[self.kept, np.newaxis]
        self.bounds = np.nan_to_num(bounds) if len(self.kept) else np.zeros((1, 2))

    def asked(self, queries: Rows) -> Iterator[Asked]:
        """Yield all queries at once."""
        yield Asked(slice(0, len(queries)), self._scaled(self._numbers(queries)), self.training, self.bounds)

    def _numbers(self, rows: Rows) -> FloatArray:
        """Return (r, a) numbers, NaN for unknown."""
        codes = [numbers[column] for numbers, column in zip(self.numbers_of, rows.codes.columns, strict=True)]
        columns = in_attribute_order(rows, codes, [*rows.measured.T])
        return np.column_stack(columns) if columns else np.empty((len(rows), 0))

    def _scaled(self, numbers: FloatArray) -> list[FloatArray]:
        columns = [np.ascontiguousarray(numbers[:, j] / self.unit[j]) for j in self.kept]
        return columns or [np.zeros(len(numbers))]


def value_numbers(values: Sequence[str] | None, size: int, order: Order) -> FloatArray:
    """Return the number of each of the ``size`` codes, then NaN for unseen and unknown.

    Intervals of a discretized attribute (``values`` None) are numbered from below, as is the code that a missing
    policy adds for unknown values.
    """
    numbers = np.arange(size + 2, dtype=np.float64)
    numbers[size:] = np.nan
    if values is not None and order == "sorted":
        if all(NUMERAL.fullmatch(value) for value in values):
            numbers[: len(values)] = [float(value) for value in values]
        else:
            numbers[sorted(range(len(values)), key=values.__getitem__)] = np.arange(len(values))
    return numbers


@hookimpl
def nbframework_distances() -> list[type[Distance]]:
    """Register the distance."""
    return [IntegerEuclidean]
