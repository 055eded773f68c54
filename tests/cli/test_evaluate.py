"""``nbf evaluate``: every way to part the rows, what is printed where, and the exit codes."""

import csv
import math
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from support.strict_json import strict

from nbframework import EvaluationProtocol, Recipe, evaluate, read_arff
from nbframework.data.catalog import bundled_path


def only(result):
    """Return the single evaluation of a JSON answer."""
    (cell,) = strict(result.out)
    return cell


# --- what starting costs


def test_nothing_is_imported_that_only_sweeps_need():
    program = """
import sys
from nbframework.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    print(*sys.modules)
"""
    given = [sys.executable, "-c", program, "evaluate", "majority", "-d", "iris", "--folds", "3"]
    found = subprocess.run(given, capture_output=True, text=True, check=True).stdout.splitlines()[-1].split()
    assert "nbframework.cli.evaluate" in found
    assert not [name for name in found if name.startswith(("nbframework.report", "nbframework.cli.sweeps"))]


# --- what is printed


def test_one_recipe_on_one_data_set_in_detail(nbf):
    result = nbf("evaluate", "laplace-1", "-d", "monks-1", "--folds", "3")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "laplace-1 on monks-1: 432 rows, 6 attributes, 2 classes"
    assert lines[1] == "3-fold stratified cross-validation, seed 1"
    accuracy = evaluate(Recipe.load("laplace-1"), read_arff(bundled_path("monks-1")), folds=3).scores()["accuracy"]
    assert any(line.split()[:2] == ["accuracy", f"{100 * accuracy:.2f}"] for line in lines)
    assert "confusion matrix (rows actual, columns predicted)" in lines


def test_several_as_a_table_with_the_best_of_each_row_marked(nbf):
    result = nbf("evaluate", "majority", "gaussian-nb", "-d", "iris", "-d", "wine", "--folds", "3")
    assert result.code == 0
    header, iris, wine, mean, remark = result.out.splitlines()
    assert header.split() == ["accuracy", "majority", "gaussian-nb"]
    assert [line.split()[0] for line in (iris, wine, mean)] == ["iris", "wine", "mean"]
    assert iris.endswith("*")
    assert wine.endswith("*")
    assert "*" not in mean
    assert remark == "* best of its row. 3-fold stratified cross-validation, seed 1."
    shown = float(iris.split()[2])
    expected = evaluate(Recipe.load("gaussian-nb"), read_arff(bundled_path("iris")), folds=3).scores()["accuracy"]
    assert shown == pytest.approx(100 * expected, abs=0.005)


def test_a_table_of_one_recipe_marks_nothing(nbf):
    assert "*" not in nbf("evaluate", "sbc", "-d", "iris", "-d", "wine", "--folds", "2").out


def test_the_metric_of_the_table(nbf):
    result = nbf(
        *("evaluate", "majority", "gaussian-nb", "-d", "iris", "--folds", "3", "--metric", "log_loss"),
    )
    header, iris, _ = result.out.splitlines()
    assert header.split()[-2:] == ["majority", "gaussian-nb"]
    # the lower log loss is the better one, and guessing among three equal classes has ln 3 = 1.0986
    assert float(iris.split()[1]) == pytest.approx(math.log(3), abs=1e-3)
    assert iris.endswith("*")


def test_json_has_every_score(nbf):
    cell = only(nbf("evaluate", "sbc", "-d", "iris", "--folds", "5", "--repeats", "2", "--seed", "4", "--json"))
    evaluation = evaluate(Recipe.load("sbc"), read_arff(bundled_path("iris")), folds=5, repeats=2, seed=4)
    assert cell["scores"] == pytest.approx(evaluation.scores())
    assert cell["fold_errors"] == pytest.approx(evaluation.fold_errors())
    assert cell["identity"] == Recipe.load("sbc").identity()
    assert (cell["recipe"], cell["data"], cell["rows"]) == ("sbc", "iris", 150)
    assert np.sum(cell["confusion_matrix"]) == 150
    assert [row["class"] for row in cell["classes"]] == ["setosa", "versicolor", "virginica"]


def test_json_writes_an_infinite_log_loss_as_null_with_a_reason(nbf, write):
    train, test = write("train.arff", "u,s,a; v,t,b"), write("test.arff", "u,s,b")
    cell = only(nbf("evaluate", "no-match-0", "-d", train, "--test", test, "--json"))
    assert cell["scores"]["log_loss"] is None
    assert cell["scores"]["log_loss_reason"] == "infinite"
    assert cell["scores"]["accuracy"] == 0


