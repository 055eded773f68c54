"""Printed numbers as data: a CSV file with a row for each line of a table, read strictly."""

import csv
import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from nbframework.errors import DataError, did_you_mean

Cell = tuple[str, str]
"""Row and column."""
DEVIATION = "_sd"
"""What follows a column's name in the heading of its standard deviations."""


@dataclass(frozen=True)
class PrintedTable:
    """Numbers as a paper prints them.

    Parameters
    ----------
    name
        Name of the file without its ending.
    rows, columns
        In the order of the print; columns without those of the deviations.
    values, deviations
        The numbers by row and column, in the units of the print. A number that is not printed, or not legible, is
        absent.
    decimals
        The most decimals that a column shows.
    """

    name: str
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    values: Mapping[Cell, float] = field(default_factory=dict)
    deviations: Mapping[Cell, float] = field(default_factory=dict)
    decimals: Mapping[str, int] = field(default_factory=dict)

    def deviation(self, cell: Cell) -> float | None:
        """Return the deviation of a cell; where it is not legible, the median of those of its row, or None."""
        if cell in self.deviations:
            return self.deviations[cell]
        row = [value for (name, _), value in self.deviations.items() if name == cell[0]]
        return statistics.median(row) if row else None


def printed_folder() -> Path:
    """Return the folder of the printed tables that come with nbframework."""
    return Path(str(files("nbframework.configs"))) / "printed"


def load_printed(name: str, folder: Path | None = None) -> PrintedTable:
    """Return a printed table.

    Parameters
    ----------
    name
        The file's name without ``.csv``.
    folder
        Where it is looked for; by default among those that come with nbframework.

    Raises
    ------
    DataError
        Where there is no such file, or with the line where it is damaged.
    """
    place = folder or printed_folder()
    path = place / f"{name}.csv"
    if not path.is_file():
        known = sorted(other.stem for other in place.glob("*.csv"))
        raise DataError(f"no printed table {name!r}{did_you_mean(name, known)} (known: {', '.join(known)})")
    with path.open(newline="", encoding="utf-8") as stream:
        lines = list(csv.reader(stream))
    if not lines or len(lines[0]) < 2:
        raise DataError(f"{path}:1: expected a heading: what rows are, then the columns")
    header = [heading.strip() for heading in lines[0][1:]]
    if len(set(header)) < len(header):
        raise DataError(f"{path}:1: a column is named twice")
    lonely = [h for h in header if h.endswith(DEVIATION) and h.removesuffix(DEVIATION) not in header]
    if lonely:
        raise DataError(f"{path}:1: {lonely[0]!r} is the deviation of no column")
    return _table(path, header, lines)


def _table(path: Path, header: list[str], lines: list[list[str]]) -> PrintedTable:
    values: dict[Cell, float] = {}
    deviations: dict[Cell, float] = {}
    decimals = {heading: 0 for heading in header if not heading.endswith(DEVIATION)}
    rows: list[str] = []
    for number, line in enumerate(lines[1:], 2):
        if len(line) != len(header) + 1:
            raise DataError(f"{path}:{number}: found {len(line)} cells, expected {len(header) + 1}")
        if line[0] in rows:
            raise DataError(f"{path}:{number}: the row {line[0]!r} is given twice")
        rows.append(line[0])
        for heading, text in zip(header, line[1:], strict=True):
            if not text.strip():
                continue
            value = _number(text, f"{path}:{number}: {heading}")
            if heading.endswith(DEVIATION):
                deviations[line[0], heading.removesuffix(DEVIATION)] = value
            else:
                values[line[0], heading] = value
                decimals[heading] = max(decimals[heading], len(text.strip().partition(".")[2]))
    return PrintedTable(path.stem, tuple(rows), tuple(decimals), values, deviations, decimals)


def _number(text: str, place: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise DataError(f"{place}: found {text!r}, expected a number or nothing")
    return value
