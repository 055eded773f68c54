"""Bias and variance against hand-worked rows, Weka's BVDecompose and the protocol of the paper."""

import numpy as np
import pytest
from support.builders import table
from support.paths import SHARED, absent

from nbframework import Dataset, Recipe, read_arff
from nbframework.errors import EvaluationError
from nbframework.evaluation.bias_variance import (
    BiasVarianceProtocol,
    bias_variance,
    decompose,
    decompose_predictions,
)
from nbframework.evaluation.evaluate import predicted_folds

DEFINITIONS = ("kohavi-wolpert", "weka", "domingos", "webb")


def one_row(predicted: list[int], truth: int, definition: str, classes: int = 2) -> tuple[float, float, float]:
    """Error, bias and variance of one row."""
    found = decompose(np.array(predicted)[:, np.newaxis], np.array([truth]), classes, definition)
    return found.error, found.bias, found.variance


def test_two_of_four_wrong_in_the_unbiased_decomposition() -> None:
    # 1/2 ((1/2)^2 + (1/2)^2 - 2 (1/4) / 3) = 1/6; 1/2 (1 - 1/2) 4/3 = 1/3
    assert one_row([0, 0, 1, 1], 0, "kohavi-wolpert") == pytest.approx((1 / 2, 1 / 6, 1 / 3))


def test_the_variance_of_weka_falls_short_by_its_own_share() -> None:
    error, bias, variance = one_row([0, 0, 1, 1], 0, "weka")
    assert (bias, variance) == pytest.approx((1 / 6, 1 / 4))
    assert error - bias - variance == pytest.approx(variance / 3)


def test_three_classes_in_the_unbiased_decomposition() -> None:
    # shares 2/4, 1/4, 1/4, true class 1: squared distance 4/16 + 9/16 + 1/16 = 14/16, variance of shares 10/16
    expected = ((14 / 16 - 10 / 16 / 3) / 2, 10 / 16 / 2 * 4 / 3)
    assert one_row([0, 0, 1, 2], 1, "kohavi-wolpert", 3) == pytest.approx((3 / 4, *expected))


@pytest.mark.parametrize(
    ("predicted", "truth", "expected"),
    [
        ([0, 0, 0, 1], 0, (1 / 4, 0, 1 / 4)),
        ([0, 0, 0, 1], 1, (3 / 4, 1, -1 / 4)),
        ([0, 0, 0, 1], 2, (1, 1, 0)),
        ([1, 0, 1, 0], 0, (1 / 2, 0, 1 / 2)),
    ],
)
def test_domingos_counts_a_wrong_main_prediction_as_bias_and_nets_the_variance(
    predicted: list[int], truth: int, expected: tuple[float, float, float]
) -> None:
    assert one_row(predicted, truth, "domingos", 3) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("predicted", "truth", "expected"),
    [
        ([0, 0, 0, 1], 0, (1 / 4, 0, 1 / 4)),
        ([0, 0, 0, 1], 1, (3 / 4, 3 / 4, 0)),
        ([0, 0, 0, 1], 2, (1, 3 / 4, 1 / 4)),
    ],
)
def test_webb_parts_the_errors_by_whether_the_main_prediction_makes_them(
    predicted: list[int], truth: int, expected: tuple[float, float, float]
) -> None:
    assert one_row(predicted, truth, "webb", 3) == pytest.approx(expected)


@pytest.mark.parametrize("definition", ["kohavi-wolpert", "domingos", "webb"])
def test_bias_and_variance_sum_to_the_error(definition: str) -> None:
    rng = np.random.default_rng(1)
    for samples in (2, 3, 10):
        predicted, truth = rng.integers(0, 5, (samples, 400)), rng.integers(0, 5, 400)
        found = decompose(predicted, truth, 5, definition, rng.random(400))
        assert abs(found.error - found.bias - found.variance) < 1e-12


