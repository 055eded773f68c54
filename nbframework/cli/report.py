"""``nbf report``: the tables of a run."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nbframework.cli.console import note, print_json
from nbframework.errors import DataError

if TYPE_CHECKING:
    from nbframework.study.store import Store


@click.command("report", epilog="Example: nbf report results/my-study.db --form latex")
@click.argument("results")
@click.option("--run", "run", type=int, metavar="N", help="A run of the file; default the last one.")
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="May be repeated; default the study's first.")
@click.option("--form", type=click.Choice(["text", "markdown", "csv", "latex"]), default="text", show_default=True)
@click.option("--weka", type=click.Path(dir_okay=False), metavar="FILE", help="Write Weka's result file, ARFF or CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    results: str, run: int | None, metrics: tuple[str, ...], form: str, weka: str | None, as_json: bool
) -> None:
    """Print the tables of RESULTS: a results file of nbf run, or a study that was run."""
    from nbframework.report.run import run_data, run_text
    from nbframework.study.results import read_run
    from nbframework.study.weka_results import write_weka_results

    with open_results(results) as store:
        found = read_run(store, run)
        known = found.described["metrics"]
        for metric in metrics:
            if metric not in known:
                raise DataError(f"{results}: metric {metric!r} was not measured (measured: {', '.join(known)})")
        if weka is not None:
            write_weka_results(found, weka)
            note(f"written: {weka}")
        elif as_json:
            print_json(run_data(found))
        else:
            click.echo(run_text(found, form, metrics))


def open_results(name: str) -> "Store":
    """Return the results file of a path or of a study's name."""
    from nbframework.cli.run import default_store
    from nbframework.study.store import Store
    from nbframework.study.study import load_study

    path = Path(name)
    if path.suffix in (".yaml", ".yml") or (path.suffix != ".db" and not path.is_file()):
        path = default_store(load_study(name))
    return Store(path)
