"""Results in a SQLite file: one writer, which holds a lock beside the file."""

import os
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nbframework.errors import DataError
from nbframework.study.database import Database, Row
from nbframework.study.lock import StoreLock
from nbframework.study.schema import APPLICATION_ID, TABLES, VERSION

FAULTS = (sqlite3.Error, UnicodeDecodeError)
"""What goes wrong with a file: a message about a damaged one may quote what is no text."""


class SQLiteDatabase(Database):
    """A file; see `nbframework.study.database.open_database` for the parameters.

    The file is in write-ahead mode, in which others can read while one writes.
    """

    def __init__(self, path: str | os.PathLike[str], write: bool, busy_seconds: float) -> None:
        super().__init__(os.fspath(path))
        self.path = Path(path)
        if not write and not self.path.is_file():
            raise DataError(f"{self.path}: no such results file; nbf run makes it")
        self._lock = StoreLock(self.path) if write else None
        self._connection: sqlite3.Connection | None = None
        try:
            self._open(write, busy_seconds)
        except BaseException as error:
            self.close()
            if isinstance(error, FAULTS):
                raise self._explained(error) from error
            raise

    def _open(self, write: bool, busy_seconds: float) -> None:
        # a reader may have to clean up after a writer that was killed, which a file opened for reading only cannot
        writable = os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK)
        mode = "mode=rwc" if write else "mode=rw" if writable else "mode=ro"
        if not write and not writable and not self._has_log():
            # without a log nothing is left to clean up, and nobody can add anything where a log cannot be made
            mode = "immutable=1"
        address = f"{self.path.absolute().as_uri()}?{mode}"
        self._connection = sqlite3.connect(address, uri=True, timeout=busy_seconds, isolation_level=None)
        self._check()
        if not write:
            self._connection.execute("PRAGMA query_only = ON")
            return
        self._write_ahead(busy_seconds)
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("PRAGMA foreign_keys = ON")
        marks = f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION};"
        self._connection.executescript(marks + TABLES)

    def _has_log(self) -> bool:
        """Whether changes lie in the write-ahead log beside the file."""
        log = self.path.with_name(self.path.name + "-wal")
        return log.exists() and log.stat().st_size > 0

    @property
    def connection(self) -> sqlite3.Connection:
        """The open connection."""
        if self._connection is None:
            raise DataError(f"{self.name}: the results file is closed")
        return self._connection

    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """Execute a statement and return its rows."""
        try:
            return self.connection.execute(sql, values).fetchall()
        except FAULTS as error:
            raise self._explained(error) from error

    def many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Execute a statement once for each row of values."""
        try:
            self.connection.executemany(sql, rows)
        except FAULTS as error:
            raise self._explained(error) from error

    def insert(self, sql: str, values: Sequence[Any]) -> int:
        """Execute an INSERT and return the ``id`` of its row."""
        try:
            return int(self.connection.execute(sql, values).lastrowid or 0)
        except FAULTS as error:
            raise self._explained(error) from error

    def has_tables(self) -> bool:
        """Whether the tables were made."""
        return bool(self.execute("SELECT 1 FROM sqlite_master WHERE name = 'timing'"))

    def claim(self, study: str) -> None:
        """Do nothing: whoever writes holds the file for all studies."""

    def check_clearable(self, study: str) -> None:
        """Do nothing: a file is thrown away as a whole."""

    def empty(self, tables: Sequence[str], study: str) -> None:
        """Delete all rows of all tables."""
        # a table is emptied at once, and not row by row, where no reference to it is checked: none is left in the end
        self.execute("PRAGMA foreign_keys = OFF")
        try:
            super().empty(tables, study)
        finally:
            self.execute("PRAGMA foreign_keys = ON")

    def begin(self) -> None:
        """Begin a transaction that writes; waits for another one."""
        self.execute("BEGIN IMMEDIATE")

    def roll_back(self) -> None:
        """End a transaction without its changes."""
        if self.connection.in_transaction:
            self.connection.rollback()

    def close(self) -> None:
        """Close, and give the lock back."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._lock is not None:
            self._lock.release()

    def _write_ahead(self, busy_seconds: float) -> None:
        """Switch to the write-ahead log; SQLite itself does not wait here for another connection."""
        deadline = time.monotonic() + busy_seconds
        while True:
            try:
                self.connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
            else:
                return

    def _check(self) -> None:
        found = self.connection.execute("PRAGMA application_id").fetchone()[0]
        version = self.connection.execute("PRAGMA user_version").fetchone()[0]
        tables = self.connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables and found != APPLICATION_ID:
            raise DataError(f"{self.name}: a database of another program, not a results file; nothing was changed")
        if version > VERSION:
            raise DataError(f"{self.name}: results file of version {version}; this nbframework reads up to {VERSION}")

    def _explained(self, error: Exception) -> DataError:
        text = str(error)
        if "not a database" in text or "malformed" in text or isinstance(error, UnicodeDecodeError):
            return DataError(f"{self.name}: not a results file, or damaged ({text}); nothing was changed")
        if "locked" in text:
            text = f"another program holds the results file for too long ({text}); results are kept"
            return DataError(f"{self.name}: {text}")
        if "readonly" in text:
            text = "cannot be written: it is read-only"
        return DataError(f"{self.name}: {text}; results so far are kept")
