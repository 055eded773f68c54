"""Generator waveform-21: noisy mixtures of two out of three triangular waves."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import Attribute, DataGenerator, Dataset, Ge, hookimpl

POINTS = 21
PEAKS = np.array([7, 15, 11])
BASE_WAVES = np.maximum(6.0 - np.abs(np.arange(1, POINTS + 1) - PEAKS[:, None]), 0.0)
"""(3, 21) waves of height 6 over the points 1 to 21."""

MIXED_WAVES = np.array([[0, 1], [0, 2], [1, 2]])
"""(3, 2) base waves that each class mixes."""


@dataclass(frozen=True, kw_only=True)
class Waveform21(DataGenerator):
    """Mix two base waves u : 1 - u with u uniform and add unit normal noise to each of the 21 points.

    The three classes, drawn uniformly, differ in the pair of waves.

    Parameters
    ----------
    rows
        The number of rows; the published file has 5000.
    irrelevant
        The number of attributes of pure noise behind the 21 points; 19 gives waveform-40.
    decimals
        The decimals to which values are rounded, 2 as in the published file; None keeps them exact.

    References
    ----------
    Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees, pages 49-55.
    """

    name: ClassVar[str] = "waveform-21"
    cite: ClassVar[str] = "Breiman, Friedman, Olshen & Stone 1984, pages 49-55"
    rows: Annotated[int, Ge(1)] = 5000
    irrelevant: Annotated[int, Ge(0)] = 0
    decimals: Annotated[int, Ge(0)] | None = 2

    def generate(self, generator: np.random.Generator) -> Dataset:
        """Return the rows: attributes x1, x2, ... and the class 0, 1 or 2."""
        classes = generator.integers(3, size=self.rows)
        share = generator.random((self.rows, 1))
        numbers = generator.standard_normal((self.rows, POINTS + self.irrelevant))
        first, second = BASE_WAVES[MIXED_WAVES[classes]].transpose(1, 0, 2)
        numbers[:, :POINTS] += share * first + (1 - share) * second
        if self.decimals is not None:
            # adding zero turns -0 into 0
            numbers = np.round(numbers, self.decimals) + 0.0
        attributes = [Attribute.numeric(f"x{i + 1}") for i in range(numbers.shape[1])]
        attributes.append(Attribute.nominal("class", ["0", "1", "2"]))
        return Dataset.from_columns(attributes, [*numbers.T, classes], name=f"waveform-{numbers.shape[1]}")


@hookimpl
def nbframework_generators() -> list[type[DataGenerator]]:
    """Register the generator."""
    return [Waveform21]
