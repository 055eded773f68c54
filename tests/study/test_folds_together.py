"""Folds of a study that are fitted together: the bytes of folds fitted one by one, and their share of the time."""

import sqlite3

import numpy as np
import pytest

from nbframework.classifier.fold_groups import FoldGroups
from nbframework.study.stop_watch import Cost, StopWatch

from .test_runner import content

STUDY = """
study: small
recipes: [sbc, weka-naive-bayes, laplace-1, gaussian-nb, aode]
data: [iris, monks-1, wine]
protocol: {cross-validation: {folds: 5, repeats: 3}}
metrics: [accuracy, log_loss]
predictions: true
"""


@pytest.fixture
def group_sizes(monkeypatch):
    """The number of folds of every group that is asked, as it is."""
    sizes = []
    answers = FoldGroups.answers

    def counted(self, first, last):
        sizes.append(last - first)
        return answers(self, first, last)

    monkeypatch.setattr(FoldGroups, "answers", counted)
    return sizes


def test_folds_together_give_the_bytes_of_folds_one_by_one(ran, tmp_path, group_sizes):
    ran(STUDY, "together.db")
    assert set(group_sizes) == {15}
    group_sizes.clear()
    ran(STUDY + "limits: {seconds: 1000}\n", "alone.db")
    assert not group_sizes
    assert content(tmp_path / "together.db") == content(tmp_path / "alone.db")


def test_folds_that_were_missing_give_the_same_bytes(ran, tmp_path):
    ran(STUDY, "whole.db")
    ran(STUDY.replace("repeats: 3", "repeats: 1").replace("sbc, ", ""), "parts.db")
    ran(STUDY, "parts.db")
    with sqlite3.connect(tmp_path / "whole.db") as one, sqlite3.connect(tmp_path / "parts.db") as other:
        query = "SELECT metric, value FROM score ORDER BY metric, value"
        assert one.execute(query).fetchall() == other.execute(query).fetchall()


def test_folds_together_share_the_time_equally(ran, tmp_path, monkeypatch):
    """Each look at the watch tells one second: a group of 15 folds takes one, each fold another one for its scores."""
    monkeypatch.setattr(StopWatch, "lap", lambda _: Cost(1.0, 1.0))
    ran(STUDY.replace("sbc, weka-naive-bayes, laplace-1, gaussian-nb, aode", "sbc"))
    with sqlite3.connect(tmp_path / "small.db") as connection:
        times = connection.execute("SELECT cpu_seconds, seconds FROM timing").fetchall()
    assert len(times) == 3 * 15
    assert np.array(times) == pytest.approx(1 + 1 / 15)
