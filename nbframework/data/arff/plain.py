"""The fast engine: dense rows of bare numbers and bare nominal values, one whole column at a time.

Anything else is left to a slower engine: every function returns None for what it does not accept without doubt.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.data.arff.document import BLANKS, Rows, row_lines
from nbframework.data.arff.tokens import is_plain_word
from nbframework.data.attribute import Attribute, code_dtype

# Among these characters float() accepts nothing beyond the decimal grammar: no names, no underscores.
_NOT_DECIMAL = re.compile(r"[^0-9+\-.eE?,]")


def read_plain(body: str, attributes: Sequence[Attribute]) -> Rows | None:
    """Read a data section of bare values.

    Parameters
    ----------
    body
        The text behind ``@data``, with line feeds as the only line ends.
    attributes
        The declarations.

    Returns
    -------
    Rows or None
        None where another engine has to look at the section.
    """
    if any(mark in body for mark in "'\"{") or not all(a.kind in ("nominal", "numeric") for a in attributes):
        return None
    cells = split_cells(list(row_lines(body)), len(attributes))
    if cells is None:
        return None
    columns = []
    for index, attribute in enumerate(attributes):
        column = _column(attribute, cells[index :: len(attributes)])
        if column is None:
            return None
        columns.append(column)
    return Rows(columns, None)


def split_cells(lines: list[str], width: int) -> list[str] | None:
    """Return all cells row by row without blanks at their ends; None unless each line has ``width`` cells."""
    if not lines:
        return []
    if any(line.count(",") != width - 1 for line in lines):
        return None
    joined = ",".join(lines)
    cells = joined.split(",")
    return [cell.strip(BLANKS) for cell in cells] if " " in joined or "\t" in joined else cells


def decimal_numbers(cells: Sequence[str]) -> NDArray[np.float64] | None:
    """Return the numbers of a column with NaN for ``?``; None where a cell is neither, or is too large."""
    joined = ",".join(cells)
    if _NOT_DECIMAL.search(joined):
        return None
    if "?" in joined:
        cells = ["nan" if cell == "?" else cell for cell in cells]
    try:
        numbers = np.fromiter(map(float, cells), dtype=np.float64, count=len(cells))
    except ValueError:
        return None
    return None if np.isinf(numbers).any() else numbers


def nominal_codes(cells: Sequence[str], code_of: Mapping[str, int], dtype: np.dtype[Any]) -> NDArray[Any] | None:
    """Return the code of each cell; None where one of them has no code."""
    try:
        return np.fromiter(map(code_of.__getitem__, cells), dtype=dtype, count=len(cells))
    except KeyError:
        return None


def _column(attribute: Attribute, cells: list[str]) -> NDArray[Any] | None:
    if attribute.is_measured:
        return decimal_numbers(cells)
    bare = {value: code for value, code in attribute.code_of.items() if is_plain_word(value)}
    bare["?"] = attribute.unknown
    return nominal_codes(cells, bare, code_dtype(attribute.cardinality))
