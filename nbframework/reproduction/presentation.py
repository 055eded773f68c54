"""What was found, as tables: cells, summaries, explanations, claims, readings."""

from collections.abc import Sequence

from nbframework.report.formats import Table
from nbframework.reproduction.claims import Finding
from nbframework.reproduction.measured import Measured
from nbframework.reproduction.readings import Fit, Survival
from nbframework.reproduction.target import Target
from nbframework.reproduction.verdicts import MISSING, UNEXPLAINED, Judged, decimals, summarise

SAYS = "the paper says"
"""The first heading of tables of sentences, which a screen shows as lines."""


def cells_table(target: Target, judged: Sequence[Judged]) -> Table:
    """Return a line for each printed number: paper, ours, difference, tolerance, verdict."""
    rows = []
    run = [cell for cell in judged if cell.verdict != MISSING]
    for cell in run:
        form = f".{decimals(target, cell.column)}f"
        ours = "-" if cell.ours is None else format(cell.ours, form)
        difference = "-" if cell.difference is None else format(cell.difference, f"+{form}")
        bound = "" if cell.verdict == "shown" else f"{cell.tolerance:.3g}"
        rows.append((cell.row, cell.column, format(cell.printed, form), ours, difference, bound, cell.verdict))
    header = ("row", "column", "paper", "ours", "difference", "tolerance", "verdict")
    left = len(judged) - len(run)
    return Table("", header, tuple(rows), (f"{left} printed numbers were not run.",) if left else ())


def figures_table(measured: Measured) -> Table:
    """Return every figure that was computed, also where nothing is printed."""
    target = measured.target
    rows = []
    for row in measured.rows:
        cells = [measured.value(row, column.name) for column in target.columns]
        shown = [
            "-" if value is None else format(value, f".{decimals(target, column.name)}f")
            for value, column in zip(cells, target.columns, strict=True)
        ]
        rows.append((row, *shown))
    heading = "recipe" if target.rows_are_recipes else "data set"
    return Table("", (heading, *(column.name for column in target.columns)), tuple(rows))


def beside_table(measured: Measured, judged: Sequence[Judged]) -> Table:
    """Return the table as it is printed, each number with ours behind it; a star marks what is not within tolerance."""
    target = measured.target
    found = {(cell.row, cell.column): cell for cell in judged}
    columns = [column.name for column in target.columns if column.name in target.printed.columns]
    rows = []
    for row in target.printed.rows:
        cells = [found.get((row, column)) for column in columns]
        rows.append((row, *("" if cell is None else _beside(target, cell) for cell in cells)))
    heading = "recipe" if target.rows_are_recipes else "data set"
    return Table("", (heading, *columns), tuple(rows))


def _beside(target: Target, cell: Judged) -> str:
    form = f".{decimals(target, cell.column)}f"
    ours = "-" if cell.ours is None else format(cell.ours, form)
    mark = {"explained": " e", "unexplained": " u"}.get(cell.verdict, "")
    return f"{format(cell.printed, form)} / {ours}{mark}"


def summary_table(target: Target, judged: Sequence[Judged]) -> Table:
    """Return a line for each column, and one for all: how many cells are within tolerance, and how far off they are."""
    rows: list[tuple[str, ...]] = []
    names = [column.name for column in target.columns]
    for name in [*names, "all"]:
        cells = [cell for cell in judged if name in (cell.column, "all")]
        found = summarise(cells, target)
        if not found.cells or (name == "all" and len(rows) < 2):
            continue
        left = found.cells - found.within - found.explained
        digits = 4 if target.unit == "share" else 3
        # a mean over columns of different units says nothing
        apart = "" if name == "all" and target.rows_are_recipes else f"{found.difference:.{digits}f}"
        rows.append((name, *map(str, (found.cells, found.within, found.explained, left)), apart, found.deviation_text))
    header = ("column", "cells", "within", "explained", "unexplained", "mean |difference|", "within printed deviation")
    return Table("", header, tuple(rows))


def reasons(judged: Sequence[Judged]) -> list[str]:
    """Return what is known of the cells that are not within tolerance, those with one reason together."""
    groups: dict[tuple[str, str], list[Judged]] = {}
    for cell in judged:
        if cell.why or cell.verdict == UNEXPLAINED:
            groups.setdefault((cell.verdict, cell.why), []).append(cell)
    lines = []
    for (verdict, why), cells in groups.items():
        closes = " (which does not close the gap)" if verdict == UNEXPLAINED and any(cell.run for cell in cells) else ""
        named = [f"{cell.row} {cell.column}" + (f", so run {cell.run}" if cell.run else "") for cell in cells]
        lines.append(f"{verdict}{f': {why}' if why else ''}{closes}: {'; '.join(named)}")
    return lines


def claims_table(findings: Sequence[Finding]) -> Table:
    """Return a line for each claim: whether it holds, and by which figures."""
    words = {True: "holds", False: "does not hold", None: "not decided"}
    rows = [(finding.text, words[finding.holds], finding.shown) for finding in findings]
    return Table("", ("the paper says", "here it", "figures"), tuple(rows))


def fit_table(target: Target, fits: Sequence[Fit], members: Sequence[str]) -> Table:
    """Return the readings of a group of columns, the best fit first."""
    rows = []
    for fit in fits:
        found = fit.summary
        difference = "" if target.rows_are_recipes else f"{found.difference:.3f}"
        cells = (f"{found.tolerances:.2f}", difference, f"{found.within} of {found.cells}", found.deviation_text)
        rows.append((fit.reading.name, *cells))
    header = ("reading", "difference / tolerance", "mean |difference|", "within tolerance", "within printed deviation")
    return Table(f"Readings of {', '.join(members)}", header, tuple(rows))


def survival_table(found: Sequence[Survival]) -> Table:
    """Return a line for each claim: under how many combinations of readings it holds."""
    rows = []
    for entry in found:
        word = "not decided" if not entry.decided else "in all" if entry.holds == entry.decided else "not in all"
        rows.append((entry.text, word, f"{entry.holds} of {entry.decided}", entry.against))
    header = (SAYS, "survives", "readings", "fails for instance with")
    return Table("Conclusions under all readings", header, tuple(rows))


def as_lines(table: Table) -> str:
    """Return a table of sentences as lines of text."""
    lines = [table.title] if table.title else []
    for first, verdict, *others in table.rows:
        lines.append(f"- {first}: {verdict} ({'; '.join(text for text in others if text)})")
    return "\n".join([*lines, *table.notes])
