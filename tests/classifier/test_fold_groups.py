"""Folds that are fitted together: the same bytes as one by one, and only where that can be."""

from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

import numpy as np
import pytest
from support.builders import table
from support.recipes import EVERY, recipe

from nbframework import Dataset, EvaluationError, Recipe
from nbframework.authoring import Structure
from nbframework.classifier import fold_groups
from nbframework.evaluation.evaluate import evaluate
from nbframework.evaluation.folds import Split, cross_validation_splits
from nbframework.evaluation.predictions import predicted_folds, predicted_groups

HEADER = "x numeric; colour {red,green,blue}; y numeric; z {u}; class {a,b,c}"


def mixed(rows: int = 90, seed: int = 3, unknown: float = 0.1) -> Dataset:
    """Return numbers that tell the class, others that do not, values and unknown ones."""
    generator = np.random.default_rng(seed)
    lines = []
    for _ in range(rows):
        label = int(generator.integers(3))
        words = [f"{generator.normal(label):.1f}", ["red", "green", "blue"][int(generator.integers(3))]]
        words += [f"{generator.normal():.1f}", "u"]
        lines.append(" ".join("?" if generator.random() < unknown else word for word in words) + f" {'abc'[label]}")
    return table(HEADER, "; ".join(lines))


def both(given: Recipe, dataset: Dataset, splits: list[Split]):
    """Return the predictions of folds together, and of folds one by one."""
    classifier = given.build()
    one_by_one = predicted_groups(classifier, dataset, splits, 1, together=False)
    return list(predicted_folds(classifier, dataset, splits, 1)), list(chain.from_iterable(one_by_one))


def is_grouped(given: Recipe, dataset: Dataset, splits: list[Split]) -> bool:
    """Return whether the folds are fitted together."""
    training, test = [split.train for split in splits], [split.test for split in splits]
    groups = given.build().fold_groups(dataset, training, test)
    return groups is not None and groups.answers(0, len(splits)) is not None


def folds_of(dataset: Dataset, folds: int = 5, repeats: int = 3) -> list[Split]:
    return cross_validation_splits(dataset.classes, len(dataset.class_values), folds, repeats)


def assert_same(together, one_by_one) -> None:
    for mine, theirs in zip(together, one_by_one, strict=True):
        assert (mine.repeat, mine.fold, mine.notes) == (theirs.repeat, theirs.fold, theirs.notes)
        assert mine.rows.tobytes() == theirs.rows.tobytes()
        assert mine.log_posterior.tobytes() == theirs.log_posterior.tobytes()
        assert mine.predicted.tobytes() == theirs.predicted.tobytes()


@pytest.mark.parametrize("name", EVERY)
def test_folds_together_give_the_bytes_of_folds_one_by_one(name):
    dataset = mixed()
    assert_same(*both(recipe(name), dataset, folds_of(dataset)))


@pytest.mark.parametrize("name", ["weka-naive-bayes", "sbc", "laplace-m", "observed", "m-estimate"])
@pytest.mark.parametrize("varied", ["whole weights", "fractional weights", "unlabelled", "thinned", "drawn", "swapped"])
def test_whatever_the_rows(name, varied):
    dataset = mixed()
    splits = folds_of(dataset)
    generator = np.random.default_rng(1)
    if varied.endswith("weights"):
        weights = generator.integers(0, 4, len(dataset)) / (3 if varied.startswith("fractional") else 1)
        dataset = Dataset(dataset.attributes, dataset.columns, dataset.class_index, weights)
    elif varied == "unlabelled":
        classes = np.where(generator.random(len(dataset)) < 0.1, 4, dataset.classes).astype(np.uint8)
        dataset = Dataset(dataset.attributes, (*dataset.columns[:-1], classes), dataset.class_index)
    elif varied == "thinned":
        splits = [Split(split.train[::3], split.test, split.repeat, split.fold) for split in splits]
    elif varied == "drawn":
        splits = [Split(generator.choice(split.train, 60), split.test, split.repeat, split.fold) for split in splits]
    else:
        splits = [Split(split.test, split.train, split.repeat, split.fold) for split in splits]
    assert_same(*both(recipe(name), dataset, splits))


