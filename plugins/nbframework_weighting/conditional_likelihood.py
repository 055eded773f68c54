"""Weight learner conditional-likelihood: WANBIA's weights, and inside neighbourhoods LAWNB's."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import Evidence, FloatArray, Ge, Gt, WeightLearner, box_ascent, hookimpl, kernels
from nbframework_weighting import row_objective
from nbframework_weighting.evidence import check_bounds
from nbframework_weighting.row_objective import Block, RowObjective, factors_of, is_learnable


@dataclass(frozen=True, kw_only=True)
class ConditionalLikelihood(WeightLearner):
    """Maximise the conditional log likelihood of the training rows, sum_l ln P(c_l | x_l; w).

    P(c | x; w) is proportional to P(c) prod_j P(a_j | c)^w_j. Learned on all rows these are the weights of WANBIA,
    learned on a query's neighbours those of LAWNB; rows count by their weights. The likelihood is concave, but its
    maximiser is often not unique: of equally likely weights those nearest to 1 are taken, by a penalty of
    pull / 2 sum_j (w_j - 1)^2. Rows that are all of one class leave every weight at ``first``.

    Parameters
    ----------
    lower, upper
        Bounds of the weights.
    first
        Where the ascent begins.
    pull
        Strength of the pull towards 1, in nats; the likelihood falls short of its maximum by less than this times
        half the number of attributes.
    tolerance
        The ascent ends when the next step promises less than this gain, relative to the likelihood.
    iterations
        Upper limit of Newton steps.

    References
    ----------
    Zaidi, Cerquides, Carman & Webb (2013), Alleviating naive Bayes attribute independence assumption by attribute
    weighting. Zhang et al. (2018), A local attribute weighted naive Bayes classification algorithm, equations 7 to 9.
    """

    name: ClassVar[str] = "conditional-likelihood"
    cite: ClassVar[str] = "Zaidi, Cerquides, Carman & Webb 2013; Zhang et al. 2018"
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
        """Return the weights of highest conditional likelihood in each group."""
        training = evidence.training
        if training.start is None and factors_of(evidence) > row_objective.KEPT_FACTORS and is_learnable(evidence):
            return self._by_blocks(evidence)
        start = np.array([0, len(training)]) if training.start is None else training.start
        solution = kernels.conditional_likelihood_ascent(
            evidence.log_prior(),
            evidence.log_factors(),
            training.classes,
            training.weights,
            start,
            self.lower,
            self.upper,
            self.first,
            self.pull,
            self.tolerance,
            self.iterations,
        )
        return solution.points.reshape(*evidence.lead, 1, len(evidence.labels))

    def _by_blocks(self, evidence: Evidence) -> FloatArray:
        """Return the weights of one training set whose factors do not fit in memory."""
        shape = 1, len(evidence.labels)
        first, lower, upper = (np.full(shape, bound) for bound in (self.first, self.lower, self.upper))
        objective = LikelihoodOfRows(evidence, self.pull)
        return box_ascent(objective, first, lower, upper, self.tolerance, self.iterations).points


class LikelihoodOfRows(RowObjective):
    """The conditional log likelihood under (f,) weights."""

    def value_of(self, block: Block, point: FloatArray) -> float:
        """Return the log likelihood of the rows."""
        return float(block.weights @ block.log_posterior(point)[np.arange(len(block.classes)), block.classes])

    def derivatives_of(self, block: Block, point: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return sum_l (F_c_l - M), M = sum_c p_c F_c, and sum_l sum_c p_c (F_c - M) (F_c - M)'."""
        posterior = np.exp(block.log_posterior(point))
        mean = np.einsum("rc,rcf->rf", posterior, block.log_factors)
        own = block.log_factors[np.arange(len(block.classes)), block.classes]
        share = np.sqrt(posterior * block.weights[:, np.newaxis])
        spread = ((block.log_factors - mean[:, np.newaxis]) * share[..., np.newaxis]).reshape(-1, self.factor_count)
        return np.asarray(block.weights @ (own - mean)), spread.T @ spread


@hookimpl
def nbframework_weight_learners() -> list[type[WeightLearner]]:
    """Register the weight learner."""
    return [ConditionalLikelihood]
