"""PMML says what the model says, as another program reads it, or is refused with the reason."""

from pathlib import Path

import numpy as np
import pytest

from nbframework import DataError, Dataset, Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.persistence import load_model, save_model
from nbframework.persistence.pmml import export_pmml
from nbframework.testing.datasets import mixed

IRIS = read_arff(bundled_path("iris"))
MIXED = mixed(90)
TIC_TAC_TOE = read_arff(bundled_path("tic-tac-toe"))


def written(folder: Path, recipe: str, data: Dataset) -> Path:
    loaded = Recipe.load(recipe)
    save_model(folder / "a.model", loaded, loaded.build().fit(data, seed=1))
    export_pmml(load_model(folder / "a.model"), folder / "a.pmml")
    return folder / "a.pmml"


def queries(data: Dataset) -> list[dict[str, object]]:
    """Return each row by the names of its attributes, without unknown values."""
    rows: list[dict[str, object]] = [{} for _ in range(len(data))]
    for attribute, column in zip(data.inputs, data.input_columns, strict=True):
        for row, value in zip(rows, column.tolist(), strict=True):
            if attribute.values is None:
                known = value == value
                text: object = value
            else:
                known = value < attribute.cardinality
                text = attribute.values[value] if known else None
            if known:
                row[attribute.name] = text
    return rows


@pytest.mark.parametrize(
    ("recipe", "data"),
    [("weka-naive-bayes", IRIS), ("weka-naive-bayes", MIXED), ("gaussian-nb", MIXED), ("laplace-nb", TIC_TAC_TOE)],
    ids=["discretized", "mixed", "gaussian", "nominal"],
)
def test_another_program_reads_the_same_posteriors(recipe: str, data: Dataset, tmp_path: Path) -> None:
    pypmml = pytest.importorskip("pypmml", reason="pypmml, which needs a Java machine, reads PMML back")
    data = data.take(slice(None, None, 1 + len(data) // 100))
    model = pypmml.Model.load(str(written(tmp_path, recipe, data)))
    names = [f"P({value})" for value in data.class_values]
    found = np.array([[answer[name] for name in names] for answer in map(model.predict, queries(data))])
    expected = Recipe.load(recipe).build().fit(data, seed=1).predict_proba(data)
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize(
    ("recipe", "data", "fault"),
    [
        ("bernoulli-nb", IRIS, "PMML has no density but the Gaussian one"),
        ("kl-nb", IRIS, "PMML divides the probabilities of .* by their sum, which here is not 1"),
        ("lawnb", IRIS, "is no composition that is fitted once"),
    ],
)
def test_what_pmml_cannot_say_is_refused(recipe: str, data: Dataset, fault: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=fault):
        written(tmp_path, recipe, data)
    assert not (tmp_path / "a.pmml").exists()
