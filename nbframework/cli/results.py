"""Evaluations on the screen: one in detail, many as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from nbframework.cli.console import print_table
from nbframework.evaluation.evaluate import Evaluation
from nbframework.evaluation.metrics import METRICS, confusion_matrix, per_class_table
from nbframework.evaluation.scores import best_of
from nbframework.recipe import Recipe

SHARES = ("accuracy", "error")
"""Metrics that are printed in percent."""


@dataclass(frozen=True)
class Cell:
    """One recipe on one data set: an evaluation, or the reason why there is none."""

    recipe: Recipe
    data: str
    evaluation: Evaluation | None
    reason: str = ""


def print_matrix(cells: Sequence[Cell], metric: str) -> None:
    """Print data sets by recipes, the best of each row marked, and the means where every cell has a value."""
    recipes = list(dict.fromkeys(cell.recipe.name for cell in cells))
    names = list(dict.fromkeys(cell.data for cell in cells))
    value = {(cell.data, cell.recipe.name): _value(cell, metric) for cell in cells}
    rows = []
    for name in names:
        scores = [value[name, recipe] for recipe in recipes]
        best = best_of(scores, METRICS[metric].higher_is_better)
        rows.append([name, *[_shown(score, metric, mark) for score, mark in zip(scores, best, strict=True)]])
    if len(names) > 1:
        rows.append(["mean", *[_shown(_mean([value[n, r] for n in names]), metric) for r in recipes]])
    print_table([METRICS[metric].title, *recipes], rows)
    evaluation = next((cell.evaluation for cell in cells if cell.evaluation is not None), None)
    if evaluation is not None:
        legend = "* best of its row. " if len(recipes) > 1 else ""
        click.echo(f"{legend}{evaluation.protocol.described()}.")


def print_details(cell: Cell) -> None:
    """Print all metrics, the table of classes and the confusion matrix of one evaluation."""
    evaluation = cell.evaluation
    if evaluation is None:
        return
    scores, sd = evaluation.scores(), evaluation.error_sd()
    dataset = evaluation.dataset
    rows = getattr(evaluation.protocol, "training_rows", len(dataset))
    counts = (
        (rows, "row", "rows"),
        (len(dataset.inputs), "attribute", "attributes"),
        (len(dataset.class_values), "class", "classes"),
    )
    told = ", ".join(f"{count} {one if count == 1 else many}" for count, one, many in counts)
    click.echo(f"{cell.recipe.name} on {cell.data}: {told}")
    click.echo(f"{evaluation.protocol.described()}\n")
    spread = f" +- {100 * sd:.2f}" if sd is not None else ""
    for name, metric in METRICS.items():
        extra = spread if name in SHARES else ""
        click.echo(f"{metric.title:32}{_shown(scores[name], name).strip():>10}{extra}")
    of_folds = "of the mean over the folds" if len(evaluation.predictions) > 1 else "of a share of so many rows"
    click.echo(f"\n+- is the standard deviation {of_folds}." if spread else "")
    _print_classes(evaluation)


def _print_classes(evaluation: Evaluation) -> None:
    rows, log_posterior, predicted = evaluation.pooled(0)
    truth = evaluation.truth(rows)
    known = truth < len(evaluation.dataset.class_values)
    weights = evaluation.dataset.row_weights
    weights = None if weights is None else weights[rows][known]
    values = evaluation.dataset.class_values
    table = per_class_table(truth[known], log_posterior[known], predicted[known], weights)
    print_table(
        ["class", "precision", "recall", "F1", "AUC", "weight"],
        [
            [values[c.code], *[_number(x) for x in (c.precision, c.recall, c.f1, c.auc)], f"{c.support:g}"]
            for c in table
        ],
    )
    matrix = confusion_matrix(truth[known], predicted[known], len(values), weights)
    click.echo("\nconfusion matrix (rows actual, columns predicted)")
    print_table(["", *values], [[values[c], *[f"{x:g}" for x in matrix[c]]] for c in range(len(values))])


def evaluation_data(cell: Cell) -> dict[str, Any]:
    """Return an evaluation as plain data."""
    data: dict[str, Any] = {
        "recipe": cell.recipe.name,
        "identity": cell.recipe.identity(),
        "data": cell.data,
    }
    evaluation = cell.evaluation
    if evaluation is None:
        return data | {"failed": cell.reason}
    values = evaluation.dataset.class_values
    rows, log_posterior, predicted = evaluation.pooled(0)
    truth = evaluation.truth(rows)
    known = truth < len(values)
    weights = evaluation.dataset.row_weights
    weights = None if weights is None else weights[rows][known]
    table = per_class_table(truth[known], log_posterior[known], predicted[known], weights)
    matrix = confusion_matrix(truth[known], predicted[known], len(values), weights)
    return data | {
        "rows": len(evaluation.dataset),
        "protocol": {key: value for key, value in vars(evaluation.protocol).items() if value != ""},
        "scores": evaluation.scores(),
        "error_sd": evaluation.error_sd(),
        "fold_errors": evaluation.fold_errors(),
        "classes": [
            {
                "class": values[c.code],
                "precision": c.precision,
                "recall": c.recall,
                "f1": c.f1,
                "auc": c.auc,
                "weight": c.support,
            }
            for c in table
        ],
        "confusion_matrix": matrix.tolist(),
        "notes": list(evaluation.notes),
        "cpu_seconds": evaluation.cpu_seconds,
    }


def _value(cell: Cell, metric: str) -> float | None:
    return None if cell.evaluation is None else cell.evaluation.scores([metric])[metric]


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if len(known) == len(values) else None


def _shown(value: float | None, metric: str, is_best: bool = False) -> str:
    if value is None:
        return "-  "
    text = f"{100 * value:.2f}" if metric in SHARES else f"{value:.4f}"
    return text + (" *" if is_best else "  ")


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
