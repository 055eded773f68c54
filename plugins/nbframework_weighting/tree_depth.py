"""Weight learner tree-depth: attributes count by how near the root decision trees test them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, ClassVar, Literal

import numpy as np

from nbframework.authoring import Evidence, FloatArray, Ge, Gt, WeightLearner, hookimpl
from nbframework_weighting.evidence import coded_attributes, each_group
from nbframework_weighting.tree import Sample, least_depths

_BAGGING = "bagging draws rows by their position"


@dataclass(frozen=True, kw_only=True)
class TreeDepth(WeightLearner):
    """Weight each attribute by 1 / sqrt(d), d its least depth in an unpruned decision tree, averaged over trees.

    The root has the depth 1; a tree that does not test the attribute counts 0. Each tree is grown on rows that are
    drawn with replacement, a row as often as its weight says.

    Parameters
    ----------
    trees
        Number of trees.
    share
        Rows that are drawn for each tree, relative to the weight of all rows.
    bagging
        Whether rows are drawn at all; otherwise there is one tree of all rows.
    criterion
        What a split is chosen by: gain-ratio (C4.5), or information-gain (ID3).
    minimum
        Weight of rows that at least two branches of a split must have.

    References
    ----------
    Hall (2007), A decision tree-based attribute weighting filter for naive Bayes.
    """

    name: ClassVar[str] = "tree-depth"
    cite: ClassVar[str] = "Hall 2007"
    handles_measured: ClassVar[bool] = False
    exceptions: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "weight_two_is_the_row_twice": _BAGGING,
            "the_order_of_rows_changes_nothing": _BAGGING,
            "the_order_of_attributes_changes_nothing": "of two attributes that split equally well the first is tested",
        }
    )
    trees: Annotated[int, Ge(1)] = 10
    share: Annotated[float, Gt(0)] = 0.5
    bagging: bool = True
    criterion: Literal["gain-ratio", "information-gain"] = "gain-ratio"
    minimum: Annotated[float, Gt(0)] = 2.0

    def learn(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        """Return the mean of 1 / sqrt(least depth)."""
        return each_group(evidence, generator, self._one)

    def _one(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        training, chosen = coded_attributes(evidence, self.name)
        if not len(chosen):
            return np.ones((1, 0))
        codes = training.codes
        sample = Sample(codes.columns, codes.cardinality, training.classes, training.class_count, training.weights)
        total = np.zeros(len(codes.columns))
        trees = self.trees if self.bagging else 1
        for _ in range(trees):
            drawn = self._drawn(sample, generator) if self.bagging else sample
            depths = least_depths(drawn, self.criterion, self.minimum)
            total += np.where(depths > 0, 1.0 / np.sqrt(np.maximum(depths, 1)), 0.0)
        return (total / trees)[chosen][np.newaxis]

    def _drawn(self, sample: Sample, generator: np.random.Generator) -> Sample:
        """Return rows drawn with replacement, each with the weight of its draws."""
        weight = float(sample.weights.sum())
        draws = max(1, round(self.share * weight))
        times = generator.multinomial(draws, sample.weights / weight)
        rows = np.flatnonzero(times)
        taken = sample.take(rows)
        return Sample(
            taken.columns, taken.cardinality, taken.classes, taken.class_count, times[rows].astype(np.float64)
        )


@hookimpl
def nbframework_weight_learners() -> list[type[WeightLearner]]:
    """Register the weight learner."""
    return [TreeDepth]
