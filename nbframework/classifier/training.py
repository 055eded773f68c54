"""Which rows can be learned from, and what to tell the user about the others."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nbframework.data.dataset import Dataset, require_dataset
from nbframework.errors import EvaluationError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
FEW_CLASSES = 16
"""Up to so many classes it is cheaper to look for one after the other than to widen the codes."""


@dataclass(frozen=True, eq=False)
class Usable:
    """Training rows of known class and positive weight.

    Parameters
    ----------
    dataset
        These rows.
    class_weight
        (C,) weight of each declared class.
    unlabelled
        Number of rows of positive weight that were left out because their class is unknown.
    """

    dataset: Dataset
    class_weight: FloatArray
    unlabelled: int = 0


def check_schema(dataset: Dataset) -> None:
    """Raise where the class is not nominal or an input is of a kind that no classifier takes.

    Raises
    ------
    DataError
        On a class that is not nominal.
    EvaluationError
        On a string input.
    WrongTypeError
        Where it is no data set.
    """
    require_dataset(dataset)
    if not dataset.class_values:
        raise EvaluationError(f"class attribute {dataset.class_attribute.name!r} declares no value")
    for attribute in dataset.inputs:
        if attribute.kind == "string":
            raise EvaluationError(
                f"attribute {attribute.name!r} is string, which no classifier takes as input; "
                "declare its values in the header to make it nominal, or remove it"
            )


def usable_mask(dataset: Dataset) -> NDArray[np.bool_]:
    """Return the (n,) mask of rows of known class and positive weight."""
    known = dataset.classes < len(dataset.class_values)
    return np.asarray(known if dataset.row_weights is None else known & (dataset.row_weights > 0))


def usable_rows(dataset: Dataset) -> Usable:
    """Return the rows to learn from.

    Raises
    ------
    EvaluationError
        Where there is none.
    WrongTypeError
        Where it is no data set.
    """
    require_dataset(dataset)
    # values that are taken from the rows are none without rows
    if not dataset.class_values and not len(dataset):
        raise nothing_to_learn(0, dataset)
    check_schema(dataset)
    mask = usable_mask(dataset)
    check_not_empty(dataset, mask)
    if mask.all():
        return Usable(dataset, weight_of_classes(dataset))
    kept = dataset.take(mask)
    return Usable(kept, weight_of_classes(kept), unlabelled_rows(dataset))


def check_not_empty(dataset: Dataset, mask: NDArray[np.bool_]) -> None:
    """Raise EvaluationError with the reason where no row is left."""
    if mask.any():
        return
    if not len(dataset):
        raise nothing_to_learn(0, dataset)
    unlabelled = unlabelled_rows(dataset)
    raise nothing_to_learn(unlabelled, dataset, len(dataset) - unlabelled)


def nothing_to_learn(unlabelled: int, schema: Dataset, weightless: int = 0) -> EvaluationError:
    """Return the error of having no row to learn from, though there may be rows without a class or of weight 0."""
    if unlabelled:
        return EvaluationError(f"no training row of positive weight has a class ({schema.class_attribute.name!r})")
    if weightless:
        return EvaluationError(f"the total weight of the {weightless} training rows is 0")
    return EvaluationError("no training rows")


def unlabelled_rows(dataset: Dataset, rows: IntArray | None = None) -> int:
    """Return the number of rows of positive weight without class, among all rows or the given ones."""
    classes, weights = dataset.classes, dataset.row_weights
    if rows is not None:
        classes, weights = classes[rows], None if weights is None else weights[rows]
    unknown = classes >= len(dataset.class_values)
    return int(np.count_nonzero(unknown if weights is None else unknown & (weights > 0)))


def left_out(dataset: Dataset, rows: IntArray | None) -> tuple[str, ...]:
    """Return a note where rows without class are left out, of all rows or of the given ones."""
    return note_of_unlabelled(unlabelled_rows(dataset, rows))


def note_of_unlabelled(unknown: int) -> tuple[str, ...]:
    """Return a note where there are rows without class."""
    word = "row" if unknown == 1 else "rows"
    return (f"{unknown} {word} without a class left out of training",) if unknown else ()


def weight_of_classes(dataset: Dataset) -> FloatArray:
    """Return the (C,) weight of each declared class among rows of known class."""
    count = len(dataset.class_values)
    classes, weights = dataset.classes, dataset.row_weights
    if weights is None and count <= FEW_CLASSES:
        return np.array([np.count_nonzero(classes == code) for code in range(count)], dtype=np.float64)
    return np.bincount(classes, weights=weights, minlength=count).astype(np.float64)
