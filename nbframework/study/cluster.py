"""A Dask cluster that others have started does the work; this module sees to it that nothing is lost or done twice."""

import contextlib
import logging
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import Any

from numpy.typing import NDArray

from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError, PluginError
from nbframework.study.child import slice_in_a_process
from nbframework.study.plan import PlannedData
from nbframework.study.portions import portions
from nbframework.study.provenance import machine
from nbframework.study.work import Failure, FoldResult, Place, Work, remaining
from nbframework.study.workers import a_slice, note_failures, without

Results = list[FoldResult | Failure]

CONNECT_SECONDS = 15.0
"""How long to wait for the scheduler and its first worker."""
LOST_SECONDS = 60.0
"""How long a cluster may be without any worker."""
_LOOK_SECONDS = 1.0
_DECISIVE = ("nbframework", "kernels", "numpy")
"""What has to be the same on all machines for results to be the same to the byte."""
_AT_ONCE = threading.Lock()
"""A worker with several threads does one portion at a time, as time and memory are counted by process."""


def perform_on_cluster(
    works: Sequence[Work], scheduler: str, loaded: Mapping[str, Dataset]
) -> Iterator[FoldResult | Failure | None]:
    """Do all the work on a cluster; yield the results in the order in which they come, None after each portion.

    Dask gives the portion of a worker that dies to another one. A portion that Dask gives up because too many workers
    died of it is done again at the end, each of its tasks alone; a task that is given up then, too, is a failure.

    Parameters
    ----------
    works
        What to do.
    scheduler
        Address of the scheduler.
    loaded
        Data sets that are in memory already, by name; each is sent to a worker once.

    Raises
    ------
    EvaluationError
        Where the cluster cannot be reached, loses all workers or its scheduler, or runs other versions.
    """
    with connected(scheduler) as client:
        desk = _Desk(client, scheduler, loaded)
        left = deque(portions(works, desk.workers()))
        suspects: list[Work] = []
        while left or desk.waiting:
            room = 2 * desk.workers()
            while left and len(desk.waiting) < room:
                work = without(left.popleft(), desk.failed)
                if work is not None:
                    desk.hand_out(work)
            if not desk.waiting:
                continue
            work, results = desk.next()
            if results is None:
                suspects.append(work)
                continue
            yield from results
            yield None
            rest = remaining(work, results)
            if rest is not None:
                left.appendleft(rest)
            desk.forget_data({kept.data.sha256 for kept in left})
        for work in suspects:
            yield from _alone(desk, work)


def _alone(desk: "_Desk", work: Work) -> Iterator[FoldResult | Failure | None]:
    """Do work that may kill its worker, one task at a time while nothing else is done."""
    for assignment in work.assignments:
        one = without(replace(work, assignments=(assignment,)), desk.failed)
        while one is not None:
            desk.hand_out(one)
            _, results = desk.next()
            if results is None:
                where = f"data set {work.data.name}, seed {work.protocol.seed}"
                results = [Failure(assignment.task, f"every worker that Dask gave it to died ({where})")]
            yield from results
            yield None
            one = remaining(one, results)


class _Desk:
    """Hands out portions and takes their results."""

    def __init__(self, client: Any, scheduler: str, loaded: Mapping[str, Dataset]) -> None:
        self.waiting: dict[Any, Work] = {}
        self.failed: dict[int, Place] = {}
        self._client, self._scheduler, self._loaded = client, scheduler, loaded
        self._data: dict[tuple[str, str], Any] = {}
        self._done: SimpleQueue[Any] = SimpleQueue()

    def workers(self) -> int:
        """Return the number of worker processes, at least 1 since some may come back."""
        if self._client.status != "running":
            raise self._gone()
        try:
            return max(1, len(self._client.nthreads()))
        except (OSError, TimeoutError) as error:
            raise self._gone() from error

    def hand_out(self, work: Work) -> None:
        """Give a portion to the cluster."""
        data = self._sent(work.data)
        future = self._client.submit(_portion, work, data, pure=False)
        self.waiting[future] = work
        future.add_done_callback(self._done.put)

    def next(self) -> tuple[Work, Results | None]:
        """Wait for a portion; its results are None where too many workers died of it, or with its results."""
        from distributed import CancelledError, KilledWorker  # type: ignore[import-not-found,unused-ignore]  # an extra

        future = self._finished()
        work = self.waiting.pop(future)
        try:
            # results stay with the worker until they are taken, so that they may have to be computed again even now
            results: Results = future.result()
        except KilledWorker:
            self._data.pop(_key(work.data), None)
            return work, None
        except CancelledError as error:
            raise self._gone() from error
        note_failures(self.failed, results)
        return work, results

    def forget_data(self, needed: set[str]) -> None:
        """Let the cluster forget the data sets that no portion needs any more."""
        needed = needed | {work.data.sha256 for work in self.waiting.values()}
        for key in [key for key in self._data if key[0] not in needed]:
            del self._data[key]

    def _sent(self, data: PlannedData) -> Any:
        key = _key(data)
        if key not in self._data:
            dataset = self._loaded.get(data.name)
            # as a task, and not scattered: Dask makes it again where all workers that had it are gone
            self._data[key] = self._client.submit(_itself, data.read() if dataset is None else dataset, pure=False)
        return self._data[key]

    def _finished(self) -> Any:
        lost = 0.0
        while True:
            try:
                return self._done.get(timeout=_LOOK_SECONDS)
            except Empty:
                pass
            if self._client.status != "running":
                raise self._gone()
            with contextlib.suppress(OSError, TimeoutError):
                lost = 0.0 if self._client.nthreads() else lost + _LOOK_SECONDS
            if lost > LOST_SECONDS:
                text = f"no worker for {LOST_SECONDS:g} s; results so far are kept"
                raise EvaluationError(f"{self._scheduler}: {text}")

    def _gone(self) -> EvaluationError:
        return EvaluationError(f"{self._scheduler}: the scheduler is gone; results so far are kept")


