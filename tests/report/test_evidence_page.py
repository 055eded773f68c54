"""What an evidence page holds, and which classifiers have one."""

import json
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from nbframework import Attribute, DataError, Dataset, EvaluationError, Recipe, read_arff
from nbframework.authoring import ClosedForm, Counts
from nbframework.data.catalog import bundled_path
from nbframework.report import evidence_page
from nbframework.report.evidence.examples import MOST_NUMBERS, MOST_ROWS
from nbframework.testing import datasets
from nbframework_basics.laplace import Laplace


def model_of(page: str) -> dict[str, Any]:
    """Return the numbers that a page holds."""
    found = re.search(r'<script type="application/json" id="model">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    model: dict[str, Any] = json.loads(found.group(1))
    return model


def page_of(name: str, data: Dataset, row: int | None = None, **changes: Any) -> dict[str, Any]:
    return model_of(evidence_page(Recipe.load(name, **changes).build().fit(data), data, row))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("knn", "or votes whose weights are powers of the distance (kappa-kernel, inverse-power); found another"),
        ("lwnb", "found a neighbourhood, in which every row has probabilities of its own"),
        ("c45", "no composition of parts"),
        ("aode", "structure 'aode', which is no product of factors"),
        ("hnb", "structure 'hnb' or missing policy 'ignore' makes the factor of 'nominal0' depend on more"),
    ],
)
def test_a_classifier_without_a_page_is_named(name: str, words: str) -> None:
    data = datasets.mixed()
    with pytest.raises(EvaluationError, match="an evidence page shows compositions") as error:
        evidence_page(Recipe.load(name).build().fit(data), data)
    assert words in str(error.value)


def test_joined_attributes_have_no_page() -> None:
    x = np.tile([0, 0, 1, 1], 10)
    y = np.tile([0, 1, 0, 1], 10)
    attributes = [Attribute.nominal(name, ["a", "b"]) for name in ("x", "y", "class")]
    data = Dataset.from_columns(attributes, [x, y, x ^ y])
    with pytest.raises(EvaluationError, match=r"structure 'joined' has the factor '.*', which is no attribute"):
        evidence_page(Recipe.load("joined-backward").build().fit(data), data)


def test_a_table_that_would_be_too_large_is_refused_with_its_size() -> None:
    random = np.random.default_rng(0)
    names = [str(i) for i in range(400)]
    attributes = [Attribute.nominal("x", names), Attribute.nominal("y", names), Attribute.nominal("class", ["a", "b"])]
    data = Dataset.from_columns(
        attributes, [random.integers(0, 400, 50), random.integers(0, 400, 50), np.arange(50) % 2]
    )
    with pytest.raises(EvaluationError, match=r"has 402x402 values given its parents and 2 classes"):
        evidence_page(Recipe.load("tan").build().fit(data), data)


def test_the_counts_of_a_hand_worked_table() -> None:
    data = Dataset.from_columns(
        [Attribute.nominal("x", ["red", "blue"]), Attribute.nominal("c", ["a", "b"])],
        [["red", "red", "red", "blue", "red", None], ["a", "a", "a", "a", "b", "b"]],
    )
    policy = {"ignore": {"denominator": "exclude", "cardinality": "declared"}}
    model = page_of("laplace-1", data, missing=policy)
    (x,) = model["attributes"]
    # red, blue, never seen, unknown by class a, b; one row of b does not know x, and is none of those that do
    assert x["counts"] == [[3, 1], [1, 0], [0, 0], None]
    assert (x["known"], x["size"], x["added"], x["total"]) == ([4, 1], 2, [1, 1, 1, 1], 2)
    assert x["left_out"] == [False, False, False, True]
    assert model["prior"]["weight"] == [4, 2]
    assert (model["estimator"]["path"], model["estimator"]["value"]) == ("estimator.f", 1)


def test_intervals_are_named_by_their_cut_points() -> None:
    data = read_arff(bundled_path("iris"))
    petal_width = page_of("sbc", data)["attributes"][3]
    assert petal_width["cuts"] == [0.8, 1.75]
    assert petal_width["labels"] == ["x ≤ 0.8", "0.8 < x ≤ 1.75", "x > 1.75"]


def test_distinct_values_are_named_by_themselves() -> None:
    data = Dataset.from_columns(
        [Attribute.numeric("x"), Attribute.nominal("c", ["a", "b"])], [[1.0, 2.5, 2.5, 4.0], ["a", "a", "b", "b"]]
    )
    (x,) = page_of("sbc", data, discretizer="distinct-values")["attributes"]
    assert x["labels"] == ["1", "2.5", "4"]
    assert x["alternatives"] == [0, 1, 2, 3]


