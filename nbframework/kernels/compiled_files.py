"""The compiled kernels that read the rows of files: the same contracts as their definitions."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.kernels import _compiled
from nbframework.kernels.definitions.arff import PlainRows, code_dtype
from nbframework.kernels.definitions.csv_rows import FieldRows, Form


def arff_rows(
    data: str | bytes | memoryview,
    values: Sequence[Sequence[str] | None],
    start: int = 0,
    columns: Sequence[NDArray[Any]] | None = None,
) -> PlainRows:
    """Read rows as `definitions.arff_rows`."""
    encoded = tuple(None if known is None else tuple(value.encode() for value in known) for known in values)
    if columns is not None:
        rows, position = _compiled.arff_rows(data, start, encoded, tuple(columns))
        return PlainRows([column[:rows] for column in columns], rows, position)
    most = _compiled.arff_lines(data, start)
    made = tuple(np.empty(most, np.float64 if known is None else code_dtype(len(known))) for known in values)
    rows, position = _compiled.arff_rows(data, start, encoded, made)
    return PlainRows([_shortened(column, rows) for column in made], rows, position)


def csv_rows(
    data: bytes | memoryview,
    forms: Sequence[Form],
    unknown: Collection[bytes] = (),
    start: int = 0,
    most: int | None = None,
) -> FieldRows:
    """Read rows as `definitions.csv_rows`."""
    room = _compiled.arff_lines(data, start)
    room = room if most is None else min(most, room)
    kinds: dict[str, type[np.generic]] = {"numbers": np.float64, "texts": np.uint32}
    made = [np.empty(room, kinds[form]) if form in kinds else None for form in forms]
    letters = "".join(form[:1] for form in forms).encode()
    rows, position, found = _compiled.csv_rows(data, start, letters, tuple(unknown), tuple(made), room)
    columns = [
        None if column is None or held is False else _shortened(column, rows)
        for column, held in zip(made, found, strict=True)
    ]
    return FieldRows(columns, [held if isinstance(held, list) else None for held in found], rows, position)


def _shortened(column: NDArray[Any], rows: int) -> NDArray[Any]:
    """Return the first rows, in an array of their own where much would be left over."""
    if rows <= 0.9 * len(column):
        return column[:rows].copy()
    column.resize(rows, refcheck=False)
    return column
