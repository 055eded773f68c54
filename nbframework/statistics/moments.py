"""Exact sums of numbers and of their squares: they add, subtract and never round.

A number is cut into short whole numbers at fixed places, a few bits each; products of two or three of them are summed
by matrix products whose partial sums all stay below 2^53, where doubles are exact. What is left is arithmetic of
Python's integers. So the moments of rows in pieces, in any order, are those of all rows, to the last bit.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]

BLOCK_ROWS = 2**15
PLAIN_BITS = 18
"""Bits of a part without row weights: products of two, summed over 2^15 rows, stay below 2^53."""
WEIGHTED_BITS = 12
"""Bits of a part with row weights: products of three, summed over 2^15 rows, stay below 2^53."""
SCALE = 1074
"""No double has a bit below 2^-1074."""
SAFE_EXPONENT = 1000


@dataclass(frozen=True, eq=False)
class Moments:
    """Weights, weighted sums and weighted sums of squares of d attributes in C classes, over the rows that know them.

    Parameters
    ----------
    total
        (3, C, d) Python integers: the sum of w in units of 2^-1074, of w x in units of 2^-2148, and of w x^2 in units
        of 2^-3222.
    """

    total: NDArray[np.object_]

    @classmethod
    def of(
        cls, values: FloatArray, classes: NDArray[Any], class_count: int, weights: FloatArray | None = None
    ) -> "Moments":
        """Return the moments of some rows.

        Parameters
        ----------
        values
            (n, d), NaN for unknown.
        classes
            (n,) codes below ``class_count``.
        weights
            (n,) row weights, or None for 1.
        """
        total = np.zeros((3, class_count, values.shape[1]), dtype=object)
        for first in range(0, len(values), BLOCK_ROWS):
            rows = slice(first, first + BLOCK_ROWS)
            _add_block(total, values[rows], classes[rows], None if weights is None else weights[rows])
        return cls(total)

    @property
    def weight(self) -> FloatArray:
        """(C, d) weight of the rows that know an attribute; 0 exactly where no row does."""
        return _ratios(self.total[0], 1 << SCALE)

    @property
    def amount(self) -> FloatArray:
        """(C, d) weighted sum of the known values, correctly rounded."""
        return _ratios(self.total[1], 1 << 2 * SCALE)

    @property
    def mean(self) -> FloatArray:
        """(C, d) weighted mean, correctly rounded; NaN where no row knows the attribute."""
        return _ratios(self.total[1], self.total[0] << SCALE)

    def variance(self, correction: int = 0) -> FloatArray:
        """Return (C, d) the weighted sum of squared deviations over the weight less a correction, correctly rounded.

        Where all values are equal it is exactly 0, and so it is where the weight does not exceed the correction; NaN
        where no row knows the attribute.
        """
        weight, first, second = self.total
        less = weight - (correction << SCALE)
        spread = second * weight - first * first
        divisor = weight * less << 2 * SCALE
        enough = less > 0
        variance = _ratios(np.where(enough, spread, 0), np.where(enough, divisor, 1))
        return np.where(weight == 0, np.nan, variance)

    def of_all(self) -> "Moments":
        """Return the moments of all classes together, as one class."""
        return Moments(self.total.sum(axis=1, keepdims=True))

    def merge(self, other: "Moments") -> "Moments":
        """Return the moments of the rows of both."""
        return Moments(self.total + other.total)

    def subtract(self, other: "Moments") -> "Moments":
        """Return the moments without those of some of the rows; `of_no_rows` tells where they were not among them."""
        return Moments(self.total - other.total)

    def of_no_rows(self, most_rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return (C, d) whether no rows of weights above 0 have these sums: some were taken away that never were there.

        Parameters
        ----------
        most_rows
            (C,) number of rows of each class, of which some may not know an attribute.
        """
        weight, first, second = self.total
        spread = second * weight - first * first
        nothing = (weight == 0) & ((first != 0) | (second != 0))
        # Cauchy-Schwarz; one row alone has no spread
        alone = (most_rows == 1)[:, np.newaxis] & (spread != 0)
        none = (most_rows == 0)[:, np.newaxis] & (weight != 0)
        return np.asarray((weight < 0) | nothing | (spread < 0) | alone | none, dtype=bool)

    def of_classes(self, place: IntArray, class_count: int) -> "Moments":
        """Return the moments with class c at ``place[c]`` of ``class_count`` classes."""
        total = np.zeros((3, class_count, self.total.shape[2]), dtype=object)
        total[:, place] = self.total
        return Moments(total)

    def to_bytes(self) -> NDArray[np.uint8]:
        """Return (3, C, d, m) bytes of the integers in two's complement, the lowest first."""
        longest = max((int(number).bit_length() for number in self.total.flat), default=0)
        size = longest // 8 + 1
        parts = [int(number).to_bytes(size, "little", signed=True) for number in self.total.flat]
        return np.frombuffer(b"".join(parts), dtype=np.uint8).reshape(*self.total.shape, size)

    @classmethod
    def from_bytes(cls, data: NDArray[np.uint8]) -> "Moments":
        """Return what `to_bytes` wrote; raises ValueError where it cannot have done so."""
        if data.ndim != 4 or data.dtype != np.uint8 or data.shape[0] != 3 or data.shape[3] > 1024:
            raise ValueError(f"moments of shape {data.shape} and type {data.dtype}")
        total = np.zeros(data.shape[:3], dtype=object)
        for place in np.ndindex(*total.shape):
            total[place] = int.from_bytes(data[place].tobytes(), "little", signed=True)
        if (total[0] < 0).any() or (total[2] < 0).any():
            raise ValueError("moments of negative weight")
        return cls(total)


