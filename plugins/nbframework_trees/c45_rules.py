"""Classifier c45-rules: an ordered list of rules read off an unpruned tree."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, ClassVar

import numpy as np

from nbframework.authoring import (
    Composition,
    Dataset,
    FloatArray,
    Ge,
    Gt,
    IntArray,
    Le,
    RowEncoder,
    WholeClassifier,
    hookimpl,
)
from nbframework_trees.growing import grow
from nbframework_trees.pruning import collapsed
from nbframework_trees.rules import Rule, coverage, expected_error_rate, generalized, rules_of
from nbframework_trees.selecting import ClassRules, rule_bits
from nbframework_trees.table import TOLERANCE, Mask, Table, summed, values_of


@dataclass(frozen=True, kw_only=True)
class C45Rules(WholeClassifier):
    """Quinlan's C4.5 rules.

    Each leaf of the unpruned tree makes a rule. A rule loses the conditions without which it is not expected to err
    more. Of each class, those rules are kept that describe its rows in the fewest bits, exceptions included. The class
    whose rules wrongly cover the fewest of the remaining rows comes first, and so on; the rows that no rule covers
    decide the default class (then its frequency). At last, rules without which fewer training rows are misclassified
    are dropped, one at a time. The first rule whose conditions hold classifies a row, with the class frequencies of
    the training rows that it covers; the default, with those of the rows that no rule covers.

    Rules whose class is not the single most frequent one among the rows that they cover are left out.

    Parameters
    ----------
    confidence
        The chance that a rule errs more than expected; smaller values generalize more.
    minimum_rows
        Weight that at least two branches of every split of the tree have.

    References
    ----------
    Quinlan (1993), C4.5: programs for machine learning, chapter 5.
    """

    name: ClassVar[str] = "c45-rules"
    cite: ClassVar[str] = "Quinlan 1993, chapter 5"
    uses: ClassVar[tuple[str, ...]] = ("missing", "discretizer")
    exceptions: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"rows_are_taken_together": "rules are weighed one against the other, and more rows grow more rules"}
    )
    confidence: Annotated[float, Gt(0), Le(0.5)] = 0.25
    minimum_rows: Annotated[float, Ge(1)] = 2.0

    def fit(self, training: Dataset, composition: Composition, generator: np.random.Generator) -> "FittedRules":
        """Grow the tree and turn it into rules."""
        encoder, rows = composition.encode(training)
        table = Table.of(rows)
        rules = self.rules(table)
        covers = coverage(rules, table.values)
        rest = uncovered(covers)
        if not rest.any():
            rest = np.ones_like(rest)
        weight = np.array([_class_weight(table, rows) for rows in (*covers, rest)])
        with np.errstate(divide="ignore"):
            log_probability = np.log(weight) - np.log(weight.sum(axis=1, keepdims=True))
        return FittedRules(encoder, tuple(rules), log_probability)

    def rules(self, table: Table) -> list[Rule]:
        """Return the rules in the order in which they are tried."""
        tree, _ = collapsed(*grow(table, self.minimum_rows, 0.0))
        found = dict.fromkeys(generalized(rule, table, self.confidence) for rule in rules_of(tree, table))
        rules = [rule for rule in found if rule.conditions and _is_right_mostly(rule, table)]
        by_class = [
            self._selected([rule for rule in rules if rule.conclusion == code], table)
            for code in range(table.class_count)
        ]
        return _without_harmful(_in_class_order(by_class, table), table)

    def _selected(self, rules: list[Rule], table: Table) -> list[Rule]:
        """Return the chosen rules of one class, those of the lowest expected error rate first."""
        if not rules:
            return []
        described = ClassRules(
            coverage(rules, table.values),
            np.array([rule_bits(rule, table) for rule in rules]),
            table.classes == rules[0].conclusion,
            np.asarray(table.weights, dtype=np.float64),
        )
        chosen = [rules[index] for index in described.chosen()]
        return sorted(chosen, key=lambda rule: round(expected_error_rate(rule, table, self.confidence), 9))


def _class_weight(table: Table, covered: Mask) -> FloatArray:
    return summed(table.weights[covered], table.classes[covered], table.class_count)


def _is_right_mostly(rule: Rule, table: Table) -> bool:
    weight = _class_weight(table, rule.covers(table.values))
    own = weight[rule.conclusion]
    weight[rule.conclusion] = 0
    return bool(own > weight.max() + TOLERANCE)


def _in_class_order(by_class: list[list[Rule]], table: Table) -> list[Rule]:
    """Return the rules class by class, the class with the fewest false positives among the remaining rows first."""
    remaining = np.ones(len(table.classes), dtype=bool)
    waiting = {code: rules for code, rules in enumerate(by_class) if rules}
    covers = {code: coverage(rules, table.values).any(axis=0) for code, rules in waiting.items()}
    ordered: list[Rule] = []
    while waiting:
        wrong = {
            code: round(float(table.weights[covers[code] & remaining & (table.classes != code)].sum()), 6)
            for code in waiting
        }
        first = min(waiting, key=lambda code: (wrong[code], code))
        ordered += waiting.pop(first)
        remaining &= ~covers[first]
    return ordered


def uncovered(covers: Mask) -> Mask:
    """Return the (n,) mask of the rows that none of k rules covers."""
    return np.asarray(~covers.any(axis=0))


def default_class(table: Table, rest: Mask) -> int:
    """Return the most frequent class of the uncovered rows; of tied ones the more frequent, then the first declared."""
    weight, overall = _class_weight(table, rest), _class_weight(table, np.ones(len(rest), dtype=bool))
    tied = weight >= weight.max() - TOLERANCE
    return int(np.argmax(np.where(tied, overall, -1.0)))


def _without_harmful(rules: list[Rule], table: Table) -> list[Rule]:
    """Drop the first rule without which fewer training rows are misclassified, again and again."""
    covers = coverage(rules, table.values)
    while len(rules):
        saved = _saved_without(rules, covers, table)
        harmful = np.flatnonzero(saved > TOLERANCE)
        if not len(harmful):
            break
        rules = [rule for index, rule in enumerate(rules) if index != harmful[0]]
        covers = np.delete(covers, harmful[0], axis=0)
    return rules


def _saved_without(rules: list[Rule], covers: Mask, table: Table) -> FloatArray:
    """Return the (k,) weight of misclassified training rows that leaving out each rule would save.

    Without a rule, the rows that it classifies fall to the next rule that covers them, or to the default class, which
    stays as it is.
    """
    count, rows = len(rules), np.arange(len(table.classes))
    default = default_class(table, uncovered(covers))
    conclusion = np.array([rule.conclusion for rule in rules] + [default])
    first = np.where(covers.any(axis=0), covers.argmax(axis=0), count)
    later = covers.copy()
    fired = first < count
    later[first[fired], rows[fired]] = False
    second = np.where(later.any(axis=0), later.argmax(axis=0), count)
    wrong_now = conclusion[first] != table.classes
    wrong_then = conclusion[second] != table.classes
    change = table.weights * (wrong_now.astype(np.float64) - wrong_then)
    return summed(change, first, count + 1)[:count]


@dataclass(frozen=True, eq=False)
class FittedRules:
    """Rules at work.

    Parameters
    ----------
    encoder
        Turns queries into rows.
    rules
        The k rules in order.
    log_probability
        (k + 1, C) log class probabilities of each rule and of the default.
    """

    encoder: RowEncoder
    rules: tuple[Rule, ...]
    log_probability: FloatArray

    def log_joint(self, queries: Dataset) -> FloatArray:
        """Return (q, C) log class probabilities of the first rule that covers each row."""
        values = values_of(self.encoder.queries(queries))
        return np.asarray(self.log_probability[self.fired(values)])

    def fired(self, values: FloatArray) -> IntArray:
        """Return the (r,) first rule that covers each row of (a, r) values, k where none does."""
        fired = np.full(values.shape[1], len(self.rules), dtype=np.intp)
        open_ = np.arange(values.shape[1])
        for index, rule in enumerate(self.rules):
            covered = rule.covers(values[:, open_])
            fired[open_[covered]] = index
            open_ = open_[~covered]
        return fired

    def reasons(self, query: Dataset) -> tuple[str, ...]:
        """Return the conditions of the rule that classifies a row."""
        rows = self.encoder.queries(query)
        index = int(self.fired(values_of(rows))[0])
        if index == len(self.rules):
            return (f"none of the {len(self.rules)} rules holds, so the training rows decide that none of them covers",)
        return tuple(condition.told(rows.inputs) for condition in self.rules[index].conditions)


@hookimpl
def nbframework_classifiers() -> list[type[WholeClassifier]]:
    """Register the classifier."""
    return [C45Rules]
