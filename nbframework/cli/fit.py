"""``nbf fit``: a recipe and a data set to a model file."""

from pathlib import Path

import click

from nbframework.cli.console import note
from nbframework.cli.options import SET_HELP, load_recipe
from nbframework.data.catalog import find_dataset
from nbframework.data.tabular import read_table
from nbframework.persistence import save_model


@click.command("fit", epilog="Example: nbf fit sbc iris -o iris.model")
@click.argument("recipe")
@click.argument("data")
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False), help="The model file to write.")
@click.option("--class", "class_attribute", metavar="NAME", help="The class attribute; default the last one.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of everything random.")
@click.option("--set", "assignments", multiple=True, metavar="PATH=VALUE", help=SET_HELP)
def command(
    recipe: str, data: str, output: str, class_attribute: str | None, seed: int, assignments: tuple[str, ...]
) -> None:
    """Fit RECIPE on all rows of DATA (ARFF, CSV, Parquet or a bundled data set) and write a model file."""
    loaded = load_recipe(recipe, assignments)
    dataset = read_table(find_dataset(data), class_attribute)
    fitted = loaded.build().fit(dataset, seed=seed)
    for text in fitted.notes:
        note(f"note: {text}")
    holds_rows = save_model(Path(output), loaded, fitted)
    held = "the training rows: share it only with those who may see them" if holds_rows else "counts, no training row"
    note(f"{output}: {loaded.name} fitted on {len(dataset)} rows; the file holds {held}")
