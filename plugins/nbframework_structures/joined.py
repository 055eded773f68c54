"""Structure joined: attributes joined to each other, or left out, where that classifies better."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import (
    Density,
    Estimator,
    FittedFactoredStructure,
    FittedStructure,
    FloatArray,
    Ge,
    IntArray,
    Lt,
    Rows,
    Structure,
    Training,
    hookimpl,
)
from nbframework_structures.joint_values import Joining, joined_training, reliable
from nbframework_structures.left_out import LARGEST_KEPT, LeftOut
from nbframework_structures.parented import Factor, Parents

Groups = tuple[Parents, ...]
AT_ONCE = 128
"""Groups whose factors are computed together."""


@dataclass(frozen=True, kw_only=True)
class Joined(Structure):
    """Multiply P(group | class) over groups of attributes, each taken as one attribute with all combinations as values.

    The groups are searched step by step for the most training rows that are classified correctly when each is left
    out of the counts; the search stops when no step classifies more. Of equal steps the first counts, additions and
    deletions before joins. A row that does not know all attributes of a group uses the product of those it knows.

    Parameters
    ----------
    search
        forward starts without attributes; a step adds one, alone or joined to a group. backward starts with all
        alone; a step deletes a group or joins two.
    reliability
        Use the joint frequencies of a combination only where Chebyshev's theorem makes them reliable with at least
        this probability, else the product of its single values (Kononenko); 0.5 in the paper, None for always.

    References
    ----------
    Pazzani (1996), Searching for dependencies in Bayesian classifiers: forward sequential selection and joining,
    backward sequential elimination and joining. Kononenko (1991), Semi-naive Bayesian classifier.
    """

    name: ClassVar[str] = "joined"
    cite: ClassVar[str] = "Pazzani 1996"
    factored: ClassVar[bool] = True
    exceptions: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"weight_two_is_the_row_twice": "leaving out removes the whole row, whatever its weight"}
    )
    search: Literal["forward", "backward"] = "backward"
    reliability: Annotated[float, Ge(0), Lt(1)] | None = None

    def fit(self, training: Training, estimator: Estimator, density: Density) -> FittedFactoredStructure:
        """Search the groups and estimate the factors."""
        criterion = LeftOutAccuracy(training, estimator, self.reliability)
        attributes = range(len(training.coded_inputs))
        groups: Groups = () if self.search == "forward" else tuple((attribute,) for attribute in attributes)
        right = criterion.weight_right(groups)
        while True:
            steps = list(_forward_steps(groups, attributes) if self.search == "forward" else _backward_steps(groups))
            found = criterion.weight_right_after(groups, steps)
            most = max(found, default=right)
            if most <= right * (1 + 1e-12):
                return FittedJoined(training, estimator, groups, self.reliability)
            best = next(step for step, weight in zip(steps, found, strict=True) if weight >= most * (1 - 1e-12))
            groups, right = best.applied(groups), most

    def with_factors_of(self, fitted: FittedStructure) -> Structure:
        """Return the structure with the groups that were found."""
        return (
            InGroups(groups=fitted.groups, reliability=self.reliability) if isinstance(fitted, FittedJoined) else self
        )


@dataclass(frozen=True, kw_only=True)
class InGroups(Structure):
    """Multiply P(group | class) over groups that are given.

    Parameters
    ----------
    groups
        The attributes of each factor.
    reliability
        As for `Joined`.
    """

    name: ClassVar[str] = Joined.name
    factored: ClassVar[bool] = True
    groups: Groups
    reliability: float | None

    def __post_init__(self) -> None:
        """Nothing to check: no recipe sets these fields."""

    def fit(self, training: Training, estimator: Estimator, density: Density) -> FittedFactoredStructure:
        """Estimate the factors."""
        return FittedJoined(training, estimator, self.groups, self.reliability)


@dataclass(frozen=True)
class Step:
    """Groups to take away, and one to put there or none."""

    removed: Groups
    added: Parents | None

    def applied(self, groups: Groups) -> Groups:
        """Return the groups after the step."""
        rest = tuple(group for group in groups if group not in self.removed)
        return rest if self.added is None else (*rest, self.added)


def _forward_steps(groups: Groups, attributes: range) -> Iterator[Step]:
    unused = [attribute for attribute in attributes if not any(attribute in group for group in groups)]
    for attribute in unused:
        yield Step((), (attribute,))
    for attribute in unused:
        for group in groups:
            yield Step((group,), tuple(sorted((*group, attribute))))


def _backward_steps(groups: Groups) -> Iterator[Step]:
    for group in groups:
        yield Step((group,), None)
    for first, second in combinations(groups, 2):
        yield Step((first, second), tuple(sorted((*first, *second))))


class LeftOutAccuracy:
    """How well groups of attributes classify the training rows, each left out of the counts.

    Parameters
    ----------
    training
        n rows without groups of rows.
    estimator
        Of all probabilities.
    reliability
        As for `Joined`; judged on all rows.
    """

    def __init__(self, training: Training, estimator: Estimator, reliability: float | None) -> None:
        self.training, self.estimator, self.reliability = training, estimator, reliability
        self.left_out = LeftOut(training, estimator)
        self.log_prior = self.left_out.log_prior()
        self.single = self.left_out.log_factors()
        self.kept: dict[Parents, FloatArray] = {}
        self.most_kept = max(2 * AT_ONCE, LARGEST_KEPT // max(1, self.log_prior.nbytes))

    def weight_right(self, groups: Groups) -> float:
        """Return the weight of the rows that the groups classify correctly."""
        return self.left_out.weight_right(self._scores(groups))

    def weight_right_after(self, groups: Groups, steps: Sequence[Step]) -> list[float]:
        """Return the weight of the rows that are classified correctly after each step alone."""
        scores = self._scores(groups)
        found = []
        for first in range(0, len(steps), AT_ONCE):
            some = steps[first : first + AT_ONCE]
            self._prepare([group for step in some for group in (*step.removed, *([step.added] if step.added else []))])
            for step in some:
                changed = scores.copy() if step.added is None else scores + self._log_factor(step.added)
                for group in step.removed:
                    changed -= self._log_factor(group)
                found.append(self.left_out.weight_right(changed))
        return found

    def _scores(self, groups: Groups) -> FloatArray:
        scores = self.log_prior.copy()
        for group in groups:
            self._prepare([group])
            scores += self._log_factor(group)
        return scores

    def _log_factor(self, group: Parents) -> FloatArray:
        """Return (n, C) log P(values of the group | class) of a prepared group."""
        return self.single[..., group[0]] if len(group) == 1 else self.kept[group]

    def _prepare(self, groups: Sequence[Parents]) -> None:
        """Compute the factors of groups that are not kept, all at once."""
        wanted = list(dict.fromkeys(group for group in groups if len(group) > 1))
        if len(self.kept) + len(wanted) > self.most_kept:
            self.kept = {group: self.kept[group] for group in wanted if group in self.kept}
        missing = [group for group in wanted if group not in self.kept]
        if not missing:
            return
        joined = joined_training(self.training, Joining.of(self.training.codes, missing))
        together = LeftOut(joined, self.estimator).log_factors()
        for index, group in enumerate(missing):
            apart = self.single[..., list(group)].sum(axis=-1)
            trusted = trusted_values(self.training, joined, index, group, self.reliability)
            used = trusted[joined.codes.columns[index]][:, np.newaxis]
            self.kept[group] = np.where(used, together[..., index], apart)


def trusted_values(
    training: Training, joined: Training, index: int, group: Parents, reliability: float | None
) -> NDArray[np.bool_]:
    """Return (g + 2,) whether the joint frequencies of a combination are used; never where it is unknown."""
    if reliability is not None and len(group) > 1:
        return reliable(training, joined, index, group, reliability)
    trusted = np.ones(joined.source_codes.cardinality[index] + 2, dtype=bool)
    trusted[-1] = False
    return trusted


class FittedJoined(FittedFactoredStructure):
    """A prior and one factor for each group of attributes.

    Parameters
    ----------
    training
        n rows without groups of rows.
    estimator
        Of all probabilities.
    groups
        The attributes of each factor.
    reliability
        As for `Joined`.
    """

    def __init__(
        self, training: Training, estimator: Estimator, groups: Sequence[Parents], reliability: float | None
    ) -> None:
        names = [training.inputs[position].name for position in training.coded_inputs]
        self.groups = tuple(groups)
        self.labels = tuple("+".join(names[attribute] for attribute in group) for group in groups)
        self.prior = estimator.log_prior(training.counts)
        self.joining = Joining.of(training.codes, groups)
        members = sorted({attribute for group in groups for attribute in group})
        self.single = {attribute: Factor(training, estimator, attribute, ()) for attribute in members}
        joined = joined_training(training, self.joining)
        self.joint = [Factor(joined, estimator, index, ()) for index in range(len(groups))]
        self.trusted = [
            trusted_values(training, joined, index, group, reliability) for index, group in enumerate(groups)
        ]

    def in_factors(self, training: Training) -> Training:
        """Return the rows with each group as one attribute, whose values are the combinations."""
        return joined_training(training, self.joining)

    def log_prior(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return the same prior for every query."""
        return np.repeat(self.prior[np.newaxis], len(queries), axis=0)

    def log_factors(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return log P(values of the group | class), in the order of the groups."""
        codes = queries.codes
        joined = self.joining.codes(codes)
        factors = np.zeros((len(codes), len(self.prior), len(self.groups)))
        for index, members in enumerate(self.groups):
            together = self.joint[index].log_probability(joined)
            apart = sum((self.single[member].log_probability(codes) for member in members), np.zeros_like(together))
            factors[:, :, index] = np.where(self.trusted[index][joined.columns[index]][:, np.newaxis], together, apart)
        return factors


@hookimpl
def nbframework_structures() -> list[type[Structure]]:
    """Register the structure."""
    return [Joined]
