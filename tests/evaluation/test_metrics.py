import math
import pickle
import warnings

import numpy as np
import pytest
import sklearn.metrics as oracle
from hypothesis import given
from hypothesis import strategies as st

from nbframework.errors import EvaluationError
from nbframework.evaluation.auc import auc, class_areas
from nbframework.evaluation.metrics import (
    METRICS,
    accuracy,
    balanced_accuracy,
    binomial_sd,
    brier,
    cohens_kappa,
    confusion_matrix,
    error,
    f1_macro,
    f1_weighted,
    log_loss,
    mcc,
    per_class_table,
    rmse,
    score,
    sd_of_mean,
)

TRUTH = np.array([0, 0, 0, 1, 1, 2], dtype=np.uint8)
PREDICTED = np.array([0, 0, 1, 1, 0, 2], dtype=np.uint8)


def logs(probabilities):
    with np.errstate(divide="ignore"):
        return np.log(np.asarray(probabilities, dtype=float))


@st.composite
def predictions(draw, whole_weights=False):
    """Truth, log posterior with ties and exact zeros, predicted classes and weights, some 0."""
    class_count, rows = draw(st.integers(1, 4)), draw(st.integers(1, 25))
    codes = st.integers(0, class_count - 1)
    truth = np.array(draw(st.lists(codes, min_size=rows, max_size=rows)))
    row = st.lists(st.integers(0, 4), min_size=class_count, max_size=class_count).filter(any)
    parts = np.array(draw(st.lists(row, min_size=rows, max_size=rows)), dtype=float)
    predicted = np.array(draw(st.lists(codes, min_size=rows, max_size=rows)))
    weight = st.integers(0, 3) if whole_weights else st.sampled_from([0.0, 0.3, 1.0, 2.7])
    weights = np.array(draw(st.lists(weight, min_size=rows, max_size=rows)), dtype=float)
    return truth, logs(parts / parts.sum(axis=1, keepdims=True)), predicted, weights


def same(one, other):
    return one.keys() == other.keys() and all(
        (one[name] is None and other[name] is None) or one[name] == pytest.approx(other[name], abs=1e-12)
        for name in one
    )


def random_predictions(seed, rows=300, classes=4, weighted=True):
    generator = np.random.default_rng(seed)
    truth = generator.integers(classes, size=rows)
    posterior = generator.dirichlet(np.ones(classes), size=rows).round(2) + 0.01
    posterior /= posterior.sum(axis=1, keepdims=True)
    weights = generator.choice([0.0, 0.5, 1.0, 3.0], size=rows) if weighted else None
    return truth, posterior, posterior.argmax(axis=1), weights


# --- predicted classes


def test_scores_of_predicted_classes_by_hand():
    assert confusion_matrix(TRUTH, PREDICTED, 3).tolist() == [[2, 1, 0], [1, 1, 0], [0, 0, 1]]
    assert accuracy(TRUTH, PREDICTED) == pytest.approx(4 / 6)
    assert error(TRUTH, PREDICTED) == pytest.approx(2 / 6)
    chance = (3 * 3 + 2 * 2 + 1 * 1) / 36
    assert cohens_kappa(TRUTH, PREDICTED) == pytest.approx((4 / 6 - chance) / (1 - chance))
    assert balanced_accuracy(TRUTH, PREDICTED) == pytest.approx((2 / 3 + 1 / 2 + 1) / 3)
    assert f1_macro(TRUTH, PREDICTED) == pytest.approx((2 / 3 + 1 / 2 + 1) / 3)
    assert f1_weighted(TRUTH, PREDICTED) == pytest.approx((3 * 2 / 3 + 2 * 1 / 2 + 1) / 6)
    assert mcc(TRUTH, PREDICTED) == pytest.approx((6 * 4 - 14) / (36 - 14))


def test_case_cv_01_in_numbers():
    """Eleven rows of 8, 2 and 1, all predicted as the first class."""
    truth, predicted = np.repeat([0, 1, 2], [8, 2, 1]), np.zeros(11, dtype=int)
    assert accuracy(truth, predicted) == pytest.approx(8 / 11)
    assert cohens_kappa(truth, predicted) == 0.0
    assert balanced_accuracy(truth, predicted) == pytest.approx(1 / 3)
    assert f1_macro(truth, predicted) == pytest.approx(16 / 19 / 3)
    assert f1_weighted(truth, predicted) == pytest.approx(16 / 19 * 8 / 11)
    assert mcc(truth, predicted) is None


