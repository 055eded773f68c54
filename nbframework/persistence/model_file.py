"""Model files: a recipe, a schema, and what the recipe learned."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier import FittedClassifier, additive
from nbframework.classifier.decision import CLASS_KEYS
from nbframework.data.attribute import Attribute
from nbframework.data.dataset import Dataset
from nbframework.errors import DataError, NBFrameworkError, PluginError
from nbframework.parts import Part
from nbframework.parts.base import parameters
from nbframework.persistence.archive import read_archive, write_archive
from nbframework.plugins import installed
from nbframework.recipe import Recipe
from nbframework.recipe.layers import PART_KEYS, RULE_KEYS

FORMAT = "nbframework model"
VERSION = 3
READABLE = (1, 2, 3)
"""Files of version 1 do not say the versions of their parts' states, which were all 1; those of version 2 keep no sums
but class counts."""
REFITTED = ("estimator", "prior", *RULE_KEYS, *CLASS_KEYS)
"""What can be changed in a model that keeps counts and no rows."""


@dataclass(frozen=True, eq=False)
class Model:
    """A fitted classifier with its recipe.

    Parameters
    ----------
    recipe
        What was fitted.
    fitted
        The classifier.
    holds_rows
        Whether the file holds the training rows (local learners, and parts that cannot be rebuilt from counts).
    """

    recipe: Recipe
    fitted: FittedClassifier
    holds_rows: bool


def save_model(path: str | os.PathLike[str], recipe: Recipe, fitted: FittedClassifier) -> bool:
    """Write a fitted classifier to one file of plain data.

    Parameters
    ----------
    path
        The file; it is written beside and renamed.
    recipe
        The recipe that was fitted.
    fitted
        What ``recipe.build().fit(...)`` returned.

    Returns
    -------
    bool
        Whether the file holds the training rows: a composition over counts needs none, a local learner does.

    Raises
    ------
    DataError
        Where the classifier comes from a fold and its training rows are not at hand.
    """
    state = additive.state_of(fitted)
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "nbframework": version("nbframework"),
        "recipe": recipe.resolved(),
        "providers": _providers(recipe),
        "states": [[part.kind, part.name, part.state_version] for part in _parts(recipe)],
        "schema": _schema(fitted.schema),
        "notes": list(fitted.further_notes),
        "unlabelled": fitted.unlabelled,
    }
    if state is None:
        if fitted.training is None:
            raise DataError("this classifier was fitted as one fold of many and keeps no training rows; use fit")
        arrays = {f"column{i}": column for i, column in enumerate(fitted.training.columns)}
        arrays["row_weights"] = np.asarray(fitted.training.weights)
        document |= {"holds": "rows", "seed": fitted.seed if isinstance(fitted.seed, int) else list(fitted.seed)}
    else:
        arrays = state
        document["holds"] = "counts"
    write_archive(Path(path), document, arrays)
    return state is None


def load_model(path: str | os.PathLike[str], overrides: Mapping[str, Any] | None = None) -> Model:
    """Read a model file; nothing in it is ever run.

    Parameters
    ----------
    path
        The file.
    overrides
        Changes to the recipe, as in `Recipe.load`: of a model that keeps counts, only its estimator, prior and rules
        can be changed.

    Raises
    ------
    DataError
        Where the file is no model file, damaged, or of a later version.
    PluginError
        Where a part is missing, or keeps its state in another way by now, naming the distribution that provided it.
    """
    file = Path(path)
    document, arrays = read_archive(file, FORMAT)
    if document.get("version") not in READABLE or isinstance(document["version"], bool | float):
        readable = ", ".join(map(str, READABLE))
        raise DataError(f"{file}: model file of version {document.get('version')!r}, this nbframework reads {readable}")
    try:
        holds_rows = document["holds"] == "rows"
        _check_overrides(overrides or {}, holds_rows)
        recipe = _recipe(document, overrides or {})
        schema, unlabelled = _read_schema(document["schema"]), _number(document.get("unlabelled", 0))
        if holds_rows:
            columns = [arrays[f"column{i}"] for i in range(len(schema.attributes))]
            training = Dataset.from_columns(
                schema.attributes, columns, schema.class_attribute.name, arrays["row_weights"], schema.name
            )
            fitted = replace(recipe.build().fit(training, document["seed"]), unlabelled=unlabelled)
        else:
            _check_states(document)
            notes = tuple(map(str, document["notes"]))
            fitted = additive.restored(recipe.build(), schema, arrays, notes, unlabelled)
    except NBFrameworkError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        raise DataError(f"{file}: the model file does not hold what its recipe needs ({error})") from error
    return Model(recipe, fitted, holds_rows)


def _check_overrides(overrides: Mapping[str, Any], holds_rows: bool) -> None:
    for path in overrides:
        key = path.replace("__", ".").partition(".")[0]
        if not holds_rows and key not in REFITTED:
            raise DataError(
                f"{path}: this model keeps counts, not rows; what can be changed in it is {', '.join(REFITTED)}"
            )


def _recipe(document: Mapping[str, Any], overrides: Mapping[str, Any]) -> Recipe:
    try:
        return Recipe.from_text(json.dumps(document["recipe"]), "the model's recipe", **overrides)
    except NBFrameworkError as error:
        plugins = installed()
        for key, name, provider in document.get("providers", []):
            if key in PART_KEYS.values() and name not in plugins.names(key):
                raise PluginError(
                    f"the model needs the {key} {name!r} of {provider}, which is not installed"
                ) from error
        raise


def _check_states(document: Mapping[str, Any]) -> None:
    """Raise PluginError where a part reads another state than the one that its counts, cuts or weights were kept in."""
    plugins = installed()
    kept = {(kind, name): state for kind, name, state in document.get("states", [])}
    for kind, name, provider in document["providers"]:
        state = kept.get((kind, name), 1)
        if name in plugins.names(kind) and (here := plugins.find(kind, name)).part.state_version != state:
            raise PluginError(
                f"the model keeps the state of the {kind} {name!r} in version {state} (of {provider}), and the "
                f"installed {here.provider} reads version {here.part.state_version}; fit the model again, or install "
                "the other one"
            )


def _parts(recipe: Recipe) -> list[Part]:
    """Return every part in use, those inside other parts among them, by kind and name."""
    found: dict[tuple[str, str], Part] = {}
    pending = [getattr(recipe, key) for key in PART_KEYS]
    while pending:
        part = pending.pop()
        if isinstance(part, Part):
            found[part.kind, part.name] = part
            pending += [getattr(part, parameter.name) for parameter in parameters(type(part))]
    return [found[key] for key in sorted(found)]


def _providers(recipe: Recipe) -> list[tuple[str, str, str]]:
    """Return (kind, name, provider) of every part in use."""
    plugins = installed()
    return [(part.kind, part.name, plugins.find(part.kind, part.name).provider) for part in _parts(recipe)]


def _schema(schema: Dataset) -> dict[str, Any]:
    return {
        "name": schema.name,
        "class": schema.class_index,
        "attributes": [
            {
                "name": attribute.name,
                "kind": attribute.kind,
                "values": attribute.values,
                "format": attribute.format,
                "weight": attribute.weight,
            }
            for attribute in schema.attributes
        ],
    }


def _number(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"found {value!r}, expected a number of rows")
    return value


def _read_schema(data: Any) -> Dataset:
    attributes = [
        Attribute(
            str(given["name"]),
            given["kind"],
            None if given["values"] is None else tuple(map(str, given["values"])),
            given["format"],
            float(given["weight"]),
        )
        for given in data["attributes"]
    ]
    empty: list[NDArray[Any]] = [np.empty(0, dtype=np.intp) for _ in attributes]
    return Dataset.from_columns(attributes, empty, attributes[data["class"]].name, name=str(data["name"]))
