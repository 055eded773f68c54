"""Parquet files a part at a time: what their columns are, and their rows under a known schema; needs pyarrow."""

import contextlib
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from nbframework.data.alignment import named, widened_by
from nbframework.data.attribute import Attribute, code_dtype
from nbframework.data.dataset import Dataset
from nbframework.data.tabular import column_under, parquet_faults, text_of, texts_of
from nbframework.errors import DataError


def parquet_chunks(path: Path, schema: Dataset, size: int, groups: Sequence[int] | None = None) -> Iterator[Dataset]:
    """Yield the rows of a Parquet file under a schema, or those of some of its row groups; see `read_chunks`.

    Each column goes from Arrow's memory to codes or numbers in one step; what it holds apart is what Arrow reads ahead.
    """
    with opened(path) as (file, fields):
        attributes = named([field.name for field in fields], schema, path)
        wanted = [attribute.name for attribute in attributes]
        yielded = False
        for batch in file.iter_batches(batch_size=size, row_groups=groups, columns=wanted, use_threads=False):
            columns, widened = [], []
            for attribute in attributes:
                column, wider = _column(attribute, batch.column(attribute.name))
                columns.append(column)
                widened.append(wider)
            yield Dataset.from_columns(widened, columns, name=path.name.partition(".")[0])
            yielded = True
        if not yielded:
            yield Dataset.from_columns(attributes, [[] for _ in attributes])


def parquet_groups(path: Path) -> list[int]:
    """Return the number of rows of each row group."""
    with opened(path) as (file, _):
        metadata = file.metadata
        return [metadata.row_group(group).num_rows for group in range(metadata.num_row_groups)]


def parquet_attributes(
    path: Path, groups: Sequence[int] | None, size: int, texts: Collection[str] = ()
) -> list[tuple[Attribute, Literal["declared", "texts", "empty"]]]:
    """Return the attribute of each column, and whether it is declared, its values were found, or none is known.

    Only columns of text and categories are read, and those whose names are among ``texts``. Where no value is known,
    a column of text is numeric, and one of another type is what the type says.
    """
    with opened(path) as (file, fields):
        attributes = {field.name: _attribute(field) for field in fields}
        nominal = [
            name
            for name, attribute in attributes.items()
            if name in texts or (attribute.is_nominal and not attribute.values)
        ]
        found: dict[str, dict[str, None]] = {name: {} for name in nominal}
        if nominal:
            for batch in file.iter_batches(batch_size=size, row_groups=groups, columns=nominal, use_threads=False):
                for name in nominal:
                    found[name] |= dict.fromkeys(_texts_in_order(batch.column(name)))
        described: list[tuple[Attribute, Literal["declared", "texts", "empty"]]] = []
        for field in fields:
            name, attribute = field.name, attributes[field.name]
            if found.get(name) or _is_dictionary(field.type):
                attribute = Attribute.nominal(name, list(found[name]))
                is_declared = _is_dictionary(field.type)
                described.append((attribute, "empty" if not found[name] else "declared" if is_declared else "texts"))
            elif name in found:
                described.append((Attribute.numeric(name), "empty"))
            else:
                described.append((attribute, "empty" if _holds_nothing(file.metadata, groups, name) else "declared"))
        return described


@contextlib.contextmanager
def opened(path: Path) -> Iterator[tuple[Any, list[Any]]]:
    """Give an open Parquet file and its fields without the index of pandas; what goes wrong with it is a DataError."""
    try:
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise DataError(f"{path}: reading Parquet needs pyarrow: pip install 'nbframework[frames]'") from error
    with parquet_faults(path):
        with parquet.ParquetFile(path) as file:
            index = (file.schema_arrow.pandas_metadata or {}).get("index_columns", [])
            fields = [field for field in file.schema_arrow if field.name not in index]
        texts = [field.name for field in fields if _is_text(field.type)]
        # text stays in the dictionaries of the file instead of being spelt out row by row
        with parquet.ParquetFile(path, read_dictionary=texts) as file:
            yield file, fields


