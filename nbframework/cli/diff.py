"""``nbf diff``: the rows on which two classifiers disagree, and by how much."""

import sys

import click
import numpy as np

from nbframework.cli.console import print_json, print_table
from nbframework.cli.options import load_recipe
from nbframework.data.catalog import find_dataset
from nbframework.data.tabular import read_table
from nbframework.evaluation.evaluate import EvaluationProtocol, evaluate


@click.command("diff", epilog="Example: nbf diff sbc weka-naive-bayes iris")
@click.argument("first")
@click.argument("second")
@click.argument("data")
@click.option("--folds", type=click.IntRange(min=2), default=10, show_default=True, help="Folds.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of the folds.")
@click.option("--class", "class_attribute", metavar="NAME", help="The class attribute; default the last one.")
@click.option("--tolerance", type=float, default=1e-9, show_default=True, help="Differences up to it are none.")
@click.option("--all", "show_all", is_flag=True, help="List every row that differs, not only the first 20.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    first: str,
    second: str,
    data: str,
    folds: int,
    seed: int,
    class_attribute: str | None,
    tolerance: float,
    show_all: bool,
    as_json: bool,
) -> None:
    """Compare the posteriors of two recipes row by row on the same folds of DATA.

    A recipe may also be NAME:SCHEME, such as "weka:weka.classifiers.bayes.NaiveBayes -D" or
    "sklearn:naive_bayes.GaussianNB". Exits with 1 where a row differs.
    """
    dataset = read_table(find_dataset(data), class_attribute)
    protocol = EvaluationProtocol(folds=folds, seed=seed)
    one, other = (evaluate(load_recipe(name), dataset, protocol=protocol) for name in (first, second))
    rows, mine, label = one.pooled(0)
    _, theirs, other_label = other.pooled(0)
    largest = np.abs(np.exp(mine) - np.exp(theirs)).max(axis=1)
    order = np.argsort(-largest, kind="stable")
    differing = order[largest[order] > tolerance]
    values = dataset.class_values
    records = [
        {
            "row": int(rows[i]) + 1,
            "difference": float(largest[i]),
            "first": values[label[i]],
            "second": values[other_label[i]],
            "first_posterior": np.exp(mine[i]).tolist(),
            "second_posterior": np.exp(theirs[i]).tolist(),
        }
        for i in differing
    ]
    labels = int((label != other_label).sum())
    if as_json:
        print_json({"rows": len(rows), "differing": len(records), "other_class": labels, "differences": records})
    else:
        click.echo(
            f"{len(records)} of {len(rows)} rows differ by more than {tolerance:g}; {labels} in the predicted class"
        )
        shown = records if show_all else records[:20]
        if shown:
            print_table(
                ["row", "difference", first, second],
                [[str(r["row"]), f"{r['difference']:.3g}", str(r["first"]), str(r["second"])] for r in shown],
                0,
            )
    if records:
        sys.exit(1)
