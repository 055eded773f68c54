"""A table and its four forms: aligned text, Markdown, CSV, LaTeX."""

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """Cells of text under a header.

    Parameters
    ----------
    title
        One line.
    header
        Column headings.
    rows
        Cells; the first column is text, the others are numbers.
    notes
        Lines below the table.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


def as_text(table: Table) -> str:
    """Return columns aligned by blanks."""
    lines = [table.title] if table.title else []
    widths = _widths(table)
    for row in (table.header, *table.rows):
        cells = [c.rjust(w) if i else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join([*lines, *table.notes])


def as_markdown(table: Table) -> str:
    """Return a pipe table; characters that would be markup are escaped."""
    rows = [[_markdown(cell) for cell in row] for row in (table.header, *table.rows)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(table.header))]
    widths = [max(width, 3) for width in widths]
    lines = [f"**{_markdown(table.title)}**", ""] if table.title else []
    for index, row in enumerate(rows):
        cells = [c.rjust(w) if i else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))]
        lines.append("| " + " | ".join(cells) + " |")
        if index == 0:
            rules = ["-" * w if i == 0 else "-" * (w - 1) + ":" for i, w in enumerate(widths)]
            lines.append("| " + " | ".join(rules) + " |")
    notes = [line for note in table.notes for line in ("", _markdown(note))]
    return "\n".join([*lines, *notes])


def as_csv(table: Table) -> str:
    """Return comma-separated cells without title and notes."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(table.header)
    writer.writerows([[cell.strip() for cell in row] for row in table.rows])
    return buffer.getvalue().rstrip("\n")


def as_latex(table: Table) -> str:
    """Return a ``table`` with a ``tabular`` of the package booktabs."""
    lines = [r"\begin{table}", r"\centering"]
    if table.title:
        lines.append(rf"\caption{{{_latex(table.title)}}}")
    lines += [rf"\begin{{tabular}}{{l{'r' * (len(table.header) - 1)}}}", r"\toprule"]
    lines += [_latex_row(table.header), r"\midrule", *map(_latex_row, table.rows)]
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [rf"\par {_latex(note)}" for note in table.notes]
    return "\n".join([*lines, r"\end{table}"])


FORMS: Mapping[str, Callable[[Table], str]] = {
    "text": as_text,
    "markdown": as_markdown,
    "csv": as_csv,
    "latex": as_latex,
}


def as_line(text: str, form: str) -> str:
    """Return a line that stands outside of tables, with what would be markup of the form escaped."""
    return _LINES[form](text)


_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "<": r"$<$",
    ">": r"$>$",
    # the default font has other signs in these places
    "|": r"\textbar{}",
    '"': r"\symbol{34}",
}


def _latex(text: str) -> str:
    # two hyphens in a row would become a dash
    return re.sub("-(?=-)", "-{}", "".join(_LATEX.get(character, character) for character in text.strip()))


def _latex_row(cells: Sequence[str]) -> str:
    # the end of the row above would read a bracket or a star as its own argument
    guard = "{}" if cells[0].strip().startswith(("[", "*")) else ""
    return guard + " & ".join(_latex(cell) for cell in cells) + r" \\"


def _markdown(text: str) -> str:
    for character in "\\|*_<>`":
        text = text.replace(character, "\\" + character)
    return text


_LINES: Mapping[str, Callable[[str], str]] = {"text": str, "markdown": _markdown, "csv": str, "latex": _latex}


def _widths(table: Table) -> list[int]:
    return [max(len(row[i]) for row in (table.header, *table.rows)) for i in range(len(table.header))]
