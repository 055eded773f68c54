"""What a recipe says of one part: its name and parameters, each with the place that set it."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, replace
from typing import Any

from nbframework.errors import NBFrameworkError, PluginError, UnknownPartError, did_you_mean
from nbframework.parts import Part
from nbframework.parts.base import Parameter, parameters
from nbframework.plugins import Plugins
from nbframework.recipe.nodes import Faults, Node, shown
from nbframework.recipe.tuning import Tuning, is_clause, read_clause


@dataclass(frozen=True)
class Place:
    """A file (or an option) with line and column."""

    source: str
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True)
class Setting:
    """The value given to a parameter, and where."""

    node: Node
    place: Place


@dataclass(frozen=True)
class Specification:
    """A part as a recipe names it.

    Parameters
    ----------
    name
        Name of the part.
    place
        Where it was named.
    settings
        The parameters that were given.
    """

    name: str
    place: Place
    settings: Mapping[str, Setting] = field(default_factory=dict)

    def merged(self, child: "Specification") -> "Specification":
        """Return this specification overridden by a child's: the same part merges, another part replaces."""
        if child.name != self.name:
            return child
        return replace(child, settings={**self.settings, **child.settings})


def read_specification(node: Node, path: str, place: Place, faults: Faults) -> Specification | None:
    """Return the specification that a node writes as ``name`` or ``{name: {parameter: value}}``."""
    value = node.value
    if isinstance(value, str):
        return Specification(value, place)
    if not isinstance(value, dict) or len(value) != 1:
        found = f"{len(value)} keys" if isinstance(value, dict) else shown(node.raw or type(value).__name__)
        hint = "; quote it if it is a name" if isinstance(value, bool | int | float) else ""
        faults.add(
            place.source,
            place.line,
            place.column,
            path,
            f"found {found}, expected the name of a part, or {{name: {{parameter: value}}}}{hint}",
        )
        return None
    ((name, entry),) = value.items()
    given = entry.node.value
    if given is None:
        return Specification(name, place)
    if not isinstance(given, dict):
        faults.add(
            place.source,
            entry.node.line,
            entry.node.column,
            f"{path}.{name}",
            f"found {shown(entry.node.raw or type(given).__name__)}, expected parameters as {{parameter: value}}",
        )
        return None
    settings = {
        key: Setting(item.node, Place(place.source, item.key_line, item.key_column)) for key, item in given.items()
    }
    return Specification(name, place, settings)


def build_part(
    kind: str,
    spec: Specification,
    path: str,
    plugins: Plugins,
    faults: Faults,
    tunings: list[Tuning],
    base: Part | None = None,
) -> Part | None:
    """Return the part that a specification names, or None after noting every fault in it.

    Tuned parameters are added to ``tunings``; the part has the smallest of their values. With ``base`` the
    specification changes some parameters of that part.
    """
    try:
        part = plugins.find(kind, spec.name).part if base is None else type(base)
    except PluginError as error:
        faults.has_plugin_fault |= not isinstance(error, UnknownPartError)
        faults.add(spec.place.source, spec.place.line, spec.place.column, path, str(error))
        return None
    known = {parameter.name: parameter for parameter in parameters(part)}
    values: dict[str, Any] = {} if base is None else {name: getattr(base, name) for name in known}
    count = len(faults)
    for name, setting in spec.settings.items():
        place = setting.place
        if (inner := _default_of_inner(name, known, values)) is not None:
            outer, _, rest = name.partition(".")
            changed = Specification(inner.name, place, {rest: setting})
            values[outer] = build_part(inner.kind, changed, f"{path}.{outer}", plugins, faults, tunings, inner)
        elif name not in known:
            listed = f" (parameters of {spec.name}: {', '.join(known) or 'none'})"
            first, _, rest = name.partition(".")
            if first in plugins.names(kind):
                listed = f"; to use {first!r} set {path}={first} and {path}.{rest or 'parameter'}"
            message = f"unknown parameter{did_you_mean(name, known)}{listed}"
            faults.add(place.source, place.line, place.column, f"{path}.{name}", message)
        else:
            values[name] = _value(known[name], setting, f"{path}.{name}", plugins, faults, tunings)
    for name, parameter in known.items():
        if parameter.default is MISSING and name not in spec.settings and base is None:
            message = f"parameter {name!r} is required, {parameter.expected()}"
            faults.add(spec.place.source, spec.place.line, spec.place.column, path, message)
    if len(faults) > count:
        return None
    try:
        return part(**values)
    except NBFrameworkError as error:
        faults.add(spec.place.source, spec.place.line, spec.place.column, path, str(error))
        return None


def _default_of_inner(name: str, known: Mapping[str, Parameter], values: Mapping[str, Any]) -> Part | None:
    """Return the part in use whose parameter a name such as ``distance.p`` means, where the recipe does not name it."""
    outer, dot, _ = name.partition(".")
    if not dot or outer not in known:
        return None
    inner = values.get(outer) or known[outer].default
    return inner if isinstance(inner, Part) else None


def _value(
    parameter: Parameter, setting: Setting, path: str, plugins: Plugins, faults: Faults, tunings: list[Tuning]
) -> Any:
    node, place = setting.node, setting.place
    if is_clause(node):
        tuning = read_clause(parameter, node, path, place.source, faults)
        tunings += [] if tuning is None else [tuning]
        return None if tuning is None else tuning.values[0]
    if parameter.is_part and not (node.value is None and parameter.optional):
        spec = read_specification(node, path, place, faults)
        return None if spec is None else build_part(parameter.plain.kind, spec, path, plugins, faults, tunings)
    value: Any = node.value
    wants_text = parameter.plain is str or bool(parameter.choices)
    if wants_text and node.raw is not None and value is not None:
        value = node.raw
    if parameter.plain is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    fault = parameter.fault(value)
    if fault:
        found = shown(node.raw) if node.raw is not None else type(value).__name__
        faults.add(place.source, place.line, place.column, path, f"found {found}, expected {fault}")
    return value
