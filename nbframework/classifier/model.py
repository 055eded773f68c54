"""The configured classifier: parts and rules that `fit` puts to work."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.composition import FittingParts, GlobalModel
from nbframework.classifier.decision import NO_BOUND_RULES, NO_CLASS_RULES, BoundRules, ClassRules
from nbframework.classifier.fitted import FittedClassifier
from nbframework.classifier.fold_groups import FoldGroups
from nbframework.classifier.folds import SharedFolds
from nbframework.classifier.leave_one_out import leave_one_out_joint
from nbframework.classifier.posterior import TieRule, normalised
from nbframework.classifier.prior import EstimatorWithPrior, log_prior_of
from nbframework.classifier.shared import SharedWork
from nbframework.classifier.training import Usable, usable_rows
from nbframework.data.dataset import Dataset
from nbframework.errors import RecipeError
from nbframework.parts.classifier import FittedWhole, WholeClassifier
from nbframework.parts.density import Density
from nbframework.parts.discretizer import Discretizer
from nbframework.parts.estimator import Estimator
from nbframework.parts.missing import MissingPolicy
from nbframework.parts.neighbourhood import Neighbourhood
from nbframework.parts.structure import Structure
from nbframework.parts.weights import WeightLearner

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
Seed = int | Sequence[int]


@dataclass(frozen=True, kw_only=True, eq=False)
class Classifier:
    """A recipe come to life: one part of each kind and the rules that no part decides.

    Parameters
    ----------
    missing, discretizer, neighbourhood, estimator, density, weights, structure
        The parts.
    prior
        The estimator whose ``log_prior`` is used; None takes ``estimator``'s own.
    whole
        A classifier that decides everything by itself and is handed the other parts, or None.
    empty_classes
        Whether classes without training weight are kept in the prior's smoothing, or dropped and never predicted.
    ties
        Which of several tied classes is predicted.
    tie_tolerance
        Nats within which log posteriors are tied.
    class_rules
        Priors, costs and thresholds by the names of the classes.

    Raises
    ------
    RecipeError
        Where weights stand on a structure without factors.
    """

    missing: MissingPolicy
    discretizer: Discretizer
    neighbourhood: Neighbourhood
    estimator: Estimator
    density: Density
    weights: WeightLearner
    structure: Structure
    prior: Estimator | None = None
    whole: WholeClassifier | None = None
    empty_classes: Literal["keep", "drop"] = "keep"
    ties: TieRule = "first"
    tie_tolerance: float = 1e-10
    class_rules: ClassRules = NO_CLASS_RULES

    def __post_init__(self) -> None:
        if not self.weights.is_uniform and not self.structure.factored:
            raise RecipeError(
                f"weights {self.weights.name!r} are exponents of factors, and structure {self.structure.name!r} is "
                "not a product of factors; use another structure or uniform weights"
            )
        if self.discretizer.scope == "neighbourhood" and self.neighbourhood.is_global:
            raise RecipeError(
                f"discretizer.scope: 'neighbourhood' needs a neighbourhood, found {self.neighbourhood.name!r}"
            )

    @cached_property
    def composition(self) -> FittingParts:
        """The parts as they are fitted together."""
        return FittingParts(
            missing=self.missing,
            discretizer=self.discretizer,
            neighbourhood=self.neighbourhood,
            estimator=EstimatorWithPrior(
                conditional=self.estimator,
                prior=self.prior or self.estimator,
                drop_empty=self.empty_classes == "drop",
            ),
            density=self.density,
            weights=self.weights,
            structure=self.structure,
        )

    @property
    def part_names(self) -> dict[str, str]:
        """The name of the part of each kind; of a whole classifier its own name alone."""
        if self.whole is not None:
            return {"classifier": self.whole.name}
        kinds = ("missing", "discretizer", "neighbourhood", "estimator", "density", "weights", "structure")
        return {kind: getattr(self, kind).name for kind in kinds}

    def fit(self, dataset: Dataset, seed: Seed = 0) -> FittedClassifier:
        """Fit on the rows of known class and positive weight.

        Parameters
        ----------
        dataset
            Training rows; the class has to be nominal.
        seed
            Seed of everything random; the same seed gives the same bytes.

        Raises
        ------
        EvaluationError
            Where there is no row to learn from, or an attribute is of a kind that no part takes.
        """
        usable = usable_rows(dataset)
        fitted = self._fitted(self._fit_model(usable.dataset, np.random.default_rng(seed)), usable)
        return replace(fitted, training=usable.dataset, seed=seed)

    def announced(self, schema: Dataset) -> tuple[str, ...]:
        """Return what the user should know before rows of this schema are fitted."""
        return self.structure.announced(schema) if self.whole is None and self.neighbourhood.is_global else ()

    def restored(
        self, model: FittedWhole, schema: Dataset, class_weight: FloatArray, notes: tuple[str, ...]
    ) -> FittedClassifier:
        """Return a fitted classifier around a model that was fitted elsewhere.

        Parameters
        ----------
        model
            Fitted with these parts.
        schema
            The attributes and values of its training rows.
        class_weight
            (C,) their class weights.
        notes
            What was said of them.
        """
        return self._fitted(model, Usable(schema, class_weight), notes)

    def fit_folds(
        self,
        dataset: Dataset,
        training: Sequence[IntArray],
        seed: Seed = 0,
        numbers: Sequence[int] | None = None,
        shared: SharedWork | None = None,
    ) -> Iterator[FittedClassifier]:
        """Fit once for each set of training rows, sharing the work that folds have in common.

        Parameters
        ----------
        dataset
            All rows.
        training
            For each fold the (m,) rows to learn from.
        seed
            Fold i is fitted with the seed ``[seed, i]``.
        numbers
            The number i of each fold; None counts from 0. With it some folds of many give the bytes of all of them.
        shared
            Given to several recipes that go through the same folds of this data set side by side, it saves them from
            computing the same things again.

        Yields
        ------
        The fitted classifiers, in order; each equals `fit` on its rows to the rounding of sums of fractional weights.
        """
        start = [seed] if isinstance(seed, int) else list(seed)
        folds = None if self.whole is not None else SharedFolds.of(self.composition, dataset, training, shared)
        for fold, number in enumerate(range(len(training)) if numbers is None else numbers):
            fold_seed = [*start, number]
            if folds is None:
                yield self.fit(dataset.take(training[fold]), fold_seed)
            else:
                model, usable = folds.fit(fold, fold_seed, number)
                yield self._fitted(model, usable)

    def fold_groups(
        self,
        dataset: Dataset,
        training: Sequence[IntArray],
        test: Sequence[IntArray],
        numbers: Sequence[int] | None = None,
        shared: SharedWork | None = None,
    ) -> FoldGroups | None:
        """Return what answers several folds together as `fit_folds` does one by one, or None where nothing can.

        Parameters
        ----------
        dataset
            All rows.
        training, test
            For each fold the rows to learn from and those to ask about.
        numbers, shared
            See `fit_folds`.
        """
        if self.whole is not None:
            return None
        numbers = range(len(training)) if numbers is None else numbers
        return FoldGroups.of(self.composition, dataset, training, test, numbers, shared)

    def leave_one_out(self, dataset: Dataset, seed: Seed = 0) -> tuple[FloatArray, IntArray]:
        """Return the (n, C) log posteriors and (n,) predictions of each row by the classifier of all other rows.

        Exact by subtracting the row's counts where the recipe's statistics add; otherwise n fits.
        """
        shared = None if self.whole is not None else leave_one_out_joint(self.composition, dataset)
        if shared is None:
            return self._refitted_without_each(dataset, seed)
        return self.decided(dataset, shared.joint, shared.class_weight)

    def decided(self, schema: Dataset, log_joint: FloatArray, class_weight: FloatArray) -> tuple[FloatArray, IntArray]:
        """Return the (q, C) log posteriors and (q,) predictions of rows that were asked of different training sets.

        Parameters
        ----------
        schema
            The declared classes.
        log_joint
            (q, C) log P(class, row) up to a constant for each row.
        class_weight
            (q, C) class weights of the training rows that each row was asked of.
        """
        rules = self._rules(schema, class_weight)
        log_posterior = normalised(rules.shifted(log_joint), rules.frequencies(class_weight))
        return log_posterior, rules.predicted(log_posterior, class_weight, self.ties, self.tie_tolerance)

    def _refitted_without_each(self, dataset: Dataset, seed: Seed) -> tuple[FloatArray, IntArray]:
        """Return what `leave_one_out` does, by n fits."""
        rows = np.arange(len(dataset))
        log_posterior = np.empty((len(dataset), len(dataset.class_values)))
        predicted = np.empty(len(dataset), dtype=np.intp)
        others = [np.delete(rows, row) for row in rows]
        for row, fitted in enumerate(self.fit_folds(dataset, others, seed)):
            log_posterior[row] = fitted.predict_log_proba(dataset.take([row]))[0]
            predicted[row] = fitted.predicted(log_posterior[row : row + 1])[0]
        return log_posterior, predicted

    def _fit_model(self, training: Dataset, generator: np.random.Generator) -> FittedWhole:
        if self.whole is not None:
            return self.whole.fit(training, self.composition, generator)
        return self.composition.fit(training, generator)

    def _fitted(self, model: FittedWhole, usable: Usable, notes: tuple[str, ...] = ()) -> FittedClassifier:
        schema = usable.dataset.schema
        return FittedClassifier(
            model,
            schema,
            usable.class_weight,
            self.ties,
            self.tie_tolerance,
            tuple(dict.fromkeys((*notes, *(model.notes if isinstance(model, GlobalModel) else ())))),
            self.structure.reads,
            not self.missing.learns,
            rules=self._rules(schema, usable.class_weight),
            classifier=self,
            unlabelled=usable.unlabelled,
        )

    def _rules(self, schema: Dataset, class_weight: FloatArray) -> BoundRules:
        """Return the class rules for (C,) or (q, C) class weights."""
        if self.class_rules == NO_CLASS_RULES:
            return NO_BOUND_RULES
        return self.class_rules.bound(schema.class_values, log_prior_of(self.composition.estimator, class_weight))
