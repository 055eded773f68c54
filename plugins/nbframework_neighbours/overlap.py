"""Distance overlap: the number of attributes that differ."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import Distance, FloatArray, Rows, Training, hookimpl
from nbframework_neighbours.column_distance import Asked, ColumnDistance
from nbframework_neighbours.searched_rows import in_attribute_order


@dataclass(frozen=True, kw_only=True)
class Overlap(Distance):
    """Count the attributes in which two rows differ.

    An unknown value differs from every value, another unknown one among them; where the missing policy makes a value
    of it, that value is compared as well if the neighbourhood compares discretized attributes. Numbers are equal or
    they differ; to compare intervals, name a discretizer and let the neighbourhood compare discretized attributes.

    References
    ----------
    Stanfill & Waltz (1986), Toward memory-based reasoning; Xie, Hsu, Liu & Lee (2002), SNNB.
    """

    name: ClassVar[str] = "overlap"
    cite: ClassVar[str] = "Stanfill & Waltz 1986"

    def fit(self, training: Training) -> "FittedOverlap":
        """Give the training values their codes."""
        return FittedOverlap(training)


class FittedOverlap(ColumnDistance):
    """Training codes column by column, and the (v,) distinct numbers behind those of each measured attribute."""

    root = False

    def __init__(self, training: Training) -> None:
        self.numbers = [np.unique(column[~np.isnan(column)]) for column in training.measured.T]
        columns = [
            number_codes(column, numbers) for column, numbers in zip(training.measured.T, self.numbers, strict=True)
        ]
        self.training = in_attribute_order(training, list(training.codes.columns), columns)
        self.training = self.training or [np.zeros(len(training), dtype=np.uint8)]
        self.bounds = np.zeros((len(self.training), 2))

    def asked(self, queries: Rows) -> Iterator[Asked]:
        """Yield all queries at once."""
        measured = []
        for column, numbers in zip(queries.measured.T, self.numbers, strict=True):
            measured.append(np.minimum(number_codes(column, numbers), len(numbers)))
        columns = in_attribute_order(queries, unequal_unknown(queries), measured)
        columns = columns or [np.zeros(len(queries), dtype=np.uint8)]
        yield Asked(slice(0, len(queries)), columns, self.training, self.bounds)


def number_codes(values: FloatArray, numbers: FloatArray) -> NDArray[Any]:
    """Return the position of each value among ascending numbers; after them one code for others, one for unknown."""
    position = np.searchsorted(numbers, values)
    other = np.append(numbers, np.nan)[np.minimum(position, len(numbers))] != values
    codes = np.where(np.isnan(values), len(numbers) + 1, np.where(other, len(numbers), position))
    return codes.astype(np.min_scalar_type(len(numbers) + 1))


def unequal_unknown(queries: Rows) -> list[NDArray[Any]]:
    """Return the queries' codes with *unknown* as *unseen*, which no training row holds: it differs from everything."""
    pairs = zip(queries.codes.columns, queries.codes.cardinality, strict=True)
    return [np.minimum(column, column.dtype.type(size)) for column, size in pairs]


@hookimpl
def nbframework_distances() -> list[type[Distance]]:
    """Register the distance."""
    return [Overlap]
