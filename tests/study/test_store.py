"""The results file: locked, foreign or damaged databases, numbers, two writers."""

import math
import os
import shutil
import sqlite3
import subprocess
import sys

import numpy as np
import pytest
from support.paths import SHARED, absent

from nbframework.errors import DataError
from nbframework.study.store import Store, number
from nbframework.study.work import FoldResult

HOLDER = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("begin immediate")
print("held", flush=True)
time.sleep(float(sys.argv[2]))
connection.execute("commit")
"""


def hold(path, seconds):
    """Hold the database's write lock in another process, as case SQL-01 does."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER, path, str(seconds)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    return process


def test_sql_01_a_held_database_is_waited_for(ran, tmp_path):
    ran()
    process = hold(tmp_path / "small.db", 3)
    try:
        assert ran().state == "complete"
        assert process.wait(10) == 0
    finally:
        process.kill()


def test_sql_01_a_new_database_that_is_held_is_waited_for_too(ran, tmp_path):
    process = hold(tmp_path / "small.db", 2)
    try:
        assert ran().state == "complete"
    finally:
        process.kill()


def test_sql_01_a_database_held_for_too_long_is_an_error_with_its_path(ran, tmp_path):
    ran()
    process = hold(tmp_path / "small.db", 30)
    try:
        with pytest.raises(DataError, match=r"small\.db: another program holds the results file for too long"):
            Store(tmp_path / "small.db", write=True, busy_seconds=0.3)
    finally:
        process.kill()
        process.wait()
    assert ran().new == 0


@pytest.mark.skipif(not (SHARED / "cases").is_dir(), reason=absent("cases"))
def test_sql_06_a_file_that_is_no_database_is_left_alone(tmp_path):
    path = tmp_path / "SQL-06.db"
    shutil.copyfile(SHARED / "cases" / "SQL-06.db", path)
    before = path.read_bytes()
    for write in (False, True):
        with pytest.raises(DataError, match=r"SQL-06\.db: not a results file, or damaged"):
            Store(path, write=write)
    assert path.read_bytes() == before


def test_a_database_of_another_program_is_left_alone(tmp_path):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE run (x)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(DataError, match="a database of another program"):
        Store(path, write=True)
    assert path.read_bytes() == before


def test_a_damaged_results_file_is_an_error_with_its_path(ran, tmp_path):
    ran()
    path = tmp_path / "small.db"
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(DataError, match=r"small\.db: not a results file, or damaged"):
        ran()


def test_a_newer_results_file_is_not_touched(ran, tmp_path):
    ran()
    with sqlite3.connect(tmp_path / "small.db") as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(DataError, match="results file of version 99"):
        ran()


