"""Isotonic regression: the rising function that is nearest to the truth."""

from collections.abc import Callable

import numpy as np

from nbframework.authoring import FloatArray


def isotonic(scores: FloatArray, truth: FloatArray, weights: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """Return the log of the rising function of the score with the smallest weighted squared error.

    Between two scores it is straight, outside of them constant.

    Parameters
    ----------
    scores
        (n,) finite scores.
    truth
        (n,) 1 for the rows of the class, 0 for others.
    weights
        (n,) row weights.

    References
    ----------
    Ayer, Brunk, Ewing, Reid & Silverman (1955), An empirical distribution function for sampling with incomplete
    information (the adjacent violators are pooled).
    """
    places, where = np.unique(scores, return_inverse=True)
    weight = np.bincount(where, weights=weights).astype(np.float64)
    mean = np.bincount(where, weights=weights * truth) / weight
    heights = _pooled(mean, weight)

    def log_height(scores: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore"):
            return np.log(np.interp(scores, places, heights))

    return log_height


def _pooled(mean: FloatArray, weight: FloatArray) -> FloatArray:
    """Return the means after adjacent ones that fall were pooled."""
    means: list[float] = []
    weights: list[float] = []
    sizes: list[int] = []
    for value, mass in zip(mean.tolist(), weight.tolist(), strict=True):
        size = 1
        while means and means[-1] >= value:
            before = weights.pop()
            value = (means.pop() * before + value * mass) / (before + mass)
            mass += before
            size += sizes.pop()
        means.append(value)
        weights.append(mass)
        sizes.append(size)
    return np.repeat(means, sizes)
