"""The contract of whole classifiers that are no composition of parts."""

import abc
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from nbframework.data.dataset import Dataset
from nbframework.parts.base import Part

FloatArray = NDArray[np.float64]


class FittedWhole(Protocol):
    """Anything that gives classes of rows a score."""

    def log_joint(self, queries: Dataset) -> FloatArray:
        """Return (q, C) log P(class, row), up to a constant for each row."""


class Composition(Protocol):
    """The recipe's parts of other kinds, built, and their composition."""

    @property
    def parts(self) -> Mapping[str, Part]:
        """The built parts by kind."""

    def fit(self, training: Dataset, generator: np.random.Generator) -> FittedWhole:
        """Fit the composition (without the classifier part) on some rows of known class."""


@dataclass(frozen=True, kw_only=True)
class WholeClassifier(Part):
    """Decides everything by itself, with the help of the kinds that it names in ``uses``."""

    kind: ClassVar[str] = "classifier"
    uses: ClassVar[tuple[str, ...]] = ()

    @abc.abstractmethod
    def fit(self, training: Dataset, composition: Composition, generator: np.random.Generator) -> FittedWhole:
        """Fit on rows of known class and weight above 0.

        Parameters
        ----------
        training
            Raw rows.
        composition
            The recipe's parts of the kinds in ``uses``; fit it on whatever rows the method asks for.
        generator
            The only source of randomness.
        """
