"""The schema of rows in pieces, as if they had been read together."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from nbframework.data.attribute import Attribute
from nbframework.data.chunks import ROWS, arff_schema
from nbframework.data.csv_files.fields import Fields, Texts, known_texts, labels_in_order
from nbframework.data.csv_files.parts import csv_parts
from nbframework.data.csv_files.reader import warn_of_numbers
from nbframework.data.dataset import Dataset
from nbframework.data.parquet import parquet_attributes
from nbframework.data.pieces import Piece, Reduce, in_order
from nbframework.errors import DataError

UNDECLARED = (".csv", ".parquet")
"""Endings of files that do not say whether the numbers of a class are labels."""


@dataclass(frozen=True)
class Column:
    """What is known of a column from some of its rows.

    Parameters
    ----------
    attribute
        Its declaration, with the values so far.
    state
        Whether it is declared, its texts were found, it holds nothing but decimal numbers so far, it has no known
        field yet (the attribute is what it is where that stays so), or some pieces hold numbers and others texts.
    """

    attribute: Attribute
    state: Literal["declared", "texts", "numbers", "empty", "mixed"]


@dataclass(frozen=True)
class Columns:
    """The columns of some pieces, by name, the file that they were found in first, and the relation's name there."""

    path: Path
    relation: str
    by_name: dict[str, Column]


def schema_of(
    pieces: Sequence[Piece], class_attribute: str | None = None, run: Reduce = in_order, rows: int = ROWS
) -> Dataset:
    """Return the attributes of all pieces, without rows.

    ARFF headers and Parquet types are looked up; values of text columns, and kinds and values of CSV columns, are
    found by reading these. A column without a known value fits any other; where no piece has one, it is numeric
    unless its type is declared, and a Parquet class has no label then. The relation is called as in the first file.

    Parameters
    ----------
    pieces
        Of one file or several.
    class_attribute
        Name of the class; None takes the last attribute.
    run
        Who reads them.
    rows
        Rows to read at a time.

    Raises
    ------
    DataError
        Where a file cannot be read, or the files have other columns.
    """
    found = run(Scan(rows), merged_columns, pieces)
    is_csv = found.path.suffix.lower() == ".csv"
    if is_csv and all(column.state == "empty" for column in found.by_name.values()):
        raise DataError(f"{found.path}: no known field below the names, expected rows that show what the columns hold")
    mixed = frozenset(name for name, column in found.by_name.items() if column.state == "mixed")
    if mixed:
        found = run(Scan(rows, mixed), merged_columns, pieces)
    attributes = [_settled(column) for column in found.by_name.values()]
    for attribute in attributes if is_csv else ():
        if attribute.is_nominal:
            warn_of_numbers(found.path, attribute.name, attribute.values or ())
    label = class_attribute or attributes[-1].name
    if any(a.name == label and a.kind == "numeric" for a in attributes) and found.path.suffix.lower() in UNDECLARED:
        column = run(Scan(rows, frozenset({label})), merged_columns, pieces).by_name[label]
        is_without_label = column.state == "empty" and not is_csv
        values = [] if is_without_label else labels_in_order(column.attribute.values or ())
        if values is not None:
            attributes = [Attribute.nominal(label, values) if a.name == label else a for a in attributes]
    nothing: list[list[Any]] = [[] for _ in attributes]
    return Dataset.from_columns(attributes, nothing, class_attribute, name=found.relation)


