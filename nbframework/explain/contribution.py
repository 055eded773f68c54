"""What one factor says about each class."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nbframework.explain.support import NO_SUPPORT, Support

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Contribution:
    """What one factor says about each class.

    Parameters
    ----------
    label
        The factor's name: an attribute, or several.
    value
        The row's value as text, ``?`` where unknown; of several attributes their values, separated by commas.
    log_factor
        (C,) log of the factor.
    weight
        (C,) its exponent.
    support
        The training rows behind it, and what smoothing adds to them.
    given
        The row's values of the attributes that the factor looks at besides its own, as texts.
    """

    label: str
    value: str
    log_factor: FloatArray
    weight: FloatArray
    support: Support = NO_SUPPORT
    given: tuple[str, ...] = ()

    @property
    def contribution(self) -> FloatArray:
        """(C,) what it adds to the log joint probability, in nats; 0 x -inf is 0."""
        with np.errstate(invalid="ignore"):
            return np.where(self.weight == 0, 0.0, self.weight * self.log_factor)
