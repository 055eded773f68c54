"""Printed figures: Table 3 of Hosein & Baboolal (2022), Table 2 of Zhang et al. (2018).

The pairs of column and data set in ``LONG`` take longer than a few seconds; the environment variable
NBFRAMEWORK_ALL_PRINTED has them run, too.
"""

import csv
import functools
import os

import numpy as np
import pytest
from support.paths import SHARED, absent

from nbframework import Dataset, Recipe, evaluate, read_arff
from nbframework.evaluation.evaluate import predicted_folds
from nbframework.evaluation.folds import Split

pytestmark = pytest.mark.skipif(not (SHARED / "papers").is_dir(), reason=absent("papers"))


def table(name):
    path = SHARED / "papers" / name
    if not path.is_file():
        return {}
    with path.open(newline="") as stream:
        return {row["dataset"]: row for row in csv.DictReader(stream)}


def read(file, class_attribute=None):
    return read_arff(SHARED / "datasets" / f"{file}.arff", class_attribute)


# --- Hosein & Baboolal (2022), Table 3, kappa = 60

SELECTED, PRINTED = table("kappa2022_table2.csv"), table("kappa2022_table3.csv")
FILES = {
    "algerian-forest-fires": "algerian-forest-fires-245",
    "credit-approval": "credit-a",
    "banknote-01": "banknote-authentication",
    "banknote-all": "banknote-authentication",
    "abalone": "abalone-sex",
}
KAPPA_ROWS = [name for name in PRINTED if name != "mean"] or ["absent"]
UNSTRATIFIED = ("breast-tissue", "leaf")
"""Few rows for many classes: here it matters that the authors' folds were not stratified."""


def selected(name, file=None):
    """The rows without unknown values and the attributes that the paper names, counted without the class."""
    dataset = read(file or FILES.get(name, name), "class" if name == "wine" else None)
    unknown = np.any([dataset.unknown(index) for index in range(len(dataset.attributes))], axis=0)
    dataset = dataset.take(~unknown)
    listed = "all" if name == "banknote-all" else SELECTED[name.removesuffix("-01")]["selected_attributes"]
    if listed == "all":
        return dataset
    kept = [dataset.input_indexes[int(index)] for index in listed.split()]
    attributes = [*(dataset.attributes[index] for index in kept), dataset.class_attribute]
    return Dataset.from_columns(
        attributes, [*(dataset.columns[index] for index in kept), dataset.classes], name=dataset.name
    )


def kappa_accuracy(name, file=None):
    dataset = selected(name, file)
    repeats = 10 if len(dataset) < 1700 else 1
    return evaluate(Recipe.load("kappa-60"), dataset, repeats=repeats).scores(["accuracy"])["accuracy"]


def unstratified_accuracy(name):
    """Accuracy over ten times ten folds that are dealt without a look at the classes."""
    dataset, generator, folds = selected(name), np.random.default_rng(5), []
    rows = np.arange(len(dataset))
    for repeat in range(10):
        order = generator.permutation(len(dataset))
        for fold in range(10):
            test = np.sort(order[fold::10])
            folds.append(Split(np.setdiff1d(rows, test), test, repeat, fold))
    found = predicted_folds(Recipe.load("kappa-60").build(), dataset, folds, 1)
    return float(np.mean([(fold.predicted == dataset.classes[fold.rows]).mean() for fold in found]))


def test_the_kappa_table_has_eighteen_rows():
    assert len(KAPPA_ROWS) == 18


@pytest.mark.parametrize("name", [name for name in KAPPA_ROWS if name not in UNSTRATIFIED])
def test_kappa_60(name):
    assert kappa_accuracy(name) == pytest.approx(float(PRINTED[name]["kappa60"]), abs=0.015)


@pytest.mark.parametrize("name", UNSTRATIFIED)
def test_kappa_60_in_folds_that_are_not_stratified(name):
    assert unstratified_accuracy(name) == pytest.approx(float(PRINTED[name]["kappa60"]), abs=0.015)


