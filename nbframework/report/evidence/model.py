"""Everything that a page knows of a model, as plain data."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.fitted import FittedClassifier
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError
from nbframework.explain import attribute_importance
from nbframework.report.evidence.asking import SHOWN, AskedModel, plain
from nbframework.report.evidence.attributes import PageAttribute, density_form, factor_table, page_attributes
from nbframework.report.evidence.decisions import decision
from nbframework.report.evidence.estimates import Estimates
from nbframework.report.evidence.examples import examples

FloatArray = NDArray[np.float64]
TRIALS = 200
"""Random rows on which the tables have to give what the model gives."""


def page_model(fitted: FittedClassifier, dataset: Dataset, row: int | None, title: str) -> dict[str, Any]:
    """Return the model as the page embeds it; arguments and errors as of `evidence_page`.

    Logarithms are natural, None is minus infinity; lists by class are in the order of ``classes``.
    """
    asked = AskedModel(fitted)
    page = page_attributes(asked)
    tables = {a.position: factor_table(asked, page, a.position) for a in page if a.probes is not None}
    _check(asked, page, tables)
    estimates = Estimates(asked, page, tables)
    rows = examples(page, dataset, fitted.schema, row)
    shares = attribute_importance(fitted)
    return {
        "kind": "factors",
        "title": title,
        "data": dataset.name or "data",
        "classes": list(fitted.class_values),
        "class_name": fitted.schema.class_attribute.name,
        "attribute_count": len(page),
        "rows": plain(float(fitted.class_weight.sum())),
        "prior": estimates.prior(),
        "estimator": estimates.described(),
        "is_weighted": asked.model.weights is not None,
        "decision": decision(fitted),
        "attributes": [
            _common(asked, attribute, shares)
            | (
                _coded(asked, estimates, attribute, tables[attribute.position])
                if attribute.position in tables
                else _measured(asked, attribute, [example["values"][attribute.position] for example in rows])
            )
            for attribute in page
        ],
        "examples": rows,
        "opens_with_example": row is not None,
        "notes": list(fitted.notes),
    }


def _common(asked: AskedModel, attribute: PageAttribute, shares: dict[str, float]) -> dict[str, Any]:
    return {
        "name": attribute.attribute.name,
        "importance": shares.get(attribute.attribute.name),
        "has_factor": attribute.position in asked.factor_of,
        "exponent": plain(asked.exponent(attribute.position)),
        "alternatives": plain(list(attribute.alternatives)),
    }


def _coded(asked: AskedModel, estimates: Estimates, attribute: PageAttribute, table: FloatArray) -> dict[str, Any]:
    return {
        "kind": "nominal" if attribute.cuts is None else "intervals",
        "labels": list(attribute.labels),
        "cuts": None if attribute.cuts is None else attribute.cuts.tolist(),
        "parents": list(asked.parents(attribute.position)),
        **estimates.of_attribute(attribute, table),
    }


def _measured(asked: AskedModel, attribute: PageAttribute, values: list[float | None]) -> dict[str, Any]:
    known = [value for value in values if value is not None]
    return {"kind": "number", "density": density_form(asked, attribute.position, known)}


def _check(asked: AskedModel, page: list[PageAttribute], tables: dict[int, FloatArray]) -> None:
    """Raise EvaluationError where a factor depends on more than its table knows."""
    random = np.random.default_rng(0)
    chosen: dict[int, NDArray[np.intp]] = {}
    columns: dict[int, Any] = {}
    for attribute in page:
        if attribute.probes is not None:
            codes = random.integers(0, len(attribute.probes), TRIALS)
            raw = attribute.probes[codes]
            chosen[attribute.position] = codes
            columns[attribute.position] = raw.astype(np.intp) if attribute.attribute.is_nominal else raw
    rows = asked.rows(columns, TRIALS)
    factors = asked.structure.log_factors(asked.encoded(rows))
    for position, table in tables.items():
        combination = np.zeros(TRIALS, dtype=np.intp)
        for parent in asked.parents(position):
            combination = combination * len(tables[parent][0]) + chosen[parent]
        expected = table[combination, chosen[position]]
        factor = asked.factor_of.get(position)
        if factor is not None and not np.allclose(factors[:, :, factor], expected, rtol=1e-12, atol=1e-12):
            raise EvaluationError(
                f"{SHOWN}; structure {asked.model.parts.structure.name!r} or missing policy "
                f"{asked.model.parts.missing.name!r} makes the factor of {asked.inputs[position].name!r} depend on "
                "more attributes than it declares"
            )
