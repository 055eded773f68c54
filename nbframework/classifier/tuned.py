"""A classifier that chooses some of its parameters by the training rows alone."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from nbframework.classifier.fitted import FittedClassifier
from nbframework.classifier.grid import Grid, changed
from nbframework.classifier.model import Classifier, Seed
from nbframework.classifier.settings import Judged, Settings
from nbframework.classifier.shared import SharedWork
from nbframework.classifier.training import usable_mask, usable_rows
from nbframework.data.dataset import Dataset
from nbframework.errors import RecipeError
from nbframework.parts.classifier import FittedWhole

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.intp]
TIED = 1e-12
"""Scores closer than this are equal."""
INNER = 7
"""Sets the stream of the inner folds apart from that of the fit."""
By = Literal["leave-one-out", "cross-validation"]


@dataclass(frozen=True, kw_only=True)
class Choice:
    """How the setting of a grid is chosen.

    Parameters
    ----------
    grid
        The settings to try.
    by
        leave-one-out, or cross-validation in inner folds.
    folds
        Number of inner folds, at most one for each row.
    score
        Takes truth, log posterior, predicted classes and weights, and returns a score, or None where it is undefined.
    higher_is_better
        Whether the larger of two scores is the better one.
    reads_posterior
        Whether the score looks at the log posteriors.
    deal
        Takes (n,) classes, their number, a number of folds and a generator, and returns the (n,) fold of each row.
    """

    grid: Grid
    by: By
    folds: int
    score: Callable[[Any, Any, Any, Any], float | None]
    higher_is_better: bool
    reads_posterior: bool
    deal: Callable[[Any, int, int, np.random.Generator], IntArray]

    def described(self) -> str:
        """Return in words how the setting is chosen."""
        return self.by if self.by == "leave-one-out" else f"{self.folds}-fold cross-validation"


@dataclass(frozen=True, kw_only=True, eq=False)
class TunedClassifier(Classifier):
    """A classifier whose `fit` first chooses a setting by the training rows, then fits it on all of them.

    The setting with the best score of all training rows together is chosen; of equal ones that with the smallest
    value, of the first parameter before the second. Fewer than 2 rows choose the smallest values.

    Parameters
    ----------
    choice
        The settings and how they are judged; the parts' own values of these parameters do not matter.
    """

    choice: Choice

    def fit(self, dataset: Dataset, seed: Seed = 0) -> FittedClassifier:
        """Choose the setting, and fit; see `Classifier.fit`."""
        setting = self.chosen(dataset, seed)
        return self._noted(changed(self._plain, setting).fit(dataset, seed), setting)

    def fit_folds(
        self,
        dataset: Dataset,
        training: Sequence[IntArray],
        seed: Seed = 0,
        numbers: Sequence[int] | None = None,
        shared: SharedWork | None = None,
    ) -> Iterator[FittedClassifier]:
        """Choose and fit once for each set of training rows, as `fit` does; see `Classifier.fit_folds`."""
        start = [seed] if isinstance(seed, int) else list(seed)
        shared = shared or SharedWork()
        for fold, number in enumerate(range(len(training)) if numbers is None else numbers):
            setting = self.chosen(dataset.take(training[fold]), [*start, number])
            plain = changed(self._plain, setting)
            for fitted in plain.fit_folds(dataset, [training[fold]], seed, [number], shared):
                yield self._noted(fitted, setting)

    def fold_groups(
        self,
        dataset: Dataset,
        training: Sequence[IntArray],
        test: Sequence[IntArray],
        numbers: Sequence[int] | None = None,
        shared: SharedWork | None = None,
    ) -> None:
        """Return nothing: each fold chooses its own setting."""
        del dataset, training, test, numbers, shared

    def leave_one_out(self, dataset: Dataset, seed: Seed = 0) -> tuple[FloatArray, IntArray]:
        """Return posteriors and predictions of each row by all others, which choose a setting each time."""
        return self._refitted_without_each(dataset, seed)

    def restored(
        self, model: FittedWhole, schema: Dataset, class_weight: FloatArray, notes: tuple[str, ...]
    ) -> FittedClassifier:
        """Refuse: which setting was chosen is known from training rows only."""
        del model, schema, class_weight, notes
        raise RecipeError("a tuned recipe is fitted on training rows, it cannot be restored from counts")

    def chosen(self, dataset: Dataset, seed: Seed) -> dict[str, float]:
        """Return the setting that some training rows choose.

        Parameters
        ----------
        dataset
            Training rows; those without class or weight are left out.
        seed
            Seed of the inner folds, and of everything random in the parts.
        """
        choice = self.choice
        settings = list(choice.grid.settings())
        if len(settings) == 1 or usable_mask(dataset).sum() < 2:
            return settings[0]
        rows = usable_rows(dataset).dataset
        scores = np.full(len(settings), -np.inf)
        for place, judged in self._judged(rows, seed):
            score = choice.score(judged.truth, judged.log_posterior, judged.predicted, judged.weights)
            if score is not None:
                scores[place] = score if choice.higher_is_better else -score
        return settings[int(np.argmax(scores >= scores.max() - TIED))]

    def _judged(self, rows: Dataset, seed: Seed) -> Iterator[tuple[int, Judged]]:
        choice = self.choice
        settings = Settings(self._plain, choice.grid, choice.reads_posterior)
        if choice.by == "leave-one-out":
            return settings.left_out(rows, seed)
        stream = [*([seed] if isinstance(seed, int) else seed), INNER]
        folds = min(choice.folds, len(rows))
        fold = choice.deal(rows.classes, len(rows.class_values), folds, np.random.default_rng(stream))
        return settings.cross_validated(rows, fold, stream)

    @property
    def _plain(self) -> Classifier:
        """The classifier without the choice."""
        return Classifier(**{field.name: getattr(self, field.name) for field in fields(Classifier)})

    def _noted(self, fitted: FittedClassifier, setting: Mapping[str, float]) -> FittedClassifier:
        how = self.choice.described()
        notes = tuple(f"{path} tuned to {value:.12g} by {how}" for path, value in setting.items())
        return replace(fitted, chosen=setting, further_notes=(*fitted.further_notes, *notes))
