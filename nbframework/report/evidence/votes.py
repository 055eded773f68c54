"""The page of a vote of all training rows by powers of their distances: rows as cases, the power as a slider."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.fitted import FittedClassifier
from nbframework.classifier.local import LocalModel
from nbframework.classifier.prior import EstimatorWithPrior
from nbframework.data.alignment import aligned
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError
from nbframework.parts.closed_form import ClosedForm, PowerForm
from nbframework.report.evidence.asking import SHOWN, plain
from nbframework.report.evidence.decisions import decision
from nbframework.report.evidence.estimates import form_of
from nbframework.report.evidence.examples import MOST_ROWS, chosen_rows, known_classes

FloatArray = NDArray[np.float64]
MOST_DISTANCES = 12_000
"""Different distances that a page holds."""


def votes_model(fitted: FittedClassifier, dataset: Dataset, row: int | None, title: str) -> dict[str, Any]:
    """Return the model of a vote as the page embeds it; arguments and errors as of `evidence_page`."""
    model = fitted.model
    if not isinstance(model, LocalModel) or model.structure.reads != "class weights":
        raise EvaluationError(f"{SHOWN}; found a neighbourhood, in which every row has probabilities of its own")
    prior, known = _prior(model)
    chosen = chosen_rows(dataset, MOST_ROWS, row)
    if not len(chosen):
        raise EvaluationError("the page of a vote shows rows, and the data have none")
    most = max(1, MOST_DISTANCES // max(1, len(_pairs(_form(fitted, dataset, chosen[:1]), 0)[0])))
    chosen = chosen_rows(dataset, min(MOST_ROWS, most), row)
    form = _form(fitted, dataset, chosen)
    _check(fitted, dataset, chosen, form, prior, known)
    cases = dataset.take(chosen)
    return {
        "kind": "votes",
        "title": title,
        "data": dataset.name or "data",
        "classes": list(fitted.class_values),
        "class_name": fitted.schema.class_attribute.name,
        "attribute_count": len(fitted.schema.inputs),
        "rows": plain(float(fitted.class_weight.sum())),
        "vote": form_of_vote(form),
        "prior": prior_of_vote(model, prior, known),
        "decision": decision(fitted),
        "log_shift": None if fitted.rules.log_shift is None else plain(fitted.rules.log_shift),
        "examples": [
            {"row": int(number) + 1, "class": code, "near": _near(form, index)}
            for index, (number, code) in enumerate(zip(chosen, known_classes(cases, fitted.schema), strict=True))
        ],
        "opens_with_example": row is not None,
        "notes": list(fitted.notes),
    }


def form_of_vote(form: PowerForm) -> dict[str, Any]:
    """Return the formula of the weights with its parameter."""
    part = {"name": "", "formula": form.formula, "log_share": plain(form.log_share)}
    parameter = {"parameter": form.parameter, "path": f"neighbourhood.{form.parameter}", "value": form.value}
    rows = np.bincount(form.classes, weights=form.row_weights, minlength=len(form.log_share))
    return part | parameter | {"limits": {"ge": 0}, "rows": plain(rows)}


def prior_of_vote(model: LocalModel, prior: ClosedForm, known: NDArray[np.bool_]) -> dict[str, Any]:
    """Return the formula that turns class weights into posteriors."""
    joined = model.estimator
    part, is_own = joined, False
    if isinstance(joined, EstimatorWithPrior):
        part, is_own = joined.prior, joined.prior is joined.conditional
    return form_of(prior, part, "estimator" if is_own else "prior") | {
        "formula": prior.prior_formula,
        "added": prior.prior_added,
        "total": prior.prior_total,
        "known": known.tolist(),
    }


def _prior(model: LocalModel) -> tuple[ClosedForm, NDArray[np.bool_]]:
    """Return the formula of the estimator's prior, and the classes that it knows."""
    joined, counts = model.estimator, model.training.counts
    found, known = joined.closed_form(counts), np.ones(model.training.class_count, dtype=bool)
    if isinstance(joined, EstimatorWithPrior):
        found, known = joined.closed_form_of_prior(counts), joined.prior_classes(counts)
    if found is None:
        raise EvaluationError(f"{SHOWN}; found a neighbourhood with an estimator that declares no closed form")
    return found, known


def _form(fitted: FittedClassifier, dataset: Dataset, chosen: NDArray[np.intp]) -> PowerForm:
    model = fitted.model
    if not isinstance(model, LocalModel):
        raise TypeError("a vote needs a neighbourhood")
    rows = model.encoder.queries(aligned(dataset.take(chosen), fitted.schema).dataset)
    found = model.neighbourhood.closed_form(rows)
    if found is None:
        raise EvaluationError(
            f"{SHOWN}, or votes whose weights are powers of the distance (kappa-kernel, inverse-power); found another "
            "neighbourhood"
        )
    return found


def _pairs(form: PowerForm, index: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the (p, 2) pairs of log and class of one query, the (p,) weights of their rows and their distances."""
    speaks = np.isfinite(form.logs[index])
    keys = np.stack([form.logs[index][speaks], form.classes[speaks]], axis=1)
    pairs, first, place = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    weights = np.bincount(place.ravel(), weights=form.row_weights[speaks], minlength=len(pairs)).astype(np.float64)
    return np.asarray(pairs, dtype=np.float64), weights, np.asarray(form.distances[index][speaks][first])


def _near(form: PowerForm, index: int) -> list[list[Any]]:
    """Return [log, class, weight of the rows, distance], nearest first."""
    pairs, weights, distances = _pairs(form, index)
    return [
        [plain(log), int(code), plain(weight), float(f"{distance:.6g}")]
        for (log, code), weight, distance in zip(pairs.tolist(), weights.tolist(), distances.tolist(), strict=True)
    ]


def _check(
    fitted: FittedClassifier,
    dataset: Dataset,
    chosen: NDArray[np.intp],
    form: PowerForm,
    prior: ClosedForm,
    known: NDArray[np.bool_],
) -> None:
    """Raise EvaluationError where the formulas do not give the posteriors of the rows."""
    log_weight = form.log_class_weight()[:, known]
    posterior = np.zeros((len(chosen), len(known)))
    with np.errstate(divide="ignore"):
        t = prior.value
        logs = log_weight if not t * prior.prior_added else np.log(np.exp(log_weight) + t * prior.prior_added)
    logs = logs + (0.0 if fitted.rules.log_shift is None else fitted.rules.log_shift[known])
    posterior[:, known] = np.exp(logs - np.logaddexp.reduce(logs, axis=1)[:, np.newaxis])
    if not np.allclose(posterior, fitted.predict_proba(dataset.take(chosen)), rtol=1e-9, atol=1e-12):
        raise EvaluationError(f"{SHOWN}; found a neighbourhood whose closed form does not give its class weights")
