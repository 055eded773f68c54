"""C4.5 against Weka's J48, on the largest real data sets at hand."""

import tempfile
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.measuring import Timing
from benchmarks.session import SEED, Session, main
from nbframework import Dataset, EvaluationProtocol, Recipe, read_arff, write_arff
from nbframework.classifier import Classifier
from nbframework.data.catalog import find_dataset

TASK, PEER = "fit, C4.5", "Weka J48"
RECIPE, SCHEME = "weka-j48", "weka.classifiers.trees.J48"


def measure(session: Session) -> None:
    """Measure the training of a pruned tree, and its predictions of a tenth of the rows."""
    recipe = session.recipe(TASK, name=RECIPE)
    if recipe is None:
        return
    for name, path in _files(session):
        dataset = read_arff(path)
        (split, *_) = EvaluationProtocol(folds=10, seed=SEED).splits(dataset)
        _tree(session, name, recipe, dataset.take(split.train), dataset.take(split.test))


def _files(session: Session) -> list[tuple[str, Path]]:
    names = () if session.data is None or session.quick else ("letter", "adult")
    files = [(name, session.data / f"{name}.arff") for name in names if session.data is not None]
    found = [(name, path) for name, path in files if path.is_file()]
    return found or [("iris", Path(find_dataset("iris")))]


def _tree(session: Session, name: str, recipe: Recipe, training: Dataset, queries: Dataset) -> None:
    classifier = recipe.build()
    fitted = classifier.fit(training)
    times = session.timed(
        {"fit": lambda: classifier.fit(training), "predict": lambda: fitted.predict_log_proba(queries)}, runs=5, least=1
    )
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder) / "training.arff", Path(folder) / "queries.arff"
        write_arff(training, paths[0])
        write_arff(queries, paths[1])
        found = session.java("classify", 3, [*paths, SCHEME, ""], PEER)
    size = f"{name}, {len(training):,} rows"
    built: dict[str, Timing | None] = {PEER: found.get("build")}
    scored: dict[str, Timing | None] = {PEER: found.get("score")}
    session.compare(TASK, "user", size, times["fit"], built, own=True)
    session.compare("predict, C4.5", "user", f"{name}, {len(queries):,} rows", times["predict"], scored, own=True)
    _growth(session, name, classifier, training)


def _growth(session: Session, name: str, classifier: Classifier, training: Dataset) -> None:
    rows = np.random.default_rng(SEED).permutation(len(training))
    parts = [training.take(np.sort(rows[: len(rows) // share])) for share in (4, 2, 1)]
    times = [session.timed({"product": partial(classifier.fit, part)}, runs=3, least=1)["product"] for part in parts]
    session.grows(f"{TASK}, {name}", "user", "rows", [len(part) for part in parts], times)


if __name__ == "__main__":
    main(measure, "trees")
