"""Classifiers in pieces are those of all rows, and rows that are taken away leave nothing behind."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbframework import Attribute, Dataset, EvaluationError, FittedClassifier, Recipe, read_arff
from nbframework.classifier import additive
from nbframework.data.catalog import bundled_path

NOMINAL = (
    "aode",
    "gain-ratio-nb",
    "hnb",
    "kdb-1",
    "laplace-m",
    "no-match-0",
    "no-match-pc",
    "sbc-basic",
    "tan",
    "waode",
)
NUMERIC = ("gaussian-nb", "proportional-nb", "sbc", "sbc-basic", "weka-gaussian", "weka-naive-bayes", "multinomial-nb")
ATTRIBUTES = (
    Attribute.nominal("x", ["u", "v", "w"]),
    Attribute.nominal("y", ["p", "q"]),
    Attribute.nominal("c", ["a", "b", "d"]),
)
MIXED = (ATTRIBUTES[0], Attribute.numeric("n"), Attribute.numeric("k"), ATTRIBUTES[2])
ROW = st.tuples(st.sampled_from([0, 1, 2, 4]), st.sampled_from([0, 1, 3]), st.sampled_from([0, 1, 2, 4]))
NUMBER = st.sampled_from([0.0, 0.1, 0.2, 1.0, 2.5, 7.0, np.nan])
MIXED_ROW = st.tuples(st.sampled_from([0, 1, 2, 4]), NUMBER, NUMBER, st.integers(0, 2))
WEIGHTS = {"alike": [1.0], "whole": [1.0, 2.0, 5.0], "shares": [0.1, 0.7, 1.0, 2.0]}
EXACT_SHARES = [0.125, 0.75, 1.0, 2.0]
"""For cut points that are chosen by sums of weights: rounding must not decide between equal ones."""


def dataset(rows: list[tuple], weights: list[float], attributes: tuple[Attribute, ...]) -> Dataset:
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    return Dataset.from_columns(attributes, columns, "c", weights)


def assert_same(found: FittedClassifier, expected: FittedClassifier, rows: Dataset) -> None:
    np.testing.assert_allclose(found.predict_proba(rows), expected.predict_proba(rows), rtol=0, atol=1e-12)
    np.testing.assert_array_equal(
        np.isneginf(found.predict_log_proba(rows)), np.isneginf(expected.predict_log_proba(rows))
    )


def check(recipe: str, rows: list[tuple], weights: list[float], cut: int, attributes: tuple[Attribute, ...]) -> None:
    """Fit in two pieces, add, and take away again; rows without a class must not be all of a piece."""
    classifier = Recipe.load(recipe).build()
    whole, first, second = (
        dataset(rows[p], weights[p], attributes) for p in (slice(None), slice(cut), slice(cut, None))
    )
    fitted = [classifier.fit(piece) for piece in (first, second)]
    together = fitted[0].merge(fitted[1])
    assert_same(together, classifier.fit(whole), whole)
    assert_same(fitted[0].partial_fit(second), together, whole)
    assert_same(together.subtract(fitted[1]), fitted[0], whole)


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("recipe", NOMINAL)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_nominal_rows_in_pieces(recipe: str, kind: str, data: st.DataObject) -> None:
    rows = data.draw(st.lists(ROW, min_size=4, max_size=16))
    rows[0] = rows[-1] = (0, 1, 0)
    weights = data.draw(st.lists(st.sampled_from(WEIGHTS[kind]), min_size=len(rows), max_size=len(rows)))
    check(recipe, rows, weights, data.draw(st.integers(1, len(rows) - 1)), ATTRIBUTES)


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("recipe", NUMERIC)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_numeric_rows_in_pieces(recipe: str, kind: str, data: st.DataObject) -> None:
    rows = data.draw(st.lists(MIXED_ROW, min_size=4, max_size=16))
    known = EXACT_SHARES if kind == "shares" and recipe == "proportional-nb" else WEIGHTS[kind]
    weights = data.draw(st.lists(st.sampled_from(known), min_size=len(rows), max_size=len(rows)))
    check(recipe, rows, weights, data.draw(st.integers(1, len(rows) - 1)), MIXED)


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e7])
@pytest.mark.parametrize("weighted", [False, True], ids=["alike", "shares"])
@pytest.mark.parametrize("recipe", ["weka-gaussian", "gaussian-nb"])
def test_numbers_far_from_zero_in_pieces(recipe: str, weighted: bool, offset: float) -> None:
    generator = np.random.default_rng(4)
    classes = generator.integers(0, 3, 200)
    rows = [
        (int(x), offset + n, offset + k, int(c))
        for x, n, k, c in zip(
            generator.integers(0, 3, 200),
            generator.normal(size=200).round(1) + 0.3 * classes,
            generator.normal(size=200) * 0.01 * (classes + 1),
            classes,
            strict=True,
        )
    ]
    check(recipe, rows, list(generator.random(200) + 0.1 if weighted else np.ones(200)), 90, MIXED)


@pytest.mark.parametrize("recipe", ["no-match-0", "tan", "aode"])
def test_nothing_is_left_of_fractions_that_were_taken_away(recipe: str) -> None:
    """0.1 + 0.2 - 0.2 is not 0.1, and (0.1 + 0.2) - 0.2 - 0.1 is not 0: rows decide what is zero."""
    classifier = Recipe.load(recipe).build()
    kept = dataset([(0, 0, 0), (1, 0, 1), (1, 1, 1)], [0.1, 0.3, 0.7], ATTRIBUTES)
    gone = [dataset([(1, 1, 0)], [weight], ATTRIBUTES) for weight in (0.1, 0.2, 0.7)]
    fitted = classifier.fit(kept)
    for piece in gone:
        fitted = fitted.partial_fit(piece)
    for piece in reversed(gone):
        fitted = fitted.subtract(classifier.fit(piece))
    cells = fitted.statistics.cells  # type: ignore[union-attr]
    expected = additive.fitted_on_sums(classifier, kept).statistics.cells  # type: ignore[union-attr]
    np.testing.assert_array_equal(cells.number, expected.number)
    np.testing.assert_array_equal(cells.weight == 0, expected.weight == 0)
    np.testing.assert_array_equal(fitted.statistics.learned.weight[2], 0)  # type: ignore[union-attr]


def test_counts_of_whole_weights_are_the_same_bits() -> None:
    rows = read_arff(bundled_path("tic-tac-toe"))
    classifier = Recipe.load("tan").build()
    pieces = [additive.fitted_on_sums(classifier, rows.take(slice(first, first + 100))) for first in range(0, 958, 100)]
    whole = additive.fitted_on_sums(classifier, rows).statistics
    for order in (pieces, pieces[::-1]):
        total = list(itertools.accumulate(order, FittedClassifier.merge))[-1].statistics
        assert total is not None
        assert whole is not None
        for name in ("cells", "pairs", "learned"):
            np.testing.assert_array_equal(getattr(total, name).weight, getattr(whole, name).weight)


@pytest.mark.parametrize("recipe", ["laplace-m", "aode", "gaussian-nb"])
def test_values_and_classes_seen_late_grow_the_domain(recipe: str) -> None:
    early = [Attribute.nominal("x", ["u"]), Attribute.nominal("y", ["p", "q"]), Attribute.nominal("c", ["a", "b"])]
    late = [Attribute.nominal("x", ["w", "u"]), Attribute.nominal("y", ["q"]), Attribute.nominal("c", ["d", "a"])]
    first = Dataset.from_columns(early, [["u", "u", None], ["p", "q", "q"], ["a", "b", "b"]])
    second = Dataset.from_columns(late, [["w", "u"], ["q", None], ["d", "a"]])
    grown = [Attribute.nominal("x", ["u", "w"]), early[1], Attribute.nominal("c", ["a", "b", "d"])]
    whole = Dataset.from_columns(grown, [["u", "u", None, "w", "u"], ["p", "q", "q", "q", None], list("abbda")])
    classifier = Recipe.load(recipe).build()
    found = classifier.fit(first).partial_fit(second)
    assert found.schema.attributes == whole.attributes
    assert_same(found, classifier.fit(whole), whole)


def test_other_attributes_are_refused() -> None:
    classifier = Recipe.load("laplace-m").build()
    fitted = classifier.fit(dataset([(0, 0, 0)], [1.0], ATTRIBUTES))
    with pytest.raises(EvaluationError, match="need the attributes and the class of those that were fitted"):
        fitted.partial_fit(dataset([(0, 0.0, 0.0, 0)], [1.0], MIXED))
    number = (Attribute.numeric("x"), *ATTRIBUTES[1:])
    with pytest.raises(EvaluationError, match="attribute 'x' is numeric of weight 1 in further rows, expected nominal"):
        fitted.partial_fit(dataset([(0.5, 0, 0)], [1.0], number))


@pytest.mark.parametrize(
    ("recipe", "reason"),
    [
        ("knn", "neighbourhood 'nearest': looks for single rows, so that this recipe learns more than counts"),
        ("c45", "classifier 'c45': learns from the rows by itself"),
        ("kdb-2", "structure 'kdb': looks at the rows themselves with k of 2, expected k of at most 1, so that this"),
        ("wanbia", "weights 'conditional-likelihood': are learned row by row"),
        ("kernel-nb", "density 'kernel': keeps the training values"),
        ("aode", "attribute 'sepal_length' is numeric: pairs with its intervals cannot be counted before all rows"),
    ],
)
def test_what_does_not_add_is_refused_with_the_part(recipe: str, reason: str) -> None:
    iris = read_arff(bundled_path("iris"))
    fitted = Recipe.load(recipe).build().fit(iris)
    with pytest.raises(EvaluationError, match=reason):
        fitted.partial_fit(iris)


def test_cut_points_of_a_stored_model_cannot_be_learned_again() -> None:
    iris = read_arff(bundled_path("iris"))
    classifier = Recipe.load("sbc").build()
    fitted = classifier.fit(iris)
    state = additive.state_of(fitted)
    assert state is not None
    stored = additive.restored(classifier, iris.schema, state, ())
    with pytest.raises(EvaluationError, match="attribute 'sepal_length': its cut points were learned from the rows so"):
        stored.partial_fit(iris)
