"""How many errors to expect of a leaf or rule, from the errors on its training rows."""

import functools

import numpy as np

from nbframework.authoring import FloatArray
from nbframework_trees.table import TOLERANCE


def estimated_errors(weight: FloatArray, errors: FloatArray, confidence: float) -> FloatArray:
    """Return the upper limits of errors.

    Parameters
    ----------
    weight
        Weight N of the rows of each leaf.
    errors
        Weight e of the rows that are misclassified, at most N.
    confidence
        The chance CF of more errors than the limit, above 0 and at most 0.5.

    Returns
    -------
    N times the upper confidence limit of a binomial proportion: exact for e = 0, by the normal approximation with
    continuity correction from e = 1 on, linear between them; 0 where N is 0 (Quinlan 1993, section 4.2).
    """
    weight, errors = np.asarray(weight, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    safe = np.where(weight < TOLERANCE, 1.0, weight)
    none = safe * (1 - confidence ** (1 / safe))
    one = _normal_limit(safe, np.maximum(errors, 1.0), confidence)
    extra = np.where(errors >= 1, one, none + errors * (one - none))
    extra = np.where(errors < TOLERANCE, none, extra)
    return np.where(weight < TOLERANCE, 0.0, errors + extra)


def _normal_limit(weight: FloatArray, errors: FloatArray, confidence: float) -> FloatArray:
    """Return the number of errors to add to e of at least 1."""
    z = _normal_quantile(1 - confidence)
    share = np.minimum((errors + 0.5) / weight, 1.0)
    spread = z * np.sqrt(share / weight - share**2 / weight + z**2 / (4 * weight**2))
    limit = (share + z**2 / (2 * weight) + spread) / (1 + z**2 / weight)
    return np.where(errors + 0.5 >= weight, np.maximum(weight - errors, 0.0), limit * weight - errors)


@functools.cache
def _normal_quantile(probability: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(probability))
