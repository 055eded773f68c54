"""The kit finds what is broken: parts that each break one promise, and parts that keep all of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from nbframework import Dataset
from nbframework.authoring import (
    Attribute,
    Counts,
    DataGenerator,
    Density,
    Discretizer,
    Distance,
    Estimator,
    FittedDensity,
    FittedDistance,
    FittedNeighbourhood,
    FloatArray,
    Neighbourhood,
    Neighbours,
    Rows,
    Training,
    hookimpl,
    log_prior_smoothed,
    log_smoothed,
)
from nbframework.testing import PROMISES, Check, checks_of
from nbframework.testing.datasets import mixed
from nbframework.testing.shrinking import smallest


@dataclass(frozen=True, kw_only=True)
class Good(Estimator):
    name: ClassVar[str] = "kit-good"

    def log_conditional(self, counts: Counts) -> FloatArray:
        return log_smoothed(counts, 1.0)

    def log_prior(self, counts: Counts) -> FloatArray:
        return log_prior_smoothed(counts, 1.0)


@dataclass(frozen=True, kw_only=True)
class FlatPrior(Good):
    name: ClassVar[str] = "kit-flat-prior"

    def log_prior(self, counts: Counts) -> FloatArray:
        return np.zeros(counts.class_weight.shape)


@dataclass(frozen=True, kw_only=True)
class FirstGroup(Good):
    """Reads the first table only, wherever it stands."""

    name: ClassVar[str] = "kit-first-group"

    def log_conditional(self, counts: Counts) -> FloatArray:
        table = log_smoothed(counts, 1.0)
        return np.broadcast_to(table[0], table.shape) if table.ndim > 2 else table


@dataclass(frozen=True, kw_only=True)
class Middle(Discretizer):
    """Cuts at a row in the middle, whatever the weights."""

    name: ClassVar[str] = "kit-middle"

    def fit(self, values: FloatArray, classes: np.ndarray, weights: FloatArray) -> FloatArray:
        return np.array([values[len(values) // 2]])


@dataclass(frozen=True, kw_only=True)
class Slow(Discretizer):
    """Walks over the rows."""

    name: ClassVar[str] = "kit-slow"

    def fit(self, values: FloatArray, classes: np.ndarray, weights: FloatArray) -> FloatArray:
        total = 0.0
        for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
            total += weight * value
        return np.array([total / weights.sum()])


@dataclass(frozen=True, kw_only=True)
class Self(Neighbourhood):
    """Asks the first training row for the first query, the second for the second ..."""

    name: ClassVar[str] = "kit-self"

    def fit(self, training: Training) -> FittedNeighbourhood:
        return FittedSelf(training)


class FittedSelf(FittedNeighbourhood):
    def around(self, queries: Rows) -> Neighbours:
        row = np.arange(len(queries)) % len(self.training)
        return Neighbours(np.arange(len(queries) + 1), row, np.zeros(len(row)))


@dataclass(frozen=True, kw_only=True)
class BatchScaled(Distance):
    """Divides by the largest number among the queries."""

    name: ClassVar[str] = "kit-batch-scaled"

    def fit(self, training: Training) -> FittedDistance:
        return FittedBatchScaled(np.nan_to_num(training.measured))


class FittedBatchScaled(FittedDistance):
    def __init__(self, numbers: FloatArray) -> None:
        self.numbers = numbers

    def between(self, queries: Rows) -> FloatArray:
        asked = np.nan_to_num(queries.measured)
        return np.abs(asked[:, np.newaxis] - self.numbers).sum(axis=-1) / max(1.0, np.abs(asked).max())


@dataclass(frozen=True, kw_only=True)
class Unit(Density):
    """An exponential density of rate 1; its likelihoods are handed to it."""

    name: ClassVar[str] = "kit-unit"
    fitted: ClassVar[type[FittedDensity]]

    def fit(self, values, classes, class_count, weights, start=None) -> FittedDensity:
        return self.fitted(class_count)


class FittedUnit(FittedDensity):
    def __init__(self, class_count: int) -> None:
        self.class_count = class_count

    def log_density(self, values: FloatArray, group: np.ndarray | None = None) -> FloatArray:
        return np.repeat(-np.abs(values)[:, np.newaxis], self.class_count, axis=1)


class FittedWithUnknown(FittedUnit):
    """Takes an unknown value for the mean 1."""

    def log_likelihood(self, values: FloatArray, group: np.ndarray | None = None) -> FloatArray:
        return self.log_density(np.where(np.isnan(values), 1.0, values), group).sum(axis=-1)


class FittedWithoutGroups(FittedUnit):
    """Answers for the first group only."""

    def log_likelihood(self, values: FloatArray, group: np.ndarray | None = None) -> FloatArray:
        sums = super().log_likelihood(values, group)
        return sums if group is None else sums * (group == 0)[:, np.newaxis]


class FittedRounded(FittedUnit):
    """Keeps eleven digits."""

    def log_likelihood(self, values: FloatArray, group: np.ndarray | None = None) -> FloatArray:
        return super().log_likelihood(values, group) * (1 + 1e-11)


@dataclass(frozen=True, kw_only=True)
class WithUnknown(Unit):
    fitted: ClassVar[type[FittedDensity]] = FittedWithUnknown


@dataclass(frozen=True, kw_only=True)
class WithoutGroups(Unit):
    fitted: ClassVar[type[FittedDensity]] = FittedWithoutGroups


@dataclass(frozen=True, kw_only=True)
class Rounded(Unit):
    fitted: ClassVar[type[FittedDensity]] = FittedRounded


@dataclass(frozen=True, kw_only=True)
class Clock(DataGenerator):
    """Draws from a source of its own."""

    name: ClassVar[str] = "kit-clock"

    def generate(self, generator: np.random.Generator) -> Dataset:
        attributes = [Attribute.numeric("x"), Attribute.nominal("class", ["a", "b"])]
        return Dataset.from_columns(attributes, [np.random.default_rng().normal(size=4), [0, 1, 0, 1]])


@hookimpl
def nbframework_estimators() -> list[type[Estimator]]:
    return [Good]


def check_of(part, promise: str) -> Check:
    (check,) = (check for check in checks_of(part) if check.promise == promise)
    return check


@pytest.mark.parametrize("check", checks_of(Good()), ids=str)
def test_a_good_part_keeps_every_promise(check):
    check()
    assert check.outcome().status == "kept"


@pytest.mark.parametrize(
    ("part", "promise", "words"),
    [
        (FlatPrior(), "the_prior_matters", "95 of 100 rows are of the first class, its mean posterior is 0."),
        (FirstGroup(), "leading_axes_change_nothing", "log_conditional of group 2 among 3: at"),
        (FlatPrior(), "saving_changes_nothing", "recipes cannot name the estimator 'kit-flat-prior'"),
        (Middle(), "weight_two_is_the_row_twice", "weights 1, 2, 3 against repeated rows: posteriors differ by up to"),
        (Slow(), "rows_are_taken_together", "a loop over rows in Python"),
        (Self(), "queries_do_not_influence_each_other", "queries asked together against one by one"),
        (Self(), "leading_axes_change_nothing", "the neighbours of query 1 among all queries"),
        (BatchScaled(), "leading_axes_change_nothing", "distances of all queries at once against one by one: at"),
        (WithUnknown(), "likelihoods_are_sums_of_densities", "log_likelihood: at"),
        (WithoutGroups(), "likelihoods_are_sums_of_densities", "as the sum of log_density"),
        (Rounded(), "likelihoods_are_sums_of_densities", "log_likelihood: at (0, 0)"),
        (Clock(), "the_same_seed_gives_the_same_data", "the same seed gives two data sets"),
    ],
    ids=lambda value: value if isinstance(value, str) and value in PROMISES else "",
)
def test_a_broken_promise_is_found(part, promise, words):
    check = check_of(part, promise)
    with pytest.raises(AssertionError):
        check()
    outcome = check.outcome()
    assert outcome.status == "broken"
    assert words in outcome.reason


def test_the_example_of_a_broken_promise_is_small_and_breaks_it():
    check = check_of(Middle(), "weight_two_is_the_row_twice")
    example = check.outcome().example
    assert len(example) <= 4
    assert len(example.inputs) == 1
    with pytest.raises(AssertionError):
        PROMISES[check.promise].holds(check.part, example)


def test_the_reason_speaks_of_the_example():
    outcome = check_of(Middle(), "weight_two_is_the_row_twice").outcome()
    row = int(outcome.reason.partition("in row ")[2].split()[0])
    assert row < len(outcome.example)


def test_an_error_of_the_part_breaks_the_promise():
    @dataclass(frozen=True, kw_only=True)
    class Raises(Good):
        def log_prior(self, counts: Counts) -> FloatArray:
            raise ValueError("no prior")

    outcome = check_of(Raises(), "one_class_is_answered").outcome()
    assert (outcome.status, outcome.reason) == ("broken", "ValueError: no prior")


def test_a_declared_exception_is_told_with_its_reason_and_not_run():
    @dataclass(frozen=True, kw_only=True)
    class Honest(Middle):
        exceptions: ClassVar[Mapping[str, str]] = {"weight_two_is_the_row_twice": "it counts rows"}

    check = check_of(Honest(), "weight_two_is_the_row_twice")
    check()
    assert (check.outcome().status, check.outcome().reason) == ("declared", "it counts rows")


def test_an_exception_from_no_promise_is_refused():
    @dataclass(frozen=True, kw_only=True)
    class Misspelt(Middle):
        exceptions: ClassVar[Mapping[str, str]] = {"weight_2_is_the_row_twice": "it counts rows"}

    with pytest.raises(AssertionError, match=r"declares exceptions from \['weight_2_is_the_row_twice'\]"):
        checks_of(Misspelt())


def test_generators_and_other_parts_make_different_promises():
    generator = {check.promise for check in checks_of(Clock())}
    assert generator == {"the_same_seed_gives_the_same_data", "the_data_survive_a_file"}
    assert generator.isdisjoint(check.promise for check in checks_of(Good()))


def test_the_smallest_data_are_a_row_and_an_attribute_where_all_fail():
    found = smallest(mixed(40), lambda _: True)
    assert (len(found), len(found.inputs)) == (1, 1)


def test_nothing_is_taken_away_where_all_of_it_is_needed():
    data = mixed(9)
    assert smallest(data, lambda _: False) is data
