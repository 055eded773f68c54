"""Sweeps: the curve is what each value gives by itself, the optimum is read off it, the nested figure is not."""

import numpy as np
import pytest

from nbframework import Attribute, Dataset, EvaluationError, EvaluationProtocol, Recipe, evaluate, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.evaluation.metrics import METRICS
from nbframework.evaluation.sweep import OF_POSTERIORS, optimum, sweep

IRIS = read_arff(bundled_path("iris"))
FOLDS = EvaluationProtocol(folds=4, repeats=2, seed=3)


def curve(name, path, values, dataset=IRIS, protocol=FOLDS, metric="accuracy", by=None, **overrides):
    recipe = Recipe.load(name, **overrides)
    honest = None
    if by:
        honest = Recipe.load(name, **{path: {"tune": {"values": list(values), "by": by, "metric": metric}}}).build()
    return sweep(recipe.build(), dataset, path, values, protocol, metric, honest)


@pytest.mark.parametrize(
    ("name", "path", "values"),
    [
        ("knn", "neighbourhood.k", (1, 4, 9, 60)),
        ("kappa-60", "neighbourhood.kappa", (0, 3, 60)),
        ("lwnb", "neighbourhood.k", (10, 40)),
        ("lawnb", "neighbourhood.k", (30, 60)),
        ("proportional-nb", "estimator.f", (0.1, 20)),
        ("c45", "classifier.minimum_rows", (2, 30)),
    ],
)
@pytest.mark.parametrize("metric", ["accuracy", "log_loss"])
def test_every_point_is_the_evaluation_of_its_value(name, path, values, metric):
    found = curve(name, path, values, metric=metric)
    for value, score in zip(values, found.scores, strict=True):
        single = evaluate(Recipe.load(name, **{path: value}), IRIS, protocol=FOLDS)
        assert score == pytest.approx(single.scores([metric])[metric], rel=1e-9)


@pytest.mark.parametrize(
    "protocol", [EvaluationProtocol("holdout", repeats=2), EvaluationProtocol("leave-one-out")], ids=str
)
def test_other_protocols(protocol):
    data = IRIS.take(np.arange(0, 150, 4))
    found = curve("knn-scaled", "neighbourhood.k", (1, 5), data, protocol)
    for value, score in zip((1, 5), found.scores, strict=True):
        single = evaluate(Recipe.load("knn-scaled", **{"neighbourhood.k": value}), data, protocol=protocol)
        assert score == pytest.approx(single.scores()["accuracy"], rel=1e-12)


def test_the_nested_figure_is_that_of_the_tuned_recipe():
    found = curve("kappa-60", "neighbourhood.kappa", tuple(range(1, 30)), by="leave-one-out")
    tuned = evaluate(
        Recipe.load("kappa-60", **{"neighbourhood.kappa": "{tune: {from: 1, to: 29}}"}), IRIS, protocol=FOLDS
    )
    assert found.nested.score == tuned.scores()["accuracy"]
    notes = [fold.notes[-1] for fold in tuned.predictions]
    chosen = [chosen["neighbourhood.kappa"] for chosen in found.nested.chosen]
    assert notes == [f"neighbourhood.kappa tuned to {value:g} by leave-one-out" for value in chosen]


def test_on_labels_without_a_pattern_the_optimum_is_optimistic_and_the_nested_figure_is_not():
    generator = np.random.default_rng(1)
    attributes = [Attribute.numeric("x"), Attribute.numeric("y"), Attribute.nominal("class", "ab")]
    data = Dataset.from_columns(attributes, [*generator.normal(size=(2, 120)), generator.integers(2, size=120)])
    found = curve("knn", "neighbourhood.k", tuple(range(1, 41)), data, by="leave-one-out")
    assert found.optimum()[1] > 0.54
    assert found.nested.score < found.optimum()[1] - 0.02


def test_the_optimum_is_the_smallest_of_the_best_values():
    assert optimum((1, 2, 3, 4), (0.5, 0.7, None, 0.7), True) == (2, 0.7)
    assert optimum((1, 2, 3), (0.5, 0.3, 0.3), False) == (2, 0.3)
    assert optimum((1, 2), (None, None), True) is None


def test_an_infinite_log_loss_is_never_the_best():
    assert optimum((1, 2), (float("inf"), 2.0), False) == (2, 2.0)


def test_more_answers_than_can_be_kept_are_refused(monkeypatch):
    monkeypatch.setattr("nbframework.evaluation.sweep.MOST_KEPT", 1000)
    with pytest.raises(EvaluationError, match="3 values give more than 1000 answers"):
        curve("knn", "neighbourhood.k", (1, 2, 3, 4)[:3], metric="log_loss")


def test_a_failure_names_its_fold():
    attributes = [Attribute("t", "string"), Attribute.nominal("class", "ab")]
    data = Dataset.from_columns(attributes, [["u"] * 8, [0, 1] * 4])
    with pytest.raises(EvaluationError, match="fold 1 of repeat 1: attribute 't' is string"):
        curve("knn", "neighbourhood.k", (1, 2), data)


def test_the_metrics_that_need_no_posterior_look_at_none():
    truth, predicted = np.array([0, 1, 1]), np.array([0, 1, 0])
    for name, metric in METRICS.items():
        if name not in OF_POSTERIORS:
            assert metric.function(truth, np.empty((3, 0)), predicted, None) is not None
