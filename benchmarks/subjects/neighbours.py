"""The 50 nearest rows, and sums of kernels over all rows."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.goals import WEKA
from benchmarks.measuring import extra_megabytes
from benchmarks.session import SEED, Session, main
from nbframework import Attribute, Dataset, kernels, write_arff

K = 50
BRUTE, HAMMING, NAN = "scikit-learn brute force", "scikit-learn hamming", "scikit-learn nan_euclidean"
POWER = "cdist and power"
RECIPE = """
discretizer: none
neighbourhood: {{nearest: {{k: 50, ties: keep, distance: {distance}}}}}
estimator: frequency
structure: class-only
"""


@dataclass(frozen=True)
class Case:
    """One kind of data: its name, the distance of the recipe, the metric of the peer, and the table."""

    name: str
    distance: str
    peer: str
    metric: str
    table: NDArray[np.float64]
    nominal: tuple[int, ...] = ()

    @property
    def columns(self) -> list[NDArray[Any]]:
        """The columns as kernels take them, numbers scaled to [0, 1]."""
        scaled = self.table / np.nanmax(self.table, axis=0)
        return [
            self.table[:, j].astype(np.uint8) if j in self.nominal else np.ascontiguousarray(scaled[:, j])
            for j in range(self.table.shape[1])
        ]

    def dataset(self, classes: NDArray[np.intp]) -> Dataset:
        """Return the rows as a data set of 26 classes."""
        values = [f"v{code}" for code in range(16)]
        attributes = [
            Attribute.nominal(f"a{j}", values) if j in self.nominal else Attribute.numeric(f"a{j}")
            for j in range(self.table.shape[1])
        ]
        columns = [
            self.table[:, j].astype(np.intp) if j in self.nominal else self.table[:, j]
            for j in range(self.table.shape[1])
        ]
        attributes.append(Attribute.nominal("class", [f"c{code}" for code in range(26)]))
        return Dataset.from_columns(attributes, [*columns, classes], name="rows")


def measure(session: Session) -> None:
    """Measure the search for neighbours and the kappa kernel, as kernels and as recipes."""
    rows, queries = session.sized(18_000, 300), session.sized(2_000, 40)
    classes = np.random.default_rng(SEED).integers(0, 26, rows + queries)
    for case in cases(rows + queries):
        _kernel(session, case, rows)
        _recipe(session, case, rows, classes)
    _kappa(session)
    _growth(session)


def cases(rows: int) -> list[Case]:
    """Return three kinds of rows with 16 attributes, each a whole number from 0 to 15 around the middle."""
    generator = np.random.default_rng([SEED, rows])
    table = np.clip(np.rint(generator.normal(7.5, 2.5, (rows, 16))), 0, 15)
    unknown = np.where((generator.random(table.shape) < 0.02) & (np.arange(16) >= 4), np.nan, table)
    return [
        Case("numeric", "{integer-euclidean: {scale: range}}", BRUTE, "euclidean", table),
        Case("nominal", "overlap", HAMMING, "hamming", table, tuple(range(16))),
        Case("mixed with missing", "heterogeneous-euclidean", NAN, "nan_euclidean", unknown, (0, 1, 2, 3)),
    ]


def _size(case: Case, rows: int) -> str:
    return f"{len(case.table) - rows:,} queries, {rows:,} x {case.table.shape[1]}"


def _kernel(session: Session, case: Case, rows: int) -> None:
    training, queries = [c[:rows] for c in case.columns], [c[rows:] for c in case.columns]
    bounds = np.array([[0.0, 1.0]] * case.table.shape[1])
    tasks = {"product": lambda: kernels.nearest_rows(queries, training, bounds, K)}
    if neighbors := session.module("sklearn.neighbors", case.peer):
        search = neighbors.NearestNeighbors(n_neighbors=K, algorithm="brute", metric=case.metric)
        search.fit(case.table[:rows])
        tasks[case.peer] = lambda: search.kneighbors(case.table[rows:])
    times = session.timed(tasks, runs=5)
    session.compare(
        f"nearest 50, {case.name}",
        "kernel",
        _size(case, rows),
        times["product"],
        {case.peer: times.get(case.peer)},
        own=True,
    )
    extra = extra_megabytes(tasks["product"])
    session.amount(f"extra memory, {case.name}", "kernel", _size(case, rows), extra, "MB")


def _recipe(session: Session, case: Case, rows: int, classes: NDArray[np.intp]) -> None:
    task = f"nearest 50, {case.name}"
    recipe = session.recipe(task, text=RECIPE.format(distance=case.distance))
    if recipe is None:
        return
    dataset = case.dataset(classes)
    training, queries = dataset.take(slice(0, rows)), dataset.take(slice(rows, None))
    classifier = recipe.build()
    tasks = {"product": lambda: classifier.fit(training).predict_log_proba(queries)}
    if neighbors := session.module("sklearn.neighbors", case.peer):
        search = neighbors.KNeighborsClassifier(K, algorithm="brute", metric=case.metric)
        tasks[case.peer] = lambda: search.fit(case.table[:rows], classes[:rows]).predict_proba(case.table[rows:])
    times = session.timed(tasks, runs=5)
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder) / "training.arff", Path(folder) / "queries.arff"
        write_arff(training, paths[0])
        write_arff(queries, paths[1])
        found = session.java("classify", 1, [*paths, "weka.classifiers.lazy.IBk", "-K 50"])
    peers = {case.peer: times.get(case.peer), WEKA: found.get("score")}
    session.compare(task, "user: fit and predict_log_proba", _size(case, rows), times["product"], peers)


def _kappa(session: Session) -> None:
    """Compare sums over all rows, a query left out of its own; the grid's peer gets fewer queries, as does the grid."""
    distance = session.module("scipy.spatial.distance", POWER)
    rows = session.sized(13_611, 300)
    table = np.random.default_rng([SEED, rows]).random((rows, 16))
    start = np.linspace(0, rows, 8).astype(np.intp)
    one_hot = np.repeat(np.eye(7), np.diff(start), axis=0)
    columns, bounds = [np.ascontiguousarray(table[:, j]) for j in range(16)], np.array([[0.0, 1.0]] * 16)

    def product(exponents: Any, asked: NDArray[np.intp]) -> Any:
        queries = [column[asked] for column in columns]
        return kernels.kappa_sums(queries, columns, bounds, start, np.asarray(exponents), left_out=asked)

    def peer(exponents: Any, asked: NDArray[np.intp]) -> Any:
        base = 1.0 + distance.cdist(table[asked], table)
        return [np.power(base, -exponent) @ one_hot for exponent in exponents]

    grid = [float(exponent) for exponent in range(1, 101)]
    many, few = np.arange(0, rows, 10), np.arange(0, rows, 100)
    for name, exponents, asked in (
        ("kappa, integer", [60.0], many),
        ("kappa, real", [59.5], many),
        ("kappa, grid of 100", grid, few),
    ):
        size = f"{len(asked):,} queries, {rows:,} x 16, 7 classes"
        tasks = {"product": _call(product, exponents, asked)}
        if distance is not None:
            tasks[POWER] = _call(peer, exponents, asked)
        if name == "kappa, grid of 100":
            tasks["one kappa"] = _call(product, [60.0], asked)
        times = session.timed(tasks, runs=5)
        peers = {other: times.get(other) for other in (POWER, "one kappa") if other in times}
        session.compare(name, "kernel", size, times["product"], peers, own=True)
        session.amount(f"extra memory, {name}", "kernel", size, extra_megabytes(tasks["product"]), "MB")


