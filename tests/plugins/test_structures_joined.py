"""Structure joined."""

import re
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from support.builders import fitted, logs, odds, posteriors, shares, table
from support.evidence import evidence_of
from support.structure_data import random_data

from nbframework import Attribute, Dataset, EvaluationError, Recipe
from nbframework.authoring import Structure
from nbframework_basics.laplace import Laplace
from nbframework_basics.naive import FittedNaive
from nbframework_structures.joined import FittedJoined, Joined, LeftOutAccuracy
from nbframework_structures.joint_values import Joining, joined_training, reliable
from nbframework_weighting.correlation_based import CorrelationBased
from nbframework_weighting.gain_ratio import GainRatio
from nbframework_weighting.information_gain import InformationGain
from nbframework_weighting.tree_depth import TreeDepth

FORWARD = "recipe: t\nestimator: {laplace: {f: 1}}\nstructure: {joined: {search: forward}}"
BACKWARD = "recipe: t\nestimator: {laplace: {f: 1}}\nstructure: {joined: {search: backward}}"
NAIVE = "recipe: t\nestimator: {laplace: {f: 1}}\nstructure: naive"
XOR = ("a {t,f}; b {t,f}; class {x,y}", "t t x; f f x; t f y; f t y; " * 3)


def labels(recipe: str, data) -> tuple[str, ...]:
    return fitted(recipe, data).model.structure.labels


def test_forward_adds_what_helps_and_joins_what_helps_more():
    # a alone is right in 10 of 15 rows, the majority in 8, a and b together in all
    data = table(XOR[0], "t t x; " * 4 + "t f y; " * 2 + "f f x; " * 3 + "f t y; " * 6)
    assert labels(FORWARD, data) == ("a+b",)
    # P(c) P(a, b | c) with four values
    expected = odds(f"{8 / 17 * 5 / 11} {9 / 17 * 1 / 12}")
    assert posteriors(FORWARD, data, data.take([0])) == pytest.approx(expected, abs=1e-15)


def test_backward_joins_what_only_together_tells_the_class():
    data = table(*XOR)
    assert labels(BACKWARD, data) == ("a+b",)
    # (6+1)/14 (3+1)/(6+4) against (6+1)/14 (0+1)/(6+4)
    assert posteriors(BACKWARD, data, data.take([0])) == pytest.approx(shares("4/5 1/5"), abs=1e-15)


def test_forward_stops_where_no_single_attribute_helps():
    rows = "t t x; f f x; t f y; f t y; " * 3 + "t t x"
    assert labels(FORWARD, table(XOR[0], rows)) == ()


def test_backward_deletes_what_misleads():
    # each row's b says the class of the others of its kind: left out, b turns right answers of a into errors
    rows = "t p x; t q x; t r x; t s y; f p y; f q y; f r y; f s x"
    data = table("a {t,f}; b {p,q,r,s}; class {x,y}", rows)
    found = labels(BACKWARD, data)
    assert found == ("a",)


def test_a_row_that_does_not_know_all_of_a_group_uses_what_it_knows():
    data = table(*XOR)
    query = table(XOR[0], "t ? ?")
    assert posteriors(BACKWARD, data, query) == pytest.approx(shares("1/2 1/2"), abs=1e-15)


def test_no_step_that_helps_leaves_naive_bayes():
    data = table("a {t,f}; b {t,f}; class {x,y}", "t t x; t t x; t t x; f f y; f f y; f f y")
    assert labels(BACKWARD, data) == ("a", "b")
    assert posteriors(BACKWARD, data, data) == pytest.approx(posteriors(NAIVE, data, data), abs=1e-15)


def test_the_reliable_join_is_used_and_the_unreliable_is_not():
    # J = (t, t): P(x | J) = 1, and independent values give P(x) (P(x | a) / P(x)) (P(x | b) / P(x)) = 1/2: they
    # differ by d = 1/2 * 1/2 + 1/2 * 1/2 = 1/2; the spread sum P(c)^2 p (1 - p) is 0, so that it is always reliable
    data = table(*XOR)
    recipe = BACKWARD.replace("backward", "backward, reliability: 0.99")
    assert posteriors(recipe, data, data.take([0])) == pytest.approx(shares("4/5 1/5"), abs=1e-15)


@pytest.mark.parametrize(("least", "trusted"), [(0.6, True), (0.7, False)])
def test_chebyshev_decides_at_its_bound(least, trusted):
    # (t, t): 3 x and 1 y of 4 rows, P(x | J) = 3/4; P(x | a=t) = P(x | b=t) = P(x) = 1/2, so that independent values
    # give 1/2: d = 1/4, spread = 1/4 (3/16 + 3/16) = 3/32, and 1 - 3/32 / (1/16 * 4) = 5/8
    rows = (
        "t t x; t t x; t t x; t t y; f f x; f f x; f f x; f f y; t f x; t f y; t f y; t f y; f t x; f t y; f t y; f t y"
    )
    data = table(XOR[0], rows)
    _, training = Recipe.from_text(NAIVE).build().composition.encode(data)
    joined = joined_training(training, Joining.of(training.codes, [(0, 1)]))
    assert reliable(training, joined, 0, (0, 1), least)[0] == trusted


