"""The contract of whole classifiers that are no composition of parts."""

import abc
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from nbframework.data.dataset import Dataset
from nbframework.parts.base import Part
from nbframework.parts.rows import Rows, Training

FloatArray = NDArray[np.float64]


class FittedWhole(Protocol):
    """Anything that gives classes of rows a score."""

    def log_joint(self, queries: Dataset) -> FloatArray:
        """Return (q, C) log P(class, row), up to a constant for each row."""


@runtime_checkable
class Reasoned(Protocol):
    """A fitted classifier that can say in words what a prediction rests on."""

    def reasons(self, query: Dataset) -> tuple[str, ...]:
        """Return what one row's classes rest on, such as the tests that it meets on its way down a tree."""


class RowEncoder(Protocol):
    """The fitted missing policy and discretizer."""

    def queries(self, dataset: Dataset) -> Rows:
        """Return the encoded rows of a raw data set."""


class Composition(Protocol):
    """The recipe's parts of other kinds, built, and their composition."""

    @property
    def parts(self) -> Mapping[str, Part]:
        """The built parts by kind."""

    def fit(self, training: Dataset, generator: np.random.Generator) -> FittedWhole:
        """Fit the composition (without the classifier part) on some rows of known class."""

    def encode(self, training: Dataset) -> tuple[RowEncoder, Training]:
        """Fit the missing policy and the discretizer alone on some rows of known class.

        Returns
        -------
        The encoder of queries, and the training rows after both.
        """


@dataclass(frozen=True, kw_only=True)
class WholeClassifier(Part):
    """Decides everything by itself, with the help of the kinds that it names in ``uses``.

    One that cannot take attributes that stayed numeric says ``handles_measured = False``, and raises where there is
    one.
    """

    kind: ClassVar[str] = "classifier"
    uses: ClassVar[tuple[str, ...]] = ()
    handles_measured: ClassVar[bool] = True

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
