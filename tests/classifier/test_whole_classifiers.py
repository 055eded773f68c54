"""Classifiers that are no composition, and are handed one."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from support.builders import fitted, odds, table

from nbframework import Attribute, Dataset, EvaluationError, Recipe
from nbframework.authoring import WholeClassifier
from nbframework.plugins import installed

HEADER = "x {u,v}; class {a,b}"
TRAINING = table(HEADER, "u a; u a; v b; v ?; u b {0}")


@dataclass(frozen=True, kw_only=True)
class Halves(WholeClassifier):
    """Fit the recipe's composition on all rows but the last."""

    name: ClassVar[str] = "halves"
    uses: ClassVar[tuple[str, ...]] = ("estimator", "structure")

    def fit(self, training, composition, generator):
        assert composition.parts["structure"].name == "naive"
        return composition.fit(training.take(slice(len(training) - 1)), generator)


@dataclass(frozen=True, kw_only=True)
class Says(WholeClassifier):
    """Give every row the same log joint."""

    name: ClassVar[str] = "says"

    def fit(self, training, composition, generator):
        return Saying(self.joint)


class Saying:
    def __init__(self, joint):
        self.joint = joint

    def log_joint(self, queries):
        return np.tile(np.array(self.joint, dtype=float), (len(queries), 1))


def saying(*joint):
    part = Says()
    object.__setattr__(part, "joint", joint)
    return Recipe(classifier=part).build().fit(TRAINING)


def test_it_is_handed_rows_of_known_class_and_positive_weight_and_the_composition():
    # u a, u a are left: prior 3/4 1/4; u: 3/4 and 1/2
    model = Recipe(classifier=Halves()).build().fit(TRAINING)
    np.testing.assert_allclose(model.predict_proba(table(HEADER, "u ?")), odds("9/16 1/8"), atol=1e-14)
    assert model.notes == ("1 row without a class left out of training",)


def test_its_scores_are_normalised():
    np.testing.assert_allclose(saying(-1, -1 + np.log(3)).predict_proba(TRAINING), [[0.25, 0.75]] * 5, atol=1e-14)


@pytest.mark.parametrize("joint", [(np.nan, 0), (np.inf, 0)])
def test_undefined_scores_are_an_error_that_names_the_row(joint):
    with pytest.raises(EvaluationError, match="row 1: the classifier gave"):
        saying(*joint).predict_proba(TRAINING)


def test_folds_and_leave_one_out_take_the_general_way():
    dataset = table(HEADER, "u a; v b; u a; v b; u b")
    classifier = Recipe(classifier=Halves()).build()
    rows = np.arange(5)
    for left, model in zip(rows, classifier.fit_folds(dataset, [np.delete(rows, row) for row in rows]), strict=True):
        alone = classifier.fit(dataset.take(np.delete(rows, left)))
        np.testing.assert_array_equal(model.predict_proba(dataset), alone.predict_proba(dataset))
        found, _ = classifier.leave_one_out(dataset)
        np.testing.assert_array_equal(found[left], alone.predict_log_proba(dataset.take([left]))[0])


def test_a_composition_may_be_fitted_by_hand():
    structure = installed().find("structure", "naive").part()
    composition = Recipe(structure=structure).build().composition
    model = composition.fit(table(HEADER, "u a; v b"), np.random.default_rng(0))
    assert model.log_joint(table(HEADER, "u ?; v ?; ? ?")).shape == (3, 2)


# --- attributes that stay numeric

WITH_SCHEME = {"sklearn": "{sklearn: {scheme: naive_bayes.GaussianNB}}"}
"""How a recipe names the classifiers that have a parameter without a default."""
NAMED = [name for name in installed().names("classifier") if name != "weka"]
"""Weka is another program, which tests of its own run where it is there."""


@pytest.mark.parametrize("name", NAMED)
def test_every_classifier_uses_numeric_attributes_or_refuses_them(name):
    classes = np.repeat([0, 1], 40)
    numbers = np.linspace(0, 1, 80) + classes
    attributes = [Attribute.numeric("size"), Attribute.nominal("same", ["v"]), Attribute.nominal("class", ["a", "b"])]
    training = Dataset.from_columns(attributes, [numbers, np.zeros(80, dtype=int), classes])
    recipe = f"recipe: t\ndiscretizer: none\nclassifier: {WITH_SCHEME.get(name, name)}"
    if not installed().find("classifier", name).part.handles_measured:
        words = (
            f"attribute 'size' is numeric, and classifier '{name}' takes nominal attributes only; name a discretizer"
        )
        with pytest.raises(EvaluationError, match=words):
            fitted(recipe, training)
        return
    assert fitted(recipe, training).predict(training.take([0, 79])).tolist() == [0, 1]
