"""``nbf explain --page`` writes an evidence page."""

import re
from pathlib import Path

import pytest

from nbframework import Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.persistence import save_model


def test_a_page_is_written_for_a_recipe(nbf, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    result = nbf("explain", "sbc", "iris", "--page", str(path))
    assert (result.code, result.out) == (0, "")
    assert str(path) in result.err
    text = path.read_text(encoding="utf-8")
    assert "<h1>sbc on iris</h1>" in text
    assert '"opens_with_example":false' in text


def test_a_row_that_is_named_opens_the_page(nbf, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    assert nbf("explain", "sbc", "iris", "--row", "1", "--page", str(path)).code == 0
    text = path.read_text(encoding="utf-8")
    assert '"opens_with_example":true' in text
    assert re.findall(r'"row":(\d+)', text) == ["1"]


def test_a_model_file_may_have_any_name(nbf, tmp_path: Path) -> None:
    assert nbf("fit", "sbc", "iris", "-o", str(tmp_path / "iris.saved")).code == 0
    result = nbf("explain", str(tmp_path / "iris.saved"), "iris", "--row", "71")
    assert result.code == 0
    assert result.out == nbf("explain", "sbc", "iris", "--row", "71").out


def test_a_page_is_written_for_a_model_file(nbf, tmp_path: Path) -> None:
    recipe = Recipe.load("laplace-1")
    save_model(tmp_path / "iris.model", recipe, recipe.build().fit(read_arff(bundled_path("iris"))))
    path = tmp_path / "page.html"
    assert nbf("explain", str(tmp_path / "iris.model"), "iris", "--page", str(path)).code == 0
    assert "<h1>laplace-1 on iris</h1>" in path.read_text(encoding="utf-8")


def test_a_classifier_without_a_page_ends_in_an_error(nbf, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    result = nbf("explain", "aode", "iris", "--page", str(path))
    assert result.code == 3
    assert "structure 'aode', which is no product of factors" in result.err
    assert not path.exists()


@pytest.mark.parametrize("option", ["--json", "--html", "--importance"])
def test_a_page_excludes_what_is_printed(nbf, tmp_path: Path, option: str) -> None:
    result = nbf("explain", "sbc", "iris", "--page", str(tmp_path / "page.html"), option)
    assert result.code == 2
    assert "name one of them" in result.err


def test_a_page_that_cannot_be_written_ends_in_an_error(nbf, tmp_path: Path) -> None:
    result = nbf("explain", "sbc", "iris", "--page", str(tmp_path / "nowhere" / "page.html"))
    assert result.code == 3
    assert "cannot be written" in result.err
