"""The JSON Schema of study and suite files, for editors; the loader has the last word."""

from typing import Any

from nbframework.evaluation.metrics import METRICS
from nbframework.evaluation.protocol import PARAMETERS
from nbframework.recipe.schema import DRAFT
from nbframework.study.decomposition import BIAS_VARIANCE, DEFINITIONS
from nbframework.study.decomposition import METRICS as PARTS
from nbframework.study.decomposition import PARAMETERS as DECOMPOSED
from nbframework.study.protocols import LEARNING_CURVE, PUBLISHED
from nbframework.study.source import SOURCE_KEYS
from nbframework.study.study import DATA_KEYS, KEYS, TESTS

Schema = dict[str, Any]

_TEXT: Schema = {"type": ["string", "number"]}
_SHARE: Schema = {"type": "number", "exclusiveMinimum": 0, "maximum": 1}
_POSITIVE: Schema = {"type": "number", "exclusiveMinimum": 0}
_FOLDED = ("folds", "repeats", "seed")
_PROTOCOL: Schema = {
    "folds": {"type": "integer", "minimum": 1, "default": 10},
    "repeats": {"type": "integer", "minimum": 1, "default": 1},
    "seed": {"type": "integer", "minimum": 0, "default": 1},
    "test_share": _SHARE,
    "test_rows": {"type": "integer", "minimum": 1},
    "ranges": {**_TEXT, "description": "Training and test rows, such as 1-2000 | 2001-3186."},
    "attribute": _TEXT,
    "shares": {"type": "array", "items": _SHARE, "minItems": 1, "uniqueItems": True},
    "evaluation_share": {**_SHARE, "default": 0.3},
    "training_share": {**_SHARE, "default": 0.5},
    "stratified": {"type": "boolean", "default": True},
    "samples": {"type": "integer", "minimum": 2, "default": 10},
    "definition": {"enum": list(DEFINITIONS), "default": DEFINITIONS[0]},
}
_REQUIRED = {"split": ["ranges"], "grouped": ["attribute"], LEARNING_CURVE: ["shares"]}
_IN_ONE_WORD = ("split", "grouped")


def study_schema() -> Schema:
    """Return the schema of study files."""
    kinds = {**PARAMETERS, BIAS_VARIANCE: DECOMPOSED, PUBLISHED: _FOLDED, LEARNING_CURVE: ("shares", *_FOLDED)}
    properties: Schema = {
        "study": {**_TEXT, "description": "The study's name."},
        "title": _TEXT,
        "cite": _TEXT,
        "recipes": {**_several({"anyOf": [{"type": "string"}, _recipe()]}), "description": "Names, files or changes."},
        "matrix": {**_several(_matrix()), "description": "Combinations over kinds and parameters of a recipe."},
        "suite": {**_several({"type": "string"}), "description": "Names or files of suites."},
        "only": {**_several(_TEXT), "description": "The data sets of the suite that are used."},
        "data": {**_several({"anyOf": [{"type": "string"}, _set(DATA_KEYS)]})},
        "protocol": _protocol(kinds),
        "metrics": _several({"enum": [*METRICS, *[name for name in PARTS if name not in METRICS]]}),
        "compare": _mapping(
            {
                "metric": {"type": "string"},
                "baseline": {**_TEXT, "description": "The label of the recipe that the others are compared with."},
                "tests": _several({"enum": list(TESTS)}),
                "alpha": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1, "default": 0.05},
                "rope": {"type": "number", "minimum": 0, "default": 0.01},
            }
        ),
        "limits": _mapping({"seconds": _POSITIVE, "memory_mb": _POSITIVE}),
        "predictions": {"type": "boolean", "default": False},
    }
    schema = _mapping({key: properties[key] for key in KEYS}, "study")
    return _named(schema | {"anyOf": [{"required": ["recipes"]}, {"required": ["matrix"]}]}, "study")


def suite_schema() -> Schema:
    """Return the schema of suite files."""
    keys = (*DATA_KEYS, "source", "derivation", "conversion", "note")
    sets = {"type": "array", "items": _set(keys) | {"required": ["name", "file"]}, "minItems": 1}
    return _named(_mapping({"suite": _TEXT, "title": _TEXT, "cite": _TEXT, "sets": sets}, "suite", "sets"), "suite")


def _named(schema: Schema, name: str) -> Schema:
    return {"$schema": DRAFT, "$id": f"nbframework-{name}.json", "title": f"nbframework {name}"} | schema


def _mapping(properties: Schema, *required: str) -> Schema:
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return schema | ({"required": list(required)} if required else {})


def _several(item: Schema) -> Schema:
    """Return the schema of a list, or of a single value that stands for a list of one."""
    return {"anyOf": [{"type": "array", "items": item}, item]}


def _recipe() -> Schema:
    changes = {"type": "object", "description": "Paths such as neighbourhood.k, and their values."}
    return _mapping({"recipe": {"type": "string"}, "label": _TEXT, "set": changes}, "recipe")


def _matrix() -> Schema:
    axis = {"type": "array", "minItems": 1}
    cell = {"type": "object"}
    properties = {
        "base": {"type": "string"},
        "over": {"type": "object", "additionalProperties": axis, "minProperties": 1},
        "exclude": _several(cell),
        "include": _several(cell),
        "label": {**_TEXT, "description": "A pattern such as {estimator} with {neighbourhood.k}."},
    }
    return _mapping(properties, "base", "over")


def _set(keys: tuple[str, ...]) -> Schema:
    properties = {
        "name": _TEXT,
        "file": {"type": "string"},
        "sha256": {"type": "string", "pattern": "^[0-9a-fA-F]{64}$"},
        "class": _TEXT,
        "protocol": _protocol(dict(PARAMETERS)),
        "attributes": {**_several(_TEXT), "description": "The inputs that are used, in this order."},
        "incomplete_rows": {"enum": ["keep", "remove"], "default": "keep"},
        "source": _source(),
        "derivation": {**_TEXT, "description": "How the file is made of its source: a name or a file."},
        "conversion": _TEXT,
        "note": _TEXT,
    }
    return _mapping({key: properties[key] for key in keys}, "file")


def _source() -> Schema:
    texts = dict.fromkeys(SOURCE_KEYS, _TEXT) | {key: _several(_TEXT) for key in ("url", "path", "sha256")}
    pinned = [{"required": ["url"]}, {"required": ["repository", "commit", "path"]}]
    return _mapping(texts) | {"anyOf": pinned}


def _protocol(kinds: dict[str, tuple[str, ...]]) -> Schema:
    """Return the schema of ``kind`` or ``{kind: {parameter: value}}``."""
    cases = []
    for kind, names in kinds.items():
        required = _REQUIRED.get(kind, [])
        inner = _mapping({name: _PROTOCOL[name] for name in names}, *required)
        if kind in _IN_ONE_WORD:
            inner = {"anyOf": [inner, _TEXT]}
        elif not required:
            inner = {"anyOf": [inner, {"type": "null"}]}
        cases.append({"if": {"required": [kind]}, "then": {"properties": {kind: inner}}})
    mapping = {"type": "object", "minProperties": 1, "maxProperties": 1, "propertyNames": {"enum": [*kinds]}}
    words = {"enum": [kind for kind in kinds if kind not in _REQUIRED]}
    return {"if": {"type": "object"}, "then": mapping | {"allOf": cases}, "else": words}
