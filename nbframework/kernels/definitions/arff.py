"""The plain rows of an ARFF data section."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_LINE_END = re.compile(rb"[\r\n]")
_SKIPPED = re.compile(rb"[ \t]*(?:%.*)?", re.DOTALL)
_REST = re.compile(rb"[ \t]*(?:(?<=[ \t])%.*)?", re.DOTALL)
_CELL = re.compile(
    rb"[ \t]*(?:(?P<word>[^\x00-\x20,{}'\"%]+)|'(?P<single>[^'\\\x00-\x08\x0a-\x1f]*)'"
    rb"|\"(?P<double>[^\"\\\x00-\x08\x0a-\x1f]*)\")(?=[ \t,]|\Z)[ \t]*"
)
NUMBER = re.compile(rb"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_LONGEST_NUMBER = 511

Reader = Callable[[bytes, bool], float | int | None]


class PlainRows(NamedTuple):
    """The rows up to the first line that is not plain, and where that line starts in the data's bytes."""

    columns: list[NDArray[Any]]
    rows: int
    position: int


def arff_rows(
    data: str | bytes | memoryview,
    values: Sequence[Sequence[str] | None],
    start: int = 0,
    columns: Sequence[NDArray[Any]] | None = None,
) -> PlainRows:
    """Read the plain rows of an ARFF data section.

    A plain row is dense and holds decimal numbers, declared values with or without quotes, and bare question marks.
    Blank lines and comments are skipped. Reading stops at the first line that holds anything else: an escape, a
    brace, a number that is none or is too large, a value that is not declared, too few or too many cells.

    Parameters
    ----------
    data
        The section, as text or in UTF-8; lines end in LF, CR or both.
    values
        For each attribute the declared values of a nominal one, None for a numeric one.
    start
        The byte to start at, always a byte of the data in UTF-8.
    columns
        Arrays of one length to fill from their first element on, of the types of those returned; None makes new ones.
        Reading stops also at the line of the first row for which there is no more room.

    Returns
    -------
    PlainRows
        Columns of float64 with NaN for ``?``, or of the smallest unsigned codes with v + 1 for ``?``; and the
        position of the line that stopped the reading, the length of the data where none did.
    """
    content = data.encode() if isinstance(data, str) else bytes(data)
    if not 0 <= start <= len(content):
        raise ValueError(f"start: expected 0 to {len(content)}, found {start}")
    readers = [_number if known is None else _code_reader(known) for known in values]
    cells: list[list[float | int]] = [[] for _ in values]
    rows, position = 0, start
    most = min((len(column) for column in columns or ()), default=len(content))
    while position < len(content):
        end = _LINE_END.search(content, position)
        line = content[position : end.start() if end else len(content)]
        if not _SKIPPED.fullmatch(line):
            row = _row(line, readers)
            if row is None or rows == most:
                break
            for column, cell in zip(cells, row, strict=True):
                column.append(cell)
            rows += 1
        position = end.end() if end else len(content)
    found = [_array(column, known) for column, known in zip(cells, values, strict=True)]
    if columns is None:
        return PlainRows(found, rows, position)
    for given, made in zip(columns, found, strict=True):
        given[:rows] = made
    return PlainRows([given[:rows] for given in columns], rows, position)


def code_dtype(cardinality: int) -> np.dtype[Any]:
    """Return the smallest unsigned type for the codes 0 to ``cardinality`` + 1."""
    return np.min_scalar_type(cardinality + 1)


def _array(cells: list[float | int], known: Sequence[str] | None) -> NDArray[Any]:
    return np.array(cells, dtype=np.float64 if known is None else code_dtype(len(known)))


def _row(line: bytes, readers: Sequence[Reader]) -> list[float | int] | None:
    row: list[float | int] = []
    place = 0
    for index, read in enumerate(readers):
        if index and line[place : place + 1] != b",":
            return None
        match = _CELL.match(line, place + bool(index))
        if match is None:
            return None
        cell = read(match[match.lastgroup or 0], match.lastgroup != "word")
        if cell is None:
            return None
        row.append(cell)
        place = match.end()
    return row if row and _REST.fullmatch(line, place) else None


def _number(text: bytes, quoted: bool) -> float | None:
    if text == b"?" and not quoted:
        return math.nan
    return finite_number(text) if NUMBER.fullmatch(text) else None


def finite_number(text: bytes) -> float | None:
    """Return a decimal number; None where it is written at great length, or too large."""
    number = float(text) if len(text) <= _LONGEST_NUMBER else math.inf
    return None if math.isinf(number) else number


def _code_reader(known: Sequence[str]) -> Reader:
    code_of: Mapping[bytes, int] = {value.encode(): code for code, value in enumerate(known)}
    if len(code_of) < len(known):
        raise ValueError("values: two values of an attribute are equal")

    def read(text: bytes, quoted: bool) -> int | None:
        return len(known) + 1 if text == b"?" and not quoted else code_of.get(text)

    return read
