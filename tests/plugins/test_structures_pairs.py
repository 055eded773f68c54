"""Counts of pairs of values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbframework.data.codes import Codes
from nbframework.kernels import definitions
from nbframework.statistics.pairs import count_given, count_pairs, first_value, pair_table_bytes


def random_codes(seed: int, rows: int = 50, cardinality: tuple[int, ...] = (3, 1, 4)):
    generator = np.random.default_rng(seed)
    columns = [generator.integers(0, size + 2, rows) for size in cardinality]
    columns = [
        np.where(column == size, size + 1, column).astype(np.uint8)
        for column, size in zip(columns, cardinality, strict=True)
    ]
    return Codes(tuple(columns), cardinality, rows), generator.integers(0, 2, rows), generator


def test_pairs_of_three_rows_by_hand():
    codes = Codes((np.array([0, 0, 1], np.uint8), np.array([1, 1, 3], np.uint8)), (2, 2), 3)
    pairs = count_pairs(codes, np.array([0, 0, 1]), 2)
    assert pairs.cells[0].tolist() == [[2, 0, 0, 2], [0, 0, 0, 0], [0, 0, 0, 0], [2, 0, 0, 2]]
    assert pairs.cells[1].tolist() == [[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]


def test_counts_given_a_value_by_hand():
    codes = Codes((np.array([0, 0, 1], np.uint8), np.array([1, 3, 0], np.uint8)), (2, 2), 3)
    counts = count_pairs(codes, np.array([0, 0, 1]), 2).given(0)
    assert counts.class_weight.tolist() == [[2, 0], [0, 1], [0, 0]]
    assert counts.cells[0, 0].tolist() == [2, 0, 0, 0, 0, 1, 0, 0]
    assert counts.known[0, 0].tolist() == [2, 1]
    assert counts.cells[2].sum() == 0


@given(st.integers(0, 10_000), st.sampled_from(["none", "whole", "fractional"]), st.booleans())
def test_a_pass_for_each_parent_equals_the_table(seed, kind, chosen):
    codes, classes, generator = random_codes(seed)
    rows = generator.integers(0, 50, 40) if chosen else None
    classes = classes if rows is None else classes[rows]
    weights = {
        "none": None,
        "whole": generator.integers(0, 3, len(classes)) * 1.0,
        "fractional": generator.random(len(classes)),
    }[kind]
    pairs = count_pairs(codes, classes, 2, weights, rows)
    for parent in range(3):
        one, other = pairs.given(parent), count_given(codes, parent, classes, 2, weights, rows)
        for field in ("cells", "class_weight", "known", "cardinality"):
            np.testing.assert_allclose(getattr(one, field), getattr(other, field), rtol=0, atol=1e-12)
        np.testing.assert_array_equal(one.is_zero[..., :-1, :], other.is_zero[..., :-1, :])


def test_the_diagonal_holds_single_values_and_the_table_is_symmetric():
    codes, classes, _ = random_codes(3)
    pairs = count_pairs(codes, classes, 2)
    first = first_value(codes.cardinality)
    for j, column in enumerate(codes.columns):
        for value in range(codes.cardinality[j]):
            cell = first[j] + value
            assert pairs.cells[1, cell, cell] == ((column == value) & (classes == 1)).sum()
    assert np.array_equal(pairs.cells, pairs.cells.swapaxes(1, 2))


def test_counts_without_some_rows_are_the_difference():
    codes, classes, _ = random_codes(5)
    rows = np.arange(20)
    whole, some = count_pairs(codes, classes, 2), count_pairs(codes, classes[rows], 2, rows=rows)
    rest = count_pairs(codes, classes[20:], 2, rows=np.arange(20, 50))
    assert np.array_equal(whole.subtract(some).cells, rest.cells)


def test_a_subtracted_cell_without_support_is_exactly_zero():
    codes = Codes((np.zeros(3, np.uint8),), (2,), 3)
    whole = count_pairs(codes, np.zeros(3, int), 1, np.array([0.1, 0.2, 0.3]))
    left = whole.subtract(count_pairs(codes, np.zeros(3, int), 1, np.array([0.3, 0.2, 0.1])))
    assert left.cells.tolist() == [[[0, 0], [0, 0]]]


def test_memory_of_the_table_is_that_of_the_table():
    codes, classes, _ = random_codes(1)
    assert pair_table_bytes(codes.cardinality, 2) == count_pairs(codes, classes, 2).cells.nbytes


def test_more_rows_than_a_block_are_counted(monkeypatch):
    codes, classes, _ = random_codes(2)
    whole = count_pairs(codes, classes, 2).cells
    monkeypatch.setattr("nbframework.kernels.definitions.pairs._BLOCK_CELLS", 24)
    first = first_value(codes.cardinality)
    assert np.array_equal(definitions.pair_counts(codes.columns, first, classes, 2), whole)


@pytest.mark.parametrize("groups", [1, 4])
def test_group_scores_are_sums_of_picked_entries(groups):
    codes, _, generator = random_codes(4)
    table = generator.normal(size=(groups, 2, int(codes.offset[-1])))
    start = generator.normal(size=(groups, 2))
    group = generator.integers(0, groups, 50)
    found = definitions.group_scores(codes.columns, codes.offset, group, table, start)
    for row in range(50):
        for c in range(2):
            expected = start[group[row], c]
            for j, column in enumerate(codes.columns):
                expected += table[group[row], c, codes.offset[j] + column[row]]
            assert found[row, c] == expected