def test_reading_results_that_do_not_exist_makes_no_file(tmp_path):
    with pytest.raises(DataError, match="no such results file"):
        Store(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()


def test_a_reader_cannot_change_results(ran, tmp_path):
    ran()
    with Store(tmp_path / "small.db") as store, pytest.raises(DataError, match="cannot be written: it is read-only"):
        store.query("DELETE FROM fold")


def test_results_on_a_medium_that_cannot_be_written_are_read(ran, tmp_path, monkeypatch):
    """To read a database in write-ahead mode, too, SQLite makes files beside it where it is not told to let that be."""
    ran()
    monkeypatch.setattr("os.access", lambda _, mode: mode != os.W_OK)
    beside = set()
    with Store(tmp_path / "small.db") as reader:
        assert reader.query("SELECT count(*) FROM fold") == [(20,)]
        beside = {path.name for path in tmp_path.iterdir() if path.name.startswith("small.db")}
    assert beside == {"small.db", "small.db.lock"}


def test_what_is_still_in_the_log_is_read_where_nothing_can_be_written(ran, tmp_path, monkeypatch):
    ran()
    with Store(tmp_path / "small.db", write=True) as writer:
        writer.database.begin()
        writer.database.execute("DELETE FROM fold WHERE repeat = 0 AND fold = 0")
        writer.database.execute("COMMIT")
        monkeypatch.setattr("os.access", lambda _, mode: mode != os.W_OK)
        with Store(tmp_path / "small.db") as reader:
            assert reader.query("SELECT count(*) FROM fold") == [(16,)]


def test_a_second_writer_is_refused_and_told_who_the_first_one_is(tmp_path):
    with (
        Store(tmp_path / "s.db", write=True),
        pytest.raises(DataError, match=r"another run is writing .*process \d+ on"),
    ):
        Store(tmp_path / "s.db", write=True)
    Store(tmp_path / "s.db", write=True).close()


def test_results_can_be_read_while_they_are_written(ran, tmp_path):
    ran()
    with Store(tmp_path / "small.db", write=True), Store(tmp_path / "small.db") as reader:
        assert reader.query("SELECT count(*) FROM fold") == [(20,)]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (np.int64(5), "integer"),
        (np.uint8(200), "integer"),
        (np.bool_(True), "integer"),
        (np.float32(0.1), "real"),
        (np.float64(0.1), "real"),
        (float("inf"), "real"),
        (float("nan"), "null"),
        (None, "null"),
        (np.array(0.5), "real"),
    ],
)
def test_sql_05_numbers_have_the_types_of_sqlite(value, kind):
    with sqlite3.connect(":memory:") as connection:
        assert connection.execute("SELECT typeof(?)", (number(value),)).fetchone() == (kind,)


def test_sql_05_scores_of_numpy_are_stored_as_numbers(ran, tmp_path):
    ran()
    with Store(tmp_path / "small.db", write=True) as store:
        scores = {"accuracy": np.float32(0.1), "log_loss": float("inf"), "brier": np.nan}
        store.add(FoldResult(1, 7, np.int64(3), np.int64(10), np.int64(5), np.float32(5), scores, 0.0, 0.0))
    with sqlite3.connect(tmp_path / "small.db") as connection:
        rows = connection.execute("SELECT metric, typeof(value), value FROM score WHERE repeat = 7 ORDER BY metric")
        kinds = {metric: (kind, value) for metric, kind, value in rows}
        sizes = connection.execute("SELECT typeof(fold), typeof(training_rows) FROM fold WHERE repeat = 7").fetchone()
    assert kinds["accuracy"] == ("real", float(np.float32(0.1)))
    assert kinds["log_loss"] == ("real", math.inf)
    assert kinds["brier"] == ("null", None)
    assert sizes == ("integer", "integer")


def test_every_finished_task_is_on_the_disk_before_the_next_data_set(planned, tmp_path, monkeypatch):
    from nbframework.study import store as module
    from nbframework.study.runner import run_plan

    monkeypatch.setattr(module, "COMMIT_SECONDS", math.inf)
    seen = set()

    def look(state):
        with sqlite3.connect(tmp_path / "s.db") as other:
            seen.add((state.data, other.execute("SELECT count(*) FROM fold").fetchone()[0]))

    with Store(tmp_path / "s.db", write=True) as store:
        run_plan(planned(), store, progress=look)
    assert seen == {("iris", 0), ("monks-1", 10)}


def test_clearing_leaves_no_row(ran, tmp_path):
    ran()
    with Store(tmp_path / "small.db", write=True) as store:
        store.clear("small")
        tables = [name for (name,) in store.query("SELECT name FROM sqlite_master WHERE type = 'table'")]
        assert len(tables) == 12
        assert [store.query(f"SELECT count(*) FROM {name}")[0][0] for name in tables] == [0] * 12  # noqa: S608
    assert ran().new == 20


def test_references_are_checked_after_clearing(ran, tmp_path):
    ran()
    with Store(tmp_path / "small.db", write=True) as store:
        store.clear("small")
        with pytest.raises(DataError, match="FOREIGN KEY constraint failed"):
            store.query("INSERT INTO failure (task, message) VALUES (1, 'so')")
