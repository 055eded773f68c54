"""Everything that a recipe learns from training rows, as sums: those of rows in pieces are those of all of them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from nbframework.data.attribute import Attribute
from nbframework.data.codes import block_offset
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError
from nbframework.statistics.moments import Moments
from nbframework.statistics.pairs import first_value
from nbframework.statistics.tally import ROUNDING, Tally, not_among
from nbframework.statistics.value_table import ValueTable

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class TrainingStatistics:
    """Sums over training rows; those of two sets of rows add up, and those of some of the rows can be taken away.

    Parameters
    ----------
    schema
        The attributes and values, without rows.
    cuts
        Cut points of numeric inputs that are counted like nominal ones, by position among the inputs.
    unlabelled
        Number of rows of positive weight that were left out because their class is unknown.
    weightless
        Number of rows of weight 0, which were left out as well.
    usable
        (C,) rows of known class and positive weight.
    learned
        (C,) those of them that the missing policy keeps.
    coded_inputs
        (c,) positions of the counted inputs.
    cardinality
        (c,) their numbers of values.
    cells
        (C, B) rows by class and code, in the layout of `Counts`, before the missing policy moves any code.
    pairs
        (C, K, K) rows by class and two values, or None; K values, and *unknown* behind those of each input where
        ``unknown_pairs`` says so.
    unknown_pairs
        Whether *unknown* is counted in pairs.
    measured_inputs
        (d,) positions of the other numeric inputs.
    moments
        Of these, or None.
    tables
        The d tables of their values, or none.
    """

    schema: Dataset
    cuts: Mapping[int, FloatArray]
    unlabelled: int
    weightless: int
    usable: Tally
    learned: Tally
    coded_inputs: IntArray
    cardinality: tuple[int, ...]
    cells: Tally
    pairs: Tally | None
    unknown_pairs: bool
    measured_inputs: IntArray
    moments: Moments | None
    tables: tuple[ValueTable, ...]

    @property
    def class_count(self) -> int:
        """C."""
        return len(self.usable.weight)

    @property
    def pair_sizes(self) -> tuple[int, ...]:
        """(c,) numbers of places of the counted inputs in ``pairs``."""
        return tuple(size + int(self.unknown_pairs) for size in self.cardinality)

    def merge(self, other: "TrainingStatistics") -> "TrainingStatistics":
        """Return the statistics of the rows of both; values that only one of them declares are added to the schema.

        Raises
        ------
        EvaluationError
            Where they have other attributes or cut points.
        """
        schema = united(self.schema, other.schema)
        left_out = self.unlabelled + other.unlabelled, self.weightless + other.weightless
        return _combined(self.under(schema), other.under(schema), "merge", left_out)

    def subtract(self, other: "TrainingStatistics") -> "TrainingStatistics":
        """Return the statistics without some of the rows; what no row is left of is exactly 0.

        Raises
        ------
        EvaluationError
            Where these rows are seen not to be among the others, or too many distinct values were put together.
        """
        schema = united(self.schema, other.schema)
        if schema.attributes != self.schema.attributes:
            raise EvaluationError("the rows to take away have values that those that were fitted do not declare")
        for position, table in zip(self.measured_inputs, self.tables, strict=False):
            if not table.is_exact:
                name = self.schema.inputs[position].name
                raise EvaluationError(f"attribute {name!r} has too many distinct values to take rows away")
        if other.unlabelled > self.unlabelled:
            raise EvaluationError(
                f"{other.unlabelled} rows without a class are to be taken away, and there are {self.unlabelled}"
            )
        # rows of weight 0 are told from no rows at all, and are not counted beyond that
        left_out = self.unlabelled - other.unlabelled, max(0, self.weightless - other.weightless)
        left = _combined(self, other.under(schema), "subtract", left_out)
        _check_moments(left, self.learned.weight)
        return left

    def under(self, schema: Dataset) -> "TrainingStatistics":
        """Return the statistics under a schema that declares all values of their own, and maybe more."""
        if schema.attributes == self.schema.attributes:
            return self
        classes = _places(self.schema.class_attribute, schema.class_attribute)
        count = schema.class_attribute.cardinality
        values, sizes = [], []
        for position, size in zip(self.coded_inputs.tolist(), self.cardinality, strict=True):
            old, new = self.schema.inputs[position], schema.inputs[position]
            values.append(_places(old, new) if old.is_nominal else np.arange(size))
            sizes.append(new.cardinality if old.is_nominal else size)
        moved = replace(
            self,
            schema=schema,
            usable=self.usable.placed((count,), classes),
            learned=self.learned.placed((count,), classes),
            cardinality=tuple(sizes),
            moments=None if self.moments is None else self.moments.of_classes(classes, count),
            tables=tuple(table.of_classes(classes, count) for table in self.tables),
        )
        offset, first = block_offset(sizes), first_value(moved.pair_sizes)
        of_cells = _joined([np.append(v, [s, s + 1]) for v, s in zip(values, sizes, strict=True)], offset)
        cells = self.cells.placed((count, int(offset[-1])), np.ix_(classes, of_cells))
        pairs = None
        if self.pairs is not None:
            extra = [[s] if self.unknown_pairs else [] for s in sizes]
            of_pairs = _joined([np.append(v, e) for v, e in zip(values, extra, strict=True)], first)
            shape = (count, int(first[-1]), int(first[-1]))
            pairs = self.pairs.placed(shape, np.ix_(classes, of_pairs, of_pairs))
        return replace(moved, cells=cells, pairs=pairs)


def united(first: Dataset, second: Dataset) -> Dataset:
    """Return the schema of two data sets: the values of the first, then those that only the second declares.

    Raises
    ------
    EvaluationError
        Where they have other attributes, or another class.
    """
    if first.attributes == second.attributes and first.class_index == second.class_index:
        return first.schema
    same_names = [a.name for a in first.attributes] == [a.name for a in second.attributes]
    if not same_names or first.class_index != second.class_index:
        raise EvaluationError("further rows need the attributes and the class of those that were fitted")
    attributes = [_united(*pair) for pair in zip(first.attributes, second.attributes, strict=True)]
    nothing: list[list[Any]] = [[] for _ in attributes]
    return Dataset.from_columns(attributes, nothing, first.class_attribute.name, name=first.name)


def _united(first: Attribute, second: Attribute) -> Attribute:
    if first.kind != second.kind or first.weight != second.weight:
        raise EvaluationError(
            f"attribute {first.name!r} is {second.kind} of weight {second.weight:g} in further rows, expected "
            f"{first.kind} of weight {first.weight:g}"
        )
    if first.values is None or second.values is None or first.values == second.values:
        return first
    further = [value for value in second.values if value not in first.code_of]
    return Attribute.nominal(first.name, (*first.values, *further), first.weight)


def _places(old: Attribute, new: Attribute) -> IntArray:
    """Return the (v,) codes that the old values have among the new ones."""
    return np.array([new.code_of[value] for value in old.values or ()], dtype=np.intp)


def _joined(codes: list[NDArray[Any]], first: IntArray) -> IntArray:
    """Return blocks of codes behind each other, each shifted to its first place."""
    blocks = [block + start for block, start in zip(codes, first[:-1], strict=True)]
    return np.concatenate([np.empty(0, dtype=np.intp), *blocks]).astype(np.intp)


def _combined(
    mine: TrainingStatistics, theirs: TrainingStatistics, how: Literal["merge", "subtract"], left_out: tuple[int, int]
) -> TrainingStatistics:
    """Return statistics of one schema added or subtracted, part by part; ``left_out`` are unlabelled and weightless."""
    _check_cuts(mine, theirs)

    def both(first: Any, second: Any) -> Any:
        return None if first is None else getattr(first, how)(second)

    return replace(
        mine,
        unlabelled=left_out[0],
        weightless=left_out[1],
        usable=both(mine.usable, theirs.usable),
        learned=both(mine.learned, theirs.learned),
        cells=both(mine.cells, theirs.cells),
        pairs=both(mine.pairs, theirs.pairs),
        moments=both(mine.moments, theirs.moments),
        tables=tuple(both(*pair) for pair in zip(mine.tables, theirs.tables, strict=True)),
    )


def _check_moments(left: TrainingStatistics, before: FloatArray) -> None:
    """Raise EvaluationError where the moments that are left are those of no rows; ``before`` are the (C,) weights."""
    if left.moments is None:
        return
    # an attribute may be unknown in some of the rows, but is not known in more than all of them
    beyond = left.moments.weight > (left.learned.weight + ROUNDING * before)[:, np.newaxis]
    wrong = np.argwhere(left.moments.of_no_rows(left.learned.number) | beyond)
    if len(wrong):
        code, column = wrong[0].tolist()
        name = left.schema.inputs[int(left.measured_inputs[column])].name
        label = left.schema.class_values[code]
        raise EvaluationError(f"attribute {name!r}, class {label!r}: {not_among()}")


def _check_cuts(mine: TrainingStatistics, theirs: TrainingStatistics) -> None:
    for position in sorted({*mine.cuts, *theirs.cuts}):
        if not np.array_equal(mine.cuts.get(position, np.nan), theirs.cuts.get(position, np.nan)):
            name = mine.schema.inputs[position].name
            raise EvaluationError(
                f"attribute {name!r}: its cut points were learned from the rows so far; with further ones they would "
                "be others, and the counts of the intervals do not say where"
            )
