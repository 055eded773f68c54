"""Fitting naive Bayes on nominal data: counting is all there is to it."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import Nominal, reading
from benchmarks.goals import CATEGORICAL, DEFINITION, READING, WEKA
from benchmarks.measuring import Timing, extra_megabytes
from benchmarks.session import Session, main
from nbframework import Recipe, kernels
from nbframework.data.codes import block_offset
from nbframework.kernels import definitions

RECIPE = "laplace-1"


def measure(session: Session) -> None:
    """Measure `fit` of simple Bayes, the kernel in it, and how both grow."""
    _fit(session, Nominal(session.sized(1_000_000, 2_000)))
    _weka(session, Nominal(session.sized(100_000, 1_000)))
    _growth(session)


def peer_fit(session: Session, data: Nominal) -> dict[str, Any]:
    """Return CategoricalNB's fit as a task; its fastest input is the one that it takes without a copy of its own."""
    bayes = session.module("sklearn.naive_bayes", CATEGORICAL)
    if bayes is None:
        return {}
    codes = data.codes.astype(np.int64)
    return {CATEGORICAL: lambda: bayes.CategoricalNB(min_categories=data.values).fit(codes, data.labels)}


def _fit(session: Session, data: Nominal) -> None:
    columns, offset = data.columns, block_offset([data.values] * data.attributes)
    classifier, dataset = Recipe.load(RECIPE).build(), data.dataset
    tasks = {
        "kernel": lambda: kernels.class_counts(columns, offset, data.labels, data.classes),
        "fit": lambda: classifier.fit(dataset),
        READING: lambda: reading(columns),
        DEFINITION: lambda: definitions.class_counts(columns, offset, data.labels, data.classes),
        **peer_fit(session, data),
    }
    times = session.timed(tasks)
    peers = {name: times.get(name) for name in (READING, DEFINITION, CATEGORICAL)}
    session.compare("fit", "kernel", data.size, times["kernel"], peers)
    session.compare("fit", "user", data.size, times["fit"], peers)
    peers = {CATEGORICAL: times.get(CATEGORICAL)}
    session.compare("fit without compiled kernels", "kernel", data.size, times[DEFINITION], peers)
    extra = extra_megabytes(lambda: classifier.fit(dataset), result=True)
    session.amount("extra memory of fit", "user", data.size, 100 * extra * 1e6 / data.codes.nbytes, "% of input")


def _weka(session: Session, data: Nominal) -> None:
    classifier = Recipe.load(RECIPE).build()
    with tempfile.TemporaryDirectory() as folder:
        path = data.write(Path(folder))
        peer = session.java("classify", 7, [path, path, "weka.classifiers.bayes.NaiveBayes", ""])
    times = session.timed({"product": lambda: classifier.fit(data.dataset)})
    session.compare("fit", "user", data.size, times["product"], {WEKA: peer.get("build")})


def _growth(session: Session) -> None:
    rows = session.sized(200_000, 500)
    shapes = {
        "rows": [(n, Nominal(n)) for n in (rows // 2, rows, 2 * rows, 4 * rows)],
        "attributes": [(a, Nominal(rows, attributes=a)) for a in (10, 20, 40, 80)],
        "classes": [(c, Nominal(rows, classes=c)) for c in (2, 8, 32, 128)],
        "values": [(v, Nominal(rows, values=v)) for v in (2, 8, 32, 128)],
    }
    classifier = Recipe.load(RECIPE).build()
    for over, cases in shapes.items():
        times = [_one(session, classifier, data) for _, data in cases]
        session.grows("fit", "user", over, [size for size, _ in cases], times)


def _one(session: Session, classifier: Any, data: Nominal) -> Timing:
    dataset = data.dataset
    return session.timed({"product": lambda: classifier.fit(dataset)})["product"]


if __name__ == "__main__":
    main(measure, "count")
