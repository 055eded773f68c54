"""Parquet files a part at a time: what their columns are, and their rows under a known schema; needs pyarrow."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.data.attribute import Attribute, code_dtype
from nbframework.data.csv_chunks import named, widened_by
from nbframework.data.dataset import Dataset
from nbframework.data.tabular import column_under, text_of, texts_of
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


def parquet_attributes(path: Path, groups: Sequence[int] | None, size: int) -> list[tuple[Attribute, bool]]:
    """Return the attribute of each column, and whether its values were found rather than declared.

    Only columns of text and categories are read.
    """
    with opened(path) as (file, fields):
        attributes = {field.name: _attribute(field) for field in fields}
        nominal = [name for name, attribute in attributes.items() if attribute.is_nominal and not attribute.values]
        found: dict[str, dict[str, None]] = {name: {} for name in nominal}
        if nominal:
            for batch in file.iter_batches(batch_size=size, row_groups=groups, columns=nominal, use_threads=False):
                for name in nominal:
                    found[name] |= dict.fromkeys(_texts_in_order(batch.column(name)))
        declared = {field.name for field in fields if _is_dictionary(field.type)}
        described = []
        for name, attribute in attributes.items():
            if name in found:
                attribute = Attribute.nominal(name, list(found[name]))
            described.append((attribute, name in found and name not in declared))
        return described


@contextlib.contextmanager
def opened(path: Path) -> Iterator[tuple[Any, list[Any]]]:
    """Give an open Parquet file and its fields; what goes wrong with it is a DataError."""
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise DataError(f"{path}: reading Parquet needs pyarrow: pip install 'nbframework[frames]'") from error
    try:
        with parquet.ParquetFile(path) as file:
            fields = list(file.schema_arrow)
        texts = [field.name for field in fields if _is_text(field.type)]
        # text stays in the dictionaries of the file instead of being spelt out row by row
        with parquet.ParquetFile(path, read_dictionary=texts) as file:
            yield file, fields
    except (pyarrow.ArrowInvalid, pyarrow.ArrowIOError) as error:
        raise DataError(f"{path}: not a Parquet file, or damaged ({error})") from error


def _attribute(field: Any) -> Attribute:
    """Return what a column is; a nominal one without its values, unless the type says them."""
    import pyarrow.types as types

    if types.is_boolean(field.type):
        return Attribute.nominal(field.name, ("False", "True"))
    if types.is_integer(field.type) or types.is_floating(field.type):
        return Attribute.numeric(field.name)
    if types.is_timestamp(field.type):
        return Attribute(field.name, "date")
    return Attribute.nominal(field.name, ())


def _is_dictionary(kind: Any) -> bool:
    """Return whether a type says that its values are declared, in their order."""
    import pyarrow.types as types

    return bool(types.is_dictionary(kind))


def _is_text(kind: Any) -> bool:
    import pyarrow.types as types

    return bool(types.is_string(kind) or types.is_large_string(kind))


def _column(attribute: Attribute, array: Any) -> tuple[NDArray[Any], Attribute]:
    """Return an Arrow column as codes or numbers, and the attribute with all its values."""
    import pyarrow.types as types

    if attribute.is_measured:
        if types.is_integer(array.type) or types.is_floating(array.type):
            return np.asarray(array.to_numpy(zero_copy_only=False), dtype=np.float64), attribute
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
    return mapping[encoded.indices.fill_null(len(spelt)).to_numpy(zero_copy_only=False)], wider


def _encoded(array: Any) -> Any:
    """Return an Arrow column as indices into a dictionary, or None where its values have no plain text."""
    import pyarrow.types as types

    if types.is_dictionary(array.type):
        plain = array.type.value_type
        encoded = array
    else:
        plain = array.type
        encoded = None
    if not (_is_text(plain) or types.is_boolean(plain) or types.is_integer(plain)):
        return None
    encoded = array.dictionary_encode() if encoded is None else encoded
    return encoded.cast(_wide_dictionary(plain))


def _wide_dictionary(value_type: Any) -> Any:
    """Return a dictionary type whose indices have room for one more than all values."""
    import pyarrow

    return pyarrow.dictionary(pyarrow.int32(), value_type)


def _texts_in_order(array: Any) -> list[str]:
    """Return the texts that a column declares, or that occur in it."""
    encoded = _encoded(array)
    if encoded is None:
        return [text for text in texts_of(array.to_pandas()) if text is not None]
    return [text_of(value) for value in encoded.dictionary.to_pylist() if value is not None]
