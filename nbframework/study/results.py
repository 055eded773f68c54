"""Results read back: the cells of a run with their folds, as score tables."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from nbframework.errors import DataError, did_you_mean
from nbframework.evaluation.metrics import METRICS
from nbframework.evaluation.scores import Cell, FloatArray, ScoreTable, method_name
from nbframework.study.decomposition import BIAS_VARIANCE
from nbframework.study.decomposition import METRICS as PARTS
from nbframework.study.documents import damaged, described_run, document, numbers, typed
from nbframework.study.store import Store

_LISTED = 20
"""How many runs a message names."""


@dataclass(frozen=True)
class CellState:
    """How far one cell of a run's tables is.

    Parameters
    ----------
    data, recipe, share
        The data set, the label of the recipe, and the share of the training rows.
    task
        Number of the task.
    repeats, folds
        Repeats, and folds of all of them.
    done
        Folds with results.
    failure
        Why the cell is not complete, or empty.
    """

    data: str
    recipe: str
    share: float
    task: int
    repeats: int
    folds: int
    done: int
    failure: str

    @property
    def complete(self) -> bool:
        """Whether every fold has its scores."""
        return self.done >= self.folds

    @property
    def method(self) -> str:
        """The label, with the share of the training rows on a learning curve."""
        return method_name(self.recipe, self.share)


@dataclass(frozen=True, eq=False)
class RunResults:
    """One run of a study, read from its store.

    Parameters
    ----------
    run
        Number of the run.
    study
        Name of the study.
    described
        Title, citation, protocol in words, metrics and comparison.
    machine
        Where it ran.
    state
        running, complete, failures or interrupted.
    cells
        In the order of the tables.
    """

    run: int
    study: str
    described: dict[str, Any]
    machine: dict[str, Any]
    state: str
    cells: tuple[CellState, ...]
    store: Store

    @property
    def incomplete(self) -> tuple[CellState, ...]:
        """The cells that lack folds."""
        return tuple(cell for cell in self.cells if not cell.complete)

    @property
    def shares(self) -> tuple[float, ...]:
        """The shares of the training rows, ascending: (1,) but for a learning curve."""
        return tuple(sorted({cell.share for cell in self.cells}))

    @property
    def recipes(self) -> tuple[str, ...]:
        """The labels of the recipes in the order of the tables."""
        return tuple(dict.fromkeys(cell.recipe for cell in self.cells))

    def require_measured(self, metric: str) -> None:
        """Raise DataError, naming the metrics there are, where one was not measured."""
        known = self.described["metrics"]
        if metric not in known:
            hint = did_you_mean(metric, known)
            listed = ", ".join(known)
            raise DataError(f"{self.store.name}: metric {metric!r} was not measured{hint} (measured: {listed})")

    def table(self, metric: str, share: float | None = None) -> ScoreTable:
        """Return the scores of one metric; a cell that lacks folds is absent, never a mean of what there is.

        Parameters
        ----------
        metric
            Its name.
        share
            Of a learning curve: one of its shares, the methods being the recipes; None for all of them, each recipe
            with each share being a method.
        """
        chosen = self.cells
        if share is not None:
            chosen = tuple(replace(cell, share=1.0) for cell in self.cells if cell.share == share)
        scores: dict[Cell, FloatArray] = {}
        sizes: dict[str, FloatArray] = {}
        ratios: dict[Cell, float] = {}
        for cell in chosen:
            rows = self.store.query(
                "SELECT value, training_rows, test_rows FROM score JOIN fold USING (task, repeat, fold)"
                " WHERE task = ? AND metric = ? AND repeat < ? ORDER BY repeat, fold",
                (cell.task, metric, cell.repeats),
            )
            if len(rows) < cell.folds:
                continue
            values = numbers(self.store.name, "scores", rows, 3)
            scores[cell.data, cell.method] = values[:, 0]
            # the deviation of a single mean over training sets is not that of a proportion
            if self.described.get("kind") != BIAS_VARIANCE:
                sizes[cell.data] = values[:, 2]
            ratios[cell.data, cell.method] = float(values[:, 2].mean() / values[:, 1].mean())
        datasets = tuple(dict.fromkeys(cell.data for cell in chosen))
        methods = tuple(dict.fromkeys(cell.method for cell in chosen))
        better = metric not in PARTS and (METRICS[metric].higher_is_better if metric in METRICS else True)
        return ScoreTable(metric, datasets, methods, scores, better, sizes, ratios)

    def notes(self) -> Iterator[str]:
        """Yield what the user should know about the fits, by data set."""
        seen = set()
        for cell in self.cells:
            for (text,) in self.store.query("SELECT text FROM note WHERE task = ? ORDER BY text", (cell.task,)):
                note = f"{cell.data}: {text}"
                if note not in seen:
                    seen.add(note)
                    yield note


def read_run(store: Store, run: int | None = None, study: str = "") -> RunResults:
    """Return a run, by default the last one of a study, or of all where none is named.

    Raises
    ------
    DataError
        Where there is no such run, or the file is damaged.
    """
    known = store.query("SELECT id, study FROM run ORDER BY id") if store.database.has_tables() else []
    wanted = [number for number, name in known if (run is None or number == run) and study in ("", name)]
    if not wanted:
        listed = ", ".join(f"{number} {name}" for number, name in known[-_LISTED:]) or "none"
        asked = " ".join(["no run", *([str(run)] if run is not None else []), *([f"of {study}"] if study else [])])
        raise DataError(f"{store.name}: {asked} (runs: {listed})")
    rows = store.query("SELECT id, study, described, machine, state FROM run WHERE id = ?", (wanted[-1],))
    number, study, described, machine, state = rows[0]
    details = described_run(store.name, described)
    metric = details["metrics"][0]
    cells = store.query(
        "SELECT c.data, c.recipe, c.share, c.task, c.repeats, c.folds,"
        " (SELECT count(*) FROM score s WHERE s.task = c.task AND s.metric = ? AND s.repeat < c.repeats),"
        " coalesce((SELECT message FROM failure f WHERE f.task = c.task), '')"
        " FROM cell c WHERE c.run = ? ORDER BY c.position",
        (metric, number),
    )
    if not cells:
        raise damaged(store.name, "a run without cells")
    typed(store.name, "cells", cells, str, str, float, int, int, int, int, str)
    states = tuple(CellState(*row) for row in cells)
    where = document(store.name, "the machine of the run", machine)
    return RunResults(number, study, details, where, state, states, store)
