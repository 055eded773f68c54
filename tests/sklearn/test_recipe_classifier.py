"""The scikit-learn face passes scikit-learn's own checks and behaves in its tools."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from nbframework import Attribute, Recipe, RecipeError
from nbframework.sklearn import DiscretizerTransformer, EntropyMDLDiscretizer, RecipeClassifier

RECIPES = ("gaussian-nb", "kernel-nb", "sbc", "sbc-basic", "laplace-m", "weka-naive-bayes", "cestnik-nb", "majority")


@parametrize_with_checks(
    [*(RecipeClassifier(name) for name in RECIPES), EntropyMDLDiscretizer(), DiscretizerTransformer("equal-width")],
    expected_failed_checks=lambda estimator: (
        {"check_classifiers_train": "predicts the most frequent class whatever the attributes say"}
        if getattr(estimator, "recipe", "") == "majority"
        else {}
    ),
)
def test_scikit_learns_own_check(estimator, check) -> None:
    check(estimator)


def test_gaussian_naive_bayes_equals_scikit_learns_up_to_the_prior() -> None:
    x, y = load_iris(return_X_y=True)
    mine = RecipeClassifier("gaussian-nb", density__floor=0).fit(x, y).predict_proba(x)
    theirs = GaussianNB(var_smoothing=0).fit(x, y).predict_proba(x)
    np.testing.assert_allclose(mine, theirs, atol=1e-12)


def test_categories_equal_scikit_learns_categorical_naive_bayes() -> None:
    random = np.random.default_rng(0)
    codes = random.integers(0, 4, (200, 3))
    y = (codes[:, 0] + random.integers(0, 3, 200) > 3).astype(int)
    frame = pd.DataFrame({f"a{i}": pd.Categorical(codes[:, i], categories=range(4)) for i in range(3)})
    mine = RecipeClassifier("gaussian-nb", prior="frequency").fit(frame, y).predict_proba(frame)
    theirs = CategoricalNB(alpha=1, min_categories=4).fit(codes, y).predict_proba(codes)
    np.testing.assert_allclose(mine, theirs, atol=1e-12)


def test_a_grid_search_reaches_a_part() -> None:
    x, y = load_iris(return_X_y=True)
    search = GridSearchCV(RecipeClassifier("sbc"), {"estimator__f": [0.5, 1, 100], "discretizer": ["equal-width"]})
    search.fit(x, y)
    assert set(search.best_params_) == {"estimator__f", "discretizer"}


def test_pipeline_cross_validation_and_calibration_take_it() -> None:
    x, y = load_iris(return_X_y=True)
    assert cross_val_score(make_pipeline(StandardScaler(), RecipeClassifier("sbc")), x, y).mean() > 0.85
    calibrated = CalibratedClassifierCV(RecipeClassifier("sbc"), cv=3).fit(x, y)
    assert calibrated.predict_proba(x).shape == (150, 3)


def test_clone_keeps_the_overrides() -> None:
    assert clone(RecipeClassifier("sbc", estimator__f=3)).get_params()["estimator__f"] == 3


def test_a_declared_category_that_does_not_occur_counts_in_smoothing() -> None:
    frame = pd.DataFrame({"colour": pd.Categorical(["red", "red", "green", "green"], ["red", "green", "blue"])})
    model = RecipeClassifier("gaussian-nb", prior="frequency").fit(frame, ["a", "a", "b", "b"])
    # P(red | a) = (2 + 1) / (2 + 3), P(red | b) = (0 + 1) / (2 + 3)
    np.testing.assert_allclose(model.predict_proba(frame.iloc[:1]), [[3 / 4, 1 / 4]])


@pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
def test_columns_become_attributes_by_their_types(library) -> None:
    frame = library.DataFrame(
        {"text": ["x", None, "y", "x"], "flag": [True, False, True, True], "size": [1.0, 2.5, 3, 4]}
    )
    model = RecipeClassifier("gaussian-nb").fit(frame, [0, 1, 1, 0])
    kinds = {attribute.name: (attribute.kind, attribute.values) for attribute in model.fitted_.schema.inputs}
    assert kinds == {"text": ("nominal", ("x", "y")), "flag": ("nominal", ("False", "True")), "size": ("numeric", None)}


def test_a_pinned_schema_decides_the_values() -> None:
    frame = pd.DataFrame({"colour": ["red", "green"]})
    schema = {"colour": Attribute.nominal("colour", ["red", "green", "blue"])}
    model = RecipeClassifier("gaussian-nb", schema=schema).fit(frame, ["a", "b"])
    assert model.fitted_.schema.inputs[0].values == ("red", "green", "blue")


def test_columns_are_matched_by_name() -> None:
    frame = pd.DataFrame({"a": ["x", "y", "x", "y"], "b": ["u", "u", "v", "v"]})
    model = RecipeClassifier("gaussian-nb").fit(frame, [0, 1, 0, 1])
    with pytest.raises(ValueError, match="feature names"):
        model.predict_proba(frame[["b", "a"]])


def test_weight_two_is_the_row_twice() -> None:
    x, y = load_iris(return_X_y=True)
    weights = np.arange(150) % 3 + 1
    weighted = RecipeClassifier("sbc").fit(x, y, sample_weight=weights).predict_proba(x)
    repeated = RecipeClassifier("sbc").fit(np.repeat(x, weights, axis=0), np.repeat(y, weights)).predict_proba(x)
    np.testing.assert_allclose(weighted, repeated, atol=1e-12)


def test_an_unknown_parameter_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="Invalid parameter 'alpha'"):
        RecipeClassifier("sbc").set_params(alpha=1)
    with pytest.raises(RecipeError, match="unknown parameter"):
        RecipeClassifier("sbc", estimator__ff=1).fit([[1.0], [2.0]], [0, 1])


def test_a_recipe_object_is_taken_as_it_is() -> None:
    x, y = load_iris(return_X_y=True)
    assert RecipeClassifier(Recipe.load("sbc")).fit(x, y).predict(x).shape == (150,)


def test_the_entropy_discretizer_keeps_nan() -> None:
    x = np.array([[1.0], [2.0], [np.nan], [3.0], [11.0], [12.0], [13.0]])
    bins = EntropyMDLDiscretizer().fit_transform(x, [0, 0, 1, 0, 1, 1, 1])
    np.testing.assert_array_equal(bins[:, 0], [0, 0, np.nan, 0, 1, 1, 1])


def test_the_entropy_discretizer_aligns_a_series_by_position() -> None:
    x = pd.DataFrame({"x": [1.0, 2, 3, 11, 12, 13]})
    y = pd.Series([0, 0, 0, 1, 1, 1], index=[5, 4, 3, 2, 1, 0])
    assert EntropyMDLDiscretizer().fit(x, y).cut_points_[0].tolist() == [7.0]
