"""A target: one printed table or figure, the study that runs it again, and how the two are compared."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbframework.reproduction.printed import PrintedTable

SCALES = {"percent": 100.0, "share": 1.0}
"""The units of print, and what scores are multiplied by."""


@dataclass(frozen=True)
class Tolerance:
    """How far a figure may be from its print.

    Parameters
    ----------
    absolute
        In the units of print, at least 0.
    deviations
        A number of printed standard deviations; the larger bound counts.
    """

    absolute: float
    deviations: float = 0.0

    def of(self, deviation: float | None) -> float:
        """Return the bound of a cell, in the units of print."""
        return max(self.absolute, self.deviations * (deviation or 0.0))


@dataclass(frozen=True)
class Column:
    """How the figures of a column come out of a study.

    Parameters
    ----------
    name
        Its heading, also in the printed table.
    kind
        One of `nbframework.reproduction.measured.KINDS`.
    labels
        Recipes or columns that it reads; the beginning of several labels for the optima.
    metric
        The score, or empty for the study's first one.
    tolerance
        Its own tolerance, or None for the target's.
    judged
        Whether a difference from print gets a verdict, or is only shown.
    data
        The data set of a row, where ``{row}`` is the row.
    """

    name: str
    kind: str
    labels: tuple[str, ...]
    metric: str = ""
    tolerance: Tolerance | None = None
    judged: bool = True
    data: str = "{row}"


@dataclass(frozen=True)
class Evidence:
    """Another way to run a cell, which shows why the print differs.

    Parameters
    ----------
    recipe, changes
        Another recipe, by name, and what is changed in it; empty for that of the study.
    seeds
        The seeds to run; the print is then expected among their results. Empty for the study's own.
    stratified
        Whether the folds are stratified.
    suite
        Another suite, whose set of the same name is used; empty for the study's.
    """

    recipe: str = ""
    changes: Mapping[str, Any] = field(default_factory=dict)
    seeds: tuple[int, ...] = ()
    stratified: bool = True
    suite: str = ""


@dataclass(frozen=True)
class Explanation:
    """Why some cells differ from print.

    Parameters
    ----------
    rows, columns
        The cells: all pairs of a row and a column; a star stands for every one.
    reason
        For the reader.
    evidence
        The run that shows it; without one the reason is a remark, and the cells stay unexplained.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    reason: str
    evidence: Evidence | None = None

    def covers(self, row: str, column: str) -> bool:
        """Whether a cell is among those that it is about."""
        return bool({"*", row} & {*self.rows}) and bool({"*", column} & {*self.columns})


@dataclass(frozen=True)
class Claim:
    """A conclusion of the paper, as a statement about figures.

    Parameters
    ----------
    text
        What the paper says.
    kind
        One of `nbframework.reproduction.claims.KINDS`.
    arguments
        What the kind asks for.
    """

    text: str
    kind: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Axis:
    """A decision that the paper leaves open: its readings by name, each a change of a recipe."""

    name: str
    readings: Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class ReadingGroup:
    """Columns, or rows where rows are recipes, that are read alike.

    Parameters
    ----------
    members
        Columns, or rows, of the table.
    recipes
        The recipe that each of them is read from, by name.
    axes
        What is open; every combination is a reading.
    """

    members: tuple[str, ...]
    recipes: Mapping[str, str]
    axes: tuple[Axis, ...]


@dataclass(frozen=True)
class Quick:
    """The part of a study that ``--quick`` runs.

    Parameters
    ----------
    only
        Its data sets; empty for all.
    repeats
        Repeats of the protocol; 0 for all.
    """

    only: tuple[str, ...] = ()
    repeats: int = 0


@dataclass(frozen=True)
class Average:
    """A row that is the mean over data sets: all of them, without some."""

    name: str
    without: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Target:
    """A printed table or figure.

    Parameters
    ----------
    paper, name
        Such as ``kohavi1997`` and ``table1``.
    title, source
        One line, and where the numbers are printed.
    path
        The file that describes it.
    study
        Name of the study.
    printed
        The numbers.
    unit
        One of `SCALES`.
    rows_are_recipes
        Whether rows are recipes; else they are data sets.
    methods
        Labels of the rows that are recipes, by row.
    columns
        In the order of the table.
    averages
        Rows below the data sets.
    tolerance
        Of the cells without one of their own.
    explanations, claims, readings, quick
        See there.
    figure
        How it is drawn: ``lines`` or ``bars``, and of which columns.
    """

    paper: str
    name: str
    title: str
    source: str
    path: Path
    study: str
    printed: PrintedTable
    unit: str
    rows_are_recipes: bool
    methods: Mapping[str, str]
    columns: tuple[Column, ...]
    averages: tuple[Average, ...]
    tolerance: Tolerance
    explanations: tuple[Explanation, ...] = ()
    claims: tuple[Claim, ...] = ()
    readings: tuple[ReadingGroup, ...] = ()
    quick: Quick = Quick()
    figure: Mapping[str, Any] = field(default_factory=dict)

    @property
    def scale(self) -> float:
        """What scores are multiplied by."""
        return SCALES[self.unit]

    def column(self, name: str) -> Column:
        """Return a column by its name."""
        return next(column for column in self.columns if column.name == name)

    def tolerance_of(self, cell: tuple[str, str]) -> float:
        """Return how far a cell may be from print."""
        own = self.column(cell[1]).tolerance or self.tolerance
        return own.of(self.printed.deviation(cell))
