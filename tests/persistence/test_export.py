"""An exported model, read by a program that knows nothing of the frame, gives the same probabilities."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nbframework import DataError, Dataset, Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.persistence import load_model, save_model
from nbframework.persistence.export import export_json
from nbframework.testing.datasets import mixed, unsigned

IRIS = read_arff(bundled_path("iris"))
MIXED = mixed(90)


def document(folder: Path, recipe: str, data: Dataset, **overrides: Any) -> dict[str, Any]:
    """Return what a reader finds in the file, unknown constants refused."""
    loaded = Recipe.load(recipe, **overrides)
    save_model(folder / "a.model", loaded, loaded.build().fit(data, seed=1))
    export_json(load_model(folder / "a.model"), folder / "a.json")
    return json.loads((folder / "a.json").read_text(), parse_constant=pytest.fail)


def number(value: float | None) -> float:
    return -math.inf if value is None else value


def log_factor(attribute: dict[str, Any], value: Any, c: int) -> float:
    """Return one log factor as the documentation of the layout says."""
    if value is None:
        return number(attribute["unknown"][c])
    if attribute["kind"] == "nominal":
        if value not in attribute["values"]:
            return number(attribute["unseen"][c])
        return number(attribute["log_factors"][attribute["values"].index(value)][c])
    if "cut_points" in attribute:
        return number(attribute["log_factors"][sum(value > cut for cut in attribute["cut_points"])][c])
    form, exponent = attribute["density"], attribute["exponent"][c]
    if form["form"] == "gaussian":
        variance = form["variance"][c]
        if variance is None:
            return 0.0
        return -exponent * 0.5 * (math.log(2 * math.pi * variance) + (value - form["mean"][c]) ** 2 / variance)
    if form["form"] == "counts":
        return exponent * value * number(form["log_share"][c]) if value else 0.0
    assert form["form"] == "threshold"
    return exponent * number(form["log_above" if value > form["threshold"] else "log_below"][c])


def posterior(found: dict[str, Any], data: Dataset) -> np.ndarray:
    rows = []
    for row in range(len(data)):
        joint = [number(value) for value in found["log_prior"]]
        for attribute, declared, column in zip(found["attributes"], data.inputs, data.input_columns, strict=True):
            if declared.values is None:
                value = None if math.isnan(column[row]) else float(column[row])
            else:
                value = (*declared.values, "never seen", None)[column[row]]
            joint = [total + log_factor(attribute, value, c) for c, total in enumerate(joint)]
        top = max(joint)
        if top == -math.inf:
            rows.append(found["class_frequencies"])
            continue
        chances = [math.exp(total - top) for total in joint]
        rows.append([chance / sum(chances) for chance in chances])
    return np.array(rows)


@pytest.mark.parametrize(
    "recipe",
    ["sbc", "sbc-basic", "gaussian-nb", "weka-naive-bayes", "no-match-0", "kl-nb", "class-specific-nb", "bernoulli-nb"],
)
def test_the_file_gives_the_posteriors_of_the_model(recipe: str, tmp_path: Path) -> None:
    found = document(tmp_path, recipe, MIXED)
    expected = Recipe.load(recipe).build().fit(MIXED, seed=1).predict_proba(MIXED)
    np.testing.assert_allclose(posterior(found, MIXED), expected, atol=1e-12)


@pytest.mark.parametrize("recipe", ["multinomial-nb", "complement-nb"])
def test_counts_too(recipe: str, tmp_path: Path) -> None:
    data = unsigned(MIXED)
    expected = Recipe.load(recipe).build().fit(data).predict_proba(data)
    np.testing.assert_allclose(posterior(document(tmp_path, recipe, data), data), expected, atol=1e-12)


def test_given_priors_are_in_the_prior(tmp_path: Path) -> None:
    priors = {"setosa": 0.2, "versicolor": 0.3, "virginica": 0.5}
    found = document(tmp_path, "sbc", IRIS, class_priors=priors, thresholds=priors)
    np.testing.assert_allclose(np.exp(found["log_prior"]), [0.2, 0.3, 0.5], atol=1e-12)
    assert found["decision"]["thresholds"] == priors


@pytest.mark.parametrize(
    ("recipe", "fault"),
    [
        ("lawnb", "is no composition that is fitted once for all rows"),
        ("c45", "is no composition that is fitted once for all rows"),
        ("tan", "is no product of one factor for each attribute|a factor depends on several attributes"),
        ("kernel-nb", "density 'kernel' has no form that could be written down"),
    ],
)
def test_what_is_something_else_is_refused(recipe: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=fault):
        document(tmp_path, recipe, IRIS)
