"""``nbf plugin check``: every promise of every part of a plugin."""

from typing import Any

import click

from nbframework.cli.console import print_json
from nbframework.data.arff import format_arff
from nbframework.errors import PluginError
from nbframework.plugins import Fault, Plugins, installed
from nbframework.registry import Registration
from nbframework.testing.checks import checks_of
from nbframework.testing.promises import PROMISES
from nbframework.testing.targets import configured, find_target


@click.command("check", epilog="Example: nbf plugin check laplace")
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(targets: tuple[str, ...], as_json: bool) -> int:
    """Check the promises of the parts of each TARGET.

    A TARGET is a folder with a pyproject.toml, a Python file, or the name of a distribution, an entry point, a part
    or a module. A promise is kept, declared (the part says why it cannot keep it), or broken: then a small data set
    shows it. Exit code 4 where a promise is broken or a plugin has a fault.
    """
    plugins = installed()
    found, faults = _found(targets, plugins)
    checked = []
    for registration in found:
        checked.append(_checked(registration, plugins))
        if not as_json:
            _print_part(checked[-1])
    broken = sum(promise["status"] == "broken" for part in checked for promise in part["promises"])
    if as_json:
        print_json({"parts": checked, "faults": [str(fault) for fault in faults], "broken": broken})
    for fault in faults:
        click.echo(f"error: {fault}", err=True)
    if broken:
        click.echo(f"error: {broken} {'promise is' if broken == 1 else 'promises are'} broken", err=True)
    return 4 if broken or faults else 0


def _found(targets: tuple[str, ...], plugins: Plugins) -> tuple[list[Registration], list[Fault]]:
    registrations: dict[type, Registration] = {}
    faults: dict[Fault, None] = {}
    for text in targets:
        target = find_target(text, plugins)
        registrations |= {registration.part: registration for registration in target.registrations}
        faults |= dict.fromkeys(target.faults)
    if not registrations and not faults:
        raise PluginError(f"{', '.join(targets)}: provides no part, so there is nothing to check")
    return list(registrations.values()), list(faults)


def _checked(registration: Registration, plugins: Plugins) -> dict[str, Any]:
    kind, name = registration.part.kind, registration.part.name
    plugins.find(kind, name)
    data: dict[str, Any] = {"kind": kind, "name": name, "provider": registration.provider, "promises": []}
    part = configured(registration.part, plugins)
    if isinstance(part, str):
        return data | {"unchecked": part}
    try:
        checks = checks_of(part)
    except AssertionError as error:
        raise PluginError(f"{registration.provider}: {error}") from error
    for check in checks:
        outcome = check.outcome()
        data["promises"].append(
            {
                "promise": check.promise,
                "words": PROMISES[check.promise].words,
                "status": outcome.status,
                "reason": outcome.reason,
                "example": None if outcome.example is None else format_arff(outcome.example),
            }
        )
    return data


def _print_part(data: dict[str, Any]) -> None:
    click.echo(f"{data['kind']} {data['name']}  ({data['provider']})")
    if "unchecked" in data:
        click.echo(f"  not checked: {data['unchecked']}")
    for promise in data["promises"]:
        status = promise["status"].upper() if promise["status"] == "broken" else promise["status"]
        click.echo(f"  {status:8}  {promise['promise']}: {promise['words']}")
        if promise["reason"]:
            click.echo(f"            {promise['reason']}")
        if promise["example"] is not None:
            click.echo("            on these rows:")
            for line in promise["example"].splitlines():
                click.echo(f"              {line}".rstrip())
