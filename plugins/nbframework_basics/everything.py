"""Neighbourhood everything: one model for all queries."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from nbframework.authoring import FittedNeighbourhood, Neighbourhood, Neighbours, Rows, Training, hookimpl


@dataclass(frozen=True, kw_only=True)
class Everything(Neighbourhood):
    """Let every training row speak for every query, as loudly as its own weight."""

    name: ClassVar[str] = "everything"
    is_global: ClassVar[bool] = True

    def fit(self, training: Training) -> FittedNeighbourhood:
        """Return the training rows as everybody's neighbours."""
        return AllRows(training)


class AllRows(FittedNeighbourhood):
    """All training rows for each query."""

    def around(self, queries: Rows) -> Neighbours:
        """Return every training row for each query."""
        count = len(self.training)
        start = np.arange(len(queries) + 1) * count
        return Neighbours(start, np.tile(np.arange(count), len(queries)), np.zeros(start[-1]))


@hookimpl
def nbframework_neighbourhoods() -> list[type[Neighbourhood]]:
    """Register the neighbourhood."""
    return [Everything]
