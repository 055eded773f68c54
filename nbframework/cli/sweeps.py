"""Sweeps on the screen: a score as a function of one parameter, for each recipe a table with a column a data set."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from nbframework.classifier.tuned import By, TunedClassifier
from nbframework.cli.console import note, print_json, print_table, progress
from nbframework.data.dataset import Dataset
from nbframework.errors import EvaluationError, RecipeError
from nbframework.evaluation.evaluate import EvaluationProtocol
from nbframework.evaluation.metrics import METRICS
from nbframework.evaluation.sweep import Curve, optimum, sweep
from nbframework.recipe import Recipe
from nbframework.recipe.tuning import Tuning, values_of
from nbframework.report.figures.curves import Curves
from nbframework.report.figures.files import checked_suffix, write_chart

__all__ = ["Asked", "By", "run_sweeps"]
SHARES = ("accuracy", "error")


@dataclass(frozen=True)
class Asked:
    """What to sweep.

    Parameters
    ----------
    text
        The parameter and its values as the user wrote them.
    metric
        The score.
    honest
        How to choose the value inside the training rows, or None for the curve alone.
    figure
        The file that the curves are drawn in, or None.
    """

    text: str
    metric: str
    honest: By | None
    figure: Path | None = None


@dataclass(frozen=True, eq=False)
class Sweep:
    """The curves of one recipe; None stands for a data set that failed, for the reason in ``reasons``."""

    recipe: Recipe
    path: str
    values: tuple[float, ...]
    curves: dict[str, Curve | None]
    reasons: dict[str, str]


def run_sweeps(
    recipes: Sequence[Recipe],
    sets: Sequence[tuple[str, Dataset, EvaluationProtocol]],
    asked: Asked,
    as_json: bool,
) -> int:
    """Sweep every recipe over every data set, print, and return the exit code."""
    planned = [(recipe, *_values(recipe, asked.text)) for recipe in recipes]
    if asked.figure is not None:
        checked_suffix(asked.figure)
    sweeps = []
    with progress() as report:
        for index, (recipe, path, values) in enumerate(planned):
            result = Sweep(recipe, path, values, {}, {})
            for number, (name, dataset, protocol) in enumerate(sets):
                report(f"{name}: {recipe.name}", index * len(sets) + number, len(recipes) * len(sets))
                _run(result, name, dataset, protocol, asked)
            sweeps.append(result)
    if as_json:
        print_json([_data(result, asked) for result in sweeps])
    else:
        for index, result in enumerate(sweeps):
            if index:
                click.echo()
            _print(result, asked)
    if asked.figure is not None:
        _draw(sweeps, asked.metric, asked.figure)
    done = [curve is not None for result in sweeps for curve in result.curves.values()]
    return 0 if all(done) else 1 if any(done) else 3


def _values(recipe: Recipe, text: str) -> tuple[str, tuple[float, ...]]:
    path, equals, listed = text.partition("=")
    path = path.strip().replace("__", ".")
    if not equals or not path or not listed.strip():
        raise click.UsageError(f"--sweep {text!r}: expected PATH=VALUES, such as neighbourhood.k=1:50")
    try:
        return path, values_of(listed, recipe.numeric_parameter(path))
    except RecipeError as error:
        fault = str(error).removeprefix(f"{path}: ")
        raise RecipeError(f"--sweep: {recipe.name}: {path}: {fault}") from error


def _run(result: Sweep, name: str, dataset: Dataset, protocol: EvaluationProtocol, asked: Asked) -> None:
    others = tuple(tuning for tuning in result.recipe.tuning if tuning.path != result.path)
    fixed = replace(result.recipe, tuning=others)
    honest = None
    if asked.honest:
        tuning = Tuning(path=result.path, values=result.values, by=asked.honest, metric=asked.metric)
        built = replace(result.recipe, tuning=(*others, tuning)).build()
        honest = built if isinstance(built, TunedClassifier) else None
    try:
        curve = sweep(fixed.build(), dataset, result.path, result.values, protocol, asked.metric, honest)
    except EvaluationError as error:
        note(f"error: {result.recipe.name} on {name}: {error}")
        result.curves[name], result.reasons[name] = None, str(error)
        return
    for text in curve.notes:
        note(f"note: {name}: {text}")
    result.curves[name] = curve


def _print(result: Sweep, asked: Asked) -> None:
    """Print a row for each value, and below them the optimum and, where asked, the nested figure."""
    curves = {name: curve for name, curve in result.curves.items() if curve is not None}
    if not curves:
        return
    names, last = list(curves), result.path.rpartition(".")[2]
    unit = " in percent" if asked.metric in SHARES else ""
    click.echo(f"{result.recipe.name}: {METRICS[asked.metric].title}{unit} by {result.path}")
    rows = [
        [_value(value), *_line([curves[name].scores[place] for name in names], asked.metric)]
        for place, value in enumerate(result.values)
    ]
    optima = [curves[name].optimum() for name in names]
    rows.append(["optimum", *_line([best[1] if best else None for best in optima], asked.metric)])
    rows.append(["at", *[_value(best[0]) if best else "-" for best in optima], *([""] if len(names) > 1 else [])])
    if asked.honest:
        nested = [curves[name].nested for name in names]
        rows.append(["nested", *_line([inner.score if inner else None for inner in nested], asked.metric)])
    print_table([last, *names, *(["mean"] if len(names) > 1 else [])], rows)
    _print_legend(result, asked, next(iter(curves.values())))


def _print_legend(result: Sweep, asked: Asked, curve: Curve) -> None:
    click.echo(f"{curve.protocol.described()}.")
    click.echo("optimum: the best score of each data set, read off its test rows, so optimistic.")
    if asked.honest:
        click.echo(f"nested: the value chosen inside each training set by {asked.honest}.")
    best = _best_mean(result, asked)
    if best is not None and len(result.curves) > 1:
        click.echo(f"best mean: {_shown(best[1], asked.metric)} at {_value(best[0])}.")


def _draw(sweeps: Sequence[Sweep], metric: str, path: Path) -> None:
    """Draw the data sets of one recipe, or the means of several."""
    first, several = sweeps[0], len(sweeps) > 1
    values = tuple(sorted({value for result in sweeps for value in result.values}))
    if several:
        found = [(result.recipe.name, dict(zip(result.values, _means(result), strict=True))) for result in sweeps]
    else:
        curves = [(name, curve) for name, curve in first.curves.items() if curve is not None]
        found = [(name, dict(zip(curve.values, curve.scores, strict=True))) for name, curve in curves]
    if not any(scores for _, scores in found):
        return
    title = f"{METRICS[metric].title} by {first.path}"
    chart = Curves(
        name="sweep",
        title=f"{title}, mean over {len(first.curves)} data sets" if several else f"{title}: {first.recipe.name}",
        x_title=first.path,
        y_title=f"{METRICS[metric].title} (%)" if metric in SHARES else METRICS[metric].title,
        values=values,
        lines=tuple((name, tuple(scores.get(value) for value in values)) for name, scores in found),
        in_percent=metric in SHARES,
        with_mean=not several,
    )
    write_chart(chart, path)
    note(f"written: {path}")


def _data(result: Sweep, asked: Asked) -> dict[str, Any]:
    curves = [curve for curve in result.curves.values() if curve is not None]
    optima = [best[1] if best else None for best in (curve.optimum() for curve in curves)]
    best = _best_mean(result, asked)
    data: dict[str, Any] = {
        "recipe": result.recipe.name,
        "identity": result.recipe.identity(),
        "path": result.path,
        "values": list(result.values),
        "metric": asked.metric,
        "sets": [
            {"data": name, "failed": result.reasons[name]} if curve is None else {"data": name} | _curve_data(curve)
            for name, curve in result.curves.items()
        ],
        "mean": _means(result),
        "mean_of_optima": _mean(optima),
        "best_mean": None if best is None else {"value": best[0], "score": best[1]},
    }
    if asked.honest:
        data["honest"] = asked.honest
        data["mean_of_nested"] = _mean([curve.nested.score if curve.nested else None for curve in curves])
    return data


def _curve_data(curve: Curve) -> dict[str, Any]:
    best = curve.optimum()
    data: dict[str, Any] = {
        "rows": curve.rows,
        "protocol": curve.protocol.parameters(),
        "scores": list(curve.scores),
        "optimum": None if best is None else {"value": best[0], "score": best[1]},
        "notes": list(curve.notes),
        "cpu_seconds": curve.cpu_seconds,
    }
    if curve.nested is not None:
        data["nested"] = {
            "score": curve.nested.score,
            "chosen": [chosen[curve.path] for chosen in curve.nested.chosen],
        }
    return data


def _means(result: Sweep) -> list[float | None]:
    """Return the mean over the data sets for each value."""
    curves = [curve for curve in result.curves.values() if curve is not None]
    return [_mean([curve.scores[place] for curve in curves]) for place in range(len(result.values))]


def _best_mean(result: Sweep, asked: Asked) -> tuple[float, float] | None:
    return optimum(result.values, _means(result), METRICS[asked.metric].higher_is_better)


def _mean(scores: Sequence[float | None]) -> float | None:
    known = [score for score in scores if score is not None]
    return float(np.mean(known)) if known and len(known) == len(scores) else None


def _line(scores: Sequence[float | None], metric: str) -> list[str]:
    shown = [_shown(score, metric) for score in scores]
    return [*shown, _shown(_mean(scores), metric)] if len(scores) > 1 else shown


def _shown(score: float | None, metric: str) -> str:
    if score is None:
        return "-"
    return f"{100 * score:.2f}" if metric in SHARES else f"{score:.4f}"


def _value(value: float) -> str:
    return f"{value:.12g}"
