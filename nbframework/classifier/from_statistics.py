"""Classifiers fitted from the statistics of their training rows, without any row."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.composition import GlobalModel
from nbframework.classifier.encoding import Encoder, cut_points, encoded_column
from nbframework.classifier.fitted import FittedClassifier
from nbframework.classifier.model import Classifier, Seed
from nbframework.classifier.training import nothing_to_learn
from nbframework.classifier.training_statistics import TrainingStatistics
from nbframework.data.codes import Codes, block_offset
from nbframework.errors import EvaluationError
from nbframework.parts.density import Density, FittedDensity
from nbframework.parts.discretizer import Discretizer
from nbframework.parts.missing import FittedMissingPolicy
from nbframework.parts.rows import Training
from nbframework.parts.weights import Evidence
from nbframework.statistics.counts import from_cells
from nbframework.statistics.pairs import PairCounts, first_value
from nbframework.statistics.tally import Tally, side_by_side
from nbframework.statistics.value_table import ValueTable

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]


def fit_statistics(
    classifier: Classifier,
    statistics: TrainingStatistics,
    notes: tuple[str, ...] = (),
    exponents: FloatArray | None = None,
    seed: Seed = 0,
) -> FittedClassifier:
    """Fit a recipe on rows of which only the statistics are left.

    Parameters
    ----------
    classifier
        What is fitted.
    statistics
        As `gathering` wants them, or with cut points.
    notes
        What the user should know of the rows besides the number of those without a class.
    exponents
        The weights of the factors where they are known already.
    seed
        Of everything random.

    Raises
    ------
    EvaluationError
        Where there is nothing to learn from.
    """
    parts = classifier.composition
    _check_not_empty(classifier, statistics)
    cuts = {**statistics.cuts, **learned_cuts(parts.discretizer, statistics)}
    counted = with_cuts(statistics, parts.discretizer, cuts)
    policy = _policy(classifier, counted)
    training = _training(counted, policy)
    parts.check_inputs(training)
    density = _density(parts.density, counted, len(training.measured_inputs))
    structure = parts.structure.fit(training, parts.estimator, density)
    if exponents is None and not parts.weights.is_uniform:
        evidence = Evidence(training, structure, parts.structure, parts.estimator, density)  # type: ignore[arg-type]  # the recipe checked that the structure is factored
        exponents = parts.weights.learn(evidence, np.random.default_rng(seed))
    model = GlobalModel(Encoder(policy, parts.discretizer, cuts), training, structure, exponents, parts)
    fitted = classifier.restored(model, statistics.schema, statistics.usable.weight, notes)
    return replace(fitted, statistics=statistics, unlabelled=statistics.unlabelled)


def learned_cuts(discretizer: Discretizer, statistics: TrainingStatistics) -> dict[int, FloatArray]:
    """Return the cut points of the inputs whose values are in tables, by position."""
    if discretizer.keeps_numeric:
        return {}
    cuts = {}
    for position, table in zip(statistics.measured_inputs.tolist(), statistics.tables, strict=True):
        entries = table.entries()
        cuts[position] = cut_points(discretizer, entries.value, entries.classes, entries.tally.weight)
    return cuts


def with_cuts(
    statistics: TrainingStatistics, discretizer: Discretizer, cuts: dict[int, FloatArray]
) -> TrainingStatistics:
    """Return the statistics with inputs that are in tables counted by cut points.

    Raises
    ------
    EvaluationError
        Where a table is not exact, so that counts would not be either, or pairs with these inputs were not counted.
    """
    cut = [position for position in statistics.measured_inputs.tolist() if position in cuts]
    if not cut:
        return statistics
    if statistics.pairs is not None:
        raise EvaluationError(
            f"attribute {statistics.schema.inputs[cut[0]].name!r} is numeric: pairs with its intervals cannot be "
            "counted before all rows have been seen; fit it from files (nbf fit --chunk-rows), which reads them twice"
        )
    sizes = dict(zip(statistics.coded_inputs.tolist(), statistics.cardinality, strict=True))
    offset = block_offset(statistics.cardinality)
    blocks = {
        position: statistics.cells.taken((slice(None), slice(int(offset[j]), int(offset[j + 1]))))
        for j, position in enumerate(statistics.coded_inputs.tolist())
    }
    for position, table in zip(statistics.measured_inputs.tolist(), statistics.tables, strict=True):
        if not table.is_exact:
            raise EvaluationError(
                f"attribute {statistics.schema.inputs[position].name!r} has too many distinct values for its counts "
                "to be kept value by value; fit it from files (nbf fit --chunk-rows), which counts it in a second pass"
            )
        sizes[position] = discretizer.cardinality(cuts[position])
        blocks[position] = _cells(table, discretizer, cuts[position])
    coded = sorted(sizes)
    return replace(
        statistics,
        cuts=cuts,
        coded_inputs=np.array(coded, dtype=np.intp),
        cardinality=tuple(sizes[position] for position in coded),
        cells=side_by_side([blocks[position] for position in coded]),
        measured_inputs=np.empty(0, dtype=np.intp),
        tables=(),
    )


def _cells(table: ValueTable, discretizer: Discretizer, cuts: FloatArray) -> Tally:
    """Return the (C, v + 2) rows of each class and interval, unseen and unknown."""
    size = discretizer.cardinality(cuts)
    entries = table.entries()
    cell = entries.classes.astype(np.intp) * (size + 2) + encoded_column(discretizer, entries.value, cuts)

    def summed(of_entries: NDArray[Any]) -> FloatArray:
        cells = np.bincount(cell, weights=of_entries, minlength=table.class_count * (size + 2))
        return cells.reshape(table.class_count, size + 2).astype(np.float64)

    weight = summed(entries.tally.weight)
    weight[:, -1] = table.unknown.weight
    if entries.tally.rows is None and table.unknown.rows is None:
        return Tally(weight)
    rows = summed(entries.tally.number).astype(np.int64)
    rows[:, -1] = table.unknown.number
    return Tally(weight, rows)


def _check_not_empty(classifier: Classifier, statistics: TrainingStatistics) -> None:
    if not statistics.usable.number.any():
        raise nothing_to_learn(statistics.unlabelled, statistics.schema, statistics.weightless)
    if not statistics.learned.number.any():
        rows = int(statistics.usable.number.sum())
        raise EvaluationError(f"missing policy {classifier.missing.name!r} leaves no training row of {rows}")


def _policy(classifier: Classifier, statistics: TrainingStatistics) -> FittedMissingPolicy:
    missing, schema = classifier.missing, statistics.schema
    if not missing.learns:
        return missing.fit(schema)
    unknown = np.zeros((len(schema.inputs), statistics.class_count))
    last = block_offset(statistics.cardinality)[1:] - 1
    unknown[statistics.coded_inputs] = statistics.cells.weight[:, last].T
    return missing.fit_unknown(schema, unknown, statistics.learned.weight)


def _training(statistics: TrainingStatistics, policy: FittedMissingPolicy) -> Training:
    """Return a training set without rows whose counts are known, the policy's codes in them."""
    codes = _identity(statistics.cardinality)
    recoded = policy.recode(codes)
    cells = _moved(statistics.cells, codes, recoded)
    size = np.asarray(recoded.cardinality, dtype=np.float64)
    counts = from_cells(cells.weight, recoded.offset, statistics.learned.weight, size, cells.rows)
    known = set(statistics.coded_inputs.tolist())
    inputs = enumerate(statistics.schema.inputs)
    measured = [p for p, attribute in inputs if attribute.is_measured and p not in known]
    empty = tuple(np.empty(0, dtype=np.uint8) for _ in recoded.cardinality)
    return Training(
        statistics.schema,
        None,
        Codes(empty, recoded.cardinality, 0),
        np.empty((0, len(measured))),
        statistics.coded_inputs,
        np.array(measured, dtype=np.intp),
        np.empty(0, dtype=np.intp),
        statistics.class_count,
        None,
        policy,
        known_counts=counts,
        known_pairs=_known_pairs(statistics, recoded),
    )


