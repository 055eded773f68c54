"""Attribute weights that maximise the conditional likelihood, for many small training sets at once."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nbframework.kernels.definitions.box import Solution, box_ascent

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]

BLOCK_CELLS = 1_000_000
"""About how many factors a block of groups has: few enough for the processor's cache, many enough for few calls."""


def conditional_likelihood_ascent(
    log_prior: Floats,
    log_factors: Floats,
    classes: Integers,
    row_weights: Floats,
    start: Integers,
    lower: float,
    upper: float,
    first: float,
    pull: float,
    tolerance: float,
    iterations: int,
) -> Solution:
    """Maximise sum_l r_l ln P(c_l | x_l; w) - pull / 2 sum_j (w_j - 1)^2 over lower <= w_j <= upper in each group.

    P(c | x; w) is proportional to P(c) prod_j P(a_j | c)^w_j. The sum is concave in w, but often constant along some
    directions; the pull towards 1 makes the maximiser unique. A class to which a row's factors or prior give
    probability zero keeps it whatever the weights; rows whose own class is such say nothing.

    Parameters
    ----------
    log_prior
        (n, C) ln P(c) for each row.
    log_factors
        (n, C, f) ln P(a_j | c) for each row.
    classes
        (n,) class codes c_l below C.
    row_weights
        (n,) r_l, at least 0.
    start
        (g + 1,) borders of the groups.
    lower, upper
        Bounds of every weight, with lower <= upper.
    first
        Where every weight starts; groups whose rows are all of one class stay there.
    pull
        Strength of the pull towards 1, above 0.
    tolerance, iterations
        As in `box_ascent`.

    Returns
    -------
    The (g, f) weights.

    References
    ----------
    Zaidi, Cerquides, Carman & Webb (2013), Alleviating naive Bayes attribute independence assumption by attribute
    weighting; Zhang et al. (2018), equations 7 to 9.
    """
    groups, factors = len(start) - 1, log_factors.shape[-1]
    weights = np.full((groups, factors), np.clip(first, lower, upper))
    finished = np.ones(groups, dtype=bool)
    mixed = np.flatnonzero(_is_mixed(classes, row_weights, start)) if factors else np.empty(0, dtype=np.intp)
    for block in _blocks(mixed, start, log_factors.shape[1] * factors):
        problem = padded_groups(log_prior, log_factors, classes, row_weights, start, block, pull)
        box = np.full((2, len(block), factors), [[[lower]], [[upper]]])
        # a factor that tells no classes apart feels the pull alone
        box[:, ~problem.informative] = np.clip(1.0, lower, upper)
        solution = box_ascent(problem, weights[block], box[0], box[1], tolerance, iterations)
        weights[block], finished[block] = solution.points, solution.finished
    return Solution(weights, finished)


def _is_mixed(classes: Integers, row_weights: Floats, start: Integers) -> NDArray[np.bool_]:
    """Return the (g,) mask of groups with rows of more than one class."""
    group = np.repeat(np.arange(len(start) - 1), np.diff(start))
    counted = row_weights > 0
    least, most = np.full(len(start) - 1, np.iinfo(np.intp).max), np.full(len(start) - 1, -1)
    np.minimum.at(least, group[counted], classes[counted])
    np.maximum.at(most, group[counted], classes[counted])
    return np.asarray(least < most)


