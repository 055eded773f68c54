"""Data sets to rows: the fitted missing policy and the cut points at work."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import lt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework import kernels
from nbframework.data.attribute import code_dtype
from nbframework.data.codes import Codes
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError
from nbframework.parts.discretizer import Discretizer
from nbframework.parts.missing import FittedMissingPolicy
from nbframework.parts.rows import Rows

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
FEW_CUTS = 32
"""Up to so many cut points are compared sooner as Python's numbers than as an array."""


class SortedColumns:
    """The measured inputs of a data set, each sorted once, from which any subset of rows comes sorted.

    Parameters
    ----------
    dataset
        Prepared rows.
    """

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset

    @cached_property
    def positions(self) -> tuple[int, ...]:
        """The positions of the measured inputs."""
        return tuple(position for position, attribute in enumerate(self.dataset.inputs) if attribute.is_measured)

    @cached_property
    def values(self) -> tuple[FloatArray, ...]:
        """Their columns."""
        return tuple(self.dataset.input_columns[position] for position in self.positions)

    @cached_property
    def orders(self) -> tuple[IntArray, ...]:
        """For each of them the rows that know it, by ascending value (weighted ones then in row order)."""
        return tuple(self._order(column) for column in self.values)

    def _order(self, column: FloatArray) -> IntArray:
        # fractional weights of equal values are summed in row order
        order = np.argsort(column, kind=None if self.dataset.row_weights is None else "stable")
        return order[: len(column) - int(np.isnan(column).sum())]


def learn_cuts(discretizer: Discretizer, columns: SortedColumns, rows: IntArray | None) -> dict[int, FloatArray]:
    """Return the cut points of each measured input, by its position, learned from the given rows of positive weight."""
    if discretizer.keeps_numeric or not columns.positions:
        return {}
    dataset = columns.dataset
    times = None if rows is None else np.bincount(rows, minlength=len(dataset))
    found = discretizer.fit_columns(columns.values, columns.orders, times, dataset.classes, dataset.row_weights)
    return {position: _checked(discretizer, cuts) for position, cuts in zip(columns.positions, found, strict=True)}


def cut_points(discretizer: Discretizer, values: FloatArray, classes: NDArray[Any], weights: FloatArray) -> FloatArray:
    """Return the discretizer's cut points for ascending values; none where there is no value."""
    if not len(values):
        return np.empty(0)
    for array in (values, classes, weights):
        array.flags.writeable = False
    return _checked(discretizer, discretizer.fit(values, classes, weights))


def _checked(discretizer: Discretizer, given: Any) -> FloatArray:
    cuts = np.asarray(given, dtype=np.float64)
    if cuts.ndim != 1 or not _ascends(cuts):
        raise EvaluationError(
            f"discretizer {discretizer.name!r} returned {cuts!r}; expected finite, strictly ascending cut points"
        )
    return cuts


def _ascends(cuts: FloatArray) -> bool:
    """Whether the cut points are finite and strictly ascending."""
    if len(cuts) > FEW_CUTS:
        return bool(np.isfinite(cuts).all() and (cuts[1:] > cuts[:-1]).all())
    numbers = cuts.tolist()
    if len(numbers) < 2:
        return not numbers or math.isfinite(numbers[0])
    return all(map(lt, numbers, numbers[1:])) and math.isfinite(numbers[0]) and math.isfinite(numbers[-1])


@dataclass(frozen=True)
class InputLayout:
    """What encoding needs to know of the inputs of a data set.

    Parameters
    ----------
    cardinality
        (a,) numbers of declared values.
    others
        The positions of the inputs that declare none.
    """

    cardinality: tuple[int, ...]
    others: tuple[int, ...]

    @classmethod
    def of(cls, dataset: Dataset) -> "InputLayout":
        """Return the layout of a data set."""
        inputs = dataset.inputs
        others = (position for position, attribute in enumerate(inputs) if not attribute.is_nominal)
        return cls(tuple(attribute.cardinality for attribute in inputs), tuple(others))


@dataclass(frozen=True, eq=False)
class Encoder:
    """Turns data sets of one schema into rows.

    Parameters
    ----------
    missing
        The fitted policy.
    discretizer
        Encodes values against cut points.
    cuts
        The cut points of each measured input, by its position; empty where the discretizer keeps numbers.
    """

    missing: FittedMissingPolicy
    discretizer: Discretizer
    cuts: Mapping[int, FloatArray]

    def encode(self, dataset: Dataset, layout: InputLayout | None = None) -> Rows:
        """Return the rows of a prepared data set, whose layout may be known already."""
        known = layout or InputLayout.of(dataset)
        columns: list[NDArray[Any]] = list(dataset.input_columns)
        sizes = list(known.cardinality)
        for position, cuts in self.cuts.items():
            sizes[position] = self.discretizer.cardinality(cuts)
            columns[position] = encoded_column(self.discretizer, columns[position], cuts)
        measured = [position for position in known.others if position not in self.cuts]
        coded = list(range(len(columns)))
        if measured:
            coded = sorted(set(coded).difference(measured))
            columns, sizes = [columns[j] for j in coded], [sizes[j] for j in coded]
        recoded = self.missing.recode(Codes(tuple(columns), tuple(sizes), len(dataset)))
        return Rows(
            dataset,
            None,
            recoded,
            dataset.measured if measured else np.empty((len(dataset), 0)),
            np.array(coded, dtype=np.intp),
            np.array(measured, dtype=np.intp),
        )

    def queries(self, dataset: Dataset) -> Rows:
        """Return the rows of a raw data set that is asked about."""
        return self.encode(self.missing.prepare(dataset))

    @cached_property
    def recodes(self) -> bool:
        """Whether the policy may change codes."""
        return type(self.missing).recode is not FittedMissingPolicy.recode


def encodes_plainly(discretizer: Discretizer) -> bool:
    """Whether codes are the numbers of cut points below a value, and no more than that."""
    part = type(discretizer)
    return (
        not discretizer.keeps_numeric
        and part.encode is Discretizer.encode
        and part.cardinality is Discretizer.cardinality
    )


def encoded_column(discretizer: Discretizer, values: FloatArray, cuts: FloatArray) -> NDArray[Any]:
    """Return the codes of one numeric column, unknown values marked."""
    size = discretizer.cardinality(cuts)
    if type(discretizer).encode is Discretizer.encode:
        return kernels.interval_codes(values, cuts, size + 1, code_dtype(size))
    codes = discretizer.encode(values, cuts).astype(code_dtype(size))
    codes[np.isnan(values)] = size + 1
    return codes
