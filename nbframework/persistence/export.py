"""Naive Bayes as plain JSON, for programs that know nothing of this one."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.composition import GlobalModel
from nbframework.data.attribute import Attribute
from nbframework.data.dataset import Dataset
from nbframework.errors import DataError, writing
from nbframework.parts.density import Density
from nbframework.parts.discretizer import Discretizer
from nbframework.parts.structure import FittedFactoredStructure
from nbframework.persistence.model_file import Model

FORMAT = "nbframework naive Bayes"
VERSION = 1
TRIALS = 200
"""Random rows on which the tables have to give what the model gives."""
FloatArray = NDArray[np.float64]


def export_json(model: Model, path: str | os.PathLike[str]) -> None:
    """Write `exported` as strict JSON: numbers in full precision, null for the logarithm of an exact zero.

    Raises
    ------
    DataError
        Where the model is no product of factors of single attributes, or the file cannot be written.
    """
    text = json.dumps(exported(model), indent=1, ensure_ascii=False, allow_nan=False)
    with writing(path):
        Path(path).write_text(f"{text}\n", encoding="utf-8")


def exported(model: Model) -> dict[str, Any]:
    """Return a model as plain data.

    The log joint probability of a row is the log prior of each class plus, for each attribute, the log factors of its
    value; the posterior is that divided by its sum. Where all are impossible, it is the class frequencies.

    Parameters
    ----------
    model
        A fitted composition without neighbourhood whose factors are those of single attributes, such as naive Bayes
        with or without weights.

    Returns
    -------
    dict
        ``class`` (name and values), ``log_prior`` and ``class_frequencies`` by class, and ``attributes``: nominal ones
        with ``log_factors`` by value, then class, numeric ones with ``cut_points`` (a value equal to one belongs below
        it) and ``log_factors`` by interval, or with a ``density`` and the ``exponent`` of each class; each with the log
        factors of an ``unseen`` and an ``unknown`` value.

    Raises
    ------
    DataError
        Where the model is something else, saying what.
    """
    fitted, composed = model.fitted, model.fitted.model
    if not isinstance(composed, GlobalModel):
        raise DataError(f"recipe {model.recipe.name!r} is no composition that is fitted once for all rows")
    structure = composed.structure
    names = tuple(attribute.name for attribute in fitted.schema.inputs)
    if not isinstance(structure, FittedFactoredStructure) or structure.labels != names:
        raise DataError(f"recipe {model.recipe.name!r} is no product of one factor for each attribute")
    tables = _Tables(model, composed, structure)
    tables.check()
    prior = fitted.rules.shifted(structure.log_prior(composed.encoder.queries(tables.blank(1))))[0]
    frequencies = fitted.rules.frequencies(fitted.class_weight)
    rules = {key: getattr(model.recipe, key) for key in ("ties", "tie_tolerance")} | model.recipe.class_rules.given()
    return {
        "format": FORMAT,
        "version": VERSION,
        "recipe": model.recipe.name,
        "class": {"name": fitted.schema.class_attribute.name, "values": list(fitted.class_values)},
        "log_prior": _plain(prior),
        "class_frequencies": _plain(frequencies / frequencies.sum()),
        "attributes": [tables.described(position) for position in range(len(names))],
        "decision": rules,
    }


class _Tables:
    """The log factors of each attribute by value, found by asking the model."""

    def __init__(self, model: Model, composed: GlobalModel, structure: FittedFactoredStructure) -> None:
        self.schema, self.composed, self.structure = model.fitted.schema, composed, structure
        self.recipe = model.recipe.name
        classes = len(self.schema.class_values)
        weights = np.ones((1, len(structure.labels))) if composed.weights is None else composed.weights
        self.exponents = np.broadcast_to(weights, (classes, len(structure.labels)))
        self.density = self._density(model.recipe.build().density)
        discretizer = composed.encoder.discretizer
        if composed.encoder.cuts and type(discretizer).encode is not Discretizer.encode:
            raise DataError(f"discretizer {discretizer.name!r} does not cut at points alone")

    def _density(self, part: Density) -> dict[str, Any] | None:
        training = self.composed.training
        if not len(training.measured_inputs):
            return None
        found = part.fit(training.measured, training.classes, training.class_count, training.weights).described()
        if found is None:
            raise DataError(f"density {part.name!r} has no form that could be written down")
        return dict(found)

    def blank(self, rows: int) -> Dataset:
        """Return rows of which nothing is known."""
        columns = [_unknown(attribute, rows) for attribute in self.schema.attributes]
        return Dataset.from_columns(self.schema.attributes, columns, self.schema.class_attribute.name)

    def described(self, position: int) -> dict[str, Any]:
        """Return one attribute with its factors."""
        attribute = self.schema.inputs[position]
        data: dict[str, Any] = {"name": attribute.name, "kind": attribute.kind}
        measured = self.composed.training.measured_inputs.tolist()
        if self.density is not None and position in measured:
            column = measured.index(position)
            form = {
                key: _plain(value[:, column]) if isinstance(value, np.ndarray) else value
                for key, value in self.density.items()
            }
            exponent = self.exponents[:, position]
            return data | {"density": form, "exponent": _plain(exponent), "unknown": [0.0] * len(exponent)}
        table = self.table(position)
        if attribute.values is not None:
            data["values"] = list(attribute.values)
            data["unseen"] = _plain(table[-2])
            factors = table[:-2]
        else:
            data["cut_points"] = _plain(self.composed.encoder.cuts[position])
            factors = table[:-1]
        return data | {"log_factors": [_plain(row) for row in factors], "unknown": _plain(table[-1])}

    def table(self, position: int) -> FloatArray:
        """Return the (values, C) log factors: of each value or interval, unseen (nominal attributes only), unknown."""
        attribute = self.schema.inputs[position]
        if attribute.values is not None:
            probes: Any = np.arange(attribute.cardinality + 2)
        else:
            cuts = self.composed.encoder.cuts[position]
            probes = np.append(_in_each_interval(cuts), np.nan)
        columns = list(self.blank(len(probes)).columns)
        columns[self.schema.input_indexes[position]] = probes
        rows = Dataset.from_columns(self.schema.attributes, columns, self.schema.class_attribute.name)
        return self._factors(rows)[:, :, position]

    def _factors(self, rows: Dataset) -> FloatArray:
        factors = self.structure.log_factors(self.composed.encoder.queries(rows))
        with np.errstate(invalid="ignore"):
            return np.where(self.exponents == 0, 0.0, factors * self.exponents)

    def check(self) -> None:
        """Raise DataError where a factor depends on more than its own attribute."""
        random = np.random.default_rng(0)
        columns, place = list(self.blank(TRIALS).columns), {}
        for position, index in enumerate(self.schema.input_indexes):
            attribute = self.schema.attributes[index]
            if attribute.is_nominal:
                place[position] = random.integers(0, attribute.cardinality + 2, TRIALS)
                columns[index] = place[position]
            elif position in self.composed.encoder.cuts:
                cuts = self.composed.encoder.cuts[position]
                place[position] = random.integers(0, len(cuts) + 1, TRIALS)
                columns[index] = _in_each_interval(cuts)[place[position]]
        rows = Dataset.from_columns(self.schema.attributes, columns, self.schema.class_attribute.name)
        factors = self._factors(rows)
        for position, codes in place.items():
            if not np.array_equal(factors[:, :, position], self.table(position)[codes]):
                raise DataError(f"recipe {self.recipe!r}: a factor depends on several attributes")


def _in_each_interval(cuts: FloatArray) -> FloatArray:
    """Return one value of each interval: the cut points, which belong below, and the next number above the last."""
    return np.append(cuts, np.nextafter(cuts[-1], np.inf)) if len(cuts) else np.zeros(1)


def _unknown(attribute: Attribute, rows: int) -> Any:
    return np.full(rows, attribute.unknown) if attribute.is_nominal else np.full(rows, np.nan)


def _plain(numbers: FloatArray) -> list[float | None]:
    return [number if np.isfinite(number) else None for number in np.asarray(numbers, dtype=np.float64).tolist()]