def test_the_estimates_are_unbiased_for_the_true_shares() -> None:
    # predictions 0 with chance 0.7 and 1 with 0.3, truth 0: bias 0.09, variance 0.21
    rng = np.random.default_rng(2)
    predicted = (rng.random((5, 200_000)) < 0.3).astype(np.intp)
    found = decompose(predicted, np.zeros(200_000, dtype=np.intp), 2)
    assert (found.bias, found.variance) == pytest.approx((0.09, 0.21), abs=0.002)


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_a_row_of_weight_three_is_the_row_three_times(definition: str) -> None:
    predicted, truth = np.array([[0, 1], [1, 1], [0, 0]]), np.array([0, 1])
    weighted = decompose(predicted, truth, 2, definition, np.array([3.0, 1.0]))
    repeated = decompose(predicted[:, [0, 0, 0, 1]], truth[[0, 0, 0, 1]], 2, definition)
    for name in ("error", "bias", "variance"):
        assert getattr(weighted, name) == pytest.approx(getattr(repeated, name))


@pytest.mark.parametrize("predicted", [np.zeros((1, 4), dtype=int), np.zeros((3, 0), dtype=int)])
def test_one_sample_or_no_row_cannot_be_decomposed(predicted: np.ndarray) -> None:
    with pytest.raises(EvaluationError, match="expected at least 2 of at least 1"):
        decompose(predicted, np.zeros(predicted.shape[1], dtype=int), 2)


def rows(number: int, unknown: int = 0) -> Dataset:
    """Rows of two classes, some more of them without a class."""
    words = [f"{'ab'[row % 3 % 2]} {'pn'[row % 2]}" for row in range(number)] + ["a ?"] * unknown
    return table("x {a,b}; class {p,n}", "; ".join(words))


def test_small_data_sets_are_parted_ten_times_into_ten_halves_of_seventy_percent() -> None:
    splits = BiasVarianceProtocol().splits(rows(200))
    assert [(split.repeat, split.fold) for split in splits] == [(r, s) for r in range(10) for s in range(10)]
    assert {(len(split.train), len(split.test)) for split in splits} == {(70, 60)}


@pytest.mark.parametrize(("number", "repeats"), [(2999, 10), (3000, 1)])
def test_data_sets_of_three_thousand_rows_are_parted_once(number: int, repeats: int) -> None:
    assert len(BiasVarianceProtocol().splits(rows(number))) == 10 * repeats


def test_training_sets_of_a_repeat_share_the_evaluation_set_and_differ() -> None:
    splits = BiasVarianceProtocol().splits(rows(100))
    first = splits[:10]
    assert all(np.array_equal(split.test, first[0].test) for split in first)
    assert not np.array_equal(splits[10].test, first[0].test)
    assert len({tuple(split.train.tolist()) for split in first}) == 10
    for split in splits:
        assert len(set(split.train.tolist()) | set(split.test.tolist())) == len(split.train) + len(split.test)


def test_the_splits_depend_on_the_seed_alone() -> None:
    one, same, other = (BiasVarianceProtocol(seed=seed).splits(rows(60)) for seed in (1, 1, 2))
    assert all(np.array_equal(a.train, b.train) for a, b in zip(one, same, strict=True))
    assert not all(np.array_equal(a.train, b.train) for a, b in zip(one, other, strict=True))


def test_rows_without_a_class_are_neither_learned_from_nor_judged() -> None:
    for split in BiasVarianceProtocol().splits(rows(50, unknown=50)):
        assert max(split.train.max(), split.test.max()) < 50


@pytest.mark.parametrize("wrong", [{"evaluation_share": 0.0}, {"training_share": 1.0}, {"samples": 1}, {"repeats": 0}])
def test_a_protocol_refuses_numbers_out_of_range(wrong: dict[str, float]) -> None:
    with pytest.raises(EvaluationError, match="expected"):
        BiasVarianceProtocol(**wrong)


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(EvaluationError, match="1 rows of known class"):
        BiasVarianceProtocol().splits(rows(1))


