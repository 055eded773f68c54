"""Local learners beyond one machine's memory, simulated: the training rows in shards, one in memory at a time.

The plan: every worker holds some shards and answers every query from each of them; the answers are merged as they
come. The nearest rows of a query are the nearest of those that each shard finds nearest; a kernel sum over all rows is
the sum of those over the shards. Both are exact, and what travels is k rows, or C numbers, for each query and shard.

    python benchmarks/shards.py --shards 10 --rows 1000000 --queries 200

works through ten million rows here and prints seconds and peak memory for each shard, and what a cluster would need for
more of them.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path[0] = str(ROOT)

from benchmarks.measuring import peak_megabytes  # noqa: E402  # the path is set above
from benchmarks.session import SEED  # noqa: E402
from nbframework import kernels  # noqa: E402

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
ATTRIBUTES, CLASSES, K = 16, 2, 50
KAPPAS = np.array([60.0])
PLANNED = 100_000_000


@dataclass(frozen=True)
class Near:
    """The nearest rows of each query: (q + 1,) borders, (m,) rows and (m,) squared distances, ascending."""

    start: Ints
    row: Ints
    distance: Floats


def merged(first: Near, second: Near, k: int) -> Near:
    """Return the k nearest of both, and all that are as near as the k-th, as if they had been found together."""
    queries = len(first.start) - 1
    query = np.concatenate([np.repeat(np.arange(queries), np.diff(near.start)) for near in (first, second)])
    row, distance = np.concatenate([first.row, second.row]), np.concatenate([first.distance, second.distance])
    order = np.lexsort((row, distance, query))
    query, row, distance = query[order], row[order], distance[order]
    start = np.searchsorted(query, np.arange(queries + 1))
    last = np.minimum(start[:-1] + k, start[1:]) - 1
    kept = distance <= distance[last][query]
    return Near(np.searchsorted(query[kept], np.arange(queries + 1)), row[kept], distance[kept])


def columns_of(table: Floats) -> list[Floats]:
    """Return the columns of a table as kernels take them."""
    return [np.ascontiguousarray(column) for column in table.T]


def nearest_in(queries: Floats, shard: Floats, first: int) -> Near:
    """Return the nearest rows of a shard whose first row has the number ``first``."""
    start, row, distance = kernels.nearest_rows(columns_of(queries), columns_of(shard), bounds(), K)
    return Near(start, row + first, distance)


def sums_in(queries: Floats, shard: Floats) -> Floats:
    """Return the (m, q, C) log kernel sums over a shard, whose rows are sorted by class."""
    borders = np.linspace(0, len(shard), CLASSES + 1).astype(np.intp)
    return np.asarray(kernels.kappa_sums(columns_of(queries), columns_of(shard), bounds(), borders, KAPPAS))


def bounds() -> Floats:
    """Return the ranges of the attributes; those of all shards, found when they were written."""
    return np.array([[0.0, 1.0]] * ATTRIBUTES)


def shard_files(folder: Path, shards: int, rows: int) -> Iterator[Path]:
    """Write the shards, one after the other."""
    for number in range(shards):
        path = folder / f"shard-{number}.npy"
        np.save(path, np.random.default_rng([SEED, number]).random((rows, ATTRIBUTES)))
        yield path


def main() -> None:
    """Work through the shards and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shards", type=int, default=10)
    parser.add_argument("--rows", type=int, default=1_000_000, help="rows of a shard")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--workers", type=int, default=20, help="workers of the planned cluster")
    options = parser.parse_args()
    queries = np.random.default_rng([SEED, options.shards]).random((options.queries, ATTRIBUTES))
    near, sums, seconds = None, None, []
    with tempfile.TemporaryDirectory() as folder:
        for number, path in enumerate(shard_files(Path(folder), options.shards, options.rows)):
            began = time.process_time()
            shard = np.load(path)
            found = nearest_in(queries, shard, number * options.rows)
            near = found if near is None else merged(near, found, K)
            added = sums_in(queries, shard)
            sums = added if sums is None else np.logaddexp(sums, added)
            seconds.append(time.process_time() - began)
            path.unlink()
            print(f"shard {number}: {seconds[-1]:.1f} s, peak {peak_megabytes():.0f} MB", flush=True)
    each = sum(seconds) / len(seconds)
    planned = PLANNED // options.rows
    print(
        f"{PLANNED:,} rows: {planned} shards, {each * planned / options.workers:.0f} s on {options.workers} workers "
        f"for {options.queries} queries, {8 * ATTRIBUTES * PLANNED / 1e9 / options.workers:.1f} GB of rows on each"
    )


if __name__ == "__main__":
    main()
