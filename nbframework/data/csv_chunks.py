"""CSV files a part at a time: what their columns are, and their rows under a known schema."""

import csv
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.data.attribute import Attribute
from nbframework.data.dataset import Dataset
from nbframework.data.tabular import MISSING_TEXTS, decimal
from nbframework.errors import DataError, did_you_mean

MOST_ROWS = 20_000
"""Rows of one part at most: as texts, they take many times the memory that they take as numbers."""
_PLAIN = frozenset("0123456789+-.eE")
"""Characters of which `float` makes nothing but decimal numbers."""


@dataclass(frozen=True)
class Part:
    """Some rows of a CSV file, column by column.

    Parameters
    ----------
    names
        Of the columns.
    lines
        (n,) line of each row.
    columns
        For each name n fields as they stand in the file.
    """

    names: Sequence[str]
    lines: Sequence[int]
    columns: Sequence[tuple[str, ...]]


def csv_parts(path: Path, size: int) -> Iterator[Part]:
    """Yield the rows of a CSV file, at most ``size`` or `MOST_ROWS` at a time; at least one part, maybe an empty one.

    Raises
    ------
    DataError
        Where the file cannot be read, or a row has another number of fields than the header.
    """
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file)
            header = next((row for row in reader if row), None)
            if header is None:
                raise DataError(f"{path}: the file is empty, expected a line of names")
            names = [name.strip() for name in header]
            lines: list[int] = []
            rows: list[tuple[str, ...]] = []
            yielded = False
            for row in reader:
                if not row:
                    continue
                if len(row) != len(names):
                    raise DataError(
                        f"{path}:{reader.line_num}: {len(row)} fields, expected {len(names)} as in the header"
                    )
                lines.append(reader.line_num)
                # the garbage collector passes over tuples of texts, and looks into lists of them again and again
                rows.append(tuple(row))
                if len(rows) == min(size, MOST_ROWS):
                    yield Part(names, lines, list(zip(*rows, strict=True)))
                    lines, rows, yielded = [], [], True
            if rows or not yielded:
                yield Part(names, lines, list(zip(*rows, strict=True)) or [() for _ in names])
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: not a CSV file in UTF-8 ({error})") from error
    except OSError as error:
        raise DataError(f"{path}: cannot read the file: {error.strerror or error}") from error


def csv_chunks(path: Path, schema: Dataset, size: int) -> Iterator[Dataset]:
    """Yield the rows of a CSV file under a schema; see `read_chunks`."""
    for part in csv_parts(path, size):
        columns: list[Any] = []
        widened = []
        for attribute in named(part.names, schema, path):
            fields = part.columns[part.names.index(attribute.name)]
            if attribute.is_measured:
                columns.append(_numbers(path, attribute, part.lines, fields))
                widened.append(attribute)
            elif attribute.is_nominal:
                codes, wider = _codes(attribute, fields)
                columns.append(codes)
                widened.append(wider)
            else:
                columns.append([None if text in MISSING_TEXTS else text for text in map(str.strip, fields)])
                widened.append(attribute)
        yield Dataset.from_columns(widened, columns, name=path.name.partition(".")[0])


def named(names: Sequence[str], schema: Dataset, path: Path) -> list[Attribute]:
    """Return the attributes of the schema that a table has columns for, in the order of the schema.

    Raises
    ------
    DataError
        Where there is none, or two columns have one name.
    """
    found = [attribute for attribute in schema.attributes if attribute.name in names]
    for attribute in found:
        if list(names).count(attribute.name) > 1:
            raise DataError(f"{path}: two columns are called {attribute.name!r}")
    if not found:
        first = schema.attributes[0].name
        raise DataError(f"{path}: none of the attributes has a column, such as {first!r}{did_you_mean(first, names)}")
    return found


def widened_by(attribute: Attribute, texts: set[str]) -> Attribute:
    """Return a nominal attribute that declares the other values among some texts, too."""
    others = sorted(text for text in texts if text not in attribute.code_of)
    if not others:
        return attribute
    return Attribute.nominal(attribute.name, (*(attribute.values or ()), *others), attribute.weight)


def is_plain(fields: Collection[str]) -> bool:
    """Return whether `float` takes some texts for decimal numbers, or takes them for none."""
    return _PLAIN.issuperset("".join(fields)) and "" not in fields


def known_texts(fields: Sequence[str]) -> set[str]:
    """Return the distinct texts of some fields, without those that stand for an unknown value."""
    return {field.strip() for field in set(fields)} - MISSING_TEXTS


def _codes(attribute: Attribute, fields: Sequence[str]) -> tuple[NDArray[np.intp], Attribute]:
    """Return the codes of some fields, and the attribute with all their values."""
    wider = widened_by(attribute, known_texts(fields))
    code_of = {field: wider.code_of.get(field.strip(), wider.unknown) for field in set(fields)}
    return np.fromiter(map(code_of.__getitem__, fields), dtype=np.intp, count=len(fields)), wider


def _numbers(path: Path, attribute: Attribute, lines: Sequence[int], fields: Sequence[str]) -> NDArray[np.float64]:
    if is_plain(fields):
        try:
            return np.fromiter(map(float, fields), dtype=np.float64, count=len(fields))
        except ValueError:
            # said with its line below
            pass
    numbers = np.empty(len(fields))
    for place, text in enumerate(map(str.strip, fields)):
        try:
            numbers[place] = np.nan if text in MISSING_TEXTS else decimal(text)
        except ValueError:
            raise DataError(
                f"{path}:{lines[place]}: column {attribute.name!r}: found {text!r}, expected a number"
            ) from None
    return numbers
