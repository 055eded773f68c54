"""Calibration: the maps as scikit-learn has them, and posteriors that are nearer to the truth."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.isotonic import IsotonicRegression

from nbframework import Attribute, Dataset, Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework_calibration.calibrated import Calibrated, log_odds
from nbframework_calibration.isotonic import isotonic
from nbframework_calibration.sigmoid import sigmoid

RANDOM = np.random.default_rng(2)
SCORES = np.round(RANDOM.normal(0, 3, 80), 1)
TRUTH = (SCORES + RANDOM.normal(0, 3, 80) > 0).astype(float)
WEIGHTS = RANDOM.integers(1, 4, 80).astype(float)


def repeated_evidence(rows: int, copies: int, seed: int) -> Dataset:
    """Return rows whose one informative attribute stands there many times, so that naive Bayes is far too sure."""
    random = np.random.default_rng(seed)
    classes = random.integers(0, 2, rows)
    told = np.where(random.random(rows) < 0.75, classes, 1 - classes)
    attributes = [Attribute.nominal(f"x{i}", ["u", "v"]) for i in range(copies)]
    return Dataset.from_columns([*attributes, Attribute.nominal("c", ["a", "b"])], [told] * copies + [classes])


def test_the_sigmoid_has_the_smallest_loss() -> None:
    found = sigmoid(SCORES, TRUTH, WEIGHTS)
    positive, negative = (WEIGHTS * TRUTH).sum(), (WEIGHTS * (1 - TRUTH)).sum()
    target = np.where(TRUTH == 1, (positive + 1) / (positive + 2), 1 / (negative + 2))

    def loss(values: np.ndarray) -> float:
        score = values[0] * SCORES + values[1]
        return float((WEIGHTS * (np.logaddexp(0, score) - target * score)).sum())

    best = minimize(loss, [0.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-12}).x
    np.testing.assert_allclose(np.exp(found(SCORES)), 1 / (1 + np.exp(-(best[0] * SCORES + best[1]))), atol=1e-7)


def test_the_sigmoid_without_information_is_the_smoothed_share() -> None:
    found = np.exp(sigmoid(np.zeros(8), np.array([1.0, 1, 0, 0, 0, 0, 0, 0]), np.ones(8))(np.zeros(1)))
    # the mean target: (2 * 3 / 4 + 6 * 1 / 8) / 8
    np.testing.assert_allclose(found, [2.25 / 8], atol=1e-9)


def test_the_isotonic_map_equals_scikit_learns() -> None:
    theirs = IsotonicRegression(out_of_bounds="clip").fit(SCORES, TRUTH, sample_weight=WEIGHTS)
    asked = np.linspace(-12, 12, 97)
    np.testing.assert_allclose(np.exp(isotonic(SCORES, TRUTH, WEIGHTS)(asked)), theirs.predict(asked), atol=1e-12)


def test_adjacent_violators_are_pooled_by_hand() -> None:
    found = isotonic(np.array([1.0, 2, 3, 4]), np.array([0.0, 1, 0, 1]), np.array([1.0, 1, 3, 1]))
    np.testing.assert_allclose(np.exp(found(np.array([1.0, 2, 3, 4, 1.5]))), [0, 0.25, 0.25, 1, 0.125], atol=1e-15)


def test_log_odds_of_impossible_rows_are_those_of_the_frequencies() -> None:
    joint = np.array([[-np.inf, -np.inf], [np.log(0.2), np.log(0.1)], [0.0, -np.inf]])
    found = log_odds(joint, np.array([3.0, 1.0]))
    np.testing.assert_allclose(found[:2], [[np.log(3), -np.log(3)], [np.log(2), -np.log(2)]], atol=1e-15)
    np.testing.assert_array_equal(found[2], [np.inf, -np.inf])


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_repeated_evidence_is_believed_once(method: str) -> None:
    training, test = repeated_evidence(400, 12, 1), repeated_evidence(400, 12, 2)
    told = test.columns[0] == 0
    sure = Recipe().build().fit(training).predict_proba(test)[told, 0]
    calibrated = Recipe(classifier=Calibrated(method=method)).build().fit(training, seed=1).predict_proba(test)[told, 0]
    assert sure.min() > 0.999
    # three of four rows that look so are of the class
    assert abs(calibrated.mean() - 0.75) < 0.06


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_three_classes_sum_to_one(method: str) -> None:
    iris = read_arff(bundled_path("iris"))
    posterior = Recipe(classifier=Calibrated(method=method)).build().fit(iris, seed=1).predict_proba(iris)
    np.testing.assert_allclose(posterior.sum(axis=1), 1, atol=1e-12)
    assert (posterior.argmax(axis=1) == iris.classes).mean() > 0.9


def test_exact_zeros_become_finite_evidence() -> None:
    recipe = Recipe.from_text("recipe: t\nestimator: frequency\n")
    data = repeated_evidence(60, 1, 3)
    data = data.take(np.flatnonzero((data.columns[0] == 0) | (data.classes == 1)))
    plain = recipe.build().fit(data).predict_proba(data)
    calibrated = Recipe(estimator=recipe.estimator, classifier=Calibrated()).build().fit(data, seed=1)
    assert plain.min() == 0
    assert calibrated.predict_proba(data).min() > 0


def test_another_classifier_can_be_calibrated() -> None:
    text = "recipe: t\nclassifier: {calibrated: {of: {c45: {}}, folds: 3}}\n"
    iris = read_arff(bundled_path("iris"))
    assert (Recipe.from_text(text).build().fit(iris, seed=1).predict(iris) == iris.classes).mean() > 0.9


def test_one_row_is_left_as_it_is() -> None:
    data = repeated_evidence(1, 2, 1)
    posterior = Recipe(classifier=Calibrated()).build().fit(data).predict_proba(data)
    np.testing.assert_array_equal(posterior, Recipe().build().fit(data).predict_proba(data))


def test_the_same_seed_gives_the_same_bytes() -> None:
    data = repeated_evidence(50, 3, 1)
    one, other = (Recipe(classifier=Calibrated()).build().fit(data, seed=5).predict_proba(data) for _ in range(2))
    np.testing.assert_array_equal(one, other)
