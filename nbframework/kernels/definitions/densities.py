"""Log likelihoods of rows of numbers: sums over the attributes of log densities."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def gaussian_scores(values: Floats, mean: Floats, variance: Floats) -> Floats:
    """Return the (q, C) sums of log normal densities.

    Parameters
    ----------
    values
        (q, d), NaN for unknown, which adds 0.
    mean
        (C, d).
    variance
        (C, d), at least 0. Of variance 0 is what is certain at the mean, 0, and impossible elsewhere, -inf; NaN says
        that the attribute tells nothing, 0.
    """

    def term(c: int) -> Floats:
        distance = (values - mean[c]) / np.sqrt(variance[c])
        density = -0.5 * (np.log(2 * np.pi * variance[c]) + distance * distance)
        spike = np.where(np.isnan(distance), 0.0, -np.inf)
        return np.where(np.isnan(variance[c]), 0.0, np.where(variance[c] == 0, spike, density))

    return _summed(values, len(mean), term)


def count_scores(counts: Floats, log_share: Floats) -> Floats:
    """Return the (q, C) sums of counts times logarithms, where 0 x -inf = 0.

    Parameters
    ----------
    counts
        (q, d), NaN for unknown, which adds 0. A row with a count below 0 has the sums NaN.
    log_share
        (C, d) logarithms.
    """
    sums = _summed(counts, len(log_share), lambda c: np.where(counts == 0, 0.0, counts * log_share[c]))
    sums[(counts < 0).any(axis=1)] = np.nan
    return sums


def threshold_scores(values: Floats, threshold: float, above: Floats, below: Floats) -> Floats:
    """Return the (q, C) sums of one logarithm for each value above a threshold and another one for each that is not.

    Parameters
    ----------
    values
        (q, d), NaN for unknown, which adds 0.
    threshold
        Itself is not above.
    above, below
        (C, d) logarithms.
    """
    occurs = values > threshold
    return _summed(values, len(above), lambda c: np.where(occurs, above[c], below[c]))


def _summed(values: Floats, class_count: int, term: Callable[[int], Floats]) -> Floats:
    """Return the (q, C) sums of the (q, d) terms of each class over the known values."""
    unknown = np.isnan(values)
    sums = np.empty((len(values), class_count))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for c in range(class_count):
            sums[:, c] = np.where(unknown, 0.0, term(c)).sum(axis=1)
    return sums
