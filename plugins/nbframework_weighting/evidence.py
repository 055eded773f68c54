"""What the weight learners of this package share: which attribute a factor is about, and groups one by one."""

import copy
from collections.abc import Callable

import numpy as np

from nbframework.authoring import EvaluationError, Evidence, FloatArray, IntArray, RecipeError, Training


def coded_attributes(evidence: Evidence, learner: str) -> tuple[Training, IntArray]:
    """Return the training rows, and for each of the f factors the position of its attribute among the coded inputs.

    Where the structure has joined attributes, the rows have one attribute for each factor.

    Raises
    ------
    EvaluationError
        Where a factor is no attribute's, or its attribute stayed numeric.
    """
    joined = evidence.structure.in_factors(evidence.training)
    if joined is not None:
        return joined, np.arange(len(evidence.labels))
    training = evidence.training
    inputs = {attribute.name: position for position, attribute in enumerate(training.inputs)}
    coded = {position: index for index, position in enumerate(training.coded_inputs.tolist())}
    found = []
    for label in evidence.labels:
        if label not in inputs:
            raise EvaluationError(f"weights {learner!r} are of attributes, but the structure has the factor {label!r}")
        if inputs[label] not in coded:
            raise EvaluationError(
                f"attribute {label!r} is numeric, and weights {learner!r} need nominal attributes; "
                "name a discretizer in the recipe"
            )
        found.append(coded[inputs[label]])
    return training, np.array(found, dtype=np.intp)


def each_group(
    evidence: Evidence,
    generator: np.random.Generator,
    learn: Callable[[Evidence, np.random.Generator], FloatArray],
) -> FloatArray:
    """Return what ``learn`` gives for each group, or for all rows where there are no groups.

    Every group starts from the same random numbers, so that what is learned for a query does not depend on the
    queries beside it.
    """
    if evidence.training.groups is None:
        return learn(evidence, generator)
    groups = range(evidence.training.groups)
    return np.stack([learn(evidence.of_group(g), copy.deepcopy(generator)) for g in groups])


def check_bounds(learner: str, lower: float, upper: float) -> None:
    """Raise RecipeError where no weight lies between the bounds."""
    if lower > upper:
        raise RecipeError(
            f"{learner}: weights.lower: found {lower!r}, expected at most weights.upper, which is {upper!r}"
        )
