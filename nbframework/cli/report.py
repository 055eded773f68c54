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
@click.option("--store", metavar="FILE", help="Where the results of a study are; default where nbf run puts them.")
@click.option("--run", "run", type=int, metavar="N", help="A run of the file; default the last one.")
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="May be repeated; default the study's first.")
@click.option("--form", type=click.Choice(["text", "markdown", "csv", "latex"]), default="text", show_default=True)
@click.option("--weka", type=click.Path(dir_okay=False), metavar="FILE", help="Write Weka's result file, ARFF or CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    results: str,
    store: str | None,
    run: int | None,
    metrics: tuple[str, ...],
    form: str,
    weka: str | None,
    as_json: bool,
) -> None:
    """Print the tables of RESULTS: a results file of nbf run (or postgresql://...), or a study that was run."""
    from nbframework.report.run import run_data, run_text
    from nbframework.study.results import read_run
    from nbframework.study.weka_results import write_weka_results

    opened, study = open_results(results, store)
    with opened:
        found = read_run(opened, run, study)
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


def open_results(name: str, store: str | None = None) -> "tuple[Store, str]":
    """Return the results that a file, an address or a study means, and the study's name where it is one."""
    from nbframework.cli.run import default_store
    from nbframework.study.database import is_server
    from nbframework.study.store import Store
    from nbframework.study.study import load_study

    path = Path(name)
    is_study = path.suffix in (".yaml", ".yml") or (path.suffix != ".db" and not path.is_file())
    if is_server(name) or not is_study:
        if store is not None:
            raise DataError(f"{name}: --store is for a study; these are results")
        return Store(name), ""
    study = load_study(name)
    return Store(store or default_store(study)), study.name
