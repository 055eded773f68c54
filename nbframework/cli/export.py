"""``nbf export``: a model file as JSON or PMML for other programs."""

from pathlib import Path

import click

from nbframework.cli.console import note
from nbframework.cli.outputs import keep_apart
from nbframework.persistence import load_model
from nbframework.persistence.export import export_json
from nbframework.persistence.pmml import export_pmml

WRITERS = {"json": export_json, "pmml": export_pmml}


@click.command("export", epilog="Example: nbf export iris.model -o iris.json")
@click.argument("model", type=click.Path(dir_okay=False))
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False), help="JSON or PMML by its ending.")
@click.option("--format", "chosen", type=click.Choice(list(WRITERS)), help="Format; default by the ending.")
def command(model: str, output: str, chosen: str | None) -> None:
    """Write the probabilities of MODEL for programs that know nothing of this one."""
    form = chosen or Path(output).suffix.lower().lstrip(".")
    if form not in WRITERS:
        raise click.UsageError(f"--output {output}: the ending is none of .{', .'.join(WRITERS)}; name --format")
    keep_apart("--output", output, [model])
    WRITERS[form](load_model(model), output)
    note(f"{output}: written")
