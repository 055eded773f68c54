"""``nbf plugin new``: a distribution to start from."""

from pathlib import Path

import click

from nbframework.cli.console import note
from nbframework.parts import KINDS
from nbframework.plugins import installed
from nbframework.testing.scaffold import NewPlugin, write_plugin


@click.command("new", epilog="Example: nbf plugin new discretizer three-way-split")
@click.argument("kind", type=click.Choice(list(KINDS)), metavar="KIND")
@click.argument("name")
@click.option("--output", type=click.Path(path_type=Path), metavar="FOLDER", help="Default: nbframework-NAME.")
def command(kind: str, name: str, output: Path | None) -> None:
    """Write a complete distribution with a part NAME of a KIND that works: code, tests, entry point, README.

    KIND is missing, discretizer, neighbourhood, distance, estimator, density, weights, structure, classifier or
    generator.
    """
    plugin = NewPlugin(kind, name)
    folder = output if output is not None else Path(plugin.distribution)
    for path in write_plugin(plugin, folder, installed()):
        click.echo(path)
    note(
        f"next: change {plugin.package}/{plugin.module}.py; pip install -e '{folder}[test]'; run pytest in {folder}; "
        f"nbf plugin check {plugin.distribution}"
    )