def test_a_constant_classifier_has_no_variance() -> None:
    data = table("x {a,b}; class {p,n}", "a p; " * 80 + "b n; " * 20)
    found = bias_variance(Recipe.load("majority"), data, BiasVarianceProtocol(repeats=3))
    assert found.mean.variance == 0
    assert found.mean.bias == pytest.approx(found.mean.error)
    assert found.mean.error == pytest.approx(0.2, abs=0.1)


def test_the_mean_and_its_deviation_are_those_of_the_repeats() -> None:
    data = rows(90)
    found = bias_variance(Recipe.load("laplace-nb"), data, BiasVarianceProtocol(repeats=4, samples=3))
    bias = [repeat.bias for repeat in found.repeats]
    assert len(bias) == 4
    assert found.mean.bias == pytest.approx(np.mean(bias))
    assert found.sd is not None
    assert found.sd.bias == pytest.approx(np.std(bias, ddof=1) / 2)


def test_one_repeat_has_no_deviation() -> None:
    assert bias_variance(Recipe.load("laplace-nb"), rows(40), BiasVarianceProtocol(repeats=1)).sd is None


def test_progress_counts_the_fits() -> None:
    seen: list[tuple[int, int]] = []
    protocol = BiasVarianceProtocol(repeats=2, samples=3)
    bias_variance(Recipe.load("majority"), rows(40), protocol, progress=lambda done, of: seen.append((done, of)))
    assert seen == [(done, 6) for done in range(1, 7)]


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_predictions_made_elsewhere_in_any_order_give_the_same(definition: str) -> None:
    data, protocol = rows(60), BiasVarianceProtocol(repeats=2, samples=4)
    recipe = Recipe.load("laplace-nb")
    expected = bias_variance(recipe, data, protocol, definition)
    predictions = list(predicted_folds(recipe.build(), data, protocol.splits(data), protocol.seed))
    assert decompose_predictions(data, predictions[::-1], definition) == expected


class JavaRandom:
    """The linear congruential generator of java.util.Random, by its documentation."""

    def __init__(self, seed: int) -> None:
        self.state = (seed ^ 0x5DEECE66D) & ((1 << 48) - 1)

    def bits(self) -> int:
        self.state = (self.state * 0x5DEECE66D + 0xB) & ((1 << 48) - 1)
        return self.state >> 17

    def below(self, bound: int) -> int:
        if bound & (bound - 1) == 0:
            return (bound * self.bits()) >> 31
        while True:
            bits = self.bits()
            if bits - bits % bound + bound - 1 < 1 << 31:
                return bits % bound

    def shuffle(self, items: list[int]) -> None:
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]


@pytest.mark.skipif(not (SHARED / "datasets").is_dir(), reason=absent("datasets"))
@pytest.mark.parametrize(("name", "printed"), [("iris", (0.0576, 0.0327, 0.0244)), ("zoo", (0.2392, 0.1611, 0.0765))])
def test_the_variant_of_weka_gives_the_numbers_that_weka_prints(name: str, printed: tuple[float, ...]) -> None:
    """``weka.classifiers.BVDecompose -T 50 -x 50 -s 1 -W weka.classifiers.trees.J48``, Weka 3.6.14."""
    data = read_arff(SHARED / "datasets" / f"{name}.arff")
    random, order = JavaRandom(1), list(range(len(data)))
    random.shuffle(order)
    pool, test = order[:50], np.array(order[50:])
    classifier = Recipe.load("weka-j48").build()
    predicted = []
    for _ in range(50):
        random.shuffle(pool)
        predicted.append(classifier.fit(data.take(np.array(pool[:25]))).predict(data.take(test)))
    truth = data.classes[test].astype(np.intp)
    found = decompose(np.array(predicted), truth, len(data.class_values), "weka")
    assert (found.error, found.bias, found.variance) == pytest.approx(printed, abs=5.1e-5)
