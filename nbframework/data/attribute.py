"""One attribute of a data set: its name, its kind and its declared values."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np

from nbframework.errors import DataError

Kind = Literal["nominal", "numeric", "date", "string"]


@dataclass(frozen=True)
class Attribute:
    """The declaration of one column.

    Parameters
    ----------
    name
        Unique within a data set.
    kind
        nominal (one of the declared values), numeric (float64), date (milliseconds since 1970-01-01 UTC as
        float64) or string (kept, but no input of a classifier).
    values
        The declared values of a nominal attribute, in order, without repetition; None for the other kinds.
    format
        The pattern of a date attribute as ARFF writes it.
    weight
        The attribute weight of the file, at least 0; 1 where the file names none.

    Raises
    ------
    DataError
        On an unknown kind, values on a non-nominal attribute, repeated values or a negative weight.
    """

    name: str
    kind: Kind
    values: tuple[str, ...] | None = None
    format: str | None = None
    weight: float = 1.0

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise DataError(f"attribute {self.name!r}: unknown kind {self.kind!r}, expected one of {get_args(Kind)}")
        if (self.kind == "nominal") != (self.values is not None):
            raise DataError(f"attribute {self.name!r}: a list of values belongs to nominal attributes, and only there")
        if self.values is not None and len(self.code_of) != len(self.values):
            repeated = next(value for i, value in enumerate(self.values) if value in self.values[:i])
            raise DataError(f"attribute {self.name!r}: value {repeated!r} is declared twice")
        if not 0 <= self.weight < float("inf"):
            raise DataError(f"attribute {self.name!r}: weight {self.weight} is not a finite number of at least 0")

    @classmethod
    def nominal(cls, name: str, values: "tuple[str, ...] | list[str]", weight: float = 1.0) -> "Attribute":
        """Return a nominal attribute with the given declared values."""
        return cls(name, "nominal", tuple(values), weight=weight)

    @classmethod
    def numeric(cls, name: str, weight: float = 1.0) -> "Attribute":
        """Return a numeric attribute."""
        return cls(name, "numeric", weight=weight)

    @property
    def is_nominal(self) -> bool:
        """Whether the attribute has declared values."""
        return self.kind == "nominal"

    @property
    def is_measured(self) -> bool:
        """Whether the column holds numbers: numeric and date attributes."""
        return self.kind in ("numeric", "date")

    @property
    def cardinality(self) -> int:
        """The number of declared values of a nominal attribute, 0 for the other kinds."""
        return len(self.values) if self.values is not None else 0

    @cached_property
    def code_of(self) -> Mapping[str, int]:
        """The code of each declared value: its position in ``values``."""
        return {value: code for code, value in enumerate(self.values or ())}

    @property
    def unseen(self) -> int:
        """The code of a value outside the declared ones."""
        return self.cardinality

    @property
    def unknown(self) -> int:
        """The code of a missing value."""
        return self.cardinality + 1


def code_dtype(cardinality: int) -> np.dtype[Any]:
    """Return the smallest unsigned type that holds the codes 0 to ``cardinality`` + 1 (unseen, unknown)."""
    return np.min_scalar_type(cardinality + 1)
