"""The contract of probability estimators."""

import abc
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nbframework.parts.base import Part
from nbframework.parts.closed_form import ClosedForm
from nbframework.statistics.counts import Counts

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Estimator(Part):
    """Turns weighted counts into log probabilities of nominal values, and into the class prior."""

    kind: ClassVar[str] = "estimator"

    @abc.abstractmethod
    def log_conditional(self, counts: Counts) -> FloatArray:
        """Return log P(value | class) for every cell.

        Parameters
        ----------
        counts
            Any leading axes; read ``cells``, ``known``, ``cardinality``, ``class_weight`` and, for what the method
            defines on the training set, ``training``. Do not sum ``cells`` to get a denominator.

        Returns
        -------
        (..., C, B) natural logarithms, exact zeros as -inf, in the layout of ``counts.cells``: the values of each
        attribute, then *unseen* (a value that never occurred), then *unknown* (0: the factor is left out;
        ``counts.skip_unknown`` sets it).
        """

    @abc.abstractmethod
    def log_prior(self, counts: Counts) -> FloatArray:
        """Return log P(class), (..., C), natural logarithms."""

    def closed_form(self, counts: Counts) -> ClosedForm | None:
        """Return the estimates as a formula of counts and one parameter, or None where there is no such formula.

        Override it to have the parameter as a slider, and the arithmetic written out, on the evidence page.

        Parameters
        ----------
        counts
            Of a training set, without leading axes.
        """
        del counts
        return None