@dataclass(frozen=True)
class Scan:
    """Looks at the columns of a piece.

    Parameters
    ----------
    rows
        Rows to read at a time.
    texts
        Names of CSV columns that are known to hold texts.
    """

    rows: int
    texts: frozenset[str] = frozenset()

    def __call__(self, piece: Piece) -> Columns:
        """Return the columns of the piece."""
        ending = piece.path.suffix.lower()
        if ending == ".csv":
            return Columns(piece.path, _stem(piece.path), self._csv(piece.path))
        if ending == ".parquet":
            described = parquet_attributes(piece.path, piece.groups, self.rows, self.texts)
            found = {attribute.name: Column(attribute, state) for attribute, state in described}
            return Columns(piece.path, _stem(piece.path), found)
        schema = arff_schema(piece.path)
        return Columns(piece.path, schema.name, {a.name: Column(a, "declared") for a in schema.attributes})

    def _csv(self, path: Path) -> dict[str, Column]:
        texts = self.texts
        while True:
            seen: dict[str, _Seen] = {}
            for part in csv_parts(path, self.rows, texts):
                if not seen:
                    _check_distinct(part.names, path)
                    seen = {name: _Seen() for name in part.names}
                for name, fields in zip(part.names, part.columns, strict=True):
                    if fields is not None:
                        seen[name].add(fields)
            # which texts the numbers were has to be read again
            again = frozenset(name for name, column in seen.items() if column.is_text and column.has_numbers)
            if not again:
                return {name: column.described(name) for name, column in seen.items()}
            texts |= again


class _Seen:
    """The fields of a CSV column so far: numbers, until one of them is none."""

    def __init__(self) -> None:
        self.is_text = self.has_numbers = False
        self.values: set[str] = set()

    def add(self, fields: Fields) -> None:
        """Take in the fields of further rows."""
        if isinstance(fields, Texts):
            self.is_text = True
            self.values |= known_texts(fields.values)
        else:
            self.has_numbers = self.has_numbers or not np.isnan(fields).all()

    def described(self, name: str) -> Column:
        """Return what the column is."""
        if self.is_text:
            return Column(Attribute.nominal(name, sorted(self.values)), "texts")
        return Column(Attribute.numeric(name), "numbers" if self.has_numbers else "empty")


def _stem(path: Path) -> str:
    return path.name.partition(".")[0]


def _check_distinct(names: Sequence[str], path: Path) -> None:
    for place, name in enumerate(names):
        if name in names[:place]:
            raise DataError(f"{path}: two columns are called {name!r}")


def merged_columns(first: Columns, second: Columns) -> Columns:
    """Return the columns of two pieces.

    Raises
    ------
    DataError
        Where they have other columns, or columns of other kinds.
    """
    if set(first.by_name) != set(second.by_name):
        other = sorted(set(first.by_name) ^ set(second.by_name))[0]
        has, lacks = (first, second) if other in first.by_name else (second, first)
        raise DataError(f"{lacks.path}: there is no column {other!r}, which {has.path} has")
    by_name = {}
    for name, column in first.by_name.items():
        by_name[name] = _merged(column, second.by_name[name], first.path, second.path)
    return Columns(first.path, first.relation, by_name)


def _merged(first: Column, second: Column, path: Path, other: Path) -> Column:
    if "empty" in (first.state, second.state):
        return second if first.state == "empty" else first
    mine, theirs = first.attribute, second.attribute
    states = {first.state, second.state}
    if states & {"numbers", "mixed"} and (len(states) == 2 or "mixed" in states):
        declared = next((column for column in (first, second) if column.state == "declared"), None)
        if declared is None or declared.attribute.is_nominal:
            return replace(first if mine.is_nominal else second, state="mixed")
        if "numbers" in states and declared.attribute.kind == "numeric":
            return declared
    if (mine.kind, mine.weight, mine.format) != (theirs.kind, theirs.weight, theirs.format):
        raise DataError(f"{other}: attribute {mine.name!r} is {_kind(theirs)} there and {_kind(mine)} in {path}")
    if mine.values is None or theirs.values is None or mine.values == theirs.values:
        return first
    values = (*mine.values, *(value for value in theirs.values if value not in mine.code_of))
    return Column(Attribute.nominal(mine.name, values, mine.weight), first.state)


def _kind(attribute: Attribute) -> str:
    """Return the kind of an attribute with what else two files may say differently."""
    text = attribute.kind + (f" in the form {attribute.format!r}" if attribute.format else "")
    return text if attribute.weight == 1 else f"{text} of weight {attribute.weight:g}"


def _settled(column: Column) -> Attribute:
    """Return the attribute: values that were found stand in their order."""
    attribute = column.attribute
    if column.state == "texts":
        return Attribute.nominal(attribute.name, sorted(attribute.values or ()), attribute.weight)
    return attribute
