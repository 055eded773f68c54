"""The evidence page can be used by everybody, with any names, at any width."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.accessibility import serious_faults
from support.evidence_page import OpenPage

from nbframework import Attribute, Dataset, Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.testing import datasets

EXACT = {"rtol": 0, "atol": 1e-12}
VIEWS = ("evidence", "nomogram", "changes", "arithmetic")
HOSTILE = (
    "</script><script>document.title='broken'</script>",
    "<img src=x onerror=\"document.title='broken'\">",
    "\"'`&amp;<b>",
    "{{ 7 * 7 }}{% raise %}",
    "naïve 贝叶斯 \u2028 🍄",
    "__proto__",
)


@pytest.fixture(scope="module")
def mixed() -> tuple[Any, Dataset]:
    data = datasets.mixed()
    return Recipe.load("sbc", discretizer="none").build().fit(data), data


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_view_has_a_serious_fault(page: Any, tmp_path: Path, mixed: tuple[Any, Dataset], scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    opened = OpenPage(page, tmp_path, *mixed)
    opened.load(3)
    for view in VIEWS:
        opened.view(view)
        assert serious_faults(page) == [], view


def test_everything_can_be_done_by_keyboard(page: Any, tmp_path: Path) -> None:
    data = read_arff(bundled_path("tic-tac-toe"))
    opened = OpenPage(page, tmp_path, Recipe.load("laplace-1").build().fit(data), data)
    keys = page.keyboard

    def tab_to(selector: str) -> None:
        for _ in range(80):
            keys.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        raise AssertionError(f"Tab does not reach {selector}")

    tab_to("#example")
    keys.press("ArrowDown")
    np.testing.assert_allclose(opened.posterior(), opened.fitted.predict_proba(data.take([0]))[0], **EXACT)
    tab_to("#estimator-range")
    keys.press("ArrowRight")
    f = float(page.input_value("input[data-path='estimator.f']"))
    refitted = Recipe.load("laplace-1", **{"estimator.f": f}).build().fit(data)
    assert f > 1
    np.testing.assert_allclose(opened.posterior(), refitted.predict_proba(data.take([0]))[0], **EXACT)
    tab_to("#tab-evidence")
    tab_to(f"fieldset[data-attribute={data.inputs[4].name!r}] input[type=radio]")
    before = opened.posterior()
    keys.press("ArrowDown")
    assert not np.allclose(opened.posterior(), before)
    keys.press("ArrowUp")
    np.testing.assert_array_equal(opened.posterior(), before)
    page.focus("#tab-evidence")
    for view in ("nomogram", "changes", "arithmetic", "evidence"):
        keys.press("ArrowRight")
        assert page.is_visible(f"#view-{view}")
        assert page.evaluate("document.activeElement.id") == f"tab-{view}"


def test_a_change_of_the_posterior_is_told_to_screen_readers(page: Any, tmp_path: Path) -> None:
    data = read_arff(bundled_path("tic-tac-toe"))
    opened = OpenPage(page, tmp_path, Recipe.load("sbc").build().fit(data), data)
    assert page.get_attribute("#status", "aria-live") == "polite"
    before = page.text_content("#status")
    opened.load(0)
    after = page.text_content("#status")
    assert after != before
    assert opened.predicted() in after


def test_hostile_names_are_shown_and_never_executed(page: Any, tmp_path: Path) -> None:
    names = list(HOSTILE)
    attributes = [Attribute.nominal(name, names) for name in names]
    attributes.append(Attribute.nominal("<i>class</i>", names[:3]))
    random = np.random.default_rng(1)
    columns = [random.integers(0, 6, 40) for _ in names]
    data = Dataset.from_columns(attributes, [*columns, random.integers(0, 3, 40)], name="<u>data</u>")
    opened = OpenPage(page, tmp_path, Recipe.load("laplace-1").build().fit(data), data, title=HOSTILE[0])
    opened.load(0)
    for view in VIEWS:
        opened.view(view)
    assert page.title() == f"{HOSTILE[0]} \u2013 evidence"
    assert page.locator("img, b > b, u, h1 *").count() == 0
    assert set(page.locator(".attribute legend").all_text_contents()) == set(names)
    shown = page.locator("#posterior-bars .name").all_text_contents()
    assert shown == names[:3]
    np.testing.assert_allclose(opened.posterior(), opened.fitted.predict_proba(data.take([0]))[0], **EXACT)


def test_the_page_of_a_vote_has_no_serious_fault(page: Any, tmp_path: Path) -> None:
    data = datasets.mixed()
    OpenPage(page, tmp_path, Recipe.load("kappa-60-fair").build().fit(data), data)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert serious_faults(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("width", [360, 768])
def test_the_page_fits_a_narrow_screen(page: Any, tmp_path: Path, mixed: tuple[Any, Dataset], width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    opened = OpenPage(page, tmp_path, *mixed)
    for view in VIEWS:
        opened.view(view)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, view


def test_the_colours_can_be_switched(page: Any, tmp_path: Path, mixed: tuple[Any, Dataset]) -> None:
    page.emulate_media(color_scheme="light")
    OpenPage(page, tmp_path, *mixed)
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.click("#theme")
    assert page.evaluate(ground) != light
    page.click("#theme")
    assert page.evaluate(ground) == light


def test_attributes_are_found_by_name_and_stand_by_importance(page: Any, tmp_path: Path) -> None:
    data = read_arff(bundled_path("tic-tac-toe"))
    OpenPage(page, tmp_path, Recipe.load("sbc").build().fit(data), data)
    shown = page.locator(".importance").all_text_contents()
    numbers = [float(text.split()[1]) for text in shown]
    assert numbers == sorted(numbers, reverse=True)
    assert len(numbers) == 9
    page.fill("input[type=search]", data.inputs[2].name)
    assert page.locator(".attribute:visible legend").all_text_contents() == [data.inputs[2].name]


def test_many_classes_and_attributes_are_shown(page: Any, tmp_path: Path) -> None:
    data = read_arff(bundled_path("digits"))
    fitted = Recipe.load("sbc").build().fit(data)
    opened = OpenPage(page, tmp_path, fitted, data)
    assert page.locator(".attribute").count() == 64
    page.select_option("#example", "40")
    row = int(page.locator("#example option").nth(40).text_content().split()[1]) - 1
    np.testing.assert_allclose(opened.posterior(), fitted.predict_proba(data.take([row]))[0], **EXACT)


def test_mushroom_is_small_and_answers(page: Any, tmp_path: Path, shared: Path) -> None:
    data = read_arff(shared / "datasets" / "mushroom.arff")
    fitted = Recipe.load("sbc").build().fit(data)
    opened = OpenPage(page, tmp_path, fitted, data)
    assert (tmp_path / "evidence.html").stat().st_size < 500_000
    opened.choose("odor", "n")
    np.testing.assert_allclose(opened.posterior(), opened.python(odor="n"), **EXACT)
