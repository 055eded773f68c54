"""What stands behind a factor: training rows, and the smoothing that makes a probability of their counts."""

import re
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.prior import EstimatorWithPrior
from nbframework.data.codes import Codes
from nbframework.parts.closed_form import ClosedForm
from nbframework.parts.estimator import Estimator
from nbframework.parts.rows import Rows, Training
from nbframework.parts.structure import FittedFactoredStructure
from nbframework.statistics.counts import Counts

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Support:
    """The training rows behind a factor.

    Parameters
    ----------
    counts, known
        (C,) weight of the training rows of each class with this value, and with any known value; where the factor
        looks at other attributes, of those rows that share the case's values of these; of several attributes joined,
        with all of these values, and of those that know them all. None where the factor is no table of counts, or a
        value is unknown.
    added, total
        The factor is (``counts`` + ``added``) / (``known`` + ``total``); None where the estimator declares no such
        form, or the factor has another.
    by_formula
        Whether the estimator's formula makes the factor of these counts; None where it declares none.
    """

    counts: FloatArray | None = None
    known: FloatArray | None = None
    added: float | None = None
    total: float | None = None
    by_formula: bool | None = None


NO_SUPPORT = Support()
_LETTERS = re.compile(r"P\(C\)|\b[A-Za-z]\b")
"""What a formula calls by a letter; the C of P(C) is a class, that alone the number of classes."""


@runtime_checkable
class Joining(Protocol):
    """A structure whose factors are those of groups of attributes, each group taken as one attribute.

    ``groups`` has for each factor the places of its attributes among the coded ones.
    """

    groups: tuple[tuple[int, ...], ...]


class Formula(NamedTuple):
    """A formula for readers: its text with the value of its parameter, and what its other letters are."""

    text: str
    letters: tuple[str, ...]


