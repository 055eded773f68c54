"""``nbf plugin list``: what is installed, and what is wrong with it."""

import contextlib
from typing import Any

import click

from nbframework.cli.console import note, print_json, print_table
from nbframework.errors import PluginError
from nbframework.plugins import Plugins, Source, installed


@click.command("list", epilog="Example: nbf plugin list --others")
@click.option("--others", is_flag=True, help="Leave out those of nbframework itself.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(others: bool, as_json: bool) -> None:
    """List the installed plugins: who provides what, what is blocked, and every fault."""
    plugins = installed()
    for source in plugins.sources:
        with contextlib.suppress(PluginError):  # two providers of one name: they are listed with the conflict
            plugins.load(source)
    sources = [s for s in (*plugins.sources, *plugins.blocked) if not (others and s.distribution == "nbframework")]
    sources.sort(key=lambda source: (source.distribution, source.name, source.module))
    rows = [_row(source, plugins) for source in sources]
    if as_json:
        print_json({"plugins": rows, "conflicts": plugins.registry.conflicts()})
        return
    header = ["distribution", "version", "entry point", "module", "provides", "status"]
    table = [
        [*(row[key] or "-" for key in header[:4]), ", ".join(row["provides"]) or "-", row["status"]] for row in rows
    ]
    print_table(header, table, len(header))
    for row in rows:
        for fault in row["faults"]:
            note(f"warning: {fault}")
    for conflict in plugins.registry.conflicts():
        note(f"warning: {conflict}")


def _row(source: Source, plugins: Plugins) -> dict[str, Any]:
    faults = [str(fault) for fault in plugins.faults if fault.source == source]
    provides = [f"{r.part.kind} {r.part.name}" for r in plugins.registry if r.provider == source.provider]
    provides += [f"recipes in {folder}" for folder, of in plugins.recipe_folders if of == source]
    status = "blocked" if source in plugins.blocked else "fault" if faults else "ok"
    return {
        "distribution": source.distribution,
        "version": source.version,
        "entry point": source.name if source.distribution else "",
        "module": source.module,
        "provides": provides,
        "status": status,
        "faults": faults,
    }