def _key(data: PlannedData) -> tuple[str, str]:
    return data.sha256, data.class_attribute


@contextlib.contextmanager
def connected(scheduler: str) -> Iterator[Any]:
    """Give a client of a cluster that has workers with the same software as this process.

    Raises
    ------
    EvaluationError
        Where there is no such cluster.
    """
    try:
        import dask  # type: ignore[import-not-found,unused-ignore]  # an extra
        from distributed import Client  # type: ignore[import-not-found,unused-ignore]
    except ImportError as error:
        raise EvaluationError("--engine dask needs Dask: pip install 'nbframework[dask]'") from error
    settings = {"distributed.admin.large-graph-warning-threshold": "1TB", "distributed.comm.timeouts.connect": "15s"}
    with dask.config.set(settings), _silent("distributed"):
        try:
            connect: Any = Client
            client = connect(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise EvaluationError(f"{scheduler}: no Dask scheduler there ({error})") from error
        with client:
            try:
                client.wait_for_workers(1, timeout=CONNECT_SECONDS)
            except TimeoutError as error:
                raise EvaluationError(f"{scheduler}: the cluster has no worker") from error
            _check_software(client, scheduler)
            yield client


@contextlib.contextmanager
def _silent(name: str) -> Iterator[None]:
    """Keep a library from logging what is raised as an error, too; its modules' loggers have levels of their own."""
    modules = [found for found in logging.root.manager.loggerDict if found.startswith(f"{name}.")]
    before = {logger: logger.level for logger in map(logging.getLogger, [name, *modules])}
    for logger in before:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in before.items():
            logger.setLevel(level)


def _check_software(client: Any, scheduler: str) -> None:
    """Refuse workers whose results could differ from those of this machine."""
    mine = _software()
    for worker, found in client.run(_software, on_error="return").items():
        if isinstance(found, Exception):
            raise PluginError(f"{scheduler}: worker {worker} cannot load nbframework ({found})")
        for name, version in mine.items():
            if found[name] != version:
                raise EvaluationError(f"{scheduler}: worker {worker} has {name} {found[name]}, here it is {version}")


def _software() -> dict[str, Any]:
    found = machine()
    return {name: found[name] for name in _DECISIVE}


def _itself(dataset: Dataset) -> Dataset:
    """Return the data set; in a worker, which keeps it for the portions that come."""
    return aligned(dataset)


def aligned(dataset: Dataset) -> Dataset:
    """Return the data set with every array where its numbers can be read as they are; copied where it was elsewhere.

    What comes over the wire is put down at any byte, and the compiled kernels refuse such arrays.
    """
    weights = dataset.row_weights
    if all(array.flags.aligned for array in (*dataset.columns, *([] if weights is None else [weights]))):
        return dataset
    columns = tuple(_at_its_place(column) for column in dataset.columns)
    return replace(dataset, columns=columns, row_weights=None if weights is None else _at_its_place(weights))


def _at_its_place(array: NDArray[Any]) -> NDArray[Any]:
    if array.flags.aligned:
        return array
    copied = array.copy()
    copied.flags.writeable = False
    return copied


def _portion(work: Work, dataset: Dataset) -> Results:
    """Do a slice of the work; in a thread of a worker, one at a time."""
    dataset = aligned(dataset)
    with _AT_ONCE:
        if work.limits.seconds is None and work.limits.memory_mb is None:
            return a_slice(work, dataset)
        return slice_in_a_process(work, dataset)
