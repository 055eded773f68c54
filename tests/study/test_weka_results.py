"""Weka's result files: read, written, and judged as Weka judges them."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from nbframework import read_arff
from nbframework.errors import DataError
from nbframework.evaluation.desk import verdicts, win_tie_loss
from nbframework.study.results import read_run
from nbframework.study.store import Store
from nbframework.study.weka_results import COLUMNS, KEYS, larger_is_better, read_weka_results, write_weka_results

GOLDEN = Path(__file__).parent / "golden" / "weka_results.arff"
JAR = Path("/usr/share/java/weka.jar")
TESTERS = {"corrected-t": "PairedCorrectedTTester", "paired-t": "PairedTTester"}
JUDGED = {
    ("corrected-t", "accuracy", "weka-naive-bayes"): {"weka-gaussian": "  * ", "laplace-1": "  * "},
    ("paired-t", "accuracy", "weka-naive-bayes"): {"weka-gaussian": "v * ", "laplace-1": "  * "},
    ("corrected-t", "accuracy", "laplace-1"): {"weka-naive-bayes": "  v ", "weka-gaussian": "  * "},
    ("paired-t", "accuracy", "laplace-1"): {"weka-naive-bayes": "  v ", "weka-gaussian": "  * "},
    ("corrected-t", "cohens_kappa", "weka-naive-bayes"): {"weka-gaussian": "  * ", "laplace-1": "  * "},
    ("paired-t", "cohens_kappa", "weka-naive-bayes"): {"weka-gaussian": "v * ", "laplace-1": "  * "},
    ("corrected-t", "cohens_kappa", "laplace-1"): {"weka-naive-bayes": "  v ", "weka-gaussian": "    "},
    ("paired-t", "cohens_kappa", "laplace-1"): {"weka-naive-bayes": "  v ", "weka-gaussian": "  * "},
}
"""What Weka 3.6.14 marks on iris, zoo, glass and vote:
java weka.experiment.TESTER -t weka_results.arff -D 1 -R 2 -F 3 -G 4,5,6 -c COLUMN -b BASE, columns 9 (percent correct)
and 10 (kappa), bases 1 and 3."""
SMALL = "study: s\nrecipes: [sbc, gaussian-nb]\ndata: [iris, wine]\nmetrics: [accuracy, cohens_kappa, rmse, auc]\n"


@pytest.mark.parametrize(("question", "marks"), JUDGED.items(), ids=str)
def test_verdicts_equal_wekas(question, marks):
    test, metric, baseline = question
    table = read_weka_results(GOLDEN, metric)
    found = verdicts(table, baseline, test)
    for method, wanted in marks.items():
        mine = "".join({1: "v", 0: " ", -1: "*"}[v.outcome] for v in found if v.method == method)
        assert mine == wanted, method


@pytest.mark.skipif(not JAR.exists() or not shutil.which("java"), reason=f"Weka is not at {JAR}")
@pytest.mark.parametrize("test", TESTERS)
@pytest.mark.parametrize("more", ["", "protocol: {learning-curve: {shares: [0.1, 0.5, 1], folds: 5, repeats: 2}}\n"])
def test_weka_reads_our_file_and_counts_the_same_wins(ran, tmp_path, test, more):
    ran(SMALL.replace("]\ndata", ", laplace-1, majority]\ndata").replace("wine", "wine, monks-1") + more)
    with Store(tmp_path / "small.db") as store:
        write_weka_results(read_run(store), tmp_path / "r.arff")
    column = str(len(KEYS) + 1 + COLUMNS.index("Percent_correct"))
    tester = ["java", "-cp", JAR, f"weka.experiment.{TESTERS[test]}", "-t", tmp_path / "r.arff"]
    options = ["-D", "1", "-R", "2", "-F", "3", "-G", "4,5,6", "-c", column, "-b", "1"]
    text = subprocess.run([*tester, *options], capture_output=True, text=True, check=True).stdout
    counted = next(line for line in text.splitlines() if "(v/ /*)" in line).split("|")[1].split()
    table = read_weka_results(tmp_path / "r.arff")
    found = verdicts(table, table.methods[0], test)
    assert counted == ["({}/{}/{})".format(*win_tie_loss(found, method)) for method in table.methods[1:]]


@pytest.fixture
def results(ran, tmp_path):
    ran(SMALL)
    with Store(tmp_path / "small.db") as store:
        yield read_run(store)


def test_the_columns_are_wekas_in_its_order(results, tmp_path, shared):
    write_weka_results(results, tmp_path / "r.arff")
    header = (shared / "weka-results-header.arff").read_text().splitlines()
    wanted = [line.split()[1] for line in header if line.startswith("@attribute")]
    assert [attribute.name for attribute in read_arff(tmp_path / "r.arff").attributes] == wanted


@pytest.mark.parametrize("name", ["r.arff", "r.csv"])
@pytest.mark.parametrize("metric", ["accuracy", "cohens_kappa", "rmse", "auc"])
def test_what_is_written_is_read_back(results, tmp_path, name, metric):
    write_weka_results(results, tmp_path / name)
    wanted, found = results.table(metric), read_weka_results(tmp_path / name, metric)
    assert (found.datasets, found.methods) == (wanted.datasets, wanted.methods)
    for cell, scores in wanted.scores.items():
        assert found.scores[cell] == pytest.approx(scores, abs=1e-12)
    assert found.test_ratio["iris", "sbc"] == pytest.approx(1 / 9)


def test_a_row_counts_what_was_right_and_wrong(results, tmp_path):
    write_weka_results(results, tmp_path / "r.arff")
    dataset = read_arff(tmp_path / "r.arff")
    column = {attribute.name: column for attribute, column in zip(dataset.attributes, dataset.columns, strict=True)}
    assert (column["Number_incorrect"] == np.round(column["Number_incorrect"])).all()
    assert column["Number_correct"] + column["Number_incorrect"] == pytest.approx(
        column["Number_of_testing_instances"].astype(float)
    )
    assert np.isnan(column["KB_information"]).all()


@pytest.mark.parametrize(("name", "found"), [("r.txt", "the ending '.txt'"), ("r", "no ending")])
def test_a_file_of_another_ending_is_refused(results, tmp_path, name, found):
    with pytest.raises(DataError, match=rf"{name}: found {found}, expected \.arff or \.csv"):
        write_weka_results(results, tmp_path / name)
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("name", ["r.arff", "r.csv"])
def test_a_file_that_cannot_be_written_is_named(results, tmp_path, name):
    with pytest.raises(DataError, match=rf"none/{name}: cannot be written: no such file"):
        write_weka_results(results, tmp_path / "none" / name)


CSV = (
    "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Percent_correct\n"
    "d,1,1,weka.A,-x,90\nd,1,2,weka.A,-x,80\nd,1,1,weka.A,-y,70\nd,1,2,weka.A,-y,60\n"
)


def test_one_scheme_with_several_options_is_several_methods(tmp_path):
    (tmp_path / "r.csv").write_text(CSV)
    table = read_weka_results(tmp_path / "r.csv")
    assert table.methods == ("A -x", "A -y")
    assert table.scores["d", "A -y"].tolist() == [0.7, 0.6]


def test_a_cell_in_the_quotes_of_arff_is_read_without_them(tmp_path):
    (tmp_path / "r.csv").write_text(CSV.replace("-x", "'-U -S \\'a\\''"))
    assert read_weka_results(tmp_path / "r.csv").methods == ("A -U -S 'a'", "A -y")


def test_a_random_split_has_one_test_set_a_run(tmp_path):
    """Weka's RandomSplitResultProducer writes no column Key_Fold."""
    rows = ["Key_Dataset,Key_Run,Key_Scheme,Percent_correct", "d,1,A,90", "d,2,A,80", "d,1,B,70", "d,2,B,60"]
    (tmp_path / "r.csv").write_text("\n".join(rows) + "\n")
    assert read_weka_results(tmp_path / "r.csv").scores["d", "B"].tolist() == [0.7, 0.6]


