"""Files of rows under a known schema, read a part at a time, so that memory does not grow with the file."""

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, TextIO

from nbframework.data.arff.document import BLANKS
from nbframework.data.arff.header import parse_header
from nbframework.data.arff.reader import Engine
from nbframework.data.csv_files.chunks import csv_chunks
from nbframework.data.dataset import Dataset
from nbframework.data.parquet import parquet_chunks
from nbframework.errors import DataError

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
        return csv_chunks(Path(path), schema, rows)
    if ending == ".parquet":
        return parquet_chunks(Path(path), schema, rows)
    return _arff_chunks(Path(path), rows)


def arff_schema(path: str | PathLike[str]) -> Dataset:
    """Return the attributes that the header of an ARFF file declares, the last one as the class.

    Raises
    ------
    DataError
        Where the file cannot be read.
    """
    return next(_arff_chunks(Path(path), 0)).schema


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
