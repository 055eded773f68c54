"""A table of texts: what derivations work on, so that a number stays as its source writes it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from nbframework.errors import DataError, did_you_mean

Kind = tuple[str, ...] | Literal["numeric", "text", "sorted"]
"""What the cells of a column are: listed values, numbers, texts, or nominal values that are listed in order."""
KINDS = ("numeric", "text", "sorted")


@dataclass(frozen=True)
class Column:
    """An attribute and its cells.

    Parameters
    ----------
    name
        Name of the attribute.
    kind
        See `Kind`.
    cells
        (n,) texts, None where the value is unknown.
    """

    name: str
    kind: Kind
    cells: tuple[str | None, ...]


@dataclass(frozen=True)
class Table:
    """Columns of equal length.

    Parameters
    ----------
    columns
        In the order of the attributes.
    """

    columns: tuple[Column, ...]

    @classmethod
    def of_rows(cls, names: Sequence[str], kinds: Sequence[Kind], rows: Sequence[Sequence[str | None]]) -> "Table":
        """Return the table of some rows, each with one cell for every name."""
        cells = list(zip(*rows, strict=True)) or [()] * len(names)
        return cls(tuple(Column(*parts) for parts in zip(names, kinds, cells, strict=True)))

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes."""
        return tuple(column.name for column in self.columns)

    def __len__(self) -> int:
        return len(self.columns[0].cells) if self.columns else 0

    def column(self, name: str) -> Column:
        """Return a column; DataError with the nearest name where there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise DataError(f"no attribute {name!r}{did_you_mean(name, self.names)} (attributes: {', '.join(self.names)})")

    def replaced(self, column: Column) -> "Table":
        """Return the table with another column of the same name in its place."""
        return Table(tuple(column if old.name == column.name else old for old in self.columns))

    def rows_where(self, kept: Iterable[bool]) -> "Table":
        """Return the rows for which ``kept`` is true."""
        mask = list(kept)
        return Table(
            tuple(
                replace(column, cells=tuple(cell for cell, keep in zip(column.cells, mask, strict=True) if keep))
                for column in self.columns
            )
        )
