"""What all parts share: a frozen dataclass whose fields are checked parameters."""

import abc
import dataclasses
import functools
import math
import re
import types
import typing
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

import annotated_types

from nbframework.errors import RecipeError, did_you_mean

NAME_PATTERN = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Part(abc.ABC):
    """A configured, immutable decision of a classifier; its fields are the parameters that a recipe may set.

    A subclass is a ``@dataclass(frozen=True, kw_only=True)``. Parameter types are float, int, bool, str,
    ``Literal``, a kind of part (such as ``Distance``), these with ``| None``, and ``Annotated`` with the bounds of
    ``annotated_types`` (``Annotated[float, Ge(0)]``). Types and bounds are checked when a part is made.

    ``name`` is how recipes call it, ``cite`` its source, and ``exceptions`` names the promises of
    `nbframework.testing` that it has to break, each with the reason. ``state_version`` is raised when a newer version
    of the part would misread what an older one left in a model file (cut points, exponents).

    Raises
    ------
    RecipeError
        When a parameter has the wrong type or lies outside its bounds, naming all such parameters.
    """

    kind: ClassVar[str] = ""
    name: ClassVar[str] = ""
    cite: ClassVar[str] = ""
    exceptions: ClassVar[Mapping[str, str]] = MappingProxyType({})
    state_version: ClassVar[int] = 1

    def __post_init__(self) -> None:
        faults = []
        for parameter in parameters(type(self)):
            value = getattr(self, parameter.name)
            if parameter.plain is float and type(value) is int:
                value = float(value)
                object.__setattr__(self, parameter.name, value)
            fault = parameter.fault(value)
            if fault:
                faults.append(f"{self.kind}.{parameter.name}: found {value!r}, expected {fault}")
        if faults:
            raise RecipeError("\n".join(f"{self.name or type(self).__name__}: {fault}" for fault in faults))


@dataclasses.dataclass(frozen=True)
class Parameter:
    """One parameter of a part: its type, bounds and default.

    Parameters
    ----------
    name
        The field's name.
    plain
        The type without ``Annotated`` and without ``None``: float, int, bool, str, Literal[...] or a Part class.
    optional
        Whether None is allowed.
    bounds
        The ``annotated_types`` constraints.
    default
        The default, or ``dataclasses.MISSING``.
    annotation
        The type as written.
    """

    name: str
    plain: Any
    optional: bool
    bounds: tuple[Any, ...]
    default: Any
    annotation: Any

    @property
    def is_part(self) -> bool:
        """Whether the parameter is itself a part."""
        return isinstance(self.plain, type) and issubclass(self.plain, Part)

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed texts of a ``Literal``, else nothing."""
        return get_args(self.plain) if get_origin(self.plain) is Literal else ()

    def expected(self) -> str:
        """Return in words what a value has to be."""
        if self.choices:
            words = f"one of {', '.join(map(str, self.choices))}"
        elif self.is_part:
            words = f"a {self.plain.kind}"
        else:
            words = {float: "a number", int: "a whole number", bool: "true or false", str: "text"}[self.plain]
        limits = [text for bound in self.bounds if (text := _bound_words(bound))]
        return words + (f" {' and '.join(limits)}" if limits else "") + (", or nothing" if self.optional else "")

    def fault(self, value: Any) -> str | None:
        """Return what was expected where ``value`` is not allowed, else None."""
        if value is None and self.optional:
            return None
        if self.choices:
            ok = value in self.choices
            return None if ok else self.expected() + did_you_mean(str(value), self.choices)
        ok = isinstance(value, self.plain) and not (isinstance(value, bool) and self.plain is not bool)
        if ok and self.plain is float:
            ok = math.isfinite(value)
        ok = ok and all(_within(bound, value) for bound in self.bounds)
        return None if ok else self.expected()


@functools.cache
def parameters(part: type[Part]) -> tuple[Parameter, ...]:
    """Return the parameters of a part class in the order of its fields."""
    hints = typing.get_type_hints(part, include_extras=True)
    return tuple(
        _parameter(field.name, hints[field.name], field.default) for field in dataclasses.fields(part) if field.init
    )


def _parameter(name: str, annotation: Any, default: Any) -> Parameter:
    bounds: list[Any] = []
    optional = False
    plain = annotation
    while get_origin(plain) in (Annotated, Union, types.UnionType):
        if get_origin(plain) is Annotated:
            bounds += plain.__metadata__
            plain = get_args(plain)[0]
            continue
        members = [member for member in get_args(plain) if member is not type(None)]
        optional = optional or len(members) < len(get_args(plain))
        if len(members) != 1:
            raise TypeError(f"parameter {name!r}: a union of several types is no parameter type")
        plain = members[0]
    known = plain in (float, int, bool, str) or get_origin(plain) is Literal
    if get_origin(plain) is Literal and not all(isinstance(choice, str) for choice in get_args(plain)):
        raise TypeError(f"parameter {name!r}: the choices of a Literal have to be texts, found {plain!r}")
    if not known and not (isinstance(plain, type) and issubclass(plain, Part)):
        raise TypeError(f"parameter {name!r} has type {plain!r}; expected float, int, bool, str, Literal or a kind")
    return Parameter(name, plain, optional, tuple(bounds), default, annotation)


def _limits(bound: Any) -> Iterable[tuple[str, str, Any]]:
    words = {"ge": "of at least", "gt": "above", "le": "of at most", "lt": "below"}
    for key, text in words.items():
        limit = getattr(bound, key, None)
        if isinstance(bound, annotated_types.BaseMetadata | annotated_types.GroupedMetadata) and limit is not None:
            yield key, text, limit


def _bound_words(bound: Any) -> str:
    return " and ".join(f"{text} {limit:g}" for _, text, limit in _limits(bound))


def _within(bound: Any, value: Any) -> bool:
    checks = {
        "ge": lambda limit: value >= limit,
        "gt": lambda limit: value > limit,
        "le": lambda limit: value <= limit,
        "lt": lambda limit: value < limit,
    }
    return all(checks[key](limit) for key, _, limit in _limits(bound))
