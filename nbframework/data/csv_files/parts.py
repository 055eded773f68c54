"""The rows of a CSV file a part at a time, whoever reads them."""

from collections.abc import Collection, Iterator
from pathlib import Path

from nbframework.data.csv_files.careful import careful_parts
from nbframework.data.csv_files.fields import Part
from nbframework.data.csv_files.plain import NotPlainError, plain_parts
from nbframework.errors import DataError


def csv_parts(
    path: Path, size: int | None = None, texts: Collection[str] = (), wanted: Collection[str] | None = None
) -> Iterator[Part]:
    """Yield the rows of a CSV file, in order, some at a time.

    Parameters
    ----------
    path
        The file, UTF-8; its first line that is not empty has the names.
    size
        The largest number of rows of a part; None for what is read at once.
    texts
        Names of columns that hold texts. Others hold numbers, until a part has a field that is none.
    wanted
        Names of the columns to read; None for all.

    Yields
    ------
    At least one part, which may be empty.

    Raises
    ------
    DataError
        Where the file cannot be read, or a row has another number of fields than the line of names.
    """
    rows = 0
    try:
        for part in plain_parts(path, size, texts, wanted):
            yield part
            rows += part.rows
    except NotPlainError:
        yield from careful_parts(path, size, texts, wanted, rows)
    except OSError as error:
        raise DataError(f"{path}: cannot read the file: {error.strerror or error}") from error
