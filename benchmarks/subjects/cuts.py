"""Entropy-MDL cut points of one numeric column."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import numeric_column
from benchmarks.goals import DEFINITION, WEKA
from benchmarks.measuring import extra_megabytes
from benchmarks.session import Session, main
from nbframework import Attribute, Dataset, Recipe, kernels, write_arff
from nbframework.kernels import definitions

TASK = "entropy-mdl"
ARGSORT = "numpy.argsort"


def measure(session: Session) -> None:
    """Measure the search on sorted values, sorting included, and the fit of a whole recipe on one column."""
    rows = session.sized(1_000_000, 2_000)
    values, classes = numeric_column(rows)
    size = f"{rows:,} values, 5 classes"
    tasks = {"product": _search(values, classes, kernels), ARGSORT: lambda: np.argsort(values)}
    tasks[DEFINITION] = _search(values, classes, definitions)
    times = session.timed(tasks)
    peers = {ARGSORT: times[ARGSORT], DEFINITION: times[DEFINITION]}
    session.compare(TASK, "kernel, sorting included", size, times["product"], peers)
    extra = extra_megabytes(tasks["product"], result=True)
    session.amount("extra memory", "kernel, sorting included", size, extra, "MB")
    _fit(session, values, classes, size)
    _growth(session)


def _search(values: Any, classes: Any, form: Any) -> Any:
    def search() -> Any:
        order = np.argsort(values)
        return form.entropy_cuts(values[order], classes[order], 5)

    return search


def _dataset(values: Any, classes: Any) -> Dataset:
    attributes = [Attribute.numeric("x"), Attribute.nominal("class", list("abcde"))]
    return Dataset.from_columns(attributes, [values, classes], name="column")


def _fit(session: Session, values: Any, classes: Any, size: str) -> None:
    """Fit the recipe whose discretizer it is; that encodes and counts the column, too."""
    dataset = _dataset(values, classes)
    classifier = Recipe.load("weka-naive-bayes").build()
    times = session.timed({"product": lambda: classifier.fit(dataset), ARGSORT: lambda: np.argsort(values)})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "column.arff"
        write_arff(dataset, path)
        found = session.java("discretize", 3, [path])
    peers = {ARGSORT: times[ARGSORT], WEKA: found.get("discretize")}
    session.compare(TASK, "user: fit, encoding and counts included", size, times["product"], peers)


def _growth(session: Session) -> None:
    base = session.sized(100_000, 500)
    sizes = [base, 2 * base, 4 * base, 8 * base]
    times = []
    for rows in sizes:
        search = _search(*numeric_column(rows), kernels)
        times.append(session.timed({"product": search})["product"])
    session.grows(TASK, "kernel, sorting included", "rows", sizes, times)


if __name__ == "__main__":
    main(measure, "cuts")
