"""The results: one SQLite file with one writer, in which every fold that was finished stays.

The SQL in `nbframework.study.schema` describes the tables; numbers are INTEGER and REAL, an undefined score is NULL,
log posteriors are blobs of little-endian float64, (C,) for each row.
"""

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from nbframework.errors import DataError
from nbframework.study.database import explained, open_database
from nbframework.study.lock import StoreLock
from nbframework.study.plan import Plan
from nbframework.study.provenance import machine, recipe_rows
from nbframework.study.schema import ADDED, CLEARED
from nbframework.study.work import Failure, FoldResult, Place

BUSY_SECONDS = 30.0
"""How long a writer waits for another connection that holds the database."""
COMMIT_SECONDS = 1.0
"""How much work may be lost to a power cut inside a task; finished tasks are always durable."""


class Store:
    """An open results file.

    Parameters
    ----------
    path
        The file; it is made where it does not exist.
    write
        Whether results will be added. A second writer is refused.
    busy_seconds
        How long to wait for another connection that holds the database.

    Raises
    ------
    DataError
        Where the file is no results file, of a newer version, in use by another run, or locked for too long.
    """

    def __init__(self, path: str | os.PathLike[str], write: bool = False, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = Path(path)
        self._lock = StoreLock(self.path) if write else None
        self._connection: sqlite3.Connection | None = None
        self._committed = time.monotonic()
        self._added: dict[str, list[tuple[Any, ...]]] = {table: [] for table in ADDED}
        if not write and not self.path.is_file():
            raise DataError(f"{self.path}: no such results file; nbf run makes it")
        try:
            self._connection = open_database(self.path, write, busy_seconds)
        except BaseException:
            self.close()
            raise

    @property
    def connection(self) -> sqlite3.Connection:
        """The open connection."""
        if self._connection is None:
            raise DataError(f"{self.path}: the results file is closed")
        return self._connection

    def __enter__(self) -> "Store":
        """Return the store; leaving the block closes it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Keep what was added and close."""
        self.close()

    def close(self) -> None:
        """Commit and close; a second call does nothing."""
        try:
            if self._connection is not None:
                self.commit()
                self._connection.close()
        finally:
            self._connection = None
            if self._lock is not None:
                self._lock.release()

    def begin(self, plan: Plan) -> tuple[int, tuple[int, ...]]:
        """Write down a run with its study, data, recipes and tasks.

        Returns
        -------
        (int, tuple of int)
            The number of the run, and the number of each task of the plan; tasks that exist keep theirs.
        """
        study = plan.study
        described = {
            "title": study.title,
            "cite": study.cite,
            "protocol": study.protocol.described(),
            "metrics": list(study.metrics),
            "findings": [vars(finding) for finding in plan.findings],
            "comparison": vars(study.comparison) | {"tests": list(study.comparison.tests)},
        }
        self._execute("BEGIN IMMEDIATE")
        run = self._execute(
            "INSERT INTO run (study, text, described, machine, started, state) VALUES (?, ?, ?, ?, ?, 'running')",
            (study.name, study.text, _json(described), _json(machine()), _now()),
        ).lastrowid
        for data in plan.data:
            self._execute(
                "INSERT OR IGNORE INTO data (sha256, class, rows, attributes, classes) VALUES (?, ?, ?, ?, ?)",
                (data.sha256, data.class_attribute, data.rows, data.attributes, data.classes),
            )
        for data in plan.data:
            self._execute("INSERT OR IGNORE INTO facts VALUES (?, ?)", (data.facts_key, data.facts))
        for row in recipe_rows(plan):
            self._execute("INSERT OR IGNORE INTO recipe (key, identity, text, providers) VALUES (?, ?, ?, ?)", row)
        numbers = tuple(self._task(plan, index, int(run or 0)) for index in range(len(plan.tasks)))
        self._commit()
        return int(run or 0), numbers

    def _task(self, plan: Plan, index: int, run: int) -> int:
        task = plan.tasks[index]
        protocol = task.protocol.parameters()
        repeats = protocol.pop("repeats", 1)
        self._execute(
            "INSERT OR IGNORE INTO task (key, sha256, class, recipe, protocol, seed) VALUES (?, ?, ?, ?, ?, ?)",
            (
                task.key,
                task.data.sha256,
                task.data.class_attribute,
                task.recipe_key,
                _json(protocol),
                task.protocol.seed,
            ),
        )
        number = int(self._execute("SELECT id FROM task WHERE key = ?", (task.key,)).fetchone()[0])
        share = task.protocol.training_share
        self._execute(
            "INSERT INTO cell VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (run, index, task.data.name, task.label, share, number, repeats, task.folds),
        )
        return number

    def facts(self) -> dict[str, str]:
        """Return what is known of data sets that were checked before; see `PlannedData`."""
        return {str(key): str(text) for key, text in self._execute("SELECT key, text FROM facts")}

    def done(self, tasks: Iterable[int], metrics: Sequence[str], predictions: bool) -> dict[int, set[Place]]:
        """Return the folds of each task that have all the scores, and predictions where they are asked for."""
        marks = ", ".join("?" for _ in metrics)
        found: dict[int, set[Place]] = {}
        for task in set(tasks):
            rows = self._execute(
                f"SELECT repeat, fold FROM score WHERE task = ? AND metric IN ({marks})"  # noqa: S608  # only marks
                " GROUP BY repeat, fold HAVING count(*) = ?",
                (task, *metrics, len(metrics)),
            )
            found[task] = {(int(repeat), int(fold)) for repeat, fold in rows}
            if predictions:
                rows = self._execute("SELECT DISTINCT repeat, fold FROM prediction WHERE task = ?", (task,))
                found[task] &= {(int(repeat), int(fold)) for repeat, fold in rows}
        return found

    def add(self, result: FoldResult | Failure) -> None:
        """Add a result; it is durable after `COMMIT_SECONDS` or `commit`, whichever comes first."""
        if isinstance(result, Failure):
            self._added["failure"].append((int(result.task), result.message))
        else:
            self._add_fold(result)
        if time.monotonic() - self._committed > COMMIT_SECONDS:
            self.commit()

    def _add_fold(self, result: FoldResult) -> None:
        added = self._added
        place = (int(result.task), int(result.repeat), int(result.fold))
        added["fold"].append((*place, int(result.training_rows), int(result.test_rows), float(result.test_weight)))
        added["timing"].append((*place, float(result.cpu_seconds), float(result.seconds), int(time.time())))
        added["score"] += [(*place, name, number(value)) for name, value in result.scores.items()]
        added["note"] += [(int(result.task), text) for text in result.notes]
        if result.predictions is not None:
            prediction, truth = result.predictions
            posterior = prediction.log_posterior.astype("<f8")
            rows = zip(prediction.rows.tolist(), truth.tolist(), prediction.predicted.tolist(), posterior, strict=True)
            added["prediction"] += [(*place, row, actual, guess, log.tobytes()) for row, actual, guess, log in rows]

    def commit(self) -> None:
        """Make everything that was added durable."""
        self._committed = time.monotonic()
        if not any(self._added.values()):
            return
        added, self._added = self._added, {table: [] for table in ADDED}
        try:
            self._execute("BEGIN IMMEDIATE")
            for table, rows in added.items():
                if rows:
                    marks = ", ".join("?" for _ in rows[0])
                    self._many(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", rows)  # noqa: S608  # our own names
            done = {(row[0],) for row in added["fold"]} - {(row[0],) for row in added["failure"]}
            self._many("DELETE FROM failure WHERE task = ?", sorted(done))
            self._commit()
        except DataError:
            if self.connection.in_transaction:
                self.connection.rollback()
            raise

    def finish(self, run: int, state: str) -> None:
        """Write down how a run ended: complete, with failures or interrupted."""
        self.commit()
        self._execute("UPDATE run SET state = ?, finished = ? WHERE id = ?", (state, _now(), run))

    def clear(self) -> None:
        """Throw all results and runs away."""
        self.commit()
        self._execute("BEGIN IMMEDIATE")
        for table in CLEARED:
            self._execute(f"DELETE FROM {table}")  # noqa: S608  # our own names
        self._commit()

    def query(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        return list(self._execute(sql, values))

    def _commit(self) -> None:
        self._execute("COMMIT")

    def _execute(self, sql: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        try:
            return self.connection.execute(sql, values)
        except sqlite3.Error as error:
            raise explained(self.path, error) from error

    def _many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        try:
            self.connection.executemany(sql, rows)
        except sqlite3.Error as error:
            raise explained(self.path, error) from error


def stored_facts(path: Path) -> dict[str, str]:
    """Return what a results file knows of data sets; nothing where there is no file yet."""
    if not path.is_file():
        return {}
    with Store(path) as store:
        # a run that was killed at its very beginning leaves no table
        known = store.query("SELECT count(*) FROM sqlite_master WHERE name = 'facts'")[0][0]
        return store.facts() if known else {}


def number(value: Any) -> int | float | None:
    """Return a number as SQLite stores it: NumPy's scalars as Python's own, NaN as None."""
    if value is None:
        return None
    if isinstance(value, bool | int | np.bool_ | np.integer):
        return int(value)
    plain = float(value)
    return None if plain != plain else plain


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, sort_keys=True, ensure_ascii=False)


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
