"""``nbf run``: a study, from where it stopped."""

import contextlib
import math
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nbframework.cli.console import note, print_json

if TYPE_CHECKING:
    from nbframework.study.plan import Plan
    from nbframework.study.runner import Outcome, State
    from nbframework.study.standings import Standing
    from nbframework.study.study import Study

MOST_LISTED = 6
"""Recipes whose scores on a data set are all shown as soon as they are there; of more, the best ones."""
BEST_LISTED = 3
LEAST_TIMED = 2
"""Folds that are timed before the time that is left is told."""
JOBS_HELP = "Worker processes; 1 is none, -1 one for each core. Default: one for each core, after the first seconds."
STORE_HELP = "The results file, or postgresql://user@host/database."


@click.command("run", epilog="Example: nbf run my-study.yaml --data-dir data --jobs 2")
@click.argument("study")
@click.option("--data-dir", type=click.Path(), metavar="DIR", help="Where the data files are; or NBFRAMEWORK_DATA.")
@click.option("--store", metavar="FILE", help=STORE_HELP)
@click.option("--jobs", type=int, metavar="N", help=JOBS_HELP)
@click.option("--engine", type=click.Choice(["local", "dask"]), default="local", show_default=True, help="Who works.")
@click.option("--scheduler", metavar="ADDRESS", help="The scheduler of a Dask cluster, such as tcp://host:8786.")
@click.option("--fresh", is_flag=True, help="Throw earlier results of this file away first.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    study: str,
    data_dir: str | None,
    store: str | None,
    jobs: int | None,
    engine: str,
    scheduler: str | None,
    fresh: bool,
    as_json: bool,
) -> None:
    """Run STUDY (a name or a file) and print its table.

    Everything is checked before the first fold. Results are kept as they come, in FILE: by default a file beside the
    study, or results/STUDY.db for a study that ships with nbframework. A study that was stopped goes on where it
    stopped, and only what has changed is run again. With --engine dask the workers of a running Dask cluster do the
    work; the results are the same.
    """
    _check_engine(engine, scheduler, jobs)
    with _closed_connections_are_errors():
        outcome, name, report = _run(study, data_dir, store, jobs, scheduler, fresh, as_json)
    if isinstance(report, str):
        click.echo(report)
        note(f"results: {name} (nbf report {name})")
    else:
        print_json(report)
    if outcome.failures:
        sys.exit(1)


def _run(
    study: str,
    data_dir: str | None,
    store: str | None,
    jobs: int | None,
    scheduler: str | None,
    fresh: bool,
    as_json: bool,
) -> "tuple[Outcome, str, str | dict[str, Any]]":
    """Return how a run ended, where its results are, and its report."""
    from nbframework.report.run import run_data, run_text
    from nbframework.study.plan import plan_study
    from nbframework.study.results import read_run
    from nbframework.study.runner import prepare, run_plan
    from nbframework.study.store import Store, stored_facts
    from nbframework.study.study import load_study

    loaded = load_study(study)
    address = store or str(default_store(loaded))
    _warn_of_network(address)
    facts = stored_facts(address)
    if not scheduler and (fresh or not facts):
        prepare(jobs)
    plan = plan_study(loaded, data_dir, facts=facts)
    watch = Watch(plan)
    with Store(address, write=True) as opened:
        if fresh:
            opened.clear(loaded.name)
        try:
            outcome = run_plan(plan, opened, jobs, watch, scheduler or "")
        except KeyboardInterrupt:
            note(f"interrupted; results so far are in {opened.name}; the same command goes on from there")
            sys.exit(130)
        watch.end(outcome)
        results = read_run(opened, outcome.run)
        if not as_json:
            return outcome, opened.name, run_text(results)
        return outcome, opened.name, run_data(results) | {"store": opened.name, "new_folds": outcome.new}


def _check_engine(engine: str, scheduler: str | None, jobs: int | None) -> None:
    """Refuse options that contradict each other."""
    if engine == "dask" and not scheduler:
        raise click.UsageError("--engine dask needs --scheduler, such as tcp://host:8786")
    if engine == "local" and scheduler:
        raise click.UsageError("--scheduler is for --engine dask")
    if engine == "dask" and jobs is not None:
        raise click.UsageError("--jobs is for --engine local; a cluster has the workers that it has")


