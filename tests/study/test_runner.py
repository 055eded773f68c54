"""Runs: once only, resumed where they stopped, the same bytes with any number of workers."""

import json
import sqlite3

import numpy as np
import pytest

from nbframework import Dataset, EvaluationProtocol, Recipe, evaluate, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.errors import DataError, EvaluationError
from nbframework.study.results import read_run
from nbframework.study.runner import run_plan
from nbframework.study.store import Store
from nbframework.study.work import perform

from .conftest import SMALL

TIMELESS = ("data", "facts", "recipe", "task", "fold", "score", "prediction", "note", "failure")


def content(path):
    """Every table that may not depend on time, row by row."""
    with sqlite3.connect(path) as connection:
        return {table: sorted(connection.execute(f"SELECT * FROM {table}")) for table in TIMELESS}  # noqa: S608


def test_scores_equal_those_of_evaluate(ran, tmp_path):
    ran()
    dataset = read_arff(bundled_path("iris"))
    wanted = evaluate(Recipe.load("sbc"), dataset, folds=5).fold_errors()
    with Store(tmp_path / "small.db") as store:
        found = read_run(store).table("accuracy").scores["iris", "sbc"]
    assert found == pytest.approx(1 - np.array(wanted), abs=1e-15)


def test_a_finished_study_runs_nothing_again(ran, tmp_path):
    assert ran().new == 20
    before = content(tmp_path / "small.db")
    assert ran().new == 0
    assert content(tmp_path / "small.db") == before


def test_more_repeats_add_their_folds_only(ran):
    ran()
    assert ran(SMALL.replace("folds: 5", "folds: 5, repeats: 2")).new == 20


def test_fewer_repeats_leave_the_others_out_of_the_means(ran, tmp_path):
    ran(SMALL.replace("folds: 5", "folds: 5, repeats: 2"))
    ran()
    with Store(tmp_path / "small.db") as store:
        assert len(read_run(store).table("accuracy").scores["iris", "sbc"]) == 5


def test_a_new_recipe_adds_its_folds_only(ran):
    ran()
    assert ran(SMALL.replace("gaussian-nb", "gaussian-nb, laplace-1")).new == 10


def test_another_seed_runs_everything(ran):
    ran()
    assert ran(SMALL.replace("folds: 5", "folds: 5, seed: 2")).new == 20


def test_another_metric_runs_everything(ran):
    ran()
    assert ran(SMALL.replace("log_loss", "brier")).new == 20


def test_a_changed_data_file_runs_again(ran, tmp_path):
    rows = "@relation d\n@attribute x numeric\n@attribute class {a,b}\n@data\n" + "1,a\n2,b\n3,a\n4,b\n5,a\n6,b\n" * 3
    (tmp_path / "mine.arff").write_text(rows)
    text = "study: s\nrecipes: [sbc]\ndata: [mine.arff]\nprotocol: {cross-validation: {folds: 3}}\n"
    assert [ran(text).new, ran(text).new] == [3, 0]
    (tmp_path / "mine.arff").write_text(rows + "7,a\n")
    assert ran(text).new == 3


def test_two_labels_of_one_recipe_share_their_results(ran):
    text = SMALL.replace("[sbc, gaussian-nb]", "[sbc, {recipe: sbc, label: again}]")
    assert ran(text).new == 10


@pytest.mark.parametrize("jobs", [2])
def test_the_same_bytes_with_any_number_of_workers(ran, tmp_path, jobs):
    text = SMALL.replace("folds: 5", "folds: 5, repeats: 2") + "predictions: true\n"
    ran(text, "one.db")
    ran(text, "many.db", jobs)
    assert content(tmp_path / "one.db") == content(tmp_path / "many.db")


def test_recipes_that_share_work_get_what_they_get_alone(ran, tmp_path):
    names = ["sbc", "sbc-basic", "laplace-m", "no-match-pc", "laplace-1", "gaussian-nb", "kernel-nb", "majority"]
    together = f"study: s\nrecipes: [{', '.join(names)}]\ndata: [iris, wine]\nmetrics: [log_loss]\n"
    ran(together, "together.db")
    for name in names:
        ran(together.replace(f"[{', '.join(names)}]", f"[{name}]"), "alone.db")
    scores = [sorted(self["score"], key=str) for self in (content(tmp_path / "together.db"),)]
    with Store(tmp_path / "together.db") as both:
        table = read_run(both).table("log_loss")
    with Store(tmp_path / "alone.db") as single:
        for run, name in enumerate(names, start=1):
            alone = read_run(single, run).table("log_loss")
            for data in ("iris", "wine"):
                assert np.array_equal(alone.scores[data, name], table.scores[data, name]), (name, data)
    assert scores


