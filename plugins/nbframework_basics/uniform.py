"""Weight learners uniform and arff: every exponent 1, or the attribute weights of the file."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from nbframework.authoring import EvaluationError, Evidence, FloatArray, WeightLearner, hookimpl


@dataclass(frozen=True, kw_only=True)
class Uniform(WeightLearner):
    """Give every factor the exponent 1."""

    name: ClassVar[str] = "uniform"
    is_uniform: ClassVar[bool] = True
    sufficient: ClassVar[Literal["counts", "rows"]] = "counts"

    def learn(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        """Return ones."""
        return np.ones((*evidence.lead, 1, len(evidence.labels)))


@dataclass(frozen=True, kw_only=True)
class ArffWeights(WeightLearner):
    """Give every factor the weight that the file declares for its attribute, as Weka 3.9's NaiveBayes does."""

    name: ClassVar[str] = "arff"
    cite: ClassVar[str] = "Weka 3.9, WeightedAttributesHandler"
    sufficient: ClassVar[Literal["counts", "rows"]] = "counts"

    def learn(self, evidence: Evidence, generator: np.random.Generator) -> FloatArray:
        """Return the attribute weights of the header."""
        declared = {attribute.name: attribute.weight for attribute in evidence.training.inputs}
        strange = [label for label in evidence.labels if label not in declared]
        if strange:
            raise EvaluationError(
                f"weights 'arff' are weights of attributes, but the structure has the factor {strange[0]!r}"
            )
        row = np.array([declared[label] for label in evidence.labels])
        return np.broadcast_to(row, (*evidence.lead, 1, len(row)))


@hookimpl
def nbframework_weight_learners() -> list[type[WeightLearner]]:
    """Register the weight learners."""
    return [Uniform, ArffWeights]
