"""How recipes stand on a data set is told with its last fold, and equals the table of the report."""

import sqlite3

import pytest

from nbframework.study.results import read_run
from nbframework.study.runner import run_plan
from nbframework.study.standings import Standings
from nbframework.study.store import Store
from nbframework.study.work import Assignment, Failure, FoldResult, Work

from .conftest import SMALL


@pytest.fixture
def standings(planned):
    """Standings of two recipes with two folds left each on one data set, and how results are handed in."""
    plan = planned(SMALL.replace(", monks-1", ""))
    tasks = dict(enumerate(plan.tasks))
    missing = frozenset({(0, 0), (0, 1)})
    assignments = tuple(Assignment(number, task.recipe, missing) for number, task in tasks.items())
    works = [Work(plan.data[0], plan.tasks[0].protocol, assignments, ("accuracy",), plan.study.limits)]
    made = Standings(tasks, works, "accuracy", {0: (1.5, 2)})

    def fold(task, number, score):
        return made.add(FoldResult(task, 0, number, 100, 50, 50.0, {"accuracy": score}, 0.1, 0.1))

    return made, fold


def test_the_last_fold_of_a_data_set_tells_how_it_stands(standings):
    _, fold = standings
    assert [fold(0, 0, 0.9), fold(0, 1, 0.8), fold(1, 0, 0.5)] == [None] * 3
    found = fold(1, 1, 0.7)
    assert (found.data, found.metric) == ("iris", "accuracy")
    assert found.means == pytest.approx({"sbc": (1.5 + 0.9 + 0.8) / 4, "gaussian-nb": 0.6})


def test_a_failed_recipe_has_no_mean(standings):
    made, fold = standings
    fold(0, 0, 0.9), fold(0, 1, 0.9), fold(1, 0, 0.5)
    assert made.add(Failure(1, "it failed")).means["gaussian-nb"] is None
    assert fold(1, 1, 0.5) is None


def test_an_undefined_score_leaves_no_mean(standings):
    _, fold = standings
    fold(0, 0, 0.9), fold(0, 1, None), fold(1, 0, 0.5)
    assert fold(1, 1, 0.5).means["sbc"] is None


def test_a_learning_curve_stands_by_its_shares(planned, tmp_path):
    text = SMALL.replace("cross-validation: {folds: 5", "learning-curve: {shares: [0.2, 1], folds: 5")
    seen = []
    with Store(tmp_path / "s.db", write=True) as store:
        run_plan(planned(text), store, progress=lambda state: seen.append(state.standing))
        table = read_run(store).table("accuracy")
    told = {standing.data: standing.means for standing in seen if standing}
    assert set(told["iris"]) == {"sbc (20 %)", "sbc", "gaussian-nb (20 %)", "gaussian-nb"}
    assert told["iris"] == pytest.approx({method: table.mean("iris", method) for method in table.methods})


def test_they_equal_the_table_of_the_report_also_where_a_run_goes_on(planned, tmp_path):
    for text in (SMALL, SMALL.replace("folds: 5", "folds: 5, repeats: 2")):
        seen = []
        with Store(tmp_path / "s.db", write=True) as store:
            run_plan(planned(text), store, progress=lambda state, seen=seen: seen.append(state.standing))
            table = read_run(store).table("accuracy")
        told = {standing.data: standing.means for standing in seen if standing}
        assert told.keys() == {"iris", "monks-1"}
        for data, means in told.items():
            assert means == pytest.approx({method: table.mean(data, method) for method in ("sbc", "gaussian-nb")})


def test_an_undefined_score_of_an_earlier_run_leaves_no_mean(planned, tmp_path):
    text = "study: s\nrecipes: [sbc]\ndata: [iris]\nprotocol: {cross-validation: {folds: 5}}\n"
    with Store(tmp_path / "s.db", write=True) as store:
        run_plan(planned(text), store)
    with sqlite3.connect(tmp_path / "s.db") as connection:
        connection.execute("UPDATE score SET value = NULL WHERE fold = 2")
    seen = []
    with Store(tmp_path / "s.db", write=True) as store:
        again = planned(text.replace("folds: 5", "folds: 5, repeats: 2"))
        run_plan(again, store, progress=lambda state: seen.append(state.standing))
        assert read_run(store).table("accuracy").mean("iris", "sbc") is None
    assert seen[-1].means == {"sbc": None}