def test_a_failing_recipe_costs_its_own_tasks_only(ran, tmp_path):
    text = "study: s\nrecipes: [sbc, laplace-1, {recipe: weka-kernel, label: k}]\ndata: [broken.arff, iris]\n"
    rows = "".join(f"x{i},a\ny{i},b\n" for i in range(10))
    (tmp_path / "broken.arff").write_text(f"@relation b\n@attribute t string\n@attribute class {{a,b}}\n@data\n{rows}")
    outcome = ran(text)
    assert (outcome.state, outcome.new) == ("failures", 30)
    assert {data for data, _, _ in outcome.failures} == {"broken"}
    assert "string" in outcome.failures[0][2]


def test_predictions_are_stored_where_they_are_asked_for(ran, tmp_path):
    ran(SMALL + "predictions: true\n")
    with sqlite3.connect(tmp_path / "small.db") as connection:
        rows = connection.execute(
            "SELECT row, actual, predicted, log_posterior FROM prediction JOIN task ON task.id = prediction.task"
            " WHERE repeat = 0 AND task = 1 ORDER BY row"
        ).fetchall()
    dataset = read_arff(bundled_path("iris"))
    assert [row[0] for row in rows] == list(range(150))
    assert [row[1] for row in rows] == dataset.classes.tolist()
    posterior = np.array([np.frombuffer(row[3], "<f8") for row in rows])
    assert np.exp(posterior).sum(axis=1) == pytest.approx(np.ones(150), abs=1e-12)
    assert posterior.argmax(axis=1).tolist() == [row[2] for row in rows]


def test_provenance_names_versions_machine_and_the_whole_recipe(ran, tmp_path):
    ran()
    with sqlite3.connect(tmp_path / "small.db") as connection:
        providers, text = connection.execute("SELECT providers, text FROM recipe ORDER BY key LIMIT 1").fetchone()
        (machine,) = connection.execute("SELECT machine FROM run").fetchone()
    assert "nbframework" in json.loads(providers)["structure.naive"]
    assert json.loads(text)["structure"] == "naive"
    assert json.loads(machine)["numpy"] == np.__version__


@pytest.mark.parametrize(
    ("protocol", "folds"),
    [
        ("leave-one-out", 1),
        ("{holdout: {test_share: 0.3, repeats: 4}}", 4),
        ("{split: 1-100 | 101-150}", 1),
        ("{time-ordered: {folds: 3}}", 3),
        ("{grouped: {attribute: sepal width (cm), folds: 4, repeats: 2}}", 8),
        ("{weka-folds: {repeats: 2}}", 20),
        ("{learning-curve: {shares: [0.25, 1], folds: 5}}", 10),
    ],
)
def test_every_protocol_runs_and_resumes(ran, protocol, folds):
    dataset = read_arff(bundled_path("iris"))
    protocol = protocol.replace("sepal width (cm)", dataset.attributes[1].name)
    text = f"study: s\nrecipes: [sbc]\ndata: [iris]\nprotocol: {protocol}\n"
    assert [ran(text).new, ran(text).new] == [folds, 0]


@pytest.mark.parametrize(
    "protocol", ["grouped: {attribute: patient, folds: 2}", "time-ordered: {attribute: day, folds: 2}"]
)
def test_rows_are_parted_by_an_attribute_that_is_not_used(ran, tmp_path, protocol):
    rows = "".join(f"{i % 4},{-i},{(i * 7) % 10},{'ab'[i % 2]}\n" for i in range(40))
    header = "@attribute patient numeric\n@attribute day numeric\n@attribute x numeric\n@attribute c {a,b}\n@data\n"
    (tmp_path / "p.arff").write_text(f"@relation p\n{header}{rows}")
    text = f"study: s\nrecipes: [gaussian-nb]\ndata: [{{file: p.arff, attributes: [x]}}]\nprotocol: {{{protocol}}}\n"
    assert ran(text).new == 2
    full = read_arff(tmp_path / "p.arff")
    kind, attribute = ("grouped", "patient") if "patient" in protocol else ("time-ordered", "day")
    splits = EvaluationProtocol(kind, folds=2, attribute=attribute).splits(full)
    alone = Dataset.from_columns(full.attributes[2:], full.columns[2:])
    wanted = []
    for split in splits:
        fitted = Recipe.load("gaussian-nb").build().fit(alone.take(split.train))
        wanted.append((fitted.predict(alone.take(split.test)) == alone.classes[split.test]).mean())
    with Store(tmp_path / "small.db") as store:
        assert read_run(store).table("accuracy").scores["p", "gaussian-nb"] == pytest.approx(wanted)


