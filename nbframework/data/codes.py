"""Nominal columns side by side as unsigned codes, with the layout of their cells."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.data.attribute import code_dtype

Column = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Codes:
    """Codes of n rows over a attributes.

    Parameters
    ----------
    columns
        a arrays (n,) of unsigned codes: 0 to v_j - 1 the values, v_j unseen, v_j + 1 unknown.
    cardinality
        (a,) number of values v_j of each attribute.
    rows
        n, needed where there is no column.
    """

    columns: tuple[Column, ...]
    cardinality: tuple[int, ...]
    rows: int

    def __len__(self) -> int:
        return self.rows

    @cached_property
    def offset(self) -> NDArray[np.intp]:
        """(a + 1,) first cell of each attribute's block of v_j + 2 cells."""
        return block_offset(self.cardinality)

    def take(self, rows: Any) -> "Codes":
        """Return the codes of the given rows."""
        columns = tuple(column[rows] for column in self.columns)
        count = len(columns[0]) if columns else len(np.arange(self.rows)[rows])
        return Codes(columns, self.cardinality, count)

    def recoded(self, mappings: Sequence[NDArray[np.intp] | None], cardinality: Sequence[int]) -> "Codes":
        """Return the codes mapped attribute by attribute.

        Parameters
        ----------
        mappings
            For each attribute the (v_j + 2,) new code of every old one, or None to keep the column.
        cardinality
            (a,) number of values afterwards.
        """
        columns = tuple(
            column if mapping is None else mapping.astype(code_dtype(size))[column]
            for column, mapping, size in zip(self.columns, mappings, cardinality, strict=True)
        )
        return Codes(columns, tuple(cardinality), self.rows)


def block_offset(cardinality: Sequence[int]) -> NDArray[np.intp]:
    """Return the (a + 1,) block borders of attributes with the given numbers of values: v_j + 2 cells each."""
    offset = np.zeros(len(cardinality) + 1, dtype=np.intp)
    np.cumsum(np.asarray(cardinality, dtype=np.intp) + 2, out=offset[1:])
    return offset