def _attribute(field: Any) -> Attribute:
    """Return what a column is; a nominal one without its values, unless the type says them."""
    from pyarrow import types

    if types.is_boolean(field.type):
        return Attribute.nominal(field.name, ("False", "True"))
    if types.is_integer(field.type) or types.is_floating(field.type):
        return Attribute.numeric(field.name)
    if types.is_timestamp(field.type):
        return Attribute(field.name, "date")
    return Attribute.nominal(field.name, ())


def _holds_nothing(metadata: Any, groups: Sequence[int] | None, name: str) -> bool:
    """Return whether the file says that no row of some row groups, or of all, knows a column."""
    for place in range(metadata.num_row_groups) if groups is None else groups:
        group = metadata.row_group(place)
        columns = [group.column(index) for index in range(group.num_columns)]
        known = next((column.statistics for column in columns if column.path_in_schema == name), None)
        unknown = known.null_count if known is not None and known.has_null_count else 0
        if unknown < group.num_rows:
            return False
    return True


def _is_dictionary(kind: Any) -> bool:
    """Return whether a type says that its values are declared, in their order."""
    from pyarrow import types

    return bool(types.is_dictionary(kind))


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind))


def _column(attribute: Attribute, array: Any) -> tuple[NDArray[Any], Attribute]:
    """Return an Arrow column as codes or numbers, and the attribute with all its values."""
    from pyarrow import types

    if attribute.is_measured:
        if types.is_integer(array.type) or types.is_floating(array.type):
            values, unknown = _memory(array)
            numbers = values.astype(np.float64)
            if unknown is not None:
                numbers[unknown] = np.nan
            return numbers, attribute
        return column_under(attribute, array.to_pandas()), attribute
    if not attribute.is_nominal:
        return texts_of(array.to_pandas()), attribute
    encoded = _encoded(array)
    if encoded is None:
        texts = texts_of(array.to_pandas())
        wider = widened_by(attribute, {text for text in texts if text is not None})
        return column_under(wider, texts), wider
    spelt = [None if value is None else text_of(value) for value in encoded.dictionary.to_pylist()]
    wider = widened_by(attribute, {text for text in spelt if text is not None})
    mapping = np.empty(len(spelt) + 1, dtype=code_dtype(wider.cardinality))
    mapping[:-1] = [wider.unknown if text is None else wider.code_of[text] for text in spelt]
    mapping[-1] = wider.unknown
    places, unknown = _memory(encoded.indices)
    if unknown is not None:
        places = np.where(unknown, len(spelt), places)
    return mapping[places], wider


def _memory(array: Any) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    """Return an Arrow array of numbers over the same memory, and a mask of the unknown ones, or None without any.

    Arrow's own ways would import pandas, or its many functions, which takes longer than reading a small file.
    """
    if not len(array):
        return np.empty(0, dtype=np.intp), None
    last = array.offset + len(array)
    validity, data = array.buffers()
    values = np.frombuffer(data, dtype=array.type.to_pandas_dtype(), count=last)[array.offset :]
    if not array.null_count:
        return values, None
    known = np.unpackbits(np.frombuffer(validity, dtype=np.uint8), bitorder="little", count=last)[array.offset :]
    return values, known == 0


def _encoded(array: Any) -> Any:
    """Return an Arrow column as indices into a dictionary, or None where its values have no plain text."""
    from pyarrow import types

    is_encoded = types.is_dictionary(array.type)
    plain = array.type.value_type if is_encoded else array.type
    if not (_is_text(plain) or types.is_boolean(plain) or types.is_integer(plain)):
        return None
    return array if is_encoded else array.dictionary_encode()


def _texts_in_order(array: Any) -> list[str]:
    """Return the texts that a column declares, or that occur in it."""
    encoded = _encoded(array)
    if encoded is None:
        return [text for text in texts_of(array.to_pandas()) if text is not None]
    return [text_of(value) for value in encoded.dictionary.to_pylist() if value is not None]