def _add_block(
    total: NDArray[np.object_], values: FloatArray, classes: NDArray[Any], weights: FloatArray | None
) -> None:
    """Add the moments of at most `BLOCK_ROWS` rows."""
    order = np.argsort(classes, kind="stable")
    borders = np.searchsorted(classes[order], np.arange(total.shape[1] + 1))
    bits = PLAIN_BITS if weights is None else WEIGHTED_BITS
    of_weights = [(0, None)] if weights is None else list(_parts(weights[order], bits))
    for j in range(values.shape[1]):
        x = values[order, j]
        known = ~np.isnan(x)
        x[~known] = 0.0
        parts = [(0, known.astype(np.float64)), *_parts(x, bits)]
        exponent = [place for place, _ in parts]
        stacked = np.stack([part for _, part in parts])
        for c in range(total.shape[1]):
            own = stacked[:, borders[c] : borders[c + 1]]
            if own.shape[1]:
                for place, weight in of_weights:
                    scaled = own if weight is None else own * weight[borders[c] : borders[c + 1]]
                    _add_products(total[:, c, j], scaled @ own.T, exponent, place)


def _add_products(total: NDArray[np.object_], products: FloatArray, exponent: list[int], place: int) -> None:
    """Add a matrix of exact products; its first row and column belong to the ones of known rows."""
    whole = products.tolist()
    total[0] += int(whole[0][0]) << SCALE + place
    for i, of_first in enumerate(exponent[1:], 1):
        total[1] += int(whole[0][i]) << 2 * SCALE + place + of_first
        for k, of_second in enumerate(exponent[1:], 1):
            total[2] += int(whole[i][k]) << 3 * SCALE + place + of_first + of_second


def _parts(numbers: FloatArray, bits: int) -> Iterator[tuple[int, FloatArray]]:
    """Yield exponents e and whole numbers q below 2^(bits - 1) so that the numbers are the sums of q 2^e."""
    left = numbers.copy()
    while largest := float(max(left.max(initial=0.0), -left.min(initial=0.0))):
        exponent = max(int(np.frexp(largest)[1]) - bits + 1, -SCALE)
        # never away from zero, which could go beyond the largest double
        part = np.trunc(_scaled(left, -exponent))
        left -= _scaled(part, exponent)
        yield exponent, part


def _scaled(numbers: FloatArray, exponent: int) -> FloatArray:
    """Return numbers times 2^exponent; a product is faster than ldexp where the power is a double."""
    return np.asarray(numbers * 2.0**exponent if abs(exponent) < SAFE_EXPONENT else np.ldexp(numbers, exponent))


def _ratios(numerator: NDArray[np.object_], denominator: Any) -> FloatArray:
    """Return the quotients of integers, correctly rounded; NaN for a denominator of 0, infinite beyond the doubles."""
    result = np.empty(numerator.shape)
    below = np.broadcast_to(np.asarray(denominator, dtype=object), numerator.shape)
    for place in np.ndindex(*numerator.shape):
        try:
            result[place] = numerator[place] / below[place]
        except ZeroDivisionError:
            result[place] = np.nan
        except OverflowError:
            result[place] = np.inf if numerator[place] > 0 else -np.inf
    return result
