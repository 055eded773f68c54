"""Platt's sigmoid: a logistic function of one score."""

from collections.abc import Callable

import numpy as np

from nbframework.authoring import FloatArray

MOST_STEPS = 100
SMALL = 1e-12
"""A Newton step that improves the loss by less than this share of it is the last one."""


def sigmoid(scores: FloatArray, truth: FloatArray, weights: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """Return the log of 1 / (1 + exp(-(a f + b))), its a and b of the smallest log loss.

    The targets are (N+ + 1) / (N+ + 2) for the N+ rows of the class and 1 / (N- + 2) for the N- others, as Platt (1999)
    has them, and the minimum is found by the safe Newton steps of Lin, Lin & Weng (2007), A note on Platt's
    probabilistic outputs for support vector machines.

    Parameters
    ----------
    scores
        (n,) finite scores.
    truth
        (n,) 1 for the rows of the class, 0 for others.
    weights
        (n,) row weights.
    """
    positive = float((weights * truth).sum())
    negative = float((weights * (1 - truth)).sum())
    target = np.where(truth == 1, (positive + 1) / (positive + 2), 1 / (negative + 2))
    # the scale of the scores must not decide how well conditioned the steps are
    scale = max(float(np.abs(scores).max()), 1e-300)
    design = np.stack([scores / scale, np.ones_like(scores)], axis=1)
    found = np.array([0.0, np.log((positive + 1) / (negative + 1))])
    loss = _loss(design @ found, target, weights)
    for _ in range(MOST_STEPS):
        chance = _chance(design @ found)
        gradient = design.T @ (weights * (chance - target))
        curvature = (design * (weights * chance * (1 - chance))[:, np.newaxis]).T @ design
        step = np.linalg.solve(curvature + 1e-12 * max(1.0, curvature.max()) * np.eye(2), gradient)
        length = 1.0
        while length > 1e-10 and not (better := _loss(design @ (found - length * step), target, weights)) <= loss:
            length /= 2
        if length <= 1e-10:
            break
        found, gain, loss = found - length * step, loss - better, better
        if gain <= SMALL * abs(loss):
            break
    a, b = float(found[0] / scale), float(found[1])
    return lambda scores: -np.logaddexp(0.0, -(a * scores + b))


def _chance(score: FloatArray) -> FloatArray:
    return np.exp(-np.logaddexp(0.0, -score))


def _loss(score: FloatArray, target: FloatArray, weights: FloatArray) -> float:
    return float((weights * (np.logaddexp(0.0, score) - target * score)).sum())
