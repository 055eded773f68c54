"""The rows as a search sees them: raw, discretized, or sorted by class."""

from dataclasses import replace
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import Codes, FloatArray, IntArray, Rows, Training

Attributes = Literal["raw", "discretized"]
AnyRows = TypeVar("AnyRows", bound=Rows)


def searched(rows: AnyRows, on: Attributes) -> AnyRows:
    """Return the rows with numbers as numbers and nominal values as declared (raw), or as they are (discretized)."""
    if on == "discretized":
        return rows
    nominal = [position for position, attribute in enumerate(rows.inputs) if attribute.is_nominal]
    measured = [position for position, attribute in enumerate(rows.inputs) if not attribute.is_nominal]
    columns = rows.source.input_columns
    codes = tuple(columns[position] for position in nominal)
    if len(measured) == len(rows.measured_inputs) and all(
        ours is theirs for ours, theirs in zip(codes, rows.source_codes.columns, strict=True)
    ):
        return rows
    numbers = np.empty((len(rows.source), len(measured)), order="F")
    for index, position in enumerate(measured):
        numbers[:, index] = columns[position]
    return replace(
        rows,
        source_codes=Codes(codes, tuple(rows.inputs[position].cardinality for position in nominal), len(rows.source)),
        source_measured=numbers,
        coded_inputs=np.array(nominal, dtype=np.intp),
        measured_inputs=np.array(measured, dtype=np.intp),
    )


def sorted_by_class(training: Training) -> tuple[Training, IntArray, IntArray]:
    """Return the training rows sorted by class, the (n,) row that each was, and the (C + 1,) class borders."""
    order = np.argsort(training.classes, kind="stable")
    start = np.searchsorted(training.classes[order], np.arange(training.class_count + 1))
    rows = replace(
        training,
        selection=order if training.selection is None else training.selection[order],
        class_codes=training.class_codes[order],
        row_weights=None if training.row_weights is None else training.row_weights[order],
    )
    return rows, order, start


def in_attribute_order(rows: Rows, codes: list[NDArray[Any]], measured: list[FloatArray]) -> list[NDArray[Any]]:
    """Return a list for the coded and one for the measured inputs as one, in the order of the attributes."""
    positions = [*rows.coded_inputs.tolist(), *rows.measured_inputs.tolist()]
    columns: list[NDArray[Any]] = [*codes, *measured]
    return [columns[index] for index in np.argsort(positions, kind="stable")]
