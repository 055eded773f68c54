"""Damped Newton ascent in a box, for many small problems at once.

Each problem maximises a smooth function of v numbers between bounds. A step maximises the quadratic model exactly
inside the box; a shorter step is taken where the model promises too much. Everything is deterministic, so that a
problem has the same solution alone as beside others, to rounding.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]

DAMPING = 1e-2
"""The damping of a Newton step relative to the largest projected slope."""
FLOOR = 1e-14
"""The least damping relative to the largest curvature, where a direction has no curvature at all."""
SWEEPS = 3
"""Rounds of coordinate ascent that guess which bounds hold."""
EXCHANGES = 30
"""Rounds of exchanges before the active-set method takes over."""
HALVINGS = 40
ARMIJO = 1e-4
ROUNDING = 1e-14


class Objective(Protocol):
    """g functions of v numbers."""

    def value(self, points: Floats, which: Integers) -> Floats:
        """Return the (h,) values of the functions ``which`` (h,) at the points (h, v)."""

    def derivatives(self, points: Floats, which: Integers) -> tuple[Floats, Floats]:
        """Return the (h, v) gradients and the (h, v, v) curvatures: positive semidefinite, the negated Hessians."""


@dataclass(frozen=True)
class Solution:
    """Where the ascent ended.

    Parameters
    ----------
    points
        (g, v) maximisers.
    finished
        (g,) whether the tolerance was met before the iterations, or steps that rise, ran out.
    """

    points: Floats
    finished: NDArray[np.bool_]


def box_ascent(
    objective: Objective, first: Floats, lower: Floats, upper: Floats, tolerance: float, iterations: int
) -> Solution:
    """Maximise g functions between bounds.

    Parameters
    ----------
    objective
        The functions.
    first
        (g, v) points to start from, moved into the box where they lie outside.
    lower, upper
        (g, v) bounds; where they are equal the number is fixed.
    tolerance
        A problem is solved when its next step promises a gain of at most ``tolerance * (1 + |value|)``.
    iterations
        Upper limit of Newton steps.
    """
    points = np.clip(first, lower, upper)
    finished = np.ones(len(points), dtype=bool)
    which = np.arange(len(points))
    value = objective.value(points, which) if len(which) else np.empty(0)
    for _ in range(iterations):
        if not len(which):
            break
        here = points[which]
        gradient, curvature = objective.derivatives(here, which)
        step, promise = _newton_step(gradient, curvature, lower[which] - here, upper[which] - here)
        unsolved = promise > tolerance * (1.0 + np.abs(value[which]))
        which = which[unsolved]
        points[which], value[which], moved = _shortened(
            objective, here[unsolved], value[which], step[unsolved], promise[unsolved], which
        )
        finished[which[~moved]] = False
        which = which[moved]
    finished[which] = False
    return Solution(points, finished)


def projected_slope(gradient: Floats, low: Floats, high: Floats) -> Floats:
    """Return the (h,) largest slope along which a point may still rise: 0 where the optimality conditions hold.

    Parameters
    ----------
    gradient
        (h, v).
    low, high
        (h, v) distances to the bounds, at most 0 and at least 0.
    """
    rising = np.where(high > 0, np.maximum(gradient, 0.0), 0.0)
    falling = np.where(low < 0, np.maximum(-gradient, 0.0), 0.0)
    return np.asarray(np.maximum(rising, falling).max(axis=-1, initial=0.0))


def _newton_step(gradient: Floats, curvature: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return the (h, v) maximisers of the damped quadratic models and the (h,) gains that they promise."""
    diagonal = np.einsum("gii->gi", curvature)
    damping = DAMPING * projected_slope(gradient, low, high) + FLOOR * diagonal.max(axis=-1, initial=0.0)
    damped = curvature + damping[:, np.newaxis, np.newaxis] * np.eye(curvature.shape[-1])
    step = box_quadratic(damped, gradient, low, high)
    bent = np.einsum("gij,gj->gi", damped, step)
    return step, np.einsum("gi,gi->g", gradient - 0.5 * bent, step)


