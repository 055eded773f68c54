"""A file as portions of whole lines, so that its text is never in memory as a whole."""

from collections.abc import Iterator
from typing import IO

PORTION = 1 << 20
"""Bytes of a portion: few enough for the processor's cache."""


class Lines:
    """A file as portions of whole lines in one buffer.

    Parameters
    ----------
    file
        Read from where it stands.
    size
        About how many bytes it has.
    """

    def __init__(self, file: IO[bytes], size: int) -> None:
        self._file = file
        # one byte more, so that the end of a small file is seen at once
        self._buffer = bytearray(min(PORTION, size + 1))
        self._filled = 0
        self._given = 0
        self.at_end = False

    def more(self, least: int = 0) -> memoryview:
        """Return all that was read and not taken, and more of the file; the buffer grows where it is full."""
        if self._given:
            self._buffer[: self._filled - self._given] = self._buffer[self._given : self._filled]
            self._filled, self._given = self._filled - self._given, 0
        is_full = self._filled == len(self._buffer)
        wanted = max(least, 2 * len(self._buffer) if is_full or self._is_long_line() else len(self._buffer))
        if wanted > len(self._buffer):
            self._buffer = self._buffer + bytes(wanted - len(self._buffer))
        view = memoryview(self._buffer)
        while self._filled < len(view) and not self.at_end:
            count = self._file.readinto(view[self._filled :])  # type: ignore[attr-defined]  # binary files have it
            self._filled += count
            self.at_end = not count
        return view[: self._filled]

    def _is_long_line(self) -> bool:
        return 2 * self._filled > len(self._buffer) and self._buffer.find(b"\n", 0, self._filled) < 0

    def take(self, count: int) -> None:
        """Say that so many bytes are not needed any more."""
        self._given += count

    def whole_lines(self, view: memoryview) -> memoryview:
        """Return the part that ends with the last line feed; all of it at the end of the file."""
        return view if self.at_end else view[: self._buffer.rfind(b"\n", 0, len(view)) + 1]


def portions(lines: Lines, least: int = 0) -> Iterator[memoryview]:
    """Yield the rest of the file in whole lines; a portion is gone when the next one is asked for."""
    while True:
        portion = lines.whole_lines(lines.more(least))
        if portion.nbytes or lines.at_end:
            yield portion
        if lines.at_end:
            return
        lines.take(portion.nbytes)
