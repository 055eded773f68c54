"""``nbf run``: a study, from where it stopped."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nbframework.cli.console import note, print_json

if TYPE_CHECKING:
    from nbframework.study.plan import Plan
    from nbframework.study.runner import Outcome, State
    from nbframework.study.study import Study


@click.command("run", epilog="Example: nbf run my-study.yaml --data-dir data --jobs 2")
@click.argument("study")
@click.option("--data-dir", type=click.Path(), metavar="DIR", help="Where the data files are; or NBFRAMEWORK_DATA.")
@click.option("--store", type=click.Path(dir_okay=False), metavar="FILE", help="The results file; see below.")
@click.option("--jobs", type=int, default=1, show_default=True, help="Worker processes; -1 is one for each core.")
@click.option("--fresh", is_flag=True, help="Throw earlier results of this file away first.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(study: str, data_dir: str | None, store: str | None, jobs: int, fresh: bool, as_json: bool) -> None:
    """Run STUDY (a name or a file) and print its table.

    Everything is checked before the first fold. Results are kept as they come, in FILE: by default a file beside the
    study, or results/STUDY.db for a study that ships with nbframework. A study that was stopped goes on where it
    stopped, and only what has changed is run again.
    """
    from nbframework.study.plan import plan_study
    from nbframework.study.results import read_run
    from nbframework.study.runner import run_plan
    from nbframework.study.store import Store, stored_facts
    from nbframework.study.study import load_study

    loaded = load_study(study)
    path = Path(store) if store else default_store(loaded)
    plan = plan_study(loaded, data_dir, facts=stored_facts(path))
    watch = Watch(plan)
    with Store(path, write=True) as opened:
        if fresh:
            opened.clear()
        try:
            outcome = run_plan(plan, opened, jobs, watch)
        except KeyboardInterrupt:
            note(f"interrupted; results so far are in {path}; the same command goes on from there")
            sys.exit(130)
        watch.end(outcome)
        _print(read_run(opened, outcome.run), outcome, path, as_json)
    if outcome.failures:
        sys.exit(1)


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
        recipes = len(plan.study.recipes)
        note(f"{plan.study.name}: {len(plan.data)} data sets x {recipes} recipes, {len(plan.tasks)} tasks")

    def __call__(self, state: "State") -> None:
        """Show a state, at most every other second."""
        elapsed = time.monotonic() - self._started
        if elapsed - self._shown < 2.0:
            return
        self._shown = elapsed
        new = state.done - state.before
        left = elapsed / new * (state.folds - state.done) if new else 0.0
        failed = f", {state.failures} failed" if state.failures else ""
        note(f"  {state.data}: {state.done} of {state.folds} folds{failed}, about {_duration(left)} left")

    def end(self, outcome: "Outcome") -> None:
        """Show how the run ended."""
        elapsed = time.monotonic() - self._started
        again = f", {outcome.before} were there" if outcome.before else ""
        note(f"{outcome.new} folds in {_duration(elapsed)}{again}")
        for data, recipe, message in outcome.failures:
            note(f"error: {recipe} on {data}: {message}")


def _duration(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.1f} h"


def _print(results: object, outcome: "Outcome", path: Path, as_json: bool) -> None:
    from nbframework.report.run import run_data, run_text
    from nbframework.study.results import RunResults

    assert isinstance(results, RunResults)  # noqa: S101  # for the type checker; imports are lazy
    if as_json:
        print_json(run_data(results) | {"store": str(path), "new_folds": outcome.new})
    else:
        click.echo(run_text(results))
        note(f"results: {path} (nbf report {path})")
