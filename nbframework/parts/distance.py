"""The contract of distances between rows."""

import abc
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nbframework.parts.base import Part
from nbframework.parts.rows import Rows, Training

FloatArray = NDArray[np.float64]


class FittedDistance(abc.ABC):
    """A distance that knows the training rows (their ranges, their value statistics)."""

    @abc.abstractmethod
    def between(self, queries: Rows) -> FloatArray:
        """Return (q, n) distances from each query to each training row; equal rows have equal distances.

        Callers ask for blocks of queries that fit in memory.
        """


@dataclass(frozen=True, kw_only=True)
class Distance(Part):
    """Decides how far two rows are apart; a parameter of neighbourhoods."""

    kind: ClassVar[str] = "distance"

    @abc.abstractmethod
    def fit(self, training: Training) -> FittedDistance:
        """Learn what the distance needs from the training rows."""
