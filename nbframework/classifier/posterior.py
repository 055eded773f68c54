"""From log joint probabilities to posteriors and predictions: the only normalisation there is."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nbframework import kernels

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
    log_posterior, top = kernels.log_posteriors(log_joint)
    impossible = top == -np.inf
    if impossible.any():
        weight = np.broadcast_to(class_weight, log_joint.shape)[impossible]
        with np.errstate(divide="ignore"):
            log_posterior[impossible] = np.log(weight / weight.sum(axis=-1, keepdims=True))
    return log_posterior


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
    if rule == "larger-class" and class_weight.ndim > 1:
        tied = log_posterior >= log_posterior.max(axis=1, keepdims=True) - tolerance
        return np.asarray(np.argmax(np.where(tied, class_weight, -1.0), axis=1))
    return kernels.best_classes(log_posterior, winning_order(class_weight, rule), tolerance)


def winning_order(class_weight: FloatArray, rule: TieRule) -> IntArray:
    """Return the (C,) classes, each before those that it wins a tie with, by their (C,) training weights."""
    order = np.arange(class_weight.shape[-1])
    return order if rule == "first" else np.lexsort((order, -class_weight))
