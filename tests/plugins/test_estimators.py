"""Every estimator on one table, worked by hand; the fractions below need nothing but the formulas.

Eight rows, of which five have class a, three class b and none class c:

colour   red  green  blue  unknown      size  small  large  unknown
a          3      1     0        1              5      0        0
b          0      2     1        0              1      2        0
c          0      0     0        0              0      0        0
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.builders import counts_of, log_table, logs

from nbframework.plugins import installed
from nbframework.statistics.counts import Counts

COLOUR = [[3, 1, 0, 1], [0, 2, 1, 0], [0, 0, 0, 0]]
SIZE = [[5, 0, 0], [1, 2, 0], [0, 0, 0]]
COUNTS = counts_of([COLOUR, SIZE], [5, 3, 0])


def estimator(name: str, **parameters):
    return installed().find("estimator", name).part(**parameters)


# name, parameters, rows of a, b and c (red green blue unseen | small large unseen), prior
HAND = {
    "frequency": (
        ("frequency", {}),
        ("3/4 1/4 0 0 | 1 0 0", "0 2/3 1/3 0 | 1/3 2/3 0", "1/3 1/3 1/3 1/3 | 1/2 1/2 1/2"),
        "5/8 3/8 0",
    ),
    "laplace 1": (
        ("laplace", {"f": 1}),
        ("4/7 2/7 1/7 1/7 | 6/7 1/7 1/7", "1/6 3/6 2/6 1/6 | 2/5 3/5 1/5", "1/3 1/3 1/3 1/3 | 1/2 1/2 1/2"),
        "6/11 4/11 1/11",
    ),
    "laplace 1/2": (
        ("laplace", {"f": 0.5}),
        ("7/11 3/11 1/11 1/11 | 11/12 1/12 1/12", "1/9 5/9 3/9 1/9 | 3/8 5/8 1/8", "1/3 1/3 1/3 1/3 | 1/2 1/2 1/2"),
        "11/19 7/19 1/19",
    ),
    "laplace 0 is frequency": (
        ("laplace", {"f": 0}),
        ("3/4 1/4 0 0 | 1 0 0", "0 2/3 1/3 0 | 1/3 2/3 0", "1/3 1/3 1/3 1/3 | 1/2 1/2 1/2"),
        "5/8 3/8 0",
    ),
    # m = 8 rows: (N + 1/8) / (n + k/8)
    "laplace-m": (
        ("laplace-m", {}),
        (
            "25/35 9/35 1/35 1/35 | 41/42 1/42 1/42",
            "1/27 17/27 9/27 1/27 | 9/26 17/26 1/26",
            "1/3 1/3 1/3 1/3 | 1/2 1/2 1/2",
        ),
        "41/67 25/67 1/67",
    ),
    # zero becomes 0.5 / 8
    "no-match factor": (
        ("no-match", {"f": 0.5}),
        ("3/4 1/4 1/16 1/16 | 1 1/16 1/16", "1/16 2/3 1/3 1/16 | 1/3 2/3 1/16", "1/16 1/16 1/16 1/16 | 1/16 1/16 1/16"),
        "5/8 3/8 0",
    ),
    "no-match factor 0": (
        ("no-match", {"f": 0}),
        ("3/4 1/4 0 0 | 1 0 0", "0 2/3 1/3 0 | 1/3 2/3 0", "0 0 0 0 | 0 0 0"),
        "5/8 3/8 0",
    ),
    # zero becomes P(C) / 8: (5/8) / 8, (3/8) / 8 and 0
    "no-match class frequency": (
        ("no-match", {"numerator": "class-frequency"}),
        ("3/4 1/4 5/64 5/64 | 1 5/64 5/64", "3/64 2/3 1/3 3/64 | 1/3 2/3 3/64", "0 0 0 0 | 0 0 0"),
        "5/8 3/8 0",
    ),
    # the same over two attributes
    "no-match class frequency per attribute": (
        ("no-match", {"numerator": "class-frequency-per-attribute"}),
        ("3/4 1/4 5/128 5/128 | 1 5/128 5/128", "3/128 2/3 1/3 3/128 | 1/3 2/3 3/128", "0 0 0 0 | 0 0 0"),
        "5/8 3/8 0",
    ),
    # P(A and C) = 1/16 divided by P(C) = 5/8 or 3/8
    "no-match joint factor": (
        ("no-match", {"f": 0.5, "target": "joint"}),
        ("3/4 1/4 1/10 1/10 | 1 1/10 1/10", "1/6 2/3 1/3 1/6 | 1/3 2/3 1/6", "0 0 0 0 | 0 0 0"),
        "5/8 3/8 0",
    ),
    # P(A and C) = P(C) / 8 divided by P(C)
    "no-match joint class frequency": (
        ("no-match", {"numerator": "class-frequency", "target": "joint"}),
        ("3/4 1/4 1/8 1/8 | 1 1/8 1/8", "1/8 2/3 1/3 1/8 | 1/3 2/3 1/8", "0 0 0 0 | 0 0 0"),
        "5/8 3/8 0",
    ),
    # 4/8 divided by 5/8 is 4/5, by 3/8 is 4/3: more than a probability can be
    "no-match joint never exceeds 1": (
        ("no-match", {"f": 4, "target": "joint"}),
        ("3/4 1/4 4/5 4/5 | 1 4/5 4/5", "1 2/3 1/3 1 | 1/3 2/3 1", "0 0 0 0 | 0 0 0"),
        "5/8 3/8 0",
    ),
    "m-estimate uniform": (
        ("m-estimate", {"m": 1}),
        (
            "10/15 4/15 1/15 1/15 | 11/12 1/12 1/12",
            "1/12 7/12 4/12 1/12 | 3/8 5/8 1/8",
            "1/3 1/3 1/3 1/3 | 1/2 1/2 1/2",
        ),
        "16/27 10/27 1/27",
    ),
    # q: red and green (3 + 1) / (7 + 3), blue 2/10, unseen 1/10; small 7/10, large 3/10, unseen 1/10
    "m-estimate laplace prior": (
        ("m-estimate", {"m": 2, "prior": "laplace"}),
        (
            "19/30 9/30 2/30 1/30 | 32/35 3/35 1/35",
            "4/25 14/25 7/25 1/25 | 12/25 13/25 1/25",
            "4/10 4/10 2/10 1/10 | 7/10 3/10 1/10",
        ),
        "17/30 11/30 2/30",
    ),
    # two classes occur: ((n_ca + 1) / (n_a + 2)) / ((n_c + 1) / 10), such as (4/5) / (6/10) for red and a
    "cestnik": (
        ("cestnik", {"f": 1}),
        (
            "4/3 2/3 5/9 5/6 | 5/4 5/12 5/6",
            "1/2 3/2 5/3 5/4 | 5/8 15/8 5/4",
            "1 1 1 1 | 1 1 1",
        ),
        "6/10 4/10 0",
    ),
    # (n_ca / n_a) / (n_c / 8); P(C | a value without rows) is 1/2
    "cestnik without smoothing": (
        ("cestnik", {"f": 0}),
        ("8/5 8/15 0 4/5 | 4/3 0 4/5", "0 16/9 8/3 4/3 | 4/9 8/3 4/3", "1 1 1 1 | 1 1 1"),
        "5/8 3/8 0",
    ),
}


@pytest.mark.parametrize("case", HAND)
def test_conditional_by_hand(case):
    (name, parameters), rows, _ = HAND[case]
    found = estimator(name, **parameters).log_conditional(COUNTS)
    expected = log_table(*rows)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("case", HAND)
def test_prior_by_hand(case):
    (name, parameters), _, prior = HAND[case]
    np.testing.assert_allclose(estimator(name, **parameters).log_prior(COUNTS), logs(prior), rtol=0, atol=1e-14)


@pytest.mark.parametrize("case", HAND)
def test_unknown_cells_leave_the_factor_out(case):
    (name, parameters), _, _ = HAND[case]
    assert (estimator(name, **parameters).log_conditional(COUNTS)[:, COUNTS.unknown] == 0).all()


def test_evidence_projection_by_hand():
    # seven rows, so M = log2(1 + 7) = 3; a: red 2, green 2; b: red 2, green 0, one unknown
    counts = counts_of([[[2, 2, 0], [2, 0, 1]]], [4, 3])
    # a: P = 1/2, e = 1, e' = 3 * 1 / (1 + 3) = 3/4; b: P = 1, e = e' = 0; zero: e' = M = 3, so 1/8
    half, zero = 2**-0.75, 1 / 8
    expected = [
        [half / (half + 1), half / (half + zero), 1 / 2],
        [1 / (half + 1), zero / (half + zero), 1 / 2],
    ]
    found = estimator("evidence-projection").log_conditional(counts)
    np.testing.assert_allclose(found[:, :3], np.log(expected), rtol=0, atol=1e-14)
    assert (found[:, 3] == 0).all()
    np.testing.assert_allclose(estimator("evidence-projection").log_prior(counts), logs("4/7 3/7"), atol=1e-14)


def test_evidence_projection_factor_enters_the_bound():
    # M = log2(1 + 7/7) = 1: a zero count becomes 1/2, P = 1/2 becomes 2^-(1/2)
    counts = counts_of([[[2, 2, 0], [2, 0, 1]]], [4, 3])
    found = estimator("evidence-projection", f=1 / 7).log_conditional(counts)
    half = 2**-0.5
    np.testing.assert_allclose(found[:, 1], np.log([half / (half + 0.5), 0.5 / (half + 0.5)]), atol=1e-14)


# --- denominators and numbers of values are the missing policy's business


@pytest.mark.parametrize(
    ("name", "parameters", "expected"),
    [
        ("frequency", {}, "3/5 1/5 0 0"),
        ("laplace", {"f": 1}, "4/9 2/9 1/9 1/9"),
        ("laplace-m", {}, "25/44 9/44 1/44 1/44"),
        ("no-match", {"f": 0.5}, "3/5 1/5 1/16 1/16"),
        ("m-estimate", {"m": 1}, "13/24 5/24 1/24 1/24"),
    ],
)
def test_estimators_divide_by_known_and_smooth_over_cardinality(name, parameters, expected):
    # the policy counts the unknown row of class a in n, 5 instead of 4, and one more value, 4 instead of 3
    counts = replace(COUNTS, known=np.array([[5.0, 5], [3, 3], [0, 0]]), cardinality=np.array([4.0, 2]))
    found = estimator(name, **parameters).log_conditional(counts)
    np.testing.assert_allclose(found[0, :4], logs(expected), rtol=0, atol=1e-14)


# --- support: a cell is zero where no row stands behind it


def fractional() -> Counts:
    """0.1 + 0.2 - 0.3 leaves 5.6e-17 in a cell that no row stands behind."""
    residue = 0.1 + 0.2 - 0.3
    assert residue != 0
    return counts_of([[[0.5, residue, 0], [0.25, 0.5, 0]]], [0.5, 0.75], [[[1, 0, 0], [1, 1, 0]]])


def test_no_match_replaces_what_no_row_supports():
    found = estimator("no-match", f=0.5).log_conditional(fractional())
    np.testing.assert_allclose(found[0, 1], np.log(0.5 / 1.25), atol=1e-14)


def test_no_match_keeps_a_tiny_weight_that_a_row_supports():
    counts = counts_of([[[0.5, 1e-17, 0], [0.25, 0.5, 0]]], [0.5, 0.75], [[[1, 1, 0], [1, 1, 0]]])
    found = estimator("no-match", f=0.5).log_conditional(counts)
    np.testing.assert_allclose(found[0, 1], np.log(1e-17 / 0.5), rtol=1e-12)


def test_subtracting_all_rows_of_a_cell_leaves_an_exact_zero():
    whole = counts_of([[[0.5, 0.1 + 0.2, 0], [0.25, 0.5, 0]]], [0.8, 0.75], [[[1, 2, 0], [1, 1, 0]]])
    part = counts_of([[[0.0, 0.3, 0], [0.0, 0.0, 0]]], [0.3, 0.0], [[[0, 2, 0], [0, 0, 0]]])
    left = whole.subtract(part)
    assert left.is_zero[0, 1]
    assert estimator("frequency").log_conditional(left)[0, 1] == -np.inf


# --- leading axes


@pytest.mark.parametrize(("name", "parameters"), [*(part for part, _, _ in HAND.values()), ("evidence-projection", {})])
def test_leading_axes_equal_one_by_one(name, parameters):
    generator = np.random.default_rng(3)
    part = estimator(name, **parameters)
    singles = []
    for _ in range(6):
        blocks = [generator.integers(0, 5, (3, 4)).tolist(), generator.integers(0, 5, (3, 3)).tolist()]
        weight = np.sum([np.sum(blocks[0], axis=1), np.sum(blocks[1], axis=1)], axis=0)
        singles.append(counts_of(blocks, weight.tolist()))
    stacked = replace(
        singles[0],
        cells=np.stack([c.cells for c in singles]).reshape(2, 3, *singles[0].cells.shape),
        class_weight=np.stack([c.class_weight for c in singles]).reshape(2, 3, 3),
        known=np.stack([c.known for c in singles]).reshape(2, 3, 3, 2),
        cardinality=np.stack([c.cardinality for c in singles]).reshape(2, 3, 2),
    )
    conditional = part.log_conditional(stacked).reshape(6, 3, -1)
    prior = part.log_prior(stacked).reshape(6, 3)
    for index, single in enumerate(singles):
        np.testing.assert_array_equal(conditional[index], part.log_conditional(single))
        np.testing.assert_array_equal(prior[index], part.log_prior(single))


def test_a_local_table_takes_m_and_q_from_its_reference():
    # two rows of the eight: red a and green b; m = 8 and q are those of the training set
    local = replace(counts_of([[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]], [1, 1, 0]), reference=_colour_only())
    laplace_m = estimator("laplace-m").log_conditional(local)
    np.testing.assert_allclose(laplace_m[0, :4], logs("9/11 1/11 1/11 1/11"), atol=1e-14)
    m_estimate = estimator("m-estimate", m=2, prior="laplace").log_conditional(local)
    np.testing.assert_allclose(m_estimate[0, :4], logs("18/30 8/30 4/30 2/30"), atol=1e-14)
    no_match = estimator("no-match", numerator="class-frequency").log_conditional(local)
    np.testing.assert_allclose(no_match[0, :4], logs("1 5/64 5/64 5/64"), atol=1e-14)


def _colour_only() -> Counts:
    return counts_of([COLOUR], [5, 3, 0])


# --- identities


@given(
    st.lists(st.integers(0, 50), min_size=2, max_size=6),
    st.integers(0, 20),
    st.integers(1, 200),
)
def test_laplace_m_is_n_plus_one_over_m(cells, unknown, others):
    n, k = sum(cells), len(cells)
    m = n + unknown + others
    counts = counts_of([[[*cells, unknown], [*[0] * (k - 1), others, 0]]], [n + unknown, others])
    found = estimator("laplace-m").log_conditional(counts)[0, :k]
    exact = [(cell + Fraction(1, m)) / (n + Fraction(k, m)) for cell in cells]
    np.testing.assert_allclose(found, np.log([float(value) for value in exact]), rtol=0, atol=1e-12)


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=2, max_size=4), st.floats(0.01, 5))
def test_smoothed_values_sum_to_one(cells, factor):
    counts = counts_of([[[*row, 0] for row in cells]], [sum(row) or 1 for row in cells])
    for part in (estimator("laplace", f=factor), estimator("m-estimate", m=factor), estimator("laplace-m", f=factor)):
        np.testing.assert_allclose(np.exp(part.log_conditional(counts)[:, :3]).sum(axis=1), 1, atol=1e-12)
        np.testing.assert_allclose(np.exp(part.log_prior(counts)).sum(), 1, atol=1e-12)
