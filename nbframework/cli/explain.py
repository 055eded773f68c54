"""``nbf explain``: why a row is predicted as it is."""

from pathlib import Path

import click

from nbframework.cli.console import print_json
from nbframework.cli.options import SET_HELP, load_recipe
from nbframework.data.catalog import find_dataset
from nbframework.data.tabular import read_table
from nbframework.explain import attribute_importance, explain
from nbframework.explain.rendering import as_data, as_html, as_text
from nbframework.persistence import load_model


@click.command("explain", epilog="Example: nbf explain sbc iris --row 71")
@click.argument("recipe")
@click.argument("data")
@click.option("--row", type=click.IntRange(min=1), default=1, show_default=True, help="The row, counted from 1.")
@click.option("--class", "class_attribute", metavar="NAME", help="The class attribute; default the last one.")
@click.option("--set", "assignments", multiple=True, metavar="PATH=VALUE", help=SET_HELP)
@click.option("--importance", is_flag=True, help="Print how much each attribute alone tells about the class instead.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--html", "as_page", is_flag=True, help="Print an HTML table.")
def command(
    recipe: str,
    data: str,
    row: int,
    class_attribute: str | None,
    assignments: tuple[str, ...],
    importance: bool,
    as_json: bool,
    as_page: bool,
) -> None:
    """Explain the prediction of one row of DATA by RECIPE (fitted on all rows of DATA) or by a model file."""
    if Path(recipe).suffix == ".model":
        fitted = load_model(recipe).fitted
        dataset = read_table(find_dataset(data), class_attribute, fitted.schema)
    else:
        dataset = read_table(find_dataset(data), class_attribute)
        fitted = load_recipe(recipe, assignments).build().fit(dataset)
    if importance:
        shares = attribute_importance(fitted)
        if as_json:
            print_json(shares)
        for name, share in shares.items() if not as_json else ():
            click.echo(f"{share:6.2f}  {name}")
        return
    explanation = explain(fitted, dataset, row - 1)
    if as_json:
        print_json(as_data(explanation))
    else:
        click.echo(as_html(explanation) if as_page else as_text(explanation))
