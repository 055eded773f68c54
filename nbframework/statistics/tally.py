"""Sums of row weights with the numbers of rows behind them, which decide whether a sum is zero."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.errors import EvaluationError

FloatArray = NDArray[np.float64]
ROUNDING = 1e-9
"""Share of a sum of weights by which it may be off after other weights were added and taken away."""


def not_among() -> EvaluationError:
    """Return the error of rows to take away that were not added."""
    return EvaluationError("the rows to take away are not among those that were fitted")


@dataclass(frozen=True, eq=False)
class Tally:
    """Weights of rows by cell; tallies of one shape add and subtract.

    Parameters
    ----------
    weight
        Sums of row weights, of any shape.
    rows
        Numbers of rows of the same shape, or None where every row has weight 1 and the sums are these numbers.
    """

    weight: FloatArray
    rows: NDArray[np.int64] | None = None

    @property
    def number(self) -> NDArray[np.int64]:
        """The numbers of rows."""
        return self.weight.astype(np.int64) if self.rows is None else self.rows

    def merge(self, other: "Tally") -> "Tally":
        """Return the tally of the rows of both; exact for whole weights."""
        both_plain = self.rows is None and other.rows is None
        return Tally(self.weight + other.weight, None if both_plain else self.number + other.number)

    def subtract(self, other: "Tally") -> "Tally":
        """Return the tally without some of its rows; 0 exactly where no row is left.

        Raises
        ------
        EvaluationError
            Where more rows are taken away than there are, or their weights are not those of rows that are there.
        """
        rows, weight = self.number - other.number, self.weight - other.weight
        if (rows < 0).any():
            raise not_among()
        if self.rows is None:
            # each row has weight 1, so that the weights to take away are numbers of rows
            if (other.weight != other.number).any():
                raise not_among()
            return Tally(weight)
        # no row has a weight below 0, and no rows have none but 0
        if (np.where(rows == 0, np.abs(weight), -weight) > ROUNDING * self.weight).any():
            raise not_among()
        # the difference of sums of fractional weights is no exact zero, and may be a little less than that
        return Tally(np.where(rows == 0, 0.0, np.maximum(weight, 0.0)), rows)

    def placed(self, shape: tuple[int, ...], place: Any) -> "Tally":
        """Return a tally of another shape that holds this one at an index expression and is 0 elsewhere."""
        weight = np.zeros(shape)
        weight[place] = self.weight
        if self.rows is None:
            return Tally(weight)
        rows = np.zeros(shape, dtype=np.int64)
        rows[place] = self.rows
        return Tally(weight, rows)

    def taken(self, index: Any) -> "Tally":
        """Return the tally of some of the cells."""
        return Tally(self.weight[index], None if self.rows is None else self.rows[index])


def side_by_side(tallies: list[Tally]) -> Tally:
    """Return tallies joined along their last axis."""
    weight = np.concatenate([tally.weight for tally in tallies], axis=-1)
    if all(tally.rows is None for tally in tallies):
        return Tally(weight)
    return Tally(weight, np.concatenate([tally.number for tally in tallies], axis=-1))
