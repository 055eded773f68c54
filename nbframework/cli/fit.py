"""``nbf fit``: a recipe and a data set to a model file."""

import glob
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nbframework.cli.console import note
from nbframework.cli.options import SET_HELP, load_recipe
from nbframework.cli.outputs import keep_apart
from nbframework.data.catalog import find_dataset
from nbframework.data.tabular import read_table
from nbframework.persistence import save_model

if TYPE_CHECKING:
    from nbframework.classifier import Classifier, FittedClassifier

CHUNK_HELP = "Rows in memory at a time, for data of any size; see above."


@click.command("fit", epilog="Example: nbf fit sbc iris -o iris.model")
@click.argument("recipe")
@click.argument("data")
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False), help="The model file to write.")
@click.option("--class", "class_attribute", metavar="NAME", help="The class attribute; default the last one.")
@click.option("--chunk-rows", type=click.IntRange(min=1), metavar="N", help=CHUNK_HELP)
@click.option("--engine", type=click.Choice(["local", "dask"]), default="local", show_default=True, help="Who reads.")
@click.option("--scheduler", metavar="ADDRESS", help="The scheduler of a Dask cluster, such as tcp://host:8786.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of everything random.")
@click.option("--set", "assignments", multiple=True, metavar="PATH=VALUE", help=SET_HELP)
def command(
    recipe: str,
    data: str,
    output: str,
    class_attribute: str | None,
    chunk_rows: int | None,
    engine: str,
    scheduler: str | None,
    seed: int,
    assignments: tuple[str, ...],
) -> None:
    """Fit RECIPE on all rows of DATA (ARFF, CSV, Parquet or a bundled data set) and write a model file.

    With --chunk-rows the file is read a part at a time, and DATA may be a pattern such as 'data/*.parquet'; the model
    is the same. That is for recipes that learn sums over rows: naive Bayes with its estimators and Gaussian densities,
    TAN, AODE and others. With --engine dask the workers of a running Dask cluster read the files, each some of them.
    """
    if engine == "dask" and not scheduler:
        raise click.UsageError("--engine dask needs --scheduler, such as tcp://host:8786")
    if engine == "local" and scheduler:
        raise click.UsageError("--scheduler is for --engine dask")
    keep_apart("--output", output, [recipe, data])
    loaded, told = load_recipe(recipe, assignments), tuple[str, ...]()
    if chunk_rows is None and engine == "local":
        if glob.has_magic(data) and not Path(data).is_file():
            raise click.UsageError(f"the pattern {data!r} means several files, which are read with --chunk-rows")
        dataset = read_table(find_dataset(data), class_attribute)
        classifier = loaded.build()
        told = classifier.announced(dataset)
        for text in told:
            note(f"note: {text}")
        fitted = classifier.fit(dataset, seed=seed)
    else:
        fitted = _in_parts(loaded.build(), data, class_attribute, chunk_rows, scheduler, seed)
    for text in fitted.notes:
        if text not in told:
            note(f"note: {text}")
    holds_rows = save_model(Path(output), loaded, fitted)
    held = "the training rows: share it only with those who may see them" if holds_rows else "counts, no training row"
    note(f"{output}: {loaded.name} fitted on {fitted.rows_seen} rows; the file holds {held}")


def _in_parts(
    classifier: "Classifier",
    data: str,
    class_attribute: str | None,
    chunk_rows: int | None,
    scheduler: str | None,
    seed: int | Sequence[int],
) -> "FittedClassifier":
    """Return the classifier fitted on rows that are read a part at a time."""
    from nbframework.classifier.gathering import check_parts
    from nbframework.classifier.streaming import CHUNK_ROWS, fit_pieces
    from nbframework.data.pieces import pieces_of

    check_parts(classifier)
    pieces, rows = pieces_of(data), chunk_rows or CHUNK_ROWS
    if scheduler is None:
        return fit_pieces(classifier, pieces, class_attribute, rows, seed=seed)
    from nbframework.study.cluster_fit import cluster_reduce

    with cluster_reduce(scheduler) as run:
        return fit_pieces(classifier, pieces, class_attribute, rows, run, seed)
