"""Models that do not go together are refused with what differs, and rows that never were there cannot be taken away."""

import numpy as np
import pytest
from support.builders import table

from nbframework import Dataset, EvaluationError, FittedClassifier, Recipe

NOMINAL = "x {u,v}; c {a,b}"
NUMBERS = "n numeric; c {a,b}"
NOT_AMONG = "the rows to take away are not among those that were fitted"


def fitted(recipe: str, attributes: str, rows: str, **overrides: object) -> FittedClassifier:
    return Recipe.load(recipe, **overrides).build().fit(table(attributes, rows))


# --- other recipes


@pytest.mark.parametrize(
    ("overrides", "difference"),
    [
        ({"costs": {"a": {"b": 5}}}, r"costs: found \{'a': \{'b': 5\}\}, expected None"),
        ({"thresholds": {"a": 0.3, "b": 0.7}}, r"thresholds: found \{'a': 0.3, 'b': 0.7\}, expected None"),
        ({"class_priors": {"a": 0.3, "b": 0.7}}, r"class_priors: found \{'a': 0.3, 'b': 0.7\}, expected None"),
        ({"ties": "larger-class"}, "ties: found 'larger-class', expected 'first'"),
        ({"tie_tolerance": 0.5}, "tie_tolerance: found 0.5, expected 1e-10"),
        ({"empty_classes": "drop"}, "empty_classes: found 'drop', expected 'keep'"),
        ({"prior": "frequency"}, "prior: found 'frequency', expected 'laplace'"),
        ({"estimator.f": 2}, r"estimator: found Laplace\(f=2.0\), expected Laplace\(f=1.0\); prior: "),
        ({"discretizer": "equal-width"}, "discretizer: found 'equal-width', expected 'none'"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
@pytest.mark.parametrize("how", ["merge", "subtract"])
def test_a_difference_of_recipes_is_named(how: str, overrides: dict, difference: str) -> None:
    rows = "u a; v b"
    mine, theirs = fitted("gaussian-nb", NOMINAL, rows), fitted("gaussian-nb", NOMINAL, rows, **overrides)
    with pytest.raises(EvaluationError, match=f"^the models are of different recipes: {difference}"):
        getattr(mine, how)(theirs)


def test_a_prior_that_is_the_estimator_by_name_is_no_difference() -> None:
    named = fitted("gaussian-nb", NOMINAL, "u a", prior="laplace")
    assert fitted("gaussian-nb", NOMINAL, "u a").merge(named).class_weight.tolist() == [2, 0]


# --- rows that never were there


@pytest.mark.parametrize(
    ("whole", "part"),
    [
        ("u a", "v a"),  # no such row
        ("u a; u a; v b", "u a {7}"),  # more weight than there is
        ("u a {3}; v b", "u a {2}"),  # weight that no row is left of
        ("u a {2}; v a {3}; v b", "u a {3}"),
    ],
)
@pytest.mark.parametrize("recipe", ["laplace-m", "tan"])
def test_nominal_rows_that_were_not_fitted_cannot_be_taken_away(recipe: str, whole: str, part: str) -> None:
    with pytest.raises(EvaluationError, match=NOT_AMONG):
        fitted(recipe, NOMINAL, whole).subtract(fitted(recipe, NOMINAL, part))


@pytest.mark.parametrize(
    ("whole", "part"),
    [
        ("1 a; 2 a; 5 b", "77 a"),  # a sum of squares below 0
        ("1 a; 2 a; 5 b", "1.5 a"),  # one row with a spread
        ("1 a; 2 a; 5 b", "3 a; 4 a"),  # sums of no row
        ("1 a; 2 a; 3 a; 4 a; 5 b", "9 a; 9 a"),  # a spread below 0
        ("1 a; 2 a; 5 b", "? a"),  # two numbers of one row
        ("1 a; ? a; 5 b", "1 a; 1 a"),  # a number of no row
        ("1 a {0.5}; 2 a; 5 b", "1 a"),  # another weight
    ],
)
@pytest.mark.parametrize("recipe", ["gaussian-nb", "multinomial-nb"])
def test_numbers_that_were_not_fitted_cannot_be_taken_away(recipe: str, whole: str, part: str) -> None:
    with pytest.raises(EvaluationError, match=NOT_AMONG):
        fitted(recipe, NUMBERS, whole).subtract(fitted(recipe, NUMBERS, part))


def test_the_attribute_and_the_class_of_a_number_that_never_was_there_are_named() -> None:
    attributes = "m numeric; n numeric; c {a,b}"
    whole, part = fitted("gaussian-nb", attributes, "1 1 a; 2 2 b; 3 3 b"), fitted("gaussian-nb", attributes, "2 77 b")
    with pytest.raises(EvaluationError, match=f"^attribute 'n', class 'b': {NOT_AMONG}$"):
        whole.subtract(part)


@pytest.mark.parametrize("recipe", ["sbc", "weka-gaussian"])
@pytest.mark.parametrize("part", ["7 a", "1 a {2}"])
def test_values_that_were_not_fitted_cannot_be_taken_away(recipe: str, part: str) -> None:
    with pytest.raises(EvaluationError, match=NOT_AMONG):
        fitted(recipe, NUMBERS, "1 a; 1 a; 2 a; 5 b").subtract(fitted(recipe, NUMBERS, part))


@pytest.mark.parametrize("recipe", ["gaussian-nb", "sbc", "weka-gaussian", "multinomial-nb"])
def test_rows_of_any_weight_that_were_fitted_can_be_taken_away_one_by_one(recipe: str) -> None:
    generator = np.random.default_rng(6)
    columns = [generator.normal(size=60).round(1) ** 2, generator.integers(0, 2, 60)]
    rows = Dataset.from_columns(table(NUMBERS, "1 a").attributes, columns, weights=10.0 ** generator.uniform(-4, 4, 60))
    classifier = Recipe.load(recipe).build()
    left = classifier.fit(rows)
    for row in generator.permutation(60)[:59].tolist():
        left = left.subtract(classifier.fit(rows.take([row])))
    assert left.rows_seen == 1


# --- rows without a class


@pytest.mark.parametrize("recipe", ["laplace-m", "gaussian-nb", "sbc"])
def test_rows_without_a_class_are_added_in_the_note(recipe: str) -> None:
    first, second = fitted(recipe, NUMBERS, "1 a; 2 ?; 3 ?"), fitted(recipe, NUMBERS, "4 b; 5 ?")
    assert first.merge(second).notes == ("3 rows without a class left out of training",)
    assert first.merge(first).notes == ("4 rows without a class left out of training",)
    assert first.partial_fit(table(NUMBERS, "4 b; 5 ?")).notes == first.merge(second).notes


def test_rows_without_a_class_are_taken_out_of_the_note() -> None:
    first, second = fitted("laplace-m", NUMBERS, "1 a; 2 ?"), fitted("laplace-m", NUMBERS, "4 b; 5 ?")
    both = first.merge(second)
    assert both.subtract(second).notes == ("1 row without a class left out of training",)
    assert both.subtract(fitted("laplace-m", NUMBERS, "4 b")).notes == both.notes
    clean = fitted("laplace-m", NUMBERS, "6 a")
    assert clean.merge(first).subtract(first).notes == ()


def test_rows_without_a_class_that_were_not_there_cannot_be_taken_away() -> None:
    first, second = fitted("laplace-m", NUMBERS, "1 a; 2 a; 3 ?"), fitted("laplace-m", NUMBERS, "1 a; 3 ?; 4 ?")
    with pytest.raises(EvaluationError, match=r"^2 rows without a class are to be taken away, and there are 1$"):
        first.subtract(second)


def test_the_rows_seen_are_those_of_positive_weight_with_a_class_or_without() -> None:
    classifier = Recipe.load("laplace-m").build()
    rows = table(NOMINAL, "u a; v b; u ?; u a {0}; v ? {0}")
    whole = classifier.fit(rows)
    pieces = classifier.fit(rows.take([0])).partial_fit(rows.take([1, 2, 3, 4]))
    assert whole.rows_seen == pieces.rows_seen == 3
    assert whole.notes == pieces.notes == ("1 row without a class left out of training",)
