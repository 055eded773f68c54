"""Probabilities of a page: as formulas of counts where the estimator declares one, else as they are."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.prior import EstimatorWithPrior
from nbframework.errors import EvaluationError
from nbframework.parts import Part
from nbframework.parts.base import parameters
from nbframework.parts.closed_form import ClosedForm
from nbframework.parts.estimator import Estimator
from nbframework.report.evidence.asking import AskedModel, plain
from nbframework.report.evidence.attributes import PageAttribute

FloatArray = NDArray[np.float64]


class Estimates:
    """The estimator of a model, its prior, and the counts that they read.

    Parameters
    ----------
    asked
        The model.
    page
        Its attributes.
    tables
        The (p, c, C) log factors of the coded ones by position.

    Raises
    ------
    EvaluationError
        Where a declared formula does not give the estimates.
    """

    def __init__(self, asked: AskedModel, page: list[PageAttribute], tables: Mapping[int, FloatArray]) -> None:
        self.asked, self.counts = asked, asked.model.training.counts
        joined = asked.model.parts.estimator
        self.part: Estimator = joined.conditional if isinstance(joined, EstimatorWithPrior) else joined
        self.prior_part: Estimator = joined.prior if isinstance(joined, EstimatorWithPrior) else joined
        self.coded = {int(position): j for j, position in enumerate(asked.model.training.coded_inputs)}
        self.cells = {a.position: self._cells(a) for a in page if a.probes is not None}
        form = joined.closed_form(self.counts)
        self.prior_form, self.known = form, np.ones(len(self.counts.class_weight), dtype=bool)
        if isinstance(joined, EstimatorWithPrior):
            self.prior_form, self.known = joined.closed_form_of_prior(self.counts), joined.prior_classes(self.counts)
        self.form, self.why = self._checked(form, tables)

    def _checked(
        self, form: ClosedForm | None, tables: Mapping[int, FloatArray]
    ) -> tuple[ClosedForm | None, str | None]:
        """Return the formula where it gives the factors of the structure, else the reason why it is of no use."""
        structure = self.asked.model.parts.structure.name
        if form is None:
            return None, f"estimator {self.name} declares no closed form"
        given, joined = form.log_conditional(self.counts), self.asked.model.parts.estimator
        if not np.allclose(given, joined.log_conditional(self.counts), rtol=1e-12, atol=1e-12):
            raise EvaluationError(f"estimator {self.name!r} declares a closed form that does not give its estimates")
        for position in self.asked.factor_of:
            if self.asked.parents(position):
                return None, f"structure {structure} estimates its probabilities given other attributes"
            if position in tables:
                expected = given[:, self.cells[position]].T
                if not np.allclose(expected, tables[position][0], rtol=1e-12, atol=1e-12):
                    return None, f"structure {structure} does not take the estimates as they are"
        return form, None

    @property
    def name(self) -> str:
        """The estimator's name."""
        return self.part.name

    def described(self) -> dict[str, Any]:
        """Return the estimator's formula, or why there is none."""
        if self.form is not None:
            return form_of(self.form, self.part, "estimator") | {
                "replacements": None if self.form.replacements is None else plain(self.form.replacements),
                "most": plain(self.form.most),
            }
        return {"name": self.name, "parameter": None, "formula": None, "why": self.why}

    def prior(self) -> dict[str, Any]:
        """Return the prior's formula and counts, or its logarithms."""
        common = {
            "log": plain(self.asked.log_prior()),
            "weight": plain(self.counts.class_weight),
            "known": self.known.tolist(),
            "is_estimators": self.prior_part is self.part,
        }
        if self.prior_form is None:
            return common | {"name": self.prior_part.name, "parameter": None, "formula": None}
        found = form_of(self.prior_form, self.prior_part, "prior")
        added, total = self.prior_form.prior_added, self.prior_form.prior_total
        return common | found | {"formula": self.prior_form.prior_formula, "added": added, "total": total}

    def of_attribute(self, attribute: PageAttribute, table: FloatArray) -> dict[str, Any]:
        """Return the counts behind each choice (None of unknown) and the numbers of the formula, or the logarithms."""
        j, cells = self.coded[attribute.position], self.cells[attribute.position]
        is_left_out = cells == self.counts.unknown[j]
        counts = plain(self.counts.cells[:, cells].T)
        result = {
            # rows that do not know the attribute are no part of those that do
            "counts": [None if unknown else row for unknown, row in zip(is_left_out, counts, strict=True)],
            "known": plain(self.counts.known[:, j]),
            "size": plain(float(self.counts.cardinality[j])),
            "left_out": is_left_out.tolist(),
        }
        if self.form is None or attribute.position not in self.asked.factor_of:
            return result | {"log": plain(table)}
        return result | {"added": plain(self.form.added[cells]), "total": plain(float(self.form.total[j]))}

    def _cells(self, attribute: PageAttribute) -> NDArray[np.intp]:
        """Return the cell of the counts that each choice reads."""
        probes, position = attribute.probes, attribute.position
        if probes is None:
            raise ValueError("a number has no cells")
        raw: Any = probes.astype(np.intp) if attribute.attribute.is_nominal else probes
        rows = self.asked.encoded(self.asked.rows({position: raw}, len(probes)))
        j = self.coded[position]
        return np.asarray(self.counts.offset[j] + rows.codes.columns[j].astype(np.intp))


def form_of(form: ClosedForm, part: Part, kind: str) -> dict[str, Any]:
    """Return the formula with its parameter's path, value and limits."""
    limits = {}
    for parameter in parameters(type(part)):
        if parameter.name == form.parameter:
            limits = {
                name: getattr(bound, name)
                for bound in parameter.bounds
                for name in ("ge", "gt", "le", "lt")
                if getattr(bound, name, None) is not None
            }
    return {
        "name": part.name,
        "parameter": form.parameter,
        "path": f"{kind}.{form.parameter}" if form.parameter else None,
        "value": form.value,
        "formula": form.formula,
        "limits": limits,
    }
