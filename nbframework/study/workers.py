"""Worker processes: joblib does the work, this module sees to it that a dying worker costs its own task only."""

import contextlib
import itertools
import os
import re
import tempfile
import threading
import time
import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from nbframework.data.dataset import Dataset
from nbframework.errors import DataWarning
from nbframework.evaluation.memory import keep_freed_memory
from nbframework.study.portions import portions
from nbframework.study.work import Failure, FoldResult, Place, Work, perform, remaining

SLICE_SECONDS = 5.0
"""A worker hands over its results after this time and is given the rest of its work again."""
PARENT_SECONDS = 1.0
"""How often a worker looks whether the process that it works for is still there."""
_WATCH = "nbframework-parent"
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
    desk = _Desk(portions(works, workers))
    with tempfile.TemporaryDirectory(prefix="nbframework-") as folder:
        marks = Path(folder)
        while desk.left:
            try:
                for index, results in _parallel(desk.handed_out(), workers, marks):
                    desk.take_back(index, results)
                    yield from results
                    yield None
            except Exception as error:  # how a worker dies depends on the library that runs it
                if not _is_death(error):
                    raise
                started = {int(mark.name) for mark in marks.iterdir()}
                for work in desk.suspects(started):
                    yield from _alone(work, desk.failed, marks)
            for mark in marks.iterdir():
                mark.unlink()


def start_workers(workers: int) -> threading.Thread:
    """Let worker processes start and import what they need; return the thread that ends when they have.

    Whoever works with as many of them within some minutes finds them ready.
    """
    thread = threading.Thread(target=_start, args=(workers,))
    thread.start()
    return thread


def _start(workers: int) -> None:
    from joblib import Parallel, delayed

    # what goes wrong here goes wrong in `perform_all`, too, which reports it
    with contextlib.suppress(Exception), pool(workers):
        Parallel(batch_size=1)(delayed(end_with_parent)(os.getpid()) for _ in range(workers))


def end_with_parent(parent: int) -> None:
    """Let this worker end when the process that it works for does, even where that one was killed.

    A worker that waits to hand over results, or for more work, would wait for ever.
    """
    if any(thread.name == _WATCH for thread in threading.enumerate()) or not hasattr(os, "getppid"):
        return
    threading.Thread(target=_watch, args=(parent,), name=_WATCH, daemon=True).start()


def _watch(parent: int) -> None:
    # an orphan is given another parent; Windows names the dead one for ever
    while os.getppid() == parent:
        time.sleep(PARENT_SECONDS)
    os._exit(1)


class _Desk:
    """Hands out portions, and knows what is left and what is with the workers."""

    def __init__(self, works: Sequence[Work]) -> None:
        self.left = deque(works)
        self.failed: dict[int, Place] = {}
        self._out: dict[int, Work] = {}

    def handed_out(self) -> Iterator[tuple[int, Work]]:
        """Yield portions with their numbers while there are any; joblib's threads draw them as workers want more."""
        numbers = itertools.count()
        while self.left:
            work = without(self.left.popleft(), self.failed)
            if work is not None:
                number = next(numbers)
                self._out[number] = work
                yield number, work

    def take_back(self, number: int, results: Sequence[FoldResult | Failure]) -> None:
        """Note what was done; the rest of the portion is the next one to be handed out."""
        note_failures(self.failed, results)
        rest = remaining(self._out.pop(number), results)
        if rest is not None:
            self.left.appendleft(rest)

    def suspects(self, started: set[int]) -> list[Work]:
        """Return the portions that a worker had begun and not finished; the others are left again."""
        begun = [self._out[number] for number in sorted(started & self._out.keys())]
        self.left.extendleft(self._out[number] for number in sorted(self._out.keys() - started, reverse=True))
        self._out.clear()
        return begun


def _parallel(
    numbered: Iterable[tuple[int, Work]], workers: int, marks: Path
) -> Iterator[tuple[int, list[FoldResult | Failure]]]:
    from joblib import Parallel, delayed

    with pool(workers):
        # each worker has a portion waiting, so that it need not wait for this process
        yield from Parallel(return_as="generator_unordered", batch_size=1, pre_dispatch="2 * n_jobs")(
            delayed(_portion)(number, work, marks, os.getpid()) for number, work in numbered
        )


@contextlib.contextmanager
def pool(workers: int) -> Iterator[None]:
    """Let joblib use this many processes, each with native thread pools of one thread."""
    from joblib import parallel_config

    with parallel_config(backend="loky", n_jobs=workers, inner_max_num_threads=1):
        yield


def _portion(number: int, work: Work, marks: Path, parent: int) -> tuple[int, list[FoldResult | Failure]]:
    """Do as much of the work as fits into a slice of time; in a worker."""
    end_with_parent(parent)
    keep_freed_memory()
    (marks / str(number)).touch()
    with warnings.catch_warnings():
        # who planned the work has been told
        warnings.simplefilter("ignore", DataWarning)
        return number, a_slice(work)


def a_slice(work: Work, dataset: Dataset | None = None) -> list[FoldResult | Failure]:
    """Return the results of as much of the work as fits into a slice of time."""
    started = time.monotonic()
    results: list[FoldResult | Failure] = []
    for result in perform(work, dataset):
        results.append(result)
        if time.monotonic() - started > SLICE_SECONDS:
            break
    return results


def _alone(work: Work, failed: dict[int, Place], marks: Path) -> Iterator[FoldResult | Failure]:
    """Do work that may kill its worker, one task at a time, each in a process of its own."""
    for assignment in work.assignments:
        one = without(replace(work, assignments=(assignment,)), failed)
        while one is not None:
            try:
                results = [result for _, found in _parallel([(0, one)], 2, marks) for result in found]
            except Exception as error:  # as above
                if not _is_death(error):
                    raise
                results = [Failure(assignment.task, _died(error, work))]
            note_failures(failed, results)
            yield from results
            one = remaining(one, results)


def note_failures(failed: dict[int, Place], results: Sequence[FoldResult | Failure]) -> None:
    """Add the first fold at which each task failed."""
    for result in results:
        if isinstance(result, Failure):
            failed[result.task] = min(result.place, failed.get(result.task, result.place))


def without(work: Work, failed: Mapping[int, Place]) -> Work | None:
    """Return the work without tasks that have failed at an earlier fold, or None where nothing is left.

    Earlier folds are still done, so that the failure which is reported is the first one, whoever finds one first.
    """
    kept = tuple(
        assignment
        for assignment in work.assignments
        if assignment.task not in failed or min(assignment.missing) < failed[assignment.task]
    )
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
