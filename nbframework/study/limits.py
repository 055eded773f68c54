"""Limits of time and memory on a stretch of work in this process."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbframework.study.study import Limits

_SIZE = Path("/proc/self/statm")


class LimitExceeded(BaseException):
    """A task used more than it may; no part can catch it by accident.

    Parameters
    ----------
    what
        seconds or memory.
    """

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what

    def explained(self, limits: Limits) -> str:
        """Return the message for the user."""
        if self.what == "memory":
            return f"stopped: it needed more than the limit of {limits.memory_mb:g} MB"
        return f"stopped: the task took longer than the limit of {limits.seconds:g} s"


def limited(seconds: float | None, memory_mb: float | None) -> contextlib.AbstractContextManager[None]:
    """Raise LimitExceeded where the block takes longer or allocates more.

    Parameters
    ----------
    seconds
        Time that is left; None for no limit.
    memory_mb
        Megabytes that may be added to this process's address space; None for no limit.

    Notes
    -----
    Time is watched by a timer signal, which Python looks at between two of its own instructions: one long call of
    compiled code ends before it is stopped. Both need the main thread; memory needs Linux.
    """
    return _UNLIMITED if seconds is None and memory_mb is None else _limited(seconds, memory_mb)


_UNLIMITED = contextlib.nullcontext()


@contextlib.contextmanager
def _limited(seconds: float | None, memory_mb: float | None) -> Iterator[None]:
    if seconds is not None and seconds <= 0:
        raise LimitExceeded("seconds")
    with contextlib.ExitStack() as stack:
        if seconds is not None:
            stack.enter_context(_time_limit(seconds))
        if memory_mb is not None:
            stack.enter_context(_memory_limit(memory_mb))
        try:
            yield
        except MemoryError:
            raise LimitExceeded("memory") from None
        except Exception as error:  # a part may have wrapped the lack of memory
            if memory_mb is not None and isinstance(error.__cause__, MemoryError):
                raise LimitExceeded("memory") from None
            raise


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: Any) -> None:
        raise LimitExceeded("seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def _memory_limit(memory_mb: float) -> Iterator[None]:
    if not _SIZE.exists():
        yield
        return
    import resource

    used = int(_SIZE.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    wanted = used + int(memory_mb * 1_000_000)
    if before[1] != resource.RLIM_INFINITY:
        wanted = min(wanted, before[1])
    resource.setrlimit(resource.RLIMIT_AS, (wanted, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
