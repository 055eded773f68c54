"""Tables of values are exact while they fit, and then know how far off they are."""

from functools import reduce

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbframework import EvaluationError
from nbframework.statistics import value_table as module
from nbframework.statistics.value_table import ValueTable

ROWS = st.lists(
    st.tuples(
        st.sampled_from([-1.5, 0.0, -0.0, 0.1, 3.0, np.nan]), st.integers(0, 2), st.sampled_from([0.1, 1.0, 2.0])
    ),
    max_size=30,
)


def table(rows: list[tuple[float, int, float]], weighted: bool = True) -> ValueTable:
    values = np.array([row[0] for row in rows], dtype=np.float64)
    classes = np.array([row[1] for row in rows], dtype=np.uint8)
    return ValueTable.of(values, classes, 3, np.array([row[2] for row in rows], dtype=float) if weighted else None)


def listed(found: ValueTable) -> list[tuple[float, int, float, int]]:
    entries = found.entries()
    weight, rows = entries.tally.weight.round(9).tolist(), entries.tally.number.tolist()
    return list(zip(entries.value.tolist(), entries.classes.tolist(), weight, rows, strict=True))


@settings(deadline=None)
@given(rows=ROWS, weighted=st.booleans())
def test_each_value_and_class_has_its_rows(rows: list, weighted: bool) -> None:
    expected: dict[tuple[float, int], list[float]] = {}
    for value, label, weight in rows:
        if not np.isnan(value):
            expected.setdefault((value, label), []).append(weight if weighted else 1.0)
    wanted = [(*key, round(sum(own), 9), len(own)) for key, own in sorted(expected.items())]
    assert listed(table(rows, weighted)) == wanted


@settings(deadline=None)
@given(first=ROWS, second=ROWS, weighted=st.tuples(st.booleans(), st.booleans()))
def test_tables_add_and_subtract(first: list, second: list, weighted: tuple[bool, bool]) -> None:
    mine, theirs = table(first, weighted[0]), table(second, weighted[1])
    both = mine.merge(theirs)
    assert [entry[3] for entry in listed(both)] == [entry[3] for entry in listed(table(first + second))]
    left = both.subtract(theirs)
    assert listed(left) == listed(mine)
    np.testing.assert_array_equal(left.unknown.number, mine.unknown.number)


def test_rows_that_are_not_there_cannot_be_taken_away() -> None:
    with pytest.raises(EvaluationError, match="are not among those that were fitted"):
        table([(0.1, 0, 1.0)]).subtract(table([(0.1, 1, 1.0)]))


def test_classes_find_their_new_places() -> None:
    moved = table([(3.0, 0, 1.0), (3.0, 1, 1.0), (np.nan, 1, 1.0)], weighted=False).of_classes(np.array([2, 0, 1]), 4)
    assert listed(moved) == [(3.0, 0, 1.0, 1), (3.0, 2, 1.0, 1)]
    np.testing.assert_array_equal(moved.unknown.weight, [1, 0, 0, 0])


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EXACT_VALUES", 500)
    monkeypatch.setattr(module, "KEPT_ENTRIES", 400)
    monkeypatch.setattr(module, "LEAST_VALUES", 100)


def test_there_is_no_sketch_while_the_values_fit(small: None) -> None:
    values = np.tile(np.arange(500.0), 3)
    assert ValueTable.of(values, np.zeros(1500, dtype=np.uint8), 1).is_exact
    assert not ValueTable.of(np.arange(501.0), np.zeros(501, dtype=np.uint8), 1).is_exact


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shape", ["ascending", "normal", "heavy"])
def test_ranks_are_off_by_no_more_than_the_table_says(shape: str, weighted: bool, small: None) -> None:
    generator = np.random.default_rng(7)
    values = {
        "ascending": np.arange(40_000.0),
        "normal": generator.normal(size=40_000),
        "heavy": np.where(generator.random(40_000) < 0.5, 0.0, generator.normal(size=40_000)),
    }[shape]
    classes = generator.integers(0, 2, len(values)).astype(np.uint8)
    weights = generator.random(len(values)) if weighted else None
    parts = [slice(first, first + 700) for first in range(0, len(values), 700)]
    tables = [ValueTable.of(values[p], classes[p], 2, None if weights is None else weights[p]) for p in parts]
    found = reduce(ValueTable.merge, tables)
    check(found, values, classes, np.ones(len(values)) if weights is None else weights)
    # and merged as a tree
    while len(tables) > 1:
        tables = [reduce(ValueTable.merge, tables[first : first + 2]) for first in range(0, len(tables), 2)]
    check(tables[0], values, classes, np.ones(len(values)) if weights is None else weights)


def check(found: ValueTable, values: np.ndarray, classes: np.ndarray, weights: np.ndarray) -> None:
    """Compare the weight up to each point, of all rows and of each class, with the true one."""
    kept, parts = 200, np.ceil(len(values) / 500)
    assert 0 < found.moved <= (2 + 2 * np.log2(parts)) / kept * weights.sum()
    entries = found.entries()
    np.testing.assert_allclose(entries.tally.weight.sum(), weights.sum())
    for own, mine in ((np.full(len(values), True), slice(None)), (classes == 1, entries.classes == 1)):
        order = np.argsort(values[own], kind="stable")
        true = np.cumsum(weights[own][order])
        points = values[own][order]
        last = np.append(points[1:] > points[:-1], True)
        true, points = true[last], points[last]
        place = np.searchsorted(entries.value[mine], points, side="right")
        kept_weight = np.append(0.0, np.cumsum(entries.tally.weight[mine]))[place]
        assert (true - kept_weight > -1e-6).all()
        assert (true - kept_weight).max() <= found.moved + 1e-6
