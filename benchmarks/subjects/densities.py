"""Naive Bayes over numbers: normal densities, and counts."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import Measured
from benchmarks.goals import DEFINITION, OF_DENSITY
from benchmarks.measuring import extra_megabytes
from benchmarks.session import SEED, Session, main
from nbframework import Dataset, FittedClassifier, Recipe, kernels
from nbframework.kernels import definitions

WAYS = ("predict", "predict_proba")


def measure(session: Session) -> None:
    """Measure fit and predictions of each density, the kernels in them, and how they grow."""
    data = Measured(session.sized(100_000, 500))
    for density, peer in OF_DENSITY.items():
        numbers = data.normal if density == "gaussian" else data.counts
        _users(session, data, numbers, density, peer)
    _kernels(session, data)
    _growth(session)


def _users(session: Session, data: Measured, numbers: NDArray[np.float64], density: str, peer: str) -> None:
    recipe = session.recipe(density, name=f"{density}-nb")
    if recipe is None:
        return
    classifier, dataset = recipe.build(), data.dataset(numbers)
    fitted = classifier.fit(dataset)
    tasks = {"fit": partial(_fit, recipe, dataset), **{way: partial(getattr(fitted, way), dataset) for way in WAYS}}
    if bayes := session.module("sklearn.naive_bayes", peer):
        part = getattr(bayes, peer.removeprefix("scikit-learn "))
        theirs = part().fit(numbers, data.labels)
        tasks["peer fit"] = lambda: part().fit(numbers, data.labels)
        tasks |= {f"peer {way}": partial(getattr(theirs, way), numbers) for way in WAYS}
    times = session.timed(tasks)
    for way in ("fit", *WAYS):
        session.compare(f"{way}, {density}", "user", data.size, times[way], {peer: times.get(f"peer {way}")}, own=True)
    share = 100 * extra_megabytes(tasks["predict"]) * 1e6 / numbers.nbytes
    session.amount(f"extra memory of predict, {density}", "user", data.size, share, "% of input")


def _fit(recipe: Recipe, dataset: Dataset) -> FittedClassifier:
    """Fit on rows of which nothing is kept from an earlier fit."""
    return recipe.build().fit(dataset.take(slice(None)))


def _kernels(session: Session, data: Measured) -> None:
    """Compare the sums of a row and of a class with their definitions, on columns that lie in one piece."""
    normal, counts = np.asfortranarray(data.normal), np.asfortranarray(data.counts)
    table = np.random.default_rng(SEED).random((2, data.classes, data.attributes))
    arguments: dict[str, tuple[Any, ...]] = {
        "gaussian_scores": (normal, *table),
        "count_scores": (counts, np.log(table[0])),
        "threshold_scores": (counts, 0.0, *np.log(table)),
        "class_totals": (counts, data.labels, data.classes, np.ones(data.rows)),
        "class_moments": (normal, data.labels, data.classes, np.ones(data.rows)),
    }
    for name, given in arguments.items():
        forms = {"product": kernels, DEFINITION: definitions}
        times = session.timed({form: partial(getattr(module, name), *given) for form, module in forms.items()})
        session.compare(name, "kernel", data.size, times["product"], {DEFINITION: times[DEFINITION]})


def _growth(session: Session) -> None:
    rows = session.sized(50_000, 200)
    shapes = {
        "rows": [(n, Measured(n)) for n in (rows // 2, rows, 2 * rows, 4 * rows)],
        "attributes": [(a, Measured(rows, attributes=a)) for a in (10, 20, 40, 80)],
        "classes": [(c, Measured(rows, classes=c)) for c in (2, 8, 32)],
    }
    for over, cases in shapes.items():
        times = []
        for _, data in cases:
            recipe, dataset = Recipe.load("gaussian-nb"), data.dataset(data.normal)
            fitted = recipe.build().fit(dataset)
            tasks = {"fit": partial(_fit, recipe, dataset), "predict": partial(fitted.predict, dataset)}
            times.append(session.timed(tasks, runs=5))
        for task in ("fit", "predict"):
            found = [timing[task] for timing in times]
            session.grows(f"{task}, gaussian", "user", over, [size for size, _ in cases], found)


if __name__ == "__main__":
    main(measure, "densities")
