"""The rows of a CSV file under a known schema, a part at a time."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.data.alignment import named, widened_by
from nbframework.data.attribute import Attribute
from nbframework.data.csv_files.careful import line_of
from nbframework.data.csv_files.fields import MISSING_TEXTS, Fields, NoNumberError, Texts, known_texts, numbers_of
from nbframework.data.csv_files.parts import csv_parts
from nbframework.data.dataset import Dataset
from nbframework.errors import DataError


def csv_chunks(path: Path, schema: Dataset, size: int) -> Iterator[Dataset]:
    """Yield the rows of a CSV file under a schema; see `read_chunks`."""
    texts = {attribute.name for attribute in schema.attributes if not attribute.is_measured}
    wanted = {attribute.name for attribute in schema.attributes}
    first = 0
    for part in csv_parts(path, size, texts, wanted):
        by_name = dict(zip(part.names, part.columns, strict=True))
        columns, widened = [], []
        for attribute in named(part.names, schema, path):
            column, wider = _column(path, attribute, by_name, first)
            columns.append(column)
            widened.append(wider)
        yield Dataset.from_columns(widened, columns, name=path.name.partition(".")[0])
        first += part.rows


def checked_numbers(path: Path, name: str, fields: Fields, first: int) -> NDArray[np.float64]:
    """Return the numbers of a column.

    Raises
    ------
    DataError
        Where a field is neither a number nor unknown, with its line; ``first`` is the row of the first field.
    """
    try:
        return numbers_of(fields)
    except NoNumberError as error:
        line = line_of(path, first + error.row)
        raise DataError(f"{path}:{line}: column {name!r}: found {error.text!r}, expected a number") from None


def codes_of(
    texts: Texts, code_of: Mapping[str, int], unknown: int, unseen: int, dtype: Any = np.intp
) -> NDArray[np.integer]:
    """Return the (n,) codes of fields: ``unknown`` for missing ones, ``unseen`` for texts that have none."""
    codes = [unknown if text in MISSING_TEXTS else code_of.get(text, unseen) for text in texts.values]
    return np.take(np.array([*codes, unknown], dtype=dtype), texts.codes)


def optional_texts(texts: Texts) -> NDArray[np.object_]:
    """Return the (n,) texts of fields, None for missing ones."""
    values = [None if text in MISSING_TEXTS else text for text in texts.values]
    return np.asarray(np.array([*values, None], dtype=object)[texts.codes])


def _column(path: Path, attribute: Attribute, by_name: Mapping[str, Any], first: int) -> tuple[Any, Attribute]:
    fields = by_name[attribute.name]
    if attribute.is_measured:
        return checked_numbers(path, attribute.name, fields, first), attribute
    if not attribute.is_nominal:
        return optional_texts(fields), attribute
    wider = widened_by(attribute, known_texts(fields.values))
    return codes_of(fields, wider.code_of, wider.unknown, wider.unseen), wider
