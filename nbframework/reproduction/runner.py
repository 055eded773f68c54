"""Running targets: their studies through the store of results, so that what was run stays and is not run again."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nbframework.evaluation.scores import Cell, ScoreTable
from nbframework.reproduction.derived import only_recipes, only_sets, quick_part, with_evidence, with_seed
from nbframework.reproduction.measured import Measured
from nbframework.reproduction.target import Explanation, Target
from nbframework.reproduction.verdicts import Judged, judge
from nbframework.study.plan import Plan, plan_study
from nbframework.study.results import RunResults, read_run
from nbframework.study.runner import Outcome, Progress, run_plan
from nbframework.study.store import Store, stored_facts
from nbframework.study.study import Study, load_study


@dataclass(frozen=True, eq=False)
class Scores:
    """What a run gave.

    Parameters
    ----------
    tables
        The scores by metric.
    seconds
        Processor time of each data set and recipe.
    """

    tables: Mapping[str, ScoreTable]
    seconds: Mapping[Cell, float]


def no_progress(_: Plan) -> Progress | None:
    """Tell nobody."""
    return None


@dataclass(eq=False)
class Runner:
    """Runs studies, each with its own file of results.

    Parameters
    ----------
    folder
        Where the files of results are, ``STUDY.db`` for each study.
    data_dir
        Where the data files are; None for the environment's folder.
    jobs
        Worker processes.
    watch
        Is told of each plan that is run, and returns who is told of its progress.
    """

    folder: Path = Path("results")
    data_dir: str | os.PathLike[str] | None = None
    jobs: int = 1
    watch: Callable[[Plan], Progress | None] = no_progress
    failures: list[tuple[str, str, str]] = field(default_factory=list)

    def scores(self, study: Study) -> Scores:
        """Run what a study lacks, and return all its scores."""
        address = self.folder / f"{study.name}.db"
        plan = plan_study(study, self.data_dir, facts=stored_facts(address))
        with Store(address, write=True) as store:
            outcome: Outcome = run_plan(plan, store, self.jobs, self.watch(plan))
            self.failures += [failure for failure in outcome.failures if failure not in self.failures]
            results = read_run(store, outcome.run)
            tables = {metric: results.table(metric) for metric in study.metrics}
            return Scores(tables, _seconds(results))

    def measured(self, target: Target, study: Study) -> Measured:
        """Return the figures of a target by a study, which may be a part or a variant of its own."""
        found = self.scores(study)
        whole = {entry.name for entry in load_study(target.study).sets} <= {entry.name for entry in study.sets}
        return Measured(target, found.tables, found.seconds, whole=whole)

    def study(self, target: Target, quick: bool) -> Study:
        """Return the study of a target, or its quick part."""
        study = load_study(target.study)
        return quick_part(study, target.quick) if quick else study

    def judged(self, measured: Measured, study: Study, quick: bool) -> tuple[Judged, ...]:
        """Compare every printed number, running the evidence of what differs; a quick run leaves out other seeds."""

        def evidence(explanation: Explanation, cell: Cell) -> list[float]:
            """Return the figures of a cell under an explanation."""
            seeds = explanation.evidence.seeds if explanation.evidence is not None else ()
            return [] if quick and seeds else self._evidence(explanation, cell, measured, study)

        return judge(measured, evidence)

    def _evidence(self, explanation: Explanation, cell: Cell, measured: Measured, study: Study) -> list[float]:
        evidence = explanation.evidence
        if evidence is None:
            return []
        labels, sets = needed(measured, cell)
        changed = with_evidence(only_sets(study, sets), evidence, labels)
        studies = [with_seed(changed, seed) for seed in evidence.seeds] or [changed]
        values = [self.measured(measured.target, other).value(*cell) for other in studies]
        return [value for value in values if value is not None]


def needed(measured: Measured, cell: Cell) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the labels of the recipes, and the data sets, that a cell is made of; the cell's own recipe first."""
    target, datasets = measured.target, measured.scores().datasets
    column = target.column(cell[1])
    if target.rows_are_recipes:
        own = measured.label(target.methods.get(cell[0], cell[0]))
        return tuple(dict.fromkeys((own, *map(measured.label, column.labels)))), datasets
    if column.kind in ("minus", "over"):
        labels = tuple(label for name in column.labels for label in needed(measured, (cell[0], name))[0])
        return tuple(dict.fromkeys(labels)), measured.averaged(cell[0])
    if column.kind == "score":
        sets = tuple(column.data.replace("{row}", row) for row in measured.averaged(cell[0]))
        return (measured.label(column.labels[0]),), sets
    prefix = column.labels[0]
    found = tuple(label for label in measured.scores().methods if label.startswith(prefix))
    return found, measured.averaged(cell[0])


def part_of(study: Study, labels: Sequence[str], sets: Sequence[str]) -> Study:
    """Return a study of some recipes on some data sets."""
    return only_recipes(only_sets(study, sets), labels)


def _seconds(results: RunResults) -> dict[Cell, float]:
    found = {}
    for cell in results.cells:
        rows = results.store.query(
            "SELECT sum(cpu_seconds) FROM timing WHERE task = ? AND repeat < ?", (cell.task, cell.repeats)
        )
        if rows and rows[0][0] is not None:
            found[cell.data, cell.method] = float(rows[0][0])
    return found