def _shortened(
    objective: Objective, points: Floats, value: Floats, step: Floats, promise: Floats, which: Integers
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return the points after the steps, their values, and whether a step rose at all.

    A step is halved until it keeps a part of what it promises.
    """
    share = np.ones(len(points))
    reached, best = points.copy(), value.copy()
    pending = np.arange(len(points))
    for _ in range(HALVINGS):
        if not len(pending):
            break
        trial = points[pending] + share[pending, np.newaxis] * step[pending]
        found = objective.value(trial, which[pending])
        wanted = value[pending] + ARMIJO * share[pending] * promise[pending]
        good = found >= wanted - ROUNDING * (1.0 + np.abs(value[pending]))
        reached[pending[good]], best[pending[good]] = trial[good], found[good]
        pending = pending[~good]
        share[pending] /= 2
    moved = np.ones(len(points), dtype=bool)
    moved[pending] = False
    return reached, best, moved


def box_quadratic(matrix: Floats, slope: Floats, low: Floats, high: Floats) -> Floats:
    """Return the (g, v) maximisers of slope . d - d . matrix . d / 2 with low <= d <= high.

    Coordinate ascent guesses the bounds that hold, exchanges of all wrong guesses at once correct them. Exchanges may
    cycle; an active-set method therefore has the last word: it solves for the free numbers, stops at the first bound
    in the way, and releases one wrongly held bound at a time.

    Parameters
    ----------
    matrix
        (g, v, v) positive definite.
    slope
        (g, v).
    low, high
        (g, v) with low <= 0 <= high.
    """
    zero = 1e-13 * np.abs(slope).max(axis=-1, initial=0.0)
    step = _coordinate_ascent(matrix, slope, low, high)
    unsettled = _exchanged(matrix, slope, low, high, step, zero)
    return _by_active_set(matrix, slope, low, high, step, zero, unsettled)


def _exchanged(matrix: Floats, slope: Floats, low: Floats, high: Floats, step: Floats, zero: Floats) -> Integers:
    """Improve the steps in place by block principal pivoting (Judice & Pires 1994); return the problems it left open.

    The free numbers are solved for; then every free number outside its bounds is held there, and every number that
    its bound holds the wrong way is freed.
    """
    held = np.where(step <= low, -1, np.where(step >= high, 1, 0))
    fixed = low >= high
    which = np.arange(len(matrix))
    for _ in range(EXCHANGES):
        part, lower, upper, at = matrix[which], low[which], high[which], held[which]
        d = np.where(at < 0, lower, np.where(at > 0, upper, 0.0))
        rest = slope[which] - np.einsum("gij,gj->gi", part, d)
        d += _solved(part, rest, at == 0)
        rest = slope[which] - np.einsum("gij,gj->gi", part, d)
        slack = 1e-12 * (upper - lower)
        below, above = (at == 0) & (d < lower - slack), (at == 0) & (d > upper + slack)
        free = ~fixed[which] & (at * rest < -zero[which][:, np.newaxis])
        held[which] = np.where(below, -1, np.where(above, 1, np.where(free, 0, at)))
        settled = ~(below | above | free).any(axis=-1)
        step[which[settled]] = np.clip(d, lower, upper)[settled]
        which = which[~settled]
        if not len(which):
            break
    return which


def _by_active_set(
    matrix: Floats, slope: Floats, low: Floats, high: Floats, step: Floats, zero: Floats, which: Integers
) -> Floats:
    """Return the steps after the problems ``which`` were solved, from feasible steps, by a primal active-set method."""
    held = (step <= low) | (step >= high)
    movable = low < high
    for _ in range(20 * slope.shape[-1] + 20):
        if not len(which):
            break
        part = matrix[which]
        d = step[which]
        move = _solved(part, slope[which] - np.einsum("gij,gj->gi", part, d), ~held[which])
        share, blocked = _first_bound(d, move, low[which], high[which], held[which])
        d = np.clip(d + share[:, np.newaxis] * move, low[which], high[which])
        d = np.where(blocked, np.where(move < 0, low[which], high[which]), d)
        step[which] = d
        held[which] |= blocked
        rest = slope[which] - np.einsum("gij,gj->gi", part, d)
        full = ~blocked.any(axis=-1)
        wrong = np.where(d <= low[which], rest, -rest)
        wrong = np.where(held[which] & movable[which], wrong, -np.inf)
        worst = wrong.argmax(axis=-1)
        release = full & (wrong[np.arange(len(which)), worst] > zero[which])
        held[which[release], worst[release]] = False
        which = which[~full | release]
    return step


def _coordinate_ascent(matrix: Floats, slope: Floats, low: Floats, high: Floats) -> Floats:
    """Return (g, v) feasible points near the maximisers."""
    step = np.zeros_like(slope)
    rest = slope.copy()
    for _ in range(SWEEPS):
        for j in range(slope.shape[-1]):
            to = np.clip(step[:, j] + rest[:, j] / matrix[:, j, j], low[:, j], high[:, j])
            change = to - step[:, j]
            step[:, j] = to
            rest -= matrix[:, j] * change[:, np.newaxis]
    return step


def _solved(matrix: Floats, rest: Floats, free: NDArray[np.bool_]) -> Floats:
    """Return the (g, v) Newton moves of the free numbers, 0 for the held ones."""
    if len(matrix) == 1:
        move = np.zeros_like(rest)
        chosen = np.flatnonzero(free[0])
        move[0, chosen] = np.linalg.solve(matrix[0][np.ix_(chosen, chosen)], rest[0, chosen])
        return move
    both = free[:, :, np.newaxis] & free[:, np.newaxis, :]
    reduced = np.where(both, matrix, 0.0)
    diagonal = np.arange(matrix.shape[-1])
    reduced[:, diagonal, diagonal] = np.where(free, matrix[:, diagonal, diagonal], 1.0)
    return np.asarray(np.linalg.solve(reduced, np.where(free, rest, 0.0)[..., np.newaxis])[..., 0])


def _first_bound(
    step: Floats, move: Floats, low: Floats, high: Floats, held: NDArray[np.bool_]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the (g,) share of the move that stays in the box, and the (g, v) numbers that then meet a bound."""
    room = np.where(move < 0, low - step, high - step)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(held | (move == 0), np.inf, room / move)
    share = np.minimum(ratio.min(axis=-1, initial=np.inf), 1.0)
    return share, ratio <= np.where(share < 1.0, share, -np.inf)[:, np.newaxis]
