"""Kill -9, Ctrl-C and half-finished runs: nothing lost, nothing doubled."""

import math
import os
import random
import signal
import sqlite3
import time

import pytest

from nbframework.errors import DataError
from nbframework.report.run import run_text
from nbframework.study import store as module
from nbframework.study.results import read_run
from nbframework.study.runner import run_plan
from nbframework.study.sqlite import SQLiteDatabase
from nbframework.study.store import Store

from .test_runner import content

LONGER = """
study: longer
recipes: [sbc, gaussian-nb, laplace-1]
data: [iris, wine, monks-1, monks-2]
protocol: {cross-validation: {repeats: 4}}
metrics: [accuracy, auc]
"""
KILLS = 50


def child(work):
    """Run ``work`` in a copy of this process, which never comes back into the tests."""
    process = os.fork()
    if process == 0:
        try:
            work()
            os._exit(0)
        finally:
            os._exit(99)
    return process


def stored(path):
    """How many folds are in a results file, 0 where the run was killed before it made one."""
    if not path.exists():
        return 0
    with Store(path) as store:
        tables = store.query("SELECT count(*) FROM sqlite_master WHERE name = 'fold'")[0][0]
        return store.query("SELECT count(*) FROM fold")[0][0] if tables else 0


def test_killed_at_random_moments_nothing_is_lost_or_doubled(planned, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "COMMIT_SECONDS", 0.0)
    plan, path, chance = planned(LONGER), tmp_path / "killed.db", random.Random(1)  # noqa: S311

    def work():
        # slow enough that fifty kills do not outlast the work
        with Store(path, write=True) as store:
            run_plan(plan, store, progress=lambda _: time.sleep(0.004))

    kills, before = 0, 0
    while kills < KILLS:
        process = child(work)
        time.sleep(chance.uniform(0.0, 0.12))
        os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
        if os.WIFSIGNALED(status):
            kills += 1
        now = stored(path)
        assert now >= before, "a stored fold was lost"
        before = now
    with Store(path, write=True) as store:
        outcome = run_plan(plan, store)
    assert outcome.before == before
    assert outcome.before + outcome.new == 480
    with Store(tmp_path / "whole.db", write=True) as store:
        run_plan(plan, store)
    assert content(path) == content(tmp_path / "whole.db")
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.fixture
def four_folds(planned, tmp_path, monkeypatch):
    """A run of ten folds that was killed when four of them were stored."""
    monkeypatch.setattr(module, "COMMIT_SECONDS", 0.0)
    plan = planned("study: s\nrecipes: [sbc]\ndata: [iris]\n")

    def die(state):
        if state.done == 4:
            os.kill(os.getpid(), signal.SIGKILL)

    def work():
        with Store(tmp_path / "s.db", write=True) as store:
            run_plan(plan, store, progress=die)

    os.waitpid(child(work), 0)
    return plan


def test_sql_03_the_second_run_does_the_other_six_folds(four_folds, tmp_path):
    assert stored(tmp_path / "s.db") == 4
    with Store(tmp_path / "s.db", write=True) as store:
        outcome = run_plan(four_folds, store)
    assert (outcome.before, outcome.new) == (4, 6)
    assert stored(tmp_path / "s.db") == 10


def test_sql_03_a_half_run_is_never_shown_as_a_mean(four_folds, tmp_path):
    with Store(tmp_path / "s.db") as store:
        results = read_run(store)
        assert results.table("accuracy").mean("iris", "sbc") is None
        text = run_text(results)
    assert "incomplete: sbc on iris, 4 of 10 folds" in text


def test_an_interrupted_run_keeps_its_folds_and_says_so(planned, tmp_path):
    plan = planned(LONGER)

    def stop(state):
        if state.done == 7:
            raise KeyboardInterrupt

    with Store(tmp_path / "s.db", write=True) as store, pytest.raises(KeyboardInterrupt):
        run_plan(plan, store, progress=stop)
    with Store(tmp_path / "s.db") as store:
        assert read_run(store).state == "interrupted"
    assert stored(tmp_path / "s.db") == 7


def test_a_disk_that_is_full_loses_only_what_was_not_stored(planned, tmp_path, monkeypatch):
    """SQLite's own limit on the size of the file stands for the disk."""
    monkeypatch.setattr(module, "COMMIT_SECONDS", 0.0)
    plan, path = planned(LONGER), tmp_path / "s.db"
    with Store(path, write=True) as store:
        pages = store.query("PRAGMA page_count")[0][0]
        store.query(f"PRAGMA max_page_count = {pages + 6}")
        with pytest.raises(DataError, match=r"s\.db: database or disk is full; results so far are kept"):
            run_plan(plan, store)
    kept = stored(path)
    assert 0 < kept < 480
    with Store(path, write=True) as store:
        assert run_plan(plan, store).new == 480 - kept


def test_the_lock_of_a_killed_run_is_free(four_folds, tmp_path):
    Store(tmp_path / "s.db", write=True).close()


def test_commits_are_grouped_by_time(planned, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "COMMIT_SECONDS", math.inf)
    commits = []
    execute = SQLiteDatabase.execute

    def counted(self, sql, values=()):
        commits.extend([1] if sql == "COMMIT" else [])
        return execute(self, sql, values)

    monkeypatch.setattr(SQLiteDatabase, "execute", counted)
    with Store(tmp_path / "s.db", write=True) as store:
        run_plan(planned(LONGER), store)
    # the plan and one for each data set
    assert len(commits) == 5
