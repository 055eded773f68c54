"""A data frame in an R data file (.rda)."""

import warnings
from typing import Any

from nbframework.data.arff.writer import number_text
from nbframework.data.derive.table import Column, Table
from nbframework.errors import DataError, did_you_mean


def read_frame(content: bytes, name: str, source: str) -> Table:
    """Return a data frame: factors with their levels as listed values, in order, and numeric columns.

    Raises
    ------
    DataError
        Where rdata is not installed, the content is no R data, or it holds no data frame of that name.
    """
    try:
        import rdata
    except ImportError as error:
        raise DataError(f"{source}: R data needs rdata: pip install 'nbframework[data]'") from error
    try:
        with warnings.catch_warnings():
            # files of old versions of R do not say that their texts are ASCII, and rdata warns for each of them
            warnings.simplefilter("ignore")
            objects = rdata.conversion.convert(rdata.parser.parse_data(content))
    except Exception as error:  # whatever rdata stumbles over in a damaged file
        raise DataError(f"{source}: cannot be read as R data: {error}") from error
    frame: Any = objects.get(name) if isinstance(objects, dict) else None
    if not hasattr(frame, "columns"):
        raise DataError(f"{source}: no data frame {name!r}{did_you_mean(name, objects)}")
    return Table(tuple(_column(str(label), frame[label]) for label in frame.columns))


def _column(name: str, series: Any) -> Column:
    unknown = series.isna().tolist()
    if hasattr(series, "cat"):
        levels = tuple(map(str, series.cat.categories))
        return Column(name, levels, tuple(None if u else str(v) for v, u in zip(series, unknown, strict=True)))
    numbers = [None if u else number_text(float(v)) for v, u in zip(series, unknown, strict=True)]
    return Column(name, "numeric", tuple(numbers))
