"""Classifier recursive-bayes: a classifier for the rows that another one assigns to each class."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import (
    Composition,
    Dataset,
    FittedWhole,
    FloatArray,
    Ge,
    IntArray,
    WholeClassifier,
    hookimpl,
)

TIE = 1e-10
"""Nats within which classes are tied."""


@dataclass(frozen=True, kw_only=True)
class RecursiveBayes(WholeClassifier):
    """Sort the training rows into cells by the class that naive Bayes assigns, and learn anew inside each cell.

    A cell is learned from if it has rows of several classes, at least ``least_rows`` of them, and not all of its
    parent's. What was learned stays, with what was learned below it, if together they misclassify fewer training
    rows of the cell than the parent does. A query goes down cell by cell by the classes assigned to it, and gets the
    probabilities of the last one. The recipe's other parts decide what is learned in each cell; cut points are its
    own.

    Parameters
    ----------
    least_rows
        The least weight of a cell's training rows.

    References
    ----------
    Langley (1993), Induction of recursive Bayesian classifiers.
    """

    name: ClassVar[str] = "recursive-bayes"
    cite: ClassVar[str] = "Langley 1993"
    uses: ClassVar[tuple[str, ...]] = (
        "missing",
        "discretizer",
        "neighbourhood",
        "estimator",
        "density",
        "weights",
        "structure",
    )
    least_rows: Annotated[float, Ge(0)] = 2.0

    def fit(self, training: Dataset, composition: Composition, generator: np.random.Generator) -> FittedWhole:
        """Learn the hierarchy."""
        return self._cell(training, composition, generator)

    def _cell(self, training: Dataset, composition: Composition, generator: np.random.Generator) -> "Cell":
        cell = Cell(composition.fit(training, generator), len(training), training.class_values)
        assigned = most_probable(cell.model.log_joint(training))
        for label in np.unique(assigned):
            rows = np.flatnonzero(assigned == label)
            inside = training.take(rows)
            wrong = inside.classes != label
            if not wrong.any() or wrong.all() or len(rows) == len(training):
                continue
            if inside.weights.sum() < self.least_rows * (1 - 1e-9):
                continue
            below = self._cell(inside, composition, generator)
            errors = below.predicted(inside) != inside.classes
            if inside.weights[errors].sum() < inside.weights[wrong].sum() * (1 - 1e-12):
                cell.below[int(label)] = below
        return cell


@dataclass(frozen=True, eq=False)
class Cell:
    """A fitted composition, and the cells of some of the classes that it assigns.

    Parameters
    ----------
    model
        Assigns the classes.
    rows
        How many training rows it was fitted on.
    class_values
        The classes.
    below
        By class code.
    """

    model: FittedWhole
    rows: int
    class_values: tuple[str, ...]
    below: dict[int, "Cell"] = field(default_factory=dict)

    def log_joint(self, queries: Dataset) -> FloatArray:
        """Return the (q, C) log joint probabilities of the last cell that each query reaches."""
        joint = self.model.log_joint(queries).copy()
        assigned = most_probable(joint)
        for label, cell in self.below.items():
            rows = np.flatnonzero(assigned == label)
            if len(rows):
                joint[rows] = cell.log_joint(queries.take(rows))
        return joint

    def reasons(self, query: Dataset) -> tuple[str, ...]:
        """Return the classes that the cells on one row's way down assign, and how many training rows each has."""
        cell, told = self, [f"on all {self.rows} training rows"]
        while True:
            assigned = int(most_probable(cell.model.log_joint(query))[0])
            label = self.class_values[assigned]
            told[-1] += f" {label} is most probable"
            if assigned not in cell.below:
                return tuple(told)
            cell = cell.below[assigned]
            told.append(f"on the {cell.rows} of these that are assigned to {label},")

    def predicted(self, queries: Dataset) -> IntArray:
        """Return (q,) class codes."""
        return most_probable(self.log_joint(queries))


def most_probable(log_joint: FloatArray) -> IntArray:
    """Return the (q,) first of the best classes."""
    return np.asarray(np.argmax(log_joint >= log_joint.max(axis=1, keepdims=True) - TIE, axis=1))


@hookimpl
def nbframework_classifiers() -> list[type[WholeClassifier]]:
    """Register the classifier."""
    return [RecursiveBayes]
