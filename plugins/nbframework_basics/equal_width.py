"""Discretizer equal-width."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import Discretizer, FloatArray, Ge, IntArray, hookimpl


@dataclass(frozen=True, kw_only=True)
class EqualWidth(Discretizer):
    """Cut the range of the training values into intervals of equal width, (a, b].

    Values outside the training range fall into the outer intervals; intervals without training rows are kept and
    count as values. An attribute whose values are all equal is not cut.

    Parameters
    ----------
    bins
        The number of intervals.

    References
    ----------
    Dougherty, Kohavi & Sahami (1995), Supervised and unsupervised discretization of continuous features.
    """

    name: ClassVar[str] = "equal-width"
    cite: ClassVar[str] = "Dougherty, Kohavi & Sahami 1995"
    sufficient: ClassVar[Literal["range", "values"]] = "range"
    bins: Annotated[int, Ge(1)] = 10

    def fit(self, values: FloatArray, classes: NDArray[Any], weights: FloatArray) -> FloatArray:
        """Return the borders between the intervals."""
        low, high = values.min(), values.max()
        # Halves, where the range is beyond the largest number; halving and doubling round nothing.
        scale = 1.0 if high / 2 - low / 2 < np.finfo(np.float64).max / 2 else 2.0
        width = (high / scale - low / scale) / self.bins
        cuts = (low / scale + width * np.arange(1, self.bins)) * scale
        return np.unique(cuts[(cuts >= low) & (cuts < high)])

    def fit_columns(
        self,
        columns: Sequence[FloatArray],
        orders: Sequence[IntArray],
        times: IntArray | None,
        classes: NDArray[Any],
        weights: FloatArray | None,
    ) -> list[FloatArray]:
        """Return the borders of several attributes: the first and the last value in order are enough."""
        found = []
        for column, order in zip(columns, orders, strict=True):
            kept = order if times is None else order[times[order] > 0]
            ends = kept[[0, -1]] if len(kept) else kept
            found.append(self.fit(column[ends], classes[ends], np.ones(len(ends))) if len(ends) else np.empty(0))
        return found


@hookimpl
def nbframework_discretizers() -> list[type[Discretizer]]:
    """Register the discretizer."""
    return [EqualWidth]
