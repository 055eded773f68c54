"""``nbf parts``: what a recipe can name."""

import dataclasses
import inspect
from typing import Any

import click

from nbframework.cli.console import note, print_json, print_table
from nbframework.errors import PluginError, did_you_mean
from nbframework.parts import KINDS, Part
from nbframework.parts.base import parameters
from nbframework.plugins import BLOCK_VARIABLE, Plugins, blocked_names, installed
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
                "parts": [_data(registration) for registration in chosen],
                "faults": [str(fault) for fault in plugins.faults],
            }
        )
    elif names:
        for registration in chosen:
            _describe(registration)
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
            raise PluginError(f"no part {name!r}{did_you_mean(name, known)} (nbf parts lists them){faults}")
    return [r for r in found if r.part.name in names]


def _signature(part: type[Part]) -> str:
    return ", ".join(f"{p.name}={_default(p.default)}" for p in parameters(part)) or "-"


def _default(value: Any) -> str:
    if value is dataclasses.MISSING:
        return "(required)"
    return value.name if isinstance(value, Part) else str(value)


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


def _describe(registration: Registration) -> None:
    data = _data(registration)
    click.echo(f"{data['kind']} {data['name']}  ({data['provider']}, {registration.origin})\n")
    click.echo(data["description"])
    if data["parameters"]:
        click.echo("\nIn a recipe")
        values = ", ".join(f"{p['name']}: {p['default']}" for p in data["parameters"])
        click.echo(f"    {data['kind']}: {{{data['name']}: {{{values}}}}}")
        for p in data["parameters"]:
            click.echo(f"    {p['name']}: {p['expected']}; default {p['default']}")
    click.echo()