def test_perfect_predictions_are_exactly_1():
    weights = np.array([0.1, 0.2, 0.3, 0.7, 1.1, 1.3])
    for function in (accuracy, cohens_kappa, balanced_accuracy, f1_macro, f1_weighted, mcc):
        assert function(TRUTH, TRUTH) == 1.0
        assert function(TRUTH, TRUTH, weights) == pytest.approx(1.0, abs=1e-15)
    assert error(TRUTH, TRUTH, weights) == 0.0


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("weighted", [False, True])
def test_scores_of_predicted_classes_equal_scikit_learn(seed, weighted):
    truth, _, predicted, weights = random_predictions(seed, weighted=weighted)
    pairs = [
        (confusion_matrix(truth, predicted, 4, weights), oracle.confusion_matrix),
        (accuracy(truth, predicted, weights), oracle.accuracy_score),
        (error(truth, predicted, weights), oracle.zero_one_loss),
        (cohens_kappa(truth, predicted, weights), oracle.cohen_kappa_score),
        (balanced_accuracy(truth, predicted, weights), oracle.balanced_accuracy_score),
        (mcc(truth, predicted, weights), oracle.matthews_corrcoef),
    ]
    for found, function in pairs:
        assert found == pytest.approx(function(truth, predicted, sample_weight=weights), abs=1e-12)
    for found, average in ((f1_macro, "macro"), (f1_weighted, "weighted")):
        expected = oracle.f1_score(truth, predicted, average=average, sample_weight=weights)
        assert found(truth, predicted, weights) == pytest.approx(expected, abs=1e-12)


def test_f1_is_0_for_a_class_never_predicted_and_skips_one_that_does_not_occur():
    truth, predicted = [0, 0, 1], [0, 2, 0]
    assert f1_macro(truth, predicted) == pytest.approx((1 / 2 + 0) / 2)
    assert f1_weighted(truth, predicted) == pytest.approx((2 * 1 / 2 + 0) / 3)
    assert balanced_accuracy(truth, predicted) == pytest.approx((1 / 2 + 0) / 2)


@pytest.mark.parametrize("weights", [None, [0.1, 0.2, 0.3, 0.7]])
def test_one_class_only_leaves_kappa_and_correlation_undefined(weights):
    assert cohens_kappa([1] * 4, [1] * 4, weights) is None
    assert mcc([1] * 4, [1] * 4, weights) is None
    assert mcc([1, 0, 1, 0], [1] * 4, weights) is None
    assert mcc([1] * 4, [1, 0, 1, 0], weights) is None
    assert cohens_kappa([1] * 4, [0] * 4, weights) == 0.0


def test_code_outside_the_matrix_is_refused():
    with pytest.raises(EvaluationError, match=r"^class code 2 is outside the 2 classes, 0 to 1$"):
        confusion_matrix(TRUTH, PREDICTED, 2)


# --- posteriors


def test_scores_of_posteriors_by_hand():
    truth, posterior = [0, 1], logs([[0.5, 0.25, 0.25], [0.25, 0.75, 0.0]])
    assert log_loss(truth, posterior) == pytest.approx((math.log(2) - math.log(0.75)) / 2)
    rows = (0.25 + 2 * 0.0625, 2 * 0.0625)
    assert brier(truth, posterior) == pytest.approx(sum(rows) / 2)
    assert rmse(truth, posterior) == pytest.approx(math.sqrt(sum(rows) / (3 * 2)))
    assert brier(truth, posterior, [3, 1]) == pytest.approx((3 * rows[0] + rows[1]) / 4)


def test_log_loss_of_an_exact_zero_is_infinite_and_never_clipped():
    posterior = logs([[0.0, 1.0], [0.0, 1.0]])
    assert log_loss([1, 0], posterior) == math.inf
    assert log_loss([1, 0], posterior, [1, 0]) == 0.0
    assert math.copysign(1, log_loss([1, 1], posterior)) == 1.0
    assert log_loss([0, 0], np.array([[-800.0, 0.0]] * 2)) == 800.0


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("weighted", [False, True])
def test_scores_of_posteriors_equal_scikit_learn(seed, weighted):
    truth, posterior, _, weights = random_predictions(seed, weighted=weighted)
    expected = oracle.log_loss(truth, posterior, sample_weight=weights, labels=range(4))
    assert log_loss(truth, np.log(posterior), weights) == pytest.approx(expected, abs=1e-12)
    expected = oracle.brier_score_loss(truth, posterior, sample_weight=weights, labels=range(4), scale_by_half=False)
    assert brier(truth, np.log(posterior), weights) == pytest.approx(expected, abs=1e-12)
    areas = [oracle.roc_auc_score(truth == c, np.log(posterior[:, c]), sample_weight=weights) for c in range(4)]
    assert class_areas(truth, np.log(posterior), weights) == pytest.approx(areas, abs=1e-12)
    frequency = np.bincount(truth, weights=weights)
    expected = np.average(areas, weights=frequency)
    assert auc(truth, np.log(posterior), weights) == pytest.approx(expected, abs=1e-12)


