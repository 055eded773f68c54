"""No command writes over a file that it reads."""

import shutil
from pathlib import Path

import pytest

from nbframework.data.catalog import bundled_path

CSV = "x,class\n" + "1,a\n2,b\n" * 10
STUDY = "study: s\ndata: [iris]\nrecipes: [majority, sbc]\nprotocol: {cross-validation: {folds: 2}}\n"


@pytest.fixture
def folder(tmp_path: Path, nbf, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.csv").write_text(CSV)
    shutil.copy(bundled_path("iris"), tmp_path / "rows.arff")
    (tmp_path / "mine.yaml").write_text("recipe: mine\nbased-on: sbc\n")
    assert nbf("fit", "gaussian-nb", "rows.csv", "-o", "rows.model").code == 0
    (tmp_path / "s.yaml").write_text(STUDY)
    assert nbf("run", "s.yaml", "--store", "s.db").code == 0
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("predict", "rows.model", "rows.csv", "-o", "./rows.csv"), "--output ./rows.csv"),
        (("predict", "rows.model", "rows.csv", "-o", "rows.model", "--format", "csv"), "--output rows.model"),
        (("fit", "sbc", "rows.csv", "-o", "rows.csv"), "--output rows.csv"),
        (("fit", "mine.yaml", "rows.csv", "-o", "mine.yaml"), "--output mine.yaml"),
        (("fit", "gaussian-nb", "*.csv", "-o", "rows.csv", "--chunk-rows", "5"), "--output rows.csv"),
        (("evaluate", "sbc", "-d", "rows.arff", "--predictions", "rows.arff"), "--predictions rows.arff"),
        (("explain", "sbc", "rows.arff", "--page", "rows.arff"), "--page rows.arff"),
        (("export", "rows.model", "-o", "rows.model", "--format", "json"), "--output rows.model"),
        (("report", "s.yaml", "--store", "s.db", "--weka", "s.db"), "--weka s.db"),
        (("compare", "s.db", "--diagram", "s.db"), "--diagram s.db"),
    ],
)
def test_a_file_that_is_read_is_not_written(arguments: tuple[str, ...], option: str, folder: Path, nbf) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    result = nbf(*arguments)
    assert result.code == 2
    assert f"{option}: this file is read; name another one to write" in result.err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("name", ["s.db", "s.yaml", "page"])
def test_a_page_has_the_ending_of_one(name: str, folder: Path, nbf) -> None:
    result = nbf("report", "--html", name, "s.db")
    assert result.code == 2
    assert f"--html {name}: expected a name that ends in .html; --html alone writes beside the results" in result.err
    assert (folder / "s.yaml").read_text() == STUDY
