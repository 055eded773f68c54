"""Weight learner selective: the attributes that a greedy search finds useful."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from nbframework.authoring import Evidence, FloatArray, WeightLearner, hookimpl
from nbframework_weighting.accuracy import RowFactors, best_of
from nbframework_weighting.evidence import each_group


@dataclass(frozen=True, kw_only=True)
class Selective(WeightLearner):
    """Give the weight 1 to the attributes that a greedy search keeps, and 0 to the others.

    Each step adds (or removes) the attribute after which most training rows are classified correctly; of equally good
    ones that with the higher conditional likelihood, then the first. The search ends when the best step is not
    accepted.

    Parameters
    ----------
    direction
        forward: begin with no attribute and add; backward: begin with all and remove.
    score
        training: rows are classified by the model that learned from them; leave-one-out: each row by the model of
        all other rows, exactly. Leave-one-out removes a row whole, so that a row of weight 2 is not the row twice.
    accept
        ge: a step is accepted while the accuracy does not fall; gt: only when it rises.

    References
    ----------
    Langley & Sage (1994), Induction of selective Bayesian classifiers (forward). Kittler (1986), Feature selection and
    extraction (backward elimination).
    """

    name: ClassVar[str] = "selective"
    cite: ClassVar[str] = "Langley & Sage 1994"
    direction: Literal["forward", "backward"] = "forward"
    score: Literal["training", "leave-one-out"] = "training"
    accept: Literal["ge", "gt"] = "ge"

    def learn(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        """Return 1 for the attributes that are kept."""
        return each_group(evidence, generator, self._one)

    def _one(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        training = evidence.training
        if self.score == "training":
            prior, factors = evidence.log_prior(), evidence.log_factors()
        else:
            prior, factors = evidence.leave_one_out()
        rows = RowFactors(prior, factors, training.classes, training.weights)
        return self._searched(rows).astype(np.float64)[np.newaxis]

    def _searched(self, rows: RowFactors) -> np.ndarray:
        """Return the (f,) mask of the attributes that are kept."""
        total = float(rows.weights.sum())
        kept = np.full(rows.factor_count, self.direction == "backward")
        accuracy = float(rows.correct(kept[np.newaxis].astype(np.float64))[0])
        while (candidates := np.flatnonzero(kept == (self.direction == "backward"))).size:
            subsets = np.repeat(kept[np.newaxis], len(candidates), axis=0)
            subsets[np.arange(len(candidates)), candidates] ^= True
            correct, likelihood = rows.scores(subsets.astype(np.float64))
            best = best_of(correct, likelihood, total)
            slack = 1e-9 * total * (1 if self.accept == "gt" else -1)
            if not correct[best] > accuracy + slack:
                break
            kept, accuracy = subsets[best], float(correct[best])
        return kept


@hookimpl
def nbframework_weight_learners() -> list[type[WeightLearner]]:
    """Register the weight learner."""
    return [Selective]
