"""The runner: what is missing, done in this process or by workers, each result stored as it comes."""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from nbframework.errors import EvaluationError
from nbframework.study.plan import Plan, Task
from nbframework.study.standings import Standing, Standings
from nbframework.study.store import Store
from nbframework.study.work import Assignment, Failure, FoldResult, Place, Work, perform, remaining

ALONE_SECONDS = 5.0
"""How long a run works in its own process before it asks whether workers are worth their start."""
Progress = Callable[["State"], None]


@dataclass
class State:
    """How far a run is.

    Parameters
    ----------
    folds, done
        Folds of the whole run, and those that have results.
    before
        Folds that had results when the run began.
    data
        Name of the data set that the last result belongs to.
    failures
        Tasks that failed in this run.
    standing
        How the data set stands where that result was its last one.
    """

    folds: int
    done: int
    before: int
    data: str = ""
    failures: int = 0
    standing: Standing | None = None


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    Parameters
    ----------
    run
        Its number in the store.
    state
        complete, failures or interrupted.
    failures
        (data set, recipe, message) of each task without a complete result.
    folds, before, new
        Folds of all tasks, those that had results before, and those that got them in this run.
    """

    run: int
    state: str
    failures: tuple[tuple[str, str, str], ...]
    folds: int
    before: int
    new: int


def run_plan(
    plan: Plan, store: Store, jobs: int | None = 1, progress: Progress | None = None, scheduler: str = ""
) -> Outcome:
    """Run everything that has no results yet.

    Parameters
    ----------
    plan
        The checked plan.
    store
        Open for writing.
    jobs
        Number of worker processes; 1 works in this process, -1 is one for each core that this process may use. None
        works in this process for `ALONE_SECONDS`, and then with one for each core where as much is left.
    progress
        Called after each result.
    scheduler
        The address of a Dask scheduler, whose workers then do the work, whatever ``jobs`` says; empty for none.

    Raises
    ------
    EvaluationError
        On a number of jobs that makes no sense, or a cluster that cannot do the work.
    KeyboardInterrupt
        After what was finished has been stored.
    """
    workers = _workers(jobs)
    run, numbers = store.begin(plan)
    works, state = _missing(plan, numbers, store)
    task_of = dict(zip(numbers, plan.tasks, strict=True))
    metric = plan.study.metrics[0]
    standings = Standings(task_of, works, metric, store.sums(run, metric) if state.before else {})
    failed: dict[int, Failure] = {}
    try:
        for result in _results(plan, works, workers, jobs is None, scheduler):
            if result is None:
                store.commit()
                continue
            state.data = task_of[result.task].data.name
            if isinstance(result, Failure):
                # several workers may find the same task to fail, each at another fold
                if result.task not in failed or result.place < failed[result.task].place:
                    store.add(result)
                    failed[result.task] = result
                state.failures = len(failed)
            else:
                store.add(result)
                state.done += 1
            state.standing = standings.add(result)
            if progress is not None:
                progress(state)
    except BaseException:
        store.finish(run, "interrupted")
        raise
    ended = "failures" if failed else "complete"
    store.finish(run, ended)
    found = [(number, failure.message) for number, failure in sorted(failed.items())]
    failures = [(task_of[number].data.name, task_of[number].label, text) for number, text in found]
    return Outcome(run, ended, tuple(failures), state.folds, state.before, state.done - state.before)


def prepare(jobs: int | None) -> None:
    """Let the workers of a run that will need them start while it is planned; does nothing without workers.

    Raises EvaluationError as `run_plan` does.
    """
    workers = _workers(jobs)
    if workers > 1 and jobs is not None:
        from nbframework.study.workers import start_workers

        start_workers(workers)


def _workers(jobs: int | None) -> int:
    if jobs is not None and (jobs == 0 or jobs < -1):
        raise EvaluationError(f"{jobs} jobs; expected a number of at least 1, or -1 for one for each core")
    # more processes than cores only take memory and time from each other
    return usable_cores() if jobs in (None, -1) else min(jobs, usable_cores()) if jobs > 1 else 1


def usable_cores() -> int:
    """Return how many cores this process may use."""
    import os

    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _missing(plan: Plan, numbers: Sequence[int], store: Store) -> tuple[list[Work], State]:
    """Return the work that is left, tasks of one data set and protocol together, and the state before it."""
    study = plan.study
    stored = store.done(numbers, study.metrics, study.predictions)
    works, before, total = [], 0, 0
    position = {data.name: index for index, data in enumerate(plan.data)}

    def order(pair: tuple[Task, int]) -> tuple[int, float]:
        return position[pair[0].data.name], pair[0].protocol.training_share

    pairs = sorted(zip(plan.tasks, numbers, strict=True), key=order)
    for _, group in groupby(pairs, key=order):
        together = list(group)
        data, protocol = together[0][0].data, together[0][0].protocol
        assignments: dict[int, Assignment] = {}
        for task, number in together:
            wanted = _places(task)
            total += len(wanted)
            before += len(wanted & stored[number])
            if missing := wanted - stored[number]:
                assignments.setdefault(number, Assignment(number, task.recipe, frozenset(missing)))
        if assignments:
            work = Work(data, protocol, tuple(assignments.values()), study.metrics, study.limits, study.predictions)
            works.append(work)
    return works, State(total, before, before)


def _places(task: Task) -> set[Place]:
    """Return repeat and fold of every fold of a task."""
    repeats = task.repeats
    return {(repeat, fold) for repeat in range(repeats) for fold in range(task.folds // repeats)}


def _results(
    plan: Plan, works: Sequence[Work], workers: int, may_begin_alone: bool, scheduler: str
) -> Iterator[FoldResult | Failure | None]:
    """Yield the results as they come, and None where tasks are finished and should be durable."""
    if scheduler:
        from nbframework.study.cluster import perform_on_cluster

        yield from perform_on_cluster(list(works), scheduler, plan.loaded)
        return
    left = list(works)
    if workers == 1 or may_begin_alone:
        left = yield from _begun(plan, works, workers > 1)
    if left:
        from nbframework.study.workers import perform_all

        yield from perform_all(left, workers)


def _begun(
    plan: Plan, works: Sequence[Work], may_stop: bool
) -> Generator[FoldResult | Failure | None, None, list[Work]]:
    """Yield the results of work that is done in this process; return what is left for workers.

    Nothing is left where it would take less than it took so far, since workers need a second to start.
    """
    started, done = time.monotonic(), 0
    total = sum(len(assignment.missing) for work in works for assignment in work.assignments)
    for place, work in enumerate(works):
        results = []
        for result in perform(work, plan.loaded.get(work.data.name)):
            results.append(result)
            yield result
            done += 1
            elapsed = time.monotonic() - started
            if may_stop and elapsed > ALONE_SECONDS and elapsed / done * (total - done) > ALONE_SECONDS:
                yield None
                rest = remaining(work, results)
                return [*([rest] if rest is not None else []), *works[place + 1 :]]
        yield None
    return []
