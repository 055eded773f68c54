"""A file read a few rows at a time gives the classifier of the file read at once."""

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from nbframework import Attribute, DataError, Dataset, EvaluationError, Recipe, read_arff, write_arff
from nbframework.classifier import additive
from nbframework.classifier.streaming import fit_pieces
from nbframework.data.catalog import bundled_path
from nbframework.data.pieces import pieces_of
from nbframework.data.tabular import read_table
from nbframework.plugins import installed
from nbframework.recipe.catalog import recipe_paths
from nbframework.statistics import value_table

ADD = (
    "aode",
    "aode-as-published",
    "bernoulli-nb",
    "cestnik-nb",
    "complement-nb",
    "gain-ratio-nb",
    "gaussian-nb",
    "hnb",
    "information-gain-nb",
    "kdb-1",
    "kl-nb",
    "laplace-0.01",
    "laplace-0.1",
    "laplace-1",
    "laplace-m",
    "laplace-nb",
    "majority",
    "multinomial-nb",
    "no-match-0",
    "no-match-0.01",
    "no-match-0.1",
    "no-match-0.5",
    "no-match-pc",
    "proportional-nb",
    "sbc",
    "sbc-basic",
    "tan",
    "tan-as-published",
    "waode",
    "weka-aode",
    "weka-aode-30",
    "weka-aode-m",
    "weka-gaussian",
    "weka-naive-bayes",
)


def small() -> Dataset:
    """Numbers and values, some of them unknown, some rows without a class."""
    generator = np.random.default_rng(3)
    count = 160
    classes = generator.integers(0, 3, count)
    columns = [
        np.round(generator.normal(size=count) + classes, 1).clip(min=0),
        np.where(generator.random(count) < 0.1, np.nan, generator.integers(0, 9, count)),
        np.where(generator.random(count) < 0.1, 4, (generator.integers(0, 2, count) + classes) % 3),
        generator.integers(0, 2, count),
        np.where(generator.random(count) < 0.05, 4, classes),
    ]
    attributes = [
        Attribute.numeric("n"),
        Attribute.numeric("k"),
        Attribute.nominal("x", ["u", "v", "w"]),
        Attribute.nominal("y", ["p", "q"], 2.0),
        Attribute.nominal("c", ["a", "b", "d"]),
    ]
    return Dataset.from_columns(attributes, columns)


ROWS = small()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rows") / "small.arff"
    write_arff(ROWS, path)
    return path


@pytest.mark.parametrize("name", ADD)
def test_an_arff_file_in_parts(name: str, file: Path) -> None:
    classifier = Recipe.load(name).build()
    found = fit_pieces(classifier, pieces_of(str(file)), rows=23)
    whole = classifier.fit(ROWS)
    np.testing.assert_allclose(found.predict_proba(ROWS), whole.predict_proba(ROWS), rtol=0, atol=1e-12)
    assert found.notes == whole.notes
    assert found.rows_seen == whole.rows_seen == len(ROWS)
    state, expected = additive.state_of(found), additive.state_of(whole)
    assert state is not None
    for key, array in (expected or {}).items():
        np.testing.assert_array_equal(state[key], array)


@pytest.mark.parametrize("name", sorted(set(recipe_paths(installed())) - {*ADD, "defaults"}))
def test_every_other_recipe_is_refused_before_a_row_is_read(name: str, file: Path) -> None:
    with pytest.raises(EvaluationError, match=r"learns? more than counts"):
        fit_pieces(Recipe.load(name).build(), pieces_of(str(file)))


def test_weights_of_rows(tmp_path: Path) -> None:
    weights = np.random.default_rng(5).random(len(ROWS)) * 3
    weighted = Dataset.from_columns(ROWS.attributes, ROWS.columns, weights=weights)
    write_arff(weighted, tmp_path / "w.arff")
    for name in ("sbc", "tan", "gaussian-nb"):
        classifier = Recipe.load(name).build()
        found = fit_pieces(classifier, pieces_of(str(tmp_path / "w.arff")), rows=23)
        whole = classifier.fit(weighted).predict_proba(ROWS)
        np.testing.assert_allclose(found.predict_proba(ROWS), whole, rtol=0, atol=1e-12)


