"""Products of P(attribute | class, parents), whatever the parents are."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import (
    Codes,
    Counts,
    Estimator,
    FittedFactoredStructure,
    FittedMissingPolicy,
    FloatArray,
    IntArray,
    PairCounts,
    Rows,
    Training,
    count,
)
from nbframework_structures.parent_counts import of_values

Parents = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Combinations:
    """The combinations of values that some attributes have in the training rows, numbered.

    Parameters
    ----------
    attributes
        Which attributes.
    radix
        For each attribute its number of codes.
    keys
        For each attribute the ascending keys ``number of the combination so far * radix + code`` that occur.
    """

    attributes: Parents
    radix: tuple[int, ...]
    keys: tuple[IntArray, ...]

    @classmethod
    def of(cls, codes: Codes, attributes: Parents, rows: IntArray) -> "Combinations":
        """Return the combinations in some rows."""
        place = np.zeros(len(rows), dtype=np.intp)
        radix, keys = [], []
        for attribute in attributes:
            radix.append(codes.cardinality[attribute] + 2)
            size = (int(place.max(initial=0)) + 1) * radix[-1]
            distinct, place = _numbered(place * radix[-1] + codes.columns[attribute][rows], size)
            keys.append(distinct)
        return cls(attributes, tuple(radix), tuple(keys))

    def __len__(self) -> int:
        return len(self.keys[-1]) if self.keys else 1

    def place(self, columns: Sequence[NDArray[np.unsignedinteger]], rows: IntArray) -> IntArray:
        """Return the number of the combination of each row; ``len(self)`` for one that does not occur."""
        place = np.zeros(len(rows), dtype=np.intp)
        for attribute, radix, keys in zip(self.attributes, self.radix, self.keys, strict=True):
            key = place * radix + columns[attribute][rows]
            found = np.searchsorted(keys, key)
            occurs = keys[np.minimum(found, len(keys) - 1)] == key if len(keys) else np.zeros(len(key), dtype=bool)
            place = np.where(occurs, found, len(keys))
        return place


def _numbered(keys: IntArray, size: int) -> tuple[IntArray, IntArray]:
    """Return the distinct keys in ascending order, and which of them each key is; keys are below ``size``."""
    if size > 4 * len(keys) + 1024:
        return np.unique(keys, return_inverse=True)
    occurs = np.zeros(size, dtype=bool)
    occurs[keys] = True
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[keys]


class Factor:
    """P(attribute | class, parents), and the same for every subset of the parents, for rows that know only these.

    Parameters
    ----------
    training
        n rows without groups.
    estimator
        Of the conditional probabilities.
    attribute
        Whose probability.
    parents
        The attributes that it depends on besides the class.
    smoothing
        Rows' worth of the probability without class and parents that is mixed in: with N rows of the class and the
        parents' values, N / (N + smoothing) of the estimate remains. Both are of the training rows given here.
    """

    def __init__(
        self, training: Training, estimator: Estimator, attribute: int, parents: Parents, smoothing: float = 0.0
    ) -> None:
        self.attribute, self.parents, self.class_count = attribute, parents, training.class_count
        self.unknown_code = [training.source_codes.cardinality[parent] + 1 for parent in parents]
        self.tables: dict[tuple[bool, ...], tuple[Combinations, FloatArray]] = {}
        for chosen in product((False, True), repeat=len(parents)):
            given = tuple(compress(parents, chosen))
            if training.known_pairs is None:
                combinations, raw = self._in_rows(training, given)
            else:
                combinations, raw = self._in_pairs(training, training.known_pairs, given)
            counts = self._with_policy(training, raw)
            everyone = of_attributes(training.counts, [attribute])
            self.tables[chosen] = combinations, log_smoothed_towards_marginal(estimator, counts, everyone, smoothing)

    def log_probability(self, codes: Codes) -> FloatArray:
        """Return (q, C) log probabilities of the rows' values, 0 where the value is unknown."""
        columns = codes.columns
        value = columns[self.attribute].astype(np.intp)
        everything = np.ones(len(codes), dtype=bool)
        known = [columns[parent] < unknown for parent, unknown in zip(self.parents, self.unknown_code, strict=True)]
        result = np.empty((len(codes), self.class_count))
        for chosen, (combinations, table) in self.tables.items():
            matches = [mask == wanted for mask, wanted in zip(known, chosen, strict=True)]
            rows = np.flatnonzero(np.logical_and.reduce([everything, *matches]))
            if len(rows):
                result[rows] = table[combinations.place(columns, rows), :, value[rows]]
        return result

    def _in_rows(self, training: Training, given: Parents) -> tuple[Combinations, Counts]:
        """Return the combinations of some parents, and the attribute's counts given each and given another one."""
        codes = training.codes
        known = [codes.columns[parent] <= codes.cardinality[parent] for parent in given]
        rows = np.flatnonzero(np.logical_and.reduce([np.ones(len(codes), dtype=bool), *known]))
        combinations = Combinations.of(codes, given, rows)
        place = combinations.place(codes.columns, rows)
        column = codes.columns[self.attribute]
        counts = count(
            Codes((column,), (codes.cardinality[self.attribute],), len(codes)),
            place * training.class_count + training.classes[rows],
            training.class_count,
            None if training.row_weights is None else training.row_weights[rows],
            len(combinations) + 1,
            rows,
        )
        return combinations, counts

    def _in_pairs(self, training: Training, pairs: PairCounts, given: Parents) -> tuple[Combinations, Counts]:
        """Return what `_in_rows` does for at most one parent, from the counts of pairs."""
        alone = replace(training, missing=FittedMissingPolicy()).counts
        if not given:
            return Combinations((), (), ()), _and_none(of_attributes(alone, [self.attribute]))
        (parent,) = given
        first, unseen = int(alone.offset[parent]), int(alone.unseen[parent])
        occurs = np.flatnonzero(~alone.is_zero[:, first:unseen].all(axis=0))
        counts = of_values(pairs.given(parent), np.append(occurs, unseen - first))
        return Combinations(given, (unseen - first + 2,), (occurs,)), of_attributes(counts, [self.attribute])

    def _with_policy(self, training: Training, counts: Counts) -> Counts:
        """Return the attribute's counts with the training set's reference and the missing policy's denominators."""
        if training.cardinality is not None:
            counts = replace(counts, cardinality=training.cardinality[self.attribute : self.attribute + 1])
        reference = of_attributes(training.counts.training, [self.attribute])
        return training.missing.denominators(replace(counts, reference=reference))


