"""``nbf report``: the tables, the page and the figures of a run."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nbframework.cli.console import note, print_json
from nbframework.cli.outputs import keep_apart
from nbframework.errors import DataError, writing

if TYPE_CHECKING:
    from nbframework.study.results import RunResults
    from nbframework.study.store import Store

_BESIDE = "-"
"""Stands for a page beside the results."""


@click.command("report", epilog="Example: nbf report results/my-study.db --form latex")
@click.argument("results")
@click.option("--store", metavar="FILE", help="Where the results of a study are; default where nbf run puts them.")
@click.option("--run", "run", type=int, metavar="N", help="A run of the file; default the last one.")
@click.option("--metric", "metrics", multiple=True, metavar="NAME", help="May be repeated; default the study's first.")
@click.option("--form", type=click.Choice(["text", "markdown", "csv", "latex"]), default="text", show_default=True)
@click.option(
    "--weka", type=click.Path(dir_okay=False), metavar="FILE", help="Write Weka's result file: .arff or .csv."
)
@click.option(
    "--html",
    is_flag=False,
    flag_value=_BESIDE,
    metavar="[FILE]",
    help="Write a page that needs no network; default beside the results.",
)
@click.option(
    "--figures", type=click.Path(file_okay=False), metavar="FOLDER", help="Write every figure: SVG, PNG, CSV."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    results: str,
    store: str | None,
    run: int | None,
    metrics: tuple[str, ...],
    form: str,
    weka: str | None,
    html: str | None,
    figures: str | None,
    as_json: bool,
) -> None:
    """Print the tables of RESULTS, or write its page or figures.

    RESULTS is a results file of nbf run (or postgresql://...), or a study that was run.
    """
    from nbframework.report.run import run_data, run_text
    from nbframework.study.results import read_run
    from nbframework.study.weka_results import write_weka_results

    page = html if html != _BESIDE else None
    if page is not None and Path(page).suffix.lower() not in (".html", ".htm"):
        raise click.UsageError(
            f"--html {page}: expected a name that ends in .html; --html alone writes beside the results"
        )
    keep_apart("--html", page, [results, store])
    keep_apart("--weka", weka, [results, store])
    opened, study = open_results(results, store)
    with opened:
        found = read_run(opened, run, study)
        for metric in metrics:
            found.require_measured(metric)
        if weka is not None:
            write_weka_results(found, weka)
            note(f"written: {weka}")
        if html is not None:
            _write_page(found, Path(html) if html != _BESIDE else _beside(found))
        if figures is not None:
            _write_figures(found, figures)
        if weka is not None or html is not None or figures is not None:
            return
        if as_json:
            print_json(run_data(found))
        else:
            click.echo(run_text(found, form, metrics))


def _write_page(results: "RunResults", path: Path) -> None:
    from nbframework.report.comparison import run_question
    from nbframework.report.page.run_page import run_page

    page = run_page(results, run_question(results))
    with writing(path):
        path.write_text(page, encoding="utf-8", newline="\n")
    note(f"written: {path}")


def _beside(results: "RunResults") -> Path:
    """Return the page's file where none is named: beside a results file, here for a server."""
    from nbframework.report.tables import file_name
    from nbframework.study.database import is_server

    if is_server(results.store.name):
        return Path(f"{file_name(results.study) or 'report'}.html")
    return Path(results.store.name).with_suffix(".html")


def _write_figures(results: "RunResults", folder: str) -> None:
    from nbframework.report.comparison import run_question
    from nbframework.report.figures.files import write_charts
    from nbframework.report.run_figures import run_charts

    charts = run_charts(results, run_question(results))
    if not charts:
        raise DataError(f"{results.store.name}: the run has no numbers for a figure")
    write_charts(charts, folder)
    note(f"written: {', '.join(chart.name for chart in charts)} (.svg, .png, .csv) in {folder}")


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