def _blocks(groups: Integers, start: Integers, width: int) -> Iterator[Integers]:
    """Yield groups of like size together, as many as fit in memory when padded to the largest."""
    sizes = np.diff(start)[groups]
    order = np.argsort(-sizes, kind="stable")
    first = 0
    while first < len(groups):
        cells = max(1, int(sizes[order[first]]) * width)
        count = max(1, BLOCK_CELLS // cells)
        yield groups[order[first : first + count]]
        first += count


@dataclass(frozen=True, eq=False)
class PaddedGroups:
    """The conditional log likelihoods of g groups, padded to L rows and K classes.

    Parameters
    ----------
    base
        (g, L, K) log prior relative to that of the row's own class; -inf where there is no such class or row.
    factors
        (g, L, K, f) log factors relative to those of the row's own class.
    row_weights
        (g, L), 0 for padding.
    pull
        Strength of the pull towards 1.
    """

    base: Floats
    factors: Floats
    row_weights: Floats
    pull: float

    @property
    def informative(self) -> NDArray[np.bool_]:
        """(g, f) whether a factor differs between classes in any row."""
        return np.asarray((self.factors != 0).any(axis=(1, 2)))

    def value(self, points: Floats, which: Integers) -> Floats:
        """Return the (h,) objectives."""
        scores, _ = self._scores(points, which)
        # the row's own class has the score 0, so that the largest is at least 0
        top = scores.max(axis=-1)
        logs = top + np.log(np.exp(scores - top[..., np.newaxis]).sum(axis=-1))
        likelihood = -np.einsum("gl,gl->g", self.row_weights[which], logs)
        return np.asarray(likelihood - 0.5 * self.pull * ((points - 1.0) ** 2).sum(axis=-1))

    def derivatives(self, points: Floats, which: Integers) -> tuple[Floats, Floats]:
        """Return the (h, f) gradients and (h, f, f) negated Hessians."""
        scores, factors = self._scores(points, which)
        posterior = np.exp(scores - scores.max(axis=-1, keepdims=True))
        posterior /= posterior.sum(axis=-1, keepdims=True)
        mean = np.einsum("glk,glkf->glf", posterior, factors)
        gradient = -np.einsum("gl,glf->gf", self.row_weights[which], mean)
        share = np.sqrt(posterior * self.row_weights[which][..., np.newaxis])
        spread = (factors - mean[:, :, np.newaxis]) * share[..., np.newaxis]
        flat = spread.reshape(len(points), -1, points.shape[-1])
        curvature = np.matmul(flat.transpose(0, 2, 1), flat) + self.pull * np.eye(points.shape[-1])
        return gradient - self.pull * (points - 1.0), curvature

    def _scores(self, points: Floats, which: Integers) -> tuple[Floats, Floats]:
        all_ = len(which) == len(self.base)
        factors = self.factors if all_ else self.factors[which]
        flat = factors.reshape(len(points), -1, points.shape[-1])
        scores = np.matmul(flat, points[..., np.newaxis])[..., 0].reshape(factors.shape[:3])
        return scores + (self.base if all_ else self.base[which]), factors


def padded_groups(
    log_prior: Floats,
    log_factors: Floats,
    classes: Integers,
    row_weights: Floats,
    start: Integers,
    block: Integers,
    pull: float,
) -> PaddedGroups:
    """Return some groups side by side.

    Classes without a row in the group, to which every row gives the same factors, are merged into one whose prior is
    their sum: local training sets see few of many classes.
    """
    rows, real = _padded_rows(start, block)
    own = classes[rows]
    weights = np.where(real, row_weights[rows], 0.0)
    slots, multiplicity = _distinct_classes(log_prior, log_factors, own, weights, rows, real)
    picked = rows[:, :, np.newaxis], slots[:, np.newaxis, :]
    base, factors = log_prior[picked], log_factors[picked]
    own_prior, own_factors = log_prior[rows, own], log_factors[rows, own]
    silent = np.isneginf(own_prior) | np.isneginf(own_factors).any(axis=-1)
    impossible = np.isneginf(base) | np.isneginf(factors).any(axis=-1)
    is_own = own[:, :, np.newaxis] == slots[:, np.newaxis, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        base = base - own_prior[..., np.newaxis] + np.log(multiplicity)[:, np.newaxis, :]
        factors -= own_factors[:, :, np.newaxis]
    excluded = impossible | ((~real | silent)[..., np.newaxis] & ~is_own)
    factors[excluded | is_own] = 0.0
    base = np.where(is_own, 0.0, np.where(excluded, -np.inf, base))
    return PaddedGroups(base, factors, np.where(silent, 0.0, weights), pull)


def _padded_rows(start: Integers, block: Integers) -> tuple[Integers, NDArray[np.bool_]]:
    """Return the (g, L) rows of each group, its first one where it has no more, and whether each is real."""
    size = start[block + 1] - start[block]
    position = np.arange(int(size.max()))
    real = position < size[:, np.newaxis]
    return np.where(real, start[block][:, np.newaxis] + position, start[block][:, np.newaxis]), real


def _distinct_classes(
    log_prior: Floats,
    log_factors: Floats,
    own: Integers,
    weights: Floats,
    rows: Integers,
    real: NDArray[np.bool_],
) -> tuple[Integers, Floats]:
    """Return the (g, K) classes to keep in each group, and how many classes each stands for, 0 for padding."""
    groups, count = len(rows), log_prior.shape[1]
    present = np.zeros((groups, count), dtype=bool)
    counted = np.nonzero(weights > 0)
    present[counted[0], own[counted]] = True
    pattern = (~present).argmax(axis=-1)
    same = np.empty_like(present)
    for c in range(count):
        equal = log_prior[rows, c] == log_prior[rows, pattern[:, np.newaxis]]
        equal &= (log_factors[rows, c] == log_factors[rows, pattern[:, np.newaxis]]).all(axis=-1)
        same[:, c] = (equal | ~real).all(axis=-1)
    merged = same & ~present
    index = np.arange(groups)
    multiplicity = np.where(merged, 0.0, 1.0)
    multiplicity[index, pattern] = np.where(present[index, pattern], 1.0, merged.sum(axis=-1))
    most = int((multiplicity > 0).sum(axis=-1).max())
    slots = np.argsort(multiplicity == 0, axis=-1, kind="stable")[:, :most]
    return slots, np.take_along_axis(multiplicity, slots, axis=-1)