def test_the_features_of_the_forest_fires_count_the_columns_of_the_authors_file():
    """In the repository's file, which has day, month and year, the same numbers are other attributes."""
    printed = float(PRINTED["algerian-forest-fires"]["kappa60"])
    assert kappa_accuracy("algerian-forest-fires", "algerian-forest-fires") < printed - 0.03


def test_the_win_on_red_wine_is_that_of_duplicate_rows():
    """Without the rows that occur twice kappa = 60 falls below the Gaussian naive Bayes of the paper, 0.578."""
    dataset = selected("wine-quality-red")
    _, first = np.unique(np.column_stack(read("wine-quality-red").columns), axis=0, return_index=True)
    found = evaluate(Recipe.load("kappa-60"), dataset.take(np.sort(first)), repeats=3).scores(["accuracy"])["accuracy"]
    assert found < 0.578 < kappa_accuracy("wine-quality-red")


# --- Zhang et al. (2018), Table 2

LAWNB = table("lawnb2018_table2.csv")
READINGS = {"nb": "weka-gaussian", "wanbia": "wanbia-fair", "lwnb50": "lwnb", "lawnb50": "lawnb"}
READINGS |= {"aode": "aode-as-published", "waode": "waode-as-published"}
"""The recipes whose figures are those of the columns; the plugins' READMEs have the other readings."""
TAN = "tan-as-published"
"""No reading gives the single figures of the column TAN; see the page of the reproduction."""
LONG = {("wanbia", name) for name in ("anneal", "anneal-orig", "audiology", "soybean")}
LONG |= {("lawnb50", name) for name in ("audiology", "soybean", "kr-vs-kp", "hypothyroid", "sick")}
ALL = "NBFRAMEWORK_ALL_PRINTED" in os.environ


def cells(column, key=None):
    """The data sets of a column with a legible print (or deviation), without the long ones."""
    legible = [name for name, row in LAWNB.items() if name != "mean" and row[column] and row[key or column]]
    return [name for name in legible if ALL or (column, name) not in LONG] or ["absent"]


@functools.cache
def accuracy(column, name):
    dataset = read(name)
    return 100 * evaluate(Recipe.load(READINGS.get(column, TAN)), dataset).scores(["accuracy"])["accuracy"]


@pytest.mark.parametrize(
    ("column", "name"), [(column, name) for column in READINGS for name in cells(column, f"{column}_sd")]
)
def test_lawnb_and_its_rivals(column, name):
    row = LAWNB[name]
    deviation = float(row[f"{column}_sd"])
    # a deviation of 0 is that of an accuracy that is always the same
    assert accuracy(column, name) == pytest.approx(float(row[column]), abs=deviation or 0.005)


@pytest.mark.parametrize("column", READINGS)
def test_the_means_of_lawnb_and_its_rivals(column):
    names = cells(column)
    found = np.mean([accuracy(column, name) for name in names])
    assert found == pytest.approx(np.mean([float(LAWNB[name][column]) for name in names]), abs=1.0)


def test_the_mean_of_tree_augmented_naive_bayes():
    """Single figures do not fit: zoo is far below the print, and most other sets are above it."""
    names = cells("tan")
    found = np.mean([accuracy("tan", name) for name in names])
    assert found == pytest.approx(np.mean([float(LAWNB[name]["tan"]) for name in names]), abs=1.0)


@pytest.mark.parametrize("name", ["vowel", "sonar", "segment", "hypothyroid"])
def test_locally_weighted_naive_bayes_looks_at_raw_numbers_in_the_print(name):
    row = LAWNB[name]
    intervals = 100 * evaluate(Recipe.load("lwnb-fair"), read(name)).scores(["accuracy"])["accuracy"]
    assert abs(intervals - float(row["lwnb50"])) > float(row["lwnb50_sd"])


@pytest.mark.parametrize("name", ["segment", "sick", "hypothyroid", "anneal"])
def test_naive_bayes_is_that_of_normal_distributions_in_the_print(name):
    row = LAWNB[name]
    intervals = 100 * evaluate(Recipe.load("weka-naive-bayes"), read(name)).scores(["accuracy"])["accuracy"]
    assert abs(intervals - float(row["nb"])) > float(row["nb_sd"])
