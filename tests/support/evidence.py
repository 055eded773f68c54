"""Evidence for weight learners, and the conditional likelihood in the plainest NumPy with SciPy's optimiser."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from scipy.optimize import minimize

from nbframework import Dataset, Recipe
from nbframework.authoring import FittedNeighbourhood, Neighbourhood, Neighbours
from nbframework.parts.weights import Evidence
from nbframework_basics.entropy_mdl import EntropyMDL
from nbframework_basics.m_estimate import MEstimate


def evidence_of(dataset: Dataset, **parts) -> Evidence:
    """Return the evidence of all rows, by default with entropy-mdl and the m-estimate."""
    recipe = Recipe(**({"discretizer": EntropyMDL(), "estimator": MEstimate()} | parts))
    composition = recipe.build().composition
    _, training = composition.encode(dataset)
    structure = composition.structure.fit(training, composition.estimator, composition.density)
    return Evidence(training, structure, composition.structure, composition.estimator, composition.density)


def nearest_groups(evidence: Evidence, queries: list[int], k: int) -> Evidence:
    """Return the evidence of the k rows that agree with each query in most codes, ties kept, without the query."""
    whole = evidence.training
    codes = np.array(whole.codes.columns)
    rows = []
    for query in queries:
        distance = (codes != codes[:, [query]]).sum(axis=0)
        distance[query] = len(codes) + 1
        rows.append(np.flatnonzero(distance <= np.sort(distance)[k - 1]))
    return grouped(evidence, rows)


def grouped(evidence: Evidence, rows: list[np.ndarray]) -> Evidence:
    """Return the evidence of groups of rows."""
    whole, near = evidence.training, np.concatenate(rows)
    training = replace(
        whole,
        selection=near if whole.selection is None else whole.selection[near],
        class_codes=whole.classes[near],
        row_weights=None if whole.row_weights is None else whole.row_weights[near],
        start=np.cumsum([0, *map(len, rows)]),
        reference=whole.counts,
        known_counts=None,
    )
    structure = evidence.design.fit(training, evidence.estimator, evidence.density)
    return replace(evidence, training=training, structure=structure)


def log_likelihood(evidence: Evidence, weights: np.ndarray) -> tuple[float, np.ndarray]:
    """Return sum_l r_l ln P(c_l | x_l; w) of one group and its gradient, row by row as the papers write them."""
    training = evidence.training
    factors, rows = evidence.log_factors(), np.arange(len(training))
    scores = evidence.log_prior() + (factors * weights).sum(axis=-1)
    top = scores.max(axis=1, keepdims=True)
    posterior = np.exp(scores - top) / np.exp(scores - top).sum(axis=1, keepdims=True)
    own = factors[rows, training.classes]
    value = training.weights @ (scores[rows, training.classes] - top[:, 0] - np.log(np.exp(scores - top).sum(axis=1)))
    return float(value), training.weights @ (own - np.einsum("lc,lcf->lf", posterior, factors))


def tight_optimum(objective, first: np.ndarray) -> tuple[np.ndarray, float]:
    """Return where SciPy's L-BFGS-B finds the largest value between 0 and 1, and that value."""
    options = {"ftol": 1e-15, "gtol": 1e-10, "maxiter": 10_000, "maxfun": 50_000, "maxcor": 30}

    def negated(point):
        value, gradient = objective(point)
        return -value, -gradient

    found = minimize(negated, first, jac=True, bounds=[(0, 1)] * len(first), method="L-BFGS-B", options=options)
    return found.x, -float(found.fun)


@dataclass(frozen=True, kw_only=True)
class EveryRowLocally(Neighbourhood):
    """All rows, but as a neighbourhood of each query."""

    name: ClassVar[str] = "every-row-locally"

    def fit(self, training):
        return _EveryRow(training)


class _EveryRow(FittedNeighbourhood):
    def around(self, queries):
        count = len(self.training)
        start = np.arange(len(queries) + 1) * count
        return Neighbours(start, np.tile(np.arange(count), len(queries)), np.zeros(start[-1]))
