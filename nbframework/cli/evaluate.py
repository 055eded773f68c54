"""``nbf evaluate``: recipes on data sets."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
from click.core import ParameterSource

from nbframework.classifier.tuned import By
from nbframework.cli.console import note, print_json, progress
from nbframework.cli.options import SET_HELP, load_recipe
from nbframework.cli.outputs import keep_apart
from nbframework.cli.results import Cell, evaluation_data, print_details, print_matrix
from nbframework.data.alignment import joined
from nbframework.data.catalog import find_dataset, name_of_file
from nbframework.data.dataset import Dataset
from nbframework.data.tabular import read_table
from nbframework.errors import DataError, EvaluationError, NBFrameworkError, writing
from nbframework.evaluation.evaluate import EvaluationProtocol, evaluate
from nbframework.evaluation.metrics import METRICS
from nbframework.plugins import installed
from nbframework.recipe import Recipe

UNUSED = {"holdout": ("folds",), "split": ("folds", "repeats"), "leave_one_out": ("folds", "repeats")}
UNUSED["test"] = UNUSED["split"]
"""Options that say nothing beside another one."""
SWEEP_HELP = "Score each value of a parameter: kind.parameter=FROM:TO, FROM:TO:STEP or VALUE,VALUE."


@click.command("evaluate", epilog="Example: nbf evaluate sbc gaussian-nb -d iris -d wine --repeats 10")
@click.argument("recipes", nargs=-1, required=True)
@click.option(
    "-d",
    "--data",
    multiple=True,
    required=True,
    metavar="DATA",
    help="File (ARFF, CSV, Parquet) or name of a data set.",
)
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
    """Judge RECIPES (names or files) on data sets; everything is learned inside the training rows.

    DATA is an ARFF, CSV or Parquet file, or the name of a bundled or fetched data set.
    """
    loaded = [load_recipe(recipe, assignments) for recipe in recipes]
    protocol = _protocol(protocol_options, test)
    paths = {name: find_dataset(name, data_dir) for name in (*data, *([test] if test else []))}
    for option, output in (("--predictions", predictions), ("--figure", figure)):
        keep_apart(option, output, [*recipes, *map(str, paths.values())])
    labels = _labels(data)
    sets: list[tuple[str, Dataset, EvaluationProtocol]] = []
    for name, label in zip(data, labels, strict=True):
        dataset = read_table(paths[name], class_attribute)
        if test is None:
            sets.append((label, dataset, protocol))
        else:
            other = read_table(paths[test], class_attribute, dataset)
            sets.append((label, *_with_test_rows(label, dataset, _labels([test])[0], other)))
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


def _labels(data: Sequence[str]) -> list[str]:
    """Return what tables call the data sets: names as they are, files without folder and ending where that is clear."""
    stems = [name_of_file(name) for name in data]
    return [
        stem if stems.count(stem) == 1 and stem not in data else name for name, stem in zip(data, stems, strict=True)
    ]


def _protocol(options: dict[str, Any], test: str | None) -> EvaluationProtocol:
    others = [name for name in ("holdout", "split", "leave_one_out") if options[name]] + ["test"] * (test is not None)
    if len(others) > 1:
        raise click.UsageError(f"--{others[0]} and --{others[1]} exclude each other".replace("_", "-"))
    for name in UNUSED.get(others[0], ()) if others else ():
        if click.get_current_context().get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"--{name} and --{others[0]} exclude each other".replace("_", "-"))
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


@dataclass(frozen=True)
class OtherFile(EvaluationProtocol):
    """Training rows of one file, test rows of another, which stand one behind the other.

    Parameters
    ----------
    training_rows
        The number of rows of the first.
    tested_on
        What the second is called, and its rows.
    """

    training_rows: int = 0
    tested_on: str = ""

    def described(self) -> str:
        """Return the protocol in words."""
        return f"trained on all {self.training_rows} rows, tested on {self.tested_on}"


def _with_test_rows(name: str, dataset: Dataset, test: str, other: Dataset) -> tuple[Dataset, EvaluationProtocol]:
    """Return training and test rows in one data set, and the protocol that parts them again."""
    rows, tested = len(dataset), len(other)
    if not rows or not tested:
        raise EvaluationError(f"{rows} training rows and {tested} test rows: expected at least one of each")
    ranges = f"1-{rows} | {rows + 1}-{rows + tested}"
    protocol = OtherFile("split", ranges=ranges, training_rows=rows, tested_on=f"the {tested} rows of {test}")
    try:
        return joined(dataset, other), protocol
    except DataError as error:
        raise DataError(f"--test {test} does not fit {name}: {error}") from error


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
        if isinstance(error, DataError):
            raise DataError(f"{recipe.name} on {name}: {error}") from error
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
