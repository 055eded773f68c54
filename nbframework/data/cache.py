"""The folder of fetched data sets."""

import os
from pathlib import Path

DATA_VARIABLE = "NBFRAMEWORK_DATA"
"""The environment variable that names the folder of data files: looked in first, fetched into."""


def cache_folder() -> Path | None:
    """Return the folder that data sets are fetched into: that of the environment, else the system's cache.

    Returns
    -------
    Path or None
        The folder, which need not exist; None where no environment variable names one and pooch, which knows the
        system's place for caches, is not installed.
    """
    named = os.environ.get(DATA_VARIABLE)
    if named:
        return Path(named)
    try:
        import pooch
    except ImportError:
        return None
    return Path(pooch.os_cache("nbframework"))


def cached_path(file: str) -> Path | None:
    """Return a fetched file by its name, None where it has not been fetched."""
    folder = cache_folder()
    path = folder / file if folder else None
    # Path.is_file raises on a name that is too long for a file
    return path if path is not None and os.path.isfile(path) else None
