"""The formula that an estimator declares gives what the estimator gives."""

from dataclasses import replace

import numpy as np
import pytest

from nbframework import Recipe
from nbframework.authoring import Counts, Estimator, count
from nbframework.classifier.composition import GlobalModel
from nbframework.classifier.local import LocalModel
from nbframework.classifier.prior import EstimatorWithPrior
from nbframework.data.codes import Codes
from nbframework.testing import datasets
from nbframework_basics.cestnik import Cestnik
from nbframework_basics.laplace import Frequency, Laplace
from nbframework_basics.m_estimate import MEstimate
from nbframework_kohavi1997.evidence_projection import EvidenceProjection
from nbframework_kohavi1997.laplace_m import LaplaceM
from nbframework_kohavi1997.no_match import NoMatch

DECLARED: list[Estimator] = [
    Frequency(),
    Laplace(f=0.3),
    Laplace(f=0),
    MEstimate(m=2.5),
    MEstimate(m=0),
    MEstimate(m=2.5, prior="laplace"),
    LaplaceM(f=1.7),
    *(
        NoMatch(f=0.4, numerator=numerator, target=target)
        for numerator in ("factor", "class-frequency", "class-frequency-per-attribute")
        for target in ("conditional", "joint")
    ),
    NoMatch(f=80.0, target="joint"),
    NoMatch(f=0),
]


def counts(weights: np.ndarray | None = None) -> Counts:
    """Four classes, the last without a row; the second attribute is unknown in every row of class 1."""
    random = np.random.default_rng(3)
    classes = np.repeat([0, 1, 2], [9, 5, 3])
    first = random.integers(0, 3, 17).astype(np.uint8)
    second = np.where(classes == 1, 5, random.integers(0, 4, 17)).astype(np.uint8)
    return count(Codes((first, second), (3, 4), 17), classes, 4, weights)


@pytest.mark.parametrize("weights", [None, np.linspace(0.1, 2.3, 17)], ids=["rows", "weights"])
@pytest.mark.parametrize("estimator", DECLARED, ids=repr)
def test_the_formula_gives_the_estimates(estimator: Estimator, weights: np.ndarray | None) -> None:
    table = counts(weights)
    form = estimator.closed_form(table)
    assert form is not None
    np.testing.assert_allclose(form.log_conditional(table), estimator.log_conditional(table), rtol=0, atol=1e-13)
    np.testing.assert_allclose(form.log_prior(table.class_weight), estimator.log_prior(table), rtol=0, atol=1e-13)


@pytest.mark.parametrize("value", [0.01, 1.0, 30.0])
@pytest.mark.parametrize("estimator", [e for e in DECLARED if "f" in vars(e) or "m" in vars(e)], ids=repr)
def test_another_value_of_the_parameter_gives_the_estimates_of_the_changed_part(
    estimator: Estimator, value: float
) -> None:
    table = counts()
    form = estimator.closed_form(table)
    assert form is not None
    if form.parameter is None:
        return
    changed = replace(estimator, **{form.parameter: value})
    np.testing.assert_allclose(form.log_conditional(table, value), changed.log_conditional(table), rtol=0, atol=1e-13)
    np.testing.assert_allclose(form.log_prior(table.class_weight, value), changed.log_prior(table), rtol=0, atol=1e-13)


@pytest.mark.parametrize("estimator", [Cestnik(), EvidenceProjection()], ids=repr)
def test_an_estimator_that_is_no_such_formula_declares_none(estimator: Estimator) -> None:
    assert estimator.closed_form(counts()) is None


@pytest.mark.parametrize("empty", ["keep", "drop"])
def test_the_prior_of_a_recipe_is_a_formula_over_the_classes_that_it_knows(empty: str) -> None:
    data = datasets.mixed()
    declared = (*data.class_values, "nobody")
    attribute = replace(data.class_attribute, values=declared)
    attributes = [attribute if index == data.class_index else a for index, a in enumerate(data.attributes)]
    rows = replace(data, attributes=tuple(attributes))
    codes = np.where(data.classes < len(data.class_values), data.classes, len(declared) + 1)
    columns = [codes if index == data.class_index else c for index, c in enumerate(data.columns)]
    rows = replace(rows, columns=tuple(columns))
    fitted = Recipe.load("laplace-1", empty_classes=empty).build().fit(rows)
    model = fitted.model
    assert isinstance(model, GlobalModel)
    estimator, table = model.parts.estimator, model.training.counts
    assert isinstance(estimator, EstimatorWithPrior)
    form, known = estimator.closed_form_of_prior(table), estimator.prior_classes(table)
    assert form is not None
    assert known.tolist() == [True] * len(data.class_values) + [empty == "keep"]
    log_prior = estimator.log_prior(table)
    np.testing.assert_allclose(form.log_prior(table.class_weight[known]), log_prior[known], rtol=0, atol=1e-13)
    assert np.isneginf(log_prior[~known]).all()


@pytest.mark.parametrize(
    "neighbourhood",
    [
        "{kappa-kernel: {distance: heterogeneous-euclidean}}",
        "{kappa-kernel: {kappa: 3, class_prior: uniform}}",
        "{inverse-power: {kappa: 2}}",
    ],
)
def test_a_power_of_the_distance_gives_the_class_weights(neighbourhood: str) -> None:
    data = datasets.mixed()
    for value in (None, 0.0, 1.5, 400.0):
        settings = {} if value is None else {"neighbourhood.kappa": value}
        plain = Recipe.load("kappa-60", neighbourhood=neighbourhood).build().fit(data)
        model = Recipe.load("kappa-60", neighbourhood=neighbourhood, **settings).build().fit(data).model
        assert isinstance(plain.model, LocalModel)
        assert isinstance(model, LocalModel)
        rows = model.encoder.queries(data)
        form = plain.model.neighbourhood.closed_form(rows)
        assert form is not None
        expected = model.neighbourhood.log_class_weight(rows)
        np.testing.assert_allclose(form.log_class_weight(value), expected, rtol=1e-12, atol=1e-11)


def test_a_neighbourhood_that_is_no_such_formula_declares_none() -> None:
    model = Recipe.load("knn").build().fit(datasets.mixed()).model
    assert isinstance(model, LocalModel)
    assert model.neighbourhood.closed_form(model.training) is None
