"""A formula is told where it gives the factors shown; what they are instead is told where it does not."""

import numpy as np
import pytest
from support.builders import table
from support.structure_data import random_data

from nbframework import Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.explain import Explanation, explain
from nbframework.explain.rendering import as_data, as_html, as_text
from nbframework.testing import datasets

JOINED = "recipe: t\nestimator: {laplace: {f: 1}}\nstructure: {joined: {search: %s}}"
UNRELIABLE = JOINED % "forward, reliability: 0.1"
XOR = ("a {t,f}; b {t,f}; class {x,y}", "t t x; f f x; t f y; f t y; " * 6)


def of_iris(recipe: str, row: int = 70) -> Explanation:
    data = read_arff(bundled_path("iris"))
    return explain(Recipe.load(recipe).build().fit(data), data, row, changes=False)


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        ("hnb", "hnb: Give each attribute a hidden parent that mixes the influences of all other attributes"),
        ("weka-hnb", "hnb: Give each attribute a hidden parent"),
        (
            "iwhnb",
            "iwhnb: Weight each training row by its attribute values' frequencies, then learn hidden naive Bayes",
        ),
        ("tan-as-published", "smoothing = 5, s in theta = a P(x | c, parent) + (1 - a) P(x) with a = N / (N + s)"),
    ],
)
def test_no_formula_is_told_where_the_structure_makes_another_number(recipe: str, words: str) -> None:
    explanation = of_iris(recipe)
    assert "conditional" not in explanation.smoothing
    assert explanation.exceptions == tuple(one.label for one in explanation.contributions)
    assert words in explanation.structure
    assert f"but what the structure makes of them: {explanation.structure}" in as_text(explanation)


def test_what_the_factors_are_is_told_in_every_form() -> None:
    explanation = of_iris("hnb")
    words = "mixes the influences of all other attributes"
    assert words in as_text(explanation)
    assert words in as_html(explanation)
    assert words in as_data(explanation)["structure"]
    assert as_data(explanation)["exceptions"] == list(explanation.exceptions)


@pytest.mark.parametrize(
    "recipe", ["sbc", "laplace-1", "no-match-0.1", "no-match-pc", "lawnb", "tan", "weka-tan", "kdb-2", "sp-tan"]
)
def test_a_formula_that_gives_all_factors_has_no_exception(recipe: str) -> None:
    explanation = of_iris(recipe)
    assert "conditional" in explanation.smoothing
    assert (explanation.exceptions, explanation.structure) == ((), "")


@pytest.mark.parametrize("recipe", ["tan", "kdb-2"])
def test_the_formula_gives_the_factors_given_parents(recipe: str) -> None:
    data = datasets.mixed()
    fitted = Recipe.load(recipe).build().fit(data)
    told = 0
    for row in range(0, len(data), 7):
        for one in explain(fitted, data, row, changes=False).contributions:
            if one.given and one.support.added is not None:
                counts, known = np.asarray(one.support.counts), np.asarray(one.support.known)
                # (N + m q) / (n + m) with m = 1
                ratio = (counts + one.support.added) / (known + 1)
                np.testing.assert_allclose(np.exp(one.log_factor), ratio, rtol=1e-12)
                told += 1
    assert told


def test_known_rows_given_a_parent_are_those_that_the_missing_policy_divides_by() -> None:
    rows = "0 0 p; 0 1 p; 0 ? p; 1 1 p; 1 1 q; 1 0 q; 1 1 q; 0 0 q"
    data = table("x {0,1}; y {0,1}; class {p,q}", rows)
    recipe = "recipe: t\nmissing: {ignore: {denominator: %s}}\nestimator: {laplace: {f: 1}}\nstructure: {kdb: {k: 1}}"
    divided = {}
    for denominator in ("include", "exclude"):
        explanation = explain(Recipe.from_text(recipe % denominator).build().fit(data), data, 0, changes=False)
        (child,) = (one for one in explanation.contributions if one.given)
        assert child.support.by_formula
        divided[denominator] = (child.label, np.asarray(child.support.known).tolist())
    # three rows of p have 0 in x, of which two know y
    assert divided == {"include": ("y", [3, 1]), "exclude": ("y", [2, 1])}


def test_a_joined_factor_has_its_values_and_their_counts() -> None:
    data = table(*XOR)
    explanation = explain(Recipe.from_text(JOINED % "backward").build().fit(data), data, 0, changes=False)
    (joined,) = explanation.contributions
    assert (joined.label, joined.value) == ("a+b", "t, t")
    assert np.asarray(joined.support.counts).tolist() == [6, 0]
    assert np.asarray(joined.support.known).tolist() == [12, 12]
    # (N + f) / (n + k f) with the 4 combinations as values
    np.testing.assert_allclose(np.exp(joined.log_factor), [7 / 16, 1 / 16])
    assert (joined.support.added, joined.support.total, joined.support.by_formula) == (1, 4, True)
    assert "a+b = t, t" in as_text(explanation)
    assert "6 of 12, 0 of 12" in as_text(explanation)


def test_a_combination_that_never_occurred_has_no_row() -> None:
    data = table(XOR[0], "t t x; " * 4 + "t f y; " * 2 + "f f x; " * 3)
    fitted = Recipe.from_text(JOINED % "backward").build().fit(data)
    joined = explain(fitted, table(XOR[0], "f t x"), 0, changes=False).contributions[0]
    assert (joined.label, joined.value) == ("a+b", "f, t")
    assert np.asarray(joined.support.counts).tolist() == [0, 0]
    assert joined.support.by_formula


def test_a_combination_with_an_unknown_value_has_no_counts() -> None:
    fitted = Recipe.from_text(JOINED % "backward").build().fit(table(*XOR))
    (joined,) = explain(fitted, table(XOR[0], "t ? x"), 0, changes=False).contributions
    assert joined.value == "t, ?"
    assert joined.support.counts is None


def test_a_factor_that_the_formula_does_not_give_is_named_beside_the_formula() -> None:
    data = random_data(9, rows=60)
    explanation = explain(Recipe.from_text(UNRELIABLE).build().fit(data), data, 0, changes=False)
    # the frequencies of this combination are not reliable, so that the factor is a product
    assert explanation.exceptions == ("a2+a3",)
    assert explanation.smoothing["conditional"] == "(N + f) / (n + k f) with f = 1"
    assert "the factor of a2+a3 is not the estimator's formula of its rows" in as_text(explanation)
    assert "reliability = 0.1, Use the joint frequencies of a combination only where" in explanation.structure


@pytest.mark.parametrize("recipe", ["kappa-60", "knn"])
def test_votes_are_called_votes_and_no_prior(recipe: str) -> None:
    explanation = of_iris(recipe)
    assert as_text(explanation).splitlines()[1].startswith("log share of votes ")
    assert as_text(explanation, odds=True).splitlines()[1].startswith("odds of votes ")
    assert ">log share of votes<" in as_html(explanation)
    assert as_data(explanation)["votes"] is True


@pytest.mark.parametrize("recipe", ["majority", "sbc", "lawnb"])
def test_a_prior_is_called_prior(recipe: str) -> None:
    explanation = of_iris(recipe)
    assert as_text(explanation).splitlines()[1].startswith("log prior ")
    assert as_text(explanation, odds=True).splitlines()[1].startswith("prior odds ")
    assert ">log prior<" in as_html(explanation)
    assert as_data(explanation)["votes"] is False
