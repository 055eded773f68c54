"""``nbf bias-variance``: the error of recipes taken apart."""

from collections.abc import Iterable
from typing import Any

import click

from nbframework.cli.console import print_json, print_table, progress
from nbframework.cli.options import SET_HELP, load_recipe, overrides_of
from nbframework.data.catalog import find_dataset
from nbframework.data.tabular import read_table
from nbframework.evaluation.bias_variance import BiasVariance, BiasVarianceProtocol, bias_variance

DEFINITIONS = ("kohavi-wolpert", "weka", "domingos", "webb")


@click.command("bias-variance", epilog="Example: nbf bias-variance sbc c45 -d tic-tac-toe --jobs 2")
@click.argument("recipes", nargs=-1, required=True)
@click.option("-d", "--data", multiple=True, required=True, metavar="DATA", help="ARFF file or bundled data set.")
@click.option(
    "--definition", type=click.Choice(DEFINITIONS), default="kohavi-wolpert", show_default=True, help="Whose."
)
@click.option("--samples", type=click.IntRange(min=2), default=10, show_default=True, help="Training sets a repeat.")
@click.option("--repeats", type=click.IntRange(min=1), help="Evaluation sets; default 10 below 3,000 rows, else 1.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed.")
@click.option("--class", "class_attribute", metavar="NAME", help="The class attribute; default the last one.")
@click.option("--set", "assignments", multiple=True, metavar="PATH=VALUE", help=SET_HELP)
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    recipes: tuple[str, ...],
    data: tuple[str, ...],
    definition: str,
    samples: int,
    repeats: int | None,
    seed: int,
    class_attribute: str | None,
    assignments: tuple[str, ...],
    jobs: int,
    as_json: bool,
) -> None:
    """Decompose the error of RECIPES into bias and variance (Kohavi & Wolpert 1996).

    30 % of the rows are set aside to judge on; training sets are halves of the others. The last column is the ratio of
    the error to that of the first recipe.
    """
    for recipe in recipes:
        load_recipe(recipe, assignments)
    protocol = BiasVarianceProtocol(samples=samples, repeats=repeats, seed=seed)
    overrides = overrides_of(assignments)
    tasks = [(recipe, name, overrides, class_attribute, protocol, definition) for name in data for recipe in recipes]
    found: list[BiasVariance] = []
    with progress() as report:
        for (recipe, name, *_), result in zip(tasks, _results(tasks, jobs), strict=True):
            found.append(result)
            report(f"{name}: {recipe}", len(found), len(tasks))
    rows = [_row(task, result) for task, result in zip(tasks, found, strict=True)]
    first = {row["data"]: row["error"] for row in reversed(rows)}
    for row in rows:
        row["ratio"] = row["error"] / first[row["data"]] if first[row["data"]] else None
    if as_json:
        print_json(rows)
        return
    shown = [
        [row["data"], row["recipe"], *[f"{100 * row[key]:.2f}" for key in ("error", "bias", "variance")], _ratio(row)]
        for row in rows
    ]
    print_table(["data", "recipe", "error", "bias", "variance", "ratio"], shown, 2)


def _results(tasks: list[Any], jobs: int) -> Iterable[BiasVariance]:
    if jobs == 1:
        return (_one(*task) for task in tasks)
    from joblib import Parallel, delayed

    found: Iterable[BiasVariance] = Parallel(n_jobs=jobs, return_as="generator")(delayed(_one)(*task) for task in tasks)
    return found


def _one(
    recipe: str,
    name: str,
    overrides: dict[str, str],
    class_attribute: str | None,
    protocol: BiasVarianceProtocol,
    definition: Any,
) -> BiasVariance:
    loaded = load_recipe(recipe, [f"{path}={value}" for path, value in overrides.items()])
    return bias_variance(loaded, read_table(find_dataset(name), class_attribute), protocol, definition)


def _row(task: Any, result: BiasVariance) -> dict[str, Any]:
    mean = result.mean
    return {"data": task[1], "recipe": task[0], "error": mean.error, "bias": mean.bias, "variance": mean.variance}


def _ratio(row: dict[str, Any]) -> str:
    return "-" if row["ratio"] is None else f"{row['ratio']:.3f}"
