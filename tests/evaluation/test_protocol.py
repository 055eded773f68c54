"""The protocols as one choice."""

import numpy as np
import pytest

from nbframework import Attribute, Dataset, EvaluationError, EvaluationProtocol


def dataset(rows=30, classes=3):
    attributes = [Attribute.numeric("x"), Attribute.nominal("class", tuple("abcdefghij"[:classes]))]
    return Dataset.from_columns(attributes, [np.arange(rows), np.arange(rows) % classes], name="d")


def test_an_unknown_protocol_gets_the_nearest_name():
    with pytest.raises(EvaluationError, match="did you mean 'holdout'"):
        EvaluationProtocol("hold-out")


@pytest.mark.parametrize("share", [0.0, 1.5, -0.1])
def test_a_training_share_outside_its_range_is_refused(share):
    with pytest.raises(EvaluationError, match="training share"):
        EvaluationProtocol(training_share=share)


def test_a_holdout_of_a_number_of_rows_has_exactly_these():
    splits = EvaluationProtocol("holdout", test_rows=7, repeats=3).splits(dataset())
    assert [len(split.test) for split in splits] == [7, 7, 7]


def test_a_holdout_of_all_rows_is_refused():
    with pytest.raises(EvaluationError, match="does not fit a data set of 30 rows"):
        EvaluationProtocol("holdout", test_rows=30).splits(dataset())


def test_a_training_share_thins_every_split():
    splits = EvaluationProtocol(folds=5, training_share=0.5).splits(dataset())
    assert [len(split.train) for split in splits] == [12] * 5


def test_repeats_do_not_change_earlier_folds():
    once, twice = (EvaluationProtocol(repeats=repeats).splits(dataset()) for repeats in (1, 2))
    assert all(np.array_equal(a.test, b.test) for a, b in zip(once, twice[:10], strict=True))


@pytest.mark.parametrize(
    ("protocol", "words"),
    [
        (EvaluationProtocol("weka-folds", repeats=10), "10 x 10-fold cross-validation with Weka's folds, runs 1 to 10"),
        (EvaluationProtocol("holdout", test_rows=7), "holdout of 7 rows, 1 repeat, seed 1"),
        (EvaluationProtocol("grouped", attribute="p"), "10-fold cross-validation by groups of 'p', seed 1"),
        (EvaluationProtocol("time-ordered", folds=4), "4 time-ordered folds in file order"),
        (
            EvaluationProtocol(training_share=0.2),
            "10-fold stratified cross-validation, seed 1, 20 % of the training rows",
        ),
    ],
)
def test_a_protocol_is_put_in_words(protocol, words):
    assert protocol.described() == words


def test_only_parameters_that_are_read_identify_a_protocol():
    assert EvaluationProtocol("split", ranges="1-2 | 3-4", folds=3).parameters() == {
        "kind": "split",
        "ranges": "1-2 | 3-4",
        "seed": 1,
    }


def test_a_warning_names_six_classes_and_counts_the_others():
    (warning,) = EvaluationProtocol().warnings(dataset(rows=40, classes=8))
    assert warning.endswith("e (5), f (5) and 2 more; some folds lack them")
