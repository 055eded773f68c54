"""Estimators frequency and laplace: counts, and counts with pseudo-rows."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from nbframework.authoring import (
    Counts,
    Estimator,
    FloatArray,
    Ge,
    hookimpl,
    log_prior_smoothed,
    log_smoothed,
)


@dataclass(frozen=True, kw_only=True)
class Frequency(Estimator):
    """Estimate a probability by its relative frequency: N / n, where zero stays zero.

    A class without any row that knows the attribute gives no evidence: the estimate is uniform.
    """

    name: ClassVar[str] = "frequency"
    cite: ClassVar[str] = "Kohavi, Becker & Sommerfield 1997, section 2.2"

    def log_conditional(self, counts: Counts) -> FloatArray:
        """Return log(N / n)."""
        return log_smoothed(counts, 0.0)

    def log_prior(self, counts: Counts) -> FloatArray:
        """Return the log relative frequency of each class."""
        return log_prior_smoothed(counts, 0.0)


@dataclass(frozen=True, kw_only=True)
class Laplace(Estimator):
    """Add f to the count of each of the k values: (N + f) / (n + k f).

    Parameters
    ----------
    f
        The factor; 1 is Laplace's law of succession.

    References
    ----------
    Kohavi, Becker & Sommerfield (1997), section 2.4.
    """

    name: ClassVar[str] = "laplace"
    cite: ClassVar[str] = "Kohavi, Becker & Sommerfield 1997, section 2.4"
    f: Annotated[float, Ge(0)] = 1.0

    def log_conditional(self, counts: Counts) -> FloatArray:
        """Return log((N + f) / (n + k f))."""
        return log_smoothed(counts, self.f)

    def log_prior(self, counts: Counts) -> FloatArray:
        """Return log((n_c + f) / (n + C f)) with C declared classes."""
        return log_prior_smoothed(counts, self.f)


@hookimpl
def nbframework_estimators() -> list[type[Estimator]]:
    """Register the estimators."""
    return [Frequency, Laplace]
