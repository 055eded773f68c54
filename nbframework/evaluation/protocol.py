"""The protocols: how the rows of a data set are parted into training and test rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from nbframework.data.dataset import Dataset
from nbframework.data.selection import without
from nbframework.errors import EvaluationError, did_you_mean
from nbframework.evaluation.dependent_folds import grouped_splits, thinned, time_ordered_splits
from nbframework.evaluation.folds import (
    Split,
    cross_validation_splits,
    holdout_splits,
    leave_one_out_splits,
    rare_classes,
    row_range_splits,
)
from nbframework.evaluation.weka_folds import weka_splits

PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "cross-validation": ("folds", "repeats", "seed", "stratified"),
    "holdout": ("test_share", "test_rows", "repeats", "seed"),
    "split": ("ranges", "seed"),
    "leave-one-out": ("seed",),
    "grouped": ("attribute", "folds", "repeats", "seed"),
    "time-ordered": ("folds", "attribute", "seed"),
    "weka-folds": ("folds", "repeats", "seed"),
}
"""The parameters that each kind of protocol reads."""
LISTED = 6
"""How many classes a warning names."""


@dataclass(frozen=True)
class EvaluationProtocol:
    """How rows are parted into training and test rows.

    Parameters
    ----------
    kind
        One of `PARAMETERS`: cross-validation, holdout, split, leave-one-out, grouped (rows with the same
        value of an attribute stay together), time-ordered (trained on the past, tested on what comes next) or
        weka-folds (the folds of Weka's Experimenter).
    folds, repeats, seed
        Of repeated folds; repeats and seed of holdout, too. Repeat r of weka-folds is Weka's run ``seed + r``, so
        seed 1 begins with its run 1. Everything random in the parts is drawn from the seed, too.
    test_share
        Of holdout: the share of rows to test on, between 0 and 1.
    ranges
        Of split: training and test rows such as ``"1-2000 | 2001-3186"``.
    test_rows
        Of holdout: the number of rows to test on, instead of the share; 0 for the share.
    attribute
        Of grouped: the attribute whose values are the groups, which no recipe sees. Of time-ordered: the numeric or
        date attribute to order by, or nothing for the order of the file.
    training_share
        Learn from this share of each set of training rows only, stratified by class; smaller shares are subsets of
        larger ones. For learning curves.
    stratified
        Of cross-validation: whether each class is spread evenly over the folds.
    orders_only
        Of time-ordered: whether recipes do not see the attribute.
    """

    kind: str = "cross-validation"
    folds: int = 10
    repeats: int = 1
    seed: int = 1
    test_share: float = 1 / 3
    ranges: str = ""
    test_rows: int = 0
    attribute: str = ""
    training_share: float = 1.0
    stratified: bool = True
    orders_only: bool = False

    def __post_init__(self) -> None:
        if self.kind not in PARAMETERS:
            raise EvaluationError(f"unknown protocol {self.kind!r}{did_you_mean(self.kind, PARAMETERS)}")
        if not 0.0 < self.training_share <= 1.0:
            raise EvaluationError(f"training share {self.training_share}, expected more than 0 and at most 1")

    def splits(self, dataset: Dataset) -> list[Split]:
        """Return the splits of a data set; the same ones for every recipe.

        Raises
        ------
        EvaluationError
            Where the data set has too few rows, or ranges or the attribute do not fit it.
        """
        splits = _SPLITS[self.kind](self, dataset)
        if self.training_share == 1.0:
            return splits
        classes = dataset.classes
        return [thinned(split, classes, self.training_share, self.seed, dataset.name) for split in splits]

    def seen(self, dataset: Dataset) -> Dataset:
        """Return the data set as recipes see it: new groups have to be classified without knowing their name."""
        hidden = self.kind == "grouped" or (self.kind == "time-ordered" and self.orders_only)
        if not hidden or self.attribute == dataset.class_attribute.name:
            return dataset
        return without(dataset, self.attribute)

    def warnings(self, dataset: Dataset, splits: Sequence[Split] = ()) -> list[str]:
        """Return what the user should know about the folds of this data set; more where its splits are given."""
        if self.kind not in ("cross-validation", "weka-folds") or not self.stratified or self.training_share != 1.0:
            return _unlearned(dataset, splits)
        rare = rare_classes(dataset.classes, len(dataset.class_values), self.folds)
        if not rare:
            return []
        listed = _listed([f"{dataset.class_values[code]} ({members})" for code, members in rare])
        return [f"classes with fewer rows than the {self.folds} folds: {listed}; some folds lack them"]

    def parameters(self) -> dict[str, Any]:
        """Return the kind and the parameters that it reads."""
        names = (*PARAMETERS[self.kind], *(("training_share",) if self.training_share != 1.0 else ()))
        names += ("orders_only",) if self.orders_only else ()
        known = {field.name: getattr(self, field.name) for field in fields(self)}
        if self.stratified:
            names = tuple(name for name in names if name != "stratified")
        return {"kind": self.kind, **{name: known[name] for name in names}}

    def described(self) -> str:
        """Return the protocol in words."""
        return self._rows_described() + (
            f", {100 * self.training_share:g} % of the training rows" if self.training_share != 1.0 else ""
        )

    def _rows_described(self) -> str:
        repeats = f"{self.repeats} x " if self.repeats > 1 else ""
        if self.kind == "cross-validation":
            how = "stratified" if self.stratified else "unstratified"
            return f"{repeats}{self.folds}-fold {how} cross-validation, seed {self.seed}"
        if self.kind == "weka-folds":
            last = self.seed + self.repeats - 1
            runs = f"run {self.seed}" if self.repeats == 1 else f"runs {self.seed} to {last}"
            return f"{repeats}{self.folds}-fold cross-validation with Weka's folds, {runs}"
        if self.kind == "holdout":
            size = f"{self.test_rows}" if self.test_rows else f"{self.test_share:.3g} of the"
            times = "1 repeat" if self.repeats == 1 else f"{self.repeats} repeats"
            return f"holdout of {size} rows, {times}, seed {self.seed}"
        if self.kind == "grouped":
            return f"{repeats}{self.folds}-fold cross-validation by groups of {self.attribute!r}, seed {self.seed}"
        if self.kind == "time-ordered":
            by = f"the order of {self.attribute!r}" if self.attribute else "file order"
            return f"{self.folds} time-ordered folds in {by}"
        return "leave-one-out" if self.kind == "leave-one-out" else f"rows {self.ranges}"


def _unlearned(dataset: Dataset, splits: Sequence[Split]) -> list[str]:
    """Return a line on the classes that have test rows, and no training row, in some split."""
    count = len(dataset.class_values)
    folds = np.zeros(count, dtype=np.intp)
    for split in splits:
        trained, tested = (
            np.bincount(dataset.classes[rows], minlength=count)[:count] for rows in (split.train, split.test)
        )
        folds += (tested > 0) & (trained == 0)
    lacking = [f"{dataset.class_values[code]} ({folds[code]})" for code in np.flatnonzero(folds)]
    if not lacking:
        return []
    of = "the only fold" if len(splits) == 1 else f"the number of {len(splits)} folds in brackets"
    return [f"classes that are tested without a training row, {of}: {_listed(lacking)}"]


def _listed(texts: Sequence[str]) -> str:
    more = len(texts) - LISTED
    return ", ".join(texts[:LISTED]) + (f" and {more} more" if more > 0 else "")


def _cross_validation(protocol: EvaluationProtocol, dataset: Dataset) -> list[Split]:
    classes, count = dataset.classes, len(dataset.class_values)
    if not protocol.stratified:
        classes, count = np.zeros(len(dataset), dtype=np.intp), 1
    return cross_validation_splits(classes, count, protocol.folds, protocol.repeats, protocol.seed, dataset.name)


def _holdout(protocol: EvaluationProtocol, dataset: Dataset) -> list[Split]:
    rows, share = len(dataset), protocol.test_share
    if protocol.test_rows:
        if not 0 < protocol.test_rows < rows:
            raise EvaluationError(f"a holdout of {protocol.test_rows} rows does not fit a data set of {rows} rows")
        share = protocol.test_rows / rows
    classes, count = dataset.classes, len(dataset.class_values)
    return holdout_splits(classes, count, share, protocol.repeats, protocol.seed, dataset.name)


def _weka(protocol: EvaluationProtocol, dataset: Dataset) -> list[Split]:
    classes, count = dataset.classes, len(dataset.class_values)
    return weka_splits(classes, count, protocol.folds, protocol.repeats, protocol.seed)


_SPLITS: Mapping[str, Callable[[EvaluationProtocol, Dataset], list[Split]]] = {
    "cross-validation": _cross_validation,
    "holdout": _holdout,
    "split": lambda protocol, dataset: row_range_splits(len(dataset), protocol.ranges),
    "leave-one-out": lambda _, dataset: leave_one_out_splits(len(dataset)),
    "grouped": lambda protocol, dataset: grouped_splits(
        dataset, protocol.attribute, protocol.folds, protocol.repeats, protocol.seed
    ),
    "time-ordered": lambda protocol, dataset: time_ordered_splits(dataset, protocol.folds, protocol.attribute),
    "weka-folds": _weka,
}
