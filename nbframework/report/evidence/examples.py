"""Some rows of a data set as cases of the page."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    chosen = chosen_rows(dataset, max(1, min(MOST_ROWS, MOST_NUMBERS // max(1, len(attributes)))), row)
    rows = aligned(dataset.take(chosen), schema).dataset
    columns = [attribute.coded(rows.input_columns[attribute.position]) for attribute in attributes]
    classes = known_classes(rows, schema)
    return [
        {"row": int(number) + 1, "class": code, "values": [column[index] for column in columns]}
        for index, (number, code) in enumerate(zip(chosen, classes, strict=True))
    ]


def chosen_rows(dataset: Dataset, most: int, row: int | None) -> NDArray[np.intp]:
    """Return the one row, or at most so many, evenly spread over the data set.

    Raises
    ------
    EvaluationError
        Where there is no such row.
    """
    rows = len(dataset)
    if row is not None:
        if not 0 <= row < rows:
            raise EvaluationError(f"row {row + 1}: the data have {rows} rows")
        return np.array([row], dtype=np.intp)
    if not rows:
        return np.empty(0, dtype=np.intp)
    return np.unique(np.linspace(0, rows - 1, min(rows, most)).round().astype(np.intp))


def known_classes(rows: Dataset, schema: Dataset) -> list[int | None]:
    """Return the class code of each row under a schema, None where it is unknown."""
    classes, count = aligned(rows, schema).dataset.classes, len(schema.class_values)
    return [int(code) if code < count else None for code in classes.tolist()]
