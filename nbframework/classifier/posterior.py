"""From log joint probabilities to posteriors and predictions: the only normalisation there is."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
TieRule = Literal["first", "larger-class"]
BLOCK_CELLS = 40_000
"""Scores that are turned at a time."""
FEW_ROWS = 500
"""Rows that are not worth turning to find their best class."""


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
    log_posterior = np.empty(log_joint.shape)
    for block in _blocks(log_joint):
        scores = log_joint[block].T.copy()
        top = scores.max(axis=0)
        impossible = top == -np.inf
        if not impossible.any():
            scores -= top
            scores -= np.log(np.exp(scores).sum(axis=0))
        else:
            scores -= np.where(impossible, 0.0, top)
            scores -= np.log(np.exp(scores).sum(axis=0), where=~impossible, out=np.zeros_like(top))
            weight = np.broadcast_to(class_weight, log_joint.shape)[block][impossible]
            with np.errstate(divide="ignore"):
                scores[:, impossible] = np.log(weight / weight.sum(axis=-1, keepdims=True)).T
        log_posterior[block] = scores.T
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
    order = np.arange(log_posterior.shape[1])
    if rule == "larger-class":
        order = np.lexsort((order, -class_weight))
    if len(log_posterior) <= FEW_ROWS:
        ordered = log_posterior if rule == "first" else log_posterior[:, order]
        first = (ordered >= ordered.max(axis=1, keepdims=True) - tolerance).argmax(axis=1)
        return np.asarray(order[first])
    best = np.empty(len(log_posterior), dtype=np.intp)
    for block in _blocks(log_posterior):
        scores = log_posterior[block].T.copy()
        least = scores.max(axis=0) - tolerance
        # the place of the first tied class is the number of classes before it
        before = np.ones(len(least), dtype=np.bool_)
        place = np.zeros(len(least), dtype=np.min_scalar_type(len(order)))
        for code in order[:-1]:
            before &= scores[code] < least
            place += before
        best[block] = order[place]
    return best


def _blocks(scores: FloatArray) -> Iterator[slice]:
    """Yield blocks of rows that fit in the cache, to be turned so that NumPy works along the rows."""
    size = max(1, BLOCK_CELLS // max(1, scores.shape[1]))
    for first in range(0, len(scores), size):
        yield slice(first, first + size)
