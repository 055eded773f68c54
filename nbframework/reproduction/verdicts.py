"""Paper, ours, difference, verdict: each figure beside its print."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from nbframework.reproduction.measured import RATIOS, Measured
from nbframework.reproduction.printed import Cell
from nbframework.reproduction.target import Explanation, Target

WITHIN, EXPLAINED, UNEXPLAINED, SHOWN, MISSING = "within", "explained", "unexplained", "shown", "not run"
ROUNDING = 1e-9
"""Slack of comparisons, for the rounding of sums."""


@dataclass(frozen=True)
class Judged:
    """A figure beside its print.

    Parameters
    ----------
    row, column
        The cell.
    printed, ours
        In the unit of print; None where there is none.
    tolerance
        How far apart they may be.
    verdict
        within; explained (a run shows why); unexplained; shown (no verdict is wanted); not run.
    why
        The reason, or what is suspected.
    run
        The figures of the run that shows the reason, or of the last one that does not.
    """

    row: str
    column: str
    printed: float
    ours: float | None
    tolerance: float
    verdict: str
    why: str = ""
    run: str = ""

    @property
    def difference(self) -> float | None:
        """Ours less print."""
        return None if self.ours is None else self.ours - self.printed


Shown = Callable[[Explanation, Cell], list[float]]
"""Returns the figures of a cell under the evidence of an explanation: one, or one for each seed."""


def judge(measured: Measured, evidence: Shown | None = None) -> tuple[Judged, ...]:
    """Compare every printed number.

    Parameters
    ----------
    measured
        The figures.
    evidence
        Runs the evidence of explanations; None leaves them out, and what they cover unexplained.
    """
    found = []
    for row in measured.target.printed.rows:
        for column in measured.target.columns:
            printed = measured.target.printed.values.get((row, column.name))
            if printed is not None:
                judged = _plain(measured, (row, column.name), printed)
                found.append(_explained(measured.target, judged, evidence))
    return tuple(found)


def _plain(measured: Measured, cell: Cell, printed: float) -> Judged:
    column = measured.target.column(cell[1])
    ours = measured.value(*cell)
    bound = measured.target.tolerance_of(cell)
    if ours is None:
        return Judged(*cell, printed, None, bound, MISSING)
    if not column.judged:
        return Judged(*cell, printed, ours, bound, SHOWN)
    return Judged(*cell, printed, ours, bound, WITHIN if abs(ours - printed) <= bound + ROUNDING else UNEXPLAINED)


def _explained(target: Target, judged: Judged, evidence: Shown | None) -> Judged:
    if judged.verdict != UNEXPLAINED:
        return judged
    for explanation in target.explanations:
        if not explanation.covers(judged.row, judged.column):
            continue
        if explanation.evidence is None:
            judged = replace(judged, why=explanation.reason, run="")
            continue
        values = evidence(explanation, (judged.row, judged.column)) if evidence is not None else []
        if not values:
            continue
        judged = replace(judged, why=explanation.reason, run=described(values, target, judged.column))
        if shows_it(judged, values):
            return replace(judged, verdict=EXPLAINED)
    return judged


def shows_it(judged: Judged, values: list[float]) -> bool:
    """Whether the print is among the figures of other seeds, or within tolerance of a single other figure."""
    if len(values) > 1:
        return min(values) - ROUNDING <= judged.printed <= max(values) + ROUNDING
    return abs(values[0] - judged.printed) <= judged.tolerance + ROUNDING


def described(values: list[float], target: Target, column: str) -> str:
    """Return one figure, or the range of several."""
    form = f".{decimals(target, column)}f"
    if len(values) == 1:
        return format(values[0], form)
    return f"{min(values):{form}} to {max(values):{form}} over {len(values)} seeds"


def decimals(target: Target, column: str) -> int:
    """Return how many decimals figures of a column are shown with: those of the print, or those of its unit."""
    usual = 3 if target.unit == "share" or target.column(column).kind in RATIOS else 2
    kind = target.column(column).kind
    if kind == "best-at":
        return 0
    return max(usual if column not in target.printed.decimals else 0, target.printed.decimals.get(column, 0))


@dataclass(frozen=True)
class Summary:
    """How close a set of cells is to print.

    Parameters
    ----------
    cells
        Number of cells with a verdict.
    within, explained
        How many of them are.
    difference
        Mean absolute difference, in the unit of print.
    tolerances
        Mean of difference / tolerance, which is the same over all units.
    with_deviation
        Number of cells with a legible printed deviation.
    within_deviation
        Share of these that are within it; None without any.
    """

    cells: int
    within: int
    explained: int
    difference: float
    tolerances: float
    with_deviation: int
    within_deviation: float | None

    @property
    def deviation_text(self) -> str:
        """The share within the printed deviation, and of how many cells: those without one are left out."""
        if self.within_deviation is None:
            return "-"
        return f"{100 * self.within_deviation:.0f} % of {self.with_deviation} cell{'s' * (self.with_deviation != 1)}"


def summarise(judged: Iterable[Judged], target: Target) -> Summary:
    """Return how close cells with a verdict are to print."""
    counted = [cell for cell in judged if cell.verdict in (WITHIN, EXPLAINED, UNEXPLAINED)]
    apart = [abs(cell.difference) for cell in counted if cell.difference is not None]
    deviations = [(cell, target.printed.deviations.get((cell.row, cell.column))) for cell in counted]
    inside = [abs(c.difference) <= d + 0.005 for c, d in deviations if d is not None and c.difference is not None]
    return Summary(
        len(counted),
        sum(cell.verdict == WITHIN for cell in counted),
        sum(cell.verdict == EXPLAINED for cell in counted),
        float(np.mean(apart)) if apart else 0.0,
        float(np.mean([abs(c.difference) / c.tolerance for c in counted if c.difference is not None and c.tolerance]))
        if apart
        else 0.0,
        len(inside),
        float(np.mean(inside)) if inside else None,
    )
