"""Ten times ten folds of naive Bayes with supervised discretization over the 20 data sets of a published table."""

import sys
import warnings
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import PAPER_SETS
from benchmarks.goals import WEKA
from benchmarks.measuring import Timing, run_process
from benchmarks.session import SEED, Session, main
from nbframework import Attribute, Dataset, Recipe, evaluate, read_arff

TASK = "10 x 10-fold"
RECIPE = "weka-naive-bayes"
PEER = "scikit-learn KBinsDiscretizer + CategoricalNB"
WHOLE = "Weka, whole process"


def measure(session: Session) -> None:
    """Measure `evaluate`, the same with reading and scores, and the command."""
    paths = _paths(session)
    if not paths:
        return
    datasets = [read_arff(path) for path in paths]
    repeats = session.sized(10, 1)
    size = f"{len(paths)} data sets, {repeats} x 10 folds"
    tasks = {
        "evaluate": lambda: _evaluate(datasets, repeats),
        "all": lambda: [e.scores(["accuracy"]) for e in _evaluate([read_arff(path) for path in paths], repeats)],
    }
    times = session.timed(tasks, runs=5)
    found = session.java("cross-validate", repeats, ["weka.classifiers.bayes.NaiveBayes", "-D", *paths])
    peers = {PEER: _sklearn(session, datasets, repeats)}
    peers |= {WEKA: found.get("cross-validate"), WHOLE: found.get("process")}
    session.compare(TASK, "user: evaluate", size, times["evaluate"], peers, own=True)
    session.compare(TASK, "user: read, evaluate, accuracy", size, times["all"], peers, own=True)
    session.compare(TASK, "process: nbf evaluate", size, _command(session, paths, repeats), peers, own=True)
    _growth(session)


def _growth(session: Session) -> None:
    """Measure ten folds of rows whose numbers tell their classes apart in part, so that there are cut points."""
    base = session.sized(10_000, 100)
    sizes, times = [base, 2 * base, 4 * base], []
    attributes = [*(Attribute.numeric(f"a{j}") for j in range(10)), Attribute.nominal("class", ("0", "1", "2"))]
    for rows in sizes:
        generator = np.random.default_rng([SEED, rows])
        classes = generator.integers(0, 3, rows)
        columns = [generator.normal(size=rows) + classes for _ in range(10)]
        dataset = Dataset.from_columns(attributes, [*columns, classes], name="numbers")
        times.append(session.timed({"product": partial(_evaluate, [dataset], 1)}, runs=3)["product"])
    session.grows("10-fold", "user: evaluate", "rows", sizes, times)


def _paths(session: Session) -> list[Path]:
    if session.data is None:
        session.skip(TASK, "no folder of data sets named: --data-dir or NBFRAMEWORK_DATA")
        return []
    paths = [session.data / f"{name}.arff" for name in PAPER_SETS]
    absent = [path.name for path in paths if not path.is_file()]
    if absent:
        session.skip(TASK, f"not among the data sets: {', '.join(absent)}")
        return []
    return paths[:2] if session.quick else paths


def _evaluate(datasets: Sequence[Dataset], repeats: int) -> list[Any]:
    recipe = Recipe.load(RECIPE)
    return [evaluate(recipe, dataset, folds=10, repeats=repeats, seed=SEED) for dataset in datasets]


def _command(session: Session, paths: Sequence[Path], repeats: int) -> Timing:
    data = [argument for path in paths for argument in ("-d", str(path))]
    command = [sys.executable, "-m", "nbframework", "evaluate", RECIPE, *data, "--repeats", str(repeats)]
    return Timing.of([run_process(command).milliseconds for _ in range(session.sized(3, 1))])


def _sklearn(session: Session, datasets: Sequence[Dataset], repeats: int) -> Timing | None:
    if session.module("sklearn", PEER) is None:
        return None
    return session.timed({PEER: lambda: [_peer(dataset, repeats) for dataset in datasets]}, runs=1, least=1)[PEER]


def _peer(dataset: Dataset, repeats: int) -> Any:
    """Cross-validate the pipeline that scikit-learn's documentation leads to; unknown numbers become the mean."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
    from sklearn.naive_bayes import CategoricalNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import KBinsDiscretizer

    numeric = [i for i, attribute in enumerate(dataset.inputs) if attribute.is_measured]
    nominal = [i for i, attribute in enumerate(dataset.inputs) if attribute.is_nominal]
    table = np.column_stack([column.astype(np.float64) for column in dataset.input_columns])
    bins = make_pipeline(SimpleImputer(keep_empty_features=True), KBinsDiscretizer(5, encode="ordinal"))
    sizes = np.array([5] * len(numeric) + [dataset.inputs[i].cardinality + 2 for i in nominal], dtype=np.intp)
    steps = ColumnTransformer([("numeric", bins, numeric), ("nominal", "passthrough", nominal)])
    model = make_pipeline(steps, CategoricalNB(min_categories=sizes))
    known = dataset.classes < len(dataset.class_values)
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=repeats, random_state=SEED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cross_validate(model, table[known], dataset.classes[known], cv=folds, n_jobs=1)


if __name__ == "__main__":
    main(measure, "cross_validation")
