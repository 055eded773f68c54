"""Structure weka-tan: the tree of Weka's BayesNet, grown by a Bayesian score."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import (
    Codes,
    Density,
    Estimator,
    FittedFactoredStructure,
    FloatArray,
    Gt,
    IntArray,
    Rows,
    Structure,
    Training,
    hookimpl,
)
from nbframework_structures.parent_counts import PairStructure, ParentCounts
from nbframework_structures.parented import FittedParented


@dataclass(frozen=True, kw_only=True)
class WekaTan(PairStructure):
    """Grow a tree over the attributes by what each link adds to a Bayesian Dirichlet score.

    The gain of a link from t to h is the score of h given the class and t minus its score given the class; it is not
    symmetric. The first link is the largest gain of all; then the largest gain between an attribute that is linked
    and one that is not, whatever its sign. The first of equal gains wins, h before t. A link makes h the parent of t
    where t has none, else t the parent of h.

    Unknown values become the attribute's most frequent value in the training rows, after discretization; the first
    declared value wins a tie. The recipe's estimator gives the probabilities; Weka's is laplace with f = alpha.
    Mathematically equal gains are decided by rounding, as in Weka: log gammas are summed one after the other. Scores
    count weights; in Weka they count rows.

    Parameters
    ----------
    alpha
        Every hyperparameter of the score.

    References
    ----------
    Weka 3.6.14, BayesNet with the local search TAN, score BAYES. Friedman, Geiger & Goldszmidt (1997).
    """

    name: ClassVar[str] = "weka-tan"
    cite: ClassVar[str] = "Weka 3.6.14, BayesNet with TAN"
    factored: ClassVar[bool] = True
    exceptions: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "names_change_nothing": "the first declared of equally frequent values stands for an unknown one, and "
            "equal gains are decided by rounding",
            "the_order_of_attributes_changes_nothing": "equal gains are decided by rounding, then by the order",
        }
    )
    alpha: Annotated[float, Gt(0)] = 0.5

    def fit(self, training: Training, estimator: Estimator, density: Density) -> FittedFactoredStructure:
        """Fill in unknown values, grow the tree and estimate the factors."""
        mode = most_frequent(training)
        known = replace(training, source_codes=filled(training.source_codes, mode), known_counts=None)
        pairs = ParentCounts.of(known)
        parent = grown_tree(score_gains(pairs, self.alpha))
        return FittedWekaTan(known, estimator, [(int(p),) if p >= 0 else () for p in parent], mode, pairs.notes)


class FittedWekaTan(FittedParented):
    """The tree, and the value that stands for an unknown one of each attribute."""

    def __init__(
        self,
        training: Training,
        estimator: Estimator,
        parents: list[tuple[int, ...]],
        mode: IntArray,
        notes: tuple[str, ...],
    ) -> None:
        super().__init__(training, estimator, parents, notes=notes)
        self.mode = mode

    def log_factors(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return log P(attribute | class, parent) with unknown values filled in."""
        return super().log_factors(replace(queries, source_codes=filled(queries.source_codes, self.mode)), group)


def most_frequent(training: Training) -> IntArray:
    """Return the (a,) most frequent code of each attribute."""
    counts = training.counts
    weight = counts.cells.sum(axis=-2)
    blocks = zip(counts.offset[:-1], counts.unseen, strict=True)
    return np.array(
        [np.argmax(weight[first:unseen]) if unseen > first else 0 for first, unseen in blocks], dtype=np.intp
    )


def filled(codes: Codes, mode: IntArray) -> Codes:
    """Return the codes with the mode for unknown."""
    mappings = []
    for size, code in zip(codes.cardinality, mode.tolist(), strict=True):
        mapping = np.arange(size + 2)
        mapping[size + 1] = code
        mappings.append(mapping)
    return codes.recoded(mappings, codes.cardinality)


def score_gains(parents: ParentCounts, alpha: float) -> FloatArray:
    """Return (a, a) gains: of the link to the row's attribute h from the column's attribute t; -inf on the diagonal."""
    counts = parents.training.counts
    size = np.diff(counts.offset) - 2
    alone = _scores(counts.cells[np.newaxis], counts.offset, size, alpha)
    gains = np.empty((len(size), len(size)))
    for t in range(len(size)):
        given = parents.raw(t)
        gains[:, t] = _scores(given.cells[:-1].swapaxes(0, 1), given.offset, size, alpha) - alone
        gains[t, t] = -np.inf
    return gains


def _scores(cells: FloatArray, offset: IntArray, size: IntArray, alpha: float) -> FloatArray:
    """Return the (a,) scores of all attributes for (C, v, B) counts given configurations, class by class.

    Each score is summed term by term: for a configuration the log gammas of its values, then those of its total.
    """
    from scipy.special import gammaln

    scores = np.zeros(len(size))
    flat = cells.reshape(-1, cells.shape[-1])
    for values in np.unique(size):
        chosen = np.flatnonzero(size == values)
        of_value = flat[:, offset[chosen, np.newaxis] + np.arange(values)].swapaxes(0, 1)
        terms = np.empty((len(chosen), len(flat), values + 3))
        terms[..., :values] = gammaln(alpha + of_value)
        terms[..., values] = -gammaln(values * alpha + of_value.sum(axis=-1))
        terms[..., values + 1] = -values * gammaln(alpha)
        terms[..., values + 2] = gammaln(values * alpha)
        scores[chosen] = np.add.accumulate(terms.reshape(len(chosen), -1), axis=1)[:, -1]
    return scores


def grown_tree(gains: FloatArray) -> IntArray:
    """Return the (a,) parents, -1 for none."""
    attributes = len(gains)
    parent = np.full(attributes, -1)
    linked = np.zeros(attributes, dtype=bool)
    for link in range(attributes - 1):
        allowed = np.ones_like(gains, dtype=bool) if link == 0 else linked[:, np.newaxis] != linked
        h, t = np.unravel_index(np.argmax(np.where(allowed, gains, -np.inf)), gains.shape)
        if parent[t] < 0:
            parent[t] = h
        else:
            parent[h] = t
        linked[[h, t]] = True
    return parent


@hookimpl
def nbframework_structures() -> list[type[Structure]]:
    """Register the structure."""
    return [WekaTan]
