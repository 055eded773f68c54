"""CSV files read by the standard library, which knows every form of quotes."""

import csv
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nbframework.data.csv_files.fields import Fields, Part, settled, stripped
from nbframework.errors import DataError

MOST_ROWS = 20_000
"""Rows of one part at most: as texts, they take many times the memory that they take as numbers."""
_PLAIN = frozenset("0123456789+-.eE")
"""Characters of which `float` makes nothing but decimal numbers."""


def careful_parts(
    path: Path, size: int | None, texts: Collection[str], wanted: Collection[str] | None, first: int
) -> Iterator[Part]:
    """Yield the rows of a CSV file from row ``first`` on; see `csv_parts`."""
    rows: list[tuple[str, ...]] = []
    most = min(size or MOST_ROWS, MOST_ROWS)
    yielded = first > 0
    for place, (names, _, fields) in enumerate(_rows(path)):
        # the line of names comes first
        if place == 0:
            head = names
        elif place > first:
            # the garbage collector passes over tuples of texts, and looks into lists of them again and again
            rows.append(tuple(fields))
            if len(rows) == most:
                yield _part(head, rows, texts, wanted)
                rows, yielded = [], True
    if rows or not yielded:
        yield _part(head, rows, texts, wanted)


def line_of(path: Path, row: int) -> int:
    """Return the line on which a row, from 0, ends."""
    return next(line for place, (_, line, _) in enumerate(_rows(path)) if place == row + 1)


def _rows(path: Path) -> Iterator[tuple[list[str], int, list[str]]]:
    """Yield names, line and fields of each row, the one of the names first.

    Raises
    ------
    DataError
        Where the file cannot be read, or a row has another number of fields than the header.
    """
    last = 0
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file, strict=True)
            header = next((row for row in reader if row), None)
            if header is None:
                raise DataError(f"{path}: the file is empty, expected a line of names")
            names = checked_names(path, header)
            last = reader.line_num
            yield names, last, header
            for row in reader:
                if not row:
                    continue
                if len(row) != len(names):
                    raise DataError(
                        f"{path}:{reader.line_num}: {len(row)} fields, expected {len(names)} as in the header"
                    )
                last = reader.line_num
                yield names, last, row
    except csv.Error as error:
        raise DataError(f"{path}:{last + 1}: no row of CSV begins here: {error}; is a quote not closed?") from error
    except UnicodeDecodeError as error:
        raise DataError(_not_utf_8(path)) from error
    except OSError as error:
        raise DataError(f"{path}: cannot read the file: {error.strerror or error}") from error


def checked_names(path: Path, header: Sequence[str]) -> list[str]:
    """Return the names of a header.

    Raises
    ------
    DataError
        Where there is one only, and it looks like several between which something else than a comma stands.
    """
    names = [name.strip() for name in header]
    found = [mark for mark in ";\t|" if mark in header[0]] if len(names) == 1 else []
    if found:
        raise DataError(f"{path}:1: one column {names[0]!r}: does {found[0]!r} part the fields? Expected commas")
    return names


def _not_utf_8(path: Path) -> str:
    content = path.read_bytes()
    try:
        content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return f"{path}:{line}: found the byte 0x{content[error.start]:02x}, expected UTF-8; save the file as UTF-8"
    return f"{path}: the file has changed while it was read"


def _part(
    names: Sequence[str], rows: Sequence[tuple[str, ...]], texts: Collection[str], wanted: Collection[str] | None
) -> Part:
    columns: Sequence[tuple[str, ...]] = list(zip(*rows, strict=True)) or [() for _ in names]
    found = [
        _fields(fields, name in texts) if wanted is None or name in wanted else None
        for name, fields in zip(names, columns, strict=True)
    ]
    return Part(names, len(rows), found)


def _fields(fields: tuple[str, ...], is_text: bool) -> Fields:
    if not is_text and _PLAIN.issuperset("".join(fields)) and "" not in fields:
        try:
            return np.fromiter(map(float, fields), dtype=np.float64, count=len(fields))
        except ValueError:
            # such as 1-2: one of texts
            pass
    code_of: dict[str, int] = {}
    for field in fields:
        code_of.setdefault(field, len(code_of))
    codes: Any = np.fromiter(map(code_of.__getitem__, fields), dtype=np.uint32, count=len(fields))
    texts = stripped(codes, list(code_of))
    return texts if is_text else settled(texts)
