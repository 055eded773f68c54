"""A paper's conclusions as statements about figures, which hold or do not."""

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from nbframework.errors import EvaluationError
from nbframework.evaluation.comparison import PAIRED
from nbframework.reproduction.measured import Measured
from nbframework.reproduction.target import Claim

ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "order": (),
    "between": ("at_least", "at_most"),
    "best": ("among", "except", "?least_share"),
    "signs": ("positive", "negative", "?most"),
    "wins": ("against", "test", "printed"),
}
"""The kinds of claims and what each asks for, besides what it is named after; a question mark is before what may be
left out.

order: a list of cells, each larger than the next. between: a cell, and its bounds. best: a column that is at least as
good as all ``among`` on every data set but those of ``except``, or on the share ``least_share`` of them. signs: a
column, and the rows in which it is positive or negative, all of them or, with ``most``, more than half. wins: a column
that is significantly better than the column ``against`` on more data sets than it is worse on; ``printed`` has the
paper's wins, ties and losses.
"""


@dataclass(frozen=True)
class Finding:
    """What became of a claim.

    Parameters
    ----------
    text
        The claim.
    holds
        Whether it holds; None where figures are missing.
    shown
        The figures that decide it.
    """

    text: str
    holds: bool | None
    shown: str


def check_claim(claim: Claim, measured: Measured) -> Finding:
    """Return whether a claim holds, with the figures that decide."""
    # a part of the data sets says something of a claim, where it says nothing of a printed mean
    seen = replace(measured, partial=not measured.whole)
    holds, shown = _KINDS[claim.kind](claim.arguments, seen)
    part = f", on {len(seen.data_rows)} data sets only" if seen.partial and holds is not None else ""
    return Finding(claim.text, holds, shown + part)


def members(claim: Claim) -> set[str]:
    """Return the rows and columns that a claim speaks of by name."""
    found: set[str] = set()
    for value in claim.arguments.values():
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, str):
                found |= {item, *item.split("/")}
    return found


def _cell(text: str, measured: Measured) -> float | None:
    row, _, column = text.rpartition("/")
    return measured.value(row, column)


def _order(arguments: Mapping[str, Any], measured: Measured) -> tuple[bool | None, str]:
    values = [_cell(text, measured) for text in arguments["order"]]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None, "figures are missing"
    holds = all(first > second for first, second in itertools.pairwise(known))
    return holds, ", ".join(f"{text} {_shown(v)}" for text, v in zip(arguments["order"], known, strict=True))


def _between(arguments: Mapping[str, Any], measured: Measured) -> tuple[bool | None, str]:
    value = _cell(arguments["between"], measured)
    if value is None:
        return None, "figures are missing"
    low, high = arguments["at_least"], arguments["at_most"]
    return low <= value <= high, f"{arguments['between']} {_shown(value)}, claimed {low:g} to {high:g}"


def _best(arguments: Mapping[str, Any], measured: Measured) -> tuple[bool | None, str]:
    sign = 1.0 if measured.scores().higher_is_better else -1.0
    worse, rows = [], [row for row in measured.data_rows if row not in arguments["except"]]
    for row in rows:
        mine = measured.value(row, arguments["best"])
        others = [measured.value(row, name) for name in arguments["among"] if name != arguments["best"]]
        if mine is None or any(value is None for value in others):
            return None, "figures are missing"
        # half a unit of the third decimal: a printed tie is no defeat
        if any(sign * (value - mine) > 5e-4 for value in others if value is not None):
            worse.append(row)
    shown = f"{arguments['best']} is best on {len(rows) - len(worse)} of {len(rows)} data sets"
    holds = len(rows) - len(worse) >= arguments.get("least_share", 1.0) * len(rows)
    return holds, shown + (f"; not on {', '.join(worse)}" if worse else "")


def _signs(arguments: Mapping[str, Any], measured: Measured) -> tuple[bool | None, str]:
    wrong, shown, missing = [], [], False
    for sign, key in ((1.0, "positive"), (-1.0, "negative")):
        for row in arguments[key]:
            value = measured.value(row, arguments["signs"])
            if value is None:
                missing = True
                continue
            shown.append(f"{row} {value:+.2f}")
            if sign * value <= 0:
                wrong.append(row)
    if not shown or (missing and (arguments.get("most") or not wrong)):
        return None, "figures are missing"
    holds = 2 * len(wrong) < len(shown) if arguments.get("most") else not wrong
    return holds, ", ".join(shown) + (f"; against the claim: {', '.join(wrong)}" if wrong else "")


def _wins(arguments: Mapping[str, Any], measured: Measured) -> tuple[bool | None, str]:
    wins, ties, losses = win_tie_loss(measured, arguments["wins"], arguments["against"], arguments["test"])
    if not wins + ties + losses:
        return None, "figures are missing"
    printed = arguments["printed"]
    claimed = f", printed {'/'.join(str(count) for count in printed)}" if printed else ""
    return wins > losses, f"win/tie/loss {wins}/{ties}/{losses} by {arguments['test']}{claimed}"


def win_tie_loss(measured: Measured, column: str, against: str, test: str, alpha: float = 0.05) -> tuple[int, int, int]:
    """Return on how many data sets a column is significantly better, neither, and worse than another one.

    Parameters
    ----------
    measured
        The figures; both columns show recipes.
    column, against
        Their names.
    test
        A test on folds, one of `nbframework.evaluation.comparison.PAIRED`.
    alpha
        The level of significance of each test.
    """
    table, counts = measured.scores(), [0, 0, 0]
    for row in measured.data_rows:
        mine, other = (measured.folds(row, measured.target.column(name)) for name in (column, against))
        rival = measured.label(measured.target.column(against).labels[0])
        if mine is None or other is None:
            continue
        try:
            result = PAIRED[test](mine, other, table.test_ratio.get((row, rival), 0.0))
        except EvaluationError:
            continue
        significant = result.p < alpha and result.difference
        better = (result.difference > 0) == table.higher_is_better
        counts[1 if not significant else 0 if better else 2] += 1
    return counts[0], counts[1], counts[2]


def holding(findings: Iterable[Finding]) -> tuple[int, int]:
    """Return how many claims hold, and how many could be decided."""
    decided = [finding.holds for finding in findings if finding.holds is not None]
    return sum(decided), len(decided)


def _shown(value: float) -> str:
    return f"{value:.2f}" if abs(value) >= 10 else f"{value:.3f}"


_KINDS: Mapping[str, Callable[[Mapping[str, Any], Measured], tuple[bool | None, str]]] = {
    "order": _order,
    "between": _between,
    "best": _best,
    "signs": _signs,
    "wins": _wins,
}
