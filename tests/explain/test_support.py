"""What an explanation says of the rows behind its numbers, of odds, and of the rows that spoke."""

import numpy as np
import pytest

from nbframework import Attribute, Dataset, Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.explain import explain
from nbframework.explain.rendering import as_data, as_html, as_text
from nbframework.testing import datasets

CHAIN = [
    Attribute.nominal("x", ["0", "1"]),
    Attribute.nominal("y", ["0", "1"]),
    Attribute.nominal("c", ["a", "b"]),
]


def five_by_two() -> Dataset:
    """Attributes that agree in all rows but the last of each class."""
    return Dataset.from_columns(CHAIN, [list("0110100110"), list("0110000111"), list("aaaaabbbbb")])


def gaps() -> Dataset:
    """Rows of which the first has no class, the third an unknown value, and the fourth another weight."""
    return Dataset.from_columns(
        CHAIN,
        [["0", "0", None, "1", "1"], ["0", "0", "0", "1", "1"], [None, "a", "a", "b", "b"]],
        weights=[1, 1, 1, 2, 1],
    )


def test_counts_of_a_factor_with_a_parent_are_those_given_the_parent() -> None:
    data = five_by_two()
    explanation = explain(Recipe.load("tan").build().fit(data), data, 0)
    (contribution,) = (one for one in explanation.contributions if one.given)
    # of three rows of a with 0 in the parent, and two or three of b, counted by hand for either direction
    support, child = contribution.support, contribution.label
    assert contribution.given == (("x = 0",) if child == "y" else ("y = 0",))
    assert support.counts is not None
    assert support.known is not None
    expected = {"y": ([2, 2], [2, 3]), "x": ([2, 2], [3, 2])}[child]
    assert (support.counts.tolist(), support.known.tolist()) == expected
    assert f"{child} = 0 given" in as_text(explanation)


@pytest.mark.parametrize("name", ["sbc", "laplace-1", "no-match-pc", "gaussian-nb", "tan", "kdb-2", "lwnb", "lawnb"])
def test_an_unknown_value_has_no_counts(name: str) -> None:
    data = gaps()
    explanation = explain(Recipe.load(name).build().fit(data), data, 2)
    (unknown,) = (one for one in explanation.contributions if one.label == "x")
    assert (unknown.value, unknown.support.counts, unknown.support.known) == ("?", None, None)
    shown = {entry["factor"]: entry for entry in as_data(explanation)["contributions"]}
    assert (shown["x"]["counts"], shown["x"]["known"]) == (None, None)
    line = next(line for line in as_text(explanation).splitlines() if line.startswith("x = ?"))
    assert " of " not in line


def test_where_unknown_is_a_value_it_has_counts() -> None:
    data = gaps()
    explanation = explain(Recipe.load("wanbia").build().fit(data), data, 2, changes=False)
    (unknown,) = (one for one in explanation.contributions if one.label == "x")
    assert unknown.support.counts is not None
    assert unknown.support.counts.tolist() == [1, 0]


@pytest.mark.parametrize("name", ["sbc", "laplace-1", "no-match-pc", "lawnb", "tan"])
def test_counts_and_smoothing_make_the_factor_wherever_they_are_told(name: str) -> None:
    data = datasets.mixed()
    fitted = Recipe.load(name).build().fit(data)
    told = 0
    for row in range(0, len(data), 10):
        for contribution in explain(fitted, data, row, changes=False).contributions:
            support = contribution.support
            if support.added is None or support.total is None or support.counts is None or support.known is None:
                continue
            told += 1
            ratio = (support.counts + support.added) / (support.known + support.total)
            np.testing.assert_allclose(np.exp(contribution.log_factor), ratio, rtol=1e-10)
    assert told


def test_odds_multiply_to_the_posterior_odds() -> None:
    data = read_arff(bundled_path("iris"))
    explanation = explain(Recipe.load("sbc").build().fit(data), data, 70)
    assert explanation.log_prior is not None
    product = explanation.odds(explanation.log_prior)
    for contribution in explanation.contributions:
        product = product * explanation.odds(contribution.contribution)
    np.testing.assert_allclose(
        product, explanation.posterior / explanation.posterior[explanation.predicted], rtol=1e-12
    )
    assert as_data(explanation)["posterior_odds"]["virginica"] == 1.0


