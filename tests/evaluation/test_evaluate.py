"""Evaluations whose numbers can be counted by hand."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from support.builders import table

from nbframework import EvaluationError, EvaluationProtocol, Recipe, evaluate, read_arff
from nbframework.authoring import WholeClassifier
from nbframework.data.catalog import bundled_path

MAJORITY = Recipe.load("majority")
HEADER = "x {u,v}; class {a,b}"


def split(ranges):
    return EvaluationProtocol("split", ranges=ranges)


# --- scores of given rows: train on a a b (majority a), test on the others


def test_the_error_of_given_rows():
    dataset = table(HEADER, "u a; u a; v b; u a; v b; v b; u a; v b")
    found = evaluate(MAJORITY, dataset, protocol=split("1-3 | 4-8"))
    # a b b a b, all predicted a
    assert found.scores()["error"] == pytest.approx(3 / 5)
    assert found.scores()["accuracy"] == pytest.approx(2 / 5)
    assert found.fold_errors() == pytest.approx([3 / 5])
    assert found.predictions[0].rows.tolist() == [3, 4, 5, 6, 7]


def test_the_deviation_of_a_single_test_set():
    dataset = table(HEADER, "u a; u a; v b; u a; v b; v b; u a; v b")
    found = evaluate(MAJORITY, dataset, protocol=split("1-3 | 4-8"))
    assert found.error_sd() == pytest.approx(math.sqrt(0.6 * 0.4 / 5))


def test_test_rows_without_class_are_not_judged():
    dataset = table(HEADER, "u a; u a; v b; u a; v b; v ?; u ?; v b")
    found = evaluate(MAJORITY, dataset, protocol=split("1-3 | 4-8"))
    assert found.scores()["error"] == pytest.approx(2 / 3)
    assert found.error_sd() == pytest.approx(math.sqrt(2 / 3 * 1 / 3 / 3))


def test_test_rows_count_by_their_weight():
    dataset = table(HEADER, "u a; u a; v b; u a {3}; v b {1}; v b {0}")
    found = evaluate(MAJORITY, dataset, protocol=split("1-3 | 4-6"))
    assert found.scores()["error"] == pytest.approx(1 / 4)


def test_the_log_loss_of_the_prior():
    # train a a b: log loss of a is -ln 2/3, of b -ln 1/3
    dataset = table(HEADER, "u a; u a; v b; u a; v b")
    found = evaluate(MAJORITY, dataset, protocol=split("1-3 | 4-5"))
    assert found.scores()["log_loss"] == pytest.approx((math.log(3 / 2) + math.log(3)) / 2)


def test_an_exact_zero_has_an_infinite_log_loss():
    dataset = table(HEADER, "u a; v b; u b")
    found = evaluate(Recipe.load("no-match-0"), dataset, protocol=split("1-2 | 3-3"))
    assert found.scores()["log_loss"] == math.inf


# --- cross-validation


def test_the_error_is_the_mean_of_the_folds_and_its_deviation_that_of_the_mean():
    dataset = read_arff(bundled_path("iris"))
    found = evaluate(Recipe.load("gaussian-nb"), dataset, folds=7, seed=3)
    errors = [np.mean(fold.predicted != dataset.classes[fold.rows]) for fold in found.predictions]
    assert found.fold_errors() == pytest.approx(errors)
    assert found.scores()["error"] == pytest.approx(np.mean(errors))
    assert found.error_sd() == pytest.approx(np.std(errors, ddof=1) / math.sqrt(7))


def test_each_fold_is_learned_on_the_rows_it_does_not_test():
    dataset = read_arff(bundled_path("iris"))
    recipe = Recipe.load("sbc")
    found = evaluate(recipe, dataset, folds=4, seed=2)
    for number, fold in enumerate(found.predictions):
        training = np.setdiff1d(np.arange(len(dataset)), fold.rows)
        model = recipe.build().fit(dataset.take(training), seed=[2, number])
        expected = model.predict_log_proba(dataset.take(fold.rows))
        np.testing.assert_allclose(fold.log_posterior, expected, rtol=0, atol=1e-12)


def test_every_recipe_gets_the_same_folds():
    dataset = read_arff(bundled_path("iris"))
    one, two = (evaluate(Recipe.load(name), dataset, folds=5) for name in ("majority", "sbc"))
    for mine, theirs in zip(one.predictions, two.predictions, strict=True):
        assert mine.rows.tolist() == theirs.rows.tolist()


def test_repeats_have_other_folds_and_test_every_row_once_each():
    dataset = table(HEADER, "; ".join(["u a", "v b"] * 10))
    found = evaluate(MAJORITY, dataset, folds=5, repeats=3)
    assert found.repeats == 3
    for repeat in range(3):
        assert sorted(found.pooled(repeat)[0].tolist()) == list(range(20))
    first = {repeat: found.predictions[5 * repeat].rows.tolist() for repeat in range(3)}
    assert len({tuple(rows) for rows in first.values()}) == 3


def test_the_same_seed_gives_the_same_bytes():
    dataset = read_arff(bundled_path("iris"))
    one, two = (evaluate(Recipe.load("sbc"), dataset, folds=3, seed=9) for _ in range(2))
    for mine, theirs in zip(one.predictions, two.predictions, strict=True):
        assert mine.log_posterior.tobytes() == theirs.log_posterior.tobytes()


def test_scores_over_repeats_are_means_of_the_repeats():
    dataset = read_arff(bundled_path("wine"))
    whole = evaluate(Recipe.load("gaussian-nb"), dataset, folds=3, repeats=2, seed=1)
    singles = []
    for repeat in range(2):
        rows, log_posterior, _ = whole.pooled(repeat)
        truth = dataset.classes[rows]
        singles.append(-np.mean(log_posterior[np.arange(len(rows)), truth]))
    assert whole.scores()["log_loss"] == pytest.approx(np.mean(singles))


def test_progress_counts_the_folds():
    calls = []
    evaluate(MAJORITY, table(HEADER, "u a; v b; u a; v b"), folds=2, repeats=2, progress=lambda *at: calls.append(at))
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_notes_of_the_fits_are_reported_once():
    found = evaluate(MAJORITY, table(HEADER, "u a; v b; u a; v b; u ?"), folds=2)
    assert len(found.notes) == len(set(found.notes))
    assert any("without a class left out of training" in note for note in found.notes)


# --- leave one out


def test_leave_one_out_of_the_majority():
    # a a b b b: without an a it is 1 : 3, without a b 2 : 2, which is a tie that the first declared wins
    dataset = table(HEADER, "u a; u a; v b; v b; v b")
    found = evaluate(MAJORITY, dataset, protocol=EvaluationProtocol("leave-one-out"))
    assert found.predictions[0].predicted.tolist() == [1, 1, 0, 0, 0]
    assert found.scores()["accuracy"] == 0
    expected = np.log([[1 / 4, 3 / 4], [1 / 4, 3 / 4], *[[1 / 2, 1 / 2]] * 3])
    np.testing.assert_allclose(found.predictions[0].log_posterior, expected, atol=1e-14)


def test_leave_one_out_deviation_is_that_of_a_proportion():
    dataset = table(HEADER, "u a; u a; u a; v b; u ?")
    found = evaluate(MAJORITY, dataset, protocol=EvaluationProtocol("leave-one-out"))
    # a a a right, b wrong, ? not judged
    assert found.scores()["error"] == pytest.approx(1 / 4)
    assert found.error_sd() == pytest.approx(math.sqrt(1 / 4 * 3 / 4 / 4))


def test_leave_one_out_needs_two_rows():
    with pytest.raises(EvaluationError, match="leave-one-out needs at least 2 rows, found 1"):
        evaluate(MAJORITY, table(HEADER, "u a"), protocol=EvaluationProtocol("leave-one-out"))


# --- failures


@dataclass(frozen=True, kw_only=True)
class FailsAt(WholeClassifier):
    """Fail on training sets in which the first row is missing."""

    name: ClassVar[str] = "fails-at"

    def fit(self, training, composition, generator):
        if training.columns[0][0] != 0:
            raise ZeroDivisionError("no first row")
        return composition.fit(training, generator)


def test_a_failure_names_the_fold_and_keeps_its_cause():
    dataset = table("x numeric; class {a,b}", "; ".join(f"{i} {'ab'[i % 2]}" for i in range(8)))
    recipe = Recipe(classifier=FailsAt())
    guilty = next(
        number
        for number, fold in enumerate(evaluate(MAJORITY, dataset, folds=4).predictions, 1)
        if 0 in fold.rows.tolist()
    )
    with pytest.raises(EvaluationError, match=f"^fold {guilty}: ZeroDivisionError: no first row") as caught:
        evaluate(recipe, dataset, folds=4)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_failure_in_a_later_repeat_names_it():
    dataset = table("x numeric; class {a,b}", "; ".join(f"{i} {'ab'[i % 2]}" for i in range(8)))
    with pytest.raises(EvaluationError, match=r"^fold \d of repeat 1: "):
        evaluate(Recipe(classifier=FailsAt()), dataset, folds=4, repeats=2)


def test_a_fold_without_a_training_row_of_known_class():
    dataset = table(HEADER, "u ?; v ?; u a")
    with pytest.raises(EvaluationError, match="no training row of positive weight has a class"):
        evaluate(MAJORITY, dataset, protocol=split("1-2 | 3-3"))
