"""Rules: read off a tree, and generalized by leaving out conditions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nbframework.authoring import Attribute, FloatArray, IntArray
from nbframework_trees.pessimistic import estimated_errors
from nbframework_trees.routing import Tree
from nbframework_trees.table import TOLERANCE, Mask, Table


@dataclass(frozen=True, order=True)
class Condition:
    """A test of one attribute, which an unknown value fails.

    Parameters
    ----------
    attribute
        Position among the inputs.
    relation
        ``=`` a code, or ``<=`` or ``>`` a cut point.
    value
        The code or cut point.
    """

    attribute: int
    relation: str
    value: float

    def holds(self, values: FloatArray) -> Mask:
        """Return the (r,) mask of the rows, given as (a, r) values, that satisfy the condition."""
        column = values[self.attribute]
        if self.relation == "=":
            return np.asarray(column == self.value)
        return np.asarray(column <= self.value if self.relation == "<=" else column > self.value)

    def told(self, inputs: Sequence[Attribute]) -> str:
        """Return the condition in the names of the a attributes and their values."""
        attribute = inputs[self.attribute]
        is_code = self.relation == "=" and attribute.values is not None
        value = attribute.values[int(self.value)] if is_code and attribute.values else f"{self.value:g}"
        return f"{attribute.name} {self.relation} {value}"


@dataclass(frozen=True)
class Rule:
    """A conclusion from conditions that all have to hold.

    Parameters
    ----------
    conditions
        Sorted, without repetition.
    conclusion
        The class.
    """

    conditions: tuple[Condition, ...]
    conclusion: int

    def covers(self, values: FloatArray) -> Mask:
        """Return the (r,) mask of the rows, given as (a, r) values, that satisfy all conditions."""
        covered = np.ones(values.shape[1], dtype=bool)
        for condition in self.conditions:
            covered &= condition.holds(values)
        return covered


def coverage(rules: Sequence[Rule], values: FloatArray) -> Mask:
    """Return (k, r) which of the rows, given as (a, r) values, each of k rules covers."""
    return _stacked([rule.covers(values) for rule in rules], values.shape[1])


def rules_of(tree: Tree, table: Table) -> list[Rule]:
    """Return a rule for each leaf with rows: the tests on the way from the root, and the most frequent class."""
    rules = []
    waiting: list[tuple[int, tuple[Condition, ...]]] = [(0, ())]
    while waiting:
        node, conditions = waiting.pop()
        if tree.branches[node]:
            attribute, first = int(tree.attribute[node]), int(tree.first_child[node])
            for branch in range(int(tree.branches[node])):
                if table.cardinality[attribute]:
                    test = Condition(attribute, "=", float(branch))
                else:
                    test = Condition(attribute, ("<=", ">")[branch], float(tree.cut[node]))
                waiting.append((first + branch, (*conditions, test)))
        elif tree.class_weight[node].sum() >= TOLERANCE:
            rules.append(Rule(tuple(sorted(set(conditions))), int(tree.class_weight[node].argmax())))
    return rules


def generalized(rule: Rule, table: Table, confidence: float) -> Rule:
    """Return the rule without the conditions whose removal does not raise its expected error.

    The condition whose removal leaves the lowest expected error rate goes first; of equally good ones, the first.
    """
    conditions = list(rule.conditions)
    failed = ~_stacked([condition.holds(table.values) for condition in conditions], len(table.classes))
    wrong = table.classes != rule.conclusion
    rate = _rate(*_covered(failed.sum(axis=0) == 0, wrong, table.weights), confidence)
    while conditions:
        failures = failed.sum(axis=0)
        weight, errors = _without_each(failed, failures, wrong, table.weights)
        rates = _rate(weight, errors, confidence)
        best = int(np.flatnonzero(rates <= rates.min() + TOLERANCE)[0])
        if rates[best] > rate + TOLERANCE:
            break
        rate = rates[best]
        del conditions[best]
        failed = np.delete(failed, best, axis=0)
    return Rule(tuple(conditions), rule.conclusion)


def expected_error_rate(rule: Rule, table: Table, confidence: float) -> float:
    """Return the pessimistic error rate of a rule on the rows that it covers; 1 where it covers none."""
    weight, errors = _covered(rule.covers(table.values), table.classes != rule.conclusion, table.weights)
    return float(_rate(weight, errors, confidence))


def _stacked(masks: Sequence[Mask], rows: int) -> Mask:
    return np.array(masks, dtype=bool).reshape(len(masks), rows)


def _covered(covered: Mask, wrong: Mask, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    return np.asarray(weights[covered].sum()), np.asarray(weights[covered & wrong].sum())


def _without_each(failed: Mask, failures: IntArray, wrong: Mask, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return covered weight and errors of the rules with one condition less, for each condition.

    Without a condition a rule covers the rows that it covers anyway and those that fail this condition alone.
    """
    near = np.flatnonzero(failures == 1)
    weight, errors = _covered(failures == 0, wrong, weights)
    lone = failed[:, near]
    return weight + lone @ weights[near], errors + lone @ (weights[near] * wrong[near])


def _rate(weight: FloatArray, errors: FloatArray, confidence: float) -> FloatArray:
    nothing = weight < TOLERANCE
    rate = estimated_errors(weight, errors, confidence) / np.where(nothing, 1.0, weight)
    return np.where(nothing, 1.0, rate)
