"""Counts of pairs of values, and the averaged one-dependence estimators that read them."""

import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import Nominal
from benchmarks.goals import WEKA
from benchmarks.measuring import extra_megabytes
from benchmarks.session import Session, main
from nbframework import kernels
from nbframework.kernels import definitions

RECIPE = "weka-aode"
LEARNERS = {
    "TAN": ("tan", "weka.classifiers.bayes.BayesNet", "-D -Q weka.classifiers.bayes.net.search.local.TAN -- -S BAYES"),
    "KDB, k = 1": ("kdb-1", "", ""),
    "HNB": ("hnb", "weka.classifiers.bayes.HNB", ""),
    "WAODE": ("waode", "weka.classifiers.bayes.WAODE", ""),
}
"""Recipes whose structures are learned from pair counts, and what Weka has of them: classifier and options."""
PRODUCT_OF_MATRICES = "one-hot matrix product"


def measure(session: Session) -> None:
    """Measure the pair counts, AODE, and the fit of other structures over pairs."""
    data = Nominal(session.sized(100_000, 500), session.sized(40, 6))
    with tempfile.TemporaryDirectory() as folder:
        queries = Nominal(session.sized(20_000, 100), data.attributes)
        paths = data.write(Path(folder)), queries.write(Path(folder))
        found = session.java("classify", 3, [*paths, "weka.classifiers.bayes.AODE", ""])
    _pairs(session, data, found.get("build"))
    _aode(session, data, queries, found)
    _learners(session, data)
    _growth(session)


def _first(data: Nominal) -> Any:
    return np.arange(data.attributes + 1) * data.values


def _count(form: Any, data: Nominal) -> Any:
    columns, first = data.columns, _first(data)
    return lambda: form.pair_counts(columns, first, data.labels, data.classes)


def _pairs(session: Session, data: Nominal, weka: Any) -> None:
    tasks = {"product": _count(kernels, data), PRODUCT_OF_MATRICES: _count(definitions, data)}
    times = session.timed(tasks)
    peers = {PRODUCT_OF_MATRICES: times[PRODUCT_OF_MATRICES], WEKA: weka}
    session.compare("pair counts", "kernel", data.size, times["product"], peers)
    extra = extra_megabytes(tasks["product"])
    session.amount("memory of pair counts beyond the table", "kernel", data.size, extra, "MB")


def _aode(session: Session, data: Nominal, queries: Nominal, found: Any) -> None:
    recipe = session.recipe("AODE", name=RECIPE)
    if recipe is None:
        return
    classifier, training, asked = recipe.build(), data.dataset, queries.dataset
    fitted = classifier.fit(training)
    times = session.timed(
        {"fit": lambda: classifier.fit(training), "predict": lambda: fitted.predict_log_proba(asked)}, runs=5
    )
    session.compare("fit, AODE", "user", data.size, times["fit"], {WEKA: found.get("build")}, own=True)
    session.compare("predict, AODE", "user", queries.size, times["predict"], {WEKA: found.get("score")}, own=True)


def _learners(session: Session, data: Nominal) -> None:
    training, few = data.dataset, Nominal(100, data.attributes)
    for name, (recipe_name, scheme, options) in LEARNERS.items():
        recipe = session.recipe(name, name=recipe_name)
        if recipe is None:
            continue
        built = None
        if scheme:
            with tempfile.TemporaryDirectory() as folder:
                paths = data.write(Path(folder)), few.write(Path(folder))
                built = session.java("classify", 3, [*paths, scheme, options]).get("build")
        classifier = recipe.build()
        times = session.timed({"fit": partial(classifier.fit, training)}, runs=5)
        session.compare(f"fit, {name}", "user", data.size, times["fit"], {WEKA: built}, own=True)


def _growth(session: Session) -> None:
    rows, width = session.sized(50_000, 200), session.sized(40, 6)
    shapes = {
        "rows": [(n, Nominal(n, width)) for n in (rows // 2, rows, 2 * rows, 4 * rows)],
        "attributes": [(a, Nominal(rows, a)) for a in (width // 2, width, 2 * width)],
        "classes": [(c, Nominal(rows, width, classes=c)) for c in (2, 8, 32)],
        "values": [(v, Nominal(rows, width, values=v)) for v in (2, 4, 8, 16)],
    }
    for over, cases in shapes.items():
        times = [session.timed({"product": _count(kernels, data)}, runs=3)["product"] for _, data in cases]
        session.grows("pair counts", "kernel", over, [size for size, _ in cases], times)
    cases = shapes["attributes"]
    megabytes = [extra_megabytes(_count(kernels, data), result=True) for _, data in cases]
    session.grows_in_memory("pair counts with their table", "kernel", "attributes", [a for a, _ in cases], megabytes)


if __name__ == "__main__":
    main(measure, "structures")
