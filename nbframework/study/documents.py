"""What a results file holds as text, read as data; the file may be damaged, or come from anybody."""

import json
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.errors import DataError
from nbframework.study.study import TESTS

Check = Callable[[Any], bool]


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_text, value))


def _findings(value: Any) -> bool:
    keys = {"kind", "subject", "text"}
    return isinstance(value, list) and all(
        isinstance(finding, dict) and keys <= finding.keys() and all(_text(finding[key]) for key in keys)
        for finding in value
    )


DESCRIBED: dict[str, Check] = {
    "title": _text,
    "cite": _text,
    "protocol": _text,
    "metrics": _texts,
    "findings": _findings,
    "comparison": lambda value: isinstance(value, dict),
}
COMPARISON: dict[str, Check] = {
    "metric": _text,
    "baseline": _text,
    "tests": lambda value: _texts(value) and set(value) <= set(TESTS),
    "alpha": lambda value: _number(value) and 0 < value < 1,
    "rope": lambda value: _number(value) and value >= 0,
}


def damaged(name: str, what: str) -> DataError:
    """Return the error of a results file whose content is not what was once stored."""
    return DataError(f"{name}: damaged, or not written by nbframework: {what}")


def document(name: str, what: str, text: Any) -> dict[str, Any]:
    """Return a JSON object that a results file holds.

    Parameters
    ----------
    name
        What messages call the file.
    what
        What they call the object.
    text
        The text.

    Raises
    ------
    DataError
        Where the text is no such object.
    """
    try:
        found = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise damaged(name, f"{what} cannot be read") from error
    if not isinstance(found, dict):
        raise damaged(name, f"{what} cannot be read")
    return found


def described_run(name: str, text: Any) -> dict[str, Any]:
    """Return how a run is described, every key of the right type; DataError where it is not."""
    found = document(name, "the description of the run", text)
    _check(name, found, DESCRIBED)
    _check(name, found["comparison"], COMPARISON)
    return found


def typed(name: str, what: str, rows: Sequence[Sequence[Any]], *types: type) -> Sequence[Sequence[Any]]:
    """Return rows of a table whose columns have these types (float takes whole numbers, too), else DataError."""
    for row in rows:
        for value, wanted in zip(row, types, strict=True):
            if not (isinstance(value, wanted) or (wanted is float and isinstance(value, int))):
                raise damaged(name, f"{value!r:.50} among the {what}")
    return rows


def numbers(name: str, what: str, rows: Sequence[Sequence[Any]], columns: int) -> NDArray[np.float64]:
    """Return rows as (n, columns) numbers, NULL as NaN, else DataError."""
    try:
        return np.array(rows, dtype=np.float64).reshape(len(rows), columns)
    except (ValueError, TypeError, OverflowError) as error:
        raise damaged(name, f"{what} that are no numbers") from error


def _check(name: str, found: dict[str, Any], checks: dict[str, Check]) -> None:
    for key, check in checks.items():
        if key not in found or not check(found[key]):
            raise damaged(name, f"{key!r} in the description of the run is missing or of another kind")
