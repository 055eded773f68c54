"""Fitting on files larger than memory: whole processes of ``nbf fit --chunk-rows``, their time and peak memory."""

import sys
import tempfile
from pathlib import Path

from benchmarks.measuring import Timing, Usage, growth_exponent, run_process
from benchmarks.session import Session, main

RECIPES = ("gaussian-nb", "sbc", "tan")
FILES = 4
CHUNK_ROWS = 100_000
PLANNED = 100_000_000
READ = (
    "import sys, pyarrow.parquet as p; [len(b) for f in sys.argv[1:] for b in p.ParquetFile(f).iter_batches(100_000)]"
)


def measure(session: Session) -> None:
    """Measure fits of growing numbers of files of a quarter of the rows each, and of one text file."""
    with tempfile.TemporaryDirectory() as folder:
        if session.module("pyarrow", "Parquet") is not None:
            _parquet(session, Path(folder), session.sized(20_000_000, 4_000))
        rows = session.sized(1_000_000, 1_000)
        for ending in ("csv", "arff"):
            path = Path(folder) / f"rows.{ending}"
            _write(path, rows, 0)
            usage = _fit("sbc", str(path), Path(folder))
            _note(session, f"sbc, {ending.upper()}", f"{rows:,} x 20", usage)


def _parquet(session: Session, folder: Path, rows: int) -> None:
    paths = [folder / f"part-{place}.parquet" for place in range(FILES)]
    for place, path in enumerate(paths):
        _write(path, rows // FILES, place)
    size = f"{rows:,} x 20, {sum(path.stat().st_size for path in paths) / 1e9:.1f} GB"
    reading = _timing(run_process([sys.executable, "-c", READ, *map(str, paths)]))
    for recipe in RECIPES:
        usages = []
        counts = (1, 2, FILES)
        for count in counts:
            pattern = f"part-[{''.join(map(str, range(count)))}].parquet"
            usages.append(_fit(recipe, str(folder / pattern), folder))
        whole, sizes = usages[-1], [rows * count // FILES for count in counts]
        session.compare(f"fit, {recipe}", "process", size, _timing(whole), {"reading the batches": reading})
        session.amount(f"memory of {recipe}", "process", size, whole.megabytes, "MB")
        session.grows(f"fit, {recipe}", "process", "rows", sizes, [_timing(usage) for usage in usages])
        planned = f"{PLANNED:,} x 20, by growth"
        for name, unit, figures in (
            (f"fit, {recipe}", "s", [usage.milliseconds / 1e3 for usage in usages]),
            (f"memory of {recipe}, planned", "MB", [usage.megabytes for usage in usages]),
        ):
            exponent = max(0.0, growth_exponent(sizes, figures))
            session.amount(name, "process", planned, figures[-1] * (PLANNED / rows) ** exponent, unit)


def _note(session: Session, name: str, size: str, usage: Usage) -> None:
    session.compare(f"fit, {name}", "process", size, _timing(usage), {}, own=True)
    session.amount(f"memory of {name}", "process", size, usage.megabytes, "MB")


def _write(path: Path, rows: int, seed: int) -> None:
    """Write a file in a process of its own, so that its memory is not counted with those measured later."""
    run_process([sys.executable, "-m", "benchmarks.large", str(path), str(rows), str(seed)])


def _fit(recipe: str, data: str, folder: Path) -> Usage:
    options = ["-o", str(folder / "a.model"), "--chunk-rows", str(CHUNK_ROWS)]
    return run_process([sys.executable, "-m", "nbframework", "fit", recipe, data, *options])


def _timing(usage: Usage) -> Timing:
    return Timing.of([usage.milliseconds])


if __name__ == "__main__":
    main(measure, "chunks")
