"""Weight learner mean-squared-error: WANBIA-MSE."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import Evidence, FloatArray, Ge, Gt, WeightLearner, box_ascent, hookimpl
from nbframework_weighting.evidence import check_bounds, each_group
from nbframework_weighting.row_objective import Block, RowObjective, is_learnable


@dataclass(frozen=True, kw_only=True)
class MeanSquaredError(WeightLearner):
    """Minimise the squared error of the training posteriors, 1/2 sum_l sum_c (P(c | x_l; w) - [c = c_l])^2.

    The error is not convex: Newton steps with a curvature that is made positive lead from ``first`` to a local
    minimum. Rows count by their weights; rows that are all of one class leave every weight at ``first``.

    Parameters
    ----------
    lower, upper
        Bounds of the weights.
    first
        Where the descent begins.
    pull
        Strength of the pull towards 1, a penalty of pull / 2 sum_j (w_j - 1)^2, which settles what the error leaves
        open.
    tolerance
        The descent ends when the next step promises less than this gain, relative to 1 + error.
    iterations
        Upper limit of Newton steps.

    References
    ----------
    Zaidi, Cerquides, Carman & Webb (2013), Alleviating naive Bayes attribute independence assumption by attribute
    weighting.
    """

    name: ClassVar[str] = "mean-squared-error"
    cite: ClassVar[str] = "Zaidi, Cerquides, Carman & Webb 2013"
    lower: Annotated[float, Ge(0)] = 0.0
    upper: Annotated[float, Ge(0)] = 1.0
    first: Annotated[float, Ge(0)] = 1.0
    pull: Annotated[float, Gt(0)] = 1e-8
    tolerance: Annotated[float, Gt(0)] = 1e-18
    iterations: Annotated[int, Ge(1)] = 500

    def __post_init__(self) -> None:
        super().__post_init__()
        check_bounds(self.name, self.lower, self.upper)

    def learn(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        """Return the weights of a local minimum in each group."""
        return each_group(evidence, generator, self._one)

    def _one(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        shape = 1, len(evidence.labels)
        first, lower, upper = (np.full(shape, bound) for bound in (self.first, self.lower, self.upper))
        if not is_learnable(evidence):
            return np.asarray(np.clip(first, lower, upper))
        return box_ascent(
            SquaredError(evidence, self.pull), first, lower, upper, self.tolerance, self.iterations
        ).points


class SquaredError(RowObjective):
    """The negated squared error under (f,) weights."""

    def value_of(self, block: Block, point: FloatArray) -> float:
        """Return minus half the squared error of the rows."""
        error = np.exp(block.log_posterior(point)) - block.truth
        return -0.5 * float((block.weights[:, np.newaxis] * error**2).sum())

    def derivatives_of(self, block: Block, point: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the gradient and the negated Hessian.

        With p the posterior, e = p - truth, E = sum_c p_c e_c, Q = sum_c p_c^2 and u = e - E, the error has the
        gradient sum_c p_c u_c F_c and the Hessian sum_c p_c (u_c + p_c) F_c F_c' - G M' - M G' + Q M M', with
        M = sum_c p_c F_c and G = sum_c p_c (u_c + p_c) F_c.
        """
        posterior = np.exp(block.log_posterior(point))
        error = posterior - block.truth
        excess = error - (posterior * error).sum(axis=1, keepdims=True)
        rows = block.weights[:, np.newaxis]
        factors = block.log_factors
        gradient = np.einsum("rc,rcf->f", rows * posterior * excess, factors)
        bend = posterior * (excess + posterior)
        mean = np.einsum("rc,rcf->rf", posterior, factors)
        bent = np.einsum("rc,rcf->rf", bend, factors) * rows
        flat = factors.reshape(-1, self.factor_count)
        hessian = flat.T @ ((rows * bend).reshape(-1, 1) * flat)
        cross = bent.T @ mean
        square = (rows * (posterior**2).sum(axis=1, keepdims=True) * mean).T @ mean
        return -gradient, hessian - cross - cross.T + square

    def bent(self, curvature: FloatArray) -> FloatArray:
        """Return the curvature with its negative eigenvalues turned round."""
        values, vectors = np.linalg.eigh((curvature + curvature.T) / 2)
        return np.asarray((vectors * np.abs(values)) @ vectors.T)


@hookimpl
def nbframework_weight_learners() -> list[type[WeightLearner]]:
    """Register the weight learner."""
    return [MeanSquaredError]
