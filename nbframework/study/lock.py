"""One writer at a time: a lock on a file beside the results file, which the system drops when its holder dies."""

import contextlib
import os
import socket
from pathlib import Path
from typing import IO

from nbframework.errors import DataError, writing

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]  # no module there


class StoreLock:
    """Held until `release` or the end of the process.

    Parameters
    ----------
    store
        The results file; the lock file has its name with ``.lock`` behind it.

    Raises
    ------
    DataError
        Where another process holds it, naming that process, or the file cannot be written.
    """

    def __init__(self, store: Path) -> None:
        self.path = store.with_name(store.name + ".lock")
        with writing(store.parent):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        with writing(store):
            self._file: IO[str] | None = self.path.open("a+", encoding="utf-8")
        if not _locked(self._file):
            self._file.seek(0)
            holder = self._file.read().strip() or "unknown"
            self._file.close()
            self._file = None
            raise DataError(f"{store}: another run is writing these results ({holder}); wait for it, or use --store")
        with writing(store):
            self._file.truncate(0)
            self._file.write(f"process {os.getpid()} on {socket.gethostname()}")
            self._file.flush()

    def release(self) -> None:
        """Give the lock back; a second call does nothing."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.truncate(0)
            self._file.close()
            self._file = None


def _locked(file: IO[str]) -> bool:
    """Take the lock, or return False where another process has it."""
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True
