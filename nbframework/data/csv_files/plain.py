"""CSV files of plain rows, read by the compiled scanner a portion at a time."""

import csv
import os
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from nbframework import kernels
from nbframework.data.csv_files.careful import checked_names
from nbframework.data.csv_files.fields import MISSING_TEXTS, Fields, Part, Texts, settled, stripped
from nbframework.data.line_portions import Lines, portions
from nbframework.kernels.definitions.csv_rows import Form

_UNKNOWN = tuple(sorted(text.encode() for text in MISSING_TEXTS))
_MARK = b"\xef\xbb\xbf"
_FIRST_LINE = re.compile(rb"(?:\r?\n)*([^\x00-\x08\x0a-\x1f]+)\r?\n")
_ONLY_LINE = re.compile(rb"(?:\r?\n)*([^\x00-\x08\x0a-\x1f]+)")


class NotPlainError(Exception):
    """A careful reader has to look at the file."""


def plain_parts(path: Path, size: int | None, texts: Collection[str], wanted: Collection[str] | None) -> Iterator[Part]:
    """Yield the rows of a CSV file; see `csv_parts`.

    Raises
    ------
    NotPlainError
        Where the scanner is not built, or the rows from here on have to be read in another way.
    """
    if kernels.implementation() != "compiled":
        raise NotPlainError
    with path.open("rb", buffering=0) as file:
        if not file.seekable():
            raise NotPlainError
        lines = Lines(file, os.fstat(file.fileno()).st_size)
        names = _names(path, lines)
        forms = [_form(name, texts, wanted) for name in names]
        some = False
        for portion in portions(lines):
            position = 0
            while position < portion.nbytes:
                part, position = _part(portion, position, size, names, forms)
                if part.rows:
                    yield part
                    some = True
        if not some:
            yield _part(memoryview(b""), 0, size, names, forms)[0]


def _names(path: Path, lines: Lines) -> list[str]:
    """Return the names in the first line that is not empty, and take it."""
    while True:
        content = bytes(lines.more())
        start = len(_MARK) if content.startswith(_MARK) else 0
        found = _FIRST_LINE.match(content, start)
        if found or lines.at_end:
            break
    found = found or _ONLY_LINE.fullmatch(content, start)
    if found is None:
        raise NotPlainError
    lines.take(found.end())
    try:
        text = found[1].decode()
    except UnicodeDecodeError as error:
        raise NotPlainError from error
    if text.count('"') % 2:
        raise NotPlainError
    try:
        (names,) = csv.reader([text], strict=True)
    except csv.Error as error:
        raise NotPlainError from error
    return checked_names(path, names)


def _form(name: str, texts: Collection[str], wanted: Collection[str] | None) -> Form:
    if wanted is not None and name not in wanted:
        return "skipped"
    return "texts" if name in texts else "numbers"


def _part(
    portion: memoryview, position: int, size: int | None, names: Sequence[str], forms: list[Form]
) -> tuple[Part, int]:
    """Return rows from a place on, and the place behind them; a column that turns out to be of texts stays one."""
    found = kernels.csv_rows(portion, forms, _UNKNOWN, position, size)
    if found.position < portion.nbytes and found.rows != size:
        raise NotPlainError
    lost = [form == "numbers" and column is None for form, column in zip(forms, found.columns, strict=True)]
    if any(lost):
        wanted: list[Form] = ["texts" if is_lost else "skipped" for is_lost in lost]
        again = kernels.csv_rows(portion, wanted, (), position, found.rows)
        for index in (place for place, is_lost in enumerate(lost) if is_lost):
            found.columns[index], found.texts[index] = again.columns[index], again.texts[index]
    columns: list[Fields | None] = []
    for index, (column, values) in enumerate(zip(found.columns, found.texts, strict=True)):
        if values is None or column is None:
            columns.append(column)
            continue
        try:
            fields = stripped(column, [value.decode() for value in values])
        except UnicodeDecodeError as error:
            raise NotPlainError from error
        columns.append(settled(fields) if lost[index] else fields)
        if isinstance(columns[-1], Texts):
            forms[index] = "texts"
    return Part(names, found.rows, columns), found.position
