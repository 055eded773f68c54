"""What the parts of the reader hand to each other: the header of a document and the rows an engine made."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nbframework.data.attribute import Attribute

BLANKS = " \t"


class Rows(NamedTuple):
    """The data section as columns, in the form that `Dataset.from_columns` takes."""

    columns: list[Any]
    weights: NDArray[np.float64] | None


@dataclass(frozen=True)
class Header:
    """The declarations of a document and the place of its data section.

    Parameters
    ----------
    relation
        The relation name.
    attributes
        The declarations in file order.
    line
        Number of the line on which ``@data`` stands, from 1.
    column
        The number of characters on that line up to the end of ``@data``.
    offset
        Position in the document's text right behind ``@data``.
    """

    relation: str
    attributes: tuple[Attribute, ...]
    line: int
    column: int
    offset: int


def row_lines(body: str) -> Iterator[str]:
    """Yield the lines of a data section that hold a row: all but blank lines and comments."""
    for line in body.split("\n"):
        start = line.lstrip(BLANKS)
        if start and start[0] != "%":
            yield line