def _identity(cardinality: Sequence[int]) -> Codes:
    """Return columns that hold each code once; a policy that recodes them shows where it moves each code."""
    return Codes(tuple(np.arange(size + 2) for size in cardinality), tuple(cardinality), 0)


def _moved(cells: Tally, before: Codes, after: Codes) -> Tally:
    """Return the cells with each code where the policy moved it."""
    pairs = zip(after.columns, after.offset[:-1], strict=True)
    place = [column.astype(np.intp) + first for column, first in pairs]
    target = np.concatenate([np.empty(0, dtype=np.intp), *place])
    if before.cardinality == after.cardinality and np.array_equal(target, np.arange(len(target))):
        return cells
    shape = (len(cells.weight), int(after.offset[-1]))
    weight = np.zeros(shape)
    np.add.at(weight.T, target, cells.weight.T)
    if cells.rows is None:
        return Tally(weight)
    rows = np.zeros(shape, dtype=np.int64)
    np.add.at(rows.T, target, cells.rows.T)
    return Tally(weight, rows)


def _known_pairs(statistics: TrainingStatistics, recoded: Codes) -> PairCounts | None:
    """Return the pairs of the policy's values."""
    if statistics.pairs is None:
        return None
    first = first_value(recoded.cardinality)
    source, target = [], []
    start = 0
    for j, (size, places) in enumerate(zip(statistics.cardinality, statistics.pair_sizes, strict=True)):
        # behind the values stands unknown, whose code is one beyond that of unseen
        codes = np.append(np.arange(size), np.full(places - size, size + 1))
        moved = recoded.columns[j][codes].astype(np.intp)
        kept = moved < recoded.cardinality[j]
        source.append(start + np.flatnonzero(kept))
        target.append(int(first[j]) + moved[kept])
        start += places
    old, new = (np.concatenate([np.empty(0, dtype=np.intp), *places]) for places in (source, target))
    classes = np.arange(statistics.class_count)
    shape = (len(classes), int(first[-1]), int(first[-1]))
    pairs = statistics.pairs.taken(np.ix_(classes, old, old)).placed(shape, np.ix_(classes, new, new))
    return PairCounts(pairs.weight, recoded.cardinality, pairs.rows)


