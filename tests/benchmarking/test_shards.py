"""Shards give what the rows give together."""

import numpy as np
import pytest

from benchmarks.shards import ATTRIBUTES, K, Near, merged, nearest_in, sums_in


@pytest.mark.parametrize("decimals", [1, 16], ids=["ties", "no ties"])
def test_the_nearest_rows_of_shards_are_those_of_all_rows(decimals: int) -> None:
    generator = np.random.default_rng(3)
    rows = generator.random((3000, ATTRIBUTES)).round(decimals)
    rows[::7, 1:] = 0.5
    queries = rows[:40]
    found = nearest_in(queries, rows[:1000], 0)
    for first in (1000, 2000):
        found = merged(found, nearest_in(queries, rows[first : first + 1000], first), K)
    whole = nearest_in(queries, rows, 0)
    for name in ("start", "row", "distance"):
        np.testing.assert_array_equal(getattr(found, name), getattr(whole, name))


def test_ties_at_the_last_place_are_kept() -> None:
    first = Near(np.array([0, 2]), np.array([0, 1]), np.array([0.0, 2.0]))
    second = Near(np.array([0, 2]), np.array([5, 6]), np.array([1.0, 1.0]))
    found = merged(first, second, 2)
    assert found.row.tolist() == [0, 5, 6]


def test_kernel_sums_of_shards_add_up() -> None:
    generator = np.random.default_rng(4)
    rows, queries = generator.random((2000, ATTRIBUTES)), generator.random((20, ATTRIBUTES))
    classes = [rows[:1000], rows[1000:]]
    shards = [np.concatenate([own[place : place + 500] for own in classes]) for place in (0, 500)]
    together = np.logaddexp(*(sums_in(queries, shard) for shard in shards))
    np.testing.assert_allclose(together, sums_in(queries, rows), rtol=1e-12)
