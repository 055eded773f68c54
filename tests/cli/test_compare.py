"""``nbf compare`` from outside."""

import pytest
from support.cases import CASES, needs_cases
from support.commands import nbf
from support.strict_json import strict

from nbframework.report.comparison import run_question
from nbframework.study.results import read_run
from nbframework.study.store import Store

STUDY = "study: small\nrecipes: [sbc, gaussian-nb]\ndata: [iris, monks-1]\nprotocol: {cross-validation: {folds: 5}}\n"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder with a study that was run."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "small.yaml").write_text(STUDY)
    done = nbf("run", "small.yaml", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder, done


@pytest.fixture(scope="module")
def curve(tmp_path_factory):
    """A folder with the learning curve of two recipes."""
    folder = tmp_path_factory.mktemp("curve")
    shares = "protocol: {learning-curve: {shares: [0.2, 1], folds: 5}}\ncompare: {baseline: gaussian-nb, rope: 0}\n"
    (folder / "curve.yaml").write_text("study: curve\nrecipes: [sbc, gaussian-nb]\ndata: [iris, wine]\n" + shares)
    assert nbf("run", "curve.yaml", cwd=folder).returncode == 0
    return folder


def test_recipes_of_a_learning_curve_are_compared_at_each_share(curve):
    found = strict(nbf("compare", "curve.yaml", "--json", cwd=curve).stdout)["training_shares"]
    assert [part["training_share"] for part in found] == [0.2, 1.0]
    assert [(part["baseline"], [m["method"] for m in part["methods"]]) for part in found] == [
        ("gaussian-nb", ["sbc", "gaussian-nb"])
    ] * 2
    text = nbf("compare", "curve.yaml", cwd=curve).stdout
    assert "With 20 % of the training rows: corrected-t against gaussian-nb" in text
    lines = nbf("compare", "curve.yaml", "--form", "csv", cwd=curve).stdout.splitlines()
    assert lines[0].startswith("training rows (%),data set,method,accuracy (%),")
    assert [line.split(",")[0] for line in lines[1:]] == ["20"] * 6 + ["100"] * 6


def test_a_learning_curve_is_compared_with_one_share(curve):
    done = nbf("compare", "curve.yaml", "--baseline", "sbc (20 %)", "--json", cwd=curve)
    methods = [method["method"] for method in strict(done.stdout)["methods"]]
    assert methods == ["sbc (20 %)", "sbc", "gaussian-nb (20 %)", "gaussian-nb"]


def test_shares_of_a_single_recipe_are_compared_with_its_largest_one(tmp_path):
    shares = "protocol: {learning-curve: {shares: [0.2, 0.5], folds: 5}}\ncompare: {baseline: sbc}\n"
    (tmp_path / "one.yaml").write_text("study: one\nrecipes: [sbc]\ndata: [iris]\n" + shares)
    nbf("run", "one.yaml", cwd=tmp_path)
    assert strict(nbf("compare", "one.yaml", "--json", cwd=tmp_path).stdout)["baseline"] == "sbc (50 %)"


def test_the_page_of_a_learning_curve_compares_with_the_baseline_of_the_largest_share(curve):
    with Store(curve / "curve.db") as store:
        assert run_question(read_run(store)).baseline == "gaussian-nb"


def test_a_score_that_was_not_measured_is_not_compared(finished):
    folder, _ = finished
    done = nbf("compare", "small.db", "--metric", "acuracy", cwd=folder)
    assert (done.returncode, done.stdout) == (3, "")
    assert "metric 'acuracy' was not measured; did you mean 'accuracy'? (measured: accuracy" in done.stderr


def test_the_ratio_of_a_table_typed_in_may_be_given(tmp_path):
    """Differences 0.1, 0.2 and 0.3: t = 0.2 / (0.1 sqrt(1/3 + 2/3))."""
    (tmp_path / "t.csv").write_text("fold,a,b\n1,0.5,0.6\n2,0.5,0.7\n3,0.5,0.8\n")
    found = strict(nbf("compare", "t.csv", "--test-ratio", str(2 / 3), "--json", cwd=tmp_path).stdout)
    assert found["verdicts"][0]["statistic"] == pytest.approx(2.0)


def test_compare_names_the_baseline(finished):
    folder, _ = finished
    done = nbf("compare", "small.db", "--baseline", "gaussian-nb", "--test", "paired-t", cwd=folder)
    assert "paired-t against gaussian-nb" in done.stdout
    assert "Flip report" in done.stdout


def test_an_unknown_baseline_is_an_error(finished):
    folder, _ = finished
    done = nbf("compare", "small.db", "--baseline", "gausian-nb", cwd=folder)
    assert done.returncode == 3
    assert "did you mean 'gaussian-nb'" in done.stderr


@pytest.mark.parametrize("name", ["small.db", "small.yaml", "w.csv"])
def test_columns_are_refused_where_there_is_no_typed_table(finished, name):
    folder, _ = finished
    nbf("report", "small.db", "--weka", "w.csv", cwd=folder)
    done = nbf("compare", name, "--columns", "sbc,gaussian-nb", cwd=folder)
    assert (done.returncode, done.stdout) == (3, "")
    assert f"error: {name}: --columns is for a table typed in as CSV" in done.stderr


@pytest.mark.parametrize("option", ["--store", "--run"])
def test_a_typed_table_has_no_runs(tmp_path, option):
    (tmp_path / "t.csv").write_text("fold,m1,m2\n1,0.8,0.7\n2,0.9,0.8\n")
    done = nbf("compare", "t.csv", option, "1", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert f"error: t.csv: {option} is for a study or a results file" in done.stderr


@needs_cases
@pytest.mark.parametrize(
    ("case", "status", "text"),
    [
        ("STAT-01", 0, "no difference in any pair"),
        ("STAT-03", 3, "at least 2 folds are needed, found 1"),
        ("STAT-05", 3, "missing or infinite in fold 2"),
        ("STAT-06", 0, "0.1261033"),
    ],
)
def test_cases_stat(tmp_path, case, status, text):
    done = nbf("compare", CASES / f"{case}.csv", cwd=tmp_path)
    assert done.returncode == status
    assert text in done.stdout + done.stderr
    assert "nan" not in done.stdout.lower()


@needs_cases
def test_cli_03_undefined_statistics_are_strict_json(tmp_path):
    (tmp_path / "same.csv").write_text("fold,m1,m2\n1,0.8,0.7\n2,0.9,0.8\n")
    found = strict(nbf("compare", "same.csv", "--json", cwd=tmp_path).stdout)["verdicts"]
    plain = next(v for v in found if v["test"] == "paired-t")
    assert (plain["statistic"], plain["statistic_reason"], plain["p"]) == (None, "infinite", 0.0)
    assert strict(nbf("compare", CASES / "STAT-01.csv", "--json", cwd=tmp_path).stdout)["verdicts"][0]["p"] == 1.0


def test_a_table_of_a_paper_is_compared(shared, tmp_path):
    columns = "c45_error,c45rules_error,sbc_error"
    path = shared / "papers" / "kohavi1997_table2.csv"
    done = nbf("compare", path, "--metric", "error", "--columns", columns, "--test", "wilcoxon", cwd=tmp_path)
    assert "Over 37 of 37 data sets" in done.stdout


def test_a_test_over_data_sets_is_said_not_to_be_made_on_one(tmp_path):
    (tmp_path / "t.csv").write_text("fold,a,b\n1,0.5,0.6\n2,0.5,0.7\n3,0.5,0.8\n")
    asked = ["compare", "t.csv", "--test", "friedman-nemenyi"]
    assert "Not tested: friedman-nemenyi needs several data sets." in nbf(*asked, cwd=tmp_path).stdout
    assert strict(nbf(*asked, "--json", cwd=tmp_path).stdout)["notes"][-1].startswith("Not tested: friedman-nemenyi")


def test_a_test_on_folds_is_said_not_to_be_made_on_single_scores(tmp_path):
    (tmp_path / "t.csv").write_text("data,a,b\nx,0.5,0.6\ny,0.5,0.7\nz,0.5,0.8\n")
    done = nbf("compare", "t.csv", "--test", "corrected-t", "--test", "sign", cwd=tmp_path)
    assert "Not tested: corrected-t needs several folds of a data set." in done.stdout
    assert "Not tested: sign" not in done.stdout
