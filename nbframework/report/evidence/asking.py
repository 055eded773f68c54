"""The factors of a fitted composition, found by asking it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.composition import GlobalModel
from nbframework.classifier.fitted import FittedClassifier
from nbframework.data.attribute import Attribute
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError
from nbframework.parts.rows import Rows
from nbframework.parts.structure import FittedFactoredStructure

FloatArray = NDArray[np.float64]
SHOWN = "an evidence page shows compositions that are fitted once and have one factor for each attribute"


class AskedModel:
    """A composition of one factor for each attribute.

    Parameters
    ----------
    fitted
        The classifier.

    Raises
    ------
    EvaluationError
        Where it is something else, saying what.
    """

    def __init__(self, fitted: FittedClassifier) -> None:
        if not isinstance(fitted.model, GlobalModel):
            raise EvaluationError(f"{SHOWN}; found a classifier that is no composition of parts")
        structure, name = fitted.model.structure, fitted.model.parts.structure.name
        if not isinstance(structure, FittedFactoredStructure):
            raise EvaluationError(f"{SHOWN}; found structure {name!r}, which is no product of factors")
        inputs = [attribute.name for attribute in fitted.schema.inputs]
        strange = [label for label in structure.labels if label not in inputs]
        if strange:
            raise EvaluationError(f"{SHOWN}; structure {name!r} has the factor {strange[0]!r}, which is no attribute")
        self.fitted, self.model, self.structure = fitted, fitted.model, structure
        self.schema, self.inputs = fitted.schema, fitted.schema.inputs
        self.factor_of = {inputs.index(label): factor for factor, label in enumerate(structure.labels)}
        classes = len(fitted.class_values)
        weights = np.ones((1, len(structure.labels))) if fitted.model.weights is None else fitted.model.weights
        self.exponents = np.broadcast_to(weights, (classes, len(structure.labels)))

    def parents(self, position: int) -> tuple[int, ...]:
        """Return the positions of the attributes that an attribute's factor looks at besides its own."""
        if position not in self.factor_of or not self.structure.parents:
            return ()
        return tuple(self.structure.parents[self.factor_of[position]])

    def rows(self, columns: dict[int, Any], count: int) -> Dataset:
        """Return rows of which nothing is known but the raw columns at some positions among the inputs."""
        whole = [_unknown(attribute, count) for attribute in self.schema.attributes]
        for position, column in columns.items():
            whole[self.schema.input_indexes[position]] = column
        return Dataset.from_columns(self.schema.attributes, whole, self.schema.class_attribute.name)

    def encoded(self, rows: Dataset) -> Rows:
        """Return raw rows as the structure gets them."""
        return self.model.encoder.queries(rows)

    def log_factors(self, rows: Dataset, position: int) -> FloatArray:
        """Return the (q, C) log factor of one attribute, without its exponent; 0 where it has none."""
        factor = self.factor_of.get(position)
        if factor is None:
            return np.zeros((len(rows), len(self.schema.class_values)))
        return np.asarray(self.structure.log_factors(self.encoded(rows))[:, :, factor])

    def log_prior(self) -> FloatArray:
        """Return the (C,) log prior as the estimator gives it."""
        return np.asarray(self.structure.log_prior(self.encoded(self.rows({}, 1)))[0])

    def exponent(self, position: int) -> list[float]:
        """Return the exponent of an attribute's factor by class."""
        factor = self.factor_of.get(position)
        count = len(self.schema.class_values)
        return [0.0] * count if factor is None else [float(x) for x in self.exponents[:, factor]]


def plain(numbers: Any) -> Any:
    """Return numbers as JSON has them: whole ones without a point, None for what is not finite."""
    if isinstance(numbers, np.ndarray):
        numbers = numbers.tolist()
    if isinstance(numbers, Sequence) and not isinstance(numbers, str):
        return [plain(number) for number in numbers]
    if not np.isfinite(numbers):
        return None
    return int(numbers) if numbers == int(numbers) and abs(numbers) < 2**53 else float(numbers)


def _unknown(attribute: Attribute, count: int) -> Any:
    return np.full(count, attribute.unknown) if attribute.is_nominal else np.full(count, np.nan)
