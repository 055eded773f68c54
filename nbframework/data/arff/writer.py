"""The writer: a document that reads back as the same data set."""

import gzip
import re
import uuid
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from nbframework.data.arff.dates import DEFAULT_PATTERN, date_pattern
from nbframework.data.attribute import Attribute
from nbframework.data.dataset import Dataset
from nbframework.errors import DataError, writing

_BARE = re.compile(r"[^\s\x00-\x20\x7f,{}'\"%\\]+")
_ESCAPED = re.compile(r"[\x00-\x1f\x7f\\'\"%]")
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def write_arff(dataset: Dataset, path: str | PathLike[str]) -> None:
    """Write an ARFF file that `read_arff` reads back as the same data set.

    Parameters
    ----------
    dataset
        What to write. The file does not tell which attribute is the class; name it again when reading.
    path
        The file; one that ends in ``.gz`` is written through gzip. It is replaced as a whole or not at all.

    Raises
    ------
    DataError
        Where a value has no place in an ARFF file, or the file cannot be written.
    """
    target = Path(path)
    try:
        content = format_arff(dataset).encode("utf-8")
    except UnicodeEncodeError as error:
        character = error.object[error.start]
        raise DataError(f"{path}: character U+{ord(character):04X} cannot be written as UTF-8") from None
    if target.suffix.lower() == ".gz":
        content = gzip.compress(content, mtime=0)
    temporary = target.with_name(f".{target.name}.{uuid.uuid4().hex}.tmp")
    with writing(path):
        try:
            temporary.write_bytes(content)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)


def format_arff(dataset: Dataset) -> str:
    """Return the ARFF document of a data set.

    Parameters
    ----------
    dataset
        What to write.

    Returns
    -------
    str
        Lines that end in a line feed.

    Raises
    ------
    DataError
        Where a value has no place in an ARFF file: a nominal value outside the declared ones, or a date that
        its pattern cannot hold.
    """
    header = [f"@relation {quoted_where_needed(dataset.name)}", ""]
    header.extend(_declaration(attribute) for attribute in dataset.attributes)
    cells = [_cells(attribute, column) for attribute, column in zip(dataset.attributes, dataset.columns, strict=True)]
    rows: Iterable[str] = map(",".join, zip(*cells, strict=True))
    if dataset.row_weights is not None:
        rows = (row + _weight(",", weight) for row, weight in zip(rows, dataset.row_weights.tolist(), strict=True))
    return "\n".join([*header, "", "@data", *rows, ""])


def quoted(text: str) -> str:
    """Return a text in single quotes with everything escaped that needs it."""
    return f"'{_ESCAPED.sub(_escape, text)}'"


def quoted_where_needed(text: str) -> str:
    """Return a text as it is where that reads back as the same value, else in quotes."""
    return text if text != "?" and _BARE.fullmatch(text) else quoted(text)


def number_text(number: float) -> str:
    """Return the shortest decimal text that reads back as the same number."""
    return repr(number).removesuffix(".0")


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if character in "\\'\"%":
        return "\\" + character
    return _ESCAPES.get(character, f"\\{ord(character):03o}")


def _weight(separator: str, weight: float) -> str:
    return "" if weight == 1.0 else f"{separator}{{{number_text(weight)}}}"


def _declaration(attribute: Attribute) -> str:
    if attribute.values is not None:
        kind = f"{{{','.join(map(quoted_where_needed, attribute.values))}}}"
    elif attribute.kind == "date" and attribute.format is not None:
        kind = f"date {quoted_where_needed(attribute.format)}"
    else:
        kind = attribute.kind
    weight = _weight(" ", float(attribute.weight))
    return f"@attribute {quoted_where_needed(attribute.name)} {kind}{weight}"


def _cells(attribute: Attribute, column: Any) -> list[str]:
    if attribute.values is not None:
        return _nominal_cells(attribute, attribute.values, column.tolist())
    if attribute.kind == "string":
        return ["?" if text is None else quoted_where_needed(text) for text in column]
    if attribute.kind == "date":
        return _date_cells(attribute, column.tolist())
    # A missing number is NaN, the only value that differs from itself.
    return ["?" if number != number else number_text(number) for number in column.tolist()]


def _nominal_cells(attribute: Attribute, values: Sequence[str], codes: list[int]) -> list[str]:
    texts = dict(enumerate(map(quoted_where_needed, values)))
    texts[attribute.unknown] = "?"
    try:
        return [texts[code] for code in codes]
    except KeyError:
        row = codes.index(attribute.unseen)
        raise DataError(
            f"attribute {attribute.name!r}, row {row + 1}: a value outside the declared ones cannot be written"
        ) from None


def _date_cells(attribute: Attribute, column: list[float]) -> list[str]:
    text = attribute.format if attribute.format is not None else DEFAULT_PATTERN
    try:
        pattern = date_pattern(text)
    except ValueError as error:
        raise DataError(f"attribute {attribute.name!r}, date format {text!r}: {error}") from None
    cells = []
    for row, moment in enumerate(column, start=1):
        try:
            cells.append("?" if moment != moment else quoted_where_needed(pattern.format(moment)))
        except ValueError as error:
            raise DataError(
                f"attribute {attribute.name!r}, row {row}: {moment} milliseconds as date {text!r}: {error}"
            ) from None
    return cells