def test_the_screen_shows_an_infinite_log_loss_as_infinite(nbf, write):
    train, test = write("train.arff", "u,s,a; v,t,b"), write("test.arff", "u,s,b")
    result = nbf("evaluate", "no-match-0", "-d", train, "--test", test)
    assert any(line.startswith("log loss") and line.endswith("inf") for line in result.out.splitlines())


def test_notes_go_to_stderr_and_into_json(nbf, write):
    data = write("few.arff", "u,s,a; u,t,a; v,t,a; v,s,b; u,t,?; v,t,b")
    result = nbf("evaluate", "laplace-1", "-d", data, "--folds", "3", "--json")
    assert "b (2)" in result.err
    assert "without a class left out of training" in result.err
    assert any("b (2)" in text for text in only(result)["notes"])
    assert all(line.startswith("note: ") for line in result.err.splitlines())


# --- ways to part the rows


def accuracy(result):
    assert result.code == 0, result.err
    return only(result)["scores"]["accuracy"]


def test_a_test_file(nbf, write):
    train = write("train.arff", "u,s,a; u,s,a; v,t,b; v,t,b")
    test = write("test.arff", "u,s,a; v,t,b; u,s,b; v,t,b")
    assert accuracy(nbf("evaluate", "laplace-1", "-d", train, "--test", test, "--json")) == 0.75


def test_the_values_of_a_test_file_are_matched_by_name(nbf, write):
    train = write("train.arff", "u,s,a; u,s,a; v,t,b; v,t,b")
    head = "@relation r\n@attribute class {b,a}\n@attribute y {t,s}\n@attribute x {v,u}\n@data\n"
    test = write("test.arff", "a,s,u; b,t,v; b,s,u; b,t,v", head)
    result = nbf("evaluate", "laplace-1", "-d", train, "--test", test, "--class", "class", "--json")
    assert accuracy(result) == 0.75


def test_given_rows(nbf, write):
    data = write("rows.arff", "u,s,a; v,t,b; u,s,a; v,t,b; u,s,b; v,t,b")
    result = nbf("evaluate", "laplace-1", "-d", data, "--split", "1-4 | 5-6", "--json")
    assert accuracy(result) == 0.5


def test_a_holdout(nbf, tmp_path):
    file = tmp_path / "p.csv"
    cell = only(nbf("evaluate", "majority", "-d", "iris", "--holdout", "0.2", "--predictions", str(file), "--json"))
    assert cell["protocol"]["kind"] == "holdout"
    assert len(list(csv.DictReader(file.open()))) == 30
    assert np.sum(cell["confusion_matrix"]) == 30


def test_leave_one_out(nbf):
    cell = only(nbf("evaluate", "laplace-1", "-d", "monks-1", "--leave-one-out", "--json"))
    dataset = read_arff(bundled_path("monks-1"))
    expected = evaluate(Recipe.load("laplace-1"), dataset, protocol=EvaluationProtocol("leave-one-out"))
    assert cell["scores"]["accuracy"] == expected.scores()["accuracy"]
    assert np.sum(cell["confusion_matrix"]) == 432


def test_another_class_attribute(nbf):
    cell = only(nbf("evaluate", "laplace-1", "-d", "monks-1", "--class", "a5", "--folds", "3", "--json"))
    assert [row["class"] for row in cell["classes"]] == ["1", "2", "3", "4"]


def test_overrides(nbf):
    plain = only(nbf("evaluate", "laplace-1", "-d", "iris", "--folds", "3", "--json"))
    changed = only(
        nbf("evaluate", "laplace-1", "-d", "iris", "--folds", "3", "--json", "--set", "discretizer.bins=2", "--set",
            "estimator=frequency")
    )  # fmt: skip
    recipe = Recipe.load("laplace-1", **{"discretizer.bins": 2, "estimator": "frequency"})
    assert changed["identity"] == recipe.identity() != plain["identity"]


@pytest.mark.parametrize(("scheme", "version"), [("nb_kernel", "3.6.14"), ("nb_kernel@3.9.7", "3.9")])
def test_both_versions_of_the_kernel_estimator_of_weka(nbf, tmp_path, scheme, version):
    """Each is exact against its golden file on the first fold of iris, through ``--set`` and ``--split``."""
    from support.golden import Golden
    from support.paths import ROOT
    from support.weka_iris import weka_iris

    from nbframework import write_arff

    iris = Golden(ROOT / "tests" / "oracle" / "golden" / "iris", weka_iris())
    data, file = tmp_path / "iris.arff", tmp_path / "p.csv"
    train, test = iris.training(0), np.flatnonzero(iris.folds == 0)
    write_arff(iris.dataset.take([*train, *test]), data)
    ranges = f"1-{len(train)} | {len(train) + 1}-150"
    result = nbf(
        *("evaluate", "weka-kernel", "-d", str(data), "--split", ranges),
        *("--set", f"density.version={version}", "--predictions", str(file)),
    )
    assert result.code == 0, result.err
    rows = list(csv.DictReader(file.open()))
    found = [[float(p) for p in row["posterior"].split()] for row in rows]
    assert [int(row["row"]) for row in rows] == list(range(len(train) + 1, 151))
    expected = iris.probabilities(scheme)[test]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-7)


