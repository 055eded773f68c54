"""What stands behind a factor: training rows, and the smoothing that makes a probability of their counts."""

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.prior import EstimatorWithPrior
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
        looks at other attributes, of those rows that share the case's values of these. None where the factor is no
        table of counts, or the value is unknown.
    added, total
        The factor is (``counts`` + ``added``) / (``known`` + ``total``); None where the estimator declares no such
        form, or the factor has another.
    """

    counts: FloatArray | None = None
    known: FloatArray | None = None
    added: float | None = None
    total: float | None = None


NO_SUPPORT = Support()
_LETTERS = re.compile(r"P\(C\)|\b[A-Za-z]\b")
"""What a formula calls by a letter; the C of P(C) is a class, that alone the number of classes."""


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

    def factor(self, factor: int, log_factor: FloatArray) -> Support:
        """Return what stands behind one factor, whose (C,) logarithms are given."""
        label = self.structure.labels[factor]
        j = next((j for position, j in self.coded.items() if self.rows.inputs[position].name == label), None)
        if j is None or self.counts is None:
            return NO_SUPPORT
        if parents := self.parents(factor):
            return self._given(j, parents)
        cell = self.counts.offset[j] + int(self.rows.codes.columns[j][0])
        if cell == self.counts.unknown[j]:
            # rows that do not know it are none of those that do, so they are no part of a fraction
            return NO_SUPPORT
        counts, known = np.asarray(self.counts.cells[:, cell]), np.asarray(self.counts.known[:, j])
        form = self.estimator.closed_form(self.counts)
        if form is None or (form.replacements is not None and not counts.all()):
            return Support(counts, known)
        replaces = form.replacements is not None
        added, total = (0.0, 0.0) if replaces else (form.value * form.added[cell], form.value * form.total[j])
        with np.errstate(divide="ignore", invalid="ignore"):
            holds = np.allclose(np.log(counts + added) - np.log(known + total), log_factor, rtol=1e-12, atol=1e-12)
        return Support(counts, known, float(added), float(total)) if holds else Support(counts, known)

    def parents(self, factor: int) -> tuple[int, ...]:
        """Return the positions among the inputs of the attributes that a factor looks at besides its own."""
        return tuple(self.structure.parents[factor]) if self.structure.parents else ()

    def conditional_formula(self) -> Formula | None:
        """Return the formula of P(value | class), None where the estimator declares none."""
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

    def _given(self, j: int, parents: tuple[int, ...]) -> Support:
        """Return the counts among the rows that share the case's values of the parents, if these are known."""
        codes, case = self.training.codes, self.rows.codes.columns
        shares = np.ones(len(codes), dtype=bool)
        for position in parents:
            parent = self.coded.get(position)
            if parent is None or case[parent][0] >= codes.cardinality[parent]:
                return NO_SUPPORT
            shares &= codes.columns[parent] == case[parent][0]
        if not len(codes) or case[j][0] >= codes.cardinality[j]:
            return NO_SUPPORT
        size, classes = self.training.class_count, self.training.classes
        known = shares & (codes.columns[j] <= codes.cardinality[j])
        has = known & (codes.columns[j] == case[j][0])
        counts, total = (
            np.bincount(classes[rows], weights=self.training.weights[rows], minlength=size).astype(np.float64)
            for rows in (has, known)
        )
        return Support(counts, total)
