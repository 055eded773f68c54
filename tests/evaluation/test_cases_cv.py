"""The public problem cases of cross-validation, each with its right answer."""

import csv
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from support.cases import CASES, case, needs_cases

from nbframework import Attribute, Dataset, EvaluationError, EvaluationProtocol, Recipe, evaluate

pytestmark = needs_cases


def rows_of_folds(evaluation):
    return [sorted(fold.rows.tolist()) for fold in evaluation.predictions]


# --- CV-01: classes with 8, 2 and 1 rows


def test_cv_01_small_classes_are_named():
    found = evaluate(Recipe.load("laplace-1"), case("CV-01"), folds=5)
    (note,) = found.notes
    assert "b (2)" in note
    assert "c (1)" in note
    assert "a (" not in note


def test_cv_01_every_row_is_tested_once_in_even_folds():
    found = rows_of_folds(evaluate(Recipe.load("laplace-1"), case("CV-01"), folds=5))
    assert sorted(map(len, found)) == [2, 2, 2, 2, 3]
    assert sorted(row for rows in found for row in rows) == list(range(11))


def test_cv_01_more_folds_than_rows():
    with pytest.raises(EvaluationError, match="12 folds need at least 12 rows, found 11"):
        evaluate(Recipe.load("laplace-1"), case("CV-01"), folds=12)


def test_cv_01_as_many_folds_as_rows_is_leave_one_out():
    dataset, recipe = case("CV-01"), Recipe.load("laplace-1")
    folds = evaluate(recipe, dataset, folds=11)
    assert sorted(rows_of_folds(folds)) == [[row] for row in range(11)]
    one_out = evaluate(recipe, dataset, protocol=EvaluationProtocol("leave-one-out"))
    by_row = {int(fold.rows[0]): fold.log_posterior[0] for fold in folds.predictions}
    for row, expected in zip(one_out.predictions[0].rows, one_out.predictions[0].log_posterior, strict=True):
        np.testing.assert_allclose(by_row[int(row)], expected, atol=1e-12)


# --- CV-03: even folds


@pytest.mark.parametrize("seed", range(5))
def test_cv_03_folds_and_classes_differ_by_one_row_at_most(seed):
    classes = np.repeat(np.arange(5), [21, 21, 21, 21, 16])
    dataset = Dataset.from_columns(
        [Attribute.numeric("x"), Attribute.nominal("class", "abcde")], [np.arange(100.0), classes]
    )
    found = evaluate(Recipe.load("majority"), dataset, folds=7, seed=seed)
    rows = rows_of_folds(found)
    assert sorted(map(len, rows), reverse=True) == [15, 15, 14, 14, 14, 14, 14]
    counts = np.array([np.bincount(classes[fold], minlength=5) for fold in rows])
    assert (counts.max(axis=0) - counts.min(axis=0) <= 1).all()


# --- CV-04: nothing leaks


def test_cv_04_labels_without_relation_to_the_inputs_stay_unpredictable():
    dataset, recipe = case("CV-04"), Recipe.load("weka-naive-bayes")
    accuracy = [evaluate(recipe, dataset, seed=seed).scores()["accuracy"] for seed in range(1, 11)]
    assert 0.22 < np.mean(accuracy) < 0.45


# --- CV-06: seeds


def test_cv_06_a_seed_changes_the_folds():
    dataset, recipe = case("CV-06"), Recipe.load("majority")
    one, two, again = (rows_of_folds(evaluate(recipe, dataset, folds=5, seed=seed)) for seed in (1, 2, 1))
    assert one == again
    assert one != two


def test_cv_06_the_names_of_classes_do_not_change_the_folds():
    dataset, recipe = case("CV-06"), Recipe.load("majority")
    renamed = Dataset(
        (dataset.attributes[0], Attribute.nominal("class", ["z", "y", "x"])), dataset.columns, 1, None, dataset.name
    )
    assert rows_of_folds(evaluate(recipe, renamed, folds=5)) == rows_of_folds(evaluate(recipe, dataset, folds=5))


def test_cv_06_the_seed_of_hashes_does_not_change_the_folds(tmp_path):
    outputs = set()
    for number in "012":
        file = tmp_path / f"{number}.csv"
        arguments = ["majority", "-d", str(CASES / "CV-06.arff"), "--folds", "5", "--predictions", str(file)]
        run(*arguments, PYTHONHASHSEED=number)
        outputs.add(file.read_bytes())
    assert len(outputs) == 1


def run(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "nbframework", "evaluate", *arguments],
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
        text=True,
    )


# --- CV-08: classes 01 and 1


def test_cv_08_the_classes_are_texts(tmp_path):
    file = tmp_path / "predictions.csv"
    done = run("majority", "-d", str(CASES / "CV-08.arff"), "--folds", "2", "--predictions", str(file), "--json")
    (cell,) = json.loads(done.stdout)
    assert [row["class"] for row in cell["classes"]] == ["01", "1"]
    with file.open(newline="") as stream:
        rows = sorted(csv.DictReader(stream), key=lambda row: int(row["row"]))
    assert [row["actual"] for row in rows] == ["01", "01", "1", "1"]
    assert {row["predicted"] for row in rows} <= {"01", "1"}