def test_area_equals_the_multiclass_one_of_scikit_learn():
    generator = np.random.default_rng(1)
    truth, posterior = generator.integers(4, size=200), generator.dirichlet(np.ones(4), size=200)
    expected = oracle.roc_auc_score(truth, posterior, multi_class="ovr", average="weighted")
    assert auc(truth, np.log(posterior)) == pytest.approx(expected, abs=1e-12)


@given(predictions())
def test_area_is_the_share_of_pairs_in_the_right_order(drawn):
    truth, log_posterior, _, weights = drawn
    for code, area in enumerate(class_areas(truth, log_posterior, weights)):
        score_of, mine = log_posterior[:, code], truth == code
        right = total = 0.0
        for i in np.flatnonzero(mine):
            for j in np.flatnonzero(~mine):
                pair = weights[i] * weights[j]
                right += pair * ((score_of[i] > score_of[j]) + 0.5 * (score_of[i] == score_of[j]))
                total += pair
        assert area == (pytest.approx(right / total, abs=1e-12) if total else None)


def test_area_ranks_posteriors_below_the_smallest_float():
    log_posterior = np.array([[0.0, -900.0], [0.0, -1000.0], [0.0, -np.inf], [0.0, -np.inf]])
    assert class_areas([1, 0, 1, 0], log_posterior)[1] == pytest.approx((2 + 0.5) / 4)


def test_area_leaves_out_classes_without_rows_or_with_all_rows():
    assert auc([0, 0], logs([[0.5, 0.5], [0.9, 0.1]])) is None
    assert class_areas([0, 1], logs([[0.8, 0.2, 0.0], [0.3, 0.7, 0.0]])) == [1.0, 1.0, None]
    assert auc([0, 1], logs([[0.8, 0.2, 0.0], [0.3, 0.7, 0.0]])) == 1.0
    assert auc([0, 1], logs([[0.5, 0.5], [0.5, 0.5]])) == 0.5


# --- tables and all scores


def test_per_class_table_by_hand():
    truth, predicted = [0, 0, 1, 1], [0, 0, 0, 2]
    log_posterior = logs([[0.8, 0.2, 0, 0], [0.7, 0.3, 0, 0], [0.75, 0.25, 0, 0], [0.1, 0.1, 0.8, 0]])
    first, second, third, fourth = per_class_table(truth, log_posterior, predicted, [1, 1, 1, 2])
    assert (first.code, first.precision, first.recall, first.f1) == (0, 2 / 3, 1.0, 4 / 5)
    assert (first.auc, first.support) == (pytest.approx(5 / 6), 2.0)
    assert (second.precision, second.recall, second.f1, second.support) == (None, 0.0, 0.0, 3.0)
    assert (third.precision, third.recall, third.f1, third.auc, third.support) == (0.0, None, 0.0, None, 0.0)
    assert (fourth.precision, fourth.recall, fourth.f1, fourth.auc, fourth.support) == (None, None, None, None, 0.0)


def test_score_gives_every_metric_by_name():
    truth, posterior, predicted, weights = random_predictions(1)
    found = score(truth, np.log(posterior), predicted, weights)
    assert list(found) == list(METRICS)
    assert found["cohens_kappa"] == cohens_kappa(truth, predicted, weights)
    assert found["rmse"] == rmse(truth, np.log(posterior), weights)
    assert all(type(value) is float for value in found.values())


def test_metrics_know_their_names_and_direction():
    assert all(name == metric.name and metric.title for name, metric in METRICS.items())
    assert {name for name, metric in METRICS.items() if not metric.higher_is_better} == {
        "error",
        "log_loss",
        "brier",
        "rmse",
    }


def test_metrics_can_be_sent_to_workers():
    truth, posterior, predicted, _ = random_predictions(1)
    sent = pickle.loads(pickle.dumps(METRICS))  # noqa: S301
    assert sent["auc"].function(truth, np.log(posterior), predicted) == auc(truth, np.log(posterior))


@pytest.mark.parametrize(("rows", "weights"), [(0, None), (3, [0.0, 0.0, 0.0])])
def test_every_score_of_no_rows_is_undefined(rows, weights):
    found = score([0] * rows, np.zeros((rows, 2)), [0] * rows, weights)
    assert set(found.values()) == {None}


