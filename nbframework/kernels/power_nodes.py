"""Sums of many evenly spaced powers from those of a few of them.

Any power x^kappa of numbers between 0 and 1 is nearly a linear combination of some well chosen ones, the nodes: 36 of
them give the powers from 1 to 100 to within 1e-17. What holds for each number holds for sums. The nodes and the
coefficients are an interpolative decomposition (Cheng, Gimbutas, Martinsson & Rokhlin, 2005, On the compression of low
rank matrices, section 3) of the table of powers, worked out in extended precision.
"""

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Extended = NDArray[np.longdouble]

MANY_ROWS = 4096
"""As many are worth it; whatever the queries are, so that the sums of one do not depend on the others."""
FEWEST, MOST = 48, 300
"""How many exponents are worth it, and how many are not too many."""
MOST_GAP = 32
"""How far the kernel steps from node to node."""
TOLERANCE = 1e-17
_SAMPLES, _CHECKED = 192, 577
_NEGLIGIBLE = 45.0
"""e to the minus this is less than the tolerance."""


@dataclass(frozen=True, eq=False)
class PowerNodes:
    """How to interpolate.

    Parameters
    ----------
    nodes
        (r,) ascending positions of exponents, the first of them 0.
    coefficients
        (r, m): the power of exponent e is the sum over r of coefficients[r, e] times that of exponent nodes[r].
    error
        A bound of the absolute error of any power of any number between 0 and 1, without that of rounding.
    """

    nodes: NDArray[np.intp]
    coefficients: NDArray[np.float64]
    error: float


def nodes_of(
    exponents: NDArray[np.float64], rows: int, weights: NDArray[np.float64] | None
) -> tuple[NDArray[np.intp] | None, NDArray[np.float64] | None, float]:
    """Return nodes, coefficients and error for the sums over so many rows; no nodes where all are to be added up."""
    found = power_nodes(exponents) if weights is None and rows >= MANY_ROWS else None
    return (None, None, 0.0) if found is None else (found.nodes, found.coefficients, found.error)


def power_nodes(exponents: NDArray[np.float64]) -> PowerNodes | None:
    """Return how to interpolate the powers, None where it is not worth it or not exact enough.

    Parameters
    ----------
    exponents
        (m,) at least 0, in any order; only evenly spaced ascending ones can be interpolated.
    """
    if not FEWEST <= len(exponents) <= MOST or np.finfo(np.longdouble).eps > 1e-18:
        return None
    step = (exponents[-1] - exponents[0]) / (len(exponents) - 1)
    even = exponents[0] + step * np.arange(len(exponents))
    if not step > 0 or np.abs(even - exponents).max() > np.finfo(np.float64).eps * exponents[-1]:
        return None
    found = _nodes(float(exponents[0] / step), len(exponents))
    return found if np.diff(found.nodes).max() <= MOST_GAP else None


@functools.lru_cache(maxsize=32)
def _nodes(first: float, count: int) -> PowerNodes:
    """Choose nodes for the exponents first, first + 1, ...

    The table is cut down by one orthogonal direction after the other, that of the exponent which is farthest from its
    projection to those before.
    """
    table = _powers(first, count, _SAMPLES)
    left, lengths, chosen = table.copy(), [], []
    while np.abs(left).max() > TOLERANCE:
        farthest = int((left * left).sum(axis=1).argmax())
        direction = left[farthest] / np.sqrt(left[farthest] @ left[farthest])
        chosen.append(farthest)
        lengths.append(left @ direction)
        left -= np.outer(lengths[-1], direction)
        left[farthest] = 0
    # the rows of `parts` are the exponents in the basis of the directions, those of the nodes a triangle
    parts = np.array(lengths).T
    coefficients = np.zeros_like(parts)
    for last in range(len(chosen) - 1, -1, -1):
        coefficients[:, last] = parts[:, last] / parts[chosen[last], last]
        parts -= np.outer(coefficients[:, last], parts[chosen[last]])
    order = np.argsort(chosen)
    nodes, coefficients = np.array(chosen)[order], coefficients[:, order]
    table = _powers(first, count, _CHECKED)
    error = np.abs(table - coefficients @ table[nodes]).max()
    return PowerNodes(
        nodes.astype(np.intp), np.ascontiguousarray(coefficients.T.astype(np.float64)), 2.0 * float(error)
    )


def _powers(first: float, exponents: int, count: int) -> Extended:
    """Return powers of numbers between 0 and 1 that lie closely where the largest exponents change, (exponents, count).

    The logarithms lie like Chebyshev's points on the scale on which they grow exponentially, from that of the largest
    exponent to where nothing is left of the smallest two.
    """
    exponent = np.asarray(first, dtype=np.longdouble) + np.arange(exponents)
    place = (1 - np.cos(np.pi * (np.arange(count, dtype=np.longdouble) + 0.5) / count)) / 2
    end = _NEGLIGIBLE / (first if first >= 1 else first + 1)
    return np.exp(-np.outer(exponent, ((1 + end * exponent[-1]) ** place - 1) / exponent[-1]))
