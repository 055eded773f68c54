"""A sheet of an Excel 97 file (.xls)."""

import datetime

from nbframework.data.arff.writer import number_text
from nbframework.errors import DataError, did_you_mean


def read_sheet(content: bytes, name: str, source: str) -> tuple[list[str], list[list[str | None]]]:
    """Return the names in the first row of a sheet, and the cells below; numbers in full precision.

    Raises
    ------
    DataError
        Where xlrd is not installed, the content is no Excel 97 file, or no sheet has that name.
    """
    try:
        import xlrd
    except ImportError as error:
        raise DataError(f"{source}: spreadsheets need xlrd: pip install 'nbframework[data]'") from error
    try:
        book = xlrd.open_workbook(file_contents=content)
    except (xlrd.XLRDError, xlrd.compdoc.CompDocError, AssertionError, IndexError) as error:
        raise DataError(f"{source}: cannot be read as an Excel 97 file: {error}") from error
    if name not in book.sheet_names():
        raise DataError(f"{source}: no sheet {name!r}{did_you_mean(name, book.sheet_names())}")
    sheet = book.sheet_by_name(name)
    cells = [[_text(cell.value) for cell in sheet.row(index)] for index in range(sheet.nrows)]
    rows = [row for row in cells if any(row)]
    if not rows:
        raise DataError(f"{source}: sheet {name!r} is empty")
    return [cell or "" for cell in rows[0]], rows[1:]


def _text(value: str | float | datetime.datetime) -> str | None:
    return number_text(value) if isinstance(value, float) else str(value).strip() or None
