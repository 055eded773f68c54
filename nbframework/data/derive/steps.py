"""The steps of a derivation: each makes one table of another, and says in one word what it does."""

import abc
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from nbframework.data.derive.table import Column, Kind, Table
from nbframework.errors import DataError


@dataclass(frozen=True, kw_only=True)
class Step(abc.ABC):
    """One change of a table; its fields are the parameters that a derivation names."""

    name: ClassVar[str]

    @abc.abstractmethod
    def apply(self, table: Table) -> Table:
        """Return the changed table; DataError where an attribute or a value is not there."""


@dataclass(frozen=True, kw_only=True)
class LeaveOut(Step):
    """Leave out attributes."""

    name: ClassVar[str] = "leave-out"
    attributes: tuple[str, ...]

    def apply(self, table: Table) -> Table:
        """Return the other columns."""
        for name in self.attributes:
            table.column(name)
        return Table(tuple(column for column in table.columns if column.name not in self.attributes))


@dataclass(frozen=True, kw_only=True)
class MoveLast(Step):
    """Move an attribute behind all others, as a class often is."""

    name: ClassVar[str] = "move-last"
    attribute: str

    def apply(self, table: Table) -> Table:
        """Return the columns in the new order."""
        last = table.column(self.attribute)
        return Table((*(column for column in table.columns if column.name != self.attribute), last))


@dataclass(frozen=True, kw_only=True)
class Rename(Step):
    """Give attributes other names."""

    name: ClassVar[str] = "rename"
    names: Mapping[str, str]

    def apply(self, table: Table) -> Table:
        """Return the same columns under their new names."""
        for name in self.names:
            table.column(name)
        return Table(tuple(replace(c, name=self.names.get(c.name, c.name)) for c in table.columns))


@dataclass(frozen=True, kw_only=True)
class Declare(Step):
    """Say anew what attributes are: numeric, sorted (nominal, its values in sorted order), or listed values."""

    name: ClassVar[str] = "declare"
    kinds: Mapping[str, Kind]

    def apply(self, table: Table) -> Table:
        """Return the table with the new kinds; whether the cells are of them is judged when it is written."""
        for name, kind in self.kinds.items():
            table = table.replaced(replace(table.column(name), kind=kind))
        return table


@dataclass(frozen=True, kw_only=True)
class KeepKnown(Step):
    """Keep the rows in which all of some attributes are known."""

    name: ClassVar[str] = "keep-known"
    attributes: tuple[str, ...]

    def apply(self, table: Table) -> Table:
        """Return those rows."""
        cells = [table.column(name).cells for name in self.attributes]
        return table.rows_where(None not in row for row in zip(*cells, strict=True))


@dataclass(frozen=True, kw_only=True)
class KeepValues(Step):
    """Keep the rows in which an attribute has one of some values; its other declared values go, too."""

    name: ClassVar[str] = "keep-values"
    attribute: str
    values: tuple[str, ...]

    def apply(self, table: Table) -> Table:
        """Return those rows."""
        column = table.column(self.attribute)
        _check_values(column, self.values)
        kind = tuple(v for v in column.kind if v in self.values) if isinstance(column.kind, tuple) else column.kind
        kept = table.rows_where(cell in self.values for cell in column.cells)
        return kept.replaced(replace(kept.column(self.attribute), kind=kind))


@dataclass(frozen=True, kw_only=True)
class ReplaceValues(Step):
    """Replace values of an attribute by others; several that become one are merged."""

    name: ClassVar[str] = "replace-values"
    attribute: str
    by: Mapping[str, str]

    def apply(self, table: Table) -> Table:
        """Return the table with the new values, in the cells and in the declaration."""
        column = table.column(self.attribute)
        _check_values(column, self.by)
        cells = tuple(None if cell is None else self.by.get(cell, cell) for cell in column.cells)
        kind = column.kind
        if isinstance(kind, tuple):
            kind = tuple(dict.fromkeys(self.by.get(value, value) for value in kind))
        return table.replaced(Column(column.name, kind, cells))


@dataclass(frozen=True, kw_only=True)
class UnknownAs(Step):
    """Make unknown a value of its own, the first one, in every attribute that has unknown cells."""

    name: ClassVar[str] = "unknown-as"
    value: str

    def apply(self, table: Table) -> Table:
        """Return the table without unknown cells."""
        return Table(tuple(self._known(column) for column in table.columns))

    def _known(self, column: Column) -> Column:
        if None not in column.cells:
            return column
        if not isinstance(column.kind, tuple):
            raise DataError(f"attribute {column.name!r} is {column.kind}: unknown can be a value of listed values only")
        values = tuple(dict.fromkeys((self.value, *column.kind)))
        return Column(column.name, values, tuple(self.value if cell is None else cell for cell in column.cells))


@dataclass(frozen=True, kw_only=True)
class FirstWord(Step):
    """Put the first word of an attribute's texts in their place, under a new name."""

    name: ClassVar[str] = "first-word"
    attribute: str
    renamed: str

    def apply(self, table: Table) -> Table:
        """Return the table with the new column where the old one was."""
        column = table.column(self.attribute)
        cells = tuple(cell.split()[0] if cell else None for cell in column.cells)
        new = Column(self.renamed, column.kind, cells)
        return Table(tuple(new if old.name == self.attribute else old for old in table.columns))


@dataclass(frozen=True, kw_only=True)
class RemoveEnd(Step):
    """Remove a text from the end of an attribute's cells where it stands there."""

    name: ClassVar[str] = "remove-end"
    attribute: str
    end: str

    def apply(self, table: Table) -> Table:
        """Return the table with the shorter cells."""
        column = table.column(self.attribute)
        cells = tuple(None if cell is None else cell.removesuffix(self.end) for cell in column.cells)
        return table.replaced(replace(column, cells=cells))


STEPS: dict[str, type[Step]] = {
    step.name: step
    for step in (
        *(LeaveOut, MoveLast, Rename, Declare, KeepKnown, KeepValues, ReplaceValues, UnknownAs, FirstWord, RemoveEnd),
    )
}
"""Every step by its name."""


def _check_values(column: Column, values: Mapping[str, str] | tuple[str, ...]) -> None:
    there = set(column.cells) | (set(column.kind) if isinstance(column.kind, tuple) else set())
    missing = [value for value in values if value not in there]
    if missing:
        raise DataError(f"attribute {column.name!r} has no value {missing[0]!r}")
