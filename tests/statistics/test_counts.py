"""Contingency tables: what is counted, and that counts add."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbframework.data.codes import Codes
from nbframework.statistics.counts import count, is_integral

# attribute 1 has 2 values (2 unseen, 3 unknown), attribute 2 has 1
COLUMNS = (np.array([0, 1, 1, 3, 0], dtype=np.uint8), np.array([0, 0, 2, 0, 1], dtype=np.uint8))
CODES = Codes(COLUMNS, (2, 1), 5)
CLASSES = np.array([0, 0, 1, 1, 1])


def test_the_layout():
    assert CODES.offset.tolist() == [0, 4, 7]
    counts = count(CODES, CLASSES, 2)
    assert counts.unseen.tolist() == [2, 5]
    assert counts.unknown.tolist() == [3, 6]
    assert counts.attribute_of_cell.tolist() == [0, 0, 0, 0, 1, 1, 1]


def test_the_cells_by_hand():
    counts = count(CODES, CLASSES, 2)
    assert counts.cells.tolist() == [[1, 1, 0, 0, 2, 0, 0], [1, 1, 0, 1, 1, 1, 1]]
    assert counts.class_weight.tolist() == [2, 3]
    assert counts.known.tolist() == [[2, 2], [2, 2]]
    assert counts.cardinality.tolist() == [2, 1]
    assert counts.total == 5
    assert counts.support is None
    assert counts.training is counts


def test_weights_are_summed_and_support_counts_rows():
    counts = count(CODES, CLASSES, 2, np.array([0.5, 0.25, 2.0, 1.0, 0.75]))
    assert counts.cells.tolist() == [[0.5, 0.25, 0, 0, 0.75, 0, 0], [0.75, 2, 0, 1, 1, 0.75, 2]]
    assert counts.support is not None
    assert counts.support.tolist() == [[1, 1, 0, 0, 2, 0, 0], [1, 1, 0, 1, 1, 1, 1]]
    assert counts.is_zero.tolist() == (counts.support == 0).tolist()


def test_whole_weights_need_no_support():
    assert count(CODES, CLASSES, 2, np.array([2.0, 1, 3, 1, 1])).support is None
    assert is_integral(np.array([2.0, 0.0]))
    assert not is_integral(np.array([2.0, 0.5]))


def test_a_class_without_rows_has_an_empty_line():
    counts = count(CODES, CLASSES, 3)
    assert counts.cells[2].tolist() == [0] * 7
    assert counts.class_weight.tolist() == [2, 3, 0]


def test_groups_become_a_leading_axis():
    group = np.array([0, 1, 1, 0, 0])
    counts = count(CODES, group * 2 + CLASSES, 2, groups=2)
    for number in range(2):
        rows = np.flatnonzero(group == number)
        alone = count(CODES.take(rows), CLASSES[rows], 2)
        assert counts.cells[number].tolist() == alone.cells.tolist()
        assert counts.class_weight[number].tolist() == alone.class_weight.tolist()
        assert counts.known[number].tolist() == alone.known.tolist()


def test_rows_may_be_chosen_and_repeated():
    rows = np.array([4, 0, 4])
    chosen = count(CODES, CLASSES[rows], 2, rows=rows)
    taken = count(CODES.take(rows), CLASSES[rows], 2)
    assert chosen.cells.tolist() == taken.cells.tolist()
    assert chosen.class_weight.tolist() == [1, 2]


def test_no_attribute_at_all():
    counts = count(Codes((), (), 5), CLASSES, 2)
    assert counts.cells.shape == (2, 0)
    assert counts.known.shape == (2, 0)
    assert counts.class_weight.tolist() == [2, 3]


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 30), st.integers(0, 2**32 - 1), st.sampled_from(["none", "whole", "fractional"]))
def test_the_whole_without_a_part_is_the_rest(n, seed, kind):
    generator = np.random.default_rng(seed)
    codes = Codes(
        (generator.integers(0, 5, n).astype(np.uint8), generator.integers(0, 4, n).astype(np.uint8)), (3, 2), n
    )
    classes = generator.integers(0, 3, n)
    weights = {"none": None, "whole": generator.integers(1, 4, n) * 1.0, "fractional": generator.integers(1, 9, n) / 10}
    weight = weights[kind]
    part = generator.random(n) < 0.5

    def of(mask):
        return count(codes.take(mask), classes[mask], 3, None if weight is None else weight[mask])

    whole, left_out, rest = of(np.ones(n, dtype=bool)), of(part), of(~part)
    if (whole.support is None) != (left_out.support is None):
        return
    left = whole.subtract(left_out)
    tolerance = 1e-12 if kind == "fractional" else 0
    for name in ("cells", "class_weight", "known"):
        np.testing.assert_allclose(getattr(left, name), getattr(rest, name), rtol=0, atol=tolerance)
    if left.support is not None and rest.support is not None:
        np.testing.assert_array_equal(left.support, rest.support)
    np.testing.assert_array_equal(left.is_zero, rest.is_zero)


def test_sums_over_blocks_leave_unknown_out():
    counts = count(CODES, CLASSES, 2)
    assert counts.sum_blocks(counts.cells).tolist() == [[2, 2], [2, 2]]


def test_spreading_over_cells_and_skipping_unknown():
    counts = count(CODES, CLASSES, 2)
    assert counts.per_cell(np.array([7.0, 9.0])).tolist() == [7, 7, 7, 7, 9, 9, 9]
    table = np.full((2, 7), -1.0)
    assert counts.skip_unknown(table) is table
    assert table[0].tolist() == [-1, -1, -1, 0, -1, -1, 0]


@pytest.mark.parametrize("take", [np.array([0, 3]), slice(1, 3), np.array([True, False, False, True, False])])
def test_codes_take_rows(take):
    taken = CODES.take(take)
    assert len(taken) == 2
    assert taken.columns[0].tolist() == COLUMNS[0][take].tolist()
