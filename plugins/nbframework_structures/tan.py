"""Structure tan: tree-augmented naive Bayes by conditional mutual information."""

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
    Structure,
    Training,
    hookimpl,
)
from nbframework_structures.information import (
    conditional_information,
    information_about_class,
    largest,
    tolerance,
)
from nbframework_structures.parent_counts import PairStructure, ParentCounts
from nbframework_structures.parented import FittedParented


@dataclass(frozen=True, kw_only=True)
class Tan(PairStructure):
    """Let each attribute depend on the class and on its neighbour towards the root of a tree.

    The tree is the maximum spanning tree of the conditional mutual informations I(A_i; A_j | C) of the relative
    frequencies; its root is the attribute that tells most about the class. Ties are broken by the order of the
    attributes. A row that does not know the parent uses P(x | c).

    Parameters
    ----------
    smoothing
        s in theta = a P(x | c, parent) + (1 - a) P(x) with a = N / (N + s), where N rows have the class and the
        parent's value; 5 in the paper, with the estimator frequency. 0 leaves the estimates as they are. Inside a
        neighbourhood P(x) is that of the neighbours, like everything else that the tree is fitted on. N counts the rows
        that P(x | c, parent) is relative to: without those that do not know x, unless the missing policy includes them.

    References
    ----------
    Friedman, Geiger & Goldszmidt (1997), Bayesian network classifiers, sections 4.1 and 4.2.
    """

    name: ClassVar[str] = "tan"
    cite: ClassVar[str] = "Friedman, Geiger & Goldszmidt 1997"
    factored: ClassVar[bool] = True
    smoothing: Annotated[float, Ge(0)] = 0.0

    @property
    def sufficient(self) -> Literal["class weights", "counts", "pairs", "rows"]:
        """Pairs of values are enough."""
        return "pairs"

    def fit(self, training: Training, estimator: Estimator, density: Density) -> FittedFactoredStructure:
        """Find the tree and estimate the factors."""
        pairs = ParentCounts.of(training)
        information = conditional_information(pairs)
        parent = np.full(len(information), -1)
        if len(information):
            parent = spanning_tree(information, largest(information_about_class(training.counts)))
        parents = [(int(p),) if p >= 0 else () for p in parent]
        return FittedParented(training, estimator, parents, self.smoothing, pairs.notes)


def spanning_tree(weight: FloatArray, root: int) -> IntArray:
    """Return the (a,) parents in the maximum spanning tree, -1 for the root.

    Parameters
    ----------
    weight
        (a, a), symmetric.
    root
        Where all links lead away from. Among equal links that to the first attribute is made first, and from the
        first attribute of the tree.
    """
    equal = tolerance(weight)
    parent = np.full(len(weight), root)
    parent[root] = -1
    best = weight[root].copy()
    best[root] = -np.inf
    for _ in range(len(weight) - 1):
        added = largest(best)
        best[added] = -np.inf
        outside = best > -np.inf
        tied = outside & (np.abs(weight[added] - best) <= equal) & (added < parent)
        closer = (outside & (weight[added] > best + equal)) | tied
        parent[closer] = added
        best = np.where(closer, weight[added], best)
    return parent


@hookimpl
def nbframework_structures() -> list[type[Structure]]:
    """Register the structure."""
    return [Tan]
