"""The contract of neighbourhoods: which training rows speak for a query, and how loudly."""

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nbframework.parts.base import Part
from nbframework.parts.closed_form import PowerForm
from nbframework.parts.rows import Rows, Training

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The neighbours of q queries, ragged because ties may be kept.

    Parameters
    ----------
    start
        (q + 1,) the neighbours of query i stand at ``start[i]`` to ``start[i + 1] - 1``.
    row
        (m,) training rows.
    log_weight
        (m,) logarithm of how loudly each speaks; the training row's own weight comes on top.
    """

    start: IntArray
    row: IntArray
    log_weight: FloatArray


class FittedNeighbourhood(abc.ABC):
    """A neighbourhood that knows its training rows.

    Parameters
    ----------
    training
        The rows to search.
    """

    def __init__(self, training: Training) -> None:
        self.training = training

    @abc.abstractmethod
    def around(self, queries: Rows) -> Neighbours:
        """Return the neighbours of each query; blocks are this method's business.

        A query for which no row speaks, or only rows of weight 0, gets the class frequencies of the training set.
        """

    def log_class_weight(self, queries: Rows) -> FloatArray:
        """Return (q, C) log of the summed weights of the neighbours of each class, -inf for a class without any.

        Override it where a fused loop gives the same without listing the neighbours.
        """
        near = self.around(queries)
        count = self.training.class_count
        key = np.repeat(np.arange(len(queries)), np.diff(near.start)) * count + self.training.classes[near.row]
        with np.errstate(divide="ignore"):
            log_weight = near.log_weight + np.log(self.training.weights[near.row])
        top = np.full(len(queries), -np.inf)
        np.maximum.at(top, key // count, log_weight)
        scaled = np.exp(log_weight - np.where(np.isfinite(top), top, 0.0)[key // count])
        total = np.bincount(key, weights=scaled, minlength=len(queries) * count).reshape(len(queries), count)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(total) + np.where(np.isfinite(top), top, 0.0)[:, np.newaxis])

    def log_class_weights(
        self, parameter: str, values: Sequence[float], queries: Rows, left_out: IntArray | None = None
    ) -> FloatArray | None:
        """Return what `log_class_weight` would be for each value of a parameter, or None.

        Override it where one search serves many values; sweeps and tuned recipes ask for it where the structure reads
        nothing but class weights, and fit once for each value where the answer is None.

        Parameters
        ----------
        parameter
            Name of a parameter of the part.
        values
            v of its values, ascending.
        queries
            q rows.
        left_out
            (q,) a training row that is no neighbour of the query, because it is the query itself, or -1; None leaves
            out none.

        Returns
        -------
        (v, q, C), or None.
        """
        del parameter, values, queries, left_out
        return None

    def closed_form(self, queries: Rows) -> PowerForm | None:
        """Return the class weights of q queries as sums of powers with a parameter, or None where they are none.

        Override it to have the parameter as a slider on the evidence page.
        """
        del queries
        return None


@dataclass(frozen=True, kw_only=True)
class Neighbourhood(Part):
    """Decides which training rows speak for a query, and how loudly."""

    kind: ClassVar[str] = "neighbourhood"
    is_global: ClassVar[bool] = False

    @abc.abstractmethod
    def fit(self, training: Training) -> FittedNeighbourhood:
        """Prepare the training rows for searches."""