def test_the_page_of_a_notebook_tells_odds_rows_smoothing_and_the_change() -> None:
    data = read_arff(bundled_path("iris"))
    page = as_html(explain(Recipe.load("sbc").build().fit(data), data, 70))
    for words in (
        "odds against virginica",
        "49 of 50",
        "(N + f/m) / (n + k f/m) with f = 1",
        "petal_width = 1.75 instead",
    ):
        assert words in page


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sbc", "N rows of n, k values of the attribute, m = 150 training rows, C classes: P(value | class) is "),
        ("wanbia", "N rows of n, q the share of the value before any row of the class is seen, C classes: "),
        ("no-match-pc", "N rows of n, m = 150 training rows, P(C) the share of the class: P(value | class) is "),
    ],
)
def test_the_letters_of_a_formula_are_told(name: str, words: str) -> None:
    data = read_arff(bundled_path("iris"))
    explanation = explain(Recipe.load(name).build().fit(data), data, 70, changes=False)
    assert words in as_text(explanation)
    assert words in as_html(explanation)
    assert as_data(explanation)["letters"] == list(explanation.letters)


def test_an_exponent_is_told_where_it_is_not_1() -> None:
    data = read_arff(bundled_path("iris"))
    explanation = explain(Recipe.load("lawnb").build().fit(data), data, 70, changes=False)
    weight = {one.label: one.weight for one in explanation.contributions}
    assert len(set(weight["petal_length"].tolist())) == 1
    words = f"petal_length = 4.8 ^ {weight['petal_length'][0]:.4g}"
    assert words in as_text(explanation)
    assert words in as_html(explanation)
    assert "^ is the exponent of a factor" in as_text(explanation)
    assert "^" not in as_text(explain(Recipe.load("sbc").build().fit(data), data, 70, changes=False))


def test_exponents_that_differ_by_class_are_all_told() -> None:
    data = read_arff(bundled_path("iris"))
    explanation = explain(Recipe.load("class-specific-nb").build().fit(data), data, 70, changes=False)
    (petal,) = (one for one in explanation.contributions if one.label == "petal_length")
    assert len(set(petal.weight.tolist())) == 3
    assert f"petal_length = 4.8 ^ ({', '.join(f'{number:.4g}' for number in petal.weight)})" in as_text(explanation)


def test_the_rows_of_a_vote_are_told_with_their_share_of_the_heaviest() -> None:
    data = read_arff(bundled_path("iris"))
    explanation = explain(Recipe.load("kappa-60-fair").build().fit(data), data, 70, changes=False)
    assert explanation.neighbours is not None
    weights = np.array([weight for _, weight in explanation.neighbours])
    rows = [row for row, _ in explanation.neighbours]
    assert len(rows) == 150
    assert rows[0] == 70
    assert (weights[0], np.all(np.diff(weights) <= 0)) == (1.0, True)
    of_class = np.bincount(data.classes[rows], weights=weights)
    np.testing.assert_allclose(of_class / of_class.sum(), explanation.posterior, rtol=1e-10)


@pytest.mark.parametrize(
    ("recipe", "changes", "rows"),
    [
        # without the row of no class, the others are 0 to 3
        ("knn", {"neighbourhood.k": 1}, {0}),
        ("lwnb", {"missing": "drop-rows", "neighbourhood.k": 3}, {0, 2, 3}),
    ],
)
def test_rows_are_counted_among_those_that_have_a_class(recipe: str, changes: dict, rows: set[int]) -> None:
    data = gaps()
    fitted = Recipe.load(recipe, **changes).build().fit(data)
    explanation = explain(fitted, data, 1, changes=False)
    assert explanation.neighbours is not None
    assert {row for row, _ in explanation.neighbours} <= rows
    assert explanation.neighbours[0][0] == 0


def test_a_vote_says_nothing_of_probabilities_of_values() -> None:
    data = read_arff(bundled_path("iris"))
    explanation = explain(Recipe.load("kappa-60-fair").build().fit(data), data, 70, changes=False)
    assert explanation.smoothing == {}


def test_no_product_of_factors_is_told_by_what_each_attribute_changes() -> None:
    data = read_arff(bundled_path("iris"))
    fitted = Recipe.load("aode").build().fit(data)
    explanation = explain(fitted, data, 70, changes=False)
    columns = list(data.take([70]).columns)
    columns[3] = np.array([np.nan])
    blank = fitted.predict_log_proba(Dataset.from_columns(data.attributes, columns))[0]
    line = next(line for line in as_text(explanation).splitlines() if line.startswith("without petal_width"))
    assert [float(number) for number in line.split()[2:]] == [round(number, 4) for number in blank.tolist()]
    assert "without petal_width" in as_html(explanation)


def test_the_rows_of_a_recipe_that_discretizes_anew_are_those_of_the_file() -> None:
    """The neighbours of lawnb are cut into intervals of their own; of the 60th iris none is a setosa."""
    data = read_arff(bundled_path("iris"))
    explanation = explain(Recipe.load("lawnb").build().fit(data), data, 59, changes=False)
    assert explanation.neighbours is not None
    rows = [row for row, _ in explanation.neighbours]
    counts = np.bincount(data.classes[rows], minlength=3)
    assert counts[0] == 0
    known = explanation.contributions[0].support.known
    assert known is not None
    np.testing.assert_array_equal(counts, known)
