import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbframework.errors import EvaluationError
from nbframework.evaluation.folds import (
    cross_validation_splits,
    fold_generator,
    holdout_folds,
    holdout_splits,
    leave_one_out,
    leave_one_out_splits,
    rare_classes,
    row_range_split,
    row_range_splits,
    stratified_folds,
)

EIGHT_TWO_ONE = np.repeat([0, 1, 2], [8, 2, 1]).astype(np.uint8)


def folds_of(classes, class_count, folds, seed=1):
    return stratified_folds(classes, class_count, folds, fold_generator(seed, "data", 0))


@st.composite
def class_vectors(draw):
    class_count = draw(st.integers(1, 5))
    codes = draw(st.lists(st.integers(0, class_count + 1), min_size=2, max_size=60))
    return np.array(codes, dtype=np.uint8), class_count


# --- stratified folds


def test_fold_sizes_with_classes_of_8_2_and_1_rows():
    """Case CV-01."""
    assert np.bincount(folds_of(EIGHT_TWO_ONE, 3, 5)).tolist() == [3, 2, 2, 2, 2]


def test_fold_sizes_with_classes_that_do_not_divide():
    """Case CV-03: 21 + 21 + 21 + 21 + 16 rows in 7 folds."""
    classes = np.repeat(np.arange(5), [21, 21, 21, 21, 16])
    folds = folds_of(classes, 5, 7)
    assert np.bincount(folds).tolist() == [15, 15, 14, 14, 14, 14, 14]
    for code in range(4):
        assert np.bincount(folds[classes == code], minlength=7).tolist() == [3] * 7
    assert sorted(np.bincount(folds[classes == 4], minlength=7)) == [2, 2, 2, 2, 2, 3, 3]


def test_as_many_folds_as_rows_is_leave_one_out():
    assert sorted(folds_of(EIGHT_TWO_ONE, 3, 11)) == list(range(11))


def test_more_folds_than_rows_names_both():
    with pytest.raises(EvaluationError, match=r"^12 folds need at least 12 rows, found 11$"):
        folds_of(EIGHT_TWO_ONE, 3, 12)


@pytest.mark.parametrize(("folds", "found"), [(1, "1 fold,"), (0, "0 folds,"), (-3, "-3 folds,")])
def test_fewer_than_two_folds_are_refused(folds, found):
    with pytest.raises(EvaluationError, match=f"^{found} expected at least 2$"):
        folds_of(EIGHT_TWO_ONE, 3, folds)


@given(class_vectors(), st.data())
def test_folds_and_classes_are_even(drawn, data):
    classes, class_count = drawn
    folds = data.draw(st.integers(2, len(classes)))
    assigned = folds_of(classes, class_count, folds)
    assert assigned.dtype == np.intp
    assert np.ptp(np.bincount(assigned, minlength=folds)) <= 1
    for of_class in [classes == code for code in range(class_count)] + [classes >= class_count]:
        assert np.ptp(np.bincount(assigned[of_class], minlength=folds)) <= 1


def test_rows_of_unknown_class_are_dealt_last_as_one_class():
    unseen_and_unknown = np.array([0] * 6 + [2, 3] * 3, dtype=np.uint8)
    all_alike = np.array([0] * 6 + [1] * 6)
    assert np.array_equal(folds_of(unseen_and_unknown, 2, 4), folds_of(all_alike, 2, 4))


def test_codes_of_the_smallest_type_meet_256_classes():
    assert np.bincount(folds_of(np.arange(20, dtype=np.uint8), 256, 4)).tolist() == [5] * 4


def test_same_generator_state_gives_the_same_folds_and_another_seed_others():
    classes = np.arange(100) % 3
    assert np.array_equal(folds_of(classes, 3, 10, seed=5), folds_of(classes, 3, 10, seed=5))
    assert not np.array_equal(folds_of(classes, 3, 10, seed=5), folds_of(classes, 3, 10, seed=6))


def test_rows_of_a_class_are_shuffled():
    """Every row meets every fold at about the same rate: 400 draws, 5 folds, 80 expected (sd 8)."""
    classes = np.repeat([0, 1], [7, 4])
    seen = np.zeros((11, 5))
    for seed in range(400):
        seen[np.arange(11), folds_of(classes, 2, 5, seed)] += 1
    assert seen[:5].min() > 40
    assert seen[:5].max() < 140


