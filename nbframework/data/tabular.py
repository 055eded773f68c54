"""Tables without a header of their own (CSV, Parquet, DataFrames, arrays) as data sets."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.data.arff import read_arff
from nbframework.data.attribute import Attribute
from nbframework.data.csv_files.fields import labels_in_order
from nbframework.data.csv_files.reader import read_csv
from nbframework.data.dataset import Dataset
from nbframework.errors import DataError


def dataset_from_frame(frame: Any, class_attribute: str | None = None, weights: Any = None) -> Dataset:
    """Return a pandas or Polars DataFrame as a data set.

    Categorical columns keep their declared categories, seen or not; booleans become the values False and True; text
    becomes the sorted distinct values; numbers and dates stay numbers, but for a class of few whole numbers, which are
    labels. A column of objects without a known value is numeric; a class without one has no label.

    Parameters
    ----------
    frame
        Has ``columns`` and ``frame[name]``.
    class_attribute
        Name of the class column; None takes the last one.
    weights
        (n,) row weights.

    Raises
    ------
    DataError
        On a column of another type, or two columns of one name.
    """
    names = [str(name) for name in frame.columns]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise DataError(f"two columns are called {name!r}")
    described = [attribute_of(name, frame[original]) for name, original in zip(names, frame.columns, strict=True)]
    label = class_attribute or (names[-1] if names else "")
    described = [(a, column) if a.name != label else _labelled(a, column) for a, column in described]
    attributes = [attribute for attribute, _ in described]
    return Dataset.from_columns(attributes, [column for _, column in described], class_attribute, weights)


def _labelled(attribute: Attribute, column: NDArray[Any]) -> tuple[Attribute, NDArray[Any]]:
    """Return a class of few whole numbers with these as labels, and one without a known value without any label."""
    if attribute.kind != "numeric":
        return attribute, column
    unknown = _unknown(column)
    if unknown.all():
        return Attribute.nominal(attribute.name, ()), np.full(len(column), None, dtype=object)
    texts = _texts(column, unknown)
    values = labels_in_order({text for text in texts if text is not None})
    return (attribute, column) if values is None else (Attribute.nominal(attribute.name, values), texts)


def attribute_of(name: str, series: Any) -> tuple[Attribute, NDArray[Any]]:
    """Return the attribute and the column of values of one series or array."""
    categories = _declared_categories(series)
    values = _as_array(series)
    unknown = _unknown(values)
    if categories is not None:
        return Attribute.nominal(name, categories), _texts(values, unknown)
    if values.dtype == bool:
        return Attribute.nominal(name, ("False", "True")), values.astype(np.intp)
    if values.dtype.kind in "iuf":
        return Attribute.numeric(name), values.astype(np.float64)
    if values.dtype.kind == "M":
        return Attribute(name, "date"), _milliseconds(values)
    if values.dtype.kind not in "OUST":
        raise DataError(f"column {name!r} holds {values.dtype}, expected numbers, text, booleans or categories")
    known = values[~unknown]
    if _is_boolean(series) or (len(known) and all(isinstance(value, bool | np.bool_) for value in known)):
        return Attribute.nominal(name, ("False", "True")), _texts(values, unknown)
    if all(isinstance(value, int | float | np.number) for value in known):
        return Attribute.numeric(name), np.array([np.nan if u else v for v, u in zip(values, unknown, strict=True)])
    texts = _texts(values, unknown)
    return Attribute.nominal(name, sorted({text for text in texts if text is not None})), texts


def _is_boolean(series: Any) -> bool:
    """Return whether the type of a pandas or Polars series says so, whatever the values are."""
    return str(getattr(series, "dtype", "")).lower().startswith("bool")


def column_under(attribute: Attribute, series: Any) -> NDArray[Any]:
    """Return a series as a column of a known attribute; texts that it does not declare become *unseen*.

    Raises
    ------
    DataError
        Where numbers are expected and something else is found.
    """
    values = _as_array(series)
    if attribute.is_nominal:
        texts = _texts(values, _unknown(values))
        code_of, unseen, unknown = attribute.code_of, attribute.unseen, attribute.unknown
        return np.array([unknown if t is None else code_of.get(t, unseen) for t in texts], dtype=np.intp)
    if values.dtype.kind == "M":
        return _milliseconds(values)
    try:
        return values.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"column {attribute.name!r} should hold numbers ({error})") from error


def texts_of(series: Any) -> NDArray[np.object_]:
    """Return the (n,) values of a series as texts, None for unknown ones."""
    values = _as_array(series)
    return _texts(values, _unknown(values))


def read_parquet(path: str | Path, class_attribute: str | None = None) -> Dataset:
    """Read a Parquet file; needs pyarrow (``pip install nbframework[frames]``).

    Raises
    ------
    DataError
        Where pyarrow is not installed, the file cannot be read or is damaged, or as for `dataset_from_frame`.
    """
    try:
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise DataError(f"{path}: reading Parquet needs pyarrow: pip install 'nbframework[frames]'") from error
    with parquet_faults(path):
        table = parquet.read_table(path)
        frame = table.to_pandas()
    for field, column in zip(table.schema, table.columns, strict=True):
        # pandas forgets this type where no value is known
        if str(field.type) == "bool" and column.null_count == len(column) and field.name in frame:
            frame[field.name] = frame[field.name].astype("boolean")
    dataset = dataset_from_frame(frame, class_attribute)
    return replace(dataset, name=Path(path).name.partition(".")[0])


@contextlib.contextmanager
def parquet_faults(path: str | Path) -> Iterator[None]:
    """Turn what pyarrow raises on a file, in the block, into a DataError that names it."""
    import pyarrow

    try:
        yield
    except FileNotFoundError as error:
        raise DataError(f"{path}: no such file") from error
    except (pyarrow.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.strerror:
            raise DataError(f"{path}: cannot read the file: {error.strerror}") from error
        raise DataError(f"{path}: not a Parquet file, or damaged ({error})") from error


def read_table(path: str | Path, class_attribute: str | None = None, schema: Dataset | None = None) -> Dataset:
    """Read a file by the ending of its name: .csv, .parquet, or ARFF for every other (``.gz`` allowed there).

    Parameters are those of `read_csv`; Parquet and ARFF files have types of their own.
    """
    ending = Path(path).suffix.lower()
    if ending == ".csv":
        return read_csv(path, class_attribute, schema)
    if ending == ".parquet":
        return read_parquet(path, class_attribute)
    return read_arff(path, class_attribute)


def _declared_categories(series: Any) -> list[str] | None:
    """Return the declared categories of a pandas or Polars series, or None."""
    accessor = getattr(series, "cat", None)
    dtype = getattr(series, "dtype", None)
    categories = getattr(dtype, "categories", None)
    if categories is None and accessor is not None and type(dtype).__name__ in ("Categorical", "Enum"):
        categories = accessor.get_categories()
    return None if categories is None else [str(category) for category in categories]


def _as_array(series: Any) -> NDArray[Any]:
    if hasattr(series, "to_numpy"):
        dtype = getattr(series, "dtype", None)
        nullable = getattr(dtype, "na_value", None) is not None and getattr(dtype, "kind", "O") in "iufb"
        if nullable and not isinstance(dtype, np.dtype):
            return np.asarray(series.to_numpy(dtype=object))
        return np.asarray(series.to_numpy())
    return np.asarray(series)


def _unknown(values: NDArray[Any]) -> NDArray[np.bool_]:
    if values.dtype.kind == "f":
        return np.asarray(np.isnan(values))
    if values.dtype.kind == "M":
        return np.asarray(np.isnat(values))
    if values.dtype.kind == "O":
        return np.array([_is_unknown(value) for value in values], dtype=bool)
    return np.zeros(len(values), dtype=bool)


def _is_unknown(value: Any) -> bool:
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


def _texts(values: NDArray[Any], unknown: NDArray[np.bool_]) -> NDArray[np.object_]:
    texts = np.empty(len(values), dtype=object)
    texts[:] = [None if u else text_of(value) for value, u in zip(values.tolist(), unknown, strict=True)]
    return texts


def text_of(value: Any) -> str:
    """Return a value as text, whole floats without a point so that 1 and 1.0 are one value."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _milliseconds(values: NDArray[Any]) -> NDArray[np.float64]:
    numbers = values.astype("datetime64[ms]").astype(np.float64)
    numbers[np.isnat(values)] = np.nan
    return numbers
