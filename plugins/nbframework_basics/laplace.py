"""Estimators frequency and laplace: counts, and counts with pseudo-rows."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import (
    ClosedForm,
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

    def closed_form(self, counts: Counts) -> ClosedForm:
        """Return N / n."""
        return ClosedForm(
            parameter=None,
            value=0.0,
            formula="N / n",
            prior_formula="N / n",
            added=np.zeros(counts.cells.shape[-1]),
            total=np.zeros(len(counts.cardinality)),
            prior_added=0.0,
            prior_total=0.0,
        )


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

    def closed_form(self, counts: Counts) -> ClosedForm:
        """Return (N + f) / (n + k f)."""
        return ClosedForm(
            parameter="f",
            value=self.f,
            formula="(N + f) / (n + k f)",
            prior_formula="(N + f) / (n + C f)",
            added=np.ones(counts.cells.shape[-1]),
            total=counts.cardinality,
            prior_added=1.0,
            prior_total=float(counts.class_weight.shape[-1]),
        )


@hookimpl
def nbframework_estimators() -> list[type[Estimator]]:
    """Register the estimators."""
    return [Frequency, Laplace]
