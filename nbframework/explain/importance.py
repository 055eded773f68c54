"""How much each attribute alone tells about the class."""

import numpy as np

from nbframework.classifier.composition import GlobalModel
from nbframework.classifier.fitted import FittedClassifier
from nbframework.classifier.local import LocalModel
from nbframework.errors import EvaluationError
from nbframework.statistics.information import entropy


def attribute_importance(fitted: FittedClassifier) -> dict[str, float]:
    """Return 100 (1 - H(C | A) / H(C)) of each coded attribute, as MLC++ gives it, the largest first.

    Parameters
    ----------
    fitted
        A composition; attributes that stayed numeric have no importance in this sense.

    Returns
    -------
    dict
        0 (tells nothing) to 100 (decides the class) by attribute name, from the training rows that know it.

    Raises
    ------
    EvaluationError
        Where the classifier is no composition.
    """
    model = fitted.model
    if not isinstance(model, GlobalModel | LocalModel):
        raise EvaluationError("attribute importance needs counts, and this classifier is no composition of parts")
    counts, training = model.training.counts, model.training
    importance = {}
    for j, position in enumerate(training.coded_inputs.tolist()):
        cells = counts.cells[:, counts.offset[j] : counts.offset[j + 1] - 1]
        weight = cells.sum()
        classes = float(entropy(cells.sum(axis=1)))
        within = float((cells.sum(axis=0) * entropy(cells, axis=0)).sum() / weight) if weight else 0.0
        importance[training.inputs[position].name] = 100 * (1 - within / classes) if classes > 0 else 0.0
    return dict(sorted(importance.items(), key=lambda item: -np.round(item[1], 9)))
