"""``nbf explain``: why a row is predicted as it is."""

from dataclasses import replace
from pathlib import Path

import click
import numpy as np
from click.core import ParameterSource

from nbframework.classifier import FittedClassifier
from nbframework.classifier.training import usable_mask
from nbframework.cli.console import note, print_json
from nbframework.cli.options import SET_HELP, load_recipe
from nbframework.cli.outputs import keep_apart
from nbframework.data.catalog import find_dataset
from nbframework.data.dataset import Dataset
from nbframework.data.tabular import read_table
from nbframework.errors import EvaluationError, writing
from nbframework.explain import attribute_importance, explain
from nbframework.explain.rendering import as_data, as_html, as_text
from nbframework.persistence import load_model
from nbframework.persistence.archive import is_archive


@click.command("explain", epilog="Example: nbf explain sbc iris --row 71")
@click.argument("recipe")
@click.argument("data")
@click.option("--row", type=click.IntRange(min=1), default=1, show_default=True, help="The row, counted from 1.")
@click.option("--class", "class_attribute", metavar="NAME", help="The class attribute; default the last one.")
@click.option("--set", "assignments", multiple=True, metavar="PATH=VALUE", help=SET_HELP)
@click.option("--importance", is_flag=True, help="Print how much each attribute alone tells about the class instead.")
@click.option("--odds", is_flag=True, help="Show odds against the predicted class in place of nats.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--html", "as_table", is_flag=True, help="Print an HTML table.")
@click.option(
    "--page",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Write a page for the browser in which cases are put together; with --row it opens with that row.",
)
@click.pass_context
def command(
    context: click.Context,
    recipe: str,
    data: str,
    row: int,
    class_attribute: str | None,
    assignments: tuple[str, ...],
    importance: bool,
    odds: bool,
    as_json: bool,
    as_table: bool,
    page: str | None,
) -> None:
    """Explain the prediction of one row of DATA by RECIPE (fitted on all rows of DATA) or by a model file."""
    if page and (importance or as_json or as_table):
        raise click.UsageError("--page writes a file, and --importance, --json and --html print: name one of them")
    if odds and (page or importance or as_json or as_table):
        raise click.UsageError("--odds changes the table; --json and --html have odds already")
    keep_apart("--page", page, [recipe, data])
    numbers = None
    # whatever its name: a recipe file is a text, a model file an archive
    if Path(recipe).suffix == ".model" or is_archive(Path(recipe)):
        model = load_model(recipe)
        fitted, name = model.fitted, model.recipe.name
        dataset = read_table(find_dataset(data), class_attribute, fitted.schema)
    else:
        dataset = read_table(find_dataset(data), class_attribute)
        loaded = load_recipe(recipe, assignments)
        fitted, name = loaded.build().fit(dataset), loaded.name
        numbers = np.flatnonzero(usable_mask(dataset))
    if page:
        chosen = context.get_parameter_source("row") is not ParameterSource.DEFAULT
        _write_page(page, fitted, dataset, row - 1 if chosen else None, f"{name} on {dataset.name}")
        return
    if importance:
        shares = attribute_importance(fitted)
        if not shares:
            raise EvaluationError(
                f"{name} leaves every attribute numeric, and this measure is one of values: try a discretizer"
            )
        if as_json:
            print_json(shares)
        for attribute, share in shares.items() if not as_json else ():
            click.echo(f"{share:6.2f}  {attribute}")
        return
    explanation = explain(fitted, dataset, row - 1)
    if numbers is not None and explanation.neighbours is not None:
        in_file = tuple((int(numbers[number]), weight) for number, weight in explanation.neighbours)
        explanation = replace(explanation, neighbours=in_file)
    if as_json:
        print_json(as_data(explanation))
    else:
        click.echo(as_html(explanation) if as_table else as_text(explanation, odds))


def _write_page(path: str, fitted: FittedClassifier, dataset: Dataset, row: int | None, title: str) -> None:
    from nbframework.report.evidence import evidence_page

    text = evidence_page(fitted, dataset, row, title)
    with writing(path):
        Path(path).write_text(text, encoding="utf-8")
    note(f"{path}: written; open it in a browser")
