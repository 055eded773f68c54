"""The plain rows of a CSV file."""

import math
import re
from collections.abc import Collection, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nbframework.kernels.definitions.arff import NUMBER, finite_number

Form = Literal["numbers", "texts", "skipped"]

_FIELD = re.compile(
    rb"\"(?P<quoted>[^\"\x00-\x08\x0a-\x1f]*)\"|(?P<bare>(?:[^,\"\x00-\x08\x0a-\x1f][^,\x00-\x08\x0a-\x1f]*)?)"
)
_BLANKS = b" \t"


class FieldRows(NamedTuple):
    """The rows up to the first line that is not plain, and where that line starts in the data.

    Parameters
    ----------
    columns
        For each column of numbers (n,) float64 with NaN for unknown fields; of texts (n,) uint32 codes; None where
        the column is skipped, or should hold numbers and a field is neither a number nor unknown.
    texts
        For each column of texts what its codes stand for, in the order in which they came.
    rows
        How many.
    position
        The length of the data where no line stopped the reading.
    """

    columns: list[NDArray[Any] | None]
    texts: list[list[bytes] | None]
    rows: int
    position: int


def csv_rows(
    data: bytes | memoryview,
    forms: Sequence[Form],
    unknown: Collection[bytes] = (),
    start: int = 0,
    most: int | None = None,
) -> FieldRows:
    """Read the plain rows of a CSV file, without its line of names.

    A plain row has a field for each column, with or without double quotes around it and none inside, and no control
    character but the tabulator. Blanks at the ends of a field are left out, empty lines are skipped. Lines end in LF or
    CR and LF. Reading stops at the first line that is not plain.

    Parameters
    ----------
    data
        Whole lines.
    forms
        For each column, at least one, what to make of its fields.
    unknown
        Fields that stand for an unknown number.
    start
        The byte to start at.
    most
        Rows to read; None for all.

    Raises
    ------
    ValueError
        Where there is no column, a form that there is not, or no such place to start at.
    """
    content = bytes(data)
    if not 0 <= start <= len(content):
        raise ValueError(f"start: expected 0 to {len(content)}, found {start}")
    if not forms or not {"numbers", "texts", "skipped"}.issuperset(forms) or (most or 0) < 0:
        raise ValueError("forms: expected numbers, texts or skipped for each column, at least one, and 0 rows or more")
    rows: list[list[bytes]] = []
    position = start
    while position < len(content):
        end = content.find(b"\n", position)
        line = content[position : len(content) if end < 0 else end]
        line = line[:-1] if end >= 0 and line.endswith(b"\r") else line
        if line:
            fields = _fields(line, len(forms))
            if fields is None or len(rows) == most:
                break
            rows.append(fields)
        position = len(content) if end < 0 else end + 1
    by_column = list(zip(*rows, strict=True)) or [()] * len(forms)
    columns, texts = zip(*(_column(f, form, unknown) for f, form in zip(by_column, forms, strict=True)), strict=True)
    return FieldRows(list(columns), list(texts), len(rows), position)


def _fields(line: bytes, width: int) -> list[bytes] | None:
    fields = []
    place = 0
    for index in range(width):
        match = _FIELD.match(line, place)
        if match is None:
            return None
        place = match.end()
        if line[place : place + 1] != (b"," if index + 1 < width else b""):
            return None
        place += 1
        fields.append(match[match.lastgroup or 0].strip(_BLANKS))
    return fields


def _column(
    fields: Sequence[bytes], form: Form, unknown: Collection[bytes]
) -> tuple[NDArray[Any] | None, list[bytes] | None]:
    if form == "texts":
        code_of: dict[bytes, int] = {}
        codes = [code_of.setdefault(field, len(code_of)) for field in fields]
        return np.array(codes, dtype=np.uint32), list(code_of)
    if form == "skipped":
        return None, None
    numbers = []
    for field in fields:
        number = finite_number(field) if NUMBER.fullmatch(field) else math.nan if field in unknown else None
        if number is None:
            return None, None
        numbers.append(number)
    return np.array(numbers, dtype=np.float64), None
