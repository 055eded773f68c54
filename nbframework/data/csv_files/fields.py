"""What a column of a CSV file holds: numbers, or texts."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MISSING_TEXTS = frozenset({"", "?", "NA", "N/A", "NaN", "nan", "null", "None"})
"""Fields that stand for an unknown value."""


MOST_LABELS = 100
"""Different whole numbers that a class column holds at most where they are labels and no measurement."""


@dataclass(frozen=True, eq=False)
class Texts:
    """The fields of a column of texts.

    Parameters
    ----------
    codes
        (n,) place of each field among the values.
    values
        Distinct texts without blanks at their ends, in the order in which they come.
    """

    codes: NDArray[Any]
    values: tuple[str, ...]


Fields = NDArray[np.float64] | Texts
"""(n,) numbers with NaN for unknown ones, or texts."""


@dataclass(frozen=True)
class Part:
    """Some rows of a CSV file, column by column.

    Parameters
    ----------
    names
        Of the columns.
    rows
        How many.
    columns
        For each name what its fields hold, None where nobody wanted to know.
    """

    names: Sequence[str]
    rows: int
    columns: Sequence[Fields | None]


class NoNumberError(ValueError):
    """A field is neither a number nor unknown.

    Parameters
    ----------
    row
        Its row, from 0.
    text
        What it holds.
    """

    def __init__(self, row: int, text: str) -> None:
        super().__init__(f"row {row}: {text!r}")
        self.row, self.text = row, text


def stripped(codes: NDArray[Any], values: Sequence[str]) -> Texts:
    """Return fields without the blanks at the ends of their values; those that are equal then are one."""
    code_of: dict[str, int] = {}
    places = [code_of.setdefault(value.strip(), len(code_of)) for value in values]
    if len(code_of) == len(values):
        return Texts(codes, tuple(code_of))
    return Texts(np.array(places, dtype=np.uint32)[codes], tuple(code_of))


def known_texts(values: Collection[str]) -> set[str]:
    """Return the values that do not stand for an unknown one."""
    return set(values) - MISSING_TEXTS


def numbers_of(fields: Fields) -> NDArray[np.float64]:
    """Return the (n,) numbers of a column, NaN for unknown ones.

    Raises
    ------
    NoNumberError
        For the first field that is neither a number nor unknown.
    """
    if not isinstance(fields, Texts):
        return fields
    numbers = np.empty(len(fields.values))
    for code, text in enumerate(fields.values):
        try:
            numbers[code] = np.nan if text in MISSING_TEXTS else decimal(text)
        except ValueError:
            raise NoNumberError(int(np.flatnonzero(fields.codes == code)[0]), text) from None
    return np.asarray(numbers[fields.codes])


def decimal(text: str) -> float:
    """Return the number that a text writes in decimal notation; ValueError where it writes none."""
    if "_" in text or not text.strip("+-").replace(".", "", 1)[:1].isdigit():
        raise ValueError(text)
    return float(text)


def is_decimal(text: str) -> bool:
    """Whether a text writes a number in decimal notation."""
    try:
        decimal(text)
    except ValueError:
        return False
    return True


def labels_in_order(values: Collection[str]) -> list[str] | None:
    """Return the values of a class column whose numbers are labels, smallest first; None where they are none.

    Labels are whole numbers, and at most `MOST_LABELS` of them.
    """
    known = known_texts(values)
    try:
        numbers = {text: decimal(text) for text in known}
    except ValueError:
        return None
    if not 0 < len(known) <= MOST_LABELS or not all(number.is_integer() for number in numbers.values()):
        return None
    return sorted(known, key=lambda text: (numbers[text], text))


def settled(texts: Texts) -> Fields:
    """Return the numbers of a column where all of its fields are such or unknown."""
    try:
        return numbers_of(texts)
    except NoNumberError:
        return texts