class Behind:
    """The counts of one small model, and the formula of its estimator.

    Parameters
    ----------
    structure, estimator
        Of the model.
    training
        The rows that it was fitted on; of groups the first one.
    rows
        The case, encoded.
    """

    def __init__(
        self, structure: FittedFactoredStructure, estimator: Estimator, training: Training, rows: Rows
    ) -> None:
        self.structure, self.estimator, self.rows = structure, estimator, rows
        self.training = training.part_of(0)
        self.votes_only = training.start is not None and not len(training)
        self.coded = {int(position): j for j, position in enumerate(rows.coded_inputs)}
        codes = self.training.source_codes
        has_tables = bool(codes.columns) and codes.offset[-1] == rows.codes.offset[-1]
        self.counts: Counts | None = self.training.counts if has_tables else None
        self.given: dict[tuple[int, ...], Counts | None] = {}

    def factor(self, factor: int, log_factor: FloatArray) -> Support:
        """Return what stands behind one factor, whose (C,) logarithms are given."""
        found = self._counted(factor)
        if found is None:
            return NO_SUPPORT
        table, j, code = found
        cell = table.offset[j] + code
        if cell == table.unknown[j]:
            # rows that do not know it are none of those that do, so they are no part of a fraction
            return NO_SUPPORT
        counts, known = np.asarray(table.cells[:, cell]), np.asarray(table.known[:, j])
        form = self.estimator.closed_form(table)
        if form is None:
            return Support(counts, known)
        holds = np.allclose(form.log_conditional(table)[:, cell], log_factor, rtol=1e-12, atol=1e-12)
        replaces = form.replacements is not None
        added, total = (0.0, 0.0) if replaces else (form.value * form.added[cell], form.value * form.total[j])
        is_fraction = holds and bool((known + total > 0).all()) and (not replaces or bool(counts.all()))
        if not is_fraction:
            return Support(counts, known, by_formula=holds)
        return Support(counts, known, float(added), float(total), holds)

    def members(self, factor: int) -> tuple[str, ...]:
        """Return the names of the attributes that a factor is about."""
        return tuple(self.rows.inputs[self.rows.coded_inputs[j]].name for j in self._group(factor)) or (
            self.structure.labels[factor],
        )

    def parents(self, factor: int) -> tuple[int, ...]:
        """Return the positions among the inputs of the attributes that a factor looks at besides its own."""
        return tuple(self.structure.parents[factor]) if self.structure.parents else ()

    def conditional_formula(self) -> Formula | None:
        """Return the estimator's formula of P(value | class), None where it declares none."""
        form = None if self.counts is None else self.estimator.closed_form(self.counts)
        return None if form is None else self._for_readers(form, form.formula)

    def prior_formula(self, log_prior: FloatArray) -> Formula | None:
        """Return the formula of P(class), None where none is declared or the (C,) prior has another."""
        if self.votes_only:
            return None
        counts = self.training.counts
        if isinstance(self.estimator, EstimatorWithPrior):
            form, known = self.estimator.closed_form_of_prior(counts), self.estimator.prior_classes(counts)
        else:
            form, known = self.estimator.closed_form(counts), np.ones(len(counts.class_weight), dtype=bool)
        if form is None:
            return None
        expected = form.log_prior(counts.class_weight[known])
        holds = np.allclose(expected, log_prior[known], rtol=1e-12, atol=1e-12)
        return self._for_readers(form, form.prior_formula) if holds else None

    def _for_readers(self, form: ClosedForm, text: str) -> Formula:
        counts = self.training.counts
        meanings = {
            "N": "N rows of n",
            "k": "k values of the attribute",
            "C": "C classes",
            "q": "q the share of the value before any row of the class is seen",
            "m": f"m = {float(counts.training.total):g} training rows",
            "P(C)": "P(C) the share of the class",
            "a": f"a = {counts.known.shape[-1]} attributes",
        }
        if form.parameter is not None:
            meanings.pop(form.parameter, None)
            text = f"{text} with {form.parameter} = {form.value:g}"
        used = set(_LETTERS.findall(text))
        return Formula(text, tuple(meaning for letter, meaning in meanings.items() if letter in used))

    def _group(self, factor: int) -> tuple[int, ...]:
        """Return the places of several attributes that are joined in a factor among the coded ones, else nothing."""
        group = self.structure.groups[factor] if isinstance(self.structure, Joining) else ()
        return group if len(group) > 1 else ()

    def _counted(self, factor: int) -> tuple[Counts, int, int] | None:
        """Return the counts behind a factor, which of their attributes is meant, and its value's code in the case."""
        if self.counts is None:
            return None
        if group := self._group(factor):
            return self._joined(group)
        label = self.structure.labels[factor]
        j = next((j for position, j in self.coded.items() if self.rows.inputs[position].name == label), None)
        if j is None:
            return None
        counts: Counts | None = self.counts
        if parents := self.parents(factor):
            if parents not in self.given:
                self.given[parents] = self._given(parents)
            counts = self.given[parents]
        return None if counts is None else (counts, j, int(self.rows.codes.columns[j][0]))

    def _given(self, parents: tuple[int, ...]) -> Counts | None:
        """Return the counts of the rows that share the case's values of the parents, if these are known."""
        whole, case = self.training, self.rows.codes.columns
        codes = whole.codes
        shares = np.ones(len(codes), dtype=bool)
        for position in parents:
            parent = self.coded.get(position)
            if parent is None or case[parent][0] >= codes.cardinality[parent]:
                return None
            shares &= codes.columns[parent] == case[parent][0]
        if not len(codes):
            return None
        rows = np.flatnonzero(shares)
        return replace(
            whole,
            selection=rows if whole.selection is None else whole.selection[rows],
            class_codes=whole.class_codes[rows],
            row_weights=None if whole.row_weights is None else whole.row_weights[rows],
            reference=whole.counts.training,
            known_counts=None,
        ).counts

    def _joined(self, group: tuple[int, ...]) -> tuple[Counts, int, int] | None:
        """Return the counts of a group of attributes as one, whose values are the combinations in the rows."""
        whole, codes, case = self.training, self.training.codes, self.rows.codes
        if not len(codes) or any(case.columns[j][0] > case.cardinality[j] for j in group):
            return None
        known = np.logical_and.reduce([codes.columns[j] <= codes.cardinality[j] for j in group])
        values = np.stack([codes.columns[j] for j in group], axis=1).astype(np.intp)
        distinct, place = np.unique(values[known], axis=0, return_inverse=True)
        column = np.full(len(codes), len(distinct) + 1, dtype=np.uint32)
        column[known] = place.reshape(-1)
        sizes = np.asarray(codes.cardinality if whole.cardinality is None else whole.cardinality)[list(group)]
        joined = replace(
            whole,
            source=whole.dataset,
            selection=None,
            source_codes=Codes((column,), (len(distinct),), len(codes)),
            source_measured=whole.measured,
            coded_inputs=np.arange(1),
            cardinality=np.array([np.prod(sizes, dtype=float)]),
            known_counts=None,
            reference=None,
        )
        same = np.flatnonzero((distinct == [case.columns[j][0] for j in group]).all(axis=1))
        return joined.counts, 0, int(same[0]) if len(same) else len(distinct)
