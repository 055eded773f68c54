"""Weight learner differential-evolution: weights bred for accuracy."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import Evidence, FloatArray, Ge, Gt, IntArray, Le, WeightLearner, hookimpl
from nbframework_weighting.accuracy import RowFactors
from nbframework_weighting.evidence import each_group


@dataclass(frozen=True, kw_only=True)
class DifferentialEvolution(WeightLearner):
    """Breed weights between 0 and 1 that classify most training rows correctly, by DE/rand/1/bin.

    Each weighting w is challenged by one that takes each number, with the probability ``crossover``, from
    w1 + scale (w2 - w3) of three other weightings, cut off at 0 and 1; the challenger takes its place unless it is
    less accurate. At the end the most accurate weighting is taken, the first of equals. The paper leaves the numbers
    open; the defaults are Storn and Price's.

    Parameters
    ----------
    per_attribute
        Weightings for each attribute.
    largest
        Upper limit of their number; there are at least 4.
    generations
        How often each weighting is challenged.
    scale
        F.
    crossover
        CR.

    References
    ----------
    Wu & Cai (2011), Attribute weighting via differential evolution algorithm for attribute weighted naive Bayes.
    Storn & Price (1997), Differential evolution.
    """

    name: ClassVar[str] = "differential-evolution"
    cite: ClassVar[str] = "Wu & Cai 2011"
    exceptions: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"the_order_of_attributes_changes_nothing": "random numbers go to the attributes in their order"}
    )
    per_attribute: Annotated[int, Ge(1)] = 10
    largest: Annotated[int, Ge(4)] = 100
    generations: Annotated[int, Ge(0)] = 50
    scale: Annotated[float, Gt(0), Le(2)] = 0.5
    crossover: Annotated[float, Ge(0), Le(1)] = 0.9

    def learn(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        """Return the most accurate weighting that was bred."""
        return each_group(evidence, generator, self._one)

    def _one(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        training = evidence.training
        rows = RowFactors(evidence.log_prior(), evidence.log_factors(), training.classes, training.weights)
        if not rows.factor_count:
            return np.ones((1, 0))
        size = max(4, min(self.largest, self.per_attribute * rows.factor_count))
        population = generator.random((size, rows.factor_count))
        fitness = self._fitness(rows, population)
        for _ in range(self.generations):
            challengers = self._challengers(population, generator)
            challenge = self._fitness(rows, challengers)
            won = challenge >= fitness
            population[won], fitness[won] = challengers[won], challenge[won]
        return population[[fitness.argmax()]]

    def _fitness(self, rows: RowFactors, population: FloatArray) -> FloatArray:
        """Return the weight of correct rows, rounded so that the order of fractional sums decides nothing."""
        return np.asarray(np.round(rows.correct(population), 9))

    def _challengers(self, population: FloatArray, generator: np.random.Generator) -> FloatArray:
        """Return one challenger for each weighting."""
        size, factors = population.shape
        one, two, three = population[_three_others(size, generator)].transpose(1, 0, 2)
        crossed = generator.random((size, factors)) < self.crossover
        crossed[np.arange(size), generator.integers(0, factors, size)] = True
        return np.where(crossed, np.clip(one + self.scale * (two - three), 0.0, 1.0), population)


def _three_others(size: int, generator: np.random.Generator) -> IntArray:
    """Return (size, 3) distinct members for each one, none of them itself."""
    keys = generator.random((size, size))
    np.fill_diagonal(keys, np.inf)
    return np.argsort(keys, axis=1)[:, :3]


@hookimpl
def nbframework_weight_learners() -> list[type[WeightLearner]]:
    """Register the weight learner."""
    return [DifferentialEvolution]
