"""Whole classifiers tell in words what a prediction rests on."""

import numpy as np
import pytest
from support.builders import table

from nbframework import Attribute, Dataset, Recipe
from nbframework.data.arff import read_arff
from nbframework.data.catalog import bundled_path
from nbframework.explain import explain
from nbframework.explain.rendering import as_data, as_html, as_text


def steps() -> Dataset:
    """Class a up to 3, above it a for red and b for blue; the colour of the last row is unknown."""
    numbers = [1.0, 2, 3, 3, 5, 6, 7, 8, 5, 6, 7, 8, 9]
    colours = ["red", "blue", "red", "blue"] + ["red"] * 4 + ["blue"] * 4 + [None]
    classes = ["a"] * 8 + ["b"] * 4 + ["b"]
    attributes = [
        Attribute.numeric("size"),
        Attribute.nominal("colour <", ["red", "blue"]),
        Attribute.nominal("c", ["a", "b"]),
    ]
    return Dataset.from_columns(attributes, [numbers, colours, classes])


def reasons(recipe: str, data: Dataset, row: int) -> tuple[str, ...]:
    return explain(Recipe.load(recipe).build().fit(data), data, row, changes=False).reasons


def test_the_way_down_a_tree() -> None:
    data = steps()
    assert reasons("c45", data, 1) == (
        "colour < = blue",
        "size = 2 is at most 3",
        "training rows: 2 of a",
    )
    assert reasons("c45", data, 9)[:2] == ("colour < = blue", "size = 6 is above 3")


def test_an_unknown_value_ends_the_way() -> None:
    (reason,) = reasons("c45", steps(), 12)
    assert reason == "colour < is unknown: every branch is taken by its share of the training rows"


def test_the_conditions_of_a_rule() -> None:
    data = steps()
    assert set(reasons("c45-rules", data, 9)) == {"colour < = blue", "size > 3"}


def test_a_leaf_of_a_tree_of_classifiers() -> None:
    data = read_arff(bundled_path("tic-tac-toe"))
    *tests, last = reasons("nb-tree", data, 5)
    assert last == "the other parts of the recipe, fitted on the training rows of this leaf"
    assert tests
    for test in tests:
        name, _, value = test.partition(" = ")
        attribute = next(a for a in data.attributes if a.name == name)
        column = data.columns[data.attributes.index(attribute)]
        assert (attribute.values or ())[column[5]] == value


def test_the_rows_of_a_lazy_rule() -> None:
    data = read_arff(bundled_path("tic-tac-toe"))
    *conditions, last = reasons("lazy-bayesian-rules", data, 5)
    met = np.ones(len(data), dtype=bool)
    for condition in conditions:
        name, _, value = condition.partition(" = ")
        attribute = next(a for a in data.attributes if a.name == name)
        met &= data.columns[data.attributes.index(attribute)] == attribute.code_of[value]
    assert last == f"naive Bayes on the {met.sum()} training rows of which this holds"
    assert reasons("lazy-bayesian-rules", read_arff(bundled_path("iris")), 60) == (
        "naive Bayes on the 150 training rows without a condition",
    )


def test_the_neighbourhood_of_snnb_is_told_with_its_rows() -> None:
    data = read_arff(bundled_path("tic-tac-toe"))
    fitted = Recipe.load("snnb").build().fit(data)
    explanation = explain(fitted, data, 70, changes=False)
    assert explanation.neighbours is not None
    differing = np.sum([column != column[70] for column in data.input_columns], axis=0)
    rows = [row for row, _ in explanation.neighbours]
    assert sorted(rows) == np.flatnonzero(differing <= 3).tolist()
    assert np.all(np.diff(differing[rows]) >= 0)
    assert explanation.reasons[0] == f"naive Bayes on the {len(rows)} training rows that differ in at most 3 attributes"
    # the same estimator fitted on these rows gives the same answer
    inside = Recipe.from_text("recipe: t\nestimator: {laplace: {f: 1}}").build().fit(data.take(sorted(rows)))
    np.testing.assert_allclose(inside.predict_proba(data.take([70]))[0], explanation.posterior, rtol=1e-12)


def test_snnb_on_all_rows_names_none() -> None:
    data = read_arff(bundled_path("iris"))
    explanation = explain(Recipe.load("snnb").build().fit(data), data, 70, changes=False)
    assert explanation.neighbours is None
    assert explanation.reasons[0].startswith("naive Bayes on all 150 training rows: each left out, 0.9467 of them ")


def test_rows_of_snnb_have_the_numbers_of_the_rows_that_were_given() -> None:
    rows = "? 0 p; 0 0 p; 0 0 p; 0 1 q; 1 0 q; 0 1 q; 1 0 q; 1 1 p; 1 1 p"
    data = table("x {0,1}; y {0,1}; class {p,q}", rows)
    recipe = "recipe: t\nmissing: drop-rows\nestimator: {laplace: {f: 1}}\nclassifier: {snnb: {minimum_rows: 2}}"
    explanation = explain(Recipe.from_text(recipe).build().fit(data), data, 1, changes=False)
    # the first row is dropped; of the others two equal the query
    assert explanation.neighbours == ((1, 1.0), (2, 1.0))
    assert explanation.reasons[0] == "naive Bayes on the 2 training rows that differ in no attribute"


def test_the_cells_of_recursive_bayes() -> None:
    rows = "t u x; " * 6 + "t v y; " * 2 + "f u y; " * 5 + "f v x"
    data = table("a {t,f}; b {u,v}; class {x,y}", rows)
    recipe = "recipe: t\nestimator: {laplace: {f: 1}}\nclassifier: recursive-bayes"
    fitted = Recipe.from_text(recipe).build().fit(data)
    # naive Bayes assigns all 8 rows with a = t to x, and the cell of these tells v from u
    assert explain(fitted, data, 6, changes=False).reasons == (
        "on all 14 training rows x is most probable",
        "on the 8 of these that are assigned to x, y is most probable",
    )


def test_recursive_bayes_without_a_cell_below() -> None:
    data = table("a {t,f}; class {x,y}", "t x; t x; f y; f y")
    recipe = "recipe: t\nestimator: {laplace: {f: 1}}\nclassifier: recursive-bayes"
    reasons_of = explain(Recipe.from_text(recipe).build().fit(data), data, 0, changes=False).reasons
    assert reasons_of == ("on all 4 training rows x is most probable",)


def test_reasons_are_told_in_every_form() -> None:
    data = steps()
    explanation = explain(Recipe.load("c45").build().fit(data), data, 1)
    assert "because colour < = blue; size = 2 is at most 3; training rows: 2 of a" in as_text(explanation)
    assert as_data(explanation)["reasons"] == list(explanation.reasons)
    assert "because colour &lt; = blue" in as_html(explanation)


@pytest.mark.parametrize("recipe", ["sbc", "lawnb", "aode"])
def test_other_classifiers_give_none(recipe: str) -> None:
    assert reasons(recipe, read_arff(bundled_path("iris")), 0) == ()
