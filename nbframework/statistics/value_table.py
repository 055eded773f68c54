"""The distinct values of one numeric attribute with the rows of each class that have them: exact, or a bounded sketch.

As long as there are few distinct values the table is exact. Beyond that, neighbouring values are put together: their
rows move up to the largest of them. How many rows such moves can have carried across any one point is added up on the
way, so that every table knows how far its ranks may be off.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.statistics.tally import Tally, side_by_side

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

EXACT_VALUES = 2**17
"""Distinct values up to which a table is exact."""
KEPT_ENTRIES = 2**16
"""Entries (a value and a class) that a compressed part of a table keeps, about."""
LEAST_VALUES = 2**12


@dataclass(frozen=True, eq=False)
class Entries:
    """Rows of one attribute put together by class and value, in ascending order of value, then class.

    Parameters
    ----------
    value, classes
        (m,) known values and class codes, each pair once.
    tally
        (m,) the rows of each pair.
    moved
        Weight of rows that may have moved across any one point; 0 for exact entries.
    """

    value: FloatArray
    classes: NDArray[Any]
    tally: Tally
    moved: float = 0.0

    @property
    def weight(self) -> float:
        """The weight of all rows."""
        return float(self.tally.weight.sum())


@dataclass(frozen=True, eq=False)
class ValueTable:
    """The values of one attribute by class; tables add, and exact ones subtract.

    Parameters
    ----------
    class_count
        C.
    unknown
        (C,) rows of each class that do not know the attribute.
    parts
        Entries whose sum is the table: those that are exact yet, last; compressed ones before, by falling weight.
    """

    class_count: int
    unknown: Tally
    parts: tuple[Entries, ...] = ()

    @classmethod
    def of(
        cls, values: FloatArray, classes: NDArray[Any], class_count: int, weights: FloatArray | None = None
    ) -> "ValueTable":
        """Return the table of (n,) values, NaN for unknown, with (n,) classes and row weights."""
        known = ~np.isnan(values)
        unknown = _by_class(classes[~known], class_count, None if weights is None else weights[~known])
        if weights is None:
            exact = _of_plain_rows(values[known], classes[known])
        else:
            own = weights[known]
            exact = _together(values[known], classes[known], Tally(own, np.ones(len(own), dtype=np.int64)))
        return cls(class_count, unknown, (exact,))._settled()

    @property
    def is_exact(self) -> bool:
        """Whether no rows were moved."""
        return not self.moved

    @property
    def moved(self) -> float:
        """Weight of rows that may be counted at a value above their own, at most, at any one point.

        For every number t the weight of the rows up to t is at least that of the entries up to t, and exceeds it by
        this much at most.
        """
        return sum(part.moved for part in self.parts)

    @property
    def weight(self) -> float:
        """The weight of the known rows."""
        return sum(part.weight for part in self.parts)

    def entries(self) -> Entries:
        """Return the whole table in order of value, then class."""
        return _sum(self.parts)

    def merge(self, other: "ValueTable") -> "ValueTable":
        """Return the table of the rows of both."""
        parts = (*self.parts, *other.parts)
        exact = [part for part in parts if not part.moved]
        compressed = sorted((part for part in parts if part.moved), key=lambda part: -part.weight)
        together = [_sum(exact)] if exact else []
        return ValueTable(self.class_count, self.unknown.merge(other.unknown), (*compressed, *together))._settled()

    def subtract(self, other: "ValueTable") -> "ValueTable":
        """Return an exact table without some of its rows; values without any row left are gone.

        Raises
        ------
        EvaluationError
            Where these rows are not among its own.
        """
        mine, theirs = self.entries(), other.entries()
        before, taken = _sum([mine, _without_rows(theirs)]), _sum([_without_rows(mine), theirs])
        left = before.tally.subtract(taken.tally)
        kept = left.number > 0
        entries = Entries(before.value[kept], before.classes[kept], left.taken(kept))
        return ValueTable(self.class_count, self.unknown.subtract(other.unknown), (entries,))

    def of_classes(self, place: IntArray, class_count: int) -> "ValueTable":
        """Return the table with class c at ``place[c]`` of ``class_count`` classes."""
        parts = tuple(_together(part.value, place[part.classes], part.tally, part.moved) for part in self.parts)
        return ValueTable(class_count, self.unknown.placed((class_count,), place), parts)

    def _settled(self) -> "ValueTable":
        """Compress exact entries that have become too many, and put compressed parts of similar weight together."""
        parts = list(self.parts)
        kept = max(LEAST_VALUES, KEPT_ENTRIES // self.class_count)
        if parts and not parts[-1].moved and _more_values(parts[-1], EXACT_VALUES):
            parts.append(_compressed(parts.pop(), kept))
            parts.sort(key=lambda part: (not part.moved, -part.weight))
        while (place := _alike(parts)) is not None:
            parts[place : place + 2] = [_compressed(_sum(parts[place : place + 2]), kept)]
        return replace(self, parts=tuple(parts))


def _alike(parts: Sequence[Entries]) -> int | None:
    """Return the last place at which two compressed neighbours differ in weight by less than a factor of two."""
    for place in range(len(parts) - 2, -1, -1):
        if parts[place + 1].moved and parts[place].weight < 2 * parts[place + 1].weight:
            return place
    return None


def _more_values(entries: Entries, limit: int) -> bool:
    return len(entries.value) > limit and int(_begins(entries.value).sum()) > limit


def _compressed(entries: Entries, kept: int) -> Entries:
    """Return the entries with at most ``kept`` + 1 distinct values.

    Neighbouring values are put together where the weight of all but the last of them stays below a ``kept``-th of the
    whole.
    """
    begins = _begins(entries.value)
    first = np.flatnonzero(begins)
    weight = np.add.reduceat(entries.tally.weight, first)
    before = np.cumsum(weight) - weight
    group = np.floor(before * (kept / weight.sum())).astype(np.intp)
    last = np.append(np.flatnonzero(group[1:] != group[:-1]), len(group) - 1)
    start = np.append(0, last[:-1] + 1)
    moved = float((before[last] - before[start]).max())
    top = np.repeat(np.arange(len(last)), last - start + 1)
    count = int(entries.classes.max()) + 1
    key = top[np.cumsum(begins) - 1] * count + entries.classes
    number = np.bincount(key, weights=None if entries.tally.rows is None else entries.tally.rows)
    tally = Tally(np.bincount(key, weights=entries.tally.weight).astype(np.float64))
    if entries.tally.rows is not None:
        tally = Tally(tally.weight, number.astype(np.int64))
    occurs = np.flatnonzero(number)
    value = entries.value[first][last][occurs // count]
    classes = (occurs % count).astype(entries.classes.dtype)
    return Entries(value, classes, tally.taken(occurs), entries.moved + moved)


def _without_rows(entries: Entries) -> Entries:
    """Return entries of the same values and classes that no row has."""
    return replace(entries, tally=Tally(np.zeros(len(entries.value))))


def _begins(value: FloatArray) -> NDArray[np.bool_]:
    """Return where among ascending values another one begins."""
    begins = np.ones(len(value), dtype=bool)
    np.not_equal(value[1:], value[:-1], out=begins[1:])
    return begins


def _sum(parts: Iterable[Entries]) -> Entries:
    """Return the entries of some parts together."""
    parts = list(parts)
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return Entries(np.empty(0), np.empty(0, dtype=np.uint8), Tally(np.empty(0)))
    return _together(
        np.concatenate([part.value for part in parts]),
        np.concatenate([part.classes for part in parts]),
        side_by_side([part.tally for part in parts]),
        sum(part.moved for part in parts),
    )


def _of_plain_rows(value: FloatArray, classes: NDArray[Any]) -> Entries:
    """Return the entries of rows of weight 1; sorting values alone is faster than ordering rows by them."""
    order = np.argsort(classes, kind="stable")
    classes, value = classes[order], value[order]
    parts = []
    border = np.append(np.flatnonzero(_begins(classes)), len(classes)) if len(classes) else [0]
    for low, high in itertools.pairwise(border):
        own = np.sort(value[low:high])
        first = np.flatnonzero(_begins(own))
        weight = np.diff(np.append(first, len(own))).astype(np.float64)
        parts.append(Entries(own[first], np.repeat(classes[low : low + 1], len(first)), Tally(weight)))
    return _sum(parts)


def _together(value: FloatArray, classes: NDArray[Any], tally: Tally, moved: float = 0.0) -> Entries:
    """Return entries of any order, each pair of value and class once, in order."""
    order = np.argsort(value, kind="stable")
    # of equal numbers 0.0 and -0.0 only one remains
    value, classes, tally = value[order] + 0.0, classes[order], tally.taken(order)
    if not len(value):
        return Entries(value, classes, tally, moved)
    key = np.cumsum(_begins(value)) * (int(classes.max()) + 1) + classes
    if (key[1:] < key[:-1]).any():
        order = np.argsort(key, kind="stable")
        value, classes, tally, key = value[order], classes[order], tally.taken(order), key[order]
    first = np.flatnonzero(_begins(key))
    if len(first) == len(key):
        return Entries(value, classes, tally, moved)
    rows = None if tally.rows is None else np.add.reduceat(tally.rows, first)
    return Entries(value[first], classes[first], Tally(np.add.reduceat(tally.weight, first), rows), moved)


def _by_class(classes: NDArray[Any], class_count: int, weights: FloatArray | None) -> Tally:
    number = np.bincount(classes, minlength=class_count)
    if weights is None:
        return Tally(number.astype(np.float64))
    return Tally(
        np.bincount(classes, weights=weights, minlength=class_count).astype(np.float64), number.astype(np.int64)
    )
