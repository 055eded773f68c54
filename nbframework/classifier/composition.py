"""One part of each kind, fitted together on training rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.encoding import Encoder, SortedColumns, learn_cuts
from nbframework.classifier.local import LocalModel
from nbframework.classifier.weighting import weighted_joint
from nbframework.data.attribute import Attribute
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError
from nbframework.parts import Part
from nbframework.parts.density import Density
from nbframework.parts.discretizer import Discretizer
from nbframework.parts.estimator import Estimator
from nbframework.parts.missing import FittedMissingPolicy, MissingPolicy
from nbframework.parts.neighbourhood import Neighbourhood
from nbframework.parts.rows import Rows, Training
from nbframework.parts.structure import FittedStructure, Structure
from nbframework.parts.weights import Evidence, WeightLearner
from nbframework.statistics.counts import Counts

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class GlobalModel:
    """A structure fitted once on the whole training set.

    Parameters
    ----------
    encoder
        Turns queries into rows.
    training
        The training rows.
    structure
        The fitted structure.
    weights
        (1, f) or (C, f) exponents, or None where all are 1.
    parts
        What was fitted.
    """

    encoder: Encoder
    training: Training
    structure: FittedStructure
    weights: FloatArray | None
    parts: "FittingParts"

    @property
    def notes(self) -> tuple[str, ...]:
        """What the structure says of its fit."""
        return self.structure.notes

    def log_joint_of(self, dataset: Dataset, rows: IntArray) -> FloatArray | None:
        """Return (q, C) log P(class, row) of some rows of the data set that the training rows were taken from.

        They are encoded already; None where they are not, or where the missing policy prepares queries.
        """
        training = self.training
        if training.source is not dataset or type(self.encoder.missing).prepare is not FittedMissingPolicy.prepare:
            return None
        queries = Rows(
            dataset,
            rows,
            training.source_codes,
            training.source_measured,
            training.coded_inputs,
            training.measured_inputs,
        )
        return weighted_joint(self.structure, self.weights, queries, None)

    def log_joint(self, queries: Dataset) -> FloatArray:
        """Return (q, C) log P(class, row) up to a constant for each row."""
        return weighted_joint(self.structure, self.weights, self.encoder.queries(queries), None)


@dataclass(frozen=True, kw_only=True, eq=False)
class FittingParts:
    """The seven parts of a composition, the estimator with the recipe's prior in it."""

    missing: MissingPolicy
    discretizer: Discretizer
    neighbourhood: Neighbourhood
    estimator: Estimator
    density: Density
    weights: WeightLearner
    structure: Structure

    @property
    def parts(self) -> Mapping[str, Part]:
        """The parts by kind."""
        return MappingProxyType({name: getattr(self, name) for name in self.__dataclass_fields__})

    @property
    def draws(self) -> bool:
        """Whether anything random is drawn when the parts are fitted: weight learners alone may."""
        return not self.weights.is_uniform

    def fit(self, training: Dataset, generator: np.random.Generator) -> GlobalModel | LocalModel:
        """Fit on rows of known class and positive weight."""
        encoder, rows = self.encode(training)
        return self.fit_rows(encoder, rows, generator)

    def encode(self, training: Dataset) -> tuple[Encoder, Training]:
        """Fit the missing policy and the discretizer; return the encoder of queries and the encoded training rows."""
        policy = self.missing.fit(training)
        prepared = policy.prepare_training(training)
        if not len(prepared):
            raise EvaluationError(f"missing policy {self.missing.name!r} leaves no training row of {len(training)}")
        cuts = learn_cuts(self.discretizer, SortedColumns(prepared), None)
        encoder = Encoder(policy, self.discretizer, cuts)
        return encoder, training_rows(encoder.encode(prepared), policy, None, None)

    def fit_rows(
        self, encoder: Encoder, training: Training, generator: np.random.Generator
    ) -> GlobalModel | LocalModel:
        """Fit on encoded rows."""
        self.check_inputs(training)
        if not self.neighbourhood.is_global:
            searched = self.neighbourhood.fit(training)
            return LocalModel(
                encoder, training, searched, self.structure, self.estimator, self.density, self.weights, generator
            )
        structure = self.structure.fit(training, self.estimator, self.density)
        weights = None
        if not self.weights.is_uniform:
            evidence = Evidence(training, structure, self.structure, self.estimator, self.density)  # type: ignore[arg-type]  # the recipe checked that the structure is factored
            weights = self.weights.learn(evidence, generator)
        return GlobalModel(encoder, training, structure, weights, self)

    def check_inputs(self, training: Training) -> None:
        """Raise EvaluationError where attributes stayed numeric and the structure cannot take them."""
        if len(training.measured_inputs) and not self.structure.handles_measured:
            attribute = training.inputs[int(training.measured_inputs[0])]
            raise EvaluationError(
                f"attribute {attribute.name!r} is {attribute.kind}, and structure {self.structure.name!r} takes "
                "nominal attributes only; name a discretizer in the recipe"
            )
        if len(training.measured_inputs):
            self._check_lowest(training)

    def _check_lowest(self, training: Training) -> None:
        """Raise EvaluationError where a number is too small for the density."""
        low = training.measured < self.density.lowest
        if low.any():
            row, column = np.argwhere(low)[0]
            attribute = training.inputs[int(training.measured_inputs[column])]
            raise too_low(attribute, float(training.measured[row, column]), self.density)


def too_low(attribute: Attribute, value: float, density: Density) -> EvaluationError:
    """Return the error of a number that is too small for a density."""
    return EvaluationError(
        f"attribute {attribute.name!r} has the value {value:g}, and density {density.name!r} takes numbers of at least "
        f"{density.lowest:g}; use another density, or name a discretizer in the recipe"
    )


def training_rows(
    rows: Rows, policy: FittedMissingPolicy, selection: IntArray | None, known_counts: Counts | None
) -> Training:
    """Return some rows of encoded data as a training set."""
    dataset = rows.source
    classes, weights = dataset.classes, dataset.row_weights
    if selection is not None:
        classes = classes[selection]
        weights = None if weights is None else weights[selection]
    return Training(
        dataset,
        selection,
        rows.source_codes,
        rows.source_measured,
        rows.coded_inputs,
        rows.measured_inputs,
        classes,
        len(dataset.class_values),
        weights,
        policy,
        known_counts=known_counts,
    )
