"""Classifiers lazy-bayesian-rules and recursive-bayes."""

import numpy as np
import pytest
from support.builders import fitted, odds, posteriors, table
from support.structure_data import random_data

NAIVE = "recipe: t\nestimator: {laplace: {f: 1}}\nstructure: naive"
RULES = "recipe: t\nestimator: {laplace: {f: 1}}\nclassifier: lazy-bayesian-rules"
RECURSIVE = "recipe: t\nestimator: {laplace: {f: 1}}\nclassifier: recursive-bayes"
XOR = ("a {t,f}; b {t,f}; class {x,y}", "t t x; f f x; t f y; f t y; " * 6)


def test_a_rule_solves_the_exclusive_or_by_hand():
    data = table(*XOR)
    # given a = t: P(x) = 7/14, P(b = t | x) = 7/8 against P(b = t | y) = 1/8
    assert posteriors(RULES, data, data.take([0])) == pytest.approx(odds("7 1"), abs=1e-15)


def test_a_rule_takes_the_first_of_equally_good_conditions():
    model = fitted(RULES, table(*XOR)).model
    antecedent, rule = model._grown(np.array([0, 0]))
    assert len(antecedent) == 1
    assert rule.rows.tolist() == np.flatnonzero(np.array([0, 1, 0, 1] * 6) == 0).tolist()


def test_no_significant_condition_leaves_naive_bayes():
    data = table("a {t,f}; b {t,f}; class {x,y}", "t t x; f t x; f f y; t f y; t t x; f f y")
    assert posteriors(RULES, data, data) == pytest.approx(posteriors(NAIVE, data, data), abs=1e-15)


@pytest.mark.parametrize(("times", "significant"), [(1, False), (2, False), (3, True)])
def test_the_sign_test_asks_for_enough_wins(times, significant):
    # with k rows of each kind, a = t turns 2 k errors into right answers: 0.5 ** (2 k) has to be below 0.05
    data = table(XOR[0], "t t x; f f x; t f y; f t y; " * times)
    naive = posteriors(NAIVE, data, data)
    changed = np.abs(posteriors(RULES, data, data) - naive).max() > 1e-9
    model = fitted(RULES, data).model
    before, after = model.rule(frozenset()), model.rule(frozenset({(0, 0)}))
    wins = int((after.right & ~before.right[after.rows]).sum())
    assert significant == (wins > 0 and 0.5**wins < 0.05)
    assert changed == significant


def test_an_unknown_value_is_no_condition():
    data = table(*XOR)
    query = table(XOR[0], "? t ?")
    assert posteriors(RULES, data, query) == pytest.approx(odds("1 1"), abs=1e-15)


def test_equal_queries_get_equal_answers():
    data = random_data(3)
    twice = data.take(np.repeat(np.arange(20), 2))
    found = posteriors(RULES, data, twice)
    assert np.array_equal(found[::2], found[1::2])


def test_recursive_bayes_never_misclassifies_more_training_rows_than_naive_bayes():
    for seed in range(5):
        data = random_data(seed, rows=150)
        wrong = [(posteriors(recipe, data, data).argmax(axis=1) != data.classes).sum() for recipe in (NAIVE, RECURSIVE)]
        assert wrong[1] <= wrong[0]


def test_recursive_bayes_learns_anew_inside_a_cell_by_hand():
    # naive Bayes calls all rows with a = t x, and errs on (t, v); inside the cell of x, b decides
    rows = "t u x; t u x; t u x; t u x; t u x; t u x; t v y; t v y; f u y; f u y; f u y; f u y; f u y; f v x"
    data = table("a {t,f}; b {u,v}; class {x,y}", rows)
    naive, found = posteriors(NAIVE, data, data), posteriors(RECURSIVE, data, data)
    assigned = naive.argmax(axis=1)
    cell = data.take(np.flatnonzero(assigned == 0))
    inside = posteriors(NAIVE, cell, cell)
    better = (inside.argmax(axis=1) != cell.classes).sum() < (cell.classes != 0).sum()
    assert better
    assert found[assigned == 0] == pytest.approx(inside, abs=1e-15)


def test_recursive_bayes_stops_at_few_rows():
    data = random_data(1, rows=150)
    recipe = RECURSIVE.replace("recursive-bayes", "{recursive-bayes: {least_rows: 1000}}")
    assert posteriors(recipe, data, data) == pytest.approx(posteriors(NAIVE, data, data), abs=1e-15)


def test_recursive_bayes_of_separable_classes_is_naive_bayes():
    data = table("a {t,f}; b {u,v}; class {x,y}", "t u x; t v x; f u y; f v y")
    assert posteriors(RECURSIVE, data, data) == pytest.approx(posteriors(NAIVE, data, data), abs=1e-15)
