"""The engine for quoted dense rows: liac-arff splits, unquotes and encodes, this module guards and converts.

liac-arff skips text that it does not understand between two commas and converts numbers by Python's rules.
So it only gets lines that are sound from end to end, and it hands numbers back as text.
"""

import re
from collections.abc import Sequence
from typing import Any

import arff
import numpy as np
from numpy.typing import NDArray

from nbframework.data.arff.document import Rows, row_lines
from nbframework.data.arff.plain import decimal_numbers
from nbframework.data.arff.writer import quoted
from nbframework.data.attribute import Attribute, code_dtype

_FIELD = (
    r"(?:[^\s\x00-\x20,{}'\"%]++"
    r"|'[^'\\\x00-\x08\x0a-\x1f]*+(?:\\[nrt\\'\"%][^'\\\x00-\x08\x0a-\x1f]*+)*+'"
    r"|\"[^\"\\\x00-\x08\x0a-\x1f]*+(?:\\[nrt\\'\"%][^\"\\\x00-\x08\x0a-\x1f]*+)*+\")"
)
_SOUND_LINE = re.compile(rf"[ \t]*+{_FIELD}(?:[ \t]*+,[ \t]*+{_FIELD})*+[ \t]*+")


def read_with_liac(body: str, attributes: Sequence[Attribute]) -> Rows | None:
    """Read a dense data section through liac-arff.

    Parameters
    ----------
    body
        The text behind ``@data``, with line feeds as the only line ends.
    attributes
        The declarations.

    Returns
    -------
    Rows or None
        None where the section has weights, dates, sparse rows, rare escapes, or anything liac-arff refuses.
    """
    if not all(a.kind in ("numeric", "string") or a.cardinality for a in attributes):
        return None
    lines = list(row_lines(body))
    if not all(map(_SOUND_LINE.fullmatch, lines)):
        return None
    try:
        document = arff.ArffDecoder().decode(_document(attributes, lines), encode_nominal=True)
    except Exception:  # whatever liac-arff stumbles over, the careful engine reads it or names the fault
        return None
    by_column = zip(*document["data"], strict=True) if lines else ((),) * len(attributes)
    columns = []
    for attribute, cells in zip(attributes, by_column, strict=True):
        column = _column(attribute, cells)
        if column is None:
            return None
        columns.append(column)
    return Rows(columns, None)


def _document(attributes: Sequence[Attribute], lines: list[str]) -> list[str]:
    header = ["@relation r"]
    for index, attribute in enumerate(attributes):
        kind = "STRING" if attribute.values is None else f"{{{','.join(map(quoted, attribute.values))}}}"
        header.append(f"@attribute a{index} {kind}")
    return [*header, "@data", *lines]


def _column(attribute: Attribute, cells: tuple[Any, ...]) -> NDArray[Any] | Sequence[str | None] | None:
    if attribute.kind == "string":
        return cells
    if attribute.is_nominal:
        codes = [attribute.unknown if cell is None else cell for cell in cells]
        return np.array(codes, dtype=code_dtype(attribute.cardinality))
    if "?" in cells:
        return None
    return decimal_numbers(["?" if cell is None else cell for cell in cells])
