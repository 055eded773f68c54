"""A fitted classifier to a page that needs nothing but a browser."""

import base64
import hashlib

from nbframework.classifier.composition import GlobalModel
from nbframework.classifier.fitted import FittedClassifier
from nbframework.classifier.local import LocalModel
from nbframework.classifier.prior import EstimatorWithPrior
from nbframework.data.dataset import Dataset
from nbframework.parts import Part
from nbframework.report.evidence.model import page_model
from nbframework.report.evidence.votes import votes_model
from nbframework.report.page.rendering import SHARED, render, text_of

PACKAGE = "nbframework.report.evidence"
PROGRAMS = {
    "factors": (
        "dom.js",
        "numbers.js",
        "start.js",
        "model.js",
        "changes.js",
        "posterior.js",
        "case.js",
        "sliders.js",
        "evidence.js",
        "density.js",
        "nomogram.js",
        "arithmetic.js",
        "alternatives.js",
        "main.js",
    ),
    "votes": ("dom.js", "numbers.js", "start.js", "votes.js", "posterior.js", "sliders.js", "vote_views.js"),
}
"""The programs of the two kinds of page, each in the order in which they build on each other."""


def evidence_page(fitted: FittedClassifier, dataset: Dataset, row: int | None = None, title: str | None = None) -> str:
    """Return the evidence page of a classifier as HTML.

    Parameters
    ----------
    fitted
        A composition that is fitted once and has one factor for each attribute, such as naive Bayes with or without
        weights, or a tree of attributes; or a vote of all rows by powers of their distances.
    dataset
        Rows that the page offers as cases, matched by the names of attributes and values; at most
        `nbframework.report.evidence.examples.MOST_ROWS`, evenly spread. Those of a vote are all its cases.
    row
        Index, from 0, of the one row that the page holds and opens with; None for many, and a case of which nothing is
        known.
    title
        The heading; None names the data set.

    Raises
    ------
    EvaluationError
        Where the classifier is something else, saying what, or there is no such row.
    DataError
        Where jinja2 is not installed, or the data set does not fit the classifier.
    """
    describe = votes_model if isinstance(fitted.model, LocalModel) else page_model
    model = describe(fitted, dataset, row, title or dataset.name or "data")
    program, style = _program(model["kind"]), text_of(SHARED, "style.css") + text_of(PACKAGE, "style.css")
    return render(
        PACKAGE,
        "page.html",
        title=model["title"],
        model=model,
        parts=_parts(fitted),
        program=program,
        style=style,
        program_hash=_hash(program),
        style_hash=_hash(style),
    )


def _parts(fitted: FittedClassifier) -> list[tuple[str, str]]:
    """Return the kinds and names of the parts that had a say."""
    if isinstance(fitted.model, LocalModel):
        vote = fitted.model.estimator
        prior = vote.prior if isinstance(vote, EstimatorWithPrior) else vote
        return [("structure", fitted.model.structure.name), ("estimator", prior.name)]
    if not isinstance(fitted.model, GlobalModel):
        return []
    parts, training = fitted.model.parts, fitted.model.training
    estimator = parts.estimator.conditional if isinstance(parts.estimator, EstimatorWithPrior) else parts.estimator
    found: list[Part] = [parts.structure, estimator, parts.weights, parts.missing]
    if fitted.model.encoder.cuts:
        found.append(parts.discretizer)
    if len(training.measured_inputs):
        found.append(parts.density)
    return [(part.kind, part.name) for part in found]


def _program(kind: str) -> str:
    """Return the programs of a page as one, none of whose names is global."""
    own = "".join(text_of(PACKAGE, name) for name in PROGRAMS[kind])
    return f'"use strict";(() => {{\n{own}}})();\n{text_of(SHARED, "theme.js")}'


def _hash(text: str) -> str:
    """Return the hash by which the page's policy names the only program and the only style that it allows."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
