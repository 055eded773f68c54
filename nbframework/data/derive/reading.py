"""How a published file is read: its form, and what of it is a table."""

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from nbframework.data.derive.arff_text import read_arff_text
from nbframework.data.derive.table import Kind, Table
from nbframework.errors import DataError

_BLANK_SEPARATED = re.compile(r'"([^"]*)"|(\S+)')
_LINE_FORMS = ("comma-separated", "blank-separated")


@dataclass(frozen=True)
class Mend:
    """A damaged line and the text that stands for it.

    Parameters
    ----------
    line
        Its number, from 1.
    found
        A part of the line that has to be there.
    mended
        What is put in its place.
    """

    line: int
    found: str
    mended: str


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The way from the bytes of a file to a table.

    Parameters
    ----------
    form
        One of `FORMS`. In blank-separated lines a cell in double quotes may hold blanks.
    columns
        Names and kinds in file order. Empty for forms that bring them along.
    leave_out_lines
        Numbers, from 1, of lines that hold no row.
    comment
        Lines that begin with this text hold no row; an empty text: there are none.
    mend
        Damaged lines.
    unknown
        The text of an unknown value.
    part
        Name of the sheet of a spreadsheet, or of the object in an R file.
    """

    form: str
    columns: Mapping[str, Kind] = field(default_factory=dict)
    leave_out_lines: tuple[int, ...] = ()
    comment: str = ""
    mend: tuple[Mend, ...] = ()
    unknown: str = "?"
    part: str = ""

    def table(self, contents: Sequence[bytes], source: str) -> Table:
        """Return the table that some files hold together, the rows of the second one behind those of the first.

        Raises
        ------
        DataError
            Where a file is not of the form, naming its place.
        """
        if self.form in _LINE_FORMS:
            rows = [row for content in contents for row in self._rows(_text(content, source), source)]
            return Table.of_rows(list(self.columns), list(self.columns.values()), rows)
        if len(contents) != 1:
            raise DataError(f"{source}: found {len(contents)} files, expected one of the form {self.form}")
        return _WHOLE[self.form](self, contents[0], source)

    def _rows(self, text: str, source: str) -> list[list[str | None]]:
        lines = text.splitlines()
        for mend in self.mend:
            if mend.line > len(lines) or mend.found not in lines[mend.line - 1]:
                raise DataError(f"{source}:{mend.line}: expected {mend.found!r} in this line, which is to be mended")
            lines[mend.line - 1] = lines[mend.line - 1].replace(mend.found, mend.mended)
        rows = []
        for number, line in enumerate(lines, start=1):
            skipped = number in self.leave_out_lines or (self.comment and line.startswith(self.comment))
            if line.strip() and not skipped:
                rows.append(self._row(line, f"{source}:{number}"))
        return rows

    def _row(self, line: str, place: str) -> list[str | None]:
        if self.form == "blank-separated":
            cells = [quoted or bare for quoted, bare in _BLANK_SEPARATED.findall(line)]
        else:
            cells = _comma_separated(line, place)
        if len(cells) != len(self.columns):
            raise DataError(f"{place}: found {len(cells)} cells, expected {len(self.columns)}")
        return [None if cell == self.unknown else cell for cell in cells]


def _comma_separated(line: str, place: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line], skipinitialspace=True))]
    except csv.Error as error:
        raise DataError(f"{place}: cannot be read as comma-separated cells: {error}") from error


def _text(content: bytes, source: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{source}: found the byte 0x{content[error.start]:02X}, expected UTF-8") from None


def _arff(_: Reading, content: bytes, source: str) -> Table:
    return read_arff_text(_text(content, source), source)


def _spreadsheet(reading: Reading, content: bytes, source: str) -> Table:
    from nbframework.data.derive.spreadsheet import read_sheet

    names, rows = read_sheet(content, reading.part, source)
    if names != list(reading.columns):
        raise DataError(f"{source}: found the columns {', '.join(names)}, expected {', '.join(reading.columns)}")
    return Table.of_rows(names, list(reading.columns.values()), rows)


def _r_data(reading: Reading, content: bytes, source: str) -> Table:
    from nbframework.data.derive.r_data import read_frame

    return read_frame(content, reading.part, source)


_WHOLE: dict[str, Callable[[Reading, bytes, str], Table]] = {
    "arff": _arff,
    "spreadsheet": _spreadsheet,
    "r-data": _r_data,
}
FORMS = (*_LINE_FORMS, *_WHOLE)
"""The forms that can be read."""