@pytest.mark.parametrize(
    ("metric", "larger"),
    [
        ("Percent_correct", True),
        ("Percent_incorrect", False),
        ("Mean_absolute_error", False),
        ("SF_entropy_gain", True),
        ("SF_mean_scheme_entropy", False),
        ("Weighted_avg_false_positive_rate", False),
        ("Weighted_avg_area_under_PRC", True),
        ("Elapsed_Time_training", False),
        ("Serialized_Model_Size", False),
        ("Size_of_Predicted_Regions", False),
        ("log_loss", False),
    ],
)
def test_it_is_known_of_each_column_whether_larger_is_better(metric, larger):
    assert larger_is_better(metric) == larger


def test_the_runs_of_wekas_folds_begin_with_the_seed(ran, tmp_path):
    ran(SMALL + "protocol: {weka-folds: {folds: 3, seed: 4, repeats: 2}}\n")
    with Store(tmp_path / "small.db") as store:
        write_weka_results(read_run(store), tmp_path / "r.csv")
    runs = [line.split(",")[1] for line in (tmp_path / "r.csv").read_text().splitlines()[1:]]
    assert runs == ["4", "4", "4", "5", "5", "5"] * 4


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (CSV[CSV.index("\n") + 1 :], "", "no row beside the header"),
        ("Percent_correct", "Percent", "no column 'Percent_correct'"),
        ("d,1,2,weka.A,-y", "d,1,1,weka.A,-y", "run 1 fold 1 of A -y is given twice"),
        ("d,1,2,weka.A,-y", "d,2,2,weka.A,-y", "do not have the same runs and folds"),
    ],
)
def test_a_file_that_does_not_fit_is_explained(tmp_path, old, new, message):
    (tmp_path / "r.csv").write_text(CSV.replace(old, new))
    with pytest.raises(DataError, match=message):
        read_weka_results(tmp_path / "r.csv")


HEAD = ",".join([*("Key_" + key for key in KEYS[:4]), "Number_of_training_instances", "Number_of_testing_instances"])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("iris,x,1,a.B,135,15,90", "column 'Key_Run': found 'x', expected a finite number"),
        ("iris,1.5,1,a.B,135,15,90", "column 'Key_Run': found '1.5', expected a whole number"),
        ("iris,1,?,a.B,135,15,90", r"column 'Key_Fold': found '\?', expected a whole number"),
        ("iris,1,1,a.B,135,15,many", "column 'Percent_correct': found 'many', expected a finite number"),
        ("iris,1,1,a.B,135,15,1e999", "column 'Percent_correct': found '1e999', expected a finite number"),
        ("iris,1,1,a.B,0,15,90", "column 'Number_of_training_instances' has to hold numbers above 0"),
        ("iris,1", "a row has 2 fields, expected 7 as in the first"),
    ],
)
def test_a_row_that_no_experiment_writes_is_refused(tmp_path, row, message):
    path = tmp_path / "results.csv"
    path.write_text(f"{HEAD},Percent_correct\n{row}\n")
    with pytest.raises(DataError, match=message):
        read_weka_results(path)
