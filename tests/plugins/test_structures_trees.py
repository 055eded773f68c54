"""Structures tan, weka-tan, kdb and sp-tan."""

import numpy as np
import pytest
from support.builders import fitted, odds, posteriors, shares, table
from support.cases import needs_cases, train_and_test
from support.structure_data import random_data

from nbframework import Dataset, Recipe
from nbframework_structures.left_out import LeftOut
from nbframework_structures.sp_tan import Search
from nbframework_structures.tan import spanning_tree

LAPLACE = "recipe: t\nestimator: {laplace: {f: 1}}\nstructure: "
PAIR = ("a {t,f}; b {u,v}; class {x,y}", "t u x; t u x; t v x; f v x; f u y; f v y; t v y; f v y; f v y")


def parents_of(recipe: str, data: Dataset) -> tuple[tuple[int, ...], ...]:
    return fitted(recipe, data).model.structure.parents


def test_tan_of_two_attributes_by_hand():
    data = table(*PAIR)
    # a tells more about the class (3:1 against 1:4) than b (2:2 against 1:4), so that a is the root
    assert parents_of(LAPLACE + "tan", data) == ((), (0,))
    # P(c) P(t | c) P(u | c, t)
    x = 5 / 11 * 4 / 6 * 3 / 5
    y = 6 / 11 * 2 / 7 * 1 / 3
    assert posteriors(LAPLACE + "tan", data, data.take([0])) == pytest.approx(odds(f"{x} {y}"), abs=1e-15)


def test_tan_without_the_parent_uses_the_class_alone():
    query = table(PAIR[0], "? u ?")
    x, y = 5 / 11 * 3 / 6, 6 / 11 * 2 / 7
    assert posteriors(LAPLACE + "tan", table(*PAIR), query) == pytest.approx(odds(f"{x} {y}"), abs=1e-15)


def test_tan_smooths_as_in_the_paper():
    recipe = "recipe: t\nestimator: frequency\nstructure: {tan: {smoothing: 5}}"
    # theta = (n(x, c, pi) + 5 P(x)) / (n(c, pi) + 5), with P(t) = 4/9 and P(u) = 3/9
    x = 4 / 9 * (3 + 5 * 4 / 9) / (4 + 5) * (2 + 5 * 3 / 9) / (3 + 5)
    y = 5 / 9 * (1 + 5 * 4 / 9) / (5 + 5) * (0 + 5 * 3 / 9) / (1 + 5)
    data = table(*PAIR)
    assert posteriors(recipe, data, data.take([0])) == pytest.approx(odds(f"{x} {y}"), abs=1e-14)


def test_rows_that_do_not_know_an_attribute_lend_no_weight_to_its_estimate():
    # all rows of x and t leave b open: nothing is known of P(b | x, t), and P(b) remains, in which 5 of 8 have u
    data = table(PAIR[0], "t ? x; t ? x; t ? x; t ? x; f u x; f v x; t u y; t v y; f u y; f v y; f u y; f u y")
    model = fitted("recipe: t\nestimator: frequency\nstructure: {tan: {smoothing: 5}}", data).model
    assert model.structure.parents == ((), (0,))
    factors = np.exp(model.structure.log_factors(model.encoder.queries(table(PAIR[0], "t u ?; t v ?"))))
    assert factors[:, 0, 1] == pytest.approx([5 / 8, 3 / 8], abs=1e-15)
    # two rows of y and t know it: (1 + 5 P(b)) / (2 + 5)
    assert factors[:, 1, 1] == pytest.approx([(1 + 25 / 8) / 7, (1 + 15 / 8) / 7], abs=1e-15)