# --- predictions


def test_every_prediction_of_every_fold_is_written(nbf, tmp_path):
    file = tmp_path / "predictions.csv"
    result = nbf(
        *("evaluate", "sbc", "majority", "-d", "iris", "--folds", "5", "--repeats", "2", "--predictions", str(file)),
    )
    assert result.code == 0
    rows = list(csv.DictReader(file.open(newline="")))
    assert len(rows) == 2 * 2 * 150
    for recipe in ("sbc", "majority"):
        for repeat in ("1", "2"):
            mine = [row for row in rows if (row["recipe"], row["repeat"]) == (recipe, repeat)]
            assert sorted(int(row["row"]) for row in mine) == list(range(1, 151))
            assert {row["fold"] for row in mine} == set("12345")
    iris = read_arff(bundled_path("iris"))
    for row in rows:
        assert row["actual"] == iris.class_values[iris.classes[int(row["row"]) - 1]]
        posterior = [float(p) for p in row["posterior"].split()]
        assert sum(posterior) == pytest.approx(1, abs=1e-12)
        if row["recipe"] == "sbc":
            assert row["predicted"] == iris.class_values[int(np.argmax(posterior))]


def test_the_accuracy_is_that_of_the_predictions(nbf, tmp_path):
    file = tmp_path / "predictions.csv"
    cell = only(nbf("evaluate", "sbc", "-d", "iris", "--folds", "5", "--predictions", str(file), "--json"))
    rows = list(csv.DictReader(file.open(newline="")))
    right = sum(row["actual"] == row["predicted"] for row in rows)
    assert cell["scores"]["accuracy"] == pytest.approx(right / 150)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_tables_are_evaluated_as_arff_files_are(ending, nbf, tmp_path):
    iris = read_arff(bundled_path("iris"))
    frame = pd.DataFrame({a.name: column for a, column in zip(iris.attributes, iris.columns, strict=True)})
    frame["class"] = [iris.class_values[code] for code in iris.classes]
    path = tmp_path / f"iris.{ending}"
    frame.to_csv(path, index=False) if ending == "csv" else frame.to_parquet(path)
    out = nbf("evaluate", "sbc", "-d", str(path)).out
    assert out.startswith("sbc on iris: 150 rows, 4 attributes, 3 classes")
    assert out.splitlines()[3:] == nbf("evaluate", "sbc", "-d", "iris").out.splitlines()[3:]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("--holdout", "0.3", "--folds", "5"), "--folds and --holdout exclude each other"),
        (("--split", "1-10 | 11-20", "--repeats", "2"), "--repeats and --split exclude each other"),
        (("--leave-one-out", "--folds", "5"), "--folds and --leave-one-out exclude each other"),
        (("--test", "iris", "--folds", "10"), "--folds and --test exclude each other"),
        (("--test", "iris", "--leave-one-out"), "--leave-one-out and --test exclude each other"),
    ],
)
def test_options_that_say_nothing_together_are_refused(options, fault, nbf):
    result = nbf("evaluate", "sbc", "-d", "iris", *options)
    assert result.code == 2
    assert fault in result.err


def test_a_single_test_set_is_described(nbf):
    out = nbf("evaluate", "majority", "-d", "monks-1", "--test", "monks-2").out
    assert out.startswith("majority on monks-1: 432 rows, ")
    assert "trained on all 432 rows, tested on the 432 rows of monks-2" in out
    assert "+- is the standard deviation of a share of so many rows." in out


def test_a_test_file_that_does_not_fit_is_named(nbf):
    result = nbf("evaluate", "sbc", "-d", "iris", "--test", "wine")
    assert result.code == 3
    assert "error: --test wine does not fit iris: the data have no attribute 'sepal_length'" in result.err


def test_an_error_of_the_data_is_told_once(nbf):
    result = nbf("evaluate", "sbc", "-d", "iris", "--class", "petal_width")
    assert result.err.count("petal_width") == 1
    assert "sbc on iris: class attribute 'petal_width' is numeric" in result.err
