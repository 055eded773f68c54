"""Rows of one schema read under another: attributes and values are matched by name, never by position."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nbframework.data.attribute import Attribute, code_dtype
from nbframework.data.dataset import Column, Dataset, require_dataset
from nbframework.errors import DataError, did_you_mean


@dataclass(frozen=True)
class Alignment:
    """The rows under the asked schema, and what did not fit.

    Parameters
    ----------
    dataset
        The aligned rows.
    unseen
        (attribute, value, rows) for every value that the schema does not declare; it became *unseen*.
    absent
        The inputs that the data do not have; they became *unknown* in every row.
    """

    dataset: Dataset
    unseen: tuple[tuple[str, str, int], ...]
    absent: tuple[str, ...] = ()


def aligned(dataset: Dataset, schema: Dataset, fill_absent: bool = False) -> Alignment:
    """Return the rows of ``dataset`` with the attributes, values and class of ``schema``.

    Parameters
    ----------
    dataset
        The rows.
    schema
        What they are brought under; its class may be missing in the data and is unknown then.
    fill_absent
        Whether other attributes may be missing as well, as long as one is there.

    Raises
    ------
    DataError
        Where an attribute of the schema is missing or has another kind.
    WrongTypeError
        Where ``dataset`` is no data set.
    """
    require_dataset(dataset)
    if dataset.attributes == schema.attributes and dataset.class_index == schema.class_index:
        return Alignment(dataset, ())
    position = {attribute.name: index for index, attribute in enumerate(dataset.attributes)}
    columns, unseen, absent = [], [], []
    for index, attribute in enumerate(schema.attributes):
        found = position.get(attribute.name)
        if found is None:
            if index != schema.class_index and not fill_absent:
                raise DataError(
                    f"the data have no attribute {attribute.name!r}{did_you_mean(attribute.name, position)}"
                )
            if index != schema.class_index:
                absent.append(attribute.name)
            columns.append(_unknown_column(attribute, len(dataset)))
            continue
        column, strange = _column(dataset.attributes[found], dataset.columns[found], attribute)
        columns.append(column)
        unseen += strange
    if absent and len(absent) == len(schema.inputs):
        raise DataError(f"the data have none of the attributes {', '.join(map(repr, absent[:20]))}")
    for column in columns:
        column.flags.writeable = False
    rows = Dataset(schema.attributes, tuple(columns), schema.class_index, dataset.row_weights, dataset.name)
    return Alignment(rows, tuple(unseen), tuple(absent))


def _unknown_column(attribute: Attribute, rows: int) -> Column:
    if attribute.is_nominal:
        return np.full(rows, attribute.unknown, dtype=code_dtype(attribute.cardinality))
    return np.full(rows, np.nan) if attribute.is_measured else np.full(rows, None, dtype=object)


def _column(found: Attribute, column: Column, wanted: Attribute) -> tuple[Column, list[tuple[str, str, int]]]:
    if found.kind != wanted.kind:
        raise DataError(f"attribute {wanted.name!r} is {found.kind} in the data, expected {wanted.kind}")
    if not wanted.is_nominal or found.values == wanted.values:
        return column.view(), []
    values = found.values or ()
    mapping: NDArray[np.intp] = np.empty(len(values) + 2, dtype=np.intp)
    mapping[found.unseen], mapping[found.unknown] = wanted.unseen, wanted.unknown
    strange = []
    for code, value in enumerate(values):
        mapping[code] = wanted.code_of.get(value, wanted.unseen)
        if value not in wanted.code_of and (count := int((column == code).sum())):
            strange.append((wanted.name, value, count))
    return mapping.astype(code_dtype(wanted.cardinality))[column], strange


def joined(first: Dataset, second: Dataset) -> Dataset:
    """Return the rows of two data sets under the schema of the first, those of the second last."""
    other = aligned(second, first).dataset
    columns = tuple(np.concatenate(pair) for pair in zip(first.columns, other.columns, strict=True))
    for column in columns:
        column.flags.writeable = False
    weights = None
    if first.row_weights is not None or other.row_weights is not None:
        weights = np.concatenate([first.weights, other.weights])
        weights.flags.writeable = False
    return Dataset(first.attributes, columns, first.class_index, weights, first.name)


def named(names: Sequence[str], schema: Dataset, path: Path) -> list[Attribute]:
    """Return the attributes of the schema that a table has columns for, in the order of the schema.

    Raises
    ------
    DataError
        Where there is none, or two columns have one name.
    """
    found = [attribute for attribute in schema.attributes if attribute.name in names]
    for attribute in found:
        if list(names).count(attribute.name) > 1:
            raise DataError(f"{path}: two columns are called {attribute.name!r}")
    if not found:
        first = schema.attributes[0].name
        raise DataError(f"{path}: none of the attributes has a column, such as {first!r}{did_you_mean(first, names)}")
    return found


def widened_by(attribute: Attribute, texts: set[str]) -> Attribute:
    """Return a nominal attribute that declares the other values among some texts, too."""
    others = sorted(text for text in texts if text not in attribute.code_of)
    if not others:
        return attribute
    return Attribute.nominal(attribute.name, (*(attribute.values or ()), *others), attribute.weight)
