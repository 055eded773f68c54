"""``nbf parts``: what a recipe can name."""

import dataclasses
import inspect
from typing import Any

import click

from nbframework.cli.console import note, print_json, print_table
from nbframework.cli.part_page import print_reference
from nbframework.errors import PluginError, did_you_mean
from nbframework.parts import KINDS, Part
from nbframework.parts.base import parameters
from nbframework.plugins import BLOCK_VARIABLE, Plugins, blocked_names, installed
from nbframework.recipe.reference import example_recipe, recipes_with, reference_of
from nbframework.registry import Registration


@click.command("parts", epilog="Example: nbf parts laplace-m")
@click.argument("names", nargs=-1)
@click.option("--kind", type=click.Choice(list(KINDS)), help="Only parts of one kind.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(names: tuple[str, ...], kind: str | None, as_json: bool) -> None:
    """List all parts with their parameters and providers, or describe those called NAMES."""
    plugins = installed()
    plugins.load_all()
    chosen = _chosen(plugins, names, kind)
    if as_json:
        print_json(
            {
                "parts": [_reference(r, plugins) if names else _data(r) for r in chosen],
                "faults": [str(fault) for fault in plugins.faults],
            }
        )
    elif names:
        for registration in chosen:
            print_reference(reference_of(registration), plugins)
    else:
        rows = [[r.part.kind, r.part.name, _signature(r.part), r.part.cite, r.provider] for r in chosen]
        print_table(["kind", "part", "parameters", "from", "provider"], rows, 5)
    for fault in plugins.faults:
        note(f"warning: {fault}")
    for name in blocked_names():
        if not any(source.is_blocked([name]) for source in plugins.blocked):
            note(f"warning: {BLOCK_VARIABLE} names {name!r}, which is no plugin")
    conflicts = plugins.registry.conflicts()
    if conflicts:
        raise PluginError("\n".join(conflicts))


def _chosen(plugins: Plugins, names: tuple[str, ...], kind: str | None) -> list[Registration]:
    found = [r for r in plugins.registry if kind is None or r.part.kind == kind]
    if not names:
        return sorted(found, key=lambda r: (list(KINDS).index(r.part.kind), r.part.name))
    known = {r.part.name for r in found}
    for name in names:
        if name not in known:
            faults = "".join(f"\n{fault}" for fault in plugins.faults if name in str(fault.source.name).split("."))
            meant = f" (nbf parts --kind {name} lists the parts of that kind)" if name in KINDS else ""
            hint = meant or f"{did_you_mean(name, known)} (nbf parts lists them)"
            raise PluginError(f"no part {name!r}{hint}{faults}")
    return [r for r in found if r.part.name in names]


def _signature(part: type[Part]) -> str:
    return ", ".join(f"{p.name}={_default(p.default)}" for p in parameters(part)) or "-"


def _default(value: Any) -> str:
    if value is dataclasses.MISSING:
        return "(required)"
    return value.name if isinstance(value, Part) else str(value)


def _reference(registration: Registration, plugins: Plugins) -> dict[str, Any]:
    """Return everything about one part: what `_data` says, and what only its own page does."""
    data, reference = _data(registration), reference_of(registration)
    for given, parameter in zip(data["parameters"], reference.parameters, strict=True):
        given["description"] = parameter.description
    return data | {
        "origin": registration.origin,
        "equation": reference.docstring.equation,
        "references": reference.docstring.sections.get("References", ""),
        "exceptions": dict(registration.part.exceptions),
        "contract": [vars(method) | {"arguments": dict(method.arguments)} for method in reference.contract],
        "example": example_recipe(registration.part, plugins),
        "recipes": recipes_with(registration.part, plugins),
    }


def _data(registration: Registration) -> dict[str, Any]:
    part = registration.part
    return {
        "kind": part.kind,
        "name": part.name,
        "cite": part.cite,
        "provider": registration.provider,
        "description": inspect.getdoc(part),
        "parameters": [
            {"name": p.name, "expected": p.expected(), "default": _default(p.default)} for p in parameters(part)
        ],
    }
