"""Normalisation, exact zeros and ties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.builders import fitted, odds, posteriors, table

from nbframework.classifier.posterior import most_probable, normalised

NEVER = -np.inf


def log(*values):
    with np.errstate(divide="ignore"):
        return np.log(np.array(values, dtype=float))


# --- normalisation


def test_a_joint_becomes_its_shares():
    found = normalised(log([0.1, 0.3]), np.ones(2))
    np.testing.assert_allclose(found, log([0.25, 0.75]), atol=1e-15)


def test_tiny_joints_keep_their_ratio():
    found = normalised(np.array([[-50_000.0, -50_001.0]]), np.ones(2))
    expected = 1 / (1 + np.exp(-1))
    np.testing.assert_allclose(np.exp(found), [[expected, 1 - expected]], atol=1e-15)


def test_huge_joints_keep_their_ratio():
    found = normalised(np.array([[50_000.0, 50_000.0]]), np.ones(2))
    np.testing.assert_allclose(np.exp(found), [[0.5, 0.5]], atol=1e-15)


def test_an_exact_zero_stays_minus_infinity():
    found = normalised(log([0.2, 0, 0.2]), np.ones(3))
    assert found[0, 1] == NEVER
    np.testing.assert_allclose(np.exp(found), [[0.5, 0, 0.5]], atol=1e-15)


def test_a_loser_that_underflows_keeps_its_log():
    found = normalised(np.array([[0.0, -5000.0]]), np.ones(2))
    assert found.tolist() == [[0.0, -5000.0]]


def test_a_row_that_rules_out_every_class_gets_the_raw_class_frequencies():
    found = normalised(np.array([[NEVER, NEVER, NEVER], [0.0, NEVER, NEVER]]), np.array([3.0, 1.0, 0.0]))
    np.testing.assert_array_equal(np.exp(found), [[0.75, 0.25, 0], [1, 0, 0]])


@given(st.lists(st.floats(-1e4, 1e3), min_size=1, max_size=8))
def test_posteriors_sum_to_one(row):
    found = normalised(np.array([row]), np.ones(len(row)))
    assert np.exp(found).sum() == pytest.approx(1, abs=1e-12)


def test_no_row_gives_no_row():
    assert normalised(np.empty((0, 3)), np.ones(3)).shape == (0, 3)


# --- ties


def test_the_first_declared_of_tied_classes():
    assert most_probable(log([0.4, 0.4, 0.2]), np.array([1.0, 2, 3]), "first", 0).tolist() == [0]


def test_the_larger_of_tied_classes():
    assert most_probable(log([0.4, 0.4, 0.2]), np.array([1.0, 2, 3]), "larger-class", 0).tolist() == [1]


def test_the_first_declared_of_tied_classes_of_equal_weight():
    assert most_probable(log([0.2, 0.4, 0.4]), np.array([3.0, 2, 2]), "larger-class", 0).tolist() == [1]


@pytest.mark.parametrize(("difference", "tolerance", "winner"), [(1e-11, 1e-10, 0), (1e-9, 1e-10, 1), (1e-11, 0, 1)])
def test_the_tolerance_is_in_nats(difference, tolerance, winner):
    row = np.array([[-1.0, -1.0 + difference]])
    assert most_probable(row, np.ones(2), "first", tolerance).tolist() == [winner]


def test_impossible_classes_are_never_tied():
    assert most_probable(log([0.0, 1.0]), np.array([5.0, 1]), "larger-class", 1e-10).tolist() == [1]


def test_an_empty_class_loses_a_tie_to_any_other():
    assert most_probable(log([0.5, 0.5]), np.array([0.0, 1]), "larger-class", 0).tolist() == [1]


# --- the same through a recipe

HEADER = "x {u,v}; class {a,b}"
EVEN = table(HEADER, "u a; v a; u b; v b")
UNEVEN = table(HEADER, "u a; v a; u b; u b; v b; v b")


def test_ties_first_predicts_the_first_declared():
    assert fitted("recipe: t\nties: first", EVEN).predict(table(HEADER, "u ?")).tolist() == [0]


def test_ties_larger_class_predicts_the_one_with_more_rows():
    # P(u, a) = 1/2 * 1/2 under equal priors; b has more rows
    text = "recipe: t\nestimator: frequency\nprior: {m-estimate: {m: 1e12}}\ntie_tolerance: 1e-6\nties: "
    query = table(HEADER, "u ?")
    assert fitted(text + "larger-class", UNEVEN).predict(query).tolist() == [1]
    assert fitted(text + "first", UNEVEN).predict(query).tolist() == [0]


def test_tie_tolerance_makes_rounding_harmless():
    # the same three factors in another order: equal up to rounding
    header = "x {u,v}; y {u,v}; z {u,v}; class {a,b}"
    rows = "u u v a; u v v a; v v v a; u v v b; u u v b; v v v b"
    training = table(header, rows)
    query = table(header, "u v v ?")
    assert fitted("recipe: t", training).predict(query).tolist() == [0]


def test_a_row_that_rules_out_every_class_predicts_the_largest_class():
    header = "x {u,v,w}; class {a,b}"
    training = table(header, "u a; v b; v b")
    model = fitted("recipe: t\nestimator: frequency", training)
    np.testing.assert_allclose(model.predict_proba(table(header, "w ?")), odds("1/3 2/3"), atol=1e-15)
    assert model.predict(table(header, "w ?")).tolist() == [1]


def test_the_fallback_is_the_raw_prior_even_where_the_recipe_smooths_it():
    header = "x {u,v,w}; class {a,b,c}"
    training = table(header, "u a; v b; v b")
    text = "recipe: t\nestimator: frequency\nprior: {laplace: {f: 1}}"
    found = posteriors(text, training, table(header, "w ?"), **{"missing.cardinality": "declared"})
    # class c has no row: its factor is uniform, so it is the only possible one
    np.testing.assert_array_equal(found, [[0, 0, 1]])
    np.testing.assert_allclose(
        posteriors(text + "\nempty_classes: drop", training, table(header, "w ?")), odds("1 2 0")
    )
