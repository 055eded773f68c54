"""``nbf compare``: the statistics desk."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nbframework.cli.console import note, print_json
from nbframework.cli.outputs import keep_apart
from nbframework.errors import DataError, EvaluationError

if TYPE_CHECKING:
    from nbframework.evaluation.scores import ScoreTable
    from nbframework.report.comparison import Question

TESTS = ("corrected-t", "paired-t", "wilcoxon", "sign", "friedman-nemenyi", "friedman-holm", "bayesian-signed-rank")


@click.command("compare", epilog="Example: nbf compare results/my-study.db --baseline sbc --test wilcoxon")
@click.argument("results")
@click.option("--metric", metavar="NAME", help="The score; default the study's, accuracy for other files.")
@click.option("--baseline", metavar="METHOD", help="Compare with this method; default the study's, or the first.")
@click.option("--test", "tests", multiple=True, type=click.Choice(TESTS), help="May be repeated.")
@click.option("--alpha", type=click.FloatRange(0, 1, min_open=True, max_open=True), help="Level; default 0.05.")
@click.option("--rope", type=click.FloatRange(0), help="Differences up to this are practically none; default 0.01.")
@click.option(
    "--columns", metavar="NAMES", help="The columns of a table typed in as CSV that are methods, joined by commas."
)
@click.option("--store", metavar="FILE", help="Where the results of a study are; default where nbf run puts them.")
@click.option("--run", "run", type=int, metavar="N", help="A run of a results file; default the last one.")
@click.option("--form", type=click.Choice(["text", "markdown", "csv", "latex"]), default="text", show_default=True)
@click.option("--diagram", metavar="FILE", help="Write the critical-difference diagram: .svg, .png, or .csv.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON with every test on every pair.")
def command(
    results: str,
    metric: str | None,
    baseline: str | None,
    tests: tuple[str, ...],
    alpha: float | None,
    rope: float | None,
    columns: str | None,
    store: str | None,
    run: int | None,
    form: str,
    diagram: str | None,
    as_json: bool,
) -> None:
    """Say what is significant in RESULTS.

    RESULTS is a results file of nbf run (or postgresql://...), a study that was run, a result file of Weka's
    Experimenter (.arff or .csv), or a table typed in as CSV: data sets by methods, or with a first column 'fold' the
    folds of one data set.
    """
    from dataclasses import replace

    from nbframework.evaluation.desk import baseline_of
    from nbframework.report.comparison import comparison_data, comparison_tables
    from nbframework.report.comparison_numbers import comparison_numbers
    from nbframework.report.formats import FORMS

    keep_apart("--diagram", diagram, [results, store])
    table, question = _read(results, metric, columns, store, run)
    question = replace(
        question,
        baseline=baseline_of(table, baseline or question.baseline),
        tests=tests or question.tests,
        alpha=question.alpha if alpha is None else alpha,
        rope=question.rope if rope is None else rope,
    )
    if len(table.methods) < 2:
        raise DataError(f"{results}: a comparison needs at least 2 methods, found {', '.join(table.methods)}")
    if diagram is not None:
        _write_diagram(results, table, question.alpha, Path(diagram))
    if as_json:
        print_json(comparison_data(table, question))
        return
    made = [comparison_numbers(table, question)] if form == "csv" else comparison_tables(table, question)
    click.echo("\n\n".join(FORMS[form](found) for found in made))


def _write_diagram(results: str, table: "ScoreTable", alpha: float, path: Path) -> None:
    from nbframework.report.figures.files import checked_suffix, write_chart
    from nbframework.report.run_figures import ranks_chart

    checked_suffix(path)
    try:
        chart = ranks_chart(table, alpha)
    except EvaluationError as error:
        raise EvaluationError(f"{results}: no critical-difference diagram: {error}") from error
    write_chart(chart, path)
    note(f"written: {path}")


def _read(
    name: str, metric: str | None, columns: str | None, store: str | None, run: int | None
) -> "tuple[ScoreTable, Question]":
    from nbframework.report.comparison import Question
    from nbframework.study.typed import read_score_csv
    from nbframework.study.weka_results import read_weka_results

    path = Path(name)
    is_weka = path.suffix == ".arff" or (path.suffix == ".csv" and _is_weka(path))
    if columns is not None and (is_weka or path.suffix != ".csv"):
        raise DataError(f"{name}: --columns is for a table typed in as CSV; this is none")
    if path.suffix in (".arff", ".csv") and (store is not None or run is not None):
        option = "--store" if store is not None else "--run"
        raise DataError(f"{name}: {option} is for a study or a results file of nbf run; this is none")
    if is_weka:
        return read_weka_results(path, metric or "accuracy"), Question("")
    if path.suffix == ".csv":
        names = [part.strip() for part in columns.split(",")] if columns else []
        tests = ("corrected-t", "wilcoxon", "friedman-nemenyi")
        return read_score_csv(path, metric or "accuracy", names), Question("", tests)
    from nbframework.cli.report import open_results
    from nbframework.study.results import read_run

    opened, study = open_results(name, store)
    with opened:
        found = read_run(opened, run, study)
        plan = found.described["comparison"]
        question = Question(plan["baseline"], tuple(plan["tests"]), plan["alpha"], plan["rope"])
        return found.table(metric or plan["metric"]), question


def _is_weka(path: Path) -> bool:
    if not path.is_file():
        raise DataError(f"{path}: no such file")
    with path.open("rb") as file:
        return file.readline(4096).startswith((b"Key_Dataset", b'"Key_Dataset', b"\xef\xbb\xbfKey_Dataset"))
