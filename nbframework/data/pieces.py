"""Rows in one file or many, cut into pieces that are read apart."""

import glob
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Protocol, TypeVar

from nbframework.data.alignment import aligned
from nbframework.data.catalog import find_dataset
from nbframework.data.chunks import read_chunks
from nbframework.data.dataset import Dataset
from nbframework.data.parquet import parquet_chunks, parquet_groups
from nbframework.errors import DataError

T = TypeVar("T")
PIECE_ROWS = 1_000_000
"""Rows of a Parquet file from which on its next row group begins another piece."""


@dataclass(frozen=True)
class Piece:
    """Rows that are read together.

    Parameters
    ----------
    path
        The file.
    groups
        The row groups of a Parquet file; None for the whole of another file.
    """

    path: Path
    groups: tuple[int, ...] | None = None


class Reduce(Protocol):
    """Does something with every piece and puts the results together."""

    def __call__(self, work: Callable[[Piece], T], merge: Callable[[T, T], T], pieces: Sequence[Piece]) -> T:
        """Return the results of ``work`` put together by ``merge``, which may take them in any grouping, in order."""


def in_order(work: Callable[[Piece], T], merge: Callable[[T, T], T], pieces: Sequence[Piece]) -> T:
    """Do the work piece by piece, here and now; see `Reduce`."""
    return reduce(merge, map(work, pieces))


def pieces_of(text: str) -> tuple[Piece, ...]:
    """Return the pieces of the rows that a text means.

    Parameters
    ----------
    text
        A file, a bundled data set, or a pattern such as ``data/*.parquet`` for several files.

    Raises
    ------
    DataError
        Where there is no such file, or none that matches.
    """
    paths = sorted(map(Path, glob.glob(text)))  # the pattern may be absolute
    if not paths or not glob.has_magic(text):
        if glob.has_magic(text) and not Path(text).is_file():
            raise DataError(f"{text!r}: no file matches this pattern")
        paths = [find_dataset(text)]
    return tuple(piece for path in paths for piece in _cut(path))


def _cut(path: Path) -> Iterator[Piece]:
    if path.suffix.lower() != ".parquet":
        yield Piece(path)
        return
    together: list[int] = []
    rows = 0
    for group, size in enumerate(parquet_groups(path)):
        together.append(group)
        rows += size
        if rows >= PIECE_ROWS:
            yield Piece(path, tuple(together))
            together, rows = [], 0
    if together or not rows:
        yield Piece(path, tuple(together))


def piece_chunks(piece: Piece, schema: Dataset, rows: int) -> Iterator[Dataset]:
    """Yield the rows of a piece under the schema of all pieces, some at a time.

    Raises
    ------
    DataError
        Where the piece holds a value that the schema does not have: the file has changed since.
    """
    chunks = (
        read_chunks(piece.path, schema, rows)
        if piece.groups is None
        else parquet_chunks(piece.path, schema, rows, piece.groups)
    )
    for chunk in chunks:
        found = aligned(chunk, schema)
        for name, value, _ in found.unseen:
            raise DataError(f"{piece.path}: attribute {name!r} has the value {value!r} now; the file has changed")
        yield found.dataset
