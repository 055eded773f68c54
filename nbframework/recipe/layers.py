"""A recipe file, its parents and the overrides, laid over each other."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from nbframework.classifier.decision import CLASS_KEYS, faults_of
from nbframework.errors import did_you_mean
from nbframework.parts import COMPOSED, KINDS
from nbframework.recipe.nodes import Entry, Faults, Node, plain
from nbframework.recipe.specification import Place, Setting, Specification, read_specification
from nbframework.recipe.strict_yaml import parse_value

PART_KEYS = {**{kind: kind for kind in COMPOSED}, "classifier": "classifier", "prior": "estimator"}
"""The keys of a recipe that name a part, and the kind of that part."""
RULE_KEYS = {"empty_classes": ("keep", "drop"), "ties": ("first", "larger-class"), "tie_tolerance": None}
"""The keys that set a rule, with the allowed texts, or None for a number of at least 0."""
TEXT_KEYS = ("recipe", "title", "cite", "extends")
KEYS = (*TEXT_KEYS, "requires", *PART_KEYS, *RULE_KEYS, *CLASS_KEYS)


@dataclass(frozen=True)
class Layer:
    """What one file or option sets; a part of None resets its kind to the default.

    Parameters
    ----------
    texts
        recipe, title, cite, extends.
    requires
        Distributions that the recipe needs.
    parts
        Specification by key.
    rules
        Plain values by key.
    classes
        Numbers by the names of classes, by key; None takes them back.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    requires: tuple[str, ...] = ()
    parts: Mapping[str, Specification | None] = field(default_factory=dict)
    rules: Mapping[str, Any] = field(default_factory=dict)
    classes: Mapping[str, Any] = field(default_factory=dict)

    def under(self, child: "Layer", defaults: "Layer | None") -> "Layer":
        """Return this layer with a child's laid over it."""
        parts = dict(self.parts)
        for key, spec in child.parts.items():
            mine = parts.get(key)
            if spec is None:
                parts[key] = defaults.parts.get(key) if defaults else None
            else:
                parts[key] = spec if mine is None else mine.merged(spec)
        rules = dict(self.rules)
        for key, value in child.rules.items():
            rules[key] = (defaults.rules.get(key) if defaults else None) if value is None else value
        classes = {**self.classes, **child.classes}
        return Layer({**self.texts, **child.texts}, (*self.requires, *child.requires), parts, rules, classes)


def read_layer(node: Node, source: str, faults: Faults) -> Layer:
    """Return what a recipe file sets, noting every fault."""
    texts: dict[str, str] = {}
    parts: dict[str, Specification | None] = {}
    rules: dict[str, Any] = {}
    classes: dict[str, Any] = {}
    requires: tuple[str, ...] = ()
    entries = node.value if isinstance(node.value, dict) else {}
    for key, entry in entries.items():
        place = Place(source, entry.key_line or None, entry.key_column or None)
        if key in PART_KEYS:
            if entry.node.value is None:
                parts[key] = None
            elif spec := read_specification(entry.node, key, place, faults):
                parts[key] = spec
        elif key in RULE_KEYS:
            rules[key] = _rule(key, entry.node, place, faults)
        elif key in CLASS_KEYS:
            classes[key] = _by_class(key, entry.node, place, faults)
        elif key in TEXT_KEYS:
            texts[key] = _text(key, entry.node, place, faults)
        elif key == "requires":
            requires = _requires(entry, place, faults)
        else:
            hint = did_you_mean(key, KEYS) or f" (keys: {', '.join(KEYS)})"
            faults.add(source, place.line, place.column, key, f"unknown key{hint}")
    return Layer(texts, requires, parts, rules, classes)


