"""Plain rows read from a file a portion at a time, so that its text is never in memory as a whole."""

import re
from collections.abc import Sequence
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from nbframework import kernels
from nbframework.data.arff.document import Header
from nbframework.data.arff.header import parse_header
from nbframework.data.attribute import Attribute, code_dtype
from nbframework.data.dataset import Dataset, attribute_index
from nbframework.data.line_portions import Lines, portions
from nbframework.errors import ARFFError

_DATA = re.compile(rb"^[ \t]*@data", re.IGNORECASE | re.MULTILINE)
PER_HEADER = 64
"""How many times as large as the header a portion is at least: what is made of the declared values is made for each."""
SPARE = 1000
"""Rows for which there is always room when it was too small."""
ROOM = 1.05
"""How many times as many rows as the portions so far make likely the columns have room for."""


def read_portions(file: IO[bytes], size: int, source: str, class_attribute: str | None) -> Dataset | None:
    """Read a document of plain rows.

    Parameters
    ----------
    file
        At the start of the document.
    size
        About how many bytes it has.
    source
        Its name in error messages.
    class_attribute
        Name of the class; None takes the last attribute.

    Returns
    -------
    Dataset or None
        None where the scanner is not built, or the document has to be read as a text: other letters than those of
        ASCII, lines of the header that end in CR alone, attributes or rows that are not plain, a header that is wrong.

    Raises
    ------
    DataError
        Where no attribute is called ``class_attribute``.
    """
    if kernels.implementation() != "compiled":
        return None
    lines = Lines(file, size)
    header = _header(lines, source)
    if header is None or not all(a.kind in ("nominal", "numeric") for a in header.attributes):
        return None
    if class_attribute is not None:
        attribute_index(header.attributes, class_attribute)
    columns = _columns(lines, header, size)
    if columns is None:
        return None
    return Dataset.from_columns(header.attributes, columns, class_attribute, None, header.relation)


def _header(lines: Lines, source: str) -> Header | None:
    """Return the header, all lines up to the data taken."""
    while True:
        view = lines.more()
        content = bytes(view)
        found = _DATA.search(content)
        end = content.find(b"\n", found.end()) if found else -1
        if end >= 0 or lines.at_end:
            break
    if found is None:
        return None
    head = content[: len(content) if end < 0 else end + 1]
    text = head.decode("ascii").replace("\r\n", "\n") if head.isascii() else "\r"
    if "\r" in text:
        return None
    try:
        header = parse_header(text, source)
    except ARFFError:
        return None
    lines.take(_place_in(head, text, header.offset))
    return header


def _place_in(content: bytes, text: str, offset: int) -> int:
    """Return where a place of the text stands in the bytes, whose lines may end in CR and LF."""
    start = 0
    for _ in range(text.count("\n", 0, offset)):
        start = content.index(b"\n", start) + 1
    return start + offset - (text.rfind("\n", 0, offset) + 1)


def _columns(lines: Lines, header: Header, size: int) -> list[NDArray[Any]] | None:
    """Return the columns of all rows; None where one of them is not plain."""
    values = [attribute.values for attribute in header.attributes]
    columns: list[NDArray[Any]] | None = None
    rows = taken = 0
    for portion in portions(lines, PER_HEADER * header.offset):
        if portion.nbytes and np.frombuffer(portion, dtype=np.uint8).max() > 127:
            return None
        if columns is None:
            likely = bytes(portion).count(b"\n") + 1
            columns = [_column(attribute, likely) for attribute in header.attributes]
        position = 0
        while True:
            found = kernels.arff_rows(portion, values, position, [column[rows:] for column in columns])
            rows, position = rows + found.rows, found.position
            if position == portion.nbytes:
                break
            if rows < len(columns[0]):
                return None
            read = taken + position
            columns = _with_room(columns, rows, max(0, size - header.offset - read) / max(1, read))
        taken += portion.nbytes
    for column in columns or ():
        column.resize(rows, refcheck=False)
        column.flags.writeable = False
    return columns


def _column(attribute: Attribute, rows: int) -> NDArray[Any]:
    return np.empty(rows, np.float64 if attribute.values is None else code_dtype(attribute.cardinality))


def _with_room(columns: Sequence[NDArray[Any]], rows: int, left: float) -> list[NDArray[Any]]:
    """Return columns with room for as many rows as are likely where ``left`` times as much is left as was read."""
    most = rows + int(ROOM * rows * left) + SPARE
    larger = [np.empty(most, dtype=column.dtype) for column in columns]
    for column, made in zip(columns, larger, strict=True):
        made[:rows] = column[:rows]
    return larger
