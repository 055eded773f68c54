"""Weight learner class-specific: an exponent for each attribute and class."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import Evidence, FloatArray, Ge, Gt, WeightLearner, box_ascent, hookimpl
from nbframework_weighting.evidence import check_bounds, each_group
from nbframework_weighting.row_objective import Block, RowObjective, is_learnable


@dataclass(frozen=True, kw_only=True)
class ClassSpecific(WeightLearner):
    """Maximise the conditional log likelihood over a weight for each attribute and class.

    P(c | x; w) is proportional to P(c) prod_j P(a_j | c)^w_jc. The likelihood is concave in these weights; of equally
    likely ones those nearest to 1 are taken, by a penalty of pull / 2 sum (w - 1)^2. Rows that are all of one class
    leave every weight at ``first``. Taheri et al. weight two classes so and search for a local optimum; the likelihood
    makes it a definition for any number of classes.

    Parameters
    ----------
    lower, upper
        Bounds of the weights.
    first
        Where the ascent begins.
    pull
        Strength of the pull towards 1, in nats.
    tolerance
        The ascent ends when the next step promises less than this gain, relative to the likelihood.
    iterations
        Upper limit of Newton steps.

    References
    ----------
    Taheri, Yearwood, Mammadov & Seifollahi (2014), Attribute weighted naive Bayes classifier using a local
    optimization. Jiang, Zhang, Yu & Wang (2019), Class-specific attribute weighted naive Bayes.
    """

    name: ClassVar[str] = "class-specific"
    cite: ClassVar[str] = "Taheri, Yearwood, Mammadov & Seifollahi 2014; Jiang, Zhang, Yu & Wang 2019"
    lower: Annotated[float, Ge(0)] = 0.0
    upper: Annotated[float, Ge(0)] = 1.0
    first: Annotated[float, Ge(0)] = 1.0
    pull: Annotated[float, Gt(0)] = 1e-8
    tolerance: Annotated[float, Gt(0)] = 1e-18
    iterations: Annotated[int, Ge(1)] = 200

    def __post_init__(self) -> None:
        super().__post_init__()
        check_bounds(self.name, self.lower, self.upper)

    def learn(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        """Return the (C, f) weights of highest conditional likelihood in each group."""
        return each_group(evidence, generator, self._one)

    def _one(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        shape = evidence.training.class_count, len(evidence.labels)
        first, lower, upper = (
            np.full((1, shape[0] * shape[1]), bound) for bound in (self.first, self.lower, self.upper)
        )
        if not is_learnable(evidence):
            return np.asarray(np.clip(first, lower, upper)).reshape(shape)
        objective = LikelihoodOfEachClass(evidence, self.pull)
        return box_ascent(objective, first, lower, upper, self.tolerance, self.iterations).points.reshape(shape)


class LikelihoodOfEachClass(RowObjective):
    """The conditional log likelihood under (C, f) weights, written as (C f,) points."""

    def value_of(self, block: Block, point: FloatArray) -> float:
        """Return the log likelihood of the rows."""
        log_posterior = block.log_posterior(point.reshape(self.class_count, self.factor_count))
        return float(block.weights @ log_posterior[np.arange(len(block.classes)), block.classes])

    def derivatives_of(self, block: Block, point: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return sum_l ([c = c_l] - p_c) F_c, and sum_l (p_c [c = d] - p_c p_d) F_c F_d' for classes c and d."""
        posterior = np.exp(block.log_posterior(point.reshape(self.class_count, self.factor_count)))
        rows = block.weights[:, np.newaxis]
        gradient = np.einsum("rc,rcf->cf", rows * (block.truth - posterior), block.log_factors)
        scaled = (np.sqrt(rows) * posterior)[..., np.newaxis] * block.log_factors
        flat = scaled.reshape(len(scaled), -1)
        curvature = -(flat.T @ flat)
        for c in range(self.class_count):
            own = slice(c * self.factor_count, (c + 1) * self.factor_count)
            factors = block.log_factors[:, c]
            curvature[own, own] += factors.T @ ((rows[:, 0] * posterior[:, c])[:, np.newaxis] * factors)
        return gradient.ravel(), curvature


@hookimpl
def nbframework_weight_learners() -> list[type[WeightLearner]]:
    """Register the weight learner."""
    return [ClassSpecific]
