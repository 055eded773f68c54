"""``nbf refit``: another estimator, prior or rule for a stored model."""

from pathlib import Path

import click

from nbframework.cli.console import note
from nbframework.cli.options import SET_HELP, overrides_of
from nbframework.persistence import load_model, save_model


@click.command("refit", epilog="Example: nbf refit iris.model -o other.model --set estimator=laplace-m")
@click.argument("model", type=click.Path(dir_okay=False))
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False), help="The model file to write.")
@click.option("--set", "assignments", multiple=True, required=True, metavar="PATH=VALUE", help=SET_HELP)
def command(model: str, output: str, assignments: tuple[str, ...]) -> None:
    """Change the estimator, prior or rules of MODEL from its stored counts, without its data."""
    changed = load_model(model, overrides_of(assignments))
    save_model(Path(output), changed.recipe, changed.fitted)
    note(f"{output}: written")
