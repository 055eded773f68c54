"""Readings of a small table: ranked by their fit, and what survives them."""

import numpy as np
import pytest

from nbframework.evaluation.scores import ScoreTable
from nbframework.reproduction.measured import Measured
from nbframework.reproduction.readings import ranked, readings_of, readings_study, survivals
from nbframework.study.study import load_study

READINGS = """
claims:
  - {claim: smooth is ahead on one, order: [one/smooth, one/plain]}
  - {claim: plain is ahead on two, order: [two/plain, two/smooth]}
readings:
  - members: [plain]
    recipes: {plain: laplace-1}
    axes:
      f: {one: {}, two: {estimator.f: 2}}
      intervals: {ten: {}, five: {discretizer: {equal-width: {bins: 5}}}}
"""


def measured(target):
    means = {
        ("one", "nb"): 0.81,
        ("two", "nb"): 0.72,
        ("one", "laplace"): 0.90,
        ("two", "laplace"): 0.60,
        ("one", "plain [one, ten]"): 0.81,
        ("two", "plain [one, ten]"): 0.72,
        ("one", "plain [one, five]"): 0.80,
        ("two", "plain [one, five]"): 0.70,
        ("one", "plain [two, ten]"): 0.95,
        ("two", "plain [two, ten]"): 0.55,
        ("one", "plain [two, five]"): 0.85,
        ("two", "plain [two, five]"): 0.75,
    }
    scores = {cell: np.array([mean, mean]) for cell, mean in means.items()}
    methods = tuple(dict.fromkeys(method for _, method in means))
    return Measured(target, {"accuracy": ScoreTable("accuracy", ("one", "two"), methods, scores)})


def test_every_combination_is_a_reading(target_of):
    target = target_of(READINGS)
    found = readings_of(target, target.readings[0])
    assert [reading.name for reading in found] == [
        "f: one, intervals: ten",
        "f: one, intervals: five",
        "f: two, intervals: ten",
        "f: two, intervals: five",
    ]
    assert found[1].labels == {"nb": "plain [one, five]"}


def test_the_study_holds_the_recipe_of_every_reading(target_of, tmp_path):
    path = tmp_path / "small.yaml"
    path.write_text(
        "study: small\nrecipes: [{recipe: laplace-1, label: nb}, {recipe: sbc, label: laplace}]\ndata: [iris]\n"
    )
    target = target_of(READINGS, path)
    recipes = {entry.label: entry.recipe for entry in readings_study(target, load_study(path)).recipes}
    assert len(recipes) == 6
    assert recipes["plain [one, ten]"].identity() == recipes["nb"].identity()
    assert (recipes["plain [two, five]"].estimator.f, recipes["plain [two, five]"].discretizer.bins) == (2, 5)


def test_the_reading_nearest_to_print_is_first(target_of):
    target = target_of(READINGS)
    fits = ranked(measured(target), target.readings[0])
    assert fits[0].reading.chosen == {"f": "one", "intervals": "five"}
    # printed 80, 70 and the mean 75
    assert [fit.summary.difference for fit in fits] == pytest.approx(
        [0.0, (1 + 2 + 1.5) / 3, (5 + 5 + 5) / 3, (15 + 15 + 0) / 3]
    )


def test_a_claim_survives_where_it_holds_under_all_readings(target_of):
    first, second = survivals(measured(target_of(READINGS)))
    assert (first.holds, first.decided) == (3, 4)
    assert first.against == "plain with f: two, intervals: ten: one/smooth 90.00, one/plain 95.00"
    assert (second.holds, second.decided) == (3, 4)


def test_a_claim_about_a_difference_depends_on_the_columns_behind_it(target_of):
    more = READINGS.replace("order: [one/smooth, one/plain]", "signs: gain, positive: [one], negative: []")
    first, _ = survivals(measured(target_of(more)))
    assert (first.holds, first.decided) == (3, 4)
