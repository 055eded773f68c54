"""Objectives of one training set: sums over its rows, whose factors are made block by block where they are many."""

import abc
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import Evidence, FloatArray, IntArray

KEPT_FACTORS = 20_000_000
"""Factors that are kept in memory between the passes over the rows; where there are more they are made anew."""


@dataclass(frozen=True, eq=False)
class Block:
    """Some rows of the training set.

    Parameters
    ----------
    log_prior
        (r, C) log prior, -inf where a factor or the prior is an exact zero, whatever the weights.
    log_factors
        (r, C, f) log factors, finite: 0 where the class is impossible.
    classes
        (r,) class codes.
    weights
        (r,) row weights, 0 for rows whose own class is impossible.
    """

    log_prior: FloatArray
    log_factors: FloatArray
    classes: IntArray
    weights: FloatArray

    @property
    def truth(self) -> NDArray[np.bool_]:
        """(r, C) whether a class is the row's own."""
        return np.asarray(self.classes[:, np.newaxis] == np.arange(self.log_prior.shape[1]))

    def log_posterior(self, weights: FloatArray) -> FloatArray:
        """Return (r, C) log posteriors under (f,) weights, or (C, f) ones of each class."""
        if weights.ndim == 1:
            scores = self.log_prior + self.log_factors @ weights
        else:
            scores = self.log_prior + np.einsum("rcf,cf->rc", self.log_factors, weights)
        top = scores.max(axis=1, keepdims=True)
        return np.asarray(scores - top - np.log(np.exp(scores - top).sum(axis=1, keepdims=True)))


class RowObjective(abc.ABC):
    """A sum over rows less pull / 2 times the squared distance of the weights from 1, to be maximised.

    It is an `Objective` of one function.

    Parameters
    ----------
    evidence
        Without groups.
    pull
        Strength of the pull towards 1.
    """

    def __init__(self, evidence: Evidence, pull: float) -> None:
        self._evidence, self._pull = evidence, pull
        self.class_count, self.factor_count = evidence.training.class_count, len(evidence.labels)
        self._kept = list(self._made()) if factors_of(evidence) <= KEPT_FACTORS else None

    @abc.abstractmethod
    def value_of(self, block: Block, point: FloatArray) -> float:
        """Return the block's part of the sum at the (v,) point."""

    @abc.abstractmethod
    def derivatives_of(self, block: Block, point: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the block's parts of the (v,) gradient and of the (v, v) negated Hessian."""

    def bent(self, curvature: FloatArray) -> FloatArray:
        """Return the (v, v) curvature made positive semidefinite; that of a concave sum is."""
        return curvature

    def value(self, points: FloatArray, which: IntArray) -> FloatArray:
        """Return the objective at (h, v) points."""
        sums = np.array([sum(self.value_of(block, point) for block in self._blocks()) for point in points])
        return np.asarray(sums - 0.5 * self._pull * ((points - 1.0) ** 2).sum(axis=-1))

    def derivatives(self, points: FloatArray, which: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the (h, v) gradients and (h, v, v) curvatures at (h, v) points."""
        size = points.shape[-1]
        gradients, curvatures = np.zeros(points.shape), np.zeros((*points.shape, size))
        for index, point in enumerate(points):
            for block in self._blocks():
                gradient, curvature = self.derivatives_of(block, point)
                gradients[index] += gradient
                curvatures[index] += curvature
            curvatures[index] = self.bent(curvatures[index])
        return gradients - self._pull * (points - 1.0), curvatures + self._pull * np.eye(size)

    def _blocks(self) -> Iterator[Block]:
        return iter(self._kept) if self._kept is not None else self._made()

    def _made(self) -> Iterator[Block]:
        training = self._evidence.training
        for rows, prior, factors in self._evidence.blocks():
            impossible = np.isneginf(prior) | np.isneginf(factors).any(axis=-1)
            own = training.classes[rows]
            silent = impossible[np.arange(len(rows)), own]
            # such a row says nothing, and its posterior has to exist
            impossible[silent] = False
            factors[impossible | silent[:, np.newaxis]] = 0.0
            prior = np.where(impossible, -np.inf, np.where(silent[:, np.newaxis], 0.0, prior))
            yield Block(prior, factors, own, np.where(silent, 0.0, training.weights[rows]))


def factors_of(evidence: Evidence) -> int:
    """Return how many factors the training rows have in all."""
    return len(evidence.training) * evidence.training.class_count * len(evidence.labels)


def is_learnable(evidence: Evidence) -> bool:
    """Whether the training rows are of more than one class, and there is a factor to weight."""
    classes = evidence.training.classes[evidence.training.weights > 0]
    return bool(len(evidence.labels) and len(classes) and (classes != classes[0]).any())
