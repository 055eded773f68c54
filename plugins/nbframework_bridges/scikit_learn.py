"""Classifier sklearn: any scikit-learn classifier on our encoding."""

import importlib
import inspect
import json
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from nbframework.authoring import (
    Composition,
    Dataset,
    EvaluationError,
    FloatArray,
    IntArray,
    Rows,
    WholeClassifier,
    hookimpl,
)


@dataclass(frozen=True, kw_only=True)
class ScikitLearn(WholeClassifier):
    """Fit a scikit-learn classifier on the training rows, encoded by the recipe's missing policy and discretizer.

    Parameters
    ----------
    scheme
        The class and its arguments, such as ``naive_bayes.GaussianNB`` or
        ``ensemble.RandomForestClassifier {"n_estimators": 50}``: the module below ``sklearn``, then JSON.
    nominal
        How a nominal attribute is handed over: a column for each value (one-hot), or its code (codes).
        An unknown value is a row of zeros, or NaN.
    """

    name: ClassVar[str] = "sklearn"
    cite: ClassVar[str] = "Pedregosa et al. 2011"
    uses: ClassVar[tuple[str, ...]] = ("missing", "discretizer")
    scheme: str
    nominal: Literal["one-hot", "codes"] = "one-hot"

    def fit(self, training: Dataset, composition: Composition, generator: np.random.Generator) -> "FittedScikitLearn":
        """Fit the classifier; its ``random_state``, where it has one, comes from the generator."""
        encoder, rows = composition.encode(training)
        model = self._made(int(generator.integers(2**31)))
        options = {}
        if rows.row_weights is not None:
            if "sample_weight" not in inspect.signature(model.fit).parameters:
                raise EvaluationError(f"{type(model).__name__} takes no row weights, and the data have them")
            options["sample_weight"] = rows.weights
        model.fit(_matrix(rows, self.nominal), rows.classes, **options)
        if not hasattr(model, "predict_proba"):
            raise EvaluationError(f"{type(model).__name__} of scikit-learn gives no probabilities")
        return FittedScikitLearn(model, encoder, self.nominal, rows.class_count)

    def _made(self, seed: int) -> Any:
        path, _, text = self.scheme.strip().partition(" ")
        module, _, name = path.removeprefix("sklearn.").rpartition(".")
        try:
            made = getattr(importlib.import_module(f"sklearn.{module}"), name)
            arguments = json.loads(text) if text.strip() else {}
            if "random_state" in inspect.signature(made).parameters:
                arguments.setdefault("random_state", seed)
            return made(**arguments)
        except (ImportError, AttributeError, TypeError, ValueError) as error:
            raise EvaluationError(
                f"classifier sklearn: {self.scheme!r} cannot be made ({error}); expected MODULE.CLASS and JSON"
            ) from error


class FittedScikitLearn:
    """The fitted classifier behind our encoder."""

    def __init__(self, model: Any, encoder: Any, nominal: str, class_count: int) -> None:
        self.model, self.encoder, self.nominal, self.class_count = model, encoder, nominal, class_count

    def log_joint(self, queries: Dataset) -> FloatArray:
        """Return (q, C) log posteriors; classes without training rows have probability 0."""
        rows = self.encoder.queries(queries)
        posterior = np.zeros((len(rows), self.class_count))
        if len(rows):
            posterior[:, self.model.classes_] = self.model.predict_proba(_matrix(rows, self.nominal))
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(posterior))


def _matrix(rows: Rows, nominal: str) -> FloatArray:
    """Return (n, m) columns: coded attributes first, then those that stayed numeric."""
    columns: list[FloatArray] = []
    for column, size in zip(rows.codes.columns, rows.codes.cardinality, strict=True):
        codes: IntArray = column.astype(np.intp)
        if nominal == "codes":
            columns.append(np.where(codes > size, np.nan, codes)[:, np.newaxis])
        else:
            columns.append((codes[:, np.newaxis] == np.arange(size)).astype(np.float64))
    return np.column_stack([*columns, rows.measured]) if columns else rows.measured


@hookimpl
def nbframework_classifiers() -> list[type[WholeClassifier]]:
    """Register the classifier."""
    return [ScikitLearn]
