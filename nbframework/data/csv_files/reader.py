"""Whole data sets from CSV files."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.data.attribute import Attribute, code_dtype
from nbframework.data.csv_files.chunks import checked_numbers, codes_of, optional_texts
from nbframework.data.csv_files.fields import Texts, is_decimal, known_texts, labels_in_order
from nbframework.data.csv_files.parts import csv_parts
from nbframework.data.dataset import Dataset
from nbframework.errors import DataError, DataWarning

LEAST_NUMBERS = 5
SHARE_OF_OTHERS = 0.1
"""A nominal column of so many numbers, and at most this share of other values, is likely to be a numeric one."""
MOST_LOOKED_AT = 10_000
"""Distinct values of a column that are looked at for that."""


def read_csv(path: str | Path, class_attribute: str | None = None, schema: Dataset | None = None) -> Dataset:
    """Read a CSV file whose first line names the attributes.

    A column in which every known field is a decimal number is numeric, any other is nominal with its sorted distinct
    texts; a `DataWarning` tells of a nominal one in which most are numbers. A class of few whole numbers is nominal,
    its labels in the order of the numbers. Empty fields, ``?``, ``NA`` and their like are unknown.

    Parameters
    ----------
    path
        The file, UTF-8.
    class_attribute
        Name of the class column; None takes the last one.
    schema
        Attributes to read the columns of the same names under; a text that they do not declare is *unseen*.

    Raises
    ------
    DataError
        Naming the line that has too few or too many fields, or another thing where a number should be.
    """
    path = Path(path)
    known = {} if schema is None else {attribute.name: attribute for attribute in schema.attributes}
    names, columns = _columns(path, {name for name, attribute in known.items() if not attribute.is_measured})
    described = [
        (known[name], _column_under(path, known[name], parts)) if name in known else _described(path, name, parts)
        for name, parts in zip(names, columns, strict=True)
    ]
    label = class_attribute or names[-1]
    if label in names and label not in known and described[names.index(label)][0].is_measured:
        described[names.index(label)] = _labelled(path, label, described[names.index(label)])
    if schema is None and not len(described[0][1]):
        raise DataError(f"{path}: no rows below the names, expected some that show what the columns hold")
    if class_attribute is None and schema is not None and schema.class_attribute.name in names:
        class_attribute = schema.class_attribute.name
    attributes = [attribute for attribute, _ in described]
    title = path.name.partition(".")[0]
    return Dataset.from_columns(attributes, [column for _, column in described], class_attribute, name=title)


def _columns(path: Path, texts: set[str]) -> tuple[Sequence[str], list[list[Any]]]:
    """Return the names, and each column in parts of one kind; one is read again where a text comes after numbers."""
    while True:
        parts = list(csv_parts(path, texts=texts))
        names = parts[0].names
        for place, name in enumerate(names):
            if name in names[:place]:
                raise DataError(f"{path}:1: two columns are called {name!r}")
        columns: list[list[Any]] = [[part.columns[index] for part in parts] for index in range(len(names))]
        mixed = {
            name for name, column in zip(names, columns, strict=True) if len({isinstance(p, Texts) for p in column}) > 1
        }
        if not mixed:
            return names, columns
        texts = texts | mixed


def _described(path: Path, name: str, parts: Sequence[Any]) -> tuple[Attribute, Any]:
    if not isinstance(parts[0], Texts):
        return Attribute.numeric(name), _kept(np.concatenate(parts))
    values = sorted(set().union(*(known_texts(part.values) for part in parts)))
    warn_of_numbers(path, name, values)
    attribute = Attribute.nominal(name, values)
    return attribute, _codes(attribute, parts)


def warn_of_numbers(path: Path, name: str, values: Sequence[str]) -> None:
    """Warn of a nominal column most of whose values are numbers: one wrong field makes it such."""
    others = [value for value in values if not is_decimal(value)] if len(values) <= MOST_LOOKED_AT else []
    numbers = len(values) - len(others)
    if others and numbers >= LEAST_NUMBERS and len(others) <= numbers * SHARE_OF_OTHERS:
        told = ", ".join(map(repr, others[:3])) + (" ..." if len(others) > 3 else "")
        text = f"{path}: column {name!r} is nominal: {numbers} of its values are numbers, but not {told}"
        warnings.warn(text, DataWarning, stacklevel=2)


def _labelled(path: Path, name: str, described: tuple[Attribute, Any]) -> tuple[Attribute, Any]:
    """Return a class of numbers with these as labels, where they are."""
    parts: list[Any] = [part.columns[part.names.index(name)] for part in csv_parts(path, None, {name}, {name})]
    values = labels_in_order(set().union(*(part.values for part in parts)))
    if values is None:
        return described
    attribute = Attribute.nominal(name, values)
    return attribute, _codes(attribute, parts)


def _column_under(path: Path, attribute: Attribute, parts: Sequence[Any]) -> Any:
    if attribute.is_nominal:
        return _codes(attribute, parts)
    if not attribute.is_measured:
        return np.concatenate([optional_texts(part) for part in parts])
    first, columns = 0, []
    for part in parts:
        columns.append(checked_numbers(path, attribute.name, part, first))
        first += len(columns[-1])
    return _kept(np.concatenate(columns))


def _codes(attribute: Attribute, parts: Sequence[Texts]) -> NDArray[Any]:
    codes = np.empty(sum(len(part.codes) for part in parts), dtype=code_dtype(attribute.cardinality))
    first = 0
    for part in parts:
        last = first + len(part.codes)
        codes[first:last] = codes_of(part, attribute.code_of, attribute.unknown, attribute.unseen, codes.dtype)
        first = last
    return _kept(codes)


def _kept(column: NDArray[Any]) -> NDArray[Any]:
    """Return a column that a data set keeps as it is."""
    column.flags.writeable = False
    return column
