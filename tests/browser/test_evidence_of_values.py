"""What an evidence page shows beside single values."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.evidence_page import OpenPage

from nbframework import Attribute, Dataset, Recipe

SHARES = "[...document.querySelectorAll('table.values tbody tr')].map((row) => [...row.querySelectorAll('td[data-share]')].map((cell) => Number(cell.dataset.share)))"  # noqa: E501


@pytest.fixture
def empty_class() -> Dataset:
    """Rows of two classes of three, one of which does not know the attribute."""
    attributes = [Attribute.nominal("x", ["u", "v"]), Attribute.nominal("c", ["a", "none", "b"])]
    return Dataset.from_columns(attributes, [["u", "u", "v", "v", None], ["a", "a", "a", "b", "b"]])


def test_a_class_that_the_prior_rules_out_takes_no_share(page: Any, tmp_path: Path, empty_class: Dataset) -> None:
    # the prior of a class without rows is 0, and each value of it is as likely as the others
    fitted = Recipe.load("laplace-1", prior="frequency").build().fit(empty_class)
    opened = OpenPage(page, tmp_path, fitted, empty_class)
    assert opened.posterior()[1] == 0
    # u: (2 + 1) / (3 + 3) against (0 + 1) / (2 + 3), where unknown counts as a third value and its row as one of two
    shares = np.array(page.evaluate(SHARES))
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert (shares[:, 1] == 0).all()
    np.testing.assert_allclose(shares[0], [0.5 / 0.7, 0, 0.2 / 0.7])


def test_an_unknown_value_has_no_rows_beside_it(page: Any, tmp_path: Path, empty_class: Dataset) -> None:
    fitted = Recipe.load("laplace-1").build().fit(empty_class)
    OpenPage(page, tmp_path, fitted, empty_class)
    rows = page.eval_on_selector_all(
        "table.values tbody tr",
        "all => all.map((row) => [...row.querySelectorAll('.rows')].map((one) => one.textContent))",
    )
    assert rows[0] == ["2", "0", "0"]
    assert rows[-1] == []


def test_the_curve_of_a_class_that_is_ruled_out_is_not_drawn(page: Any, tmp_path: Path) -> None:
    attributes = [Attribute.numeric("x"), Attribute.nominal("c", ["a", "none", "b"])]
    data = Dataset.from_columns(attributes, [[1.0, 2.0, 3.0, 7.0, 8.0, 9.5], ["a", "a", "a", "b", "b", "b"]])
    fitted = Recipe.load("gaussian-nb", prior="frequency").build().fit(data)
    OpenPage(page, tmp_path, fitted, data)
    hidden = page.eval_on_selector_all(".curve", "all => all.map((line) => line.hasAttribute('hidden'))")
    assert hidden == [False, True, False]