def test_denominators_that_include_all_rows_smooth_by_all_rows():
    data = table(PAIR[0], "t ? x; t u x; t v x; f u x; t u y; f v y; f u y; f v y; f u y; f v y")
    recipe = (
        "recipe: t\nmissing: {ignore: {denominator: include}}\nestimator: frequency\nstructure: {tan: {smoothing: 5}}"
    )
    model = fitted(recipe, data).model
    assert model.structure.parents == ((), (0,))
    factors = np.exp(model.structure.log_factors(model.encoder.queries(table(PAIR[0], "t u ?"))))
    # (1 + 5 P(u)) / (3 + 5), where 5 of all 10 rows have u
    assert factors[0, 0, 1] == pytest.approx((1 + 5 * 5 / 10) / 8, abs=1e-15)


def test_tan_of_one_attribute_is_naive_bayes():
    data = table("a {t,f}; class {x,y}", "t x; f x; f y")
    assert posteriors(LAPLACE + "tan", data, data) == pytest.approx(
        posteriors(LAPLACE + "naive", data, data), abs=1e-15
    )


def test_the_spanning_tree_has_the_largest_weight_of_all():
    weight = np.array([[0, 3, 1, 2], [3, 0, 5, 1], [1, 5, 0, 4], [2, 1, 4, 0]], dtype=float)
    assert spanning_tree(weight, 0).tolist() == [-1, 0, 1, 2]
    assert spanning_tree(weight, 3).tolist() == [1, 2, 3, -1]


def test_equal_links_are_made_in_the_order_of_the_attributes():
    generator = np.random.default_rng(0)
    noise = generator.normal(scale=1e-16, size=(5, 5))
    weight = np.ones((5, 5)) + noise + noise.T
    assert spanning_tree(weight, 2).tolist() == [2, 0, -1, 0, 0]


@needs_cases
def test_case_08_duplicated_attributes_give_always_the_same_tree():
    training, _ = train_and_test("ODE-08")
    trees = {parents_of(LAPLACE + "tan", training.take(np.random.default_rng(i).permutation(6))) for i in range(20)}
    # q tells all about the class; p and p2 share nothing with it and all with each other
    assert trees == {((2,), (0,), ())}


def test_tan_is_a_tree_that_spans_all_attributes():
    parents = parents_of(LAPLACE + "tan", random_data(3, rows=300))
    assert sorted(map(len, parents)) == [0, 1, 1, 1]
    for attribute in range(4):
        seen = [attribute]
        while parents[seen[-1]]:
            seen.append(parents[seen[-1]][0])
            assert len(seen) <= 4


def test_weka_tan_fills_in_the_most_frequent_value():
    rows = "t u x; t v x; ? u y; f v y; t u x"
    data = table("a {t,f}; b {u,v}; class {x,y}", rows)
    full = table("a {t,f}; b {u,v}; class {x,y}", rows.replace("?", "t"))
    recipe = "recipe: t\nestimator: {laplace: {f: 0.5}}\nstructure: weka-tan"
    assert posteriors(recipe, data, data) == pytest.approx(posteriors(recipe, full, full), abs=1e-15)


@pytest.mark.parametrize("seed", range(3))
def test_kdb_without_parents_is_naive_bayes(seed):
    data = random_data(seed)
    found = posteriors(LAPLACE + "{kdb: {k: 0}}", data, data)
    assert found == pytest.approx(posteriors(LAPLACE + "naive", data, data), abs=1e-14)


def test_kdb_orders_by_information_about_the_class():
    data = table(
        "a {t,f}; b {t,f}; c {t,f}; class {x,y}", "t t t x; f t t x; f t f x; t f f y; t f f y; f f t y; t f f y"
    )
    # b tells all about the class, then a and c as much as each other
    assert parents_of(LAPLACE + "{kdb: {k: 1}}", data)[1] == ()
    assert parents_of(LAPLACE + "{kdb: {k: 2}}", data) == ((1,), (), (0, 1))


