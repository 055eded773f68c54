"""A line for each method over the data sets: mean, rank, error ratio, wins, and what the tests say."""

from typing import TYPE_CHECKING, Any

import numpy as np

from nbframework.errors import EvaluationError
from nbframework.evaluation.bayesian import bayesian_signed_rank
from nbframework.evaluation.comparison import sign_test, wilcoxon
from nbframework.evaluation.desk import average_ranks, mean_error_ratio
from nbframework.evaluation.ranking import FriedmanResult, critical_difference, friedman, holm, nemenyi
from nbframework.evaluation.scores import ScoreTable
from nbframework.report.formats import Table
from nbframework.report.tables import shown, shown_p

if TYPE_CHECKING:
    from nbframework.report.comparison import Question


def methods_table(table: ScoreTable, question: "Question") -> Table:
    """Return one line for each method: mean, rank, error ratio, wins, and what the tests over data sets say."""
    figures = MethodFigures(table, question)
    tests = figures.tests
    header = ["method", "mean", "rank", "error ratio", "win/tie/loss"]
    header += [f"p {test}" if test != "bayesian-signed-rank" else "P better/equal/worse" for test in tests]
    rows = [figures.row(method) for method in table.methods]
    return Table(f"Methods over data sets, {table.title}", tuple(header), tuple(rows), tuple(figures.notes()))


class MethodFigures:
    """What is said of each method over the data sets, each test made once for all methods.

    Everything is over the data sets on which every method has a finite mean, so that all figures are comparable.
    """

    over_data = ("wilcoxon", "sign", "friedman-nemenyi", "friedman-holm", "bayesian-signed-rank")

    def __init__(self, table: ScoreTable, question: "Question") -> None:
        self.table, self.question, self.names = table, question, table.complete()
        self.shared = table.over(self.names)
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
        """Return the figures of a method; None where there is none, and for the wins of the baseline."""
        index = self.table.methods.index(method)
        rival = index != self.base
        return {
            "method": method,
            "mean": float(self.means[:, index].mean()) if len(self.names) else None,
            "rank": None if self.ranks is None else float(self.ranks[index]),
            "error_ratio": mean_error_ratio(self.shared, method, self.question.baseline)[0],
            "win_tie_loss": self._wins(index) if rival and self.names else None,
            "tests": {test: self._figures(test, index) for test in self.tests} if rival else {},
        }

    def row(self, method: str) -> tuple[str, ...]:
        """Return the figures of a method as cells, - where there is none and ? where a test could not be made."""
        line = self.line(method)
        rank, ratio, wins = line["rank"], line["error_ratio"], line["win_tie_loss"]
        cells = [method, shown(line["mean"], self.table.is_share), "-" if rank is None else f"{rank:.2f}"]
        cells += [
            "-" if ratio is None else f"{ratio:.3f}",
            "" if method == self.question.baseline else "-" if wins is None else "/".join(map(str, wins)),
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
        total = _counted(len(self.table.datasets), "data set")
        if not self.names:
            return [f"Of {total} none has a result of every method, so that nothing can be said over data sets."]
        shared = f"Over {len(self.names)} of {total}, on which every method has a result"
        lines = [f"{shared}; compared with {self.question.baseline}. Wins by mean score. Rank 1 is best."]
        left_out = mean_error_ratio(self.shared, self.question.baseline, self.question.baseline)[1]
        if self.table.has_errors and left_out:
            lines.append(f"Error ratios leave out {_counted(left_out, 'data set')} with a baseline error of 0.")
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


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