def _warn_of_network(address: str) -> None:
    from nbframework.study.database import is_server
    from nbframework.study.mounts import network_file_system

    if is_server(address):
        return
    kind = network_file_system(address)
    if kind:
        note(
            f"warning: {address} is on a network file system ({kind}), where SQLite can lose results if other machines "
            "use the file at the same time; --store takes a local file, or postgresql://user@host/database"
        )


@contextlib.contextmanager
def _closed_connections_are_errors() -> Iterator[None]:
    """Let a worker or server that hangs up be an error of its connection, where the command would end silently."""
    if not hasattr(signal, "SIGPIPE") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGPIPE, before)


def default_store(study: "Study") -> Path:
    """Return where the results of a study are kept unless the user says otherwise."""
    from nbframework.study.suite import shipped_folder

    if study.path.parent.resolve() == shipped_folder("study").resolve():
        return Path("results") / f"{study.name}.db"
    return study.path.with_suffix(".db")


class Watch:
    """Tells on stderr how a run goes on: what is planned, each data set as it is done, the time left."""

    def __init__(self, plan: "Plan") -> None:
        self._plan = plan
        self._started = time.monotonic()
        self._shown = 0.0
        self._first: tuple[float, int] | None = None
        sizes = _counted(len(plan.data), "data set"), _counted(len(plan.study.recipes), "recipe")
        _tell(f"{plan.study.name}: {' x '.join(sizes)}, {_counted(len(plan.tasks), 'task')}")
        for text in _announced(plan):
            _tell(f"note: {text}")

    def __call__(self, state: "State") -> None:
        """Show a data set that is done, and at most every other second how far the run is."""
        elapsed = time.monotonic() - self._started
        # from the first result on: what comes before, such as reading results that were there, does not come again
        self._first = self._first or (elapsed, state.done)
        if state.standing is not None:
            _tell(f"  {_listed(state.standing)}")
        if elapsed - self._shown < 2.0:
            return
        self._shown = elapsed
        failed = f", {state.failures} failed" if state.failures else ""
        left = _left(state.folds - state.done, state.done - self._first[1], elapsed - self._first[0])
        _tell(f"  {state.data}: {state.done} of {state.folds} folds{failed}{left}")

    def end(self, outcome: "Outcome") -> None:
        """Show how the run ended."""
        elapsed = time.monotonic() - self._started
        again = f", {outcome.before} were there" if outcome.before else ""
        _tell(f"{_counted(outcome.new, 'fold')} in {_duration(elapsed)}{again}")
        for data, recipe, message in outcome.failures:
            _tell(f"error: {recipe} on {data}: {message}")


def _announced(plan: "Plan") -> list[str]:
    """Return what the user should know before the recipes are fitted on the data sets that were read."""
    classifier = {task.recipe_key: task.recipe.build() for task in plan.tasks}
    found: dict[str, None] = {}
    for task in plan.tasks:
        dataset = plan.loaded.get(task.data.name)
        for text in () if dataset is None else classifier[task.recipe_key].announced(dataset):
            found[f"{task.data.name}: {text}"] = None
    return list(found)


def _listed(standing: "Standing") -> str:
    """Return the mean scores on a data set; of many recipes the best ones."""
    from nbframework.evaluation.metrics import METRICS
    from nbframework.evaluation.scores import SHARES
    from nbframework.report.tables import shown

    higher = standing.metric not in METRICS or METRICS[standing.metric].higher_is_better
    ranked = sorted(standing.means.items(), key=lambda item: _rank(item[1], higher))
    some = list(standing.means.items()) if len(ranked) <= MOST_LISTED else ranked[:BEST_LISTED]
    scores = [f"{label} {shown(mean, standing.metric in SHARES)}" for label, mean in some]
    others = len(ranked) - len(some)
    rest = f"; best of {len(ranked)}" if others else ""
    return f"{standing.data}: {', '.join(scores)}{rest}"


def _rank(mean: float | None, higher: bool) -> float:
    return math.inf if mean is None else -mean if higher else mean


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _tell(text: str) -> None:
    """Print on stderr; a run goes on where nobody reads that any more."""
    with contextlib.suppress(BrokenPipeError):
        note(text)


def _left(folds: int, done: int, seconds: float) -> str:
    """Return how long so many folds may take, in words; nothing as long as too few are done to tell."""
    return f", about {_duration(seconds / done * folds)} left" if done >= LEAST_TIMED else ""


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.1f} h"
