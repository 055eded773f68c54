"""Table 2 of Zhang et al. (2018), columns WANBIA and LAWNB: within one printed standard deviation."""

import csv

import pytest

from nbframework import Recipe, evaluate, read_arff


def printed(shared, name, column):
    with (shared / "papers" / "lawnb2018_table2.csv").open(newline="") as stream:
        (row,) = [row for row in csv.DictReader(stream) if row["dataset"] == name]
    return float(row[column]), float(row[f"{column}_sd"])


def accuracy(shared, name, recipe, **overrides):
    dataset = read_arff(shared / "datasets" / f"{name}.arff")
    return 100 * evaluate(Recipe.load(recipe, **overrides), dataset).scores()["accuracy"]


@pytest.mark.parametrize("name", ["iris", "vowel", "segment", "anneal", "vote"])
def test_wanbia(shared, name):
    mean, deviation = printed(shared, name, "wanbia")
    assert accuracy(shared, name, "wanbia-fair") == pytest.approx(mean, abs=deviation)


@pytest.mark.parametrize("name", ["iris", "glass", "vowel", "ionosphere", "vote", "zoo"])
def test_lawnb(shared, name):
    mean, deviation = printed(shared, name, "lawnb50")
    assert accuracy(shared, name, "lawnb") == pytest.approx(mean, abs=deviation)


def test_vowel_tells_where_lawnb_cuts(shared):
    """With cut points of the whole training set, or distances between intervals, vowel is far from the print."""
    mean, deviation = printed(shared, "vowel", "lawnb50")
    assert accuracy(shared, "vowel", "lawnb-fair") < mean - deviation
    assert accuracy(shared, "vowel", "lawnb", **{"neighbourhood.attributes": "discretized"}) < mean - deviation


def test_unknown_values_of_wanbia_are_ignored_in_the_print(shared):
    mean, _ = printed(shared, "anneal-orig", "wanbia")
    ignored, valued = (accuracy(shared, "anneal-orig", recipe) for recipe in ("wanbia-fair", "wanbia"))
    assert abs(ignored - mean) < abs(valued - mean)
