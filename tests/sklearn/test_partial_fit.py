"""Rows in parts, given to scikit-learn's ``partial_fit``, give the classifier of all rows."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from nbframework import Attribute, EvaluationError
from nbframework.sklearn import RecipeClassifier

PINNED = {"a": Attribute.nominal("a", ["x", "y", "z"]), "b": Attribute.nominal("b", ["u", "v"])}
PARTS = pd.DataFrame({"a": list("xyxyzxyzxy"), "b": list("uuvvuvuvuu")})
PART_LABELS = np.array(list("pqpqqppqpr"))


@pytest.mark.parametrize(
    "weights", [None, np.arange(10) + 1.0, (np.arange(10) + 1) / 3], ids=["alike", "whole", "shares"]
)
@pytest.mark.parametrize("recipe", ["weka-naive-bayes", "sbc", "no-match-0", "majority", "tan", "aode", "kl-nb"])
def test_rows_in_parts_give_the_classifier_of_all_rows(recipe: str, weights) -> None:
    whole = RecipeClassifier(recipe, schema=PINNED).fit(PARTS, PART_LABELS, weights)
    parted = RecipeClassifier(recipe, schema=PINNED)
    for rows in (slice(0, 4), slice(4, 5), slice(5, 10)):
        part = None if weights is None else weights[rows]
        parted.partial_fit(PARTS[rows], PART_LABELS[rows], classes=["p", "q", "r"], sample_weight=part)
    np.testing.assert_allclose(parted.predict_proba(PARTS), whole.predict_proba(PARTS), atol=1e-12)


def test_a_fit_can_be_continued() -> None:
    model = RecipeClassifier("sbc", schema=PINNED).fit(PARTS[:5], ["p", "q", "r", "q", "p"])
    model.partial_fit(PARTS[5:], PART_LABELS[5:])
    labels = ["p", "q", "r", "q", "p", *PART_LABELS[5:]]
    whole = RecipeClassifier("sbc", schema=PINNED).fit(PARTS, labels)
    np.testing.assert_allclose(model.predict_proba(PARTS), whole.predict_proba(PARTS), atol=1e-12)


@pytest.mark.parametrize("recipe", ["tan", "knn", "kernel-nb", "no-such-recipe"])
def test_without_a_schema_there_is_no_partial_fit_of_what_does_not_add_numbers(recipe: str) -> None:
    assert not hasattr(RecipeClassifier(recipe), "partial_fit")


def test_partial_fit_without_a_schema_says_that_it_needs_one() -> None:
    with pytest.raises(AttributeError, match="partial_fit needs an Attribute for every column"):
        RecipeClassifier("tan").partial_fit([[1.0]], ["a"], classes=["a"])


@pytest.mark.parametrize("recipe", ["gaussian-nb", "sbc", "weka-naive-bayes", "majority"])
@pytest.mark.parametrize(
    "schema", [None, {f"x{i}": Attribute.numeric(f"x{i}") for i in range(4)}], ids=["none", "numeric"]
)
def test_a_plain_array_in_parts_is_the_array_at_once(recipe: str, schema) -> None:
    x, y = load_iris(return_X_y=True)
    whole, parted = (RecipeClassifier(recipe, schema=schema) for _ in range(2))
    for rows in (slice(0, 60), slice(60, 61), slice(61, 150)):
        parted.partial_fit(x[rows], y[rows], classes=[0, 1, 2])
    assert [attribute.name for attribute in parted.fitted_.schema.inputs] == ["x0", "x1", "x2", "x3"]
    np.testing.assert_allclose(parted.predict_proba(x), whole.fit(x, y).predict_proba(x), rtol=0, atol=1e-12)


def test_a_fit_on_an_array_can_be_continued() -> None:
    x, y = load_iris(return_X_y=True)
    model = RecipeClassifier("gaussian-nb").fit(x[::2], y[::2]).partial_fit(x[1::2], y[1::2])
    whole = RecipeClassifier("gaussian-nb").fit(x, y)
    np.testing.assert_allclose(model.predict_proba(x), whole.predict_proba(x), rtol=0, atol=1e-12)


def test_an_array_of_another_width_is_refused() -> None:
    model = RecipeClassifier("gaussian-nb").partial_fit([[1.0, 2.0]], ["a"], classes=["a"])
    with pytest.raises(ValueError, match="X has 1 features, but RecipeClassifier is expecting 2"):
        model.partial_fit([[1.0]], ["a"])


def test_numbers_of_a_frame_need_no_schema() -> None:
    x, y = load_iris(return_X_y=True, as_frame=True)
    model = RecipeClassifier("gaussian-nb").partial_fit(x[:70], y[:70], classes=[0, 1, 2]).partial_fit(x[70:], y[70:])
    whole = RecipeClassifier("gaussian-nb").fit(x, y)
    np.testing.assert_allclose(model.predict_proba(x), whole.predict_proba(x), rtol=0, atol=1e-12)


@pytest.mark.parametrize("recipe", ["kdb-2", "lawnb", "wanbia", "c45", "knn-tuned"])
def test_what_learns_more_than_counts_takes_no_parts(recipe: str) -> None:
    with pytest.raises(EvaluationError, match="this recipe learns more than counts"):
        RecipeClassifier(recipe, schema=PINNED).partial_fit(PARTS, PART_LABELS, classes=["p", "q", "r"])


@pytest.mark.parametrize("recipe", ["gaussian-nb", "sbc", "proportional-nb"])
def test_numbers_are_added(recipe: str) -> None:
    sizes = pd.DataFrame({"size": [1.0, 2.5, 2.0, 3.0, 1.5, 4.0, 3.5, 2.0]})
    labels, schema = np.array([0, 0, 0, 1, 0, 1, 1, 1]), {"size": Attribute.numeric("size")}
    model = RecipeClassifier(recipe, schema=schema)
    model.partial_fit(sizes[:3], labels[:3], classes=[0, 1]).partial_fit(sizes[3:], labels[3:])
    whole = RecipeClassifier(recipe, schema=schema).fit(sizes, labels)
    np.testing.assert_allclose(model.predict_proba(sizes), whole.predict_proba(sizes), atol=1e-12)


def test_densities_that_keep_the_values_take_no_parts() -> None:
    model = RecipeClassifier("kernel-nb", schema={"size": Attribute.numeric("size")})
    with pytest.raises(EvaluationError, match="density 'kernel': keeps the training values"):
        model.partial_fit(pd.DataFrame({"size": [1.0, 2.0]}), [0, 1], classes=[0, 1])


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ({"y": PART_LABELS}, "classes must be passed on the first call"),
        ({"y": PART_LABELS, "classes": ["p", "q"]}, r"y holds the labels \['r'\]"),
        ({"y": PART_LABELS, "classes": ["p", "q", "r"], "X": PARTS.assign(c="u")}, r"there is none for \['c'\]"),
    ],
)
def test_faults_of_partial_fit(arguments: dict, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        RecipeClassifier("sbc", schema=PINNED).partial_fit(**{"X": PARTS, **arguments})
