"""Structure hnb: hidden naive Bayes."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from nbframework.authoring import (
    Density,
    Estimator,
    FittedFactoredStructure,
    FloatArray,
    Ge,
    IntArray,
    Rows,
    Structure,
    Training,
    hookimpl,
)
from nbframework_structures.information import conditional_information
from nbframework_structures.one_dependence import LARGEST_KEPT
from nbframework_structures.parent_counts import PairStructure, ParentCounts

BLOCK = 2_000_000
"""Numbers that are held at a time."""


@dataclass(frozen=True, kw_only=True)
class Hnb(PairStructure):
    """Give each attribute a hidden parent that mixes the influences of all other attributes.

    The factor of attribute i is the sum over j of W_ij P(x_i | x_j, c), where W_ij is the share of the conditional
    mutual information I(A_i; A_j | C) in the sum over j. Unknown attributes have no share; where no share is left,
    the factor is naive Bayes' P(x_i | c).

    Parameters
    ----------
    negligible
        Terms of the conditional mutual information are left out where P(c, x, y) P(c) or P(c, x) P(c, y) is below
        it; 1e-6 in Weka.

    Notes
    -----
    Memory is that of the structure aode.

    References
    ----------
    Jiang, Zhang & Cai (2009), A novel Bayes model: hidden naive Bayes, equations 6 to 10.
    """

    name: ClassVar[str] = "hnb"
    cite: ClassVar[str] = "Jiang, Zhang & Cai 2009"
    factored: ClassVar[bool] = True
    negligible: Annotated[float, Ge(0)] = 0.0

    @property
    def sufficient(self) -> Literal["class weights", "counts", "pairs", "rows"]:
        """Pairs of values are enough."""
        return "pairs"

    def fit(self, training: Training, estimator: Estimator, density: Density) -> FittedFactoredStructure:
        """Count all pairs of values, weigh the influences and estimate the probabilities."""
        return fit_hidden(training, estimator, self.negligible)


def fit_hidden(training: Training, estimator: Estimator, negligible: float) -> FittedFactoredStructure:
    """Return hidden naive Bayes of the training rows as they are weighted."""
    parents = ParentCounts.of(training)
    return FittedHnb(training, estimator, parents, conditional_information(parents, negligible))


class FittedHnb(FittedFactoredStructure):
    """The influences, the prior, and the probabilities of each attribute given each other one.

    Parameters
    ----------
    training
        n rows without groups.
    estimator
        Of all probabilities.
    parents
        The counts of the rows.
    influence
        (a, a) how strongly the column's attribute influences the row's, at least 0.
    """

    def __init__(self, training: Training, estimator: Estimator, parents: ParentCounts, influence: FloatArray) -> None:
        counts = training.counts
        self.labels = tuple(training.inputs[position].name for position in training.coded_inputs)
        self.offset, self.influence = counts.offset, influence
        self.prior, self.log_naive = estimator.log_prior(counts), estimator.log_conditional(counts)
        self.estimator, self.pair_counts = estimator, parents
        self.notes = parents.notes
        self.kept: list[FloatArray] | None = None
        if training.reference is None and 8 * len(self.prior) * int(self.offset[-1]) ** 2 <= LARGEST_KEPT:
            self.kept = [self._shares(parent, None) for parent in range(len(self.labels))]

    def log_prior(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return the same prior for every query."""
        return np.repeat(self.prior[np.newaxis], len(queries), axis=0)

    def log_factors(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return the log of each attribute's mixture, in the order of the attributes."""
        columns = queries.codes.columns
        factors = np.zeros((len(queries), len(self.prior), len(columns)))
        size = max(1, BLOCK // max(1, factors[:1].size))
        for first in range(0, len(queries) if columns else 0, size):
            block = np.stack([column[first : first + size] for column in columns], axis=1).astype(np.intp)
            factors[first : first + size] = self._block(block)
        return factors

    def _block(self, codes: IntArray) -> FloatArray:
        """Return (q, C, a) log factors of (q, a) codes."""
        cells = self.offset[:-1] + codes
        is_known = cells < self.offset[1:] - 1
        mixture = np.zeros((*codes.shape, len(self.prior)))
        total = np.where(is_known[:, np.newaxis, :], self.influence, 0.0).sum(axis=-1)
        for parent in np.flatnonzero(self.influence.any(axis=0)):
            rows = np.flatnonzero(is_known[:, parent])
            if len(rows):
                shares, value = self._table(int(parent), codes[rows, parent])
                everywhere = len(rows) == len(codes)
                picked = value[:, np.newaxis] * int(self.offset[-1]) + (cells if everywhere else cells[rows])
                if everywhere:
                    mixture += np.take(shares, picked, axis=0)
                else:
                    mixture[rows] += np.take(shares, picked, axis=0)
        mixed = (total > 0)[..., np.newaxis]
        with np.errstate(divide="ignore"):
            logs = np.log(np.divide(mixture, total[..., np.newaxis], out=np.ones_like(mixture), where=mixed))
        factors: FloatArray = np.where(mixed, logs, self.log_naive.T[cells])
        factors[~is_known] = 0.0
        return factors.swapaxes(1, 2)

    def _table(self, parent: int, values: IntArray) -> tuple[FloatArray, IntArray]:
        """Return what some of the parent's values add to the mixtures, and which of them each value is."""
        if self.kept is not None:
            return self.kept[parent], values
        distinct, place = np.unique(values, return_inverse=True)
        return self._shares(parent, distinct), place

    def _shares(self, parent: int, values: IntArray | None) -> FloatArray:
        """Return (g B, C) influence times P(child | class, parent), the parent's values one after the other."""
        counts = self.pair_counts.given(parent, values)
        table = np.exp(self.estimator.log_conditional(counts)) * counts.per_cell(self.influence[:, parent])
        return np.ascontiguousarray(table.swapaxes(1, 2)).reshape(-1, len(self.prior))


@hookimpl
def nbframework_structures() -> list[type[Structure]]:
    """Register the structure."""
    return [Hnb]
