"""Some rows of a data set as cases of the page."""

from typing import Any

import numpy as np

from nbframework.data.alignment import aligned
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError
from nbframework.report.evidence.attributes import PageAttribute

MOST_ROWS = 200
"""Rows that a page offers."""
MOST_NUMBERS = 20_000
"""Values that these rows may have together."""


def examples(
    attributes: list[PageAttribute], dataset: Dataset, schema: Dataset, row: int | None
) -> list[dict[str, Any]]:
    """Return rows with their numbers from 1, class codes (None where unknown) and values.

    Raises
    ------
    EvaluationError
        Where there is no row ``row``.
    """
    if row is not None and not 0 <= row < len(dataset):
        raise EvaluationError(f"row {row + 1}: the data have {len(dataset)} rows")
    most = max(1, min(MOST_ROWS, MOST_NUMBERS // max(1, len(attributes))))
    chosen = _spread(len(dataset), most) if row is None else np.array([row])
    rows = aligned(dataset.take(chosen), schema).dataset
    columns = [attribute.coded(rows.input_columns[attribute.position]) for attribute in attributes]
    count = len(schema.class_values)
    classes = [int(code) if code < count else None for code in rows.classes.tolist()]
    return [
        {"row": int(number) + 1, "class": code, "values": [column[index] for column in columns]}
        for index, (number, code) in enumerate(zip(chosen, classes, strict=True))
    ]


def _spread(rows: int, most: int) -> Any:
    """Return at most so many indexes, evenly spread over all rows."""
    return np.unique(np.linspace(0, rows - 1, min(rows, most)).round().astype(np.intp)) if rows else np.arange(0)
