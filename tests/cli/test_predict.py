"""fit, predict and refit: rows go through in parts, and what does not fit is said once."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from nbframework import Attribute, Dataset, Recipe, read_arff, write_arff
from nbframework.data.catalog import bundled_path
from nbframework.persistence import save_model

COLOURS = Dataset.from_columns(
    [Attribute.nominal("colour", ["red", "blue"]), Attribute.numeric("size"), Attribute.nominal("c", ["a", "b"])],
    [["red"] * 5 + ["blue"] * 5, [1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10], ["a"] * 5 + ["b"] * 5],
)


@pytest.fixture
def model(tmp_path: Path) -> str:
    recipe = Recipe.load("gaussian-nb")
    save_model(tmp_path / "colours.model", recipe, recipe.build().fit(COLOURS))
    return str(tmp_path / "colours.model")


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    import nbframework.cli.predict as verb
    from nbframework.data.chunks import read_chunks

    monkeypatch.setattr(verb, "read_chunks", lambda path, schema: read_chunks(path, schema, rows=3))


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def expected() -> np.ndarray:
    return Recipe.load("gaussian-nb").build().fit(COLOURS).predict_proba(COLOURS)


def files(folder: Path) -> dict[str, str]:
    """Return the rows in every format that can be read."""
    frame = pd.DataFrame({"size": COLOURS.columns[1], "colour": ["red"] * 5 + ["blue"] * 5})
    frame.to_csv(folder / "rows.csv", index=False)
    frame.to_parquet(folder / "rows.parquet")
    write_arff(COLOURS, folder / "rows.arff")
    write_arff(COLOURS, folder / "rows.arff.gz")
    return {name: str(folder / f"rows.{name}") for name in ("csv", "parquet", "arff", "arff.gz")}


@pytest.mark.parametrize("name", ["csv", "parquet", "arff", "arff.gz"])
def test_every_format_gives_the_posteriors_in_order(nbf, model, tmp_path, small_parts, name) -> None:
    result = nbf("predict", model, files(tmp_path)[name])
    assert (result.code, result.err) == (0, "")
    rows = table(result.out)
    assert [row["row"] for row in rows] == [str(i) for i in range(1, 11)]
    assert [row["predicted"] for row in rows] == ["a"] * 5 + ["b"] * 5
    found = np.array([[float(row["P(a)"]), float(row["P(b)"])] for row in rows])
    np.testing.assert_array_equal(found, expected())


@pytest.mark.parametrize("ending", ["csv", "arff", "jsonl"])
def test_parts_give_the_bytes_of_the_whole(nbf, model, tmp_path, monkeypatch, ending) -> None:
    import nbframework.cli.predict as verb
    from nbframework.data.chunks import read_chunks

    path = files(tmp_path)["csv"]
    written = []
    for size in (3, 100):
        monkeypatch.setattr(verb, "read_chunks", lambda path, schema, n=size: read_chunks(path, schema, rows=n))
        assert nbf("predict", model, path, "-o", str(tmp_path / f"out{size}.{ending}")).code == 0
        written.append((tmp_path / f"out{size}.{ending}").read_bytes())
    assert written[0] == written[1]


def test_queries_that_widen_ranges_are_asked_together(nbf, tmp_path, small_parts) -> None:
    """The first query widens the range of x tenfold: in it the later ones are near b, in the training range near a."""
    attributes = [Attribute.numeric("x"), Attribute.numeric("y"), Attribute.nominal("c", ["a", "b"])]
    rows = Dataset.from_columns(attributes, [[0.0, 0.5, 1.0], [0.5, 0.0, 1.0], ["a", "b", "a"]])
    queries = Dataset.from_columns(attributes, [[10.0] + [0.0] * 6, [0.5] + [0.1] * 6, [None] * 7])
    recipe = Recipe.load("weka-ibk")
    fitted = recipe.build().fit(rows)
    save_model(tmp_path / "near.model", recipe, fitted)
    write_arff(queries, tmp_path / "new.arff")
    found = table(nbf("predict", str(tmp_path / "near.model"), str(tmp_path / "new.arff")).out)
    assert [row["predicted"] for row in found] == ["a"] + ["b"] * 6
    assert [[float(row["P(a)"]), float(row["P(b)"])] for row in found] == fitted.predict_proba(queries).tolist()


def test_queries_asked_together_report_their_unseen_values_once(nbf, tmp_path, small_parts) -> None:
    recipe = Recipe.load("weka-ibk")
    save_model(tmp_path / "near.model", recipe, recipe.build().fit(COLOURS))
    (tmp_path / "new.csv").write_text("colour,size\n" + "green,1\nred,2\n" * 4)
    result = nbf("predict", str(tmp_path / "near.model"), str(tmp_path / "new.csv"))
    assert result.err.splitlines() == [
        "note: colour: value 'green' does not occur in the model (4 rows); treated as unseen"
    ]
    assert [row["row"] for row in table(result.out)] == [str(i) for i in range(1, 9)]


def test_predictions_as_arff_read_back(nbf, model, tmp_path, small_parts) -> None:
    nbf("predict", model, files(tmp_path)["csv"], "-o", str(tmp_path / "out.arff"))
    found = read_arff(tmp_path / "out.arff")
    np.testing.assert_array_equal(np.stack(found.columns[:2], axis=1), expected())


def test_json_lines_hold_the_posterior_by_class(nbf, model, tmp_path) -> None:
    result = nbf("predict", model, files(tmp_path)["csv"], "--format", "jsonl")
    first = json.loads(result.out.splitlines()[0])
    assert (first["row"], first["predicted"]) == (1, "a")
    assert first["posterior"] == dict(zip("ab", expected()[0].tolist(), strict=True))


def test_unseen_values_are_said_once_with_their_rows(nbf, model, tmp_path, small_parts) -> None:
    (tmp_path / "new.csv").write_text("colour,size\n" + "green,1\nred,2\n" * 4 + "pink,3\n")
    result = nbf("predict", model, str(tmp_path / "new.csv"))
    assert result.err.splitlines() == [
        "note: colour: value 'green' does not occur in the model (4 rows); treated as unseen",
        "note: colour: value 'pink' does not occur in the model (1 rows); treated as unseen",
    ]
    assert len(table(result.out)) == 9


def test_many_unseen_values_are_summed(nbf, model, tmp_path, small_parts) -> None:
    (tmp_path / "new.csv").write_text("colour,size\n" + "".join(f"v{i:02},1\n" for i in range(25)))
    lines = nbf("predict", model, str(tmp_path / "new.csv")).err.splitlines()
    assert len(lines) == 21
    assert lines[-1] == "note: colour: other values that do not occur in the model (5 rows); treated as unseen"


def test_a_missing_column_is_unknown_and_said_once(nbf, model, tmp_path, small_parts) -> None:
    (tmp_path / "new.csv").write_text("colour\n" + "red\n" * 7)
    result = nbf("predict", model, str(tmp_path / "new.csv"))
    assert result.err.splitlines() == [
        "note: size: not in the data; unknown in all 7 rows, as the recipe treats unknown values"
    ]
    # P(red | a) = 6 / 7, P(red | b) = 1 / 7
    assert float(table(result.out)[0]["P(a)"]) == pytest.approx(6 / 7)


def test_without_any_attribute_nothing_is_predicted(nbf, model, tmp_path) -> None:
    (tmp_path / "new.csv").write_text("color,c\nred,a\n")
    result = nbf("predict", model, str(tmp_path / "new.csv"))
    assert result.code == 3
    assert "the data have none of the attributes 'colour', 'size'" in result.err


def test_a_fault_names_its_line_and_leaves_no_file(nbf, model, tmp_path, small_parts) -> None:
    (tmp_path / "new.csv").write_text("colour,size\n" + "red,1\n" * 7 + "red,large\n")
    result = nbf("predict", model, str(tmp_path / "new.csv"), "-o", str(tmp_path / "out.csv"))
    assert result.code == 3
    assert "new.csv:9: column 'size': found 'large', expected a number" in result.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["colours.model", "new.csv"]


def test_a_fault_in_a_later_part_of_an_arff_file_names_its_line(nbf, model, tmp_path, small_parts) -> None:
    text = "@relation r\n@attribute colour {red, blue}\n@attribute size numeric\n@data\n" + "red,1\n" * 8 + "red,1,2\n"
    (tmp_path / "new.arff").write_text(text)
    result = nbf("predict", model, str(tmp_path / "new.arff"))
    assert result.code == 3
    assert "new.arff:13:" in result.err


def test_a_file_without_rows_gives_the_header_alone(nbf, model, tmp_path) -> None:
    (tmp_path / "new.csv").write_text("colour,size\n")
    assert nbf("predict", model, str(tmp_path / "new.csv")).out == "row,predicted,P(a),P(b)\n"


def test_fit_says_what_the_file_holds(nbf, tmp_path) -> None:
    counts = nbf("fit", "sbc", "iris", "-o", str(tmp_path / "a.model"))
    rows = nbf("fit", "lawnb", "iris", "-o", str(tmp_path / "b.model"))
    assert (counts.code, rows.code) == (0, 0)
    assert "the file holds counts, no training row" in counts.err
    assert "the file holds the training rows: share it only with those who may see them" in rows.err


def test_refit_smooths_anew(nbf, tmp_path) -> None:
    nbf("fit", "sbc", "iris", "-o", str(tmp_path / "a.model"))
    made = nbf(
        "refit", str(tmp_path / "a.model"), "-o", str(tmp_path / "b.model"), "--set", "estimator={laplace: {f: 3}}"
    )
    assert made.code == 0
    iris = read_arff(bundled_path("iris"))
    found = np.array([float(row["P(setosa)"]) for row in table(nbf("predict", str(tmp_path / "b.model"), "iris").out)])
    direct = Recipe.load("sbc", estimator={"laplace": {"f": 3}}).build().fit(iris).predict_proba(iris)
    np.testing.assert_array_equal(found, direct[:, 0])


@pytest.mark.parametrize(("ending", "start"), [("json", '{\n "format": "nbframework naive Bayes"'), ("pmml", "<?xml")])
def test_a_model_is_exported_by_the_ending(nbf, model, tmp_path, ending: str, start: str) -> None:
    result = nbf("export", model, "-o", str(tmp_path / f"out.{ending}"))
    assert (result.code, result.out) == (0, "")
    assert (tmp_path / f"out.{ending}").read_text().startswith(start)


def test_an_unknown_ending_is_refused(nbf, model, tmp_path) -> None:
    result = nbf("export", model, "-o", str(tmp_path / "out.onnx"))
    assert result.code == 2
    assert "the ending is none of .json, .pmml" in result.err
