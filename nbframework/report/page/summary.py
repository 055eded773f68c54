"""A run in one sentence."""

import numpy as np

from nbframework.evaluation.desk import verdicts, win_tie_loss
from nbframework.evaluation.scores import ScoreTable
from nbframework.report.comparison import Question
from nbframework.report.page.grid import marking_test
from nbframework.report.tables import shown

_TESTS = {"corrected-t": "the corrected t test", "paired-t": "the plain t test"}


def summary(table: ScoreTable, question: Question) -> str:
    """Return what a run shows, by one metric and against the baseline.

    Means are over the data sets on which every method has a result.
    """
    names = table.complete()
    if not names:
        count = _counted(len(table.datasets), "data set")
        return f"Of {count} none has a complete result of every recipe yet, so that there is no mean to compare."
    means = np.round(table.means(names).mean(axis=0), 12)
    top = float(means.max() if table.higher_is_better else means.min())
    value = shown(top, table.is_share) + (" %" if table.is_share else "")
    where = f"on {names[0]}" if len(names) == 1 else f"over {len(names)} data sets"
    if len(table.methods) == 1:
        return f"{table.methods[0]} has a mean {table.title} of {value} {where}."
    best = [method for method, mean in zip(table.methods, means, strict=True) if mean == top]
    if len(best) == len(table.methods):
        return f"All {len(best)} recipes have the same mean {table.title} {where}, {value}."
    have = f"{best[0]} has" if len(best) == 1 else f"{', '.join(best[:-1])} and {best[-1]} share"
    text = f"{have} the best mean {table.title} of {len(table.methods)} recipes {where}, {value}"
    return text + _significance(table, question, best) + "."


def _significance(table: ScoreTable, question: Question, best: list[str]) -> str:
    test = marking_test(question)
    marks = verdicts(table, question.baseline, test, question.alpha)
    if not any(verdict.result is not None for verdict in marks):
        return ""
    how = f"by {_TESTS[test]} at {question.alpha:g}"
    if question.baseline in best:
        totals = [win_tie_loss(marks, method) for method in table.methods if method != question.baseline]
        better, worse = sum(count[0] for count in totals), sum(count[2] for count in totals)
        compared = _counted(sum(map(sum, totals)), "comparison")
        return f"; in {compared} with it the others are significantly better {better} and worse {worse} times, {how}"
    better, ties, worse = win_tie_loss(marks, best[0])
    who = best[0] if len(best) > 1 else "it"
    sets = _counted(better + ties + worse, "data set")
    return (
        f"; against {question.baseline} {who} is significantly better on {better} and worse on {worse} of {sets}, {how}"
    )


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
