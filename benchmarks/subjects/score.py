"""Scoring rows with a fitted naive Bayes."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import Nominal, reading
from benchmarks.goals import CATEGORICAL, DEFINITION, READING, WEKA
from benchmarks.measuring import Timing, extra_megabytes
from benchmarks.session import SEED, Session, main
from nbframework import FittedClassifier, Recipe, kernels
from nbframework.data.codes import block_offset
from nbframework.kernels import definitions

RECIPE = "laplace-1"


def measure(session: Session) -> None:
    """Measure `predict` and `predict_log_proba` of simple Bayes, the kernel in them, and how they grow."""
    _predict(session, Nominal(session.sized(1_000_000, 2_000)))
    _weka(session, Nominal(session.sized(100_000, 1_000)))
    _growth(session)


def peer(session: Session, data: Nominal) -> dict[str, Any]:
    """Return CategoricalNB's two ways to score as tasks."""
    bayes = session.module("sklearn.naive_bayes", CATEGORICAL)
    if bayes is None:
        return {}
    codes = data.codes.astype(np.int64)
    fitted = bayes.CategoricalNB(min_categories=data.values).fit(codes[:10_000], data.labels[:10_000])
    return {"predict": lambda: fitted.predict(codes), "predict_log_proba": lambda: fitted.predict_log_proba(codes)}


def _predict(session: Session, data: Nominal) -> None:
    columns, offset = data.columns, block_offset([data.values] * data.attributes)
    table = np.log(np.random.default_rng(SEED).random((data.classes, int(offset[-1]))))
    start = np.log(np.full(data.classes, 1 / data.classes))
    fitted, dataset = _fitted(data), data.dataset
    ways = {"predict": fitted.predict, "predict_log_proba": fitted.predict_log_proba}
    tasks = {
        "kernel": lambda: kernels.log_scores(columns, offset, table, start),
        READING: lambda: reading(columns),
        DEFINITION: lambda: definitions.log_scores(columns, offset, table, start),
        **{way: _call(function, dataset) for way, function in ways.items()},
        **{f"peer {way}": task for way, task in peer(session, data).items()},
    }
    times = session.timed(tasks)
    peers = {READING: times[READING], DEFINITION: times[DEFINITION], CATEGORICAL: times.get("peer predict")}
    session.compare("predict", "kernel", data.size, times["kernel"], peers)
    for way in ways:
        peers = {READING: times[READING], CATEGORICAL: times.get(f"peer {way}")}
        session.compare(way, "user", data.size, times[way], peers)
        share = 100 * extra_megabytes(tasks[way]) * 1e6 / data.codes.nbytes
        session.amount("extra memory of scoring", f"user: {way}", data.size, share, "% of input")


def _fitted(data: Nominal) -> FittedClassifier:
    return Recipe.load(RECIPE).build().fit(data.dataset)


def _call(function: Any, dataset: Any) -> Any:
    return lambda: function(dataset)


def _weka(session: Session, data: Nominal) -> None:
    fitted, dataset = _fitted(data), data.dataset
    with tempfile.TemporaryDirectory() as folder:
        path = data.write(Path(folder))
        found = session.java("classify", 5, [path, path, "weka.classifiers.bayes.NaiveBayes", ""])
    times = session.timed({"product": lambda: fitted.predict_log_proba(dataset)})
    session.compare("predict_log_proba", "user", data.size, times["product"], {WEKA: found.get("score")})


def _growth(session: Session) -> None:
    rows = session.sized(200_000, 500)
    shapes = {
        "rows": [(n, Nominal(n)) for n in (rows // 2, rows, 2 * rows, 4 * rows)],
        "attributes": [(a, Nominal(rows, attributes=a)) for a in (10, 20, 40, 80)],
        "classes": [(c, Nominal(rows, classes=c)) for c in (2, 8, 32)],
        "values": [(v, Nominal(rows, values=v)) for v in (2, 8, 32, 128)],
    }
    for over, cases in shapes.items():
        times = [_one(session, data) for _, data in cases]
        session.grows("predict", "user", over, [size for size, _ in cases], times)
    cases = shapes["rows"]
    megabytes = [extra_megabytes(_call(_fitted(data).predict, data.dataset)) for _, data in cases]
    session.grows_in_memory("predict beside its result", "user", "rows", [size for size, _ in cases], megabytes)


def _one(session: Session, data: Nominal) -> Timing:
    fitted, dataset = _fitted(data), data.dataset
    return session.timed({"product": lambda: fitted.predict(dataset)})["product"]


if __name__ == "__main__":
    main(measure, "score")
