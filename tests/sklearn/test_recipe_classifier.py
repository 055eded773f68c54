"""The scikit-learn face behaves in scikit-learn's tools."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn import config_context
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from nbframework import Attribute, EvaluationError, Recipe, RecipeError
from nbframework.sklearn import EntropyMDLDiscretizer, RecipeClassifier


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


def test_every_part_of_the_metadata_is_routed() -> None:
    x, y = load_iris(return_X_y=True)
    weights = np.arange(150) % 3 + 1.0
    with config_context(enable_metadata_routing=True):
        classifier = RecipeClassifier("sbc").set_fit_request(sample_weight=True)
        pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), classifier)
        routed = pipeline.fit(x, y, sample_weight=weights).predict_proba(x)
    direct = make_pipeline(StandardScaler(), RecipeClassifier("sbc"))
    expected = direct.fit(x, y, recipeclassifier__sample_weight=weights).predict_proba(x)
    np.testing.assert_array_equal(routed, expected)
    assert not np.array_equal(routed, direct.fit(x, y).predict_proba(x))


def test_metadata_that_nobody_asked_for_is_refused() -> None:
    x, y = load_iris(return_X_y=True)
    with config_context(enable_metadata_routing=True), pytest.raises(UnsetMetadataPassedError):
        cross_validate(RecipeClassifier("sbc"), x, y, params={"sample_weight": np.ones(150)})


def test_cross_validation_gives_every_score() -> None:
    x, y = load_iris(return_X_y=True)
    found = cross_validate(RecipeClassifier("gaussian-nb"), x, y, scoring=["accuracy", "neg_log_loss"], cv=3)
    assert found["test_accuracy"].min() > 0.85
    assert np.isfinite(found["test_neg_log_loss"]).all()


def test_sparse_input_is_refused_clearly() -> None:
    with pytest.raises(TypeError, match="Sparse data was passed"):
        RecipeClassifier("gaussian-nb").fit(csr_array(np.eye(4)), [0, 1, 0, 1])


def test_labels_are_the_names_of_the_classes() -> None:
    priors = {"no": 0.5, "yes": 0.5}
    model = RecipeClassifier("gaussian-nb", prior="frequency", class_priors=priors)
    frame = pd.DataFrame({"x": ["u"] * 5})
    assert model.fit(frame, ["yes", "no", "no", "no", "no"]).fitted_.class_values == ("no", "yes")
    # P(u | class) is 1 in both
    np.testing.assert_allclose(model.predict_proba(frame)[0], [0.5, 0.5], atol=1e-15)


def test_costs_are_searched_like_other_parameters() -> None:
    x, y = load_iris(return_X_y=True)
    dear = {"2": {"1": 1000}}
    search = GridSearchCV(RecipeClassifier("sbc"), {"costs": [None, dear]}, scoring="recall_macro").fit(x, y)
    assert "param_costs" in search.cv_results_
    plain, careful = (RecipeClassifier("sbc", costs=costs).fit(x, y).predict(x) for costs in (None, dear))
    assert ((careful == 1) <= (plain == 1)).all()
    assert (careful == 2).sum() > (plain == 2).sum()


def test_a_transformer_keeps_the_names_of_its_columns() -> None:
    x, y = load_iris(return_X_y=True, as_frame=True)
    bins = EntropyMDLDiscretizer().set_output(transform="pandas").fit_transform(x, y)
    assert list(bins.columns) == list(x.columns)


def test_a_value_outside_the_pinned_schema_is_refused() -> None:
    schema = {"colour": Attribute.nominal("colour", ["red", "green"])}
    with pytest.raises(ValueError, match="column 'colour' holds 'pink'"):
        RecipeClassifier("gaussian-nb", schema=schema).fit(pd.DataFrame({"colour": ["red", "pink"]}), [0, 1])


def test_a_schema_makes_a_column_of_an_array_nominal() -> None:
    schema = {"x0": Attribute.nominal("x0", ["0", "1", "2"])}
    model = RecipeClassifier("gaussian-nb", prior="frequency", schema=schema).fit([[0], [0], [1], [1]], list("aabb"))
    # P(0 | a) = (2 + 1) / (2 + 3), P(0 | b) = (0 + 1) / (2 + 3)
    np.testing.assert_allclose(model.predict_proba([[0]]), [[3 / 4, 1 / 4]])
    with pytest.raises(ValueError, match="column 'x0' holds '3', which its attribute in the schema does not declare"):
        model.fit([[0], [3]], ["a", "b"])


def test_two_columns_of_one_name_are_named() -> None:
    frame = pd.DataFrame(np.ones((4, 3)), columns=["a", "b", "a"])
    with pytest.raises(ValueError, match=r"X has 2 columns called 'a', expected a name of its own for each"):
        RecipeClassifier("gaussian-nb").fit(frame, ["p", "q", "p", "q"])


def test_a_frame_without_rows_has_nothing_to_learn_from() -> None:
    with pytest.raises(EvaluationError, match=r"^no training rows$"):
        RecipeClassifier("sbc").fit(pd.DataFrame({"x": ["u"]})[:0], [])


# --- neighbours


def test_neighbours_are_the_rows_that_speak() -> None:
    x = np.array([[0.0], [1.0], [5.0], [6.0]])
    near = RecipeClassifier("knn", neighbourhood__k=2).fit(x, [0, 0, 1, 1]).neighbours([[0.4], [5.6]])
    assert near.shape == (2, 4)
    np.testing.assert_array_equal(near.toarray() > 0, [[True, True, False, False], [False, False, True, True]])


def test_neighbours_are_numbered_by_the_rows_of_x() -> None:
    x = np.array([[0.0], [0.1], [5.0], [6.0]])
    model = RecipeClassifier("knn", neighbourhood__k=1).fit(x, [0, 0, 1, 1], sample_weight=[0, 1, 1, 1])
    np.testing.assert_array_equal(model.neighbours([[0.0]]).toarray() > 0, [[False, True, False, False]])


def test_kernel_weights_fall_with_the_distance() -> None:
    x, y = load_iris(return_X_y=True)
    weights = RecipeClassifier("kappa-60").fit(x, y).neighbours(x[:1]).toarray()[0]
    assert weights.argmax() == 0
    assert (weights > 0).all()
    assert weights[y == 0].min() > weights[y == 2].max()


def test_a_global_recipe_has_no_neighbours() -> None:
    x, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="this recipe has no neighbourhood"):
        RecipeClassifier("sbc").fit(x, y).neighbours(x)
