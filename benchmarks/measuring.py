"""Processor time, memory and growth, measured the same way for everybody."""

import contextlib
import ctypes
import gc
import math
import os
import resource
import statistics
import subprocess
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LONG = 1.0
"""Seconds from which on the first run of a task counts: warming up matters for short ones only."""
ENOUGH = 6.0
"""Seconds after which a task that has its least number of runs is not run again."""
MEGABYTE = 1e6


@dataclass(frozen=True)
class Timing:
    """Processor milliseconds of one task.

    Parameters
    ----------
    median, least, most
        Over the runs.
    runs
        Their number.
    """

    median: float
    least: float
    most: float
    runs: int

    @classmethod
    def of(cls, milliseconds: Sequence[float]) -> "Timing":
        """Return the summary of some runs."""
        return cls(statistics.median(milliseconds), min(milliseconds), max(milliseconds), len(milliseconds))


def timed_together(tasks: Mapping[str, Callable[[], Any]], runs: int = 9, least: int = 3) -> dict[str, Timing]:
    """Return the timing of each task; they take turns, so that all of them see the same state of the machine.

    Parameters
    ----------
    tasks
        What to time, by name.
    runs
        How often each is run at most.
    least
        How often a task is run even if it takes long.
    """
    taken: dict[str, list[float]] = {name: [] for name in tasks}
    for name, task in tasks.items():
        first = _milliseconds(task)
        if first >= 1e3 * LONG:
            taken[name].append(first)
    for turn in range(runs):
        for name, task in tasks.items():
            done = taken[name]
            if len(done) <= turn and (len(done) < least or sum(done) < 1e3 * ENOUGH):
                done.append(_milliseconds(task))
    return {name: Timing.of(done) for name, done in taken.items()}


def _milliseconds(task: Callable[[], Any]) -> float:
    gc.collect()
    started = time.process_time()
    task()
    return 1e3 * (time.process_time() - started)


def extra_megabytes(task: Callable[[], Any], result: bool = False) -> float:
    """Return how much memory a task needs at its peak beyond what is held before it.

    The larger one of what Python's allocators hand out, NumPy's arrays among it, and of the growth of the resident
    set where the system reports it: each misses something, neither exaggerates.

    Parameters
    ----------
    task
        Is run three times.
    result
        Count what the task returns as extra memory, too; else only what it needs on the way.
    """
    task()
    gc.collect()
    tracemalloc.start()
    kept = task()
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    returned = 0 if result else held
    del kept
    return max(0.0, peak - returned, _resident_growth(task) - returned) / MEGABYTE


def _resident_growth(task: Callable[[], Any]) -> float:
    """Return by how many bytes the peak of the resident set exceeds its start, 0 where that cannot be asked."""
    status = Path("/proc/self/status")
    try:
        gc.collect()
        _give_back_freed_memory()
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        before = _status_bytes(status, "VmRSS")
        task()
        return _status_bytes(status, "VmHWM") - before
    except OSError:
        return 0.0


def _give_back_freed_memory() -> None:
    """Let the C library return what was freed to the system, so that what is taken again is seen to grow."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _status_bytes(status: Path, key: str) -> float:
    for line in status.read_text(encoding="ascii").splitlines():
        if line.startswith(f"{key}:"):
            return 1024.0 * int(line.split()[1])
    return 0.0


@dataclass(frozen=True)
class Usage:
    """Processor milliseconds, user and system, and peak megabytes of one process."""

    milliseconds: float
    megabytes: float
    output: str


def run_process(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Usage:
    """Run a command to its end.

    Call it from a small process only: the system counts the memory of the caller, at the moment of the call, into
    the peak of the command.

    Raises
    ------
    RuntimeError
        With the command's error output, where it fails.
    """
    process = subprocess.Popen(
        list(command),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    assert process.stdout is not None  # noqa: S101  # a pipe was asked for
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{command[0]} ended with exit code {process.returncode}:\n{output}")
    return Usage(1e3 * (usage.ru_utime + usage.ru_stime), usage.ru_maxrss * 1024 / MEGABYTE, output)


def peak_megabytes() -> float:
    """Return the largest resident set that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / MEGABYTE


def growth_exponent(sizes: Sequence[float], times: Sequence[float]) -> float:
    """Return the slope of log time over log size by least squares: 1 is linear growth, 2 is quadratic.

    Raises
    ------
    ValueError
        On fewer than two different sizes.
    """
    x, y = [math.log(size) for size in sizes], [math.log(time_) for time_ in times]
    middle = statistics.fmean(x)
    spread = sum((value - middle) ** 2 for value in x)
    if spread == 0:
        raise ValueError("growth needs at least two different sizes")
    return sum((a - middle) * b for a, b in zip(x, y, strict=True)) / spread
