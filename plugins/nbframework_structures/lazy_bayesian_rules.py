"""Classifier lazy-bayesian-rules: naive Bayes on the training rows that share some of the query's values."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from nbframework.authoring import (
    Codes,
    Composition,
    Dataset,
    Estimator,
    EvaluationError,
    FittedWhole,
    FloatArray,
    Gt,
    IntArray,
    Lt,
    RowEncoder,
    Training,
    WholeClassifier,
    hookimpl,
)
from nbframework_structures.left_out import LeftOut

Antecedent = frozenset[tuple[int, int]]
"""Attributes and the values that a row has to have in them."""
KEPT_RULES = 2000
"""Rules of earlier queries that are remembered."""


@dataclass(frozen=True, kw_only=True)
class LazyBayesianRules(WholeClassifier):
    """Grow for each query a rule: conditions that it meets, and naive Bayes on the training rows that meet them too.

    The rule begins without a condition. Every known value of the query is tried as a further one: naive Bayes on the
    rows that have it, without that attribute, against the present one, both by leaving out one row at a time. Of the
    values that make significantly fewer errors on these rows (one-tailed sign test over rows), the one that leaves
    fewest errors in all becomes a condition; the first attribute wins a tie. The sign test counts rows, whatever
    their weights. Numeric attributes have to be discretized.

    Parameters
    ----------
    significance
        The level of the sign test.

    References
    ----------
    Zheng & Webb (2000), Lazy learning of Bayesian rules, Table 1.
    """

    name: ClassVar[str] = "lazy-bayesian-rules"
    cite: ClassVar[str] = "Zheng & Webb 2000"
    uses: ClassVar[tuple[str, ...]] = ("missing", "discretizer", "estimator")
    exceptions: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"weight_two_is_the_row_twice": "leaving out removes the whole row, and the sign test counts rows"}
    )
    handles_measured: ClassVar[bool] = False
    significance: Annotated[float, Gt(0), Lt(1)] = 0.05

    def fit(self, training: Dataset, composition: Composition, generator: np.random.Generator) -> FittedWhole:
        """Keep the encoded rows; rules are grown for queries.

        Raises
        ------
        EvaluationError
            Where an attribute stayed numeric.
        """
        encoder, rows = composition.encode(training)
        estimator = composition.parts["estimator"]
        if not isinstance(estimator, Estimator):
            raise TypeError(f"expected an estimator, found {estimator!r}")
        if len(rows.measured_inputs):
            attribute = rows.inputs[int(rows.measured_inputs[0])]
            raise EvaluationError(
                f"attribute {attribute.name!r} is {attribute.kind}, and classifier {self.name!r} takes nominal "
                "attributes only; name a discretizer in the recipe"
            )
        return FittedLazyBayesianRules(encoder, rows, estimator, self.significance)


@dataclass(frozen=True, eq=False)
class Rule:
    """Naive Bayes on the training rows that meet an antecedent.

    Parameters
    ----------
    rows
        (m,) these rows.
    right
        (m,) whether naive Bayes classifies them correctly, each from the others.
    log_prior, log_conditional
        (C,) and (C, B) tables; the attributes of the antecedent are left out.
    """

    rows: IntArray
    right: NDArray[np.bool_]
    log_prior: FloatArray
    log_conditional: FloatArray


class FittedLazyBayesianRules:
    """The training rows, and the rules that queries have asked for."""

    def __init__(self, encoder: RowEncoder, training: Training, estimator: Estimator, significance: float) -> None:
        self.encoder, self.training, self.estimator, self.significance = encoder, training, estimator, significance
        self.codes, self.offset = training.codes, training.counts.offset
        self.rule = lru_cache(maxsize=KEPT_RULES)(self._rule)

    def __getstate__(self) -> dict[str, Any]:
        # the rules are grown again where the copy is asked
        return {name: value for name, value in vars(self).items() if name != "rule"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.rule = lru_cache(maxsize=KEPT_RULES)(self._rule)

    def log_joint(self, queries: Dataset) -> FloatArray:
        """Return (q, C) log joint probabilities within each query's rule."""
        codes = self.encoder.queries(queries).codes
        distinct, place = _distinct_rows(codes)
        joint = np.empty((len(distinct), self.training.class_count))
        for index, row in enumerate(distinct):
            _, rule = self._grown(row)
            joint[index] = rule.log_prior + rule.log_conditional[:, self.offset[:-1] + row].sum(axis=1)
        return joint[place]

    def reasons(self, query: Dataset) -> tuple[str, ...]:
        """Return the conditions of a row's rule, and how many training rows meet them."""
        rows = self.encoder.queries(query)
        antecedent, rule = self._grown(_distinct_rows(rows.codes)[0][0])
        told = []
        for attribute, value in sorted(antecedent):
            declared = rows.inputs[rows.coded_inputs[attribute]]
            told.append(f"{declared.name} = {(declared.values or ())[value]}" if declared.values else declared.name)
        which = "of which this holds" if told else "without a condition"
        return (*told, f"naive Bayes on the {len(rule.rows)} training rows {which}")

    def _grown(self, row: IntArray) -> tuple[Antecedent, Rule]:
        """Return the rule of one query with its antecedent."""
        antecedent: Antecedent = frozenset()
        size = np.asarray(self.codes.cardinality)
        candidates = [(int(attribute), int(row[attribute])) for attribute in np.flatnonzero(row < size)]
        while True:
            rule = self.rule(antecedent)
            best, least = None, np.inf
            for condition in candidates:
                refined = self.rule(antecedent | {condition})
                errors = self._errors_if_better(rule, refined)
                if errors is not None and errors < least - 1e-9:
                    best, least = condition, errors
            if best is None:
                return antecedent, rule
            antecedent |= {best}
            candidates.remove(best)

    def _errors_if_better(self, rule: Rule, refined: Rule) -> float | None:
        """Return by how much weight the errors change with the condition, None where that is not significant."""
        from scipy.special import bdtrc

        before = rule.right[np.searchsorted(rule.rows, refined.rows)]
        wins, losses = int((refined.right & ~before).sum()), int((before & ~refined.right).sum())
        if wins <= losses or bdtrc(wins - 1, wins + losses, 0.5) >= self.significance:
            return None
        weights = self.training.weights[refined.rows]
        return float(weights[~refined.right].sum() - weights[~before].sum())

    def _rule(self, antecedent: Antecedent) -> Rule:
        rows = np.arange(len(self.codes))
        for attribute, value in antecedent:
            rows = rows[self.codes.columns[attribute][rows] == value]
        used = {attribute for attribute, _ in antecedent}
        local = self._local(rows)
        right = np.zeros(len(rows), dtype=bool)
        if len(rows):
            left_out = LeftOut(local, self.estimator)
            others = [attribute for attribute in range(len(self.codes.columns)) if attribute not in used]
            factors = left_out.log_factors()[..., others]
            right = left_out.is_right(left_out.log_prior() + factors.sum(axis=-1))
        table = self.estimator.log_conditional(local.counts)
        for attribute in used:
            table[:, self.offset[attribute] : self.offset[attribute + 1]] = 0.0
        return Rule(rows, right, self.estimator.log_prior(local.counts), table)

    def _local(self, rows: IntArray) -> Training:
        whole = self.training
        return replace(
            whole,
            selection=rows if whole.selection is None else whole.selection[rows],
            class_codes=whole.class_codes[rows],
            row_weights=None if whole.row_weights is None else whole.row_weights[rows],
            reference=whole.counts,
            known_counts=None,
        )


def _distinct_rows(codes: Codes) -> tuple[IntArray, IntArray]:
    """Return the distinct rows of codes and which of them each row is."""
    if not codes.columns:
        return np.empty((1, 0), dtype=np.intp), np.zeros(len(codes), dtype=np.intp)
    stacked = np.stack(codes.columns, axis=1).astype(np.intp)
    distinct, place = np.unique(stacked, axis=0, return_inverse=True)
    return distinct, place.reshape(-1)


@hookimpl
def nbframework_classifiers() -> list[type[WholeClassifier]]:
    """Register the classifier."""
    return [LazyBayesianRules]
