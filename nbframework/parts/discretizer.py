"""The contract of discretizers."""

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from nbframework.parts.base import Part

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


@dataclass(frozen=True, kw_only=True)
class Discretizer(Part):
    """Decides the cut points of a numeric attribute.

    Parameters
    ----------
    scope
        The rows that cut points are learned from: the whole training set, or each query's neighbourhood.

    Notes
    -----
    ``sufficient`` says what of the rows is enough: the distinct values with the weight of each class that has them, or
    the smallest and the largest value.
    """

    kind: ClassVar[str] = "discretizer"
    keeps_numeric: ClassVar[bool] = False
    sufficient: ClassVar[Literal["range", "values"]] = "values"
    scope: Literal["training", "neighbourhood"] = "training"

    @abc.abstractmethod
    def fit(self, values: FloatArray, classes: NDArray[Any], weights: FloatArray) -> FloatArray:
        """Return ascending cut points.

        Parameters
        ----------
        values
            (n,) known values; the core hands them over in ascending order.
        classes
            (n,) class codes.
        weights
            (n,) row weights above 0.
        """

    def fit_columns(
        self,
        columns: Sequence[FloatArray],
        orders: Sequence[IntArray],
        times: IntArray | None,
        classes: NDArray[Any],
        weights: FloatArray | None,
    ) -> list[FloatArray]:
        """Return the cut points of several attributes, each as `fit` finds them; where it finds them faster together.

        Parameters
        ----------
        columns
            (n,) values of all rows of a data set, for each attribute.
        orders
            For each attribute the rows that know it, by ascending value.
        times
            (n,) how often each row is a training row; None for once.
        classes
            (n,) class codes.
        weights
            (n,) row weights above 0, or None where all are 1.
        """
        found = []
        for column, order in zip(columns, orders, strict=True):
            rows = order if times is None else np.repeat(order, times[order])
            values, known = column[rows], classes[rows]
            amount = np.broadcast_to(np.float64(1.0), len(rows)) if weights is None else weights[rows]
            for array in (values, known, amount):
                array.flags.writeable = False
            found.append(self.fit(values, known, amount) if len(rows) else np.empty(0))
        return found

    def encode(self, values: FloatArray, cuts: FloatArray) -> NDArray[np.intp]:
        """Return (n,) codes: the number of cut points below each value (a value equal to a cut is below it).

        NaN may get any code; the core marks it as unknown.
        """
        return np.searchsorted(cuts, values, side="left")

    def cardinality(self, cuts: FloatArray) -> int:
        """Return the number of values that the cut points make; a value that `encode` maps to it is unseen."""
        return len(cuts) + 1
