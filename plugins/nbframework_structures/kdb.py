"""Structure kdb: k-dependence Bayesian classifiers."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from nbframework.authoring import (
    Density,
    Estimator,
    FittedFactoredStructure,
    FloatArray,
    Ge,
    Le,
    Structure,
    Training,
    hookimpl,
)
from nbframework_structures.information import conditional_information, information_about_class, largest
from nbframework_structures.parent_counts import PairStructure, ParentCounts
from nbframework_structures.parented import FittedParented, Parents


@dataclass(frozen=True, kw_only=True)
class Kdb(PairStructure):
    """Let each attribute depend on the class and on up to k attributes that tell more about the class.

    The attributes enter by descending mutual information with the class; each gets as parents the k attributes
    before it with which it shares most conditional mutual information. Ties are broken by the order of the
    attributes. A row that does not know a parent uses the probability given the parents that it knows.

    Parameters
    ----------
    k
        The number of parents besides the class; 0 is naive Bayes.
    least_information
        Conditional mutual information, in bits, below which there is no link.

    Notes
    -----
    A factor keeps a table for each combination of the parents' values that occurs, and for each subset of the
    parents: at most 2^k n tables of C v numbers.

    References
    ----------
    Sahami (1996), Learning limited dependence Bayesian classifiers.
    """

    name: ClassVar[str] = "kdb"
    cite: ClassVar[str] = "Sahami 1996"
    factored: ClassVar[bool] = True
    k: Annotated[int, Ge(0), Le(8)] = 1
    least_information: Annotated[float, Ge(0)] = 0.0

    @property
    def sufficient(self) -> Literal["class weights", "counts", "pairs", "rows"]:
        """Pairs of values are enough for one parent; combinations of more are counted in the rows."""
        return "pairs" if self.k <= 1 else "rows"

    @property
    def reason_for_rows(self) -> str:
        """Rows are needed for combinations of parents, pairs alone for one parent."""
        return f"looks at the rows themselves with k of {self.k}, expected k of at most 1"

    def fit(self, training: Training, estimator: Estimator, density: Density) -> FittedFactoredStructure:
        """Order the attributes, choose their parents and estimate the factors."""
        about_class = information_about_class(training.counts)
        parents: list[Parents] = [()] * len(about_class)
        notes: tuple[str, ...] = ()
        if self.k:
            pairs = ParentCounts.of(training)
            between, notes = conditional_information(pairs), pairs.notes
            before: list[int] = []
            for attribute in descending(about_class):
                parents[attribute] = self._parents(between[attribute], before)
                before.append(attribute)
        return FittedParented(training, estimator, parents, notes=notes)

    def _parents(self, information: FloatArray, before: list[int]) -> Parents:
        candidates = np.array(sorted(before), dtype=np.intp)
        order = descending(information[candidates])[: self.k]
        return tuple(int(p) for p in candidates[order] if information[p] >= self.least_information)


def descending(numbers: FloatArray) -> list[int]:
    """Return the indexes from the largest number to the smallest, the first of equal ones first."""
    left = numbers.copy()
    order = []
    for _ in range(len(numbers)):
        order.append(largest(left))
        left[order[-1]] = -np.inf
    return order


@hookimpl
def nbframework_structures() -> list[type[Structure]]:
    """Register the structure."""
    return [Kdb]
