"""What is printed of data, classifiers and predictions, and what is said of arguments of another type."""

import numpy as np
import pandas as pd
import pytest
from support.builders import table

from nbframework import Attribute, DataError, Dataset, EvaluationError, Recipe, evaluate
from nbframework.errors import WrongTypeError
from nbframework.evaluation.bias_variance import bias_variance

DATASET = table("x {u,v}; y numeric; class {a,b}", "u 1 a; u 2 a; v 3 b; v 4 b")
FRAME = pd.DataFrame({"x": ["u", "v"], "class": ["a", "b"]})
RECIPE = Recipe.load("laplace-1")
FITTED = RECIPE.build().fit(DATASET)


def test_a_data_set_is_printed_without_its_rows():
    assert repr(DATASET) == "<Dataset 'r': 4 rows, 2 attributes, class 'class' of 2 values>"


def test_a_data_set_without_name_and_nominal_class_is_printed():
    unnamed = Dataset(DATASET.attributes, DATASET.columns, 1)
    assert repr(unnamed) == "<Dataset: 4 rows, 2 attributes, class 'y' (numeric)>"


def test_a_fitted_classifier_is_printed_as_its_parts_rows_and_classes():
    assert repr(FITTED) == (
        "<FittedClassifier missing=ignore discretizer=equal-width neighbourhood=everything estimator=laplace "
        "density=gaussian weights=uniform structure=naive: 4 rows, 2 classes (a, b)>"
    )


def test_a_whole_classifier_is_printed_by_its_own_name():
    assert repr(Recipe.load("c45").build().fit(DATASET)) == (
        "<FittedClassifier classifier=c45: 4 rows, 2 classes (a, b)>"
    )


def test_a_classifier_of_many_classes_names_the_first_ones():
    classes = [f"c{number}" for number in range(12)]
    rows = "; ".join(f"u {name}" for name in classes)
    found = RECIPE.build().fit(table(f"x {{u,v}}; class {{{','.join(classes)}}}", rows))
    assert repr(found).endswith(": 12 rows, 12 classes (c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, ...)>")


def test_a_classifier_of_a_fold_tells_no_rows():
    (found,) = RECIPE.build().fit_folds(DATASET, [np.arange(4)])
    assert repr(found).endswith(" structure=naive: 2 classes (a, b)>")


def test_predictions_are_printed_without_their_rows():
    found = evaluate(RECIPE, DATASET, folds=2).predictions[1]
    assert repr(found) == "<Predictions of 2 rows: repeat 0, fold 1>"


@pytest.mark.parametrize(
    "call",
    [
        FITTED.predict,
        FITTED.predict_proba,
        FITTED.partial_fit,
        RECIPE.build().fit,
        lambda found: evaluate(RECIPE, found),
        lambda found: bias_variance(RECIPE, found),
    ],
    ids=["predict", "predict_proba", "partial_fit", "fit", "evaluate", "bias_variance"],
)
@pytest.mark.parametrize(("found", "name"), [(FRAME, "DataFrame"), (np.zeros((2, 2)), "ndarray"), ("iris.arff", "str")])
def test_what_is_no_data_set_is_named_with_the_ways_to_one(call, found, name):
    with pytest.raises(TypeError, match=f"^expected a Dataset, found {name}; read_arff.*dataset_from_frame") as caught:
        call(found)
    assert isinstance(caught.value, WrongTypeError)


@pytest.mark.parametrize("judge", [evaluate, bias_variance])
@pytest.mark.parametrize(
    ("found", "message"),
    [
        ("sbc", r"found str; Recipe.load\('sbc'\) reads a recipe"),
        (FITTED, r"found FittedClassifier; Recipe.load\(name\) reads a recipe"),
        (Recipe, r"found type; Recipe.load\(name\) reads a recipe"),
    ],
    ids=["name", "fitted", "class"],
)
def test_what_is_no_recipe_is_named_with_the_way_to_one(judge, found, message):
    with pytest.raises(TypeError, match=f"^expected a Recipe or a Classifier, {message}$"):
        judge(found, DATASET)


def test_rows_are_no_classifier_to_merge():
    with pytest.raises(
        TypeError, match=r"^expected a FittedClassifier, found Dataset; partial_fit\(dataset\) adds rows"
    ):
        FITTED.merge(DATASET)


def test_a_class_without_values_for_lack_of_rows_has_nothing_to_learn_from():
    empty = Dataset.from_columns([Attribute.numeric("x"), Attribute.nominal("class", [])], [[], []])
    with pytest.raises(EvaluationError, match=r"^no training rows$"):
        RECIPE.build().fit(empty)


def test_a_class_that_is_no_class_is_named_without_rows_too():
    with pytest.raises(DataError, match="class attribute 'y' is numeric"):
        RECIPE.build().fit(DATASET.with_class("y").take([]))