def test_rare_classes_are_those_with_rows_but_fewer_than_folds():
    assert rare_classes(EIGHT_TWO_ONE, 4, 5) == [(1, 2), (2, 1)]
    assert rare_classes(np.array([0, 0, 1, 2, 3]), 2, 2) == [(1, 1)]
    assert rare_classes(EIGHT_TWO_ONE, 3, 2) == [(2, 1)]


# --- the generator


def test_generator_depends_on_all_three_and_on_nothing_else():
    def draw(*key):
        return fold_generator(*key).integers(2**62)

    keys = [(1, "iris", 0), (2, "iris", 0), (1, "iris", 1), (1, "wine", 0), (1, "1 iris", 0), (1, "0 iris", 1)]
    assert len({draw(*key) for key in keys}) == len(keys)
    assert draw(1, "iris", 0) == draw(np.int64(1), "iris", np.int64(0))
    assert draw(-1, "iris", 0) != draw(1, "iris", 0)


def test_folds_are_the_same_in_every_process():
    """Case CV-06."""
    program = (
        "import numpy as np; from nbframework.evaluation.folds import *;"
        "print(stratified_folds(np.arange(30) % 3, 3, 7, fold_generator(3, 'iris \\u00e9', 2)).tolist())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1", "2")
    }
    here = stratified_folds(np.arange(30) % 3, 3, 7, fold_generator(3, "iris é", 2)).tolist()
    assert outputs == {f"{here}\n"}


# --- holdout


@given(class_vectors(), st.floats(0.01, 0.99), st.integers(0, 100))
def test_holdout_is_exact_in_all_and_within_one_row_in_each_class(drawn, share, seed):
    classes, class_count = drawn
    rows = len(classes)
    test_rows = round(share * rows)
    if not 0 < test_rows < rows:
        with pytest.raises(EvaluationError, match="expected at least one of each"):
            holdout_folds(classes, class_count, share, fold_generator(seed, "", 0))
        return
    test = holdout_folds(classes, class_count, share, fold_generator(seed, "", 0))
    assert test.dtype == np.bool_
    assert test.sum() == test_rows
    for of_class in [classes == code for code in range(class_count)] + [classes >= class_count]:
        assert abs(test[of_class].sum() - of_class.sum() * test_rows / rows) < 1


def test_holdout_of_the_published_sizes():
    """Kohavi's chess (2130 | 1066 rows) and mushroom (5416 | 2708 rows)."""
    for train, test in ((2130, 1066), (5416, 2708)):
        rows = train + test
        assert holdout_folds(np.arange(rows) % 2, 2, test / rows, fold_generator(1, "", 0)).sum() == test


def test_the_only_row_of_a_class_is_now_trained_on_now_tested():
    classes = np.array([0] * 8 + [1])
    tested = [holdout_folds(classes, 2, 1 / 3, fold_generator(seed, "", 0))[-1] for seed in range(300)]
    assert 60 < sum(tested) < 140


@pytest.mark.parametrize("share", [0.0, 1.0, -0.5, 66.0, float("nan")])
def test_share_outside_0_to_1_is_refused(share):
    with pytest.raises(EvaluationError, match=r"^the test share is .*, expected a number between 0 and 1"):
        holdout_folds(EIGHT_TWO_ONE, 3, share, fold_generator(1, "", 0))


# --- given ranges


