"""Scoring a fold: unknown classes are left out, weights count, and what is true of the rows is looked up once."""

import numpy as np
import pytest

from nbframework.data.attribute import Attribute
from nbframework.data.dataset import Dataset
from nbframework.evaluation.predictions import Predictions
from nbframework.evaluation.protocol import EvaluationProtocol
from nbframework.study.scoring import Judge

ROWS = np.array([0, 1, 2, 3])
UNKNOWN = 3
"""Two classes, then an unseen value, then an unknown one."""


def judge(classes=(0, 1, 1, 0), weights=None):
    attributes = [Attribute.numeric("x"), Attribute.nominal("class", ("a", "b"))]
    columns = [np.arange(4.0), np.array(classes)]
    dataset = Dataset.from_columns(attributes, columns, weights=None if weights is None else np.array(weights))
    return Judge(dataset, EvaluationProtocol(), ("accuracy", "log_loss"))


def scores(judge, rows=ROWS):
    """All rows predicted as the first class, with probability 3/4."""
    log_posterior = np.log(np.tile([0.75, 0.25], (len(rows), 1)))
    made = Predictions(0, 0, rows, log_posterior, np.zeros(len(rows), dtype=np.intp))
    return judge.scores([made], judge.truth(rows))


def test_the_scores_of_a_fold():
    found = scores(judge())
    assert found["accuracy"] == 0.5
    assert found["log_loss"] == pytest.approx(-(np.log(0.75) + np.log(0.25)) / 2)


def test_rows_of_unknown_class_are_left_out():
    assert scores(judge([0, UNKNOWN, 1, 0]))["accuracy"] == pytest.approx(2 / 3)
    assert judge([0, UNKNOWN, 1, 0]).truth(ROWS).weight == 3


def test_row_weights_count():
    assert scores(judge(weights=[3.0, 1.0, 1.0, 1.0]))["accuracy"] == pytest.approx(4 / 6)
    assert judge([0, UNKNOWN, 1, 0], [3.0, 5.0, 1.0, 1.0]).truth(ROWS).weight == 5


def test_rows_without_any_known_class_have_no_score():
    assert scores(judge([UNKNOWN] * 4)) == {"accuracy": None, "log_loss": None}


def test_the_truth_is_looked_up_once_for_all_recipes():
    asked = judge()
    first = asked.truth(ROWS)
    assert asked.truth(ROWS) is first
    assert asked.truth(ROWS[:2]) is not first
    assert asked.truth(ROWS[:2]).codes.tolist() == [0, 1]
