"""The reader: one document, four engines that give the same data set at different speed."""

import gzip
import io
import os
import zlib
from collections.abc import Sequence
from enum import Enum
from os import PathLike
from pathlib import Path

from nbframework.data.arff.compiled import read_compiled
from nbframework.data.arff.document import Header, Rows
from nbframework.data.arff.header import parse_header
from nbframework.data.arff.plain import read_plain
from nbframework.data.arff.portions import read_portions
from nbframework.data.dataset import Dataset, attribute_index
from nbframework.errors import ARFFError

LARGEST_UNASKED = 256_000_000
"""Bytes that a file may unpack to, however small it is."""
MOST_TIMES = 100
"""How many times as large as the file what it unpacks to may be beyond that; data shrink 5 to 50 times."""
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class Engine(Enum):
    """The ways to read a data section, from the fastest to the one that reads everything."""

    COMPILED = "compiled"
    PLAIN = "plain"
    LIAC = "liac"
    CAREFUL = "careful"

    def read(self, body: str, header: Header, source: str) -> Rows | None:
        """Return the rows, or None where this engine leaves them to the next one."""
        if self is Engine.COMPILED:
            return read_compiled(body, header.attributes)
        if self is Engine.PLAIN:
            return read_plain(body, header.attributes)
        if self is Engine.LIAC:
            from nbframework.data.arff.liac import read_with_liac

            return read_with_liac(body, header.attributes)
        from nbframework.data.arff.careful import read_carefully

        return read_carefully(body, header, source)


def read_arff(path: str | PathLike[str], class_attribute: str | None = None) -> Dataset:
    """Read an ARFF file.

    Parameters
    ----------
    path
        The file, UTF-8 with or without a byte order mark; one that ends in ``.gz`` is read through gzip.
    class_attribute
        Name of the class; None takes the last attribute.

    Returns
    -------
    Dataset
        All rows, in file order.

    Raises
    ------
    ARFFError
        Where the file cannot be read or breaks the format, with its line and column.
    DataError
        Where no attribute is called ``class_attribute``.
    """
    source = str(path)
    try:
        with Path(path).open("rb", buffering=0) as file:
            return _read(file, Path(path).suffix.lower() == ".gz", source, class_attribute)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ARFFError(source, None, None, f"found a damaged file, expected gzip by its name ({error})") from error
    except OSError as error:
        raise ARFFError(source, None, None, f"cannot read the file: {error.strerror or error}") from error


def _read(file: io.FileIO, packed: bool, source: str, class_attribute: str | None) -> Dataset:
    """Read an open file, in portions where it can be read twice, in case that it has to be read as a text."""
    if packed or not file.seekable():
        content = file.read()
        content = _unpacked(content, source) if packed else content
        dataset = read_portions(io.BytesIO(content), len(content), source, class_attribute)
    else:
        dataset = read_portions(file, os.fstat(file.fileno()).st_size, source, class_attribute)
        if dataset is None:
            file.seek(0)
            content = file.read()
    return parse_arff(_decoded(content, source), source, class_attribute) if dataset is None else dataset


def _unpacked(content: bytes, source: str) -> bytes:
    """Return what gzip holds; refuse what unpacks to a size that no data set of so few bytes has."""
    most = max(LARGEST_UNASKED, MOST_TIMES * len(content))
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
        unpacked = file.read(most + 1)
    if len(unpacked) > most:
        raise ARFFError(
            source, None, None, f"{len(content)} bytes unpack to more than {most}, which is no data; unpack it yourself"
        )
    return unpacked


def parse_arff(text: str, source: str = "<text>", class_attribute: str | None = None) -> Dataset:
    """Read an ARFF document from a text.

    Parameters
    ----------
    text
        The whole document.
    source
        Its name in error messages.
    class_attribute
        Name of the class; None takes the last attribute.

    Returns
    -------
    Dataset
        All rows, in file order.

    Raises
    ------
    ARFFError
        Where the document breaks the format, with its line and column.
    DataError
        Where no attribute is called ``class_attribute``.
    """
    dataset = parse_with(tuple(Engine), text, source, class_attribute)
    if dataset is None:
        raise AssertionError("the careful engine reads or refuses, it never hands over")
    return dataset


def parse_with(
    engines: Sequence[Engine], text: str, source: str = "<text>", class_attribute: str | None = None
) -> Dataset | None:
    """Read a document with the first of the engines that accepts it.

    Parameters
    ----------
    engines
        The engines to try, in order.
    text, source, class_attribute
        As for `parse_arff`.

    Returns
    -------
    Dataset or None
        None where none of the engines accepts the data section.
    """
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    header = parse_header(text, source)
    if class_attribute is not None:
        attribute_index(header.attributes, class_attribute)
    body = text[header.offset :]
    for engine in engines:
        rows = engine.read(body, header, source)
        if rows is not None:
            return Dataset.from_columns(header.attributes, rows.columns, class_attribute, rows.weights, header.relation)
    return None


def _decoded(content: bytes, source: str) -> str:
    if content.startswith(_UTF16_MARKS):
        raise ARFFError(source, 1, 1, "found the mark of a UTF-16 file, expected UTF-8; save the file as UTF-8")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8").removeprefix("\ufeff")
        before = before.replace("\r\n", "\n").replace("\r", "\n")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise ARFFError(
            source, line, column, f"found the byte 0x{content[error.start]:02X}, expected UTF-8; save the file as UTF-8"
        ) from None
