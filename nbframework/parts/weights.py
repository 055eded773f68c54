"""The contract of weight learners."""

import abc
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nbframework.parts.base import Part
from nbframework.parts.rows import Training
from nbframework.parts.structure import FittedFactoredStructure

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Evidence:
    """What a weight learner may look at: the training rows and the factors that their structure gives them.

    Parameters
    ----------
    training
        Rows, classes, counts; cut into groups for local learning.
    structure
        The structure fitted on them.
    """

    training: Training
    structure: FittedFactoredStructure

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the f factors."""
        return self.structure.labels

    @property
    def lead(self) -> tuple[int, ...]:
        """The leading axes of what is learned: () or (g,)."""
        return () if self.training.groups is None else (self.training.groups,)

    def log_prior(self) -> FloatArray:
        """Return (n, C) log prior of the training rows, each in its own group."""
        return self.structure.log_prior(self.training, self._group())

    def log_factors(self) -> FloatArray:
        """Return (n, C, f) log factors of the training rows, each in its own group."""
        return self.structure.log_factors(self.training, self._group())

    def _group(self) -> NDArray[np.intp] | None:
        return None if self.training.start is None else self.training.group


@dataclass(frozen=True, kw_only=True)
class WeightLearner(Part):
    """Decides an exponent for each factor (and class).

    A learner whose exponents are all 1 says ``is_uniform = True`` and is never asked.
    """

    kind: ClassVar[str] = "weights"
    is_uniform: ClassVar[bool] = False

    @abc.abstractmethod
    def learn(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        """Return the exponents.

        Returns
        -------
        (..., 1, f), or (..., C, f) for weights of each class, with the leading axes of ``evidence.lead``; never
        (..., f).
        """
