"""``nbf reproduce``: printed tables and figures, run again."""

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nbframework.cli.console import note, print_json, print_table

if TYPE_CHECKING:
    from nbframework.reproduction.outcome import Outcome
    from nbframework.reproduction.runner import Runner
    from nbframework.study.plan import Plan
    from nbframework.study.runner import Progress, State


@click.command("reproduce", epilog="Example: nbf reproduce lawnb2018 table2 --quick --data-dir data")
@click.argument("paper", required=False)
@click.argument("target", required=False)
@click.option("--readings", is_flag=True, help="Run every reading of what the paper leaves open, and rank them.")
@click.option("--quick", is_flag=True, help="Run a part that takes about a minute.")
@click.option("--data-dir", type=click.Path(), metavar="DIR", help="Where the data files are; or NBFRAMEWORK_DATA.")
@click.option("--results", type=click.Path(file_okay=False), default="results", show_default=True, metavar="DIR",
              help="Where results are kept, as nbf run keeps them.")  # fmt: skip
@click.option("--jobs", type=int, default=1, show_default=True, metavar="N", help="Worker processes; -1: all cores.")
@click.option("--output", type=click.Path(file_okay=False), metavar="FOLDER", help="Write a page and its figures.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    paper: str | None,
    target: str | None,
    readings: bool,
    quick: bool,
    data_dir: str | None,
    results: str,
    jobs: int,
    output: str | None,
    as_json: bool,
) -> None:
    """Run a printed table or figure again, and set it beside the print: paper, ours, difference, verdict.

    Without arguments all targets are listed; PAPER alone runs all of a paper's targets with their readings and slips.
    A verdict is within (tolerance), explained (another reading, recipe or draw of the folds closes the gap: it is run
    and shown), or unexplained. What was run is kept and not run again, so an interrupted run goes on where it stopped.
    """
    from nbframework.reproduction.runner import Runner

    if paper is None:
        _list(as_json)
        return
    runner = Runner(Path(results), data_dir, jobs, _watch)
    wanted = [(target, readings)] if target is not None else _everything(paper, readings)
    outcomes = []
    try:
        for name, all_readings in wanted:
            found = _run(paper, name, all_readings, runner, quick)
            outcomes.append(found)
            if not as_json:
                _print(found)
    except KeyboardInterrupt:
        note(f"interrupted; results so far are in {results}; the same command goes on from there")
        sys.exit(130)
    if as_json:
        from nbframework.reproduction.outcome import outcome_data

        print_json([outcome_data(outcome) for outcome in outcomes])
    if output is not None:
        _write(paper, target, outcomes, Path(output))
    for data, recipe, message in runner.failures:
        note(f"error: {recipe} on {data}: {message}")
    if runner.failures:
        sys.exit(1)


def _everything(paper: str, readings: bool) -> list[tuple[str, bool]]:
    """Return the targets of a paper, each followed by its readings where it has any."""
    from nbframework.reproduction.definition import find_definition, load_target, targets_of
    from nbframework.reproduction.exhibits import is_exhibits

    found = []
    for name in targets_of(paper):
        path = find_definition(paper, name)
        has_readings = not is_exhibits(path) and bool(load_target(path).readings)
        found += [] if readings else [(name, False)]
        found += [(name, True)] if has_readings else []
    return found


def _run(paper: str, name: str, readings: bool, runner: "Runner", quick: bool) -> "Outcome":
    from nbframework.reproduction.outcome import reproduce, reproduce_readings

    return (reproduce_readings if readings else reproduce)(paper, name, runner, quick)


def _print(outcome: "Outcome") -> None:
    from nbframework.report.formats import as_text
    from nbframework.reproduction.presentation import SAYS, as_lines

    click.echo(outcome.heading)
    texts = outcome.texts or ("",) * len(outcome.tables)
    for table, text in zip(outcome.tables, texts, strict=True):
        click.echo()
        if text:
            click.echo(text)
        click.echo(as_lines(table) if table.header[0] == SAYS else as_text(table))
    for remark in outcome.remarks:
        click.echo(f"- {remark}")
    click.echo()


def _write(paper: str, target: str | None, outcomes: "list[Outcome]", folder: Path) -> None:
    from nbframework.reproduction.page import write

    stem = paper if target is None else f"{paper}-{target}"
    cited = re.match(r".*?\d{4}", outcomes[0].source)
    title = f"{paper} {target}" if target is not None else cited[0] if cited else paper
    for path in write(outcomes, title, stem, folder):
        note(f"written: {path}")


def _watch(plan: "Plan") -> "Progress | None":
    """Tell of a study as soon as it has something to do."""
    from nbframework.cli.run import Watch

    watches: list[Watch] = []

    def progress(state: "State") -> None:
        """Show a state."""
        if not watches:
            watches.append(Watch(plan))
        watches[0](state)

    return progress


def _list(as_json: bool) -> None:
    """Print every target with its title and what stands behind it."""
    from nbframework.reproduction.definition import find_definition, load_target, target_names
    from nbframework.reproduction.exhibits import is_exhibits, load_exhibits

    rows = []
    for paper, names in target_names().items():
        for name in names:
            path = find_definition(paper, name)
            if is_exhibits(path):
                exhibits = load_exhibits(path)
                rows.append((paper, name, exhibits.title, exhibits.source, ""))
            else:
                target = load_target(path)
                rows.append((paper, name, target.title, target.source, "yes" if target.readings else ""))
    header = ("paper", "target", "title", "source", "readings")
    if as_json:
        print_json([dict(zip(header, row, strict=True)) for row in rows])
    else:
        print_table(header, rows, numeric_from=len(header))
