"""What a recipe says of the classes by their names: priors, costs of mistakes, thresholds."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.posterior import TieRule, most_probable
from nbframework.errors import RecipeError, did_you_mean

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
Shares = Mapping[str, float]
Costs = Mapping[str, Mapping[str, float]]
CLASS_KEYS = ("class_priors", "costs", "thresholds")
"""The keys of a recipe that map names of classes to numbers."""


@dataclass(frozen=True, kw_only=True)
class ClassRules:
    """Rules that name classes.

    Parameters
    ----------
    class_priors
        A share of at least 0 for every class; they are divided by their sum. Posteriors are shifted from the recipe's
        own prior to these (Saerens, Latinne & Decaestecker 2002, equation 2.4), which in naive Bayes replaces the one
        by the other.
    costs
        ``costs[true][predicted]``, a number of at least 0; what is not named costs 1, a right prediction 0. The class
        of the smallest expected cost is predicted (Elkan 2001, equation 1).
    thresholds
        A number above 0 and at most 1 for every class; the class whose posterior is the largest multiple of its
        threshold is predicted. Of two classes one is enough: it is predicted where its posterior exceeds its
        threshold.

    Raises
    ------
    RecipeError
        On a number outside its range, or costs beside thresholds.
    """

    class_priors: Shares | None = None
    costs: Costs | None = None
    thresholds: Shares | None = None

    def __post_init__(self) -> None:
        faults = [f"{key}: {fault}" for key in CLASS_KEYS for fault in faults_of(key, getattr(self, key))]
        if self.costs is not None and self.thresholds is not None:
            faults.append("costs and thresholds exclude each other: both say which class is predicted")
        if faults:
            raise RecipeError("\n".join(faults))

    def given(self) -> dict[str, Any]:
        """Return the rules that are given, as plain data by their keys."""
        found = {key: getattr(self, key) for key in CLASS_KEYS if getattr(self, key) is not None}
        return {key: {name: _plain(entry) for name, entry in value.items()} for key, value in found.items()}

    def bound(self, class_values: Sequence[str], log_prior: FloatArray) -> "BoundRules":
        """Return the rules for the declared classes.

        Parameters
        ----------
        class_values
            The C names.
        log_prior
            (C,) or (q, C) log prior that the recipe estimates.

        Raises
        ------
        RecipeError
            On a name that is no class, or a class that needs a number and has none.
        """
        priors = None if self.class_priors is None else _all_named("class_priors", self.class_priors, class_values)
        return BoundRules(
            priors,
            None if priors is None else _shift(priors, log_prior),
            None if self.costs is None else _cost_table(self.costs, class_values),
            None if self.thresholds is None else _log_thresholds(self.thresholds, class_values),
        )


@dataclass(frozen=True, eq=False)
class BoundRules:
    """Rules over C classes in their declared order.

    Parameters
    ----------
    class_priors
        (C,) shares, or None.
    log_shift
        (C,) or (q, C) what is added to log joint probabilities, or None.
    costs
        (C, C) cost of each prediction (column) by true class (row), or None.
    log_thresholds
        (C,), or None.
    """

    class_priors: FloatArray | None = None
    log_shift: FloatArray | None = None
    costs: FloatArray | None = None
    log_thresholds: FloatArray | None = None

    @property
    def needs_posteriors(self) -> bool:
        """Whether more than the order of the posteriors decides."""
        return self.costs is not None or self.log_thresholds is not None

    def shifted(self, log_joint: FloatArray) -> FloatArray:
        """Return (q, C) log joint probabilities under the given class priors."""
        return log_joint if self.log_shift is None else log_joint + self.log_shift

    def frequencies(self, class_weight: FloatArray) -> FloatArray:
        """Return the given class priors in the place of class weights."""
        return class_weight if self.class_priors is None else self.class_priors

    def predicted(
        self, log_posterior: FloatArray, class_weight: FloatArray, ties: TieRule, tolerance: float
    ) -> IntArray:
        """Return (q,) codes of the predicted classes; see `most_probable`.

        Thresholds leave the tolerance in nats; expected costs are tied within it as a share of the largest cost.
        """
        if self.costs is not None:
            largest = self.costs.max()
            expected = np.exp(log_posterior) @ self.costs / (largest if largest > 0 else 1.0)
            return most_probable(-expected, class_weight, ties, tolerance)
        if self.log_thresholds is not None:
            return most_probable(log_posterior - self.log_thresholds, class_weight, ties, tolerance)
        return most_probable(log_posterior, class_weight, ties, tolerance)


def faults_of(key: str, value: Any) -> Iterator[str]:
    """Yield what is wrong with the value of one of the keys; None is right."""
    if value is None:
        return
    if not isinstance(value, Mapping) or not value:
        example = "{yes: {no: 5}}" if key == "costs" else "{yes: 0.3, no: 0.7}"
        yield f"found {value!r}, expected numbers by the names of classes, such as {example}"
        return
    for name, entry in value.items():
        if key != "costs":
            yield from _number_fault(str(name), entry, key)
        elif not isinstance(entry, Mapping) or not entry:
            yield f"{name}: found {entry!r}, expected costs by predicted class, such as {{no: 5}}"
        else:
            for predicted, cost in entry.items():
                yield from _number_fault(f"{name}.{predicted}", cost, key)
    if key == "class_priors" and all(_is_number(entry) and entry == 0 for entry in value.values()):
        yield "all shares are 0"


def _plain(entry: Any) -> Any:
    return dict(entry) if isinstance(entry, Mapping) else entry


def _number_fault(path: str, value: Any, key: str) -> Iterator[str]:
    if key == "thresholds":
        if not (_is_number(value) and 0 < value <= 1):
            yield f"{path}: found {value!r}, expected a number above 0 and of at most 1"
    elif not (_is_number(value) and value >= 0):
        yield f"{path}: found {value!r}, expected a number of at least 0"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _code(key: str, name: str, class_values: Sequence[str]) -> int:
    if name not in class_values:
        listed = f" (classes: {', '.join(class_values[:20])})"
        raise RecipeError(f"{key}: no class {name!r}{did_you_mean(name, class_values) or listed}")
    return list(class_values).index(name)


def _by_class(key: str, shares: Shares, class_values: Sequence[str]) -> FloatArray:
    """Return (C,) numbers, NaN where a class is not named."""
    numbers = np.full(len(class_values), np.nan)
    for name, share in shares.items():
        numbers[_code(key, str(name), class_values)] = share
    return numbers


def _all_named(key: str, shares: Shares, class_values: Sequence[str]) -> FloatArray:
    numbers = _by_class(key, shares, class_values)
    if np.isnan(numbers).any():
        unnamed = ", ".join(repr(class_values[code]) for code in np.flatnonzero(np.isnan(numbers)).tolist())
        raise RecipeError(f"{key}: every class needs a number; there is none for {unnamed}")
    return numbers


def _shift(priors: FloatArray, log_prior: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        wanted = np.log(priors / priors.sum())
    # of a class that the recipe rules out nothing is known that could be shifted
    ruled_out = np.isneginf(log_prior)
    return np.where(ruled_out, 0.0, wanted - np.where(ruled_out, 0.0, log_prior))


def _cost_table(costs: Costs, class_values: Sequence[str]) -> FloatArray:
    table = 1.0 - np.eye(len(class_values))
    for true, row in costs.items():
        for predicted, cost in row.items():
            place = (_code("costs", str(true), class_values), _code(f"costs.{true}", str(predicted), class_values))
            table[place] = cost
    return np.asarray(table)


def _log_thresholds(thresholds: Shares, class_values: Sequence[str]) -> FloatArray:
    if len(class_values) == 2 and len(thresholds) == 1:
        numbers = _by_class("thresholds", thresholds, class_values)
        other = 1.0 - np.nansum(numbers)
        if not other > 0:
            raise RecipeError("thresholds: the one threshold of two classes has to be below 1")
        return np.log(np.where(np.isnan(numbers), other, numbers))
    return np.log(_all_named("thresholds", thresholds, class_values))


NO_BOUND_RULES = BoundRules()
NO_CLASS_RULES = ClassRules()
