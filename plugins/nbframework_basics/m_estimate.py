"""Estimator m-estimate: m pseudo-rows shared out by a prior."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np

from nbframework.authoring import ClosedForm, Counts, Estimator, FloatArray, Ge, hookimpl, log_ratio


@dataclass(frozen=True, kw_only=True)
class MEstimate(Estimator):
    """Add m rows that are distributed like a prior q: (N + m q) / (n + m).

    The class prior is (n_c + m / C) / (n + m).

    Parameters
    ----------
    m
        Weight of the prior in rows.
    prior
        uniform: q = 1 / k; laplace: the value's share of the training set by Laplace's law, whatever the class.

    References
    ----------
    Cestnik (1990), Estimating probabilities: a crucial task in machine learning. Zhang et al. (2018), equations 5
    and 6 (uniform); Hosein & Baboolal (2022), equation 6 (laplace).
    """

    name: ClassVar[str] = "m-estimate"
    cite: ClassVar[str] = "Cestnik 1990"
    m: Annotated[float, Ge(0)] = 1.0
    prior: Literal["uniform", "laplace"] = "uniform"

    def log_conditional(self, counts: Counts) -> FloatArray:
        """Return log((N + m q) / (n + m))."""
        return log_ratio(counts, counts.cells + self.m * self._share(counts), counts.known + self.m)

    def log_prior(self, counts: Counts) -> FloatArray:
        """Return log((n_c + m / C) / (n + m))."""
        classes = counts.class_weight.shape[-1]
        total = counts.class_weight.sum(axis=-1, keepdims=True) + self.m
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.log(counts.class_weight + self.m / classes) - np.log(total)
        return np.asarray(np.where(total == 0, -np.log(classes), logs))

    def closed_form(self, counts: Counts) -> ClosedForm:
        """Return (N + m q) / (n + m)."""
        return ClosedForm(
            parameter="m",
            value=self.m,
            formula="(N + m q) / (n + m)",
            prior_formula="(N + m / C) / (n + m)",
            added=self._share(counts)[0],
            total=np.ones(len(counts.cardinality)),
            prior_added=1.0 / counts.class_weight.shape[-1],
            prior_total=1.0,
        )

    def _share(self, counts: Counts) -> FloatArray:
        if self.prior == "uniform":
            return np.asarray(1.0 / counts.per_cell(counts.cardinality)[..., np.newaxis, :])
        training = counts.training
        of_value = training.cells.sum(axis=-2)
        known = training.sum_blocks(of_value) + training.cardinality
        return np.asarray(((of_value + 1.0) / training.per_cell(known))[..., np.newaxis, :])


@hookimpl
def nbframework_estimators() -> list[type[Estimator]]:
    """Register the estimator."""
    return [MEstimate]
