"""A database that holds results: a SQLite file or PostgreSQL, told apart by the address."""

import contextlib
import os
import re
import socket
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

Row = tuple[Any, ...]
_SCHEMES = ("postgresql://", "postgres://")


class Database(ABC):
    """An open connection; what a statement changes is durable at once unless a transaction was begun.

    The statements have ``?`` in the place of values, contain no ``%``, and are such that SQLite and PostgreSQL
    understand them. Every method raises DataError with the name of the database where it fails.

    Parameters
    ----------
    name
        What messages call it: the path of the file, or the address without its password.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    @abstractmethod
    def execute(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """Execute a statement and return its rows."""

    @abstractmethod
    def many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Execute a statement once for each row of values."""

    @abstractmethod
    def insert(self, sql: str, values: Sequence[Any]) -> int:
        """Execute an INSERT and return the ``id`` of its row."""

    @abstractmethod
    def has_tables(self) -> bool:
        """Whether the tables were made; a run that was killed at its very beginning leaves none."""

    @abstractmethod
    def claim(self, study: str) -> None:
        """Refuse a second run of a study, until the connection is closed or the process dies."""

    @abstractmethod
    def check_clearable(self, study: str) -> None:
        """Refuse to throw everything away where that would hit more than a study's own results."""

    @abstractmethod
    def close(self) -> None:
        """Close; a second call does nothing."""

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Make all changes of a block or none; no one else writes meanwhile."""
        self.begin()
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            self.roll_back()
            raise

    def empty(self, tables: Sequence[str], study: str) -> None:
        """Delete all rows of all tables, each of which comes before those that it refers to, for a study.

        Raises DataError as `check_clearable` does.
        """
        with self.transaction():
            self.check_clearable(study)
            for table in tables:
                self.execute(f"DELETE FROM {table}")  # noqa: S608  # our own names

    @abstractmethod
    def begin(self) -> None:
        """Begin a transaction that writes; waits for another one."""

    @abstractmethod
    def roll_back(self) -> None:
        """End a transaction without its changes; does nothing where there is none."""


def is_server(address: str | os.PathLike[str]) -> bool:
    """Whether an address means PostgreSQL."""
    return isinstance(address, str) and address.startswith(_SCHEMES)


def shown_address(address: str) -> str:
    """Return a server's address without its password.

    >>> shown_address("postgresql://me:secret@host/results?password=x&sslmode=require")
    'postgresql://me@host/results?sslmode=require'
    """
    address = re.sub(r"^(\w+://[^/@:?]*):[^/@?]*@", r"\1@", address)
    return re.sub(r"(?<=[?&])password=[^&]*(&|$)", "", address).rstrip("?&")


def this_process() -> str:
    """Return who holds a lock, for those who find it held."""
    return f"process {os.getpid()} on {socket.gethostname()}"


def open_database(address: str | os.PathLike[str], write: bool, busy_seconds: float) -> Database:
    """Return a connection.

    Parameters
    ----------
    address
        ``postgresql://...`` or the path of a file; with ``write`` a file or tables are made where there are none.
    write
        Whether results will be added; then every commit is on the disk when it returns.
    busy_seconds
        How long to wait for another connection that holds the database.

    Raises
    ------
    DataError
        Where there is no such database, or one of something else, damaged, of a newer version or locked for too long.
        It is not changed then.
    """
    if is_server(address):
        from nbframework.study.postgres import PostgresDatabase

        return PostgresDatabase(str(address), write, busy_seconds)
    from nbframework.study.sqlite import SQLiteDatabase

    return SQLiteDatabase(address, write, busy_seconds)
