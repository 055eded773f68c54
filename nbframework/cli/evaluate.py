"""``nbf evaluate``: recipes on data sets."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from nbframework.classifier.tuned import By
from nbframework.cli.console import note, print_json, progress
from nbframework.cli.options import SET_HELP, load_recipe
from nbframework.cli.results import Cell, evaluation_data, print_details, print_matrix
from nbframework.data.alignment import joined
from nbframework.data.arff import read_arff
from nbframework.data.catalog import find_dataset
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError, NBFrameworkError, writing
from nbframework.evaluation.evaluate import EvaluationProtocol, evaluate
from nbframework.evaluation.metrics import METRICS
from nbframework.plugins import installed
from nbframework.recipe import Recipe

SWEEP_HELP = "Score each value of a parameter: kind.parameter=FROM:TO, FROM:TO:STEP or VALUE,VALUE."


@click.command("evaluate", epilog="Example: nbf evaluate sbc gaussian-nb -d iris -d wine --repeats 10")
@click.argument("recipes", nargs=-1, required=True)
@click.option("-d", "--data", multiple=True, required=True, metavar="DATA", help="ARFF file or name of a data set.")
@click.option("--data-dir", type=click.Path(), metavar="DIR", help="Where DATA is looked for, too.")
@click.option("--folds", type=int, default=10, show_default=True, help="Folds of stratified cross-validation.")
@click.option("--repeats", type=int, default=1, show_default=True, help="Repetitions with other folds.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of folds and of everything random.")
@click.option("--holdout", type=float, metavar="SHARE", help="Test on a share of the rows instead.")
@click.option("--split", metavar="RANGES", help='Train and test on given rows instead, such as "1-2000 | 2001-3186".')
@click.option("--leave-one-out", is_flag=True, help="Test each row by all other rows instead.")
@click.option("--test", metavar="DATA", help="Train on DATA, test on this file instead.")
@click.option("--class", "class_attribute", metavar="NAME", help="The class attribute; default the last one.")
@click.option("--set", "assignments", multiple=True, metavar="PATH=VALUE", help=SET_HELP)
@click.option("--metric", type=click.Choice(list(METRICS)), default="accuracy", show_default=True, help="Of the table.")
@click.option("--sweep", metavar="PATH=VALUES", help=SWEEP_HELP)
@click.option(
    "--honest",
    type=click.Choice(["leave-one-out", "cross-validation"]),
    is_flag=False,
    flag_value="leave-one-out",
    help="With --sweep: also choose the value inside each training set.",
)
@click.option("--figure", type=click.Path(dir_okay=False), metavar="FILE", help="Draw a sweep: .svg, .png, or .csv.")
@click.option("--predictions", type=click.Path(dir_okay=False), metavar="FILE", help="Write every prediction as CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON with all metrics.")
def command(
    recipes: tuple[str, ...],
    data: tuple[str, ...],
    data_dir: str | None,
    class_attribute: str | None,
    assignments: tuple[str, ...],
    metric: str,
    predictions: str | None,
    as_json: bool,
    test: str | None,
    sweep: str | None,
    honest: By | None,
    figure: str | None,
    **protocol_options: Any,
) -> None:
    """Judge RECIPES (names or files) on data sets; everything is learned inside the training rows."""
    loaded = [load_recipe(recipe, assignments) for recipe in recipes]
    protocol = _protocol(protocol_options)
    sets: list[tuple[str, Dataset, EvaluationProtocol]] = []
    for name in data:
        dataset = read_arff(find_dataset(name, data_dir), class_attribute)
        other = None if test is None else read_arff(find_dataset(test, data_dir), class_attribute)
        sets.append((name, *((dataset, protocol) if other is None else _with_test_rows(dataset, other))))
    if honest and not sweep:
        raise click.UsageError("--honest needs --sweep")
    if figure and not sweep:
        raise click.UsageError("--figure needs --sweep")
    if sweep:
        if predictions:
            raise click.UsageError("--sweep and --predictions exclude each other")
        from nbframework.cli.sweeps import Asked, run_sweeps

        asked = Asked(sweep, metric, honest, None if figure is None else Path(figure))
        sys.exit(run_sweeps(loaded, sets, asked, as_json))
    if predictions and not Path(predictions).absolute().parent.is_dir():
        raise click.UsageError(f"--predictions {predictions}: no such folder")
    cells = run_cells(loaded, sets)
    if predictions:
        _write_predictions(Path(predictions), cells)
    done = [cell for cell in cells if cell.evaluation is not None]
    if as_json:
        print_json([evaluation_data(cell) for cell in cells])
    elif len(cells) == 1 and done:
        print_details(cells[0])
    elif done:
        print_matrix(cells, metric)
    if len(done) < len(cells):
        sys.exit(1 if done else 3)


def _protocol(options: dict[str, Any]) -> EvaluationProtocol:
    others = [name for name in ("holdout", "split", "leave_one_out") if options[name]]
    if len(others) > 1:
        raise click.UsageError(f"--{others[0]} and --{others[1]} exclude each other".replace("_", "-"))
    folds, repeats, seed = options["folds"], options["repeats"], options["seed"]
    for name in ("folds", "repeats"):
        if options[name] < 1:
            raise click.UsageError(f"--{name} {options[name]}: expected at least 1")
    if seed < 0:
        raise click.UsageError(f"--seed {seed}: expected at least 0")
    if options["holdout"] is not None:
        return EvaluationProtocol("holdout", repeats=repeats, seed=seed, test_share=options["holdout"])
    if options["split"]:
        return EvaluationProtocol("split", seed=seed, ranges=options["split"])
    if options["leave_one_out"]:
        return EvaluationProtocol("leave-one-out", seed=seed)
    return EvaluationProtocol(folds=folds, repeats=repeats, seed=seed)


def _with_test_rows(dataset: Dataset, other: Dataset) -> tuple[Dataset, EvaluationProtocol]:
    """Return training and test rows in one data set, and the protocol that parts them again."""
    rows = len(dataset)
    if not rows or not len(other):
        raise EvaluationError(f"{rows} training rows and {len(other)} test rows: expected at least one of each")
    ranges = f"1-{rows} | {rows + 1}-{rows + len(other)}"
    return joined(dataset, other), EvaluationProtocol("split", ranges=ranges)


def run_cells(recipes: Sequence[Recipe], sets: Sequence[tuple[str, Dataset, EvaluationProtocol]]) -> list[Cell]:
    """Evaluate every recipe on every data set; a failure is reported and costs its own cell only."""
    cells: list[Cell] = []
    told = [
        f"note: {name}: {text}" for name, dataset, _ in sets for r in recipes for text in r.build().announced(dataset)
    ]
    for text in dict.fromkeys(told):
        note(text)
    with progress() as report:
        for name, dataset, protocol in sets:
            for recipe in recipes:
                report(f"{name}: {recipe.name}", len(cells), len(recipes) * len(sets))
                cells.append(_cell(recipe, name, dataset, protocol))
    notes: dict[str, None] = {}
    for cell in cells:
        if cell.evaluation is not None:
            notes.update(dict.fromkeys(f"note: {cell.data}: {text}" for text in cell.evaluation.notes))
    for text in notes:
        if text not in told:
            note(text)
    return cells


def _cell(recipe: Recipe, name: str, dataset: Dataset, protocol: EvaluationProtocol) -> Cell:
    try:
        return Cell(recipe, name, evaluate(recipe, dataset, protocol=protocol))
    except NBFrameworkError as error:
        cause = error.__cause__
        provider = installed().provider_of(cause.__traceback__ if cause else None)
        blame = f" (in {provider})" if provider and not isinstance(cause, NBFrameworkError) else ""
        note(f"error: {recipe.name} on {name}: {error}{blame}")
        if click.get_current_context().find_root().params.get("debug"):
            import traceback

            traceback.print_exception(error)
        if not isinstance(error, EvaluationError):
            raise
        return Cell(recipe, name, None, str(error))


def _write_predictions(path: Path, cells: Sequence[Cell]) -> None:
    import csv

    with writing(path), path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["data", "recipe", "repeat", "fold", "row", "actual", "predicted", "posterior"])
        for cell in cells:
            if cell.evaluation is None:
                continue
            values = cell.evaluation.dataset.class_values
            for fold in cell.evaluation.predictions:
                truth = cell.evaluation.truth(fold.rows)
                for index, row in enumerate(fold.rows.tolist()):
                    actual = values[truth[index]] if truth[index] < len(values) else ""
                    posterior = " ".join(repr(float(p)) for p in np.exp(fold.log_posterior[index]))
                    predicted = values[fold.predicted[index]]
                    place = [cell.data, cell.recipe.name, fold.repeat + 1, fold.fold + 1, row + 1]
                    writer.writerow([*place, actual, predicted, posterior])
