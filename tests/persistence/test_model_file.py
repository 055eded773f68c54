"""Model files give the same classifier back, hold data only, and refuse everything else clearly."""

import contextlib
import io
import json
import pickle
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nbframework import Attribute, DataError, Dataset, NBFrameworkError, PluginError, Recipe, read_arff
from nbframework.data.catalog import bundled_path
from nbframework.persistence import load_model, save_model
from nbframework.plugins import installed
from nbframework.recipe.catalog import recipe_paths

SMALL = read_arff(bundled_path("iris")).take(slice(None, None, 5))


def saved(folder: Path, recipe: str = "sbc", dataset: Dataset = SMALL) -> Path:
    loaded = Recipe.load(recipe)
    save_model(folder / "a.model", loaded, loaded.build().fit(dataset, seed=1))
    return folder / "a.model"


@pytest.mark.parametrize("name", sorted(recipe_paths(installed())))
def test_a_stored_recipe_predicts_the_same_bytes(name: str, tmp_path: Path) -> None:
    recipe = Recipe.load(name)
    fitted = recipe.build().fit(SMALL, seed=1)
    save_model(tmp_path / "a.model", recipe, fitted)
    np.testing.assert_array_equal(
        load_model(tmp_path / "a.model").fitted.predict_proba(SMALL), fitted.predict_proba(SMALL)
    )


def test_a_composition_over_counts_stores_no_row(tmp_path: Path) -> None:
    assert load_model(saved(tmp_path)).holds_rows is False


@pytest.mark.parametrize("recipe", ["laplace-m", "gaussian-nb", "knn"])
def test_the_rows_without_a_class_are_remembered(recipe: str, tmp_path: Path) -> None:
    rows = Dataset.from_columns(
        [Attribute.numeric("n"), Attribute.nominal("c", ["a", "b"])], [[1.0, 2.0, 3.0, 4.0], [0, 1, 3, 3]]
    )
    found = load_model(saved(tmp_path, recipe, rows)).fitted
    assert found.notes == ("2 rows without a class left out of training",)
    assert found.rows_seen == 4


def test_the_same_model_is_written_as_the_same_bytes(tmp_path: Path) -> None:
    first = saved(tmp_path).read_bytes()
    assert saved(tmp_path).read_bytes() == first


def test_counts_can_be_smoothed_anew_without_the_data(tmp_path: Path) -> None:
    changed = load_model(saved(tmp_path), {"estimator": "{laplace: {f: 3}}"})
    expected = Recipe.load("sbc", estimator={"laplace": {"f": 3}}).build().fit(SMALL)
    np.testing.assert_array_equal(changed.fitted.predict_proba(SMALL), expected.predict_proba(SMALL))


def test_another_discretizer_needs_the_rows(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="discretizer: this model keeps counts, not rows"):
        load_model(saved(tmp_path), {"discretizer": "equal-width"})


def test_values_are_matched_by_name(tmp_path: Path) -> None:
    train = Dataset.from_columns(
        [Attribute.nominal("x", ["red", "blue"]), Attribute.nominal("c", ["a", "b"])],
        [["red"] * 4 + ["blue"] * 4, ["a", "a", "a", "b", "a", "b", "b", "b"]],
    )
    model = load_model(saved(tmp_path, "weka-naive-bayes", train)).fitted
    query = Dataset.from_columns(
        [Attribute.nominal("c", ["b", "a"]), Attribute.nominal("x", ["blue", "red"])], [["a", "a"], ["red", "blue"]]
    )
    # P(red | a) = (3 + 1) / (4 + 2), P(red | b) = (1 + 1) / (4 + 2)
    np.testing.assert_allclose(model.predict_proba(query), [[2 / 3, 1 / 3], [1 / 3, 2 / 3]])


def test_a_pickle_is_refused_and_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    class Payload:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return print, ("PAYLOAD RAN",)

    (tmp_path / "p.model").write_bytes(pickle.dumps(Payload()))
    with pytest.raises(DataError, match="not a model file of nbframework"):
        load_model(tmp_path / "p.model")
    assert "PAYLOAD" not in capsys.readouterr().out


def test_an_array_of_objects_is_refused_and_not_run(tmp_path: Path) -> None:
    path = saved(tmp_path)
    buffer = io.BytesIO()
    np.save(buffer, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    rewritten(path, {"cells.npy": buffer.getvalue()}, checksums=True)
    with pytest.raises(DataError, match=r"cells\.npy is no plain array"):
        load_model(path)


def test_a_model_of_a_later_version_says_so(tmp_path: Path) -> None:
    path = saved(tmp_path)
    edit(path, lambda document: document.update(version=99))
    with pytest.raises(DataError, match="model file of version 99, this nbframework reads 1"):
        load_model(path)


def test_a_missing_plugin_is_named_with_its_distribution(tmp_path: Path) -> None:
    path = saved(tmp_path)

    def change(document: dict) -> None:
        document["recipe"]["estimator"] = {"gone": {}}
        document["providers"].append(["estimator", "gone", "some-plugin 1.2 (estimator.gone)"])

    edit(path, change)
    with pytest.raises(PluginError, match=r"the estimator 'gone' of some-plugin 1\.2"):
        load_model(path)


def test_a_zip_bomb_is_refused_before_it_unpacks(tmp_path: Path) -> None:
    path = tmp_path / "bomb.model"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.json", b" " * 70_000_000)
    with pytest.raises(DataError, match="would unpack to 70000000 bytes"):
        load_model(path)


@pytest.mark.parametrize("kept", [0, 10, 200, -200, -1])
def test_a_cut_file_is_refused(kept: int, tmp_path: Path) -> None:
    path = saved(tmp_path)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(DataError, match=r"a\.model"):
        load_model(path)


@settings(max_examples=150, deadline=None)
@given(place=st.integers(0, 5000), value=st.integers(0, 255))
def test_a_changed_byte_never_ends_in_another_error(
    place: int, value: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = saved(tmp_path_factory.mktemp("fuzz"))
    data = bytearray(path.read_bytes())
    data[place % len(data)] = value
    path.write_bytes(bytes(data))
    with contextlib.suppress(NBFrameworkError):
        load_model(path)


@settings(max_examples=60, deadline=None)
@given(
    key=st.sampled_from(["holds", "schema", "recipe", "notes", "unlabelled", "providers", "version", "checksums"]),
    value=st.recursive(st.none() | st.integers() | st.text(max_size=4), lambda x: st.lists(x, max_size=3)),
)
def test_a_document_of_other_types_never_ends_in_another_error(
    key: str, value: object, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = saved(tmp_path_factory.mktemp("fuzz"))
    edit(path, lambda document: document.update({key: value}))
    with contextlib.suppress(NBFrameworkError):
        load_model(path)


def edit(path: Path, change) -> None:
    with zipfile.ZipFile(path) as archive:
        document = json.loads(archive.read("model.json"))
    change(document)
    rewritten(path, {"model.json": json.dumps(document).encode()})


def rewritten(path: Path, members: dict[str, bytes], checksums: bool = False) -> None:
    import hashlib

    with zipfile.ZipFile(path) as archive:
        held = {name: archive.read(name) for name in archive.namelist()} | members
    if checksums:
        document = json.loads(held["model.json"])
        for name, data in members.items():
            document["checksums"][name] = hashlib.sha256(data).hexdigest()
        held["model.json"] = json.dumps(document).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in held.items():
            archive.writestr(name, data)
