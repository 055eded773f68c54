"""Logarithms of smoothed ratios of counts."""

import numpy as np
from numpy.typing import NDArray

from nbframework.statistics.counts import Counts

FloatArray = NDArray[np.float64]


def log_smoothed(counts: Counts, pseudocount: FloatArray | float) -> FloatArray:
    """Return log((N + s) / (n + k s)) for every cell, with the *unknown* cells 0.

    Parameters
    ----------
    counts
        N = ``cells``, n = ``known``, k = ``cardinality``.
    pseudocount
        s at least 0: a number, or an array with the leading axes of the counts. Where n and s are 0 there is no
        evidence at all, and the estimate is uniform.
    """
    s = np.asarray(pseudocount, dtype=np.float64)[..., np.newaxis]
    k = counts.cardinality[..., np.newaxis, :]
    denominator = counts.known + k * s[..., np.newaxis]
    return log_ratio(counts, counts.cells + s[..., np.newaxis], denominator)


def log_ratio(counts: Counts, numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Return log(numerator / denominator) for every cell, uniform where the denominator is 0, *unknown* cells 0.

    Parameters
    ----------
    counts
        Gives the layout and the numbers of values.
    numerator
        (..., C, B).
    denominator
        (..., C, a).
    """
    empty = denominator == 0
    with np.errstate(divide="ignore"):
        logs = np.log(numerator)
        if not empty.any():
            return counts.skip_unknown(logs - counts.per_cell(np.log(denominator)))
        k = np.broadcast_to(counts.cardinality[..., np.newaxis, :], denominator.shape)
        per_attribute = np.where(empty, np.log(k), np.log(np.where(empty, 1.0, denominator)))
    logs = np.where(counts.per_cell(empty), 0.0, logs)
    return counts.skip_unknown(logs - counts.per_cell(per_attribute))


def log_prior_smoothed(counts: Counts, pseudocount: FloatArray | float) -> FloatArray:
    """Return log((n_c + s) / (N + C s)), (..., C); uniform where N and s are 0."""
    s = np.asarray(pseudocount, dtype=np.float64)[..., np.newaxis]
    if counts.log_class_weight is not None and not s.any():
        top = counts.log_class_weight.max(axis=-1, keepdims=True)
        shifted = counts.log_class_weight - np.where(np.isfinite(top), top, 0.0)
        with np.errstate(divide="ignore"):
            return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))
    classes = counts.class_weight.shape[-1]
    total = counts.class_weight.sum(axis=-1, keepdims=True) + classes * s
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(counts.class_weight + s) - np.log(total)
    return np.asarray(np.where(total == 0, -np.log(classes), logs))
