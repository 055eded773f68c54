"""Estimator laplace-m: Laplace's correction with a factor that shrinks as the training set grows."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import (
    ClosedForm,
    Counts,
    Estimator,
    FloatArray,
    Gt,
    hookimpl,
    log_prior_smoothed,
    log_smoothed,
)


@dataclass(frozen=True, kw_only=True)
class LaplaceM(Estimator):
    """Add f / m to the count of each of the k values: (N + f/m) / (n + k f/m), m the training rows.

    The class prior is smoothed by the same f / m; the paper's program uses Laplace with f = 1 there, which a recipe
    says with ``prior: {laplace: {f: 1}}``.

    Parameters
    ----------
    f
        The numerator; the paper has 1.

    References
    ----------
    Kohavi, Becker & Sommerfield (1997), section 2.4 and Table 1.
    """

    name: ClassVar[str] = "laplace-m"
    cite: ClassVar[str] = "Kohavi, Becker & Sommerfield 1997, section 2.4"
    f: Annotated[float, Gt(0)] = 1.0

    def log_conditional(self, counts: Counts) -> FloatArray:
        """Return log((N + f/m) / (n + k f/m))."""
        return log_smoothed(counts, self._pseudocount(counts))

    def log_prior(self, counts: Counts) -> FloatArray:
        """Return log((n_c + f/m) / (n + C f/m))."""
        return log_prior_smoothed(counts, self._pseudocount(counts))

    def closed_form(self, counts: Counts) -> ClosedForm:
        """Return (N + f/m) / (n + k f/m)."""
        share = 1.0 / float(counts.training.total)
        return ClosedForm(
            parameter="f",
            value=self.f,
            formula="(N + f/m) / (n + k f/m)",
            prior_formula="(N + f/m) / (n + C f/m)",
            added=np.full(counts.cells.shape[-1], share),
            total=counts.cardinality * share,
            prior_added=share,
            prior_total=counts.class_weight.shape[-1] * share,
        )

    def _pseudocount(self, counts: Counts) -> FloatArray:
        """Return f / m; f without any row, where every pseudocount gives the same uniform estimate."""
        m = counts.training.total
        return np.asarray(self.f / np.where(m > 0, m, 1.0))


@hookimpl
def nbframework_estimators() -> list[type[Estimator]]:
    """Register the estimator."""
    return [LaplaceM]
