"""Cut points worked by hand for every discretizer."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.builders import table
from support.discretizing import codes, cuts, discretizer

from nbframework.classifier.encoding import SortedColumns, learn_cuts

RULES = {
    "equal-width": {"bins": 4},
    "equal-frequency": {"bins": 4},
    "proportional": {},
    "distinct-values": {},
    "entropy-mdl": {},
    "entropy-mdl kononenko": {"criterion": "kononenko"},
    "entropy-mdl boundaries": {"candidates": "boundaries"},
}


# --- equal width


def test_equal_width_parts_the_range():
    assert cuts("equal-width", [0, 10, 3], bins=5) == [2, 4, 6, 8]


def test_equal_width_keeps_empty_intervals():
    assert cuts("equal-width", [0, 0, 0, 8], bins=4) == [2, 4, 6]
    assert discretizer("equal-width", bins=4).cardinality(np.array([2.0, 4, 6])) == 4


def test_equal_width_does_not_cut_equal_values():
    assert cuts("equal-width", [7, 7, 7], bins=10) == []


def test_one_interval_has_no_cut():
    assert cuts("equal-width", [0, 10], bins=1) == []
    assert cuts("equal-frequency", [0, 10], bins=1) == []


def test_equal_width_ignores_weights_above_0():
    assert cuts("equal-width", [0, 1, 8], weights=[1, 5, 0.5], bins=4) == [2, 4, 6]


def test_equal_width_of_the_widest_range():
    found = cuts("equal-width", [-1.5e308, 1.5e308], bins=3)
    np.testing.assert_allclose(found, [-0.5e308, 0.5e308], rtol=1e-12)


def test_equal_width_of_neighbouring_floats_is_ascending():
    low = 1.0
    found = cuts("equal-width", [low, np.nextafter(low, 2)], bins=10)
    assert found == sorted(set(found))


# --- the sides of a cut


def test_a_value_equal_to_a_cut_belongs_below_it():
    assert codes("equal-width", [2.0, 4.0], [2, 2.0000001, 4, 4.5]) == [0, 1, 1, 2]


def test_values_outside_the_training_range_fall_into_the_outer_intervals():
    assert codes("equal-width", [2.0, 4.0], [-1e9, 1e9]) == [0, 2]


def test_unknown_numbers_get_the_last_code():
    assert codes("equal-width", [2.0, 4.0], [math.nan, 1]) == [4, 0]


# --- equal frequency and proportional


def test_equal_frequency_parts_the_rows():
    assert cuts("equal-frequency", range(1, 10), bins=3) == [3.5, 6.5]


def test_equal_frequency_shares_out_what_is_left():
    # 10 rows: aim 2.5, the borders 2 and 3 are equally near, the lower one wins; 2 + 8/3 = 4.67 is nearest to 5;
    # 5 + 5/2 = 7.5 again takes the lower one
    assert cuts("equal-frequency", range(1, 11), bins=4) == [2.5, 5.5, 7.5]


def test_equal_frequency_never_parts_equal_values():
    assert cuts("equal-frequency", [1, 1, 1, 1, 2, 3], bins=2) == [1.5]
    assert cuts("equal-frequency", [1, 1, 1, 1], bins=3) == []


def test_equal_frequency_counts_weights():
    # weights 1 1 1 9: half of 12 is 6, nearest to the border after 3
    assert cuts("equal-frequency", [1, 2, 3, 4], weights=[1, 1, 1, 9], bins=2) == [3.5]
    assert cuts("equal-frequency", [1, 2, 3, 4], weights=[9, 1, 1, 1], bins=2) == [1.5]


def test_proportional_makes_as_many_intervals_as_the_root_of_the_rows():
    # 10 rows: 3 intervals; aims 3.33 and 3 + 3.5 = 6.5, where 6 and 7 are equally near
    assert cuts("proportional", range(1, 11)) == [3.5, 6.5]
    assert cuts("proportional", range(1, 4)) == []
    assert cuts("proportional", range(1, 5)) == [2.5]


def test_proportional_takes_the_root_of_the_weight():
    assert cuts("proportional", [1, 2], weights=[2, 2]) == [1.5]
    assert cuts("proportional", [1, 2], weights=[1, 1]) == []


# --- distinct values


def test_distinct_values_are_the_values():
    assert cuts("distinct-values", [5, 1, 2, 1]) == [1, 2, 5]
    assert discretizer("distinct-values").cardinality(np.array([1.0, 2, 5])) == 3


def test_a_number_that_training_does_not_have_is_unseen():
    assert codes("distinct-values", [1.0, 2, 5], [5, 1, 3, -7, 9, math.nan]) == [2, 0, 3, 3, 3, 4]


# --- none


def test_none_keeps_numbers():
    assert discretizer("none").keeps_numeric
    assert learn_cuts(discretizer("none"), SortedColumns(table("x numeric; c {a}", "1 a; 2 a")), None) == {}


# --- entropy with the criterion of Fayyad and Irani


def test_a_perfect_cut_of_8_rows_pays():
    # gain 1 > (log2 7 + log2 7 - 2) / 8 = 0.4518
    assert cuts("entropy-mdl", [1, 2, 3, 4, 10, 11, 12, 13], "aaaabbbb") == [7]


def test_alternating_classes_are_not_cut():
    # the best of the cuts parts one row off: gain 0.1379 < 0.6981
    assert cuts("entropy-mdl", range(1, 9), "abababab") == []


def entropy(*counts):
    n = sum(counts)
    return -sum(c / n * math.log2(c / n) for c in counts if c)


def test_the_threshold_by_hand():
    # value 1: 3 a, 1 b; value 2: 1 a, 3 b; each m times. H = 1, both sides 0.8113, gain 0.1887
    gain = 1 - entropy(3, 1)
    delta = math.log2(3**2 - 2) - (2 - 2 * entropy(3, 1) - 2 * entropy(3, 1))
    assert gain == pytest.approx(0.1887, abs=5e-5)
    assert delta == pytest.approx(4.0525, abs=5e-5)
    for times in range(1, 10):
        n = 8 * times
        values, classes = [1] * 4 * times + [2] * 4 * times, "aaab" * times + "bbba" * times
        rows = gain > (math.log2(n - 1) + delta) / n
        boundaries = gain > delta / n  # one border: log2 1 = 0
        assert cuts("entropy-mdl", values, classes) == ([1.5] if rows else []), times
        assert cuts("entropy-mdl", values, classes, candidates="boundaries") == ([1.5] if boundaries else []), times
    # both answers occur, and 24 to 48 rows are where the two ways to count candidates differ
    assert cuts("entropy-mdl", [1] * 20 + [2] * 20, "aaab" * 5 + "bbba" * 5) == []
    assert cuts("entropy-mdl", [1] * 20 + [2] * 20, "aaab" * 5 + "bbba" * 5, candidates="boundaries") == [1.5]
    assert cuts("entropy-mdl", [1] * 28 + [2] * 28, "aaab" * 7 + "bbba" * 7) == [1.5]


def test_cuts_inside_the_parts_of_a_cut():
    # sixteen rows each of a, b, a: first one border, then the other
    assert cuts("entropy-mdl", range(48), "a" * 16 + "b" * 16 + "a" * 16) == [15.5, 31.5]


def test_three_classes():
    assert cuts("entropy-mdl", range(12), "aaaabbbbcccc") == [3.5, 7.5]


def test_the_lowest_of_equally_good_cuts():
    # bbbb | ab aaaa and bbbb ab | aaaa mirror each other; the one is not cut again at the place of the other
    assert cuts("entropy-mdl", [1, 1, 1, 1, 2, 2, 3, 3, 3, 3], "bbbbabaaaa") == [1.5]
    assert cuts("entropy-mdl", [1, 1, 1, 1, 2, 2, 3, 3, 3, 3], "aaaaabbbbb") == [1.5]


def test_one_class_is_not_cut():
    assert cuts("entropy-mdl", range(20), "a" * 20) == []


def test_one_row_is_not_cut():
    assert cuts("entropy-mdl", [1], "a") == []


# --- entropy with the criterion of Kononenko


def test_kononenko_of_two_and_two_rows():
    # whole: log2 C(5, 1) + log2 6 = 4.907; sides: 2 log2 C(3, 1) = 3.170; candidates: log2 3 = 1.585; 4.755 < 4.907
    assert cuts("entropy-mdl", [1, 1, 2, 2], "aabb", criterion="kononenko") == [1.5]


def test_kononenko_refuses_what_is_longer():
    # a b a: whole log2 C(4, 1) + log2 3 = 3.585; a | b a: 1 + (1.585 + 1) + log2 2 = 4.585
    assert cuts("entropy-mdl", [1, 2, 3], "aba", criterion="kononenko") == []


def bits(*counts):
    return math.log2(math.comb(sum(counts) + 1, 1)) + math.log2(math.comb(sum(counts), counts[0]))


def test_kononenko_by_hand():
    for times in range(1, 12):
        n = 8 * times
        values, classes = [1] * 4 * times + [2] * 4 * times, "aaab" * times + "bbba" * times
        whole, sides = bits(4 * times, 4 * times), 2 * bits(3 * times, times)
        rows, boundaries = whole > math.log2(n - 1) + sides, whole > sides
        found = cuts("entropy-mdl", values, classes, criterion="kononenko")
        assert found == ([1.5] if rows else []), times
        found = cuts("entropy-mdl", values, classes, criterion="kononenko", candidates="boundaries")
        assert found == ([1.5] if boundaries else []), times
    assert cuts("entropy-mdl", [1] * 4 + [2] * 4, "aaabbbba", criterion="kononenko") == []
    assert cuts("entropy-mdl", [1] * 44 + [2] * 44, "aaab" * 11 + "bbba" * 11, criterion="kononenko") == [1.5]


# --- properties of all of them

CLASSES = st.lists(st.sampled_from("abc"), min_size=2, max_size=30)


@pytest.mark.parametrize("name", RULES)
@settings(max_examples=20, deadline=None)
@given(classes=CLASSES, data=st.data())
def test_whole_weights_are_repetitions(name, classes, data):
    n = len(classes)
    values = data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n))
    weights = data.draw(st.lists(st.integers(1, 4), min_size=n, max_size=n))
    repeated = [v for v, w in zip(values, weights, strict=True) for _ in range(w)]
    labels = "".join(c * w for c, w in zip(classes, weights, strict=True))
    assert cuts(name, values, classes, weights, **RULES[name]) == cuts(name, repeated, labels, **RULES[name])


@pytest.mark.parametrize("name", RULES)
@settings(max_examples=20, deadline=None)
@given(classes=CLASSES, data=st.data())
def test_the_order_of_rows_does_not_move_a_cut(name, classes, data):
    n = len(classes)
    values = data.draw(st.lists(st.integers(0, 9), min_size=n, max_size=n))
    order = data.draw(st.permutations(range(n)))
    mixed = cuts(name, [values[i] for i in order], "".join(classes[i] for i in order), **RULES[name])
    assert mixed == cuts(name, values, classes, **RULES[name])


@pytest.mark.parametrize("name", RULES)
@settings(max_examples=20, deadline=None)
@given(classes=CLASSES, data=st.data())
def test_cuts_ascend_and_part_values(name, classes, data):
    n = len(classes)
    values = data.draw(st.lists(st.floats(-1e6, 1e6, width=32), min_size=n, max_size=n))
    found = cuts(name, values, classes, **RULES[name])
    assert found == sorted(set(found))
    if name not in ("equal-width", "distinct-values"):
        occupied = set(np.searchsorted(found, values, side="left"))
        assert occupied == set(range(len(found) + 1))


@pytest.mark.parametrize("name", RULES)
@settings(max_examples=20, deadline=None)
@given(classes=CLASSES, data=st.data())
def test_scaling_by_a_power_of_two_scales_the_cuts(name, classes, data):
    n = len(classes)
    values = data.draw(st.lists(st.integers(-50, 50), min_size=n, max_size=n))
    assume(len(set(values)) > 1)
    plain = cuts(name, values, classes, **RULES[name])
    assert cuts(name, [v * 1024 for v in values], classes, **RULES[name]) == [cut * 1024 for cut in plain]
