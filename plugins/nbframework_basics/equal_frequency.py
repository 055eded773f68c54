"""Discretizers equal-frequency and proportional: intervals that hold about the same weight of rows."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import Discretizer, FloatArray, Ge, hookimpl


@dataclass(frozen=True, kw_only=True)
class EqualFrequency(Discretizer):
    """Cut so that each interval holds about the same weight of training rows.

    From the lowest value on, each interval aims at an equal share of the weight that is left and ends at the value
    border nearest to it (the lower one of two equally near); equal values are never parted.

    Parameters
    ----------
    bins
        The largest number of intervals.

    References
    ----------
    Dougherty, Kohavi & Sahami (1995), Supervised and unsupervised discretization of continuous features.
    """

    name: ClassVar[str] = "equal-frequency"
    cite: ClassVar[str] = "Dougherty, Kohavi & Sahami 1995"
    bins: Annotated[int, Ge(1)] = 10

    def fit(self, values: FloatArray, classes: NDArray[Any], weights: FloatArray) -> FloatArray:
        """Return the borders between the intervals."""
        return _equal_frequency_cuts(values, weights, self.bins)


@dataclass(frozen=True, kw_only=True)
class Proportional(Discretizer):
    """Equal-frequency intervals, as many as the square root of the weight of the known rows.

    References
    ----------
    Yang & Webb (2001), Proportional k-interval discretization for naive-Bayes classifiers.
    """

    name: ClassVar[str] = "proportional"
    cite: ClassVar[str] = "Yang & Webb 2001"

    def fit(self, values: FloatArray, classes: NDArray[Any], weights: FloatArray) -> FloatArray:
        """Return the borders between the intervals."""
        return _equal_frequency_cuts(values, weights, max(1, int(np.sqrt(weights.sum()))))


def _equal_frequency_cuts(values: FloatArray, weights: FloatArray, bins: int) -> FloatArray:
    border = np.flatnonzero(values[:-1] < values[1:])
    below = np.cumsum(weights)[border]
    total, done, first, cuts = float(weights.sum()), 0.0, 0, []
    for left in range(bins, 1, -1):
        if first >= len(border):
            break
        aim = done + (total - done) / left
        after = int(np.searchsorted(below[first:], aim)) + first
        if after > first and (after == len(below) or aim - below[after - 1] <= below[after] - aim):
            after -= 1
        cuts.append((values[border[after]] + values[border[after] + 1]) / 2)
        done, first = float(below[after]), after + 1
    return np.array(cuts, dtype=np.float64)


@hookimpl
def nbframework_discretizers() -> list[type[Discretizer]]:
    """Register the discretizers."""
    return [EqualFrequency, Proportional]
