"""Discretizer chi-merge: neighbouring intervals are merged while their classes are alike."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

from nbframework.authoring import Discretizer, FloatArray, Ge, Gt, Lt, hookimpl

ROUNDING = 1e-9
"""Relative difference up to which two values of chi-squared are equal."""


@dataclass(frozen=True, kw_only=True)
class ChiMerge(Discretizer):
    """Start with an interval for each value, and merge the two neighbours whose classes differ least by chi-squared.

    Merging ends where all neighbours differ significantly and there are at most ``most`` intervals. Of a pair of
    intervals, chi-squared is the sum over both and all classes of (A - E)^2 / E, with A the weight of a class in an
    interval and E the weight expected from the margins; a class that is in neither counts nothing. Pairs that are
    equally alike are merged at once. The cut lies in the middle between the values on its two sides.

    Parameters
    ----------
    significance
        The chance of a smaller chi-squared where both intervals have the same classes; 0.95 in the paper's examples.
    most
        The largest number of intervals.

    Examples
    --------
    >>> values, classes = np.array([1.0, 2.0, 3.0, 4.0]), np.array([0, 0, 1, 1])
    >>> ChiMerge(significance=0.9).fit(values, classes, np.full(4, 2.0)).tolist()
    [2.5]

    References
    ----------
    Kerber (1992), ChiMerge: discretization of numeric attributes, AAAI-92, pages 123-128.
    """

    name: ClassVar[str] = "chi-merge"
    cite: ClassVar[str] = "Kerber 1992"
    exceptions: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"rows_are_taken_together": "there is a merge for each value at most, and each depends on those before it"}
    )
    significance: Annotated[float, Gt(0), Lt(1)] = 0.95
    most: Annotated[int, Ge(1)] = 15

    def fit(self, values: FloatArray, classes: NDArray[Any], weights: FloatArray) -> FloatArray:
        """Return the borders between the intervals that are left."""
        borders = np.flatnonzero(values[:-1] < values[1:])
        first = np.concatenate([[0], borders + 1])
        present, of_row = np.unique(classes, return_inverse=True)
        table = np.zeros((len(values), len(present)))
        table[np.arange(len(values)), of_row] = weights
        table = np.add.reduceat(table, first, axis=0)
        cuts = (values[borders] + values[borders + 1]) / 2
        # with one class there is no degree of freedom, and all are alike
        limit = chdtri(len(present) - 1, 1 - self.significance) if len(present) > 1 else np.inf
        while len(cuts):
            chi = chi_squared(table[:-1], table[1:])
            lowest = chi.min()
            if lowest >= limit and len(table) <= self.most:
                break
            stays = chi > lowest + ROUNDING * max(1.0, lowest)
            table = np.add.reduceat(table, np.concatenate([[0], np.flatnonzero(stays) + 1]), axis=0)
            cuts = cuts[stays]
        return cuts


def chi_squared(one: FloatArray, other: FloatArray) -> FloatArray:
    """Return chi-squared of pairs of intervals, (p,), by the (p, C) weights of the classes in each."""
    total = one + other
    size = total.sum(axis=1, keepdims=True)
    chi = np.zeros(len(one))
    for observed in (one, other):
        expected = total * observed.sum(axis=1, keepdims=True) / size
        some = expected > 0
        chi += (np.where(some, observed - expected, 0.0) ** 2 / np.where(some, expected, 1.0)).sum(axis=1)
    return chi


@hookimpl
def nbframework_discretizers() -> list[type[Discretizer]]:
    """Register the discretizer."""
    return [ChiMerge]
