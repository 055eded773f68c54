"""Weighted sums of numbers over the rows of each class."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class ClassMoments(NamedTuple):
    """Moments of d attributes in C classes, over the rows that know them.

    Parameters
    ----------
    least
        (C, d) least value, inf where no row knows the attribute.
    weight
        (C, d) weight of the rows.
    mean
        (C, d) weighted mean of what exceeds the least value, so that equal values have exactly 0; 0 for weight 0.
    spread
        (C, d) weighted sum of the squared deviations from the mean.
    """

    least: Floats
    weight: Floats
    mean: Floats
    spread: Floats


def class_totals(values: Floats, classes: NDArray[Any], class_count: int, weights: Floats) -> Floats:
    """Return (2, C, d): the weight of the rows that know an attribute, and the weighted sum of its values.

    Parameters
    ----------
    values
        (n, d), NaN for unknown.
    classes
        (n,) integer codes below ``class_count``.
    class_count
        C.
    weights
        (n,) row weights.
    """
    totals = np.empty((2, class_count, values.shape[1]))
    for j, column in enumerate(values.T):
        known = ~np.isnan(column)
        code, w, x = classes[known], weights[known], column[known]
        totals[0, :, j] = np.bincount(code, weights=w, minlength=class_count)
        totals[1, :, j] = np.bincount(code, weights=w * x, minlength=class_count)
    return totals


def threshold_totals(
    values: Floats, threshold: float, classes: NDArray[Any], class_count: int, weights: Floats
) -> Floats:
    """Return (2, C, d): the weight of the rows with a value above the threshold, and of those with another known one.

    Parameters
    ----------
    values
        (n, d), NaN for unknown.
    threshold
        Itself is not above.
    classes
        (n,) integer codes below ``class_count``.
    class_count
        C.
    weights
        (n,) row weights.
    """
    totals = np.empty((2, class_count, values.shape[1]))
    for j, column in enumerate(values.T):
        for side, chosen in enumerate((column > threshold, column <= threshold)):
            totals[side, :, j] = np.bincount(classes[chosen], weights=weights[chosen], minlength=class_count)
    return totals


def class_moments(values: Floats, classes: NDArray[Any], class_count: int, weights: Floats) -> ClassMoments:
    """Return the weighted moments of each class and attribute, in two passes.

    Parameters
    ----------
    values
        (n, d), NaN for unknown.
    classes
        (n,) integer codes below ``class_count``.
    class_count
        C.
    weights
        (n,) row weights.
    """
    moments = ClassMoments(*np.zeros((4, class_count, values.shape[1])))
    moments.least[:] = np.inf
    for j, column in enumerate(values.T):
        known = ~np.isnan(column)
        code, w, x = classes[known], weights[known], column[known]
        np.minimum.at(moments.least[:, j], code, x)
        excess = x - moments.least[code, j]
        weight = np.bincount(code, weights=w, minlength=class_count)
        amount = np.bincount(code, weights=w * excess, minlength=class_count)
        np.divide(amount, weight, out=moments.mean[:, j], where=weight > 0)
        deviation = excess - moments.mean[code, j]
        moments.weight[:, j] = weight
        moments.spread[:, j] = np.bincount(code, weights=w * (deviation * deviation), minlength=class_count)
    return moments
