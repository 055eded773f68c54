"""``nbf run``, ``nbf report``, ``nbf compare`` and ``nbf check --fair`` from outside."""

import os
import signal
import subprocess
import sys
import time

import pytest
from support.commands import nbf
from support.strict_json import strict

STUDY = """
study: small
title: A small study
recipes: [sbc, gaussian-nb]
data: [iris, monks-1, wine]
protocol: {cross-validation: {folds: 5}}
metrics: [accuracy, log_loss]
"""


@pytest.fixture
def study(tmp_path):
    path = tmp_path / "small.yaml"
    path.write_text(STUDY)
    return path


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder with a study that was run."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "small.yaml").write_text(STUDY)
    done = nbf("run", "small.yaml", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder, done


def test_the_table_is_on_stdout_and_everything_else_on_stderr(finished):
    _, done = finished
    lines = done.stdout.splitlines()
    assert lines[0] == "A small study: 5-fold stratified cross-validation, seed 1."
    assert lines[1].split() == ["accuracy", "(%)", "sbc", "gaussian-nb"]
    assert "3 data sets x 2 recipes, 6 tasks" in done.stderr
    assert "30 folds in" in done.stderr
    assert "  iris: sbc " in done.stderr


def test_the_results_are_beside_the_study(finished):
    folder, _ = finished
    assert (folder / "small.db").is_file()


def test_cli_07_the_same_command_again_runs_nothing_and_prints_the_same(finished):
    folder, first = finished
    again = nbf("run", "small.yaml", cwd=folder)
    assert again.returncode == 0
    assert again.stdout == first.stdout
    assert "0 folds in" in again.stderr
    assert "30 were there" in again.stderr


def test_cli_07_fresh_replaces_earlier_results(study, tmp_path):
    nbf("run", study, cwd=tmp_path)
    done = nbf("run", study, "--fresh", "--json", cwd=tmp_path)
    assert strict(done.stdout)["new_folds"] == 30


def test_json_is_strict_also_with_infinite_scores(study, tmp_path):
    """monks-1 has values that no-match-0 gives an exact zero: its log loss is infinite."""
    study.write_text(STUDY.replace("gaussian-nb", "no-match-0"))
    data = strict(nbf("run", study, "--json", cwd=tmp_path).stdout)
    cells = {(cell["data"], cell["recipe"]): cell["scores"]["log_loss"] for cell in data["cells"]}
    infinite = cells["iris", "no-match-0"]
    assert infinite["mean"] is None
    assert infinite["mean_reason"] == "infinite"


def test_a_failed_task_is_status_1_and_the_rest_is_kept(study, tmp_path):
    rows = "".join(f"x{i},a\ny{i},b\n" for i in range(10))
    (tmp_path / "broken.arff").write_text(f"@relation b\n@attribute t string\n@attribute class {{a,b}}\n@data\n{rows}")
    study.write_text(STUDY.replace("monks-1", "broken.arff"))
    done = nbf("run", study, cwd=tmp_path)
    assert done.returncode == 1
    assert "error: sbc on broken: " in done.stderr
    assert "Traceback" not in done.stderr
    assert "iris" in done.stdout
    assert "incomplete: sbc on broken, 0 of 5 folds" in done.stdout


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("recipes", "recipe", "did you mean 'recipes'"),
        ("[iris", "[irs", "1 data file not found: irs"),
        ("sbc", "sbk", "did you mean 'sbc'"),
    ],
)
def test_cli_06_a_wrong_study_is_status_3_before_anything_runs(study, tmp_path, old, new, message):
    study.write_text(STUDY.replace(old, new))
    done = nbf("run", study, "--json", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("error: ")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "small.db").exists()


def test_cli_06_a_wrong_option_is_status_2(study, tmp_path):
    done = nbf("run", study, "--job", "2", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--jobs" in done.stderr


def test_a_wrong_number_of_jobs_is_an_error(study, tmp_path):
    done = nbf("run", study, "--jobs", "0", cwd=tmp_path)
    assert done.returncode == 3
    assert "0 jobs; expected" in done.stderr


def test_two_runs_of_one_study_do_not_mix(study, tmp_path):
    slow = STUDY.replace("folds: 5", "folds: 5, repeats: 5000")
    study.write_text(slow)
    command = [sys.executable, "-m", "nbframework", "run", str(study)]
    first = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        lock = tmp_path / "small.db.lock"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (lock.exists() and lock.stat().st_size):
            time.sleep(0.01)
        second = nbf("run", study, cwd=tmp_path)
        still = first.poll() is None
    finally:
        first.kill()
        first.wait()
    assert still, "the first run was over too soon"
    assert second.returncode == 3
    assert f"another run is writing these results (process {first.pid} on" in second.stderr


def test_an_interrupt_is_status_130_and_says_how_to_go_on(study, tmp_path):
    study.write_text(STUDY.replace("folds: 5", "folds: 5, repeats: 5000"))
    command = [sys.executable, "-m", "nbframework", "run", str(study)]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (tmp_path / "small.db-wal").exists():
        time.sleep(0.01)
    time.sleep(0.2)
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command goes on from there" in errors
    assert "Traceback" not in errors


# --- report


@pytest.mark.parametrize(
    ("form", "mark"),
    [
        ("markdown", "| accuracy (%) |"),
        ("latex", r"\toprule"),
        ("csv", "accuracy (%),sbc,sbc sd,gaussian-nb,gaussian-nb sd\n"),
    ],
)
def test_a_report_has_the_form_that_is_asked_for(finished, form, mark):
    folder, _ = finished
    done = nbf("report", "small.db", "--form", form, cwd=folder)
    assert done.returncode == 0
    assert mark in done.stdout


def test_a_report_can_be_asked_for_by_the_study(finished):
    folder, first = finished
    assert nbf("report", "small.yaml", cwd=folder).stdout == first.stdout


def test_a_metric_that_was_not_measured_is_refused(finished):
    folder, _ = finished
    done = nbf("report", "small.db", "--metric", "auc", cwd=folder)
    assert done.returncode == 3
    assert "metric 'auc' was not measured (measured: accuracy, log_loss)" in done.stderr


def test_weka_results_are_written(finished, tmp_path):
    folder, _ = finished
    assert nbf("report", "small.db", "--weka", tmp_path / "w.csv", cwd=folder).returncode == 0
    assert (tmp_path / "w.csv").read_text().startswith("Key_Dataset,Key_Run,Key_Fold,Key_Scheme,")
    done = nbf("compare", tmp_path / "w.csv", cwd=folder)
    assert "gaussian-nb" in done.stdout


def test_results_that_do_not_exist_are_an_error(tmp_path):
    done = nbf("report", "none.db", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert "no such results file" in done.stderr


# --- check --fair


def test_check_fair_lists_the_findings(study, tmp_path):
    done = nbf("check", study, "--fair", "--json", cwd=tmp_path)
    found = strict(done.stdout)
    assert {"coarse-folds", "preprocessing"} <= {finding["kind"] for finding in found}
    assert nbf("check", study, "--fair", cwd=tmp_path).stdout.count("\n") == len(found)