def overridden(layer: Layer, defaults: Layer, overrides: Mapping[str, Any], option: str, faults: Faults) -> Layer:
    """Return a layer with overrides: ``kind.parameter``, ``kind`` or a rule to a value.

    Parameters
    ----------
    layer
        The recipe so far.
    defaults
        What null resets to.
    overrides
        Paths (``.`` or ``__`` between their steps) and values: text is read like YAML, other values are taken as
        they are.
    option
        How messages name the origin, such as ``--set``.
    faults
        Collects what is wrong.
    """
    for path, value in overrides.items():
        steps = path.replace("__", ".").split(".")
        source = option
        node = parse_value(value, source) if isinstance(value, str) else node_of(value)
        if len(steps) == 1:
            wrapped = Node({steps[0]: Entry(0, 0, node)}, 1, 1)
            layer = layer.under(_unplaced(read_layer(wrapped, source, faults)), defaults)
        elif steps[0] not in PART_KEYS:
            faults.add(source, None, None, path, f"unknown kind {steps[0]!r}{did_you_mean(steps[0], PART_KEYS)}")
        else:
            spec = layer.parts.get(steps[0]) or defaults.parts.get(steps[0])
            if spec is None:
                faults.add(source, None, None, path, f"the recipe names no {steps[0]} whose parameter could be set")
            else:
                changed = _with_parameter(spec, steps[1:], node, Place(source))
                layer = replace(layer, parts={**layer.parts, steps[0]: changed})
    return layer


def node_of(value: Any) -> Node:
    """Return a Python value as a node without a place."""
    if isinstance(value, Mapping):
        return Node({str(key): Entry(1, 1, node_of(item)) for key, item in value.items()}, 1, 1)
    if isinstance(value, list | tuple):
        return Node([node_of(item) for item in value], 1, 1)
    return Node(value, 1, 1, None if value is None else str(value))


def _with_parameter(spec: Specification, steps: list[str], node: Node, place: Place) -> Specification:
    if len(steps) == 1:
        return replace(spec, settings={**spec.settings, steps[0]: Setting(node, place)})
    inner = spec.settings.get(steps[0])
    nested = read_specification(inner.node, steps[0], inner.place, Faults()) if inner else None
    if nested is None:
        return replace(spec, settings={**spec.settings, ".".join(steps): Setting(node, place)})
    changed = _with_parameter(nested, steps[1:], node, place)
    given = {name: Entry(1, 1, setting.node) for name, setting in changed.settings.items()}
    rewritten = Node({changed.name: Entry(1, 1, Node(given, 1, 1))}, 1, 1)
    return replace(spec, settings={**spec.settings, steps[0]: Setting(rewritten, place)})


def _unplaced(layer: Layer) -> Layer:
    """Return a layer whose places are the option alone, without line and column."""
    parts = {
        key: None
        if spec is None
        else replace(
            spec,
            place=Place(spec.place.source),
            settings={name: Setting(s.node, Place(s.place.source)) for name, s in spec.settings.items()},
        )
        for key, spec in layer.parts.items()
    }
    return replace(layer, parts=parts)


def _rule(key: str, node: Node, place: Place, faults: Faults) -> Any:
    allowed = RULE_KEYS[key]
    if node.value is None:
        return None
    if allowed is not None:
        if node.raw in allowed:
            return node.raw
        expected = f"one of {', '.join(allowed)}{did_you_mean(str(node.raw), allowed)}"
    else:
        value = node.value
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf"):
            return float(value)
        expected = "a number of at least 0"
    faults.add(place.source, place.line, place.column, key, f"found {node.raw!r}, expected {expected}")
    return None


def _by_class(key: str, node: Node, place: Place, faults: Faults) -> Any:
    value = plain(node)
    found = list(faults_of(key, value))
    for fault in found:
        faults.add(place.source, place.line, place.column, key, fault)
    return None if found else value


def _text(key: str, node: Node, place: Place, faults: Faults) -> str:
    if node.raw is None or node.value is None:
        faults.add(place.source, place.line, place.column, key, "expected text")
        return ""
    return node.raw


def _requires(entry: Entry, place: Place, faults: Faults) -> tuple[str, ...]:
    items = entry.node.value if isinstance(entry.node.value, list) else [entry.node]
    texts = []
    for item in items:
        if not isinstance(item.value, str):
            faults.add(place.source, place.line, place.column, "requires", "expected names of distributions")
        else:
            texts.append(item.value)
    return tuple(texts)


def kind_of_key(key: str) -> str:
    """Return the kind of part that a key of a recipe names."""
    kind = PART_KEYS[key]
    if kind not in KINDS:
        raise KeyError(kind)
    return kind