def _density(density: Density, statistics: TrainingStatistics, attributes: int) -> Density:
    """Return a density that is fitted already where attributes stayed numeric."""
    if not attributes:
        return density
    if statistics.moments is not None:
        return KnownDensity(fitted=density.fit_moments(statistics.moments))
    if not statistics.tables:
        return density
    for position, table in zip(statistics.measured_inputs.tolist(), statistics.tables, strict=True):
        if not table.is_exact:
            raise EvaluationError(
                f"attribute {statistics.schema.inputs[position].name!r} has too many distinct values for density "
                f"{density.name!r}, which looks at each of them"
            )
    fitted = []
    for table in statistics.tables:
        entries = table.entries()
        value, classes = entries.value[:, np.newaxis], entries.classes.astype(np.intp)
        fitted.append(density.fit(value, classes, statistics.class_count, entries.tally.weight))
    return KnownDensity(fitted=DensityOfEach(tuple(fitted)))


@dataclass(frozen=True, kw_only=True)
class KnownDensity(Density):
    """A density that was fitted from statistics.

    Parameters
    ----------
    fitted
        What `fit` returns, whatever it is handed.
    """

    fitted: FittedDensity

    def __post_init__(self) -> None:
        """Nothing to check: no recipe sets the field."""

    def fit(
        self,
        values: FloatArray,
        classes: IntArray,
        class_count: int,
        weights: FloatArray,
        start: IntArray | None = None,
    ) -> FittedDensity:
        """Return the fitted density."""
        del values, classes, class_count, weights, start
        return self.fitted


class DensityOfEach(FittedDensity):
    """Densities of single attributes side by side."""

    def __init__(self, columns: tuple[FittedDensity, ...]) -> None:
        self.columns = columns

    def log_density(self, values: FloatArray, group: IntArray | None = None) -> FloatArray:
        """Return (q, C, d) log densities."""
        of_each = [column.log_density(values[:, [j]], group) for j, column in enumerate(self.columns)]
        return np.concatenate(of_each, axis=-1)
