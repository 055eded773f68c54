"""Locally weighted naive Bayes: attribute weights of the highest conditional likelihood among 50 neighbours."""

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.measuring import Timing
from benchmarks.session import SEED, Session, main
from nbframework import Dataset, EvaluationProtocol, Recipe, kernels, read_arff, write_arff
from nbframework.classifier.local import LocalModel
from nbframework.data.catalog import find_dataset
from nbframework.parts.weights import Evidence

TASK, WHOLE = "LAWNB weights", "LAWNB, fit and predict a fold"
RECIPE = "lawnb-fair"
SCIPY, LWL = "SciPy L-BFGS-B", "Weka LWL"
Floats = NDArray[np.float64]


class Problems(NamedTuple):
    """The neighbourhoods of some queries: (n, C) log priors, (n, C, f) log factors, (n,) classes, (g + 1,) borders."""

    log_prior: Floats
    log_factors: Floats
    classes: NDArray[np.intp]
    start: NDArray[np.intp]

    def each(self) -> Iterator[tuple[Floats, Floats, NDArray[np.intp]]]:
        """Yield the neighbourhoods one by one."""
        for group in range(len(self.start) - 1):
            rows = slice(int(self.start[group]), int(self.start[group + 1]))
            yield self.log_prior[rows], self.log_factors[rows], self.classes[rows]


def measure(session: Session) -> None:
    """Measure the search for weights against SciPy, its optimum against a tight one, and a fold of LAWNB."""
    recipe = session.recipe(TASK, name=RECIPE)
    optimize = session.module("scipy.optimize", SCIPY)
    if recipe is None or optimize is None:
        return
    for name, path in _files(session):
        dataset = read_arff(path)
        (split, *_) = EvaluationProtocol(folds=10, seed=SEED).splits(dataset)
        training, queries = dataset.take(split.train), dataset.take(split.test)
        problems = local_problems(recipe, training, queries.take(slice(0, session.sized(60, 4))))
        _weights(session, name, problems, optimize)
        _fold(session, name, recipe, training, queries)
    _growth(session, name, training, queries)


def _files(session: Session) -> list[tuple[str, Path]]:
    names = () if session.data is None or session.quick else ("segment", "anneal", "letter")
    files = [(name, session.data / f"{name}.arff") for name in names if session.data is not None]
    found = [(name, path) for name, path in files if path.is_file()]
    return found or [("iris", Path(find_dataset("iris")))]


def local_problems(recipe: Recipe, training: Dataset, queries: Dataset) -> Problems:
    """Return the neighbourhoods of the queries with the factors that naive Bayes gives their rows."""
    parts = recipe.build().composition
    encoder, rows = parts.encode(training)
    model = parts.fit_rows(encoder, rows, np.random.default_rng(SEED))
    if not isinstance(model, LocalModel):
        raise TypeError(f"recipe {recipe.name} is not local")
    local, _ = model._local(encoder.queries(queries))
    structure = parts.structure.fit(local, parts.estimator, parts.density)
    evidence = Evidence(local, structure, parts.structure, parts.estimator, parts.density)  # type: ignore[arg-type]  # the recipe is factored
    if local.start is None:
        raise TypeError("the neighbours are not cut into groups")
    return Problems(evidence.log_prior(), evidence.log_factors(), local.classes, local.start)


def likelihood(weights: Floats, log_prior: Floats, log_factors: Floats, classes: NDArray[np.intp]) -> Any:
    """Return the negated conditional log likelihood of one neighbourhood and its gradient, as SciPy takes them."""
    scores = log_prior + log_factors @ weights
    scores -= scores.max(axis=1, keepdims=True)
    posterior = np.exp(scores)
    total = posterior.sum(axis=1, keepdims=True)
    posterior /= total
    rows = np.arange(len(classes))
    value = (scores[rows, classes] - np.log(total[:, 0])).sum()
    gradient = log_factors[rows, classes].sum(axis=0) - np.einsum("lc,lcf->f", posterior, log_factors)
    return -value, -gradient


def _scipy(optimize: Any, problems: Problems, **options: float) -> list[float]:
    """Return the optimum of each neighbourhood as a user's loop finds it; rows of one class need no search."""
    count = problems.log_factors.shape[-1]
    return [
        -float(
            optimize.minimize(
                likelihood,
                np.ones(count),
                args=problem,
                jac=True,
                method="L-BFGS-B",
                bounds=[(0.0, 1.0)] * count,
                options=options,
            ).fun
        )
        for problem in problems.each()
        if len(np.unique(problem[2])) > 1
    ]


def _growth(session: Session, name: str, training: Dataset, queries: Dataset) -> None:
    """Measure a fold with more and more neighbours, the search for them and for their weights together."""
    counts, few = [25, 50, 100], queries.take(slice(0, session.sized(200, 4)))
    times = []
    for count in counts:
        fitted = Recipe.load(RECIPE, **{"neighbourhood.k": count}).build().fit(training)
        times.append(session.timed({"product": partial(fitted.predict_log_proba, few)}, runs=3)["product"])
    session.grows(f"LAWNB, {name}", "user: predict_log_proba", "neighbours", counts, times)


def _weights(session: Session, name: str, problems: Problems, optimize: Any) -> None:
    ones = np.ones(len(problems.classes))

    def product() -> Floats:
        arguments = problems.log_prior, problems.log_factors, problems.classes, ones, problems.start
        solution = kernels.conditional_likelihood_ascent(*arguments, 0.0, 1.0, 1.0, 1e-8, 1e-18, 200)
        return np.asarray(solution.points)

    times = session.timed({"product": product, SCIPY: lambda: _scipy(optimize, problems)}, runs=5)
    groups = len(problems.start) - 1
    size = f"{name}, {groups} queries, {problems.log_factors.shape[-1]} attributes"
    session.compare(TASK, "kernel", size, times["product"], {SCIPY: times[SCIPY]})
    tight = _scipy(optimize, problems, ftol=1e-13, gtol=1e-8, maxiter=10_000)
    mixed = [
        -float(likelihood(weights, *problem)[0])
        for weights, problem in zip(product(), problems.each(), strict=True)
        if len(np.unique(problem[2])) > 1
    ]
    worst = max((best - found for best, found in zip(tight, mixed, strict=True)), default=0.0)
    session.amount("objective below a tight solution", "kernel", size, max(0.0, worst), "nats")


def _fold(session: Session, name: str, recipe: Recipe, training: Dataset, queries: Dataset) -> None:
    classifier = recipe.build()
    tasks = {"product": lambda: classifier.fit(training).predict_log_proba(queries)}
    times = session.timed(tasks, runs=5, least=1)
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder) / "training.arff", Path(folder) / "queries.arff"
        write_arff(training, paths[0])
        write_arff(queries, paths[1])
        options = "-K 50 -W weka.classifiers.bayes.NaiveBayes"
        found = session.java("classify", 1, [*paths, "weka.classifiers.lazy.LWL", options], LWL)
    peers: dict[str, Timing | None] = {LWL: found.get("score")}
    size = f"{name}, {len(queries):,} queries, {len(training):,} rows"
    session.compare(WHOLE, "user", size, times["product"], peers, own=True)


if __name__ == "__main__":
    main(measure, "local")
