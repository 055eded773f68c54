"""``nbf fit --chunk-rows``: the model of the file read at once."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from nbframework.cli.fit import command


def fit(*arguments: str) -> str:
    done = CliRunner().invoke(command, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("recipe", ["sbc", "laplace-m", "proportional-nb"])
def test_the_file_of_a_model_in_parts_is_that_of_the_whole_to_the_byte(recipe: str, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.model", tmp_path / "parts.model"
    fit(recipe, "iris", "-o", str(whole))
    said = fit(recipe, "iris", "-o", str(parts), "--chunk-rows", "40")
    assert f"{recipe} fitted on 150 rows; the file holds counts, no training row" in said
    assert parts.read_bytes() == whole.read_bytes()


def test_the_relation_and_the_rows_are_those_of_the_whole(tmp_path: Path) -> None:
    (tmp_path / "z.arff").write_text(
        "@relation a\n@attribute x {u,v}\n@attribute c {p,q}\n@data\nu,p\nv,q\nu,?\nv,p,{0}\n"
    )
    whole, parts = tmp_path / "whole.model", tmp_path / "parts.model"
    for path, further in ((whole, ()), (parts, ("--chunk-rows", "3"))):
        said = fit("laplace-m", str(tmp_path / "z.arff"), "-o", str(path), *further)
        assert "note: 1 row without a class left out of training" in said
        assert "laplace-m fitted on 3 rows; the file holds counts" in said
    assert parts.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("recipe", ["tan", "aode", "gaussian-nb", "weka-gaussian", "kl-nb"])
def test_a_model_in_parts_keeps_no_row_and_is_read_again(recipe: str, tmp_path: Path) -> None:
    import numpy as np

    from nbframework import Recipe, read_arff
    from nbframework.data.catalog import bundled_path
    from nbframework.persistence import load_model

    said = fit(recipe, "iris", "-o", str(tmp_path / "a.model"), "--chunk-rows", "40")
    assert "the file holds counts, no training row" in said
    iris = read_arff(bundled_path("iris"))
    found = load_model(tmp_path / "a.model").fitted.predict_proba(iris)
    np.testing.assert_allclose(found, Recipe.load(recipe).build().fit(iris).predict_proba(iris), rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--engine", "dask"], "--engine dask needs --scheduler, such as tcp://host:8786"),
        (["--scheduler", "tcp://a:1"], "--scheduler is for --engine dask"),
        (["--chunk-rows", "0"], "0 is not in the range"),
    ],
)
def test_options_that_contradict_each_other_are_refused(arguments: list[str], fault: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["sbc", "iris", "-o", str(tmp_path / "a.model"), *arguments])
    assert done.exit_code == 2
    assert fault in done.output


def test_a_pattern_of_files_is_read_in_parts(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text("x,class\nu,p\nv,q\n")
    arguments = ["sbc", str(tmp_path / "*.csv"), "-o", str(tmp_path / "a.model")]
    assert "fitted on 4 rows" in fit(*arguments, "--chunk-rows", "3")
    done = CliRunner().invoke(command, arguments)
    assert done.exit_code == 2
    assert "means several files, which are read with --chunk-rows" in done.output


def test_a_pattern_that_no_file_matches_is_an_error(tmp_path: Path) -> None:
    from nbframework import DataError

    with pytest.raises(DataError, match=r"\*\.csv': no file matches this pattern$"):
        fit("sbc", str(tmp_path / "*.csv"), "-o", str(tmp_path / "a.model"), "--chunk-rows", "10")


def test_a_recipe_that_needs_rows_is_refused_before_the_file_is_looked_for(tmp_path: Path) -> None:
    from nbframework import EvaluationError

    with pytest.raises(EvaluationError, match="neighbourhood 'nearest': looks for single rows"):
        fit("knn", "no-such-file.csv", "-o", str(tmp_path / "a.model"), "--chunk-rows", "10")
