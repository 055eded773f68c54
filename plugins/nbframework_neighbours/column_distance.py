"""Distances that add up one term for each column: the form that the compiled loops take."""

import abc
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import FittedDistance, FloatArray, Rows, kernels

Columns = list[NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Asked:
    """Queries and training rows as columns of one scale.

    Parameters
    ----------
    rows
        Which of the queries these are.
    queries, training
        a columns, at least one, of codes that are equal or differ by 1, or of numbers whose difference is squared.
    bounds
        (a, 2) lowest and highest training value of each column of numbers.
    """

    rows: slice
    queries: Columns
    training: Columns
    bounds: FloatArray


class ColumnDistance(FittedDistance):
    """A distance that is a sum over columns, or the square root of one.

    ``root`` says whether it is the square root, ``rescale`` whether attributes that are unknown on either side are
    left out and the others count more.
    """

    root: ClassVar[bool] = True
    rescale: bool = False

    @abc.abstractmethod
    def asked(self, queries: Rows) -> Iterator[Asked]:
        """Yield the queries in order, in runs that share a scale, each with the training rows on that scale."""

    def from_sum(self, total: NDArray[Any]) -> FloatArray:
        """Return the distance for a sum over the columns."""
        return np.sqrt(total, dtype=np.float64) if self.root else np.asarray(total, dtype=np.float64)

    def between(self, queries: Rows) -> FloatArray:
        """Return (q, n) distances."""
        parts = [
            kernels.squared_distances(asked.queries, asked.training, asked.bounds, self.rescale)
            for asked in self.asked(queries)
        ]
        return self.from_sum(np.concatenate(parts))
