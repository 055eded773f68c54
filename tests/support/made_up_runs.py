"""Runs with made-up scores, written by the store's own methods, so that big ones cost nothing."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from nbframework.evaluation.evaluate import Predictions
from nbframework.evaluation.protocol import EvaluationProtocol
from nbframework.recipe import Recipe
from nbframework.study.plan import Plan, PlannedData, Task
from nbframework.study.protocols import StudyProtocol
from nbframework.study.store import Store
from nbframework.study.study import ComparisonPlan
from nbframework.study.work import FoldResult

Score = Callable[[int, int, int], dict[str, float]]
"""Scores of a data set, a recipe and a fold, all by their numbers."""


def store_run(
    path: Path,
    datasets: Sequence[str],
    recipes: Sequence[tuple[str, Recipe]],
    score: Score,
    *,
    metrics: Sequence[str] = ("accuracy",),
    protocol: EvaluationProtocol | None = None,
    folds: int = 10,
    title: str = "Made up",
    predictions: Callable[[int], tuple[Any, Any]] | None = None,
    findings: Sequence[Any] = (),
) -> Path:
    """Write a run of 90 training and 10 test rows a fold.

    Parameters
    ----------
    path
        The results file.
    datasets, recipes
        Names of the data sets; labels of the recipes with recipes.
    score
        The scores.
    protocol
        Its number of folds is ``folds``.
    predictions
        (n, 2) log posteriors and (n,) true classes by the number of a recipe, the same in every fold.
    """
    protocol = protocol or EvaluationProtocol(folds=folds)
    comparison = ComparisonPlan(metrics[0], recipes[0][0], ("corrected-t", "wilcoxon"))
    study = SimpleNamespace(
        name="made-up",
        title=title,
        cite="",
        text="study: made-up\n",
        protocol=StudyProtocol(protocol),
        metrics=tuple(metrics),
        comparison=comparison,
        recipes=(),
    )
    planned = [
        PlannedData(name, path, f"{number:064x}", "class", 100, 4, 2, f"facts {number}", "{}")
        for number, name in enumerate(datasets)
    ]
    tasks = [
        Task(data, label, recipe, protocol, folds, json.dumps([data.name, label]), f"{number:064x}")
        for data in planned
        for number, (label, recipe) in enumerate(recipes)
    ]
    with Store(path, write=True) as store:
        run, numbers = store.begin(Plan(study, tuple(planned), tuple(tasks), findings=tuple(findings)))  # type: ignore[arg-type]
        for place, number in enumerate(numbers):
            data, recipe = divmod(place, len(recipes))
            for fold in range(folds):
                scores: dict[str, float | None] = dict(score(data, recipe, fold))
                made = None
                if predictions is not None:
                    log_posterior, truth = predictions(recipe)
                    rows = np.arange(len(truth))
                    made = (Predictions(0, fold, rows, log_posterior, log_posterior.argmax(axis=1)), truth)
                seconds = 0.001 * (recipe + 1)
                store.add(FoldResult(number, 0, fold, 90, 10, 10.0, scores, seconds, seconds, (), made))
        store.finish(run, "complete")
    return path
