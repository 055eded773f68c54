"""The evidence page in a browser computes what Python computes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.evidence_page import OpenPage, case_of, posterior_of

from nbframework import Attribute, Dataset, Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.explain import explain
from nbframework.explain.changes import smallest_change
from nbframework.testing import datasets

EXACT = {"rtol": 0, "atol": 1e-12}
SOME_ROWS = (7, 22)
RECIPES: list[tuple[str, dict[str, Any]]] = [
    ("sbc", {}),
    ("gaussian-nb", {}),
    ("weka-kernel", {}),
    ("laplace-nb", {}),
    ("no-match-0.5", {"estimator.target": "joint"}),
    ("no-match-pc", {}),
    ("cestnik-nb", {}),
    ("tan", {}),
    ("kdb-2", {}),
    ("weka-tan", {}),
    ("wanbia", {}),
    ("class-specific-nb", {}),
    ("selective-bayes", {}),
    ("majority", {}),
    ("sbc", {"missing": {"as-value": {}}}),
    ("sbc", {"missing": {"impute": {}}}),
    ("sbc", {"missing": {"ignore": {"denominator": "include", "cardinality": "with-unknown"}}}),
    ("laplace-1", {"class_priors": {"first": 0.7, "second": 0.2, "third": 0.1}}),
]


@pytest.fixture
def page(reused_page: Any) -> Any:
    return reused_page


def uneven() -> Dataset:
    """Return rows of which the first class has most."""
    data = datasets.mixed()
    return data.take([row for row in range(len(data)) if data.classes[row] == 0 or row < 30])


def case(data: Dataset, row: int) -> dict[str, Any]:
    """Return the known values of a row by name."""
    values = {}
    for index in data.input_indexes:
        attribute, value = data.attributes[index], data.columns[index][row]
        if attribute.values is None:
            values[attribute.name] = float(value)
        elif value < attribute.cardinality:
            values[attribute.name] = attribute.values[value]
    return values


@pytest.mark.parametrize(("name", "changes"), RECIPES, ids=lambda value: str(value))
def test_the_posterior_of_rows_is_that_of_python(page: Any, tmp_path: Path, name: str, changes: dict[str, Any]) -> None:
    data = datasets.mixed()
    fitted = Recipe.load(name, **changes).build().fit(data)
    opened = OpenPage(page, tmp_path, fitted, data)
    np.testing.assert_allclose(opened.posterior(), opened.python(), **EXACT)
    expected = fitted.predict_proba(data.take(list(SOME_ROWS)))
    for row, posterior in zip(SOME_ROWS, expected, strict=True):
        opened.load(row)
        np.testing.assert_allclose(opened.posterior(), posterior, **EXACT)


@pytest.mark.parametrize("name", ["bernoulli-nb", "multinomial-nb"])
def test_densities_of_counts_are_those_of_python(page: Any, tmp_path: Path, name: str) -> None:
    data = read_arff(bundled_path("iris"))
    fitted = Recipe.load(name).build().fit(data)
    opened = OpenPage(page, tmp_path, fitted, data)
    for row in (0, 149):
        opened.load(row)
        np.testing.assert_allclose(opened.posterior(), fitted.predict_proba(data.take([row]))[0], **EXACT)


def test_clicking_values_changes_the_posterior(page: Any, tmp_path: Path) -> None:
    data = read_arff(bundled_path("tic-tac-toe"))
    opened = OpenPage(page, tmp_path, Recipe.load("sbc").build().fit(data), data)
    values: dict[str, str] = {}
    for attribute in data.inputs[:4]:
        assert attribute.values is not None
        values[attribute.name] = attribute.values[0]
        opened.choose(attribute.name, attribute.values[0])
        np.testing.assert_allclose(opened.posterior(), opened.python(**values), **EXACT)
    opened.choose(data.inputs[0].name, "unknown")
    del values[data.inputs[0].name]
    np.testing.assert_allclose(opened.posterior(), opened.python(**values), **EXACT)
    page.click("#clear")
    np.testing.assert_allclose(opened.posterior(), opened.python(), **EXACT)


def test_a_click_anywhere_in_the_row_of_a_value_chooses_it(page: Any, tmp_path: Path) -> None:
    data = read_arff(bundled_path("tic-tac-toe"))
    opened = OpenPage(page, tmp_path, Recipe.load("sbc").build().fit(data), data)
    attribute = data.inputs[4]
    assert attribute.values is not None
    page.locator(f"fieldset[data-attribute={attribute.name!r}] tbody tr").nth(1).locator("td").last.click()
    np.testing.assert_allclose(opened.posterior(), opened.python(**{attribute.name: attribute.values[1]}), **EXACT)


def test_typing_a_number_changes_the_posterior(page: Any, tmp_path: Path) -> None:
    data = read_arff(bundled_path("iris"))
    opened = OpenPage(page, tmp_path, Recipe.load("gaussian-nb").build().fit(data), data)
    field = page.locator("fieldset[data-attribute='petal_width'] input")
    field.fill("1.62")
    np.testing.assert_allclose(opened.posterior(), opened.python(petal_width=1.62), **EXACT)
    field.fill("")
    np.testing.assert_allclose(opened.posterior(), opened.python(), **EXACT)


@pytest.mark.parametrize(
    ("name", "changes", "path", "value"),
    [
        ("laplace-1", {}, "estimator.f", 3.7),
        ("laplace-1", {"empty_classes": "drop"}, "estimator.f", 0),
        ("sbc", {}, "estimator.f", 40),
        ("sbc", {}, "prior.f", 12.5),
        ("no-match-0.5", {}, "estimator.f", 2),
        ("no-match-0.5", {"estimator.target": "joint"}, "estimator.f", 9),
        ("sbc", {"estimator": {"m-estimate": {}}, "prior": None}, "estimator.m", 6),
        ("sbc", {"estimator": {"m-estimate": {"prior": "laplace"}}}, "estimator.m", 0.25),
        ("laplace-1", {"weights": "gain-ratio"}, "estimator.f", 2),
        ("laplace-1", {"class_priors": {"first": 0.7, "second": 0.2, "third": 0.1}}, "estimator.f", 5),
    ],
    ids=lambda value: str(value),
)
def test_a_slider_gives_what_a_refitted_recipe_gives(
    page: Any, tmp_path: Path, name: str, changes: dict[str, Any], path: str, value: float
) -> None:
    data = uneven()
    fitted = Recipe.load(name, **changes).build().fit(data)
    opened = OpenPage(page, tmp_path, fitted, data)
    opened.load(7)
    opened.set_parameter(path, value)
    refitted = Recipe.load(name, **changes, **{path: value}).build().fit(data)
    np.testing.assert_allclose(opened.posterior(), refitted.predict_proba(data.take([7]))[0], **EXACT)
    assert not np.allclose(opened.posterior(), posterior_of(opened.fitted, **case(data, 7)), **EXACT)


def test_a_value_outside_the_range_of_the_parameter_is_marked_and_changes_nothing(page: Any, tmp_path: Path) -> None:
    data = datasets.mixed()
    opened = OpenPage(page, tmp_path, Recipe.load("laplace-m").build().fit(data), data)
    opened.load(3)
    before = opened.posterior()
    for value in (0, -1):
        opened.set_parameter("estimator.f", value)
        assert page.get_attribute("input[data-path='estimator.f']", "aria-invalid") == "true"
        np.testing.assert_array_equal(opened.posterior(), before)


@pytest.mark.parametrize(("name", "reason"), [("cestnik-nb", "estimator cestnik"), ("tan", "structure tan")])
def test_without_a_closed_form_the_page_says_so(page: Any, tmp_path: Path, name: str, reason: str) -> None:
    data = datasets.mixed()
    OpenPage(page, tmp_path, Recipe.load(name).build().fit(data), data)
    assert reason in page.text_content("#no-closed-form")
    assert page.locator("input[data-path='estimator.m'], input[data-path='estimator.f']").count() == 0


def test_a_value_that_was_never_declared_is_answered_like_in_python(page: Any, tmp_path: Path) -> None:
    data = read_arff(bundled_path("tic-tac-toe"))
    fitted = Recipe.load("laplace-1").build().fit(data)
    attributes = [Attribute.nominal(a.name, [*(a.values or ()), "?!"]) for a in data.attributes]
    strange = Dataset.from_columns(attributes, [["?!"], *[[a.values[0]] for a in attributes[1:]]])  # type: ignore[index]
    opened = OpenPage(page, tmp_path, fitted, strange, row=0)
    np.testing.assert_allclose(opened.posterior(), fitted.predict_proba(strange)[0], **EXACT)
    card = page.locator(f"fieldset[data-attribute={data.inputs[0].name!r}]")
    assert card.get_by_label("a value never seen", exact=True).is_checked()


def test_costs_and_thresholds_decide_the_prediction(page: Any, tmp_path: Path) -> None:
    data = uneven()
    rules = {"costs": {"second": {"first": 9}}, "thresholds": {"first": 0.9, "second": 0.05, "third": 0.5}}
    for key, rule in rules.items():
        fitted = Recipe.load("sbc", **{key: rule}).build().fit(data)
        opened = OpenPage(page, tmp_path, fitted, data)
        code = int(fitted.predict(case_of(fitted))[0])
        assert opened.predicted() == data.class_values[code]
        assert code != int(np.argmax(opened.posterior()))
        for row in SOME_ROWS:
            opened.load(row)
            assert opened.predicted() == data.class_values[int(fitted.predict(data.take([row]))[0])]


@pytest.mark.parametrize("name", ["sbc-basic", "gaussian-nb", "tan"])
def test_the_smallest_change_is_that_of_explain(page: Any, tmp_path: Path, name: str) -> None:
    data = datasets.mixed()
    fitted = Recipe.load(name).build().fit(data)
    opened = OpenPage(page, tmp_path, fitted, data)
    opened.view("changes")
    for row in SOME_ROWS:
        opened.load(row)
        change = smallest_change(fitted, data.take([row]))
        assert change is not None
        names = page.eval_on_selector_all("#smallest-change li", "all => all.map((one) => one.dataset.attribute)")
        told = page.locator("#smallest-change p").first
        assert names == [attribute for attribute, _, _ in change.values]
        assert told.get_attribute("data-predicted") == change.predicted
        assert float(told.get_attribute("data-posterior")) == pytest.approx(change.posterior, abs=1e-12)
        page.click("#apply-change")
        assert opened.predicted() == change.predicted


def test_what_helps_a_class_is_the_best_of_all_values(page: Any, tmp_path: Path) -> None:
    data = datasets.mixed()
    fitted = Recipe.load("sbc-basic").build().fit(data)
    opened = OpenPage(page, tmp_path, fitted, data)
    opened.load(0)
    opened.view("changes")
    page.select_option("#view-changes select", label="third")
    known = case(data, 0)
    attribute = data.inputs[2]
    assert attribute.values is not None
    best = max(posterior_of(fitted, **{**known, attribute.name: value})[2] for value in attribute.values)
    shown = page.get_attribute(f".helps tr[data-attribute={attribute.name!r}] [data-posterior]", "data-posterior")
    assert float(shown) == pytest.approx(best, abs=1e-12)


def test_the_nomogram_adds_up_to_the_log_odds_of_python(page: Any, tmp_path: Path) -> None:
    data = datasets.mixed()
    fitted = Recipe.load("sbc").build().fit(data)
    opened = OpenPage(page, tmp_path, fitted, data)
    opened.load(7)
    opened.view("nomogram")
    page.locator("#view-nomogram select").nth(0).select_option(label="first")
    page.locator("#view-nomogram select").nth(1).select_option(label="third")
    explanation = explain(fitted, data, 7, changes=False)
    shown = {
        row.locator("th").inner_text(): float(row.locator("td").get_attribute("data-log-odds"))
        for row in page.locator(".sum tbody tr").all()
    }
    assert explanation.log_prior is not None
    assert shown.pop("class prior") == pytest.approx(explanation.log_prior[0] - explanation.log_prior[2], abs=1e-12)
    total = shown.pop("sum: first against third")
    assert total == pytest.approx(explanation.log_joint[0] - explanation.log_joint[2], abs=1e-12)
    expected = [float(c.contribution[0] - c.contribution[2]) for c in explanation.contributions]
    assert sorted(shown.values()) == pytest.approx(sorted(x for x in expected if x), abs=1e-12)


def test_the_arithmetic_is_written_out_in_fractions(page: Any, tmp_path: Path) -> None:
    data = Dataset.from_columns(
        [Attribute.nominal("x", ["red", "blue"]), Attribute.nominal("c", ["a", "b"])],
        [["red", "red", "red", "blue", "red", "blue"], ["a", "a", "a", "a", "b", "b"]],
    )
    opened = OpenPage(page, tmp_path, Recipe.load("laplace-1").build().fit(data), data, row=0)
    opened.view("arithmetic")
    rows = [
        [cell.text_content() for cell in row.locator("th, td").all()]
        for row in page.locator(".arithmetic tbody tr").all()
    ]
    # prior (4 + 1) / (6 + 2) and (2 + 1) / 8; red (3 + 1) / (4 + 2) and (1 + 1) / (2 + 2); 20 and 9 of 29
    assert rows[:2] == [
        ["P(class)", "4+16+2=0.625", "2+16+2=0.375"],
        ["P(x = red | class)", "3+14+2=0.6667", "1+12+2=0.5"],
    ]
    assert rows[2] == ["product", "0.4167", "0.1875"]
    assert rows[3] == ["sum over 2 classes", "0.6042"]
    assert rows[4][1:] == ["0.41670.6042=69.0 %", "0.18750.6042=31.0 %"]
    np.testing.assert_allclose(opened.posterior(), [20 / 29, 9 / 29], **EXACT)


def test_an_exponent_is_shown_and_used_in_the_arithmetic(page: Any, tmp_path: Path) -> None:
    data = Dataset.from_columns(
        [Attribute.nominal("x", ["red", "blue"], weight=0.5), Attribute.nominal("c", ["a", "b"])],
        [["red", "red", "red", "blue", "red", "blue"], ["a", "a", "a", "a", "b", "b"]],
    )
    opened = OpenPage(page, tmp_path, Recipe.load("laplace-1", weights="arff").build().fit(data), data, row=0)
    assert page.text_content(".exponent") == "exponent 0.5"
    joint = np.array([5 / 8, 3 / 8]) * np.sqrt([4 / 6, 2 / 4])
    np.testing.assert_allclose(opened.posterior(), joint / joint.sum(), **EXACT)
    opened.view("arithmetic")
    assert "(3+14+2)0.5=0.8165" in (page.text_content(".arithmetic") or "")


def test_the_page_opens_with_the_row_that_was_named(page: Any, tmp_path: Path) -> None:
    data = datasets.mixed()
    fitted = Recipe.load("sbc").build().fit(data)
    opened = OpenPage(page, tmp_path, fitted, data, row=41)
    np.testing.assert_allclose(opened.posterior(), fitted.predict_proba(data.take([41]))[0], **EXACT)
    assert page.locator("#example option").all_text_contents()[1:] == [
        f"row 42 \u2013 {data.class_values[data.classes[41]]}"
    ]


@pytest.mark.parametrize(
    ("changes", "path", "value"),
    [
        ({}, "neighbourhood.kappa", 3.5),
        ({}, "neighbourhood.kappa", 400),
        ({"neighbourhood.class_prior": "uniform"}, "neighbourhood.kappa", 8),
        ({"estimator": {"laplace": {"f": 2}}}, "neighbourhood.kappa", 8),
        ({"estimator": {"laplace": {"f": 2}}}, "estimator.f", 30),
        ({"class_priors": {"first": 0.7, "second": 0.2, "third": 0.1}}, "neighbourhood.kappa", 4),
    ],
    ids=lambda value: str(value),
)
def test_the_slider_of_a_vote_gives_what_a_refitted_recipe_gives(
    page: Any, tmp_path: Path, changes: dict[str, Any], path: str, value: float
) -> None:
    data = uneven()
    fitted = Recipe.load("kappa-60-fair", **changes).build().fit(data)
    opened = OpenPage(page, tmp_path, fitted, data)
    opened.load(7)
    np.testing.assert_allclose(opened.posterior(), fitted.predict_proba(data.take([7]))[0], **EXACT)
    opened.set_parameter(path, value)
    refitted = Recipe.load("kappa-60-fair", **changes, **{path: value}).build().fit(data)
    np.testing.assert_allclose(opened.posterior(), refitted.predict_proba(data.take([7]))[0], **EXACT)
    assert opened.predicted() == data.class_values[int(refitted.predict(data.take([7]))[0])]
