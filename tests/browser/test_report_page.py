"""The page of a run in a real browser."""

from typing import Any

import pytest
from support.accessibility import serious_faults
from support.made_up_runs import store_run

from nbframework import Recipe
from nbframework.report.comparison import run_question
from nbframework.report.page.run_page import run_page
from nbframework.study.fairness import Finding
from nbframework.study.results import read_run
from nbframework.study.store import Store

HOSTILE = "<img src=x onerror=alert(1)>\"'&</script><script>alert(2)</script> é漢"
FINDING = Finding("duplicates", "zoo", HOSTILE)


def page_of(folder, datasets, labels, score, **options):
    """Write the page of a made-up run, and return its address."""
    recipe = Recipe.load("sbc")
    path = store_run(folder / "r.db", datasets, [(label, recipe) for label in labels], score, **options)
    with Store(path) as store:
        results = read_run(store)
        (folder / "r.html").write_text(run_page(results, run_question(results)), encoding="utf-8")
    return (folder / "r.html").as_uri()


def score(data, recipe, fold):
    """Recipe 1 is better on all data sets, recipe 2 is equal on the first and worse on the others."""
    gain = {0: 0.0, 1: 0.1, 2: -0.1 if data else 0.0}[recipe]
    accuracy = 0.6 + data / 32 + gain + (fold % 3) * (recipe + 1) / 500
    return {"accuracy": accuracy, "log_loss": 1 - accuracy}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    datasets, labels = ("zoo", "iris", "wine", "vote"), ("sbc", "better", "worse")
    return page_of(folder, datasets, labels, score, metrics=["accuracy", "log_loss"], findings=[FINDING])


@pytest.fixture
def opened(page: Any, small: str) -> Any:
    page.goto(small)
    return page


def shown_rows(page: Any) -> list[str]:
    return page.locator(".grid-of-metric:not([hidden]) tbody tr:visible th").all_inner_texts()


def heading(page: Any, name: str) -> Any:
    return page.locator(".grid-of-metric:not([hidden]) thead th", has_text=name)


def test_a_heading_sorts_up_and_down(opened: Any) -> None:
    assert shown_rows(opened) == ["zoo", "iris", "wine", "vote"]
    better = heading(opened, "better")
    better.locator("button").click()
    better.locator("button").click()
    assert better.get_attribute("aria-sort") == "descending"
    assert shown_rows(opened) == ["vote", "wine", "iris", "zoo"]
    heading(opened, "accuracy").locator("button").click()
    assert better.get_attribute("aria-sort") == "none"
    assert shown_rows(opened) == ["iris", "vote", "wine", "zoo"]


def test_rows_and_columns_are_filtered(opened: Any) -> None:
    opened.get_by_label("Data sets that contain").fill("I")
    assert shown_rows(opened) == ["iris", "wine"]
    opened.locator("#column-filter").fill("wor")
    assert heading(opened, "better").is_hidden()
    assert heading(opened, "worse").is_visible()
    assert opened.locator("#grid-count").inner_text() == "2 of 4 data sets, 1 of 3 recipes"


def test_rows_with_a_significant_difference_among_the_shown_recipes(opened: Any) -> None:
    opened.locator("#column-filter").fill("worse")
    opened.locator("#row-kind").select_option("significant")
    assert shown_rows(opened) == ["iris", "wine", "vote"]


def test_another_metric_keeps_the_filter(opened: Any) -> None:
    opened.get_by_label("Data sets that contain").fill("zoo")
    opened.locator("#metric").select_option(label="log loss (nats)")
    assert shown_rows(opened) == ["zoo"]
    assert heading(opened, "log loss").is_visible()


def test_pointing_at_a_cell_shows_both_tests(opened: Any) -> None:
    opened.locator("tbody tr", has_text="zoo").first.locator("td").nth(1).hover()
    lines = opened.locator("#tip div").all_inner_texts()
    assert lines[0].startswith("better on zoo: 70.")
    assert [line.split(" (")[0] for line in lines[2:]] == ["corrected t: better", "plain t: better"]


def test_the_table_is_used_by_keyboard_alone(opened: Any) -> None:
    opened.locator("#row-kind").focus()
    opened.keyboard.press("Tab")
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        opened.keyboard.press(key)
    described = opened.evaluate(
        "document.getElementById(document.activeElement.getAttribute('aria-describedby')).innerText"
    )
    assert described.startswith("better on zoo")
    opened.keyboard.press("Escape")
    assert opened.locator("#tip").is_hidden()
    opened.keyboard.press("ArrowUp")
    opened.keyboard.press("Enter")
    assert heading(opened, "better").get_attribute("aria-sort") == "ascending"
    opened.keyboard.press("Tab")
    assert opened.evaluate("document.activeElement.closest('table.scores')") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_serious_fault(opened: Any, scheme: str) -> None:
    opened.emulate_media(color_scheme=scheme)
    opened.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert serious_faults(opened) == []


def test_the_switch_turns_the_page_dark_and_light(opened: Any) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light = opened.evaluate(ground)
    opened.get_by_role("button", name="Dark page").click()
    assert opened.evaluate(ground) != light
    opened.get_by_role("button", name="Light page").click()
    assert opened.evaluate(ground) == light


def test_a_phone_scrolls_inside_the_tables_only(opened: Any) -> None:
    opened.set_viewport_size({"width": 360, "height": 740})
    assert opened.evaluate("document.documentElement.scrollWidth") == 360


def test_hostile_names_are_shown_and_never_executed(page: Any, tmp_path: Any) -> None:
    finding = Finding("duplicates", HOSTILE, HOSTILE)
    address = page_of(
        tmp_path, (HOSTILE, "zoo"), (HOSTILE, "b"), lambda _d, r, _f: {"accuracy": 0.5 + r / 9}, folds=3, title=HOSTILE,
        findings=[finding],
    )  # fmt: skip
    page.goto(address)
    assert page.title() == HOSTILE
    assert page.locator("h1").inner_text() == HOSTILE
    assert shown_rows(page)[0] == HOSTILE
    page.locator("tbody td").first.hover()
    assert page.locator("#tip div").first.inner_text().startswith(f"{HOSTILE} on {HOSTILE}")
    assert page.locator("img, script:not(body > script)").count() == 0


def test_forty_data_sets_by_thirty_recipes(page: Any, tmp_path: Any) -> None:
    datasets = [f"data-set-{number}" for number in range(40)]
    labels = [f"recipe-{number}" for number in range(30)]
    address = page_of(
        tmp_path, datasets, labels, lambda d, r, f: {"accuracy": 0.5 + (d * 7 + r * 11 + f * 3) % 40 / 90}, folds=5
    )
    page.goto(address)
    assert page.locator("table.scores tbody td").count() == 1200
    assert len(page.content()) < 1_500_000
    page.locator(".scroll.tall").evaluate("box => box.scrollTo(900, 700)")
    box = page.locator(".scroll.tall").bounding_box()
    corner = page.locator("table.scores thead th").first.bounding_box()
    # the corner of a table that was scrolled both ways stays where it was
    assert abs(corner["x"] - box["x"]) <= 2
    assert abs(corner["y"] - box["y"]) <= 2
    assert page.evaluate("document.documentElement.scrollWidth") == 1280
