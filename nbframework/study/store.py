"""The results: a database in which every fold that was finished stays.

The SQL in `nbframework.study.schema` describes the tables; numbers are INTEGER and REAL, an undefined score is NULL,
log posteriors are blobs of little-endian float64, (C,) for each row.
"""

import json
import math
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from nbframework.errors import DataError
from nbframework.study.database import Database, is_server, open_database
from nbframework.study.plan import Plan
from nbframework.study.provenance import machine, recipe_rows
from nbframework.study.schema import ADDED, CLEARED, upsert
from nbframework.study.work import Failure, FoldResult, Place

BUSY_SECONDS = 30.0
"""How long a writer waits for another connection that holds the database."""
COMMIT_SECONDS = 1.0
"""How much work may be lost to a power cut inside a task; finished tasks are always durable."""


class Store:
    """Open results.

    Parameters
    ----------
    address
        A SQLite file, which is made where it does not exist, or ``postgresql://user@host/database``.
    write
        Whether results will be added. A second writer of the file is refused; on a server, of the same study.
    busy_seconds
        How long to wait for another connection that holds the database.

    Raises
    ------
    DataError
        Where the database holds something else, is of a newer version, in use by another run, or locked for too long.
    """

    def __init__(
        self, address: str | os.PathLike[str], write: bool = False, busy_seconds: float = BUSY_SECONDS
    ) -> None:
        self._committed = time.monotonic()
        self._failed: set[int] = set()
        self._added = _nothing()
        self._database: Database | None = open_database(address, write, busy_seconds)
        self.name = self._database.name

    @property
    def database(self) -> Database:
        """The open connection."""
        if self._database is None:
            raise DataError(f"{self.name}: the results are closed")
        return self._database

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
        if self._database is None:
            return
        try:
            self.commit()
        finally:
            self._database.close()
            self._database = None

    def begin(self, plan: Plan) -> tuple[int, tuple[int, ...]]:
        """Write down a run with its study, data, recipes and tasks.

        Returns
        -------
        (int, tuple of int)
            The number of the run, and the number of each task of the plan; tasks that exist keep theirs.
        """
        study = plan.study
        self._failed.clear()
        described = {
            "title": study.title,
            "cite": study.cite,
            "protocol": study.protocol.described(),
            "kind": study.protocol.base.kind,
            "metrics": list(study.metrics),
            "findings": [vars(finding) for finding in plan.findings],
            "comparison": vars(study.comparison) | {"tests": list(study.comparison.tests)},
        }
        database = self.database
        database.claim(study.name)
        with database.transaction():
            run = database.insert(
                "INSERT INTO run (study, text, described, machine, started, state) VALUES (?, ?, ?, ?, ?, 'running')",
                (study.name, study.text, _json(described), _json(machine()), _now()),
            )
            for data in plan.data:
                database.execute(
                    "INSERT INTO data (sha256, class, rows, attributes, classes) VALUES (?, ?, ?, ?, ?)"
                    " ON CONFLICT DO NOTHING",
                    (data.sha256, data.class_attribute, data.rows, data.attributes, data.classes),
                )
                facts = (data.facts_key, data.facts)
                database.execute("INSERT INTO facts (key, text) VALUES (?, ?) ON CONFLICT DO NOTHING", facts)
            for row in recipe_rows(plan):
                database.execute(
                    "INSERT INTO recipe (key, identity, text, providers) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                    row,
                )
            numbers = tuple(self._task(plan, index, run) for index in range(len(plan.tasks)))
        return run, numbers

    def _task(self, plan: Plan, index: int, run: int) -> int:
        task = plan.tasks[index]
        protocol = task.protocol.parameters()
        protocol.pop("repeats", None)
        self.database.execute(
            "INSERT INTO task (key, sha256, class, recipe, protocol, seed) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (
                task.key,
                task.data.sha256,
                task.data.class_attribute,
                task.recipe_key,
                _json(protocol),
                task.protocol.seed,
            ),
        )
        number = int(self.database.execute("SELECT id FROM task WHERE key = ?", (task.key,))[0][0])
        share = task.protocol.training_share
        self.database.execute(
            "INSERT INTO cell (run, position, data, recipe, share, task, repeats, folds)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (run, index, task.data.name, task.label, share, number, task.repeats, task.folds),
        )
        return number

    def facts(self) -> dict[str, str]:
        """Return what is known of data sets that were checked before; see `PlannedData`."""
        return {str(key): str(text) for key, text in self.query("SELECT key, text FROM facts")}

    def done(self, tasks: Iterable[int], metrics: Sequence[str], predictions: bool) -> dict[int, set[Place]]:
        """Return the folds of each task that have all the scores, and predictions where they are asked for."""
        marks = ", ".join("?" for _ in metrics)
        found: dict[int, set[Place]] = {}
        for task in set(tasks):
            rows = self.query(
                f"SELECT repeat, fold FROM score WHERE task = ? AND metric IN ({marks})"  # noqa: S608  # only marks
                " GROUP BY repeat, fold HAVING count(*) = ?",
                (task, *metrics, len(metrics)),
            )
            found[task] = {(int(repeat), int(fold)) for repeat, fold in rows}
            if predictions:
                rows = self.query("SELECT DISTINCT repeat, fold FROM prediction WHERE task = ?", (task,))
                found[task] &= {(int(repeat), int(fold)) for repeat, fold in rows}
        return found

    def sums(self, run: int, metric: str) -> dict[int, tuple[float, int]]:
        """Return by task the sum and the number of the scores of a run that are there; NaN where one is undefined."""
        found = self.query(
            "SELECT c.task, SUM(s.value), COUNT(s.value), COUNT(*) FROM cell c JOIN score s ON s.task = c.task"
            " AND s.repeat < c.repeats WHERE c.run = ? AND s.metric = ? GROUP BY c.position, c.task",
            (run, metric),
        )
        return {int(t): (math.nan if known < count else float(total), int(count)) for t, total, known, count in found}

    def add(self, result: FoldResult | Failure) -> None:
        """Add a result; it is durable after `COMMIT_SECONDS` or `commit`, whichever comes first."""
        if isinstance(result, Failure):
            self._failed.add(int(result.task))
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
        added = self._added
        if not any(added.values()):
            return
        try:
            with self.database.transaction():
                for table, rows in added.items():
                    if rows:
                        self.database.many(upsert(table), rows)
                done = sorted({(row[0],) for row in added["fold"] if row[0] not in self._failed})
                if done:
                    self.database.many("DELETE FROM failure WHERE task = ?", done)
        except DataError:
            # what cannot be stored now is run again by the next run
            self._added = _nothing()
            raise
        self._added = _nothing()

    def finish(self, run: int, state: str) -> None:
        """Write down how a run ended: complete, with failures or interrupted."""
        self.commit()
        self.query("UPDATE run SET state = ?, finished = ? WHERE id = ?", (state, _now(), run))

    def clear(self, study: str) -> None:
        """Throw all results and runs away.

        Raises
        ------
        DataError
            Where a server holds results of other studies than this one, too.
        """
        self.commit()
        self.database.claim(study)
        self.database.empty(CLEARED, study)

    def query(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query; see `Database` for what it may contain."""
        return self.database.execute(sql, values)


def _nothing() -> dict[str, list[tuple[Any, ...]]]:
    return {table: [] for table in ADDED}


def stored_facts(address: str | os.PathLike[str]) -> dict[str, str]:
    """Return what a store knows of data sets; nothing where there are no results yet."""
    if not is_server(address) and not Path(address).is_file():
        return {}
    with Store(address) as store:
        return store.facts() if store.database.has_tables() else {}


def number(value: Any) -> int | float | None:
    """Return a number as databases store it: NumPy's scalars as Python's own, NaN as None."""
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
