"""Generator led24: the digit on a faulty display of seven segments, among irrelevant attributes."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import Attribute, DataGenerator, Dataset, Ge, IntArray, JavaRandom, Le, hookimpl

BoolArray = NDArray[np.bool_]
SEGMENTS = np.array(
    [
        [1, 1, 1, 0, 1, 1, 1],
        [0, 0, 1, 0, 0, 1, 0],
        [1, 0, 1, 1, 1, 0, 1],
        [1, 0, 1, 1, 0, 1, 1],
        [0, 1, 1, 1, 0, 1, 0],
        [1, 1, 0, 1, 0, 1, 1],
        [1, 1, 0, 1, 1, 1, 1],
        [1, 0, 1, 0, 0, 1, 0],
        [1, 1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, 0, 1, 1],
    ],
    dtype=np.uint8,
)
"""(10, 7) segments of each digit: top, upper left, upper right, middle, lower left, lower right, bottom."""


@dataclass(frozen=True, kw_only=True)
class LED24(DataGenerator):
    """Draw digits uniformly and show each on seven segments, every one of which may be faulty.

    Parameters
    ----------
    rows
        The number of rows; Kohavi et al. trained on 200 and tested on 3000.
    noise
        The probability that a segment shows its opposite, independently of the others.
    irrelevant
        The number of attributes behind the segments that are 0 or 1 with equal probability; 0 gives led7.
    weka_seed
        Draw the rows that Weka 3.9.7's LED24 gives for this seed (its option -S), whatever the seed of the study;
        None draws them with NumPy.

    References
    ----------
    Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees, pages 43-49.
    """

    name: ClassVar[str] = "led24"
    cite: ClassVar[str] = "Breiman, Friedman, Olshen & Stone 1984, pages 43-49"
    rows: Annotated[int, Ge(1)] = 3200
    noise: Annotated[float, Ge(0), Le(1)] = 0.1
    irrelevant: Annotated[int, Ge(0)] = 17
    weka_seed: int | None = None

    def generate(self, generator: np.random.Generator) -> Dataset:
        """Return the rows: attributes att1 to att7 are the segments, the class is the digit."""
        digits, faulty, irrelevant = self._drawn(generator) if self.weka_seed is None else self._weka(self.weka_seed)
        cells = np.hstack([SEGMENTS[digits] ^ faulty, irrelevant])
        attributes = [Attribute.nominal(f"att{i + 1}", ["0", "1"]) for i in range(cells.shape[1])]
        attributes.append(Attribute.nominal("class", [str(digit) for digit in range(10)]))
        return Dataset.from_columns(attributes, [*cells.T, digits], name=f"led{cells.shape[1]}")

    def _drawn(self, generator: np.random.Generator) -> tuple[IntArray, BoolArray, IntArray]:
        """Return (rows,) digits, (rows, 7) which segments are faulty, (rows, irrelevant) the other attributes."""
        digits = generator.integers(10, size=self.rows)
        faulty = generator.random((self.rows, SEGMENTS.shape[1])) < self.noise
        return digits, faulty, generator.integers(2, size=(self.rows, self.irrelevant))

    def _weka(self, seed: int) -> tuple[IntArray, BoolArray, IntArray]:
        """Return the same, drawn row by row with Java's numbers; the noise is a percentage there."""
        random, segments = JavaRandom(seed), SEGMENTS.shape[1]
        drawn = np.array(
            [
                [
                    random.next_below(10),
                    *(random.next_below(100) for _ in range(segments)),
                    *(random.next_below(2) for _ in range(self.irrelevant)),
                ]
                for _ in range(self.rows)
            ]
        )
        faulty = drawn[:, 1 : 1 + segments] + 1 <= round(100 * self.noise, 9)
        return drawn[:, 0], faulty, drawn[:, 1 + segments :]


@hookimpl
def nbframework_generators() -> list[type[DataGenerator]]:
    """Register the generator."""
    return [LED24]
