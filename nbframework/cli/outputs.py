"""Files that a command writes: never those that it reads."""

import glob
import os
from collections.abc import Iterable

import click


def keep_apart(option: str, output: str | None, inputs: Iterable[str | None]) -> None:
    """Refuse to write over a file that the command reads.

    Parameters
    ----------
    option
        What the user names the output by.
    output
        The file to write, if any.
    inputs
        What is read: files, patterns of files, or names that are no files.

    Raises
    ------
    click.UsageError
        Where the output is one of them, also by another path.
    """
    for name in inputs if output is not None else ():
        for path in (name, *(glob.glob(name) if name and glob.has_magic(name) else ())):
            if path and output is not None and _is_same(output, path):
                raise click.UsageError(f"{option} {output}: this file is read; name another one to write")


def _is_same(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        # at least one of them is no file
        return False
