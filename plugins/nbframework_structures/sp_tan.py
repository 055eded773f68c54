"""Structure sp-tan: tree-augmented naive Bayes grown by accuracy, super-parent by super-parent."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from nbframework.authoring import (
    Density,
    Estimator,
    FittedFactoredStructure,
    FloatArray,
    Structure,
    Training,
    hookimpl,
)
from nbframework_structures.left_out import LARGEST_KEPT, LeftOut
from nbframework_structures.parent_counts import PairStructure
from nbframework_structures.parented import FittedParented, Parents


@dataclass(frozen=True, kw_only=True)
class SpTan(PairStructure):
    """Add links to naive Bayes as long as they classify more training rows correctly when each is left out.

    An orphan is an attribute without a parent besides the class. In each round every attribute is tried as the
    parent of all orphans at once; the one that classifies best is the super-parent. Then each orphan is tried as its
    only child; the best one is its favourite child, and is linked if that classifies better than before. No link
    closes a circle. Ties are broken by the order of the attributes. Leaving out subtracts the row from the counts.

    References
    ----------
    Keogh & Pazzani (1999), Learning augmented Bayesian classifiers: a comparison of distribution-based and
    classification-based approaches, section 4.2.
    """

    name: ClassVar[str] = "sp-tan"
    cite: ClassVar[str] = "Keogh & Pazzani 1999"
    factored: ClassVar[bool] = True
    exceptions: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"weight_two_is_the_row_twice": "leaving out removes the whole row, whatever its weight"}
    )

    def fit(self, training: Training, estimator: Estimator, density: Density) -> FittedFactoredStructure:
        """Search the tree and estimate the factors."""
        search = Search(training, estimator)
        while search.grow():
            pass
        return FittedParented(training, estimator, search.parents)


class Search:
    """A tree that grows, and how well it classifies the left-out rows.

    Parameters
    ----------
    training
        n rows without groups.
    estimator
        Of all probabilities.
    """

    def __init__(self, training: Training, estimator: Estimator) -> None:
        self.left_out = LeftOut(training, estimator)
        self.parents: list[Parents] = [()] * len(training.coded_inputs)
        alone = self.left_out.log_factors()
        self.gained = lru_cache(maxsize=LARGEST_KEPT // max(1, alone.nbytes))(self._gained_by)
        self.alone = alone
        self.scores = self.left_out.log_prior() + alone.sum(axis=-1)
        self.right = self.left_out.weight_right(self.scores)

    def grow(self) -> bool:
        """Add the link of a super-parent to its favourite child, and return whether there was one that helps."""
        children = {parent: self._possible_children(parent) for parent in range(len(self.parents))}
        tried = {parent: self._scores_with(parent, some) for parent, some in children.items() if some}
        super_parent = self._best(tried)
        if super_parent is None:
            return False
        singly = {child: self._scores_with(super_parent, [child]) for child in children[super_parent]}
        favourite = self._best(singly)
        if favourite is None or self.left_out.weight_right(singly[favourite]) <= self.right * (1 + 1e-12):
            return False
        self.scores = singly[favourite]
        self.right = self.left_out.weight_right(self.scores)
        self.parents[favourite] = (super_parent,)
        return True

    def _possible_children(self, parent: int) -> list[int]:
        root = parent
        while self.parents[root]:
            root = self.parents[root][0]
        return [child for child, found in enumerate(self.parents) if not found and child not in (parent, root)]

    def _scores_with(self, parent: int, children: list[int]) -> FloatArray:
        return np.asarray(self.scores + self.gained(parent)[..., children].sum(axis=-1))

    def _gained_by(self, parent: int) -> FloatArray:
        """Return (n, C, a) what each attribute's log factor gains by the parent."""
        return np.asarray(self.left_out.log_factors(parent) - self.alone)

    def _best(self, scores: dict[int, FloatArray]) -> int | None:
        """Return the first attribute whose scores classify most weight correctly, None where there is none."""
        right = {attribute: self.left_out.weight_right(some) for attribute, some in scores.items()}
        most = max(right.values(), default=np.nan)
        return next((attribute for attribute, weight in right.items() if weight >= most * (1 - 1e-12)), None)


@hookimpl
def nbframework_structures() -> list[type[Structure]]:
    """Register the structure."""
    return [SpTan]
