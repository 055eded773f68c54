"""How many training rows a weighting classifies correctly."""

from functools import cached_property

import numpy as np

from nbframework.authoring import FloatArray, IntArray

TIE = 1e-10
"""Nats within which classes are tied."""
BLOCK_CELLS = 4_000_000
"""Upper bound on the log probabilities that are made at once."""


class RowFactors:
    """The factors of n training rows, with exact zeros apart so that they can be added and taken away.

    Parameters
    ----------
    log_prior
        (n, C).
    log_factors
        (n, C, f).
    classes, weights
        (n,) of the rows.
    """

    def __init__(self, log_prior: FloatArray, log_factors: FloatArray, classes: IntArray, weights: FloatArray) -> None:
        self.log_prior, self.classes, self.weights = log_prior, classes, weights
        self.zero = np.isneginf(log_factors)
        self.finite = np.where(self.zero, 0.0, log_factors) if self.zero.any() else log_factors
        self._rows = np.arange(len(classes))

    @property
    def factor_count(self) -> int:
        """f, the number of factors."""
        return int(self.finite.shape[-1])

    @cached_property
    def largest_class(self) -> int:
        """The class of the largest weight, which is predicted where every class is impossible."""
        weight = np.bincount(self.classes, weights=self.weights, minlength=self.log_prior.shape[1])
        return int(np.argmax(weight))

    def log_joint(self, weights: FloatArray) -> FloatArray:
        """Return (n, C, p) log joint probabilities under p weightings (p, f)."""
        joint = self.log_prior[..., np.newaxis] + self.finite @ weights.T
        if self.zero.any():
            joint[self.zero @ (weights > 0).T.astype(np.float64) > 0] = -np.inf
        return joint

    def correct_weight(self, log_joint: FloatArray) -> FloatArray:
        """Return the (p,) weight of the rows whose class (n, C, p) log joints predict.

        Of tied classes the first declared one is predicted.
        """
        top = log_joint.max(axis=1)
        predicted = (log_joint >= top[:, np.newaxis] - TIE).argmax(axis=1)
        predicted = np.where(np.isneginf(top), self.largest_class, predicted)
        return np.asarray(self.weights @ (predicted == self.classes[:, np.newaxis]))

    def log_likelihood(self, log_joint: FloatArray) -> FloatArray:
        """Return the (p,) conditional log likelihoods under (n, C, p) log joints, -inf where one is 0."""
        top = log_joint.max(axis=1, keepdims=True)
        top = np.where(np.isneginf(top), 0.0, top)
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(np.exp(log_joint - top).sum(axis=1)) + top[:, 0]
            own = log_joint[self._rows, self.classes] - logs
        own[np.isnan(own)] = -np.inf
        return np.asarray((self.weights[:, np.newaxis] * own).sum(axis=0))

    def scores(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return correct weights and log likelihoods, both (p,), of p weightings (p, f), in blocks."""
        size = max(1, BLOCK_CELLS // max(1, self.log_prior.size))
        correct, likelihood = np.empty(len(weights)), np.empty(len(weights))
        for first in range(0, len(weights), size):
            block = slice(first, first + size)
            joint = self.log_joint(weights[block])
            correct[block], likelihood[block] = self.correct_weight(joint), self.log_likelihood(joint)
        return correct, likelihood

    def correct(self, weights: FloatArray) -> FloatArray:
        """Return the (p,) correct weights of p weightings (p, f), in blocks."""
        size = max(1, BLOCK_CELLS // max(1, self.log_prior.size))
        blocks = range(0, len(weights), size)
        return np.concatenate([self.correct_weight(self.log_joint(weights[i : i + size])) for i in blocks])


def best_of(correct: FloatArray, log_likelihood: FloatArray, total: float) -> int:
    """Return the index of the most correct weighting, of tied ones the most likely, then the first."""
    close = correct >= correct.max() - 1e-9 * total
    likelihood = np.where(close, log_likelihood, -np.inf)
    top = likelihood.max()
    slack = 0.0 if np.isneginf(top) else 1e-9 * (1.0 + abs(top))
    return int((close & (likelihood >= top - slack)).argmax())