def test_rows_are_offered_evenly_and_not_without_end() -> None:
    data = datasets.mixed(rows=1000)
    examples = page_of("sbc", data)["examples"]
    rows = [example["row"] for example in examples]
    assert len(rows) == MOST_ROWS
    assert (rows[0], rows[-1]) == (1, 1000)
    assert max(np.diff(rows)) <= 6
    wide = datasets.wide(300, numeric=False)
    assert len(page_of("sbc", wide)["examples"]) * 300 <= MOST_NUMBERS


def test_a_row_that_is_named_is_the_only_one() -> None:
    data = datasets.mixed()
    model = page_of("sbc", data, row=4)
    assert [example["row"] for example in model["examples"]] == [5]
    assert model["opens_with_example"]


@pytest.mark.parametrize("row", [-1, 60])
def test_a_row_that_is_not_there_is_refused(row: int) -> None:
    data = datasets.mixed()
    with pytest.raises(EvaluationError, match=f"row {row + 1}: the data have 60 rows"):
        page_of("sbc", data, row=row)


def test_a_vote_holds_the_distances_of_each_row_once() -> None:
    data = Dataset.from_columns(
        [Attribute.nominal("x", ["u", "v"]), Attribute.nominal("y", ["s", "t"]), Attribute.nominal("c", ["a", "b"])],
        [["u", "u", "v", "v"], ["s", "s", "s", "t"], ["a", "b", "a", "a"]],
    )
    vote = "{kappa-kernel: {kappa: 2, distance: overlap}}"
    model = page_of("kappa-60", data, row=0, neighbourhood=vote)
    (example,) = model["examples"]
    # rows 1 and 2 at distance 0, row 3 differs in one attribute, row 4 in both
    assert [[code, weight, distance] for _, code, weight, distance in example["near"]] == [
        [0, 1, 0.0],
        [1, 1, 0.0],
        [0, 1, 1.0],
        [0, 1, 2.0],
    ]
    assert np.allclose([log for log, *_ in example["near"]], np.log1p([0, 0, 1, 2]))


def test_a_page_of_the_same_model_is_the_same_page() -> None:
    data = datasets.mixed()
    pages = {evidence_page(Recipe.load("wanbia").build().fit(data, seed=3), data) for _ in range(2)}
    assert len(pages) == 1


def test_names_cannot_end_the_script() -> None:
    name = "</script><script>alert(1)</script><!--"
    attributes = [Attribute.nominal(name, [name, "b"]), Attribute.nominal("class", ["a", name])]
    data = Dataset.from_columns(attributes, [[0, 1, 0, 1], [0, 1, 1, 0]], name=name)
    page = evidence_page(Recipe.load("sbc").build().fit(data), data, title=name)
    assert len(re.findall("<script", page)) == len(re.findall("</script>", page)) == 2
    assert model_of(page)["attributes"][0]["name"] == name


def test_the_page_allows_nothing_but_its_own_program_and_style() -> None:
    data = datasets.mixed()
    page = evidence_page(Recipe.load("sbc").build().fit(data), data)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", page)


def test_without_jinja2_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    data = datasets.mixed()
    fitted = Recipe.load("sbc").build().fit(data)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(DataError, match=r"pip install 'nbframework\[report\]'"):
        evidence_page(fitted, data)


@dataclass(frozen=True, kw_only=True)
class Boaster(Laplace):
    """Declares the formula of another f."""

    name: ClassVar[str] = "boaster"

    def closed_form(self, counts: Counts) -> ClosedForm:
        """Return the wrong formula."""
        return replace(super().closed_form(counts), value=self.f + 1)


def test_a_formula_that_does_not_give_the_estimates_is_refused() -> None:
    data = datasets.mixed()
    with pytest.raises(EvaluationError, match="estimator 'boaster' declares a closed form"):
        evidence_page(Recipe(estimator=Boaster(f=1)).build().fit(data), data)


def test_the_page_of_mushroom_is_small(shared: Path) -> None:
    data = read_arff(shared / "datasets" / "mushroom.arff")
    page = evidence_page(Recipe.load("sbc").build().fit(data), data)
    assert len(page.encode("utf-8")) < 500_000
    assert len(model_of(page)["attributes"]) == 22
