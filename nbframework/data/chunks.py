"""Files of rows under a known schema, read a part at a time, so that memory does not grow with the file."""

import csv
import gzip
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from nbframework.data.arff.document import BLANKS
from nbframework.data.arff.header import parse_header
from nbframework.data.arff.reader import Engine
from nbframework.data.attribute import Attribute
from nbframework.data.dataset import Dataset
from nbframework.data.tabular import MISSING_TEXTS, column_under, decimal, texts_of
from nbframework.errors import DataError, did_you_mean

ROWS = 10_000
"""Rows of one part."""


def read_chunks(path: str | PathLike[str], schema: Dataset, rows: int = ROWS) -> Iterator[Dataset]:
    """Yield the rows of a CSV, Parquet or ARFF file (by the ending of its name), in order, a part at a time.

    The parts of CSV and Parquet files hold the columns that the schema names, under its kinds; values that it does not
    declare stand behind those that it does. ARFF files have types of their own. `aligned` brings both under the schema.

    Parameters
    ----------
    path
        The file; an ARFF file that ends in ``.gz`` is read through gzip.
    schema
        The attributes to read.
    rows
        The largest number of rows of a part.

    Yields
    ------
    At least one data set, which may be empty.

    Raises
    ------
    DataError
        Where the file cannot be read, naming the line where there is one.
    """
    ending = Path(path).suffix.lower()
    if ending == ".csv":
        return _csv_chunks(Path(path), schema, rows)
    if ending == ".parquet":
        return _parquet_chunks(Path(path), schema, rows)
    return _arff_chunks(Path(path), rows)


def _csv_chunks(path: Path, schema: Dataset, size: int) -> Iterator[Dataset]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file)
            header = next((row for row in reader if row), None)
            if header is None:
                raise DataError(f"{path}: the file is empty, expected a line of names")
            names = [name.strip() for name in header]
            attributes = _named(names, schema, path)
            lines: list[int] = []
            fields: list[list[str]] = []
            yielded = False
            for row in reader:
                if not row:
                    continue
                if len(row) != len(names):
                    raise DataError(
                        f"{path}:{reader.line_num}: {len(row)} fields, expected {len(names)} as in the header"
                    )
                lines.append(reader.line_num)
                fields.append(row)
                if len(fields) == size:
                    yield _csv_chunk(path, names, attributes, lines, fields)
                    lines, fields, yielded = [], [], True
            if fields or not yielded:
                yield _csv_chunk(path, names, attributes, lines, fields)
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: not a CSV file in UTF-8 ({error})") from error
    except OSError as error:
        raise DataError(f"{path}: cannot read the file: {error.strerror or error}") from error


def _csv_chunk(
    path: Path,
    names: Sequence[str],
    attributes: Sequence[Attribute],
    lines: Sequence[int],
    fields: Sequence[Sequence[str]],
) -> Dataset:
    columns: list[Any] = []
    widened = []
    for attribute in attributes:
        place = names.index(attribute.name)
        stripped = [row[place].strip() for row in fields]
        texts = [None if text in MISSING_TEXTS else text for text in stripped]
        if attribute.is_measured:
            columns.append(_numbers(path, attribute, lines, texts))
        else:
            columns.append(texts)
        widened.append(_widened(attribute, texts))
    return Dataset.from_columns(widened, columns, name=path.name.partition(".")[0])


def _numbers(path: Path, attribute: Attribute, lines: Sequence[int], texts: Sequence[str | None]) -> Any:
    numbers = np.empty(len(texts))
    for place, text in enumerate(texts):
        try:
            numbers[place] = np.nan if text is None else decimal(text)
        except ValueError:
            raise DataError(
                f"{path}:{lines[place]}: column {attribute.name!r}: found {text!r}, expected a number"
            ) from None
    return numbers


def _parquet_chunks(path: Path, schema: Dataset, size: int) -> Iterator[Dataset]:
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise DataError(f"{path}: reading Parquet needs pyarrow: pip install 'nbframework[frames]'") from error
    try:
        with parquet.ParquetFile(path) as file:
            attributes = _named(file.schema_arrow.names, schema, path)
            wanted = [attribute.name for attribute in attributes]
            yielded = False
            for batch in file.iter_batches(batch_size=size, columns=wanted):
                yield _frame_chunk(batch.to_pandas(), attributes, path)
                yielded = True
            if not yielded:
                yield Dataset.from_columns(attributes, [[] for _ in attributes])
    except (pyarrow.ArrowInvalid, pyarrow.ArrowIOError) as error:
        raise DataError(f"{path}: not a Parquet file, or damaged ({error})") from error


def _frame_chunk(frame: Any, attributes: Sequence[Attribute], path: Path) -> Dataset:
    widened, columns = [], []
    for attribute in attributes:
        if attribute.is_measured:
            columns.append(column_under(attribute, frame[attribute.name]))
            widened.append(attribute)
        else:
            texts = texts_of(frame[attribute.name])
            columns.append(texts)
            widened.append(_widened(attribute, texts))
    return Dataset.from_columns(widened, columns, name=path.name.partition(".")[0])


def _named(names: Sequence[str], schema: Dataset, path: Path) -> list[Attribute]:
    """Return the attributes of the schema that a table has columns for, in the order of the schema."""
    found = [attribute for attribute in schema.attributes if attribute.name in names]
    for attribute in found:
        if list(names).count(attribute.name) > 1:
            raise DataError(f"{path}: two columns are called {attribute.name!r}")
    if not found:
        first = schema.attributes[0].name
        raise DataError(f"{path}: none of the attributes has a column, such as {first!r}{did_you_mean(first, names)}")
    return found


def _widened(attribute: Attribute, texts: Iterable[str | None]) -> Attribute:
    """Return a nominal attribute that declares the other values among some texts, too."""
    if attribute.values is None:
        return attribute
    others = sorted({text for text in texts if text is not None and text not in attribute.code_of})
    return Attribute.nominal(attribute.name, (*attribute.values, *others), attribute.weight) if others else attribute


def _arff_chunks(path: Path, size: int) -> Iterator[Dataset]:
    source = str(path)
    try:
        with _opened(path) as file:
            head = []
            for line in file:
                head.append(line)
                if line.lstrip(BLANKS)[:5].lower() == "@data":
                    break
            text = "".join(head)
            header = parse_header(text, source)
            lines, first, number = [text[header.offset :]], header, header.line
            for line in file:
                if len(lines) >= size:
                    yield _arff_chunk("".join(lines), first, source)
                    lines, first = [], replace(header, line=number + 1, column=0)
                number += 1
                lines.append(line)
            yield _arff_chunk("".join(lines), first, source)
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not a file in UTF-8 ({error})") from error
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataError(f"{path}: found a damaged file, expected gzip by its name ({error})") from error
    except OSError as error:
        raise DataError(f"{path}: cannot read the file: {error.strerror or error}") from error


def _opened(path: Path) -> TextIO:
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig")
    return path.open(encoding="utf-8-sig")


def _arff_chunk(body: str, header: Any, source: str) -> Dataset:
    for engine in Engine:
        rows = engine.read(body, header, source)
        if rows is not None:
            return Dataset.from_columns(header.attributes, rows.columns, None, rows.weights, header.relation)
    raise AssertionError("the careful engine reads or refuses, it never hands over")