@pytest.mark.parametrize(
    ("rows", "text", "train", "test"),
    [
        (3186, "1-2000 | 2001-3186", (0, 2000), (2000, 3186)),
        (48842, "1-32561 | 32562-48842", (0, 32561), (32561, 48842)),
        (5000, "1-300 | 301-5000 (any 300)", (0, 300), (300, 5000)),
        (10, " 6 - 10|1-2 ", (5, 10), (0, 2)),
        (10, "4-4 | 5-5", (3, 4), (4, 5)),
    ],
)
def test_row_ranges_count_from_1_and_include_both_ends(rows, text, train, test):
    for found in (row_range_split(rows, text), row_range_split(rows, *text.split("|"))):
        assert np.array_equal(found[0], np.arange(*train))
        assert np.array_equal(found[1], np.arange(*test))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1-6 | 6-10", "rows 6-6 are both training and test rows; the two ranges must not overlap"),
        ("3-8 | 1-10", "rows 3-8 are both training and test rows; the two ranges must not overlap"),
        ("1-6 | 7-11", "test rows 7-11 reach outside the 10 rows of the data set, 1-10"),
        ("0-6 | 7-10", "training rows 0-6 reach outside the 10 rows of the data set, 1-10"),
        ("6-1 | 7-10", "training rows 6-1 are no rows: the range ends before it starts"),
        ("1-6", "'1-6' names one range of rows, expected two such as '1-20 | 21-30'"),
        ("", "'' names one range of rows, expected two such as '1-20 | 21-30'"),
        ("1-6 |", "test rows '', expected first and last row such as '1-20'"),
        ("1-6 | 7-8 | 9-10", "test rows '7-8 | 9-10', expected first and last row such as '1-20'"),
        ("a-6 | 7-10", "training rows 'a-6', expected first and last row such as '1-20'"),
        (
            "2130 | 1066 (own random 2/3)",
            "'2130 | 1066' gives sizes, not ranges of rows such as '1-20 | 21-30'; "
            "use a holdout with a test share of 1066/3196",
        ),
        ("0 | 0", "'0 | 0' gives sizes, not ranges of rows such as '1-20 | 21-30'; use a holdout"),
    ],
)
def test_wrong_row_ranges_say_what_is_wrong(text, message):
    with pytest.raises(EvaluationError) as caught:
        row_range_split(10, text)
    assert str(caught.value) == message


# --- splits


def test_cross_validation_tests_every_row_once_in_each_repeat():
    classes = np.arange(53) % 4
    splits = cross_validation_splits(classes, 4, folds=5, repeats=3, seed=7, dataset_key="made")
    assert [(split.repeat, split.fold) for split in splits] == [(r, f) for r in range(3) for f in range(5)]
    for repeat in range(3):
        tested = np.concatenate([split.test for split in splits if split.repeat == repeat])
        assert np.array_equal(np.sort(tested), np.arange(53))
        expected = stratified_folds(classes, 4, 5, fold_generator(7, "made", repeat))
        assert all(set(expected[split.test]) == {split.fold} for split in splits if split.repeat == repeat)
    for split in splits:
        assert np.array_equal(np.sort(np.concatenate([split.train, split.test])), np.arange(53))
        assert np.all(np.diff(split.train) > 0)
    assert not np.array_equal(splits[0].test, splits[5].test)


def test_a_repeat_does_not_depend_on_the_number_of_repeats():
    few, many = (cross_validation_splits(EIGHT_TWO_ONE, 3, 5, repeats) for repeats in (1, 4))
    for one, other in zip(few, many[:5], strict=True):
        assert np.array_equal(one.test, other.test)


def test_holdout_splits_are_one_for_each_repeat():
    splits = holdout_splits(np.arange(30) % 2, 2, 1 / 3, repeats=4, seed=2, dataset_key="made")
    assert [(split.repeat, split.fold, len(split.train), len(split.test)) for split in splits] == [
        (repeat, 0, 20, 10) for repeat in range(4)
    ]
    assert len({tuple(split.test) for split in splits}) == 4


def test_row_range_splits_are_one_split():
    (split,) = row_range_splits(10, "1-6 | 8-10")
    assert (split.repeat, split.fold) == (0, 0)
    assert split.train.tolist() == [0, 1, 2, 3, 4, 5]
    assert split.test.tolist() == [7, 8, 9]


def test_leave_one_out_takes_each_row_in_turn():
    assert leave_one_out(3).tolist() == [0, 1, 2]
    assert [(s.fold, s.test.tolist(), s.train.tolist()) for s in leave_one_out_splits(3)] == [
        (0, [0], [1, 2]),
        (1, [1], [0, 2]),
        (2, [2], [0, 1]),
    ]
    with pytest.raises(EvaluationError, match="leave-one-out needs at least 2 rows, found 1"):
        leave_one_out_splits(1)


@pytest.mark.parametrize("splits", [cross_validation_splits, holdout_splits])
def test_no_repeat_is_refused(splits):
    with pytest.raises(EvaluationError, match=r"^0 repeats, expected at least 1$"):
        splits(EIGHT_TWO_ONE, 3, 0.5, repeats=0)


def test_a_split_cannot_be_changed():
    (split,) = row_range_splits(4, "1-2 | 3-4")
    with pytest.raises(ValueError, match="read-only"):
        split.train[0] = 3
    with pytest.raises(AttributeError):
        split.fold = 1
