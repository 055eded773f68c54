"""Choosing among the rules of one class by the length of their description."""

from dataclasses import dataclass

import numpy as np

from nbframework.authoring import FloatArray, IntArray
from nbframework_trees.rules import Rule
from nbframework_trees.table import TOLERANCE, Mask, Table

EXHAUSTIVE = 10
"""Up to so many rules, all subsets are compared."""
THEORY_WEIGHT = 0.5
"""Rules are redundant descriptions, so their bits count half (Quinlan 1993, section 5.3)."""


def rule_bits(rule: Rule, table: Table) -> float:
    """Return the bits that name the rule's conditions, in whatever order.

    A condition names its attribute, then one of its values, or a side and one of the cuts between its values.
    """
    inputs = len(table.cardinality)
    bits = 0.0
    for condition in rule.conditions:
        size = int(table.cardinality[condition.attribute])
        if not size:
            column = table.values[condition.attribute]
            size = 2 * max(len(np.unique(column[~np.isnan(column)])) - 1, 1)
        bits += np.log2(inputs) + np.log2(size)
    return float(bits - log2_factorial(np.asarray(float(len(rule.conditions)))))


def log2_factorial(n: FloatArray) -> FloatArray:
    """Return log2 n!, also of weights that are no whole numbers."""
    from scipy.special import gammaln

    return np.asarray(gammaln(n + 1) / np.log(2))


@dataclass(frozen=True, eq=False)
class ClassRules:
    """The k rules of one class and the rows that they cover.

    Parameters
    ----------
    covers
        (k, n) which rows each rule covers.
    bits
        (k,) length of each rule.
    is_member
        (n,) whether a row is of the class.
    weights
        (n,) row weights.
    """

    covers: Mask
    bits: FloatArray
    is_member: Mask
    weights: FloatArray

    def description(self, covered: FloatArray, members: FloatArray, bits: FloatArray, rules: FloatArray) -> FloatArray:
        """Return the bits of subsets of rules and of their exceptions.

        Parameters
        ----------
        covered
            Weight of the rows that a subset covers.
        members
            Weight of those that are of the class.
        bits
            Summed length of the rules.
        rules
            Their number.
        """
        total, of_class = self.weights.sum(), self.weights[self.is_member].sum()
        false_positive = _log2_choose(covered, covered - members)
        false_negative = _log2_choose(total - covered, of_class - members)
        return np.asarray(false_positive + false_negative + THEORY_WEIGHT * (bits - log2_factorial(rules)))

    def chosen(self) -> IntArray:
        """Return the rules, in order, that describe the class in the fewest bits."""
        if len(self.bits) <= EXHAUSTIVE:
            return self._best_of_all()
        starts = (np.zeros(len(self.bits), dtype=bool), np.ones(len(self.bits), dtype=bool))
        ends = [_Climb(self, start).run() for start in starts]
        return np.flatnonzero(ends[0][1] if ends[0][0] <= ends[1][0] + TOLERANCE else ends[1][1])

    def _best_of_all(self) -> IntArray:
        """Compare all subsets by the pattern of rules that cover each row; the first of equal ones, smallest first."""
        count = len(self.bits)
        pattern = (1 << np.arange(count)) @ self.covers
        subsets = np.arange(1 << count)
        weight = np.bincount(pattern, weights=self.weights, minlength=1 << count)
        of_class = np.bincount(pattern, weights=self.weights * self.is_member, minlength=1 << count)
        hit = (subsets[:, np.newaxis] & subsets) != 0
        members = (subsets[:, np.newaxis] >> np.arange(count) & 1).astype(np.float64)
        sizes = members.sum(axis=1)
        bits = self.description(hit @ weight, hit @ of_class, members @ self.bits, sizes)
        least = np.flatnonzero(bits <= bits.min() + TOLERANCE)
        return np.flatnonzero(members[least[np.argmin(sizes[least])]])


class _Climb:
    """Adding or dropping the rule that shortens the description most, until none does."""

    def __init__(self, rules: ClassRules, start: Mask) -> None:
        self.rules, self.inside = rules, start.copy()
        self.weight = np.stack([rules.weights, rules.weights * rules.is_member], axis=1)
        self.times = rules.covers[start].sum(axis=0)
        self.uncovered = np.zeros((len(start), 2))
        self.alone = np.zeros((len(start), 2))
        self.covered = np.zeros(2)
        self._count(np.arange(len(rules.weights)), 1.0)

    def run(self) -> tuple[float, Mask]:
        """Return the length of the description and the rules."""
        length = self._lengths(np.zeros((1, 2)), np.zeros(1), np.zeros(1))[0]
        while True:
            step = np.where(self.inside, -1.0, 1.0)
            change = np.where(self.inside[:, np.newaxis], -self.alone, self.uncovered)
            lengths = self._lengths(change, step * self.rules.bits, step)
            best = int(np.flatnonzero(lengths <= lengths.min() + TOLERANCE)[0])
            if lengths[best] >= length - TOLERANCE:
                return float(length), self.inside
            length = lengths[best]
            self._flip(best)

    def _lengths(self, change: FloatArray, bits: FloatArray, number: FloatArray) -> FloatArray:
        covered = self.covered + change
        own_bits = self.rules.bits[self.inside].sum()
        return self.rules.description(covered[:, 0], covered[:, 1], own_bits + bits, self.inside.sum() + number)

    def _flip(self, rule: int) -> None:
        rows = np.flatnonzero(self.rules.covers[rule])
        self._count(rows, -1.0)
        self.times[rows] += -1 if self.inside[rule] else 1
        self.inside[rule] = not self.inside[rule]
        self._count(rows, 1.0)

    def _count(self, rows: IntArray, sign: float) -> None:
        """Add or take away some rows' part of the weights by which each rule changes what is covered."""
        for times, total in ((0, self.uncovered), (1, self.alone)):
            chosen = rows[self.times[rows] == times]
            total += sign * (self.rules.covers[:, chosen] @ self.weight[chosen])
        self.covered += sign * self.weight[rows[self.times[rows] > 0]].sum(axis=0)


def _log2_choose(n: FloatArray, k: FloatArray) -> FloatArray:
    n, k = np.maximum(n, 0.0), np.maximum(k, 0.0)
    return log2_factorial(n) - log2_factorial(k) - log2_factorial(np.maximum(n - k, 0.0))
