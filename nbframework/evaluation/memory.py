"""Memory of processes that do one thing."""

import contextlib
import ctypes

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
KEPT = 1 << 29
"""Bytes of free memory that a process keeps."""
LARGEST_KEPT = 1 << 25
"""Larger arrays go back to the system when they are freed; the most that the C library allows."""


def keep_freed_memory() -> None:
    """Keep freed memory in this process for its next arrays, where the C library can (glibc).

    Evaluations make and free many arrays of a few megabytes. As it comes, the C library gives them back to the system
    and asks for them again, which may take longer than what is computed. Nothing else changes; a program that uses the
    package as a library decides this for itself.
    """
    # other systems have no such function, or none that can be found
    with contextlib.suppress(AttributeError, OSError, TypeError):
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_TRIM_THRESHOLD, KEPT)
        mallopt(_MMAP_THRESHOLD, LARGEST_KEPT)
