"""The counts of the whole training set under cut points that groups of its rows have learned for themselves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.encoding import Encoder, encodes_plainly
from nbframework.data.attribute import code_dtype
from nbframework.data.codes import Codes, block_offset
from nbframework.parts.discretizer import Discretizer
from nbframework.parts.rows import Training
from nbframework.statistics.counts import Counts, from_cells

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class ColumnTable:
    """One input of the training rows against the class.

    Parameters
    ----------
    values
        (d,) distinct known numbers in ascending order, or the codes of a nominal input.
    weight
        (d, C) weight of the rows that have each of them.
    unknown
        (C,) weight of the rows that do not know the input.
    """

    values: FloatArray
    weight: FloatArray
    unknown: FloatArray

    @cached_property
    def below(self) -> FloatArray:
        """(d + 1, C) weight of the rows that have one of the first values, for each number of these."""
        return np.concatenate([np.zeros((1, self.weight.shape[1])), np.cumsum(self.weight, axis=0)])

    def under(self, discretizer: Discretizer, cuts: Sequence[FloatArray], own: FloatArray, size: int) -> FloatArray:
        """Return the (g, size + 2, C) table under the cut points of each of g groups, padded to ``size`` values.

        Parameters
        ----------
        discretizer
            Encodes values against cut points.
        cuts
            The cut points of each group.
        own
            (g,) number of values in each group.
        size
            The largest of them.
        """
        table = np.zeros((len(cuts), size + 2, len(self.unknown)))
        table[:, size + 1] = self.unknown
        if encodes_plainly(discretizer):
            # a running sum, so that an interval costs two look-ups however many rows there are
            edges = np.empty((len(cuts), size + 1, len(self.unknown)))
            edges[:] = self.below[-1]
            edges[:, 0] = 0.0
            count = own.astype(np.intp) - 1
            inside = np.arange(size) < count[:, np.newaxis]
            place = np.searchsorted(self.values, np.concatenate(cuts), side="right")
            edges[:, 1:][inside] = self.below[place]
            np.subtract(edges[:, 1:], edges[:, :-1], out=table[:, :size])
            return table
        for group, points in enumerate(cuts):
            codes = discretizer.encode(self.values, points)
            np.add.at(table[group], np.where(codes >= own[group], size, codes), self.weight)
        return table


@dataclass(frozen=True, eq=False)
class TrainingTables:
    """The training rows, each input counted once, whose counts under any cut points are then at hand.

    Parameters
    ----------
    encoder
        Its discretizer learns cut points inside groups.
    training
        n rows without groups.
    """

    encoder: Encoder
    training: Training

    def under(self, cuts: Mapping[int, Sequence[FloatArray]], own: FloatArray, sizes: Sequence[int]) -> Counts:
        """Return the (g, C, B) counts of all training rows, with the missing policy's denominators.

        Parameters
        ----------
        cuts
            For each numeric input, by its position, the cut points of each of g groups.
        own
            (g, c) number of values of each coded input in each group.
        sizes
            (c,) the largest of them, which all groups are padded to.
        """
        cells = self._cells(self._weighted, cuts, own, sizes)
        support = None
        if self.training.counts.support is not None:
            support = np.rint(self._cells(self._counted, cuts, own, sizes)).astype(np.int64)
            # a difference of sums of fractional weights is no exact zero
            cells[support == 0] = 0.0
        offset, target, grown = self._moved(sizes)
        if target is not None:
            cells, support = _at(cells, target, offset), None if support is None else _at(support, target, offset)
        class_weight = np.repeat(self.training.counts.class_weight[np.newaxis], len(own), axis=0)
        counts = from_cells(cells, offset, class_weight, own + grown, support)
        return self.encoder.missing.denominators(counts)

    @cached_property
    def _weighted(self) -> tuple[ColumnTable, ...]:
        return self._tables(self.training.weights)

    @cached_property
    def _counted(self) -> tuple[ColumnTable, ...]:
        return self._tables(np.ones(len(self.training)))

    def _tables(self, weights: FloatArray) -> tuple[ColumnTable, ...]:
        training, dataset = self.training, self.training.dataset
        columns = [dataset.input_columns[position] for position in training.coded_inputs.tolist()]
        measured = [position in self.encoder.cuts for position in training.coded_inputs.tolist()]
        sizes = [dataset.inputs[position].cardinality for position in training.coded_inputs.tolist()]
        return tuple(
            _numeric(column, training, weights) if is_numeric else _nominal(column, size, training, weights)
            for column, is_numeric, size in zip(columns, measured, sizes, strict=True)
        )

    def _cells(
        self,
        tables: Sequence[ColumnTable],
        cuts: Mapping[int, Sequence[FloatArray]],
        own: FloatArray,
        sizes: Sequence[int],
    ) -> FloatArray:
        """Return the (g, C, B) cells before the missing policy moves any."""
        offset = block_offset(sizes)
        cells = np.empty((len(own), self.training.class_count, int(offset[-1])))
        for index, (position, table) in enumerate(zip(self.training.coded_inputs.tolist(), tables, strict=True)):
            block = cells[:, :, offset[index] : offset[index + 1]]
            if position in cuts:
                found = table.under(self.encoder.discretizer, cuts[position], own[:, index], sizes[index])
                block[:] = found.swapaxes(1, 2)
            else:
                block[:] = np.append(table.weight, table.unknown[np.newaxis], axis=0).T
        return cells

    def _moved(self, sizes: Sequence[int]) -> tuple[IntArray, IntArray | None, FloatArray]:
        """Return the offset after the missing policy, which cell each one becomes, and how many values are added.

        The cells are None where all stay where they are.
        """
        if not self.encoder.recodes:
            return block_offset(sizes), None, np.zeros(len(sizes))
        # one row for each code shows what the policy makes of it
        most = max(sizes, default=0) + 2
        columns = tuple(np.minimum(np.arange(most), size + 1).astype(code_dtype(size)) for size in sizes)
        codes = self.encoder.missing.recode(Codes(columns, tuple(sizes), most))
        moved = [
            first + column[: size + 2].astype(np.intp)
            for first, column, size in zip(codes.offset[:-1], codes.columns, sizes, strict=True)
        ]
        target = np.concatenate(moved) if moved else np.empty(0, dtype=np.intp)
        return codes.offset, target, np.asarray(codes.cardinality, dtype=np.float64) - np.asarray(sizes)


def _numeric(column: FloatArray, training: Training, weights: FloatArray) -> ColumnTable:
    known = ~np.isnan(column)
    values, place = np.unique(column[known], return_inverse=True)
    table = _against_class(place, len(values), training, weights, known)
    none = np.zeros(int((~known).sum()), dtype=np.intp)
    return ColumnTable(values, table, _against_class(none, 1, training, weights, ~known)[0])


def _nominal(column: NDArray[np.unsignedinteger], size: int, training: Training, weights: FloatArray) -> ColumnTable:
    table = _against_class(column.astype(np.intp), size + 2, training, weights, np.ones(len(column), dtype=bool))
    return ColumnTable(np.arange(size + 1, dtype=np.float64), table[:-1], table[-1])


def _against_class(
    place: IntArray, size: int, training: Training, weights: FloatArray, rows: NDArray[np.bool_]
) -> FloatArray:
    """Return the (size, C) weight of some rows by their place and class."""
    key = place * training.class_count + training.classes[rows]
    table = np.bincount(key, weights=weights[rows], minlength=size * training.class_count)
    return table.reshape(size, training.class_count).astype(np.float64)


def _at(cells: NDArray[Any], target: IntArray, offset: IntArray) -> NDArray[Any]:
    """Return the cells where the missing policy wants them; what comes to the same place is added up."""
    moved = np.zeros((int(offset[-1]), *cells.shape[:-1]), dtype=cells.dtype)
    np.add.at(moved, target, np.moveaxis(cells, -1, 0))
    return np.ascontiguousarray(np.moveaxis(moved, 0, -1))
