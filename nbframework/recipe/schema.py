"""The JSON Schema of recipe files, made from the parts themselves."""

import inspect
from typing import Any, get_args

from nbframework.classifier.tuned import By
from nbframework.evaluation.metrics import METRICS
from nbframework.parts import Part
from nbframework.parts.base import Parameter, parameters
from nbframework.plugins import Plugins
from nbframework.recipe.layers import PART_KEYS, RULE_KEYS
from nbframework.recipe.tuning import FOLDS, SCALES, TUNE

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def recipe_schema(plugins: Plugins) -> dict[str, Any]:
    """Return the schema; a part is described by ``if``/``then`` so that editors can say what is wrong with it.

    Parameters
    ----------
    plugins
        All of them are loaded.
    """
    plugins.load_all()
    kinds = sorted(set(PART_KEYS.values()) | {"distance"})
    text = {"type": "string"}
    properties: dict[str, Any] = {
        "recipe": {**text, "description": "The recipe's name."},
        "title": text,
        "cite": text,
        "extends": {**text, "description": "The one parent: a recipe's name or file."},
        "requires": {"type": "array", "items": text, "description": "Distributions that must be installed."},
    }
    for key, kind in PART_KEYS.items():
        properties[key] = {"anyOf": [{"$ref": f"#/$defs/{kind}"}, {"type": "null"}]}
    for key, allowed in RULE_KEYS.items():
        properties[key] = {"enum": [*allowed, None]} if allowed else {"type": ["number", "null"], "minimum": 0}
    share = {"type": "number", "minimum": 0}
    by_class = {"type": ["object", "null"], "additionalProperties": share, "minProperties": 1}
    threshold = {"type": "number", "exclusiveMinimum": 0, "maximum": 1}
    properties["class_priors"] = {**by_class, "description": "The share of each class."}
    properties["thresholds"] = {**by_class, "additionalProperties": threshold}
    properties["costs"] = {**by_class, "additionalProperties": {**by_class, "type": "object"}}
    return {
        "$schema": DRAFT,
        "$id": "nbframework-recipe.json",
        "title": "nbframework recipe",
        "type": "object",
        "properties": properties,
        "required": ["recipe"],
        "additionalProperties": False,
        "$defs": {kind: _kind_schema(plugins, kind) for kind in kinds} | {TUNE: _tune_schema()},
    }


def _kind_schema(plugins: Plugins, kind: str) -> dict[str, Any]:
    parts = [registration.part for registration in plugins.registry if registration.part.kind == kind]
    names = sorted({part.name for part in parts})
    cases = [
        {"if": {"required": [part.name]}, "then": {"properties": {part.name: _part_schema(part)}}} for part in parts
    ]
    mapping: dict[str, Any] = {
        "type": "object",
        "minProperties": 1,
        "maxProperties": 1,
        "propertyNames": {"enum": names},
    }
    if cases:
        mapping["allOf"] = cases
    return {
        "if": {"type": "object"},
        "then": mapping,
        "else": {"enum": names},
    }


def _part_schema(part: type[Part]) -> dict[str, Any]:
    return {
        "type": ["object", "null"],
        "description": (inspect.getdoc(part) or "").split("\n\n")[0],
        "properties": {parameter.name: _parameter_schema(parameter) for parameter in parameters(part)},
        "additionalProperties": False,
    }


def _parameter_schema(parameter: Parameter) -> dict[str, Any]:
    if parameter.is_part:
        schema: dict[str, Any] = {"$ref": f"#/$defs/{parameter.plain.kind}"}
    elif parameter.choices:
        numeric = [float(choice) for choice in parameter.choices if choice.replace(".", "", 1).isdigit()]
        schema = {"enum": [*parameter.choices, *numeric]}
    else:
        names = {float: "number", int: "integer", bool: "boolean", str: "string"}
        schema = {"type": names[parameter.plain]}
    keys = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}
    for bound in parameter.bounds:
        for name, key in keys.items():
            if getattr(bound, name, None) is not None:
                schema[key] = getattr(bound, name)
    if isinstance(parameter.default, int | float | str):
        schema["default"] = parameter.default
    choices = [schema]
    if parameter.plain in (int, float):
        choices.append({"$ref": f"#/$defs/{TUNE}"})
    if parameter.optional:
        choices.append({"type": "null"})
    return {"anyOf": choices} if len(choices) > 1 else schema


def _tune_schema() -> dict[str, Any]:
    """Return what may stand in the place of a number."""
    number = {"type": "number"}
    clause: dict[str, Any] = {
        "from": {**number, "description": "The smallest value."},
        "to": {**number, "description": "The largest value."},
        "step": {**number, "exclusiveMinimum": 0, "description": "What is added, or multiplied by on a log scale."},
        "scale": {"enum": list(SCALES), "default": SCALES[0]},
        "values": {"type": "array", "items": number, "minItems": 1},
        "by": {"enum": list(get_args(By)), "default": "leave-one-out"},
        "folds": {"type": "integer", "minimum": 2, "default": FOLDS, "description": "Inner folds."},
        "metric": {"enum": list(METRICS), "default": "accuracy"},
    }
    inner = {
        "type": "object",
        "properties": clause,
        "additionalProperties": False,
        "oneOf": [{"required": ["from", "to"]}, {"required": ["values"]}],
    }
    return {
        "type": "object",
        "description": "A number that the training rows choose.",
        "properties": {TUNE: inner},
        "required": [TUNE],
        "additionalProperties": False,
    }