def test_kdb_of_two_parents_by_hand():
    data = table(
        "a {t,f}; b {t,f}; c {t,f}; class {x,y}", "t t t x; f t t x; f t f x; t f f y; t f f y; f f t y; t f f y"
    )
    # P(c) P(b | c) P(a | c, b) P(c | c, a, b) at (t, f, f)
    x = 4 / 9 * 1 / 5 * 1 / 2 * 1 / 2
    y = 5 / 9 * 5 / 6 * 4 / 6 * 4 / 5
    assert posteriors(LAPLACE + "{kdb: {k: 2}}", data, data.take([3])) == pytest.approx(odds(f"{x} {y}"), abs=1e-15)


def test_kdb_with_an_unknown_parent_uses_the_known_ones():
    data = table(
        "a {t,f}; b {t,f}; c {t,f}; class {x,y}", "t t t x; f t t x; f t f x; t f f y; t f f y; f f t y; t f f y"
    )
    query = table("a {t,f}; b {t,f}; c {t,f}; class {x,y}", "t ? f ?")
    x = 4 / 9 * 2 / 5 * 1 / 3
    y = 5 / 9 * 4 / 6 * 4 / 5
    assert posteriors(LAPLACE + "{kdb: {k: 2}}", data, query) == pytest.approx(odds(f"{x} {y}"), abs=1e-15)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("estimator", ["{laplace: {f: 1}}", "laplace-m", "{no-match: {f: 0.5}}"])
def test_sp_tan_is_never_worse_than_naive_bayes_on_its_own_criterion(seed, estimator):
    data = random_data(seed)
    model = fitted(f"recipe: t\nestimator: {estimator}\nstructure: sp-tan", data).model
    naive = fitted(f"recipe: t\nestimator: {estimator}\nstructure: naive", data)
    left_out = LeftOut(model.training, estimator_of(estimator))
    factors = [
        left_out.log_factors(parents[0] if parents else None)[..., j]
        for j, parents in enumerate(model.structure.parents)
    ]
    plain = left_out.log_factors().sum(axis=-1)
    found = left_out.weight_right(left_out.log_prior() + sum(factors))
    assert found >= left_out.weight_right(left_out.log_prior() + plain)
    assert naive is not None


def estimator_of(text: str):
    return Recipe.from_text(f"recipe: t\nestimator: {text}").build().composition.estimator


def test_sp_tan_finds_the_link_that_naive_bayes_misses():
    data = table("a {t,f}; b {t,f}; class {x,y}", "t t x; f f x; t f y; f t y; " * 3)
    assert parents_of(LAPLACE + "sp-tan", data) == ((), (0,))
    assert posteriors(LAPLACE + "sp-tan", data, data).argmax(axis=1).tolist() == data.classes.tolist()
    # P(c) P(a | c) P(b | c, a)
    assert posteriors(LAPLACE + "sp-tan", data, data.take([0])) == pytest.approx(shares("4/5 1/5"), abs=1e-14)


def test_sp_tan_makes_no_circle():
    training = fitted(LAPLACE + "naive", random_data(5)).model.training
    search = Search(training, estimator_of("{laplace: {f: 1}}"))
    search.parents = [(), (0,), (1,), ()]
    assert search._possible_children(2) == [3]
    assert search._possible_children(3) == [0]


def test_attribute_weights_are_exponents_of_the_factors():
    data = random_data(6)
    attributes = [
        type(attribute)(attribute.name, attribute.kind, attribute.values, weight=weight)
        for attribute, weight in zip(data.attributes, [0.5, 1.0, 2.0, 0.0, 1.0], strict=True)
    ]
    weighted = Dataset.from_columns(attributes, data.columns)
    model = fitted(LAPLACE + "tan", data).model
    rows = model.encoder.queries(data)
    expected = model.structure.log_prior(rows) + model.structure.log_factors(rows) @ [0.5, 1.0, 2.0, 0.0]
    expected = np.exp(expected - np.logaddexp.reduce(expected, axis=1, keepdims=True))
    assert posteriors(LAPLACE + "tan\nweights: arff", weighted, weighted) == pytest.approx(expected, abs=1e-14)
