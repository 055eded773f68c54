"""Worker processes: joblib does the work, this module sees to it that a dying worker costs its own task only."""

import contextlib
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from nbframework.data.dataset import Dataset
from nbframework.study.work import Failure, FoldResult, Work, perform, remaining

SLICE_SECONDS = 20.0
"""A worker hands over its results after this time and is given the rest of its work again."""
_EXIT = re.compile(r"(EXIT|SIG[A-Z]+)\((-?\d+)\)")


def perform_all(works: Sequence[Work], workers: int) -> Iterator[FoldResult | Failure | None]:
    """Do all the work in worker processes; yield the results in the order in which they come, None after each portion.

    Where a worker dies, everything that was in work is done again, each task alone; a task that kills its worker then,
    too, is a failure that names the exit code.

    Parameters
    ----------
    works
        What to do.
    workers
        Number of processes, at least 2.
    """
    left = portions(works, workers)
    failed: set[int] = set()
    with tempfile.TemporaryDirectory(prefix="nbframework-") as folder:
        marks = Path(folder)
        while left:
            finished: dict[int, list[FoldResult | Failure]] = {}
            died = False
            try:
                for index, results in _parallel(left, workers, marks):
                    finished[index] = results
                    yield from results
                    yield None
            except Exception as error:  # how a worker dies depends on the library that runs it
                died = _is_death(error)
                if not died:
                    raise
            suspects = sorted({int(mark.name) for mark in marks.iterdir()} - set(finished)) if died else []
            for index in suspects:
                finished[index] = []
                for result in _alone(left[index], failed, marks):
                    finished[index].append(result)
                    yield result
            failed |= {r.task for results in finished.values() for r in results if isinstance(r, Failure)}
            rest = [remaining(work, finished.get(index, [])) for index, work in enumerate(left)]
            left = [kept for work in rest if work is not None and (kept := without(work, failed)) is not None]
            for mark in marks.iterdir():
                mark.unlink()


def portions(works: Sequence[Work], workers: int) -> list[Work]:
    """Cut work into portions of one repeat, and into tasks where these are few or have a limit of time of their own.

    Large data sets come first, so that no worker is left with one at the end.
    """
    found = []
    for work in works:
        if work.limits.seconds is not None:
            found += [replace(work, assignments=(assignment,)) for assignment in work.assignments]
            continue
        repeats = sorted({place[0] for assignment in work.assignments for place in assignment.missing})
        for repeat in repeats:
            mine = [
                replace(assignment, missing=frozenset(place for place in assignment.missing if place[0] == repeat))
                for assignment in work.assignments
            ]
            found.append(replace(work, assignments=tuple(a for a in mine if a.missing)))
    if len(found) < 2 * workers:
        found = [replace(work, assignments=(a,)) for work in found for a in work.assignments]
    return sorted(found, key=lambda work: -work.data.rows * work.data.attributes)


def _parallel(works: Sequence[Work], workers: int, marks: Path) -> Iterator[tuple[int, list[FoldResult | Failure]]]:
    from joblib import Parallel, delayed

    with pool(workers):
        yield from Parallel(return_as="generator_unordered", batch_size=1, pre_dispatch="n_jobs")(
            delayed(_portion)(index, work, marks) for index, work in enumerate(works)
        )


@contextlib.contextmanager
def pool(workers: int) -> Iterator[None]:
    """Let joblib use this many processes, each with native thread pools of one thread."""
    from joblib import parallel_config

    with parallel_config(backend="loky", n_jobs=workers, inner_max_num_threads=1):
        yield


def _portion(index: int, work: Work, marks: Path) -> tuple[int, list[FoldResult | Failure]]:
    """Do as much of the work as fits into a slice of time; in a worker."""
    (marks / str(index)).touch()
    return index, a_slice(work)


def a_slice(work: Work, dataset: Dataset | None = None) -> list[FoldResult | Failure]:
    """Return the results of as much of the work as fits into a slice of time."""
    started = time.monotonic()
    results: list[FoldResult | Failure] = []
    for result in perform(work, dataset):
        results.append(result)
        if time.monotonic() - started > SLICE_SECONDS:
            break
    return results


def _alone(work: Work, failed: set[int], marks: Path) -> Iterator[FoldResult | Failure]:
    """Do work that may kill its worker, one task at a time, each in a process of its own."""
    for assignment in work.assignments:
        one = without(replace(work, assignments=(assignment,)), failed)
        while one is not None:
            try:
                results = [result for _, found in _parallel([one], 2, marks) for result in found]
            except Exception as error:  # as above
                if not _is_death(error):
                    raise
                results = [Failure(assignment.task, _died(error, work))]
            yield from results
            one = remaining(one, results)


def without(work: Work, failed: set[int]) -> Work | None:
    """Return the work without tasks that have failed, or None where nothing is left."""
    kept = tuple(assignment for assignment in work.assignments if assignment.task not in failed)
    return replace(work, assignments=kept) if kept else None


def _is_death(error: Exception) -> bool:
    """Whether joblib says that a worker process died."""
    return type(error).__name__ == "TerminatedWorkerError"


def _died(error: Exception, work: Work) -> str:
    """Return the message about a dead worker, with what it needs to be repeated."""
    found = _EXIT.search(str(error))
    how = "for an unknown reason"
    if found is not None:
        how = f"exit code {found[2]}" if found[1] == "EXIT" else f"killed by {found[1]}"
    return f"worker died, {how} (data set {work.data.name}, seed {work.protocol.seed})"