def test_the_criterion_never_falls():
    for seed in range(3):
        data = random_data(seed)
        model = fitted(BACKWARD, data).model
        estimator = Recipe.from_text(BACKWARD).build().composition.estimator
        criterion = LeftOutAccuracy(model.training, estimator, None)
        alone = tuple((attribute,) for attribute in range(4))
        assert criterion.weight_right(model.structure.groups) >= criterion.weight_right(alone)


def test_a_joined_value_that_never_occurred_is_a_count_of_zero():
    data = table(XOR[0], "t t x; " * 4 + "t f y; " * 2 + "f f x; " * 3)
    recipe = "recipe: t\nestimator: {laplace: {f: 1}}\nstructure: naive"
    _, training = Recipe.from_text(recipe).build().composition.encode(data)
    joined = FittedJoined(training, Recipe.from_text(recipe).build().composition.estimator, [(0, 1)], None)
    query = fitted(recipe, data).model.encoder.queries(table(XOR[0], "f t ?"))
    assert joined.log_factors(query)[0, :, 0] == pytest.approx(logs("1/11 1/6"), abs=1e-15)


def test_factors_are_named_after_their_attributes():
    assert np.array_equal(labels(BACKWARD, table(*XOR)), ["a+b"])


def noisy(seed: int, rows: int = 48):
    """Rows whose class is mostly whether a equals b, beside an attribute that tells a little of it."""
    random = np.random.default_rng(seed)
    a, b = random.integers(0, 2, (2, rows))
    classes = np.where(random.random(rows) < 0.2, random.integers(0, 2, rows), a == b).astype(int)
    c = np.where(random.random(rows) < 0.3, random.integers(0, 3, rows), classes)
    words = zip(
        np.array(list("tf"))[a],
        np.array(list("tf"))[b],
        np.array(list("pqr"))[c],
        np.array(list("xy"))[classes],
        strict=True,
    )
    return table("a {t,f}; b {t,f}; c {p,q,r}; class {x,y}", "; ".join(map(" ".join, words)))


@pytest.mark.parametrize("reliability", [None, 0.5])
def test_a_row_is_left_out_of_the_groups_that_all_rows_have(reliability):
    evidence = evidence_of(noisy(3), structure=Joined(reliability=reliability), estimator=Laplace(f=1))
    assert evidence.labels == ("c", "a+b")
    prior, factors = evidence.leave_one_out()
    training, groups = evidence.training, evidence.structure.groups
    for row in range(len(training)):
        kept = np.delete(np.arange(len(training)), row)
        rest = replace(training, selection=kept, class_codes=training.class_codes[kept])
        model = FittedJoined(rest, Laplace(f=1), groups, reliability)
        np.testing.assert_allclose(prior[row], model.log_prior(training.take([row]))[0], atol=1e-14)
        np.testing.assert_allclose(factors[row], model.log_factors(training.take([row]))[0], atol=1e-14)


def test_selection_by_leaving_out_takes_joined_attributes():
    # with some of the rows left out the search finds other groups
    data = noisy(2, 24)
    found = {labels(BACKWARD, data.take(np.delete(np.arange(24), row))) for row in range(24)}
    assert len(found) > 1
    recipe = BACKWARD + "\nweights: {selective: {direction: backward, score: leave-one-out}}"
    assert posteriors(recipe, data, data).sum(axis=1) == pytest.approx(1, abs=1e-12)


class Named(FittedNaive):
    """Naive Bayes whose factors are called by the number of rows."""

    def __init__(self, training, *tables) -> None:
        super().__init__(training, *tables)
        self.labels = tuple(f"{label} of {len(training)}" for label in self.labels)


@dataclass(frozen=True, kw_only=True)
class NamedByRows(Structure):
    """A structure that has other factors for other rows, and does not say how to keep them."""

    name: ClassVar[str] = "named-by-rows"
    factored: ClassVar[bool] = True

    def fit(self, training, estimator, density):
        counts = training.counts
        return Named(training, estimator.log_prior(counts), estimator.log_conditional(counts), None)


def test_other_factors_where_a_row_is_left_out_are_an_error():
    evidence = evidence_of(table(*XOR), structure=NamedByRows())
    words = (
        "structure 'named-by-rows' has the factors ('a of 11', 'b of 11') where rows are left out, expected those of"
    )
    with pytest.raises(EvaluationError, match=re.escape(words)):
        evidence.leave_one_out()


@pytest.mark.parametrize("learner", [GainRatio(), InformationGain(), CorrelationBased(), TreeDepth(bagging=False)])
def test_a_filter_takes_joined_attributes_for_one(learner):
    data = noisy(3)
    joined = evidence_of(data, structure=Joined(), estimator=Laplace(f=1))
    assert joined.labels == ("c", "a+b")
    a, b, c, classes = data.columns
    attributes = [*data.attributes[2:3], Attribute.nominal("a+b", ["tt", "tf", "ft", "ff"]), data.class_attribute]
    by_hand = evidence_of(Dataset.from_columns(attributes, [c, 2 * a + b, classes]), estimator=Laplace(f=1))
    generator = np.random.default_rng(0)
    np.testing.assert_allclose(learner.learn(joined, generator), learner.learn(by_hand, generator), atol=1e-12)
