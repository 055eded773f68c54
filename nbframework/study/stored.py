"""What a run stored beside its scores: times, recipes, predictions, and where everything came from."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.evaluation.reliability import confidences
from nbframework.evaluation.scores import Cell
from nbframework.study.documents import damaged, document, typed
from nbframework.study.results import CellState, RunResults


def fold_seconds(results: RunResults) -> dict[Cell, float]:
    """Return the mean processor seconds of a fold, by data set and method; complete cells only."""
    found = {}
    for cell in results.cells:
        rows = results.store.query(
            "SELECT avg(cpu_seconds) FROM timing WHERE task = ? AND repeat < ?", (cell.task, cell.repeats)
        )
        if cell.complete and rows[0][0] is not None:
            found[cell.data, cell.method] = float(rows[0][0])
    return found


def resolved_recipes(results: RunResults) -> dict[str, dict[str, Any]]:
    """Return each recipe with every default, by its label."""
    return {
        label: document(results.store.name, "a recipe", text)
        for label, text in results.store.query(
            "SELECT DISTINCT cell.recipe, recipe.text FROM cell JOIN task ON task.id = cell.task"
            " JOIN recipe ON recipe.key = task.recipe WHERE cell.run = ?",
            (results.run,),
        )
    }


def stored_confidences(results: RunResults, cell: CellState) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the (n,) posterior of the predicted class and whether it is right, for the rows of known class.

    Both are empty where predictions were not stored.
    """
    rows = results.store.query(
        "SELECT actual, predicted, log_posterior FROM prediction WHERE task = ? AND repeat < ?"
        " ORDER BY repeat, fold, row",
        (cell.task, cell.repeats),
    )
    if not rows:
        return np.empty(0), np.empty(0, dtype=np.bool_)
    name = results.store.name
    typed(name, "predictions", rows, int, int, object)
    actual, predicted = (np.array([row[column] for row in rows], dtype=np.intp) for column in (0, 1))
    sizes = {len(row[2]) if isinstance(row[2], bytes | memoryview) else 0 for row in rows}
    classes, rest = divmod(min(sizes), 8)
    if len(sizes) > 1 or rest or not 0 <= predicted.min() <= predicted.max() < classes or actual.min() < 0:
        raise damaged(name, "predictions that do not fit their classes")
    log_posterior = np.frombuffer(b"".join(bytes(row[2]) for row in rows), dtype="<f8").reshape(len(rows), -1)
    known = actual < log_posterior.shape[1]
    return confidences(log_posterior[known], predicted[known]), actual[known] == predicted[known]


def provenance(results: RunResults) -> dict[str, Any]:
    """Return where a run came from: when and where it ran, its study file, its data files and its recipes."""
    store, run = results.store, (results.run,)
    ((started, finished, text),) = store.query("SELECT started, finished, text FROM run WHERE id = ?", run)
    data = store.query(
        "SELECT cell.data, task.sha256, data.class, data.rows, data.attributes, data.classes, min(cell.position)"
        " FROM cell JOIN task ON task.id = cell.task"
        " JOIN data ON data.sha256 = task.sha256 AND data.class = task.class WHERE cell.run = ?"
        " GROUP BY cell.data, task.sha256, data.class, data.rows, data.attributes, data.classes ORDER BY 7",
        run,
    )
    recipes = store.query(
        "SELECT cell.recipe, recipe.identity, recipe.text, recipe.providers, min(cell.position) FROM cell"
        " JOIN task ON task.id = cell.task JOIN recipe ON recipe.key = task.recipe WHERE cell.run = ?"
        " GROUP BY cell.recipe, recipe.identity, recipe.text, recipe.providers ORDER BY 5",
        run,
    )
    columns = ("name", "sha256", "class", "rows", "attributes", "classes")
    return {
        "started": started,
        "finished": finished,
        "study_file": text,
        "machine": results.machine,
        "data": [dict(zip(columns, row[:6], strict=True)) for row in data],
        "recipes": [
            {
                "label": label,
                "identity": identity,
                "resolved": document(store.name, "a recipe", resolved),
                "providers": document(store.name, "the providers of a recipe", providers),
            }
            for label, identity, resolved, providers, _ in recipes
        ],
    }
