"""The statistics desk on paper: marks by data set, a line for each method, the verdicts that depend on the test."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nbframework.errors import EvaluationError
from nbframework.evaluation.bayesian import bayesian_signed_rank
from nbframework.evaluation.comparison import PairedResult, sign_test, wilcoxon
from nbframework.evaluation.desk import (
    PER_DATASET,
    Verdict,
    average_ranks,
    flips,
    mean_error_ratio,
    verdicts,
    win_tie_loss,
)
from nbframework.evaluation.ranking import FriedmanResult, critical_difference, friedman, holm, nemenyi
from nbframework.evaluation.scores import ScoreTable
from nbframework.report.formats import Table
from nbframework.report.tables import shown
from nbframework.study.results import RunResults

MARKS = {1: " v", 0: "  ", -1: " *"}


@dataclass(frozen=True)
class Question:
    """What is asked.

    Parameters
    ----------
    baseline
        The method that all others are compared with.
    tests
        Some of `nbframework.study.study.TESTS`.
    alpha
        Level of significance.
    rope
        Half-width of the region of practical equivalence.
    seed
        Of the draws of the Bayesian test.
    metric
        The score that is compared, empty where that is not decided here.
    """

    baseline: str
    tests: tuple[str, ...] = ("corrected-t",)
    alpha: float = 0.05
    rope: float = 0.01
    seed: int = 1
    metric: str = ""


def run_question(results: RunResults) -> Question:
    """Return what a study asks of its results; a baseline that the tables do not have is replaced by their first one.

    On a learning curve the tables have a column for each share of the training rows instead.
    """
    plan = results.described["comparison"]
    methods = [cell.method for cell in results.cells]
    baseline = plan["baseline"] if plan["baseline"] in methods else methods[0]
    return Question(baseline, tuple(plan["tests"]), plan["alpha"], plan["rope"], metric=plan["metric"])


def comparison_tables(table: ScoreTable, question: Question) -> list[Table]:
    """Return the tables that answer a question; a test that cannot be made is named with the reason."""
    if len(table.datasets) == 1:
        return [tests_table(table, question)]
    found = []
    if question_folds(table):
        for test in [test for test in question.tests if test in PER_DATASET[:2]]:
            found.append(marks_table(table, verdicts(table, question.baseline, test, question.alpha), test, question))
    found.append(methods_table(table, question))
    if question_folds(table):
        found.append(flip_table(table, question))
    return found


def question_folds(table: ScoreTable) -> bool:
    """Whether any cell has more than one fold, so that tests on the folds of a data set can be made."""
    return any(len(scores) > 1 for scores in table.scores.values())


def marks_table(table: ScoreTable, found: Sequence[Verdict], test: str, question: Question) -> Table:
    """Return means by data set, the baseline first, each other method marked v (better), * (worse) or blank."""
    methods = [question.baseline, *[method for method in table.methods if method != question.baseline]]
    outcome = {(v.dataset, v.method): MARKS[v.outcome] if v.result is not None else " ?" for v in found}
    rows = []
    for dataset in table.datasets:
        cells = [shown(table.mean(dataset, method), table.is_share) for method in methods]
        rows.append(
            (dataset, *[cell + outcome.get((dataset, m), "  ") for m, cell in zip(methods, cells, strict=True)])
        )
    summary = ["/".join(str(count) for count in win_tie_loss(found, method)) for method in methods[1:]]
    rows.append(("v/ /*", "", *[f"({text})" for text in summary]))
    notes = [f"v better, * worse than {question.baseline} by {test} at {question.alpha:g} on the folds of a data set."]
    if untested := {v.dataset: v.reason for v in found if v.result is None}:
        notes.append("? not tested: " + "; ".join(f"{dataset} ({reason})" for dataset, reason in untested.items()))
    unit = " (%)" if table.is_share else ""
    return Table(f"{test} against {question.baseline}", (f"{table.title}{unit}", *methods), tuple(rows), tuple(notes))


def methods_table(table: ScoreTable, question: Question) -> Table:
    """Return one line for each method: mean, rank, error ratio, wins, and what the tests over data sets say."""
    columns = _Columns(table, question)
    tests = columns.tests
    header = ["method", "mean", "rank", "error ratio", "win/tie/loss"]
    header += [f"p {test}" if test != "bayesian-signed-rank" else "P better/equal/worse" for test in tests]
    rows = [columns.row(method) for method in table.methods]
    return Table(f"Methods over data sets, {table.title}", tuple(header), tuple(rows), tuple(columns.notes()))


def tests_table(table: ScoreTable, question: Question) -> Table:
    """Return what each test says of each method on the folds of the only data set.

    Raises
    ------
    EvaluationError
        Where no test can be made, with the reason.
    """
    found = [v for test in PER_DATASET for v in verdicts(table, question.baseline, test, question.alpha)]
    if all(verdict.result is None for verdict in found):
        # the plain test asks for least
        reason = next(verdict.reason for verdict in found if verdict.test == "paired-t")
        raise EvaluationError(f"{table.datasets[0]}: {reason}")
    words = {1: "better", 0: "no difference", -1: "worse"}
    rows = []
    for v in sorted(found, key=lambda v: table.methods.index(v.method)):
        if v.result is None:
            rows.append((v.method, v.test, "-", "-", "-", "-", f"not tested: {v.reason}"))
            continue
        r = v.result
        difference = f"{100 * r.difference:.2f}" if table.is_share else f"{r.difference:.4f}"
        says = words[v.outcome] + (f" ({r.note})" if r.note else "")
        rows.append((v.method, v.test, str(r.pairs), difference, f"{r.statistic:.6g}", f"{r.p:.7f}", says))
    header = ("method", "test", "folds", "difference", "statistic", "p", "verdict")
    title = f"{table.title} on {table.datasets[0]} against {question.baseline}"
    return Table(title, header, tuple(rows), (f"Two-sided, level {question.alpha:g}.",))


def flip_table(table: ScoreTable, question: Question) -> Table:
    """Return the comparisons whose verdict changes with the test."""
    found = flips(table, question.baseline, PER_DATASET, question.alpha)
    words = {1: "better", 0: "-", -1: "worse"}
    rows = tuple(
        (f.dataset, f.method, *[words[f.outcomes[test]] if test in f.outcomes else "?" for test in PER_DATASET])
        for f in found
    )
    total = len(table.datasets) * (len(table.methods) - 1)
    note = f"{len(found)} of {total} verdicts at {question.alpha:g} against {question.baseline} change with the test."
    return Table("Flip report", ("data set", "method", *PER_DATASET), rows, (note,))


class _Columns:
    """The tests over data sets, each made once for all methods."""

    over_data = ("wilcoxon", "sign", "friedman-nemenyi", "friedman-holm", "bayesian-signed-rank")

    def __init__(self, table: ScoreTable, question: Question) -> None:
        self.table, self.question, self.names = table, question, table.complete()
        self.tests = [test for test in question.tests if test in self.over_data]
        self.means = table.means(self.names)
        self.ranks = average_ranks(table)
        self.base = table.methods.index(question.baseline)
        self.friedman: FriedmanResult | None = None
        self.reasons: dict[str, None] = {}
        if any(test.startswith("friedman") for test in question.tests):
            try:
                self.friedman = friedman(self.means, table.higher_is_better)
            except EvaluationError as error:
                self.reasons[str(error)] = None
        self.adjusted = {}
        if self.friedman is not None:
            self.adjusted = {
                "friedman-nemenyi": nemenyi(self.friedman)[self.base],
                "friedman-holm": holm(self.friedman, self.base),
            }

    def line(self, method: str) -> dict[str, Any]:
        """Return the figures of a method; None where there is none, no wins and tests for the baseline."""
        index = self.table.methods.index(method)
        rival = index != self.base
        return {
            "method": method,
            "mean": float(self.means[:, index].mean()) if len(self.names) else None,
            "rank": None if self.ranks is None else float(self.ranks[index]),
            "error_ratio": mean_error_ratio(self.table, method, self.question.baseline)[0],
            "win_tie_loss": self._wins(index) if rival else None,
            "tests": {test: self._figures(test, index) for test in self.tests} if rival else {},
        }

    def row(self, method: str) -> tuple[str, ...]:
        line = self.line(method)
        rank, ratio = line["rank"], line["error_ratio"]
        cells = [method, shown(line["mean"], self.table.is_share), "-" if rank is None else f"{rank:.2f}"]
        cells += [
            "-" if ratio is None else f"{ratio:.3f}",
            "/".join(str(count) for count in line["win_tie_loss"] or ()),
        ]
        return (*cells, *[_shown_figures(line["tests"][test]) if line["tests"] else "" for test in self.tests])

    def _wins(self, index: int) -> tuple[int, int, int]:
        difference = np.round(self.means[:, index] - self.means[:, self.base], 12)
        if not self.table.higher_is_better:
            difference = -difference
        return int((difference > 0).sum()), int((difference == 0).sum()), int((difference < 0).sum())

    def _figures(self, test: str, index: int) -> dict[str, float] | None:
        """Return the probability that a test gives, or its probabilities; None where it cannot be made."""
        mine, other = self.means[:, index], self.means[:, self.base]
        try:
            if test == "bayesian-signed-rank":
                sign = 1.0 if self.table.higher_is_better else -1.0
                generator = np.random.default_rng([self.question.seed, index])
                found = bayesian_signed_rank(sign * mine, sign * other, self.question.rope, generator)
                return {"better": found.first, "equal": found.equal, "worse": found.second}
            if test in ("wilcoxon", "sign"):
                return {"p": (wilcoxon if test == "wilcoxon" else sign_test)(mine, other).p}
        except EvaluationError as error:
            self.reasons[f"{test}: {error}"] = None
            return None
        return {"p": float(self.adjusted[test][index])} if test in self.adjusted else None

    def notes(self) -> list[str]:
        """Return what has to be known of the figures, and the reason of each test that could not be made."""
        asked = f"{self.question.baseline}. Wins by mean score. Rank 1 is best."
        shared = f"Over {len(self.names)} of {len(self.table.datasets)} data sets, on which every method has a result"
        lines = [f"{shared}; compared with {asked}"]
        left_out = {mean_error_ratio(self.table, m, self.question.baseline)[1] for m in self.table.methods}
        if self.table.has_errors and max(left_out):
            lines.append(
                f"Error ratios leave out {max(left_out)} data sets without a result or with a baseline error of 0."
            )
        if self.friedman is not None:
            f = self.friedman
            text = f"Friedman chi-square {f.statistic:.3f} (p {shown_p(f.p)}), Iman-Davenport F {f.f_statistic:.3f}"
            lines.append(f"{text} (p {shown_p(f.f_p)}).")
        if self.friedman is not None and "friedman-nemenyi" in self.tests:
            difference = critical_difference(self.friedman, self.question.alpha)
            lines.append(f"Nemenyi's critical difference of ranks at {self.question.alpha:g} is {difference:.3f}.")
        if "bayesian-signed-rank" in self.tests:
            lines.append(f"Region of practical equivalence: differences up to {self.question.rope:g}.")
        return [*lines, *[f"Not tested: {reason}" for reason in self.reasons]]


def _shown_figures(figures: dict[str, float] | None) -> str:
    if figures is None:
        return "?"
    return shown_p(figures["p"]) if "p" in figures else "/".join(f"{value:.3f}" for value in figures.values())


def shown_p(p: float) -> str:
    """Return a probability with four digits, a small one as a bound."""
    if np.isnan(p):
        return ""
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def comparison_data(table: ScoreTable, question: Question) -> dict[str, Any]:
    """Return the answers as plain data, every test on every pair."""
    pairs = []
    tests = [test for test in PER_DATASET if question_folds(table)]
    for test in tests:
        for v in verdicts(table, question.baseline, test, question.alpha):
            entry: dict[str, Any] = {"data": v.dataset, "method": v.method, "test": test, "outcome": v.outcome}
            pairs.append(entry | ({"reason": v.reason} if v.result is None else _result(v.result)))
    columns = _Columns(table, question)
    methods = [columns.line(method) for method in table.methods]
    return {
        "metric": table.metric,
        "baseline": question.baseline,
        "alpha": question.alpha,
        "verdicts": pairs,
        "methods": methods,
        "notes": columns.notes(),
        "flips": [{"data": f.dataset, "method": f.method, "outcomes": f.outcomes} for f in _flips(table, question)],
    }


def _flips(table: ScoreTable, question: Question) -> Sequence[Any]:
    return flips(table, question.baseline, PER_DATASET, question.alpha) if question_folds(table) else ()


def _result(result: PairedResult) -> dict[str, Any]:
    return {
        "statistic": result.statistic,
        "p": result.p,
        "pairs": result.pairs,
        "difference": result.difference,
        "note": result.note,
    }