def test_leave_one_out_has_the_accuracy_of_evaluate(ran, tmp_path):
    ran("study: s\nrecipes: [laplace-1]\ndata: [iris]\nprotocol: leave-one-out\n")
    dataset = read_arff(bundled_path("iris"))
    wanted = evaluate(Recipe.load("laplace-1"), dataset, protocol=EvaluationProtocol("leave-one-out"))
    with Store(tmp_path / "small.db") as store:
        assert read_run(store).table("accuracy").mean("iris", "laplace-1") == wanted.scores(["accuracy"])["accuracy"]


def test_a_learning_curve_is_a_method_for_each_share(ran, tmp_path):
    ran("study: s\nrecipes: [sbc]\ndata: [iris]\nprotocol: {learning-curve: {shares: [0.2, 1], folds: 5}}\n")
    with Store(tmp_path / "small.db") as store:
        assert read_run(store).table("accuracy").methods == ("sbc (20 %)", "sbc")


def test_every_data_fault_is_found_before_the_first_fold(planned, tmp_path):
    (tmp_path / "number.arff").write_text("@relation n\n@attribute x numeric\n@data\n1\n2\n")
    text = "study: s\nrecipes: [sbc]\ndata: [number.arff, monks-1, iris]\nprotocol: {split: 1-100 | 101-200}\n"
    with pytest.raises(DataError) as caught:
        planned(text)
    assert len(str(caught.value).splitlines()) == 2
    assert "a class has to be nominal" in str(caught.value)
    assert "data set iris: test rows 101-200 reach outside the 150 rows" in str(caught.value)


@pytest.mark.parametrize("jobs", [0, -2])
def test_par_04_a_number_of_jobs_that_makes_no_sense_is_refused(planned, tmp_path, jobs):
    with Store(tmp_path / "s.db", write=True) as store, pytest.raises(EvaluationError, match=f"^{jobs} jobs; expected"):
        run_plan(planned(), store, jobs)


@pytest.mark.parametrize(("jobs", "workers"), [(1, 1), (-1, 2), (1000, 2), (2, 2), (None, 2)])
def test_par_04_never_more_workers_than_cores(monkeypatch, jobs, workers):
    from nbframework.study import runner

    monkeypatch.setattr(runner, "usable_cores", lambda: 2)
    assert runner._workers(jobs) == workers


def test_a_process_has_the_cores_that_it_may_use(monkeypatch):
    from nbframework.study.runner import usable_cores

    monkeypatch.setattr("os.sched_getaffinity", lambda _: {3, 5, 7}, raising=False)
    assert usable_cores() == 3
    monkeypatch.delattr("os.sched_getaffinity")
    monkeypatch.setattr("os.cpu_count", lambda: 6)
    assert usable_cores() == 6


@pytest.fixture
def handed_over(monkeypatch):
    """What workers are given of a run that begins in its own process on two cores."""
    from nbframework.study import runner, workers

    monkeypatch.setattr(runner, "usable_cores", lambda: 2)
    given = []

    def perform_all(works, count):
        given.extend(works)
        assert count == 2
        for work in works:
            yield from perform(work)

    monkeypatch.setattr(workers, "perform_all", perform_all)
    return given


def test_a_long_run_is_handed_over_to_workers_where_it_stands(planned, tmp_path, monkeypatch, handed_over):
    """As soon as any time has passed here: one fold is done by this process, and 19 are left."""
    monkeypatch.setattr("nbframework.study.runner.ALONE_SECONDS", 0.0)
    with Store(tmp_path / "s.db", write=True) as store:
        outcome = run_plan(planned(), store, None)
    assert (outcome.state, outcome.new) == ("complete", 20)
    assert sum(len(assignment.missing) for work in handed_over for assignment in work.assignments) == 19
    with Store(tmp_path / "alone.db", write=True) as store:
        run_plan(planned(), store)
    assert content(tmp_path / "s.db") == content(tmp_path / "alone.db")


def test_a_short_run_has_no_workers(planned, tmp_path, handed_over):
    with Store(tmp_path / "s.db", write=True) as store:
        assert run_plan(planned(), store, None).new == 20
    assert handed_over == []
