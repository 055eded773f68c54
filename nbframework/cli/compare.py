"""``nbf compare``: the statistics desk."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nbframework.cli.console import note, print_json
from nbframework.cli.outputs import keep_apart
from nbframework.errors import DataError, EvaluationError

if TYPE_CHECKING:
    from nbframework.evaluation.scores import ScoreTable
    from nbframework.report.comparison import Question
    from nbframework.report.formats import Table

    Curve = dict[float, ScoreTable]
    Asked = tuple[float | None, ScoreTable, Question]

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
@click.option(
    "--test-ratio",
    type=click.FloatRange(0, min_open=True),
    metavar="X",
    help="Test rows / training rows of a fold of a table typed in; default 1 / (folds - 1).",
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
    test_ratio: float | None,
    store: str | None,
    run: int | None,
    form: str,
    diagram: str | None,
    as_json: bool,
) -> None:
    """Say what is significant in RESULTS.

    RESULTS is a results file of nbf run (or postgresql://...), a study that was run, a result file of Weka's
    Experimenter (.arff or .csv), or a table typed in as CSV: data sets by methods, or with a first column 'fold' the
    folds of one data set. On a learning curve the recipes are compared at each share of the training rows; with a
    baseline such as 'sbc (10 %)', all of them with that one.
    """
    from nbframework.report.comparison import comparison_data

    keep_apart("--diagram", diagram, [results, store])
    table, question, curve = _read(results, metric, columns, test_ratio, store, run)
    question = replace(
        question,
        baseline=baseline or question.baseline,
        tests=tests or question.tests,
        alpha=question.alpha if alpha is None else alpha,
        rope=question.rope if rope is None else rope,
    )
    if len(table.methods) < 2:
        raise DataError(f"{results}: a comparison needs at least 2 methods, found {', '.join(table.methods)}")
    asked = _asked(table, question, curve)
    if diagram is not None:
        _write_diagram(results, table, question.alpha, Path(diagram))
    if as_json:
        found = [
            ({} if share is None else {"training_share": share}) | comparison_data(part, chosen)
            for share, part, chosen in asked
        ]
        print_json(found[0] if asked[0][0] is None else {"training_shares": found})
    else:
        click.echo(_text(asked, form))


def _asked(table: "ScoreTable", question: "Question", curve: "Curve") -> "list[Asked]":
    """Return what is compared, each with the share of the training rows; with None where they are not told apart."""
    from nbframework.evaluation.desk import baseline_of
    from nbframework.evaluation.scores import method_name

    recipes = next(iter(curve.values())).methods if curve else ()
    if len(recipes) < 2 or (question.baseline and question.baseline not in recipes):
        # a single recipe is compared with itself, and is called by its largest share where it is the baseline
        name = method_name(question.baseline, max(curve)) if question.baseline in recipes else question.baseline
        return [(None, table, replace(question, baseline=baseline_of(table, name)))]
    chosen = replace(question, baseline=question.baseline or recipes[0])
    return [(share, part, chosen) for share, part in curve.items()]


def _text(asked: "list[Asked]", form: str) -> str:
    from nbframework.report.comparison import comparison_tables
    from nbframework.report.comparison_numbers import comparison_numbers
    from nbframework.report.formats import FORMS

    made: list[Table] = []
    for share, table, question in asked:
        if form != "csv":
            head = "" if share is None else f"With {100 * share:g} % of the training rows: "
            made += [replace(found, title=head + found.title) for found in comparison_tables(table, question)]
            continue
        numbers = comparison_numbers(table, question)
        if share is not None:
            rows = tuple((f"{100 * share:g}", *row) for row in numbers.rows)
            numbers = replace(numbers, header=("training rows (%)", *numbers.header), rows=rows)
        made = [replace(made[0], rows=(*made[0].rows, *numbers.rows)) if made else numbers]
    return "\n\n".join(FORMS[form](found) for found in made)


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
    name: str, metric: str | None, columns: str | None, test_ratio: float | None, store: str | None, run: int | None
) -> "tuple[ScoreTable, Question, Curve]":
    """Return the scores, what the study asks of them, and of a learning curve the scores at each share."""
    from nbframework.report.comparison import Question
    from nbframework.study.typed import read_score_csv
    from nbframework.study.weka_results import read_weka_results

    path = Path(name)
    is_weka = path.suffix == ".arff" or (path.suffix == ".csv" and _is_weka(path))
    if columns is not None and (is_weka or path.suffix != ".csv"):
        raise DataError(f"{name}: --columns is for a table typed in as CSV; this is none")
    if test_ratio is not None and (is_weka or path.suffix != ".csv"):
        raise DataError(f"{name}: --test-ratio is for a table typed in as CSV; these results have their own")
    if path.suffix in (".arff", ".csv") and (store is not None or run is not None):
        option = "--store" if store is not None else "--run"
        raise DataError(f"{name}: {option} is for a study or a results file of nbf run; this is none")
    if is_weka:
        return read_weka_results(path, metric or "accuracy"), Question(""), {}
    if path.suffix == ".csv":
        names = [part.strip() for part in columns.split(",")] if columns else []
        tests = ("corrected-t", "wilcoxon", "friedman-nemenyi")
        return read_score_csv(path, metric or "accuracy", names, test_ratio or 0.0), Question("", tests), {}
    from nbframework.cli.report import open_results
    from nbframework.study.results import read_run

    opened, study = open_results(name, store)
    with opened:
        found = read_run(opened, run, study)
        plan = found.described["comparison"]
        question = Question(plan["baseline"], tuple(plan["tests"]), plan["alpha"], plan["rope"])
        chosen = metric or plan["metric"]
        found.require_measured(chosen)
        curve = {share: found.table(chosen, share) for share in found.shares} if found.shares != (1.0,) else {}
        return found.table(chosen), question, curve


def _is_weka(path: Path) -> bool:
    if not path.is_file():
        raise DataError(f"{path}: no such file")
    with path.open("rb") as file:
        return file.readline(4096).startswith((b"Key_Dataset", b'"Key_Dataset', b"\xef\xbb\xbfKey_Dataset"))
