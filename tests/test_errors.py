"""Which name a message proposes for one that is not known."""

import pytest

from nbframework.errors import did_you_mean
from nbframework.evaluation.metrics import METRICS


def test_a_name_that_was_begun_is_nearer_than_one_that_is_spelt_like_it() -> None:
    assert did_you_mean("acc", METRICS) == "; did you mean 'accuracy'?"


def test_of_the_names_that_were_begun_the_shortest_is_proposed() -> None:
    assert did_you_mean("tre", ["tree-structure", "tree", "three"]) == "; did you mean 'tree'?"


@pytest.mark.parametrize("short", ["bal-acc", "balacc", "ba"])
def test_beginnings_of_the_words_abbreviate_a_name(short: str) -> None:
    assert did_you_mean(short, ["accuracy", "balanced_accuracy", "brier"]) == "; did you mean 'balanced_accuracy'?"


def test_case_does_not_count() -> None:
    assert did_you_mean("MCC", METRICS) == "; did you mean 'mcc'?"
    assert did_you_mean("setosa", ["Setosa", "Virginica"]) == "; did you mean 'Setosa'?"


def test_a_slip_is_matched_by_spelling() -> None:
    assert did_you_mean("acuracy", METRICS) == "; did you mean 'accuracy'?"
    assert did_you_mean("estimater", ["estimator", "structure"]) == "; did you mean 'estimator'?"


@pytest.mark.parametrize("name", ["", "-", "a", "xyzzy"])
def test_what_is_like_no_name_proposes_none(name: str) -> None:
    assert did_you_mean(name, ["accuracy", "balanced_accuracy"]) == ""