@given(predictions())
def test_scores_are_never_nan_and_stay_in_their_range(drawn):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = score(*drawn)
        per_class_table(*drawn)
    for name, value in found.items():
        low = -1.0 if name in {"cohens_kappa", "mcc"} else 0.0
        high = {"log_loss": math.inf, "brier": 2.0}.get(name, 1.0)
        assert value is None or low - 1e-12 <= value <= high + 1e-12


@given(predictions(whole_weights=True))
def test_a_row_of_weight_2_is_the_row_twice(drawn):
    *arrays, weights = drawn
    times = weights.astype(int)
    assert same(score(*arrays, weights), score(*(np.repeat(array, times, axis=0) for array in arrays)))


@given(predictions(), st.randoms(use_true_random=False))
def test_row_order_is_irrelevant(drawn, random):
    order = random.sample(range(len(drawn[0])), len(drawn[0]))
    assert same(score(*drawn), score(*(array[order] for array in drawn)))


@given(predictions(), st.data())
def test_class_order_is_irrelevant(drawn, data):
    truth, log_posterior, predicted, weights = drawn
    code_of = np.array(data.draw(st.permutations(range(log_posterior.shape[1]))))
    permuted = np.empty_like(log_posterior)
    permuted[:, code_of] = log_posterior
    assert same(score(*drawn), score(code_of[truth], permuted, code_of[predicted], weights))


@given(predictions())
def test_the_unit_of_the_weights_is_irrelevant(drawn):
    *arrays, weights = drawn
    assert same(score(*arrays, weights), score(*arrays, 0.001 * weights))


# --- wrong arrays


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"truth": [0, 1]}, r"classes of shape \(2,\), .* do not belong together"),
        ({"truth": [0, 3, 1]}, r"row 2 has class code 3, expected 0 to 1"),
        ({"log_posterior": [0.0, 0.0, 0.0]}, r"log posteriors of \(3,\) .* do not belong together"),
        ({"log_posterior": [[0, 0], [0, 0], [0, math.nan]]}, r"row 3 has log posterior .*, expected numbers or -inf"),
        ({"log_posterior": [[0, 0], [math.inf, 0], [0, 0]]}, r"row 2 has log posterior .*, expected numbers or -inf"),
        ({"predicted": [0, -1, 0]}, r"row 2 has predicted class code -1, expected at least 0"),
        ({"predicted": [[0, 1]] * 3}, r"predictions of \(3, 2\) .* do not belong together"),
        ({"weights": [1.0, 1.0]}, r"weights of \(2,\) do not belong together"),
        ({"weights": [1.0, -1.0, 1.0]}, r"row 2 has weight -1.0, expected a finite number of at least 0"),
        ({"weights": [1.0, 1.0, math.inf]}, r"row 3 has weight inf, expected a finite number of at least 0"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(changed, message):
    arrays = {"truth": [0, 1, 0], "log_posterior": np.zeros((3, 2)), "predicted": [0, 1, 1], "weights": None}
    with pytest.raises(EvaluationError, match=message):
        score(**{**arrays, **changed})


# --- deviations of the mean


def test_deviation_of_the_mean_of_folds():
    assert sd_of_mean([1.0, 2.0, 3.0, 4.0]) == pytest.approx(math.sqrt(5 / 3) / 2)
    assert sd_of_mean([0.2] * 10) == pytest.approx(0.0, abs=1e-15)
    assert sd_of_mean([0.2]) is None
    assert sd_of_mean([]) is None
    assert sd_of_mean([1.0, math.inf]) is None


@pytest.mark.parametrize(
    ("error_percent", "rows", "sd_percent"),
    [(15.82, 16281, 0.29), (14.03, 16281, 0.27), (25.02, 5000, 0.61), (18.20, 2000, 0.86), (12.85, 1066, 1.03)],
)
def test_deviation_of_one_split_equals_the_published_ones(error_percent, rows, sd_percent):
    """Kohavi, Becker and Sommerfield (1997), Table 2: adult (simple Bayes, C4.5), letter, satimage, chess."""
    wrong = round(error_percent / 100 * rows)
    assert round(100 * binomial_sd(wrong / rows, rows), 2) == sd_percent


@pytest.mark.parametrize(("share", "rows"), [(-0.1, 10), (15.82, 10), (math.nan, 10), (0.5, 0)])
def test_deviation_of_an_impossible_error_is_refused(share, rows):
    with pytest.raises(EvaluationError, match="expected an error of 0 to 1 on at least 1 row"):
        binomial_sd(share, rows)
