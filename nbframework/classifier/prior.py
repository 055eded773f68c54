"""The recipe's prior joined to the recipe's estimator."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nbframework.parts.closed_form import ClosedForm
from nbframework.parts.estimator import Estimator
from nbframework.parts.rows import counts_at
from nbframework.statistics.counts import Counts

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class EstimatorWithPrior(Estimator):
    """Conditionals from one estimator, the class prior from another.

    Parameters
    ----------
    conditional
        Gives ``log_conditional``.
    prior
        Gives ``log_prior``.
    drop_empty
        Remove classes without training weight before the prior is smoothed; they get probability 0 (Kohavi et
        al. 1997, section 2.2).
    """

    conditional: Estimator
    prior: Estimator
    drop_empty: bool

    def __post_init__(self) -> None:
        """Nothing to check: no recipe sets these fields."""

    def log_conditional(self, counts: Counts) -> FloatArray:
        """Return the conditional estimator's table."""
        return self.conditional.log_conditional(counts)

    def log_prior(self, counts: Counts) -> FloatArray:
        """Return the prior estimator's prior, -inf for dropped classes."""
        if not self.drop_empty:
            return self.prior.log_prior(counts)
        present = counts.training.class_weight > 0
        if present.all():
            return self.prior.log_prior(counts)
        present = np.broadcast_to(present, counts.class_weight.shape)
        if present.ndim == 1:
            return _prior_of_present(self.prior, counts, present)
        log_prior = np.empty(present.shape)
        for index in np.ndindex(*present.shape[:-1]):
            log_prior[index] = _prior_of_present(self.prior, counts_at(counts, index), present[index])
        return log_prior

    def closed_form(self, counts: Counts) -> ClosedForm | None:
        """Return the conditional estimator's formula."""
        return self.conditional.closed_form(counts)

    def closed_form_of_prior(self, counts: Counts) -> ClosedForm | None:
        """Return the prior estimator's formula, over the classes of `prior_classes`."""
        present = self.prior_classes(counts)
        return self.prior.closed_form(counts if present.all() else _of_classes(counts, present))

    def prior_classes(self, counts: Counts) -> NDArray[np.bool_]:
        """Return the (C,) mask of the classes that the prior is smoothed over; the others have probability 0."""
        present = np.asarray(counts.training.class_weight > 0)
        return present if self.drop_empty else np.ones_like(present)


def log_prior_of(estimator: Estimator, class_weight: FloatArray) -> FloatArray:
    """Return the (..., C) log prior of (..., C) class weights without any attribute."""
    lead = class_weight.shape
    empty = np.empty((*lead, 0))
    counts = Counts(empty, np.zeros(1, dtype=np.intp), class_weight, empty, np.empty(0))
    return estimator.log_prior(counts)


def _prior_of_present(prior: Estimator, counts: Counts, present: NDArray[np.bool_]) -> FloatArray:
    log_prior = np.full(present.shape, -np.inf)
    log_prior[present] = prior.log_prior(_of_classes(counts, present))
    return log_prior


def _of_classes(counts: Counts, present: NDArray[np.bool_]) -> Counts:
    log_weight = counts.log_class_weight
    return replace(
        counts,
        cells=counts.cells[..., present, :],
        class_weight=counts.class_weight[..., present],
        known=counts.known[..., present, :],
        support=None if counts.support is None else counts.support[..., present, :],
        reference=None if counts.reference is None else _of_classes(counts.reference, present),
        log_class_weight=None if log_weight is None else log_weight[..., present],
    )
