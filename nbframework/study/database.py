"""The database file: opened with care, its errors turned into messages with the path."""

import os
import sqlite3
import time
from pathlib import Path

from nbframework.errors import DataError
from nbframework.study.schema import APPLICATION_ID, SCHEMA, VERSION


def open_database(path: Path, write: bool, busy_seconds: float) -> sqlite3.Connection:
    """Return a connection without implicit transactions.

    Parameters
    ----------
    path
        The file; with ``write`` it is made where it does not exist.
    write
        Whether results will be added; then every commit is on the disk when it returns.
    busy_seconds
        How long to wait for another connection that holds the database.

    Raises
    ------
    DataError
        Where the file is no results file, damaged, of a newer version or locked for too long. It is not changed then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # a reader may have to clean up after a writer that was killed, which a file opened for reading only cannot
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    mode = "rwc" if write else "rw" if writable else "ro"
    connection = None
    try:
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=busy_seconds, isolation_level=None
        )
        _check(path, connection)
        if not write:
            connection.execute("PRAGMA query_only = ON")
        else:
            _write_ahead(connection, busy_seconds)
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.executescript(SCHEMA)
    except sqlite3.Error as error:
        if connection is not None:
            connection.close()
        raise explained(path, error) from error
    except DataError:
        if connection is not None:
            connection.close()
        raise
    return connection


def explained(path: Path, error: sqlite3.Error) -> DataError:
    """Return an error of the database as one for the user."""
    text = str(error)
    if "not a database" in text or "malformed" in text:
        return DataError(f"{path}: not a results file, or damaged ({text}); nothing was changed")
    if "locked" in text:
        return DataError(f"{path}: another program holds the results file for too long ({text}); results are kept")
    return DataError(f"{path}: {text}; results so far are kept")


def _write_ahead(connection: sqlite3.Connection, busy_seconds: float) -> None:
    """Switch to the write-ahead log; SQLite itself does not wait here for another connection."""
    deadline = time.monotonic() + busy_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def _check(path: Path, connection: sqlite3.Connection) -> None:
    found = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if tables and found != APPLICATION_ID:
        raise DataError(f"{path}: a database of another program, not a results file; nothing was changed")
    if version > VERSION:
        raise DataError(f"{path}: results file of version {version}; this nbframework reads up to {VERSION}")
