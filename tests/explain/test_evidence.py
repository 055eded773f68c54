"""The evidence of a prediction sums to the log posterior, exactly."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nbframework import Attribute, Dataset, EvaluationError, Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.explain import attribute_importance, explain
from nbframework.explain.changes import _above, _up_to
from nbframework.explain.rendering import as_data, as_html, as_text
from nbframework.testing import datasets

FACTORED = (
    *("sbc", "gaussian-nb", "weka-naive-bayes", "laplace-m", "no-match-0", "kernel-nb", "majority"),
    *("wanbia", "gain-ratio-nb", "selective-bayes", "class-specific-nb"),
    *("tan", "weka-tan", "sp-tan", "kdb-2", "semi-naive"),
    *("lawnb", "lwnb", "knn", "kappa-60-fair", "kcnn"),
)


def tiny() -> Dataset:
    return Dataset.from_columns(
        [Attribute.nominal("x", ["red", "blue"]), Attribute.nominal("c", ["a", "b"])],
        [["red", "red", "red", "blue", "red", "blue"], ["a", "a", "a", "a", "b", "b"]],
    )


@pytest.mark.parametrize("name", FACTORED)
def test_prior_and_contributions_sum_to_the_log_joint(name: str) -> None:
    data = datasets.mixed()
    fitted = Recipe.load(name).build().fit(data)
    for row in range(0, len(data), 5):
        explanation = explain(fitted, data, row, changes=False)
        assert explanation.log_prior is not None
        total = explanation.log_prior + sum(c.contribution for c in explanation.contributions)
        np.testing.assert_allclose(total, explanation.log_joint, rtol=0, atol=1e-12)
        shifted = explanation.log_joint - np.logaddexp.reduce(explanation.log_joint)
        np.testing.assert_allclose(shifted, explanation.log_posterior, rtol=0, atol=1e-12)


def test_the_numbers_of_a_hand_worked_row() -> None:
    fitted = Recipe.load("weka-naive-bayes").build().fit(tiny())
    explanation = explain(fitted, tiny(), 0)
    assert explanation.log_prior is not None
    # prior (4 + 1) / (6 + 2) and (2 + 1) / 8; red (3 + 1) / (4 + 2) and (1 + 1) / (2 + 2)
    np.testing.assert_allclose(np.exp(explanation.log_prior), [5 / 8, 3 / 8])
    (contribution,) = explanation.contributions
    np.testing.assert_allclose(np.exp(contribution.log_factor), [4 / 6, 2 / 4])
    assert contribution.value == "red"
    support = contribution.support
    assert support.counts is not None
    assert support.known is not None
    assert support.counts.tolist() == [3, 1]
    assert support.known.tolist() == [4, 2]
    assert (support.added, support.total) == (1, 2)
    assert explanation.smoothing["conditional"] == "(N + f) / (n + k f) with f = 1"
    assert explanation.smoothing["prior"] == "(N + f) / (n + C f) with f = 1"
    np.testing.assert_allclose(explanation.posterior, [20 / 29, 9 / 29])


def test_without_an_attribute_only_the_prior_speaks() -> None:
    explanation = explain(Recipe.load("weka-naive-bayes").build().fit(tiny()), tiny(), 0)
    ((name, log_posterior),) = explanation.without
    assert name == "x"
    np.testing.assert_allclose(np.exp(log_posterior), [5 / 8, 3 / 8])


def test_a_weight_of_zero_silences_an_exact_zero() -> None:
    data = Dataset.from_columns(
        [Attribute.nominal("x", ["red", "blue"], weight=0.0), Attribute.nominal("c", ["a", "b"])],
        [["red", "red", "blue", "blue"], ["a", "a", "b", "b"]],
    )
    recipe = Recipe.load("weka-naive-bayes", estimator="frequency", weights="arff")
    explanation = explain(recipe.build().fit(data), data, 0)
    (contribution,) = explanation.contributions
    assert contribution.log_factor.tolist() == [0.0, -np.inf]
    assert contribution.contribution.tolist() == [0.0, 0.0]


def test_the_smallest_change_really_changes_the_prediction() -> None:
    data = read_arff(bundled_path("tic-tac-toe"))
    fitted = Recipe.load("sbc").build().fit(data)
    explanation = explain(fitted, data, 3)
    assert explanation.change is not None
    columns = list(data.take([3]).columns)
    for name, old, new in explanation.change.values:
        index = [attribute.name for attribute in data.attributes].index(name)
        values = data.attributes[index].values
        assert values is not None
        assert values[columns[index][0]] == old
        columns[index] = np.array([values.index(new)])
    changed = Dataset.from_columns(data.attributes, columns)
    assert data.class_values[fitted.predict(changed)[0]] == explanation.change.predicted
    assert explanation.change.predicted != data.class_values[explanation.predicted]


def test_a_classifier_that_looks_at_nothing_has_no_change() -> None:
    data = read_arff(bundled_path("monks-1"))
    assert explain(Recipe.load("majority").build().fit(data), data).change is None


def test_importance_by_hand() -> None:
    data = Dataset.from_columns(
        [
            Attribute.nominal("copy", ["a", "b"]),
            Attribute.nominal("noise", ["x", "y"]),
            Attribute.nominal("c", ["a", "b"]),
        ],
        [["a", "a", "b", "b"], ["x", "y", "x", "y"], ["a", "a", "b", "b"]],
    )
    assert attribute_importance(Recipe.load("weka-naive-bayes").build().fit(data)) == {"copy": 100.0, "noise": 0.0}


def test_names_with_markup_are_shown_and_not_executed() -> None:
    name = "<script>alert(1)</script>"
    data = Dataset.from_columns(
        [Attribute.nominal(name, ["<b>", "y"]), Attribute.nominal("c", ["<i>", "b"])],
        [["<b>", "y", "y", "<b>"], ["<i>", "b", "b", "<i>"]],
    )
    page = as_html(explain(Recipe.load("weka-naive-bayes").build().fit(data), data))
    assert "with &lt;script&gt;" in page  # the change that is told below the table
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_text_and_data_hold_the_same_posterior() -> None:
    explanation = explain(Recipe.load("weka-naive-bayes").build().fit(tiny()), tiny(), 0)
    assert json.loads(json.dumps(as_data(explanation)))["posterior"]["a"] == pytest.approx(20 / 29)
    assert "0.689655" in as_text(explanation)
    assert explanation._repr_html_() == as_html(explanation)


def test_a_row_that_is_not_there_is_refused() -> None:
    fitted = Recipe.load("majority").build().fit(tiny())
    with pytest.raises(EvaluationError, match="row 7: the data have 6 rows"):
        explain(fitted, tiny(), 6)


@pytest.mark.parametrize(
    ("low", "cut", "below", "above"),
    [
        (0.8, 4.75, 4.75, 4.76),
        (-math.inf, 0.8500000000000001, 0.85, 0.86),
        (-math.inf, 0.8499999999999999, 0.84, 0.85),
        (0.845, 0.8499999999999999, 0.8499999999999999, 0.85),
        (-math.inf, -2.0, -2.0, -1.0),
        (0.0, 123456.75, 123456.0, 123457.0),
        (-math.inf, 0.0, 0.0, 1.0),
        (1.0, 1.2345e-9, 1.2345e-9, 1.2346e-9),
    ],
)
def test_changes_are_told_in_short_numbers(low: float, cut: float, below: float, above: float) -> None:
    assert (_up_to(low, cut), _above(cut)) == (below, above)


@given(cuts=st.lists(st.floats(-1e12, 1e12), min_size=2, max_size=2, unique=True).map(sorted))
def test_short_numbers_lie_in_their_intervals(cuts: list[float]) -> None:
    low, cut = cuts
    assert low < _up_to(low, cut) <= cut < _above(cut)
