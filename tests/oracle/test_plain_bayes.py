"""Exactness against naive Bayes in plain Python, on bundled data sets: counts, cut points and densities."""

import functools
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from support import plain_bayes as plain
from support.golden import Golden
from support.weka_iris import weka_iris

from nbframework import Dataset, Recipe, read_arff
from nbframework.classifier.encoding import SortedColumns, learn_cuts
from nbframework.data.catalog import bundled_path
from nbframework.evaluation.folds import cross_validation_splits

GOLDEN = Path(__file__).parent / "golden" / "iris"
NOMINAL = ("tic-tac-toe", "monks-1", "monks-3", "led24")
NUMERIC = ("wine", "iris", "breast-cancer-wisconsin-diagnostic")
SMOOTHING = {
    "laplace-1": (plain.laplace(Fraction(1)), Fraction(1)),
    "laplace-0.1": (plain.laplace(Fraction(1, 10)), Fraction(1)),
    "laplace-m": (plain.laplace_m, Fraction(1)),
    "no-match-0": (plain.no_match(Fraction(0)), Fraction(0)),
    "no-match-0.5": (plain.no_match(Fraction(1, 2)), Fraction(0)),
    "no-match-pc": (plain.no_match_pc, Fraction(0)),
    "weka-naive-bayes": (plain.laplace(Fraction(1)), Fraction(1)),
}


@functools.cache
def bundled(name: str) -> Dataset:
    return read_arff(bundled_path(name))


def two_folds(dataset: Dataset):
    splits = cross_validation_splits(dataset.classes, len(dataset.class_values), 5, 1, 1, dataset.name)
    return splits[:2]


@pytest.mark.parametrize("name", NOMINAL)
@pytest.mark.parametrize("recipe", SMOOTHING)
def test_posteriors_of_nominal_data(name, recipe):
    dataset = bundled(name)
    smoothing, prior_f = SMOOTHING[recipe]
    rows = np.column_stack(dataset.input_columns).tolist()
    classes = dataset.classes.tolist()
    values = [attribute.cardinality for attribute in dataset.inputs]
    classifier = Recipe.load(recipe).build()
    splits = two_folds(dataset)
    models = classifier.fit_folds(dataset, [split.train for split in splits])
    for split, model in zip(splits, models, strict=True):
        oracle = plain.PlainBayes(
            [rows[i] for i in split.train],
            [classes[i] for i in split.train],
            values,
            len(dataset.class_values),
            smoothing,
            prior_f,
        )
        asked = split.test[:60]
        expected = [oracle.posterior(rows[i]) for i in asked]
        np.testing.assert_allclose(model.predict_proba(dataset.take(asked)), expected, rtol=0, atol=1e-12)


def test_the_m_estimate_of_nominal_data():
    dataset = bundled("led24")
    rows = np.column_stack(dataset.input_columns).tolist()
    values = [attribute.cardinality for attribute in dataset.inputs]
    oracle = plain.PlainBayes(rows, dataset.classes.tolist(), values, 10, plain.m_estimate, Fraction(1, 10))
    model = Recipe.from_text("recipe: t\nestimator: {m-estimate: {m: 1}}").build().fit(dataset)
    expected = [oracle.posterior(row) for row in rows[:60]]
    np.testing.assert_allclose(model.predict_proba(dataset.take(slice(60))), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", [*NUMERIC, "waveform-21"])
@pytest.mark.parametrize(("kononenko", "boundaries"), [(False, False), (True, False), (False, True), (True, True)])
def test_cut_points_of_numeric_data(name, kononenko, boundaries):
    dataset = bundled(name)
    criterion, candidates = ("kononenko" if kononenko else "fayyad-irani"), ("boundaries" if boundaries else "rows")
    recipe = Recipe.load("sbc", **{"discretizer.criterion": criterion, "discretizer.candidates": candidates})
    rows = two_folds(dataset)[0].train
    found = learn_cuts(recipe.discretizer, SortedColumns(dataset), rows)
    classes = dataset.classes[rows].tolist()
    for position, column in enumerate(dataset.input_columns):
        expected = plain.entropy_cuts(column[rows].tolist(), classes, len(dataset.class_values), kononenko, boundaries)
        assert found[position].tolist() == expected, dataset.inputs[position].name


@pytest.mark.parametrize("name", NUMERIC)
@pytest.mark.parametrize(
    ("recipe", "likelihood", "tolerance"),
    [("weka-gaussian", plain.weka_gaussian, 1e-8), ("weka-kernel", plain.weka_kernel, 1e-7)],
)
def test_densities_of_weka(name, recipe, likelihood, tolerance):
    dataset = bundled(name)
    split = two_folds(dataset)[0]
    model = Recipe.load(recipe).build().fit(dataset.take(split.train))
    asked = split.test[:20]
    expected = plain_density_posteriors(dataset, split.train, asked, likelihood)
    np.testing.assert_allclose(model.predict_proba(dataset.take(asked)), expected, rtol=0, atol=tolerance)


def plain_density_posteriors(dataset, train, asked, likelihood):
    count = len(dataset.class_values)
    classes = dataset.classes[train]
    found = []
    for row in asked:
        logs = []
        for c in range(count):
            total = np.log((np.sum(classes == c) + 1) / (len(train) + count))
            for column in dataset.input_columns:
                values = column[train].tolist()
                total += np.log(likelihood(values, column[train][classes == c].tolist(), float(column[row])))
            logs.append(total)
        weights = np.exp(np.array(logs) - max(logs))
        found.append(weights / weights.sum())
    return found


# --- the plain form itself, against Weka


def test_the_plain_cut_points_are_those_of_weka():
    iris = Golden(GOLDEN, weka_iris())
    for file, options in (("cuts.csv", {}), ("cuts_K.csv", {"kononenko": True}), ("cuts_E.csv", {"boundaries": True})):
        for (fold, name), expected in iris.cuts(file).items():
            rows = iris.training(fold)
            position = [attribute.name for attribute in iris.dataset.inputs].index(name)
            values = iris.dataset.input_columns[position][rows].tolist()
            assert plain.entropy_cuts(values, iris.dataset.classes[rows].tolist(), 3, **options) == expected


@pytest.mark.parametrize(
    ("scheme", "likelihood"), [("nb_gauss", plain.weka_gaussian), ("nb_kernel", plain.weka_kernel)]
)
def test_the_plain_densities_are_those_of_weka(scheme, likelihood):
    iris = Golden(GOLDEN, weka_iris())
    asked = np.flatnonzero(iris.folds == 3)
    found = plain_density_posteriors(iris.dataset, iris.training(3), asked, likelihood)
    np.testing.assert_allclose(found, iris.probabilities(scheme)[asked], rtol=0, atol=1e-8)
