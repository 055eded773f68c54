"""The tables of a store, in SQL that SQLite and PostgreSQL understand up to the names of types."""

from collections.abc import Mapping, Sequence

APPLICATION_ID = 0x6E626672
"""Marks a database as ours: the letters nbfr."""
VERSION = 1
CLEARED = ("timing", "failure", "note", "prediction", "score", "fold", "cell", "task", "recipe", "facts", "data", "run")
"""The tables, each before those that it refers to."""
ADDED: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "fold": (("task", "repeat", "fold"), ("training_rows", "test_rows", "test_weight")),
    "timing": (("task", "repeat", "fold"), ("cpu_seconds", "seconds", "stored")),
    "score": (("task", "repeat", "fold", "metric"), ("value",)),
    "prediction": (("task", "repeat", "fold", "row"), ("actual", "predicted", "log_posterior")),
    "note": (("task", "text"), ()),
    "failure": (("task",), ("message",)),
}
"""The tables that grow while a study runs: the columns of the key, and the others."""

TABLES = """
-- one invocation of nbf run: the study as it was then, and the machine
CREATE TABLE IF NOT EXISTS run (
    id INTEGER PRIMARY KEY, study TEXT NOT NULL, text TEXT NOT NULL, described TEXT NOT NULL, machine TEXT NOT NULL,
    started TEXT NOT NULL, finished TEXT, state TEXT NOT NULL
);
-- a data file with the class that was predicted
CREATE TABLE IF NOT EXISTS data (
    sha256 TEXT, class TEXT, rows INTEGER NOT NULL, attributes INTEGER NOT NULL, classes INTEGER NOT NULL,
    PRIMARY KEY (sha256, class)
);
-- what a plan has to know of a data file under a protocol, so that a finished study need not read it again
CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
-- a recipe with every default and the providers of its parts, as JSON; the key covers both
CREATE TABLE IF NOT EXISTS recipe (
    key TEXT PRIMARY KEY, identity TEXT NOT NULL, text TEXT NOT NULL, providers TEXT NOT NULL
);
-- a recipe on a data set under a protocol; repeats are not part of it, so that more of them can be added
CREATE TABLE IF NOT EXISTS task (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, sha256 TEXT NOT NULL, class TEXT NOT NULL,
    recipe TEXT NOT NULL REFERENCES recipe (key), protocol TEXT NOT NULL, seed INTEGER NOT NULL,
    FOREIGN KEY (sha256, class) REFERENCES data (sha256, class)
);
-- a cell of a run's tables: what it calls the data set and the recipe, and the folds that make it complete
CREATE TABLE IF NOT EXISTS cell (
    run INTEGER NOT NULL REFERENCES run (id), position INTEGER NOT NULL, data TEXT NOT NULL, recipe TEXT NOT NULL,
    share REAL NOT NULL, task INTEGER NOT NULL REFERENCES task (id), repeats INTEGER NOT NULL, folds INTEGER NOT NULL,
    PRIMARY KEY (run, position)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS fold (
    task INTEGER NOT NULL REFERENCES task (id), repeat INTEGER NOT NULL, fold INTEGER NOT NULL,
    training_rows INTEGER NOT NULL, test_rows INTEGER NOT NULL, test_weight REAL NOT NULL,
    PRIMARY KEY (task, repeat, fold)
) WITHOUT ROWID;
-- NULL is undefined
CREATE TABLE IF NOT EXISTS score (
    task INTEGER NOT NULL REFERENCES task (id), repeat INTEGER NOT NULL, fold INTEGER NOT NULL, metric TEXT NOT NULL,
    value REAL,
    PRIMARY KEY (task, repeat, fold, metric)
) WITHOUT ROWID;
-- class codes count from 0; log_posterior holds little-endian float64, one for each declared class
CREATE TABLE IF NOT EXISTS prediction (
    task INTEGER NOT NULL REFERENCES task (id), repeat INTEGER NOT NULL, fold INTEGER NOT NULL, row INTEGER NOT NULL,
    actual INTEGER NOT NULL, predicted INTEGER NOT NULL, log_posterior BLOB NOT NULL,
    PRIMARY KEY (task, repeat, fold, row)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS note (
    task INTEGER NOT NULL REFERENCES task (id), text TEXT NOT NULL, PRIMARY KEY (task, text)
) WITHOUT ROWID;
-- why a task has no complete result; gone when it has one
CREATE TABLE IF NOT EXISTS failure (task INTEGER PRIMARY KEY REFERENCES task (id), message TEXT NOT NULL);
-- the only table that differs between two runs of the same study; stored is in seconds since 1970
CREATE TABLE IF NOT EXISTS timing (
    task INTEGER NOT NULL REFERENCES task (id), repeat INTEGER NOT NULL, fold INTEGER NOT NULL,
    cpu_seconds REAL NOT NULL, seconds REAL NOT NULL, stored INTEGER NOT NULL,
    PRIMARY KEY (task, repeat, fold)
) WITHOUT ROWID;
"""


def upsert(table: str) -> str:
    """Return the statement that adds a row to one of `ADDED`, in place of the one with the same key."""
    key, others = ADDED[table]
    marks = ", ".join("?" for _ in (*key, *others))
    changes = ", ".join(f"{column} = excluded.{column}" for column in others)
    # no target without changes: a long text may be under a unique index of its checksum only
    conflict = f"({', '.join(key)}) DO UPDATE SET {changes}" if others else "DO NOTHING"
    return f"INSERT INTO {table} ({', '.join((*key, *others))}) VALUES ({marks}) ON CONFLICT {conflict}"  # noqa: S608
