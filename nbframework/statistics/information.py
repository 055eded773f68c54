"""Entropy and what follows from it, in bits, from weighted counts."""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


def x_log2_x(x: FloatArray) -> FloatArray:
    """Return x log2 x elementwise, with 0 for 0."""
    positive = x > 0
    return np.where(positive, x * np.log2(np.where(positive, x, 1.0)), 0.0)


def entropy(counts: FloatArray, axis: int = -1) -> FloatArray:
    """Return the entropy of the distributions along ``axis``, in bits; 0 where all counts are 0."""
    total = counts.sum(axis=axis)
    safe = np.where(total > 0, total, 1.0)
    return np.asarray((x_log2_x(total) - x_log2_x(counts).sum(axis=axis)) / safe)


def relative_entropy(p: FloatArray, q: FloatArray) -> FloatArray:
    """Return KL(p || q) along the last axis, in bits; infinite where q is 0 and p is not."""
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(p > 0, p * (np.log2(p) - np.log2(q)), 0.0)
    return np.asarray(terms.sum(axis=-1))


def mutual_information(joint: FloatArray) -> FloatArray:
    """Return I(X; Y) of (..., X, Y) joint counts, in bits."""
    return np.asarray(
        entropy(joint.sum(axis=-1)) + entropy(joint.sum(axis=-2)) - entropy(joint.reshape(*joint.shape[:-2], -1))
    )
