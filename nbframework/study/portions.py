"""Work cut into portions, so that several workers are busy up to the end and share what recipes have in common."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from nbframework.study.work import Place, Work

T = TypeVar("T")
PORTIONS = 16
"""Portions that each worker gets of a whole study, about; the last ones are what the others may have to wait for."""


def portions(works: Sequence[Work], workers: int) -> list[Work]:
    """Cut work into portions of some repeats, of some folds where repeats are few, of tasks where folds are, too.

    All recipes of a study stay together in a portion, since they share their work fold by fold; a task with a limit of
    time of its own is one portion. Large data sets come first, so that no worker is left with one at the end.

    Parameters
    ----------
    works
        The work of each data set.
    workers
        Number of workers.
    """
    wanted = max(workers, -(-PORTIONS * workers // max(1, len(works))))
    found: list[Work] = []
    for work in works:
        found += _by_task(work) if work.limits.seconds is not None else _by_place(work, wanted)
    if len(found) < 2 * workers:
        found = [one for work in found for one in _by_task(work)]
    return sorted(found, key=lambda work: -work.data.rows * work.data.attributes)


def _by_task(work: Work) -> list[Work]:
    return [replace(work, assignments=(assignment,)) for assignment in work.assignments]


def _by_place(work: Work, wanted: int) -> list[Work]:
    """Return about as many portions as wanted, whole repeats where there are enough of them."""
    places = sorted({place for assignment in work.assignments for place in assignment.missing})
    repeats = sorted({repeat for repeat, _ in places})
    if work.predictions:
        # a worker keeps what it has predicted until it hands it over
        wanted = max(wanted, len(repeats))
    if len(repeats) >= wanted:
        runs = [set(run) for run in _runs(repeats, wanted)]
        return [_part(work, {place for place in places if place[0] in run}) for run in runs]
    return [_part(work, set(run)) for run in _runs(places, min(wanted, len(places)))]


def _runs(items: Sequence[T], count: int) -> list[Sequence[T]]:
    """Cut a sequence into runs whose lengths differ by at most 1."""
    edges = [len(items) * index // count for index in range(count + 1)]
    return [items[first:last] for first, last in itertools.pairwise(edges)]


def _part(work: Work, places: set[Place]) -> Work:
    mine = [replace(assignment, missing=assignment.missing & places) for assignment in work.assignments]
    return replace(work, assignments=tuple(assignment for assignment in mine if assignment.missing))
