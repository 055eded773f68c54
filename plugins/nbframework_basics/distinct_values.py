"""Discretizer distinct-values: each number is a value of its own."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import Discretizer, FloatArray, IntArray, hookimpl


@dataclass(frozen=True, kw_only=True)
class DistinctValues(Discretizer):
    """Treat each number of the training rows as a nominal value; another number is *unseen*.

    This is what Hosein & Baboolal (2022) call Laplace naive Bayes, applied to measured attributes.
    """

    name: ClassVar[str] = "distinct-values"
    cite: ClassVar[str] = "Hosein & Baboolal 2022, Table 3"

    def fit(self, values: FloatArray, classes: NDArray[Any], weights: FloatArray) -> FloatArray:
        """Return the distinct values."""
        return np.unique(values)

    def encode(self, values: FloatArray, cuts: FloatArray) -> IntArray:
        """Return the position of each value among the distinct ones, their number where it is none of them."""
        if not len(cuts):
            return np.zeros(len(values), dtype=np.intp)
        position = np.minimum(np.searchsorted(cuts, values), len(cuts) - 1)
        return np.where(cuts[position] == values, position, len(cuts))

    def cardinality(self, cuts: FloatArray) -> int:
        """Return the number of distinct values."""
        return len(cuts)


@hookimpl
def nbframework_discretizers() -> list[type[Discretizer]]:
    """Register the discretizer."""
    return [DistinctValues]
