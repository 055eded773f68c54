"""Generator led24: the digit on a faulty display of seven segments, among irrelevant attributes."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import Attribute, DataGenerator, Dataset, Ge, Le, hookimpl

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

    References
    ----------
    Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees, pages 43-49.
    """

    name: ClassVar[str] = "led24"
    cite: ClassVar[str] = "Breiman, Friedman, Olshen & Stone 1984, pages 43-49"
    rows: Annotated[int, Ge(1)] = 3200
    noise: Annotated[float, Ge(0), Le(1)] = 0.1
    irrelevant: Annotated[int, Ge(0)] = 17

    def generate(self, generator: np.random.Generator) -> Dataset:
        """Return the rows: attributes att1 to att7 are the segments, the class is the digit."""
        digits = generator.integers(10, size=self.rows)
        faulty = generator.random((self.rows, SEGMENTS.shape[1])) < self.noise
        irrelevant = generator.integers(2, size=(self.rows, self.irrelevant))
        cells = np.hstack([SEGMENTS[digits] ^ faulty, irrelevant])
        attributes = [Attribute.nominal(f"att{i + 1}", ["0", "1"]) for i in range(cells.shape[1])]
        attributes.append(Attribute.nominal("class", [str(digit) for digit in range(10)]))
        return Dataset.from_columns(attributes, [*cells.T, digits], name=f"led{cells.shape[1]}")


@hookimpl
def nbframework_generators() -> list[type[DataGenerator]]:
    """Register the generator."""
    return [LED24]
