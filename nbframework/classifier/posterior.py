"""From log joint probabilities to posteriors and predictions: the only normalisation there is."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
TieRule = Literal["first", "larger-class"]


def normalised(log_joint: FloatArray, class_weight: FloatArray) -> FloatArray:
    """Return (q, C) log posteriors.

    Parameters
    ----------
    log_joint
        (q, C) log P(class, row) up to a constant for each row; -inf is an exact zero.
    class_weight
        (C,) training weight of each class, or (q, C) where it differs by row; where a row rules out every class its
        posterior is the raw class frequency.
    """
    top = log_joint.max(axis=1, keepdims=True)
    impossible = np.isneginf(top[:, 0])
    shifted = log_joint - np.where(np.isfinite(top), top, 0.0)
    log_posterior = shifted - np.log(
        np.exp(shifted).sum(axis=1, keepdims=True), where=~impossible[:, np.newaxis], out=np.zeros_like(top)
    )
    if impossible.any():
        with np.errstate(divide="ignore"):
            raw = np.log(class_weight / class_weight.sum(axis=-1, keepdims=True))
        log_posterior[impossible] = np.broadcast_to(raw, log_posterior.shape)[impossible]
    return np.asarray(log_posterior)


def most_probable(log_posterior: FloatArray, class_weight: FloatArray, rule: TieRule, tolerance: float) -> IntArray:
    """Return (q,) class codes of the largest posteriors.

    Parameters
    ----------
    log_posterior
        (q, C) log posteriors.
    class_weight
        (C,) training weight of each class, or (q, C).
    rule
        Which of the tied classes wins: the first declared, or the one with the larger training weight (then the
        first declared).
    tolerance
        In nats: classes within it of the best one are tied.
    """
    tied = log_posterior >= log_posterior.max(axis=1, keepdims=True) - tolerance
    if rule == "first":
        return np.asarray(np.argmax(tied, axis=1))
    return np.asarray(np.argmax(np.where(tied, class_weight, -1.0), axis=1))
