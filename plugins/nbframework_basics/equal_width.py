"""Discretizer equal-width."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import Discretizer, FloatArray, Ge, hookimpl


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
    bins: Annotated[int, Ge(1)] = 10

    def fit(self, values: FloatArray, classes: NDArray[Any], weights: FloatArray) -> FloatArray:
        """Return the borders between the intervals."""
        low, high = values.min(), values.max()
        width = high / self.bins - low / self.bins if np.isinf(high - low) else (high - low) / self.bins
        cuts = low + width * np.arange(1, self.bins)
        return np.unique(cuts[(cuts >= low) & (cuts < high)])


@hookimpl
def nbframework_discretizers() -> list[type[Discretizer]]:
    """Register the discretizer."""
    return [EqualWidth]