class FittedParented(FittedFactoredStructure):
    """A prior and one factor for each attribute.

    Parameters
    ----------
    training
        n rows without groups.
    estimator
        Of all probabilities.
    parents
        For each attribute those that it depends on besides the class.
    smoothing
        As for `Factor`.
    notes
        What the user should know.
    """

    def __init__(
        self,
        training: Training,
        estimator: Estimator,
        parents: Sequence[Parents],
        smoothing: float = 0.0,
        notes: tuple[str, ...] = (),
    ) -> None:
        self.notes = notes
        self.labels = tuple(training.inputs[position].name for position in training.coded_inputs)
        self.parents = tuple(parents)
        self.prior = estimator.log_prior(training.counts)
        self.factors = [
            Factor(training, estimator, attribute, chosen, smoothing) for attribute, chosen in enumerate(parents)
        ]

    def log_prior(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return the same prior for every query."""
        return np.repeat(self.prior[np.newaxis], len(queries), axis=0)

    def log_factors(self, queries: Rows, group: IntArray | None = None) -> FloatArray:
        """Return log P(attribute | class, parents), in the order of the attributes."""
        factors = np.empty((len(queries), len(self.prior), len(self.factors)))
        codes = queries.codes
        for index, factor in enumerate(self.factors):
            factors[:, :, index] = factor.log_probability(codes)
        return factors


def _and_none(counts: Counts) -> Counts:
    """Return the counts, and those of no row behind them, along a new leading axis."""

    def doubled(table: NDArray[Any]) -> NDArray[Any]:
        return np.stack([table, np.zeros_like(table)])

    return replace(
        counts,
        cells=doubled(counts.cells),
        class_weight=doubled(counts.class_weight),
        known=doubled(counts.known),
        support=None if counts.support is None else doubled(counts.support),
    )


def of_attributes(counts: Counts, attributes: Sequence[int]) -> Counts:
    """Return the counts of some attributes alone."""
    chosen = list(attributes)
    blocks = [np.arange(counts.offset[attribute], counts.offset[attribute + 1]) for attribute in chosen]
    cells = np.concatenate(blocks)
    return replace(
        counts,
        cells=counts.cells[..., cells],
        offset=np.concatenate([[0], np.cumsum([len(block) for block in blocks])]).astype(np.intp),
        known=counts.known[..., chosen],
        cardinality=counts.cardinality[..., chosen],
        support=None if counts.support is None else counts.support[..., cells],
        reference=None if counts.reference is None else of_attributes(counts.reference, chosen),
    )


def log_smoothed_towards_marginal(
    estimator: Estimator, counts: Counts, everyone: Counts, smoothing: float
) -> FloatArray:
    """Return (..., C, B) log probabilities, mixed with those without class and parents.

    With N rows of the class and the parents' values, theta = a P(x | c, parents) + (1 - a) P(x) with
    a = N / (N + smoothing) (Friedman, Geiger & Goldszmidt 1997, section 4.2). N is the denominator of the estimate, so
    that rows which do not know the attribute lend no weight to it where the missing policy leaves them out.

    Parameters
    ----------
    estimator
        Of both probabilities.
    counts
        Given the class and the parents' values.
    everyone
        (C, B) counts of the same attributes in all rows that the structure is fitted on.
    smoothing
        At least 0.
    """
    table = estimator.log_conditional(counts)
    if not smoothing:
        return table
    marginal = np.exp(estimator.log_conditional(_without_class(everyone)))
    share = counts.per_cell(counts.known / (counts.known + smoothing))
    with np.errstate(divide="ignore"):
        return counts.skip_unknown(np.log(share * np.exp(table) + (1.0 - share) * marginal))


def _without_class(counts: Counts) -> Counts:
    """Return the counts of all classes together, as one class."""
    return Counts(
        counts.cells.sum(axis=-2, keepdims=True),
        counts.offset,
        counts.class_weight.sum(axis=-1, keepdims=True),
        counts.known.sum(axis=-2, keepdims=True),
        counts.cardinality,
        None if counts.support is None else counts.support.sum(axis=-2, keepdims=True),
        None if counts.reference is None else _without_class(counts.reference),
    )