def test_class_rules_and_the_larger_class_decide_alike():
    text = "recipe: t\nmissing: ignore\nestimator: frequency\ndiscretizer: {equal-width: {bins: 2}}\n"
    dataset = mixed()
    for rules in ("ties: larger-class\ntie_tolerance: 0.5", "class_priors: {a: 1, b: 2, c: 1}", "costs: {a: {b: 4}}"):
        assert_same(*both(Recipe.from_text(text + rules), dataset, folds_of(dataset)))


def test_many_classes_and_folds_of_one_row():
    labels = "abcdefghijkl"
    rows = "; ".join(f"{'uv'[i % 2]} {'st'[i % 3 == 0]} {labels[i % 12]}" for i in range(48))
    dataset = table(f"x {{u,v}}; y {{s,t}}; class {{{','.join(labels)}}}", rows)
    assert_same(*both(recipe("laplace-nb"), dataset, folds_of(dataset, 48, 1)))


def test_groups_of_any_size_give_the_same(monkeypatch):
    dataset = mixed()
    whole, _ = both(recipe("weka-naive-bayes"), dataset, folds_of(dataset))
    monkeypatch.setattr(fold_groups, "MOST_FOLDS", 4)
    assert_same(both(recipe("weka-naive-bayes"), dataset, folds_of(dataset))[0], whole)


@pytest.mark.parametrize(
    ("name", "grouped"),
    [
        ("weka-naive-bayes", True),
        ("sbc", True),
        ("no-match-pc", True),
        ("laplace-nb", False),
        ("every-attribute", False),
        ("gaussian-nb", False),
        ("skip-unseen", False),
        ("impute", False),
        ("weighted", False),
    ],
)
def test_only_what_learns_no_more_than_counts_is_grouped(name, grouped):
    dataset = mixed()
    assert is_grouped(recipe(name), dataset, folds_of(dataset)) is grouped


def test_a_tuned_recipe_is_not_grouped():
    text = "recipe: t\nestimator: {laplace: {f: {tune: {values: [0.1, 1]}}}}"
    dataset = table("x {u,v}; class {a,b}", "u a; v b; " * 10)
    assert not is_grouped(Recipe.from_text(text), dataset, folds_of(dataset))


@pytest.mark.parametrize(("constant", "value"), [("MOST_CELLS", 10), ("MOST_CODES", 10)])
def test_large_folds_are_fitted_one_by_one(monkeypatch, constant, value):
    monkeypatch.setattr(fold_groups, constant, value)
    dataset = mixed()
    assert not is_grouped(recipe("weka-naive-bayes"), dataset, folds_of(dataset))


@dataclass(frozen=True, kw_only=True)
class NeedsRed(Structure):
    """Fail on training sets without a known value of the first attribute."""

    name: ClassVar[str] = "needs-red"
    handles_groups: ClassVar[bool] = True
    reads: ClassVar[str] = "counts"

    def fit(self, training, estimator, density):
        if (training.counts.known[..., 0].sum(axis=-1) == 0).any():
            raise ZeroDivisionError("nothing known")
        return recipe("laplace-nb").build().structure.fit(training, estimator, density)


def test_a_failure_in_a_group_names_the_fold():
    dataset = table("x {u,v}; class {a,b}", "; ".join(["u a"] * 4 + ["? b"] * 8))
    splits = [Split(np.arange(2, 12), np.arange(2), 0, 0), Split(np.arange(4, 12), np.arange(4), 0, 1)]
    classifier = Recipe(structure=NeedsRed()).build()
    assert classifier.fold_groups(dataset, [s.train for s in splits], [s.test for s in splits]) is not None
    found = predicted_folds(classifier, dataset, splits, 1)
    assert next(found).fold == 0
    with pytest.raises(EvaluationError, match=r"^fold 2: ZeroDivisionError: nothing known"):
        next(found)


def test_progress_and_notes_are_those_of_single_folds():
    dataset = table("x {u,v}; class {a,b}", "u a; v b; " * 10 + "u ?; v ?")
    calls = []
    evaluation = evaluate(recipe("laplace-nb"), dataset, 4, progress=lambda done, of: calls.append((done, of)))
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert all("without a class left out of training" in fold.notes[0] for fold in evaluation.predictions)
