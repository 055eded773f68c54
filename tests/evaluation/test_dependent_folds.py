"""Folds by groups and by time, and thinned training rows."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from nbframework import Attribute, Dataset, EvaluationProtocol, Recipe, evaluate
from nbframework.errors import EvaluationError
from nbframework.evaluation.dependent_folds import grouped_splits, thinned, time_ordered_splits
from nbframework.evaluation.folds import Split
from nbframework.evaluation.predictions import predicted_folds


def patients(groups):
    """One row for each group code, -1 for unknown, with a day that falls from row to row."""
    values = tuple(str(code) for code in range(max(groups) + 1))
    attributes = [Attribute.nominal("patient", values), Attribute.numeric("day"), Attribute.nominal("class", "ab")]
    names = [None if code < 0 else str(code) for code in groups]
    return Dataset.from_columns(attributes, [names, -np.arange(len(groups)), np.arange(len(groups)) % 2], name="p")


def test_a_group_is_never_parted():
    groups = np.random.default_rng(1).integers(0, 12, 200)
    dataset = patients(groups.tolist())
    for split in grouped_splits(dataset, "patient", 5, 3):
        assert not set(groups[split.train]) & set(groups[split.test])


def test_no_recipe_sees_the_groups():
    """Each group is of one class, so that whoever sees the groups in training knows nothing of a new one."""
    dataset, protocol = patients([0, 1, 2, 3] * 5), EvaluationProtocol("grouped", folds=2, attribute="patient")
    assert [attribute.name for attribute in protocol.seen(dataset).attributes] == ["day", "class"]
    found = evaluate(Recipe.load("gaussian-nb"), dataset, protocol=protocol)
    alone = dataset.from_columns(dataset.attributes[1:], dataset.columns[1:], name="p")
    splits = grouped_splits(dataset, "patient", 2)
    wanted = list(predicted_folds(Recipe.load("gaussian-nb").build(), alone, splits, 1))
    for fold, one in zip(found.predictions, wanted, strict=True):
        np.testing.assert_array_equal(fold.log_posterior, one.log_posterior)


def test_the_class_may_be_the_groups():
    protocol = EvaluationProtocol("grouped", folds=2, attribute="class")
    assert protocol.seen(patients([0, 1])).class_attribute.name == "class"


def test_rows_may_be_ordered_by_what_no_recipe_sees():
    dataset, protocol = patients([0] * 9), EvaluationProtocol("time-ordered", folds=2, attribute="day")
    assert protocol.seen(dataset) is dataset
    ordered = replace(protocol, orders_only=True)
    assert [attribute.name for attribute in ordered.seen(dataset).attributes] == ["patient", "class"]
    assert [s.test.tolist() for s in ordered.splits(dataset)] == [s.test.tolist() for s in protocol.splits(dataset)]


def test_groups_fill_the_folds_evenly():
    """Groups of 6, 4, 3, 3 rows in 2 folds: largest first: 6 + 3 and 4 + 3."""
    dataset = patients([0] * 6 + [1] * 4 + [2] * 3 + [3] * 3)
    assert sorted(len(split.test) for split in grouped_splits(dataset, "patient", 2)) == [7, 9]


def test_every_row_is_tested_once_in_each_repeat():
    dataset = patients(np.random.default_rng(2).integers(0, 9, 50).tolist())
    splits = grouped_splits(dataset, "patient", 3, 2)
    for repeat in (0, 1):
        tested = np.concatenate([split.test for split in splits if split.repeat == repeat])
        assert sorted(tested) == list(range(50))


def test_rows_of_unknown_group_stand_alone():
    dataset = patients([0, 0, -1, -1, 1, 1])
    assert len(grouped_splits(dataset, "patient", 4)) == 4


def test_a_numeric_attribute_can_name_groups():
    dataset = patients([0, 0, 1, 1])
    assert len(grouped_splits(dataset, "day", 4)) == 4


def test_more_folds_than_groups_are_refused():
    with pytest.raises(EvaluationError, match=r"3 folds by 'patient' need at least 2 and at most its 2 groups"):
        grouped_splits(patients([0, 0, 1, 1]), "patient", 3)


def test_an_unknown_group_attribute_gets_the_nearest_name():
    with pytest.raises(EvaluationError, match="did you mean 'patient'"):
        grouped_splits(patients([0, 0, 1, 1]), "pateint", 2)


def test_time_runs_forward_in_file_order():
    splits = time_ordered_splits(patients([0] * 9), 2)
    assert [(s.train.tolist(), s.test.tolist()) for s in splits] == [
        ([0, 1, 2], [3, 4, 5]),
        ([0, 1, 2, 3, 4, 5], [6, 7, 8]),
    ]


def test_time_follows_an_attribute():
    splits = time_ordered_splits(patients([0] * 9), 2, "day")
    assert splits[0].train.tolist() == [6, 7, 8]
    assert splits[1].test.tolist() == [0, 1, 2]


@pytest.mark.parametrize("rows", [10, 11, 12])
def test_time_blocks_differ_by_at_most_one_row(rows):
    sizes = [len(split.test) for split in time_ordered_splits(patients([0] * rows), 4)]
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize(("attribute", "message"), [("patient", "not numeric or a date"), ("dya", "did you mean")])
def test_rows_cannot_be_ordered_by_anything(attribute, message):
    with pytest.raises(EvaluationError, match=message):
        time_ordered_splits(patients([0] * 9), 2, attribute)


def test_too_many_time_folds_are_refused():
    with pytest.raises(EvaluationError, match="fewer than the 3 rows"):
        time_ordered_splits(patients([0] * 3), 3)


CLASSES = np.array([0] * 60 + [1] * 30 + [2] * 10)
WHOLE = Split(np.arange(100), np.arange(100, 110), 0, 0)


@pytest.mark.parametrize("share", [0.1, 0.35, 0.5])
def test_thinned_training_rows_keep_the_classes(share):
    kept = thinned(WHOLE, CLASSES, share, 1, "d").train
    assert len(kept) == round(100 * share)
    assert np.abs(np.bincount(CLASSES[kept], minlength=3) - share * np.array([60, 30, 10])).max() <= 1


def test_smaller_shares_are_subsets_of_larger_ones():
    shares = [set(thinned(WHOLE, CLASSES, share, 1, "d").train) for share in (0.05, 0.2, 0.6, 1.0)]
    assert all(small <= large for small, large in itertools.pairwise(shares))


def test_thinning_depends_on_the_seed_and_leaves_the_test_rows():
    one, other = thinned(WHOLE, CLASSES, 0.3, 1, "d"), thinned(WHOLE, CLASSES, 0.3, 2, "d")
    assert not np.array_equal(one.train, other.train)
    assert np.array_equal(one.test, WHOLE.test)
