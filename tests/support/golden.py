"""Golden files: folds, cut points and probabilities that Weka computed."""

import csv
import gzip
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nbframework import Dataset, Recipe
from nbframework.classifier.encoding import SortedColumns, learn_cuts


@dataclass(frozen=True)
class Golden:
    """The golden files of one data set."""

    folder: Path
    dataset: Dataset

    @property
    def folds(self) -> np.ndarray:
        """The fold in which each row is tested."""
        return np.loadtxt(self.folder / "folds.txt", dtype=int)

    def training(self, fold: int) -> np.ndarray:
        """The rows to learn from; fold -1 means all of them."""
        return np.flatnonzero(self.folds != fold)

    def has(self, scheme: str) -> bool:
        return (self.folder / f"{scheme}.csv.gz").is_file()

    def cuts(self, file: str) -> dict[tuple[int, str], list[float]]:
        """Cut points by fold and attribute; attributes without cut points may be left out."""
        with (self.folder / file).open(newline="") as stream:
            return {
                (int(row["fold"]), row["attr_name"]): [float(cut) for cut in row["cuts"].split(";") if cut]
                for row in csv.DictReader(stream)
            }

    def probabilities(self, scheme: str) -> np.ndarray:
        """(n, C) class probabilities."""
        with gzip.open(self.folder / f"{scheme}.csv.gz", "rt") as stream:
            table = np.array([[float(cell) for cell in row] for row in list(csv.reader(stream))[1:]])
        assert table[:, 0].tolist() == list(range(len(self.dataset)))
        assert table[:, 1].tolist() == self.folds.tolist()
        return table[:, 2:]

    def found_probabilities(self, recipe: Recipe) -> np.ndarray:
        """(n, C) posteriors by our recipe in the same folds."""
        folds = self.folds
        found = np.empty((len(self.dataset), len(self.dataset.class_values)))
        order = range(int(folds.max()) + 1)
        models = recipe.build().fit_folds(self.dataset, [self.training(fold) for fold in order])
        for fold, model in zip(order, models, strict=True):
            rows = np.flatnonzero(folds == fold)
            found[rows] = model.predict_proba(self.dataset.take(rows))
        return found

    def found_cuts(self, recipe: Recipe) -> dict[tuple[int, str], list[float]]:
        """Cut points by fold and attribute by our recipe; every measured attribute is there."""
        columns = SortedColumns(self.dataset)
        assert recipe.discretizer is not None
        return {
            (fold, self.dataset.inputs[position].name): cuts.tolist()
            for fold in range(-1, int(self.folds.max()) + 1)
            for position, cuts in learn_cuts(recipe.discretizer, columns, self.training(fold)).items()
        }

    def check_cuts(self, file: str, recipe: Recipe) -> None:
        """Fail where a cut point differs in a single bit."""
        expected = self.cuts(file)
        found = self.found_cuts(recipe)
        assert set(expected) <= set(found)
        assert found == {place: expected.get(place, []) for place in found}

    def check_probabilities(self, scheme: str, recipe: Recipe, tolerance: float) -> None:
        """Fail where a probability differs by more than the tolerance."""
        np.testing.assert_allclose(self.found_probabilities(recipe), self.probabilities(scheme), rtol=0, atol=tolerance)


CUTS = {
    "cuts.csv": "recipe: t\ndiscretizer: entropy-mdl",
    "cuts_K.csv": "recipe: t\ndiscretizer: {entropy-mdl: {criterion: kononenko}}",
    "cuts_E.csv": "recipe: t\ndiscretizer: {entropy-mdl: {candidates: boundaries}}",
}
SCHEMES = {
    "nb_disc": ("weka-naive-bayes", {}, 1e-9),
    "nb_gauss": ("weka-gaussian", {}, 1e-8),
    "nb_kernel": ("weka-kernel", {}, 1e-7),
    "nb_kernel@3.9.7": ("weka-kernel", {"density.version": "3.9"}, 1e-7),
}
