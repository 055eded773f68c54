"""The ARFF document of a derived table."""

from collections.abc import Sequence
from dataclasses import dataclass

from nbframework.data.arff.tokens import parse_number
from nbframework.data.arff.writer import quoted_where_needed
from nbframework.data.derive.table import Column, Table
from nbframework.errors import DataError


@dataclass(frozen=True, kw_only=True)
class Layout:
    """What a document holds besides attributes and rows.

    Parameters
    ----------
    relation
        Name of the relation.
    comment
        Lines at the top; ``% `` is put before those that begin with no ``%``.
    blank_lines
        True puts a blank line before the relation; False puts one behind ``@data`` and one at the end instead, as
        Weka's generators write.
    """

    relation: str
    comment: tuple[str, ...] = ()
    blank_lines: bool = True


def arff_document(table: Table, layout: Layout) -> str:
    """Return the document of a table, every cell as it is written there.

    Raises
    ------
    DataError
        Where a cell is not of its column's kind, or two columns have one name.
    """
    repeated = [name for name in table.names if table.names.count(name) > 1]
    if repeated:
        raise DataError(f"two attributes are called {repeated[0]!r}")
    comment = [line if line.startswith("%") else f"% {line}" for line in layout.comment]
    apart = [""] if layout.blank_lines else []
    lines = [*comment, *apart, f"@relation {quoted_where_needed(layout.relation)}", ""]
    columns = [_written(column) for column in table.columns]
    lines += [declaration for declaration, _ in columns]
    lines += ["", "@data", *([] if layout.blank_lines else [""])]
    lines += map(",".join, zip(*(cells for _, cells in columns), strict=True))
    return "\n".join([*lines, *([] if layout.blank_lines else [""]), ""])


def _written(column: Column) -> tuple[str, Sequence[str]]:
    """Return the declaration and the cells of a column."""
    name = quoted_where_needed(column.name)
    if column.kind == "numeric":
        return f"@attribute {name} numeric", [_number(column, row, cell) for row, cell in enumerate(column.cells)]
    if column.kind == "text":
        texts = ["?" if cell is None else quoted_where_needed(cell) for cell in column.cells]
        return f"@attribute {name} string", texts
    values = sorted({cell for cell in column.cells if cell is not None}) if column.kind == "sorted" else column.kind
    texts_of: dict[str | None, str] = {value: quoted_where_needed(value) for value in values}
    declaration = f"@attribute {name} {{{','.join(map(quoted_where_needed, values))}}}"
    texts_of[None] = "?"
    for row, cell in enumerate(column.cells):
        if cell not in texts_of:
            raise DataError(f"attribute {column.name!r}, row {row + 1}: {cell!r} is none of its values")
    return declaration, [texts_of[cell] for cell in column.cells]


def _number(column: Column, row: int, cell: str | None) -> str:
    if cell is None:
        return "?"
    if parse_number(cell) is None:
        raise DataError(f"attribute {column.name!r}, row {row + 1}: found {cell!r}, expected a number")
    return cell
