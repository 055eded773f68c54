"""Cross-validated accuracy of a composition on rows that are discretized as a whole."""

import numpy as np

from nbframework.authoring import Attribute, Composition, Dataset, IntArray, Training


def cross_validated_accuracy(
    dataset: Dataset, composition: Composition, folds: int, generator: np.random.Generator
) -> float:
    """Return the weight share of rows that are classified rightly by a composition fitted on the other folds.

    Parameters
    ----------
    dataset
        n rows of known class, at least 1.
    composition
        Its missing policy and discretizer are fitted on all rows, the rest on the rows of the other folds.
    folds
        Number of stratified folds; n where there are fewer rows. The accuracy of a single row is 0.
    generator
        Deals the rows.
    """
    rows = encoded_dataset(composition.encode(dataset)[1])
    if len(rows) < 2:
        return 0.0
    fold = stratified(rows.classes.astype(np.intp), min(folds, len(rows)), generator)
    right = np.zeros(len(rows), dtype=bool)
    for number in range(int(fold.max()) + 1):
        test = np.flatnonzero(fold == number)
        others = rows.take(fold != number)
        scores = composition.fit(others, generator).log_joint(rows.take(test))
        frequent = np.bincount(others.classes, weights=others.weights).argmax()
        predicted = np.where(np.isneginf(scores.max(axis=1)), frequent, scores.argmax(axis=1))
        right[test] = predicted == rows.classes[test]
    return float(np.average(right, weights=rows.weights))


def stratified(classes: IntArray, folds: int, generator: np.random.Generator) -> IntArray:
    """Return the (n,) fold of each row: shuffled, then dealt class by class."""
    shuffled = generator.permutation(len(classes))
    fold = np.empty(len(classes), dtype=np.intp)
    fold[shuffled[np.argsort(classes[shuffled], kind="stable")]] = np.arange(len(classes)) % folds
    return fold


def encoded_dataset(training: Training) -> Dataset:
    """Return encoded rows as a data set whose coded inputs are nominal, one declared value for each code."""
    prepared = training.dataset
    attributes, columns = list(prepared.attributes), list(prepared.columns)
    for position, column, size in zip(
        training.coded_inputs.tolist(), training.codes.columns, training.codes.cardinality, strict=True
    ):
        index = prepared.input_indexes[position]
        if not (attributes[index].is_nominal and attributes[index].cardinality == size):
            values = tuple(str(code) for code in range(size))
            attributes[index] = Attribute.nominal(attributes[index].name, values, attributes[index].weight)
        columns[index] = column
    return Dataset(tuple(attributes), tuple(columns), prepared.class_index, training.row_weights, prepared.name)
