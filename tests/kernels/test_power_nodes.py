"""The nodes from which sums of powers are interpolated."""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from nbframework.kernels.power_nodes import MANY_ROWS, nodes_of, power_nodes

pytestmark = pytest.mark.skipif(
    np.finfo(np.longdouble).eps > 1e-18, reason="this machine has no numbers of extended precision"
)
GRIDS = {
    "1 to 100": np.arange(1.0, 101.0),
    "from 0": np.arange(0.0, 60.0),
    "tenths": np.linspace(0.1, 10.0, 100),
    "from 10": np.linspace(10.0, 30.0, 81),
    "nearly 0": np.linspace(1e-6, 59.0, 60),
    "1 to 300": np.arange(1.0, 301.0),
}


@pytest.mark.parametrize("exponents", GRIDS.values(), ids=GRIDS)
@pytest.mark.parametrize("number", ["1", "0.999", "0.97", "0.9", "0.7", "0.5", "0.2", "0.01", "1e-9"])
def test_powers_are_interpolated_to_the_stated_error(exponents, number):
    """Powers with 40 digits; the step of the exponents is taken into the number."""
    found = power_nodes(exponents)
    assert found.error < 1e-16
    first = Decimal(float(exponents[0])) / Decimal(float(exponents[1] - exponents[0]))
    with localcontext() as context:
        context.prec = 40
        powers = [Decimal(number) ** (first + index) for index in range(len(exponents))]
        for index, power in enumerate(powers):
            coefficients = found.coefficients[:, index].tolist()
            terms = [Decimal(c) * powers[node] for c, node in zip(coefficients, found.nodes, strict=True)]
            # the coefficients are doubles
            rounding = Decimal("2e-16") * sum(abs(term) for term in terms)
            assert abs(sum(terms) - power) <= Decimal(found.error) + rounding


@pytest.mark.parametrize("exponents", GRIDS.values(), ids=GRIDS)
def test_a_node_is_its_own_interpolation(exponents):
    found = power_nodes(exponents)
    assert found.nodes[0] == 0
    np.testing.assert_array_equal(found.coefficients[:, found.nodes], np.eye(len(found.nodes)))


def test_few_nodes_give_many_powers():
    assert len(power_nodes(np.arange(1.0, 101.0)).nodes) == 36


@pytest.mark.parametrize(
    "exponents",
    [
        [],
        [1.0],
        np.arange(1.0, 48.0),
        np.arange(1.0, 1000.0),
        np.arange(100.0, 0.0, -1.0),
        np.ones(100),
        np.geomspace(1.0, 100.0, 100),
        np.append(np.arange(1.0, 100.0), 100.0001),
    ],
    ids=["none", "one", "few", "many", "descending", "equal", "uneven", "nearly even"],
)
def test_no_nodes_for_other_exponents(exponents):
    assert power_nodes(np.array(exponents)) is None


def test_no_nodes_for_few_rows_or_weighted_ones():
    exponents, none = np.arange(1.0, 101.0), (None, None, 0.0)
    assert nodes_of(exponents, MANY_ROWS - 1, None) == none
    assert nodes_of(exponents, MANY_ROWS, np.ones(MANY_ROWS)) == none
    assert nodes_of(exponents, MANY_ROWS, None)[0] is not None
