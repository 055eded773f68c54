"""The reference of a part: everything that its class, its docstring and the recipes say of it."""

import dataclasses
import inspect
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nbframework.parts import KINDS, Part
from nbframework.parts.base import parameters
from nbframework.plugins import Plugins
from nbframework.recipe.catalog import recipe_paths
from nbframework.recipe.docstring import Docstring, read_docstring
from nbframework.recipe.layers import PART_KEYS
from nbframework.recipe.recipe import Recipe
from nbframework.registry import Registration


@dataclass(frozen=True)
class ParameterReference:
    """One parameter.

    Parameters
    ----------
    name
        As recipes write it.
    expected
        Type and range in words.
    default
        As recipes write it, or None where it has to be given.
    description
        What the docstring says.
    """

    name: str
    expected: str
    default: Any
    description: str

    @property
    def is_required(self) -> bool:
        """Whether a recipe has to give it."""
        return self.default is dataclasses.MISSING


@dataclass(frozen=True)
class Method:
    """One method of the kind's contract.

    Parameters
    ----------
    call
        Name and arguments.
    returns
        What it computes, in one line.
    arguments
        The description of each argument, with its shape.
    """

    call: str
    returns: str
    arguments: Mapping[str, str]


@dataclass(frozen=True)
class Reference:
    """Everything about a part.

    Parameters
    ----------
    registration
        The class and its provider.
    docstring
        What the class says of itself.
    parameters
        In the order of the fields.
    contract
        What every part of its kind computes, with shapes.
    """

    registration: Registration
    docstring: Docstring
    parameters: tuple[ParameterReference, ...]
    contract: tuple[Method, ...]

    @property
    def part(self) -> type[Part]:
        """The class."""
        return self.registration.part


def reference_of(registration: Registration) -> Reference:
    """Return the reference of a registered part."""
    part = registration.part
    described = _parameter_words(part)
    found = tuple(
        ParameterReference(p.name, p.expected(), p.default, described.get(p.name, "")) for p in parameters(part)
    )
    return Reference(registration, read_docstring(part), found, contract_of(part.kind))


def contract_of(kind: str) -> tuple[Method, ...]:
    """Return what every part of a kind computes, and then what that which it fits does, with shapes."""
    base = KINDS[kind]
    own = [_method(base, name) for name in sorted(base.__abstractmethods__)]
    fitted = typing.get_type_hints(base.fit).get("return") if hasattr(base, "fit") else None
    if not inspect.isclass(fitted) or not fitted.__module__.startswith("nbframework.parts."):
        return tuple(own)
    names = [name for name, value in vars(fitted).items() if inspect.isfunction(value) and not name.startswith("_")]
    return (*own, *(_method(fitted, name) for name in names))


def _method(owner: type, name: str) -> Method:
    function = getattr(owner, name)
    words = read_docstring(function)
    arguments = [argument for argument in inspect.signature(function).parameters if argument != "self"]
    returns = " ".join([words.summary, *words.description, *words.sections.get("Returns", "").split()])
    return Method(f"{owner.__name__}.{name}({', '.join(arguments)})", returns, words.parameters)


def example_recipe(part: type[Part], plugins: Plugins) -> str | None:
    """Return a recipe in YAML that names the part with its defaults; None for a generator, which no recipe names.

    A required parameter stands there as ``...``, for the user to fill in.
    """
    if part.kind == "distance":
        name, parameter = _taker_of_distances(plugins)
        return f"recipe: my-recipe\nneighbourhood: {{{name}: {{{parameter}: {_flow(part)}}}}}\n"
    if part.kind not in PART_KEYS.values():
        return None
    return f"recipe: my-recipe\n{part.kind}: {_flow(part)}\n"


def recipes_with(part: type[Part], plugins: Plugins) -> list[str]:
    """Return the names of the known recipes that the part is in, by name, by default or inside another part."""
    return recipes_by_part(plugins).get(part, [])


def recipes_by_part(plugins: Plugins) -> dict[type[Part], list[str]]:
    """Return, for each part that is in a known recipe, the names of those recipes."""
    found: dict[type[Part], list[str]] = {}
    for name in recipe_paths(plugins):
        for part in parts_in(Recipe.load_with(plugins, name)):
            found.setdefault(part, []).append(name)
    return found


def parts_in(recipe: Recipe) -> list[type[Part]]:
    """Return the parts of a recipe, those inside other parts among them, each one once."""
    found: list[type[Part]] = []
    pending: list[Any] = [getattr(recipe, key) for key in PART_KEYS]
    while pending:
        one = pending.pop(0)
        if isinstance(one, Part):
            if type(one) not in found:
                found.append(type(one))
            pending += [getattr(one, parameter.name) for parameter in parameters(type(one))]
    return found


def written(default: Any) -> str:
    """Return a default as recipes write it."""
    if default is dataclasses.MISSING:
        return "..."
    if isinstance(default, Part):
        plain = all(p.default is not dataclasses.MISSING for p in parameters(type(default)))
        return default.name if plain and default == type(default)() else _flow(default)
    if default is None or isinstance(default, bool):
        return {None: "null", True: "true", False: "false"}[default]
    return str(default)


def _flow(part: Part | type[Part]) -> str:
    """Return a part in YAML's flow style: its name, or the name with its parameters, of a class with the defaults."""
    own = parameters(part if isinstance(part, type) else type(part))
    values = {p.name: p.default if isinstance(part, type) else getattr(part, p.name) for p in own}
    given = ", ".join(f"{name}: {written(value)}" for name, value in values.items())
    return f"{{{part.name}: {{{given}}}}}" if given else part.name


def _parameter_words(part: type[Part]) -> dict[str, str]:
    """Return the descriptions of the parameters, those of the base classes among them."""
    found: dict[str, str] = {}
    for base in reversed(part.__mro__):
        found |= read_docstring(base).parameters
    return found


def _taker_of_distances(plugins: Plugins) -> tuple[str, str]:
    """Return the first neighbourhood that takes a distance, and the name of its parameter."""
    for name in plugins.names("neighbourhood"):
        for parameter in parameters(plugins.find("neighbourhood", name).part):
            if parameter.is_part and parameter.plain.kind == "distance":
                return name, parameter.name
    return "...", "distance"