def _call(function: Any, exponents: Any, asked: Any) -> Any:
    return lambda: function(exponents, asked)


def _growth(session: Session) -> None:
    queries = session.sized(500, 20)
    base = session.sized(5_000, 100)
    bounds = np.array([[0.0, 1.0]] * 16)
    for index, name in enumerate(("numeric", "nominal", "mixed with missing")):
        sizes = [base, 2 * base, 4 * base]
        times = []
        for rows in sizes:
            columns = cases(rows + queries)[index].columns
            asked, training = [c[rows:] for c in columns], [c[:rows] for c in columns]
            search = _search(asked, training, bounds, K)
            times.append(session.timed({"product": search}, runs=3)["product"])
        session.grows(f"nearest 50, {name}", "kernel", "rows", sizes, times)
        counts = [10, 20, 40, 80]
        found = [session.timed({"product": _search(asked, training, bounds, k)}, runs=3)["product"] for k in counts]
        session.grows(f"nearest, {name}", "kernel", "k", counts, found)
    _kappa_growth(session)


def _kappa_growth(session: Session) -> None:
    """Take as many queries whatever the rows are; sums of all kappas of a query stand side by side."""
    base, queries = session.sized(10_000, 100), session.sized(200, 10)
    bounds, kappas = np.array([[0.0, 1.0]] * 16), np.arange(1.0, 101.0)
    sizes, times, megabytes = [base, 2 * base, 4 * base], [], []
    for rows in sizes:
        table = np.random.default_rng([SEED, rows]).random((16, rows))
        asked, start = [column[:queries] for column in table], np.linspace(0, rows, 8).astype(np.intp)
        one = _sums(asked, list(table), bounds, start, np.array([60.0]))
        times.append(session.timed({"product": one}, runs=3)["product"])
        megabytes.append(extra_megabytes(one))
    session.grows("kappa, integer", "kernel", "rows", sizes, times)
    session.grows_in_memory("kappa, integer", "kernel", "rows", sizes, megabytes)
    counts = [25, 50, 100]
    grids = [_sums(asked, list(table), bounds, start, kappas[:count]) for count in counts]
    session.grows(
        "kappa, a grid", "kernel", "kappas", counts, [session.timed({"product": g}, runs=3)["product"] for g in grids]
    )


def _sums(queries: Any, training: Any, bounds: Any, start: Any, kappas: Any) -> Any:
    return lambda: kernels.kappa_sums(queries, training, bounds, start, kappas)


def _search(queries: Any, training: Any, bounds: Any, k: int) -> Any:
    return lambda: kernels.nearest_rows(queries, training, bounds, k)


if __name__ == "__main__":
    main(measure, "neighbours")
