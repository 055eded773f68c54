"""The contract of discretizers."""

import abc
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from nbframework.parts.base import Part

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Discretizer(Part):
    """Decides the cut points of a numeric attribute.

    Parameters
    ----------
    scope
        The rows that cut points are learned from: the whole training set, or each query's neighbourhood.
    """

    kind: ClassVar[str] = "discretizer"
    keeps_numeric: ClassVar[bool] = False
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

    def encode(self, values: FloatArray, cuts: FloatArray) -> NDArray[np.intp]:
        """Return (n,) codes: the number of cut points below each value (a value equal to a cut is below it).

        NaN may get any code; the core marks it as unknown.
        """
        return np.searchsorted(cuts, values, side="left")

    def cardinality(self, cuts: FloatArray) -> int:
        """Return the number of values that the cut points make; a value that `encode` maps to it is unseen."""
        return len(cuts) + 1
