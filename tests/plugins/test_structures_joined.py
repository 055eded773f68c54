"""Structure joined."""

import numpy as np
import pytest
from support.builders import fitted, logs, odds, posteriors, shares, table
from support.structure_data import random_data

from nbframework import Recipe
from nbframework_structures.joined import FittedJoined, LeftOutAccuracy
from nbframework_structures.joint_values import Joining, joined_training, reliable

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
