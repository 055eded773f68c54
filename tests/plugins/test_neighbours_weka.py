"""Local learning against the golden probabilities of Weka 3.6.14, row by row."""

import csv
import gzip
import os
from pathlib import Path

import numpy as np
import pytest

from nbframework import Recipe, read_arff
from nbframework.classifier import local

SHARED = Path(os.environ.get("NBFRAMEWORK_SHARED", Path(__file__).parents[2].parent / "shared"))
ORACLE = SHARED / "oracle"
SCHEMES = {
    "ibk1_disc": ("weka-ibk-discretized", {}),
    "ibk5_disc": ("weka-ibk-discretized", {"neighbourhood.k": 5}),
    "ibk1_raw": ("weka-ibk", {}),
    "ibk5_raw": ("weka-ibk", {"neighbourhood.k": 5}),
    "lwl50_nb_disc": ("weka-lwl-discretized", {}),
    "lwl50_nb_raw": ("weka-lwl", {}),
}
DATASETS = [
    "anneal",
    "autos",
    "breast-cancer",
    "credit-a",
    "glass",
    "hypothyroid",
    "ionosphere",
    "iris",
    "kr-vs-kp",
    "mushroom",
    "segment",
    "vote",
    "zoo",
]

pytestmark = pytest.mark.skipif(
    not ORACLE.is_dir(), reason=f"the golden files are not at {ORACLE}; set NBFRAMEWORK_SHARED to their folder"
)


def golden(name, scheme):
    path = ORACLE / name / f"{scheme}.csv.gz"
    if not path.exists():
        pytest.skip(f"{name} is nominal: its raw scheme is the discretized one")
    with gzip.open(path, "rt") as file:
        rows = list(csv.reader(file))[1:]
    return np.array([[float(p) for p in row[2:]] for row in sorted(rows, key=lambda row: int(row[0]))])


def cross_validated(recipe, name, **overrides):
    dataset = read_arff(SHARED / "datasets" / f"{name}.arff")
    fold = np.loadtxt(ORACLE / name / "folds.txt", dtype=int)
    classifier = Recipe.load(recipe, **overrides).build()
    posterior = np.full((len(dataset), len(dataset.class_values)), np.nan)
    training = [np.flatnonzero(fold != f) for f in range(10)]
    for f, fitted in enumerate(classifier.fit_folds(dataset, training)):
        test = np.flatnonzero(fold == f)
        posterior[test] = fitted.predict_proba(dataset.take(test))
    return posterior


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", DATASETS)
def test_every_row_has_the_probabilities_of_weka(name, scheme):
    expected = golden(name, scheme)
    recipe, overrides = SCHEMES[scheme]
    tolerance = 1e-9 if scheme.startswith("ibk") or scheme.endswith("disc") else 1e-8
    np.testing.assert_allclose(cross_validated(recipe, name, **overrides), expected, rtol=0, atol=tolerance)


def test_growing_ranges_do_not_depend_on_how_the_frame_cuts_a_batch(monkeypatch):
    whole = cross_validated("weka-lwl", "glass")
    monkeypatch.setattr(local, "BLOCK_NEIGHBOURS", 130)
    np.testing.assert_array_equal(cross_validated("weka-lwl", "glass"), whole)


def test_ranges_of_the_training_rows_do_not_depend_on_the_order_of_the_queries():
    dataset = read_arff(SHARED / "datasets" / "glass.arff")
    test = np.arange(150, 214)
    fitted = Recipe.load("lwnb").build().fit(dataset.take(np.arange(150)))
    backwards = fitted.predict_proba(dataset.take(test[::-1]))[::-1]
    np.testing.assert_array_equal(fitted.predict_proba(dataset.take(test)), backwards)


def test_growing_ranges_depend_on_the_order_of_the_queries():
    dataset = read_arff(SHARED / "datasets" / "glass.arff")
    test = np.arange(150, 214)
    fitted = Recipe.load("weka-lwl").build().fit(dataset.take(np.arange(150)))
    backwards = fitted.predict_proba(dataset.take(test[::-1]))[::-1]
    assert np.abs(fitted.predict_proba(dataset.take(test)) - backwards).max() > 1e-3
