"""Printing: tables, JSON, notes and progress."""

import contextlib
import json
import math
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import click


class Progress(Protocol):
    """Reports the share of work done."""

    def __call__(self, description: str, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` units are done."""


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]], numeric_from: int = 1) -> None:
    """Print columns aligned by blanks; columns from ``numeric_from`` on are aligned to the right."""
    table = [list(header), *[list(row) for row in rows]]
    widths = [max(len(row[i]) for row in table) for i in range(len(header))]
    for index, row in enumerate(table):
        cells = [
            cell.rjust(width) if i >= numeric_from else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        line = "  ".join(cells).rstrip()
        click.echo(click.style(line, bold=True) if index == 0 and _colour() else line)


def print_json(data: Any) -> None:
    """Print strict JSON; infinite and undefined numbers become null with a reason beside them."""
    click.echo(json.dumps(_strict(data), indent=2, ensure_ascii=False, allow_nan=False))


def note(text: str) -> None:
    """Print a remark for people on stderr."""
    click.echo(text, err=True)


@contextlib.contextmanager
def progress() -> Iterator[Progress]:
    """Show a progress bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda description, done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda description, done, total: bar.update(task, description=description, completed=done, total=total)


def _colour() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def _strict(data: Any) -> Any:
    if isinstance(data, dict):
        result = {}
        for key, value in data.items():
            result[str(key)] = _strict(value)
            if isinstance(value, float) and not math.isfinite(value):
                result[f"{key}_reason"] = "infinite" if math.isinf(value) else "undefined"
        return result
    if isinstance(data, list | tuple):
        return [_strict(item) for item in data]
    if hasattr(data, "item") and not isinstance(data, str | bytes):
        return _strict(data.item())
    if isinstance(data, float) and not math.isfinite(data):
        return None
    return data
