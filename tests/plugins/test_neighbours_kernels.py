"""The loops behind neighbourhoods against plain searches, in whichever form is in use."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbframework import kernels
from nbframework.kernels import definitions


def plain_squared_distance(query, row, bounds, rescale):
    """Return the squared distance of two rows of codes (int) and numbers (float), one attribute after the other."""
    total, known = 0.0, 0
    for x, y, (low, high) in zip(query, row, bounds, strict=True):
        if isinstance(x, int):
            total, known = total + (x != y), known + 1
        elif not (np.isnan(x) or np.isnan(y)):
            total, known = total + (x - y) ** 2, known + 1
        elif not rescale:
            other = y if np.isnan(x) else x
            total += (high - low if np.isnan(other) else max(other - low, high - other)) ** 2
    if not rescale:
        return total
    return total * len(bounds) / known if known else float(((bounds[:, 1] - bounds[:, 0]) ** 2).sum())


@st.composite
def searches(draw, most=60):
    """Return columns of queries and training rows, and their bounds."""
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = draw(st.lists(st.sampled_from(["code", "number", "unknown"]), min_size=1, max_size=6))
    sizes = draw(st.integers(0, 8)), draw(st.integers(1, most))
    columns = tuple([_column(generator, kind, rows) for kind in kinds] for rows in sizes)
    bounds = np.zeros((len(kinds), 2))
    for j, column in enumerate(columns[1]):
        if column.dtype.kind == "f" and not np.isnan(column).all():
            bounds[j] = np.nanmin(column), np.nanmax(column)
    return *columns, bounds


def _column(generator, kind, rows):
    if kind == "code":
        return generator.integers(0, 3, rows).astype(np.uint8)
    numbers = generator.integers(0, 9, rows) / 8
    if kind == "unknown":
        numbers[generator.random(rows) < 0.3] = np.nan
    return numbers


def rows_of(columns):
    return list(zip(*[column.tolist() for column in columns], strict=True))


@settings(max_examples=200, deadline=None)
@given(searches(), st.booleans())
def test_distances_follow_their_definition(search, rescale):
    queries, training, bounds = search
    found = kernels.squared_distances(queries, training, bounds, rescale)
    expected = [
        [plain_squared_distance(query, row, bounds, rescale) for row in rows_of(training)] for query in rows_of(queries)
    ]
    np.testing.assert_allclose(found, np.reshape(expected, found.shape), rtol=1e-14)


@settings(max_examples=200, deadline=None)
@given(searches(), st.integers(1, 70), st.booleans(), st.booleans())
def test_the_nearest_are_those_of_a_plain_sort(search, k, rescale, leaves_out):
    queries, training, bounds = search
    distance = kernels.squared_distances(queries, training, bounds, rescale)
    out = np.arange(len(distance)) % (distance.shape[1] + 1) - 1 if leaves_out else None
    start, row, near = kernels.nearest_rows(queries, training, bounds, k, 1e-12, rescale, out)
    for query, apart in enumerate(distance.astype(float)):
        order = [r for r in np.lexsort((np.arange(len(apart)), apart)) if out is None or r != out[query]]
        limit = apart[order[min(k, len(order)) - 1]] * (1 + 1e-12) if order else -1.0
        expected = [r for r in order if apart[r] <= limit]
        assert row[start[query] : start[query + 1]].tolist() == expected
        assert near[start[query] : start[query + 1]].tolist() == apart[expected].tolist()


@pytest.mark.parametrize("codes", [False, True])
def test_many_rows_are_searched_in_blocks_without_losing_any(codes):
    generator = np.random.default_rng(3)
    if codes:
        columns = [generator.integers(0, 4, 9000).astype(np.uint16) for _ in range(9)]
    else:
        columns = [generator.integers(0, 30, 9000) / 30 for _ in range(3)]
    bounds = np.tile([0.0, 1.0], (len(columns), 1))
    queries = [column[:100] for column in columns]
    start, row, near = kernels.nearest_rows(queries, columns, bounds, 12)
    distance = kernels.squared_distances(queries, columns, bounds).astype(float)
    for query in range(100):
        kth = np.sort(distance[query])[11]
        inside = np.flatnonzero(distance[query] <= kth)
        expected = inside[np.argsort(distance[query][inside], kind="stable")]
        assert row[start[query] : start[query + 1]].tolist() == expected.tolist()
        assert near[start[query + 1] - 1] == kth


@settings(max_examples=100, deadline=None)
@given(searches(), st.booleans(), st.sampled_from([None, "weights"]))
def test_kappa_sums_follow_their_definition(search, rescale, weighted):
    queries, training, bounds = search
    rows = len(training[0])
    weights = None if weighted is None else np.arange(1, rows + 1) / 4
    class_start = np.array([0, rows // 3, rows // 3, rows], dtype=np.intp)
    kappas = np.array([0.0, 1.0, 7.5, 60.0])
    found = kernels.kappa_sums(queries, training, bounds, class_start, kappas, weights, rescale)
    distance = np.sqrt(kernels.squared_distances(queries, training, bounds, rescale).astype(float))
    own = np.ones(rows) if weights is None else weights
    for index, kappa in enumerate(kappas):
        powers = (1 + distance) ** -kappa * own
        expected = [powers[:, first:last].sum(axis=1) for first, last in pairwise(class_start)]
        np.testing.assert_allclose(np.exp(found[index]), np.column_stack(expected), rtol=1e-11, atol=1e-300)


def test_sums_of_a_class_whose_only_row_is_left_out_are_empty():
    logs = np.array([[0.0, 1.0, 2.0], [0.5, 0.1, 3.0]])
    found = kernels.power_sums(logs, np.array([0, 1, 3]), np.array([0.0, 2.0]), None, np.array([0, 2]))
    expected = [[[-np.inf, np.log(2)], [0.0, 0.0]], [[-np.inf, np.log(np.exp(-2) + np.exp(-4))], [-1.0, -0.2]]]
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-14)


def test_sums_do_not_underflow():
    logs = np.array([[5.0, 7.0, 9.0]])
    found = kernels.power_sums(logs, np.array([0, 2, 3]), np.array([1e6]))
    assert found.tolist() == [[[-5e6, -9e6]]]


def test_the_definitions_are_there_for_every_loop():
    for name in ("squared_distances", "nearest_rows", "smallest", "kappa_sums", "power_sums"):
        assert callable(getattr(definitions, name))
        assert callable(getattr(kernels, name))
