"""What is done with the scores of each row's classes on the way to posteriors and predictions."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
BLOCK_CELLS = 40_000
"""Scores that are turned at a time, so that NumPy works along the rows."""


def log_posteriors(scores: Floats) -> tuple[Floats, Floats]:
    """Return (q, C) log posteriors and the (q,) largest scores.

    Where all scores of a row are -inf they stay as they are.

    Parameters
    ----------
    scores
        (q, C) log P(class, row) up to a constant for each row.
    """
    posteriors, top = np.empty(scores.shape), np.full(len(scores), -np.inf)
    for block in _blocks(scores):
        turned = scores[block].T.copy()
        top[block] = turned.max(axis=0, initial=-np.inf)
        turned -= np.where(top[block] == -np.inf, 0.0, top[block])
        total = np.zeros(turned.shape[1])
        # NumPy's own sum of a single row would be pairwise
        for term in np.exp(turned):
            total += term
        total[top[block] == -np.inf] = 1.0
        posteriors[block] = (turned - np.log(total)).T
    return posteriors, top


def best_classes(scores: Floats, order: Ints, tolerance: float) -> Ints:
    """Return the (q,) first class in an order that is not more than the tolerance below the best one.

    Parameters
    ----------
    scores
        (q, C) scores, at least one class.
    order
        (C,) classes, the one that wins a tie first.
    tolerance
        At least 0.

    Returns
    -------
    Codes of classes; -1 where all scores are -inf, or one is NaN or inf.
    """
    best = np.empty(len(scores), dtype=np.intp)
    for block in _blocks(scores):
        turned = scores[block].T.copy()
        top = turned.max(axis=0)
        # the place of the first tied class is the number of classes before it
        before = np.ones(len(top), dtype=np.bool_)
        place = np.zeros(len(top), dtype=np.min_scalar_type(len(order)))
        with np.errstate(invalid="ignore"):
            for code in order[:-1]:
                # the difference of close numbers is exact, however large they are
                before &= turned[code] - top < -tolerance
                place += before
        # the largest of all is NaN where one of them is
        best[block] = np.where(np.isfinite(top), order[place], -1)
    return best


def _blocks(scores: Floats) -> Iterator[slice]:
    """Yield blocks of rows that fit in the cache."""
    size = max(1, BLOCK_CELLS // max(1, scores.shape[1]))
    for first in range(0, len(scores), size):
        yield slice(first, first + size)