@pytest.fixture(params=["csv", "parquet"])
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Values and classes that are seen late, in three files."""
    frame = pd.DataFrame(
        {
            "n": [1.5, 2.0, None, 2.5, 3.5, 4.0, 0.5, 1.0, 7.0],
            "x": ["u", "v", None, "u", "w", "w", "zz", "u", "aa"],
            "c": ["p", "q", "p", "q", "p", "q", "late", "p", "early"],
        }
    )
    for place in range(3):
        part, path = frame[3 * place : 3 * place + 3], tmp_path / f"part-{place}.{request.param}"
        part.to_csv(path, index=False) if request.param == "csv" else part.to_parquet(path, row_group_size=2)
    (tmp_path / "whole").mkdir()
    whole = tmp_path / "whole" / f"rows.{request.param}"
    frame.to_csv(whole, index=False) if request.param == "csv" else frame.to_parquet(whole)
    return whole


@pytest.mark.parametrize("name", ["sbc", "laplace-m", "gaussian-nb", "tan", "sbc-basic"])
def test_tables_in_one_file_or_several(name: str, table: Path) -> None:
    classifier, rows = Recipe.load(name).build(), read_table(table)
    whole = classifier.fit(rows)
    for text in (str(table), str(table.parents[1] / f"*{table.suffix}")):
        found = fit_pieces(classifier, pieces_of(text), rows=2)
        assert found.schema.attributes == whole.schema.attributes
        np.testing.assert_allclose(found.predict_proba(rows), whole.predict_proba(rows), rtol=0, atol=1e-12)


def test_cut_points_of_too_many_values_say_how_far_off_they_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(value_table, "EXACT_VALUES", 400)
    monkeypatch.setattr(value_table, "KEPT_ENTRIES", 400)
    monkeypatch.setattr(value_table, "LEAST_VALUES", 100)
    generator = np.random.default_rng(2)
    numbers = generator.random(5000)
    classes = (numbers > 0.3).astype(int) + (numbers > 0.7)
    rows = Dataset.from_columns([Attribute.numeric("n"), Attribute.nominal("c", ["a", "b", "d"])], [numbers, classes])
    write_arff(rows, tmp_path / "n.arff")
    pieces = pieces_of(str(tmp_path / "n.arff"))
    for name in ("sbc", "proportional-nb", "tan"):
        classifier = Recipe.load(name).build()
        found = fit_pieces(classifier, pieces, rows=300)
        (note,) = found.notes
        share = float(note.split(" of all rows")[0].rsplit(" ", 1)[1])
        assert "distinct values in 1 attributes (n): their cut points are those of rows moved by at most" in note
        assert 0 < share < 0.06
        # whatever the cut points, rows are counted exactly between them
        cells = found.statistics.cells.weight  # type: ignore[union-attr]
        (cuts,) = found.statistics.cuts.values()  # type: ignore[union-attr]
        code = np.searchsorted(cuts, numbers)
        np.testing.assert_array_equal(
            cells[1, : len(cuts) + 1], np.bincount(code[classes == 1], minlength=len(cuts) + 1)
        )
        if name == "sbc":
            exact = classifier.fit(rows).model.encoder.cuts[0]  # type: ignore[union-attr, attr-defined]
            found_ranks, exact_ranks = (np.searchsorted(np.sort(numbers), points) for points in (cuts, exact))
            for rank in exact_ranks:
                assert np.abs(found_ranks - rank).min() <= share * 5000 + 1


def test_densities_of_too_many_values_are_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_table, "EXACT_VALUES", 5)
    monkeypatch.setattr(value_table, "KEPT_ENTRIES", 6)
    monkeypatch.setattr(value_table, "LEAST_VALUES", 2)
    with pytest.raises(EvaluationError, match="attribute 'n' has too many distinct values for density 'weka-gaussian'"):
        fit_pieces(Recipe.load("weka-gaussian").build(), pieces_of(str(file)), rows=50)


def test_a_number_below_what_the_density_takes_is_named(tmp_path: Path) -> None:
    rows = Dataset.from_columns([Attribute.numeric("n"), Attribute.nominal("c", ["a"])], [[1.0, -2.0], [0, 0]])
    write_arff(rows, tmp_path / "n.arff")
    with pytest.raises(EvaluationError, match="attribute 'n' has the value -2, and density 'multinomial' takes"):
        fit_pieces(Recipe.load("multinomial-nb").build(), pieces_of(str(tmp_path / "n.arff")))


def test_no_row_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text("n,c\n")
    with pytest.raises(DataError, match="no known field below the names"):
        fit_pieces(Recipe.load("sbc").build(), pieces_of(str(tmp_path / "n.csv")))
    rows = Dataset.from_columns([Attribute.numeric("n"), Attribute.nominal("c", ["a"])], [[1.0], [2]])
    write_arff(rows, tmp_path / "n.arff")
    with pytest.raises(EvaluationError, match="no training row of positive weight has a class"):
        fit_pieces(Recipe.load("sbc").build(), pieces_of(str(tmp_path / "n.arff")))


@pytest.mark.parametrize(
    ("labels", "reason"),
    [([], "no training rows"), ([None, None], "class attribute 'c' declares no value")],
    ids=["no rows", "no labels"],
)
def test_a_parquet_file_without_labels_gives_the_error_of_the_whole(labels: list, reason: str, tmp_path: Path) -> None:
    table = pa.table({"n": pa.array([1.0] * len(labels), pa.float64()), "c": pa.array(labels, pa.string())})
    parquet.write_table(table, tmp_path / "n.parquet")
    classifier = Recipe.load("sbc").build()
    with pytest.raises(EvaluationError, match=f"^{reason}$"):
        classifier.fit(read_table(tmp_path / "n.parquet"))
    with pytest.raises(EvaluationError, match=f"^{reason}$"):
        fit_pieces(classifier, pieces_of(str(tmp_path / "n.parquet")))


def test_rows_of_weight_zero_are_no_rows(tmp_path: Path) -> None:
    rows = Dataset.from_columns(
        [Attribute.numeric("n"), Attribute.nominal("c", ["a", "b"])],
        [[1.0, 2.0, 3.0, 4.0, 5.0], [0, 1, 0, 3, 3]],
        weights=[1, 2, 0, 1, 0],
    )
    write_arff(rows, tmp_path / "n.arff")
    classifier = Recipe.load("gaussian-nb").build()
    found, whole = fit_pieces(classifier, pieces_of(str(tmp_path / "n.arff")), rows=2), classifier.fit(rows)
    assert found.rows_seen == whole.rows_seen == 3
    assert found.notes == whole.notes == ("1 row without a class left out of training",)


def test_rows_of_no_weight_at_all_give_the_error_of_the_whole(tmp_path: Path) -> None:
    attributes = [Attribute.numeric("n"), Attribute.nominal("c", ["a", "b"])]
    rows = Dataset.from_columns(attributes, [[1.0, 2.0], [0, 3]], weights=[0, 0])
    write_arff(rows, tmp_path / "n.arff")
    classifier = Recipe.load("gaussian-nb").build()
    for fit in (lambda: classifier.fit(rows), lambda: fit_pieces(classifier, pieces_of(str(tmp_path / "n.arff")))):
        with pytest.raises(EvaluationError, match=r"^the total weight of the 2 training rows is 0$"):
            fit()


def test_a_table_of_pairs_that_does_not_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nbframework.classifier.gathering.LARGEST_PAIRS", 1000)
    with pytest.raises(EvaluationError, match=r"the counts of all pairs of values would take 1\.17e-05 GB"):
        fit_pieces(Recipe.load("tan").build(), pieces_of(str(bundled_path("tic-tac-toe"))))


def test_a_bundled_data_set_is_a_piece() -> None:
    iris = read_arff(bundled_path("iris"))
    classifier = Recipe.load("sbc").build()
    found = fit_pieces(classifier, pieces_of("iris"), rows=40)
    np.testing.assert_array_equal(found.predict_proba(iris), classifier.fit(iris).predict_proba(iris))
