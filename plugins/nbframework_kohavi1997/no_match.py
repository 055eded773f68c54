"""Estimator no-match: only zero counts are replaced."""

import math
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

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
class NoMatch(Estimator):
    """Use relative frequencies, and a numerator over the m training rows where a value never met a class.

    The result is not normalised, and the class prior stays raw.

    Parameters
    ----------
    numerator
        factor: the number f; class-frequency: P(C), the method of Clark & Niblett and of Domingos & Pazzani, called
        No-matches-PC; class-frequency-per-attribute: P(C) over the number of attributes.
    f
        The factor (0 leaves zeros alone); MLC++ had 0.5.
    target
        Which probability the numerator over m replaces: P(A | C), as the program does, or P(A and C), as the text
        of the paper says; the latter is divided by P(C) and never exceeds 1.

    References
    ----------
    Kohavi, Becker & Sommerfield (1997), section 2.4. Clark & Niblett (1989), The CN2 induction algorithm.
    """

    name: ClassVar[str] = "no-match"
    cite: ClassVar[str] = "Kohavi, Becker & Sommerfield 1997, section 2.4"
    numerator: Literal["factor", "class-frequency", "class-frequency-per-attribute"] = "factor"
    f: Annotated[float, Ge(0)] = 0.5
    target: Literal["conditional", "joint"] = "conditional"

    def log_conditional(self, counts: Counts) -> FloatArray:
        """Return log(N / n), and the log of the replacement where N is 0."""
        training = counts.training
        m = training.total[..., np.newaxis]
        with np.errstate(divide="ignore", invalid="ignore"):
            log_class = np.log(training.class_weight / m)
            if self.numerator == "factor":
                replacement = np.log(self.f / m) + np.zeros_like(log_class)
            else:
                replacement = log_class - np.log(m)
            if self.numerator == "class-frequency-per-attribute":
                replacement = replacement - np.log(counts.known.shape[-1])
            if self.target == "joint":
                replacement = np.minimum(np.where(np.isneginf(log_class), -np.inf, replacement - log_class), 0.0)
        # without any row there is no m to be a share of, and nothing tells the values apart
        replaced = counts.is_zero & (m > 0)[..., np.newaxis]
        table = np.where(replaced, replacement[..., np.newaxis], log_smoothed(counts, 0.0))
        return counts.skip_unknown(table)

    def log_prior(self, counts: Counts) -> FloatArray:
        """Return the log relative frequency of each class."""
        return log_prior_smoothed(counts, 0.0)

    def closed_form(self, counts: Counts) -> ClosedForm:
        """Return N / n, and the replacement where N is 0."""
        weight, m = counts.training.class_weight, float(counts.training.total)
        replacements, words = np.full(len(weight), 1.0 / m), "f / m"
        if self.numerator != "factor":
            replacements, words = weight / m / m, "P(C) / m"
        if self.numerator == "class-frequency-per-attribute":
            replacements, words = replacements / counts.known.shape[-1], "P(C) / (a m)"
        if self.target == "joint":
            share = np.where(weight > 0, weight / m, 1.0)
            replacements, words = np.where(weight > 0, replacements / share, 0.0), f"{words} / P(C), at most 1,"
        return ClosedForm(
            parameter="f" if self.numerator == "factor" else None,
            value=self.f if self.numerator == "factor" else 1.0,
            formula=f"N / n, and {words} where N is 0",
            prior_formula="N / n",
            added=np.zeros(counts.cells.shape[-1]),
            total=np.zeros(len(counts.cardinality)),
            prior_added=0.0,
            prior_total=0.0,
            replacements=replacements,
            most=1.0 if self.target == "joint" else math.inf,
        )


@hookimpl
def nbframework_estimators() -> list[type[Estimator]]:
    """Register the estimator."""
    return [NoMatch]
